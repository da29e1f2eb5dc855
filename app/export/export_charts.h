// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"

namespace cardfit::app {

/// Program::write_export of the program with a window: writes all files, in all languages.
[[nodiscard]] Result<void> writeWithCharts(const ExportOptions& options, const DocumentRequest& request);

} // namespace cardfit::app
