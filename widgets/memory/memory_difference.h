// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/memory/pinned_estimate.h"

namespace cardfit::ui {

class DifferenceBars;
class StageTicker;

/// The memory bars as differences to a pinned plan: what each stage's segments gained and lost, around zero.
class MemoryDifference : public ChartWidget {
    Q_OBJECT

public:
    explicit MemoryDifference(QWidget* parent = nullptr);
    ~MemoryDifference() override;

    /// An incomplete estimate leaves the last picture, greyed, with the broken rules as the reason; none clears it.
    void setEstimate(std::shared_ptr<const Estimate> estimate);
    void setPin(std::optional<PinnedEstimate> pin);
    void setUnit(ByteUnit unit);
    /// While held, the value axis grows where it must and never shrinks; it settles when released.
    void setHeld(bool held);

    [[nodiscard]] bool isEmpty() const override { return !m_pin || !m_estimate; }
    [[nodiscard]] ChartTable table() const override;

signals:
    void stageClicked(int stage); ///< one that the plan has

protected:
    [[nodiscard]] QString ownTitle() const override;
    void applyTheme(const Theme& theme) override;
    void refreshTexts(QSize canvas) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void rebuild();
    void settleAxis(QSize canvas);
    void updateLegend(const Theme& theme);
    void updateAccessibleText();
    void hoverAt(QPointF position);
    void showCard(int stage, std::optional<Segment> segment, QPointF anchor);

    DifferenceBars* m_bars;
    QSharedPointer<StageTicker> m_ticker;
    std::shared_ptr<const Estimate> m_estimate;
    std::optional<PinnedEstimate> m_pin;
    ByteUnit m_unit = ByteUnit::GB;
    bool m_held = false;
    std::optional<int> m_current; ///< where the keyboard stands
};

} // namespace cardfit::ui
