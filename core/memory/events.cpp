// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/events.h"

#include "core/memory/activations.h"
#include "core/plan/software.h"

namespace cardfit {

namespace {

struct BytesPerLogit {
    double saved, worst;
    std::string_view saved_formula, worst_formula; ///< `worst` beyond `saved`
};

BytesPerLogit bytesPerLogit(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    switch (recipe.loss) {
    case Loss::Fused:
        if (recipe.precision == Precision::Fp32) return {4.0, 4.0, "4 T v / t", "0"};
        return {2.0, 2.0, "2 T v / t", "0"};
    case Loss::FusedNative: return {4.0, 10.0, "4 T v / t", "6 T v / t"};
    case Loss::Compiled:
        if (trainsAdapters(plan)) return {2.0, 2.0, "2 T v / t", "0"};
        return {2.0, 6.0, "2 T v / t", "4 T v / t"};
    case Loss::ChunkedLogits:
        if (recipe.kernels == Kernels::Compiled) return {2.0, 3.0, "2 T v / t", "T v / t"};
        return {6.0, 7.0, "6 T v / t", "T v / t"};
    case Loss::Unfused:
    case Loss::ChunkedHidden: break;
    }
    if (recipe.framework == Framework::Megatron) return {4.0, 6.0, "4 T v / t", "2 T v / t"};
    const bool divided = recipe.framework == Framework::Fsdp && plan.parallelism.tensor > 1 && recipe.loss_parallel;
    if (divided) return {4.0, 16.0, "4 T v / t", "12 T v / t"};
    const bool copies = plan.workload.task != Task::Pretrain && !has(plan, SoftwareChange::TransformersLossCopies);
    if (copies) return {8.0, 16.0, "8 T v / t", "8 T v / t"};
    return {4.0, 12.0, "4 T v / t", "8 T v / t"};
}

constexpr double kFloat = 4.0;

/// Bytes per logit of the largest tensor that a loss makes at once.
double largestLogitBytes(const Plan& plan)
{
    switch (plan.recipe.loss) {
    case Loss::Fused:
    case Loss::Compiled: return elementBytes(plan);
    case Loss::ChunkedLogits: return plan.recipe.kernels == Kernels::Compiled ? elementBytes(plan) : kFloat / 8.0;
    case Loss::FusedNative:
    case Loss::Unfused:
    case Loss::ChunkedHidden: break;
    }
    return kFloat;
}

/// Whether every tensor-parallel card has all logits of its tokens.
bool gathersLogits(const Plan& plan)
{
    return plan.parallelism.tensor > 1 && !plan.recipe.loss_parallel && plan.recipe.framework != Framework::Megatron;
}

/// "4 T v / t" without its divisor.
std::string_view ofAllLogits(std::string_view formula)
{
    constexpr std::string_view kDivisor = " / t";
    return formula.ends_with(kDivisor) ? formula.substr(0, formula.size() - kDivisor.size()) : formula;
}

void keepWorse(Event& worst, const Event& candidate)
{
    if (worst.id().empty() || candidate.total().net() > worst.total().net()) worst = candidate;
}

const SavedTensor* tensorOf(const std::vector<Operator>& operators, std::string_view id)
{
    for (const Operator& step : operators) {
        for (const SavedTensor& tensor : step.saved) {
            if (tensor.id == id) return &tensor;
        }
    }
    return nullptr;
}

/// Finds the worst events of one chunk.
class Events {
public:
    explicit Events(const EventContext& context)
        : m_context(context)
        , m_plan(context.plan)
        , m_model(context.plan.model.architecture)
        , m_share(cardShare(context.plan))
        , m_element(elementBytes(context.plan))
        , m_stream(residualStream(context.plan))
    {
        if (context.layers.count() == 0) return;
        m_kind = layerKind(m_model, context.layers.end - 1);
        m_last_layer = &context.tables.layers.of(m_kind);
    }

