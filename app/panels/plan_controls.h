// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <QString>

#include "app/document/plan_document.h"
#include "app/panels/quiet_combo_box.h"
#include "core/plan/names.h"

class QCheckBox;

namespace cardfit::app {

/// Makes the controls of a panel that are no rails, and keeps them showing the plan.
class PlanControls {
public:
    explicit PlanControls(PlanDocument& document)
        : m_document(document)
    {
    }

    /// Every word of an enumeration. Those that would break a rule say so, and can be chosen all the same. `edited`:
    /// the plan with the value and what follows from it; none: the value alone changes.
    template <class Enum>
    QuietComboBox* choice(
        QWidget* parent, const QString& label, Enum& (*field)(Plan&), Plan (*edited)(Plan, Enum) = nullptr)
    {
        QStringList words;
        for (const auto& entry : names<Enum>())
            words << toText(entry.name);
        const auto read = [field](const Plan& plan) {
            Plan copy = plan;
            return toText(name(field(copy)));
        };
        const auto write = [field, edited](Plan& plan, int index) {
            const Enum value = names<Enum>()[static_cast<std::size_t>(index)].value;
            if (edited != nullptr)
                plan = edited(std::move(plan), value);
            else
                field(plan) = value;
        };
        return wordChoice(parent, label, words, read, write);
    }

    /// The same where nothing is given either; that stands first, as `none`.
    template <class Enum>
    QuietComboBox* choice(
        QWidget* parent, const QString& label, const QString& none, std::optional<Enum>& (*field)(Plan&))
    {
        QStringList words{none};
        for (const auto& entry : names<Enum>())
            words << toText(entry.name);
        const auto read = [field, none](const Plan& plan) {
            Plan copy = plan;
            const std::optional<Enum>& value = field(copy);
            return value ? toText(name(*value)) : none;
        };
        const auto write = [field](Plan& plan, int index) {
            field(plan) =
                index == 0 ? std::nullopt : std::optional(names<Enum>()[static_cast<std::size_t>(index - 1)].value);
        };
        return wordChoice(parent, label, words, read, write);
    }

    QCheckBox* toggle(QWidget* parent, const QString& label, bool& (*field)(Plan&), const QString& help = {});

    /// Shows the plan in every control.
    void refresh();
    /// To be called with every refresh.
    void onRefresh(std::function<void(const Plan&)> update) { m_updates.push_back(std::move(update)); }

private:
    static QString toText(std::string_view word)
    {
        return QString::fromLatin1(word.data(), static_cast<qsizetype>(word.size()));
    }
    QuietComboBox* wordChoice(QWidget* parent, const QString& label, const QStringList& words,
        std::function<QString(const Plan&)> read, std::function<void(Plan&, int)> write);

    PlanDocument& m_document;
    std::vector<std::function<void(const Plan&)>> m_updates;
};

} // namespace cardfit::app
