// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/checks.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "core/pipeline/placement.h"
#include "core/pipeline/schedule_traits.h"
#include "core/plan/edit.h"
#include "core/plan/field_table.h"
#include "core/plan/layer_rules.h"
#include "core/plan/names.h"
#include "core/plan/plan_schedule.h"
#include "core/plan/setting_checks.h"
#include "core/plan/stages.h"
#include "core/plan/tables.h"

namespace cardfit {

namespace {

using Values = std::vector<std::int64_t>;

/// How far from a value its valid neighbours are looked for; further ones help nobody.
constexpr std::int64_t kReach = 1 << 14;

/// Values up to `limit` that `accepts` likes: the two nearest on either side of `wanted`.
template <class Accepts> Values nearest(std::int64_t wanted, std::int64_t limit, const Accepts& accepts)
{
    Values values;
    const std::int64_t start = std::min(wanted, limit);
    for (std::int64_t value = start; value >= std::max<std::int64_t>(1, start - kReach) && values.size() < 2; --value) {
        if (accepts(value)) values.push_back(value);
    }
    std::ranges::reverse(values);
    const std::size_t below = values.size();
    const std::int64_t end = std::min(limit, wanted + kReach);
    for (std::int64_t value = wanted + 1; value <= end && values.size() < below + 2; ++value) {
        if (accepts(value)) values.push_back(value);
    }
    return values;
}

/// Divisors of `number` nearest to `wanted`.
Values divisors(std::int64_t number, std::int64_t wanted)
{
    return nearest(wanted, number, [&](std::int64_t value) { return number % value == 0; });
}

/// Multiples of `step` nearest to `wanted`, one below and one above.
Values multiples(std::int64_t step, std::int64_t wanted)
{
    Values values;
    if (wanted / step > 0) values.push_back(wanted / step * step);
    values.push_back((wanted / step + 1) * step);
    return values;
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
        if (m_checks.empty()) {
            for (std::size_t group = 1; group < kRuleGroupCount; ++group)
                run(static_cast<RuleGroup>(group));
            checkAccelerator();
        }
        checkUnknownKeys();
        return std::move(m_checks);
    }

    std::optional<Check> firstError(RuleGroup group)
    {
        run(group);
        const auto found = std::ranges::find(m_checks, Severity::Error, &Check::severity);
        return found == m_checks.end() ? std::nullopt : std::optional(std::move(*found));
    }

private:
    void run(RuleGroup group)
    {
        switch (group) {
        case RuleGroup::Ranges:
            checkRanges();
            if (m_checks.empty()) checkSize();
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
        case RuleGroup::Settings: return checkSettings();
        }
    }

    Check& error(std::string id, std::string_view field, Sentence message, Values valid = {})
    {
        m_checks.push_back({std::move(id), Severity::Error, std::move(message), std::string(field), std::move(valid)});
        return m_checks.back();
    }
    Check& warning(std::string id, std::string_view field, Sentence message, Values valid = {})
    {
        m_checks.push_back(
            {std::move(id), Severity::Warning, std::move(message), std::string(field), std::move(valid)});
        return m_checks.back();
    }
    /// An error while which nothing can be computed.
    void stop(std::string id, std::string_view field, Sentence message, Values valid = {})
    {
        error(std::move(id), field, std::move(message), std::move(valid)).prevents_estimate = true;
    }

    void report(const std::optional<LayerRule>& broken, Values valid = {})
    {
        if (!broken) return;
        if (valid.empty()) valid = broken->candidates;
        error(std::string(broken->id), broken->field, broken->message, std::move(valid)).prevents_estimate =
            broken->prevents_estimate;
    }

    /// Whole numbers that the figures multiply and divide by: at least 1, and small enough that products do not
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

