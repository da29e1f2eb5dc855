// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/run_mark.h"

#include <QDateTime>
#include <QSysInfo>

#include "core/files/file.h"
#include "core/files/plan_file.h"

namespace cardfit::app {

namespace {

constexpr int kNoteDelay = 400; ///< milliseconds, as for the tabs

} // namespace

RunMark::RunMark(std::filesystem::path directory, QObject* parent)
    : QObject(parent)
    , m_started(QDateTime::currentDateTimeUtc().toString(Qt::ISODate))
{
    for (const auto& left : leftRecoveries(directory)) {
        if (const auto text = readFile(left->path()); text && m_last_run.isEmpty())
            m_last_run = QString::fromStdString(*text);
        left->remove();
    }
    // Without a folder nothing is remembered: the tabs say so.
    if (auto made = RecoveryFile::create(directory)) m_file = *std::move(made);
    m_delay.setSingleShot(true);
    m_delay.setInterval(kNoteDelay);
    connect(&m_delay, &QTimer::timeout, this, &RunMark::write);
    write();
}

RunMark::~RunMark()
{
    if (m_file != nullptr) m_file->remove();
}

void RunMark::note(const QString& command)
{
    m_command = command;
    if (!m_delay.isActive()) m_delay.start();
}

void RunMark::write() const
{
    if (m_file == nullptr) return;
    QString text = QStringLiteral("Cardfit %1, Qt %2\n%3, %4\nstarted %5\n")
                       .arg(QStringLiteral(CARDFIT_VERSION), QString::fromLatin1(qVersion()),
                           QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture(), m_started);
    if (!m_command.isEmpty()) text += QStringLiteral("last command: %1\n").arg(m_command);
    static_cast<void>(m_file->write(text.toStdString()));
}

QString endedRunReport(const QString& last_run, const Plan& plan)
{
    return QStringLiteral("A run of Cardfit did not end properly.\n\n%1\nThe plan that was shown:\n\n%2")
        .arg(last_run, QString::fromStdString(planText(plan)));
}

Plan withoutNames(Plan plan)
{
    for (std::string* name : {&plan.name, &plan.source, &plan.model.name, &plan.model.id, &plan.model.source,
             &plan.cluster.name, &plan.cluster.id, &plan.cluster.source, &plan.cluster.accelerator.name,
             &plan.cluster.accelerator.id, &plan.cluster.accelerator.source})
        name->clear();
    return plan;
}

} // namespace cardfit::app
