// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rails/rail_track.h"

#include <algorithm>
#include <cmath>

#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "widgets/chart/painting.h"
#include "widgets/chart/theme.h"
#include "widgets/text/translated.h"

namespace cardfit::ui {

namespace {

constexpr double kHandleWidth = 10.0;
constexpr double kMargin = kHandleWidth / 2 + 4;
constexpr double kRailY = 9.0;
constexpr double kFoldedRailY = 6.0;
constexpr double kDimmed = 0.35; ///< opacity of a strip of an earlier plan
constexpr double kLabelTop = 16.0;
constexpr double kLabelGap = 6.0;
constexpr double kStripHeight = 6.0;
constexpr double kReach = 9.0; ///< pixels around the handle or a tick that still grab it
constexpr int kFoldedWidth = 84;
constexpr double kFineRatio = 1.01; ///< one fine step of a quantity that is not a whole number

class AccessibleRail : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleRail(RailTrack* track)
        : QAccessibleWidget(track, QAccessible::Slider)
    {
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    [[nodiscard]] QVariant currentValue() const override { return track()->value(); }
    void setCurrentValue(const QVariant& value) override { track()->request(value.toDouble()); }
    [[nodiscard]] QVariant minimumValue() const override { return ofStop(true); }
    [[nodiscard]] QVariant maximumValue() const override { return ofStop(false); }
    [[nodiscard]] QVariant minimumStepSize() const override { return {}; }

private:
    [[nodiscard]] RailTrack* track() const { return static_cast<RailTrack*>(widget()); }
    [[nodiscard]] QVariant ofStop(bool first) const
    {
        const auto& stops = track()->scale().stops();
        if (stops.empty()) return {};
        return first ? stops.front().value : stops.back().value;
    }
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    auto* track = qobject_cast<RailTrack*>(object);
    return track == nullptr ? nullptr : new AccessibleRail(track);
}

/// Exposes every RailTrack as a slider to assistive technology, which can read value and range and set the value.
void installRailAccessibility()
{
    // Installed once, for the life of the program: a second factory would be asked again for every widget.
    [[maybe_unused]] static const bool is_installed = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
}

QString verdictWord(StopVerdict verdict)
{
    switch (verdict) {
    case StopVerdict::Fits: return sharedText("fits");
    case StopVerdict::Tight: return RailTrack::tr("may fit, with hardly any memory to spare");
    case StopVerdict::Over: return sharedText("does not fit");
    case StopVerdict::Invalid:
    case StopVerdict::Unknown: break;
    }
    return {};
}

StopChoice choiceOf(Qt::KeyboardModifiers modifiers)
{
    return (modifiers & Qt::ControlModifier) != 0 ? StopChoice::PowersOfTwo : StopChoice::Allowed;
}

QFont labelFont(QFont font)
{
    if (font.pointSizeF() > 0.0)
        font.setPointSizeF(font.pointSizeF() * 0.82);
    else
        font.setPixelSize(std::max(8, font.pixelSize() * 82 / 100));
    return font;
}

} // namespace

RailTrack::RailTrack(QWidget* parent)
    : KeyedEditor(parent)
{
    installRailAccessibility();
    // Not Qt::WheelFocus: a rail that passes under the pointer while the panel scrolls must not take the wheel.
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    constexpr int kWheelRest = 600; // milliseconds
    m_wheel_rest.setSingleShot(true);
    m_wheel_rest.setInterval(kWheelRest);
    connect(&m_wheel_rest, &QTimer::timeout, this, &RailTrack::commitKeys);
}

void RailTrack::setScale(RailScale scale)
{
    if (scale.kind() == m_scale.kind() && scale.stops() == m_scale.stops()) return;
    // A verdict belongs to its stop's value.
    if (!std::ranges::equal(scale.stops(), m_scale.stops(), {}, &Stop::value, &Stop::value)) m_verdicts.clear();
    m_scale = std::move(scale);
    updateAccessibleName();
    update();
}

void RailTrack::setValue(double value)
{
    if (value == m_value) return;
    m_value = value;
    updateAccessibleName();
    QAccessibleValueChangeEvent changed(this, value);
    QAccessible::updateAccessibility(&changed);
    update();
}

void RailTrack::setFormat(const QuantityFormat& format)
{
    m_format = format;
    updateAccessibleName();
}

void RailTrack::setVerdicts(std::vector<StopVerdict> verdicts)
{
    if (verdicts == m_verdicts && !m_dimmed) return;
    m_verdicts = std::move(verdicts);
    m_dimmed = false;
    update();
}

void RailTrack::dimVerdicts()
{
    if (m_dimmed || m_verdicts.empty()) return;
    m_dimmed = true;
    update();
}

void RailTrack::setFolded(bool folded)
{
    if (folded == m_folded) return;
    m_folded = folded;
    setMaximumWidth(folded ? kFoldedWidth : QWIDGETSIZE_MAX);
    updateGeometry();
    update();
}

void RailTrack::setQuantityName(const QString& name)
{
    m_name = name;
    updateAccessibleName();
}

double RailTrack::railLeft() const { return kMargin; }

double RailTrack::railY() const { return m_folded ? kFoldedRailY : kRailY; }

double RailTrack::railWidth() const { return std::max(1.0, width() - 2 * railLeft()); }

QPointF RailTrack::pointOf(double value) const { return {railLeft() + m_scale.place(value) * railWidth(), railY()}; }

double RailTrack::placeAt(double x) const { return (x - railLeft()) / railWidth(); }

QString RailTrack::explanationAt(const QPointF& position) const
{
    const auto index = m_scale.nearest(placeAt(position.x()));
    if (!index) return {};
    const Stop& stop = m_scale.stops()[*index];
    if (std::abs(pointOf(stop.value).x() - position.x()) > kReach) return {};
    const QString text = formatQuantity(stop.value, m_format.kind);
    QString explanation = m_name.isEmpty() ? text : tr("%1 %2").arg(m_name, text);
    if (!stop.reason.isEmpty()) return tr("%1: %2").arg(explanation, stop.reason);
    if (*index < m_verdicts.size() && !m_dimmed) {
        const QString word = verdictWord(m_verdicts[*index]);
        if (!word.isEmpty()) return tr("%1: %2").arg(explanation, word);
    }
    return explanation;
}

void RailTrack::updateAccessibleName()
{
    QStringList valid;
    for (const Stop& stop : m_scale.stops()) {
        if (stop.state != StopState::Invalid) valid << formatQuantity(stop.value, m_format.kind);
    }
    //: Read by a screen reader: name of the quantity, its value, the values it may take.
    setAccessibleName(
        tr("%1, %2, valid values %3").arg(m_name, formatQuantity(m_value, m_format.kind), valid.join(u' ')));
}

void RailTrack::move(double value, EditPhase phase)
{
    if (phase == EditPhase::Dragging && value == m_value) return;
    setValue(value);
    emit moved(value, phase);
}

double RailTrack::fineValue(double place) const
{
    const double value = m_scale.valueAt(place);
    if (m_format.whole) return std::round(value);
    // Three significant digits: as exact as one can point, and easy to read.
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
    return std::round(value / unit) * unit;
}

void RailTrack::dragTo(double x, Qt::KeyboardModifiers modifiers)
{
    const double place = placeAt(x);
    double target = m_value;
    const auto stop = m_scale.nearestAllowed(place, choiceOf(modifiers));
    if ((modifiers & Qt::ShiftModifier) != 0 && !m_scale.stops().empty())
        target = fineValue(place);
    else if (stop)
        target = m_scale.stops()[*stop].value;
    if (target == m_value) return;
    m_drag->has_moved = true;
    move(target, EditPhase::Dragging);
}

void RailTrack::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_folded) {
        event->ignore(); // a click on a folded rail is its owner's
        return;
    }
    commitKeys();
    m_wheel_focus.pressed();
    const double offset = event->position().x() - pointOf(m_value).x();
    const bool on_handle = std::abs(offset) <= kReach;
    m_drag = Drag{m_value, on_handle ? offset : 0.0, false};
    if (!on_handle) dragTo(event->position().x(), event->modifiers());
    update();
}