    /// Sizes that pass one by one and are absurd together; beyond them, byte counts would not be whole numbers any
    /// more.
    void checkSize()
    {
        const auto number = [](std::int64_t value) { return static_cast<double>(value); };
        const double hidden = number(m_model.hidden_size);
        double heads = 0.0;
        double queries = 0.0;
        for (const TokenMixer mixer : {TokenMixer::Attention, TokenMixer::WindowedAttention}) {
            const AttentionHeads own = attentionHeads(m_model, mixer);
            queries = std::max(queries, number(own.queries));
            heads = std::max(heads, number(own.queries) * number(std::max(own.head_dim, own.v_head_dim)));
        }
        const double experts = m_model.moe ? number(m_model.moe->num_experts) : 1.0;
        double features = std::max({number(m_model.intermediate_size), heads, number(m_model.vocab_size)});
        if (m_model.position_embedding == PositionEmbedding::Learned)
            features = std::max(features, number(m_model.max_position_embeddings));
        if (m_model.moe) {
            features = std::max(
                {features, number(m_model.moe->moe_intermediate_size), number(m_model.moe->shared_intermediate_size)});
        }
        double latent = 0.0;
        if (const auto& mla = m_model.mla) {
            const double ranks = number(mla->q_lora_rank) + number(mla->kv_lora_rank);
            const double head = number(mla->qk_nope_head_dim) + number(mla->qk_rope_head_dim) + number(mla->v_head_dim);
            latent = (ranks + hidden) * (number(m_model.num_attention_heads) * head + hidden);
        }
        if (const auto& compressed = m_model.compressed_attention) {
            const double ranks = number(compressed->q_lora_rank)
                + number(compressed->o_groups) * number(compressed->o_lora_rank) + number(compressed->compress_rate_csa)
                + number(compressed->compress_rate_hca);
            const SparseAttention indexer = m_model.sparse_attention.value_or(SparseAttention());
            latent += (ranks + hidden) * (heads + number(indexer.index_n_heads) * number(indexer.index_head_dim));
        }
        const double streams = number(m_model.hc_mult);
        latent += streams * streams * streams * hidden;
        double tower = 0.0;
        double patches = 0.0; // values of the vision tower's layers
        if (const auto& vision = m_model.vision) {
            const double values = number(vision->hidden_size);
            const double merged = number(vision->patches_per_token) * values;
            const double width = values + number(vision->intermediate_size);
            tower = number(vision->num_hidden_layers) * 4.0 * values * width
                + values * (number(vision->patch_values) + number(vision->num_position_embeddings))
                + number(vision->mergers) * merged * (merged + hidden);
            const double seen = number(m_work.image_tokens) * number(m_work.micro_batch_size);
            const double per_image = number(m_work.image_tokens) * number(vision->patches_per_token);
            patches = seen * number(vision->patches_per_token) * number(vision->num_hidden_layers)
                    * (8.0 * width + number(vision->num_attention_heads) * per_image)
                + seen * 4.0 * number(vision->mergers) * merged;
        }
        const double layers = number(m_model.num_hidden_layers) + number(m_model.mtp_layers);
        constexpr double kMostParameters = 1e16;
        if (tower + layers * (hidden * (4.0 * heads + 3.0 * experts * features) + latent) > kMostParameters) {
            stop("SIZE", pointerOf<&Architecture::hidden_size>,
                Sentence::tr("the model has more than 10^16 parameters"));
        }
        const double tokens = number(m_work.sequence_length) * number(m_work.micro_batch_size);
        const double scores = tokens * number(m_work.sequence_length) * queries;
        constexpr double kMostValues = 1e16;
        if (patches + layers * (tokens * (streams * hidden + features) + scores) > kMostValues) {
            stop("SIZE", pointerOf<&Workload::sequence_length>,
                Sentence::tr("one micro-batch has more than 10^16 activations"));
        }
    }

    void groupsDivide(TokenMixer mixer, std::string_view field)
    {
        const AttentionHeads heads = attentionHeads(m_model, mixer);
        if (heads.queries % heads.keys == 0) return;
        error("KV-HEADS", field,
            Sentence::tr("{} attention heads cannot share {} key/value heads evenly", {heads.queries, heads.keys}),
            divisors(heads.queries, heads.keys));
    }

