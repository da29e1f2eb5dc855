// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/symbols.h"

#include <algorithm>
#include <cmath>

#include "core/layers/layer_split.h"
#include "core/memory/activations.h"
#include "core/memory/inference.h"
#include "core/memory/overheads.h"
#include "core/memory/states.h"
#include "core/plan/field_table.h"
#include "core/plan/plan_schedule.h"
#include "core/plan/tables.h"

namespace cardfit {

namespace {

constexpr std::string_view kDerived = "derived";
constexpr std::string_view kEstimate = "estimate";

/// Collects the symbols of one stage.
class Collector {
public:
    Collector(const Plan& plan, const Estimate& estimate, std::size_t stage)
        : m_plan(plan)
        , m_model(plan.model.architecture)
        , m_estimate(estimate)
        , m_stage(estimate.stages[stage])
        , m_index(stage)
        , m_context(planContext(plan))
        , m_layers(m_context.stages[stage])
        , m_share(cardShare(plan))
        , m_options(operatorOptions(plan))
        , m_parameters(m_context.parameters[stage])
    {
    }

    std::vector<Symbol> collect()
    {
        addWork();
        addModel();
        addExperts();
        addLatentAttention();
        addRecurrence();
        addParameters();
        addStates();
        addShards();
        addOverheads();
        if (m_plan.workload.task == Task::Inference) addInference();
        addAmounts();
        addArticle();
        return std::move(m_symbols);
    }

private:
    template <class Number>
    void add(std::string_view name, Number value, Phrase meaning, std::string_view from = kDerived)
    {
        m_symbols.push_back({name, static_cast<double>(value), meaning, from});
    }
    void add(std::string_view name, Bytes value, Phrase meaning, std::string_view from = kDerived)
    {
        add(name, value.value(), meaning, from);
    }
    /// A field whose row has a letter and a meaning.
    template <auto member, class Number> void add(Number value)
    {
        add(fieldOf<member>().symbol, value, fieldOf<member>().help, fieldOf<member>().pointer);
    }

    void addWork()
    {
        const auto& degrees = m_plan.parallelism;
        add("w", m_options.element, Sentence::tr("bytes of an activation"), pointerOf<&Recipe::precision>);
        add("i", m_options.stored_input, Sentence::tr("bytes in which a matrix product keeps a value of its input"),
            pointerOf<&Recipe::precision>);
        add("g_o", m_options.output_gradient,
            Sentence::tr("bytes in which a layer's product keeps a value of its output's gradient for a weight half of "
                         "its own: in fp8 one copy for each direction that needs one"),
            pointerOf<&Recipe::precision>);
        add("T", m_share.tokens(), Sentence::tr("tokens of a micro-batch on one card, s b / c"));
        add("s", m_share.sequence, Sentence::tr("tokens of a sequence"), pointerOf<&Workload::sequence_length>);
        add("b", m_share.micro_batch, Sentence::tr("sequences of a micro-batch"),
            pointerOf<&Workload::micro_batch_size>);
        add<&Parallelism::context>(degrees.context);
        add<&Parallelism::tensor>(degrees.tensor);
        add("u", m_share.residual(),
            Sentence::tr("cards that share norms and residuals: t with sequence parallelism, else 1"),
            pointerOf<&Parallelism::sequence>);
        add<&Parallelism::pipeline>(degrees.pipeline);
        add("m", microBatches(m_plan), Sentence::tr("micro-batches per step and replica"));
    }

    void addModel()
    {
        add<&Architecture::hidden_size>(m_model.hidden_size);
        add<&Architecture::intermediate_size>(m_model.intermediate_size);
        add<&Architecture::num_attention_heads>(m_model.num_attention_heads);
        add("k", std::max(m_model.num_key_value_heads, m_share.tensor),
            Sentence::tr("key and value heads, at least one for every tensor-parallel card"),
            pointerOf<&Architecture::num_key_value_heads>);
        add<&Architecture::head_dim>(m_model.head_dim);
        if (m_model.v_head_dim > 0) add<&Architecture::v_head_dim>(m_model.v_head_dim);
        if (m_model.sliding_attention) addWindowedHeads();
        add("g", m_model.gated_mlp ? 2 : 1, Sentence::tr("matrices into the MLP: 2 where it is gated, else 1"),
            pointerOf<&Architecture::gated_mlp>);
        add("n", m_model.norm == Norm::LayerNorm ? 8 : 4,
            Sentence::tr("bytes of fp32 statistics per token: one value for RMSNorm, two for LayerNorm"),
            pointerOf<&Architecture::norm>);
        add("v", m_share.vocabulary, Sentence::tr("rows of the vocabulary, padded to a multiple of 128 t"),
            pointerOf<&Architecture::vocab_size>);
        add<&Architecture::num_hidden_layers>(m_model.num_hidden_layers);
        if (const auto adapter = adapterOf(m_plan))
            add("r", adapter->rank, Sentence::tr("rank of the adapters"), pointerOf<&Recipe::adapter>);
    }

