// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/callout.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>

#include "widgets/controls/panel_labels.h"

namespace cardfit::ui {

namespace {

constexpr int kMargin = 12;
constexpr int kGap = 16; ///< between the note and its target
constexpr int kTextWidth = 280;
constexpr double kRadius = 6.0;
constexpr double kLine = 2.0;

/// The point of `area` nearest to `point`.
QPoint nearest(const QRect& area, QPoint point)
{
    return {std::clamp(point.x(), area.left(), area.right()), std::clamp(point.y(), area.top(), area.bottom())};
}

int areaOf(const QRect& area) { return area.isEmpty() ? 0 : area.width() * area.height(); }

} // namespace

Leader::Leader(QWidget* window)
    : QWidget(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void Leader::connectTo(const QRect& note, const QRect& target)
{
    m_note = note;
    m_target = target;
    setGeometry(parentWidget()->rect());
    update();
}

void Leader::paintEvent(QPaintEvent*)
{
    if (m_target.isEmpty()) return;
    const QPoint end = nearest(m_target, m_note.center());
    const QPoint begin = nearest(m_note, end);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Highlight), kLine));
    painter.drawRoundedRect(QRectF(m_target).adjusted(1, 1, -1, -1), kRadius, kRadius);
    painter.drawLine(begin, end);
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawEllipse(end, kMargin / 3, kMargin / 3);
}

Callout::Callout(QWidget* window)
    : QWidget(window)
    , m_leader(new Leader(window))
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
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->setSpacing(6);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addStretch();
    column->addLayout(buttons);

    // The focus stays where it was, so the Escape key arrives through a shortcut of the window.
    m_escape = new QShortcut(Qt::Key_Escape, window);
    m_escape->setEnabled(false);
    connect(m_escape, &QShortcut::activated, this, &Callout::closeAsked);
    window->installEventFilter(this);
    connect(m_next, &QPushButton::clicked, this, &Callout::nextAsked);
    connect(m_close, &QPushButton::clicked, this, &Callout::closeAsked);
    hide();
}

void Callout::setTexts(const Texts& texts)
{
    m_title->setText(texts.title);
    m_text->setText(texts.text);
    m_progress->setText(texts.progress);
    setAccessibleDescription(texts.text);
}

void Callout::setLast(bool last)
{
    m_next->setText(last ? tr("&Done") : tr("&Next"));
    m_close->setVisible(!last);
}

void Callout::prepare(std::vector<QWidget*> targets, const std::vector<Texts>& texts)
{
    m_targets = std::move(targets);
    m_next->setMinimumWidth(0);
    QSize button;
    QSize note;
    for (const bool last : {true, false}) {
        setLast(last);
        button = button.expandedTo(m_next->sizeHint());
    }
    m_next->setMinimumWidth(button.width());
    for (const Texts& one : texts) {
        setTexts(one);
        layout()->activate();
        note = note.expandedTo(layout()->totalSizeHint().expandedTo(
            QSize(0, layout()->totalHeightForWidth(layout()->totalSizeHint().width()))));
    }
    setFixedSize(note);
    // The note is not visible yet, so it may move.
    move(bestCorner());
}

void Callout::pointAt(QWidget* target)
{
    // The target moves with its parents (a scrolling panel, a dock, a splitter): watches all of them.
    const auto each = [this](auto&& act) {
        for (QWidget* outer = m_target; outer != nullptr && outer != parentWidget(); outer = outer->parentWidget())
            act(outer);
    };
    each([this](QWidget* outer) { outer->removeEventFilter(this); });
    m_target = target;
    each([this](QWidget* outer) { outer->installEventFilter(this); });
    show();
    place();
    m_leader->raise();
    raise();
}

QRect Callout::shownPart(const QWidget* widget) const
{
    const QRect part = widget->visibleRegion().boundingRect();
    return {widget->mapTo(parentWidget(), part.topLeft()), part.size()};
}

/// A position beside the targets that covers as little of them as possible; of several, the one nearest to them all.
QPoint Callout::bestCorner() const
{
    const QRect window = parentWidget()->rect();
    std::vector<QRect> shown;
    std::vector<int> lefts{0, window.width() - width()};
    std::vector<int> tops{0, window.height() - height()};
    for (const QWidget* target : m_targets) {
        const QRect part = shownPart(target);
        shown.push_back(part);
        lefts.insert(lefts.end(), {part.left() - kGap - width(), part.center().x() - width() / 2, part.right() + kGap});
        tops.insert(tops.end(), {part.top() - kGap - height(), part.center().y() - height() / 2, part.bottom() + kGap});
    }
    const auto cost = [&](const QRect& note) {
        int covered = 0;
        int far = 0;
        for (const QRect& part : shown) {
            covered += areaOf(part & note);
            far += (nearest(part, note.center()) - note.center()).manhattanLength();
        }
        return std::pair(covered, far);
    };
    QRect best(window.bottomRight() - QPoint(width() - 1, height() - 1), size());
    for (const int left : lefts) {
        for (const int top : tops) {
            const QRect note(QPoint(left, top), size());
            if (window.contains(note) && cost(note) < cost(best)) best = note;
        }
    }
    return best.topLeft();
}

/// Moves the note only if it no longer fits in the window or covers a target.
void Callout::place()
{
    if (m_target == nullptr) return;
    const auto covers = [this](const QWidget* target) { return shownPart(target).intersects(geometry()); };
    if (!parentWidget()->rect().contains(geometry()) || std::ranges::any_of(m_targets, covers)) move(bestCorner());
    m_leader->connectTo(geometry(), shownPart(m_target));
}

void Callout::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Highlight), kLine));
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);
}

void Callout::showEvent(QShowEvent* event)
{
    m_escape->setEnabled(true);
    m_leader->show();
    QWidget::showEvent(event);
}

void Callout::hideEvent(QHideEvent* event)
{
    m_escape->setEnabled(false);
    m_leader->hide();
    QWidget::hideEvent(event);
}

bool Callout::eventFilter(QObject* watched, QEvent* event)
{
    const bool moves = event->type() == QEvent::Resize || event->type() == QEvent::Move;
    if (moves && isVisible()) place();
    // What it points at may go with a room or a dock, before its children know that they are hidden.
    if (event->type() == QEvent::Hide && isVisible()) {
        const auto close = [this] {
            const bool gone = isVisible() && m_target != nullptr && !m_target->isVisible();
            if (gone && window()->isVisible()) emit closeAsked();
        };
        QMetaObject::invokeMethod(this, close, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace cardfit::ui
