// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/recovery_file.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QUuid>

#include "app/document/file_path.h"
#include "core/files/file.h"
#include "core/files/user_folder.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

namespace fs = std::filesystem;

const QString kFileEnd = QStringLiteral(".json");
const QString kLockEnd = QStringLiteral(".lock");

fs::file_time_type changed(const fs::path& file)
{
    std::error_code ignored;
    return fs::last_write_time(file, ignored);
}

} // namespace

fs::path recoveryDirectory() { return userFolder("XDG_STATE_HOME", ".local/state", "cardfit/recovery"); }

ProcessLock::~ProcessLock()
{
    if (m_handle < 0) return;
    // Removed before the lock is released; later it could be the next holder's file.
    ::unlink(m_file.c_str());
    ::close(m_handle);
}

bool ProcessLock::tryLock()
{
    for (;;) {
        const int handle = ::open(m_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (handle < 0) return false;
        struct stat held = {};
        struct stat named = {};
        const bool locked = ::flock(handle, LOCK_EX | LOCK_NB) == 0;
        const bool is_named = ::fstat(handle, &held) == 0 && ::stat(m_file.c_str(), &named) == 0
            && held.st_dev == named.st_dev && held.st_ino == named.st_ino;
        if (locked && is_named) {
            m_handle = handle;
            return true;
        }
        ::close(handle);
        if (!locked) return false;
        // The holder removed the file between open() and flock(): try again with the new file, if there is one.
    }
}

RecoveryFile::RecoveryFile(fs::path file)
    : m_file(std::move(file))
    , m_lock(toPath(fromPath(m_file) + kLockEnd))
{
}

Result<std::unique_ptr<RecoveryFile>> RecoveryFile::create(const fs::path& directory)
{
    std::error_code problem;
    fs::create_directories(directory, problem);
    if (problem) return tl::unexpected<Error>(Error{ErrorCode::CannotWrite, directory.string(), {}, reasonOf(problem)});
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces) + kFileEnd;
    std::unique_ptr<RecoveryFile> made(new RecoveryFile(directory / toPath(name)));
    if (made->m_lock.tryLock()) return made;
    return tl::unexpected<Error>(Error{ErrorCode::CannotWrite, made->m_file.string(), {},
        ui::sentence(QCoreApplication::translate("RecoveryFile", "cannot be locked"))});
}

std::unique_ptr<RecoveryFile> RecoveryFile::take(const fs::path& file)
{
    std::unique_ptr<RecoveryFile> made(new RecoveryFile(file));
    // Only with the lock is it certain that the file was not removed a moment ago.
    std::error_code ignored;
    if (!made->m_lock.tryLock() || !fs::exists(file, ignored)) return nullptr;
    return made;
}

Result<void> RecoveryFile::write(std::string_view text) const { return writeFile(m_file, text); }

void RecoveryFile::remove() const
{
    std::error_code ignored; // the file need not exist
    fs::remove(m_file, ignored);
}

std::vector<std::unique_ptr<RecoveryFile>> leftRecoveries(const fs::path& directory)
{
    std::vector<std::unique_ptr<RecoveryFile>> left;
    if (directory.empty()) return left; // no home folder: not the working one
    const QDir folder(fromPath(directory));
    for (const QString& name : folder.entryList({u'*' + kFileEnd}, QDir::Files)) {
        if (auto taken = RecoveryFile::take(directory / toPath(name))) left.push_back(std::move(taken));
    }
    for (const QString& name : folder.entryList({u'*' + kFileEnd + kLockEnd}, QDir::Files)) {
        const QString file = name.chopped(kLockEnd.size());
        // Locking and unlocking removes a lock file that an ended process left behind.
        if (!folder.exists(file)) static_cast<void>(RecoveryFile::take(directory / toPath(file)));
    }
    std::ranges::stable_sort(
        left, [](const auto& one, const auto& other) { return changed(one->path()) > changed(other->path()); });
    return left;
}

} // namespace cardfit::app
