// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/activations.h"

#include <algorithm>

#include "core/memory/loss.h"

namespace cardfit {

namespace {

constexpr double kElement = 2.0; ///< bytes of a bf16 or fp16 activation

RecomputeSet recomputeSet(const Recompute& recompute)
{
    if (recompute.granularity != RecomputeGranularity::Selective) return RecomputeSet::None;
    if (recompute.modules.empty()) return RecomputeSet::CoreAttention;
    RecomputeSet set = RecomputeSet::None;
    for (const RecomputeModule module : recompute.modules) {
        switch (module) {
        case RecomputeModule::CoreAttn: set = set | RecomputeSet::CoreAttention; break;
        case RecomputeModule::LayerNorm: set = set | RecomputeSet::LayerNorm; break;
        case RecomputeModule::Mlp: set = set | RecomputeSet::Mlp; break;
        case RecomputeModule::MoeAct: set = set | RecomputeSet::MoeActivation; break;
        case RecomputeModule::Moe: set = set | RecomputeSet::Moe; break;
        case RecomputeModule::SharedExperts: set = set | RecomputeSet::SharedExperts; break;
        case RecomputeModule::MlaUpProj: set = set | RecomputeSet::MlaUpProjection; break;
        }
    }
    return set;
}

/// Adds `times` copies of every kept tensor, merging those of the same name.
void addSaved(
    const std::vector<Operator>& operators, std::int64_t times, RecomputeSet dropped, std::vector<NamedBytes>& saved)
{
    if (times == 0) return;
    for (const Operator& step : operators) {
        for (const SavedTensor& tensor : step.saved) {
            if (intersects(tensor.dropped_by, dropped)) continue;
            const auto same = std::ranges::find(saved, tensor.id, &NamedBytes::id);
            if (same == saved.end())
                saved.push_back({tensor.id, times * tensor.bytes});
            else
                same->bytes += times * tensor.bytes;
        }
    }
}

Bytes sum(const std::vector<NamedBytes>& parts)
{
    Bytes total;
    for (const NamedBytes& part : parts)
        total += part.bytes;
    return total;
}

Bytes savedBytes(const std::vector<Operator>& operators)
{
    Bytes total;
    for (const Operator& step : operators) {
        for (const SavedTensor& tensor : step.saved)
            total += tensor.bytes;
    }
    return total;
}

Bytes tensorBytes(const std::vector<Operator>& operators, std::string_view id)
{
    for (const Operator& step : operators) {
        for (const SavedTensor& tensor : step.saved) {
            if (tensor.id == id) return tensor.bytes;
        }
    }
    return {};
}

void keepWorse(Transient& worst, const Transient& candidate)
{
    if (worst.id.empty() || candidate.net() > worst.net()) worst = candidate;
}

/// Describes one chunk of a stage; every size below is per card and per micro-batch.
class ChunkDescription {
public:
    ChunkDescription(
        const Plan& plan, const OperatorTables& tables, const LayerRange& layers, bool embedding, bool head)
        : m_plan(plan)
        , m_tables(tables)
        , m_share(cardShare(plan))
        , m_layers(layers)
        , m_embedding(embedding)
        , m_head(head)
        , m_stream(residualStream(plan))
    {
    }

