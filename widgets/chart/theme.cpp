// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/theme.h"

#include <algorithm>
#include <cmath>

namespace cardfit::ui {

namespace {

// Okabe and Ito, "Color Universal Design" (2002).
constexpr QRgb kBlue = 0xff0072b2;
constexpr QRgb kSkyBlue = 0xff56b4e9;
constexpr QRgb kGreen = 0xff009e73;
constexpr QRgb kOrange = 0xffe69f00;
constexpr QRgb kVermilion = 0xffd55e00;
constexpr QRgb kPurple = 0xffcc79a7;
constexpr QRgb kGrey = 0xff999999;
// Added to the two main colours of a pipeline: Paul Tol's muted teal, an olive that stays distinct from the other three
// with any colour vision, and a violet.
constexpr QRgb kTeal = 0xff44aa99;
constexpr QRgb kOlive = 0xff809058;
constexpr QRgb kViolet = 0xffab88d2;

std::array<SegmentStyle, kSegmentCount> segmentStyles(QRgb reserve)
{
    return {SegmentStyle{QColor(kBlue), Pattern::Solid, u'W'}, SegmentStyle{QColor(kSkyBlue), Pattern::Solid, u'G'},
        SegmentStyle{QColor(kGreen), Pattern::Solid, u'O'}, SegmentStyle{QColor(kOrange), Pattern::Solid, u'A'},
        SegmentStyle{QColor(kVermilion), Pattern::Upright, u'T'}, SegmentStyle{QColor(kPurple), Pattern::Level, u'C'},
        SegmentStyle{QColor(kGrey), Pattern::Rising, u'D'}, SegmentStyle{QColor(reserve), Pattern::Falling, u'R'}};
}

/// Work is solid, communication is hatched, waiting has the idle colour.
std::array<SegmentStyle, kStepPartCount> stepPartStyles(const QColor& idle)
{
    return {SegmentStyle{QColor(kBlue), Pattern::Solid, u'C'}, SegmentStyle{QColor(kOrange), Pattern::Falling, u'T'},
        SegmentStyle{QColor(kSkyBlue), Pattern::Level, u'X'}, SegmentStyle{QColor(kPurple), Pattern::Upright, u'E'},
        SegmentStyle{QColor(kTeal), Pattern::Falling, u'P'}, SegmentStyle{idle, Pattern::Rising, u'I'},
        SegmentStyle{QColor(kVermilion), Pattern::Level, u'D'}, SegmentStyle{QColor(kGreen), Pattern::Solid, u'O'}};
}

/// As memory and steps have them: weights and cache as in memory, experts and waiting as in a step.
std::array<SegmentStyle, kDecodeParts.size()> decodePartStyles(const QColor& idle)
{
    return {SegmentStyle{QColor(kBlue), Pattern::Solid, u'W'}, SegmentStyle{QColor(kPurple), Pattern::Upright, u'E'},
        SegmentStyle{QColor(kOrange), Pattern::Solid, u'K'}, SegmentStyle{QColor(kSkyBlue), Pattern::Solid, u'C'},
        SegmentStyle{QColor(kVermilion), Pattern::Level, u'A'}, SegmentStyle{QColor(kGreen), Pattern::Solid, u'L'},
        SegmentStyle{QColor(kTeal), Pattern::Falling, u'P'}, SegmentStyle{idle, Pattern::Rising, u'I'}};
}

std::array<QColor, kOperationKindCount> operationColours()
{
    return {QColor(kBlue), QColor(kOrange), QColor(kTeal), QColor(kOlive), QColor(kBlue), QColor(kViolet)};
}

struct NamedColour {
    QColor Theme::*name;
    QRgb light, dark;
};
constexpr NamedColour kColours[]{
    {&Theme::background, 0xffffff, 0x1c1f24},
    {&Theme::text, 0x1b1f24, 0xe8eaed},
    {&Theme::muted_text, 0x57606a, 0xa9b1ba},
    {&Theme::grid, 0xe4e7eb, 0x32373e},
    {&Theme::outline, 0x6b737c, 0x8b949e},
    {&Theme::capacity, 0x1b1f24, 0xf4f6f8},
    {&Theme::over, 0xb3121d, 0xff8a84},
    {&Theme::over_hatch, 0x5a0008, 0x4a0007},
    {&Theme::selection, 0x0a58ca, 0x7cb7ff},
    {&Theme::cursor, 0xb3121d, 0xff8a84},
    {&Theme::idle, 0xdde1e6, 0x353b43},
    {&Theme::curve, 0x3d454d, 0xc4cad1},
    {&Theme::banner, 0xfff1c9, 0x4a3d12},
    {&Theme::card, 0xfafbfc, 0x2a2f36},
    {&Theme::fits, 0x1a7f4b, 0x3fb871},
    {&Theme::tight, 0xf2b134, 0xf2b134},
    {&Theme::over_badge, 0xb3121d, 0xff8a84},
    {&Theme::invalid, 0x57606a, 0xa9b1ba},
};

Theme makeTheme(bool dark)
{
    Theme theme;
    theme.dark = dark;
    for (const auto& [name, light_value, dark_value] : kColours)
        theme.*name = QColor::fromRgb(dark ? dark_value : light_value);
    theme.segments = segmentStyles(dark ? 0xffc4c4c4 : 0xffd0d0d0);
    theme.step_parts = stepPartStyles(theme.idle);
    theme.decode_parts = decodePartStyles(theme.idle);
    theme.operations = operationColours();
    return theme;
}

/// Linear luminance of each of the 256 values of a channel.
const std::array<double, 256>& channelLuminances()
{
    static const auto table = [] {
        std::array<double, 256> values{};
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double channel = static_cast<double>(i) / 255.0;
            values[i] = channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        }
        return values;
    }();
    return table;
}

double luminance(const QColor& colour)
{
    const auto& channel = channelLuminances();
    return 0.2126 * channel[static_cast<std::size_t>(colour.red())]
        + 0.7152 * channel[static_cast<std::size_t>(colour.green())]
        + 0.0722 * channel[static_cast<std::size_t>(colour.blue())];
}

} // namespace

