// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/estimate.h"

/// Utilisation and errors of step times in the words of the window.
namespace cardfit::ui {

/// By which convention the window states utilisation.
struct UtilizationChoice {
    WorkDefinition definition = WorkDefinition::Causal;
    bool narrow_peak = false; ///< against the peak of the recipe's narrow format, where the card has one

    bool operator==(const UtilizationChoice&) const = default;
};

/// The figure of a step under a convention; null if it has none, as a plan that is not estimated.
[[nodiscard]] const Utilization* chosenUtilization(const StepEstimate& step, const UtilizationChoice& choice);

/// "MFU 44 %", and which convention where it is not the default: "MFU 41 % (PaLM)", "MFU 26 % of fp8". "HFU …" where
/// the convention defines executed work only. Empty if it defines neither.
[[nodiscard]] QString utilizationText(const StepEstimate& step, const UtilizationChoice& choice, int decimals = 0);

/// What the convention counts, its formula and who states it.
[[nodiscard]] QString utilizationMeaning(WorkDefinition definition);

/// "−8…+12 %": between how much shorter and longer than predicted eight runs in ten should be; "not
/// validated" without a band.
[[nodiscard]] QString errorText(const ErrorBand& band);
/// "Eight in ten runs should lie within … (from 36 measured runs: dense Hopper 16-bit)."
[[nodiscard]] QString errorMeaning(const ErrorBand& band);

} // namespace cardfit::ui
