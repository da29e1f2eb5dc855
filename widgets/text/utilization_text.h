// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/estimate/estimate.h"

/// Texts for utilisation and for errors of step times.
namespace cardfit::ui {

/// The convention by which the window states utilisation.
struct UtilizationChoice {
    WorkDefinition definition = WorkDefinition::Causal;
    bool narrow_peak = true; ///< relative to the peak of the recipe's narrow format, if the card has one

    bool operator==(const UtilizationChoice&) const = default;
};

/// The utilisation of a step under a convention; null if it is not defined, as for a plan that is not estimated.
[[nodiscard]] const Utilization* chosenUtilization(const StepEstimate& step, const UtilizationChoice& choice);

/// "MFU 44 %", and the convention's name if it is not the default: "MFU 41 % (PaLM)", "MFU 26 % of fp8". "HFU …" if the
/// convention defines only executed work. Empty if it defines neither.
[[nodiscard]] QString utilizationText(const StepEstimate& step, const UtilizationChoice& choice, int decimals = 0);

/// What the convention counts, its formula and its source.
[[nodiscard]] QString utilizationMeaning(WorkDefinition definition);

/// "−8…+12 %": the range around the prediction in which eight runs in ten should be; "not validated" without a band.
[[nodiscard]] QString errorText(const ErrorBand& band);
/// "Eight in ten runs should lie within … (from 36 measured runs: dense Hopper 16-bit)."
[[nodiscard]] QString errorMeaning(const ErrorBand& band);

} // namespace cardfit::ui
