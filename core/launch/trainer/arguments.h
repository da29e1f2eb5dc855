// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/files/json_reader.h"
#include "core/launch/launch_text.h"
#include "core/launch/notes.h"
#include "core/plan/plan.h"

/// The arguments of programs that read them with transformers' HfArgumentParser: from a command line, or by the same
/// names from a YAML or JSON file. Internal to the importers of such programs.
namespace cardfit {

struct ProgramArguments {
    Json values = Json::object(); ///< by their names with underscores
    Json launcher = Json::object(); ///< of accelerate, torchrun or deepspeed, which start the program
    std::string program; ///< "sft" of sft.py and of `trl sft`; empty for a file
    std::map<std::string, std::string> environment;
    bool is_command = false;
    std::vector<LaunchNote> notes; ///< on the script as such
};

/// A command may name a file with arguments (`trl sft --config sft.yaml`, `llamafactory-cli train lora.yaml`), over
/// which its own count. Errors of the readers of commands, YAML and JSON; WrongFormat if that file is not there.
[[nodiscard]] Result<ProgramArguments> readArguments(const LaunchText& text);

/// Whether a text has an argument of this name, in a file or on a command line.
[[nodiscard]] bool hasArgument(std::string_view text, std::string_view name);

/// Sets nodes and cards to the processes that the command starts. If it does not say, the plan's stay, with a note.
void readProcesses(const ProgramArguments& arguments, Plan& plan, Notes& notes);

} // namespace cardfit