    ChunkActivations describe()
    {
        addLayers();
        if (m_embedding) addSaved(m_tables.embedding, 1, RecomputeSet::None, m_result.saved);
        if (m_head) addHead();
        m_result.memory.saved = sum(m_result.saved);
        addForwardTransients();
        addBackwardTransients();
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool experts(std::int64_t layer) const { return hasExperts(m_plan.model.architecture, layer); }
    [[nodiscard]] const std::vector<Operator>& operatorsOf(std::int64_t layer) const
    {
        return experts(layer) ? m_tables.expert_layer : m_tables.dense_layer;
    }
    [[nodiscard]] const std::vector<Operator>& lastLayer() const { return operatorsOf(m_layers.end - 1); }

    void addLayers()
    {
        if (m_plan.recipe.recompute.granularity == RecomputeGranularity::Full) {
            addCheckpointedLayers();
            return;
        }
        const RecomputeSet dropped = recomputeSet(m_plan.recipe.recompute);
        const LayerKinds kinds = layerKinds(m_plan.model.architecture, m_layers);
        addSaved(m_tables.dense_layer, kinds.dense, dropped, m_result.saved);
        addSaved(m_tables.expert_layer, kinds.experts, dropped, m_result.saved);
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
            m_working_set = std::max(m_working_set, group - m_stream);
        }
        if (checkpoints > 0) m_result.saved.push_back({"checkpoints", checkpoints * m_stream});
        const LayerKinds rest =
            layerKinds(m_plan.model.architecture, LayerRange{m_layers.first + checkpointed, m_layers.end});
        addSaved(m_tables.dense_layer, rest.dense, RecomputeSet::None, m_result.saved);
        addSaved(m_tables.expert_layer, rest.experts, RecomputeSet::None, m_result.saved);
    }

    void addHead()
    {
        m_loss = lossMemory(m_plan);
        addSaved(m_tables.head, 1, RecomputeSet::None, m_result.saved);
        m_result.saved.push_back({"logits", m_loss.saved});
        m_head_saved = savedBytes(m_tables.head) + m_loss.saved;
    }

    /// Rows of the experts' matrix products, in bytes per feature.
    [[nodiscard]] double expertRowBytes() const
    {
        return kElement * expertRows(*m_plan.model.architecture.moe, m_share);
    }

    void addForwardTransients()
    {
        Transient forward{"forward.end", Bytes(0), Bytes(0)};
        if (m_head) keepWorse(forward, {"loss", m_loss.peak - m_loss.saved, Bytes(0)});
        m_result.memory.first_forward = m_result.memory.forward = forward;
        if (m_layers.count() == 0 || !experts(m_layers.end - 1)) return;

        // Combining the experts' outputs: the permuted, dispatched, unsorted and combined copies coexist, beside the
        // shared experts' output and the result (Megatron-Core moe_layer). The head has not run yet.
        const auto& moe = *m_plan.model.architecture.moe;
        const double hidden = static_cast<double>(m_plan.model.architecture.hidden_size);
        const std::int64_t streams = moe.shared_intermediate_size > 0 ? 2 : 1;
        const Bytes combine = roundToBytes(4.0 * expertRowBytes() * hidden) + streams * m_stream;
        keepWorse(m_result.memory.first_forward, {"experts.combine", combine, m_head_saved});
        // Once gradients flow, the one last received from the next stage is still referenced.
        const Bytes stale = m_plan.parallelism.pipeline > 1 ? m_stream : Bytes(0);
        keepWorse(m_result.memory.forward, {"experts.combine", combine + stale, m_head_saved});
    }

    void addBackwardTransients()
    {
        Transient& worst = m_result.memory.backward;
        worst = {"backward.start", Bytes(0), Bytes(0)};
        if (m_head) {
            keepWorse(worst, {"loss.backward", m_loss.peak - m_loss.saved, Bytes(0)});
            keepWorse(worst, {"output.backward", outputBackward(), m_loss.saved});
        }
        if (m_layers.count() == 0) return;
        const auto add = [&](std::string_view id, Bytes extra, Bytes released) {
            keepWorse(worst, {id, extra + m_working_set, released + m_head_saved});
        };
        if (experts(m_layers.end - 1))
            addExpertBackward(add);
        else
            addMlpBackward(add);
        addScoreBackward(add);
    }

    /// Gradient of the logits, the gathered hidden state and its gradient.
    [[nodiscard]] Bytes outputBackward() const
    {
        Bytes extra = m_loss.gradient + fullStream();
        if (gathers()) extra += m_stream;
        if (!m_plan.recipe.gradient_accumulation_fusion) {
            extra += gradientOf(m_share.vocabulary / m_share.tensor, m_plan.model.architecture.hidden_size);
        }
        return extra;
    }

