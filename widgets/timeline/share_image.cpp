// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/share_image.h"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.h"

namespace cardfit::ui {

std::vector<ColumnShares> sharesOf(const RankTimeline& operations, TimeRange range, int columns)
{
    constexpr std::size_t kManyPerColumn = 32;
    constexpr std::size_t kManyRepeats = 4;
    const std::size_t visible = visibleOperations(operations, range).count();
    // Running sums are made of all stored operations: a visit to the visible ones costs less unless most are repeats.
    const bool by_sums = visible > kManyPerColumn * static_cast<std::size_t>(columns)
        && visible > kManyRepeats * operations.storedSize();
    return evened(
        by_sums ? columnShares(BusyTime(operations), range, columns) : columnShares(operations, range, columns),
        visible);
}

QImage ShareImage::draw() const
{
    constexpr auto kBackward = static_cast<std::size_t>(OperationKind::Backward);
    constexpr auto kOverlapped = static_cast<std::size_t>(OperationKind::Overlapped);
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = static_cast<std::ptrdiff_t>(image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb)));
    const auto line = [&](double y) {
        return std::clamp(static_cast<int>(std::lround((y - rows.top) * ratio)), 0, size.height());
    };
    const auto fill = [&](std::size_t rank) {
        const int bottom = line(rows.blockBottom(static_cast<int>(rank)));
        const int levels = bottom - line(rows.blockTop(static_cast<int>(rank)));
        for (const ShareRun& run : shareRuns(sharesOf(timeline->ranks[rank], range, size.width()), levels)) {
            QRgb* at_bottom = pixels + bottom * stride + run.first;
            const auto add = [&](std::size_t kind, int height) {
                for (int i = 0; i < height; ++i)
                    std::fill_n(at_bottom -= stride, run.count, fills[kind]);
            };
            for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
                const int lower = kind == kOverlapped ? run.heights[kind] / 2 : 0;
                add(kBackward, lower);
                add(kind, run.heights[kind] - lower);
            }
        }
    };
    // Rows lower than a pixel write to the same image lines, so not in parallel.
    const std::size_t cores = rows.pitch() >= 1.0 ? 0 : 1;
    forEachInParallel(static_cast<std::size_t>(rows.rows), cores, fill);
    return image;
}

} // namespace cardfit::ui
