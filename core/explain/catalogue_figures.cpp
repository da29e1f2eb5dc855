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
constexpr Phrase kStepOmits =
    Sentence::tr("Data loading, checkpoints to disk, failures and stragglers, packing of sequences of varying length, "
                 "power caps, and an uneven load of experts unless the plan gives one.");

constexpr auto kEvents = std::to_array<CatalogueEntry>({
    {"forward.end", Sentence::tr("End of a forward pass"), Sentence::tr("Nothing besides the saved tensors is held."),
        kBackward},
    {"loss", Sentence::tr("Loss"),
        Sentence::tr("The cross-entropy is computed while all activations of the micro-batch are there."), kBackward},
    {"experts.combine", Sentence::tr("Combining the experts' outputs"),
        Sentence::tr("The expert layer puts its rows back in order while four copies of them exist."), kMoeLayer},
    {"experts.combine.again", Sentence::tr("Combining the experts' outputs again"),
        Sentence::tr(
            "A checkpointed expert layer runs its forward pass again, and combines on top of all that it has rebuilt."),
        "Megatron-Core tensor_parallel/random.py, CheckpointFunction.backward"},
    {"attention.gather", Sentence::tr("Gathering keys and values"),
        Sentence::tr("The last layer's attention gathers keys and values of the whole sequence."),
        "Llama 3, arXiv:2407.21783, section 3.3.2"},
    {"backward.start", Sentence::tr("Start of a backward pass"),
        Sentence::tr("Nothing has been freed yet and no gradient has been made."), kBackward},
    {"backward.input.end", Sentence::tr("End of an input half"),
        Sentence::tr("The input half of a backward pass has freed what the weight half does not need."), kWeightHalf},
    {"first_layer.backward", Sentence::tr("Last layer of an input half"),
        Sentence::tr("The first layer's backward pass is the last to run; all other layers have left more for their "
                     "weight half than they had saved."),
        kWeightHalf},
    {"loss.backward", Sentence::tr("Backward pass of the loss"),
        Sentence::tr("The loss turns logits into their gradient."), kBackward},
    {"output.backward", Sentence::tr("Backward pass of the output layer"),
        Sentence::tr("The logits' gradient, the gathered stream and its gradient are held at once."), kBackward},
    {"mlp.down.backward", Sentence::tr("Backward pass of the MLP's second product"),
        Sentence::tr(
            "The last layer's second product differentiates while all other layers' activations are still there."),
        kBackward},
    {"mlp.activation.backward", Sentence::tr("Backward pass of the activation function"),
        Sentence::tr("The last layer's activation function differentiates; its input's gradient is the widest tensor "
                     "of the layer."),
        kBackward},
    {"mlp.up.backward", Sentence::tr("Backward pass of the MLP's first product"),
        Sentence::tr("The first product's input is gathered again and its gradient made."), kBackward},
    {"experts.down.backward", Sentence::tr("Backward pass of the experts' second product"),
        Sentence::tr("The last layer's experts differentiate their second product."), kMoeLayer},
    {"experts.activation.backward", Sentence::tr("Backward pass of the experts' activation"),
        Sentence::tr("The last layer's experts differentiate their activation function."), kMoeLayer},
    {"experts.up.backward", Sentence::tr("Backward pass of the experts' first product"),
        Sentence::tr("The last layer's experts differentiate their first product; the gradients of their weights are "
                     "whole."),
        kMoeLayer},
    {"attention.backward", Sentence::tr("Backward pass of attention"),
        Sentence::tr("The last layer's attention differentiates; the MLP's tensors are already freed."), kBackward},
    {"backward.last_reduction", Sentence::tr("Last reduction of gradients"),
        Sentence::tr("FSDP reduces the gradients of its last unit when no activations are left and all other gradients "
                     "are there."),
        "PyTorch, torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py, foreach_reduce"},
    {"optimizer.step", Sentence::tr("Optimizer step"),
        Sentence::tr("The update needs more than all activations did; those are freed by then."),
        "Megatron-LM, optimizer; DeepSpeed, runtime/zero"},
    {"prefill", Sentence::tr("Forward pass of a prompt"),
        Sentence::tr("The widest operator of a prompt's forward pass."), "arithmetic; vLLM, max_num_batched_tokens"},
    {"profile.sampling", Sentence::tr("Sampling of the profile run"),
        Sentence::tr("The server draws a token for each of the sequences it admits, to learn what that takes."),
        "vLLM, v1/worker/gpu_model_runner.py, profile_run"},
    {"idle", Sentence::tr("Idle"), Sentence::tr("Nothing besides weights and cache is held."), "arithmetic"},
});

