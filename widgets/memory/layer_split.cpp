// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/memory/layer_split.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "core/layers/layer_split.h"
#include "core/report/reports.h"
#include "widgets/chart/painting.h"
#include "widgets/chart/theme.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr double kMargin = 6.0;
constexpr double kGap = 5.0; ///< between two stages; the handle is drawn in it
constexpr double kBlockHeight = 20.0;
constexpr double kStripHeight = 6.0;
constexpr double kRowGap = 6.0;
constexpr double kReach = 5.0; ///< pixels beside a handle that still grab it
constexpr double kHairline = 4.0; ///< blocks at least this wide are separated by lines
constexpr double kLetterWidth = 7.5; ///< blocks at least this wide have letters

QString countText(std::int64_t layers)
{
    return layers == 1 ? sharedText("1 layer") : LayerSplit::tr("%1 layers").arg(layers);
}

/// The letters of hybrid_layer_pattern (core/model/architecture.h). A layer with a token mixer followed by an MLP or
/// experts has the mixer's letter. S and H stand for compressed attention, sparse and heavily compressed.
QString letterOf(LayerKind kind)
{
    switch (kind.mixer) {
    case TokenMixer::None: return kind.experts() ? QStringLiteral("E") : QStringLiteral("-");
    case TokenMixer::Attention: return QStringLiteral("*");
    case TokenMixer::WindowedAttention: return QStringLiteral("W");
    case TokenMixer::GatedDeltaNet:
    case TokenMixer::KimiDelta: return QStringLiteral("G");
    case TokenMixer::Mamba: return QStringLiteral("M");
    case TokenMixer::CompressedSparse: return QStringLiteral("S");
    case TokenMixer::HeavilyCompressed: return QStringLiteral("H");
    case TokenMixer::ShortConvolution: break;
    }
    return QStringLiteral("C");
}

} // namespace

LayerSplit::LayerSplit(QWidget* parent)
    : KeyedEditor(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    updateAccessibleText();
}

void LayerSplit::setPlan(const Plan& plan, const Estimate* estimate)
{
    const auto split = layerSplit(plan);
    m_known = split.has_value();
    if (split) {
        const std::size_t old_rows = rows();
        if (split->size() != m_layers.size()) m_drag.reset();
        m_layers = *split;
        m_places = layerSplitPlaces(plan);
        m_kinds.clear();
        for (std::int64_t layer = 0; layer < plan.model.architecture.num_hidden_layers; ++layer)
            m_kinds.push_back(layerKind(plan.model.architecture, layer));
        m_predictions = plan.model.architecture.mtp_layers;
        m_boundary = m_layers.size() < 2 ? 0 : std::min(m_boundary, m_layers.size() - 2);
        if (rows() != old_rows) updateGeometry();
    }
    m_verdicts.clear();
    m_fullest.reset();
    if (estimate != nullptr && estimate->complete()) {
        for (const StageMemory& stage : estimate->stages)
            m_verdicts.push_back(stopVerdict(verdict(stage)));
        m_fullest = estimate->worstStage();
    }
    updateAccessibleText();
    update();
}

std::optional<std::size_t> LayerSplit::currentBoundary() const
{
    if (!m_known || m_layers.size() < 2) return std::nullopt;
    return m_boundary;
}

void LayerSplit::setCurrentBoundary(std::size_t boundary)
{
    if (m_layers.size() < 2) return;
    m_boundary = std::min(boundary, m_layers.size() - 2);
    updateAccessibleText();
    update();
}

bool LayerSplit::hasExperts(std::int64_t layer) const
{
    const auto index = static_cast<std::size_t>(layer);
    return index < m_kinds.size() && m_kinds[index].experts();
}

QString LayerSplit::layerLetter(std::int64_t layer) const
{
    const auto index = static_cast<std::size_t>(layer);
    const auto other = [&](LayerKind kind) { return kind.mixer != m_kinds.front().mixer; };
    if (index >= m_kinds.size() || std::ranges::none_of(m_kinds, other)) return {};
    return letterOf(m_kinds[index]);
}

