// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/panels/plan_controls.h"

class QFormLayout;

namespace cardfit::app {

/// How the framework trains, as far as it is a word or a switch.
class RecipePanel : public QWidget {
    Q_OBJECT

public:
    explicit RecipePanel(PlanDocument& document, QWidget* parent = nullptr);

    void refresh() { m_controls.refresh(); }

private:
    template <class Enum>
    QWidget* addChoice(const QString& label, Enum& (*field)(Plan&), Plan (*edited)(Plan, Enum) = nullptr);
    QWidget* addToggle(const QString& label, bool& (*field)(Plan&), const QString& help = {});
    void addRecomputeModules();
    /// Shows a row only while the plan has a use for it.
    void showIf(QWidget* field, bool (*has_use)(const Plan&));

    PlanDocument& m_document;
    PlanControls m_controls;
    QFormLayout* m_rows;
};

} // namespace cardfit::app