    WorstEvents find()
    {
        findForward();
        findBackward();
        findInputHalf();
        m_worst.forward_begun = Event("forward.begun").holds("forward.layers", "S_f", m_context.embedding_saved);
        m_worst.forward_layer = Event("forward.layer").holds("forward.layers", "S_f", m_context.first_saved);
        return m_worst;
    }

    /// The worst instant in the last layer, after the head's tensors are freed.
    Event findLayerBackward()
    {
        m_worst.backward = {};
        if (m_last_layer == nullptr) return Event("backward.start").released(m_context.head_saved);
        addLayerBackward();
        return m_worst.backward;
    }

private:
    void findForward()
    {
        Event forward("forward.end");
        if (m_context.head) keepWorse(forward, Event("loss").holds(m_context.loss.worst));
        m_worst.first_forward = m_worst.forward = forward;
        if (m_last_layer == nullptr) return;
        if (m_kind.experts()) {
            const Event first = combine("experts.combine").released(m_context.head_saved);
            keepWorse(m_worst.first_forward, first);
            // After the first backward pass, the gradient last received from the next stage is still referenced.
            const Bytes stale = m_plan.parallelism.pipeline > 1 ? streamsBetweenLayers(m_plan) : Bytes(0);
            keepWorse(m_worst.forward, Event(first).holds("gradient.stale", streamsFormula(m_plan), stale));
        }
        if (gathersKeysAndValues() && m_kind.attends()) {
            const Event gathered =
                Event("attention.gather")
                    .holds("gathered.keys_values", gatheredFormulas().twice, 2 * gatheredKeysAndValues())
                    .released(m_context.head_saved)
                    .released(mlpFreed());
            keepWorse(m_worst.first_forward, gathered);
            keepWorse(m_worst.forward, gathered);
        }
    }

    /// Combining the experts' outputs: the permuted, dispatched, unsorted and combined copies are held at once, with
    /// the shared experts' output and the result (Megatron-Core moe_layer). The head has not run yet.
    [[nodiscard]] Event combine(std::string_view id) const
    {
        const bool shared = m_model.moe->shared_intermediate_size > 0;
        return Event(id)
            .holds(
                "experts.copies", latent() ? "4 w R h_l" : "4 w R h", roundToBytes(4.0 * rowBytes() * expertFeatures()))
            .holds("experts.result", shared ? "2 w T h / u" : "w T h / u", (shared ? 2 : 1) * m_stream);
    }

    void findBackward()
    {
        m_worst.backward = Event("backward.start");
        if (m_context.head) {
            keepWorse(m_worst.backward, Event("loss.backward").holds(m_context.loss.worst));
            keepWorse(m_worst.backward, outputBackward());
        }
        m_worst.backward_begun = m_worst.backward;
        m_worst.backward_layer = Events(m_context).findLayerBackward();
        keepWorse(m_worst.backward, m_worst.backward_layer);
    }

    void addLayerBackward()
    {
        if (m_kind.experts())
            addExpertBackward();
        else if (m_kind.mlp == LayerMlp::Dense)
            addMlpBackward();
        if (m_kind.recurrent()) addMixerBackward();
        if (m_plan.recipe.recompute.granularity == RecomputeGranularity::Full) return;
        if (!m_kind.attends()) return;
        if (m_plan.recipe.attention == Attention::Unfused && !m_model.mla && !m_model.compressed_attention)
            addScoreBackward();
        if (gathersKeysAndValues()) {
            add(inLayer("attention.backward")
                    .holds("gathered.keys_values", gatheredFormulas().twice, 2 * gatheredKeysAndValues())
                    .holds("gradient.keys_values", gatheredFormulas().once, gatheredKeysAndValues())
                    .released(mlpFreed()));
        }
    }

    /// The layer that runs last still holds what it saved or rebuilt; the others hold only what their weight half
    /// needs.
    void findInputHalf()
    {
        m_worst.input_half = Event("backward.input.end");
        if (m_context.layers.count() == 0 || m_context.first_for_weights <= m_context.first_saved) return;
        EventContext first = m_context;
        first.layers.end = first.layers.first + 1;
        first.head_saved = {};
        Event event = Events(first).findLayerBackward().named("first_layer.backward");
        keepWorse(m_worst.input_half, event.released(m_context.first_for_weights - m_context.first_saved));
    }

