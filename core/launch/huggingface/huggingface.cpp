// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/huggingface/huggingface.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/files/json_reader.h"
#include "core/launch/huggingface/huggingface_families.h"
#include "core/launch/huggingface/huggingface_quantization.h"
#include "core/launch/huggingface/huggingface_shape.h"
#include "core/launch/huggingface/huggingface_vision.h"
#include "core/launch/notes.h"

namespace cardfit {

namespace {

/// The last part of a path: "meta-llama/Llama-3.1-8B" becomes "Llama-3.1-8B".
std::string lastPart(std::string path)
{
    while (!path.empty() && path.back() == '/')
        path.pop_back();
    return path.substr(path.find_last_of('/') + 1);
}

std::string textAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The key of the language model's part of a file; empty if the file itself is the language model.
std::string_view languagePart(const Json& document)
{
    for (const std::string_view key : {"text_config", "llm_config", "language_config"}) {
        const auto part = document.find(key);
        if (part != document.end() && part->is_object()) return key;
    }
    return {};
}

/// Whether a model of a type for hybrids has layers with attention only.
bool attendsEverywhere(const Json& json)
{
    const auto types = json.find("layer_types");
    return types != json.end() && types->is_array() && !types->empty()
        && std::ranges::all_of(*types, [](const Json& type) { return type == "attention"; });
}

/// Writes one number for a list with the same number for every layer (Hunyuan).
void mergeEqualLayers(Json& json)
{
    for (const char* key : {"moe_intermediate_size", "moe_topk", "num_shared_expert"}) {
        const auto list = json.find(key);
        if (list == json.end() || !list->is_array() || list->empty()) continue;
        const Json first = list->front();
        if (std::ranges::all_of(*list, [&](const Json& layer) { return layer == first; })) *list = first;
    }
}

/// Python writes Infinity and NaN, which JSON does not have: the text with a number and, since NaN is none, a text in
/// their places. Whoever reads that key refuses it by its name.
std::string withoutPythonNumbers(std::string_view text)
{
    std::string plain;
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view rest = text.substr(at);
        if (text[at] == '"') quoted = !quoted;
        if (quoted && text[at] == '\\' && at + 1 < text.size()) plain += text[at++];
        const bool infinite = !quoted && rest.starts_with("Infinity");
        const bool none = !quoted && rest.starts_with("NaN");
        if (infinite || none) {
            plain += infinite ? "1e308" : "\"NaN\"";
            at += infinite ? 7 : 2;
        } else {
            plain += text[at];
        }
    }
    return plain;
}

Result<Json> parsePythonJson(std::string_view text)
{
    auto document = parseJson(text);
    if (document || document.error().code != ErrorCode::NotJson) return document;
    auto again = parseJson(withoutPythonNumbers(text));
    return again ? std::move(again) : std::move(document);
}

/// Whether a key's name is that of a size: the shape may be another than what was read.
bool looksLikeSize(std::string_view key)
{
    key = key.substr(key.find_last_of('/') + 1);
    const auto holds = [&](std::string_view part) { return key.find(part) != std::string_view::npos; };
    return key.ends_with("_size") || key.ends_with("_dim") || key.starts_with("num_") || key.starts_with("n_")
        || key.starts_with("moe_") || holds("expert") || holds("rank") || holds("_heads") || holds("_layers");
}

/// Refuses a model of which an unread key says that its layers are of another kind.
std::optional<Error> otherLayers(const Json& json, const std::vector<std::string>& paths, bool experts)
{
    for (const std::string& path : paths) {
        const std::string key = path.substr(1);
        const auto found = json.find(key);
        const bool counts = found != json.end() && found->is_number_integer() && found->get<std::int64_t>() > 1;
        if (counts && !experts && key.find("experts") != std::string::npos)
            return Error{ErrorCode::OutOfRange, {}, Sentence::verbatim(path),
                Sentence::tr("the model has experts, which are described by keys that are not known")};
        if (counts && (key.starts_with("mamba_") || key.starts_with("ssm_")))
            return Error{ErrorCode::OutOfRange, {}, Sentence::verbatim(path),
                Sentence::tr("some of its layers have something else than attention, which a plan cannot describe")};
    }
    return std::nullopt;
}

} // namespace

