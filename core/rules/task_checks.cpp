// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/task_checks.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/choices.h"
#include "core/plan/field_table.h"
#include "core/plan/tables.h"

namespace cardfit {

void checkVision(const Plan& plan, CheckList& checks)
{
    const auto& tower = plan.model.architecture.vision;
    constexpr std::string_view kField = pointerOf<&Workload::image_tokens>;
    if (!tower) {
        if (plan.workload.image_tokens > 0)
            checks.error(
                "VISION", kField, Sentence::tr("the model has no vision tower that makes tokens of images"), {0});
        return;
    }
    if (plan.workload.image_tokens > plan.workload.sequence_length)
        checks.error("VISION", kField,
            Sentence::tr("{} tokens of images do not fit into a sequence of {}",
                {plan.workload.image_tokens, plan.workload.sequence_length}),
            {plan.workload.sequence_length});
    if (plan.workload.image_tokens > 0 && plan.workload.images > plan.workload.image_tokens)
        checks.error("VISION", pointerOf<&Workload::images>,
            Sentence::tr("{} images are more than the {} tokens that they become",
                {plan.workload.images, plan.workload.image_tokens}),
            {1});
    const std::int64_t tensor = plan.parallelism.tensor;
    const bool divides = tower->num_attention_heads % tensor == 0 && tower->intermediate_size % tensor == 0;
    if (plan.parallelism.vision_tensor && !divides)
        checks.error("VISION-TENSOR", pointerOf<&Parallelism::vision_tensor>,
            Sentence::tr("tensor {} does not divide the vision tower's {} heads and {} MLP features",
                {tensor, tower->num_attention_heads, tower->intermediate_size}));
}

namespace {

/// Lengths and load of a served plan.
void checkServedLoad(const Plan& plan, CheckList& checks)
{
    const Workload& work = plan.workload;
    const std::int64_t tokens = work.input_tokens.value_or(0) + work.output_tokens.value_or(0);
    if (tokens > work.sequence_length) {
        checks.error("SERVED-LENGTH", pointerOf<&Workload::sequence_length>,
            Sentence::tr("prompts and answers of {} tokens in the mean are longer than the {} that the server is "
                         "planned for",
                {tokens, work.sequence_length}),
            {tokens});
    }
    if (work.concurrency && work.requests_per_second) {
        checks.error("SERVED-LOAD", pointerOf<&Workload::requests_per_second>,
            Sentence::tr("a load is given by concurrency or by requests a second, not by both"));
    }
    if (work.requests_per_second && !work.input_tokens && !work.output_tokens) {
        checks.warning("SERVED-LOAD", pointerOf<&Workload::output_tokens>,
            Sentence::tr("requests a second say nothing without the length of their answers"));
    }
}

} // namespace

void checkTask(const Plan& plan, CheckList& checks)
{
    const bool inference = plan.workload.task == Task::Inference;
    if (plan.recipe.precision == Precision::Int8 && !inference) {
        checks.error("PRECISION-INT8", pointerOf<&Recipe::precision>,
            Sentence::tr("int8 is a format for inference, not for training"));
    } else if (servesOnly(plan.recipe.precision) && !inference) {
        checks.error("PRECISION-SERVED", pointerOf<&Recipe::precision>,
            plan.recipe.precision == Precision::Nf4
                ? Sentence::tr("nf4 is a format for inference; to train adapters of such a model, use the task qlora")
                : Sentence::tr("{} is a format for inference, not for training", {name(plan.recipe.precision)}));
    }
    if (plan.recipe.engine && !inference) {
        checks.error("ENGINE-TASK", pointerOf<&Recipe::framework>,
            Sentence::tr("{} serves models; it does not train them", {words(*plan.recipe.engine).label}));
    }
    if (inference) checkServedLoad(plan, checks);
    const Precision cached = plan.recipe.kv_cache_precision.value_or(Precision::Bf16);
    if (inference && (cached == Precision::Mxfp4 || cached == Precision::Nf4)) {
        checks.error("KV-CACHE-FORMAT", pointerOf<&Recipe::kv_cache_precision>,
            Sentence::tr("{} is a format of weights; no server caches keys and values in it", {name(cached)}));
    }
    if (plan.recipe.adapter && !trainsAdapters(plan)) {
        checks.warning("ADAPTER-TASK", pointerOf<&Recipe::adapter>,
            Sentence::tr("task {} trains no adapter; lora and qlora do", {name(plan.workload.task)}));
    }
    if (plan.recipe.kv_cache_precision && !inference) {
        checks.warning("KV-CACHE-TASK", pointerOf<&Recipe::kv_cache_precision>,
            Sentence::tr("only inference keeps keys and values"));
    }
    const WeightsPrecision& parts = plan.recipe.weights_precision;
    if (parts != WeightsPrecision() && !inference) {
        checks.warning("WEIGHTS-PRECISION-TASK", pointerOf<&WeightsPrecision::experts>,
            Sentence::tr("only served weights have formats by part"));
    }
    if (parts.experts && inference && !plan.model.architecture.moe) {
        checks.warning("WEIGHTS-PRECISION-EXPERTS", pointerOf<&WeightsPrecision::experts>,
            Sentence::tr("the model has no experts"));
    }
    if (inference && plan.recipe.schedule != Schedule::OneFOneB && plan.recipe.schedule != Schedule::GPipe) {
        checks.warning("INFERENCE-SCHEDULE", pointerOf<&Recipe::schedule>,
            Sentence::tr("inference runs forward passes only; schedule {} decides only their order",
                {traits(plan.recipe.schedule).label}));
    }
}

void checkFp8Blocks(const Plan& plan, CheckList& checks)
{
    if (plan.workload.task != Task::Inference || plan.recipe.precision != Precision::Fp8) return;
    constexpr std::int64_t kBlock = 128;
    const std::int64_t tensor = plan.parallelism.tensor;
    const Architecture& model = plan.model.architecture;
    const auto& moe = model.moe;
    const auto warn = [&](std::string_view field, std::int64_t features, std::int64_t ranks, Phrase whose) {
        if (ranks < 2 || features % ranks != 0 || features / ranks % kBlock == 0) return;
        checks.warning("FP8-BLOCKS", field,
            Sentence::tr(
                "{} ranks take {} features of {} each, no multiple of 128: vLLM refuses checkpoints in fp8 with "
                "blocks of 128; those with a scale for each channel are not concerned",
                {ranks, features / ranks, whose}));
    };
    if (moe) {
        warn(
            pointerOf<&Parallelism::expert>, moe->moe_intermediate_size, expertTensor(plan), Sentence::tr("an expert"));
        warn(
            pointerOf<&Parallelism::tensor>, moe->shared_intermediate_size, tensor, Sentence::tr("the shared experts"));
    }
    if (!moe || moe->first_dense_layers > 0 || moe->layer_frequency > 1 || std::ranges::count(moe->layers, 0) > 0)
        warn(pointerOf<&Parallelism::tensor>, model.intermediate_size, tensor, Sentence::tr("an MLP"));
}

void checkGradients(const Plan& plan, CheckList& checks)
{
    if (plan.workload.task == Task::Inference) return;
    const bool partitions = plan.recipe.sharding == Sharding::Zero2 || plan.recipe.sharding == Sharding::Zero3;
    if (plan.recipe.gradient_sync == GradientSync::Last && plan.recipe.framework == Framework::DeepSpeed
        && partitions) {
        checks.error("GRADIENT-SYNC", pointerOf<&Recipe::gradient_sync>,
            Sentence::tr("DeepSpeed's {} divides gradients after every micro-batch; it refuses no_sync",
                {name(plan.recipe.sharding)}));
    }
    if (!plan.recipe.optimizer_in_backward) return;
    if (plan.recipe.framework != Framework::Fsdp) {
        checks.error("BACKWARD-UPDATE", pointerOf<&Recipe::optimizer_in_backward>,
            Sentence::tr("updating weights during the backward pass is PyTorch's; {} does not do it",
                {name(plan.recipe.framework)}));
    } else if (microBatches(plan) > 1) {
        checks.error("BACKWARD-UPDATE", pointerOf<&Recipe::optimizer_in_backward>,
            Sentence::tr("weights are updated in every backward pass, so a step has one micro-batch, not {}",
                {microBatches(plan)}));
    }
}

void checkOffload(const Plan& plan, CheckList& checks)
{
    const auto& offload = plan.recipe.offload;
    const bool megatron = plan.recipe.framework == Framework::Megatron;
    if (megatron && offload.parameters > 0.0) {
        checks.error("OFFLOAD-PARAMETERS", pointerOf<&Offload::parameters>,
            Sentence::tr("Megatron-Core keeps all weights on the card; DeepSpeed and FSDP can offload them"));
    }
    if (megatron && offload.activations > 0.0 && plan.parallelism.pipeline > 1) {
        checks.error("OFFLOAD-ACTIVATIONS", pointerOf<&Offload::activations>,
            Sentence::tr("Megatron-Core offloads activations without a pipeline only, pipeline is {}",
                {plan.parallelism.pipeline}),
            {1});
    }
    if (megatron && offload.gradients.value_or(0.0) > 0.0) {
        checks.error("OFFLOAD-GRADIENTS", pointerOf<&Offload::gradients>,
            Sentence::tr("Megatron-Core keeps all gradients on the card; DeepSpeed and FSDP can offload them"));
    }
    if (!megatron && offload.parameters > 0.0 && plan.recipe.sharding != Sharding::Zero3) {
        checks.error("OFFLOAD-SHARDING", pointerOf<&Offload::parameters>,
            Sentence::tr("weights can be offloaded only where they are sharded (zero3)"));
    }
}

} // namespace cardfit
