// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QDateTime>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include "app/files/recovery_file.h"
#include "core/files/presets.h"
#include "core/files/recovery_text.h"

namespace cardfit::app {

class PlanDocument;

/// A plan that a program left behind, in its file, which is locked as long as this lives.
struct LeftPlan {
    std::unique_ptr<RecoveryFile> file;
    Result<UnsavedPlan> content; ///< an error says why it cannot be opened
    QDateTime when; ///< when it was written
};

/// Plans in a directory whose programs have ended, newest first.
[[nodiscard]] std::vector<LeftPlan> leftPlans(const std::filesystem::path& directory, const Presets& presets);

/// Keeps the open tabs, each in a file of its own that no other program can take, at most a second after a change. So
/// they come back at the next start, with edits that were never saved, however the program ended. Writes in a thread of
/// its own.
class TabKeeper : public QObject {
    Q_OBJECT

public:
    TabKeeper(PlanDocument& document, std::filesystem::path directory, QObject* parent = nullptr);
    /// Writes what is not written yet.
    ~TabKeeper() override;

    /// Opens the tabs of programs that have ended as they were. Plans that earlier versions pinned become tabs, too.
    void restore(const Presets& presets);
    /// Writes now and waits for it. False if the tabs cannot be kept.
    bool writeNow();

    /// Closed plans that no file holds, newest first.
    [[nodiscard]] std::vector<LeftPlan> closedPlans(const Presets& presets) const;
    /// Opens such a plan again.
    void reopen(const LeftPlan& closed, const Presets& presets);

signals:
    /// Emitted once, and again only after a write has succeeded.
    void failed(const QString& what, const QString& why);

private:
    /// What the writer's thread knows of a tab; nobody else uses it.
    struct Kept {
        std::unique_ptr<RecoveryFile> file; ///< null before the first write
        std::string text;
    };
    struct Job {
        std::shared_ptr<Kept> kept;
        std::optional<UnsavedPlan> content; ///< nullopt: the file goes
    };

    [[nodiscard]] std::optional<UnsavedPlan> contentOf(int index) const;
    int open(const UnsavedPlan& content, const Presets& presets);
    void restorePins(const Presets& presets);
    void setAside(const std::filesystem::path& file, const Error& why);
    void follow();
    void keepClosed(int index);
    void startWriting();
    void sayFailed(const QString& why);
    static Result<void> write(Kept& kept, const UnsavedPlan& content, const std::filesystem::path& directory);
    [[nodiscard]] std::filesystem::path closedDirectory() const { return m_directory / "closed"; }

    PlanDocument& m_document;
    std::filesystem::path m_directory;
    QTimer m_delay;
    std::map<int, std::shared_ptr<Kept>> m_kept; ///< by the tab's id
    std::atomic_bool m_has_failed = false;
    std::atomic_bool m_writing = false;
    QThreadPool m_writer; ///< one thread, so that writing and removing happen in order; declared last, so that it is
                          ///< destroyed first
};

} // namespace cardfit::app
