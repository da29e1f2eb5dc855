// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

/// Plans embedded in pictures: an exported chart contains the plan that it shows, and can be opened as that plan. In a
/// PNG the plan is in an uncompressed iTXt chunk with the keyword kPicturePlanKey, before the pixels; in an SVG in a
/// <metadata> element with the id "cardfit-plan". Image viewers ignore both.
namespace cardfit {

inline constexpr std::string_view kPicturePlanKey = "cardfit/plan";

/// Larger pictures are not read; no exported picture is that large. Nor are longer plans, in a file or a picture.
inline constexpr std::size_t kMostPictureBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMostPlanBytes = std::size_t{4} << 20;

/// Whether the content begins like a PNG or an SVG, whatever the file's name.
[[nodiscard]] bool isPicture(std::string_view bytes);

/// The PNG with the plan's text embedded; replaces an existing one. A truncated PNG is returned unchanged.
[[nodiscard]] std::string pngWithPlan(std::string_view png, std::string_view plan_text);

/// The SVG with the plan's text embedded. An SVG without an <svg> element is returned unchanged.
[[nodiscard]] std::string svgWithPlan(std::string_view svg, std::string_view plan_text);

/// The text of the plan embedded in a picture. WrongFormat, with the reason, if there is none, if the picture is
/// damaged at that place (each chunk's checksum is compared), or if another program has compressed the plan.
[[nodiscard]] Result<std::string> planTextInPicture(std::string_view bytes);

} // namespace cardfit