constexpr auto kWeights = std::to_array<CatalogueEntry>({
    {"embedding.weight", Sentence::tr("Token embedding"),
        Sentence::tr("One row of h values per token of the vocabulary."), kTable},
    {"position.weight", Sentence::tr("Position embedding"), Sentence::tr("One row of h values per position."), kTable},
    {"norm.weight", Sentence::tr("Norms"), Sentence::tr("A scale per feature, and for LayerNorm a shift."), kTable},
    {"qkv.weight", Sentence::tr("Query, key and value projection"), Sentence::tr("From h to (a + 2 k) d features."),
        kTable},
    {"qkv.bias", Sentence::tr("Bias of queries, keys and values"), Sentence::tr("One value per projected feature."),
        kTable},
    {"q_norm.weight", Sentence::tr("Query norm"),
        Sentence::tr("A scale per feature of a query head, or of the latent queries."), kTable},
    {"k_norm.weight", Sentence::tr("Key norm"), Sentence::tr("A scale per feature of a key head."), kTable},
    {"q.weight", Sentence::tr("Query projection"), Sentence::tr("From h to all query heads."), kTable},
    {"q_down.weight", Sentence::tr("Query projection down"), Sentence::tr("From h to the latent queries."), kLatent},
    {"q_up.weight", Sentence::tr("Query projection up"), Sentence::tr("From the latent queries to all heads."),
        kLatent},
    {"kv_down.weight", Sentence::tr("Key and value projection down"),
        Sentence::tr("From h to the latent and the rotated key."), kLatent},
    {"kv_up.weight", Sentence::tr("Key and value projection up"),
        Sentence::tr("From the latent to all key and value heads."), kLatent},
    {"kv_norm.weight", Sentence::tr("Norm of latent keys and values"),
        Sentence::tr("A scale per feature of the latent."), kLatent},
    {"projection.weight", Sentence::tr("Output projection"), Sentence::tr("From all heads back to h."), kTable},
    {"projection.bias", Sentence::tr("Bias of the output projection"), Sentence::tr("One value per feature."), kTable},
    {"mlp.up.weight", Sentence::tr("First product of the MLP"),
        Sentence::tr("From h to f features, twice where it is gated."), kTable},
    {"mlp.up.bias", Sentence::tr("Bias of the first product"), Sentence::tr("One value per feature."), kTable},
    {"mlp.down.weight", Sentence::tr("Second product of the MLP"), Sentence::tr("From f features back to h."), kTable},
    {"mlp.down.bias", Sentence::tr("Bias of the second product"), Sentence::tr("One value per feature."), kTable},
    {"router.weight", Sentence::tr("Router"), Sentence::tr("One score per expert."), kTable},
    {"experts.up.weight", Sentence::tr("First product of the experts"),
        Sentence::tr("From h to f_e features for every expert."), kTable},
    {"experts.up.bias", Sentence::tr("Bias of the experts' first product"), Sentence::tr("One value per feature."),
        kTable},
    {"experts.down.weight", Sentence::tr("Second product of the experts"),
        Sentence::tr("From f_e features back to h for every expert."), kTable},
    {"experts.down.bias", Sentence::tr("Bias of the experts' second product"), Sentence::tr("One value per feature."),
        kTable},
    {"shared.up.weight", Sentence::tr("First product of the shared experts"), Sentence::tr("From h to f_s features."),
        kTable},
    {"shared.up.bias", Sentence::tr("Bias of the shared experts' first product"),
        Sentence::tr("One value per feature."), kTable},
    {"shared.down.weight", Sentence::tr("Second product of the shared experts"),
        Sentence::tr("From f_s features back to h."), kTable},
    {"shared.down.bias", Sentence::tr("Bias of the shared experts' second product"),
        Sentence::tr("One value per feature."), kTable},
    {"adapter.weight", Sentence::tr("Adapter"),
        Sentence::tr("Two small matrices added to a product: rank x in and out x rank."),
        "Hu et al. 2021, arXiv:2106.09685"},
    {"join.weight", Sentence::tr("Join of further predictions"),
        Sentence::tr("From hidden state and next embedding, 2 h, to h."), "DeepSeek-V3, arXiv:2412.19437, section 2.2"},
    {"output.weight", Sentence::tr("Output layer"), Sentence::tr("From h to one logit per token of the vocabulary."),
        kTable},
});

