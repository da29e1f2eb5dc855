// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/checkpoint_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "core/base/text_cursor.h"
#include "core/plan/model_size.h"

namespace cardfit {

namespace {

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The parts of a name, in lower case: "org/Qwen2.5-7B_x.w4a16" has qwen2.5, 7b, x, w4a16. A dot between digits belongs
/// to a number.
std::vector<std::string> partsOf(std::string_view name)
{
    while (name.ends_with('/'))
        name.remove_suffix(1);
    std::vector<std::string> parts(1);
    const std::string text = lowered(std::string(name.substr(name.find_last_of('/') + 1)));
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const bool number =
            c == '.' && at > 0 && at + 1 < text.size() && isDigit(text[at - 1]) && isDigit(text[at + 1]);
        const bool part = std::isalnum(static_cast<unsigned char>(c)) != 0 || number;
        if (part)
            parts.back() += c;
        else if (!parts.back().empty())
            parts.emplace_back();
    }
    if (parts.back().empty()) parts.pop_back();
    return parts;
}

struct FormatWord {
    std::string_view word;
    Precision format;
};
/// Words for formats; the first that a name has counts. A name with "bf16" was converted, whatever else it says. The
/// number of bits says more than the method. Integers of 4 bits take as many bytes as nf4; "fp4" is what NVIDIA calls
/// nvfp4 in the names of its checkpoints.
constexpr auto kFormatWords = std::to_array<FormatWord>({{"bf16", Precision::Bf16}, {"bfloat16", Precision::Bf16},
    {"fp16", Precision::Fp16}, {"f16", Precision::Fp16}, {"nvfp4", Precision::Nvfp4}, {"nvfp4a16", Precision::Nvfp4},
    {"fp4", Precision::Nvfp4}, {"mxfp4", Precision::Mxfp4}, {"mxfp8", Precision::Mxfp8}, {"fp8", Precision::Fp8},
    {"w8a8", Precision::Int8}, {"w8a16", Precision::Int8}, {"int8", Precision::Int8}, {"8bit", Precision::Int8},
    {"q8", Precision::Int8}, {"w4a16", Precision::Nf4}, {"w4a8", Precision::Nf4}, {"int4", Precision::Nf4},
    {"4bit", Precision::Nf4}, {"nf4", Precision::Nf4}, {"q4", Precision::Nf4}, {"iq4", Precision::Nf4},
    {"awq", Precision::Nf4}, {"gptq", Precision::Nf4}});

/// Words that do not tell one shape from another: who published a checkpoint, what it was trained for, in which
/// version.
constexpr auto kNeutralWords = std::to_array<std::string_view>({"meta", "nvidia", "unsloth", "bnb", "instruct", "chat",
    "base", "hf", "it", "pt", "sft", "dpo", "thinking", "reasoning", "preview", "dynamic", "deduped", "quantized",
    "gguf", "exp", "terminus", "speciale", "qat", "v0.1", "v0.2", "v0.3"});
/// The same in a name with a word for a format: how it was quantised.
constexpr auto kFormatDetails = std::to_array<std::string_view>({"block", "channel", "tensor", "kv", "marlin", "g128",
    "g64", "g32", "128g", "asym", "sym", "ct", "autoround", "round", "compressed", "tensors", "modelopt", "ud", "k",
    "m", "s", "l", "xl", "xs", "nl", "0", "1", "w", "a", "static", "sc", "kvfp8"});

template <class Words> bool isOneOf(const Words& words, std::string_view part)
{
    return std::find(words.begin(), words.end(), part) != words.end();
}

bool isFormatWord(std::string_view part)
{
    return std::ranges::find(kFormatWords, part, &FormatWord::word) != kFormatWords.end();
}

/// "2507", "0528", "202606": when a checkpoint was published.
bool isDate(std::string_view part)
{
    return (part.size() == 4 || part.size() == 6) && std::ranges::all_of(part, isDigit);
}

enum class Dates { Kept, Dropped };

/// The parts that distinguish models, in one word: "Meta-Llama-3-8B-Instruct" and "llama3_8b" both become "llama38b".
/// Dots are kept: opt-1.3b is not opt-13b.
std::string essence(std::string_view name, Dates dates)
{
    const std::vector<std::string> parts = partsOf(name);
    const bool quantized = std::ranges::any_of(parts, [](const auto& part) { return isFormatWord(part); });
    std::string text;
    for (const std::string& part : parts) {
        const bool dropped = isOneOf(kNeutralWords, part) || isFormatWord(part)
            || (quantized && isOneOf(kFormatDetails, part)) || (dates == Dates::Dropped && isDate(part));
        if (!dropped) text += part;
    }
    return text;
}

/// How a model is published, where it is not in 16 bits.
struct PublishedFormat {
    Precision format = Precision::Bf16;
    Phrase apart = {};
};
constexpr PublishedFormat kFp8{Precision::Fp8};
constexpr PublishedFormat kMxfp4{Precision::Mxfp4};
constexpr PublishedFormat kInt4{Precision::Mxfp4, kInt4Experts};
constexpr PublishedFormat kFp4AndFp8{Precision::Mxfp4, kFp8Elsewhere};

/// A model with the shape of a shipped one, or published in another format than 16 bits. A name that ends with a hyphen
/// begins longer names, and `shape` with their rest is the name of the same shape.
struct NamedShape {
    std::string_view name;
    std::string_view shape; ///< a preset, or another name
    std::int64_t positions = 0; ///< its maximum position, if different from the preset's
    PublishedFormat published = {};
    Phrase left_out = {}; ///< what it has besides
};
constexpr Phrase kTower = Sentence::tr("its vision tower is not counted");
constexpr std::int64_t k32Ki = 32768;
constexpr std::int64_t k40Ki = 40960;
constexpr std::int64_t k128Ki = 131072;
constexpr std::int64_t k256Ki = 262144;
constexpr auto kNamedShapes = std::to_array<NamedShape>({
    {"llama-3.1-8b", "llama-3-8b", k128Ki},
    {"llama-3.1-70b", "llama-3-70b", k128Ki},
    {"llama-4-scout-17b-16e", "llama-4-scout"},
    {"llama-4-maverick-17b-128e", "llama-4-maverick"},
    {"deepseek-v3", "deepseek-v3", 0, kFp8},
    {"deepseek-v3.1", "deepseek-v3", 0, kFp8},
    {"deepseek-v3.2", "deepseek-v3.2", 0, kFp8},
    {"deepseek-r1", "deepseek-v3", 0, kFp8},
    {"deepseek-r1-zero", "deepseek-v3", 0, kFp8},
    {"deepseek-r1-0528-qwen3-8b", "qwen3-8b", k128Ki},
    {"deepseek-r1-distill-qwen-", "qwen2.5-", k128Ki},
    {"deepseek-r1-distill-llama-8b", "llama-3-8b", k128Ki},
    {"deepseek-r1-distill-llama-70b", "llama-3-70b", k128Ki},
    {"deepseek-v4-flash", "deepseek-v4-flash", 0, kFp4AndFp8},
    {"deepseek-v4-pro", "deepseek-v4-pro", 0, kFp4AndFp8},
    {"gpt-oss-20b", "gpt-oss-20b", 0, kMxfp4},
    {"gpt-oss-120b", "gpt-oss-120b", 0, kMxfp4},
    {"gpt-oss-safeguard-20b", "gpt-oss-20b", 0, kMxfp4},
    {"gpt-oss-safeguard-120b", "gpt-oss-120b", 0, kMxfp4},
    {"kimi-k2", "kimi-k2", 0, kFp8},
    {"kimi-k2-0905", "kimi-k2", k256Ki, kFp8},
    {"kimi-k2.5", "kimi-k2", k256Ki, kInt4, kTower},
    {"kimi-k2.6", "kimi-k2", k256Ki, kInt4, kTower},
    {"minimax-m2", "minimax-m2", 0, kFp8},
    {"minimax-m2.1", "minimax-m2", 0, kFp8},
    {"minimax-m2.5", "minimax-m2", 0, kFp8},
    {"minimax-m2.7", "minimax-m2", 0, kFp8},
    {"mimo-v2-flash", "mimo-v2-flash", 0, kFp8},
    {"mistral-nemo", "mistral-nemo-12b"},
    {"mistral-small-24b-2501", "mistral-small-24b"},
    {"mistral-small-3.1-24b", "mistral-small-24b", k128Ki, {}, kTower},
    {"mistral-small-3.2-24b", "mistral-small-24b", k128Ki, {}, kTower},
    {"magistral-small-2506", "mistral-small-24b", k40Ki},
    {"magistral-small", "mistral-small-24b", k128Ki},
    {"devstral-small", "mistral-small-24b", k128Ki},
    {"nemotron-3-nano-30b-a3b", "nemotron-3-nano-30b"},
    {"nemotron-3-super-120b-a12b", "nemotron-3-super-120b"},
    {"nemotron-3-ultra-550b-a55b", "nemotron-3-ultra-550b"},
    {"phi-4-14b", "phi-4"},
    {"qwen2.5-coder-", "qwen2.5-"},
    {"qwq-32b", "qwen2.5-32b", k40Ki},
    {"qwen3-coder-30b-a3b", "qwen3-30b-a3b", k256Ki},
});

/// "name" or, of names that begin with it, the shape and the rest.
struct Found {
    const NamedShape* row = nullptr;
    std::string essence; ///< of the shape
};
Found shapeNamed(std::string_view wanted, bool points)
{
    const auto key = [points](std::string text) {
        if (!points) std::erase(text, '.');
        return text;
    };
    for (const NamedShape& row : kNamedShapes) {
        const std::string name = key(essence(row.name, Dates::Kept));
        const bool begins = row.name.ends_with('-');
        if (name == wanted || (begins && wanted.starts_with(name)))
            return {&row, key(essence(row.shape, Dates::Kept)) + std::string(wanted.substr(name.size()))};
    }
    return {};
}

/// The names to look for: with the date, which tells some models apart, and without.
std::array<std::string, 2> wantedNames(std::string_view name, bool points)
{
    std::array names{essence(name, Dates::Kept), essence(name, Dates::Dropped)};
    for (std::string& one : names) {
        if (!points) std::erase(one, '.');
    }
    return names;
}

const Model* presetOfEssence(const std::string& wanted, const Presets& presets, bool points)
{
    const auto found = std::ranges::find_if(presets.models, [&](const Model& model) {
        std::string text = essence(model.id, Dates::Kept);
        if (!points) std::erase(text, '.');
        return text == wanted;
    });
    return found == presets.models.end() ? nullptr : &*found;
}

/// "7b" is 7e9 for a suffix "b"; nullopt for anything else.
std::optional<double> sizeIn(std::string_view part)
{
    constexpr auto kUnits = std::to_array<std::pair<char, double>>({{'m', 1e6}, {'b', 1e9}, {'t', 1e12}});
    for (const auto& [letter, unit] : kUnits) {
        if (!part.ends_with(letter)) continue;
        const auto number = numberIn<double>(part.substr(0, part.size() - 1));
        // "1m" is a length of context.
        if (!number || !isDigit(part.front()) || (letter == 'm' && *number < 10.0)) return std::nullopt;
        return *number * unit;
    }
    return std::nullopt;
}

bool isExperts(std::string_view part)
{
    return part.size() > 1 && part.ends_with('e') && std::ranges::all_of(part.substr(0, part.size() - 1), isDigit);
}

/// How much of the shorter name the two have in common at their beginnings, from 0 to 1.
double alike(std::string_view a, std::string_view b)
{
    const auto [first, second] = std::ranges::mismatch(a, b);
    const auto common = static_cast<double>(first - a.begin());
    return common / static_cast<double>(std::max<std::size_t>(std::max(a.size(), b.size()), 1));
}

} // namespace

