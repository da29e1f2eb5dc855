// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/menus/plan_tabs.h"

#include <QAction>
#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTabBar>
#include <QToolButton>

#include "app/controls/menu_text.h"
#include "core/report/reports.h"
#include "widgets/chart/theme.h"
#include "widgets/text/tool_tip.h"
#include "widgets/verdict_strip.h"

namespace cardfit::app {

namespace {

constexpr int kWidestTab = 260;
constexpr int kNumbered = 9; ///< tabs that a digit leads to

/// Tabs no wider than their names need, and never so wide that two of them fill the window.
class BoundedTabBar : public QTabBar {
public:
    using QTabBar::QTabBar;

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override
    {
        return QTabBar::tabSizeHint(index).boundedTo({kWidestTab, QWIDGETSIZE_MAX});
    }
    /// A middle click closes a tab, as in browsers.
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        QTabBar::mouseReleaseEvent(event);
        const int index = tabAt(event->position().toPoint());
        if (event->button() == Qt::MiddleButton && index >= 0) emit tabCloseRequested(index);
    }
};

} // namespace

QString withFileState(const QString& name, SavedFile::State state)
{
    switch (state) {
    case SavedFile::State::AsKnown: break;
    case SavedFile::State::Changed: return PlanTabs::tr("%1 (changed on disk)").arg(name);
    case SavedFile::State::Gone: return PlanTabs::tr("%1 (gone from disk)").arg(name);
    }
    return name;
}

PlanTabs::PlanTabs(PlanDocument& document, ViewState& state, QWidget* window)
    : QWidget(window)
    , m_document(document)
    , m_state(state)
    , m_bar(new BoundedTabBar(this))
    , m_add(new QToolButton(this))
    , m_close(new QAction(tr("&Close tab"), this))
    , m_tick(new QAction(tr("&Tick the plan, to compare others with it"), this))
    , m_outlines(new QAction(tr("&Outlines of ticked plans in the charts"), this))
    , m_bars(new QMenu(tr("&Bars show"), window))
    , m_go(new QMenu(tr("Go to t&ab"), window))
{
    m_bar->setMovable(true);
    m_bar->setExpanding(false);
    m_bar->setDrawBase(false);
    m_bar->setElideMode(Qt::ElideRight);
    m_bar->setUsesScrollButtons(true);
    m_bar->setIconSize({14, 14});
    m_bar->setAccessibleName(tr("Open plans"));
    m_add->setText(QStringLiteral("+"));
    m_add->setAutoRaise(true);
    m_add->setFocusPolicy(Qt::TabFocus);
    m_add->setToolTip(tr("New plan"));
    m_add->setAccessibleName(tr("New plan"));
    connect(m_add, &QToolButton::clicked, &m_document, &PlanDocument::openStart);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 2, 4, 0);
    row->setSpacing(2);
    row->addWidget(m_bar);
    row->addWidget(m_add);
    row->addStretch();

    m_close->setShortcut(Qt::CTRL | Qt::Key_W);
    connect(m_close, &QAction::triggered, this, [this] { m_document.close(m_document.current()); });
    m_tick->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    m_tick->setCheckable(true);
    connect(m_tick, &QAction::triggered, this, [this](bool on) { m_document.tick(m_document.current(), on); });
    m_outlines->setCheckable(true);
    connect(m_outlines, &QAction::triggered, this, [this](bool outlined) {
        if (outlined) m_document.outlineAll();
        m_state.setOutlinesPins(outlined);
        updateBars();
    });

    connect(m_bar, &QTabBar::currentChanged, this, &PlanTabs::showFromBar);
    connect(
        m_bar, &QTabBar::tabCloseRequested, this,
        [this](int index) { m_document.close(m_document.indexOfId(m_bar->tabData(index).toInt())); },
        Qt::QueuedConnection);
    connect(m_bar, &QTabBar::tabMoved, &m_document, &PlanDocument::moveTab);
    connect(&m_document, &PlanDocument::tabsChanged, this, &PlanTabs::refresh);
    connect(&m_document, &PlanDocument::fileChanged, this, &PlanTabs::refresh);
    connect(&m_document, &PlanDocument::estimateChanged, this, [this] { updateVerdict(m_document.current()); });
    connect(&m_state, &ViewState::pinsShownChanged, this, &PlanTabs::updateBars);
    refresh();
}

