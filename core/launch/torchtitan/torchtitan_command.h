// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/launch.h"

/// torchtitan's start command: `MODULE=llama3 CONFIG=llama3_8b ./run_train.sh --parallelism.tensor_parallel_degree 8`,
/// or torchrun with its module. Since February 2026 its configurations are Python functions; the values of those that
/// it ships are stored here. Command-line options override them; their names were fixed earlier and are frozen
/// (torchtitan/config/README.md at b5bcd76c, 2026-08).
namespace cardfit {

/// One option: "parallelism.tensor_parallel_degree" and the words after it; no words for a flag that is switched on.
struct TorchtitanOption {
    std::string path;
    std::vector<std::string> values;
    int line = 0; ///< line of the text, from 1
};

struct TorchtitanCommand {
    std::string configuration; ///< TOML: the values of the named configuration
    std::vector<TorchtitanOption> options; ///< in the order of the text; the last of equal ones counts
    Cluster cluster; ///< as given to torchrun
    std::vector<LaunchNote> notes;
};

/// Whether a text is such a command rather than a job's TOML file.
[[nodiscard]] bool isTorchtitanCommand(std::string_view text);

[[nodiscard]] Result<TorchtitanCommand> readTorchtitanCommand(const LaunchText& text, const Cluster& base);

} // namespace cardfit
