// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/report/reports.h"

class QApplication;
class QPagedPaintDevice;

namespace cardfit::ui {
class ChartWidget;
}

namespace cardfit::app {

/// A Qt application that draws into memory and needs no display; charts can be made while it exists.
[[nodiscard]] std::unique_ptr<QApplication> offscreenApplication();

/// Writes the planning report in the applied language, as .md (text, no pictures) or .pdf (with both charts, and
/// `charts` on additional pages). A .pdf requires a QApplication.
[[nodiscard]] Result<void> writeReport(const Plan& plan, const Estimate& estimate, ByteUnit unit,
    const std::filesystem::path& file, const std::vector<ui::ChartWidget*>& charts = {});

inline constexpr int kReportDotsPerInch = 96; ///< charts and text have the same sizes as on a screen

/// Paints the pages of the .pdf report on a device of kReportDotsPerInch.
void paintReport(QPagedPaintDevice& device, const Plan& plan, const Estimate& estimate, ByteUnit unit,
    const std::vector<ui::ChartWidget*>& charts = {});

/// Writes report, charts, table and plan file into one folder, which is created if missing. Requires a QApplication.
[[nodiscard]] Result<void> writeReportFolder(const Plan& plan, ByteUnit unit, const std::filesystem::path& folder);

/// What `cardfit` does without a display: writes the default plan's report and charts to cardfit-report/ in the current
/// directory, prints a message, and returns the exit code.
[[nodiscard]] int writeDefaultReport();

} // namespace cardfit::app
