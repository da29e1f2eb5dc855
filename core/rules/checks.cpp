// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/checks.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/pipeline/orders/placement.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/choices.h"
#include "core/plan/edit.h"
#include "core/plan/field_table.h"
#include "core/plan/plan_schedule.h"
#include "core/plan/stages.h"
#include "core/plan/tables.h"
#include "core/rules/layer_rules.h"
#include "core/rules/rough_size.h"
#include "core/rules/rules.h"
#include "core/rules/setting_checks.h"
#include "core/rules/task_checks.h"
#include "core/rules/valid_values.h"

namespace cardfit {

namespace {

/// Whether the list of layers with experts contradicts first_dense_layers and layer_frequency, if these are given too.
bool contradictsLayers(const Architecture& model)
{
    const MixtureOfExperts& listed = *model.moe;
    if (listed.layers.empty() || (listed.first_dense_layers == 0 && listed.layer_frequency == 1)) return false;
    Architecture counted = model;
    counted.moe->layers.clear();
    for (std::int64_t layer = 0; layer < std::ssize(listed.layers); ++layer) {
        if (hasExperts(counted, layer) != hasExperts(model, layer)) return true;
    }
    return false;
}

/// Collects the broken rules of one plan.
class Checker {
public:
    explicit Checker(const Plan& plan)
        : m_plan(plan)
        , m_model(plan.model.architecture)
        , m_degrees(plan.parallelism)
        , m_recipe(plan.recipe)
        , m_work(plan.workload)
    {
    }

    std::vector<Check> run()
    {
        run(RuleGroup::Ranges);
        // The rules below divide by these numbers.
        if (m_checks.all.empty()) {
            for (std::size_t group = 1; group < kRuleGroupCount; ++group)
                run(static_cast<RuleGroup>(group));
            checkAccelerator();
        }
        checkUnknownKeys();
        return std::move(m_checks.all);
    }

    std::optional<Check> firstError(RuleGroup group)
    {
        run(group);
        const Check* found = firstErrorOf(m_checks.all);
        return found == nullptr ? std::nullopt : std::optional(*found);
    }

private:
    void run(RuleGroup group)
    {
        switch (group) {
        case RuleGroup::Ranges:
            checkRanges();
            if (m_checks.all.empty()) checkSize();
            return;
        case RuleGroup::Model: return checkModel();
        case RuleGroup::Cards: return checkCards();
        case RuleGroup::Tensor: return checkTensor();
        case RuleGroup::Sequence: return checkSequence();
        case RuleGroup::Pipeline: return checkPipeline();
        case RuleGroup::Batch: return checkBatch();
        case RuleGroup::Experts: return checkExperts();
        case RuleGroup::Recipe: return checkRecipe();
        case RuleGroup::Overlap: return checkExpertOverlap();
        case RuleGroup::Settings: return checkWholeRecipe();
        }
    }

    /// An error that prevents an estimate.
    void stop(RuleId rule, std::string_view field, Sentence message, Values valid = {})
    {
        m_checks.error(rule, field, std::move(message), std::move(valid)).prevents_estimate = true;
    }

    void report(const std::optional<LayerRule>& broken, Values valid = {})
    {
        if (!broken) return;
        if (valid.empty()) valid = broken->candidates;
        m_checks.error(broken->rule, broken->field, broken->message, std::move(valid)).prevents_estimate =
            broken->prevents_estimate;
    }

    /// Whole numbers by which the figures multiply and divide: at least 1, and small enough that products do not
    /// overflow.
    void checkRanges()
    {
        for (const Field& field : planFields()) {
            if (field.most_sensible == 0 || !isUsed(field, m_plan)) continue;
            const FieldValue held = field.get(m_plan);
            const auto* value = std::get_if<std::int64_t>(&held);
            if (value == nullptr || (*value == 0 && field.range.least == 0.0)) continue;
            if (*value < 1) {
                stop("RANGE", field.pointer,
                    Sentence::tr("{} must be at least 1, it is {}", {fieldWords(field.pointer), *value}), {1});
            } else if (*value > field.most_sensible) {
                stop("RANGE", field.pointer,
                    Sentence::tr(
                        "{} must be at most {}, it is {}", {fieldWords(field.pointer), field.most_sensible, *value}),
                    {field.most_sensible});
            }
        }
    }

