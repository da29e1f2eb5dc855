// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/pins.h"

#include <system_error>
#include <utility>

#include "app/document/plan_names.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace fs = std::filesystem;

Pins::Pins(PlanDocument& document, fs::path folder, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_folder(std::move(folder))
    , m_profile(document.profile())
{
    connect(&m_document, &PlanDocument::planChanged, this, &Pins::followPlan);
    connect(&m_document, &PlanDocument::planReplaced, this, &Pins::compareWithOpened);
}

std::vector<ui::PinnedEstimate> Pins::estimates() const
{
    std::vector<ui::PinnedEstimate> estimates;
    for (int slot = 0; slot < kCount; ++slot) {
        const Pin& pin = (*this)[slot];
        if (pin.hasFigures()) estimates.push_back({slot, letter(slot), name(slot), pin.estimate});
    }
    return estimates;
}

void Pins::pin(int slot)
{
    putIn(slot, m_document.plan());
    save(slot);
    nameAll();
    emit changed();
}

void Pins::unpin(int slot)
{
    if ((*this)[slot].isFree()) return;
    m_pins[static_cast<std::size_t>(slot)] = {};
    std::error_code kept;
    fs::remove(fileOf(slot), kept);
    if (kept) {
        emit failed(tr("Pin %1 is restored at the next start").arg(letter(slot)),
            QString::fromStdString(fileOf(slot).string() + ": " + kept.message()));
    }
    emit changed();
}

void Pins::recall(int slot)
{
    const Pin& pin = (*this)[slot];
    if (pin.plan) m_document.edit(*pin.plan, tr("Recall pin %1").arg(letter(slot)));
}

void Pins::swap(int slot)
{
    const Pin& pin = (*this)[slot];
    if (!pin.plan) return;
    Plan pinned = *pin.plan;
    putIn(slot, m_document.plan());
    save(slot);
    m_document.edit(std::move(pinned), tr("Swap with pin %1").arg(letter(slot)));
    nameAll();
    emit changed();
}

void Pins::restore(const Presets& presets)
{
    for (int slot = 0; slot < kCount; ++slot) {
        std::error_code unknown;
        if (!fs::exists(fileOf(slot), unknown) && !unknown) continue;
        auto plan = readPlan(fileOf(slot), presets);
        if (plan)
            putIn(slot, *std::move(plan));
        else
            m_pins[static_cast<std::size_t>(slot)] = {{}, {}, false, ui::translated(plan.error())};
    }
    compareWithOpened();
}

void Pins::adopt()
{
    for (Pin& pin : m_pins)
        pin.is_of_other_plan = false;
    emit changed();
}

/// Pins of another kind of plan would squeeze the new plan's charts: marks those whose automatic name differs.
void Pins::compareWithOpened()
{
    for (Pin& pin : m_pins)
        pin.is_of_other_plan = pin.plan && automaticName(*pin.plan) != automaticName(m_document.plan());
    nameAll();
    emit changed();
}

/// Returns true if a name has changed.
bool Pins::nameAll()
{
    std::array<QString, kCount> names;
    for (std::size_t slot = 0; slot < names.size(); ++slot) {
        if (const auto& plan = m_pins[slot].plan) names[slot] = nameBeside(*plan, m_document.plan());
    }
    return std::exchange(m_names, names) != names;
}

void Pins::putIn(int slot, Plan plan)
{
    // Reuses the estimate that is shown: it may have taken long.
    const bool is_shown = m_document.estimate() && m_document.estimatedPlan() == plan
        && m_document.profile() == m_profile && !m_document.isComputing();
    auto estimate = is_shown ? m_document.estimate() : std::make_shared<const Estimate>(estimateUnder(plan, m_profile));
    m_pins[static_cast<std::size_t>(slot)] = {std::move(plan), std::move(estimate), false, {}};
}

void Pins::save(int slot)
{
    std::error_code refused;
    fs::create_directories(m_folder, refused);
    const auto written = refused
        ? Result<void>(tl::unexpected(Error{ErrorCode::CannotWrite, m_folder.string(), {}, reasonOf(refused)}))
        : writeFile(fileOf(slot), planText(*(*this)[slot].plan));
    if (!written) {
        emit failed(
            tr("Pin %1 will be gone when Cardfit is closed").arg(letter(slot)), ui::translated(written.error()));
    }
}

/// All figures must be computed under the same profile.
void Pins::followPlan()
{
    const bool is_renamed = nameAll();
    if (m_document.profile() == m_profile) {
        if (is_renamed) emit changed();
        return;
    }
    m_profile = m_document.profile();
    for (Pin& pin : m_pins) {
        if (pin.plan) pin.estimate = std::make_shared<const Estimate>(estimateUnder(*pin.plan, m_profile));
    }
    emit changed();
}

fs::path Pins::fileOf(int slot) const { return m_folder / (std::string(1, static_cast<char>('a' + slot)) + ".json"); }

} // namespace cardfit::app
