// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/plan/preset_json.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/model/families.h"

namespace cardfit {

namespace {

template <class Value> std::vector<std::string_view> idsOf(const std::vector<Value>& presets)
{
    std::vector<std::string_view> ids;
    for (const Value& preset : presets)
        ids.push_back(preset.id);
    return ids;
}

/// Starts from the preset that the object names. True if the fields need not be complete, because the value was not
/// empty before or is not any more. `complete`: they are, so that a preset that is not there is not missed.
template <class Value>
bool startFromPreset(ObjectReader& json, Phrase kind, const std::vector<Value>& presets, bool complete, Value& value)
{
    json.skip("format");
    json.skip("version");
    if (json.isNull("preset")) value = {};
    std::string id;
    json.read("preset", id);
    if (id.empty()) {
        const bool started = value != Value{};
        json.read("id", value.id);
        return started;
    }

    json.skip("id");
    const auto preset = std::ranges::find(presets, id, &Value::id);
    if (preset != presets.end()) {
        value = *preset;
        return true;
    }
    if (!complete) {
        json.fail(ErrorCode::UnknownName, json.pointer("preset"), unknownNameMessage(kind, id, idsOf(presets)));
    }
    value = {};
    value.id = id;
    return false;
}

// ---- Accelerators and clusters

void readRates(ObjectReader& json, PeakRates& rates)
{
    json.read("bf16", rates.bf16, kPositive);
    json.read("fp16", rates.fp16, kPositive);
    json.read("fp8", rates.fp8, kPositive);
    json.read("fp4", rates.fp4, kPositive);
    json.read("tf32", rates.tf32, kPositive);
    json.read("fp32", rates.fp32, kPositive);
    json.read("int8", rates.int8, kPositive);
}

Json ratesJson(const PeakRates& rates)
{
    Json json = Json::object();
    json["bf16"] = plainNumber(rates.bf16);
    json["fp16"] = plainNumber(rates.fp16);
    json["fp8"] = plainNumber(rates.fp8);
    json["fp4"] = plainNumber(rates.fp4);
    json["tf32"] = plainNumber(rates.tf32);
    json["fp32"] = plainNumber(rates.fp32);
    json["int8"] = plainNumber(rates.int8);
    return json;
}

void readEfficiency(ObjectReader& json, SustainedEfficiency& efficiency)
{
    // Above 1 where a card's real clock exceeds the one its rated peak assumes.
    constexpr NumberRange kEfficiency{0.0, 2.0, true};
    json.read("bf16", efficiency.bf16, kEfficiency);
    json.read("fp8", efficiency.fp8, kEfficiency);
    json.read("fp4", efficiency.fp4, kEfficiency);
}

Json efficiencyJson(const SustainedEfficiency& efficiency)
{
    Json json = Json::object();
    json["bf16"] = plainNumber(efficiency.bf16);
    json["fp8"] = plainNumber(efficiency.fp8);
    json["fp4"] = plainNumber(efficiency.fp4);
    return json;
}

void readMatrixCurve(ObjectReader& json, MatrixCurve& curve)
{
    json.read("rows", curve.rows, kNotNegative);
    json.read("inner", curve.inner, kNotNegative);
    json.read("columns", curve.columns, kNotNegative);
    json.read("start_us", curve.start, kNotNegative);
}

Json matrixCurveJson(const std::optional<MatrixCurve>& curve)
{
    if (!curve) return nullptr;
    Json json = Json::object();
    json["rows"] = plainNumber(curve->rows);
    json["inner"] = plainNumber(curve->inner);
    json["columns"] = plainNumber(curve->columns);
    json["start_us"] = plainNumber(curve->start);
    return json;
}

void readMatrixCurves(ObjectReader& json, MatrixCurves& curves)
{
    json.readObject("bf16", curves.bf16, readMatrixCurve);
    json.readObject("fp8", curves.fp8, readMatrixCurve);
    json.readObject("fp4", curves.fp4, readMatrixCurve);
}

Json matrixCurvesJson(const MatrixCurves& curves)
{
    Json json = Json::object();
    json["bf16"] = matrixCurveJson(curves.bf16);
    json["fp8"] = matrixCurveJson(curves.fp8);
    json["fp4"] = matrixCurveJson(curves.fp4);
    return json;
}

void readAttentionCurve(ObjectReader& json, AttentionCurve& curve)
{
    if (curve == AttentionCurve{})
        json.require("efficiency", Sentence::tr("a curve of attention needs what it tends to"));
    json.read("efficiency", curve.efficiency, kPositive);
    json.read("context", curve.context, kNotNegative);
    json.read("start_us", curve.start, kNotNegative);
}

Json attentionCurveJson(const std::optional<AttentionCurve>& curve)
{
    if (!curve) return nullptr;
    Json json = Json::object();
    json["efficiency"] = plainNumber(curve->efficiency);
    json["context"] = plainNumber(curve->context);
    json["start_us"] = plainNumber(curve->start);
    return json;
}

/// The operations of a file's "collective_curves".
struct CollectiveName {
    std::string_view key;
    std::vector<CollectiveCurve> CollectiveCurves::*curves;
};
constexpr std::array<CollectiveName, 4> kCollectives{
    {{"all_reduce", &CollectiveCurves::all_reduce}, {"all_gather", &CollectiveCurves::all_gather},
        {"reduce_scatter", &CollectiveCurves::reduce_scatter}, {"all_to_all", &CollectiveCurves::all_to_all}}};

void readCollectiveCurves(ObjectReader& json, CollectiveCurves& curves)
{
    for (const CollectiveName& operation : kCollectives) {
        auto& list = curves.*operation.curves;
        if (json.isNull(operation.key) || json.has(operation.key)) list.clear();
        json.readObjects(operation.key, [&](ObjectReader& inner) {
            CollectiveCurve& curve = list.emplace_back();
            for (const auto key : {"ranks", "gb_s"})
                inner.require(key, Sentence::tr("a measured collective needs it"));
            inner.read("ranks", curve.ranks, WholeRange{2});
            inner.read("gb_s", curve.bandwidth, kPositive);
            inner.read("start_us", curve.start, kNotNegative);
            inner.read("root_ns", curve.root_ns, kNotNegative);
            if (list.size() > 1 && list[list.size() - 2].ranks >= curve.ranks) {
                inner.refuse("ranks", ErrorCode::OutOfRange, Sentence::tr("more ranks than the entry before"));
            }
        });
    }
}

Json collectiveCurvesJson(const CollectiveCurves& curves)
{
    Json json = Json::object();
    for (const CollectiveName& operation : kCollectives) {
        Json& list = json[std::string(operation.key)] = Json::array();
        for (const CollectiveCurve& curve : curves.*operation.curves) {
            Json entry = Json::object();
            entry["ranks"] = curve.ranks;
            entry["gb_s"] = plainNumber(curve.bandwidth);
            entry["start_us"] = plainNumber(curve.start);
            entry["root_ns"] = plainNumber(curve.root_ns);
            list.push_back(std::move(entry));
        }
    }
    return json;
}

void readLink(ObjectReader& json, Link& link)
{
    if (link == Link{}) json.require("gb_s", Sentence::tr("a link needs its bandwidth"));
    json.read("gb_s", link.bandwidth, kPositive);
    json.read("latency_us", link.latency, kNotNegative);
}

Json linkJson(const std::optional<Link>& link)
{
    if (!link) return nullptr;
    Json json = Json::object();
    json["gb_s"] = plainNumber(link->bandwidth);
    json["latency_us"] = plainNumber(link->latency);
    return json;
}

/// A cluster's accelerator may be the bare id of a preset.
void readAcceleratorOf(ObjectReader& cluster_json, const Presets& presets, Cluster& cluster)
{
    if (!cluster_json.isText("accelerator")) {
        cluster_json.readObject(
            "accelerator", [&](ObjectReader& json) { readAccelerator(json, presets, cluster.accelerator); });
        return;
    }
    std::string id;
    cluster_json.read("accelerator", id);
    if (const Accelerator* preset = presets.accelerator(id)) {
        cluster.accelerator = *preset;
        return;
    }
    cluster_json.fail(ErrorCode::UnknownName, cluster_json.pointer("accelerator"),
        unknownNameMessage(Sentence::tr("accelerator preset"), id, idsOf(presets.accelerators)));
}

// ---- Models

/// What a saved plan always holds; a shape with all of it needs no preset and no family.
constexpr std::array<std::string_view, 7> kWholeShape{"hidden_size", "num_hidden_layers", "num_attention_heads",
    "num_key_value_heads", "head_dim", "intermediate_size", "vocab_size"};

/// Starts from the shape that the family has at the size asked for. True if there is one.
bool startFromSize(ObjectReader& json, bool complete, Model& model)
{
    if (!json.has("family") || !model.parameters) return false;
    if (const auto shape = architectureOfSize(model.family, *model.parameters)) {
        model.architecture = *shape;
        return true;
    }
    if (complete) return false;
    const auto families = familyNames();
    if (std::ranges::find(families, model.family) == families.end()) {
        json.refuse("family", ErrorCode::UnknownName,
            Sentence::tr("one of {}", {fmt::format("{}", fmt::join(families, ", "))}));
    } else {
        json.refuse("parameters", ErrorCode::OutOfRange, Sentence::tr("a size that the family {} has", {model.family}));
    }
    return false;
}

void readSlidingWindow(ObjectReader& json, SlidingWindow& window)
{
    if (window == SlidingWindow{}) json.require("size", Sentence::tr("a sliding window needs its size in tokens"));
    json.read("size", window.size, kCount);
    json.read("every", window.every, kCount);
    json.read("full_every", window.full_every, kCountOrZero);
}

Json slidingWindowJson(const std::optional<SlidingWindow>& window)
{
    if (!window) return nullptr;
    Json json = Json::object();
    json["size"] = window->size;
    json["every"] = window->every;
    if (window->full_every > 0) json["full_every"] = window->full_every;
    return json;
}

void readExperts(ObjectReader& json, std::int64_t dense_intermediate_size, MixtureOfExperts& moe)
{
    const bool started = moe != MixtureOfExperts{};
    if (!started) {
        json.require("num_experts", Sentence::tr("a mixture of experts needs their number"));
        moe.moe_intermediate_size = dense_intermediate_size;
    }
    json.read("num_experts", moe.num_experts, kCount);
    json.read("num_experts_per_tok", moe.num_experts_per_tok, kCount);
    json.read("moe_intermediate_size", moe.moe_intermediate_size, kCount);
    json.read("num_shared_experts", moe.num_shared_experts, kCountOrZero);
    json.read("shared_intermediate_size", moe.shared_intermediate_size, kCountOrZero);
    if (!started) {
        const double shared =
            static_cast<double>(moe.num_shared_experts) * static_cast<double>(moe.moe_intermediate_size);
        json.derive("shared_intermediate_size", moe.shared_intermediate_size, shared, kCountOrZero);
    }
    json.read("first_dense_layers", moe.first_dense_layers, kCountOrZero);
    json.read("layer_frequency", moe.layer_frequency, kCount);
    json.read("layers", moe.layers, kFlag);
    json.read("capacity_factor", moe.capacity_factor, kPositive);
    json.read("imbalance", moe.imbalance, NumberRange{1.0});
}

Json expertsJson(const std::optional<MixtureOfExperts>& moe)
{
    if (!moe) return nullptr;
    Json json = Json::object();
    json["num_experts"] = moe->num_experts;
    json["num_experts_per_tok"] = moe->num_experts_per_tok;
    json["moe_intermediate_size"] = moe->moe_intermediate_size;
    json["num_shared_experts"] = moe->num_shared_experts;
    json["shared_intermediate_size"] = moe->shared_intermediate_size;
    json["first_dense_layers"] = moe->first_dense_layers;
    json["layer_frequency"] = moe->layer_frequency;
    json["layers"] = moe->layers.empty() ? Json(nullptr) : Json(moe->layers);
    json["capacity_factor"] = plainNumber(moe->capacity_factor);
    json["imbalance"] = moe->imbalance;
    return json;
}

void readLatentAttention(ObjectReader& json, LatentAttention& mla)
{
    if (mla == LatentAttention{}) {
        for (const auto key : {"kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"}) {
            json.require(key, Sentence::tr("latent attention needs it"));
        }
    }
    json.read("q_lora_rank", mla.q_lora_rank, kCountOrZero);
    json.read("kv_lora_rank", mla.kv_lora_rank, kCount);
    json.read("qk_nope_head_dim", mla.qk_nope_head_dim, kCount);
    json.read("qk_rope_head_dim", mla.qk_rope_head_dim, kCount);
    json.read("v_head_dim", mla.v_head_dim, kCount);
}

Json latentAttentionJson(const std::optional<LatentAttention>& mla)
{
    if (!mla) return nullptr;
    Json json = Json::object();
    json["q_lora_rank"] = mla->q_lora_rank;
    json["kv_lora_rank"] = mla->kv_lora_rank;
    json["qk_nope_head_dim"] = mla->qk_nope_head_dim;
    json["qk_rope_head_dim"] = mla->qk_rope_head_dim;
    json["v_head_dim"] = mla->v_head_dim;
    return json;
}

bool isGated(std::string_view activation)
{
    constexpr std::array<std::string_view, 4> kGated{"silu", "swish", "swiglu", "geglu"};
    return std::ranges::find(kGated, activation) != kGated.end();
}

/// What Hugging Face's configurations leave out where it follows from the rest.
void deriveShape(ObjectReader& json, Architecture& shape)
{
    const std::int64_t heads = std::max<std::int64_t>(shape.num_attention_heads, 1);
    if (!json.has("num_key_value_heads")) shape.num_key_value_heads = heads;
    json.derive("intermediate_size", shape.intermediate_size, 4.0 * static_cast<double>(shape.hidden_size), kCount);
    if (!json.has("gated_mlp") && json.has("hidden_act")) shape.gated_mlp = isGated(shape.hidden_act);
    if (json.has("head_dim")) return;
    if (shape.mla) {
        const std::int64_t both = shape.mla->qk_nope_head_dim + shape.mla->qk_rope_head_dim;
        return json.derive("head_dim", shape.head_dim, static_cast<double>(both), kCount);
    }
    shape.head_dim = shape.hidden_size / heads;
    if (shape.hidden_size % heads != 0) {
        json.require("head_dim",
            Sentence::tr("hidden_size {} does not divide into num_attention_heads {}", {shape.hidden_size, heads}));
    }
}

void readShape(ObjectReader& json, bool started, Architecture& shape)
{
    if (!started) {
        for (const auto key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"}) {
            json.require(key, Sentence::tr("a model needs a preset, a family with parameters, or its whole shape"));
        }
    }
    json.read("hidden_size", shape.hidden_size, kCount);
    json.read("num_hidden_layers", shape.num_hidden_layers, kCount);
    json.read("num_attention_heads", shape.num_attention_heads, kCount);
    json.read("num_key_value_heads", shape.num_key_value_heads, kCount);
    json.read("head_dim", shape.head_dim, kCount);
    json.read("intermediate_size", shape.intermediate_size, kCount);
    json.read("vocab_size", shape.vocab_size, kCount);
    json.read("tie_word_embeddings", shape.tie_word_embeddings);
    json.read("hidden_act", shape.hidden_act);
    json.read("gated_mlp", shape.gated_mlp);
    json.readWord("norm", shape.norm);
    json.read("attention_bias", shape.attention_bias);
    json.read("attention_output_bias", shape.attention_output_bias);
    json.read("mlp_bias", shape.mlp_bias);
    json.read("qk_norm", shape.qk_norm);
    json.readWord("position_embedding", shape.position_embedding);
    json.read("max_position_embeddings", shape.max_position_embeddings, kCountOrZero);
    json.readObject("sliding_window", shape.sliding_window, readSlidingWindow);
    json.readObject("mla", shape.mla, readLatentAttention);
    if (!started) deriveShape(json, shape);
    json.readObject("moe", shape.moe,
        [&](ObjectReader& moe_json, MixtureOfExperts& moe) { readExperts(moe_json, shape.intermediate_size, moe); });
    json.read("mtp_layers", shape.mtp_layers, kCountOrZero);
}

void writeShape(Json& json, const Architecture& shape)
{
    json["hidden_size"] = shape.hidden_size;
    json["num_hidden_layers"] = shape.num_hidden_layers;
    json["num_attention_heads"] = shape.num_attention_heads;
    json["num_key_value_heads"] = shape.num_key_value_heads;
    json["head_dim"] = shape.head_dim;
    json["intermediate_size"] = shape.intermediate_size;
    json["vocab_size"] = shape.vocab_size;
    json["tie_word_embeddings"] = shape.tie_word_embeddings;
    json["hidden_act"] = shape.hidden_act;
    json["gated_mlp"] = shape.gated_mlp;
    json["norm"] = name(shape.norm);
    json["attention_bias"] = shape.attention_bias;
    json["attention_output_bias"] = shape.attention_output_bias ? Json(*shape.attention_output_bias) : Json(nullptr);
    json["mlp_bias"] = shape.mlp_bias;
    json["qk_norm"] = shape.qk_norm;
    json["position_embedding"] = name(shape.position_embedding);
    json["max_position_embeddings"] = shape.max_position_embeddings;
    json["sliding_window"] = slidingWindowJson(shape.sliding_window);
    json["moe"] = expertsJson(shape.moe);
    json["mla"] = latentAttentionJson(shape.mla);
    json["mtp_layers"] = shape.mtp_layers;
}

} // namespace

void readAccelerator(ObjectReader& json, const Presets& presets, Accelerator& accelerator)
{
    const bool complete = json.hasAll({"memory_mib", "memory_bandwidth_gb_s"});
    if (!startFromPreset(json, Sentence::tr("accelerator preset"), presets.accelerators, complete, accelerator)) {
        json.require("memory_mib", Sentence::tr("an accelerator needs a preset or its memory"));
        json.require("memory_bandwidth_gb_s", Sentence::tr("an accelerator needs a preset or its memory bandwidth"));
    }
    json.read("name", accelerator.name);
    json.read("vendor", accelerator.vendor);
    json.read("architecture", accelerator.architecture);
    json.read("memory_mib", accelerator.memory, kCount);
    json.read("memory_bandwidth_gb_s", accelerator.memory_bandwidth, kPositive);
    json.readObject("tflops", [&](ObjectReader& rates) { readRates(rates, accelerator.tflops); });
    json.read("link_gb_s", accelerator.link, kPositive);
    json.read("pcie_gb_s", accelerator.pcie, kPositive);
    json.readObject(
        "gemm_efficiency", [&](ObjectReader& efficiency) { readEfficiency(efficiency, accelerator.gemm_efficiency); });
    json.readObject(
        "matrix_curves", [&](ObjectReader& curves) { readMatrixCurves(curves, accelerator.matrix_curves); });
    json.readObject("attention_curve", accelerator.attention_curve, readAttentionCurve);
    json.readObject("collective_curves",
        [&](ObjectReader& curves) { readCollectiveCurves(curves, accelerator.collective_curves); });
    json.read("power_w", accelerator.power_w, kNotNegative);
    json.read("price_per_hour_usd", accelerator.price_per_hour_usd, kNotNegative);
    json.read("source", accelerator.source);
}

void writeAccelerator(Json& json, const Accelerator& accelerator)
{
    json["name"] = accelerator.name;
    json["vendor"] = accelerator.vendor;
    json["architecture"] = accelerator.architecture;
    json["memory_mib"] = accelerator.memory.value();
    json["memory_bandwidth_gb_s"] = plainNumber(accelerator.memory_bandwidth);
    json["tflops"] = ratesJson(accelerator.tflops);
    json["link_gb_s"] = plainNumber(accelerator.link);
    json["pcie_gb_s"] = plainNumber(accelerator.pcie);
    json["gemm_efficiency"] = efficiencyJson(accelerator.gemm_efficiency);
    json["matrix_curves"] = matrixCurvesJson(accelerator.matrix_curves);
    json["attention_curve"] = attentionCurveJson(accelerator.attention_curve);
    json["collective_curves"] = collectiveCurvesJson(accelerator.collective_curves);
    json["power_w"] = plainNumber(accelerator.power_w);
    json["price_per_hour_usd"] = plainNumber(accelerator.price_per_hour_usd);
    json["source"] = accelerator.source;
}

void readCluster(ObjectReader& json, const Presets& presets, Cluster& cluster)
{
    const bool complete = json.hasAll({"accelerator", "nodes", "cards_per_node"});
    if (!startFromPreset(json, Sentence::tr("cluster preset"), presets.clusters, complete, cluster)) {
        json.require("accelerator", Sentence::tr("a cluster needs a preset or an accelerator"));
    }
    json.read("name", cluster.name);
    readAcceleratorOf(json, presets, cluster);
    json.read("nodes", cluster.nodes, kCount);
    json.read("cards_per_node", cluster.cards_per_node, kCount);
    json.readObject("intra_node", cluster.intra_node, readLink);
    json.readObject("inter_node", cluster.inter_node, readLink);
    json.read("source", cluster.source);
}

void writeCluster(Json& json, const Cluster& cluster)
{
    json["name"] = cluster.name;
    Json& accelerator = json["accelerator"] = Json::object();
    accelerator["preset"] = cluster.accelerator.id.empty() ? Json(nullptr) : Json(cluster.accelerator.id);
    writeAccelerator(accelerator, cluster.accelerator);
    json["nodes"] = cluster.nodes;
    json["cards_per_node"] = cluster.cards_per_node;
    json["intra_node"] = linkJson(cluster.intra_node);
    json["inter_node"] = linkJson(cluster.inter_node);
    json["source"] = cluster.source;
}

void readModel(ObjectReader& json, const Presets& presets, Model& model)
{
    const bool complete = std::ranges::all_of(kWholeShape, [&](std::string_view key) { return json.has(key); });
    bool started = startFromPreset(json, Sentence::tr("model preset"), presets.models, complete, model);
    json.read("name", model.name);
    if (json.isNull("family")) model.family.clear();
    json.read("family", model.family);
    json.read("parameters", model.parameters, kPositive);
    started = startFromSize(json, complete, model) || started;
    readShape(json, started, model.architecture);
    json.read("reported_parameters", model.reported_parameters, kPositive);
    json.read("source", model.source);
}

void writeModel(Json& json, const Model& model)
{
    json["name"] = model.name;
    json["family"] = model.family.empty() ? Json(nullptr) : Json(model.family);
    json["parameters"] = plainNumber(model.parameters);
    writeShape(json, model.architecture);
    json["reported_parameters"] = plainNumber(model.reported_parameters);
    json["source"] = model.source;
}

} // namespace cardfit