    /// Sizes that are accepted one by one, but are absurd together.
    void checkSize()
    {
        const RoughSize size = roughSize(m_plan);
        if (size.parameters > kMostCounted) {
            stop("SIZE", pointerOf<&Architecture::hidden_size>,
                Sentence::tr("the model has more than 10^16 parameters"));
        }
        if (size.activations > kMostCounted) {
            stop("SIZE", pointerOf<&Workload::sequence_length>,
                Sentence::tr("one micro-batch has more than 10^16 activations"));
        }
    }

    void groupsDivide(TokenMixer mixer, std::string_view field)
    {
        const AttentionHeads heads = attentionHeads(m_model, mixer);
        if (heads.queries % heads.keys == 0) return;
        m_checks.error("KV-HEADS", field,
            Sentence::tr("{} attention heads cannot share {} key/value heads evenly", {heads.queries, heads.keys}),
            divisors(heads.queries, heads.keys));
    }

    void checkModel()
    {
        report(brokenPattern(m_model));
        checkVision(m_plan, m_checks);
        const std::int64_t heads = m_model.num_attention_heads;
        groupsDivide(TokenMixer::Attention, pointerOf<&Architecture::num_key_value_heads>);
        if (m_model.sliding_attention)
            groupsDivide(TokenMixer::WindowedAttention, pointerOf<&WindowedHeads::num_key_value_heads>);
        const bool implied_head_size = m_model.head_dim == m_model.hidden_size / heads;
        if (implied_head_size && m_model.hidden_size % heads != 0) {
            m_checks.error("HIDDEN-HEADS", pointerOf<&Architecture::num_attention_heads>,
                Sentence::tr("hidden size {} does not split into {} heads", {m_model.hidden_size, heads}),
                divisors(m_model.hidden_size, heads));
        }
        const std::int64_t longest = m_model.max_position_embeddings;
        if (longest > 0 && m_work.sequence_length > longest) {
            const auto message = Sentence::tr(
                "{} tokens per sequence, but the model supports {} positions", {m_work.sequence_length, longest});
            if (m_model.position_embedding == PositionEmbedding::Learned) {
                m_checks.error("SEQUENCE-POSITIONS", pointerOf<&Workload::sequence_length>, message, {longest});
            } else {
                m_checks.warning("SEQUENCE-POSITIONS", pointerOf<&Workload::sequence_length>, message, {longest});
            }
        }
    }

    void checkCards()
    {
        const std::int64_t cards = cardCount(m_plan.cluster);
        const std::int64_t replica = replicaCards(m_degrees);
        const auto product = Sentence::tr(
            "tensor {} x pipeline {} x context {}", {m_degrees.tensor, m_degrees.pipeline, m_degrees.context});
        if (m_degrees.data) {
            if (replica * *m_degrees.data == cards) return;
            Values valid;
            if (cards % replica == 0) valid = {cards / replica};
            m_checks.error("CARDS", pointerOf<&Parallelism::data>,
                Sentence::tr("{} x data {} = {} cards, the cluster has {}",
                    {product, *m_degrees.data, replica * *m_degrees.data, cards}),
                valid);
            return;
        }
        if (replica > cards) {
            stop("CARDS", pointerOf<&Parallelism::pipeline>,
                Sentence::tr("{} = {} cards for one replica, the cluster has {}", {product, replica, cards}),
                nearest(m_degrees.pipeline, m_degrees.pipeline, [&](std::int64_t pipeline) {
                    return cards % (m_degrees.tensor * m_degrees.context * pipeline) == 0;
                }));
        } else if (cards % replica != 0) {
            m_checks.error("CARDS", pointerOf<&Parallelism::pipeline>,
                Sentence::tr("{} = {}: {} cards leave {} over", {product, replica, cards, cards % replica}),
                nearest(m_degrees.pipeline, cards, [&](std::int64_t pipeline) {
                    return cards % (m_degrees.tensor * m_degrees.context * pipeline) == 0;
                }));
        }
    }

