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

/// A slot for a plan that others are compared with. Without a plan it is free, or its file cannot be read.
struct Pin {
    std::optional<Plan> plan;
    std::shared_ptr<const Estimate> estimate; ///< of the plan, under the document's profile; null without a plan
    bool is_of_other_plan = false; ///< pinned beside a plan of another model or of other cards than that opened since
    QString problem; ///< why the plan that was kept here cannot be read; empty if there is none such

    [[nodiscard]] bool isFree() const { return !plan && problem.isEmpty(); }
    /// Whether there are figures to compare with: the plan breaks no rule that prevents them.
    [[nodiscard]] bool hasFigures() const { return estimate != nullptr && estimate->complete(); }
};

/// The pins A, B and C. Each is kept as a plan file in a folder, written as it is pinned, so that it survives the
/// program.
class Pins : public QObject {
    Q_OBJECT

public:
    static constexpr int kCount = 3;

    /// Pins plans of `document`. Nothing is read before restore().
    Pins(PlanDocument& document, std::filesystem::path folder, QObject* parent = nullptr);

    [[nodiscard]] static QChar letter(int slot) { return QChar(u'A' + slot); }
    [[nodiscard]] const Pin& operator[](int slot) const { return m_pins[static_cast<std::size_t>(slot)]; }
    /// What the pin is called beside the plan as it is now: by its name, or by what differs.
    [[nodiscard]] const QString& name(int slot) const { return m_names[static_cast<std::size_t>(slot)]; }
    /// Those with figures, in order.
    [[nodiscard]] std::vector<ui::PinnedEstimate> estimates() const;

    /// Pins the document's plan, in place of what was pinned there.
    void pin(int slot);
    /// Frees a slot and removes its file, even one that could not be read.
    void unpin(int slot);
    /// Makes the pinned plan the document's, as one undo step.
    void recall(int slot);
    /// The same, and pins the plan that the document had.
    void swap(int slot);

    /// Takes pins of other plans for pins of this one.
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
