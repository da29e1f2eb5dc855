// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/program_folder.h"

#include <array>
#include <cstdint>
#include <system_error>

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif defined(_WIN32)
#include <windows.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

namespace cardfit {

namespace fs = std::filesystem;

/// The program's file, with any symbolic links to it; empty if not known.
static fs::path programFile()
{
#if defined(__APPLE__)
    std::array<char, 4096> path{};
    auto size = static_cast<std::uint32_t>(path.size());
    return ::_NSGetExecutablePath(path.data(), &size) == 0 ? fs::path(path.data()) : fs::path();
#elif defined(_WIN32)
    std::array<wchar_t, 4096> path{};
    const auto size = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    return size > 0 && size < path.size() ? fs::path(path.data(), path.data() + size) : fs::path();
#else
    std::error_code unknown;
    for (const char* link : {"/proc/self/exe", "/proc/curproc/file"}) {
        if (fs::path file = fs::read_symlink(link, unknown); !unknown) return file;
    }
#if defined(__linux__)
    // Where /proc is not mounted the kernel still says by which name it was started.
    if (const auto name = ::getauxval(AT_EXECFN); name != 0)
        return fs::path(reinterpret_cast<const char*>(name)); // NOLINT(performance-no-int-to-ptr)
#endif
    return {};
#endif
}

fs::path programFolder()
{
    const fs::path file = programFile();
    if (file.empty()) return {};
    std::error_code unknown;
    const fs::path real = fs::canonical(file, unknown);
    return (unknown ? fs::absolute(file, unknown) : real).parent_path();
}

} // namespace cardfit