    /// Whether a tensor degree divides what it must.
    [[nodiscard]] bool acceptsTensor(std::int64_t tensor) const
    {
        const std::int64_t groups = m_model.num_key_value_heads;
        const AttentionHeads windowed = attentionHeads(m_model, TokenMixer::WindowedAttention);
        const auto shares = [tensor](std::int64_t keys) { return keys % tensor == 0 || tensor % keys == 0; };
        const auto& compressed = m_model.compressed_attention;
        if (compressed && compressed->o_groups % tensor != 0) return false;
        const bool key_values = m_model.mla || compressed || (shares(groups) && shares(windowed.keys));
        return windowed.queries % tensor == 0 && m_model.num_attention_heads % tensor == 0
            && m_model.hidden_size % tensor == 0 && m_model.intermediate_size % tensor == 0 && key_values
            && dividesRecurrence(m_model, tensor);
    }
    [[nodiscard]] Values validTensor() const
    {
        return nearest(
            m_degrees.tensor, m_model.num_attention_heads, [&](std::int64_t tensor) { return acceptsTensor(tensor); });
    }

    void tensorDivides(RuleId rule, Phrase what, std::int64_t number)
    {
        const std::int64_t rest = number % m_degrees.tensor;
        if (rest == 0) return;
        stop(rule, pointerOf<&Parallelism::tensor>,
            Sentence::tr("tensor {}: {} {} / {} leave {}", {m_degrees.tensor, number, what, m_degrees.tensor, rest}),
            validTensor());
    }

    void checkTensor()
    {
        const std::int64_t tensor = m_degrees.tensor;
        tensorDivides("TP-HEADS", Sentence::tr("attention heads"), m_model.num_attention_heads);
        const AttentionHeads windowed = attentionHeads(m_model, TokenMixer::WindowedAttention);
        if (windowed.queries != m_model.num_attention_heads)
            tensorDivides("TP-HEADS", Sentence::tr("attention heads of layers with a window"), windowed.queries);
        if (windowed.keys != m_model.num_key_value_heads && windowed.keys % tensor != 0 && tensor % windowed.keys != 0)
            tensorDivides("TP-KV-HEADS", Sentence::tr("key/value heads of layers with a window"), windowed.keys);
        if (const auto& compressed = m_model.compressed_attention)
            tensorDivides("TP-HEADS", Sentence::tr("groups of attention heads"), compressed->o_groups);
        tensorDivides("TP-HIDDEN", Sentence::tr("hidden features"), m_model.hidden_size);
        tensorDivides("TP-FFN", Sentence::tr("MLP features"), m_model.intermediate_size);
        report(brokenTensor(m_plan), validTensor());
        const std::int64_t groups = m_model.num_key_value_heads;
        if (!m_model.mla && !m_model.compressed_attention && groups % tensor != 0) {
            if (tensor % groups != 0) {
                stop("TP-KV-HEADS", pointerOf<&Parallelism::tensor>,
                    Sentence::tr(
                        "tensor {}: {} key/value heads / {} leave {}", {tensor, groups, tensor, groups % tensor}),
                    validTensor());
            } else {
                m_checks.warning("TP-KV-REPLICATED", pointerOf<&Parallelism::tensor>,
                    Sentence::tr(
                        "tensor {} exceeds {} key/value heads: every rank holds a copy of one", {tensor, groups}),
                    {groups});
            }
        }
        const std::int64_t padded = paddedVocabulary(m_model, tensor);
        constexpr double kWorthSaying = 0.02;
        if (static_cast<double>(padded - m_model.vocab_size) > kWorthSaying * static_cast<double>(m_model.vocab_size)) {
            m_checks.warning("VOCAB-PADDING", pointerOf<&Architecture::vocab_size>,
                Sentence::tr("vocabulary {} is padded to {} rows, a multiple of 128 x tensor {}",
                    {m_model.vocab_size, padded, tensor}),
                {padded});
        }
        if (const std::int64_t near = cardsPerDomain(m_plan.cluster); tensor > near) {
            m_checks.warning("TP-NODE", pointerOf<&Parallelism::tensor>,
                m_plan.cluster.nodes_per_domain > 1
                    ? Sentence::tr("tensor {} spans NVLink domains of {} cards: every layer waits for the slow links",
                        {tensor, near})
                    : Sentence::tr(
                        "tensor {} spans nodes of {} cards: every layer waits for the slow links", {tensor, near}),
                divisors(near, tensor));
        }
        if (m_degrees.sequence && tensor == 1) {
            m_checks.warning("SP-TENSOR", pointerOf<&Parallelism::sequence>,
                Sentence::tr("sequence parallelism has no effect without tensor parallelism"));
        }
    }

