// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/last_run_notice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/ask_for_files.h"
#include "app/files/run_mark.h"
#include "core/files/file.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

LastRunNotice::LastRunNotice(QString last_run, const PlanDocument& document, QWidget* parent)
    : QWidget(parent)
    , m_last_run(std::move(last_run))
    , m_document(document)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    auto* text = new QLabel(tr("Cardfit did not end properly last time. Its plans are back."), this);
    ui::setTip(text, m_last_run);
    auto* report = new QPushButton(tr("Save a report"), this);
    auto* names = new QMenu(report);
    names->addAction(tr("With the names in the plan…"), this, [this] { save(true); });
    names->addAction(tr("Without names…"), this, [this] { save(false); });
    report->setMenu(names);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Dismiss"));
    close->setAccessibleName(tr("Dismiss"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    row->addWidget(text);
    row->addWidget(report);
    row->addWidget(close);
}

QString LastRunNotice::report(bool with_names) const
{
    return endedRunReport(m_last_run, with_names ? m_document.plan() : withoutNames(m_document.plan()));
}

void LastRunNotice::save(bool with_names)
{
    const auto file =
        askWhereToSave(window(), tr("Save a report"), QStringLiteral("cardfit-report.txt"), tr("Text (*.txt)"));
    if (file.isEmpty()) return;
    if (const auto done = writeFile(toPath(file), report(with_names).toStdString()); !done)
        return emit failed(tr("The report was not saved"), ui::translated(done.error()));
    emit written(file);
    hide();
}

} // namespace cardfit::app
