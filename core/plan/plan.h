// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/constants.h"
#include "core/cluster/cluster.h"
#include "core/cluster/framework.h"
#include "core/model/architecture.h"
#include "core/pipeline/orders/schedule.h"

namespace cardfit {

enum class Task { Pretrain, Finetune, Lora, Qlora, Inference };
enum class Kernels { TransformerEngine, MegatronLocal, Compiled, Eager };
enum class Precision { Fp32, Bf16, Fp16, Fp8, Mxfp8, Nvfp4, Bf16Pure, Int8, Mxfp4, Nf4 };
enum class GradientPrecision { Fp32, Bf16, Fp16 };
enum class Optimizer {
    Adam,
    AdamW8Bit,
    Sgd,
    Momentum,
    Adafactor,
    Lion,
    Muon,
    Adam8Bit,
    PagedAdam8Bit,
    PagedAdam,
    Adam4Bit,
    AdamMini,
    NorMuon,
    Dion,
    Soap,
    Shampoo,
    GaLore,
    Apollo
};
enum class MomentPrecision { Fp32, Bf16, Fp16, Fp8 };
enum class Sharding { None, Zero1, Zero2, Zero3 };
enum class Attention { Fused, Flash2, Unfused, Flash3 };
enum class Loss { Fused, FusedNative, Unfused, Compiled, ChunkedLogits, ChunkedHidden };
enum class LayerBalance { Time, Memory };
/// Which groups are neighbours, from the innermost: Megatron-LM's two orders (training/initialize.py; the second is
/// --use-tp-pp-dp-mapping).
enum class RankOrder { DataBeforePipeline, PipelineBeforeData };
enum class RecomputeGranularity { None, Selective, Full };
enum class RecomputeMethod { Uniform, Block };
enum class RecomputeModule { CoreAttn, LayerNorm, Mlp, MoeAct, Moe, SharedExperts, MlaUpProj, Mhc };
enum class Dispatcher { AllToAll, AllGather, DeepEp, HybridEp };
/// DeepEP and HybridEP send a token once to each rank that has any of its experts, and sort it there by expert.
[[nodiscard]] constexpr bool sendsOncePerRank(Dispatcher dispatcher)
{
    return dispatcher == Dispatcher::DeepEp || dispatcher == Dispatcher::HybridEp;
}
enum class CudaGraph { None, Attention, Router, AttentionRouter, Layer, FullIteration };
enum class ContextCommunication { P2p, A2a, AllGather };
enum class GradientSync { Every, Last };
/// What serves a model: its admission, its prompts and its share of a card (core/plan/engines.h).
enum class Engine { Vllm, Sglang, TensorRtLlm };
enum class Quantizer { Bitsandbytes, Bitsandbytes043, Torchao, BitsandbytesInt8 };
/// How PyTorch's optimizer updates: all weights in one kernel, list by list of tensors, or tensor by tensor.
enum class OptimizerImplementation { Fused, Foreach, ForLoop };

/// The model: its shape, and where it came from.
struct Model {
    std::string id; ///< preset it was made from; empty if none
    std::string name;
    std::string family; ///< set with `parameters`: the shape was requested by size
    std::optional<double> parameters;
    Architecture architecture;
    std::optional<double> reported_parameters; ///< published total, for comparison only
    std::string source;

    bool operator==(const Model&) const = default;
};

/// What users of a served model may be made to wait; none: no limit.
struct ServingLimits {
    std::optional<double> tpot_ms; ///< milliseconds between the tokens of one user
    std::optional<double> ttft_s; ///< seconds to the first token

    bool operator==(const ServingLimits&) const = default;
};

struct Workload {
    Task task = Task::Pretrain;
    std::int64_t sequence_length = 4096; ///< served: the longest context that is planned for
    std::int64_t micro_batch_size = 1; ///< sequences per forward pass on one data-parallel rank
    std::int64_t global_batch_size = 1; ///< sequences per optimizer step
    std::optional<double> tokens; ///< budget of the whole run
    std::int64_t image_tokens = 0; ///< tokens of a sequence that the vision tower makes of images
    std::int64_t images = 1; ///< per sequence: patches attend to the patches of their own image
    std::optional<std::int64_t> input_tokens; ///< served: mean length of prompts; see servedLengths()
    std::optional<std::int64_t> output_tokens; ///< served: mean length of answers
    std::optional<std::int64_t> concurrency; ///< served: requests at once, over all replicas; none: as many as fit
    std::optional<double> requests_per_second; ///< served: a load instead of a concurrency
    std::optional<std::int64_t> queue; ///< served: requests that wait at the start of a saturated run; none: endless
    std::optional<ServingLimits> limits; ///< served