void PlanTabs::fillCompareMenu(QMenu* menu)
{
    auto* keep = menu->addAction(tr("&Keep a copy"), &m_document, &PlanDocument::keepCopy);
    keep->setShortcut(Qt::CTRL | Qt::Key_D);
    keep->setStatusTip(tr("The plan as it is now goes into a tab, ticked; editing goes on here"));
    menu->addAction(m_tick);
    menu->addSeparator();
    menu->addMenu(m_bars);
    menu->addAction(m_outlines);
}

void PlanTabs::fillGoMenu(QMenu* menu)
{
    const auto add = [this, menu](const QString& text, int by, const QList<QKeySequence>& keys) {
        auto* action = menu->addAction(text, this,
            [this, by] { m_document.show((m_document.current() + by + m_document.count()) % m_document.count()); });
        action->setShortcuts(keys);
    };
    add(tr("&Next tab"), 1, {Qt::CTRL | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageDown});
    add(tr("Previous ta&b"), -1,
        {Qt::CTRL | Qt::SHIFT | Qt::Key_Tab, Qt::CTRL | Qt::Key_Backtab, Qt::CTRL | Qt::SHIFT | Qt::Key_Backtab,
            Qt::CTRL | Qt::Key_PageUp});
    menu->addMenu(m_go);
}

void PlanTabs::setNewMenu(QMenu* plans)
{
    m_add->setMenu(plans);
    m_add->setPopupMode(QToolButton::MenuButtonPopup);
}

QToolButton* PlanTabs::tick(int index) const
{
    return m_bar->tabButton(index, QTabBar::RightSide)->findChild<QToolButton*>(QStringLiteral("tick"));
}

void PlanTabs::showFromBar(int index)
{
    if (index >= 0) m_document.show(m_document.indexOfId(m_bar->tabData(index).toInt()));
}

void PlanTabs::addTab(int id)
{
    const int index = m_bar->addTab(QString());
    m_bar->setTabData(index, id);
    auto* buttons = new QWidget(m_bar);
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const auto add = [&](const char* name, Qt::FocusPolicy focus) {
        auto* button = new QToolButton(buttons);
        button->setObjectName(QString::fromLatin1(name));
        button->setAutoRaise(true);
        button->setFocusPolicy(focus);
        row->addWidget(button);
        return button;
    };
    auto* tick = add("tick", Qt::TabFocus);
    tick->setCheckable(true);
    // Queued, because the button may go with its tab.
    connect(
        tick, &QToolButton::clicked, this,
        [this, id](bool on) {
            if (const int at = m_document.indexOfId(id); at >= 0) m_document.tick(at, on);
        },
        Qt::QueuedConnection);
    auto* close = add("close", Qt::NoFocus);
    close->setText(QStringLiteral("×"));
    connect(
        close, &QToolButton::clicked, this,
        [this, id] {
            if (const int at = m_document.indexOfId(id); at >= 0) m_document.close(at);
        },
        Qt::QueuedConnection);
    m_bar->setTabButton(index, QTabBar::RightSide, buttons);
}

/// Makes the bar's tabs those of the document, in its order.
void PlanTabs::rebuild()
{
    const auto at = [this](int index) { return m_bar->tabData(index).toInt(); };
    for (int index = m_bar->count() - 1; index >= 0; --index) {
        if (m_document.indexOfId(at(index)) < 0) m_bar->removeTab(index);
    }
    for (int index = 0; index < m_document.count(); ++index) {
        const int id = m_document.tab(index).id;
        int from = index;
        while (from < m_bar->count() && at(from) != id)
            ++from;
        if (from == m_bar->count()) addTab(id);
        m_bar->moveTab(from, index);
    }
}

void PlanTabs::refresh()
{
    const QSignalBlocker blocked(m_bar);
    rebuild();
    while (m_go->actions().size() > m_document.count())
        delete m_go->actions().back();
    for (int index = static_cast<int>(m_go->actions().size()); index < m_document.count(); ++index) {
        auto* go = m_go->addAction({}, this, [this, index] { m_document.show(index); });
        if (index < kNumbered) go->setShortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + index));
    }
    for (int index = 0; index < m_document.count(); ++index)
        updateTab(index);
    m_bar->setCurrentIndex(m_document.current());
    m_close->setEnabled(m_document.count() > 1 || !m_document.tab(0).isStart());
    m_tick->setChecked(m_document.tab(m_document.current()).slot >= 0);
    updateBars();
}

