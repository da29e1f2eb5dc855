// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/memory/pinned_estimate.h"
#include "widgets/text/utilization_text.h"

namespace cardfit::ui {

class StepBlocks;
class TimeTicker;

/// What the time of one step goes to: one stacked bar over its seconds.
class StepBar : public ChartWidget {
    Q_OBJECT

public:
    explicit StepBar(QWidget* parent = nullptr);
    ~StepBar() override;

    /// An incomplete estimate leaves the last picture, greyed, with the broken rules as the reason; none clears it.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    void setUtilization(const UtilizationChoice& choice);
    /// Pinned plans: their steps are outlined over the bar.
    void setPins(std::vector<PinnedEstimate> pins);
    /// Where the part is drawn, in pixels of the plot; empty if it takes no time.
    [[nodiscard]] QRectF rect(StepPart part) const;

    [[nodiscard]] bool isEmpty() const override { return !m_estimate; }
    [[nodiscard]] ChartTable table() const override;
    [[nodiscard]] QSize sizeHint() const override { return {720, 112}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 104}; }

signals:
    void partClicked(cardfit::StepPart part);

protected:
    [[nodiscard]] QString ownTitle() const override;
    void applyTheme(const Theme& theme) override;
    void refreshTexts(QSize canvas) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void settleAxis();
    void updateLegend(const Theme& theme);
    void updateAccessibleText();
    void hoverAt(QPointF position);
    void showCard(StepPart part, QPointF anchor);
    [[nodiscard]] bool takesTime(StepPart part) const;
    /// The next part that takes time, from one in the direction of `by`; the same if there is none.
    [[nodiscard]] StepPart next(std::optional<StepPart> from, int by) const;

    StepBlocks* m_blocks;
    QSharedPointer<TimeTicker> m_ticker;
    std::shared_ptr<const Estimate> m_estimate;
    UtilizationChoice m_utilization;
    std::optional<StepPart> m_current; ///< where the keyboard stands
};

} // namespace cardfit::ui
