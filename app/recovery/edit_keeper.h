// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include "app/recovery/recovery_hold.h"

namespace cardfit::app {

class PlanDocument;

/// Keeps the plan's unsaved edits in a recovery file, at most a second behind, so that they outlast a program that is
/// killed. Written beside the window's thread; gone once the plan is saved, given up or back where it was.
class EditKeeper : public QObject {
    Q_OBJECT

public:
    EditKeeper(PlanDocument& document, std::filesystem::path directory, QObject* parent = nullptr);
    /// Unsaved edits stay in their file: whoever gives them up says so by finish().
    ~EditKeeper() override;

    /// The window closes, and the user has said what becomes of the edits.
    void finish();
    /// Writes now and waits until it stands.
    void keepNow();

signals:
    /// Edits cannot be kept; said once until they can.
    void failed(const QString& why);

private:
    void follow();
    void keep();
    void drop();
    void write(const std::string& text);

    PlanDocument& m_document;
    std::filesystem::path m_directory;
    QTimer m_delay;
    std::unique_ptr<RecoveryHold> m_hold; ///< of the writer's thread; null before the first edit
    bool m_has_failed = false; ///< of the writer's thread
    std::atomic_bool m_writing = false;
    QThreadPool m_writer; ///< of one thread, so that files are written and removed in order; ends first
};

} // namespace cardfit::app