constexpr auto kFigures = std::to_array<CatalogueEntry>({
    {"allocated", Sentence::tr("Allocated at the peak"),
        Sentence::tr("The most that tensors take at once: what torch.cuda.max_memory_allocated reports."),
        "torch.cuda.max_memory_allocated; 23 stage peaks on B200 within 0.03 % (SimuMax, commit 4dcaae5)",
        Sentence::tr("CUDA graphs and tensors of the training script itself.")},
    {"reserved", Sentence::tr("Reserved by the allocator"),
        Sentence::tr("Allocated, and what the caching allocator holds back and cannot use: what "
                     "torch.cuda.max_memory_reserved reports."),
        "torch.cuda.max_memory_reserved", Sentence::tr("Fragmentation by tensors of varying size.")},
    {"device", Sentence::tr("On the device"),
        Sentence::tr("Reserved, communication libraries and device context: what nvidia-smi shows, and what must stay "
                     "within the card's capacity."),
        "nvidia-smi; NVIDIA/nccl issues 964, 864 and 285; stas00/ml-engineering",
        Sentence::tr("Other processes on the card.")},
    {"capacity", Sentence::tr("Capacity of the card"),
        Sentence::tr(
            "What processes can fill: the total that CUDA reports, on which running out of memory is decided."),
        "the accelerator's preset"},
    {"in_flight", Sentence::tr("Micro-batches in flight"),
        Sentence::tr("Forward passes whose backward pass has not freed them yet, at most, in units of the stage's "
                     "whole share of a micro-batch."),
        kSimulator},
    {"peak", Sentence::tr("Peak of the card"),
        Sentence::tr("The instant at which tensors take most, and what the card is doing then."), kSimulator},
    {"host.memory", Sentence::tr("Memory of a node"),
        Sentence::tr("What the ranks of the fullest node hold in its main memory: offloaded states, gradients and "
                     "activations, copies for an optimizer on the host, their processes."),
        "ZeRO-Offload, arXiv:2101.06840; DeepSpeed's estimators, runtime/zero: 16 and 18 bytes a parameter",
        Sentence::tr("Pinned buffers that are rounded up to powers of two; the operating system and its file cache.")},
    {"parameters.total", Sentence::tr("Parameters of the model"),
        Sentence::tr("All weights as published checkpoints count them: vocabulary not padded, tied embeddings once."),
        kTable},
    {"parameters.active", Sentence::tr("Parameters that a token uses"),
        Sentence::tr("Of the routed experts only those that a token visits."), kTable},
    {"parameters.trainable", Sentence::tr("Parameters that are learned"),
        Sentence::tr("In training all of them, with a frozen model only the adapters', at inference none."), kTable},
    {"pipeline.bubble_fraction", Sentence::tr("Bubble"),
        Sentence::tr("Idle time over makespan times stages; with equal stages and 1F1B it is (p - 1) / (m + p - 1)."),
        "GPipe, arXiv:1811.06965; the simulated timeline"},
    {"pipeline.micro_batches", Sentence::tr("Micro-batches per step"),
        Sentence::tr("Sequences per step, divided by replicas and by sequences per micro-batch."), "arithmetic"},
    {"step.seconds", Sentence::tr("Step time"),
        Sentence::tr(
            "From the first forward pass to the end of the optimizer step, on the busiest stage; the parts add up."),
        kRates, kStepOmits},
    {"step.compute", Sentence::tr("Compute"), Sentence::tr("The busiest stage's forward and backward passes."), kRates,
        kStepOmits},
    {"step.tensor", Sentence::tr("Tensor parallelism"),
        Sentence::tr("Collectives of tensor parallelism that nothing hides."), kRates},
    {"step.pipeline", Sentence::tr("Pipeline transfers"),
        Sentence::tr("Sending activations and gradients between stages, where nothing hides it."), kRates},
    {"step.bubble", Sentence::tr("Bubble"), Sentence::tr("Time in which the busiest stage waits for the others."),
        kSimulator},
    {"step.data", Sentence::tr("Data parallelism"),
        Sentence::tr("Reducing gradients and gathering weights, where nothing hides it."), kRates},
    {"step.expert", Sentence::tr("Expert parallelism"),
        Sentence::tr("Exchanging tokens between experts, where nothing hides it."), kRates},
    {"step.context", Sentence::tr("Context parallelism"),
        Sentence::tr("Exchanging keys and values, where nothing hides it."), kRates},
    {"step.optimizer", Sentence::tr("Optimizer"),
        Sentence::tr("The update reads and writes 36 bytes per parameter of this card's shard."), kRates},
    {"step.tokens_per_second", Sentence::tr("Throughput"),
        Sentence::tr("Tokens of a step divided by its time, all cards together."), "arithmetic"},
    {"step.tokens_per_second_per_card", Sentence::tr("Throughput per card"),
        Sentence::tr("Tokens of a step divided by its time and by the cards."), "arithmetic"},
    {"step.model_tflops_per_card", Sentence::tr("Model FLOP/s per card"),
        Sentence::tr("Useful work per second and card: matrix products and causal attention of forward and backward "
                     "passes, no recomputation."),
        kPalm},
    {"step.mfu", Sentence::tr("Model FLOPs utilization"),
        Sentence::tr("Useful work per second over the card's dense 16-bit peak; attention counts as far as causality "
                     "lets it see."),
        kPalm, Sentence::tr("Recomputation does not count as work.")},
    {"step.hfu", Sentence::tr("Hardware FLOPs utilization"),
        Sentence::tr("Executed work per second, recomputation included, over the card's dense 16-bit peak."), kPalm},
});