    bool operator==(const Workload&) const = default;
};

/// Degrees of parallelism: tensor x pipeline x context x data = cards.
struct Parallelism {
    std::int64_t tensor = 1;
    bool vision_tensor = false; ///< the vision tower is divided over the tensor ranks; otherwise each has all of it
    bool sequence = false; ///< norms and residuals are sharded over the tensor ranks too
    std::int64_t pipeline = 1;
    std::int64_t virtual_pipeline = 1; ///< model chunks per pipeline rank
    std::optional<std::vector<std::int64_t>> layers_per_stage; ///< per rank or per virtual stage; none: automatic
    LayerBalance layer_balance = LayerBalance::Time; ///< of automatic layers: what is balanced between ranks
    std::int64_t context = 1;
    std::int64_t expert = 1;
    std::optional<std::int64_t> expert_tensor; ///< none: as the framework does, see expertTensor()
    std::optional<std::int64_t> data; ///< none: derived from the cards
    RankOrder order = RankOrder::DataBeforePipeline; ///< in which ranks are placed on the cards

    bool operator==(const Parallelism&) const = default;
};

struct Dropout {
    double hidden = 0.0;
    double attention = 0.0;

    bool operator==(const Dropout&) const = default;
};

struct Recompute {
    RecomputeGranularity granularity = RecomputeGranularity::None;
    std::vector<RecomputeModule> modules; ///< with selective; empty means core_attn, as Megatron's default
    RecomputeMethod method = RecomputeMethod::Uniform; ///< with full
    std::int64_t layers = 1; ///< with full: layers per checkpoint (uniform) or checkpointed layers per chunk (block)

    bool operator==(const Recompute&) const = default;
};

struct ExpertRecipe {
    bool grouped_gemm = true;
    Dispatcher dispatcher = Dispatcher::AllToAll;
    bool permute_fusion = true;
    bool expert_overlap = false;
    bool fused_grouped_mlp = false; ///< both products, activation and quantization in one kernel each

    bool operator==(const ExpertRecipe&) const = default;
};

/// Formats of a served model's weights where they differ from Recipe::precision: checkpoints are not quantized alike.
struct WeightsPrecision {
    std::optional<Precision> experts; ///< routed ones
    std::optional<Precision> attention;
    std::optional<Precision> rest; ///< other matrices of layers; embeddings and the output layer stay in 16 bits

    bool operator==(const WeightsPrecision&) const = default;
};

/// Fractions kept in host memory.
struct Offload {
    double optimizer = 0.0;
    double parameters = 0.0;
    double activations = 0.0;
    std::optional<double> gradients = std::nullopt; ///< none: as the framework does, see offloadedGradients()

    bool operator==(const Offload&) const = default;
};

/// Communication hidden behind computation.
struct Overlap {
    bool gradients = true;
    bool parameters = true;
    bool tensor = false;
    bool pipeline = false;

