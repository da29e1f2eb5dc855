// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/accuracy/measured_runs.h"
#include "core/base/enum_names.h"
#include "core/search/space.h"

/// How far a found plan lies from what was measured.
namespace cardfit {

/// What measured runs differ in. Numbers first: up to Data, two runs are |log2(a / b)| steps apart, so that a doubling
/// is one step. Then words: one step if they differ.
enum class EvidenceAxis : std::uint8_t {
    ModelSize, ///< parameters
    SequenceLength, ///< tokens of a sequence on one card: sequence length / context
    MicroBatch,
    Tensor,
    Pipeline,
    VirtualPipeline,
    Context,
    Expert,
    Data,
    Layers, ///< dense, or mixture of experts
    Precision,
    Framework,
    Card, ///< generation
    Recompute,
    Sharding,
    Schedule,
};
inline constexpr std::size_t kEvidenceAxisCount = enumeratorCount<EvidenceAxis>();

[[nodiscard]] std::string_view evidenceAxisName(EvidenceAxis axis); ///< "model_size", "tensor"

/// The steps on one axis between a plan and a measured run.
struct AxisSteps {
    EvidenceAxis axis = EvidenceAxis::ModelSize;
    double steps = 0.0;
};

struct NearRun {
    const MeasuredTime* run = nullptr;
    double distance = 0.0; ///< sum of the steps of all axes
    std::vector<AxisSteps> axes; ///< that differ, most steps first
    std::optional<double> error; ///< of its prediction: see TimeComparison::error()
};

struct Evidence {
    std::vector<NearRun> nearest; ///< up to three, nearest first
    /// Whether the nearest run with the plan's framework and card generation is at most kMeasuredDistance away, and
    /// every field that the search varied has also varied in measured runs of the framework, or has their only value.
    bool measured = false;
    std::vector<std::string> unvaried; ///< JSON pointers of fields for which the latter does not hold
};

/// Up to this distance a plan counts as measured: four doublings or other words, spread over all axes. Of the 601 runs
/// of tests/validation/time.json (November 2026), each left out in turn, the error of the nearest other run with the
/// same framework and card generation is within 9 % of a run's own in eight of ten cases up to 3 steps (583 runs),
/// within 12 % from 3 to 5 (11 runs), and within 21 to 32 % beyond (6 runs). Where the whole of a run's source is left
/// out (435 runs), its error does not grow with the distance: eight of ten are within 8 to 16 % at every distance from
/// 1 to 12. So the distance says how far a plan is from what was measured, and the error band how wrong it may be.
inline constexpr double kMeasuredDistance = 4.0;

/// The measured runs, ready to be compared with.
class MeasuredGround {
public:
    explicit MeasuredGround(std::vector<MeasuredTime> runs);

    /// `space`: what the search varied. Nothing for served plans and adapters, of which no run was measured.
    [[nodiscard]] Evidence of(const Plan& plan, const SearchSpace& space) const;
    [[nodiscard]] std::size_t size() const { return m_runs.size(); }

private:
    /// Numbers as their log2, words as numbers.
    using Coordinates = std::array<double, kEvidenceAxisCount>;
    [[nodiscard]] static Coordinates coordinatesOf(const Plan& plan);
    [[nodiscard]] bool hasVaried(const SearchAxis& axis, const Plan& plan) const;

    std::vector<MeasuredTime> m_runs;
    std::vector<Coordinates> m_coordinates;
};

} // namespace cardfit
