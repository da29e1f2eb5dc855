// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/launch/launch.h"

/// torchtitan as it is started: `MODULE=llama3 CONFIG=llama3_8b ./run_train.sh --parallelism.tensor_parallel_degree 8`,
/// or torchrun with its module. Since February 2026 its configurations are Python functions, whose own values are known
/// here for those that it ships; the options of the command line are older than that, are frozen, and count more
/// (torchtitan/config/README.md at b5bcd76c, 2026-08).
namespace cardfit {

/// One option: "parallelism.tensor_parallel_degree" and the words behind it, none for a flag that is on.
struct TorchtitanOption {
    std::string path;
    std::vector<std::string> values;
    int line = 0; ///< of the text, from 1
};

struct TorchtitanCommand {
    std::string configuration; ///< TOML: what the named configuration says by itself
    std::vector<TorchtitanOption> options; ///< in the order in which they stand; the last of equal ones counts
    Cluster cluster; ///< as torchrun was told
    std::vector<LaunchNote> notes;
};

/// Whether a text is such a command and not a job's TOML file.
[[nodiscard]] bool isTorchtitanCommand(std::string_view text);

[[nodiscard]] Result<TorchtitanCommand> readTorchtitanCommand(std::string_view text, const Cluster& base);

} // namespace cardfit
