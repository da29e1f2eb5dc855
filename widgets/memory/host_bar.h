// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <qcustomplot.h>

#include "core/estimate/estimate.h"
#include "core/report/reports.h"
#include "widgets/chart/theme.h"

namespace cardfit::ui {

/// Bottom row of the memory chart: what the fullest node holds in its main memory, as one horizontal bar against what
/// the node has. No row where nothing is offloaded.
class HostBar : public QCPLayoutElement {
    Q_OBJECT

public:
    HostBar(QCustomPlot* plot, const Theme& theme);

    void setHost(std::optional<HostMemory> host, ByteUnit unit);
    /// "Host memory, node 0: 606 of 2,000 GB"; empty without a row.
    [[nodiscard]] QString text() const;
    /// Whether the node is known to lack memory.
    [[nodiscard]] bool lacks() const { return m_host && m_host->missing() > Bytes(0); }

    QSize minimumOuterSizeHint() const override { return {0, m_host ? kHeight : 0}; }
    QSize maximumOuterSizeHint() const override { return {QWIDGETSIZE_MAX, m_host ? kHeight : 0}; }

protected:
    void draw(QCPPainter* painter) override;

private:
    static constexpr int kHeight = 40;

    const Theme& m_theme;
    std::optional<HostMemory> m_host;
    ByteUnit m_unit = ByteUnit::GB;
};

/// The node to show: the fullest, if anything is offloaded.
[[nodiscard]] std::optional<HostMemory> shownHost(const Estimate& estimate);

} // namespace cardfit::ui