    void checkSequence()
    {
        const std::int64_t context = m_degrees.context;
        const std::int64_t sequence = m_work.sequence_length;
        if (context > 1 && sequence % (2 * context) != 0) {
            stop("CP-SEQUENCE", pointerOf<&Parallelism::context>,
                Sentence::tr(
                    "context {}: {} tokens do not split into 2 x {} equal pieces", {context, sequence, context}),
                nearest(context, sequence / 2, [&](std::int64_t c) { return c == 1 || sequence % (2 * c) == 0; }));
            return;
        }
        if (m_degrees.sequence && (sequence / context) % m_degrees.tensor != 0) {
            stop("SP-SEQUENCE", pointerOf<&Workload::sequence_length>,
                Sentence::tr("sequence parallelism: {} tokens per context rank / tensor {} leave {}",
                    {sequence / context, m_degrees.tensor, sequence / context % m_degrees.tensor}),
                multiples(context * m_degrees.tensor * (context > 1 ? 2 : 1), sequence));
        }
        report(brokenContext(m_plan));
        const std::int64_t heads = m_model.num_attention_heads / m_degrees.tensor;
        if (context > 1 && m_recipe.context_communication == ContextCommunication::A2a && heads % context != 0) {
            m_checks.error("CP-A2A-HEADS", pointerOf<&Parallelism::context>,
                Sentence::tr("context {} by all-to-all: {} heads per rank / {} leave {}",
                    {context, heads, context, heads % context}),
                divisors(heads, context));
        }
    }

    void checkPipeline()
    {
        const std::int64_t stages = m_degrees.pipeline;
        const std::int64_t chunks = m_degrees.virtual_pipeline;
        const std::int64_t layers = m_model.num_hidden_layers;
        if (m_degrees.layers_per_stage) {
            checkLayerList(*m_degrees.layers_per_stage);
        } else if (layers < leastLayers(m_plan)) {
            const std::int64_t slots = layers + 2;
            if (slots < stages) {
                stop("PP-LAYERS", pointerOf<&Parallelism::pipeline>,
                    Sentence::tr("{} layers, embedding and head do not fill {} stages", {layers, stages}),
                    nearest(stages, slots, [](std::int64_t) { return true; }));
            } else {
                stop("VP-LAYERS", pointerOf<&Parallelism::virtual_pipeline>,
                    Sentence::tr("{} layers, embedding and head do not fill pipeline {} x {} chunks",
                        {layers, stages, chunksInPipe(m_plan)}),
                    nearest(chunks, slots / stages, [](std::int64_t) { return true; }));
            }
        }
        if (m_recipe.framework == Framework::DeepSpeed && stages > 1
            && (m_recipe.sharding == Sharding::Zero2 || m_recipe.sharding == Sharding::Zero3)) {
            m_checks.error("DS-PIPELINE-ZERO", pointerOf<&Recipe::sharding>,
                Sentence::tr("DeepSpeed's pipeline engine works with ZeRO stages 0 and 1 only"));
        }
    }

