// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/bar_geometry.h"

#include <algorithm>
#include <cmath>

#include "widgets/chart/labels.h"

namespace cardfit::ui {

namespace {

double microBatchCell(const StageMemory& stage, ByteUnit unit)
{
    Bytes cell;
    for (const ChunkMemory& chunk : stage.passing.chunks)
        cell += chunk.holding.saved;
    if (cell > Bytes(0)) return inUnit(cell, unit);
    return stage.in_flight > 0.0 ? inUnit(stage[Segment::Activations], unit) / stage.in_flight : 0.0;
}

StageBar stageBar(const StageMemory& stage, ByteUnit unit, const SegmentBytes* instant)
{
    StageBar bar;
    for (std::size_t i = 0; i < kSegmentCount; ++i)
        bar.parts[i] = inUnit(instant != nullptr ? (*instant)[i] : stage.bytes[i], unit);
    bar.peak = inUnit(stage.device(), unit);
    bar.total = inUnit(instant != nullptr ? total(*instant) : stage.device(), unit);
    bar.capacity = inUnit(stage.capacity, unit);
    if (instant == nullptr) bar.refused = inUnit(stage.server_lacks, unit);
    bar.cell = microBatchCell(stage, unit);
    // The uncertainty band belongs to the peak; an earlier instant has none.
    const Band band = instant != nullptr ? Band{} : stage.band();
    bar.low = bar.total - inUnit(band.below, unit);
    bar.high = bar.total + inUnit(band.above, unit);
    bar.over = instant != nullptr ? bar.free() < 0.0 : !isFit(verdict(stage));
    return bar;
}

} // namespace

double StageBar::free() const
{
    const double left = capacity - total;
    return refused > 0.0 ? std::min(left, -refused) : left;
}

double StageBar::upper() const { return std::max({total, peak, high}); }

BarPicture reduceToBars(const Estimate& estimate, ByteUnit unit, const std::optional<InstantMemory>& instant)
{
    BarPicture picture;
    const bool is_of_these = instant && instant->size() == estimate.stages.size();
    picture.bars.reserve(estimate.stages.size());
    for (std::size_t i = 0; i < estimate.stages.size(); ++i) {
        picture.bars.push_back(stageBar(estimate.stages[i], unit, is_of_these ? &(*instant)[i] : nullptr));
    }
    if (picture.bars.empty()) return picture;

    picture.lowest_capacity = picture.highest_capacity = picture.bars.front().capacity;
    for (std::size_t i = 0; i < picture.bars.size(); ++i) {
        const auto& bar = picture.bars[i];
        if (bar.free() < picture.bars[picture.fullest].free()) picture.fullest = i;
        picture.highest = std::max({picture.highest, bar.upper(), bar.capacity});
        picture.lowest_capacity = std::min(picture.lowest_capacity, bar.capacity);
        picture.highest_capacity = std::max(picture.highest_capacity, bar.capacity);
    }
    return picture;
}

Bytes StageDifference::total() const { return grown() + shrunk(); }

Bytes StageDifference::grown() const
{
    Bytes sum;
    for (const Bytes part : parts)
        sum += std::max(part, Bytes(0));
    return sum;
}

Bytes StageDifference::shrunk() const
{
    Bytes sum;
    for (const Bytes part : parts)
        sum += std::min(part, Bytes(0));
    return sum;
}

DifferencePicture differencePicture(const Estimate& plan, const Estimate& pin)
{
    DifferencePicture picture;
    picture.stages.resize(std::max(plan.stages.size(), pin.stages.size()));
    for (std::size_t i = 0; i < picture.stages.size(); ++i) {
        StageDifference& stage = picture.stages[i];
        stage.in_plan = i < plan.stages.size();
        stage.in_pin = i < pin.stages.size();
        if (!stage.compared()) continue;
        for (std::size_t part = 0; part < kSegmentCount; ++part)
            stage.parts[part] = plan.stages[i].bytes[part] - pin.stages[i].bytes[part];
        picture.highest = std::max(picture.highest, stage.grown());
        picture.lowest = std::min(picture.lowest, stage.shrunk());
    }
    return picture;
}

double BarLayout::y(double value) const
{
    const double share = top > 0.0 ? value / top : 0.0;
    return std::round(area.bottom() - share * area.height());
}

QRectF BarLayout::slot(int stage) const
{
    const double left = std::round(area.left() + stage * pitch());
    const double right = std::round(area.left() + (stage + 1) * pitch());
    return {left, area.top(), std::max(1.0, right - left), area.height()};
}

QRectF BarLayout::column(int stage) const
{
    constexpr double kWidest = 120.0;
    const QRectF whole = slot(stage);
    double gap = pitch() >= 12.0 ? std::round(0.13 * pitch()) : pitch() >= 3.0 ? 0.5 : 0.0;
    gap = std::max(gap, std::round(0.5 * (whole.width() - kWidest)));
    // A gap of half a pixel on each side of a narrow bar becomes a whole pixel on the right.
    const double left = whole.left() + std::floor(gap);
    const double right = whole.right() - std::ceil(gap);
    return {left, area.top(), std::max(1.0, right - left), area.height()};
}

QRectF BarLayout::part(int stage, double bottom, double upper) const
{
    const QRectF whole = column(stage);
    const double high = y(upper);
    return {whole.left(), high, whole.width(), y(bottom) - high};
}

std::optional<int> BarLayout::stageAt(QPointF position) const
{
    if (stages <= 0 || !area.contains(position)) return std::nullopt;
    // Slots are rounded to pixels, so the rounded edges decide, not the exact position.
    int stage = std::clamp(static_cast<int>((position.x() - area.left()) / pitch()), 0, stages - 1);
    if (stage > 0 && position.x() < slot(stage).left()) --stage;
    if (stage + 1 < stages && position.x() >= slot(stage + 1).left()) ++stage;
    return stage;
}

std::optional<Segment> BarLayout::segmentAt(const StageBar& bar, QPointF position) const
{
    double sum = 0.0;
    for (std::size_t i = 0; i < kSegmentCount; ++i) {
        const double bottom = y(sum);
        sum += bar.parts[i];
        if (position.y() < bottom && position.y() >= y(sum)) return static_cast<Segment>(i);
    }
    return std::nullopt;
}

} // namespace cardfit::ui