    /// Gradient of the logits, the gathered hidden state and its gradient.
    [[nodiscard]] Event outputBackward() const
    {
        Event event("output.backward");
        event.holds(m_context.loss.gradient).holds("gradient.gathered_stream", "w T h", fullStream());
        if (gathers()) event.holds("gradient.stream", "w T h / u", m_stream);
        event.released(m_context.loss.saved.bytes);
        return event.holds(
            "gradient.weight", "w v h / t", unfusedGradient(m_share.vocabulary / m_share.tensor, m_model.hidden_size));
    }

    void addMlpBackward()
    {
        const std::int64_t width = m_model.intermediate_size / m_share.tensor;
        const std::int64_t parts = m_model.gated_mlp ? 2 : 1;
        const Bytes activation = roundToBytes(m_element * m_share.tokens() * static_cast<double>(width));
        const Bytes gathered = gathers() ? fullStream() : Bytes(0);
        add(inLayer("mlp.down.backward")
                .holds("gathered.gradient", "w T h", gathered)
                .holds("gradient.activation", "w T f / t", activation)
                .holds("gradient.weight", "w f h / t", unfusedGradient(m_model.hidden_size, width)));
        add(inLayer("mlp.activation.backward").holds("gradient.mlp", "w g T f / t", parts * activation));
        add(inLayer("mlp.up.backward")
                .holds("gathered.input", "w T h", gathered)
                .holds("gradient.gathered_stream", "w T h", fullStream())
                .holds("gradient.weight", "w g f h / t", unfusedGradient(parts * width, m_model.hidden_size))
                .released(freed("mlp.activation_output")));
    }

    void addExpertBackward()
    {
        const double width = static_cast<double>(m_model.moe->moe_intermediate_size / m_share.expert_tensor);
        const double parts = m_model.gated_mlp ? 2.0 : 1.0;
        add(inLayer("experts.down.backward")
                .holds("gradient.experts_output", latent() ? "w R h_l" : "w R h",
                    roundToBytes(rowBytes() * expertFeatures()))
                .holds("gradient.activation", "w R f_e / t_e", roundToBytes(rowBytes() * width)));
        add(inLayer("experts.activation.backward")
                .holds("gradient.mlp", "w g R f_e / t_e", roundToBytes(rowBytes() * parts * width)));
        if (const double gradients = unfusedExpertGradients(parts); gradients > 0.0) {
            add(inLayer("experts.up.backward")
                    .holds("gradient.mlp", "w g R f_e / t_e", roundToBytes(rowBytes() * parts * width))
                    .holds("gradient.experts_output", latent() ? "w R h_l" : "w R h",
                        roundToBytes(rowBytes() * expertFeatures()))
                    .holds("gradient.weight", "w M_g (1 + 1 / g)", roundToBytes(gradients))
                    .released(freed("experts.activation_output")));
        }
        // A checkpointed layer runs its forward pass again on top of what it has rebuilt (Megatron-Core
        // tensor_parallel/random.py), and so combines its experts' outputs again.
        if (m_plan.recipe.recompute.granularity == RecomputeGranularity::Full) {
            add(combine("experts.combine.again")
                    .holds("recomputed.layers", "S_g", m_context.working_set)
                    .released(m_context.head_saved));
        }
    }

    /// A recurrent layer's kernel recomputes its states and makes the gradient of the whole projection in addition to
    /// those of its parts, after the MLP's tensors are freed.
    void addMixerBackward()
    {
        const auto features = static_cast<double>(projectedFeatures(m_model, m_kind));
        const Bytes projected =
            roundToBytes(m_element * m_share.tokens() * features / static_cast<double>(m_share.tensor));
        const std::string_view formula = m_kind.mixer == TokenMixer::ShortConvolution ? "6 w T h / t"
            : m_kind.mixer == TokenMixer::Mamba ? "2 w T (2 H_m D_m + 2 G_m S_m + H_m) / t"
                                                : "4 w T (H_k D_k + H_v D_v + H_v) / t";
        add(inLayer("mixer.backward").holds("gradient.mixer", formula, 2 * projected).released(mlpFreed()));
    }

