// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

#include <QObject>
#include <QString>

#include "core/base/result.h"

class QAbstractButton;

namespace cardfit {
struct Plan;
namespace ui {
class ChartWidget;
}
} // namespace cardfit

namespace cardfit::app {

/// Asks where to write an export and writes it. The window reports the result for every FileExport among its children.
class FileExport : public QObject {
    Q_OBJECT

public:
    using Write = std::function<Result<void>(const QString& file)>;

    explicit FileExport(QWidget* part);

    void ask(const QString& title, const QString& proposed, const QString& filter, const Write& write);
    /// Writes without asking. Returns whether it succeeded.
    bool to(const QString& file, const Write& write);
    /// `warning` is called after each writing and says why the file should not be used as it is; empty: nothing is
    /// wrong.
    void warnBy(std::function<QString()> warning) { m_warning = std::move(warning); }
    /// Asks when a chart's button is pressed; for a picture or its table.
    void askOn(QAbstractButton* button, const QString& proposed, const Write& write);

signals:
    void written(const QString& file, const QString& warning = {});
    void failed(const QString& what, const QString& why);

private:
    QWidget* m_part;
    std::function<QString()> m_warning;
};

/// File types of a chart, as a filter of a file dialog.
[[nodiscard]] QString chartFilter();

/// Writes .png, .svg or .pdf, by the file's suffix, with the plan embedded and its name in the title: the window's
/// title names the plan, but an exported picture must do it itself.
[[nodiscard]] Result<void> exportChart(
    ui::ChartWidget& chart, const Plan& plan, const QString& description, const QString& file);
/// Copies the same picture to the clipboard.
void copyChart(ui::ChartWidget& chart, const Plan& plan);

} // namespace cardfit::app