    void checkLayerList(const std::vector<std::int64_t>& list)
    {
        const std::string_view field = pointerOf<&Parallelism::layers_per_stage>;
        const auto stages = static_cast<std::int64_t>(list.size());
        const std::int64_t chunks = chunksInPipe(m_plan);
        const bool every_chunk = chunks > 1 && stages == m_degrees.pipeline * chunks;
        if (stages != m_degrees.pipeline && !every_chunk) {
            stop("LAYOUT-STAGES", field,
                chunks > 1
                    ? Sentence::tr("the list of layers has {} stages, pipeline is {} with {} chunks each",
                        {stages, m_degrees.pipeline, chunks})
                    : Sentence::tr("the list of layers has {} stages, pipeline is {}", {stages, m_degrees.pipeline}));
            return;
        }
        const std::int64_t total = std::accumulate(list.begin(), list.end(), std::int64_t{0});
        if (total != m_model.num_hidden_layers || std::ranges::any_of(list, [](auto n) { return n < 0; })) {
            stop("LAYOUT-LAYERS", field,
                Sentence::tr(
                    "the list of layers adds up to {}, the model has {} layers", {total, m_model.num_hidden_layers}));
        }
        if (every_chunk || chunks == 1) return;
        const bool turns = placementOf(m_recipe.schedule) == Placement::V;
        for (std::int64_t rank = 0; rank < stages; ++rank) {
            // Chunks that may be without a layer: the first of all has the embedding, and the last the head.
            const std::int64_t ends = (rank == 0 ? 1 : 0) + (rank == (turns ? 0 : stages - 1) ? 1 : 0);
            const std::int64_t held = list[static_cast<std::size_t>(rank)];
            if (held == 0 || held >= chunks - ends) continue;
            stop("VP-LAYERS", pointerOf<&Parallelism::virtual_pipeline>,
                Sentence::tr("virtual pipeline {}: stage {} has {} layers for {} chunks", {chunks, rank, held, chunks}),
                {1});
            return;
        }
    }

    void checkBatch()
    {
        const std::int64_t data = dataParallel(m_plan);
        if (data < 1) return; // reported by CARDS
        const std::int64_t sequences = m_work.micro_batch_size * data;
        const std::int64_t batch = m_work.global_batch_size;
        if (batch % sequences != 0) {
            auto& broken = m_checks.error("GBS-DIVIDES", pointerOf<&Workload::global_batch_size>,
                Sentence::tr("global batch {} / (micro-batch {} x data {}) leaves {} sequences",
                    {batch, m_work.micro_batch_size, data, batch % sequences}),
                multiples(sequences, batch));
            broken.prevents_estimate = batch < sequences;
        }
        if (batch >= sequences) checkSchedule();
    }

    void checkSchedule()
    {
        const std::int64_t microbatches = microBatches(m_plan);
        if (m_degrees.virtual_pipeline > 1 && m_degrees.pipeline == 1) {
            stop("VP-PIPELINE", pointerOf<&Parallelism::virtual_pipeline>,
                Sentence::tr("model chunks need a pipeline of at least 2 stages"), {1});
            return;
        }
        checkFramework();
        const ScheduleRequest request = scheduleRequest(m_plan);
        if (const auto refused = refusal(request)) {
            const ScheduleRequest accepted = withAcceptedGroup(request);
            if (accepted == request) {
                stopSchedule(*refused);
            } else {
                m_checks.error("VP-GROUP", pointerOf<&Recipe::microbatch_group>,
                    Sentence::tr("schedule {}: {}; the figures assume groups of {}",
                        {traits(m_recipe.schedule).label, refused->said(), *accepted.group}),
                    {*accepted.group});
            }
            return;
        }
        if (m_degrees.pipeline > 1 && microbatches < m_degrees.pipeline) {
            m_checks.warning("PP-FILL", pointerOf<&Workload::global_batch_size>,
                Sentence::tr("{} micro-batches cannot fill {} stages: more than half of the step is idle",
                    {microbatches, m_degrees.pipeline}),
                {m_degrees.pipeline * m_work.micro_batch_size * dataParallel(m_plan)});
        }
    }

    /// A plan may use a schedule that the framework does not have, or has only in forks.
    void checkFramework()
    {
        if (m_degrees.pipeline < 2 || m_work.task == Task::Inference) return;
        const std::string_view field = pointerOf<&Recipe::schedule>;
        const std::string_view project = projectOf(m_recipe.framework);
        switch (traits(m_recipe.schedule).run_by[m_recipe.framework]) {
        case Support::Own: break;
        case Support::Fork:
            m_checks.warning("SCHEDULE-FRAMEWORK", field,
                Sentence::tr("schedule {}: only forks of {} run it", {traits(m_recipe.schedule).label, project}));
            break;
        case Support::None:
            m_checks.warning("SCHEDULE-FRAMEWORK", field,
                Sentence::tr("schedule {}: {} does not run it", {traits(m_recipe.schedule).label, project}));
            break;
        }
    }

