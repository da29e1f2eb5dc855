// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/sentence.h"
#include "core/estimate/server.h"
#include "core/report/reports.h"

namespace cardfit {

/// A question that a server's plan answers, and the answer.
struct ServerRow {
    Phrase question; ///< "Cache"
    Sentence answer; ///< without a full stop
};

/// Cache, sequences, longest context, and what more cards would buy.
[[nodiscard]] std::vector<ServerRow> serverRows(const ServerAnswers& answers, ByteUnit unit);

} // namespace cardfit
