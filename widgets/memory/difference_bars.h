// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <utility>

#include <qcustomplot.h>

#include "core/io/report/reports.h"
#include "widgets/chart/theme.h"
#include "widgets/memory/bar_geometry.h"
#include "widgets/memory/difference_picture.h"

namespace cardfit::ui {

/// What each stage's segments gained and lost: gains are stacked upwards from zero, losses downwards. Keys are stages,
/// values GB or GiB.
class DifferenceBars : public QCPAbstractPlottable {
    Q_OBJECT

public:
    DifferenceBars(QCPAxis* key_axis, QCPAxis* value_axis);

    void setPicture(DifferencePicture picture) { m_picture = std::move(picture); }
    [[nodiscard]] const DifferencePicture& picture() const { return m_picture; }
    void setUnit(ByteUnit unit) { m_unit = unit; }
    void setPinLetter(QChar letter) { m_letter = letter; }
    void setTheme(const Theme& theme) { m_theme = theme; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }

    /// The stage's share of the width; none outside the plot.
    [[nodiscard]] std::optional<int> stageAt(QPointF position) const;
    [[nodiscard]] std::optional<Segment> segmentAt(int stage, QPointF position) const;
    /// Where a segment's difference is drawn, on whole pixels; without height if there is none.
    [[nodiscard]] QRectF rect(int stage, Segment segment) const;

    double selectTest(const QPointF& position, bool only_selectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override { }

private:
    [[nodiscard]] QRectF column(int stage) const;
    [[nodiscard]] double inUnit(Bytes bytes) const;
    [[nodiscard]] double y(Bytes bytes) const;
    void drawStage(QCPPainter& painter, int stage) const;
    void drawTotal(QCPPainter& painter, int stage) const;
    void drawMissing(QCPPainter& painter, int stage) const;

    DifferencePicture m_picture;
    ByteUnit m_unit = ByteUnit::GB;
    QChar m_letter;
    Theme m_theme = lightTheme();
};

} // namespace cardfit::ui
