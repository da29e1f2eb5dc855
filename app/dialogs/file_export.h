// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>

#include <QObject>
#include <QString>

#include "core/result.h"

class QAbstractButton;

namespace cardfit {
struct Plan;
namespace ui {
class ChartWidget;
}
} // namespace cardfit

namespace cardfit::app {

/// Asks where to write what a part of the window exports, and writes it. The window says how that went, for every
/// FileExport among its children.
class FileExport : public QObject {
    Q_OBJECT

public:
    using Write = std::function<Result<void>(const QString& file)>;

    explicit FileExport(QWidget* part);

    void ask(const QString& title, const QString& proposed, const QString& filter, const Write& write);
    /// Writes without asking; whether that went well.
    bool to(const QString& file, const Write& write);
    /// Why nobody should use what is written as it is, asked for after each writing; empty: nothing is wrong with it.
    void warnBy(std::function<QString()> warning) { m_warning = std::move(warning); }
    /// Asks when a chart's button is pressed, for a picture or its table.
    void askOn(QAbstractButton* button, const QString& proposed, const Write& write);

signals:
    void written(const QString& file, const QString& warning = {});
    void failed(const QString& what, const QString& why);

private:
    QWidget* m_part;
    std::function<QString()> m_warning;
};

/// Kinds of files that a chart is written as, for a dialog.
[[nodiscard]] QString chartFilter();

/// Writes .png, .svg or .pdf, by the file's ending, with the plan inside and its name as title: on the screen the
/// window names the plan, a picture that leaves it has to name it itself.
[[nodiscard]] Result<void> exportChart(
    ui::ChartWidget& chart, const Plan& plan, const QString& description, const QString& file);
/// The same picture on the clipboard.
void copyChart(ui::ChartWidget& chart, const Plan& plan);

} // namespace cardfit::app
