// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rails/value_rail.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QToolButton>

#include "widgets/chart/symbols.h"
#include "widgets/chart/theme.h"
#include "widgets/rails/field_habits.h"
#include "widgets/text/tool_tip.h"

namespace cardfit::ui {

namespace {

constexpr int kButtonSize = 22;
constexpr int kIconSize = 14;
constexpr int kFoldSize = 16;
constexpr int kShortestName = 60;
constexpr int kTrackPlace = 4; ///< in the head of a folded rail: before the lock

QToolButton* flatButton(QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setAutoRaise(true);
    button->setFixedSize(kButtonSize, kButtonSize);
    button->setIconSize({kIconSize, kIconSize});
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

ValueRail::ValueRail(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_head(new QHBoxLayout)
    , m_rows(new QVBoxLayout(this))
    , m_fold(flatButton(this))
    , m_label(new QLabel(name, this))
    , m_field(new QLineEdit(this))
    , m_unit(new QLabel(this))
    , m_lock(flatButton(this))
    , m_reset(flatButton(this))
    , m_track(new RailTrack(this))
    , m_message(new QLabel(this))
{
    m_label->setBuddy(m_field);
    m_field->setAlignment(Qt::AlignRight);
    m_field->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("1,048,576 B")) + 16);
    m_field->installEventFilter(this);
    leaveIdleUndo(m_field);
    selectOnClick(m_field);
    m_fold->setFixedSize(kFoldSize, kButtonSize);
    m_fold->hide();
    QSizePolicy kept = m_reset->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(kept);
    m_lock->setCheckable(true);
    m_lock->hide();
    m_unit->setForegroundRole(QPalette::PlaceholderText);
    m_unit->hide();
    m_message->hide();
    m_message->setWordWrap(true);
    m_message->setTextFormat(Qt::PlainText);

    m_head->setSpacing(4);
    // Label, unit and lock differ in width from rail to rail; fields and reset buttons are aligned in columns.
    m_head->addWidget(m_fold);
    m_head->addWidget(m_label);
    m_head->addWidget(m_unit);
    m_head->addStretch();
    m_head->addWidget(m_lock);
    m_head->addWidget(m_field);
    m_head->addWidget(m_reset);
    m_rows->setSpacing(1);
    m_rows->addLayout(m_head);
    m_rows->addWidget(m_message);

    connect(m_track, &RailTrack::moved, this, &ValueRail::onMoved);
    connect(m_track, &RailTrack::resetRequested, this, &ValueRail::reset);
    connect(m_field, &QLineEdit::editingFinished, this, &ValueRail::commitText);
    connect(m_reset, &QToolButton::clicked, this, &ValueRail::reset);
    connect(m_fold, &QToolButton::clicked, this, [this] { setOpen(!m_open); });
    connect(m_lock, &QToolButton::clicked, this, &ValueRail::lockToggled);
    connect(m_lock, &QToolButton::toggled, this, &ValueRail::updateButtons);
    connect(new QShortcut(Qt::CTRL | Qt::Key_L, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
        &QShortcut::activated, this, [this] {
            if (m_lockable) m_lock->click();
        });
    arrange();
    setName(name);
    showValue();
    updateReset();
}

ValueRail::~ValueRail()
{
    // A field that is destroyed while it has the focus still emits editingFinished(), when this object is partly
    // destroyed.
    m_field->disconnect(this);
    m_track->disconnect(this);
}

void ValueRail::setName(const QString& name)
{
    m_label->setText(name);
    m_field->setAccessibleName(name);
    m_track->setQuantityName(name);
    setAccessibleName(name);
    retranslate();
}

QString ValueRail::name() const { return m_label->text(); }

void ValueRail::setHelp(const QString& help) { setTip(m_label, help); }

void ValueRail::setFoldable(bool foldable)
{
    if (foldable == m_foldable) return;
    m_foldable = foldable;
    arrange();
}

void ValueRail::setOpen(bool open)
{
    if (open == m_open) return;
    m_open = open;
    arrange();
}

/// Folded, the track stands in the line of the name.
void ValueRail::arrange()
{
    const bool folded = isFolded();
    m_rows->setContentsMargins(0, folded ? 0 : 2, 0, folded ? 0 : 2);
    m_track->setFolded(folded);
    m_label->setMinimumWidth(folded ? kShortestName : 0); // a long name is cut, not the line
    if (folded)
        m_head->insertWidget(kTrackPlace, m_track, 1);
    else
        m_rows->insertWidget(1, m_track);
    m_fold->setVisible(m_foldable);
    m_fold->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
    m_lock->setVisible(m_lockable && !folded);
    showMessage();
    retranslate();
}

void ValueRail::setUnit(const QString& unit)
{
    m_unit->setText(unit);
    m_unit->setVisible(!unit.isEmpty());
}

void ValueRail::setFormat(const QuantityFormat& format)
{
    if (format == m_format) return;
    m_format = format;
    m_track->setFormat(format);
    showValue();
}

void ValueRail::setStops(std::vector<Stop> stops) { m_track->setScale(RailScale(m_scale, std::move(stops))); }

const std::vector<Stop>& ValueRail::stops() const { return m_track->scale().stops(); }

void ValueRail::setScale(ScaleKind scale)
{
    m_scale = scale;
    m_track->setScale(RailScale(scale, m_track->scale().stops()));
}

void ValueRail::setVerdicts(std::vector<StopVerdict> verdicts) { m_track->setVerdicts(std::move(verdicts)); }

double ValueRail::value() const { return m_value; }

void ValueRail::setValue(double value)
{
    m_track->setValue(value);
    if (value == m_value) return;
    m_value = value;
    showValue();
    updateReset();
}

void ValueRail::setResetValue(double value)
{
    if (value == m_reset_value) return;
    m_reset_value = value;
    updateReset();
}

void ValueRail::setDerived(bool derived, const QString& formula)
{
    if (derived == m_derived && formula == m_formula) return;
    m_derived = derived;
    m_formula = formula;
    QFont font = m_field->font();
    font.setItalic(derived);
    m_field->setFont(font);
    m_field->setReadOnly(derived);
    m_track->setVisible(!derived);
    showValue();
    updateReset();
}

void ValueRail::setLockable(bool lockable)
{
    m_lockable = lockable;
    arrange();
}

void ValueRail::setLocked(bool locked) { m_lock->setChecked(locked); }

void ValueRail::setProblem(const QString& problem, bool is_error)
{
    if (problem == m_problem && is_error == m_problem_is_error) return;
    m_problem = problem;
    m_problem_is_error = is_error;
    showMessage();
}

void ValueRail::showValue()
{
    m_parse_error.clear();
    m_field->setText(formatQuantity(m_value, m_format.kind));
    m_field->setModified(false);
    m_field->setCursorPosition(0);
    showMessage();
}

void ValueRail::showMessage()
{
    const Theme theme = themeFor(palette());
    const bool parse_error = !m_parse_error.isEmpty();
    QString text = parse_error ? m_parse_error : m_problem;
    const bool is_error = parse_error || (!m_problem.isEmpty() && m_problem_is_error);
    if (text.isEmpty() && m_derived && !isFolded()) text = m_formula;

    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, is_error ? theme.over : theme.muted_text);
    m_message->setPalette(colours);
    m_message->setText(is_error ? QStringLiteral("✖ ") + text : text);
    m_message->setVisible(!text.isEmpty());

    QPalette field = palette();
    if (is_error) field.setColor(QPalette::Text, theme.over);
    m_field->setPalette(field);
    m_field->setAccessibleDescription(text.isEmpty() ? m_formula : text);
    setTip(m_field, m_derived ? m_formula : QString());
}

void ValueRail::commitText()
{
    if (m_derived || !m_field->isModified()) return;
    const auto parsed = parseQuantity(m_field->text(), m_format);
    if (!parsed) {
        // The typed text stays: the error is shown, not corrected.
        m_parse_error = parsed.error();
        showMessage();
        return;
    }
    const bool differs = *parsed != m_value;
    m_value = *parsed;
    m_track->setValue(m_value);
    showValue();
    updateReset();
    if (differs) emit edited(m_value, EditPhase::Committed);
}

void ValueRail::restoreText()
{
    showValue();
    m_field->selectAll();
}

void ValueRail::reset()
{
    if (m_derived || m_value == m_reset_value) return;
    setValue(m_reset_value);
    emit edited(m_value, EditPhase::Committed);
}

void ValueRail::onMoved(double value, EditPhase phase)
{
    m_dragging = phase == EditPhase::Dragging;
    setValue(value);
    emit edited(value, phase);
}

bool ValueRail::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_field || m_derived) return QWidget::eventFilter(watched, event);
    const bool is_key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (is_key) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        const bool restores = key.key() == Qt::Key_Escape && (m_field->isModified() || !m_parse_error.isEmpty());
        const bool steps = key.key() == Qt::Key_Up || key.key() == Qt::Key_Down || key.key() == Qt::Key_PageUp
            || key.key() == Qt::Key_PageDown
            || (key.key() == Qt::Key_0 && (key.modifiers() & Qt::ControlModifier) != 0);
        if (restores || steps) {
            event->accept();
            if (event->type() == QEvent::ShortcutOverride) return true;
            if (restores) restoreText();
            return restores || m_track->handleKey(key);
        }
    }
    if (event->type() == QEvent::KeyRelease && !static_cast<QKeyEvent*>(event)->isAutoRepeat()) m_track->commitKeys();
    if (event->type() == QEvent::FocusOut) m_track->commitKeys();
    return QWidget::eventFilter(watched, event);
}