Result<ImportedModel> readHuggingFaceModel(std::string_view text)
{
    auto document = parsePythonJson(text);
    if (!document) return tl::unexpected<Error>(document.error());
    ImportedModel imported;
    Notes notes;
    const std::string whole_type = textAt(*document, "model_type");
    const std::string_view part = languagePart(*document);
    const bool several = !part.empty();
    const std::string prefix = several ? fmt::format("/{}", part) : std::string();
    Json& json = several ? (*document)[std::string(part)] : *document;
    std::string type = textAt(json, "model_type");
    if (type.empty()) type = several && huggingFaceFamily(whole_type) != nullptr ? whole_type : "llama";
    if (!several && whole_type.empty() && !document->contains("hidden_size") && !document->contains("n_embd"))
        return fail(ErrorCode::WrongFormat, "/model_type",
            Sentence::tr("expected a Hugging Face config.json of a language model"));
    const auto two_parts = document->find("is_encoder_decoder");
    const bool coded = two_parts != document->end() && two_parts->is_boolean() && two_parts->get<bool>();
    mergeEqualLayers(json);
    const bool plain = type == "granitemoehybrid" && attendsEverywhere(json);
    if (plain) json.erase("layer_types");
    for (const std::string& named : {whole_type, type, std::string(coded ? "encoder-decoder" : "")}) {
        if (plain) continue;
        if (const Phrase why = whyNotExpressible(named); !why.empty())
            return fail(ErrorCode::OutOfRange, named == whole_type || !several ? "/model_type" : prefix + "/model_type",
                Sentence::tr("{} cannot be planned: {}", {whole_type, why}));
    }
    // In a file with several parts the top level may say whether embeddings are tied.
    const auto tied = document->find("tie_word_embeddings");
    if (several && tied != document->end() && !json.contains("tie_word_embeddings"))
        json["tie_word_embeddings"] = *tied;

    Findings findings;
    ObjectReader reader(json, findings);
    reader.skip("model_type");
    reader.skip("vision_config");
    reader.skip("quantization_config");
    Model& model = imported.model;
    model.architecture = readHuggingFaceShape(reader, type, several, notes);
    reader.collectUnknown();
    Findings tower_findings;
    model.architecture.vision = readVisionTower(*document, whole_type, tower_findings);
    if (tower_findings.error) {
        Error error = *tower_findings.error;
        error.where = Sentence::verbatim("/vision_config" + error.where.english());
        return tl::unexpected<Error>(std::move(error));
    }
    if (findings.error) {
        Error error = *findings.error;
        error.where = Sentence::verbatim(prefix + error.where.english());
        return tl::unexpected<Error>(std::move(error));
    }
    if (model.architecture.vision && whole_type.starts_with("qwen2_5_vl"))
        notes.add("vision_config",
            Sentence::tr("the gated MLPs of its tower count as ones without a gate, half as wide again"));
    const auto tower = document->find("vision_config");
    if (!several && !model.architecture.vision && tower != document->end() && tower->is_object())
        notes.addAssumed("vision_config", "{…}", Sentence::tr("only the language model of several parts is planned"));
    if (several && !model.architecture.vision)
        notes.add(part, Sentence::tr("only the language model of several parts is planned"));
    if (auto error = otherLayers(json, findings.unknown_paths, model.architecture.moe.has_value())) {
        error->where = Sentence::verbatim(prefix + error->where.english());
        return tl::unexpected<Error>(*std::move(error));
    }
    const Json& quantized = json.contains("quantization_config") ? json : *document;
    if (const auto format = readQuantization(quantized)) {
        imported.checkpoint = format->format;
        imported.checkpoint_parts = format->parts;
        notes.add(
            "quantization_config", format->format, Sentence::tr("the recipe says in which format weights are kept"));
        if (!format->apart.empty()) notes.add("quantization_config", format->format, format->apart);
    } else if (quantized.contains("quantization_config")) {
        notes.add("quantization_config", Sentence::tr("plans have no such format; weights count in 16 bits"));
    }
    imported.notes = std::move(notes).take();
    // What may change the shape goes first.
    const auto isToken = [](std::string_view path) { // numbers of tokens in the vocabulary
        return path.ends_with("_token_id") || path.ends_with("_token_ids") || path.ends_with("_token_index");
    };
    std::erase_if(findings.unknown_paths, isToken);
    std::vector<LaunchNote> first;
    for (const std::string& path : findings.unknown_paths) {
        if (looksLikeSize(path))
            first.push_back({path.substr(1), {}, Sentence::tr("not read, though it may be a size of the model"), true});
        else
            imported.notes.push_back({path.substr(1), {}, kNoField});
    }
    imported.notes.insert(
        imported.notes.begin(), std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));

    model.name = lastPart(textAt(*document, "_name_or_path"));
    const auto classes = document->find("architectures");
    if (model.name.empty() && classes != document->end() && classes->is_array() && !classes->empty()
        && classes->front().is_string())
        model.name = classes->front().get<std::string>();
    if (model.name.empty()) model.name = whole_type;
    model.source = "config.json";
    return imported;
}

bool isHuggingFace(std::string_view text)
{
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return text.starts_with('{') && (holds("\"model_type\"") || holds("\"architectures\""));
}

Result<ImportedPlan> importHuggingFace(std::string_view text, const Plan& base, const Presets& /*presets*/)
{
    auto imported = readHuggingFaceModel(text);
    if (!imported) return tl::unexpected<Error>(imported.error());
    ImportedPlan result{base, std::move(imported->notes), imported->checkpoint, imported->checkpoint_parts};
    result.plan.model = std::move(imported->model);
    return result;
}

} // namespace cardfit
