// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <QChar>
#include <QColor>
#include <QPalette>

#include "core/estimate/estimate.h"

/// Colours, patterns and letters of every chart. The fills are Okabe and Ito's, distinguishable with any colour vision;
/// a pattern or a letter repeats the information, so that nothing depends on colour alone.
namespace cardfit::ui {

/// Hatch lines over a fill.
enum class Pattern { Solid, Rising, Falling, Upright, Level };

struct SegmentStyle {
    QColor fill;
    Pattern pattern = Pattern::Solid;
    QChar letter;

    bool operator==(const SegmentStyle&) const = default;
};

struct Theme {
    bool dark = false;
    QColor background;
    QColor text;
    QColor muted_text; ///< of labels and explanations; in widgets QPalette::PlaceholderText
    QColor grid;
    QColor outline; ///< axes and the frames of bars and blocks
    QColor capacity;
    QColor over; ///< text and frames of what is over capacity
    QColor over_hatch; ///< hatch of what is over capacity, readable on every segment
    QColor selection;
    QColor cursor;
    QColor idle; ///< hatch of idle time
    QColor curve; ///< activations in flight
    QColor banner;
    QColor card; ///< background of the hover card
    QColor fits, tight, invalid; ///< backgrounds of the verdict's badge; the fourth is `over_badge`
    QColor over_badge;
    std::array<SegmentStyle, kSegmentCount> segments;
    std::array<SegmentStyle, kStepPartCount> step_parts; ///< by StepPart
    std::array<SegmentStyle, kDecodeParts.size()> decode_parts; ///< of a server's time per token
    std::array<QColor, kOperationKindCount> operations; ///< by OperationKind; Overlapped is drawn as F over B

    [[nodiscard]] const SegmentStyle& operator[](Segment segment) const
    {
        return segments[static_cast<std::size_t>(segment)];
    }
    [[nodiscard]] const SegmentStyle& operator[](StepPart part) const
    {
        return step_parts[static_cast<std::size_t>(part)];
    }
    /// Later chunks of a rank are lighter.
    [[nodiscard]] QColor operation(OperationKind kind, int chunk = 0, int chunks = 1) const;

    bool operator==(const Theme&) const = default;
};

[[nodiscard]] Theme lightTheme(); ///< also the theme of exported documents
[[nodiscard]] Theme darkTheme();

/// Dark if the palette's windows are darker than their text.
[[nodiscard]] Theme themeFor(const QPalette& palette);

/// The same theme with its fills greyed, for a picture that no longer matches the plan.
[[nodiscard]] Theme desaturated(const Theme& theme);

/// Palette of the whole application for the Fusion style.
[[nodiscard]] QPalette applicationPalette(bool dark);

/// WCAG 2 contrast ratio, 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

/// Black or white, whichever contrasts more with the fill.
[[nodiscard]] QColor inkOn(const QColor& fill);

/// The fraction `share` of b, the rest of a.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

} // namespace cardfit::ui
