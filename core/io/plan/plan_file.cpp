// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/plan/plan_file.h"

#include "core/io/file.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/plan_json.h"
#include "core/io/plan/picture_plan.h"
#include "core/io/plan/preset_json.h"

namespace cardfit {

namespace {

// ---- Reading

void readWorkload(ObjectReader& json, Workload& workload)
{
    json.readWord("task", workload.task);
    json.read("sequence_length", workload.sequence_length, kCount);
    json.read("micro_batch_size", workload.micro_batch_size, kCount);
    json.read("global_batch_size", workload.global_batch_size, kCount);
    json.read("tokens", workload.tokens, kPositive);
}

void readParallelism(ObjectReader& json, Parallelism& parallelism)
{
    json.read("tensor", parallelism.tensor, kCount);
    json.read("sequence", parallelism.sequence);
    json.read("pipeline", parallelism.pipeline, kCount);
    json.read("virtual_pipeline", parallelism.virtual_pipeline, kCount);
    json.read("layers_per_stage", parallelism.layers_per_stage, kCountOrZero);
    json.read("context", parallelism.context, kCount);
    json.read("expert", parallelism.expert, kCount);
    json.read("expert_tensor", parallelism.expert_tensor, kCount);
    json.read("data", parallelism.data, kCount);
}

void readDropout(ObjectReader& json, Dropout& dropout)
{
    json.read("hidden", dropout.hidden, kFraction);
    json.read("attention", dropout.attention, kFraction);
}

void readRecompute(ObjectReader& json, Recompute& recompute)
{
    json.readWord("granularity", recompute.granularity);
    json.readWords("modules", recompute.modules);
    json.readWord("method", recompute.method);
    json.read("layers", recompute.layers, kCount);
}

void readExpertRecipe(ObjectReader& json, ExpertRecipe& moe)
{
    json.read("grouped_gemm", moe.grouped_gemm);
    json.readWord("dispatcher", moe.dispatcher);
    json.read("permute_fusion", moe.permute_fusion);
    json.read("expert_overlap", moe.expert_overlap);
}

void readOffload(ObjectReader& json, Offload& offload)
{
    json.read("optimizer", offload.optimizer, kFraction);
    json.read("parameters", offload.parameters, kFraction);
    json.read("activations", offload.activations, kFraction);
}

void readAdapter(ObjectReader& json, Adapter& adapter)
{
    json.read("rank", adapter.rank, kCount);
    json.readWords("targets", adapter.targets);
}

void readOverlap(ObjectReader& json, Overlap& overlap)
{
    json.read("gradients", overlap.gradients);
    json.read("parameters", overlap.parameters);
    json.read("tensor", overlap.tensor);
    json.read("pipeline", overlap.pipeline);
}

void readRecipe(ObjectReader& json, Recipe& recipe)
{
    json.readWord("framework", recipe.framework);
    json.readWord("kernels", recipe.kernels);
    json.readWord("precision", recipe.precision);
    json.readWord("gradient_precision", recipe.gradient_precision);
    json.readWord("optimizer", recipe.optimizer);
    json.readWord("sharding", recipe.sharding);
    json.read("optimizer_instances", recipe.optimizer_instances, kCount);
    json.readWord("schedule", recipe.schedule);
    json.read("microbatch_group", recipe.microbatch_group, kCount);
    json.readWord("attention", recipe.attention);
    json.readWord("loss", recipe.loss);
    json.readObject("dropout", [&](ObjectReader& inner) { readDropout(inner, recipe.dropout); });
    json.readObject("recompute", [&](ObjectReader& inner) { readRecompute(inner, recipe.recompute); });
    json.read("gradient_accumulation_fusion", recipe.gradient_accumulation_fusion);
    json.read("attention_mask_in_dataloader", recipe.attention_mask_in_dataloader);
    json.read("activation_fusion", recipe.activation_fusion);
    json.read("rope_fusion", recipe.rope_fusion);
    json.readObject("moe", [&](ObjectReader& inner) { readExpertRecipe(inner, recipe.moe); });
    json.readWord("context_communication", recipe.context_communication);
    json.readObject("offload", [&](ObjectReader& inner) { readOffload(inner, recipe.offload); });
    json.readObject(
        "adapter", recipe.adapter, [](ObjectReader& inner, Adapter& adapter) { readAdapter(inner, adapter); });
    json.readObject("overlap", [&](ObjectReader& inner) { readOverlap(inner, recipe.overlap); });
    json.readWord("kv_cache_precision", recipe.kv_cache_precision);
    json.read("cublas_workspace_mib", recipe.cublas_workspace, kCountOrZero);
}

void readOverheads(ObjectReader& json, Overheads& overheads)
{
    json.read("device_context_mib", overheads.device_context, kCountOrZero);
    json.read("reserve_fraction", overheads.reserve_fraction, kFraction);
}

/// A measurement without what it says about the plan would change nothing, silently.
void readCalibration(ObjectReader& json, Calibration& calibration)
{
    constexpr NumberRange kFactor{0.01, 100.0};
    constexpr WholeRange kResidual{-(std::int64_t{1} << 50), std::int64_t{1} << 50};
    constexpr Phrase kDerive = Sentence::tr("`cardfit calibrate` derives it from the measured figure");
    Measurement& measured = calibration.measured;
    json.read("tokens_per_second_per_card", measured.tokens_per_second_per_card, kPositive);
    json.read("step_seconds", measured.step, kPositive);
    json.read("allocated_bytes", measured.allocated, WholeRange{1, std::int64_t{1} << 50});
    json.read("stage", measured.stage, kCountOrZero);
    json.read("source", measured.source);
    json.read("compute_factor", calibration.compute_factor, kFactor);
    json.read("communication_factor", calibration.communication_factor, kFactor);
    json.read("residual_bytes", calibration.residual, kResidual);
    const bool timed = json.has("tokens_per_second_per_card") || json.has("step_seconds");
    if (json.hasAll({"tokens_per_second_per_card", "step_seconds"}))
        json.refuse(
            "step_seconds", ErrorCode::OutOfRange, Sentence::tr("a step time or tokens_per_second_per_card, not both"));
    if (timed) json.require("compute_factor", kDerive);
    if (json.has("allocated_bytes")) json.require("residual_bytes", kDerive);
    if (!timed && !json.has("allocated_bytes"))
        json.require(
            "step_seconds", Sentence::tr("a calibration needs that, tokens_per_second_per_card or allocated_bytes"));
}

// ---- Writing

Json workloadJson(const Workload& workload)
{
    Json json = Json::object();
    json["task"] = name(workload.task);
    json["sequence_length"] = workload.sequence_length;
    json["micro_batch_size"] = workload.micro_batch_size;
    json["global_batch_size"] = workload.global_batch_size;
    json["tokens"] = plainNumber(workload.tokens);
    return json;
}

template <class Value> Json orNull(const std::optional<Value>& value) { return value ? Json(*value) : Json(nullptr); }

Json parallelismJson(const Parallelism& parallelism)
{
    Json json = Json::object();
    json["tensor"] = parallelism.tensor;
    json["sequence"] = parallelism.sequence;
    json["pipeline"] = parallelism.pipeline;
    json["virtual_pipeline"] = parallelism.virtual_pipeline;
    json["layers_per_stage"] = orNull(parallelism.layers_per_stage);
    json["context"] = parallelism.context;
    json["expert"] = parallelism.expert;
    json["expert_tensor"] = parallelism.expert_tensor;
    json["data"] = orNull(parallelism.data);
    return json;
}

/// Beside the granularity only what it uses, or what would otherwise be forgotten.
Json recomputeJson(const Recompute& recompute)
{
    const Recompute defaults;
    const bool selective = recompute.granularity == RecomputeGranularity::Selective;
    const bool full = recompute.granularity == RecomputeGranularity::Full;
    Json json = Json::object();
    json["granularity"] = name(recompute.granularity);
    if (selective || recompute.modules != defaults.modules) {
        json["modules"] = Json::array();
        for (const RecomputeModule module : recompute.modules)
            json["modules"].push_back(name(module));
    }
    if (full || recompute.method != defaults.method) json["method"] = name(recompute.method);
    if (full || recompute.layers != defaults.layers) json["layers"] = recompute.layers;
    return json;
}

Json expertRecipeJson(const ExpertRecipe& moe)
{
    Json json = Json::object();
    json["grouped_gemm"] = moe.grouped_gemm;
    json["dispatcher"] = name(moe.dispatcher);
    json["permute_fusion"] = moe.permute_fusion;
    json["expert_overlap"] = moe.expert_overlap;
    return json;
}

Json adapterJson(const Adapter& adapter)
{
    Json json = Json::object();
    json["rank"] = adapter.rank;
    if (!adapter.targets.empty()) {
        json["targets"] = Json::array();
        for (const AdapterTarget target : adapter.targets)
            json["targets"].push_back(name(target));
    }
    return json;
}

Json recipeJson(const Recipe& recipe)
{
    Json json = Json::object();
    json["framework"] = name(recipe.framework);
    json["kernels"] = name(recipe.kernels);
    json["precision"] = name(recipe.precision);
    json["gradient_precision"] = name(recipe.gradient_precision);
    json["optimizer"] = name(recipe.optimizer);
    json["sharding"] = name(recipe.sharding);
    json["optimizer_instances"] = recipe.optimizer_instances;
    json["schedule"] = name(recipe.schedule);
    json["microbatch_group"] = orNull(recipe.microbatch_group);
    json["attention"] = name(recipe.attention);
    json["loss"] = name(recipe.loss);
    json["dropout"] = {{"hidden", recipe.dropout.hidden}, {"attention", recipe.dropout.attention}};
    json["recompute"] = recomputeJson(recipe.recompute);
    json["gradient_accumulation_fusion"] = recipe.gradient_accumulation_fusion;
    json["attention_mask_in_dataloader"] = recipe.attention_mask_in_dataloader;
    json["activation_fusion"] = recipe.activation_fusion;
    json["rope_fusion"] = recipe.rope_fusion;
    json["moe"] = expertRecipeJson(recipe.moe);
    json["context_communication"] = name(recipe.context_communication);
    json["offload"] = {{"optimizer", recipe.offload.optimizer}, {"parameters", recipe.offload.parameters},
        {"activations", recipe.offload.activations}};
    json["adapter"] = recipe.adapter ? adapterJson(*recipe.adapter) : Json(nullptr);
    json["overlap"] = {{"gradients", recipe.overlap.gradients}, {"parameters", recipe.overlap.parameters},
        {"tensor", recipe.overlap.tensor}, {"pipeline", recipe.overlap.pipeline}};
    if (recipe.kv_cache_precision) json["kv_cache_precision"] = name(*recipe.kv_cache_precision);
    if (recipe.cublas_workspace) json["cublas_workspace_mib"] = recipe.cublas_workspace->value();
    return json;
}

Json overheadsJson(const Overheads& overheads)
{
    Json json = Json::object();
    json["device_context_mib"] = overheads.device_context ? Json(overheads.device_context->value()) : Json(nullptr);
    json["reserve_fraction"] = orNull(overheads.reserve_fraction);
    return json;
}

/// Of what was measured and what that said, only what there is.
Json calibrationJson(const Calibration& calibration)
{
    const Measurement& measured = calibration.measured;
    Json json = Json::object();
    if (measured.tokens_per_second_per_card)
        json["tokens_per_second_per_card"] = plainNumber(*measured.tokens_per_second_per_card);
    if (measured.step) json["step_seconds"] = plainNumber(*measured.step);
    if (measured.allocated) json["allocated_bytes"] = measured.allocated->value();
    if (measured.allocated || measured.stage != 0) json["stage"] = measured.stage;
    if (!measured.source.empty()) json["source"] = measured.source;
    if (measured.tokens_per_second_per_card || measured.step || calibration.compute_factor != 1.0)
        json["compute_factor"] = calibration.compute_factor;
    if (calibration.communication_factor != 1.0) json["communication_factor"] = calibration.communication_factor;
    if (measured.allocated || calibration.residual != Bytes(0)) json["residual_bytes"] = calibration.residual.value();
    return json;
}

/// An object that names the preset it was made from, if any, before its values.
template <class Value> Json presetJson(const Value& value, void (*write)(Json&, const Value&))
{
    Json json = Json::object();
    if (!value.id.empty()) json["preset"] = value.id;
    write(json, value);
    return json;
}

/// Puts keys back where they stood. What the plan itself writes wins, and keys inside an object that the plan has lost
/// since (a model without experts) go with it.
void mergeUnknown(Json& into, const Json& unknown)
{
    for (const auto& [key, value] : unknown.items()) {
        if (!into.contains(key))
            into[key] = value;
        else if (into[key].is_object() && value.is_object())
            mergeUnknown(into[key], value);
    }
}

} // namespace

Result<Plan> parsePlan(std::string_view text, const Presets& presets)
{
    const auto document = parseJson(text);
    if (!document) return tl::unexpected<Error>(document.error());

    Findings findings;
    ObjectReader json(*document, findings);
    Plan plan;
    readHeader(json, "cardfit/plan");
    json.read("name", plan.name);
    json.require("model", Sentence::tr("a plan needs one"));
    json.readObject("model", [&](ObjectReader& inner) { readModel(inner, presets, plan.model); });
    json.require("cluster", Sentence::tr("a plan needs one"));
    json.readObject("cluster", [&](ObjectReader& inner) { readCluster(inner, presets, plan.cluster); });
    json.readObject("workload", [&](ObjectReader& inner) { readWorkload(inner, plan.workload); });
    json.readObject("parallelism", [&](ObjectReader& inner) { readParallelism(inner, plan.parallelism); });
    json.readObject("recipe", [&](ObjectReader& inner) { readRecipe(inner, plan.recipe); });
    json.readObject("overheads", [&](ObjectReader& inner) { readOverheads(inner, plan.overheads); });
    json.readObject("calibration", plan.calibration,
        [](ObjectReader& inner, Calibration& calibration) { readCalibration(inner, calibration); });
    json.collectUnknown();
    if (findings.error) return tl::unexpected<Error>(*std::move(findings.error));

    plan.unknown.paths = std::move(findings.unknown_paths);
    if (!findings.unknown.empty()) plan.unknown.json = compactJson(findings.unknown);
    return plan;
}

Result<PlanSource> readPlanSource(const std::filesystem::path& file)
{
    constexpr std::size_t kMostPlanBytes = std::size_t{4} << 20;
    const auto named = [&](Error error) {
        error.file = file.string();
        return error;
    };
    auto bytes = readFile(file, kMostPictureBytes);
    if (!bytes) return tl::unexpected<Error>(std::move(bytes.error()));
    if (isPicture(*bytes)) {
        return planTextInPicture(*bytes)
            .map([](std::string text) {
                return PlanSource{std::move(text), true};
            })
            .map_error(named);
    }
    if (bytes->size() > kMostPlanBytes) {
        return tl::unexpected<Error>(
            named({ErrorCode::CannotRead, {}, {}, Sentence::tr("is larger than {} bytes", {kMostPlanBytes})}));
    }
    return PlanSource{std::move(*bytes), false};
}

Result<Plan> readPlan(const std::filesystem::path& file, const Presets& presets)
{
    return readPlanSource(file)
        .and_then([&](const PlanSource& source) { return parsePlan(source.text, presets); })
        .map_error([&](Error error) {
            error.file = file.string();
            return error;
        });
}

Json planJson(const Plan& plan)
{
    Json json = Json::object();
    json["format"] = "cardfit/plan";
    json["version"] = 1;
    json["name"] = plan.name;
    json["model"] = presetJson(plan.model, writeModel);
    json["cluster"] = presetJson(plan.cluster, writeCluster);
    json["workload"] = workloadJson(plan.workload);
    json["parallelism"] = parallelismJson(plan.parallelism);
    json["recipe"] = recipeJson(plan.recipe);
    json["overheads"] = overheadsJson(plan.overheads);
    if (plan.calibration) json["calibration"] = calibrationJson(*plan.calibration);

    Json unknown = Json::parse(plan.unknown.json, nullptr, false);
    if (unknown.is_object()) {
        // What stood beside a calibration goes with it.
        if (!plan.calibration) unknown.erase("calibration");
        mergeUnknown(json, unknown);
    }
    return json;
}

std::string planText(const Plan& plan) { return indentedJson(planJson(plan)) + "\n"; }

} // namespace cardfit
