// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cardfit::app {

/// $XDG_STATE_HOME/cardfit/recovery, by default in ~/.local/state; see userFolder().
[[nodiscard]] std::filesystem::path recoveryDirectory();

/// A lock that the operating system holds for a process. It ends with its process, whatever its file contains and
/// whichever host wrote it.
class ProcessLock {
public:
    explicit ProcessLock(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }
    /// Removes the file.
    ~ProcessLock();
    ProcessLock(const ProcessLock&) = delete;
    ProcessLock& operator=(const ProcessLock&) = delete;

    /// False if another process, or another lock of this process, holds it.
    [[nodiscard]] bool tryLock();

private:
    std::filesystem::path m_file;
    int m_handle = -1;
};

/// A recovery file that this process has locked: no other window can take it until this object is destroyed or the
/// process ends, even by a crash. The file itself stays until it is removed.
class RecoveryFile {
public:
    /// Chooses a new name in the directory, which is created if missing. Writes nothing yet.
    [[nodiscard]] static Result<std::unique_ptr<RecoveryFile>> create(const std::filesystem::path& directory);
    /// Takes a file that an ended process left behind; null while that process runs, or if another window has it.
    [[nodiscard]] static std::unique_ptr<RecoveryFile> take(const std::filesystem::path& file);

    [[nodiscard]] const std::filesystem::path& path() const { return m_file; }
    /// Replaces the file atomically.
    [[nodiscard]] Result<void> write(std::string_view text) const;
    /// Removes the file if it exists; its name stays locked.
    void remove() const;

private:
    explicit RecoveryFile(std::filesystem::path file);

    std::filesystem::path m_file;
    ProcessLock m_lock;
};

/// The files in the directory whose processes have ended, newest first. Removes locks without a file.
[[nodiscard]] std::vector<std::unique_ptr<RecoveryFile>> leftRecoveries(const std::filesystem::path& directory);

} // namespace cardfit::app
