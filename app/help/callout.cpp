// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help/callout.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QShortcut>

#include "app/panels/panel_labels.h"

namespace cardfit::app {

namespace {

constexpr int kArrow = 12; ///< pixels from the note to the arrow's tip, and half of its base
constexpr int kMargin = 12;
constexpr int kTextWidth = 280;
constexpr double kRadius = 6.0;

} // namespace

Callout::Callout(QWidget* window)
    : QWidget(window)
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
    , m_progress(new QLabel(this))
    , m_next(new QPushButton(this))
    , m_close(new QPushButton(tr("&Close"), this))
{
    setAccessibleName(tr("Hint"));
    m_next->setText(tr("&Next"));
    setBold(m_title);
    m_text->setWordWrap(true);
    m_text->setFixedWidth(kTextWidth);
    for (QLabel* label : {m_title, m_text, m_progress})
        label->setForegroundRole(QPalette::ToolTipText);
    m_close->setFlat(true);

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_progress);
    buttons->addStretch();
    buttons->addWidget(m_close);
    buttons->addWidget(m_next);
    auto* column = new QVBoxLayout(this);
    // Room for the arrow on every side.
    constexpr int kRoom = kArrow + kMargin;
    column->setContentsMargins(kRoom, kRoom, kRoom, kRoom);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addLayout(buttons);

    // The keyboard stays where it was: the hint hears of this key through the window.
    m_escape = new QShortcut(Qt::Key_Escape, window);
    m_escape->setEnabled(false);
    connect(m_escape, &QShortcut::activated, this, &Callout::closeAsked);
    window->installEventFilter(this);
    connect(m_next, &QPushButton::clicked, this, &Callout::nextAsked);
    connect(m_close, &QPushButton::clicked, this, &Callout::closeAsked);
    hide();
}

void Callout::setTexts(const QString& title, const QString& text, const QString& progress)
{
    m_title->setText(title);
    m_text->setText(text);
    m_progress->setText(progress);
    setAccessibleDescription(text);
}

void Callout::setLast(bool last)
{
    m_next->setText(last ? tr("&Done") : tr("&Next"));
    m_close->setVisible(!last);
}

void Callout::pointAt(QWidget* target, const QRect& part)
{
    // The target moves with the widgets around it: a panel that scrolls, a dock, a splitter.
    const auto each = [this](auto&& act) {
        for (QWidget* outer = m_target; outer != nullptr && outer != parentWidget(); outer = outer->parentWidget())
            act(outer);
    };
    each([this](QWidget* outer) { outer->removeEventFilter(this); });
    m_target = target;
    m_part = part;
    each([this](QWidget* outer) { outer->installEventFilter(this); });
    place();
    show();
    raise();
}

/// Beside the target where there is most room, on the side that leaves the target itself in view.
void Callout::place()
{
    if (m_target == nullptr) return;
    layout()->activate();
    resize(sizeHint());
    const QWidget* window = parentWidget();
    const QRect shown = m_part.isEmpty() ? m_target->rect() : m_part;
    const QRect target(m_target->mapTo(window, shown.topLeft()), shown.size());
    const QPoint middle = target.center();

    QPoint corner;
    QPoint tip;
    if (window->width() - target.right() >= width()) {
        corner = {target.right(), middle.y() - height() / 2};
        tip = {target.right(), middle.y()};
    } else if (target.top() >= height()) {
        corner = {middle.x() - width() / 2, target.top() - height()};
        tip = {middle.x(), target.top()};
    } else if (window->height() - target.bottom() >= height()) {
        corner = {middle.x() - width() / 2, target.bottom()};
        tip = {middle.x(), target.bottom()};
    } else {
        // A target that fills the window is pointed at from inside.
        corner = {middle.x() - width() / 2, middle.y()};
        tip = middle;
    }
    corner.setX(std::clamp(corner.x(), 0, std::max(0, window->width() - width())));
    corner.setY(std::clamp(corner.y(), 0, std::max(0, window->height() - height())));
    move(corner);
    m_tip = tip - corner;
    update();
}

void Callout::paintEvent(QPaintEvent*)
{
    const QRectF note = QRectF(rect()).adjusted(kArrow, kArrow, -kArrow, -kArrow);
    QPainterPath shape;
    shape.addRoundedRect(note, kRadius, kRadius);
    // The arrow leaves the note on the side where its tip lies.
    const QPointF tip = m_tip;
    const QPointF root(std::clamp(tip.x(), note.left() + 2 * kArrow, note.right() - 2 * kArrow),
        std::clamp(tip.y(), note.top() + 2 * kArrow, note.bottom() - 2 * kArrow));
    const bool beside = tip.x() < note.left() || tip.x() > note.right();
    const QPointF half = beside ? QPointF(0, kArrow * 0.7) : QPointF(kArrow * 0.7, 0);
    QPainterPath arrow;
    arrow.addPolygon(QPolygonF({root - half, tip, root + half, root - half}));
    shape = shape.united(arrow);

    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawPath(shape);
}

void Callout::showEvent(QShowEvent* event)
{
    m_escape->setEnabled(true);
    QWidget::showEvent(event);
}

void Callout::hideEvent(QHideEvent* event)
{
    m_escape->setEnabled(false);
    QWidget::hideEvent(event);
}

bool Callout::eventFilter(QObject* watched, QEvent* event)
{
    const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::Move;
    if (moves && isVisible()) place();
    return QWidget::eventFilter(watched, event);
}

} // namespace cardfit::app
