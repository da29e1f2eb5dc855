// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

/// Plans inside pictures: an exported chart carries the plan that it shows, and opens as that plan. In a PNG it stands
/// in an uncompressed iTXt chunk of the keyword kPicturePlanKey, ahead of the pixels; in an SVG in a <metadata> element
/// of the id "cardfit-plan". Programs that show pictures ignore both.
namespace cardfit {

inline constexpr std::string_view kPicturePlanKey = "cardfit/plan";

/// No exported picture is larger; a larger one is not read.
inline constexpr std::size_t kMostPictureBytes = std::size_t{64} << 20;

/// Whether the file begins as a PNG or an SVG does, whatever it is called.
[[nodiscard]] bool isPicture(std::string_view bytes);

/// The PNG with the plan's text in it, instead of one that it had. A PNG that is cut short comes back as it was.
[[nodiscard]] std::string pngWithPlan(std::string_view png, std::string_view plan_text);

/// The SVG with the plan's text in it. One without an <svg> element comes back as it was.
[[nodiscard]] std::string svgWithPlan(std::string_view svg, std::string_view plan_text);

/// The text of the plan that a picture carries. WrongFormat, with the reason, for a picture that carries none, that is
/// damaged where it stands (each chunk's checksum is compared), or whose plan another program has compressed.
[[nodiscard]] Result<std::string> planTextInPicture(std::string_view bytes);

} // namespace cardfit
