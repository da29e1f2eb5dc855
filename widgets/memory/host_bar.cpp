// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/host_bar.h"

#include <algorithm>
#include <array>
#include <utility>

#include "widgets/chart/labels.h"

namespace cardfit::ui {

namespace {

/// The segment whose colour a part of a node's memory has: states look as they do on the card.
constexpr auto kColours = std::to_array<Segment>({Segment::Weights, Segment::Gradients, Segment::Optimizer,
    Segment::Activations, Segment::Temporary, Segment::Reserve});
static_assert(kColours.size() == kHostPartCount);

} // namespace

HostBar::HostBar(QCustomPlot* plot, const Theme& theme)
    : QCPLayoutElement(plot)
    , m_theme(theme)
{
    setMinimumMargins(QMargins());
}

void HostBar::setHost(std::optional<HostMemory> host, ByteUnit unit)
{
    m_host = std::move(host);
    m_unit = unit;
}

QString HostBar::text() const
{
    if (!m_host) return {};
    const QString held = bytesNumber(m_host->running(), m_unit);
    if (!m_host->capacity)
        return tr("Host memory, node %1: %2, of a node whose memory is not known")
            .arg(QString::number(m_host->node), bytesText(m_host->running(), m_unit, 1));
    return tr("Host memory, node %1: %2 of %3")
        .arg(QString::number(m_host->node), held, bytesText(*m_host->capacity, m_unit, 1));
}

void HostBar::draw(QCPPainter* painter)
{
    if (!m_host) return;
    constexpr int kSide = 8;
    constexpr int kBar = 10;
    const QRect row = rect().adjusted(kSide, 2, -kSide, -4);
    painter->setFont(mParentPlot->font());
    painter->setPen(lacks() ? m_theme.over : m_theme.text);
    const int line = painter->fontMetrics().height();
    painter->drawText(QRect(row.left(), row.top(), row.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
        painter->fontMetrics().elidedText(text(), Qt::ElideRight, row.width()));
    const QRect bar(row.left(), row.top() + line + 2, row.width(), kBar);
    const double most = std::max(static_cast<double>(m_host->running().value()),
        m_host->capacity ? static_cast<double>(m_host->capacity->value()) : 0.0);
    if (most <= 0.0) return;
    const auto x = [&](double bytes) { return bar.left() + static_cast<int>(bytes / most * bar.width()); };
    double below = 0.0;
    for (std::size_t i = 0; i < kHostPartCount; ++i) {
        const auto part = static_cast<HostPart>(i);
        if (part == HostPart::Loading) continue; // gone by then
        const double bytes = static_cast<double>(m_host->bytes[i].value());
        const QRect drawn(QPoint(x(below), bar.top()), QPoint(x(below + bytes) - 1, bar.bottom()));
        below += bytes;
        if (drawn.width() > 0) painter->fillRect(drawn, m_theme.segments[static_cast<std::size_t>(kColours[i])].fill);
    }
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(lacks() ? m_theme.over : m_theme.outline, 1.0));
    painter->drawRect(bar.adjusted(0, 0, -1, -1));
    if (!m_host->capacity) return;
    const int line_at = std::min(x(static_cast<double>(m_host->capacity->value())), bar.right());
    painter->setPen(QPen(m_theme.capacity, 2.0, Qt::DashLine, Qt::FlatCap));
    painter->drawLine(QLineF(line_at, bar.top() - 2, line_at, bar.bottom() + 2));
}

std::optional<HostMemory> shownHost(const Estimate& estimate)
{
    if (!estimate.complete() || estimate.hosts.empty()) return std::nullopt;
    const HostMemory& host = estimate.hosts[estimate.fullestHost()];
    if (!host.offloads()) return std::nullopt;
    return host;
}

} // namespace cardfit::ui
