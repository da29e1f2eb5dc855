// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/file_export.h"

#include <QAbstractButton>

#include "app/controls/language.h"
#include "app/files/ask_for_files.h"
#include "core/files/plan_file.h"
#include "widgets/chart/chart_export.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

class TitledChart {
public:
    TitledChart(ui::ChartWidget& chart, const Plan& plan)
        : m_chart(chart)
    {
        m_chart.setTitle(QString::fromStdString(plan.name));
    }
    ~TitledChart() { m_chart.setTitle({}); }
    Q_DISABLE_COPY_MOVE(TitledChart)

private:
    ui::ChartWidget& m_chart;
};

ui::ExportOptions pictureOptions(const Plan& plan, const QString& description)
{
    ui::ExportOptions options;
    options.description = description;
    options.plan = planText(plan);
    return options;
}

} // namespace

FileExport::FileExport(QWidget* part)
    : QObject(part)
    , m_part(part)
{
}

void FileExport::ask(const QString& title, const QString& proposed, const QString& filter, const Write& write)
{
    const QString file = askWhereToSave(m_part->window(), title, proposed, filter);
    if (!file.isEmpty()) to(file, write);
}

bool FileExport::to(const QString& file, const Write& write)
{
    const Result<void> done = write(file);
    if (!done) {
        emit failed(tr("The file could not be written"), ui::translated(done.error()));
        return false;
    }
    QStringList warnings{m_warning ? m_warning() : QString(), missingFontWarning(file)};
    warnings.removeAll(QString());
    emit written(file, warnings.join(u' '));
    return true;
}

void FileExport::askOn(QAbstractButton* button, const QString& proposed, const Write& write)
{
    connect(button, &QAbstractButton::clicked, this, [this, proposed, write] {
        ask(tr("Export"), proposed, chartFilter() + QStringLiteral(";;") + tr("Spreadsheet (*.csv)"), write);
    });
}

QString chartFilter() { return FileExport::tr("Picture (*.png);;Vector graphics (*.svg);;PDF (*.pdf)"); }

Result<void> exportChart(ui::ChartWidget& chart, const Plan& plan, const QString& description, const QString& file)
{
    const TitledChart titled(chart, plan);
    return ui::exportChart(chart, file, pictureOptions(plan, description));
}

void copyChart(ui::ChartWidget& chart, const Plan& plan)
{
    const TitledChart titled(chart, plan);
    ui::copyChart(chart, pictureOptions(plan, QString::fromStdString(plan.name)));
}

} // namespace cardfit::app