    void addWindowedHeads()
    {
        const AttentionHeads heads = attentionHeads(m_model, TokenMixer::WindowedAttention);
        add<&WindowedHeads::num_attention_heads>(heads.queries);
        add("k_w", std::max(heads.keys, m_share.tensor),
            Sentence::tr("key and value heads of layers with a window, at least one for every tensor-parallel card"),
            pointerOf<&WindowedHeads::num_key_value_heads>);
        add<&WindowedHeads::head_dim>(heads.head_dim);
        add<&WindowedHeads::v_head_dim>(heads.v_head_dim);
    }

    void addExperts()
    {
        if (!m_model.moe) return;
        const auto& moe = *m_model.moe;
        add<&MixtureOfExperts::num_experts>(moe.num_experts);
        add<&MixtureOfExperts::num_experts_per_tok>(moe.num_experts_per_tok);
        add("R", expertRows(moe, m_share),
            Sentence::tr(
                "rows that enter a card's experts: tokens times experts per token, imbalance and capacity included"));
        add<&MixtureOfExperts::moe_intermediate_size>(moe.moe_intermediate_size);
        add<&MixtureOfExperts::shared_intermediate_size>(moe.shared_intermediate_size);
        if (moe.moe_latent_size > 0) add<&MixtureOfExperts::moe_latent_size>(moe.moe_latent_size);
        add("t_e", m_share.expert_tensor, Sentence::tr("tensor-parallel cards of an expert"),
            pointerOf<&Parallelism::expert_tensor>);
    }

    void addLatentAttention()
    {
        if (!m_model.mla) return;
        const auto& mla = *m_model.mla;
        add<&LatentAttention::qk_nope_head_dim>(mla.qk_nope_head_dim);
        add<&LatentAttention::qk_rope_head_dim>(mla.qk_rope_head_dim);
        add<&LatentAttention::v_head_dim>(mla.v_head_dim);
        add<&LatentAttention::q_lora_rank>(mla.q_lora_rank);
        add<&LatentAttention::kv_lora_rank>(mla.kv_lora_rank);
    }

    void addRecurrence()
    {
        if (const auto& sparse = m_model.sparse_attention) {
            add<&SparseAttention::index_n_heads>(sparse->index_n_heads);
            add<&SparseAttention::index_head_dim>(sparse->index_head_dim);
            add("I_k", chosenByIndexer(m_model, m_share.sequence),
                Sentence::tr("tokens, or entries of several, that an indexer leaves a query to see"),
                pointerOf<&SparseAttention::index_topk>);
        }
        if (const auto& tower = m_model.vision) {
            add<&VisionTower::hidden_size>(tower->hidden_size);
            add<&VisionTower::num_hidden_layers>(tower->num_hidden_layers);
            add<&VisionTower::num_attention_heads>(tower->num_attention_heads);
            add<&VisionTower::intermediate_size>(tower->intermediate_size);
            add<&VisionTower::patch_values>(tower->patch_values);
            add<&VisionTower::patches_per_token>(tower->patches_per_token);
            add<&VisionTower::mergers>(tower->mergers);
            add("T_v", m_share.image_tokens * m_share.micro_batch,
                Sentence::tr("tokens of a micro-batch that the vision tower makes"),
                pointerOf<&Workload::image_tokens>);
            add("N_p", m_share.image_tokens * m_share.micro_batch * tower->patches_per_token,
                Sentence::tr("patches of a micro-batch"), pointerOf<&Workload::image_tokens>);
            add("t_v", m_share.vision_tensor, Sentence::tr("cards that share the vision tower"),
                pointerOf<&Parallelism::vision_tensor>);
            add("P_vt", m_parameters.frozen, Sentence::tr("parameters of a frozen vision tower on this card"));
        }
        if (m_model.hc_mult > 1) add<&Architecture::hc_mult>(m_model.hc_mult);
        if (const auto& compressed = m_model.compressed_attention) {
            add<&CompressedAttention::q_lora_rank>(compressed->q_lora_rank);
            add<&CompressedAttention::o_groups>(compressed->o_groups);
            add<&CompressedAttention::o_lora_rank>(compressed->o_lora_rank);
            add<&CompressedAttention::compress_rate_csa>(compressed->compress_rate_csa);
            add<&CompressedAttention::compress_rate_hca>(compressed->compress_rate_hca);
        }
        if (const auto& linear = m_model.linear_attention) {
            add<&LinearAttention::linear_num_key_heads>(linear->linear_num_key_heads);
            add<&LinearAttention::linear_num_value_heads>(linear->linear_num_value_heads);
            add<&LinearAttention::linear_key_head_dim>(linear->linear_key_head_dim);
            add<&LinearAttention::linear_value_head_dim>(linear->linear_value_head_dim);
        }
        if (const auto& mamba = m_model.mamba) {
            add<&Mamba::mamba_num_heads>(mamba->mamba_num_heads);
            add<&Mamba::mamba_head_dim>(mamba->mamba_head_dim);
            add<&Mamba::n_groups>(mamba->n_groups);
            add<&Mamba::ssm_state_size>(mamba->ssm_state_size);
        }
    }

