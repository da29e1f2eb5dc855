// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include <QWidget>

#include "app/panels/plan_controls.h"

class QFormLayout;

namespace cardfit::app {

/// The sections for the choices and switches of a recipe.
enum class RecipePart : std::uint8_t { Adapters, Training, Kernels };

/// The choices and switches of a recipe, which describe how the framework works. Which of them are shown depends on the
/// plan's purpose: see app/document/plan_view.h.
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