void PlanTabs::updateTab(int index)
{
    const OpenPlan& tab = m_document.tab(index);
    updateVerdict(index);
    const QString text = inMenu(withFileState(tab.isModified() ? tab.name + u'*' : tab.name, tab.file.state()));
    // The bar lays out its tabs anew even for the same text, and in a drag this is called for every frame.
    if (text != m_bar->tabText(index)) m_bar->setTabText(index, text);
    m_go->actions().at(index)->setText(text);
    ui::setTip(m_go->actions().at(index), text);
    QToolButton* ticked = tick(index);
    ticked->setChecked(tab.slot >= 0);
    ticked->setText(tab.slot >= 0 ? QString(PlanDocument::letter(tab.slot)) : QStringLiteral("☐"));
    ticked->setAccessibleName(tr("Compare with %1").arg(tab.name));
    QString tip = tr("Tick the plan, to outline it in the charts of other plans and compare it with them");
    if (tab.slot >= 0)
        tip = tr("Outlined in the charts of other plans, and compared with them, as %1")
                  .arg(PlanDocument::letter(tab.slot));
    if (tab.slot >= 0 && !tab.is_outlined)
        tip = tr("Compared as %1. Not outlined: it is of another model or other cards.")
                  .arg(PlanDocument::letter(tab.slot));
    ui::setTip(ticked, tip);
    auto* close = ticked->parent()->findChild<QToolButton*>(QStringLiteral("close"));
    close->setAccessibleName(tr("Close %1").arg(tab.name));
    close->setToolTip(tr("Close; the plan is found under File > Open recent"));
}

void PlanTabs::updateVerdict(int index)
{
    const OpenPlan& tab = m_document.tab(index);
    const bool is_known = tab.hasFigures(m_document.profile());
    const auto fits = is_known ? std::optional(verdict(*tab.figures.estimate)) : std::nullopt;
    const QString word = fits ? ui::verdictLabel(*fits) : tr("being computed");
    const QStringList lines{QString::fromStdString(tab.plan.name), word, tab.file.path()};
    const QString tip = lines.filter(QRegularExpression(QStringLiteral("."))).join(u'\n');
    if (tip == m_bar->tabWhatsThis(index) && !m_bar->tabIcon(index).isNull()) return;
    m_bar->setTabWhatsThis(index, tip);
    m_bar->setTabToolTip(index, ui::asPlain(tip));
    m_bar->setAccessibleTabName(index, tr("%1, %2", "a plan's name and FITS, TIGHT or OVER").arg(tab.name, word));
    m_bar->setTabIcon(index, ui::verdictMark(fits, ui::themeFor(palette())));
}

/// A difference needs another ticked plan.
void PlanTabs::updateBars()
{
    const auto shown = m_state.difference();
    const int compared = shown ? m_document.indexOfSlot(*shown) : -1;
    if (shown && (compared < 0 || compared == m_document.current())) return m_state.setDifference(std::nullopt);
    m_outlines->setChecked(m_state.outlinesPins() && m_document.outlined().size() == m_document.ticked().size());
    QList<int> slots_of_others;
    for (int index = 0; index < m_document.count(); ++index) {
        if (const int slot = m_document.tab(index).slot; slot >= 0 && index != m_document.current())
            slots_of_others << slot;
    }
    if (slots_of_others != m_compared || m_bars->isEmpty()) {
        m_compared = slots_of_others;
        for (QAction* action : m_bars->actions()) {
            m_bars->removeAction(action);
            action->deleteLater(); // it may be the one that was chosen
        }
        const auto add = [&](const QString& text, std::optional<int> slot) {
            auto* action = m_bars->addAction(text, this, [this, slot] { m_state.setDifference(slot); });
            action->setCheckable(true);
        };
        add(tr("Bars: &memory per card"), std::nullopt);
        for (const int slot : m_compared)
            add(tr("Bars: difference to %1").arg(PlanDocument::letter(slot)), slot);
    }
    const QList<QAction*> choices = m_bars->actions();
    for (qsizetype i = 0; i < choices.size(); ++i)
        choices[i]->setChecked(i == 0 ? !shown : shown == m_compared[i - 1]);
}

void PlanTabs::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    for (int index = 0; index < m_bar->count(); ++index)
        m_bar->setTabIcon(index, {});
    refresh();
}

} // namespace cardfit::app