    template <class Add> void addMlpBackward(const Add& add) const
    {
        const auto& model = m_plan.model.architecture;
        const std::int64_t width = model.intermediate_size / m_share.tensor;
        const std::int64_t parts = model.gated_mlp ? 2 : 1;
        const Bytes activation = tensorBytes(m_tables.dense_layer, "mlp.activation_output");
        const Bytes gathered = gathers() ? fullStream() : Bytes(0);
        const Bytes down_gradient = unfusedGradient(model.hidden_size, width);
        const Bytes up_gradient = unfusedGradient(parts * width, model.hidden_size);
        add("mlp.down.backward", m_stream + gathered + activation + down_gradient, Bytes(0));
        add("mlp.activation.backward", m_stream + parts * activation, Bytes(0));
        add("mlp.up.backward", m_stream + gathered + fullStream() + up_gradient, activation);
    }

    template <class Add> void addExpertBackward(const Add& add) const
    {
        const auto& model = m_plan.model.architecture;
        const double width = static_cast<double>(model.moe->moe_intermediate_size / m_share.expert_tensor);
        const double parts = model.gated_mlp ? 2.0 : 1.0;
        const double hidden = static_cast<double>(model.hidden_size);
        add("experts.down.backward", m_stream + roundToBytes(expertRowBytes() * (hidden + width)), Bytes(0));
        add("experts.activation.backward", m_stream + roundToBytes(expertRowBytes() * parts * width), Bytes(0));
    }

    /// Unfused attention: the gradients of the softmax and of the scores, once the MLP's tensors are gone.
    template <class Add> void addScoreBackward(const Add& add) const
    {
        const auto& recipe = m_plan.recipe;
        if (recipe.attention != Attention::Unfused || m_plan.model.architecture.mla) return;
        if (recipe.recompute.granularity == RecomputeGranularity::Full) return;
        const Bytes scores = tensorBytes(lastLayer(), "attention.softmax");
        const Bytes mlp = tensorBytes(lastLayer(), "mlp.up_output") + tensorBytes(lastLayer(), "mlp.activation_output");
        add("attention.backward", m_stream + std::int64_t{2} * scores, mlp);
    }

    [[nodiscard]] bool gathers() const { return m_share.sequence_parallel && m_share.tensor > 1; }
    /// The residual stream of all tensor-parallel ranks together.
    [[nodiscard]] Bytes fullStream() const
    {
        return roundToBytes(kElement * m_share.tokens() * static_cast<double>(m_plan.model.architecture.hidden_size));
    }
    [[nodiscard]] static Bytes gradientOf(std::int64_t rows, std::int64_t columns)
    {
        return Bytes(std::int64_t{2} * rows * columns);
    }
    /// Without fused accumulation the weight's gradient first stands in a bf16 tensor of its own.
    [[nodiscard]] Bytes unfusedGradient(std::int64_t rows, std::int64_t columns) const
    {
        return m_plan.recipe.gradient_accumulation_fusion ? Bytes(0) : gradientOf(rows, columns);
    }

    const Plan& m_plan;
    const OperatorTables& m_tables;
    CardShare m_share;
    LayerRange m_layers;
    bool m_embedding;
    bool m_head;
    Bytes m_stream;
    Bytes m_working_set; ///< what recomputation rebuilds at once
    LossMemory m_loss;
    Bytes m_head_saved; ///< final norm and logits: freed before any layer's backward pass
    ChunkActivations m_result;
};

} // namespace

std::vector<ChunkActivations> chunkActivations(const Plan& plan, const OperatorTables& tables, const StageLayers& stage)
{
    std::vector<ChunkActivations> chunks;
    chunks.reserve(stage.chunks.size());
    for (std::size_t i = 0; i < stage.chunks.size(); ++i) {
        const bool embedding = stage.embedding && i == 0;
        const bool head = stage.head && i + 1 == stage.chunks.size();
        chunks.push_back(ChunkDescription(plan, tables, stage.chunks[i], embedding, head).describe());
    }
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
    return roundToBytes(kElement * share.tokens() * hidden / share.residual());
}

} // namespace cardfit
