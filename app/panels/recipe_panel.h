// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include <QWidget>

#include "app/panels/plan_controls.h"

class QFormLayout;

namespace cardfit::app {

/// The sections in which the words and switches of a recipe stand.
enum class RecipePart : std::uint8_t { Adapters, Training, Kernels };

/// How the framework works, as far as it is a word or a switch. What is shown of it depends on what the plan is for:
/// see app/document/plan_view.h.
class RecipePanel : public QWidget {
    Q_OBJECT

public:
    RecipePanel(PlanDocument& document, RecipePart part, QWidget* parent = nullptr);

    void refresh() { m_controls.refresh(); }

private:
    void addAdapters();
    void addTraining();
    void addKernels();
    template <class Enum>
    QWidget* addChoice(
        std::string_view part, const QString& label, Enum& (*field)(Plan&), Plan (*edited)(Plan, Enum) = nullptr);
    QWidget* addToggle(std::string_view part, const QString& label, bool& (*field)(Plan&), const QString& help);
    QWidget* addRow(std::string_view part, QWidget* field, const QString& label = {});
    void addRecomputeModules();

    PlanDocument& m_document;
    PlanControls m_controls;
    QFormLayout* m_rows;
};

} // namespace cardfit::app
