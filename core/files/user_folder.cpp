// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/user_folder.h"

#include <array>
#include <cstdlib>

#include <pwd.h>
#include <unistd.h>

namespace cardfit {

namespace fs = std::filesystem;

/// The path in a variable; empty unless it is absolute.
static fs::path absoluteIn(const char* variable)
{
    const char* value = std::getenv(variable);
    fs::path path = value != nullptr ? fs::path(value) : fs::path();
    return path.is_absolute() ? path : fs::path();
}

fs::path homeFolder()
{
    if (fs::path home = absoluteIn("HOME"); !home.empty()) return home;
#ifdef CARDFIT_ONE_FILE
    return {}; // a static program would have to load the system's own library of users
#else
    std::array<char, 16384> text{};
    struct passwd entry = {};
    struct passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found) != 0 || found == nullptr) return {};
    const fs::path home(found->pw_dir);
    return home.is_absolute() ? home : fs::path();
#endif
}

fs::path userFolder(const char* variable, std::string_view usual, const fs::path& below)
{
    if (const fs::path base = absoluteIn(variable); !base.empty()) return base / below;
    const fs::path home = homeFolder();
    return home.empty() ? fs::path() : home / usual / below;
}

} // namespace cardfit
