// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

namespace cardfit::app {

/// A plan's file as this window read or wrote it last, beside what it holds by now: other programs and other windows
/// write it, too. Contents are compared, not times, so that a file that was touched or written again as it was is the
/// same.
class SavedFile : public QObject {
    Q_OBJECT

public:
    enum class State { AsKnown, Changed, Gone };

    SavedFile();

    /// `path`: absolute; empty for a plan without a file. `text`: what was read from it or written to it.
    void set(const QString& path, std::string text);
    [[nodiscard]] const QString& path() const { return m_path; }
    /// As of the last look.
    [[nodiscard]] State state() const { return m_state; }
    /// Looks now, whatever the file system has told.
    State look();

signals:
    void stateChanged();

private:
    void watch();

    QString m_path;
    std::string m_text;
    State m_state = State::AsKnown;
    QFileSystemWatcher m_watcher;
    QTimer m_settle; ///< a file that is being written changes several times
};

} // namespace cardfit::app