QColor Theme::operation(OperationKind kind, int chunk, int chunks) const
{
    const QColor base = operations[static_cast<std::size_t>(kind)];
    if (chunks <= 1) return base;
    constexpr double kLightest = 0.6;
    return mixed(base, Qt::white, kLightest * std::clamp(chunk, 0, chunks - 1) / (chunks - 1));
}

Theme lightTheme() { return makeTheme(false); }

Theme darkTheme() { return makeTheme(true); }

Theme themeFor(const QPalette& palette)
{
    const bool dark = palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
    return dark ? darkTheme() : lightTheme();
}

Theme desaturated(const Theme& theme)
{
    const auto grey = [&](const QColor& colour) {
        const QColor flat = QColor::fromRgb(qGray(colour.rgb()), qGray(colour.rgb()), qGray(colour.rgb()));
        return mixed(mixed(colour, flat, 0.85), theme.background, 0.35);
    };
    Theme result = theme;
    for (auto& segment : result.segments)
        segment.fill = grey(segment.fill);
    for (auto& part : result.step_parts)
        part.fill = grey(part.fill);
    for (auto& part : result.decode_parts)
        part.fill = grey(part.fill);
    for (auto& operation : result.operations)
        operation = grey(operation);
    result.over_hatch = mixed(theme.over_hatch, theme.background, 0.3);
    return result;
}

QPalette applicationPalette(bool dark)
{
    const QColor window(dark ? 0x24282e : 0xf4f5f7);
    const QColor base(dark ? 0x1c1f24 : 0xffffff);
    const QColor button(dark ? 0x30353c : 0xeceef1);
    const QColor text(dark ? 0xe8eaed : 0x1b1f24);
    const QColor faint(dark ? 0x7d858e : 0x8b939b);
    const QColor highlight(dark ? 0x2f74c0 : 0x0a58ca);

    QPalette palette(button, window);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, mixed(base, window, 0.6));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::Button, button);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::ToolTipBase, dark ? QColor(0x2a2f36) : QColor(0xfafbfc));
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::PlaceholderText, makeTheme(dark).muted_text);
    palette.setColor(QPalette::Highlight, highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, dark ? QColor(0x7cb7ff) : highlight);
    palette.setColor(QPalette::LinkVisited, dark ? QColor(0xc9a6ff) : QColor(0x6f42c1));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        palette.setColor(QPalette::Disabled, role, faint);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, mixed(highlight, window, 0.7));
    return palette;
}

double contrast(const QColor& a, const QColor& b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

QColor inkOn(const QColor& fill)
{
    const QColor black(0x10, 0x13, 0x16);
    const QColor white(Qt::white);
    return contrast(fill, black) >= contrast(fill, white) ? black : white;
}

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto part = static_cast<float>(share);
    return QColor::fromRgbF(a.redF() + (b.redF() - a.redF()) * part, a.greenF() + (b.greenF() - a.greenF()) * part,
        a.blueF() + (b.blueF() - a.blueF()) * part);
}

} // namespace cardfit::ui
