// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/explain/catalogue_tables.h"

namespace cardfit::catalogue {

namespace {

constexpr std::string_view kDelta = "Megatron-LM, core/ssm/gated_delta_net; flash-linear-attention, fla/ops";
constexpr std::string_view kMamba = "Megatron-LM, core/ssm/mamba_mixer.py; state-spaces/mamba, ssd_combined.py";
constexpr std::string_view kConvolution = "transformers, models/lfm2/modeling_lfm2.py";
constexpr std::string_view kLatentExperts = "Nemotron 3, arXiv:2512.20856; Megatron-Core, transformer/moe/moe_layer.py";
constexpr std::string_view kVision = "transformers, models/qwen3_vl/modeling_qwen3_vl.py";
constexpr std::string_view kHyper =
    "arXiv:2512.24880; transformers, models/deepseek_v4/modeling_deepseek_v4.py; Megatron-LM, "
    "core/transformer/hyper_connection.py";
constexpr std::string_view kCompressed = "transformers, models/deepseek_v4/modeling_deepseek_v4.py";
constexpr std::string_view kSparse = "DeepSeek-V3.2, arXiv:2512.02556; Megatron-Core, dsa.py";
constexpr std::string_view kGate = "Megatron-Core, transformer/attention.py, attention_output_gate";

constexpr Phrase kUncounted =
    Sentence::tr("Counted from the reference's code; there is no published measurement of this tensor.");
constexpr Phrase kWaits =
    Sentence::tr("Where the backward pass is split in two, this gradient is kept for the weight half of the "
                 "backward pass, which multiplies it with the product's input.");
constexpr Phrase kGathered = Sentence::tr("TransformerEngine's delayed weight half keeps this input as sequence "
                                          "parallelism gathered it, not the part that was saved.");
constexpr Phrase kInputOf = Sentence::tr("The product back to the residual stream keeps its input, for the gradient of "
                                         "its weight.");

constexpr auto kLayerTerms = std::to_array<CatalogueEntry>({
    {"delta.projected", Sentence::tr("Projection into the delta rule"),
        Sentence::tr("The convolution keeps the projection that it reads: queries, keys, values, gates and decays."),
        kDelta, kUncounted},
    {"delta.queries_keys", Sentence::tr("Queries and keys of the delta rule"),
        Sentence::tr("Normalized queries and keys are kept by their norm and, copied for every value head, by the "
                     "rule."),
        kDelta, kUncounted},
    {"delta.values_gate", Sentence::tr("Values and gate of the delta rule"),
        Sentence::tr("The rule's kernel and the gate behind it each keep a contiguous copy."), kDelta, kUncounted},
    {"delta.values", Sentence::tr("Values of the delta rule"), Sentence::tr("The rule's kernel keeps its values."),
        kDelta, kUncounted},
    {"delta.gates", Sentence::tr("Decays and output gate of Kimi delta attention"),
        Sentence::tr("Two low-rank products make a decay and a gate per channel; both are kept."), kDelta, kUncounted},
    {"delta.decay", Sentence::tr("Decays and chunk matrices of the delta rule"),
        Sentence::tr("Decays in fp32, write strengths, and for every chunk of 64 tokens the inverse of a triangle."),
        kDelta, kUncounted},
    {"delta.output", Sentence::tr("Output of the delta rule"),
        Sentence::tr("The norm behind the rule keeps its input; the gate keeps the norm's output."), kDelta,
        kUncounted},
    {"delta.out.input", Sentence::tr("Input of the delta rule's output product"), kInputOf, kDelta},
    {"mamba.projected", Sentence::tr("Projection into Mamba-2"),
        Sentence::tr("The memory-efficient kernel keeps its whole input and computes convolution and states again."),
        kMamba, kUncounted},
    {"mamba.scanned", Sentence::tr("Output of Mamba-2's scan"),
        Sentence::tr("The kernel keeps its output before the gate, and the norm behind it the gated output."), kMamba,
        kUncounted},
    {"mamba.out.input", Sentence::tr("Input of Mamba-2's output product"), kInputOf, kMamba},
    {"convolution.parts", Sentence::tr("Parts of the short convolution"),
        Sentence::tr("The projection's three parts are kept: two are multiplied before, one after the convolution."),
        kConvolution, kUncounted},
    {"convolution.mixed", Sentence::tr("Input and output of the short convolution"),
        Sentence::tr("The convolution keeps what it reads, the gate behind it what the convolution made."),
        kConvolution, kUncounted},
    {"convolution.out.input", Sentence::tr("Input of the short convolution's output product"), kInputOf, kConvolution},
    {"attention.gate", Sentence::tr("Gate of the attention output"),
        Sentence::tr("A gate as wide as the queries scales attention's output; it is kept, and in 16 bits its product, "
                     "which the output projection reads."),
        kGate},
    {"indexer.projected", Sentence::tr("Queries, keys and weights of the indexer"),
        Sentence::tr("The indexer keeps its small queries, its one key and a weight per head for every token."),
        kSparse, kUncounted},
    {"indexer.chosen", Sentence::tr("Chosen tokens"),
        Sentence::tr("For every query the numbers of the tokens that it may see, 4 bytes each."), kSparse, kUncounted},
    {"weights.vision", Sentence::tr("Frozen vision tower"),
        Sentence::tr("A frozen vision tower is kept in the weights' format, without gradients and optimizer states."),
        kVision},
    {"vision.patches", Sentence::tr("Patches of images"),
        Sentence::tr("The product that embeds patches keeps them, for the gradient of its weight."), kVision},
    {"vision.checkpoints", Sentence::tr("Inputs of the vision tower's layers"),
        Sentence::tr("Full recomputation keeps the inputs of the tower's layers alone."), kVision, kUncounted},
    {"vision.streams", Sentence::tr("Streams and norms of the vision tower"),
        Sentence::tr("Each layer keeps what enters its two norms, and what leaves them."), kVision, kUncounted},
    {"vision.products", Sentence::tr("Products of the vision tower"),
        Sentence::tr("Each layer keeps queries, keys and values, the output of attention, and what enters and leaves "
                     "the MLP's activation function."),
        kVision, kUncounted},
    {"vision.log_sum_exp", Sentence::tr("Log-sum-exp of the vision tower"),
        Sentence::tr("One fp32 number per patch and head, from which the backward pass rebuilds the softmax."), kVision,
        kUncounted},
    {"vision.merged", Sentence::tr("Merged patches"),
        Sentence::tr("Each merger keeps what enters its norm and its two products, and its activation function."),
        kVision, kUncounted},
    {"hyper.streams", Sentence::tr("Streams of the residual"),
        Sentence::tr("Hyper-connections keep all streams of the residual before attention, the MLP and the output "
                     "layer: the product that maps them, their sum and their mixture read them again."),
        kHyper},
    {"hyper.mapping", Sentence::tr("Weights of the streams"),
        Sentence::tr("Per token, in fp32: how streams are summed, how they mix and how an output returns to each."),
        kHyper, kUncounted},
    {"hyper.head_mapping", Sentence::tr("Weights of the streams before the output layer"),
        Sentence::tr("Per token and stream, in fp32, how they are summed."), kHyper, kUncounted},
    {"hyper.output", Sentence::tr("Outputs that return to the streams"),
        Sentence::tr("What attention or the MLP made is kept, for the gradient of the weights with which it returns "
                     "to each stream."),
        kHyper},
    {"key_value.projected", Sentence::tr("Projected keys"),
        Sentence::tr("The norm keeps the one key of every token, which is its value too; it is on every card."),
        kCompressed},
    {"compressor.projected", Sentence::tr("Values and weights for compression"),
        Sentence::tr("For every token a value and the weights with which it enters its entry, twice where windows "
                     "overlap."),
        kCompressed, kUncounted},
    {"compressor.pooled", Sentence::tr("Compressed entries"),
        Sentence::tr("The norm keeps the entries that stand for several tokens each."), kCompressed},
    {"attention.queries", Sentence::tr("Queries"), Sentence::tr("The attention kernel keeps the queries that it read."),
        kCompressed},
    {"attention.keys", Sentence::tr("Keys and compressed entries"),
        Sentence::tr("The attention kernel keeps the keys of the tokens and the compressed entries behind them, which "
                     "all heads read, as keys and as values."),
        kCompressed},
    {"projection.groups_output", Sentence::tr("Heads projected by groups"),
        Sentence::tr("The second step of the output projection keeps its input."), kCompressed},
    {"kv_cache.compressed", Sentence::tr("Cache of compressed entries"),
        Sentence::tr("Behind the window a server keeps one entry for several tokens, and in sparse layers the "
                     "indexer's key of it."),
        kCompressed},
    {"key_value.output_gradient", Sentence::tr("Gradient of the projected keys"), kWaits, kWeightHalf},
    {"projection.groups.output_gradient", Sentence::tr("Gradient of the heads projected by groups"), kWaits,
        kWeightHalf},
    {"latent_up.input", Sentence::tr("Latent output of the experts"),
        Sentence::tr("The product that widens what the experts return keeps its input."), kLatentExperts},
    {"shared.output", Sentence::tr("Output of the shared experts"),
        Sentence::tr("The gate that scales the shared experts' output keeps that output."),
        "Megatron-Core, transformer/moe/shared_experts.py"},
    {"state_cache", Sentence::tr("Recurrent states"),
        Sentence::tr("A server keeps one state per sequence of every recurrent layer, however long the sequence is, "
                     "and what the layer's convolution still sees."),
        "vLLM, model_executor/layers/mamba/mamba_utils.py"},
    {"gradient.mixer", Sentence::tr("Gradients in a recurrent layer"),
        Sentence::tr("The gradient of the whole projection exists at the same time as those of its parts."), kDelta,
        kUncounted},
    {"prefill.mixer", Sentence::tr("Projection of the prompt in a recurrent layer"),
        Sentence::tr("The widest intermediate result of the forward pass: the packed projection."),
        "arithmetic; vLLM, max_num_batched_tokens"},
    {"delta.in.output_gradient", Sentence::tr("Gradient of the projection into the delta rule"), kWaits, kWeightHalf},
    {"delta.gates.output_gradient", Sentence::tr("Gradient of decays and output gate"), kWaits, kWeightHalf},
    {"delta.out.output_gradient", Sentence::tr("Gradient of the delta rule's output product"), kWaits, kWeightHalf},
    {"mamba.in.output_gradient", Sentence::tr("Gradient of the projection into Mamba-2"), kWaits, kWeightHalf},
    {"mamba.out.output_gradient", Sentence::tr("Gradient of Mamba-2's output product"), kWaits, kWeightHalf},
    {"convolution.in.output_gradient", Sentence::tr("Gradient of the short convolution's projection"), kWaits,
        kWeightHalf},
    {"convolution.out.output_gradient", Sentence::tr("Gradient of the short convolution's output product"), kWaits,
        kWeightHalf},
    {"latent_down.output_gradient", Sentence::tr("Gradient of the experts' latent input"), kWaits, kWeightHalf},
    {"latent_up.output_gradient", Sentence::tr("Gradient of the experts' widened output"), kWaits, kWeightHalf},
    {"delta.in.gathered_input", Sentence::tr("Gathered input of the delta rule's projection"), kGathered, kDelayed},
    {"mamba.in.gathered_input", Sentence::tr("Gathered input of Mamba-2's projection"), kGathered, kDelayed},
    {"convolution.in.gathered_input", Sentence::tr("Gathered input of the short convolution's projection"), kGathered,
        kDelayed},
});

constexpr auto kLayerEvents = std::to_array<CatalogueEntry>({
    {"mixer.backward", Sentence::tr("Backward pass of a recurrent layer"),
        Sentence::tr("The last layer's recurrence differentiates; the MLP's tensors are already freed."), kDelta},
});

constexpr auto kLayerWeights = std::to_array<CatalogueEntry>({
    {"delta.in.weight", Sentence::tr("Projection into the delta rule"),
        Sentence::tr("From h to queries, keys, values, gates and a decay and a write strength per value head."),
        kDelta},
    {"delta.convolution.weight", Sentence::tr("Convolution of the delta rule"),
        Sentence::tr("A few weights for every channel of queries, keys and values."), kDelta},
    {"delta.decay.weight", Sentence::tr("Decay of the delta rule"), Sentence::tr("One value per head."), kDelta},
    {"delta.dt_bias", Sentence::tr("Bias of the delta rule's decay"),
        Sentence::tr("One value per head, or per channel."), kDelta},
    {"delta.norm.weight", Sentence::tr("Norm of the delta rule's output"),
        Sentence::tr("A scale per feature of a value head."), kDelta},
    {"delta.gate_down.weight", Sentence::tr("Decays and gate, projection down"),
        Sentence::tr("From h to the rank of a head, twice."), kDelta},
    {"delta.gate_up.weight", Sentence::tr("Decays and gate, projection up"),
        Sentence::tr("From the rank of a head to every channel."), kDelta},
    {"delta.out.weight", Sentence::tr("Output product of the delta rule"),
        Sentence::tr("From all value heads back to h."), kDelta},
    {"mamba.in.weight", Sentence::tr("Projection into Mamba-2"),
        Sentence::tr("From h to gate, input, what enters and leaves the state, and a step per head."), kMamba},
    {"mamba.convolution.weight", Sentence::tr("Convolution of Mamba-2"),
        Sentence::tr("A few weights for every channel."), kMamba},
    {"mamba.convolution.bias", Sentence::tr("Bias of Mamba-2's convolution"), Sentence::tr("One value per channel."),
        kMamba},
    {"mamba.dt_bias", Sentence::tr("Bias of Mamba-2's steps"), Sentence::tr("One value per head."), kMamba},
    {"mamba.decay.weight", Sentence::tr("Decay of Mamba-2"), Sentence::tr("One value per head."), kMamba},
    {"mamba.skip.weight", Sentence::tr("Skip of Mamba-2"), Sentence::tr("One value per head."), kMamba},
    {"mamba.norm.weight", Sentence::tr("Norm of Mamba-2's output"), Sentence::tr("A scale per feature."), kMamba},
    {"mamba.out.weight", Sentence::tr("Output product of Mamba-2"), Sentence::tr("From all heads back to h."), kMamba},
    {"convolution.in.weight", Sentence::tr("Projection into the short convolution"),
        Sentence::tr("From h to three parts of h features."), kConvolution},
    {"convolution.weight", Sentence::tr("Short convolution"), Sentence::tr("A few weights for every channel."),
        kConvolution},
    {"convolution.out.weight", Sentence::tr("Output product of the short convolution"),
        Sentence::tr("From h features back to h."), kConvolution},
    {"indexer.q.weight", Sentence::tr("Query projection of the indexer"),
        Sentence::tr("From the latent queries to the indexer's heads."), kSparse},
    {"indexer.k.weight", Sentence::tr("Key projection of the indexer"),
        Sentence::tr("From h to the indexer's one key."), kSparse},
    {"indexer.head.weight", Sentence::tr("Head weights of the indexer"), Sentence::tr("From h to one weight per head."),
        kSparse},
    {"indexer.k_norm.weight", Sentence::tr("Key norm of the indexer"),
        Sentence::tr("A scale and a shift per feature of the key."), kSparse},
    {"indexer.compressor.weight", Sentence::tr("Compressor of the indexer"),
        Sentence::tr("From h to a key and its weights, twice because windows overlap."), kCompressed},
    {"indexer.compressor.bias", Sentence::tr("Bias of the indexer's compressor"),
        Sentence::tr("Per place of a token in its entry."), kCompressed},
    {"indexer.compressor_norm.weight", Sentence::tr("Norm of the indexer's entries"),
        Sentence::tr("A scale per feature."), kCompressed},
    {"kv.weight", Sentence::tr("Key projection"), Sentence::tr("From h to one key for all heads."), kCompressed},
    {"compressor.weight", Sentence::tr("Compressor"),
        Sentence::tr("From h to a token's value and its weights in an entry; twice as wide where windows overlap."),
        kCompressed},
    {"compressor.bias", Sentence::tr("Bias of the compressor"), Sentence::tr("Per place of a token in its entry."),
        kCompressed},
    {"compressor_norm.weight", Sentence::tr("Norm of the compressed entries"), Sentence::tr("A scale per feature."),
        kCompressed},
    {"attention.sink", Sentence::tr("Attention sinks"), Sentence::tr("One learned score per head."), kCompressed},
    {"o_down.weight", Sentence::tr("Output projection of groups of heads"),
        Sentence::tr("Each group of heads has a product of its own."), kCompressed},
    {"vision.patch.weight", Sentence::tr("Patch embedding"),
        Sentence::tr("From the values of a patch to the tower's features."), kVision},
    {"vision.patch.bias", Sentence::tr("Bias of the patch embedding"), Sentence::tr("A value per feature."), kVision},
    {"vision.position.weight", Sentence::tr("Positions of patches"),
        Sentence::tr("A learned vector for every place of an image."), kVision},
    {"vision.qkv.weight", Sentence::tr("Query, key and value projection of the vision tower"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.qkv.bias", Sentence::tr("Bias of the vision tower's queries, keys and values"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.projection.weight", Sentence::tr("Output projection of the vision tower"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.projection.bias", Sentence::tr("Bias of the vision tower's output projection"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.up.weight", Sentence::tr("First product of the vision tower's MLP"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.up.bias", Sentence::tr("Bias of the vision tower's first product"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.down.weight", Sentence::tr("Second product of the vision tower's MLP"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.down.bias", Sentence::tr("Bias of the vision tower's second product"),
        Sentence::tr("In every layer of the tower."), kVision},
    {"vision.norm.weight", Sentence::tr("Norms of the vision tower"), Sentence::tr("Two in every layer of the tower."),
        kVision},
    {"vision.merger_up.weight", Sentence::tr("First product of a merger"),
        Sentence::tr("Mixes the patches of a token."), kVision},
    {"vision.merger_down.weight", Sentence::tr("Second product of a merger"),
        Sentence::tr("To the model's hidden size."), kVision},
    {"vision.merger.bias", Sentence::tr("Biases of a merger"), Sentence::tr("A value per feature."), kVision},
    {"vision.merger_norm.weight", Sentence::tr("Norms of the mergers"),
        Sentence::tr("A scale and a shift per feature."), kVision},
    {"hyper.weight", Sentence::tr("Mapping of the streams"),
        Sentence::tr("From all streams to the weights with which they are summed, mixed and extended."), kHyper},
    {"hyper.bias", Sentence::tr("Bias of the streams' weights"), Sentence::tr("One value per weight."), kHyper},
    {"hyper.scale", Sentence::tr("Scales of the streams' weights"), Sentence::tr("One value per kind of weight."),
        kHyper},
    {"latent_down.weight", Sentence::tr("Projection into the experts' latent"),
        Sentence::tr("From h to the width at which experts see a token."), kLatentExperts},
    {"latent_up.weight", Sentence::tr("Projection out of the experts' latent"),
        Sentence::tr("From the width at which experts see a token back to h."), kLatentExperts},
    {"shared.gate.weight", Sentence::tr("Gate of the shared experts"), Sentence::tr("From h to one value."),
        "transformers, models/qwen3_next/modeling_qwen3_next.py"},
});

} // namespace

std::span<const CatalogueEntry> layerTerms() { return kLayerTerms; }
std::span<const CatalogueEntry> layerEvents() { return kLayerEvents; }
std::span<const CatalogueEntry> layerWeights() { return kLayerWeights; }

} // namespace cardfit::catalogue