std::size_t LayerSplit::rows() const
{
    std::size_t chunks = 1;
    for (const StagePlace& place : m_places)
        chunks = std::max(chunks, place.chunk + 1);
    return chunks;
}

double LayerSplit::labelHeight() const { return QFontMetricsF(font()).height(); }

double LayerSplit::rowHeight() const { return labelHeight() + kBlockHeight + kStripHeight + kRowGap; }

double LayerSplit::left() const
{
    if (rows() < 2) return kMargin;
    //: beside a row of stages: the number of the model chunk of each rank
    return kMargin + QFontMetricsF(font()).horizontalAdvance(tr("chunk %1").arg(rows() - 1)) + 8.0;
}

std::vector<LayerSplit::StageBox> LayerSplit::boxes() const
{
    std::vector<StageBox> boxes;
    std::int64_t next_layer = 0;
    for (std::size_t stage = 0; stage < m_layers.size(); ++stage) {
        const bool last = stage + 1 == m_layers.size();
        boxes.push_back({{}, 0.0, next_layer, stage == 0 ? 1 : 0, last ? m_predictions + 1 : 0});
        next_layer += m_layers[stage];
    }
    // Every row fills the width. An empty stage keeps the gaps on both sides, so that its two boundaries stay apart.
    const auto per_row = m_layers.size() / rows();
    for (std::size_t row = 0; row < rows(); ++row) {
        const std::size_t first = row * per_row;
        std::int64_t blocks = 0;
        for (std::size_t stage = first; stage < first + per_row; ++stage)
            blocks += boxes[stage].before + m_layers[stage] + boxes[stage].after;
        const double room = width() - left() - kMargin - kGap * static_cast<double>(per_row);
        const double unit = std::max(0.5, room / static_cast<double>(std::max<std::int64_t>(1, blocks)));
        double x = left();
        const double y = static_cast<double>(row) * rowHeight() + labelHeight();
        for (std::size_t stage = first; stage < first + per_row; ++stage) {
            StageBox& box = boxes[stage];
            box.unit = unit;
            box.rect = QRectF(x, y, unit * static_cast<double>(box.before + m_layers[stage] + box.after), kBlockHeight);
            x = box.rect.right() + kGap;
        }
    }
    return boxes;
}

QPointF LayerSplit::pointOf(std::size_t boundary) const
{
    const QRectF rect = boxes()[boundary].rect;
    return {rect.right() + kGap / 2, rect.center().y()};
}

double LayerSplit::layerWidth(std::size_t stage) const { return boxes()[stage].unit; }

std::optional<std::size_t> LayerSplit::boundaryAt(const QPointF& position) const
{
    std::optional<std::size_t> nearest;
    double distance = kReach;
    const auto all = boxes();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const QRectF& rect = all[i].rect;
        if (position.y() < rect.top() - 2 || position.y() > rect.bottom() + kStripHeight) continue;
        const double off = std::abs(position.x() - (rect.right() + kGap / 2));
        if (off > distance) continue;
        distance = off;
        nearest = i;
    }
    return nearest;
}

std::optional<std::size_t> LayerSplit::stageAt(const QPointF& position) const
{
    const auto all = boxes();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].rect.adjusted(0, -labelHeight(), 0, kStripHeight).contains(position)) return i;
    }
    return std::nullopt;
}

QString LayerSplit::explanationAt(const QPointF& position) const
{
    if (!m_known) return {};
    if (const auto boundary = boundaryAt(position)) {
        return tr("Drag to move layers between stage %1 and stage %2")
            .arg(m_places[*boundary].rank)
            .arg(m_places[*boundary + 1].rank);
    }
    const auto stage = stageAt(position);
    if (!stage) return {};
    const StageBox box = boxes()[*stage];
    const std::size_t rank = m_places[*stage].rank;
    const auto block = static_cast<std::int64_t>((position.x() - box.rect.left()) / box.unit);
    if (block < box.before) return tr("Embedding, on stage %1").arg(rank);
    const std::int64_t layer = block - box.before;
    if (layer < m_layers[*stage]) {
        const std::int64_t number = box.first_layer + layer;
        const LayerKind kind = m_kinds[static_cast<std::size_t>(number)];
        if (kind != kDenseLayer && kind != kExpertLayer)
            return tr("Layer %1, %4 (stage %2, %3)")
                .arg(QString::number(number), QString::number(rank), countText(m_layers[*stage]),
                    translated(wordsOf(kind)));
        return (hasExperts(number) ? tr("Layer %1, with experts (stage %2, %3)") : tr("Layer %1 (stage %2, %3)"))
            .arg(number)
            .arg(rank)
            .arg(countText(m_layers[*stage]));
    }
    if (block < box.before + m_layers[*stage] + box.after - 1)
        return tr("Layer that predicts a further token, on stage %1").arg(rank);
    return tr("Output layer and loss, on stage %1").arg(rank);
}

