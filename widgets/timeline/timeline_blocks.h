// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QFuture>
#include <QStaticText>

#include "widgets/chart/chart_parts.h"
#include "widgets/timeline/share_image.h"
#include "widgets/timeline/time_navigator.h"

namespace cardfit::ui {

class RectBatch;
struct LegendEntry;

/// All operations of a timeline as one plottable. Where they are wide enough each is a rectangle; where several share a
/// pixel, each pixel column shows how its time is divided. Keys are places of the time axis, values are rows.
class TimelineBlocks : public ChartPlottable {
    Q_OBJECT

public:
    TimelineBlocks(QCPAxis* time, QCPAxis* rows, const Theme& theme, const TimeAxis& time_axis);

    void setTimeline(std::shared_ptr<const Timeline> timeline);
    /// Instants to mark, one per rank: where memory peaks.
    void setMarks(std::vector<double> marks) { m_marks = std::move(marks); }
    void setHighlight(std::optional<int> row) { m_highlight = row; }
    /// With Upper and Lower, two timelines share each row; the lower one has no curves.
    void setPart(RowPart part) { m_part = part; }

    /// Starts to draw in another thread what the next replot will probably show; other charts are drawn meanwhile.
    void drawAhead();

    [[nodiscard]] const Timeline* timeline() const { return m_timeline.get(); }
    [[nodiscard]] int chunks() const { return m_contents.chunks; }
    [[nodiscard]] std::vector<OperationKind> kinds() const;
    [[nodiscard]] std::int32_t inFlightAt(int row, double instant);
    [[nodiscard]] TimeScale scale() const { return timeScaleOf(*mKeyAxis, m_time_axis); }
    [[nodiscard]] RowLayout rows() const;
    [[nodiscard]] QRectF blockRect(int row, const TimedOperation& operation) const;

    /// Legend entries of these kinds of operations and, if there are any, of idle time.
    [[nodiscard]] static QList<LegendEntry> legendOf(const std::vector<OperationKind>& kinds, const Theme& theme);

    /// Draws only what every rank runs of one micro-batch; for a layer above that of draw().
    void drawFollowed(QCPPainter& painter, const Followed& followed);

protected:
    [[nodiscard]] bool isEmpty() const override { return !m_timeline || m_timeline->ranks.empty(); }
    void paint(QCPPainter& painter) override;

private:
    /// How blocks are labelled.
    struct BlockText {
        QFont font;
        std::array<bool, kOperationKindCount> letters{}; ///< "F12" instead of "12"
        double narrowest = 0.0; ///< least width of a block with a number, in pixels
        bool whole = false; ///< whether blocks are high enough for a number; the same on all rows
        bool halves = false; ///< whether halves of overlapped blocks are high enough
    };

    /// Derived data of a row, computed on first use.
    struct Row {
        TimelineContents contents;
        std::optional<InFlight> in_flight;
    };
    /// One number in a block, or in a half of an overlapped one.
    struct Number {
        QRect rect;
        OperationKind kind = OperationKind::Forward;
        Pass pass;
    };

    [[nodiscard]] const RankTimeline& operations(int row) const;
    [[nodiscard]] const InFlight& inFlight(int row);
    [[nodiscard]] std::int32_t highestInFlight();
    [[nodiscard]] bool dense(const std::vector<TimeScale>& parts) const;
    [[nodiscard]] bool numbered(int row, OperationKind kind, const TimeScale& time, const BlockText& text) const;
    [[nodiscard]] QColor fillOf(OperationKind kind, const Pass& pass) const;
    void drawIdle(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const;
    [[nodiscard]] BlockText blockText(const TimeScale& time, const RowLayout& at) const;
    void drawBlocks(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row, const BlockText& text);
    void addBlock(RectBatch& batch, const QRect& rect, const Operation& operation) const;
    void addNumbers(QCPPainter& painter, const QRect& rect, const Operation& operation, const BlockText& look);
    void drawNumber(QCPPainter& painter, const Number& number, const BlockText& look);
    [[nodiscard]] ShareImage shareImage(const TimeScale& time, const RowLayout& at, double ratio) const;
    void drawDense(QCPPainter& painter, const TimeScale& time, const RowLayout& at);
    void addShares(RectBatch& batch, const TimeScale& time, const RowLayout& at, int row);
    void drawCurve(QCPPainter& painter, const TimeScale& time, const RowLayout& at, int row);
    void drawMarks(QCPPainter& painter, const TimeScale& time, const RowLayout& at) const;
    void drawHighlight(QCPPainter& painter, const RowLayout& at) const;

    const TimeAxis& m_time_axis;
    std::shared_ptr<const Timeline> m_timeline;
    std::vector<Row> m_rows; ///< by rank
    std::optional<std::int32_t> m_highest_in_flight;
    std::vector<double> m_marks;
    std::optional<int> m_highlight;
    RowPart m_part = RowPart::Whole;
    TimelineContents m_contents;
    using Ahead = std::pair<ShareImage, QFuture<QImage>>;
    std::vector<Ahead> m_ahead; ///< images that are drawn, or being drawn, for the next replot
    /// Laid-out texts of blocks; one screen repeats the same few hundred.
    std::map<QString, QStaticText> m_texts;
    QFont m_text_font;
};

} // namespace cardfit::ui
