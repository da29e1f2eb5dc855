// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace cardfit::app {

/// Compares a plan's file on disk with its content as this window last read or wrote it: other programs and windows
/// write it, too. Contents are compared, not times, so a file that was only touched or rewritten identically counts as
/// unchanged.
class SavedFile : public QObject {
    Q_OBJECT

public:
    enum class State { AsKnown, Changed, Gone };

    SavedFile();

    /// `path`: absolute; empty for a plan without a file. `text`: content that was read from it or written to it.
    void set(const QString& path, std::string text);
    [[nodiscard]] const QString& path() const { return m_path; }
    /// What set() was told.
    [[nodiscard]] const std::string& text() const { return m_text; }
    /// State as of the last check.
    [[nodiscard]] State state() const { return m_state; }
    /// Checks now, whatever the file system has reported.
    State look();

signals:
    void stateChanged();

private:
    void watch();

    QString m_path;
    std::string m_text;
    State m_state = State::AsKnown;
    QFileSystemWatcher m_watcher;
    QTimer m_settle; ///< delay, because a file that is being written changes several times
};

} // namespace cardfit::app
