// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <QWidget>

#include "app/panels/plan_controls.h"

class QFormLayout;

namespace cardfit::app {

/// The sections for the choices and switches of a recipe. The first two are always in view.
enum class RecipePart : std::uint8_t { Adapters, First, Training, Kernels };

/// The choices and switches of a recipe, which describe how the framework works. Those that have an effect on the plan
/// are shown: see app/document/plan_view.h.
class RecipePanel : public QWidget {
    Q_OBJECT

public:
    RecipePanel(PlanDocument& document, RecipePart part, QWidget* parent = nullptr);

    void refresh() { m_controls.refresh(); }
    /// The fields that a section has.
    [[nodiscard]] static std::vector<std::string_view> fieldsOf(RecipePart part);

private:
    QWidget* controlFor(const Field& field);
    QWidget* recomputeModules();

    PlanDocument& m_document;
    PlanControls m_controls;
    QFormLayout* m_rows;
};

} // namespace cardfit::app