void ValueRail::mousePressEvent(QMouseEvent* event)
{
    if (!m_foldable || event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    setOpen(!m_open);
}

void ValueRail::keyPressEvent(QKeyEvent* event)
{
    // A Return in the field ends its text.
    const bool opens = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (!m_foldable || !opens || !m_track->hasFocus()) return QWidget::keyPressEvent(event);
    setOpen(!m_open);
}

void ValueRail::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        showMessage();
        updateButtons();
    }
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void ValueRail::updateReset() { m_reset->setVisible(!m_derived && m_value != m_reset_value); }

/// Updates the icons and the tool tip of the lock.
void ValueRail::updateButtons()
{
    const QColor ink = palette().color(QPalette::ButtonText);
    m_lock->setIcon(symbolIcon(m_lock->isChecked() ? Symbol::LockClosed : Symbol::LockOpen, ink));
    m_reset->setIcon(symbolIcon(Symbol::Reset, ink));
    setTip(m_lock,
        m_lock->isChecked() ? tr("Held. Open the lock to let it follow from the other values (Ctrl+L).")
                            : tr("Follows from the other values. Close the lock to hold it (Ctrl+L)."));
}

void ValueRail::retranslate()
{
    m_reset->setToolTip(tr("Back to the value that was opened (Ctrl+0)"));
    m_reset->setAccessibleName(tr("Reset %1").arg(name()));
    m_lock->setAccessibleName(tr("Hold %1").arg(name()));
    const QString fold = (isFolded() ? tr("Open the rail of %1") : tr("Fold the rail of %1")).arg(name());
    m_fold->setAccessibleName(fold);
    setTip(m_fold, fold);
    updateButtons();
}

} // namespace cardfit::ui
