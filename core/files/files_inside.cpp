// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/files_inside.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <string>

#include "core/files/gzip.h"

#ifdef CARDFIT_ONE_FILE
// Tar archives that the build has made (core/CMakeLists.txt), packed by gzip.
#define CARDFIT_HOLD(name, file)                                                                                       \
    __asm__(".section .rodata\n.globl cardfit_" #name "_begin\n.globl cardfit_" #name "_end\n"                         \
            "cardfit_" #name "_begin:\n.incbin \"" file "\"\ncardfit_" #name "_end:\n.previous\n");                    \
    extern "C" const char cardfit_##name##_begin[], cardfit_##name##_end[]
CARDFIT_HOLD(presets, CARDFIT_ONE_FILE "/presets.tar.gz");
CARDFIT_HOLD(validation, CARDFIT_ONE_FILE "/validation.tar.gz");
#undef CARDFIT_HOLD
#endif

namespace cardfit {

namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string_view, std::less<>>; ///< contents by path

/// The regular files of a tar archive. A member is a block of 512 bytes with its name and its size in octal digits, and
/// its content, padded to such blocks (POSIX.1-1988, ustar).
[[maybe_unused]] Files filesOfTar(std::string_view archive)
{
    constexpr std::size_t kBlock = 512;
    Files files;
    while (archive.size() >= kBlock && archive.front() != '\0') {
        const auto field = [&](std::size_t at, std::size_t size) {
            const std::string_view text = archive.substr(at, size);
            return std::string(text.substr(0, text.find('\0')));
        };
        const std::string size_text = field(124, 12);
        std::size_t size = 0;
        std::from_chars(size_text.data(), size_text.data() + size_text.size(), size, 8);
        const std::string prefix = field(345, 155);
        const char kind = archive[156];
        const std::string name = (prefix.empty() ? "" : prefix + "/") + field(0, 100);
        if (kind == '0' || kind == '\0') files.emplace(name, archive.substr(kBlock, size));
        archive.remove_prefix(std::min(archive.size(), kBlock + (size + kBlock - 1) / kBlock * kBlock));
    }
    return files;
}

/// One kind of files, unpacked when it is first asked for.
const Files& filesOfKind(std::string_view kind)
{
    static const Files kNone;
#ifdef CARDFIT_ONE_FILE
    constexpr std::size_t kMost = 64U << 20;
    const auto unpacked = [](const char* begin, const char* end) {
        return unzipped(std::string(begin, end), kMost).value_or(std::string());
    };
    if (kind == "presets") {
        static const std::string kArchive = unpacked(cardfit_presets_begin, cardfit_presets_end);
        static const Files kPresets = filesOfTar(kArchive);
        return kPresets;
    }
    if (kind == "validation") {
        static const std::string kArchive = unpacked(cardfit_validation_begin, cardfit_validation_end);
        static const Files kValidation = filesOfTar(kArchive);
        return kValidation;
    }
#endif
    (void)kind;
    return kNone;
}

/// The files of a path's kind, and the path among them: "presets/plans/x.json" of ":/presets/plans/x.json".
struct Place {
    const Files& files;
    std::string path;
};
std::optional<Place> placeOf(const fs::path& path)
{
    auto part = path.begin();
    if (part == path.end() || *part != kFilesInside || ++part == path.end()) return std::nullopt;
    return Place{filesOfKind(part->string()), path.lexically_relative(kFilesInside).generic_string()};
}

} // namespace

bool isFolderInside(const fs::path& folder) { return !entriesInside(folder).empty(); }

std::optional<std::string_view> fileInside(const fs::path& file)
{
    const auto place = placeOf(file);
    if (!place) return std::nullopt;
    const auto found = place->files.find(place->path);
    return found == place->files.end() ? std::nullopt : std::optional(found->second);
}

std::vector<fs::path> entriesInside(const fs::path& folder)
{
    std::vector<fs::path> entries;
    const auto place = placeOf(folder);
    if (!place) return entries;
    const std::string below = place->path + "/";
    for (auto file = place->files.lower_bound(below); file != place->files.end() && file->first.starts_with(below);
         ++file) {
        const std::string_view rest = std::string_view(file->first).substr(below.size());
        fs::path entry = folder / rest.substr(0, rest.find('/'));
        if (entries.empty() || entries.back() != entry) entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace cardfit
