// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/files/recovery_file.h"
#include "core/plan/plan.h"

namespace cardfit::app {

/// A file beside the open tabs that says that the program runs: version, system, start and last command. It goes when
/// the program ends properly, so a file of an ended program tells the next start that it did not. Nothing is sent.
class RunMark : public QObject {
    Q_OBJECT

public:
    explicit RunMark(std::filesystem::path directory, QObject* parent = nullptr);
    ~RunMark() override;

    /// What the newest run that did not end properly has left, a line for each fact; empty if all did.
    [[nodiscard]] const QString& lastRun() const { return m_last_run; }
    /// Written soon, not with every step of a drag.
    void note(const QString& command);

private:
    void write() const;

    std::unique_ptr<RecoveryFile> m_file; ///< null if there is no folder for it
    QString m_last_run;
    QString m_started;
    QString m_command;
    QTimer m_delay;
};

/// A text for a report of a run that did not end properly: what it left, and the plan that was shown.
[[nodiscard]] QString endedRunReport(const QString& last_run, const Plan& plan);
/// The same plan without the names that its user gave.
[[nodiscard]] Plan withoutNames(Plan plan);

} // namespace cardfit::app