    /// Unfused attention: the gradients of the softmax and of the scores, after the MLP's tensors are freed.
    void addScoreBackward()
    {
        const AttentionHeads heads = attentionHeads(m_model, m_kind.mixer);
        const double scores = m_share.tokens() * static_cast<double>(m_share.sequence * heads.queries)
            / static_cast<double>(m_share.tensor);
        add(inLayer("attention.backward")
                .holds("gradient.scores", hasWindowedHeads(m_model, m_kind.mixer) ? "2 w a_w s T / t" : "2 w a s T / t",
                    2 * roundToBytes(m_element * scores))
                .released(mlpFreed()));
    }

    /// An event in the last layer's backward pass: its gradient is held, the head's tensors are freed.
    [[nodiscard]] Event inLayer(std::string_view id) const
    {
        return Event(id)
            .holds("gradient.stream", streamsFormula(m_plan), streamsBetweenLayers(m_plan))
            .holds("recomputed.layers", "S_g", m_context.working_set)
            .holds(m_context.unreduced)
            .released(m_context.head_saved);
    }
    void add(const Event& event) { keepWorse(m_worst.backward, event); }

    [[nodiscard]] bool gathers() const { return m_share.sequence_parallel && m_share.tensor > 1; }
    [[nodiscard]] bool gathersKeysAndValues() const
    {
        return m_plan.recipe.context_communication == ContextCommunication::AllGather && m_share.context > 1
            && !m_model.mla && !m_model.compressed_attention;
    }
    struct GatheredFormulas {
        std::string_view once, twice;
    };
    [[nodiscard]] GatheredFormulas gatheredFormulas() const
    {
        if (hasWindowedHeads(m_model, m_kind.mixer))
            return {"w c T k_w (d_w + d_vw) / t", "2 w c T k_w (d_w + d_vw) / t"};
        if (m_model.v_head_dim > 0) return {"w c T k (d + d_v) / t", "2 w c T k (d + d_v) / t"};
        return {"2 w c T k d / t", "4 w c T k d / t"};
    }
    /// Keys and values of the whole sequence.
    [[nodiscard]] Bytes gatheredKeysAndValues() const
    {
        const AttentionHeads heads = attentionHeads(m_model, m_kind.mixer);
        const std::int64_t values = std::max(heads.keys, m_share.tensor) * (heads.head_dim + heads.v_head_dim);
        return roundToBytes(m_element * m_share.tokens() * static_cast<double>(m_share.context * values)
            / static_cast<double>(m_share.tensor));
    }
    /// A tensor that the last layer no longer needs.
    [[nodiscard]] Freed freed(std::string_view id) const
    {
        const SavedTensor* tensor = tensorOf(*m_last_layer, id);
        if (tensor == nullptr) return {};
        if (rebuildsLastLayer() || intersects(tensor->dropped_by, recomputedModules(m_plan.recipe.recompute)))
            return {{}, tensor->bytes};
        const Bytes offloaded =
            roundToBytes(m_plan.recipe.offload.activations * static_cast<double>(tensor->bytes.value()));
        return {tensor->bytes - offloaded, offloaded};
    }
    [[nodiscard]] Freed mlpFreed() const { return freed("mlp.up_output") + freed("mlp.activation_output"); }
    /// Whether the last layer keeps only a checkpoint.
    [[nodiscard]] bool rebuildsLastLayer() const
    {
        const Recompute& recompute = m_plan.recipe.recompute;
        if (keepsByOperator(m_plan)) return true;
        return recompute.granularity == RecomputeGranularity::Full
            && (recompute.method == RecomputeMethod::Uniform || recompute.layers >= m_context.layers.count());
    }
    [[nodiscard]] bool latent() const { return m_model.moe->moe_latent_size > 0; }
    [[nodiscard]] double expertFeatures() const
    {
        return latent() ? static_cast<double>(m_model.moe->moe_latent_size) : hidden();
    }
    [[nodiscard]] double hidden() const { return static_cast<double>(m_model.hidden_size); }
    /// Rows of the experts' matrix products, in bytes per feature.
    [[nodiscard]] double rowBytes() const { return m_element * expertRows(*m_model.moe, m_share); }
    /// The residual stream of all tensor-parallel ranks together.
    [[nodiscard]] Bytes fullStream() const { return roundToBytes(m_element * m_share.tokens() * hidden()); }
    /// Without fused accumulation the gradient of a weight is first written to a tensor of its own; frozen weights have
    /// none.
    [[nodiscard]] Bytes unfusedGradient(std::int64_t rows, std::int64_t columns) const
    {
        const Recipe& recipe = m_plan.recipe;
        const bool fused = recipe.gradient_accumulation_fusion && !recipe.optimizer_in_backward;
        if (fused || trainsAdapters(m_plan)) return {};
        return roundToBytes(m_element * static_cast<double>(rows) * static_cast<double>(columns));
    }