    void checkModel()
    {
        report(brokenPattern(m_model));
        checkVision();
        const std::int64_t heads = m_model.num_attention_heads;
        groupsDivide(TokenMixer::Attention, pointerOf<&Architecture::num_key_value_heads>);
        if (m_model.sliding_attention)
            groupsDivide(TokenMixer::WindowedAttention, pointerOf<&WindowedHeads::num_key_value_heads>);
        const bool implied_head_size = m_model.head_dim == m_model.hidden_size / heads;
        if (implied_head_size && m_model.hidden_size % heads != 0) {
            error("HIDDEN-HEADS", pointerOf<&Architecture::num_attention_heads>,
                Sentence::tr("hidden size {} does not split into {} heads", {m_model.hidden_size, heads}),
                divisors(m_model.hidden_size, heads));
        }
        const std::int64_t longest = m_model.max_position_embeddings;
        if (longest > 0 && m_work.sequence_length > longest) {
            const auto message = Sentence::tr(
                "{} tokens per sequence, but the model knows {} positions", {m_work.sequence_length, longest});
            if (m_model.position_embedding == PositionEmbedding::Learned) {
                error("SEQUENCE-POSITIONS", pointerOf<&Workload::sequence_length>, message, {longest});
            } else {
                warning("SEQUENCE-POSITIONS", pointerOf<&Workload::sequence_length>, message, {longest});
            }
        }
    }

    void checkVision()
    {
        const auto& tower = m_model.vision;
        constexpr std::string_view kField = pointerOf<&Workload::image_tokens>;
        if (!tower) {
            if (m_work.image_tokens > 0)
                error("VISION", kField, Sentence::tr("the model has no vision tower that makes tokens of images"), {0});
            return;
        }
        if (m_work.image_tokens > m_work.sequence_length)
            error("VISION", kField,
                Sentence::tr("{} tokens of images do not fit into a sequence of {}",
                    {m_work.image_tokens, m_work.sequence_length}),
                {m_work.sequence_length});
        if (m_work.image_tokens > 0 && m_work.images > m_work.image_tokens)
            error("VISION", pointerOf<&Workload::images>,
                Sentence::tr(
                    "{} images are more than the {} tokens that they become", {m_work.images, m_work.image_tokens}),
                {1});
        const std::int64_t tensor = m_degrees.tensor;
        const bool divides = tower->num_attention_heads % tensor == 0 && tower->intermediate_size % tensor == 0;
        if (m_degrees.vision_tensor && !divides)
            error("VISION-TENSOR", pointerOf<&Parallelism::vision_tensor>,
                Sentence::tr("tensor {} does not divide the vision tower's {} heads and {} MLP features",
                    {tensor, tower->num_attention_heads, tower->intermediate_size}));
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
            error("CARDS", pointerOf<&Parallelism::data>,
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
            error("CARDS", pointerOf<&Parallelism::pipeline>,
                Sentence::tr("{} = {}: {} cards leave {} over", {product, replica, cards, cards % replica}),
                nearest(m_degrees.pipeline, cards, [&](std::int64_t pipeline) {
                    return cards % (m_degrees.tensor * m_degrees.context * pipeline) == 0;
                }));
        }
    }

    /// What a tensor degree must divide.
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

