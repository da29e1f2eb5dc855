// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/preset_json.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/model/families.h"
#include "core/model/operators.h"
#include "core/plan/edits.h"
#include "core/plan/field_table.h"
#include "core/rules/rough_size.h"

namespace cardfit {

namespace {

template <class Value> std::vector<std::string_view> idsOf(const std::vector<Value>& presets)
{
    std::vector<std::string_view> ids;
    for (const Value& preset : presets)
        ids.push_back(preset.id);
    return ids;
}

/// Starts from the preset that the object names. Returns true if the object's fields need not be complete, because the
/// value was not empty before or a preset was found. `complete`: the fields are complete, so that a missing preset is
/// no error.
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
        json.require("efficiency", Sentence::tr("an attention curve needs the value that it tends to"));
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

/// Keys of the operations in "collective_curves".
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

/// Reads an accelerator given by a preset's id alone. Returns true if the key holds an id.
bool readBareId(ObjectReader& cluster_json, const Presets& presets, Accelerator& accelerator)
{
    if (!cluster_json.isText("accelerator")) return false;
    std::string id;
    cluster_json.read("accelerator", id);
    if (const Accelerator* preset = presets.accelerator(id)) {
        accelerator = *preset;
    } else {
        cluster_json.fail(ErrorCode::UnknownName, cluster_json.pointer("accelerator"),
            Sentence::tr("{}; import that card first, or write its values here",
                {unknownNameMessage(Sentence::tr("accelerator preset"), id, idsOf(presets.accelerators))}));
    }
    return true;
}

/// The accelerator's curves, from an object of its own or of a cluster. False for any other field.
bool readCurves(ObjectReader& json, const Field& field, Accelerator& accelerator)
{
    if (&field == &fieldOf<&Accelerator::matrix_curves>()) {
        json.readObject(
            "matrix_curves", [&](ObjectReader& curves) { readMatrixCurves(curves, accelerator.matrix_curves); });
    } else if (&field == &fieldOf<&Accelerator::attention_curve>()) {
        json.readObject("attention_curve", accelerator.attention_curve, readAttentionCurve);
    } else if (&field == &fieldOf<&Accelerator::collective_curves>()) {
        json.readObject("collective_curves",
            [&](ObjectReader& curves) { readCollectiveCurves(curves, accelerator.collective_curves); });
    } else {
        return false;
    }
    return true;
}

Json curvesJson(const Field& field, const Accelerator& accelerator)
{
    if (&field == &fieldOf<&Accelerator::matrix_curves>()) return matrixCurvesJson(accelerator.matrix_curves);
    if (&field == &fieldOf<&Accelerator::attention_curve>()) return attentionCurveJson(accelerator.attention_curve);
    return collectiveCurvesJson(accelerator.collective_curves);
}

void startAccelerator(ObjectReader& json, const Presets& presets, Accelerator& accelerator)
{
    const bool complete = json.hasAll({"memory_mib", "memory_bandwidth_gb_s"});
    if (startFromPreset(json, Sentence::tr("accelerator preset"), presets.accelerators, complete, accelerator)) return;
    json.require("memory_mib", Sentence::tr("an accelerator needs a preset or its memory"));
    json.require("memory_bandwidth_gb_s", Sentence::tr("an accelerator needs a preset or its memory bandwidth"));
}

void checkUsable(ObjectReader& json, const Accelerator& accelerator)
{
    if (!accelerator.usable || *accelerator.usable <= accelerator.memory) return;
    json.refuse("usable_mib", ErrorCode::OutOfRange,
        Sentence::tr("at most the card's memory, {} MiB", {accelerator.memory.value()}));
}

// ---- Models

/// Keys that a saved plan always has; a shape with all of them needs neither preset nor family.
constexpr std::array<std::string_view, 7> kWholeShape{"hidden_size", "num_hidden_layers", "num_attention_heads",
    "num_key_value_heads", "head_dim", "intermediate_size", "vocab_size"};

/// Starts from the family's shape with the requested size. Returns true if there is one.
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

bool isGated(std::string_view activation)
{
    constexpr std::array<std::string_view, 4> kGated{"silu", "swish", "swiglu", "geglu"};
    return std::ranges::find(kGated, activation) != kGated.end();
}

/// Sets values that Hugging Face configurations omit because they follow from others.
void deriveShape(ObjectReader& json, Architecture& shape)
{
    const std::int64_t heads = std::max<std::int64_t>(shape.num_attention_heads, 1);
    if (!json.has("num_key_value_heads")) shape.num_key_value_heads = heads;
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

/// Requires the keys that a group of the shape needs if the plan did not have the group before.
void requireGroup(ObjectReader& json, const Field& group, Architecture& shape)
{
    if (&group == &fieldOf<&Architecture::sliding_window>()) {
        json.require("size", Sentence::tr("a sliding window needs its size in tokens"));
    } else if (&group == &fieldOf<&Architecture::moe>()) {
        json.require("num_experts", Sentence::tr("a mixture of experts needs their number"));
        shape.moe->moe_intermediate_size = shape.intermediate_size;
    } else if (&group == &fieldOf<&Architecture::mla>()) {
        for (const auto key : {"kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"})
            json.require(key, Sentence::tr("latent attention needs it"));
    }
}

/// Writes the id of the preset, if any, before the other values.
template <class Value> void namePreset(Json& json, const Value& value)
{
    if (!value.id.empty()) json["preset"] = value.id;
}

} // namespace

void readAccelerator(ObjectReader& json, const Presets& presets, Accelerator& accelerator)
{
    Plan plan;
    startAccelerator(json, presets, accelerator);
    plan.cluster.accelerator = std::move(accelerator);
    ReadHooks hooks;
    hooks.before = [&](ObjectReader& object, const Field& field) {
        return readCurves(object, field, plan.cluster.accelerator);
    };
    readFields(json, pointerOf<&Cluster::accelerator>, plan, hooks);
    checkUsable(json, plan.cluster.accelerator);
    accelerator = std::move(plan.cluster.accelerator);
}

void readCluster(ObjectReader& json, const Presets& presets, Cluster& cluster)
{
    const bool complete = json.hasAll({"accelerator", "nodes", "cards_per_node"});
    if (!startFromPreset(json, Sentence::tr("cluster preset"), presets.clusters, complete, cluster)) {
        json.require("accelerator", Sentence::tr("a cluster needs a preset or an accelerator"));
    }
    Plan plan;
    plan.cluster = std::move(cluster);
    Accelerator& accelerator = plan.cluster.accelerator;
    ReadHooks hooks;
    hooks.before = [&](ObjectReader& object, const Field& field) {
        if (&field == &fieldOf<&Cluster::accelerator>()) return readBareId(object, presets, accelerator);
        return readCurves(object, field, accelerator);
    };
    hooks.enter = [&](ObjectReader& object, const Field& group, bool was_there) {
        if (&group == &fieldOf<&Cluster::accelerator>())
            startAccelerator(object, presets, accelerator);
        else if (!was_there && groupOf(group.pointer) == pointerOf<&Plan::cluster>)
            object.require("gb_s", Sentence::tr("a link needs its bandwidth"));
    };
    hooks.leave = [&](ObjectReader& object, const Field& group, bool) {
        if (&group == &fieldOf<&Cluster::accelerator>()) checkUsable(object, accelerator);
    };
    readFields(json, pointerOf<&Plan::cluster>, plan, hooks);
    cluster = std::move(plan.cluster);
}

/// Whether the shape's parameters can be counted without overflow: a file may hold larger numbers, which check()
/// refuses.
static bool isCountable(const Plan& plan)
{
    const bool sensible = std::ranges::all_of(planFields(), [&](const Field& field) {
        if (field.most_sensible == 0 || !field.pointer.starts_with(pointerOf<&Plan::model>)) return true;
        const FieldValue held = field.get(plan);
        const auto* value = std::get_if<std::int64_t>(&held);
        return value == nullptr || *value <= field.most_sensible;
    });
    return sensible && roughSize(plan).parameters <= kMostCounted;
}

void readModel(ObjectReader& json, const Presets& presets, Model& model)
{
    const bool complete = std::ranges::all_of(kWholeShape, [&](std::string_view key) { return json.has(key); });
    bool started = startFromPreset(json, Sentence::tr("model preset"), presets.models, complete, model);
    const bool of_preset = presets.model(model.id) != nullptr;
    Plan plan;
    plan.model = std::move(model);
    const Plan as_preset = plan;
    Architecture& shape = plan.model.architecture;
    ReadHooks hooks;
    hooks.before = [&](ObjectReader& object, const Field& field) {
        // Before the first field of the shape: a size or a family may stand for the shape.
        if (&field == &fieldOf<&Architecture::hidden_size>()) {
            if (started && !complete && object.has("parameters"))
                object.require("family", Sentence::tr("parameters ask for a model of a family, not for a preset"));
            started = startFromSize(object, complete, plan.model) || started;
            if (started) return false;
            for (const auto key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"})
                object.require(
                    key, Sentence::tr("a model needs a preset, a family with parameters, or its whole shape"));
        } else if (&field == &fieldOf<&Architecture::vocab_size>() && !started) {
            // Before the experts, whose width defaults to this one.
            object.derive(
                "intermediate_size", shape.intermediate_size, 4.0 * static_cast<double>(shape.hidden_size), kCount);
        }
        return false;
    };
    bool had_experts = false;
    hooks.enter = [&](ObjectReader& object, const Field& group, bool was_there) {
        if (&group == &fieldOf<&Architecture::moe>()) had_experts = was_there;
        if (!was_there) requireGroup(object, group, shape);
    };
    hooks.leave = [&](ObjectReader& object, const Field& group, bool) {
        if (&group != &fieldOf<&Architecture::moe>() || had_experts) return;
        auto& moe = *shape.moe;
        object.derive("shared_intermediate_size", moe.shared_intermediate_size,
            static_cast<double>(moe.num_shared_experts) * static_cast<double>(moe.moe_intermediate_size), kCountOrZero);
    };
    readFields(json, pointerOf<&Plan::model>, plan, hooks);
    if (!started) deriveShape(json, shape);
    model = std::move(plan.model);
    plan.model = model;
    if (!of_preset || !isCountable(plan)) return;
    if (parameterCount(as_preset.model.architecture) == parameterCount(model.architecture)) return;

    // A model with a different parameter count is no longer the preset: its name and size must not say so. Values that
    // the file gives itself stay.
    markAsOwn(as_preset, plan);
    if (!json.has("name")) model.name = plan.model.name;
    if (!json.has("parameters")) model.parameters = plan.model.parameters;
    if (!json.has("reported_parameters")) model.reported_parameters = plan.model.reported_parameters;
}

WriteHooks presetHooks(const Plan& plan)
{
    WriteHooks hooks;
    hooks.enter = [&plan](Json& object, const Field& group) {
        if (&group == &fieldOf<&Plan::model>()) namePreset(object, plan.model);
        if (&group == &fieldOf<&Plan::cluster>()) namePreset(object, plan.cluster);
        if (&group != &fieldOf<&Cluster::accelerator>()) return;
        const std::string& id = plan.cluster.accelerator.id;
        object["preset"] = id.empty() ? Json(nullptr) : Json(id);
    };
    hooks.curves = [&plan](const Field& field) { return curvesJson(field, plan.cluster.accelerator); };
    return hooks;
}

void writeAccelerator(Json& json, const Accelerator& accelerator)
{
    Plan plan;
    plan.cluster.accelerator = accelerator;
    writeFields(json, pointerOf<&Cluster::accelerator>, plan, presetHooks(plan));
}

void writeCluster(Json& json, const Cluster& cluster)
{
    Plan plan;
    plan.cluster = cluster;
    writeFields(json, pointerOf<&Plan::cluster>, plan, presetHooks(plan));
}

void writeModel(Json& json, const Model& model)
{
    Plan plan;
    plan.model = model;
    writeFields(json, pointerOf<&Plan::model>, plan, presetHooks(plan));
}

} // namespace cardfit
