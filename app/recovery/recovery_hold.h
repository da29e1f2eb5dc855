// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include <QLockFile>

#include "core/result.h"

namespace cardfit::app {

/// $XDG_STATE_HOME/cardfit/recovery, by default in ~/.local/state; need not exist yet.
[[nodiscard]] std::filesystem::path recoveryDirectory();

/// A recovery file that this process holds: no other window takes it until this object or the process ends, however
/// that ends. The file itself stays until it is removed.
class RecoveryHold {
public:
    /// A new file's place in the directory, which is made if it is missing. Nothing is written yet.
    [[nodiscard]] static Result<std::unique_ptr<RecoveryHold>> create(const std::filesystem::path& directory);
    /// A file that a process left behind; null while that one runs, or if another window has it.
    [[nodiscard]] static std::unique_ptr<RecoveryHold> take(const std::filesystem::path& file);

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    /// Replaces the file in one step.
    [[nodiscard]] Result<void> write(std::string_view text) const;
    /// Removes the file, if there is one; the place stays held.
    void remove() const;

private:
    explicit RecoveryHold(std::filesystem::path file);

    std::filesystem::path m_file;
    QLockFile m_lock;
};

/// The files in the directory whose processes have ended, newest first. Locks without a file are tidied away.
[[nodiscard]] std::vector<std::unique_ptr<RecoveryHold>> leftRecoveries(const std::filesystem::path& directory);

} // namespace cardfit::app
