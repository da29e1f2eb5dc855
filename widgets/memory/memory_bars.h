// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/memory/pinned_estimate.h"

class QMouseEvent;

namespace cardfit::ui {

class StageBars;
class StageTicker;
struct HoverText;

/// Memory per card: one stacked bar per pipeline stage, against the capacity.
class MemoryBars : public ChartWidget {
    Q_OBJECT

public:
    explicit MemoryBars(QWidget* parent = nullptr);
    ~MemoryBars() override;

    /// An incomplete estimate leaves the last picture, greyed, with the broken rules as the reason; none clears it.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    void setUnit(ByteUnit unit);
    /// While held, the value axis grows where it must and never shrinks; it settles when released.
    void setHeld(bool held);
    /// Shows what each card holds at one instant, by its live activations, instead of its peak; none: the peak.
    /// Ignored unless there is one entry per stage.
    void setInstant(std::optional<std::vector<Bytes>> live_activations);
    void setHighlight(std::optional<int> stage);
    /// Pinned plans, outlined over the bars of the same stages.
    void setPins(std::vector<PinnedEstimate> pins);

    [[nodiscard]] std::optional<int> highlight() const;
    /// Upper end of the value axis, in the chosen unit.
    [[nodiscard]] double axisTop() const;
    [[nodiscard]] bool isEmpty() const override { return !m_estimate; }
    [[nodiscard]] ChartTable table() const override;

signals:
    void stageHovered(int stage); ///< -1: none any more
    void stageClicked(int stage);
    void segmentClicked(int stage, cardfit::Segment segment);

protected:
    [[nodiscard]] QString ownTitle() const override;
    void applyTheme(const Theme& theme) override;
    void refreshTexts(QSize canvas) override;
    void pointerLeft() override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void rebuild();
    void rebuildGhosts();
    [[nodiscard]] QString missingStagesText() const;
    void addPinRows(HoverText& text, int stage, std::optional<Segment> segment) const;
    void settleAxis(QSize canvas);
    /// About how wide the plot area of a picture of this size is; the layout itself comes too late for ticks.
    [[nodiscard]] double plotWidth(QSize canvas) const;
    void setUpAxes();
    void updateLegend(const Theme& theme);
    void updateAccessibleText();
    void hoverAt(QPointF position);
    void click(QPointF position);
    void setHoveredStage(int stage);
    [[nodiscard]] bool moveCurrent(int key);
    void showCurrent();
    void showCard(int stage, std::optional<Segment> segment, QPointF anchor);
    [[nodiscard]] QString stageTickLabel(int stage, double pitch) const;
    [[nodiscard]] double tickLabelRoom() const;

    StageBars* m_bars;
    QSharedPointer<StageTicker> m_ticker;
    std::shared_ptr<const Estimate> m_estimate;
    std::optional<std::vector<Bytes>> m_live;
    std::vector<PinnedEstimate> m_pins;
    ByteUnit m_unit = ByteUnit::GB;
    bool m_held = false;
    int m_hovered = -1;
    std::optional<int> m_current; ///< where the keyboard stands
    std::optional<Segment> m_current_segment;
    QPoint m_pressed;
};

} // namespace cardfit::ui