void LayerSplit::move(std::vector<std::int64_t> layers, EditPhase phase)
{
    m_layers = std::move(layers);
    updateAccessibleText();
    update();
    emit edited(m_layers, phase);
}

void LayerSplit::updateAccessibleText()
{
    QStringList stages;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        stages << tr("stage %1: %2").arg(m_places[i].rank).arg(countText(m_layers[i]));
    setAccessibleDescription(stages.join(QStringLiteral(", ")));
    const auto boundary = currentBoundary();
    if (!boundary) return setAccessibleName(sharedText("Layers of the stages"));
    //: Read by a screen reader: where the arrow keys act, and how many layers are on either side.
    setAccessibleName(tr("Layers of the stages, boundary between stage %1 with %2 and stage %3 with %4 layers")
                          .arg(m_places[*boundary].rank)
                          .arg(m_layers[*boundary])
                          .arg(m_places[*boundary + 1].rank)
                          .arg(m_layers[*boundary + 1]));
}

bool LayerSplit::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && m_drag
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return KeyedEditor::event(event);
}

void LayerSplit::mousePressEvent(QMouseEvent* event)
{
    const auto boundary = event->button() == Qt::LeftButton && m_known ? boundaryAt(event->position()) : std::nullopt;
    if (!boundary) {
        event->ignore();
        return;
    }
    commitKeys();
    setCurrentBoundary(*boundary);
    m_drag = Drag{m_layers, event->position().x(), layerWidth(*boundary), false};
    update();
}

void LayerSplit::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_drag) {
        setCursor(m_known && boundaryAt(event->position()) ? Qt::SplitHCursor : Qt::ArrowCursor);
        const auto stage = stageAt(event->position());
        const int rank = stage && m_known ? static_cast<int>(m_places[*stage].rank) : -1;
        if (rank != m_hovered) emit stageHovered(m_hovered = rank);
        return;
    }
    const auto by = std::llround((event->position().x() - m_drag->grip) / m_drag->layer_width);
    auto layers = withBoundaryMoved(m_drag->start, m_boundary, by);
    if (layers == m_layers) return;
    m_drag->has_moved = true;
    move(std::move(layers), EditPhase::Dragging);
}

void LayerSplit::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) endDrag();
}

void LayerSplit::endDrag()
{
    if (!m_drag) return;
    const bool moved = m_drag->has_moved;
    m_drag.reset();
    update();
    if (moved) move(m_layers, EditPhase::Committed);
}

void LayerSplit::leaveEvent(QEvent* event)
{
    if (m_hovered >= 0) emit stageHovered(m_hovered = -1);
    QWidget::leaveEvent(event);
}

void LayerSplit::cancelDrag()
{
    const Drag drag = *std::exchange(m_drag, std::nullopt);
    update();
    if (drag.has_moved) move(drag.start, EditPhase::Committed);
}

void LayerSplit::keyPressEvent(QKeyEvent* event)
{
    const auto boundary = currentBoundary();
    if (event->key() == Qt::Key_Escape && m_drag) return cancelDrag();
    if (!boundary || m_drag) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        auto layers = withBoundaryMoved(m_layers, *boundary, event->key() == Qt::Key_Left ? -1 : 1);
        if (layers == m_layers) return;
        beginKeys();
        return move(std::move(layers), EditPhase::Dragging);
    }
    case Qt::Key_Up:
    case Qt::Key_Home:
    case Qt::Key_Down:
    case Qt::Key_End: {
        commitKeys();
        const bool step = event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
        const bool back = event->key() == Qt::Key_Up || event->key() == Qt::Key_Home;
        if (back) return setCurrentBoundary(step && *boundary > 0 ? *boundary - 1 : 0);
        return setCurrentBoundary(step ? *boundary + 1 : m_layers.size());
    }
    default: QWidget::keyPressEvent(event);
    }
}