    /// The same of a card's experts, whose first product is the largest weight: one for all of them. Both gradients
    /// are there before the layer's are reduced or added up.
    [[nodiscard]] double unfusedExpertGradients(double parts) const
    {
        const Recipe& recipe = m_plan.recipe;
        if (recipe.framework != Framework::Fsdp || recipe.optimizer_in_backward || trainsAdapters(m_plan)) return 0.0;
        const auto largest = largestProductWeight(m_context.tables, [](const Weight& one) { return one.elements(); });
        return m_element * static_cast<double>(largest) * (1.0 + 1.0 / parts);
    }

    const EventContext& m_context;
    const Plan& m_plan;
    const Architecture& m_model;
    CardShare m_share;
    double m_element;
    Bytes m_stream;
    LayerKind m_kind;
    const std::vector<Operator>* m_last_layer = nullptr;
    WorstEvents m_worst;
};

} // namespace

LossMemory lossMemory(const Plan& plan)
{
    const CardShare share = cardShare(plan);
    const bool gathered = gathersLogits(plan);
    const double vocabulary = static_cast<double>(gathered ? share.vocabulary : share.vocabulary / share.tensor);
    const double hidden = static_cast<double>(plan.model.architecture.hidden_size);
    const double element = elementBytes(plan);
    const std::int64_t depths = 1 + plan.model.architecture.mtp_layers;
    if (plan.recipe.loss == Loss::ChunkedHidden) {
        constexpr double kChunkLogit = 6.0; // 16-bit logits and their fp32 softmax
        const Bytes gradient = roundToBytes(element * share.tokens() * hidden / share.residual());
        return {{"loss.gradient", "w T h / u", depths, depths * gradient},
            {"loss.chunk", "6 T h", 1, roundToBytes(kChunkLogit * share.tokens() * hidden)},
            {"gradient.logits", "0", 1, Bytes(0)}, roundToBytes(kFloat * share.tokens() * hidden)};
    }
    const double logits = share.tokens() * vocabulary;
    BytesPerLogit bytes = bytesPerLogit(plan);
    if (gathered) {
        bytes.saved_formula = ofAllLogits(bytes.saved_formula);
        bytes.worst_formula = ofAllLogits(bytes.worst_formula);
    }
    return {{"logits", bytes.saved_formula, depths, depths * roundToBytes(bytes.saved * logits)},
        {"loss.temporary", bytes.worst_formula, 1, roundToBytes((bytes.worst - bytes.saved) * logits)},
        {"gradient.logits", gathered ? "w T v" : "w T v / t", 1, roundToBytes(element * logits)},
        roundToBytes(largestLogitBytes(plan) * logits)};
}

WorstEvents worstEvents(const EventContext& context) { return Events(context).find(); }

} // namespace cardfit
