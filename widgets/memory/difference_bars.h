// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include "core/report/reports.h"
#include "widgets/chart/chart_parts.h"
#include "widgets/memory/bar_geometry.h"

namespace cardfit::ui {

/// What each stage's segments gained and lost: gains are stacked upwards from zero, losses downwards. Keys are stages,
/// values are GB or GiB.
class DifferenceBars : public ChartPlottable {
    Q_OBJECT

public:
    using ChartPlottable::ChartPlottable;

    void setPicture(DifferencePicture picture) { m_picture = std::move(picture); }
    [[nodiscard]] const DifferencePicture& picture() const { return m_picture; }
    void setUnit(ByteUnit unit) { m_unit = unit; }
    void setPinLetter(QChar letter) { m_letter = letter; }

    /// The same geometry as the memory bars', so that a bar does not move sideways when the chart changes.
    [[nodiscard]] BarLayout layout() const;
    [[nodiscard]] std::optional<Segment> segmentAt(int stage, QPointF position) const;
    /// Where a segment's difference is drawn, on whole pixels; height 0 if there is no difference.
    [[nodiscard]] QRectF rect(int stage, Segment segment) const;

protected:
    [[nodiscard]] bool isEmpty() const override { return m_picture.stages.empty(); }
    void paint(QCPPainter& painter) override;

private:
    [[nodiscard]] double y(Bytes bytes) const;
    void drawStage(QCPPainter& painter, int stage) const;
    void drawTotal(QCPPainter& painter, int stage) const;
    void drawMissing(QCPPainter& painter, int stage) const;

    DifferencePicture m_picture;
    ByteUnit m_unit = ByteUnit::GB;
    QChar m_letter;
};

} // namespace cardfit::ui
