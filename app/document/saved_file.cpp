// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/saved_file.h"

#include <utility>

#include <QFileInfo>

#include "app/document/file_path.h"
#include "core/files/file.h"

namespace cardfit::app {

namespace {

constexpr int kSettle = 100; ///< milliseconds

} // namespace

SavedFile::SavedFile()
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettle);
    connect(&m_settle, &QTimer::timeout, this, &SavedFile::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_settle, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_settle, qOverload<>(&QTimer::start));
}

void SavedFile::set(const QString& path, std::string text)
{
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    if (path != m_path && !watched.isEmpty()) m_watcher.removePaths(watched);
    m_path = path;
    m_text = std::move(text);
    m_settle.stop();
    m_state = State::AsKnown;
    watch();
}

/// Watches the file, which a program may write in place, and its folder, because a program that replaces the file ends
/// the watch on it.
void SavedFile::watch()
{
    if (m_path.isEmpty()) return;
    const QString folder = QFileInfo(m_path).path();
    if (m_watcher.directories().isEmpty() && QFileInfo::exists(folder)) m_watcher.addPath(folder);
    if (m_watcher.files().isEmpty() && QFileInfo::exists(m_path)) m_watcher.addPath(m_path);
}

SavedFile::State SavedFile::look()
{
    if (m_path.isEmpty()) return m_state;
    const auto text = readFile(toPath(m_path));
    const State before = std::exchange(m_state,
        text && *text == m_text                 ? State::AsKnown
            : text || QFileInfo::exists(m_path) ? State::Changed
                                                : State::Gone);
    watch();
    if (m_state != before) emit stateChanged();
    return m_state;
}

} // namespace cardfit::app