void RailTrack::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag) dragTo(event->position().x() - m_drag->grip, event->modifiers());
}

void RailTrack::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) endDrag();
}

void RailTrack::endDrag()
{
    if (!m_drag) return;
    const bool moved_at_all = m_drag->has_moved;
    m_drag.reset();
    update();
    if (moved_at_all) move(m_value, EditPhase::Committed);
}

void RailTrack::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !m_folded) emit resetRequested();
}

void RailTrack::cancelDrag()
{
    const Drag drag = *m_drag;
    m_drag.reset();
    update();
    if (drag.has_moved) move(drag.start_value, EditPhase::Committed);
}

double RailTrack::fineStep(int direction) const
{
    if (m_format.whole) return std::max(m_format.minimum, m_value + direction);
    return m_value * std::pow(kFineRatio, direction);
}

std::optional<double> RailTrack::keyTarget(const QKeyEvent& event) const
{
    const bool fine = (event.modifiers() & Qt::ShiftModifier) != 0;
    const StopChoice choice = choiceOf(event.modifiers());
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: return fine ? fineStep(-1) : m_scale.next(m_value, -1, choice);
    case Qt::Key_Right:
    case Qt::Key_Up: return fine ? fineStep(1) : m_scale.next(m_value, 1, choice);
    case Qt::Key_PageUp: return m_scale.scaled(m_value, 2.0);
    case Qt::Key_PageDown: return m_scale.scaled(m_value, 0.5);
    case Qt::Key_Home: return m_scale.firstAllowed();
    case Qt::Key_End: return m_scale.lastAllowed();
    default: return std::nullopt;
    }
}

