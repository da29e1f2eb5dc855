// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace cardfit {

/// The folder of the running program; empty where the system does not say.
[[nodiscard]] std::filesystem::path programFolder();

} // namespace cardfit
