// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/explain/catalogue_tables.h"

namespace cardfit::catalogue {

namespace {

constexpr std::string_view kTable = "the operator table, core/model/operators.h";
constexpr std::string_view kSimulator = "the simulated timeline of the plan's schedule, core/pipeline";
constexpr std::string_view kPalm = "Chowdhery et al. 2022, arXiv:2204.02311, appendix B";
constexpr std::string_view kRates =
    "kernels and collectives measured by ai-dynamo/aiconfigurator, commit 095f58a51; sustained share of the dense peak "
    "in published training steps (core/time/kernels.h); 80 % of the memory bandwidth";
constexpr std::string_view kStepOmits = "Data loading, checkpoints to disk, failures and stragglers, packing of "
                                        "sequences of varying length, power caps, and "
                                        "an uneven load of experts unless the plan gives one.";

constexpr auto kEvents = std::to_array<CatalogueEntry>({
    {"forward.end", "End of a forward pass", "Nothing besides the saved tensors is held.", kBackward},
    {"loss", "Loss", "The cross-entropy is computed while all activations of the micro-batch are there.", kBackward},
    {"experts.combine", "Combining the experts' outputs",
        "The expert layer puts its rows back in order while four copies of them exist.", kMoeLayer},
    {"experts.combine.again", "Combining the experts' outputs again",
        "A checkpointed expert layer runs its forward pass again, and combines on top of all that it has rebuilt.",
        "Megatron-Core tensor_parallel/random.py, CheckpointFunction.backward"},
    {"attention.gather", "Gathering keys and values",
        "The last layer's attention gathers keys and values of the whole sequence.",
        "Llama 3, arXiv:2407.21783, section 3.3.2"},
    {"backward.start", "Start of a backward pass", "Nothing has been freed yet and no gradient has been made.",
        kBackward},
    {"backward.input.end", "End of an input half",
        "The input half of a backward pass has freed what the weight half does not need.", kWeightHalf},
    {"first_layer.backward", "Last layer of an input half",
        "The first layer's backward pass is the last to run; all other layers have left more for their weight half "
        "than "
        "they had saved.",
        kWeightHalf},
    {"loss.backward", "Backward pass of the loss", "The loss turns logits into their gradient.", kBackward},
    {"output.backward", "Backward pass of the output layer",
        "The logits' gradient, the gathered stream and its gradient are held at once.", kBackward},
    {"mlp.down.backward", "Backward pass of the MLP's second product",
        "The last layer's second product differentiates while all other layers' activations are still there.",
        kBackward},
    {"mlp.activation.backward", "Backward pass of the activation function",
        "The last layer's activation function differentiates; its input's gradient is the widest tensor of the layer.",
        kBackward},
    {"mlp.up.backward", "Backward pass of the MLP's first product",
        "The first product's input is gathered again and its gradient made.", kBackward},
    {"experts.down.backward", "Backward pass of the experts' second product",
        "The last layer's experts differentiate their second product.", kMoeLayer},
    {"experts.activation.backward", "Backward pass of the experts' activation",
        "The last layer's experts differentiate their activation function.", kMoeLayer},
    {"attention.backward", "Backward pass of attention",
        "The last layer's attention differentiates; the MLP's tensors are already gone.", kBackward},
    {"optimizer.step", "Optimizer step", "The update needs more than all activations did; they are gone by then.",
        "Megatron-LM, optimizer; DeepSpeed, runtime/zero"},
    {"prefill", "Forward pass of a prompt", "The widest operator of a prompt's forward pass.",
        "arithmetic; vLLM, max_num_batched_tokens"},
    {"idle", "Idle", "Nothing besides weights and cache is held.", "arithmetic"},
});

constexpr auto kWeights = std::to_array<CatalogueEntry>({
    {"embedding.weight", "Token embedding", "One row of h values per token of the vocabulary.", kTable},
    {"position.weight", "Position embedding", "One row of h values per position.", kTable},
    {"norm.weight", "Norms", "A scale per feature, and for LayerNorm a shift.", kTable},
    {"qkv.weight", "Query, key and value projection", "From h to (a + 2 k) d features.", kTable},
    {"qkv.bias", "Bias of queries, keys and values", "One value per projected feature.", kTable},
    {"q_norm.weight", "Query norm", "A scale per feature of a query head, or of the latent queries.", kTable},
    {"k_norm.weight", "Key norm", "A scale per feature of a key head.", kTable},
    {"q.weight", "Query projection", "From h to all query heads.", kTable},
    {"q_down.weight", "Query projection down", "From h to the latent queries.", kLatent},
    {"q_up.weight", "Query projection up", "From the latent queries to all heads.", kLatent},
    {"kv_down.weight", "Key and value projection down", "From h to the latent and the rotated key.", kLatent},
    {"kv_up.weight", "Key and value projection up", "From the latent to all key and value heads.", kLatent},
    {"kv_norm.weight", "Norm of latent keys and values", "A scale per feature of the latent.", kLatent},
    {"projection.weight", "Output projection", "From all heads back to h.", kTable},
    {"projection.bias", "Bias of the output projection", "One value per feature.", kTable},
    {"mlp.up.weight", "First product of the MLP", "From h to f features, twice where it is gated.", kTable},
    {"mlp.up.bias", "Bias of the first product", "One value per feature.", kTable},
    {"mlp.down.weight", "Second product of the MLP", "From f features back to h.", kTable},
    {"mlp.down.bias", "Bias of the second product", "One value per feature.", kTable},
    {"router.weight", "Router", "One score per expert.", kTable},
    {"experts.up.weight", "First product of the experts", "From h to f_e features for every expert.", kTable},
    {"experts.up.bias", "Bias of the experts' first product", "One value per feature.", kTable},
    {"experts.down.weight", "Second product of the experts", "From f_e features back to h for every expert.", kTable},
    {"experts.down.bias", "Bias of the experts' second product", "One value per feature.", kTable},
    {"shared.up.weight", "First product of the shared experts", "From h to f_s features.", kTable},
    {"shared.up.bias", "Bias of the shared experts' first product", "One value per feature.", kTable},
    {"shared.down.weight", "Second product of the shared experts", "From f_s features back to h.", kTable},
    {"shared.down.bias", "Bias of the shared experts' second product", "One value per feature.", kTable},
    {"adapter.weight", "Adapter", "Two small matrices beside a product: rank x in and out x rank.",
        "Hu et al. 2021, arXiv:2106.09685"},
    {"join.weight", "Join of further predictions", "From hidden state and next embedding, 2 h, to h.",
        "DeepSeek-V3, arXiv:2412.19437, section 2.2"},
    {"output.weight", "Output layer", "From h to one logit per token of the vocabulary.", kTable},
});

constexpr auto kFigures = std::to_array<CatalogueEntry>({
    {"allocated", "Allocated at the peak",
        "The most that tensors take at once: what torch.cuda.max_memory_allocated reports.",
        "torch.cuda.max_memory_allocated; 23 stage peaks on B200 within 0.03 % (SimuMax, commit 4dcaae5)",
        "CUDA graphs and tensors of the training script itself."},
    {"reserved", "Reserved by the allocator",
        "Allocated, and what the caching allocator holds back and cannot use: what torch.cuda.max_memory_reserved "
        "reports.",
        "torch.cuda.max_memory_reserved", "Fragmentation by tensors of varying size."},
    {"device", "On the device",
        "Reserved, communication libraries and device context: what nvidia-smi shows, and what must stay within the "
        "card's capacity.",
        "nvidia-smi; NVIDIA/nccl issues 964, 864 and 285; stas00/ml-engineering", "Other processes on the card."},
    {"capacity", "Capacity of the card", "Memory that the driver reports as usable.", "the accelerator's preset"},
    {"in_flight", "Micro-batches in flight",
        "Forward passes whose backward pass has not freed them yet, at most, in units of the stage's whole share of a "
        "micro-batch.",
        kSimulator},
    {"peak", "Peak of the card", "The instant at which tensors take most, and what the card is doing then.",
        kSimulator},
    {"parameters.total", "Parameters of the model",
        "All weights as published checkpoints count them: vocabulary not padded, tied embeddings once.", kTable},
    {"parameters.active", "Parameters that a token uses", "Of the routed experts only those that a token visits.",
        kTable},
    {"parameters.trainable", "Parameters that are learned",
        "All of them in training, the adapters' alone beside a frozen model, none at inference.", kTable},
    {"pipeline.bubble_fraction", "Bubble",
        "Idle time over makespan times stages; with equal stages and 1F1B it is (p - 1) / (m + p - 1).",
        "GPipe, arXiv:1811.06965; the simulated timeline"},
    {"pipeline.micro_batches", "Micro-batches per step", "Sequences per step over replicas and sequences at a time.",
        "arithmetic"},
    {"step.seconds", "Step time",
        "From the first forward pass to the end of the optimizer step, on the busiest stage; the parts add up.", kRates,
        kStepOmits},
    {"step.compute", "Compute", "The busiest stage's forward and backward passes.", kRates, kStepOmits},
    {"step.tensor", "Tensor parallelism", "Collectives of tensor parallelism that nothing hides.", kRates},
    {"step.pipeline", "Pipeline transfers", "Sending activations and gradients between stages, where nothing hides it.",
        kRates},
    {"step.bubble", "Bubble", "Time in which the busiest stage waits for the others.", kSimulator},
    {"step.data", "Data parallelism", "Reducing gradients and gathering weights, where nothing hides it.", kRates},
    {"step.expert", "Expert parallelism", "Exchanging tokens between experts, where nothing hides it.", kRates},
    {"step.context", "Context parallelism", "Exchanging keys and values, where nothing hides it.", kRates},
    {"step.optimizer", "Optimizer", "The update reads and writes 36 bytes per parameter of this card's shard.", kRates},
    {"step.tokens_per_second", "Throughput", "Tokens of a step over its time, all cards together.", "arithmetic"},
    {"step.tokens_per_second_per_card", "Throughput per card", "Tokens of a step over its time and cards.",
        "arithmetic"},
    {"step.model_tflops_per_card", "Model FLOP/s per card",
        "Useful work per second and card: matrix products and causal attention of forward and backward passes, no "
        "recomputation.",
        kPalm},
    {"step.mfu", "Model FLOPs utilization",
        "Useful work per second over the card's dense 16-bit peak; attention counts as far as causality lets it see.",
        kPalm, "Recomputation does not count as work."},
    {"step.hfu", "Hardware FLOPs utilization",
        "Executed work per second, recomputation included, over the card's dense 16-bit peak.", kPalm},
});

constexpr std::array<CatalogueEntry, kSegmentCount> kSegments{{
    {"weights", "Weights", "The weights that the passes multiply with, and copies of them.", kMegatronOptimizer},
    {"gradients", "Gradients", "One gradient per learned weight, kept through all micro-batches of a step.",
        kMegatronOptimizer},
    {"optimizer", "Optimizer states", "The fp32 copy of the weights and the optimizer's moments.", kMegatronOptimizer},
    {"activations", "Activations",
        "Tensors that forward passes keep for their backward passes, of every micro-batch in flight at the peak.",
        "the operator table over the simulated timeline; arXiv:2205.05198"},
    {"temporary", "Temporary peak and buffers",
        "What the operation at the peak holds besides saved tensors, and buffers that live as long as the process.",
        "Megatron-LM golden memory values; per-stage peaks on B200 (SimuMax, commit 4dcaae5)",
        "CUDA graphs, which take a few GiB more."},
    {"communication", "Communication libraries", "Buffers of NCCL's communicators, outside the allocator.",
        "NVIDIA/nccl issues 964, 864 and 285", "NCCL's buffers are uncertain by a factor of two."},
    {"device_context", "Device context", "The driver's context and loaded kernels, outside the allocator.",
        "stas00/ml-engineering"},
    {"reserve", "Allocator reserve", "What the caching allocator holds back and cannot use.",
        "23 published stages, 1.7 to 9.3 % (SimuMax B200, commit 4dcaae5)",
        "Fragmentation by sequences of varying length."},
}};

} // namespace

std::span<const CatalogueEntry> events() { return kEvents; }
std::span<const CatalogueEntry> weights() { return kWeights; }
std::span<const CatalogueEntry> figures() { return kFigures; }
std::span<const CatalogueEntry, kSegmentCount> segments() { return kSegments; }

} // namespace cardfit::catalogue
