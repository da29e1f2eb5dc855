// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/activations.h"

#include <algorithm>

#include "core/memory/overheads.h"
#include "core/plan/plan_schedule.h"
#include "core/plan/software.h"

namespace cardfit {

namespace {

/// Adds `times` copies of a tensor to those of the same name and shape.
void addTensor(const SavedTensor& tensor, std::int64_t times, std::vector<NamedBytes>& kept)
{
    const auto same = std::ranges::find_if(
        kept, [&](const NamedBytes& known) { return known.id == tensor.id && known.formula == tensor.formula; });
    if (same == kept.end()) {
        kept.push_back({tensor.id, tensor.formula, times, times * tensor.bytes});
    } else {
        same->count += times;
        same->bytes += times * tensor.bytes;
    }
}

/// Adds `times` copies of every kept tensor.
void addSaved(
    const std::vector<Operator>& operators, std::int64_t times, RecomputeSet dropped, std::vector<NamedBytes>& saved)
{
    if (times == 0) return;
    for (const Operator& step : operators) {
        for (const SavedTensor& tensor : step.saved) {
            if (!intersects(tensor.dropped_by, dropped)) addTensor(tensor, times, saved);
        }
    }
}

/// Visits what the weight half of a backward pass needs. Recomputed tensors have been rebuilt by then.
template <class Visit> void visitForWeights(const std::vector<Operator>& operators, const Visit& visit)
{
    for (const Operator& step : operators) {
        for (const SavedTensor& tensor : step.saved) {
            if (tensor.for_weight) visit(tensor);
        }
        for (const SavedTensor& tensor : step.for_weights)
            visit(tensor);
    }
}

/// Adds what the weight half of `times` backward passes needs.
void addForWeights(const std::vector<Operator>& operators, std::int64_t times, std::vector<NamedBytes>& kept)
{
    if (times == 0) return;
    visitForWeights(operators, [&](const SavedTensor& tensor) { addTensor(tensor, times, kept); });
}

Bytes forWeights(const std::vector<Operator>& operators)
{
    Bytes bytes;
    visitForWeights(operators, [&](const SavedTensor& tensor) { bytes += tensor.bytes; });
    return bytes;
}

/// Describes one chunk of a stage; every size below is per card and per micro-batch.
class ChunkDescription {
public:
    ChunkDescription(
        const Plan& plan, const OperatorTables& tables, const LayerRange& layers, bool embedding, bool head)
        : m_plan(plan)
        , m_tables(tables)
        , m_layers(layers)
        , m_embedding(embedding)
        , m_stream(streamsBetweenLayers(plan))
        , m_context{plan, tables, layers, head, {}, {}, {}, {}, {}, {}, {}}
    {
        m_context.unreduced = unreducedGradients(plan, tables, head);
    }

