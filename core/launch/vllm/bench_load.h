// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/launch/launch.h"
#include "core/launch/shell/command_line.h"

namespace cardfit {

/// Sets lengths and load of a served plan to what a benchmark sends to the server: `vllm bench`, SGLang's
/// bench_serving, vLLM's older benchmark scripts, and the options of trtllm-bench itself. `command` is the server's,
/// `text` may hold the benchmark's beside it. Notes what is assumed about lengths that vary, loads that a plan
/// cannot hold, and numbers that are not known.
[[nodiscard]] std::vector<LaunchNote> readBenchLoad(
    const LaunchCommand& command, const LaunchText& text, Workload& load);

/// Names of the options that say lengths and numbers of requests.
[[nodiscard]] std::vector<std::string_view> benchOptions();

} // namespace cardfit
