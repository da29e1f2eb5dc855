// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/learn.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/articles/rules_of_thumb.h"
#include "core/files/plan_file.h"
#include "core/memory/states.h"
#include "core/time/kernels.h"

namespace cardfit {

namespace {

using Unit = RuleOnPlan::Unit;

/// A plan and the card that its rules are about.
struct Taught {
    const Plan& plan;
    const Estimate& estimate;
    const StageMemory& stage; ///< the fullest
};

bool isServed(const Taught& of) { return of.plan.workload.task == Task::Inference; }
bool trainsWhole(const Taught& of) { return trainsAll(of.plan); }
bool hasPipeline(const Taught& of) { return !isServed(of) && of.plan.parallelism.pipeline > 1; }
bool always(const Taught& /*of*/) { return true; }

/// The formula with those of the rules that it names in their places, in brackets where they are sums.
std::string expanded(std::string_view formula)
{
    const auto isOfName = [](char sign) {
        return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || (sign >= '0' && sign <= '9')
            || sign == '_';
    };
    std::string text;
    while (!formula.empty()) {
        const auto end =
            std::ranges::find_if(formula, [&](char sign) { return isOfName(sign) != isOfName(formula[0]); });
        const auto size = static_cast<std::size_t>(end - formula.begin());
        const std::string_view word = formula.substr(0, size);
        const auto rule = std::ranges::find(rulesOfThumb(), word, &Rule::name);
        if (rule == rulesOfThumb().end()) {
            text += word;
        } else {
            const std::string inner = expanded(rule->formula);
            const bool is_alone = text.empty() && size == formula.size();
            const bool is_call = inner.starts_with("min(");
            const bool is_sum = inner.find('+') != std::string::npos || inner.find('-') != std::string::npos;
            text += is_sum && !is_call && !is_alone ? fmt::format("({})", inner) : inner;
        }
        formula.remove_prefix(size);
    }
    return text;
}

/// Bits in which the plan's weights are kept.
int weightBits(const Plan& plan)
{
    if (plan.workload.task == Task::Qlora) return plan.recipe.quantizer == Quantizer::BitsandbytesInt8 ? 8 : 4;
    switch (plan.recipe.precision) {
    case Precision::Fp32: return 32;
    case Precision::Fp8:
    case Precision::Mxfp8:
    case Precision::Int8: return plan.workload.task == Task::Inference ? 8 : 16;
    case Precision::Nvfp4:
    case Precision::Mxfp4:
    case Precision::Nf4: return plan.workload.task == Task::Inference ? 4 : 16;
    case Precision::Bf16:
    case Precision::Fp16:
    case Precision::Bf16Pure: break;
    }
    return 16;
}

// ---- Exact figures

double bytesOf(const Taught& of, std::initializer_list<Segment> segments)
{
    Bytes sum;
    for (const Segment segment : segments)
        sum += of.stage[segment];
    return static_cast<double>(sum.value());
}
double weightsOf(const Taught& of) { return bytesOf(of, {Segment::Weights}); }
double statesOf(const Taught& of) { return bytesOf(of, {Segment::Weights, Segment::Gradients, Segment::Optimizer}); }
double activationsOf(const Taught& of) { return bytesOf(of, {Segment::Activations}); }
double contextOf(const Taught& of) { return bytesOf(of, {Segment::DeviceContext}); }
double deviceOf(const Taught& of) { return static_cast<double>(of.stage.device().value()); }
double perParameter(const Taught& of)
{
    const StateLayout kept = stateLayout(of.plan);
    return kept.weights + kept.gradients + kept.master + kept.moments;
}
/// Of all cards of one replica.
double replicaPerParameter(const Taught& of)
{
    double sum = 0.0;
    for (const StageMemory& stage : of.estimate.stages)
        sum += static_cast<double>(stage.device().value()) * static_cast<double>(stage.cards);
    return sum / static_cast<double>(dataParallel(of.plan)) / static_cast<double>(of.estimate.parameters.total);
}
double inFlightOf(const Taught& of) { return of.stage.in_flight; }
double bubbleOf(const Taught& of) { return of.estimate.pipeline.bubble_fraction; }
double mfuOf(const Taught& of) { return of.estimate.step.mfu; }

// ---- What a rule leaves out, and when that matters

struct Reason {
    bool (*applies)(const Taught& of);
    Phrase text;
};

bool ofOuterStage(const Taught& of)
{
    return of.plan.parallelism.pipeline > 1
        && (of.stage.stage == 0 || of.stage.stage == of.plan.parallelism.pipeline - 1);
}
bool ofLastStage(const Taught& of) { return of.stage.stage == of.plan.parallelism.pipeline - 1; }
bool hasExpertsOf(const Taught& of) { return of.plan.model.architecture.moe.has_value(); }
bool dividesTensors(const Taught& of) { return of.plan.parallelism.tensor > 1; }
bool keepsNormsWhole(const Taught& of) { return dividesTensors(of) && !of.plan.parallelism.sequence; }
bool dividesStatesByContext(const Taught& of)
{
    return of.plan.parallelism.context > 1 && of.plan.recipe.sharding != Sharding::None;
}
bool isUneven(const Taught& of)
{
    const auto layers = [](const StageMemory& stage) {
        std::int64_t sum = 0;
        for (const auto& [first, end] : stage.chunks)
            sum += end - first;
        return sum;
    };
    return std::ranges::any_of(
        of.estimate.stages, [&](const StageMemory& stage) { return layers(stage) != layers(of.stage); });
}
bool recomputes(const Taught& of) { return of.plan.recipe.recompute.granularity != RecomputeGranularity::None; }
bool keepsScores(const Taught& of) { return of.plan.recipe.attention == Attention::Unfused; }
bool isNotMegatrons(const Taught& of) { return std::abs(perParameter(of) - 18.0) > 0.01; }
bool isNotMixed(const Taught& of) { return std::abs(perParameter(of) - 16.0) > 0.01; }
bool isNotOneFOneB(const Taught& of) { return of.estimate.schedule != Schedule::OneFOneB; }
bool offloads(const Taught& of)
{
    const auto& offload = of.plan.recipe.offload;
    return offload.optimizer > 0.0 || offload.parameters > 0.0 || offload.activations > 0.0;
}

bool sharesWeights(const Taught& of) { return !isServed(of) && stateLayout(of.plan).weights_sharded; }
bool hasAdapters(const Taught& of) { return trainsAdapters(of.plan); }
bool isQuantized(const Taught& of) { return weightBits(of.plan) < 16; }

constexpr Reason kOuter{ofOuterStage, Sentence::tr("Embedding and head sit on the outer stages.")};
constexpr Reason kUneven{isUneven, Sentence::tr("The stages hold different numbers of layers.")};
constexpr Reason kExperts{hasExpertsOf, Sentence::tr("Experts are divided by degrees of their own.")};
constexpr Reason kNorms{dividesTensors, Sentence::tr("Norms are whole on every tensor rank.")};
constexpr Reason kContextShards{
    dividesStatesByContext, Sentence::tr("Context ranks share the optimizer's states as well.")};
constexpr Reason kOtherBytes{
    isNotMegatrons, Sentence::tr("Framework, precision and optimizer of this plan keep other bytes per parameter.")};
constexpr Reason kOffloaded{offloads, Sentence::tr("A part of it is kept on the host.")};
constexpr Reason kShared{sharesWeights, Sentence::tr("Replicas share the weights.")};
constexpr Reason kAdapters{hasAdapters, Sentence::tr("Adapters are kept beside the frozen weights.")};
constexpr Reason kQuantized{
    isQuantized, Sentence::tr("Embedding, head and norms are not quantized, and the rest comes with its scales.")};
constexpr Reason kOtherSchedule{
    isNotOneFOneB, Sentence::tr("The rule is that of plain 1F1B; the schedule is another.")};

// ---- The rules

struct RuleRow {
    std::string_view id;
    Phrase name;
    std::string_view formula;
    std::string_view source_of; ///< the rule of rulesOfThumb() whose source it has
    Unit unit;
    bool (*applies)(const Taught& of);
    double (*exact)(const Taught& of);
    std::array<Reason, 8> reasons;
};

bool shardsNothing(const Taught& of) { return trainsWhole(of) && of.plan.recipe.sharding == Sharding::None; }
bool shardsOptimizer(const Taught& of) { return trainsWhole(of) && of.plan.recipe.sharding == Sharding::Zero1; }
bool shardsAll(const Taught& of) { return trainsWhole(of) && of.plan.recipe.sharding == Sharding::Zero3; }
bool fillsMicroBatches(const Taught& of) { return !isServed(of); }
bool interleaves(const Taught& of) { return hasPipeline(of) && of.plan.parallelism.virtual_pipeline > 1; }

constexpr std::array<Reason, 8> kActivationReasons{
    Reason{always, Sentence::tr("The coefficient is that of one layer shape; MLP, heads and norms are counted here.")},
    Reason{recomputes, Sentence::tr("What is recomputed is not kept.")},
    Reason{keepsScores, Sentence::tr("Attention keeps its scores.")},
    Reason{keepsNormsWhole, Sentence::tr("Without sequence parallelism norms are whole on every tensor rank.")},
    Reason{ofLastStage, Sentence::tr("The last stage holds the logits too.")}, kUneven};

constexpr auto kRuleRows = std::to_array<RuleRow>({
    {"weights", Sentence::tr("Weights on a card: Q bits each"), "n Q / 8 / (p t)", "load", Unit::Bytes, always,
        weightsOf, {kOuter, kUneven, kExperts, kNorms, kOffloaded, kShared, kAdapters, kQuantized}},
    {"load", Sentence::tr("Memory to load the model on a card: the weights and a fifth"), "load n / (p t)", "load",
        Unit::Bytes, isServed, deviceOf,
        {Reason{always, Sentence::tr("A server fills what is left with the cache of its users.")}, kOuter, kNorms}},
    {"megatron", Sentence::tr("Bytes per parameter in mixed precision with fp32 gradients"), "megatron", "megatron",
        Unit::BytesPerParameter, trainsWhole, perParameter, {kOtherBytes}},
    {"mixed", Sentence::tr("Bytes per parameter in mixed precision with 16-bit gradients"), "mixed", "mixed",
        Unit::BytesPerParameter, trainsWhole, perParameter,
        {Reason{isNotMixed,
            Sentence::tr("Framework, precision and optimizer of this plan keep other bytes per parameter.")}}},
    {"least_training", Sentence::tr("Least memory per parameter to train at all, on all cards of a replica"),
        "least_training", "least_training", Unit::BytesPerParameter, trainsWhole, replicaPerParameter,
        {Reason{always, Sentence::tr("Drawn from one run; activations follow the batch, not the parameters.")}}},
    {"states", Sentence::tr("Weights, gradients and optimizer on a card"), "megatron n / (p t)", "megatron",
        Unit::Bytes, shardsNothing, statesOf, {kOuter, kUneven, kExperts, kNorms, kOtherBytes, kOffloaded}},
    {"states", Sentence::tr("Weights, gradients and optimizer on a card with ZeRO-1"), "zero1 n / (p t)", "zero1",
        Unit::Bytes, shardsOptimizer, statesOf, {kOuter, kUneven, kExperts, kContextShards, kOtherBytes, kOffloaded}},
    {"states", Sentence::tr("Weights, gradients and optimizer on a card with ZeRO-3"), "mixed n / (p t d)", "mixed",
        Unit::Bytes, shardsAll, statesOf, {kOuter, kUneven, kExperts, kContextShards, kOtherBytes, kOffloaded}},
    {"in_flight", Sentence::tr("Micro-batches that the stage holds at once"), "in_flight", "in_flight", Unit::Count,
        hasPipeline, inFlightOf, {kOtherSchedule}},
    {"interleaved", Sentence::tr("The same with v chunks per stage, on the first stage"), "p interleaved",
        "interleaved", Unit::Count, interleaves, inFlightOf,
        {Reason{always, Sentence::tr("Megatron-Core warms up by whole groups of micro-batches.")}}},
    {"activations", Sentence::tr("Activations on a card by 40 bytes"), "in_flight activations / (p t c)", "activations",
        Unit::Bytes, fillsMicroBatches, activationsOf, kActivationReasons},
    {"fused", Sentence::tr("Activations on a card by Korthikanti's 34 bytes"), "in_flight fused / (p t c)", "fused",
        Unit::Bytes, fillsMicroBatches, activationsOf, kActivationReasons},
    {"card", Sentence::tr("All of a card: states and activations"), "zero1 n / (p t) + in_flight activations / (p t c)",
        "card", Unit::Bytes, trainsWhole, deviceOf,
        {Reason{always, Sentence::tr("Temporaries, communication, device context and reserve come on top.")}, kOuter,
            kUneven, kExperts, kOtherBytes, kOffloaded}},
    {"context", Sentence::tr("Device context of a process"), "context", "context", Unit::Bytes, always, contextOf,
        {Reason{always, Sentence::tr("Follows the card and the libraries; the article's is one reading of a meter.")}}},
    {"bubble", Sentence::tr("Idle share of the cards' time"), "bubble", "bubble", Unit::Share, hasPipeline, bubbleOf,
        {Reason{always, Sentence::tr("Stages take different times, and transfers take some.")}, kOtherSchedule}},
    {"busy", Sentence::tr("Busy share if stages worked one after another"), "busy", "busy", Unit::Share, hasPipeline,
        [](const Taught& of) { return 1.0 - bubbleOf(of); },
        {Reason{always, Sentence::tr("Micro-batches keep the stages busy at the same time.")}}},
    {"model_flops", Sentence::tr("Model FLOPs utilisation (MFU)"), "model_flops", "model_flops", Unit::Share,
        trainsWhole, mfuOf,
        {Reason{always,
             Sentence::tr("Six FLOPs per parameter and token leave out attention's own products, and count "
                          "the embedding, which multiplies nothing.")},
            Reason{hasExpertsOf, Sentence::tr("Only the experts that a token goes to compute.")}}},
});

std::string givenBy(const Taught& of)
{
    const Plan& plan = of.plan;
    const Parallelism& degrees = plan.parallelism;
    const Architecture& shape = plan.model.architecture;
    std::string given = fmt::format("n = {}, Q = {}, w = {}, s = {}, b = {}, h = {}, f = {}, a = {}, L = {}, V = {}",
        of.estimate.parameters.total, weightBits(plan), weightBits(plan) / 8.0, plan.workload.sequence_length,
        plan.workload.micro_batch_size, shape.hidden_size, shape.intermediate_size, shape.num_attention_heads,
        shape.num_hidden_layers, shape.vocab_size);
    given += fmt::format(", p = {}, i = {}, v = {}, d = {}, m = {}, t = {}, c = {}, R = {:.17g}, F = {:.17g}",
        degrees.pipeline, of.stage.stage + 1, degrees.virtual_pipeline, dataParallel(plan),
        of.estimate.pipeline.micro_batches, degrees.tensor, degrees.context,
        of.estimate.step.tokens_per_second_per_card, referencePeak(plan).value() * 1e12);
    return given;
}

constexpr auto kExamples = std::to_array<WorkedExample>({
    {"S0-10", Sentence::tr("13B on 4 cards of 80 GB: pipeline 4"), "92.5, 84, 75.5, 67 GB",
        Sentence::tr("The third card holds 75.5 GB and does not burst, as the article says it does. Here embedding, "
                     "head, temporaries and the device's context are counted too."),
        "llama-13b-4-cards", ""},
    {"S0-14", Sentence::tr("The same with a batch of one"), "67 GB",
        Sentence::tr("With one micro-batch nothing piles up; three quarters of the time are idle."),
        "llama-13b-4-cards", "/workload/global_batch_size=1"},
    {"S0-16", Sentence::tr("13B on 8 cards: pipeline 4, two replicas with ZeRO-1"), "73, 64, 56, 47.5 GB",
        Sentence::tr("The article cuts 64.5 off. Figures by its own rule: choose “article, 18 bytes” under Figures."),
        "llama-13b-8-cards", ""},
    {"S0-20", Sentence::tr("13B on 8 cards: pipeline 8"), "63.25 GB",
        Sentence::tr("Eight micro-batches in flight on the first card."), "llama-13b-8-cards",
        "/parallelism/pipeline=8 /parallelism/data=1"},
    {"S0-21", Sentence::tr("13B on 8 cards: pipeline 4, interleaved with two chunks"), "–",
        Sentence::tr("The article names this schedule, and reckons plain 1F1B. Interleaving holds more."),
        "llama-13b-8-cards", "/parallelism/virtual_pipeline=2 /recipe/schedule=interleaved-1f1b"},
    {"S2-7", Sentence::tr("Four stages, one micro-batch at a time"), "25 %",
        Sentence::tr("The pipeline of the first picture: one stage works, three wait."), "llama-13b-4-cards",
        "/workload/global_batch_size=4 /recipe/schedule=naive"},
    {"S2-9", Sentence::tr("Four stages, four micro-batches: GPipe"), "4, 4, 4, 4 micro-batches",
        Sentence::tr("Every stage holds all four; the bubble is 3 of 7."), "llama-13b-4-cards",
        "/workload/global_batch_size=4 /recipe/schedule=gpipe"},
    {"S2-10", Sentence::tr("Four stages, four micro-batches: 1F1B"), "4, 3, 2, 1 micro-batches",
        Sentence::tr("The same bubble as GPipe with less memory. PipeDream itself keeps several versions of weights."),
        "llama-13b-4-cards", "/workload/global_batch_size=4"},
    {"S0-24", Sentence::tr("7B trained on one card of 24 GB"), "fits",
        Sentence::tr("True of inference and of LoRA or QLoRA, not of full training: 18 bytes per parameter."),
        "llama-7b-one-h100", "/recipe/offload/optimizer=0 /cluster/preset=one-rtx-4090"},
    {"S3-6", Sentence::tr("7B trained on one card of 80 GB"), "112 GB",
        Sentence::tr("16 bytes per parameter of its 6.7 billion, and the activations on top."), "llama-7b-one-h100",
        "/recipe/offload/optimizer=0"},
    {"S1-3", Sentence::tr("Llama 70B served in 16 bits"), "168 GB",
        Sentence::tr("The weights and a fifth, on all cards; a server gives the rest to the cache."),
        "llama-3-70b-serving-dgx-h100", "/model/preset=llama-2-70b /workload/sequence_length=4096"},
    {"S3-2", Sentence::tr("65B served on four V100 of 32 GB"), "no; 5 cards",
        Sentence::tr("The weights alone miss by 2 GB."), "llama-3-70b-serving-dgx-h100",
        "/model/preset=llama-65b /cluster/preset=4x-v100-32g /recipe/precision=fp16 /parallelism/data=1 "
        "/workload/sequence_length=2048 /workload/global_batch_size=1"},
    {"S3-4", Sentence::tr("65B in 4 bits with LoRA on one card"), "about 50 GB",
        Sentence::tr("Half a byte per parameter, and adapters, activations and buffers on top."),
        "llama-3-70b-qlora-one-h100", "/model/preset=llama-65b"},
});

constexpr auto kGlossary = std::to_array<GlossaryTerm>({
    {Sentence::tr("Model states"), Sentence::tr("Weights, their gradients, and what the optimizer keeps of each.")},
    {Sentence::tr("Activations"),
        Sentence::tr("What a forward pass keeps until its backward pass, for every token of a micro-batch.")},
    {Sentence::tr("Micro-batch"),
        Sentence::tr("The sequences that go through the model together on one replica; a step has several of them.")},
    {Sentence::tr("Global batch"),
        Sentence::tr("All sequences of an optimizer step: micro-batch x micro-batches x replicas.")},
    {Sentence::tr("Data parallel"),
        Sentence::tr("Replicas of the model that work on different sequences and add up their gradients.")},
    {Sentence::tr("ZeRO, sharding"),
        Sentence::tr(
            "Replicas divide the optimizer (1), gradients too (2), weights too (3) instead of repeating them.")},
    {Sentence::tr("Tensor parallel"),
        Sentence::tr("The matrices of a layer are divided over cards, which exchange activations in every layer.")},
    {Sentence::tr("Sequence parallel"),
        Sentence::tr("Tensor ranks also divide what stands between the matrices, by tokens.")},
    {Sentence::tr("Pipeline parallel"),
        Sentence::tr("Layers are divided into stages; micro-batches pass from one to the next.")},
    {Sentence::tr("Bubble"), Sentence::tr("The time in which a stage waits for the others.")},
    {Sentence::tr("In flight"),
        Sentence::tr("Micro-batches that a stage has sent forward and not yet back: it keeps their activations.")},
    {Sentence::tr("GPipe"), Sentence::tr("All micro-batches forward, then all back: every stage holds all of them.")},
    {Sentence::tr("1F1B"),
        Sentence::tr("One forward, one backward: stage i of p holds at most p - i + 1 micro-batches.")},
    {Sentence::tr("Virtual pipeline"),
        Sentence::tr("A stage has several chunks of layers: a smaller bubble, more in flight, more transfers.")},
    {Sentence::tr("Context parallel"),
        Sentence::tr("A sequence is divided over cards, which exchange keys and values for attention.")},
    {Sentence::tr("Expert parallel"),
        Sentence::tr("Experts are divided over cards; tokens travel to theirs and back.")},
    {Sentence::tr("Recomputation"),
        Sentence::tr("Activations are dropped and computed again for the backward pass: less memory, more time.")},
    {Sentence::tr("Offload"), Sentence::tr("A part is kept in the host's memory and copied when it is needed.")},
    {Sentence::tr("LoRA, QLoRA"),
        Sentence::tr("Small adapters are trained beside frozen weights, which QLoRA keeps in 4 bits.")},
    {Sentence::tr("MFU, HFU"),
        Sentence::tr(
            "FLOPs of the model, or of all that is run, as a share of what the cards could do at their peak.")},
    {Sentence::tr("Utilisation, three ways"),
        Sentence::tr("By FLOPs, as this window shows it; by a published throughput, which Plan > Measured run compares "
                     "with the plan; by a profiler, whose trace can be laid under the pipeline.")},
    {Sentence::tr("Key/value cache"),
        Sentence::tr("What a server keeps of every token that its users' contexts hold.")},
    {Sentence::tr("Prefill, decode"),
        Sentence::tr("A prompt is read at once and bounded by compute; answers are made token by token, bounded by "
                     "memory bandwidth.")},
    {Sentence::tr("Allocated, reserved, device"),
        Sentence::tr("What tensors take, what the allocator keeps for them, and what nvidia-smi shows in use.")},
    {Sentence::tr("NVLink domain"),
        Sentence::tr("Cards that reach each other at the speed of the links inside a node.")},
});

} // namespace

std::vector<RuleOnPlan> rulesOnPlan(const Plan& plan, const Estimate& estimate)
{
    constexpr double kAgrees = 0.005;
    const Taught of{plan, estimate, estimate.stages[estimate.worstStage()]};
    const std::string given = givenBy(of);
    std::vector<RuleOnPlan> rules;
    for (const RuleRow& row : kRuleRows) {
        if (!row.applies(of)) continue;
        const auto value = reckon(row.formula, given);
        if (!value) continue;
        const auto source = std::ranges::find(rulesOfThumb(), row.source_of, &Rule::name);
        RuleOnPlan& rule = rules.emplace_back(
            RuleOnPlan{row.id, row.name, expanded(row.formula), source->source, row.unit, *value, row.exact(of), {}});
        if (std::abs(rule.exact - rule.by_rule) <= kAgrees * std::abs(rule.exact)) continue;
        for (const Reason& reason : row.reasons) {
            if (reason.applies != nullptr && reason.applies(of)) rule.why.push_back(reason.text);
        }
    }
    return rules;
}

std::span<const WorkedExample> workedExamples() { return kExamples; }

Result<Plan> examplePlan(const WorkedExample& example, const Presets& presets)
{
    const Plan* base = presets.plan(example.preset);
    if (base == nullptr)
        return tl::unexpected<Error>(Error{ErrorCode::UnknownName, {}, Sentence::verbatim(std::string(example.preset)),
            Sentence::tr("there is no plan with this id")});
    Result<Plan> plan = *base;
    std::string_view settings = example.settings;
    while (plan && !settings.empty()) {
        const std::size_t end = std::min(settings.find(' '), settings.size());
        plan = withSetting(*plan, settings.substr(0, end), presets);
        settings.remove_prefix(std::min(end + 1, settings.size()));
    }
    if (plan) plan->name = example.name.english;
    return plan;
}

std::span<const GlossaryTerm> glossary() { return kGlossary; }

} // namespace cardfit