bool RailTrack::handleKey(const QKeyEvent& event)
{
    if (event.key() == Qt::Key_0 && (event.modifiers() & Qt::ControlModifier) != 0) {
        emit resetRequested();
        return true;
    }
    if (event.key() == Qt::Key_Escape && m_drag) {
        cancelDrag();
        return true;
    }
    const auto target = keyTarget(event);
    if (target && *target != m_value) {
        beginKeys();
        move(*target, EditPhase::Dragging);
    }
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
    case Qt::Key_Home:
    case Qt::Key_End: return true;
    default: return false;
    }
}

void RailTrack::commitValue() { move(m_value, EditPhase::Committed); }

void RailTrack::keyPressEvent(QKeyEvent* event)
{
    if (!handleKey(*event)) QWidget::keyPressEvent(event);
}

void RailTrack::wheelEvent(QWheelEvent* event)
{
    const int delta = WheelFocus::turned(*event);
    if (!m_wheel_focus.means(*event, hasFocus()) || delta == 0) {
        event->ignore();
        return;
    }
    event->accept();
    // Touchpads send many small movements; a step is a whole notch of a mouse wheel.
    constexpr int kNotch = 120;
    m_wheel += delta;
    const int direction = m_wheel > 0 ? 1 : -1;
    for (; std::abs(m_wheel) >= kNotch; m_wheel -= direction * kNotch) {
        const auto target = m_scale.next(m_value, direction, choiceOf(event->modifiers()));
        if (!target) continue;
        beginKeys();
        move(*target, EditPhase::Dragging);
        m_wheel_rest.start();
    }
}

void RailTrack::focusInEvent(QFocusEvent* event)
{
    m_wheel_focus.focusIn(event->reason());
    KeyedEditor::focusInEvent(event);
}

void RailTrack::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::EnabledChange) update();
    if (event->type() == QEvent::LanguageChange) updateAccessibleName();
    QWidget::changeEvent(event);
}

QSize RailTrack::sizeHint() const { return m_folded ? minimumSizeHint() : QSize(240, minimumSizeHint().height()); }

QSize RailTrack::minimumSizeHint() const
{
    if (m_folded) return {kFoldedWidth / 2, static_cast<int>(2 * kFoldedRailY + kStripHeight) + 1};
    const int labels = QFontMetrics(labelFont(font())).height();
    return {120, static_cast<int>(kLabelTop) + labels + static_cast<int>(kStripHeight) + 2};
}

void RailTrack::paintEvent(QPaintEvent*)
{
    const Theme theme = themeFor(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintGroove(painter, theme);
    if (!m_folded) {
        for (const Stop& stop : m_scale.stops())
            paintTick(painter, theme, stop);
    }
    if (!m_folded) paintLabels(painter, theme);
    paintStrip(painter, theme);
    paintHandle(painter, theme);
}

void RailTrack::paintGroove(QPainter& painter, const Theme& theme) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.grid);
    painter.drawRoundedRect(QRectF(railLeft(), railY() - 1.5, railWidth(), 3.0), 1.5, 1.5);
    if (!isEnabled()) return;
    painter.setBrush(palette().highlight());
    painter.drawRoundedRect(QRectF(railLeft(), railY() - 1.5, pointOf(m_value).x() - railLeft(), 3.0), 1.5, 1.5);
}

void RailTrack::paintTick(QPainter& painter, const Theme& theme, const Stop& stop) const
{
    const QPointF middle = pointOf(stop.value);
    constexpr double kRadius = 2.5;
    switch (stop.state) {
    case StopState::Valid:
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.outline);
        painter.drawEllipse(middle, kRadius, kRadius);
        break;
    case StopState::Warned:
        painter.setPen(QPen(theme.outline, 1.2));
        painter.setBrush(theme.background);
        painter.drawEllipse(middle, kRadius, kRadius);
        break;
    case StopState::Invalid:
        painter.setPen(QPen(theme.muted_text, 1.2));
        painter.drawLine(middle + QPointF(-kRadius, -kRadius), middle + QPointF(kRadius, kRadius));
        painter.drawLine(middle + QPointF(-kRadius, kRadius), middle + QPointF(kRadius, -kRadius));
        break;
    }
}