std::optional<Model> modelOfName(std::string_view name, const Presets& presets, bool points)
{
    for (const std::string& wanted : wantedNames(name, points)) {
        if (wanted.empty()) continue;
        if (const Model* shipped = presetOfEssence(wanted, presets, points)) return *shipped;
        const Found found = shapeNamed(wanted, points);
        if (found.row == nullptr) continue;
        if (const Model* shipped = presetOfEssence(found.essence, presets, points)) {
            Model model = *shipped;
            if (found.row->positions > 0) model.architecture.max_position_embeddings = found.row->positions;
            return model;
        }
    }
    return std::nullopt;
}

std::optional<CheckpointFormat> formatOfName(std::string_view name)
{
    const std::vector<std::string> parts = partsOf(name);
    for (const FormatWord& one : kFormatWords) {
        if (isOneOf(parts, one.word)) return CheckpointFormat{one.format, false, {}};
    }
    // Kimi K2 Thinking has another format than Kimi K2, which the word "thinking" does not tell of other models.
    for (const std::string& wanted : wantedNames(name, true)) {
        const Found found = shapeNamed(wanted, true);
        if (found.row == nullptr || found.row->published.format == Precision::Bf16) continue;
        PublishedFormat published = found.row->published;
        if (wanted == "kimik2" && isOneOf(parts, "thinking")) published = kInt4;
        return CheckpointFormat{published.format, true, published.apart};
    }
    return std::nullopt;
}

