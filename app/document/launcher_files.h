// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "core/io/launch/launch.h"

class QMenu;
class QWidget;

namespace cardfit::app {

class FileExport;
class PlanDocument;

/// Reads files of launchers and models into plans, and writes files that start a plan.
class LauncherFiles : public QObject {
    Q_OBJECT

public:
    /// Dialogs belong to `window`.
    LauncherFiles(PlanDocument& document, const Presets& presets, QWidget* window);

    void fillFileMenu(QMenu* menu);
    void fillExportMenu(QMenu* menu);

    /// Takes a file that is a launcher's or a model's: a config.json changes the plan's model, as one undo step; what a
    /// launcher starts is shown before it is opened. False for any other file, which may be a plan.
    bool take(const QString& file);
    /// Writes the file that starts the plan, and tells what that file cannot hold.
    bool exportTo(Launcher launcher, const QString& file);
    bool copy(Launcher launcher);
    /// `text`, a launcher's file, with the plan's options in it and all else as it stands, after telling what changed;
    /// nullopt if it is none or the plan cannot be said in it.
    [[nodiscard]] std::optional<std::string> changedText(const QString& text);
    /// The same written back into a file.
    bool exportInto(const QString& file);

signals:
    void failed(const QString& what, const QString& why);
    /// A plan to start over with, and the text that it comes from; `taken` is set by whoever does.
    void imported(const cardfit::Plan& plan, const QString& text, bool& taken);

private:
    void askAndImport(const QString& text);
    void useModel(Plan changed, const QString& name);
    bool takeModel(Launcher launcher, const QString& file, const std::string& text);
    void askAndExport(Launcher launcher);
    void askAndExportInto();
    void askAndExportImported();
    void warnIfOver();
    /// Entries of the launch menu, those of the plan's own framework first.
    void fillLaunchMenu(QMenu* launch);
    /// The file that starts the plan, after telling the user what it cannot hold and that the plan does not fit its
    /// cards, if so; nullopt if no launcher can start it.
    std::optional<std::string> launchText(Launcher launcher);
    void tell(const QString& what, const std::vector<LaunchNote>& notes);
    void tell(const QString& what, const QStringList& lines);

    PlanDocument& m_document;
    const Presets& m_presets;
    QWidget* m_window;
    FileExport* m_export;
    QString m_pasted; ///< of an import that was cancelled: it comes back with the next one
};

} // namespace cardfit::app
