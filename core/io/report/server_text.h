// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/io/report/reports.h"
#include "core/sentence.h"
#include "core/server.h"

namespace cardfit {

/// A question that a server's plan answers, and the answer.
struct ServerRow {
    Phrase question; ///< "Cache"
    Sentence answer; ///< without a full stop
};

/// Cache, sequences, longest context, and what more cards would buy.
[[nodiscard]] std::vector<ServerRow> serverRows(const ServerAnswers& answers, ByteUnit unit);

} // namespace cardfit
