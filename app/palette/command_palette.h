// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QDialog>

#include "app/palette/palette_commands.h"

class QLineEdit;
class QTreeWidget;

namespace cardfit::app {

/// A line to type into, with the list of matching commands: Up and Down choose, Enter runs, Esc closes.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    using Commands = std::function<std::vector<PaletteCommand>()>;
    /// Makes commands from the query itself ("tensor 4"); they are listed before the commands that match it.
    using Answers = std::function<std::vector<PaletteCommand>(const QString& query)>;

    /// `commands` is called each time the palette opens.
    CommandPalette(Commands commands, Answers answers, QWidget* window);

    /// Opens at the top of the window, with an empty query.
    void popUp();

    [[nodiscard]] QLineEdit* field() const { return m_field; }
    [[nodiscard]] QTreeWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showAnswers();
    void runCurrent();

    Commands m_make_commands;
    Answers m_answers;
    std::vector<PaletteCommand> m_commands;
    std::vector<PaletteCommand> m_shown; ///< in the list's order
    QLineEdit* m_field;
    QTreeWidget* m_list;
};

} // namespace cardfit::app
