// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/picture_plan.h"

#include <array>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "core/files/foreign_text.h"

namespace cardfit {

namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kFrame = 12; ///< length, type and checksum of a chunk, four bytes each
constexpr Phrase kNoPlan = Sentence::tr(
    "a picture without a plan in it: it was not exported by Cardfit, or another program has removed the plan");

// ---- PNG (W3C, Portable Network Graphics, third edition: 5 chunks, 11.3.3 text)

/// The checksum of chunks: CRC-32.
std::uint32_t checksum(std::string_view bytes)
{
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t numberAt(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = (value << 8U) | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

void appendNumber(std::string& bytes, std::uint32_t value)
{
    for (const unsigned shift : {24U, 16U, 8U, 0U})
        bytes += static_cast<char>((value >> shift) & 0xFFU);
}

struct Chunk {
    std::string_view whole; ///< including length, type and checksum
    std::string_view type;
    std::string_view data;
    bool intact = true; ///< whether the checksum matches the content
};

/// The chunk at the start of `bytes`; nullopt if it is truncated.
std::optional<Chunk> chunkAt(std::string_view bytes)
{
    if (bytes.size() < kFrame) return std::nullopt;
    const std::size_t length = numberAt(bytes, 0);
    if (length > bytes.size() - kFrame) return std::nullopt;
    Chunk chunk;
    chunk.whole = bytes.substr(0, length + kFrame);
    chunk.type = bytes.substr(4, 4);
    chunk.data = bytes.substr(8, length);
    chunk.intact = checksum(bytes.substr(4, length + 4)) == numberAt(bytes, length + 8);
    return chunk;
}

/// The content of a text chunk after its keyword; nullopt if the keyword is not Cardfit's.
std::optional<std::string_view> behindKey(const Chunk& chunk)
{
    if (chunk.type != "tEXt" && chunk.type != "zTXt" && chunk.type != "iTXt") return std::nullopt;
    const std::size_t end = chunk.data.find('\0');
    if (end == std::string_view::npos || chunk.data.substr(0, end) != kPicturePlanKey) return std::nullopt;
    return chunk.data.substr(end + 1);
}

tl::unexpected<Error> refuse(Sentence why)
{
    return tl::unexpected<Error>(Error{ErrorCode::WrongFormat, {}, {}, std::move(why)});
}

Result<std::string> textOf(const Chunk& chunk, std::string_view behind_key)
{
    constexpr Phrase kCompressed =
        Sentence::tr("the plan in the picture was compressed by another program; open the picture as it was exported");
    if (!chunk.intact) return refuse(Sentence::tr("the plan in the picture is damaged: its checksum does not match"));
    if (chunk.type == "zTXt") return refuse(kCompressed);
    if (chunk.type == "iTXt") {
        // Two bytes for the compression flag and method, then the language and a translated keyword, each terminated by
        // a zero.
        constexpr Phrase kCut =
            Sentence::tr("the plan in the picture is damaged: the beginning of its text is missing");
        if (behind_key.size() < 2) return refuse(kCut);
        if (behind_key[0] != '\0') return refuse(kCompressed);
        behind_key.remove_prefix(2);
        for (int skipped = 0; skipped < 2; ++skipped) {
            const std::size_t end = behind_key.find('\0');
            if (end == std::string_view::npos) return refuse(kCut);
            behind_key.remove_prefix(end + 1);
        }
    }
    return std::string(behind_key);
}

Result<std::string> planTextInPng(std::string_view png)
{
    for (std::string_view rest = png.substr(kSignature.size()); !rest.empty();) {
        const auto chunk = chunkAt(rest);
        if (!chunk) return refuse(Sentence::tr("the picture is cut short, and no plan stands before its end"));
        if (const auto behind_key = behindKey(*chunk)) return textOf(*chunk, *behind_key);
        if (chunk->type == "IEND") break;
        rest.remove_prefix(chunk->whole.size());
    }
    return refuse(kNoPlan);
}

// ---- SVG

constexpr std::string_view kMetadataBegin = "<metadata id=\"cardfit-plan\">";
constexpr std::string_view kMetadataEnd = "</metadata>";

struct Entity {
    std::string_view name;
    char character;
};
constexpr std::array<Entity, 5> kEntities{
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};

std::string xmlUnescaped(std::string_view text)
{
    std::string result;
    while (!text.empty()) {
        std::size_t taken = 1;
        char character = text.front();
        for (const Entity& entity : kEntities) {
            if (text.substr(0, entity.name.size()) != entity.name) continue;
            taken = entity.name.size();
            character = entity.character;
        }
        result += character;
        text.remove_prefix(taken);
    }
    return result;
}

/// Position after the ">" of the <svg> start tag; npos if there is none.
std::size_t insideSvg(std::string_view svg)
{
    const std::size_t begin = svg.find("<svg");
    const std::size_t end = begin == std::string_view::npos ? begin : svg.find('>', begin);
    return end == std::string_view::npos ? end : end + 1;
}

Result<std::string> planTextInSvg(std::string_view svg)
{
    // Editors may reorder attributes and change quotes.
    std::size_t id = svg.find("id=\"cardfit-plan\"");
    if (id == std::string_view::npos) id = svg.find("id='cardfit-plan'");
    if (id == std::string_view::npos) return refuse(kNoPlan);
    const std::size_t begin = svg.find('>', id);
    const std::size_t end = begin == std::string_view::npos ? begin : svg.find(kMetadataEnd, begin);
    if (end == std::string_view::npos)
        return refuse(Sentence::tr("the plan in the picture is damaged: its end is missing"));
    return xmlUnescaped(svg.substr(begin + 1, end - begin - 1));
}

bool isPng(std::string_view bytes) { return bytes.substr(0, kSignature.size()) == kSignature; }

/// An SVG begins with "<svg", or with "<?xml", comments and a document type before it.
bool isSvg(std::string_view bytes)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) bytes.remove_prefix(kByteOrderMark.size());
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && bytes[first] == '<' && insideSvg(bytes) != std::string_view::npos;
}

} // namespace

