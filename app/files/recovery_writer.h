// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include "app/files/recovery_file.h"

namespace cardfit::app {

class PlanDocument;

/// Writes the plan's unsaved edits to a recovery file, at most a second after an edit, so that they survive a crash.
/// Writes in a thread of its own. The file is removed when the plan is saved, discarded or equal to the opened plan.
class RecoveryWriter : public QObject {
    Q_OBJECT

public:
    RecoveryWriter(PlanDocument& document, std::filesystem::path directory, QObject* parent = nullptr);
    /// Leaves unsaved edits in their file; finish() removes it.
    ~RecoveryWriter() override;

    /// Removes the file; call it when the window closes and the user has decided about the edits.
    void finish();
    /// Writes now and waits until the file is written.
    void writeNow();

signals:
    /// Edits cannot be written. Emitted once, and again only after a write has succeeded.
    void failed(const QString& why);

private:
    void follow();
    void startWriting();
    void startRemoving();
    void write(const std::string& text);

    PlanDocument& m_document;
    std::filesystem::path m_directory;
    QTimer m_delay;
    std::unique_ptr<RecoveryFile> m_file; ///< used by the writer's thread only; null before the first edit
    bool m_has_failed = false; ///< used by the writer's thread only
    std::atomic_bool m_writing = false;
    QThreadPool m_writer; ///< one thread, so that writing and removing happen in order; declared last, so that it is
                          ///< destroyed first
};

} // namespace cardfit::app