Phrase leftOutOfName(std::string_view name)
{
    for (const std::string& wanted : wantedNames(name, true)) {
        if (const Found found = shapeNamed(wanted, true); found.row != nullptr) return found.row->left_out;
    }
    return {};
}

std::optional<double> parametersInName(std::string_view name)
{
    const std::vector<std::string> parts = partsOf(name);
    if (std::ranges::any_of(parts, [](const auto& part) { return isExperts(part); })) return std::nullopt;
    for (const std::string& part : parts) {
        if (const auto size = sizeIn(part)) return size;
    }
    return std::nullopt;
}

std::vector<std::string> nearestModels(std::string_view name, const Presets& presets, std::size_t most)
{
    const std::string wanted = essence(name, Dates::Dropped);
    const auto size = parametersInName(name);
    std::vector<std::pair<double, std::string>> ranked;
    for (const Model& model : presets.models) {
        double score = alike(wanted, essence(model.id, Dates::Dropped));
        // A model of twice the size is as far as one that shares a third less of the name.
        if (size) score -= std::min(1.0, std::abs(std::log2(modelSize(model) / *size)) / 3.0);
        ranked.emplace_back(-score, model.id);
    }
    std::ranges::sort(ranked);
    std::vector<std::string> ids;
    for (const auto& [score, id] : ranked) {
        if (ids.size() == most) break;
        ids.push_back(id);
    }
    return ids;
}

} // namespace cardfit
