// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/report/planning_document.h"
#include "core/report/reports.h"

class QApplication;
class QPagedPaintDevice;
class QTextDocument;

namespace cardfit::ui {
class ChartWidget;
}

namespace cardfit::app {

struct PlanCharts;

/// A Qt application that draws into memory and needs no display; charts can be made while it exists.
[[nodiscard]] std::unique_ptr<QApplication> offscreenApplication();

/// A planning document in the applied language, with its charts. Requires a QApplication.
class DocumentWriter {
public:
    /// Charts of DocumentRequest::more_figures, by their names.
    using MoreCharts = std::vector<std::pair<std::string, ui::ChartWidget*>>;

    explicit DocumentWriter(DocumentRequest request, MoreCharts more = {});
    ~DocumentWriter();
    DocumentWriter(const DocumentWriter&) = delete;
    DocumentWriter& operator=(const DocumentWriter&) = delete;

    /// Writes .html (one file), .pdf, .odt or .md (text without pictures), by the file's ending; error Usage for
    /// others.
    [[nodiscard]] Result<void> write(const std::filesystem::path& file) const;
    /// The Markdown with pictures: files named "memory.svg" where `pictures` says so.
    [[nodiscard]] std::string markdown(bool pictures) const;
    [[nodiscard]] std::string html() const;
    /// Fills a text document for a view or an .odt: pictures in pixels.
    void fill(QTextDocument& document) const;
    /// Paints pages on a device of kDocumentDotsPerInch, with a line at their foot.
    void paint(QPagedPaintDevice& device) const;

private:
    struct Drawn;

    [[nodiscard]] const Drawn* drawn(const std::string& figure) const;
    void setText(QTextDocument& document) const;
    [[nodiscard]] std::string pdf() const;
    [[nodiscard]] std::string odt() const;

    Document m_document;
    std::unique_ptr<PlanCharts> m_charts; ///< null without figures
    std::vector<Drawn> m_drawn;
};

inline constexpr int kDocumentDotsPerInch = 96; ///< charts and text have the same sizes as on a screen

/// Writes report, charts, table and plan file into one folder, which is created if missing. Requires a QApplication.
[[nodiscard]] Result<void> writeReportFolder(const Plan& plan, ByteUnit unit, const std::filesystem::path& folder);

/// What `cardfit` does without a display: writes the default plan's report and charts to cardfit-report/ in the current
/// directory, prints a message, and returns the exit code.
[[nodiscard]] int writeDefaultReport();

} // namespace cardfit::app
