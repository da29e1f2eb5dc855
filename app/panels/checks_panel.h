// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "app/document/latest_task.h"
#include "app/document/plan_document.h"
#include "core/files/presets.h"
#include "core/rules/remedies.h"

class QPushButton;

namespace cardfit::app {

/// Changes that end the broken rules of a plan: one list for each rule and, if there are several errors, one for all at
/// once.
struct PlanRemedies {
    std::vector<std::vector<Remedy>> of_checks; ///< indices as in Estimate::checks
    std::optional<Remedy> of_all;

    bool operator==(const PlanRemedies&) const = default;
};

/// Every rule that the plan breaks, with its reason and buttons for changes that satisfy it.
class ChecksPanel : public QWidget {
    Q_OBJECT

public:
    /// Problems with reading `presets` are listed below the checks.
    ChecksPanel(PlanDocument& document, const Presets& presets, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showChecks();
    void rebuild();
    [[nodiscard]] QWidget* card(std::size_t check);
    [[nodiscard]] QPushButton* button(const Remedy& remedy, QWidget* parent);

    PlanDocument& m_document;
    const Presets& m_presets;
    std::vector<Check> m_checks;
    PlanRemedies m_remedies;
    LatestTask<PlanRemedies> m_search;
    QWidget* m_content = nullptr;
};

} // namespace cardfit::app
