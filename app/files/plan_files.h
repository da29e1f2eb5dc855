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

/// New, open, save and recent files: the part of the File menu that may ask the user before it acts.
class PlanFiles : public QObject {
    Q_OBJECT

public:
    /// Dialogs have `window` as their parent.
    PlanFiles(PlanDocument& document, const Presets& presets, QWidget* window);

    void fill(QMenu* menu);

    /// Opens a file; on an error the open plan stays and failed() says why.
    bool open(const QString& file);
    /// Opens a file instead of the open plan: in another window or after asking if there are unsaved edits.
    void openInstead(const QString& file);
    /// `take` is asked about every file before it is opened; returns true if it has handled the file.
    void setOtherFiles(std::function<bool(const QString& file)> take) { m_take_other = std::move(take); }
    /// `make` creates another window and returns its files; a plan that would replace unsaved edits is opened there.
    /// Without it the user is asked.
    void setElsewhere(std::function<PlanFiles&()> make) { m_elsewhere = std::move(make); }
    /// Writes the plan's file; asks if there is no file or if another program has changed it.
    bool save();
    /// Reads the plan's file again, as one undo step.
    bool reload();
    bool saveAs(const QString& file);
    /// Starts over with a plan that has no file; if there are unsaved edits, in another window or after asking. Returns
    /// true if it did. `imported`: the launcher's text that the plan comes from.
    bool startWith(const Plan& plan, const QString& imported = {});
    /// Asks whether to save or discard unsaved edits. Returns true if the plan may be replaced.
    [[nodiscard]] bool mayGiveUp();

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
    const Presets& m_presets;
    QWidget* m_window;
    /// The files of another window, if unsaved edits must not be replaced here; null if the plan here may be replaced.
    [[nodiscard]] PlanFiles* elsewhere() const;

    std::function<bool(const QString& file)> m_take_other;
    std::function<PlanFiles&()> m_elsewhere;
};

} // namespace cardfit::app