    ChunkActivations describe()
    {
        constexpr std::size_t kUsualTensors = 32; // few layers keep more
        m_result.saved.reserve(kUsualTensors);
        m_result.for_weights.reserve(kUsualTensors);
        addLayers();
        offloadLayers();
        addWeightHalf();
        if (m_embedding) {
            addSaved(m_tables.embedding, 1, RecomputeSet::None, m_result.saved);
            addSaved(m_tables.vision, 1, RecomputeSet::None, m_result.saved);
        }
        if (m_context.head) addHead();
        m_result.events = worstEvents(m_context);
        const Bytes saved = sum(m_result.saved);
        const WorstEvents& events = m_result.events;
        m_result.memory = {{saved, sum(m_result.for_weights), scheduleRequest(m_plan).paired},
            events.first_forward.total(), events.forward.total(), events.backward.total(), events.input_half.total(),
            {events.forward_begun.total(), events.forward_layer.total(), events.backward_begun.total(),
                events.backward_layer.total()}};
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool full() const { return m_plan.recipe.recompute.granularity == RecomputeGranularity::Full; }
    [[nodiscard]] const std::vector<Operator>& operatorsOf(std::int64_t layer) const
    {
        return m_tables.layers.of(layerKind(m_plan.model.architecture, layer));
    }

    void addLayers()
    {
        if (full()) {
            addCheckpointedLayers();
            return;
        }
        const LayerKinds kinds = layerKinds(m_plan.model.architecture, m_layers);
        const RecomputeSet dropped = recomputedModules(m_plan.recipe.recompute);
        for (const auto [kind, count] : kinds) {
            if (keepsByOperator(m_plan))
                addKeptByOperator(kind, count);
            else
                addSaved(m_tables.layers.of(kind), count, dropped, m_result.saved);
        }
    }

    void addKeptByOperator(LayerKind kind, std::int64_t times)
    {
        const std::vector<Operator>& layer = m_tables.layers.of(kind);
        if (times == 0) return;
        Bytes kept;
        for (const SavedTensor& tensor : keptByOperator(m_plan, kind, layer)) {
            addTensor(tensor, times, m_result.saved);
            kept += tensor.bytes;
        }
        m_context.working_set = std::max({m_context.working_set, savedBytes(layer) - kept, Bytes(0)});
    }

    void addCheckpointedLayers()
    {
        const Recompute& recompute = m_plan.recipe.recompute;
        const bool uniform = recompute.method == RecomputeMethod::Uniform;
        const std::int64_t count = m_layers.count();
        const std::int64_t per_group = uniform ? std::min(recompute.layers, count) : 1;
        const std::int64_t checkpointed = uniform ? count : std::min(recompute.layers, count);

        std::int64_t checkpoints = 0;
        for (std::int64_t first = 0; first < checkpointed; first += per_group) {
            ++checkpoints;
            Bytes group;
            for (std::int64_t layer = first; layer < std::min(first + per_group, checkpointed); ++layer) {
                group += savedBytes(operatorsOf(m_layers.first + layer));
            }
            m_context.working_set = std::max(m_context.working_set, group - m_stream);
        }
        addCheckpoints(checkpoints);
        const LayerKinds rest =
            layerKinds(m_plan.model.architecture, LayerRange{m_layers.first + checkpointed, m_layers.end});
        for (const auto [kind, layers] : rest)
            addSaved(m_tables.layers.of(kind), layers, RecomputeSet::None, m_result.saved);
    }

    void addCheckpoints(std::int64_t count)
    {
        if (count > 0) m_result.saved.push_back({"checkpoints", streamsFormula(m_plan), count, count * m_stream});
    }

    void addWeightHalf()
    {
        for (const auto [kind, count] : layerKinds(m_plan.model.architecture, m_layers))
            addForWeights(m_tables.layers.of(kind), count, m_result.for_weights);
        if (m_context.head) {
            addForWeights(m_tables.prediction, m_plan.model.architecture.mtp_layers, m_result.for_weights);
            addForWeights(m_tables.head, 1, m_result.for_weights);
        }
        findFirst();
    }

    /// Sizes of the layers whose backward pass runs last: the first layer, or the first checkpointed group.
    void findFirst()
    {
        const Recompute& recompute = m_plan.recipe.recompute;
        const std::int64_t count = m_layers.count();
        const bool groups = full() && recompute.method == RecomputeMethod::Uniform;
        const std::int64_t first = std::min(groups ? recompute.layers : 1, count);
        for (std::int64_t layer = 0; layer < first; ++layer)
            m_context.first_for_weights += forWeights(operatorsOf(m_layers.first + layer));
        if (first > 0) {
            m_context.first_saved = full() || keepsByOperator(m_plan)
                ? m_stream
                : savedBytes(operatorsOf(m_layers.first), recomputedModules(m_plan.recipe.recompute));
        }
        if (m_embedding) m_context.embedding_saved = savedBytes(m_tables.embedding) + savedBytes(m_tables.vision);
        m_context.first_saved += m_context.embedding_saved;
    }

    /// Takes the offloaded fraction off what the layers keep.
    void offloadLayers()
    {
        const double fraction = m_plan.recipe.offload.activations;
        if (fraction <= 0.0 || m_layers.count() == 0) return;
        const double kept = static_cast<double>(sum(m_result.saved).value());
        m_result.saved.push_back({"activations.offloaded", "-o_a S_l", 1, roundToBytes(-fraction * kept)});
        const auto on_the_way = static_cast<double>(std::min<std::int64_t>(2, m_layers.count()));
        m_result.offload_buffer = roundToBytes(fraction * kept * on_the_way / static_cast<double>(m_layers.count()));
    }

    void addHead()
    {
        const std::int64_t depths = m_plan.model.architecture.mtp_layers;
        const Bytes before = sum(m_result.saved);
        if (depths > 0 && full()) {
            addCheckpoints(2 * depths); // the hidden state and the embedding of the next token
        } else if (depths > 0) {
            addSaved(m_tables.prediction, depths, recomputedModules(m_plan.recipe.recompute), m_result.saved);
        }
        addSaved(m_tables.head, 1, RecomputeSet::None, m_result.saved);
        m_context.loss = lossMemory(m_plan);
        m_result.saved.push_back(m_context.loss.saved);
        m_context.head_saved = sum(m_result.saved) - before;
    }

    const Plan& m_plan;
    const OperatorTables& m_tables;
    LayerRange m_layers;
    bool m_embedding;
    Bytes m_stream;
    EventContext m_context;
    ChunkActivations m_result;
};

} // namespace

bool keepsByOperator(const Plan& plan)
{
    return plan.recipe.framework == Framework::Fsdp
        && plan.recipe.recompute.granularity == RecomputeGranularity::Selective;
}

double keptOutputValues(const Plan& plan, LayerKind kind, const std::vector<Operator>& layer)
{
    const Architecture& model = plan.model.architecture;
    const CardShare share = cardShare(plan);
    std::vector<double> outputs;
    for (const Operator& step : layer) {
        for (const MatrixProduct& product : step.products) {
            if (product.wide || product.expert) continue;
            const double values = product.rows * product.columns;
            if (step.id == "qkv") {
                const AttentionHeads heads = attentionHeads(model, kind.mixer);
                const std::int64_t keys = std::max(heads.keys, share.tensor);
                const std::int64_t parts[]{heads.queries * heads.head_dim, keys * heads.head_dim,
                    projectsValues(model, kind.mixer) ? keys * heads.v_head_dim : 0};
                const auto all = static_cast<double>(parts[0] + parts[1] + parts[2]);
                for (const std::int64_t part : parts)
                    outputs.push_back(values * static_cast<double>(part) / all);
            } else if (step.id.ends_with(".up") && model.gated_mlp) {
                outputs.insert(outputs.end(), 2, values / 2.0);
            } else {
                outputs.push_back(values);
            }
        }
    }
    if (plan.recipe.kernels == Kernels::Compiled && !outputs.empty()) outputs.back() = 0.0;
    const bool every_second = intersects(recomputedModules(plan.recipe.recompute), RecomputeSet::Mlp);
    double kept = 0.0;
    for (std::size_t i = 0; i < outputs.size(); i += every_second ? 2 : 1)
        kept += outputs[i];
    return kept / share.tokens();
}

std::vector<SavedTensor> keptByOperator(const Plan& plan, LayerKind kind, const std::vector<Operator>& layer)
{
    std::vector<SavedTensor> kept{{"checkpoints", streamsFormula(plan), streamsBetweenLayers(plan)}};
    // On Blackwell PyTorch's attention is cuDNN's.
    const bool cudnn =
        plan.recipe.attention == Attention::Fused && plan.cluster.accelerator.generation == Generation::Blackwell;
    const bool attention = !cudnn || has(plan, SoftwareChange::TorchtitanSavedAttention);
    bool experts = false;
    for (const Operator& step : layer) {
        for (const SavedTensor& tensor : step.saved) {
            const bool of_attention = tensor.id == "attention.output" || tensor.id == "attention.log_sum_exp";
            const bool listed = (of_attention && attention) || tensor.id == "experts.input";
            if (listed) kept.push_back(tensor);
            experts = experts || followsRouting(tensor.id);
        }
    }
    const double values = keptOutputValues(plan, kind, layer);
    const Bytes outputs = roundToBytes(elementBytes(plan) * cardShare(plan).tokens() * values);
    if (experts)
        kept.push_back({"selective.expert_layer_outputs", "w T X_se", outputs});
    else
        kept.push_back({"selective.outputs", "w T X_s", outputs});
    return kept;
}

std::vector<ChunkActivations> chunkActivations(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    std::vector<ChunkActivations> chunks;
    chunks.reserve(stage.chunks.size());
    for (const ModelChunk& chunk : stage.chunks)
        chunks.push_back(ChunkDescription(plan, tables, chunk, chunk.embedding, chunk.head).describe());
    return chunks;
}

Bytes maskPerMicrobatch(const Plan& plan)
{
    if (!plan.recipe.attention_mask_in_dataloader) return {};
    const std::int64_t s = plan.workload.sequence_length;
    return Bytes(plan.workload.micro_batch_size * s * s);
}

Bytes residualStream(const Plan& plan)
{
    const CardShare share = cardShare(plan);
    const auto hidden = static_cast<double>(plan.model.architecture.hidden_size);
    return roundToBytes(elementBytes(plan) * share.tokens() * hidden / share.residual());
}

Bytes streamsBetweenLayers(const Plan& plan)
{
    const std::int64_t wider = autocasts(plan) ? 2 : 1; // fp32 in place of 16 bits
    return wider * plan.model.architecture.hc_mult * residualStream(plan);
}

std::string_view streamsFormula(const Plan& plan)
{
    const bool several = plan.model.architecture.hc_mult > 1;
    if (autocasts(plan)) return several ? "4 n_h T h / u" : "4 T h / u";
    return several ? "n_h w T h / u" : "w T h / u";
}

} // namespace cardfit
