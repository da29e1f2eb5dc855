// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/launch/launch.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class FileExport;
class PlanDocument;

/// Reads files of launchers and models into plans, and writes files that start a plan.
class LauncherFiles : public QObject {
    Q_OBJECT

public:
    /// Dialogs have `window` as their parent.
    LauncherFiles(PlanDocument& document, const Presets& presets, QWidget* window);

    void fillFileMenu(QMenu* menu);
    void fillExportMenu(QMenu* menu);

    /// Handles a file of a launcher or a model: a config.json changes the plan's model, as one undo step; a launcher's
    /// file is shown in a dialog before it is opened. Returns false for any other file, which may be a plan.
    bool take(const QString& file);
    /// Writes the file that starts the plan, and tells the user what that file cannot express.
    bool exportTo(Launcher launcher, const QString& file);
    bool copy(Launcher launcher);
    /// `text`, a launcher's file, with the plan's options written into it and everything else unchanged, after telling
    /// the user what changed; nullopt if it is not a launcher's file or cannot express the plan.
    [[nodiscard]] std::optional<std::string> changedText(const QString& text);
    /// The same for a file, which is overwritten.
    bool exportInto(const QString& file);

signals:
    void failed(const QString& what, const QString& why);
    /// Asks to open a plan, with the text that it was imported from.
    void imported(const cardfit::Plan& plan, const QString& text);

private:
    void askAndImport(const QString& text, const QString& file = {});
    void useModel(Plan changed, const QString& name);
    bool takeModel(Launcher launcher, const QString& file, const std::string& text);
    void askAndExport(Launcher launcher);
    void askAndExportInto();
    void askAndExportImported();
    void warnIfOver();
    /// Fills the launch menu; launchers of the plan's own framework come first.
    void fillLaunchMenu(QMenu* launch);
    /// The file that starts the plan, after telling the user what it cannot express and, if so, that the plan does not
    /// fit its cards; nullopt if no launcher can start it.
    std::optional<std::string> launchText(Launcher launcher);
    void tell(const QString& what, const std::vector<LaunchNote>& notes);
    void tell(const QString& what, const QStringList& lines);

    PlanDocument& m_document;
    const Presets& m_presets;
    QWidget* m_window;
    FileExport* m_export;
    QString m_pasted; ///< text of a cancelled import, shown again in the next one
};

} // namespace cardfit::app