    void addParameters()
    {
        add("P", m_parameters.dense.all, Sentence::tr("parameters of this card that are not experts'"));
        add("P_m", m_parameters.dense.matrices,
            Sentence::tr("parameters of this card in the layers' matrices, not experts'"));
        add("P_f", m_parameters.dense.factors,
            Sentence::tr("rows plus columns of this card's matrices, and values of its vectors, not experts'"));
        add("P_e", m_parameters.expert.all, Sentence::tr("parameters of this card's experts"));
        add("P_em", m_parameters.expert.matrices, Sentence::tr("parameters of the matrices of this card's experts"));
        add("P_ef", m_parameters.expert.factors,
            Sentence::tr("rows plus columns of the matrices of this card's experts, and values of their vectors"));
        add("P_1", m_parameters.largest, Sentence::tr("parameters of the largest single weight on this card"));
        add("P_a", m_parameters.adapter - m_parameters.expert_adapter,
            Sentence::tr("parameters of this card's adapters that are not experts'"));
        add("P_ae", m_parameters.expert_adapter, Sentence::tr("parameters of the adapters of this card's experts"));
        add("M", largestMatrix(m_context.tables),
            Sentence::tr("parameters of the largest single matrix of a layer on this card"));
    }

    void addStates()
    {
        const StateLayout layout = stateLayout(m_plan);
        add("w_p", layout.weights, Sentence::tr("bytes of a weight"), pointerOf<&Recipe::precision>);
        add("w_b", frozenMatrixBytes(m_plan),
            Sentence::tr("bytes of a frozen matrix's value: 2, in int8 1, or in 4 bits with scales 0.5625 or 0.516"),
            pointerOf<&Workload::task>);
        add("s_b", unshardedScaleBytes(m_plan),
            Sentence::tr("bytes of a frozen matrix's scales, per value, that FSDP does not divide"),
            pointerOf<&Recipe::quantizer>);
        add("p_q", servedExpertPadding(m_plan), Sentence::tr("size of the experts' padded matrices over their own"));
        add("w_q", servedMatrixBytes(m_plan, WeightPart::Rest),
            Sentence::tr("bytes of a served matrix's value, scales included"), pointerOf<&Recipe::precision>);
        add("w_qe", servedMatrixBytes(m_plan, WeightPart::Experts),
            Sentence::tr("bytes of a served expert's value, scales included"), pointerOf<&WeightsPrecision::experts>);
        add("w_qa", servedMatrixBytes(m_plan, WeightPart::Attention),
            Sentence::tr("bytes of a served value of attention, scales included"),
            pointerOf<&WeightsPrecision::attention>);
        add("q", layout.quantized, Sentence::tr("bytes of a matrix's quantized copies, per value"),
            pointerOf<&Recipe::precision>);
        add("g_p", layout.gradients, Sentence::tr("bytes of a gradient"), pointerOf<&Recipe::gradient_precision>);
        add("m_1", layout.moments,
            layout.factored ? Sentence::tr("bytes of the optimizer's moments per row and column")
                            : Sentence::tr("bytes of the optimizer's moments per parameter"),
            pointerOf<&Recipe::optimizer>);
        add("m_2", layout.moments_of_rest, Sentence::tr("bytes of moments per parameter outside the layers' matrices"),
            pointerOf<&Recipe::optimizer>);
        add("S_o", sideBytes(layout, m_parameters.dense),
            Sentence::tr("bytes of the optimizer's states that go by the sides of matrices"),
            pointerOf<&Recipe::optimizer>);
        add("S_oe", sideBytes(layout, m_parameters.expert), Sentence::tr("the same of the experts' matrices"),
            pointerOf<&Recipe::optimizer>);
        add<&Offload::optimizer>(m_plan.recipe.offload.optimizer);
        add<&Offload::parameters>(m_plan.recipe.offload.parameters);
        add<&Offload::gradients>(offloadedGradients(m_plan));
        add<&Offload::activations>(m_plan.recipe.offload.activations);
        add<&Recipe::sub_group_size>(m_plan.recipe.sub_group_size);
        add<&Recipe::reduce_bucket_size>(m_plan.recipe.reduce_bucket_size);
        add("a_o", adapterStateBytes(m_plan, layout),
            Sentence::tr("bytes of optimizer states per parameter of an adapter"), pointerOf<&Recipe::optimizer>);
        add("w_f", layout.master > 2.0 ? layout.master : layout.weights,
            Sentence::tr("bytes of a weight in the format in which it is updated"), pointerOf<&Recipe::precision>);
        add("w_s", layout.master, Sentence::tr("bytes of a gradient's copy in the master weights' format"),
            pointerOf<&Recipe::precision>);
        add("V", weightVersions(m_context.request, static_cast<std::int64_t>(m_index)),
            Sentence::tr("versions of the weights that the schedule keeps"), pointerOf<&Recipe::schedule>);
    }