    bool operator==(const Overlap&) const = default;
};

/// How the framework trains: what it stores, in which format, and in which order it works. For the settings that files
/// may omit (cuda_graph, fp8_attention, fp8_param_gather, fp4_param_gather, moe.fused_grouped_mlp, loss_parallel) every
/// framework has the default below: Megatron-Core d98e8a64 (transformer_config.py: cuda_graph_impl
/// "none", fp8_dot_product_attention, fp4_param and use_transformer_engine_op_fuser false; arguments.py:
/// --fp8-param-gather off; logits always divided), PyTorch (no graphs, enable_fsdp_float8_all_gather off, the loss
/// divided over tensor ranks; torchtitan's trainer records whole steps since August 2026, which its import says).
struct Recipe {
    Framework framework = Framework::Megatron;
    std::optional<Engine> engine; ///< of a served plan, which needs no framework; see engineOf()
    Kernels kernels = Kernels::TransformerEngine;
    std::string software; ///< year and month of the training software, "2025-11"; empty: today's
    Precision precision = Precision::Bf16;
    std::int64_t bf16_layers_at_start = 0; ///< layers whose products stay in 16 bits under fp8 and fp4, from the first
    std::int64_t bf16_layers_at_end = 0; ///< the same, up to the last
    GradientPrecision gradient_precision = GradientPrecision::Fp32; ///< of both accumulation and reduction
    bool fp8_attention = false; ///< scores and their product with values multiplied in fp8
    bool fp8_param_gather = false; ///< weights are kept and gathered in fp8 (Megatron-Core), gathered in fp8 (FSDP)
    bool fp4_param_gather = false; ///< the same in fp4
    Optimizer optimizer = Optimizer::Adam;
    std::optional<OptimizerImplementation> optimizer_implementation; ///< of PyTorch's optimizers; none: fused
    std::optional<MomentPrecision> moment_precision; ///< of Adam's averages; none: fp32, or 16 bits if everything is
    Sharding sharding = Sharding::Zero1;
    std::int64_t optimizer_instances = 1; ///< replicas of the sharded optimizer inside one data-parallel group
    Schedule schedule = Schedule::OneFOneB;
    std::optional<std::int64_t> microbatch_group; ///< interleaved schedules; none: the framework's
    Attention attention = Attention::Fused;
    Loss loss = Loss::Fused;
    bool loss_parallel = true; ///< logits stay divided over tensor ranks; PyTorch can gather them
    Dropout dropout;
    Recompute recompute;
    bool gradient_accumulation_fusion = true;
    bool attention_mask_in_dataloader = false;
    bool activation_fusion = true;
    bool fp8_activation_input = false; ///< of SwiGLU: kept in fp8 for the backward pass
    bool rope_fusion = true;
    CudaGraph cuda_graph = CudaGraph::None; ///< what a training step replays instead of launching single kernels
    ExpertRecipe moe;
    ContextCommunication context_communication = ContextCommunication::P2p;
    Offload offload;
    Overlap overlap;
    GradientSync gradient_sync = GradientSync::Every; ///< after which micro-batches of a step replicas reduce gradients
    bool optimizer_in_backward = false; ///< each weight is updated as soon as its gradient is computed
    std::int64_t sub_group_size = 1'000'000'000; ///< DeepSpeed: parameters that ZeRO-3 updates at once
    std::int64_t reduce_bucket_size = 500'000'000; ///< DeepSpeed: gradients that are reduced at once
    std::int64_t allgather_bucket_size =
        500'000'000; ///< DeepSpeed: weights that ZeRO-1 and ZeRO-2 gather at once, in place
    Quantizer quantizer = Quantizer::Bitsandbytes; ///< with the task qlora
    bool double_quantization = true; ///< of 4-bit weights, frozen or served: scales are quantized as well
    bool train_vision = false; ///< the vision tower is trained too
    bool reference_model = false; ///< a frozen copy of the model stays on the cards, as DPO compares with
    std::optional<Adapter> adapter; ///< with the tasks lora and qlora; none: rank 16 on every product
    WeightsPrecision weights_precision; ///< inference
    std::optional<Precision> kv_cache_precision; ///< inference: format of cached keys and values; none: 16-bit
    std::optional<double> gpu_memory_utilization; ///< inference: share of a card that the server fills; none: 0.9
    std::optional<std::int64_t> max_num_seqs; ///< inference: sequences that vLLM admits at once; none: by the card
    std::optional<std::int64_t> max_num_batched_tokens; ///< inference: tokens of a forward pass; none: 8,192
    std::optional<Mebibytes> cublas_workspace; ///< CUBLAS_WORKSPACE_CONFIG, per stream; none: the library's default
    bool expandable_segments = false; ///< PYTORCH_CUDA_ALLOC_CONF: the allocator's segments grow instead of being new
    std::optional<bool> embedding_unit; ///< FSDP: the embedding is a unit of its own; none: see hasEmbeddingUnit()

    bool operator==(const Recipe&) const = default;
};

/// Memory that no formula gives; none: the documented default.
struct Overheads {
    std::optional<Mebibytes> device_context;
    std::optional<double> reserve_fraction;

    bool operator==(const Overheads&) const = default;
};

/// Measured figures of one run; none if not measured.
struct Measurement {
    std::optional<double> tokens_per_second_per_card; ///< this or `step`, not both
    std::optional<Seconds> step; ///< one optimizer step
    std::optional<Bytes> allocated; ///< torch.cuda.max_memory_allocated of a rank of `stage`
    std::int64_t stage = 0; ///< from 0
    std::string source; ///< where the figures are from, in the user's words

    bool operator==(const Measurement&) const = default;
};

/// A measured run, and how it differed from the prediction of its plan; calibrate() derives that. Estimates use the
/// factors and the residual, so these stay in plans that are changed afterwards.
struct Calibration {
    Measurement measured;
    double compute_factor = 1.0; ///< multiplies the predicted time of kernels and host
    double communication_factor = 1.0; ///< multiplies that of everything sent between cards
    Bytes residual; ///< allocated on every card beyond what is predicted; may be negative

