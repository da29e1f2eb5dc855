// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cardfit::app {

class PlanDocument;

/// Says in the status bar that the last run did not end properly and that its plans are back, and writes a report of it
/// where the user wants one.
class LastRunNotice : public QWidget {
    Q_OBJECT

public:
    /// `last_run`: as RunMark has it.
    LastRunNotice(QString last_run, const PlanDocument& document, QWidget* parent);

    [[nodiscard]] QString report(bool with_names) const;

signals:
    void failed(const QString& what, const QString& why);
    void written(const QString& file);

private:
    void save(bool with_names);

    QString m_last_run;
    const PlanDocument& m_document;
};

} // namespace cardfit::app
