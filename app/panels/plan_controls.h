// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QList>
#include <QString>

#include "app/controls/quiet_combo_box.h"
#include "app/document/choice_words.h"
#include "app/document/plan_document.h"

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

    /// A list of all values of an enumeration. Values that would break a rule say so but can be chosen. `edited`:
    /// returns the plan with the value and what follows from it; null: only the value changes.
    template <class Enum>
    QuietComboBox* choice(
        QWidget* parent, const QString& label, Enum& (*field)(Plan&), Plan (*edited)(Plan, Enum) = nullptr)
    {
        const auto read = [field](const Plan& plan) {
            Plan copy = plan;
            return static_cast<int>(choiceIndex(field(copy)));
        };
        const auto write = [field, edited](Plan& plan, int index) {
            const Enum value = names<Enum>()[static_cast<std::size_t>(index)].value;
            if (edited != nullptr)
                plan = edited(std::move(plan), value);
            else
                field(plan) = value;
        };
        return wordChoice(parent, label, wordsOf<Enum>(), read, write);
    }

    /// The same for an optional value; `none` is the first entry.
    template <class Enum>
    QuietComboBox* choice(
        QWidget* parent, const QString& label, const Choice& none, std::optional<Enum>& (*field)(Plan&))
    {
        const auto read = [field](const Plan& plan) {
            Plan copy = plan;
            const std::optional<Enum>& value = field(copy);
            return value ? static_cast<int>(choiceIndex(*value)) + 1 : 0;
        };
        const auto write = [field](Plan& plan, int index) {
            field(plan) =
                index == 0 ? std::nullopt : std::optional(names<Enum>()[static_cast<std::size_t>(index - 1)].value);
        };
        return wordChoice(parent, label, QList<Choice>{none} + wordsOf<Enum>(), read, write);
    }

    /// What is trained in fine-tuning: all weights, adapters, or adapters beside 4-bit weights.
    QuietComboBox* methods(QWidget* parent, const QString& label);

    QCheckBox* toggle(QWidget* parent, const QString& label, bool& (*field)(Plan&), const QString& help = {});

    /// Updates every control from the plan.
    void refresh();
    /// `update` is called with every refresh.
    void onRefresh(std::function<void(const Plan&)> update) { m_updates.push_back(std::move(update)); }

private:
    template <class Enum> static QList<Choice> wordsOf()
    {
        QList<Choice> words;
        for (const auto& entry : names<Enum>())
            words.append({choiceLabel(entry.value), choiceHelp(entry.value)});
        return words;
    }
    QuietComboBox* wordChoice(QWidget* parent, const QString& label, const QList<Choice>& words,
        std::function<int(const Plan&)> read, std::function<void(Plan&, int)> write);

    PlanDocument& m_document;
    std::vector<std::function<void(const Plan&)>> m_updates;
};

} // namespace cardfit::app