void RailTrack::paintLabels(QPainter& painter, const Theme& theme) const
{
    const QFont font = labelFont(this->font());
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    // The current value's label has priority, then the ends', then any others that fit, from the left.
    const auto& stops = m_scale.stops();
    std::vector<std::size_t> order;
    if (const auto current = m_scale.stopOf(m_value)) order.push_back(*current);
    if (!stops.empty()) order.insert(order.end(), {0, stops.size() - 1});
    for (std::size_t i = 0; i < stops.size(); ++i)
        order.push_back(i);

    std::vector<QRectF> taken;
    for (const std::size_t i : order) {
        const Stop& stop = stops[i];
        if (stop.text.isEmpty()) continue;
        const double text_width = metrics.horizontalAdvance(stop.text);
        const double x = std::clamp(pointOf(stop.value).x() - text_width / 2, 0.0, std::max(0.0, width() - text_width));
        const QRectF rect(x, kLabelTop, text_width, metrics.height());
        const auto collides = [&](const QRectF& other) {
            return other.intersects(rect.adjusted(-kLabelGap, 0, kLabelGap, 0));
        };
        if (std::ranges::any_of(taken, collides)) continue;
        taken.push_back(rect);
        const bool is_current = stop.value == m_value;
        painter.setPen(is_current ? theme.text : theme.muted_text);
        QFont used = font;
        used.setStrikeOut(stop.state == StopState::Invalid);
        painter.setFont(used);
        painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, stop.text);
    }
}

void RailTrack::paintStrip(QPainter& painter, const Theme& theme) const
{
    const auto& stops = m_scale.stops();
    if (m_verdicts.size() != stops.size()) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_dimmed) painter.setOpacity(kDimmed);
    const double bottom = height() - 1.0;
    const auto middle = [&](std::size_t i) { return pointOf(stops[i].value).x(); };
    for (std::size_t i = 0; i < stops.size(); ++i) {
        const double from = i == 0 ? middle(i) - kMargin : (middle(i - 1) + middle(i)) / 2;
        const double to = i + 1 == stops.size() ? middle(i) + kMargin : (middle(i) + middle(i + 1)) / 2;
        // The height repeats what the colour says: what does not fit is highest.
        const auto level = [&](double height) {
            return QRectF(std::round(from), bottom - height, std::round(to) - std::round(from) - 1.0, height);
        };
        switch (m_verdicts[i]) {
        case StopVerdict::Fits: painter.fillRect(level(2.0), theme.fits); break;
        case StopVerdict::Tight: painter.fillRect(level(4.0), theme.tight); break;
        case StopVerdict::Over: painter.fillRect(level(kStripHeight), theme.over_badge); break;
        case StopVerdict::Invalid: drawHatch(painter, level(2.0), Pattern::Rising, 4.0, theme.outline); break;
        case StopVerdict::Unknown: break;
        }
    }
    painter.setOpacity(1.0);
    painter.setRenderHint(QPainter::Antialiasing);
}

void RailTrack::paintHandle(QPainter& painter, const Theme& theme) const
{
    if (!isEnabled()) return;
    const QPointF middle = pointOf(m_value);
    const auto current = m_scale.stopOf(m_value);
    const bool broken = current && m_scale.stops()[*current].state == StopState::Invalid;
    const double width = m_folded ? kHandleWidth / 2 : kHandleWidth;
    const double height = m_folded ? 8.0 : 14.0;
    const QRectF body(middle.x() - width / 2, middle.y() - height / 2, width, height);
    if (hasFocus()) {
        painter.setPen(QPen(mixed(palette().highlight().color(), theme.background, 0.45), 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(body.adjusted(-2, -2, 2, 2), 5.0, 5.0);
    }
    painter.setPen(QPen(broken ? theme.over : palette().highlight().color(), 1.5));
    painter.setBrush(m_drag ? palette().highlight().color() : palette().base().color());
    const double radius = m_folded ? 1.5 : 3.5;
    painter.drawRoundedRect(body.adjusted(0.75, 0.75, -0.75, -0.75), radius, radius);
}

} // namespace cardfit::ui
