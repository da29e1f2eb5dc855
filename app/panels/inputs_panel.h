// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <QLabel>
#include <QScrollArea>
#include <QStringList>
#include <QTimer>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "app/document/plan_quantities.h"
#include "app/document/plan_view.h"
#include "app/document/strip_verdicts.h"
#include "app/panels/plan_controls.h"
#include "app/panels/recipe_panel.h"
#include "widgets/rails/value_rail.h"

class QVBoxLayout;

namespace cardfit::app {

class CollapsibleGroup;

/// All inputs of a plan: a rail for every quantity, a list for every choice. What the plan's purpose turns on stands at
/// the top, at full size or on a line that opens (railPlaces()); the rest is in folded groups, which say what changed.
class InputsPanel : public QScrollArea {
    Q_OBJECT

public:
    /// `presets` may change; presetsChanged() then updates the lists.
    InputsPanel(PlanDocument& document, const Presets& presets, QWidget* parent = nullptr);

    /// Null if there is no such quantity.
    [[nodiscard]] ui::ValueRail* rail(std::string_view quantity) const;
    void presetsChanged();
    /// Replaces the cards in the plan's cluster, as their list does. An unknown id changes nothing.
    void pickAccelerator(const QString& id);

    /// Sets a quantity as its rail does; the quantity must have a rail and not be derived.
    void setRail(std::string_view quantity, double value);
    /// Opens the quantity's rail, scrolls to it and returns it; null if there is no such quantity.
    ui::ValueRail* showRail(std::string_view quantity);
    /// The same, and focuses its field.
    void goToRail(std::string_view quantity);
    /// The rails whose line has been opened.
    [[nodiscard]] QStringList openRails() const;
    void setOpenRails(const QStringList& quantities);

private:
    struct Row {
        const PlanQuantity* quantity;
        ui::ValueRail* rail;
        const RailPlace* place;
    };
    /// A folded part, and the fields that can be changed inside.
    struct Section {
        CollapsibleGroup* group;
        std::vector<std::string_view> fields;
        std::optional<QuantityGroup> subject = {};
        QVBoxLayout* rails = nullptr; ///< of the subject's quantities, as far as the plan's purpose leaves them here
    };

    void addPurposes(QVBoxLayout* column);
    Section& addSection(QVBoxLayout* column, const QString& id, const QString& title);
    void addRailsOf(Section& section, QuantityGroup subject);
    RecipePanel* addRecipe(RecipePart part, QWidget* parent);
    void addRecipe(Section& section, RecipePart part);
    void addRails();
    void arrangeRails(Purpose purpose);
    void addModelControls(CollapsibleGroup* group);
    void addClusterControls(CollapsibleGroup* group);
    void addParallelControls(CollapsibleGroup* group);
    void onEdited(const Row& row, double value, ui::EditPhase phase);
    void onLockToggled(const PlanQuantity& quantity, bool locked);
    void showValues();
    void showProblems();
    void showMarks();
    void showRun();
    void showStops();
    void showNextStops();
    bool showStopsOf(const Row& row);
    void forgetStrips();
    void requestStrips();
    [[nodiscard]] QuantityContext context() const;

    PlanDocument& m_document;
    const Presets& m_presets;
    PlanControls m_controls;
    std::vector<Row> m_rows; ///< as they stand
    QVBoxLayout* m_top = nullptr; ///< of the rails above the sections
    std::deque<Section> m_groups;
    std::optional<Purpose> m_arranged;
    std::map<Purpose, std::pair<Workload, Recipe>> m_left; ///< what the plan had for other purposes
    std::vector<RecipePanel*> m_recipes;
    std::vector<std::pair<std::string_view, QWidget*>>
        m_sections; ///< sections that only some plans have, by their names in shows()
    ui::SearchComboBox* m_accelerator = nullptr;
    QLabel* m_run_note = nullptr;
    LatestTask<Strip> m_strips;
    QTimer m_strip_delay;
    QTimer m_stops_delay;
    std::size_t m_next_stops = 0; ///< in a drag: the row whose stops follow next
    const PlanQuantity* m_edited = nullptr; ///< the quantity being edited, whose verdicts stay valid
    double m_value_before_drag = 0.0;
    Plan m_plan_before_drag;
    const PlanQuantity* m_noted = nullptr; ///< the quantity whose last edit had an unexpected result
    QString m_note; ///< the note about that result
};

} // namespace cardfit::app
