// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "core/estimate.h"
#include "core/io/report/reports.h"
#include "widgets/chart/chart_widget.h"
#include "widgets/memory/pinned_estimate.h"
#include "widgets/step/waterfall.h"

namespace cardfit::ui {

class StageTicker;
class TimeTicker;
class WaterfallColumns;

/// What leads from a pinned plan to the plan: the fullest card's memory by segment, or a step's time by part.
class WaterfallChart : public ChartWidget {
    Q_OBJECT

public:
    explicit WaterfallChart(Waterfall::Of of, QWidget* parent = nullptr);
    ~WaterfallChart() override;

    /// Either may be absent or incomplete: then there is no picture, and the header says so.
    void setCompared(std::optional<PinnedEstimate> pin, std::shared_ptr<const Estimate> plan);
    void setUnit(ByteUnit unit);

    [[nodiscard]] bool isEmpty() const override { return !m_pin || !m_plan; }
    [[nodiscard]] const Waterfall& waterfall() const;
    [[nodiscard]] ChartTable table() const override;

    [[nodiscard]] QSize sizeHint() const override { return {720, 180}; }

protected:
    [[nodiscard]] QString ownTitle() const override;
    void applyTheme(const Theme& theme) override;
    void refreshTexts(QSize canvas) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void rebuild();
    void updateAccessibleText();
    [[nodiscard]] QString columnName(int column) const;
    [[nodiscard]] QString partName(std::size_t part) const;
    [[nodiscard]] QString tickLabel(int column, double pitch) const;
    void hoverAt(QPointF position);
    void showCard(int column, QPointF anchor);

    const Waterfall::Of m_of;
    WaterfallColumns* m_columns;
    QSharedPointer<StageTicker> m_ticker;
    QSharedPointer<TimeTicker> m_time_ticker; ///< of seconds
    std::optional<PinnedEstimate> m_pin;
    std::shared_ptr<const Estimate> m_plan;
    ByteUnit m_unit = ByteUnit::GB;
    std::optional<int> m_current; ///< where the keyboard stands
};

} // namespace cardfit::ui
