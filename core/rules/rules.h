// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/plan/field_table.h"

/// The rules that check() and estimate() hold a plan to: one row each. They find out whether a plan keeps them and say
/// it with the plan's numbers; the row says what holds for every plan.
namespace cardfit {

struct PlanRule {
    std::string_view id; ///< stable: files, scripts and searches name it
    std::string_view sentence; ///< what a plan has to keep, and why
    /// Fields that can end it, besides the field that the check names.
    std::array<std::string_view, 5> mended_by{};
};

namespace rule_fields {
inline constexpr std::string_view kTensor = pointerOf<&Parallelism::tensor>;
inline constexpr std::string_view kPipeline = pointerOf<&Parallelism::pipeline>;
inline constexpr std::string_view kChunks = pointerOf<&Parallelism::virtual_pipeline>;
inline constexpr std::string_view kSplit = pointerOf<&Parallelism::layers_per_stage>;
inline constexpr std::string_view kContext = pointerOf<&Parallelism::context>;
inline constexpr std::string_view kExpert = pointerOf<&Parallelism::expert>;
inline constexpr std::string_view kExpertTensor = pointerOf<&Parallelism::expert_tensor>;
inline constexpr std::string_view kSequenceParallel = pointerOf<&Parallelism::sequence>;
inline constexpr std::string_view kData = pointerOf<&Parallelism::data>;
inline constexpr std::string_view kNodes = pointerOf<&Cluster::nodes>;
inline constexpr std::string_view kSequence = pointerOf<&Workload::sequence_length>;
inline constexpr std::string_view kMicroBatch = pointerOf<&Workload::micro_batch_size>;
inline constexpr std::string_view kBatch = pointerOf<&Workload::global_batch_size>;
inline constexpr std::string_view kSchedule = pointerOf<&Recipe::schedule>;
inline constexpr std::string_view kSharding = pointerOf<&Recipe::sharding>;
inline constexpr std::string_view kFramework = pointerOf<&Recipe::framework>;
inline constexpr std::string_view kTask = pointerOf<&Workload::task>;
inline constexpr std::string_view kPrecision = pointerOf<&Recipe::precision>;
} // namespace rule_fields

/// In the order in which check() asks.
inline constexpr auto kRules = [] {
    using namespace rule_fields;
    return std::to_array<PlanRule>({
        // Numbers by which all figures multiply and divide
        {"RANGE", "Degrees, counts and sizes are whole numbers from 1 to a bound that products cannot overflow."},
        {"SIZE", "Sizes that are accepted one by one must not be absurd together: 10^16 parameters or activations."},
        // Model
        {"LAYER-PATTERN", "A list of layers has one entry per layer, known kinds only, and the sizes that these need."},
        {"VISION", "Tokens of images need a vision tower and fit into the sequence."},
        {"VISION-TENSOR", "A vision tower that is divided among tensor ranks has heads and features that they divide.",
            {pointerOf<&Parallelism::vision_tensor>}},
        {"KV-HEADS", "The same number of attention heads shares each key/value head."},
        {"HIDDEN-HEADS", "Without a head size of its own a head takes hidden size / heads features."},
        {"SEQUENCE-POSITIONS",
            "A sequence is not longer than the positions that the model knows; learned positions end there."},
        // Cards
        {"CARDS", "Tensor x pipeline x context x data is the number of cards.",
            {kData, kNodes, kPipeline, kTensor, kContext}},
        // Tensor parallelism
        {"TP-HEADS", "Tensor ranks take whole attention heads."},
        {"TP-KV-HEADS", "Tensor ranks take whole key/value heads, or share one evenly."},
        {"TP-HIDDEN", "Tensor ranks divide the hidden features."},
        {"TP-FFN", "Tensor ranks divide the features of the MLP."},
        {"TP-RECURRENT", "Tensor ranks take whole heads and groups of recurrent layers."},
        {"TP-KV-REPLICATED", "With more tensor ranks than key/value heads, ranks hold copies of one."},
        {"VOCAB-PADDING", "The vocabulary is padded to a multiple of 128 x tensor; 2 % more rows are worth knowing."},
        {"TP-NODE", "Tensor ranks that leave the fast links wait for the slow ones in every layer."},
        {"SP-TENSOR", "Sequence parallelism divides among tensor ranks, so one rank gains nothing."},
        // Sequence
        {"CP-SEQUENCE",
            "Each context rank takes two equal pieces of a sequence, one from each half, to balance causal attention.",
            {kSequence}},
        {"SP-SEQUENCE", "Tensor ranks divide the tokens of a context rank where sequence parallelism is on.",
            {kSequenceParallel, kTensor, kContext}},
        {"CP-RECURRENT", "Context ranks exchange heads of recurrent layers for tokens, so they divide the heads."},
        {"CP-A2A-HEADS", "Context ranks that exchange heads for tokens divide the heads of a tensor rank."},
        // Pipeline
        {"PP-LAYERS", "Every stage has at least one layer, or the embedding or the head.", {kSplit, kChunks}},
        {"VP-LAYERS", "Every chunk of a stage has at least one layer, or the embedding or the head.",
            {kSplit, kPipeline}},
        {"LAYOUT-STAGES", "A list of layers has an entry per stage, or per chunk.", {kPipeline, kChunks}},
        {"LAYOUT-LAYERS", "A list of layers adds up to the model's.", {pointerOf<&Architecture::num_hidden_layers>}},
        {"DS-PIPELINE-ZERO",
            "DeepSpeed's pipeline engine accumulates whole gradients, so ZeRO stages 2 and 3 cannot divide them.",
            {kPipeline}},
        // Batch and schedule
        {"GBS-DIVIDES", "The global batch is a multiple of micro-batch x data.", {kMicroBatch, kNodes}},
        {"VP-PIPELINE", "Several chunks per stage need a pipeline.", {kPipeline}},
        {"SCHEDULE-FRAMEWORK", "A schedule that the framework does not run is estimated all the same."},
        {"VP-GROUP", "An interleaved schedule sends micro-batches in groups of a size that it accepts.",
            {kBatch, kSchedule}},
        {"PP-SCHEDULE", "A schedule accepts certain numbers of stages.", {kSchedule}},
        {"VP-SCHEDULE", "A schedule accepts certain numbers of chunks per stage.", {kSchedule}},
        {"SCHEDULE", "A schedule may not be able to run the plan at all."},
        {"VP-MICROBATCHES", "An interleaved schedule accepts certain numbers of micro-batches.",
            {kMicroBatch, kSchedule, kPipeline}},
        {"PP-MICROBATCHES", "A schedule accepts certain numbers of micro-batches.",
            {kMicroBatch, kSchedule, kPipeline}},
        {"PP-FILL", "With fewer micro-batches than stages, more than half of the step is idle."},
        // Experts
        {"EP-DENSE", "Expert parallelism needs experts."},
        {"EP-EXPERTS", "Expert ranks take whole experts, as many each."},
        {"MOE-TOPK", "A token goes to no more experts than there are."},
        {"ETP-FFN", "Expert tensor ranks divide the features of an expert."},
        {"EP-CARDS", "The cards of a stage split into groups of expert x expert tensor.",
            {kExpertTensor, kPipeline, kNodes}},
        {"OPT-INSTANCES-EXPERTS", "Groups that share an optimizer divide the copies of the experts as well.",
            {kExpert, kExpertTensor}},
        {"DS-EXPERTS-ZERO3", "DeepSpeed does not combine experts on several ranks, ZeRO stage 3 and tensor ranks.",
            {kExpert, kTensor}},
        {"EXPERTS-REPLICATED", "Tensor ranks that divide neither experts nor their features hold copies of them.",
            {kExpert}},
        {"EXPERTS-SEQUENCE", "Megatron-Core trains experts on tensor ranks with sequence parallelism only.", {kTensor}},
        {"MOE-LAYERS", "A list of layers with experts has an entry per layer."},
        {"MOE-LAYERS-TWICE", "A list of layers with experts is used; a count that contradicts it is not."},
        {"MOE-DENSE", "A model with experts has a layer with experts."},
        {"MOE-IMBALANCE", "The busiest of n ranks has at most n times the mean load."},
        // Recipe
        {"MEGATRON-ZERO",
            "Megatron-Core's distributed optimizer divides optimizer states only (zero1); more is Megatron-FSDP.",
            {kFramework}},
        {"FSDP-ZERO1", "FSDP divides gradients at least (zero2).", {kFramework}},
        {"OPT-INSTANCES", "Groups that share an optimizer divide data x context."},
        {"EP-OVERLAP",
            "Overlapping the experts' communication needs the framework, schedule and settings that have it.",
            {pointerOf<&ExpertRecipe::expert_overlap>}},
        // Task
        {"PRECISION-INT8", "int8 is a format for inference.", {kTask}},
        {"PRECISION-SERVED", "Formats that only store weights serve, and do not train whole models.", {kTask}},
        {"KV-CACHE-FORMAT", "A server caches keys and values in a format that servers have."},
        {"ADAPTER-TASK", "An adapter is trained by the tasks lora and qlora."},
        {"KV-CACHE-TASK", "Only inference keeps keys and values."},
        {"WEIGHTS-PRECISION-TASK", "Only served weights have formats by part.", {kTask}},
        {"WEIGHTS-PRECISION-EXPERTS", "Only a model with experts has a format of theirs."},
        {"INFERENCE-SCHEDULE", "Inference runs forward passes only.", {kTask}},
        {"FP8-BLOCKS", "Ranks take whole blocks of 128 features of a checkpoint in fp8 with blocks.", {kTensor}},
        {"ENGINE-TASK", "A framework that serves does not train.", {kTask}},
        {"SERVED-LENGTH", "Prompt and answer fit into the context that a server is planned for."},
        {"SERVED-LOAD", "A server's load is a number of users or of requests per second, not both."},
        // Offload
        {"OFFLOAD-PARAMETERS", "Megatron-Core keeps all weights on the card.", {kFramework}},
        {"OFFLOAD-ACTIVATIONS", "Megatron-Core offloads activations without a pipeline only.", {kPipeline}},
        {"OFFLOAD-GRADIENTS", "Megatron-Core keeps all gradients on the card.", {kFramework}},
        {"OFFLOAD-SHARDING", "Weights are offloaded only where they are sharded (zero3).", {kSharding}},
        // Gradients
        {"GRADIENT-SYNC", "DeepSpeed's ZeRO stages 2 and 3 divide gradients after every micro-batch.",
            {kSharding, kFramework}},
        {"BACKWARD-UPDATE", "Weights are updated during the backward pass by PyTorch, with one micro-batch per step.",
            {kFramework, kBatch}},
        // Settings
        {"SOFTWARE", "The age of the software is a year and a month; otherwise it is today's."},
        {"DISPATCHER", "A dispatcher of experts' tokens needs the framework and group sizes that it is made for.",
            {kExpert}},
        {"DISPATCHER-CARD", "A dispatcher without kernels for a card falls back to alltoall."},
        {"OVERLAP-PARAMETERS", "Megatron-LM overlaps parameter gathering only together with gradient reduction.",
            {pointerOf<&Overlap::gradients>}},
        {"OVERLAP-TENSOR", "Megatron-LM overlaps tensor communication only with sequence parallelism.",
            {kSequenceParallel}},
        {"CUDA-GRAPH", "A recorded graph needs fixed shapes and no wait for the host.",
            {pointerOf<&ExpertRecipe::dispatcher>, pointerOf<&ExpertRecipe::fused_grouped_mlp>, kFramework}},
        {"FP8-ATTENTION",
            "Attention in fp8 needs TransformerEngine's fused kernels, a narrow precision, and Hopper or Blackwell.",
            {kPrecision, pointerOf<&Recipe::attention>}},
        {"FP8-PARAM-GATHER", "Weights are gathered in fp8 where products are in fp8 and weights are gathered.",
            {kPrecision, kSharding}},
        {"FP4-PARAM-GATHER", "Weights are gathered in fp4 where products are in fp4 and weights are gathered.",
            {kPrecision, kSharding}},
        {"RECOMPUTE-STREAMS", "Hyper-connections limit what can be recomputed.",
            {pointerOf<&Recompute::granularity>, kFramework}},
        {"MOMENTS", "The format of the moments can be chosen with adam under Megatron-Core's distributed optimizer.",
            {pointerOf<&Recipe::optimizer>, kSharding}},
        {"FP8-ACTIVATION", "Inputs of an activation function are kept in fp8 by Megatron-Core's SwiGLU."},
        {"FUSED-EXPERTS", "Fusing the experts' MLP needs TransformerEngine and grouped products.",
            {pointerOf<&ExpertRecipe::grouped_gemm>}},
        {"FUSED-EXPERTS-CARD", "The experts' MLP is fused in mxfp8 and nvfp4 on Blackwell only."},
        {"LOSS-PARALLEL", "Megatron-Core computes the loss on divided logits.", {kFramework}},
        // Cards' formats, unknown keys
        {"CARD-BF16", "Products in bf16 need matrix units for it."},
        {"CARD-FP8", "Products in fp8 need matrix units for it."},
        {"CARD-FP4", "Products in fp4 need matrix units for it."},
        // What only an estimate knows
        {"MAGNITUDE", "Figures can be computed: a step below 10^12 seconds, and no calibration that leaves nothing."},
        {"EP-DOMAIN",
            "Experts that exchange tokens over the slow network wait for it; 1 % of the step is worth knowing."},
        {"SERVED-USERS", "A server runs as many requests at once as are asked for, within the limits of waiting."},
        {"SERVED-ANSWERS", "A time per token needs answers of more than one token."},
        {"HOST-MEMORY",
            "The memory of a node holds what its cards offload, pin and load; if it is unknown, that is said."},
        {"UNKNOWN-KEY", "A key that this version does not know is kept as it is."},
    });
}();

/// The row of an id; null if there is none.
[[nodiscard]] constexpr const PlanRule* ruleOf(std::string_view id)
{
    const auto found = std::ranges::find(kRules, id, &PlanRule::id);
    return found == kRules.end() ? nullptr : &*found;
}

/// The id of a rule that has a row; an id without one does not compile.
class RuleId {
public:
    consteval RuleId(const char* id) // NOLINT(google-explicit-constructor)
        : m_rule(ruleOf(id))
    {
        if (m_rule == nullptr) throw "add the rule to kRules";
    }
    [[nodiscard]] constexpr std::string_view text() const { return m_rule->id; }
    operator std::string() const { return std::string(m_rule->id); } // NOLINT(google-explicit-constructor)

private:
    const PlanRule* m_rule;
};

} // namespace cardfit
