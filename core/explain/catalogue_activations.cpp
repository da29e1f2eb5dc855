// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/explain/catalogue_tables.h"

namespace cardfit::catalogue {

namespace {

/// Shared by what the input half of a split backward pass leaves for the weight half.
constexpr Phrase kAwaitsWeightHalf =
    Sentence::tr("Where the backward pass is split in two, this gradient is kept for the weight half of the "
                 "backward pass, which multiplies it with the product's input.");
constexpr Phrase kAwaitsGathered = Sentence::tr(
    "Where the backward pass is split in two, this gradient is kept for the weight half of the backward "
    "pass, which multiplies it with the product's input; it is gathered, so no tensor parallelism divides it.");
constexpr Phrase kGatheredInput = Sentence::tr("TransformerEngine's delayed weight half keeps this input as sequence "
                                               "parallelism gathered it, not the part that was saved.");

constexpr auto kActivationTerms = std::to_array<CatalogueEntry>({
    {"norm.input", Sentence::tr("Norm inputs"),
        Sentence::tr("Every norm keeps the residual stream that enters it, because its gradient depends on it."),
        kModules},
    {"norm.normalized", Sentence::tr("Normalized values"),
        Sentence::tr("A norm run as separate operations keeps its normalized values besides its input, for the "
                     "gradient of its weight."),
        kAutograd},
    {"norm.output", Sentence::tr("Norm outputs"),
        Sentence::tr("The matrix product behind a norm keeps the norm's output as its input, for the gradient of its "
                     "weight; sequence parallelism stores it before it is gathered."),
        kModules},
    {"norm.statistics", Sentence::tr("Norm statistics"),
        Sentence::tr("Each token's fp32 reciprocal deviation, and for LayerNorm its mean, spare the backward pass from "
                     "summing over h again."),
        kModules},
    {"qk_norm.input", Sentence::tr("Inputs of the query and key norms"),
        Sentence::tr("Models that normalize queries and keys keep both as they were before the norm."),
        "Megatron-LM golden values with qk_layernorm, within 2 %",
        Sentence::tr("The norms' statistics per head are below the estimate's resolution.")},
    {"qk_norm.normalized", Sentence::tr("Normalized queries and keys"),
        Sentence::tr("Unfused norms keep the normalized values for the gradient of their weights."),
        "PyTorch autograd; tests/validation/measurements/own"},
    {"query.latent", Sentence::tr("Latent queries"),
        Sentence::tr("Latent attention keeps the compressed queries that enter their norm; they are not divided over "
                     "the heads' cards."),
        kLatent},
    {"query.up_input", Sentence::tr("Normalized latent queries"),
        Sentence::tr("The projection up to the heads keeps its input, for the gradient of its weight."), kLatent},
    {"key_value.latent", Sentence::tr("Latent keys and values"),
        Sentence::tr("Latent attention keeps the compressed keys and values that enter their norm, and the rotated "
                     "part of the keys."),
        kLatent},
    {"key_value.up_input", Sentence::tr("Normalized latent keys and values"),
        Sentence::tr("The projection up to the heads keeps its input, for the gradient of its weight."), kLatent},
    {"attention.qkv", Sentence::tr("Queries, keys and values"),
        Sentence::tr("The attention kernel keeps the queries, keys and values it read; rotation makes new tensors, so "
                     "the packed projection is freed."),
        kModules},
    {"attention.log_sum_exp", Sentence::tr("Log-sum-exp of the scores"),
        Sentence::tr("A fused kernel keeps one fp32 number per query and head, from which the backward pass rebuilds "
                     "the softmax."),
        kFlash},
    {"attention.softmax", Sentence::tr("Softmax of the scores"),
        Sentence::tr("Without a fused kernel the matrix of a s scores per token is stored after its softmax; it grows "
                     "with the square of the sequence."),
        kKorthikanti},
    {"attention.probabilities", Sentence::tr("Probabilities in 16 bits"),
        Sentence::tr("The softmax is computed in fp32; the product with the values keeps a 16-bit copy."), kAutograd},
    {"attention.dropout_mask", Sentence::tr("Dropout mask of the scores"),
        Sentence::tr("Dropout on the attention's probabilities keeps one byte for each of them."), kKorthikanti},
    {"attention.dropout_output", Sentence::tr("Probabilities after dropout"),
        Sentence::tr("The product with the values keeps the probabilities that dropout left."), kKorthikanti},
    {"attention.kv_expanded", Sentence::tr("Expanded keys and values"),
        Sentence::tr("Unfused attention copies every key and value head for each query head of its group."),
        "Megatron-Core, transformer/attention.py"},
    {"attention.output", Sentence::tr("Attention output"),
        Sentence::tr("The kernel's output enters the output projection, which keeps it; one tensor serves both."),
        kModules},
    {"attention.output_copy", Sentence::tr("Second copy of the attention output"),
        Sentence::tr("FlashAttention-2 and PyTorch's kernel write in another order of dimensions than the layer uses, "
                     "so the transposed output is a tensor of its own."),
        "Megatron-LM golden values, A100 minus H100; PyTorch, scaled_dot_product_attention",
        Sentence::tr("That the order of dimensions is the reason is inferred from the size of the difference.")},
    {"projection.input", Sentence::tr("Quantized input of the output projection"),
        Sentence::tr("The kernel keeps its 16-bit output and the quantized projection its own narrower copy."),
        "TransformerEngine, pytorch/module/linear.py"},
    {"attention.output_sent", Sentence::tr("Attention output before the exchange"),
        Sentence::tr(
            "Context parallelism by all-to-all keeps the output as it was before heads were exchanged for tokens."),
        "TransformerEngine 2.8, context_parallel.py; context-parallel rows on B200 (SimuMax, commit 4dcaae5)"},
    {"dropout.mask", Sentence::tr("Dropout masks"),
        Sentence::tr("Dropout behind attention, MLP and embedding keeps one byte per value of the residual stream."),
        kKorthikanti},
    {"mlp.up_output", Sentence::tr("Output of the MLP's first product"),
        Sentence::tr(
            "The activation function keeps its input: the first product's output, both halves where the MLP is gated."),
        kModules},
    {"mlp.gate_activation", Sentence::tr("Activated gate"),
        Sentence::tr("Without a fused kernel the activated gate is a tensor of its own that the product with the other "
                     "half keeps."),
        kAutograd},
    {"mlp.activation_output", Sentence::tr("Input of the MLP's second product"),
        Sentence::tr("The second product keeps the activation function's output, for the gradient of its weight."),
        kModules},
    {"shared.up_output", Sentence::tr("Output of the shared experts' first product"),
        Sentence::tr("The shared experts' activation function keeps its input."), kMoeLayer},
    {"shared.gate_activation", Sentence::tr("Activated gate of the shared experts"),
        Sentence::tr("Without a fused kernel the shared experts' activated gate is a tensor of its own."), kAutograd},
    {"shared.activation_output", Sentence::tr("Input of the shared experts' second product"),
        Sentence::tr("The shared experts' second product keeps its input."), kMoeLayer},
    {"shared.input", Sentence::tr("Quantized input of the shared experts"),
        Sentence::tr(
            "In 16 bits the shared experts read the tensor that the router keeps; quantized, their input is one more."),
        kMoeLayer},
    {"router.scores", Sentence::tr("Router's tables"),
        Sentence::tr("The router keeps about 13.6 bytes per token and expert: fp32 scores, the boolean map of who goes "
                     "where, the permutation's row map and the auxiliary loss."),
        "Fitted on six DeepSeek runs on B200 (SimuMax, commit 4dcaae5), consistent with Megatron-Core, moe_utils.py",
        Sentence::tr(
            "The constant is fitted, not counted; other routers (expert bias, group limits) differ by a few bytes.")},
    {"experts.input", Sentence::tr("Rows sent to the experts"),
        Sentence::tr("The experts' first product keeps the rows that were dispatched to this card."), kMoeLayer,
        Sentence::tr("Rows of a dropless run follow the data; the busiest card of published runs gets 1 to 1.5 times "
                     "the mean.")},
    {"experts.probabilities", Sentence::tr("Probabilities of dispatched rows"),
        Sentence::tr("Each dispatched row carries its fp32 router probability, which scales the expert's output."),
        kMoeLayer},
    {"experts.up_output", Sentence::tr("Output of the experts' first product"),
        Sentence::tr("The experts' activation function keeps its input."), kMoeLayer,
        Sentence::tr("Rows follow the data, see experts.input.")},
    {"experts.gate_activation", Sentence::tr("Activated gate of the experts"),
        Sentence::tr("Without a fused kernel the experts' activated gate is a tensor of its own."), kAutograd},
    {"experts.clamped", Sentence::tr("Clamped input of the experts' activation"),
        Sentence::tr(
            "Megatron-Core clamps the two halves of a quick GELU's input, as gpt-oss asks, in kernels of their "
            "own: both what they get and what they make are kept."),
        "Megatron-Core, fusions/fused_bias_geglu.py, weighted_bias_quick_geglu_impl"},
    {"experts.unweighted_output", Sentence::tr("Expert activations before weighting"),
        Sentence::tr(
            "Where scaling by the router's probability is not fused into the activation, the unscaled factor is kept."),
        "Megatron-Core, transformer/moe/experts.py, bias_act_func"},
    {"experts.activation_output", Sentence::tr("Input of the experts' second product"),
        Sentence::tr("The experts' second product keeps the weighted activations."), kMoeLayer,
        Sentence::tr("Rows follow the data, see experts.input.")},
    {"adapter.latent", Sentence::tr("Adapter latents"),
        Sentence::tr("An adapter keeps the r values per token between its two small matrices."), kLora},
    {"adapter.padded", Sentence::tr("Padded output of the adapters"),
        Sentence::tr(
            "Where one product makes queries, keys and values and only queries and values have adapters, their "
            "output is padded with zeros for the keys and kept."),
        "litgpt, lora.py, zero_pad; PyTorch, tools/autograd/derivatives.yaml, index_copy"},
    {"adapter.dropped_input", Sentence::tr("Dropout of the adapters"),
        Sentence::tr("An adapter with dropout keeps its input after dropout and a mask of one byte per value; separate "
                     "products each have a dropout of their own."),
        "litgpt/lora.py; peft/tuners/lora/layer.py; PyTorch, native_dropout"},
    {"adapter.expert_dropped_input", Sentence::tr("Dropout of the experts' adapters"),
        Sentence::tr("Adapters of experts with dropout keep what it leaves of every row, and its mask."), kLora},
    {"selective.outputs", Sentence::tr("Outputs kept by selective checkpointing"),
        Sentence::tr("PyTorch's selective checkpointing rebuilds a layer from its input and from the outputs of listed "
                     "operators: attention and the matrix products, every second one under torchtitan."),
        "torchtitan, distributed/activation_checkpoint.py"},
    {"selective.expert_layer_outputs", Sentence::tr("Outputs kept in expert layers"),
        Sentence::tr("Selective checkpointing keeps outputs of attention's products; experts' grouped products run "
                     "again."),
        "torchtitan, distributed/activation_checkpoint.py"},
    {"adapter.expert_latent", Sentence::tr("Adapter latents of the experts"),
        Sentence::tr("Adapters of experts keep r values for every row that an expert works on."), kLora},
    {"embedding.ids", Sentence::tr("Token ids"),
        Sentence::tr("The embedding keeps the token ids, 8 bytes each, to know which rows it changed."),
        "Megatron-Core, tensor_parallel/layers.py, VocabParallelEmbedding"},
    {"embedding.masked_ids", Sentence::tr("Masked token ids"),
        Sentence::tr("With the vocabulary divided, a card also keeps which ids are its own (1 byte) and the ids "
                     "shifted to its rows (8 bytes)."),
        "Megatron-Core, tensor_parallel/layers.py, VocabParallelEmbedding"},
    {"prediction.joined", Sentence::tr("Joined input of further predictions"),
        Sentence::tr("Each depth of multi-token prediction keeps the hidden state joined with the next token's "
                     "embedding, 2 h wide."),
        "DeepSeek-V3, arXiv:2412.19437, section 2.2; Megatron-LM, multi_token_prediction.py"},
    {"logits", Sentence::tr("Logits"),
        Sentence::tr("The loss keeps what it needs of the logits until its backward pass, for every prediction depth: "
                     "2 bytes each where the kernel is fused or compiled, 4 or 6 where an fp32 softmax is stored."),
        "Megatron-LM golden values: 1,752.5 against 1,362.0 MiB for native and TransformerEngine fusion; 6 bytes "
        "fitted on torchtitan's published peaks"},
    {"loss.gradient", Sentence::tr("Gradient kept by the chunked loss"),
        Sentence::tr("A chunked loss computes the hidden state's gradient in the forward pass and keeps that instead "
                     "of logits."),
        "Liger kernel, arXiv:2410.10989"},
    // What the input half of a split backward pass leaves for the weight half.
    {"qkv.output_gradient", Sentence::tr("Gradient of queries, keys and values"), kAwaitsWeightHalf, kWeightHalf},
    {"projection.output_gradient", Sentence::tr("Gradient of the output projection's output"), kAwaitsGathered,
        kWeightHalf},
    {"query.down.output_gradient", Sentence::tr("Gradient of the latent queries"), kAwaitsWeightHalf, kWeightHalf},
    {"query.up.output_gradient", Sentence::tr("Gradient of the queries"), kAwaitsWeightHalf, kWeightHalf},
    {"key_value.down.output_gradient", Sentence::tr("Gradient of the latent keys and values"), kAwaitsWeightHalf,
        kWeightHalf},
    {"key_value.up.output_gradient", Sentence::tr("Gradient of keys and values"), kAwaitsWeightHalf, kWeightHalf},
    {"mlp.up.output_gradient", Sentence::tr("Gradient of the MLP's first product"), kAwaitsWeightHalf, kWeightHalf},
    {"mlp.down.output_gradient", Sentence::tr("Gradient of the MLP's second product"), kAwaitsGathered, kWeightHalf},
    {"shared.up.output_gradient", Sentence::tr("Gradient of the shared experts' first product"), kAwaitsWeightHalf,
        kWeightHalf},
    {"shared.down.output_gradient", Sentence::tr("Gradient of the shared experts' second product"), kAwaitsWeightHalf,
        kWeightHalf},
    {"experts.up.output_gradient", Sentence::tr("Gradient of the experts' first product"), kAwaitsWeightHalf,
        kWeightHalf},
    {"experts.down.output_gradient", Sentence::tr("Gradient of the experts' second product"), kAwaitsWeightHalf,
        kWeightHalf},
    {"join.output_gradient", Sentence::tr("Gradient of the joined input's product"), kAwaitsWeightHalf, kWeightHalf},
    {"output.output_gradient", Sentence::tr("Gradient of the logits, kept"), kAwaitsWeightHalf, kWeightHalf},
    {"qkv.gathered_input", Sentence::tr("Gathered input of the attention's products"), kGatheredInput, kDelayed},
    {"query.up.gathered_input", Sentence::tr("Gathered input of the queries' product"), kGatheredInput, kDelayed},
    {"key_value.up.gathered_input", Sentence::tr("Gathered input of the keys' and values' product"), kGatheredInput,
        kDelayed},
    {"mlp.up.gathered_input", Sentence::tr("Gathered input of the MLP's first product"), kGatheredInput, kDelayed},
    {"shared.up.gathered_input", Sentence::tr("Gathered input of the shared experts' first product"), kGatheredInput,
        kDelayed},
    {"join.gathered_input", Sentence::tr("Gathered input of the joined input's product"), kGatheredInput, kDelayed},
    {"checkpoints", Sentence::tr("Checkpoints"),
        Sentence::tr("Full recomputation keeps only the residual stream that enters each group of layers."),
        "Megatron-Core, transformer/transformer_block.py; arXiv:2205.05198"},
    {"activations.offloaded", Sentence::tr("Activations in host memory"),
        Sentence::tr("This share of what the layers keep is copied to host memory after the forward pass."),
        "Megatron-Core, cpu_offloading; arithmetic, no published regression",
        Sentence::tr("The time of the copies is not modelled.")},
    {"attention_mask", Sentence::tr("Attention masks from the data loader"),
        Sentence::tr(
            "The data loader makes a boolean mask of s x s per sequence, which lives as long as its micro-batch."),
        "Megatron-LM golden values: exactly 4 x 64 MiB unless --no-create-attention-mask-in-dataloader is given"},
    {"released_before_peak", Sentence::tr("Freed before the peak"),
        Sentence::tr(
            "At the instant of the peak the backward pass has already freed this much of the current micro-batch."),
        kBackward},
    {"kv_cache", Sentence::tr("Key and value cache"),
        Sentence::tr("A server keeps keys and values of every sequence at full length; latent attention keeps one "
                     "compressed vector per token, which no tensor parallelism divides."),
        "arXiv:1911.02150, arXiv:2305.13245, arXiv:2405.04434",
        Sentence::tr("Paging rounds each sequence up to whole blocks; prefix sharing would need less.")},
    {"kv_cache.windowed", Sentence::tr("Cache of layers with a window"),
        Sentence::tr("Layers with a sliding window keep keys and values of the last s_w tokens only."),
        "Mistral 7B, arXiv:2310.06825", Sentence::tr("Servers that do not evict keep the whole sequence here too.")},
    {"article.40shl", Sentence::tr("Activations by the article's rule"),
        Sentence::tr("The article counts 40 s b h L bytes of activations per micro-batch, attention scores not kept, "
                     "times the micro-batches in flight."),
        kArticle,
        Sentence::tr("Logits, communication buffers and the device's own memory are not in the article's sum.")},
});

} // namespace

std::span<const CatalogueEntry> activationTerms() { return kActivationTerms; }

} // namespace cardfit::catalogue
