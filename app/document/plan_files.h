// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QObject>
#include <QStringList>

#include "core/io/plan/presets.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class PlanDocument;

/// New, open, save and recent files: the part of the File menu that may ask before it acts.
class PlanFiles : public QObject {
    Q_OBJECT

public:
    /// Dialogs belong to `window`.
    PlanFiles(PlanDocument& document, const Presets& presets, QWidget* window);

    void fill(QMenu* menu);

    /// Opens a file; on an error the open plan stays and failed() says why.
    bool open(const QString& file);
    /// The same for a file that takes the place of the open plan, whose unsaved edits may be worth more to the user.
    void openInstead(const QString& file);
    /// `take` is asked about every file that is to be opened, and returns true if it was for it.
    void setOtherFiles(std::function<bool(const QString& file)> take) { m_take_other = std::move(take); }
    /// Where a plan goes that would take the place of unsaved edits: the files of another window, made for it. Without
    /// it the user is asked.
    void setElsewhere(std::function<PlanFiles&()> make) { m_elsewhere = std::move(make); }
    /// Writes the plan's file, after asking where there is none or where somebody else has changed it.
    bool save();
    /// Takes over what the plan's file holds now, as one undo step.
    bool reload();
    bool saveAs(const QString& file);
    /// Starts over with a plan that has no file, unless unsaved edits are worth more to the user; true if it did, here
    /// or in another window. `imported`: the launcher's text that it comes from.
    bool startWith(const Plan& plan, const QString& imported = {});
    /// Asks whether to save or discard unsaved edits; true if the plan may be replaced.
    [[nodiscard]] bool mayGiveUp();

    /// The open plan's folder, or the one that a plan was last opened from or saved to.
    [[nodiscard]] QString folder() const;
    /// Newest first; may name files that are gone.
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
    /// Null if the plan here may be replaced.
    [[nodiscard]] PlanFiles* elsewhere() const;

    std::function<bool(const QString& file)> m_take_other;
    std::function<PlanFiles&()> m_elsewhere;
};

} // namespace cardfit::app
