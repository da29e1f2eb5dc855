// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "app/document/plan_document.h"
#include "widgets/chart/pins.h"

namespace cardfit::app {

/// A slot for a plan that others are compared with. Without a plan, it is free or its file cannot be read.
struct Pin {
    std::optional<Plan> plan;
    std::shared_ptr<const Estimate> estimate; ///< estimate of `plan` under the document's profile; null without a plan
    bool is_of_other_plan = false; ///< the plan opened later has another model or other cards
    QString problem; ///< why the saved plan cannot be read; empty if there is no such problem

    [[nodiscard]] bool isFree() const { return !plan && problem.isEmpty(); }
    /// Whether there are figures to compare with, that is, no broken rule prevents the estimate.
    [[nodiscard]] bool hasFigures() const { return estimate != nullptr && estimate->complete(); }
};

/// The pins A, B and C. Each is saved as a plan file in a folder as soon as it is pinned, so that it survives a
/// restart.
class Pins : public QObject {
    Q_OBJECT

public:
    static constexpr int kCount = 3;

    /// Pins plans of `document`. Reads nothing before restore().
    Pins(PlanDocument& document, std::filesystem::path folder, QObject* parent = nullptr);

    [[nodiscard]] static QChar letter(int slot) { return QChar(u'A' + slot); }
    [[nodiscard]] const Pin& operator[](int slot) const { return m_pins[static_cast<std::size_t>(slot)]; }
    /// The pin's name relative to the current plan: its name or, if both have the same, what differs.
    [[nodiscard]] const QString& name(int slot) const { return m_names[static_cast<std::size_t>(slot)]; }
    /// Pins with figures, in order.
    [[nodiscard]] std::vector<ui::PinnedEstimate> estimates() const;

    /// Pins the document's plan; replaces the slot's plan.
    void pin(int slot);
    /// Frees a slot and removes its file, even one that could not be read.
    void unpin(int slot);
    /// Makes the pinned plan the document's plan, as one undo step.
    void recall(int slot);
    /// The same, and pins the document's previous plan.
    void swap(int slot);

    /// Treats pins of other plans as pins of this one.
    void adopt();
    /// Reads the pins that the last run saved.
    void restore(const Presets& presets);

signals:
    void changed();
    void failed(const QString& what, const QString& why);

private:
    void putIn(int slot, Plan plan);
    void save(int slot);
    void followPlan();
    void compareWithOpened();
    bool nameAll();
    [[nodiscard]] std::filesystem::path fileOf(int slot) const;

    PlanDocument& m_document;
    std::filesystem::path m_folder;
    std::array<Pin, kCount> m_pins;
    std::array<QString, kCount> m_names;
    Profile m_profile;
};

} // namespace cardfit::app
