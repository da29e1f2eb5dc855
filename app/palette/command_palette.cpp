// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/palette/command_palette.h"

#include <algorithm>

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/palette/fuzzy_match.h"
#include "widgets/text/tool_tip.h"

namespace cardfit::app {

namespace {

constexpr QSize kSize(620, 400);
constexpr int kTop = 64; ///< pixels below the window's upper edge
constexpr std::size_t kMost = 200; ///< most commands listed

} // namespace

CommandPalette::CommandPalette(Commands commands, Answers answers, QWidget* window)
    : QDialog(window, Qt::Dialog | Qt::FramelessWindowHint)
    , m_make_commands(std::move(commands))
    , m_answers(std::move(answers))
    , m_field(new QLineEdit(this))
    , m_list(new QTreeWidget(this))
{
    setWindowTitle(tr("Commands"));
    m_field->setPlaceholderText(tr("A command, a preset, or a quantity and its value: tensor 4"));
    m_field->setAccessibleName(tr("Command"));
    m_field->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Matching commands"));
    m_list->setColumnCount(2);
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    column->addWidget(m_field);
    column->addWidget(m_list, 1);

    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::showAnswers);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QTreeWidget::itemClicked, this, &CommandPalette::runCurrent);
}

void CommandPalette::popUp()
{
    m_commands = m_make_commands();
    m_field->clear();
    showAnswers();
    const QWidget* window = parentWidget();
    const QSize size = kSize.boundedTo(window->size() - QSize(2 * kTop, 2 * kTop)).expandedTo(minimumSizeHint());
    const QPoint corner = window->mapToGlobal(QPoint((window->width() - size.width()) / 2, kTop));
    setGeometry(QRect(corner, size));
    show();
    raise();
    activateWindow();
    m_field->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::showAnswers()
{
    const QString query = m_field->text().trimmed();
    m_shown = m_answers(query);
    std::vector<std::pair<int, const PaletteCommand*>> found;
    for (const PaletteCommand& command : m_commands) {
        const auto score = std::max(fuzzyScore(query, command.title),
            command.keywords.isEmpty() ? std::nullopt : fuzzyScore(query, command.keywords));
        if (score) found.emplace_back(*score, &command);
    }
    // An empty query lists everything in the order of the menus.
    if (!query.isEmpty())
        std::ranges::stable_sort(found, [](const auto& one, const auto& other) { return one.first > other.first; });
    for (const auto& [score, command] : found) {
        if (m_shown.size() == kMost) break;
        m_shown.push_back(*command);
    }

    m_list->clear();
    for (const PaletteCommand& command : m_shown) {
        const QString text =
            command.problem.isEmpty() ? command.title : tr("%1: %2").arg(command.title, command.problem);
        auto* item = new QTreeWidgetItem(m_list, {text, command.hint});
        item->setToolTip(0, ui::asPlain(text));
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setForeground(1, palette().brush(QPalette::PlaceholderText));
        item->setDisabled(!command.enabled);
    }
    if (m_shown.empty()) {
        auto* none = new QTreeWidgetItem(m_list, {tr("No matches")});
        none->setDisabled(true);
    } else {
        m_list->setCurrentItem(m_list->topLevelItem(0));
    }
}

void CommandPalette::runCurrent()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    if (row < 0 || row >= static_cast<int>(m_shown.size())) return;
    const PaletteCommand command = m_shown[static_cast<std::size_t>(row)];
    if (!command.enabled) return;
    hide();
    // In the next iteration of the event loop, when the window has its focus back: the command may move the focus.
    QTimer::singleShot(0, parentWidget(), command.run);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: return QCoreApplication::sendEvent(m_list, event);
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void CommandPalette::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    // A click beside the palette closes it.
    if (event->type() == QEvent::ActivationChange && isVisible() && !isActiveWindow()) hide();
}

} // namespace cardfit::app
