// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/files/json_reader.h"
#include "core/launch/launch_text.h"

/// Configurations that are written as functions of Python, as far as they consist of literals. Internal to the readers
/// of such programs.
namespace cardfit {

/// How a value is held that is no literal. A call is an object of its keyword arguments with the name of what is called
/// below kCalled, positional arguments as a list below kArguments, and for `a(…).b(…)` the value of `a(…)` below kOf;
/// what is assigned to its attributes becomes keys. Any other expression is an object with its text below kUnread.
inline constexpr std::string_view kCalled = "()";
inline constexpr std::string_view kArguments = "args";
inline constexpr std::string_view kOf = "of";
inline constexpr std::string_view kUnread = "?";

/// A function of a module that returns a call or what it has made of one.
struct PythonConfiguration {
    std::string name; ///< of the function
    int line = 0;
    Json value;
    std::vector<std::string> unread; ///< statements that were passed over, as written: `if x:`, `apply(cfg)`
};

/// Runs the functions of a module that need no argument, statement by statement: assignments to names and attributes,
/// calls of other functions of the module, sums and products of numbers. Branches, loops and calls of anything else are
/// passed over and listed. Functions that return nothing but literals are left out. Error WrongFormat, with the line,
/// for an unclosed bracket or text.
[[nodiscard]] Result<std::vector<PythonConfiguration>> pythonConfigurations(std::string_view text);

/// The configuration that LaunchText::part names, else the only one that `fits`. WrongFormat if there is none,
/// UnknownName if there are several or none of that name: the message lists them.
[[nodiscard]] Result<PythonConfiguration> configurationOf(
    const LaunchText& text, const std::function<bool(const Json&)>& fits);

/// The name in kCalled; empty if the value is no call.
[[nodiscard]] std::string_view calledName(const Json& value);

} // namespace cardfit