    bool operator==(const Calibration&) const = default;
};

/// Keys of a plan file that this version does not know; kept on save and reported by check().
struct UnknownKeys {
    std::vector<std::string> paths; ///< JSON pointers
    std::string json; ///< an object with these keys at their original places; empty if there are none

    bool operator==(const UnknownKeys&) const = default;
};

/// One training run, as a value. A plan may break rules: check() says which.
struct Plan {
    std::string name;
    std::string source; ///< where its recipe is published, and what of it is not; empty: not known
    Model model;
    Cluster cluster;
    Workload workload;
    Parallelism parallelism;
    Recipe recipe;
    Overheads overheads;
    std::optional<Calibration> calibration;
    /// What an import took for granted, in English sentences. They stay through every edit, until the user removes
    /// them.
    std::vector<std::string> assumed;
    UnknownKeys unknown;
    Constants constants; ///< what the models of memory and time read; never written to a file

    // Defined in one place: an inline copy is 4,000 bytes of code in every file that makes one.
    Plan();
    Plan(const Plan&);
    Plan(Plan&&) noexcept;
    Plan& operator=(const Plan&);
    Plan& operator=(Plan&&) noexcept;
    ~Plan();
    bool operator==(const Plan&) const;
};

/// Adds a sentence to Plan::assumed, unless it is there.
void assume(Plan& plan, std::string sentence);

/// What serves the plan: as given, else vLLM.
[[nodiscard]] inline Engine engineOf(const Plan& plan) { return plan.recipe.engine.value_or(Engine::Vllm); }

/// Whether the plan trains adapters of a frozen model.
[[nodiscard]] bool trainsAdapters(const Plan& plan);

/// Whether all weights are trained, except a vision tower that the recipe may freeze.
[[nodiscard]] bool trainsAll(const Plan& plan);
[[nodiscard]] inline bool trainsVision(const Plan& plan) { return trainsAll(plan) && plan.recipe.train_vision; }

/// The adapter of a plan that trains adapters: as given, else the default one; nullopt for other plans.
[[nodiscard]] std::optional<Adapter> adapterOf(const Plan& plan);

/// Share of the gradients in host memory: as given; else with FSDP that of the weights (CPUOffloadPolicy moves both),
/// with DeepSpeed that of the optimizer's states (ZeRO-Offload, arXiv:2101.06840).
[[nodiscard]] double offloadedGradients(const Plan& plan);

/// Cards of one replica of the model: tensor x pipeline x context.
[[nodiscard]] std::int64_t replicaCards(const Parallelism& degrees);

/// Data-parallel replicas: as given, else cards / (tensor x pipeline x context), rounded down; 0 if the cards do not
/// suffice for one replica.
[[nodiscard]] std::int64_t dataParallel(const Plan& plan);

/// Cards that share each expert's matrices: as given; else 1 without experts, and with them what the framework does.
/// - Megatron-LM: the tensor degree (training/arguments.py, expert_tensor_parallel_size, at d98e8a64).
/// - vLLM, which serves: all ranks of tensor and data parallelism; 1 with expert parallelism
/// (layers/fused_moe/config.py,
///   FusedMoEParallelConfig.make).
/// - torchtitan: the tensor degree; 1 with expert parallelism, whose ranks are those of data, context and tensor
///   (models/common/moe_sharding.py, _routed_experts_sharding_configs, at b5bcd76c).
/// - DeepSpeed: 1 (moe/layer.py, enable_expert_tensor_parallelism, at edaa7221).
[[nodiscard]] std::int64_t expertTensor(const Plan& plan);

/// Cards that hold different parts of the experts of their layers: expert x expert tensor.
[[nodiscard]] std::int64_t expertCards(const Plan& plan);

/// Tensor ranks that hold the same experts: tensor / (expert x expert tensor), at least 1.
[[nodiscard]] std::int64_t expertCopies(const Plan& plan);

/// Micro-batches per data-parallel rank and step, global_batch_size / (micro_batch_size x data), rounded down; check()
/// reports a remainder.
[[nodiscard]] std::int64_t microBatches(const Plan& plan);

/// Factors of the plan's calibration; 1 without one.
[[nodiscard]] double computeFactor(const Plan& plan);
[[nodiscard]] double communicationFactor(const Plan& plan);

} // namespace cardfit