    void stopSchedule(const ScheduleRefusal& refused)
    {
        using Field = ScheduleRefusal::Field;
        const auto message = Sentence::tr("schedule {}: {}", {traits(m_recipe.schedule).label, refused.said()});
        switch (refused.field) {
        case Field::Stages: stop("PP-SCHEDULE", pointerOf<&Parallelism::pipeline>, message, refused.valid); return;
        case Field::Chunks:
            stop("VP-SCHEDULE", pointerOf<&Parallelism::virtual_pipeline>, message, refused.valid);
            return;
        case Field::Group: stop("VP-GROUP", pointerOf<&Recipe::microbatch_group>, message, refused.valid); return;
        case Field::Schedule: stop("SCHEDULE", pointerOf<&Recipe::schedule>, message); return;
        case Field::Microbatches: break;
        }
        Values batches;
        for (const std::int64_t microbatches : refused.valid) {
            batches.push_back(microbatches * m_work.micro_batch_size * dataParallel(m_plan));
        }
        batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
        const bool interleaved = m_recipe.schedule == Schedule::InterleavedOneFOneB;
        stop(interleaved ? RuleId("VP-MICROBATCHES") : RuleId("PP-MICROBATCHES"),
            pointerOf<&Workload::global_batch_size>, message, batches);
    }

    /// "expert tensor 8 (automatic)": a number that the plan leaves to the framework.
    [[nodiscard]] Sentence expertTensorWords() const
    {
        const std::int64_t shared_by = expertTensor(m_plan);
        return m_degrees.expert_tensor ? Sentence::tr("expert tensor {}", {shared_by})
                                       : Sentence::tr("expert tensor {} (automatic)", {shared_by});
    }

    void checkExpertTensor(const MixtureOfExperts& moe)
    {
        const std::int64_t shared_by = expertTensor(m_plan);
        const std::int64_t width = moe.moe_intermediate_size;
        const Sentence words = expertTensorWords();
        if (width % shared_by != 0) {
            stop("ETP-FFN", pointerOf<&Parallelism::expert_tensor>,
                Sentence::tr("{}: {} expert features / {} leave {}", {words, width, shared_by, width % shared_by}),
                divisors(width, shared_by));
        }
        const std::int64_t per_stage = dataParallel(m_plan) * m_degrees.context * m_degrees.tensor;
        if (per_stage % expertCards(m_plan) != 0) {
            m_checks.error("EP-CARDS", pointerOf<&Parallelism::expert>,
                Sentence::tr("{} cards per stage do not split into groups of expert {} x {}",
                    {per_stage, m_degrees.expert, words}),
                nearest(m_degrees.expert, per_stage, [&](std::int64_t value) {
                    Plan changed = m_plan;
                    changed.parallelism.expert = value;
                    return per_stage % expertCards(changed) == 0 && moe.num_experts % value == 0;
                }));
        }
        checkExpertReplicas(per_stage / expertCards(m_plan));
        if (const std::int64_t copies = expertCopies(m_plan); copies > 1) {
            m_checks.warning("EXPERTS-REPLICATED", pointerOf<&Parallelism::expert_tensor>,
                Sentence::tr("tensor {}, but expert {} x {}: {} tensor ranks hold copies of the same experts",
                    {m_degrees.tensor, m_degrees.expert, words, copies}),
                {shared_by * copies});
        }
        // Megatron-LM, core/transformer/moe/moe_layer.py, MoELayer.forward raises a ValueError.
        if (m_degrees.tensor > 1 && !sendsTokensOnce(m_plan)) {
            m_checks.error("EXPERTS-SEQUENCE", pointerOf<&Parallelism::sequence>,
                Sentence::tr(
                    "tensor {} with experts and without sequence parallelism: Megatron-Core refuses to train it",
                    {m_degrees.tensor}));
        }
    }

