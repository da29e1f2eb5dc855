// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/units.h"

namespace cardfit {

/// Dense (not sparse) peak rates by number format; none where the card has no such unit.
struct PeakRates {
    std::optional<Teraflops> bf16, fp16, fp8, fp4, tf32, fp32, int8;

    bool operator==(const PeakRates&) const = default;
};

/// Share of the dense peak that matrix products sustain inside a training step, by format.
struct SustainedEfficiency {
    std::optional<double> bf16, fp8, fp4;

    bool operator==(const SustainedEfficiency&) const = default;
};

/// One card, as its driver and its data sheet describe it.
struct Accelerator {
    std::string id;
    std::string name;
    std::string vendor;
    std::string architecture;
    Mebibytes memory; ///< total that the driver reports
    GigabytesPerSecond memory_bandwidth;
    PeakRates tflops;
    std::optional<GigabytesPerSecond> link; ///< per direction, between cards of one node; none: PCIe only
    std::optional<GigabytesPerSecond> pcie; ///< per direction
    SustainedEfficiency gemm_efficiency;
    std::optional<double> power_w;
    std::optional<double> price_per_hour_usd;
    std::string source;

    bool operator==(const Accelerator&) const = default;
};

} // namespace cardfit
