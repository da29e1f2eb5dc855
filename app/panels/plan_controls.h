// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <QList>
#include <QString>

#include "app/document/choice_words.h"
#include "app/document/plan_document.h"
#include "core/plan/fields.h"
#include "widgets/controls/quiet_combo_box.h"

class QCheckBox;

namespace cardfit::app {

/// Makes the controls of a panel other than rails, and keeps them showing the plan.
class PlanControls {
public:
    struct Choice {
        QString label;
        QString help; ///< one sentence
    };

    explicit PlanControls(PlanDocument& document)
        : m_document(document)
    {
    }

    /// A list of all words of a field, which is a word, or null where it may be. Values that would break a rule say so
    /// but can be chosen.
    ui::QuietComboBox* choice(QWidget* parent, const Field& field);

    /// What serves the model; of a served plan it stands where others have their framework.
    ui::QuietComboBox* engines(QWidget* parent, const QString& label);
    /// What is trained in fine-tuning: all weights, adapters, or adapters beside 4-bit weights.
    ui::QuietComboBox* methods(QWidget* parent, const QString& label);

    /// A check box for a flag.
    QCheckBox* toggle(QWidget* parent, const Field& field);

    /// Updates every control from the plan.
    void refresh();
    /// `update` is called with every refresh.
    void onRefresh(std::function<void(const Plan&)> update) { m_updates.push_back(std::move(update)); }

private:
    ui::QuietComboBox* wordChoice(QWidget* parent, const QString& label, const QList<Choice>& words,
        std::function<int(const Plan&)> read, std::function<void(Plan&, int)> write);

    PlanDocument& m_document;
    std::vector<std::function<void(const Plan&)>> m_updates;
};

} // namespace cardfit::app
