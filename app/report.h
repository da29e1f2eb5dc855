// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "core/plan/plan.h"
#include "core/result.h"

class QApplication;
class QPagedPaintDevice;

namespace cardfit::ui {
class ChartWidget;
}

namespace cardfit::app {

/// A Qt application that draws into memory and needs no display; charts can be made while it lives.
[[nodiscard]] std::unique_ptr<QApplication> offscreenApplication();

/// In the language that is applied: planning report as .md (text, no pictures) or .pdf (with both charts, and `charts`
/// on pages of their own). Needs a QApplication for .pdf.
[[nodiscard]] Result<void> writeReport(const Plan& plan, const Estimate& estimate, ByteUnit unit,
    const std::filesystem::path& file, const std::vector<ui::ChartWidget*>& charts = {});

inline constexpr int kReportDotsPerInch = 96; ///< sizes of charts and text are those of a screen

/// The same pages as the .pdf has, on a device of kReportDotsPerInch.
void paintReport(QPagedPaintDevice& device, const Plan& plan, const Estimate& estimate, ByteUnit unit,
    const std::vector<ui::ChartWidget*>& charts = {});

/// Report, charts, table and plan file in one folder, which is made if it does not exist. Needs a QApplication.
[[nodiscard]] Result<void> writeReportFolder(const Plan& plan, ByteUnit unit, const std::filesystem::path& folder);

/// What `cardfit` does without a display: writes the default plan's report and charts to cardfit-report/ in the current
/// directory, says so, and returns the exit code.
[[nodiscard]] int writeDefaultReport();

} // namespace cardfit::app
