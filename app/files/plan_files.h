// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QObject>
#include <QStringList>

#include "core/files/presets.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class PlanDocument;
class TabKeeper;

/// New, open, save, close and recent plans: the part of the File menu that may ask the user before it acts.
class PlanFiles : public QObject {
    Q_OBJECT

public:
    /// Dialogs have `window` as their parent.
    PlanFiles(PlanDocument& document, TabKeeper& tabs, const Presets& presets, QWidget* window);

    void fill(QMenu* menu);

    /// Opens a file in a tab of its own, or shows the tab that has it; on an error failed() says why.
    bool open(const QString& file);
    /// `take` is asked about every file before it is opened; returns true if it has handled the file.
    void setOtherFiles(std::function<bool(const QString& file)> take) { m_take_other = std::move(take); }
    /// Writes the plan's file; asks if there is no file or if another program has changed it.
    bool save();
    /// Reads the plan's file again, as one undo step.
    bool reload();
    bool saveAs(const QString& file);
    /// A shipped plan: takes the place of a plan without edits and file, otherwise it gets a tab of its own.
    void pick(const Plan& plan);
    /// Opens the plan that was closed last, if no file holds it.
    void reopen();

    /// The open plan's folder, or else the folder that was last used.
    [[nodiscard]] QString folder() const;
    /// Newest first; may include missing files.
    [[nodiscard]] static QStringList recentFiles();

signals:
    void failed(const QString& what, const QString& why);

private:
    bool askAndSave();
    bool askWhatToKeep();
    [[nodiscard]] QString differencesToFile() const;
    void askAndOpen();
    void remember(const QString& file);
    void fillRecent(QMenu* menu);

    PlanDocument& m_document;
    TabKeeper& m_tabs;
    const Presets& m_presets;
    QWidget* m_window;
    std::function<bool(const QString& file)> m_take_other;
};

} // namespace cardfit::app