void LayerSplit::commitValue() { move(m_layers, EditPhase::Committed); }

void LayerSplit::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) updateAccessibleText();
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
    QWidget::changeEvent(event);
}

QSize LayerSplit::sizeHint() const { return {640, minimumSizeHint().height()}; }

QSize LayerSplit::minimumSizeHint() const
{
    const double height = static_cast<double>(rows()) * rowHeight() + labelHeight() + 2.0;
    return {240, static_cast<int>(std::ceil(height))};
}

void LayerSplit::paintEvent(QPaintEvent*)
{
    Theme theme = themeFor(palette());
    if (!m_known) theme = desaturated(theme);
    QPainter painter(this);
    const auto all = boxes();
    for (std::size_t stage = 0; stage < all.size(); ++stage) {
        if (rows() > 1 && stage % (all.size() / rows()) == 0) {
            painter.setPen(theme.muted_text);
            const QRectF& rect = all[stage].rect;
            painter.drawText(QRectF(kMargin, rect.top(), left() - kMargin, rect.height()),
                Qt::AlignLeft | Qt::AlignVCenter, tr("chunk %1").arg(m_places[stage].chunk));
        }
        paintStage(painter, theme, stage, all[stage]);
        paintStageLabel(painter, theme, stage, all[stage]);
        paintVerdict(painter, theme, stage, all[stage]);
    }
    for (std::size_t boundary = 0; boundary + 1 < all.size(); ++boundary)
        paintBoundary(painter, theme, boundary, all[boundary]);
    paintLegend(painter, theme);
}

void LayerSplit::paintStage(QPainter& painter, const Theme& theme, std::size_t stage, const StageBox& box) const
{
    const std::int64_t blocks = box.before + m_layers[stage] + box.after;
    for (std::int64_t block = 0; block < blocks; ++block) {
        const double x = box.rect.left() + box.unit * static_cast<double>(block);
        paintBlock(painter, theme, QRectF(x, box.rect.top(), box.unit, kBlockHeight), stage, block, box);
    }
    painter.setPen(QPen(theme.outline, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5));
}

void LayerSplit::paintBlock(QPainter& painter, const Theme& theme, const QRectF& rect, std::size_t stage,
    std::int64_t block, const StageBox& box) const
{
    const std::int64_t layer = block - box.before;
    const bool is_layer = layer >= 0 && layer < m_layers[stage];
    const QColor fill = is_layer
        ? theme.operation(OperationKind::Forward, static_cast<int>(m_places[stage].chunk), static_cast<int>(rows()))
        : mixed(theme.background, theme.muted_text, 0.25);
    painter.fillRect(rect, fill);
    const QColor ink = inkOn(fill);
    if (is_layer && hasExperts(box.first_layer + layer))
        drawHatch(painter, rect, Pattern::Rising, 4.0, mixed(fill, ink, 0.6));
    if (rect.width() >= kLetterWidth) {
        const bool last = block + 1 == box.before + m_layers[stage] + box.after;
        painter.setPen(ink);
        const QString letter = layer < 0 ? QStringLiteral("E") : last ? QStringLiteral("L") : QStringLiteral("m");
        painter.drawText(rect, Qt::AlignCenter, is_layer ? layerLetter(box.first_layer + layer) : letter);
    }
    if (block > 0 && rect.width() >= kHairline) {
        painter.setPen(QPen(mixed(fill, theme.background, 0.7), 1.0));
        painter.drawLine(rect.topLeft(), rect.bottomLeft());
    }
}

