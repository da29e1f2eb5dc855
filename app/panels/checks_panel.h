// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QScrollArea>
#include <QStringList>

#include "core/plan/checks.h"

class QVBoxLayout;

namespace cardfit::app {

/// Every rule that the plan breaks, with its reason and buttons for the nearest values that keep it.
class ChecksPanel : public QScrollArea {
    Q_OBJECT

public:
    explicit ChecksPanel(QWidget* parent = nullptr);

    void setChecks(const std::vector<Check>& checks);
    /// What else there is to know: preset files that could not be read.
    void setNotes(const QStringList& notes);

signals:
    /// A value of a check's field was chosen.
    void valueChosen(const QString& field, qint64 value);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    [[nodiscard]] QWidget* card(const Check& check);
    [[nodiscard]] QWidget* note(const QString& text);

    std::vector<Check> m_checks;
    QStringList m_notes;
};

} // namespace cardfit::app
