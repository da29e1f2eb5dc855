// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
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

/// "8.2 ms", "1.25 s": three digits, milliseconds below a second.
[[nodiscard]] std::string shortTime(Seconds time);

/// Load, time per token and its parts, first token, throughput, users within the limits, cost.
[[nodiscard]] std::vector<ServerRow> paceRows(const ServerPace& pace);

} // namespace cardfit
