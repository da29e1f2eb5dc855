// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/choices.h"

#include <algorithm>
#include <array>

namespace cardfit {

namespace {

constexpr auto kGenerationNames = [] {
    std::array<EnumName<Generation>, kGenerations.size()> words{};
    std::ranges::transform(kGenerations, words.begin(), [](const GenerationTraits& row) {
        return EnumName<Generation>{row.generation, row.word};
    });
    return words;
}();
static_assert(isComplete(kGenerationNames));

// One row per enumerator: how the plan file spells it, what the window calls it, and a sentence about it.
constexpr auto kNormNames = std::to_array<EnumName<Norm>>({
    {Norm::RmsNorm, "rmsnorm"},
    {Norm::LayerNorm, "layernorm"},
});
static_assert(isComplete(kNormNames));
constexpr auto kPositionEmbeddingNames = std::to_array<EnumName<PositionEmbedding>>({
    {PositionEmbedding::Rope, "rope"},
    {PositionEmbedding::Learned, "learned"},
    {PositionEmbedding::Alibi, "alibi"},
});
static_assert(isComplete(kPositionEmbeddingNames));
constexpr auto kTaskNames = std::to_array<EnumName<Task>>({
    {Task::Pretrain, "pretrain", Sentence::tr("Pretraining"),
        Sentence::tr("All weights are trained, on the tokens of a whole run.")},
    {Task::Finetune, "finetune", Sentence::tr("All weights"),
        Sentence::tr("All weights are trained further, each with its gradient and optimizer states.")},
    {Task::Lora, "lora", Sentence::tr("LoRA"),
        Sentence::tr("Small adapters are trained; the 16-bit weights are frozen.")},
    {Task::Qlora, "qlora", Sentence::tr("QLoRA"),
        Sentence::tr("Small adapters are trained; the 4-bit weights are frozen.")},
    {Task::Inference, "inference", Sentence::tr("Serving"),
        Sentence::tr("The model answers requests; nothing is trained.")},
});
static_assert(isComplete(kTaskNames));
constexpr auto kFrameworkNames = std::to_array<EnumName<Framework>>({
    {Framework::Megatron, "megatron", Sentence::tr("Megatron-LM"),
        Sentence::tr("Megatron-Core's layers, optimizer and pipeline.")},
    {Framework::DeepSpeed, "deepspeed", Sentence::tr("DeepSpeed"),
        Sentence::tr("ZeRO with its buckets and offloading, around the model's own code.")},
    {Framework::Fsdp, "fsdp", Sentence::tr("PyTorch FSDP"),
        Sentence::tr("FSDP2 and PyTorch's own parallelism, as torchtitan and torchtune use them.")},
});
static_assert(isComplete(kFrameworkNames));
constexpr auto kEngineNames = std::to_array<EnumName<Engine>>({
    {Engine::Vllm, "vllm", Sentence::tr("vLLM"), Sentence::tr("vLLM's engine and its admission of requests.")},
    {Engine::Sglang, "sglang", Sentence::tr("SGLang"), Sentence::tr("SGLang's engine and its admission of requests.")},
    {Engine::TensorRtLlm, "tensorrt-llm", Sentence::tr("TensorRT-LLM"),
        Sentence::tr("NVIDIA's engine; its cache gets a share of the memory that weights leave.")},
});
static_assert(isComplete(kEngineNames));
constexpr auto kKernelsNames = std::to_array<EnumName<Kernels>>({
    {Kernels::TransformerEngine, "transformer-engine", Sentence::tr("Transformer Engine"),
        Sentence::tr("NVIDIA's fused layers, which keep few tensors and know fp8.")},
    {Kernels::MegatronLocal, "megatron-local", Sentence::tr("Megatron local"),
        Sentence::tr("Megatron-LM's own layers, one kernel after the other.")},
    {Kernels::Compiled, "compiled", Sentence::tr("Compiled"),
        Sentence::tr("torch.compile fuses the operations between matrix products.")},
    {Kernels::Eager, "eager", Sentence::tr("Eager"),
        Sentence::tr("PyTorch runs every operation by itself and keeps what each needs.")},
});
static_assert(isComplete(kKernelsNames));
constexpr auto kPrecisionNames = std::to_array<EnumName<Precision>>({
    {Precision::Fp32, "fp32", Sentence::tr("fp32"), Sentence::tr("Everything is stored and multiplied in 32 bits.")},
    {Precision::Bf16, "bf16", Sentence::tr("bf16"),
        Sentence::tr("Products in bf16, master weights and optimizer states in fp32.")},
    {Precision::Fp16, "fp16", Sentence::tr("fp16"),
        Sentence::tr("Products in fp16 with a scaled loss, master weights in fp32.")},
    {Precision::Fp8, "fp8", Sentence::tr("fp8"), Sentence::tr("Products in fp8 with one scale for a tensor.")},
    {Precision::Mxfp8, "mxfp8", Sentence::tr("mxfp8"),
        Sentence::tr("Products in fp8 with a scale for every 32 values.")},
    {Precision::Nvfp4, "nvfp4", Sentence::tr("nvfp4"),
        Sentence::tr("Products in 4 bits with a scale for every 16 values.")},
    {Precision::Bf16Pure, "bf16-pure", Sentence::tr("bf16 only"),
        Sentence::tr("Weights, gradients and optimizer states are all in bf16.")},
    {Precision::Int8, "int8", Sentence::tr("int8"), Sentence::tr("Stored in 8 bits, multiplied as the card can.")},
    {Precision::Mxfp4, "mxfp4", Sentence::tr("mxfp4"),
        Sentence::tr("Stored in 4 bits with a scale for every 32 values; for serving.")},
    {Precision::Nf4, "nf4", Sentence::tr("nf4"),
        Sentence::tr("Stored in bitsandbytes' 4 bits, multiplied in 16; for serving.")},
});
static_assert(isComplete(kPrecisionNames));
constexpr auto kGradientPrecisionNames = std::to_array<EnumName<GradientPrecision>>({
    {GradientPrecision::Fp32, "fp32", Sentence::tr("fp32"),
        Sentence::tr("Gradients add up and are exchanged in 32 bits.")},
    {GradientPrecision::Bf16, "bf16", Sentence::tr("bf16"),
        Sentence::tr("Gradients add up and are exchanged in bf16: half the memory.")},
    {GradientPrecision::Fp16, "fp16", Sentence::tr("fp16"),
        Sentence::tr("Gradients add up and are exchanged in fp16.")},
});
static_assert(isComplete(kGradientPrecisionNames));
constexpr auto kOptimizerNames = std::to_array<EnumName<Optimizer>>({
    {Optimizer::Adam, "adam", Sentence::tr("Adam"), Sentence::tr("Two running averages of each weight's gradient.")},
    {Optimizer::AdamW8Bit, "adamw-8bit", Sentence::tr("AdamW, 8-bit (torchao)"),
        Sentence::tr("Adam whose averages are stored in 8 bits by torchao.")},
    {Optimizer::Sgd, "sgd", Sentence::tr("SGD"), Sentence::tr("No states: each weight follows its gradient.")},
    {Optimizer::Momentum, "momentum", Sentence::tr("SGD with momentum"),
        Sentence::tr("One running average of each weight's gradient.")},
    {Optimizer::Adafactor, "adafactor", Sentence::tr("Adafactor"),
        Sentence::tr("Averages of rows and columns instead of every weight.")},
    {Optimizer::Lion, "lion", Sentence::tr("Lion"), Sentence::tr("One running average; only its sign is used.")},
    {Optimizer::Muon, "muon", Sentence::tr("Muon"),
        Sentence::tr("Momentum made orthogonal for matrices, Adam for the rest.")},
    {Optimizer::Adam8Bit, "adam8bit", Sentence::tr("Adam, 8-bit"),
        Sentence::tr("Adam whose averages are stored in 8 bits by bitsandbytes.")},
    {Optimizer::PagedAdam8Bit, "paged-adam8bit", Sentence::tr("Paged Adam, 8-bit"),
        Sentence::tr("The same, in memory that moves to the host when the card is full.")},
    {Optimizer::PagedAdam, "paged-adam", Sentence::tr("Paged Adam"),
        Sentence::tr("Adam in memory that moves to the host when the card is full.")},
    {Optimizer::Adam4Bit, "adam4bit", Sentence::tr("AdamW, 4-bit (torchao)"),
        Sentence::tr("Adam whose averages are stored in 4 bits by torchao.")},
    {Optimizer::AdamMini, "adam-mini", Sentence::tr("Adam-mini"),
        Sentence::tr("Adam with one average of squares for each block of weights.")},
    {Optimizer::NorMuon, "normuon", Sentence::tr("NorMuon"),
        Sentence::tr("Muon whose rows are scaled by an average of their squares.")},
    {Optimizer::Dion, "dion", Sentence::tr("Dion"),
        Sentence::tr("Momentum made orthogonal at a quarter of a matrix's rank, Adam for the rest.")},
    {Optimizer::Soap, "soap", Sentence::tr("SOAP"),
        Sentence::tr("Adam in the eigenbasis of Shampoo's two matrices for every weight matrix.")},
    {Optimizer::Shampoo, "shampoo", Sentence::tr("Shampoo"),
        Sentence::tr("Two matrices and their inverse roots for every block of 1,024 x 1,024 weights.")},
    {Optimizer::GaLore, "galore", Sentence::tr("GaLore"),
        Sentence::tr("Adam of gradients that are projected to rank 128.")},
    {Optimizer::Apollo, "apollo", Sentence::tr("APOLLO"),
        Sentence::tr("One rate for each channel, from Adam of gradients that are projected at random to rank 256.")},
});
static_assert(isComplete(kOptimizerNames));
constexpr auto kMomentPrecisionNames = std::to_array<EnumName<MomentPrecision>>({
    {MomentPrecision::Fp32, "fp32", Sentence::tr("fp32"), Sentence::tr("Adam's averages in 32 bits.")},
    {MomentPrecision::Bf16, "bf16", Sentence::tr("bf16"), Sentence::tr("Adam's averages in bf16.")},
    {MomentPrecision::Fp16, "fp16", Sentence::tr("fp16"), Sentence::tr("Adam's averages in fp16.")},
    {MomentPrecision::Fp8, "fp8", Sentence::tr("fp8"), Sentence::tr("Adam's averages in fp8.")},
});
static_assert(isComplete(kMomentPrecisionNames));
constexpr auto kShardingNames = std::to_array<EnumName<Sharding>>({
    {Sharding::None, "none", Sentence::tr("None"),
        Sentence::tr("Every replica holds all weights, gradients and optimizer states.")},
    {Sharding::Zero1, "zero1", Sentence::tr("ZeRO-1"), Sentence::tr("Replicas share the optimizer states among them.")},
    {Sharding::Zero2, "zero2", Sentence::tr("ZeRO-2"), Sentence::tr("Replicas share optimizer states and gradients.")},
    {Sharding::Zero3, "zero3", Sentence::tr("ZeRO-3"),
        Sentence::tr("Replicas share weights as well, and gather each layer when it is needed.")},
});
static_assert(isComplete(kShardingNames));
constexpr auto kAttentionNames = std::to_array<EnumName<Attention>>({
    {Attention::Fused, "fused", Sentence::tr("Fused (cuDNN)"),
        Sentence::tr("cuDNN's kernel: scores are never stored.")},
    {Attention::Flash2, "flash2", Sentence::tr("FlashAttention 2"),
        Sentence::tr("Scores are computed in tiles and never stored.")},
    {Attention::Unfused, "unfused", Sentence::tr("Unfused"), Sentence::tr("Scores of all pairs of tokens are stored.")},
    {Attention::Flash3, "flash3", Sentence::tr("FlashAttention 3"),
        Sentence::tr("The same tiles, in kernels written for Hopper.")},
});
static_assert(isComplete(kAttentionNames));
constexpr auto kLossNames = std::to_array<EnumName<Loss>>({
    {Loss::Fused, "fused", Sentence::tr("Fused (Transformer Engine)"),
        Sentence::tr("One kernel that computes in place on the logits.")},
    {Loss::FusedNative, "fused-native", Sentence::tr("Fused (Megatron)"),
        Sentence::tr("Megatron-LM's own fusion: fewer copies of the logits.")},
    {Loss::Unfused, "unfused", Sentence::tr("Unfused"),
        Sentence::tr("Each operation on the logits has a copy of its own.")},
    {Loss::Compiled, "compiled", Sentence::tr("Compiled"),
        Sentence::tr("torch.compile fuses the operations on the logits.")},
    {Loss::ChunkedLogits, "chunked-logits", Sentence::tr("Logits in chunks"),
        Sentence::tr("The loss is computed a piece of the logits at a time.")},
    {Loss::ChunkedHidden, "chunked-hidden", Sentence::tr("Head and loss in chunks"),
        Sentence::tr("Logits are made and used a piece at a time: never all of them.")},
});
static_assert(isComplete(kLossNames));
constexpr std::array<EnumName<Loss>, 1> kOlderLossNames{{{Loss::ChunkedHidden, "chunked"}}};
constexpr auto kGradientSyncNames = std::to_array<EnumName<GradientSync>>({
    {GradientSync::Every, "every", Sentence::tr("Every micro-batch"),
        Sentence::tr("Gradients are reduced after each micro-batch: little memory, more traffic.")},
    {GradientSync::Last, "last", Sentence::tr("The last micro-batch"),
        Sentence::tr("Gradients add up and are reduced once a step.")},
});
static_assert(isComplete(kGradientSyncNames));
constexpr auto kQuantizerNames = std::to_array<EnumName<Quantizer>>({
    {Quantizer::Bitsandbytes, "bitsandbytes", Sentence::tr("bitsandbytes"),
        Sentence::tr("NF4 by bitsandbytes since 0.44.")},
    {Quantizer::Bitsandbytes043, "bitsandbytes-0.43", Sentence::tr("bitsandbytes up to 0.43"),
        Sentence::tr("NF4 by older versions, which also keep the inputs of frozen products.")},
    {Quantizer::Torchao, "torchao", Sentence::tr("torchao"), Sentence::tr("NF4 by torchao, as torchtune uses it.")},
    {Quantizer::BitsandbytesInt8, "bitsandbytes-int8", Sentence::tr("bitsandbytes, int8"),
        Sentence::tr("LLM.int8: one byte a weight; the inputs of frozen products are kept.")},
});
static_assert(isComplete(kQuantizerNames));
constexpr auto kRecomputeGranularityNames = std::to_array<EnumName<RecomputeGranularity>>({
    {RecomputeGranularity::None, "none", Sentence::tr("Nothing"),
        Sentence::tr("All activations are kept for the backward pass.")},
    {RecomputeGranularity::Selective, "selective", Sentence::tr("Selected modules"),
        Sentence::tr("Modules with much memory and little work run again in the backward pass.")},
    {RecomputeGranularity::Full, "full", Sentence::tr("Whole layers"),
        Sentence::tr("Only the inputs of layers are kept; each layer runs again before its backward pass.")},
});
static_assert(isComplete(kRecomputeGranularityNames));
constexpr auto kRecomputeMethodNames = std::to_array<EnumName<RecomputeMethod>>({
    {RecomputeMethod::Uniform, "uniform", Sentence::tr("Groups of layers"),
        Sentence::tr("All layers run again, a group at a time from its input.")},
    {RecomputeMethod::Block, "block", Sentence::tr("First layers of a chunk"),
        Sentence::tr("Only the given number of layers of each chunk run again.")},
});
static_assert(isComplete(kRecomputeMethodNames));
constexpr auto kRecomputeModuleNames = std::to_array<EnumName<RecomputeModule>>({
    {RecomputeModule::CoreAttn, "core_attn", Sentence::tr("Attention core"),
        Sentence::tr("Scores and their product with the values.")},
    {RecomputeModule::LayerNorm, "layernorm", Sentence::tr("Norms"), Sentence::tr("The normalizations of a layer.")},
    {RecomputeModule::Mlp, "mlp", Sentence::tr("MLP"), Sentence::tr("The whole MLP of a dense layer.")},
    {RecomputeModule::MoeAct, "moe_act", Sentence::tr("Experts' activation"),
        Sentence::tr("The function between the experts' two products.")},
    {RecomputeModule::Moe, "moe", Sentence::tr("Experts"),
        Sentence::tr("The whole layer of experts, its exchange of tokens included.")},
    {RecomputeModule::SharedExperts, "shared_experts", Sentence::tr("Shared experts"),
        Sentence::tr("Experts that every token visits.")},
    {RecomputeModule::MlaUpProj, "mla_up_proj", Sentence::tr("Latent projections"),
        Sentence::tr("The products that make queries, keys and values from latents.")},
    {RecomputeModule::Mhc, "mhc", Sentence::tr("Hyper-connections"),
        Sentence::tr("The residual's streams, and what sums and mixes them.")},
});
static_assert(isComplete(kRecomputeModuleNames));
constexpr auto kDispatcherNames = std::to_array<EnumName<Dispatcher>>({
    {Dispatcher::AllToAll, "alltoall", Sentence::tr("All-to-all"),
        Sentence::tr("Each token is sent to the cards of its experts.")},
    {Dispatcher::AllGather, "allgather", Sentence::tr("All-gather"),
        Sentence::tr("Every card gathers all tokens and keeps those of its experts.")},
    {Dispatcher::DeepEp, "deepep", Sentence::tr("DeepEP"),
        Sentence::tr("DeepSeek's kernels, which send a token once to each node.")},
    {Dispatcher::HybridEp, "hybridep", Sentence::tr("HybridEP"),
        Sentence::tr("NVIDIA's kernels for fast networks between many nodes.")},
});
static_assert(isComplete(kDispatcherNames));
constexpr std::array<EnumName<Dispatcher>, 1> kOlderDispatcherNames{{{Dispatcher::DeepEp, "flex"}}};
constexpr auto kCudaGraphNames = std::to_array<EnumName<CudaGraph>>({
    {CudaGraph::None, "none", Sentence::tr("Nothing"), Sentence::tr("The host launches every kernel.")},
    {CudaGraph::Attention, "attention", Sentence::tr("Attention"),
        Sentence::tr("Attention is replayed as a recorded graph.")},
    {CudaGraph::Router, "router", Sentence::tr("Router"), Sentence::tr("The experts' router is replayed.")},
    {CudaGraph::AttentionRouter, "attention+router", Sentence::tr("Attention and router"),
        Sentence::tr("Both are replayed; the experts' products are launched.")},
    {CudaGraph::Layer, "layer", Sentence::tr("Whole layers"), Sentence::tr("Each layer is replayed as one graph.")},
    {CudaGraph::FullIteration, "full_iteration", Sentence::tr("The whole step"),
        Sentence::tr("One graph for all of a step.")},
});
static_assert(isComplete(kCudaGraphNames));
constexpr auto kContextCommunicationNames = std::to_array<EnumName<ContextCommunication>>({
    {ContextCommunication::P2p, "p2p", Sentence::tr("Ring"),
        Sentence::tr("Keys and values go around from card to card while attention works.")},
    {ContextCommunication::A2a, "a2a", Sentence::tr("All-to-all (Ulysses)"),
        Sentence::tr("Cards exchange heads for tokens before attention and back after it.")},
    {ContextCommunication::AllGather, "all_gather", Sentence::tr("All-gather"),
        Sentence::tr("Every card gathers all keys and values first.")},
});
static_assert(isComplete(kContextCommunicationNames));
constexpr auto kLayerBalanceNames = std::to_array<EnumName<LayerBalance>>({
    {LayerBalance::Time, "time"},
    {LayerBalance::Memory, "memory"},
});
static_assert(isComplete(kLayerBalanceNames));
constexpr auto kLinearAttentionRuleNames = std::to_array<EnumName<LinearAttentionRule>>({
    {LinearAttentionRule::GatedDeltaNet, "gated_delta_net"},
    {LinearAttentionRule::KimiDelta, "kda"},
});
static_assert(isComplete(kLinearAttentionRuleNames));
constexpr auto kLayerTypeNames = std::to_array<EnumName<LayerType>>({
    {LayerType::FullAttention, "full_attention"},
    {LayerType::SlidingAttention, "sliding_attention"},
    {LayerType::LinearAttention, "linear_attention"},
    {LayerType::Conv, "conv"},
    {LayerType::CompressedSparseAttention, "compressed_sparse_attention"},
    {LayerType::HeavilyCompressedAttention, "heavily_compressed_attention"},
});
static_assert(isComplete(kLayerTypeNames));
constexpr auto kRankOrderNames = std::to_array<EnumName<RankOrder>>({
    {RankOrder::DataBeforePipeline, "tp-cp-ep-dp-pp"},
    {RankOrder::PipelineBeforeData, "tp-cp-ep-pp-dp"},
});
static_assert(isComplete(kRankOrderNames));
constexpr auto kOptimizerImplementationNames = std::to_array<EnumName<OptimizerImplementation>>({
    {OptimizerImplementation::Fused, "fused", Sentence::tr("Fused"),
        Sentence::tr("One kernel reads and writes everything that belongs to a weight.")},
    {OptimizerImplementation::Foreach, "foreach", Sentence::tr("Lists of tensors"),
        Sentence::tr("Each operation runs over all weights before the next one; one more copy of them is held.")},
    {OptimizerImplementation::ForLoop, "for-loop", Sentence::tr("Tensor by tensor"),
        Sentence::tr("Each weight is updated by operations of its own.")},
});
static_assert(isComplete(kOptimizerImplementationNames));
constexpr auto kAdapterTargetNames = std::to_array<EnumName<AdapterTarget>>({
    {AdapterTarget::LinearQkv, "linear_qkv"},
    {AdapterTarget::LinearProj, "linear_proj"},
    {AdapterTarget::LinearFc1, "linear_fc1"},
    {AdapterTarget::LinearFc2, "linear_fc2"},
    {AdapterTarget::QProj, "q_proj"},
    {AdapterTarget::KProj, "k_proj"},
    {AdapterTarget::VProj, "v_proj"},
    {AdapterTarget::LmHead, "lm_head"},
    {AdapterTarget::GateProj, "gate_proj"},
    {AdapterTarget::UpProj, "up_proj"},
    {AdapterTarget::AllLinear, "all-linear"},
});
static_assert(isComplete(kAdapterTargetNames));
/// PEFT's words for what Megatron's already name.
constexpr auto kOtherTargetNames = std::to_array<EnumName<AdapterTarget>>({
    {AdapterTarget::LinearProj, "o_proj"},
    {AdapterTarget::LinearFc2, "down_proj"},
});

} // namespace

template <> std::span<const EnumName<Generation>> names() { return kGenerationNames; }
template <> std::span<const EnumName<Norm>> names() { return kNormNames; }
template <> std::span<const EnumName<PositionEmbedding>> names() { return kPositionEmbeddingNames; }
template <> std::span<const EnumName<Task>> names() { return kTaskNames; }
template <> std::span<const EnumName<Framework>> names() { return kFrameworkNames; }
template <> std::span<const EnumName<Engine>> names() { return kEngineNames; }
template <> std::span<const EnumName<Kernels>> names() { return kKernelsNames; }
template <> std::span<const EnumName<Precision>> names() { return kPrecisionNames; }
template <> std::span<const EnumName<GradientPrecision>> names() { return kGradientPrecisionNames; }
template <> std::span<const EnumName<Optimizer>> names() { return kOptimizerNames; }
template <> std::span<const EnumName<MomentPrecision>> names() { return kMomentPrecisionNames; }
template <> std::span<const EnumName<Sharding>> names() { return kShardingNames; }
template <> std::span<const EnumName<Attention>> names() { return kAttentionNames; }
template <> std::span<const EnumName<Loss>> names() { return kLossNames; }
template <> std::span<const EnumName<RecomputeGranularity>> names() { return kRecomputeGranularityNames; }
template <> std::span<const EnumName<RecomputeMethod>> names() { return kRecomputeMethodNames; }
template <> std::span<const EnumName<RecomputeModule>> names() { return kRecomputeModuleNames; }
template <> std::span<const EnumName<Dispatcher>> names() { return kDispatcherNames; }
template <> std::span<const EnumName<CudaGraph>> names() { return kCudaGraphNames; }
template <> std::span<const EnumName<ContextCommunication>> names() { return kContextCommunicationNames; }
template <> std::span<const EnumName<LayerBalance>> names() { return kLayerBalanceNames; }
template <> std::span<const EnumName<LinearAttentionRule>> names() { return kLinearAttentionRuleNames; }
template <> std::span<const EnumName<LayerType>> names() { return kLayerTypeNames; }
template <> std::span<const EnumName<RankOrder>> names() { return kRankOrderNames; }
template <> std::span<const EnumName<AdapterTarget>> names() { return kAdapterTargetNames; }
template <> std::span<const EnumName<GradientSync>> names() { return kGradientSyncNames; }
template <> std::span<const EnumName<Quantizer>> names() { return kQuantizerNames; }
template <> std::span<const EnumName<OptimizerImplementation>> names() { return kOptimizerImplementationNames; }
template <> std::span<const EnumName<Loss>> olderNames() { return kOlderLossNames; }
template <> std::span<const EnumName<AdapterTarget>> olderNames() { return kOtherTargetNames; }
template <> std::span<const EnumName<Dispatcher>> olderNames() { return kOlderDispatcherNames; }

} // namespace cardfit