void LayerSplit::paintStageLabel(QPainter& painter, const Theme& theme, std::size_t stage, const StageBox& box) const
{
    const std::size_t rank = m_places[stage].rank;
    const bool fullest = m_fullest == rank && m_verdicts.size() > 1;
    QFont used = font();
    used.setBold(fullest);
    const QFontMetricsF metrics(used);
    const QString count = countText(m_layers[stage]);
    QStringList texts;
    if (fullest) texts << tr("stage %1: %2, fullest").arg(rank).arg(count);
    texts << tr("stage %1: %2").arg(rank).arg(count) << QStringLiteral("%1: %2").arg(rank).arg(m_layers[stage])
          << QString::number(m_layers[stage]);
    for (const QString& text : texts) {
        if (metrics.horizontalAdvance(text) > box.rect.width() + kGap - 2.0) continue;
        painter.setFont(used);
        painter.setPen(fullest ? theme.text : theme.muted_text);
        painter.drawText(
            QRectF(box.rect.left() - kGap, box.rect.top() - labelHeight(), box.rect.width() + 2 * kGap, labelHeight()),
            Qt::AlignCenter, text);
        painter.setFont(font());
        return;
    }
}

void LayerSplit::paintVerdict(QPainter& painter, const Theme& theme, std::size_t stage, const StageBox& box) const
{
    const std::size_t rank = m_places[stage].rank;
    if (rank >= m_verdicts.size() || !m_known) return;
    // As under a rail, the height repeats what the colour says.
    const auto level = [&](double height) {
        return QRectF(box.rect.left(), box.rect.bottom() + kStripHeight - height, box.rect.width(), height);
    };
    switch (m_verdicts[rank]) {
    case StopVerdict::Fits: painter.fillRect(level(2.0), theme.fits); break;
    case StopVerdict::Tight: painter.fillRect(level(3.5), theme.tight); break;
    case StopVerdict::Over: painter.fillRect(level(5.0), theme.over_badge); break;
    case StopVerdict::Invalid:
    case StopVerdict::Unknown: break;
    }
}

void LayerSplit::paintBoundary(QPainter& painter, const Theme& theme, std::size_t boundary, const StageBox& box) const
{
    const bool current = hasFocus() && currentBoundary() == boundary;
    const double x = box.rect.right() + kGap / 2;
    const QRectF handle(x - (current ? 2.0 : 1.0), box.rect.top() - 2.0, current ? 4.0 : 2.0, kBlockHeight + 4.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(current ? palette().highlight().color() : theme.text);
    painter.drawRoundedRect(handle, 1.0, 1.0);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void LayerSplit::paintLegend(QPainter& painter, const Theme& theme) const
{
    const QFontMetricsF metrics(font());
    const double y = static_cast<double>(rows()) * rowHeight();
    double x = left();
    const QColor layer = theme.operation(OperationKind::Forward, 0, static_cast<int>(rows()));
    const QColor other = mixed(theme.background, theme.muted_text, 0.25);
    const auto add = [&](const QColor& fill, bool hatched, const QString& letter, const QString& text) {
        const QRectF swatch(x, y + (metrics.height() - 12.0) / 2, 12.0, 12.0);
        if (x + 18.0 + metrics.horizontalAdvance(text) > width()) return;
        painter.fillRect(swatch, fill);
        if (hatched) drawHatch(painter, swatch, Pattern::Rising, 4.0, mixed(fill, inkOn(fill), 0.6));
        painter.setPen(inkOn(fill));
        painter.drawText(swatch, Qt::AlignCenter, letter);
        painter.setPen(theme.muted_text);
        painter.drawText(QPointF(x + 18.0, y + metrics.ascent()), text);
        x += 18.0 + metrics.horizontalAdvance(text) + 14.0;
    };
    add(other, false, QStringLiteral("E"), tr("embedding"));
    for (std::size_t index = 0; index < m_kinds.size(); ++index) {
        const LayerKind kind = m_kinds[index];
        if (std::ranges::find(m_kinds, kind) - m_kinds.begin() == static_cast<std::ptrdiff_t>(index))
            add(layer, kind.experts(), layerLetter(static_cast<std::int64_t>(index)), translated(wordsOf(kind)));
    }
    if (m_predictions > 0) add(other, false, QStringLiteral("m"), tr("prediction of further tokens"));
    add(other, false, QStringLiteral("L"), tr("output layer and loss"));
}

} // namespace cardfit::ui
