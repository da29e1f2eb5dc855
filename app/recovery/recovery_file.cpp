// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recovery/recovery_file.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>
#include <QUuid>

#include "app/document/file_path.h"
#include "core/io/file.h"
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

fs::path recoveryDirectory()
{
    // As the XDG base directory specification has it: a relative path there counts as none.
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(state)) state = QDir::homePath() + QStringLiteral("/.local/state");
    return toPath(state) / "cardfit" / "recovery";
}

RecoveryFile::RecoveryFile(fs::path file)
    : m_file(std::move(file))
    , m_lock(fromPath(m_file) + kLockEnd)
{
    // A lock becomes invalid when its process ends, never by age: windows stay open for weeks.
    m_lock.setStaleLockTime(0);
}

Result<std::unique_ptr<RecoveryFile>> RecoveryFile::create(const fs::path& directory)
{
    std::error_code problem;
    fs::create_directories(directory, problem);
    if (problem) return tl::unexpected<Error>(Error{ErrorCode::CannotWrite, directory.string(), {}, reasonOf(problem)});
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces) + kFileEnd;
    std::unique_ptr<RecoveryFile> made(new RecoveryFile(directory / toPath(name)));
    if (made->m_lock.tryLock(0)) return made;
    return tl::unexpected<Error>(Error{ErrorCode::CannotWrite, made->m_file.string(), {},
        ui::sentence(QCoreApplication::translate("RecoveryFile", "cannot be locked"))});
}

std::unique_ptr<RecoveryFile> RecoveryFile::take(const fs::path& file)
{
    std::unique_ptr<RecoveryFile> made(new RecoveryFile(file));
    // Only once it is locked is it certain that nobody has just removed it.
    std::error_code ignored;
    if (!made->m_lock.tryLock(0) || !fs::exists(file, ignored)) return nullptr;
    return made;
}

Result<void> RecoveryFile::write(std::string_view text) const { return writeFile(m_file, text); }

void RecoveryFile::remove() const
{
    std::error_code ignored; // it may not exist
    fs::remove(m_file, ignored);
}

std::vector<std::unique_ptr<RecoveryFile>> leftRecoveries(const fs::path& directory)
{
    std::vector<std::unique_ptr<RecoveryFile>> left;
    const QDir folder(fromPath(directory));
    for (const QString& name : folder.entryList({u'*' + kFileEnd}, QDir::Files)) {
        if (auto taken = RecoveryFile::take(directory / toPath(name))) left.push_back(std::move(taken));
    }
    for (const QString& name : folder.entryList({u'*' + kFileEnd + kLockEnd}, QDir::Files)) {
        const QString file = name.chopped(kLockEnd.size());
        // Locking and unlocking it removes the lock file that an ended process left behind.
        if (!folder.exists(file)) static_cast<void>(RecoveryFile::take(directory / toPath(file)));
    }
    std::ranges::stable_sort(
        left, [](const auto& one, const auto& other) { return changed(one->path()) > changed(other->path()); });
    return left;
}

} // namespace cardfit::app
