// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/units.h"

namespace cardfit {

/// The parts of a memory bar, bottom to top.
enum class Segment { Weights, Gradients, Optimizer, Activations, Temporary, Communication, DeviceContext, Reserve };
inline constexpr std::size_t kSegmentCount = enumeratorCount<Segment>();
inline constexpr auto kSegmentNames = textFor<Segment>(
    {"weights", "gradients", "optimizer", "activations", "temporary", "communication", "device_context", "reserve"});

/// An amount of every segment.
using SegmentBytes = std::array<Bytes, kSegmentCount>;
[[nodiscard]] constexpr Bytes& amountOf(SegmentBytes& bytes, Segment segment)
{
    return bytes[static_cast<std::size_t>(segment)];
}
[[nodiscard]] constexpr Bytes total(const SegmentBytes& bytes)
{
    return std::accumulate(bytes.begin(), bytes.end(), Bytes(0));
}

/// By how much an uncertain figure may be lower or higher than stated: published spreads, not guesses.
struct Band {
    Bytes below;
    Bytes above;

    bool operator==(const Band&) const = default;
};

/// One addend of a segment, e.g. the logits inside `activations`: `count` equal tensors. Segments are the exact sums of
/// their terms.
struct Term {
    Segment segment = Segment::Weights;
    std::string_view id; ///< stable name, static text: "mlp.activation_output"
    std::string_view formula; ///< bytes of one of them, in the symbols of core/explain; static text
    std::int64_t count = 1;
    Bytes bytes; ///< of all of them
    Band band;

    bool operator==(const Term&) const = default;
};

/// Whether the size of a tensor or event follows the tokens that the router sends to this card's experts.
[[nodiscard]] constexpr bool followsRouting(std::string_view id) { return id.starts_with("experts."); }

/// A named amount of one card and micro-batch, before it is known how many of them are held at the peak.
struct NamedBytes {
    std::string_view id; ///< static text
    std::string_view formula; ///< of one tensor; static text
    std::int64_t count = 1;
    Bytes bytes; ///< of all of them
};

[[nodiscard]] inline Bytes sum(const std::vector<NamedBytes>& parts)
{
    Bytes total;
    for (const NamedBytes& part : parts)
        total += part.bytes;
    return total;
}

} // namespace cardfit