    void addShards()
    {
        const StateLayout layout = stateLayout(m_plan);
        const double dense = denseShards(m_plan);
        const double expert = expertShards(m_plan);
        constexpr std::string_view kSharding = pointerOf<&Recipe::sharding>;
        const auto cards = [](bool sharded, double shards) { return sharded ? shards : 1.0; };
        add("N_w", cards(layout.weights_sharded, dense), Sentence::tr("cards that share the weights; 1 if none do"),
            kSharding);
        add("N_g", cards(layout.gradients_sharded, dense), Sentence::tr("cards that share the gradients; 1 if none do"),
            kSharding);
        add("N_o", cards(layout.optimizer_sharded, dense),
            Sentence::tr("cards that share the optimizer's states; 1 if none do"), kSharding);
        add("N_we", cards(layout.weights_sharded, expert),
            Sentence::tr("cards that share the experts' weights; 1 if none do"), kSharding);
        add("N_ge", cards(layout.gradients_sharded, expert),
            Sentence::tr("cards that share the experts' gradients; 1 if none do"), kSharding);
        add("N_oe", cards(layout.optimizer_sharded, expert),
            Sentence::tr("cards that share the experts' optimizer states; 1 if none do"), kSharding);
    }

    void addOverheads()
    {
        const OverheadSizes sizes = overheadSizes(m_plan, m_context.tables, m_layers);
        add("W", sizes.gemm_workspace,
            Sentence::tr("bytes of TransformerEngine's workspace: 32 MiB from Hopper on, 4 MiB before"),
            pointerOf<&Cluster::accelerator>);
        add("W_c", sizes.cublas_workspace, Sentence::tr("bytes of a cuBLAS workspace, one per thread and stream"),
            pointerOf<&Recipe::cublas_workspace>);
        add("W_g", sizes.grouped_workspace,
            Sentence::tr("bytes of the workspaces of grouped matrix products, four streams"));
        add("W_s", sizes.small_buffers, Sentence::tr("bytes of random states, token ids, labels and padding"));
        add("W_n", sizes.communicator, Sentence::tr("bytes of one communicator's buffers"));
        add("W_x", dispatchBuffers(m_plan), Sentence::tr("bytes of the buffers through which DeepEP sends tokens"),
            pointerOf<&ExpertRecipe::dispatcher>);
        add("W_d", sizes.device_context, Sentence::tr("bytes of the device context"),
            pointerOf<&Overheads::device_context>);
        add("rho", sizes.reserve, Sentence::tr("what the allocator holds and cannot use, over what is allocated"),
            pointerOf<&Overheads::reserve_fraction>);
        add("A", m_stage.allocated(), Sentence::tr("bytes allocated at the peak"), kEstimate);
        add("M_d", sizes.distinct_weights,
            Sentence::tr("parameters of one matrix of every distinct shape on this card"));
        add("M_g", sizes.restored_weight,
            Sentence::tr("parameters of the largest weight, a card's experts counting as one"));
        add("X_f", sizes.frozen_inputs,
            Sentence::tr("values that the frozen products of this card's layers read in a micro-batch"),
            pointerOf<&Recipe::quantizer>);
        if (keepsByOperator(m_plan)) {
            const auto values = [&](LayerKind kind) {
                const std::vector<Operator>& layer = m_context.tables.layers.of(kind);
                return layer.empty() ? 0.0 : keptOutputValues(m_plan, kind, layer);
            };
            // With several kinds of layers, the mean of those kept at the peak.
            const bool several = listsLayers(m_model);
            const double token = m_options.element * m_share.tokens();
            const auto kept = [&](LayerKind kind, std::string_view id) {
                return several ? amount(id) / token : values(kind);
            };
            add("X_s", kept(kDenseLayer, "selective.outputs"),
                Sentence::tr("values per token that a layer keeps of its products' outputs"),
                pointerOf<&Recompute::modules>);
            add("X_se", kept(kExpertLayer, "selective.expert_layer_outputs"),
                Sentence::tr("values per token that an expert layer keeps of its products' outputs"),
                pointerOf<&Recompute::modules>);
        }
        add("P_l", sizes.largest_layer, Sentence::tr("parameters of the largest layer on this card"));
        add("F_m", frozenElsewhere(m_plan, m_parameters),
            Sentence::tr("bytes of the stage's frozen weights that this card does not store itself"));
        add("P_o", static_cast<double>(sizes.output_layer),
            Sentence::tr("parameters of the unit that holds the output layer, where this stage has it"));
        add("P_h", sizes.output_weight, Sentence::tr("parameters of the output layer on its card"));
        add("P_r", sizes.last_unit,
            Sentence::tr("parameters of the unit that FSDP reduces last, with the embedding where this stage has it"));
        add("g_r", reducedBytes(m_plan), Sentence::tr("bytes in which FSDP reduces a gradient"),
            pointerOf<&Recipe::gradient_precision>);
        add("B_l", sizes.largest_block, Sentence::tr("bytes of the largest block that a pass makes and frees"));
        add("b_r", sizes.block_share, Sentence::tr("what the allocator holds and cannot use, over that block"),
            pointerOf<&Recipe::expandable_segments>);
    }