bool isPicture(std::string_view bytes) { return isPng(bytes) || isSvg(bytes); }

std::string pngWithPlan(std::string_view png, std::string_view plan_text)
{
    if (!isPng(png)) return std::string(png);
    std::string result(kSignature);
    for (std::string_view rest = png.substr(kSignature.size()); !rest.empty();) {
        const auto chunk = chunkAt(rest);
        if (!chunk) return std::string(png);
        if (!behindKey(*chunk)) result += chunk->whole;
        if (chunk->type == "IHDR") {
            // Not compressed, no language, no translated keyword: five zeros, including the one that terminates the
            // keyword.
            std::string content = "iTXt" + std::string(kPicturePlanKey) + std::string(5, '\0') + std::string(plan_text);
            appendNumber(result, static_cast<std::uint32_t>(content.size() - 4));
            result += content;
            appendNumber(result, checksum(content));
        }
        rest.remove_prefix(chunk->whole.size());
    }
    return result;
}

std::string svgWithPlan(std::string_view svg, std::string_view plan_text)
{
    const std::size_t inside = insideSvg(svg);
    if (inside == std::string_view::npos) return std::string(svg);
    return fmt::format(
        "{}\n{}{}{}{}", svg.substr(0, inside), kMetadataBegin, xmlEscaped(plan_text), kMetadataEnd, svg.substr(inside));
}

Result<std::string> planTextInPicture(std::string_view bytes)
{
    auto text = isPng(bytes) ? planTextInPng(bytes) : isSvg(bytes) ? planTextInSvg(bytes) : refuse(kNoPlan);
    if (text && text->size() > kMostPlanBytes)
        return refuse(Sentence::tr("the plan in the picture is larger than {} bytes", {kMostPlanBytes}));
    return text;
}

} // namespace cardfit