    void checkExpertReplicas(std::int64_t replicas)
    {
        // Megatron-LM, core/parallel_state.py, expert_data_parallel_size; torchtitan, distributed/parallel_dims.py:
        // experts are spread inside one of the groups that shard the optimizer.
        const std::int64_t instances = m_recipe.optimizer_instances;
        if (replicas >= 1 && replicas % instances != 0 && m_work.task != Task::Inference) {
            m_checks.error("OPT-INSTANCES-EXPERTS", pointerOf<&Recipe::optimizer_instances>,
                Sentence::tr(
                    "{} optimizer instances do not divide the {} copies of the experts", {instances, replicas}),
                divisors(replicas, instances));
        }
        // deepspeed/runtime/engine.py at edaa7221: neither MoE layers nor, with tensor ranks, AutoEP.
        if (m_recipe.framework == Framework::DeepSpeed && m_recipe.sharding == Sharding::Zero3 && m_degrees.expert > 1
            && m_degrees.tensor > 1) {
            m_checks.error("DS-EXPERTS-ZERO3", pointerOf<&Recipe::sharding>,
                Sentence::tr("DeepSpeed has no expert parallelism with ZeRO stage 3 and tensor parallelism together"));
        }
    }

    void checkExperts()
    {
        const std::int64_t expert = m_degrees.expert;
        if (!m_model.moe) {
            if (expert > 1) {
                m_checks.error("EP-DENSE", pointerOf<&Parallelism::expert>,
                    Sentence::tr("expert parallelism {}, but the model has no experts", {expert}), {1});
            }
            return;
        }
        const auto& moe = *m_model.moe;
        if (moe.num_experts % expert != 0) {
            stop("EP-EXPERTS", pointerOf<&Parallelism::expert>,
                Sentence::tr(
                    "expert {}: {} experts / {} leave {}", {expert, moe.num_experts, expert, moe.num_experts % expert}),
                divisors(moe.num_experts, expert));
        }
        if (moe.num_experts_per_tok > moe.num_experts) {
            stop("MOE-TOPK", pointerOf<&MixtureOfExperts::num_experts_per_tok>,
                Sentence::tr("each token goes to {} of {} experts", {moe.num_experts_per_tok, moe.num_experts}),
                {moe.num_experts});
        }
        checkExpertTensor(moe);
        if (!moe.layers.empty() && static_cast<std::int64_t>(moe.layers.size()) != m_model.num_hidden_layers) {
            stop("MOE-LAYERS", pointerOf<&MixtureOfExperts::layers>,
                Sentence::tr("the list of layers with experts has {} entries, the model {} layers",
                    {moe.layers.size(), m_model.num_hidden_layers}));
        }
        if (contradictsLayers(m_model)) {
            m_checks.warning("MOE-LAYERS-TWICE", pointerOf<&MixtureOfExperts::layers>,
                Sentence::tr("the list of layers with experts contradicts {} leading dense layers and experts in one "
                             "of every {} layers; the list is used",
                    {moe.first_dense_layers, moe.layer_frequency}));
        }
        if (moe.layers.empty() && moe.first_dense_layers >= m_model.num_hidden_layers) {
            m_checks.warning("MOE-DENSE", pointerOf<&MixtureOfExperts::first_dense_layers>,
                Sentence::tr("the first {} layers are dense and the model has {}, so none has experts",
                    {moe.first_dense_layers, m_model.num_hidden_layers}));
        }
        if (moe.imbalance > static_cast<double>(expert)) {
            m_checks.warning("MOE-IMBALANCE", pointerOf<&MixtureOfExperts::imbalance>,
                Sentence::tr("the busiest of {} expert-parallel ranks has at most {} times the mean, not {} times",
                    {expert, expert, fmt::format("{:g}", moe.imbalance)}));
        }
    }

