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
    "base", "hf", "it", "pt", "sft", "rl", "dpo", "thinking", "reasoning", "preview", "dynamic", "deduped", "quantized",
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

constexpr Phrase kGguf = Sentence::tr("files of GGUF have many formats, and the name says none");

/// How a model is published, where it is not in 16 bits.
struct PublishedFormat {
    Precision format = Precision::Bf16;
    Phrase apart = {};
    WeightsPrecision parts{};
};
constexpr PublishedFormat kBits16{};
constexpr PublishedFormat kFp8{Precision::Fp8};
constexpr PublishedFormat kMxfp4{Precision::Mxfp4};
constexpr PublishedFormat kInt4{Precision::Mxfp4, kInt4Experts};
constexpr PublishedFormat kFp4AndFp8{Precision::Mxfp4, {}, kFp8Elsewhere};

/// What a model has besides the shape that is planned.
constexpr Phrase kTower = Sentence::tr("its vision tower is not counted");
constexpr Phrase kEncoders = Sentence::tr("its encoders of images and sound are not counted");

/// A model with the shape of a shipped one, or published in another format than 16 bits. A name that ends with a hyphen
/// begins longer names, and `shape` with their rest is the name of the same shape.
struct NamedShape {
    std::string_view name;
    std::string_view shape; ///< a preset, or another name
    std::int64_t positions = 0; ///< its maximum position, if different from the preset's
    PublishedFormat published = {};
    Phrase left_out = {};
    std::string_view word = {}; ///< only for names that have this neutral word too
};
constexpr std::int64_t k32Ki = 32768;
constexpr std::int64_t k40Ki = 40960;
constexpr std::int64_t k64Ki = 65536;
constexpr std::int64_t k128Ki = 131072;
constexpr std::int64_t k256Ki = 262144;
constexpr std::int64_t k384Ki = 393216;
constexpr std::int64_t k1Mi = 1048576;
constexpr std::int64_t kMillion = 1010000;
/// From the models' cards and config.json files; formats from their quantization_config.
constexpr auto kNamedShapes = std::to_array<NamedShape>({
    {"llama-30b", "llama-33b"},
    {"llama-3.1-8b", "llama-3-8b", k128Ki},
    {"llama-3.1-70b", "llama-3-70b", k128Ki},
    {"llama-3.1-nemotron-70b", "llama-3-70b", k128Ki},
    {"llama-3.1-nemotron-nano-8b-v1", "llama-3-8b", k128Ki},
    {"llama-4-scout-17b-16e", "llama-4-scout", 0, {}, kTower},
    {"llama-4-maverick-17b-128e", "llama-4-maverick", 0, {}, kTower},
    {"deepseek-coder-v2", "deepseek-v2"},
    {"deepseek-coder-v2-lite", "deepseek-v2-lite"},
    {"deepseek-v2.5", "deepseek-v2"},
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
    {"glm-4.7", "glm-4.6"},
    {"glm-5.1", "glm-5"},
    {"glm-5.2", "glm-5", k1Mi},
    {"macaron-v1-coding-venti", "glm-5", k1Mi},
    {"gpt-oss-20b", "gpt-oss-20b", 0, kMxfp4},
    {"gpt-oss-120b", "gpt-oss-120b", 0, kMxfp4},
    {"gpt-oss-safeguard-20b", "gpt-oss-20b", 0, kMxfp4},
    {"gpt-oss-safeguard-120b", "gpt-oss-120b", 0, kMxfp4},
    {"kimi-k2", "kimi-k2", k256Ki, kInt4, {}, "thinking"},
    {"kimi-k2", "kimi-k2", 0, kFp8},
    {"kimi-k2-0905", "kimi-k2", k256Ki, kFp8},
    {"kimi-k2.5", "kimi-k2", k256Ki, kInt4, kTower},
    {"kimi-k2.6", "kimi-k2", k256Ki, kInt4, kTower},
    {"kimi-k2.7-code", "kimi-k2", k256Ki, kInt4, kTower},
    {"kimi-k3", "kimi-k3", 0, kMxfp4, kTower},
    {"bloom", "bloom-176b"},
    {"lfm2.5-350m", "lfm2-350m"},
    {"lfm2.5-1.2b", "lfm2-1.2b"},
    {"lfm2.5-1.2b-jp", "lfm2-1.2b"},
    {"ring-1t", "ling-1t", k64Ki},
    {"ring-mini-2.0", "ling-mini-2.0"},
    {"ring-flash-2.0", "ling-flash-2.0"},
    {"minimax-m2", "minimax-m2", 0, kFp8},
    {"minimax-m2.1", "minimax-m2", 0, kFp8},
    {"minimax-m2.5", "minimax-m2", 0, kFp8},
    {"minimax-m2.7", "minimax-m2", 0, kFp8},
    {"minimax-m3", "minimax-m3", 0, kBits16, kTower},
    {"step-3.7-flash", "step-3.7-flash", 0, kBits16, kTower},
    {"step-3.5-flash", "step-3.7-flash"},
    {"mimo-v2-flash", "mimo-v2-flash", 0, kFp8},
    {"mimo-v2.5", "mimo-v2-flash", k1Mi, kFp8, kEncoders},
    {"mistral-7b", "mistral-7b-32k", 0, {}, {}, "v0.2"},
    {"mistral-7b", "mistral-7b-32k", 0, {}, {}, "v0.3"},
    {"mistral-nemo", "mistral-nemo-12b"},
    {"mistral-large-2407", "mistral-large-123b"},
    {"mistral-large-2411", "mistral-large-123b"},
    {"mistral-large-3-675b", "mistral-large-3", 0, kFp8, kTower, "instruct"},
    {"mistral-large-3-675b", "mistral-large-3", 0, kBits16, kTower},
    {"mistral-small-24b-2501", "mistral-small-24b"},
    {"mistral-small-3.1-24b", "mistral-small-24b", k128Ki, {}, kTower},
    {"mistral-small-3.2-24b", "mistral-small-24b", k128Ki, {}, kTower},
    {"magistral-small-2506", "mistral-small-24b", k40Ki},
    {"magistral-small", "mistral-small-24b", k128Ki},
    {"devstral-small", "mistral-small-24b", k128Ki},
    {"devstral-small-2-24b", "mistral-small-24b", k384Ki, kFp8, kTower},
    {"ministral-3-3b", "ministral-3-3b", 0, kFp8, kTower, "instruct"},
    {"ministral-3-8b", "ministral-3-8b", 0, kFp8, kTower, "instruct"},
    {"ministral-3-14b", "ministral-3-14b", 0, kFp8, kTower, "instruct"},
    {"ministral-3-3b", "ministral-3-3b", 0, kBits16, kTower},
    {"ministral-3-8b", "ministral-3-8b", 0, kBits16, kTower},
    {"ministral-3-14b", "ministral-3-14b", 0, kBits16, kTower},
    {"nemotron-3-nano-30b-a3b", "nemotron-3-nano-30b"},
    {"nemotron-3-super-120b-a12b", "nemotron-3-super-120b"},
    {"nemotron-3-ultra-550b-a55b", "nemotron-3-ultra-550b"},
    {"nemotron-3.5-lightning-30b-a3b", "nemotron-3.5-lightning-30b"},
    {"nemotron-h-8b-8k", "nemotron-h-8b"},
    {"nemotron-h-56b-8k", "nemotron-h-56b"},
    {"phi-3-mini-4k", "phi-3.5-mini", 4096},
    {"phi-3-mini-128k", "phi-3.5-mini"},
    {"phi-4-14b", "phi-4"},
    {"phi-4-plus", "phi-4", k32Ki},
    {"codellama-34b", "code-llama-34b"},
    {"c4ai-command-r-v01", "command-r-35b"},
    {"c4ai-command-r-plus", "command-r-plus-104b"},
    {"granite-3.0-8b", "granite-3.3-8b", 4096},
    {"granite-3.1-8b", "granite-3.3-8b"},
    {"granite-3.2-8b", "granite-3.3-8b"},
    {"granite-3.3-2b", "granite-3.2-2b"},
    {"granite-3.1-2b", "granite-3.2-2b"},
    {"granite-3.0-2b", "granite-3.2-2b", 4096},
    {"translategemma-", "gemma-3-"},
    {"medgemma-", "gemma-3-"},
    {"gemma-3-4b", "gemma-3-4b", 0, {}, kTower},
    {"gemma-3-12b", "gemma-3-12b", 0, {}, kTower},
    {"gemma-3-27b", "gemma-3-27b", 0, {}, kTower},
    {"gemma-4-26b-a4b", "gemma-4-26b-a4b", 0, {}, kTower},
    {"gemma-4-31b", "gemma-4-31b", 0, {}, kTower},
    {"qwen2-", "qwen2.5-"},
    {"qwen2.5-coder-", "qwen2.5-"},
    {"qwen2.5-math-", "qwen2.5-", 4096},
    {"qwen2.5-7b-1m", "qwen2.5-7b", kMillion},
    {"qwen2.5-14b-1m", "qwen2.5-14b", kMillion},
    {"qwq-32b", "qwen2.5-32b", k40Ki},
    {"qwen3guard-gen-", "qwen3-", k32Ki},
    {"qwen3-4b-2507", "qwen3-4b", k256Ki},
    {"qwen3-30b-a3b-2507", "qwen3-30b-a3b", k256Ki},
    {"qwen3-235b-a22b-2507", "qwen3-235b-a22b", k256Ki},
    {"qwen3-coder-30b-a3b", "qwen3-30b-a3b", k256Ki},
    {"qwen3-coder-next", "qwen3-next-80b-a3b"},
    {"qwen3.5-0.8b", "qwen3.5-0.8b", 0, {}, kTower},
    {"qwen3.5-2b", "qwen3.5-2b", 0, {}, kTower},
    {"qwen3.5-4b", "qwen3.5-4b", 0, {}, kTower},
    {"qwen3.5-9b", "qwen3.5-9b", 0, {}, kTower},
    {"qwen3.5-27b", "qwen3.5-27b", 0, {}, kTower},
    {"qwen3.5-35b-a3b", "qwen3.5-35b-a3b", 0, {}, kTower},
    {"qwen3.5-122b-a10b", "qwen3.5-122b-a10b", 0, {}, kTower},
    {"qwen3.5-397b-a17b", "qwen3.5-397b-a17b", 0, {}, kTower},
    {"qwen3.6-27b", "qwen3.5-27b", 0, {}, kTower},
    {"qwen3.6-35b-a3b", "qwen3.5-35b-a3b", 0, {}, kTower},
    {"qwen3.8-27b", "qwen3.5-27b", 0, {}, kTower},
});

