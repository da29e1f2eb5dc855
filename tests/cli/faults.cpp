// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded before the C library by torture.py: the n-th call of one kind fails, does half of its work, is interrupted, or
// is the last thing that the process does. CARDFIT_FAULT is CALL:N:HOW, such as write:2:short; without it nothing
// fails. The calls of every kind are counted into the file that CARDFIT_CALLS names. A program that asks for a part of
// its run has CARDFIT_FAULTS_WAIT set, and calls cardfit_begin_faults() and cardfit_end_faults().
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// What glibc's own functions are made of: finding them by dlsym() would allocate.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

enum Call { Malloc, Read, Write, Fsync, Rename, Close, CallCount };
constexpr const char* kCalls[CallCount] = {"malloc", "read", "write", "fsync", "rename", "close"};
enum class How { Works, Fails, Short, Interrupted };

long g_calls[CallCount];
bool g_is_read = false; ///< the environment
bool g_waits = false;
int g_call = CallCount;
long g_at = 0;
char g_how[16] = "";

void readFault()
{
    g_is_read = true;
    g_waits = std::getenv("CARDFIT_FAULTS_WAIT") != nullptr;
    const char* text = std::getenv("CARDFIT_FAULT");
    char call[16];
    if (text == nullptr || std::sscanf(text, "%15[^:]:%ld:%15s", call, &g_at, g_how) != 3) return;
    g_call = static_cast<int>(std::find_if(kCalls, kCalls + CallCount, [&](const char* name) {
        return std::strcmp(name, call) == 0;
    }) - kCalls);
}

/// Counts the call, and says what becomes of it.
How next(Call call, int problem)
{
    if (!g_is_read) readFault();
    if (__atomic_load_n(&g_waits, __ATOMIC_RELAXED)) return How::Works;
    if (__atomic_add_fetch(&g_calls[call], 1, __ATOMIC_RELAXED) != g_at || call != g_call) return How::Works;
    if (std::strcmp(g_how, "short") == 0) return How::Short;
    if (std::strcmp(g_how, "killed") == 0) kill(getpid(), SIGKILL);
    const bool interrupted = std::strcmp(g_how, "interrupted") == 0;
    errno = interrupted ? EINTR : problem;
    return interrupted ? How::Interrupted : How::Fails;
}

bool fails(Call call, int problem) { return next(call, problem) > How::Works; }

std::size_t halfOf(std::size_t size) { return std::max<std::size_t>(size / 2, 1); }

[[gnu::destructor]] void writeCounts()
{
    const char* file = std::getenv("CARDFIT_CALLS");
    if (file == nullptr) return;
    const int descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (int call = 0; call < CallCount; ++call)
        dprintf(descriptor, "%s %ld\n", kCalls[call], g_calls[call]);
}

} // namespace

extern "C" {

void cardfit_begin_faults() { __atomic_store_n(&g_waits, false, __ATOMIC_RELAXED); }
void cardfit_end_faults() { __atomic_store_n(&g_waits, true, __ATOMIC_RELAXED); }

void* malloc(std::size_t size) noexcept { return fails(Malloc, ENOMEM) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) noexcept
{
    return fails(Malloc, ENOMEM) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept
{
    return fails(Malloc, ENOMEM) ? nullptr : __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
    return fails(Malloc, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}

ssize_t read(int descriptor, void* into, std::size_t size)
{
    const How how = next(Read, EIO);
    if (how == How::Fails || how == How::Interrupted) return -1;
    return syscall(SYS_read, descriptor, into, how == How::Short ? halfOf(size) : size);
}
ssize_t write(int descriptor, const void* from, std::size_t size)
{
    const How how = next(Write, ENOSPC);
    if (how == How::Fails || how == How::Interrupted) return -1;
    return syscall(SYS_write, descriptor, from, how == How::Short ? halfOf(size) : size);
}
int fsync(int descriptor) { return fails(Fsync, EIO) ? -1 : static_cast<int>(syscall(SYS_fsync, descriptor)); }
int rename(const char* from, const char* to) noexcept
{
    return fails(Rename, EIO) ? -1 : static_cast<int>(syscall(SYS_rename, from, to));
}
/// The descriptor is closed either way, as Linux does it.
int close(int descriptor)
{
    const bool failed = fails(Close, EIO);
    const int problem = errno;
    const auto closed = static_cast<int>(syscall(SYS_close, descriptor));
    if (failed) errno = problem;
    return failed ? -1 : closed;
}

} // extern "C"