constexpr auto kSegments = std::to_array<CatalogueEntry>({
    {"weights", Sentence::tr("Weights"), Sentence::tr("The weights that the passes multiply with, and copies of them."),
        kMegatronOptimizer},
    {"gradients", Sentence::tr("Gradients"),
        Sentence::tr("One gradient per learned weight, kept through all micro-batches of a step."), kMegatronOptimizer},
    {"optimizer", Sentence::tr("Optimizer states"),
        Sentence::tr("The fp32 copy of the weights and the optimizer's moments."), kMegatronOptimizer},
    {"activations", Sentence::tr("Activations"),
        Sentence::tr(
            "Tensors that forward passes keep for their backward passes, of every micro-batch in flight at the peak."),
        "the operator table over the simulated timeline; arXiv:2205.05198"},
    {"temporary", Sentence::tr("Temporary peak and buffers"),
        Sentence::tr("What the operation at the peak holds besides saved tensors, and buffers that live as long as the "
                     "process."),
        "Megatron-LM golden memory values; per-stage peaks on B200 (SimuMax, commit 4dcaae5)",
        Sentence::tr("CUDA graphs, which take a few GiB more.")},
    {"communication", Sentence::tr("Communication libraries"),
        Sentence::tr("Buffers of NCCL's communicators, outside the allocator."), "NVIDIA/nccl issues 964, 864 and 285",
        Sentence::tr("NCCL's buffers are uncertain by a factor of two.")},
    {"device_context", Sentence::tr("Device context"),
        Sentence::tr("The driver's context and loaded kernels, outside the allocator."), "stas00/ml-engineering"},
    {"reserve", Sentence::tr("Allocator reserve"),
        Sentence::tr("What the caching allocator holds back and cannot use."),
        "23 published stages, 1.7 to 9.3 % (SimuMax B200, commit 4dcaae5)",
        Sentence::tr("Fragmentation by sequences of varying length.")},
});
static_assert(kSegments.size() == kSegmentCount);

