// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QScrollArea>

#include "app/document/plan_document.h"
#include "core/io/plan/presets.h"

class QVBoxLayout;

namespace cardfit::app {

/// Every rule that the plan breaks, with its reason and buttons for the nearest values that keep it.
class ChecksPanel : public QScrollArea {
    Q_OBJECT

public:
    /// `presets`: problems with reading them are listed below the checks.
    ChecksPanel(PlanDocument& document, const Presets& presets, QWidget* parent = nullptr);

signals:
    /// A value of a check's field was chosen.
    void valueChosen(const QString& field, qint64 value);

protected:
    void changeEvent(QEvent* event) override;

private:
    void setChecks(const std::vector<Check>& checks);
    void rebuild();
    [[nodiscard]] QWidget* card(const Check& check);

    const Presets& m_presets;
    std::vector<Check> m_checks;
};

} // namespace cardfit::app
