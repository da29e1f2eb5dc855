// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recovery/recovery_hold.h"

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

RecoveryHold::RecoveryHold(fs::path file)
    : m_file(std::move(file))
    , m_lock(fromPath(m_file) + kLockEnd)
{
    // A lock goes stale by its process ending, never by age: windows stay open for weeks.
    m_lock.setStaleLockTime(0);
}

Result<std::unique_ptr<RecoveryHold>> RecoveryHold::create(const fs::path& directory)
{
    std::error_code problem;
    fs::create_directories(directory, problem);
    if (problem) return tl::unexpected<Error>(Error{ErrorCode::CannotWrite, directory.string(), {}, reasonOf(problem)});
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces) + kFileEnd;
    std::unique_ptr<RecoveryHold> hold(new RecoveryHold(directory / toPath(name)));
    if (hold->m_lock.tryLock(0)) return hold;
    return tl::unexpected<Error>(Error{ErrorCode::CannotWrite, hold->m_file.string(), {},
        ui::sentence(QCoreApplication::translate("RecoveryHold", "cannot be locked"))});
}

std::unique_ptr<RecoveryHold> RecoveryHold::take(const fs::path& file)
{
    std::unique_ptr<RecoveryHold> hold(new RecoveryHold(file));
    // Only once it is locked is it certain that nobody has just removed it.
    std::error_code ignored;
    if (!hold->m_lock.tryLock(0) || !fs::exists(file, ignored)) return nullptr;
    return hold;
}

Result<void> RecoveryHold::write(std::string_view text) const { return writeFile(m_file, text); }

void RecoveryHold::remove() const
{
    std::error_code ignored; // gone is gone
    fs::remove(m_file, ignored);
}

std::vector<std::unique_ptr<RecoveryHold>> leftRecoveries(const fs::path& directory)
{
    std::vector<std::unique_ptr<RecoveryHold>> left;
    const QDir folder(fromPath(directory));
    for (const QString& name : folder.entryList({u'*' + kFileEnd}, QDir::Files)) {
        if (auto hold = RecoveryHold::take(directory / toPath(name))) left.push_back(std::move(hold));
    }
    for (const QString& name : folder.entryList({u'*' + kFileEnd + kLockEnd}, QDir::Files)) {
        const QString file = name.chopped(kLockEnd.size());
        // Taking a lock that its process left behind and letting go of it removes it.
        if (!folder.exists(file)) static_cast<void>(RecoveryHold::take(directory / toPath(file)));
    }
    std::ranges::stable_sort(
        left, [](const auto& one, const auto& other) { return changed(one->file()) > changed(other->file()); });
    return left;
}

} // namespace cardfit::app