    void checkRecipe()
    {
        // Megatron-FSDP (megatron/core/distributed/fsdp; arguments.py, --use-megatron-fsdp) shards the rest.
        if (m_recipe.framework == Framework::Megatron
            && (m_recipe.sharding == Sharding::Zero2 || m_recipe.sharding == Sharding::Zero3)) {
            m_checks.warning("MEGATRON-ZERO", pointerOf<&Recipe::sharding>,
                Sentence::tr("Megatron-Core's distributed optimizer shards optimizer states only (zero1); this runs "
                             "with Megatron-FSDP (--use-megatron-fsdp)"));
        }
        if (m_recipe.framework == Framework::Fsdp && m_recipe.sharding == Sharding::Zero1) {
            m_checks.error("FSDP-ZERO1", pointerOf<&Recipe::sharding>,
                Sentence::tr("FSDP shards at least gradients (zero2) or everything (zero3)"));
        }
        const std::int64_t replicas = dataParallel(m_plan) * m_degrees.context;
        if (replicas >= 1 && replicas % m_recipe.optimizer_instances != 0) {
            m_checks.error("OPT-INSTANCES", pointerOf<&Recipe::optimizer_instances>,
                Sentence::tr("{} optimizer instances do not divide data x context = {}",
                    {m_recipe.optimizer_instances, replicas}),
                divisors(replicas, m_recipe.optimizer_instances));
        }
    }

    void checkExpertOverlap()
    {
        const auto refused = expertOverlapRefusal(m_plan);
        if (!refused) return;
        m_checks.error("EP-OVERLAP", std::string(refused->field),
            Sentence::tr("overlapping the experts' communication: {}; the figures assume none", {refused->reason}),
            refused->valid);
    }

    void checkWholeRecipe()
    {
        checkTask(m_plan, m_checks);
        checkFp8Blocks(m_plan, m_checks);
        checkOffload(m_plan, m_checks);
        checkGradients(m_plan, m_checks);
        checkSettings(m_plan, m_checks);
    }

    void checkAccelerator()
    {
        const auto& card = m_plan.cluster.accelerator;
        const bool needs_bf16 = m_recipe.precision == Precision::Bf16 || m_recipe.precision == Precision::Bf16Pure;
        if (needs_bf16 && !card.tflops.bf16 && card.tflops.fp16) {
            m_checks.warning("CARD-BF16", pointerOf<&Recipe::precision>,
                Sentence::tr("{} has no bf16 matrix units; use fp16", {card.name}));
        }
        if (hasMatrixUnits(card, m_recipe.precision)) return;
        const bool served = m_work.task == Task::Inference;
        const MatrixFormat format = formatOf(m_recipe.precision);
        if (format == MatrixFormat::Fp8) {
            m_checks.warning("CARD-FP8", pointerOf<&Recipe::precision>,
                served ? Sentence::tr("{} has no fp8 arithmetic: the format narrows stored weights only", {card.name})
                       : Sentence::tr("{} has no fp8 matrix units", {card.name}));
        }
        if (format == MatrixFormat::Fp4) {
            m_checks.warning("CARD-FP4", pointerOf<&Recipe::precision>,
                served ? Sentence::tr("{} has no fp4 arithmetic: the format narrows stored weights only", {card.name})
                       : Sentence::tr("{} has no fp4 matrix units", {card.name}));
        }
    }

    void checkUnknownKeys()
    {
        for (const std::string& path : m_plan.unknown.paths) {
            m_checks.warning(
                "UNKNOWN-KEY", path, Sentence::tr("{} is not known to this version; it is kept as it is", {path}));
        }
    }

    const Plan& m_plan;
    const Architecture& m_model;
    const Parallelism& m_degrees;
    const Recipe& m_recipe;
    const Workload& m_work;
    CheckList m_checks;
};

} // namespace

const Check* firstErrorOf(const std::vector<Check>& checks)
{
    const auto found = std::ranges::find(checks, Severity::Error, &Check::severity);
    return found == checks.end() ? nullptr : &*found;
}

bool breaksRule(const std::vector<Check>& checks) { return firstErrorOf(checks) != nullptr; }

std::vector<std::string> brokenRules(const std::vector<Check>& checks)
{
    std::vector<std::string> rules;
    for (const Check& broken : checks) {
        const bool is_new = std::ranges::find(rules, broken.id) == rules.end();
        if (broken.severity == Severity::Error && is_new) rules.push_back(broken.id);
    }
    return rules;
}

std::vector<Check> check(const Plan& plan) { return Checker(plan).run(); }

std::optional<Check> firstError(const Plan& plan, RuleGroup group) { return Checker(plan).firstError(group); }

} // namespace cardfit