    void addInference()
    {
        const auto& model = m_model;
        add("T_p", prefillTokens(m_plan), Sentence::tr("tokens of a prompt in one forward pass"),
            pointerOf<&Recipe::max_num_batched_tokens>);
        add("n_s", profiledSequences(m_plan),
            Sentence::tr("sequences for which a server samples when it measures itself"), pointerOf<&Recipe::kernels>);
        add("K_v", cachedValues(m_plan), Sentence::tr("values that a token leaves in one layer's cache on this card"));
        if (m_model.sliding_attention)
            add("K_w", cachedValues(m_plan, TokenMixer::WindowedAttention),
                Sentence::tr("values that a token leaves in the cache of one layer with a window, on this card"));
        if (m_model.compressed_attention) {
            add("L_cs", compressedLayers(m_plan, m_layers, TokenMixer::CompressedSparse),
                Sentence::tr("layers of this stage with compressed sparse attention"));
            add("L_ch", compressedLayers(m_plan, m_layers, TokenMixer::HeavilyCompressed),
                Sentence::tr("layers of this stage with heavily compressed attention"));
        }
        add("B", servedSequences(m_plan), Sentence::tr("sequences that a replica serves at once"),
            pointerOf<&Workload::global_batch_size>);
        add("L_s", cachingLayers(m_plan, m_layers), Sentence::tr("layers of this stage that cache keys and values"));
        add("X_r", recurrentBytes(m_plan, m_layers),
            Sentence::tr("bytes that the recurrent layers of this stage keep of a sequence on this card"));
        add("L_w", windowedLayers(m_plan, m_layers), Sentence::tr("layers of this stage whose attention has a window"));
        add<&SlidingWindow::size>(model.sliding_window ? model.sliding_window->size : m_share.sequence);
        add("w_kv", bytesPerValue(m_plan.recipe.kv_cache_precision.value_or(Precision::Bf16)),
            Sentence::tr("bytes of a cached value"), pointerOf<&Recipe::kv_cache_precision>);
    }

