// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/files/files_inside.h"
#include "core/files/gzip.h"

namespace cardfit {

namespace {

namespace fs = std::filesystem;

/// An open file that closes itself.
class Descriptor {
public:
    explicit Descriptor(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { (void)close(); }

    [[nodiscard]] bool isOpen() const { return m_descriptor >= 0; }
    [[nodiscard]] int value() const { return m_descriptor; }

    /// Network file systems report only here that the data did not arrive.
    [[nodiscard]] bool close()
    {
        const int descriptor = std::exchange(m_descriptor, -1);
        return descriptor < 0 || ::close(descriptor) == 0;
    }

private:
    int m_descriptor;
};

Sentence reason(int error_number)
{
    switch (error_number) {
    case ENOENT: return Sentence::tr("no such file or directory");
    case EISDIR: return Sentence::tr("it is a directory");
    case ENOTDIR: return Sentence::tr("a part of the path is not a directory");
    case EACCES:
    case EPERM: return Sentence::tr("no permission");
    case EROFS: return Sentence::tr("the file system is read-only");
    case ENOSPC: return Sentence::tr("no space left");
    case EDQUOT: return Sentence::tr("the disk quota is used up");
    case EFBIG: return Sentence::tr("the file system does not take a file of that size");
    case ELOOP: return Sentence::tr("too many symbolic links");
    default: return Sentence::verbatim(std::generic_category().message(error_number));
    }
}

tl::unexpected<Error> failure(ErrorCode code, const fs::path& file, Sentence message)
{
    return tl::unexpected<Error>(Error{code, file.string(), {}, std::move(message)});
}

tl::unexpected<Error> cannotRead(const fs::path& file, int error_number)
{
    return failure(ErrorCode::CannotRead, file, Sentence::tr("cannot be read: {}", {reason(error_number)}));
}

tl::unexpected<Error> cannotWrite(const fs::path& file, int error_number)
{
    return failure(ErrorCode::CannotWrite, file, Sentence::tr("cannot be written: {}", {reason(error_number)}));
}

constexpr const char* kStandardInput = "standard input"; ///< in messages

tl::unexpected<Error> tooLarge(const fs::path& file, std::size_t limit)
{
    return failure(ErrorCode::CannotRead, file, Sentence::tr("is larger than {} bytes", {limit}));
}

/// What whoever started this process has opened for it.
bool namesOwnDescriptor(const fs::path& file)
{
    const std::string& name = file.native();
    return name == "/dev/stdin" || name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
}

Result<std::string> readAll(int descriptor, const fs::path& file, std::size_t limit)
{
    std::string text;
    std::array<char, 65536> block{};
    for (;;) {
        const ssize_t count = ::read(descriptor, block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return cannotRead(file, errno);
        if (count == 0) return text;
        text.append(block.data(), static_cast<std::size_t>(count));
        if (text.size() > limit) return tooLarge(file, limit);
    }
}

/// All that is left, unpacked.
Result<std::string> contentOf(int descriptor, const fs::path& file, std::size_t limit)
{
    return readAll(descriptor, file, limit).and_then([&](std::string bytes) {
        return unzipped(std::move(bytes), limit).map_error([&](Error error) {
            error.file = file.string();
            return error;
        });
    });
}

/// The file that a chain of symbolic links ends at, whether or not it exists yet.
fs::path linkTarget(fs::path file)
{
    constexpr int kMostLinks = 40; // as the kernel; a longer chain then fails there, with its own reason
    std::error_code ignored;
    for (int links = 0; links < kMostLinks && fs::is_symlink(fs::symlink_status(file, ignored)); ++links) {
        const fs::path target = fs::read_symlink(file, ignored);
        file = file.parent_path() / target; // an absolute target replaces the left side
    }
    return file;
}

/// 0, or the error number.
int writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

using WriteParts = std::function<void(const TextSink& sink)>;

/// 0, or the error number of the first part that could not be written.
int writeParts(int descriptor, const WriteParts& write)
{
    int error_number = 0;
    write([&](std::string_view part) {
        if (error_number == 0) error_number = writeAll(descriptor, part);
    });
    return error_number;
}

std::string temporaryName(pid_t process, int attempt) { return fmt::format(".cardfit-{}-{}.tmp", process, attempt); }

/// The process in the name of a temporary file; none if it is not one of ours.
std::optional<pid_t> processOf(std::string_view name)
{
    constexpr std::string_view kStart = ".cardfit-";
    if (!name.starts_with(kStart)) return std::nullopt;
    TextCursor cursor(name.substr(kStart.size()));
    const auto process = cursor.number<pid_t>();
    if (!process || *process <= 0 || !cursor.takeIf('-')) return std::nullopt;
    const auto attempt = cursor.number<int>();
    return attempt && name == temporaryName(*process, *attempt) ? process : std::nullopt;
}

/// Removes the temporary files of processes that have ended: killed while they wrote. Where the process may run on
/// another machine or in another container, its lock shows that it lives.
void removeLeftovers(const fs::path& directory)
{
    std::error_code ignored; // they are not in the way
    for (const fs::path& file : entriesOf(directory, ignored)) {
        const auto process = processOf(file.filename().native());
        if (!process || ::kill(*process, 0) == 0 || errno != ESRCH) continue;
        const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
        if (descriptor.isOpen() && ::flock(descriptor.value(), LOCK_EX | LOCK_NB) == 0) ::unlink(file.c_str());
    }
}

/// A file beside the one to be replaced; gone again unless it was put in that one's place. Locked while it is there,
/// see removeLeftovers().
class TemporaryFile {
public:
    explicit TemporaryFile(const fs::path& directory)
        : m_file(create(directory, m_path))
        , m_lock(m_file.isOpen() ? ::fcntl(m_file.value(), F_DUPFD_CLOEXEC, 0) : -1)
    {
        // Where locks are not to be had, the name alone says whose it is.
        if (m_lock.isOpen()) (void)::flock(m_lock.value(), LOCK_EX);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile()
    {
        if (!m_path.empty()) ::unlink(m_path.c_str());
    }

    /// If not, errno says why.
    [[nodiscard]] bool exists() const { return m_file.isOpen(); }

    /// 0, or the error number. `replaced`: the file whose permissions are kept; none if it is new.
    int fill(const WriteParts& write, const struct stat* replaced)
    {
        if (replaced != nullptr) {
            // The group is kept where the user may set it; without it a shared file would leave its group.
            (void)!::fchown(m_file.value(), static_cast<uid_t>(-1), replaced->st_gid);
            if (::fchmod(m_file.value(), replaced->st_mode & 07777U) != 0) return errno;
        }
        if (const int error_number = writeParts(m_file.value(), write)) return error_number;
        if (::fsync(m_file.value()) != 0) return errno;
        return m_file.close() ? 0 : errno; // the lock stays
    }

    int moveTo(const fs::path& file)
    {
        if (::rename(m_path.c_str(), file.c_str()) != 0) return errno;
        m_path.clear();
        return 0;
    }

private:
    /// Opens a file that did not exist before and says where; -1 and no path if that fails.
    static int create(const fs::path& directory, fs::path& path)
    {
        for (int attempt = 0;; ++attempt) {
            fs::path candidate = directory / temporaryName(::getpid(), attempt);
            const int descriptor = ::open(candidate.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (descriptor >= 0) path = std::move(candidate); // a copy could fail, and nobody would remove the file
            if (descriptor >= 0 || errno != EEXIST) return descriptor;
        }
    }

    fs::path m_path; ///< empty if there is nothing to remove
    Descriptor m_file;
    Descriptor m_lock; ///< the same open file, closed when it has its place
};

/// Devices and pipes are written to, not replaced.
Result<void> writeThrough(const fs::path& file, const fs::path& target, const WriteParts& write)
{
    Descriptor descriptor(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (!descriptor.isOpen()) return cannotWrite(file, errno);
    if (const int error_number = writeParts(descriptor.value(), write)) return cannotWrite(file, error_number);
    if (!descriptor.close()) return cannotWrite(file, errno);
    return {};
}

} // namespace

std::vector<fs::path> entriesOf(const fs::path& directory, std::error_code& problem)
{
    std::vector<fs::path> entries = entriesInside(directory);
    if (!entries.empty()) return entries;
    for (fs::directory_iterator entry(directory, problem); !problem && entry != fs::directory_iterator();
         entry.increment(problem))
        entries.push_back(entry->path());
    std::ranges::sort(entries);
    return entries;
}

Sentence reasonOf(const std::error_code& error) { return reason(error.value()); }

Result<std::string> readFile(const fs::path& file, std::size_t limit)
{
    if (const auto inside = fileInside(file)) return std::string(*inside);
    // Opening a pipe without a writer would wait for one.
    const bool own = namesOwnDescriptor(file);
    const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | (own ? 0 : O_NONBLOCK)));
    if (!descriptor.isOpen()) return cannotRead(file, errno);
    struct stat status { };
    if (::fstat(descriptor.value(), &status) != 0) return cannotRead(file, errno);
    if (S_ISDIR(status.st_mode)) return cannotRead(file, EISDIR);
    if (!own && !S_ISREG(status.st_mode)) {
        return failure(ErrorCode::CannotRead, file,
            Sentence::tr("cannot be read: {}", {Sentence::tr("it is a pipe or a device, not a file")}));
    }
    return contentOf(descriptor.value(), file, limit);
}

std::function<std::optional<std::string>(const std::string& path)> neighboursOf(const fs::path& file)
{
    return [folder = file.parent_path()](const std::string& path) -> std::optional<std::string> {
        auto text = readFile(folder / path);
        return text ? std::optional(*std::move(text)) : std::nullopt;
    };
}

Result<std::string> readStandardInput(std::size_t limit) { return contentOf(STDIN_FILENO, kStandardInput, limit); }

fs::path withoutGz(const fs::path& file)
{
    fs::path name = file;
    return file.extension() == ".gz" ? name.replace_extension() : name;
}

std::optional<Result<std::string>> LineReader::next(std::size_t limit)
{
    int c = std::fgetc(stdin);
    for (; m_within_line && c != EOF; c = std::fgetc(stdin))
        m_within_line = c != '\n';
    m_within_line = false;
    if (c == EOF) return std::nullopt;
    std::string line;
    for (; c != EOF && c != '\n'; c = std::fgetc(stdin)) {
        if (line.size() == limit) {
            m_within_line = true;
            return tooLarge(kStandardInput, limit);
        }
        line += static_cast<char>(c);
    }
    return line;
}

Result<void> writeFile(const fs::path& file, std::string_view text)
{
    return writeFileInParts(file, [text](const TextSink& sink) { sink(text); });
}

Result<void> writeFileInParts(const fs::path& file, const WriteParts& write)
{
    const fs::path target = linkTarget(file);
    struct stat status { };
    const bool replaces = ::stat(target.c_str(), &status) == 0;
    if (!replaces && errno != ENOENT) return cannotWrite(file, errno);
    if (replaces && S_ISDIR(status.st_mode)) return cannotWrite(file, EISDIR);
    if (replaces && !S_ISREG(status.st_mode)) return writeThrough(file, target, write);
    // Renaming would replace even a file that its owner has protected.
    if (replaces && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) return cannotWrite(file, errno);

    const fs::path directory = target.has_parent_path() ? target.parent_path() : fs::path(".");
    removeLeftovers(directory);
    TemporaryFile temporary(directory);
    if (!temporary.exists()) return cannotWrite(file, errno);
    if (const int error_number = temporary.fill(write, replaces ? &status : nullptr)) {
        return cannotWrite(file, error_number);
    }
    if (const int error_number = temporary.moveTo(target)) return cannotWrite(file, error_number);

    // From here on the new content stands; flushing the directory only makes it outlast a power cut.
    const Descriptor parent(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (parent.isOpen()) (void)::fsync(parent.value());
    return {};
}

} // namespace cardfit
