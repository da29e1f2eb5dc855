// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QStaticText>

#include <qcustomplot.h>

#include "widgets/theme.h"
#include "widgets/timeline_geometry.h"

namespace cardfit::ui {

class RectBatch;

/// All operations of a timeline as one plottable. Where they are wide enough each is a rectangle; where many share a
/// pixel, each pixel column shows how its time is divided. Keys are seconds, values rows.
class TimelineBlocks : public QCPAbstractPlottable {
    Q_OBJECT

public:
    TimelineBlocks(QCPAxis* key_axis, QCPAxis* value_axis);

    void setTimeline(std::shared_ptr<const Timeline> timeline);
    void setTheme(const Theme& theme) { m_theme = theme; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    /// Instants that are marked on their rows, one per rank: where memory peaks.
    void setMarks(std::vector<double> marks) { m_marks = std::move(marks); }
    void setHighlight(std::optional<int> row) { m_highlight = row; }
    /// Upper and Lower leave room for another timeline in the same rows; the lower one has no curves of its own.
    void setPart(RowPart part) { m_part = part; }

    [[nodiscard]] const Timeline* timeline() const { return m_timeline.get(); }
    [[nodiscard]] int chunks() const { return m_chunks; }
    [[nodiscard]] std::vector<OperationKind> kinds() const;
    [[nodiscard]] std::int32_t inFlightAt(int row, double instant) const;
    [[nodiscard]] TimeScale scale() const;
    [[nodiscard]] RowLayout rows() const;
    [[nodiscard]] QRectF blockRect(int row, const TimedOperation& operation) const;

    double selectTest(const QPointF& position, bool only_selectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override { }

private:
    /// How blocks are labelled.
    struct BlockText {
        QFont font;
        std::array<bool, kOperationKindCount> letters{}; ///< "F12" instead of "12"
        bool shown = false;
    };

    [[nodiscard]] const RankTimeline& operations(int row) const;
    [[nodiscard]] bool dense(const TimeScale& time) const;
    [[nodiscard]] QColor fillOf(const Operation& operation) const;
    void drawIdle(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const;
    [[nodiscard]] BlockText blockText(const TimeScale& time, const RowLayout& at) const;
    void drawBlocks(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row, const BlockText& text);
    void addBlock(RectBatch& batch, const QRect& rect, const Operation& operation) const;
    void drawNumber(QCPPainter& painter, const QRect& rect, const Operation& operation, const BlockText& look);
    [[nodiscard]] std::vector<ColumnShares> shares(int row, TimeRange range, int columns) const;
    void drawDense(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const;
    void addShares(RectBatch& batch, const TimeScale& time, const RowLayout& at, int row) const;
    void drawCurve(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row) const;
    void drawMarks(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const;
    void drawHighlight(QCPPainter& painter, const RowLayout& at) const;

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<InFlight> m_in_flight; ///< by rank
    std::vector<BusyTime> m_busy;
    std::vector<double> m_marks;
    std::optional<int> m_highlight;
    RowPart m_part = RowPart::Whole;
    std::int32_t m_highest_in_flight = 0;
    int m_chunks = 1;
    std::int32_t m_last_microbatch = 0;
    std::array<bool, kOperationKindCount> m_used{};
    std::array<double, kOperationKindCount> m_shortest{}; ///< of all operations of a kind, in seconds
    Theme m_theme = lightTheme();
    /// Laid-out block texts; a screenful repeats the same few hundred.
    std::map<QString, QStaticText> m_texts;
    QFont m_text_font;
};

} // namespace cardfit::ui