    /// Bytes of one tensor of a term in the estimate; 0 if the stage has no such term.
    [[nodiscard]] double amount(std::string_view id) const
    {
        const auto term = std::ranges::find(m_stage.terms, id, &Term::id);
        if (term == m_stage.terms.end()) return 0.0;
        return static_cast<double>(term->bytes.value()) / static_cast<double>(term->count);
    }

    void addAmounts()
    {
        add("S_g", amount("recomputed.layers"), Sentence::tr("bytes that recomputation rebuilds at once"), kEstimate);
        add("S_h", amount("reserve.passes"),
            Sentence::tr("bytes that passes held on the main stream beyond what is on it at the peak"), kEstimate);
        add("S_u", amount("reserve.wrapping"), Sentence::tr("bytes left by wrapping that nothing has used since"),
            kEstimate);
        add("S_f", amount("forward.layers"),
            Sentence::tr("bytes that the forward pass of a block has saved when the block's first layers run"),
            kEstimate);
        add("S_r", -amount("released_before_peak"),
            Sentence::tr("bytes of this micro-batch's activations that are freed before the peak"), kEstimate);
        add("S_d", -amount("rebuilt_and_released"),
            Sentence::tr("bytes freed before the peak that had been rebuilt, or fetched from host memory"), kEstimate);
        if (m_plan.calibration) {
            add("R_c", m_plan.calibration->residual,
                Sentence::tr(
                    "bytes that a measured run allocated beyond the prediction, on every card; may be negative"),
                pointerOf<&Calibration::residual>);
        }
        const double fraction = m_plan.recipe.offload.activations;
        if (fraction <= 0.0) return;
        std::int64_t most = 0; // of its largest chunk; the first may be the embedding alone
        for (const ModelChunk& chunk : m_layers.chunks)
            most = std::max(most, chunk.count());
        const auto layers = static_cast<double>(most);
        const double on_the_way = std::min(2.0, layers);
        add("L_c", layers, Sentence::tr("layers of a model chunk"));
        add("l_o", on_the_way, Sentence::tr("layers on their way to or from host memory"));
        add("S_l", -amount("activations.offloaded") / fraction,
            Sentence::tr("bytes that the layers of a chunk keep per micro-batch, on average over chunks in flight"),
            kEstimate);
        if (layers > 0.0) {
            add("S_c", amount("buffer.offload") * layers / (fraction * on_the_way),
                Sentence::tr("bytes that the layers of the largest chunk keep per micro-batch"), kEstimate);
        }
    }

    void addArticle()
    {
        add("P_t",
            static_cast<double>(
                m_plan.model.parameters ? std::llround(*m_plan.model.parameters) : m_estimate.parameters.total),
            Sentence::tr("parameters of the model"), pointerOf<&Model::parameters>);
        add("N_d", dataParallel(m_plan), Sentence::tr("data-parallel replicas"), pointerOf<&Parallelism::data>);
        add("F", m_stage.in_flight, Sentence::tr("micro-batches in flight"));
    }

    const Plan& m_plan;
    const Architecture& m_model;
    const Estimate& m_estimate;
    const StageMemory& m_stage;
    std::size_t m_index;
    PlanContext m_context;
    const StageLayers& m_layers;
    CardShare m_share;
    OperatorOptions m_options;
    const StageParameters& m_parameters;
    std::vector<Symbol> m_symbols;
};

} // namespace

std::vector<Symbol> symbols(const Plan& plan, const Estimate& estimate, std::size_t stage)
{
    return Collector(plan, estimate, stage).collect();
}

SymbolValues valuesOf(const std::vector<Symbol>& symbols)
{
    return [&symbols](std::string_view name) -> std::optional<double> {
        const auto found = std::ranges::find(symbols, name, &Symbol::name);
        return found == symbols.end() ? std::nullopt : std::optional(found->value);
    };
}

} // namespace cardfit
