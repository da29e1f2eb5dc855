// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// What programs are, by their names in LaunchCommand::name.
namespace cardfit {

/// Whether a program neither trains nor serves: "convert.py", "preprocess_data.py", "echo".
[[nodiscard]] bool isHelperProgram(std::string_view name);

/// The project that a program belongs to: "verl" for "verl.trainer.main_ppo"; empty if it is none that is known here.
[[nodiscard]] std::string_view projectOf(std::string_view name);

} // namespace cardfit