constexpr std::string_view kProfileRun = "vLLM, vllm/v1/worker/gpu_worker.py, determine_available_memory; "
                                         "arXiv:2309.06180";
constexpr std::string_view kServing = "published runs of servers (tests/validation/serving.json)";
constexpr std::string_view kChunkedPrefill = "Agrawal et al. 2024, arXiv:2403.02310; vLLM, max_num_batched_tokens";
constexpr Phrase kOnlyPrompts =
    Sentence::tr("Decoding, the tokens that follow a prompt one by one: its time is among the server's answers.");

constexpr auto kServedFigures = std::to_array<CatalogueEntry>({
    {"activations", Sentence::tr("KV cache"),
        Sentence::tr("Keys and values of every sequence. The cache grows with every token, so cards hold most at the "
                     "end, when all sequences have their full length."),
        "arXiv:1911.02150, arXiv:2305.13245, arXiv:2405.04434",
        Sentence::tr("Paging rounds each sequence up to whole blocks; prefix sharing would need less.")},
    {"temporary", Sentence::tr("Temporary peak and buffers"),
        Sentence::tr("What the forward pass of a prompt holds at its widest operator, and buffers that live as long as "
                     "the process."),
        "arithmetic; vLLM, max_num_batched_tokens", Sentence::tr("CUDA graphs, which take a few GiB more.")},
    {"allocated", Sentence::tr("Allocated at the peak"),
        Sentence::tr("The most that tensors take at once: what torch.cuda.max_memory_allocated reports."),
        "torch.cuda.max_memory_allocated", Sentence::tr("CUDA graphs, and what a server fills beyond the sequences.")},
    {"in_flight", Sentence::tr("Micro-batches in the cache"),
        Sentence::tr("Micro-batches whose keys and values the card holds at most: in the end all of them."),
        kSimulator},
    {"pipeline.micro_batches", Sentence::tr("Micro-batches of prompts"),
        Sentence::tr("Sequences at once, divided by replicas and by prompts in one forward pass."), "arithmetic"},
    {"step.seconds", Sentence::tr("Prefill of all prompts"),
        Sentence::tr("From the first prompt's forward pass to the end of the last one's, on the busiest stage; the "
                     "parts add up."),
        kRates, kOnlyPrompts},
    {"step.compute", Sentence::tr("Compute"), Sentence::tr("The busiest stage's forward passes."), kRates,
        kOnlyPrompts},
    {"step.pipeline", Sentence::tr("Pipeline transfers"),
        Sentence::tr("Sending activations between stages, where nothing hides it."), kRates},
    {"step.data", Sentence::tr("Data parallelism"), Sentence::tr("Gathering weights, where nothing hides it."), kRates},
    {"step.tokens_per_second", Sentence::tr("Prefill throughput"),
        Sentence::tr("Tokens of the prompts divided by the time of their forward passes, all cards together."),
        "arithmetic", kOnlyPrompts},
    {"step.tokens_per_second_per_card", Sentence::tr("Prefill throughput per card"),
        Sentence::tr("Tokens of the prompts divided by the time of their forward passes and by the cards."),
        "arithmetic", kOnlyPrompts},
    {"step.model_tflops_per_card", Sentence::tr("Model FLOP/s per card"),
        Sentence::tr("Useful work per second and card: matrix products and causal attention of forward passes."),
        kPalm},
    {"step.hfu", Sentence::tr("Hardware FLOPs utilization"),
        Sentence::tr("Executed work per second over the card's dense 16-bit peak."), kPalm},
    {"server.cache", Sentence::tr("Cache of the server"),
        Sentence::tr("What the server's share of a card leaves to keys and values once weights, the largest forward "
                     "pass and what is outside the allocator are taken off."),
        kProfileRun, Sentence::tr("CUDA graphs.")},
    {"server.cache_tokens", Sentence::tr("Tokens in the cache"),
        Sentence::tr("Tokens whose keys and values the cache of one replica holds at once, in whole blocks, where all "
                     "sequences have the plan's length."),
        kProfileRun},
    {"server.sequences", Sentence::tr("Sequences in the cache"),
        Sentence::tr("Sequences of the plan's length that the cache of one replica holds at once."), kProfileRun,
        Sentence::tr("Prefix sharing, which lets more in, and the bound on sequences at once (max_num_seqs).")},
    {"server.longest_context", Sentence::tr("Longest context"),
        Sentence::tr("Tokens of a single sequence that takes all of the cache."), kProfileRun,
        Sentence::tr("The sequence length that the model was made for.")},
    {"server.tpot", Sentence::tr("Time per token"),
        Sentence::tr("What a user waits from one token to the next, the first one excluded: one iteration of the "
                     "engine, and the prompts of others."),
        kServing},
    {"server.tpot.weights", Sentence::tr("Weights"),
        Sentence::tr("Every iteration reads all dense weights of the card, however many sequences share them."),
        kServing},
    {"server.tpot.experts", Sentence::tr("Experts"),
        Sentence::tr("Only experts that some token chooses are read: of E experts with k chosen, M tokens touch "
                     "E (1 - (1 - k / E)^M)."),
        kServing},
    {"server.tpot.cache", Sentence::tr("Cache"),
        Sentence::tr("Every new token attends to all tokens before it, whose keys and values are read."),
        "arXiv:1911.02150, arXiv:2309.06180"},
    {"server.tpot.products", Sentence::tr("Products"),
        Sentence::tr("Arithmetic that reading weights and cache does not hide. It grows with the sequences."),
        kServing},
    {"server.tpot.all_reduce", Sentence::tr("All-reduce"),
        Sentence::tr("Sums over tensor ranks, twice a layer, and exchanges with experts on other cards. They are "
                     "small, so what counts is how long one takes to start."),
        kServing},
    {"server.tpot.layers", Sentence::tr("Layers"),
        Sentence::tr("What a layer takes at least, whatever it computes, and sampling for each sequence."), kServing},
    {"server.tpot.prompts", Sentence::tr("Prompts of others"),
        Sentence::tr("New requests arrive as fast as answers end, and their prompts are fed beside decoding; a part of "
                     "that wait falls before a request's own first token."),
        kChunkedPrefill},
    {"server.tpot.pipeline", Sentence::tr("Waits in the pipeline"),
        Sentence::tr("Stages that take longer than others, and transfers between them."), kServing},
    {"server.tpot_alone", Sentence::tr("Time per token, alone"),
        Sentence::tr("The same with one sequence in each replica and no prompts of others."), kServing},
    {"server.ttft_alone", Sentence::tr("Time to the first token, alone"),
        Sentence::tr("The forward passes of one prompt, where nothing else is on the server."), kServing},
    {"server.ttft_burst", Sentence::tr("Time to the first token, in a burst"),
        Sentence::tr("The mean where all requests arrive at once, so that prompts wait for one another."), kServing,
        Sentence::tr("How requests arrive: a real server lies between a request alone and a burst.")},
    {"server.output_tokens_per_second", Sentence::tr("Output tokens per second"),
        Sentence::tr("Of all replicas, in the steady state."), kServing},
    {"server.output_tokens_per_second_per_card", Sentence::tr("Output tokens per second and card"),
        Sentence::tr("Of all replicas, in the steady state, divided by the cards."), kServing},
    {"server.users_within_limits", Sentence::tr("Users within the limits"),
        Sentence::tr("Most sequences at once, in all replicas, that the cache holds, the engine admits and the plan's "
                     "limits of waiting allow."),
        kServing},
});

} // namespace

std::span<const CatalogueEntry> served() { return kServedFigures; }
std::span<const CatalogueEntry> events() { return kEvents; }
std::span<const CatalogueEntry> weights() { return kWeights; }
std::span<const CatalogueEntry> figures() { return kFigures; }
std::span<const CatalogueEntry, kSegmentCount> segments() { return kSegments; }

} // namespace cardfit::catalogue