    void tensorDivides(std::string id, Phrase what, std::int64_t number)
    {
        const std::int64_t rest = number % m_degrees.tensor;
        if (rest == 0) return;
        stop(std::move(id), pointerOf<&Parallelism::tensor>,
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
        if (windowed.keys % tensor != 0 && tensor % windowed.keys != 0)
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
                warning("TP-KV-REPLICATED", pointerOf<&Parallelism::tensor>,
                    Sentence::tr(
                        "tensor {} exceeds {} key/value heads: every rank holds a copy of one", {tensor, groups}),
                    {groups});
            }
        }
        const std::int64_t padded = paddedVocabulary(m_model, tensor);
        constexpr double kWorthSaying = 0.02;
        if (static_cast<double>(padded - m_model.vocab_size) > kWorthSaying * static_cast<double>(m_model.vocab_size)) {
            warning("VOCAB-PADDING", pointerOf<&Architecture::vocab_size>,
                Sentence::tr("vocabulary {} is padded to {} rows, a multiple of 128 x tensor {}",
                    {m_model.vocab_size, padded, tensor}),
                {padded});
        }
        if (const std::int64_t near = cardsPerDomain(m_plan.cluster); tensor > near) {
            warning("TP-NODE", pointerOf<&Parallelism::tensor>,
                m_plan.cluster.nodes_per_domain > 1
                    ? Sentence::tr("tensor {} spans NVLink domains of {} cards: every layer waits for the slow links",
                        {tensor, near})
                    : Sentence::tr(
                        "tensor {} spans nodes of {} cards: every layer waits for the slow links", {tensor, near}),
                divisors(near, tensor));
        }
        if (m_degrees.sequence && tensor == 1) {
            warning("SP-TENSOR", pointerOf<&Parallelism::sequence>,
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
            error("CP-A2A-HEADS", pointerOf<&Parallelism::context>,
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
            error("DS-PIPELINE-ZERO", pointerOf<&Recipe::sharding>,
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
        if (data < 1) return; // CARDS has said so
        const std::int64_t sequences = m_work.micro_batch_size * data;
        const std::int64_t batch = m_work.global_batch_size;
        if (batch % sequences != 0) {
            auto& broken = error("GBS-DIVIDES", pointerOf<&Workload::global_batch_size>,
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
                error("VP-GROUP", pointerOf<&Recipe::microbatch_group>,
                    Sentence::tr("schedule {}: {}; the figures assume groups of {}",
                        {name(m_recipe.schedule), refused->said(), *accepted.group}),
                    {*accepted.group});
            }
            return;
        }
        if (m_degrees.pipeline > 1 && microbatches < m_degrees.pipeline) {
            warning("PP-FILL", pointerOf<&Workload::global_batch_size>,
                Sentence::tr("{} micro-batches cannot fill {} stages: more than half of the step is idle",
                    {microbatches, m_degrees.pipeline}),
                {m_degrees.pipeline * m_work.micro_batch_size * dataParallel(m_plan)});
        }
    }

    /// A schedule that the framework has not, or has in forks only, can still be planned for.
    void checkFramework()
    {
        if (m_degrees.pipeline < 2 || m_work.task == Task::Inference) return;
        const std::string_view field = pointerOf<&Recipe::schedule>;
        const std::string_view project = projectOf(m_recipe.framework);
        switch (traits(m_recipe.schedule).run_by[m_recipe.framework]) {
        case Support::Own: break;
        case Support::Fork:
            warning("SCHEDULE-FRAMEWORK", field,
                Sentence::tr(
                    "schedule {}: forks of {} run it, it does not itself", {name(m_recipe.schedule), project}));
            break;
        case Support::None:
            warning("SCHEDULE-FRAMEWORK", field,
                Sentence::tr("schedule {}: {} does not run it", {name(m_recipe.schedule), project}));
            break;
        }
    }

    void stopSchedule(const ScheduleRefusal& refused)
    {
        using Field = ScheduleRefusal::Field;
        const auto message = Sentence::tr("schedule {}: {}", {name(m_recipe.schedule), refused.said()});
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
        stop(interleaved ? "VP-MICROBATCHES" : "PP-MICROBATCHES", pointerOf<&Workload::global_batch_size>, message,
            batches);
    }

    void checkExperts()
    {
        const std::int64_t expert = m_degrees.expert;
        if (!m_model.moe) {
            if (expert > 1) {
                error("EP-DENSE", pointerOf<&Parallelism::expert>,
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
        if (moe.moe_intermediate_size % m_degrees.expert_tensor != 0) {
            stop("ETP-FFN", pointerOf<&Parallelism::expert_tensor>,
                Sentence::tr("expert tensor {}: {} expert features / {} leave {}",
                    {m_degrees.expert_tensor, moe.moe_intermediate_size, m_degrees.expert_tensor,
                        moe.moe_intermediate_size % m_degrees.expert_tensor}),
                divisors(moe.moe_intermediate_size, m_degrees.expert_tensor));
        }
        const std::int64_t per_stage = dataParallel(m_plan) * m_degrees.context * m_degrees.tensor;
        const std::int64_t per_expert_group = expert * m_degrees.expert_tensor;
        if (per_stage % per_expert_group != 0) {
            error("EP-CARDS", pointerOf<&Parallelism::expert>,
                Sentence::tr("{} cards per stage do not split into groups of expert {} x expert tensor {}",
                    {per_stage, expert, m_degrees.expert_tensor}),
                nearest(expert, per_stage, [&](std::int64_t value) {
                    return per_stage % (value * m_degrees.expert_tensor) == 0 && moe.num_experts % value == 0;
                }));
        }
        if (!moe.layers.empty() && static_cast<std::int64_t>(moe.layers.size()) != m_model.num_hidden_layers) {
            stop("MOE-LAYERS", pointerOf<&MixtureOfExperts::layers>,
                Sentence::tr("the list of layers with experts has {} entries, the model {} layers",
                    {moe.layers.size(), m_model.num_hidden_layers}));
        }
    }

    void checkRecipe()
    {
        if (m_recipe.framework == Framework::Megatron
            && (m_recipe.sharding == Sharding::Zero2 || m_recipe.sharding == Sharding::Zero3)) {
            error("MEGATRON-ZERO", pointerOf<&Recipe::sharding>,
                Sentence::tr("Megatron-Core's distributed optimizer shards optimizer states only (zero1)"));
        }
        if (m_recipe.framework == Framework::Fsdp && m_recipe.sharding == Sharding::Zero1) {
            error("FSDP-ZERO1", pointerOf<&Recipe::sharding>,
                Sentence::tr("FSDP shards at least gradients (zero2) or everything (zero3)"));
        }
        const std::int64_t replicas = dataParallel(m_plan) * m_degrees.context;
        if (replicas >= 1 && replicas % m_recipe.optimizer_instances != 0) {
            error("OPT-INSTANCES", pointerOf<&Recipe::optimizer_instances>,
                Sentence::tr("{} optimizer instances do not divide data x context = {}",
                    {m_recipe.optimizer_instances, replicas}),
                divisors(replicas, m_recipe.optimizer_instances));
        }
    }

    void checkExpertOverlap()
    {
        const auto refused = expertOverlapRefusal(m_plan);
        if (!refused) return;
        error("EP-OVERLAP", std::string(refused->field),
            Sentence::tr("overlapping the experts' communication: {}; the figures assume none", {refused->reason}),
            refused->valid);
    }

    void checkSettings()
    {
        checkTask();
        checkOffload();
        checkGradients();
        std::ranges::move(settingChecks(m_plan), std::back_inserter(m_checks));
    }

    /// What a recipe asks for and its framework or its task does not do.
    void checkTask()
    {
        const bool inference = m_work.task == Task::Inference;
        if (m_recipe.precision == Precision::Int8 && !inference) {
            error("PRECISION-INT8", pointerOf<&Recipe::precision>,
                Sentence::tr("int8 is a format for inference, not for training"));
        } else if (servesOnly(m_recipe.precision) && !inference) {
            error("PRECISION-SERVED", pointerOf<&Recipe::precision>,
                m_recipe.precision == Precision::Nf4
                    ? Sentence::tr("nf4 weights are served; the task qlora trains adapters beside such weights")
                    : Sentence::tr("{} is a format for inference, not for training", {name(m_recipe.precision)}));
        }
        const Precision cached = m_recipe.kv_cache_precision.value_or(Precision::Bf16);
        if (inference && (cached == Precision::Mxfp4 || cached == Precision::Nf4)) {
            error("KV-CACHE-FORMAT", pointerOf<&Recipe::kv_cache_precision>,
                Sentence::tr("{} is a format of weights; no server caches keys and values in it", {name(cached)}));
        }
        if (m_recipe.adapter && !trainsAdapters(m_plan)) {
            warning("ADAPTER-TASK", pointerOf<&Recipe::adapter>,
                Sentence::tr("task {} trains no adapter; lora and qlora do", {name(m_work.task)}));
        }
        if (m_recipe.kv_cache_precision && !inference) {
            warning("KV-CACHE-TASK", pointerOf<&Recipe::kv_cache_precision>,
                Sentence::tr("only inference keeps keys and values"));
        }
        if (inference && m_recipe.schedule != Schedule::OneFOneB && m_recipe.schedule != Schedule::GPipe) {
            warning("INFERENCE-SCHEDULE", pointerOf<&Recipe::schedule>,
                Sentence::tr("inference runs forward passes only; of schedule {} their order remains",
                    {name(m_recipe.schedule)}));
        }
    }

    /// When gradients are reduced and used.
    void checkGradients()
    {
        if (m_work.task == Task::Inference) return;
        const bool partitions = m_recipe.sharding == Sharding::Zero2 || m_recipe.sharding == Sharding::Zero3;
        if (m_recipe.gradient_sync == GradientSync::Last && m_recipe.framework == Framework::DeepSpeed && partitions) {
            error("GRADIENT-SYNC", pointerOf<&Recipe::gradient_sync>,
                Sentence::tr("DeepSpeed's {} divides gradients after every micro-batch; it refuses no_sync",
                    {name(m_recipe.sharding)}));
        }
        if (!m_recipe.optimizer_in_backward) return;
        if (m_recipe.framework != Framework::Fsdp) {
            error("BACKWARD-UPDATE", pointerOf<&Recipe::optimizer_in_backward>,
                Sentence::tr("updating weights during the backward pass is PyTorch's; {} does not do it",
                    {name(m_recipe.framework)}));
        } else if (microBatches(m_plan) > 1) {
            error("BACKWARD-UPDATE", pointerOf<&Recipe::optimizer_in_backward>,
                Sentence::tr("weights are updated in every backward pass, so a step has one micro-batch, not {}",
                    {microBatches(m_plan)}));
        }
    }

    void checkOffload()
    {
        const auto& offload = m_recipe.offload;
        const bool megatron = m_recipe.framework == Framework::Megatron;
        if (megatron && offload.parameters > 0.0) {
            error("OFFLOAD-PARAMETERS", pointerOf<&Offload::parameters>,
                Sentence::tr("Megatron-Core keeps all weights on the card; DeepSpeed and FSDP can offload them"));
        }
        if (megatron && offload.activations > 0.0 && m_degrees.pipeline > 1) {
            error("OFFLOAD-ACTIVATIONS", pointerOf<&Offload::activations>,
                Sentence::tr(
                    "Megatron-Core offloads activations without a pipeline only, pipeline is {}", {m_degrees.pipeline}),
                {1});
        }
        if (megatron && offload.gradients.value_or(0.0) > 0.0) {
            error("OFFLOAD-GRADIENTS", pointerOf<&Offload::gradients>,
                Sentence::tr("Megatron-Core keeps all gradients on the card; DeepSpeed and FSDP can offload them"));
        }
        if (!megatron && offload.parameters > 0.0 && m_recipe.sharding != Sharding::Zero3) {
            error("OFFLOAD-SHARDING", pointerOf<&Offload::parameters>,
                Sentence::tr("weights can be offloaded only where they are sharded (zero3)"));
        }
    }

    void checkAccelerator()
    {
        const auto& card = m_plan.cluster.accelerator;
        const bool needs_bf16 = m_recipe.precision == Precision::Bf16 || m_recipe.precision == Precision::Bf16Pure;
        if (needs_bf16 && !card.tflops.bf16 && card.tflops.fp16) {
            warning("CARD-BF16", pointerOf<&Recipe::precision>,
                Sentence::tr("{} has no bf16 matrix units; fp16 is what it trains in", {card.name}));
        }
        if (hasMatrixUnits(card, m_recipe.precision)) return;
        const bool served = m_work.task == Task::Inference;
        const MatrixFormat format = formatOf(m_recipe.precision);
        if (format == MatrixFormat::Fp8) {
            warning("CARD-FP8", pointerOf<&Recipe::precision>,
                served ? Sentence::tr("{} has no fp8 arithmetic: the format narrows stored weights only", {card.name})
                       : Sentence::tr("{} has no fp8 matrix units", {card.name}));
        }
        if (format == MatrixFormat::Fp4) {
            warning("CARD-FP4", pointerOf<&Recipe::precision>,
                served ? Sentence::tr("{} has no fp4 arithmetic: the format narrows stored weights only", {card.name})
                       : Sentence::tr("{} has no fp4 matrix units", {card.name}));
        }
    }

    void checkUnknownKeys()
    {
        for (const std::string& path : m_plan.unknown.paths) {
            warning("UNKNOWN-KEY", path, Sentence::tr("{} is not known to this version; it is kept as it is", {path}));
        }
    }

    const Plan& m_plan;
    const Architecture& m_model;
    const Parallelism& m_degrees;
    const Recipe& m_recipe;
    const Workload& m_work;
    std::vector<Check> m_checks;
};

} // namespace

bool breaksRule(const std::vector<Check>& checks)
{
    return std::ranges::any_of(checks, [](const Check& check) { return check.severity == Severity::Error; });
}

std::vector<Check> check(const Plan& plan) { return Checker(plan).run(); }

std::optional<Check> firstError(const Plan& plan, RuleGroup group) { return Checker(plan).firstError(group); }

} // namespace cardfit
