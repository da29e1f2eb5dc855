// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/names.h"

#include <array>

namespace cardfit {

namespace {

/// The words of a table whose rows have more columns.
template <class Enum, class Row, std::size_t kSize>
constexpr std::array<EnumName<Enum>, kSize> wordsOf(const std::array<Row, kSize>& rows, Enum Row::*value)
{
    std::array<EnumName<Enum>, kSize> words{};
    for (std::size_t i = 0; i < kSize; ++i)
        words[i] = {rows[i].*value, rows[i].word};
    return words;
}
constexpr auto kGenerationNames = wordsOf(kGenerations, &GenerationTraits::generation);

// One word per enumerator, as the plan file spells it.
constexpr std::array<EnumName<Norm>, 2> kNormNames{{
    {Norm::RmsNorm, "rmsnorm"},
    {Norm::LayerNorm, "layernorm"},
}};
constexpr std::array<EnumName<PositionEmbedding>, 3> kPositionEmbeddingNames{{
    {PositionEmbedding::Rope, "rope"},
    {PositionEmbedding::Learned, "learned"},
    {PositionEmbedding::Alibi, "alibi"},
}};
constexpr std::array<EnumName<Task>, 5> kTaskNames{{
    {Task::Pretrain, "pretrain"},
    {Task::Finetune, "finetune"},
    {Task::Lora, "lora"},
    {Task::Qlora, "qlora"},
    {Task::Inference, "inference"},
}};
constexpr std::array<EnumName<Framework>, 3> kFrameworkNames{{
    {Framework::Megatron, "megatron"},
    {Framework::DeepSpeed, "deepspeed"},
    {Framework::Fsdp, "fsdp"},
}};
constexpr std::array<EnumName<Kernels>, 4> kKernelsNames{{
    {Kernels::TransformerEngine, "transformer-engine"},
    {Kernels::MegatronLocal, "megatron-local"},
    {Kernels::Compiled, "compiled"},
    {Kernels::Eager, "eager"},
}};
constexpr std::array<EnumName<Precision>, 10> kPrecisionNames{{
    {Precision::Fp32, "fp32"},
    {Precision::Bf16, "bf16"},
    {Precision::Fp16, "fp16"},
    {Precision::Fp8, "fp8"},
    {Precision::Mxfp8, "mxfp8"},
    {Precision::Nvfp4, "nvfp4"},
    {Precision::Bf16Pure, "bf16-pure"},
    {Precision::Int8, "int8"},
    {Precision::Mxfp4, "mxfp4"},
    {Precision::Nf4, "nf4"},
}};
constexpr std::array<EnumName<GradientPrecision>, 3> kGradientPrecisionNames{{
    {GradientPrecision::Fp32, "fp32"},
    {GradientPrecision::Bf16, "bf16"},
    {GradientPrecision::Fp16, "fp16"},
}};
constexpr std::array<EnumName<Optimizer>, 11> kOptimizerNames{{
    {Optimizer::Adam, "adam"},
    {Optimizer::AdamW8Bit, "adamw-8bit"},
    {Optimizer::Sgd, "sgd"},
    {Optimizer::Momentum, "momentum"},
    {Optimizer::Adafactor, "adafactor"},
    {Optimizer::Lion, "lion"},
    {Optimizer::Muon, "muon"},
    {Optimizer::Adam8Bit, "adam8bit"},
    {Optimizer::PagedAdam8Bit, "paged-adam8bit"},
    {Optimizer::PagedAdam, "paged-adam"},
    {Optimizer::Adam4Bit, "adam4bit"},
}};
constexpr std::array<EnumName<MomentPrecision>, 4> kMomentPrecisionNames{{
    {MomentPrecision::Fp32, "fp32"},
    {MomentPrecision::Bf16, "bf16"},
    {MomentPrecision::Fp16, "fp16"},
    {MomentPrecision::Fp8, "fp8"},
}};
constexpr std::array<EnumName<Sharding>, 4> kShardingNames{{
    {Sharding::None, "none"},
    {Sharding::Zero1, "zero1"},
    {Sharding::Zero2, "zero2"},
    {Sharding::Zero3, "zero3"},
}};
constexpr std::array<EnumName<Attention>, 3> kAttentionNames{{
    {Attention::Fused, "fused"},
    {Attention::Flash2, "flash2"},
    {Attention::Unfused, "unfused"},
}};
constexpr std::array<EnumName<Loss>, 6> kLossNames{{
    {Loss::Fused, "fused"},
    {Loss::FusedNative, "fused-native"},
    {Loss::Unfused, "unfused"},
    {Loss::Compiled, "compiled"},
    {Loss::ChunkedLogits, "chunked-logits"},
    {Loss::ChunkedHidden, "chunked-hidden"},
}};
constexpr std::array<EnumName<Loss>, 1> kOlderLossNames{{{Loss::ChunkedHidden, "chunked"}}};
constexpr std::array<EnumName<GradientSync>, 2> kGradientSyncNames{{
    {GradientSync::Every, "every"},
    {GradientSync::Last, "last"},
}};
constexpr std::array<EnumName<Quantizer>, 4> kQuantizerNames{{
    {Quantizer::Bitsandbytes, "bitsandbytes"},
    {Quantizer::Bitsandbytes043, "bitsandbytes-0.43"},
    {Quantizer::Torchao, "torchao"},
    {Quantizer::BitsandbytesInt8, "bitsandbytes-int8"},
}};
constexpr std::array<EnumName<RecomputeGranularity>, 3> kRecomputeGranularityNames{{
    {RecomputeGranularity::None, "none"},
    {RecomputeGranularity::Selective, "selective"},
    {RecomputeGranularity::Full, "full"},
}};
constexpr std::array<EnumName<RecomputeMethod>, 2> kRecomputeMethodNames{{
    {RecomputeMethod::Uniform, "uniform"},
    {RecomputeMethod::Block, "block"},
}};
constexpr std::array<EnumName<RecomputeModule>, 8> kRecomputeModuleNames{{
    {RecomputeModule::CoreAttn, "core_attn"},
    {RecomputeModule::LayerNorm, "layernorm"},
    {RecomputeModule::Mlp, "mlp"},
    {RecomputeModule::MoeAct, "moe_act"},
    {RecomputeModule::Moe, "moe"},
    {RecomputeModule::SharedExperts, "shared_experts"},
    {RecomputeModule::MlaUpProj, "mla_up_proj"},
    {RecomputeModule::Mhc, "mhc"},
}};
constexpr std::array<EnumName<Dispatcher>, 4> kDispatcherNames{{
    {Dispatcher::AllToAll, "alltoall"},
    {Dispatcher::AllGather, "allgather"},
    {Dispatcher::DeepEp, "deepep"},
    {Dispatcher::HybridEp, "hybridep"},
}};
constexpr std::array<EnumName<Dispatcher>, 1> kOlderDispatcherNames{{{Dispatcher::DeepEp, "flex"}}};
constexpr std::array<EnumName<CudaGraph>, 6> kCudaGraphNames{{
    {CudaGraph::None, "none"},
    {CudaGraph::Attention, "attention"},
    {CudaGraph::Router, "router"},
    {CudaGraph::AttentionRouter, "attention+router"},
    {CudaGraph::Layer, "layer"},
    {CudaGraph::FullIteration, "full_iteration"},
}};
constexpr std::array<EnumName<ContextCommunication>, 3> kContextCommunicationNames{{
    {ContextCommunication::P2p, "p2p"},
    {ContextCommunication::A2a, "a2a"},
    {ContextCommunication::AllGather, "all_gather"},
}};
constexpr std::array<EnumName<LayerBalance>, 2> kLayerBalanceNames{{
    {LayerBalance::Time, "time"},
    {LayerBalance::Memory, "memory"},
}};
constexpr std::array<EnumName<LinearAttentionRule>, 2> kLinearAttentionRuleNames{{
    {LinearAttentionRule::GatedDeltaNet, "gated_delta_net"},
    {LinearAttentionRule::KimiDelta, "kda"},
}};
constexpr std::array<EnumName<LayerType>, 6> kLayerTypeNames{{
    {LayerType::FullAttention, "full_attention"},
    {LayerType::SlidingAttention, "sliding_attention"},
    {LayerType::LinearAttention, "linear_attention"},
    {LayerType::Conv, "conv"},
    {LayerType::CompressedSparseAttention, "compressed_sparse_attention"},
    {LayerType::HeavilyCompressedAttention, "heavily_compressed_attention"},
}};
constexpr std::array<EnumName<RankOrder>, 2> kRankOrderNames{{
    {RankOrder::DataBeforePipeline, "tp-cp-ep-dp-pp"},
    {RankOrder::PipelineBeforeData, "tp-cp-ep-pp-dp"},
}};
constexpr std::array<EnumName<AdapterTarget>, 8> kAdapterTargetNames{{
    {AdapterTarget::LinearQkv, "linear_qkv"},
    {AdapterTarget::LinearProj, "linear_proj"},
    {AdapterTarget::LinearFc1, "linear_fc1"},
    {AdapterTarget::LinearFc2, "linear_fc2"},
    {AdapterTarget::QProj, "q_proj"},
    {AdapterTarget::KProj, "k_proj"},
    {AdapterTarget::VProj, "v_proj"},
    {AdapterTarget::LmHead, "lm_head"},
}};

} // namespace

template <> std::span<const EnumName<Generation>> names() { return kGenerationNames; }
template <> std::span<const EnumName<Norm>> names() { return kNormNames; }
template <> std::span<const EnumName<PositionEmbedding>> names() { return kPositionEmbeddingNames; }
template <> std::span<const EnumName<Task>> names() { return kTaskNames; }
template <> std::span<const EnumName<Framework>> names() { return kFrameworkNames; }
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
template <> std::span<const EnumName<Loss>> olderNames() { return kOlderLossNames; }
template <> std::span<const EnumName<Dispatcher>> olderNames() { return kOlderDispatcherNames; }

} // namespace cardfit