/// The row of a name, and the essence of its shape. `begins`: the longest of the rows that the name only begins like.
struct Found {
    const NamedShape* row = nullptr;
    std::string essence = {};
};
Found shapeNamed(std::string_view wanted, const std::vector<std::string>& parts, bool points, bool begins)
{
    const auto key = [points](std::string text) {
        if (!points) std::erase(text, '.');
        return text;
    };
    Found found;
    std::size_t longest = 0;
    for (const NamedShape& row : kNamedShapes) {
        if (row.name.ends_with('-') != begins) continue;
        if (!row.word.empty() && !isOneOf(parts, row.word)) continue;
        const std::string name = key(essence(row.name, Dates::Kept));
        // What follows a beginning is a size.
        const bool fits = begins
            ? wanted.starts_with(name) && wanted.size() > name.size() && isDigit(wanted[name.size()])
            : wanted == name;
        if (!fits || name.size() <= longest) continue;
        longest = name.size();
        found = {&row, key(essence(row.shape, Dates::Kept)) + std::string(wanted.substr(name.size()))};
    }
    return found;
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
    const std::vector<std::string> parts = partsOf(name);
    for (const std::string& wanted : wantedNames(name, points)) {
        if (wanted.empty()) continue;
        const Found itself = shapeNamed(wanted, parts, points, false);
        const Found begun = shapeNamed(wanted, parts, points, true);
        for (const Found& found : {itself, Found{nullptr, wanted}, begun}) {
            const Model* shipped = presetOfEssence(found.essence, presets, points);
            if (shipped == nullptr) continue;
            Model model = *shipped;
            if (found.row != nullptr && found.row->positions > 0)
                model.architecture.max_position_embeddings = found.row->positions;
            return model;
        }
    }
    return std::nullopt;
}

namespace {

/// The row of a name itself, which knows formats and what is left out.
const NamedShape* rowOf(std::string_view name)
{
    const std::vector<std::string> parts = partsOf(name);
    for (const std::string& wanted : wantedNames(name, true)) {
        if (const Found found = shapeNamed(wanted, parts, true, false); found.row != nullptr) return found.row;
    }
    return nullptr;
}

} // namespace

std::optional<CheckpointFormat> formatOfName(std::string_view name)
{
    const std::vector<std::string> parts = partsOf(name);
    for (const FormatWord& one : kFormatWords) {
        if (isOneOf(parts, one.word)) return CheckpointFormat{one.format, false, {}};
    }
    if (isOneOf(parts, "gguf")) return CheckpointFormat{Precision::Bf16, false, kGguf};
    const NamedShape* row = rowOf(name);
    if (row == nullptr || row->published.format == Precision::Bf16) return std::nullopt;
    return CheckpointFormat{row->published.format, true, row->published.apart, row->published.parts};
}

Phrase leftOutOfName(std::string_view name)
{
    const NamedShape* row = rowOf(name);
    return row == nullptr ? Phrase{} : row->left_out;
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
