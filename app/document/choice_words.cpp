// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/choice_words.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>

#include "core/plan/edit.h"
#include "core/plan/field_table.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::ChoiceWords)
};

constexpr std::array<ChoiceWords, 5> kTaskWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Pretraining"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All weights are trained, on the tokens of a whole run.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All weights"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords",
            "All weights are trained further, each with its gradient and optimizer states.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "LoRA"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Small adapters are trained beside frozen 16-bit weights.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "QLoRA"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Small adapters are trained beside frozen 4-bit weights.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Serving"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The model answers requests; nothing is trained.")},
}};
constexpr std::array<ChoiceWords, 3> kFrameworkWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Megatron-LM"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Megatron-Core's layers, optimizer and pipeline.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "DeepSpeed"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "ZeRO with its buckets and offloading, beside the model's own code.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "PyTorch FSDP"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "FSDP2 and PyTorch's own parallelism, as torchtitan and torchtune use them.")},
}};
constexpr std::array<ChoiceWords, 4> kKernelsWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Transformer Engine"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "NVIDIA's fused layers, which keep few tensors and know fp8.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Megatron local"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Megatron-LM's own layers, one kernel after the other.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Compiled"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "torch.compile fuses what stands between the products.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Eager"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "PyTorch runs every operation by itself and keeps what each needs.")},
}};
constexpr std::array<ChoiceWords, 10> kPrecisionWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp32"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Everything is stored and multiplied in 32 bits.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "bf16"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Products in bf16, master weights and optimizer states in fp32.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp16"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Products in fp16 with a scaled loss, master weights in fp32.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp8"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Products in fp8 with one scale for a tensor.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "mxfp8"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Products in fp8 with a scale for every 32 values.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "nvfp4"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Products in 4 bits with a scale for every 16 values.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "bf16 only"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Weights, gradients and optimizer states are all in bf16.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "int8"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Stored in 8 bits, multiplied as the card can.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "mxfp4"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Stored in 4 bits with a scale for every 32 values; for serving.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "nf4"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Stored in bitsandbytes' 4 bits, multiplied in 16; for serving.")},
}};
constexpr std::array<ChoiceWords, 3> kGradientPrecisionWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp32"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Gradients add up and are exchanged in 32 bits.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "bf16"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Gradients add up and are exchanged in bf16: half the memory.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp16"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Gradients add up and are exchanged in fp16.")},
}};
constexpr std::array<ChoiceWords, 11> kOptimizerWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Two running averages of each weight's gradient.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "AdamW, 8-bit (torchao)"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam whose averages are stored in 8 bits by torchao.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "SGD"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "No states: each weight follows its gradient.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "SGD with momentum"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "One running average of each weight's gradient.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adafactor"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Averages of rows and columns instead of every weight.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Lion"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "One running average, of which only the sign is used.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Muon"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Momentum made orthogonal for matrices, Adam for the rest.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam, 8-bit"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam whose averages are stored in 8 bits by bitsandbytes.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Paged Adam, 8-bit"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "The same, in memory that moves to the host when the card is full.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Paged Adam"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam in memory that moves to the host when the card is full.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "AdamW, 4-bit (torchao)"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam whose averages are stored in 4 bits by torchao.")},
}};
constexpr std::array<ChoiceWords, 4> kMomentPrecisionWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp32"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam's averages in 32 bits.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "bf16"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam's averages in bf16.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp16"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam's averages in fp16.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "fp8"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Adam's averages in fp8.")},
}};
constexpr std::array<ChoiceWords, 4> kShardingWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "None"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Every replica holds all weights, gradients and optimizer states.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "ZeRO-1"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Replicas share the optimizer states among them.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "ZeRO-2"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Replicas share optimizer states and gradients.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "ZeRO-3"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Replicas share weights as well, and gather each layer when it is needed.")},
}};
constexpr std::array<ChoiceWords, 16> kScheduleWords{{
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Each micro-batch passes all stages before the next one begins.")},
    {"",
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords",
            "All forward passes, then all backward passes: activations of every micro-batch are kept.")},
    {"", QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "As GPipe, with the last micro-batch going back first.")},
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "After a warm-up each stage alternates one forward and one backward pass.")},
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "1F1B with more passes in flight, so that transfers are hidden.")},
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "1F1B that never drains: weights are updated between micro-batches.")},
    {"",
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords",
            "Each card runs several chunks of layers, which shortens the bubble and sends more.")},
    {"", QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Chunks run in turn with all micro-batches each.")},
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Weight gradients wait and fill the bubble, with 1F1B's memory.")},
    {"",
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords",
            "Weight gradients fill nearly all of the bubble, for about twice the activations.")},
    {"", QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Interleaved 1F1B whose weight gradients fill the bubble.")},
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Two chunks in a V per card and no bubble, with 1F1B's memory.")},
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "The V with about half of 1F1B's activations, for some bubble.")},
    {"",
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "The V with about a third of 1F1B's activations, for more bubble.")},
    {"",
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords",
            "Two pipelines in opposite directions, whose passes overlap with communication; weights are held twice.")},
    {"", QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "DualPipe in a V, without the second copy of the weights.")},
}};
constexpr std::array<ChoiceWords, 3> kAttentionWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Fused (cuDNN)"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "cuDNN's kernel: scores are never stored.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "FlashAttention 2"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Scores are computed in tiles and never stored.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Unfused"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Scores of all pairs of tokens are stored.")},
}};
constexpr std::array<ChoiceWords, 6> kLossWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Fused (Transformer Engine)"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "One kernel that computes in place on the logits.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Fused (Megatron)"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Megatron-LM's own fusion: fewer copies of the logits.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Unfused"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Each operation on the logits has a copy of its own.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Compiled"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "torch.compile fuses the operations on the logits.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Logits in chunks"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The loss is computed a piece of the logits at a time.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Head and loss in chunks"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Logits are made and used a piece at a time: never all of them.")},
}};
constexpr std::array<ChoiceWords, 3> kRecomputeGranularityWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Nothing"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All activations are kept for the backward pass.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Selected modules"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Modules with much memory and little work run again in the backward pass.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Whole layers"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords",
            "Only the inputs of layers are kept; each layer runs again before its backward pass.")},
}};
constexpr std::array<ChoiceWords, 2> kRecomputeMethodWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Groups of layers"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All layers run again, a group at a time from its input.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "First layers of a chunk"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Only the given number of layers of each chunk run again.")},
}};
constexpr std::array<ChoiceWords, 8> kRecomputeModuleWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Attention core"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Scores and their product with the values.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Norms"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The normalizations of a layer.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "MLP"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The whole MLP of a dense layer.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Experts' activation"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The function between the experts' two products.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Experts"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The whole layer of experts, its exchange of tokens included.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Shared experts"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Experts that every token visits.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Latent projections"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "The products that make queries, keys and values from latents.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Hyper-connections"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The residual's streams, and what sums and mixes them.")},
}};
constexpr std::array<ChoiceWords, 4> kDispatcherWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All-to-all"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Each token is sent to the cards of its experts.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All-gather"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Every card gathers all tokens and keeps those of its experts.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "DeepEP"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "DeepSeek's kernels, which send a token once to each node.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "HybridEP"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "NVIDIA's kernels for fast networks between many nodes.")},
}};
constexpr std::array<ChoiceWords, 6> kCudaGraphWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Nothing"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The host launches every kernel.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Attention"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Attention is replayed as a recorded graph.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Router"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The experts' router is replayed.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Attention and router"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Both are replayed; the experts' products are launched.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Whole layers"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Each layer is replayed as one graph.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The whole step"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "One graph for all of a step.")},
}};
constexpr std::array<ChoiceWords, 3> kContextCommunicationWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Ring"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Keys and values go around from card to card while attention works.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All-to-all (Ulysses)"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Cards exchange heads for tokens before attention and back after it.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "All-gather"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Every card gathers all keys and values first.")},
}};
constexpr std::array<ChoiceWords, 2> kGradientSyncWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Every micro-batch"),
        QT_TRANSLATE_NOOP(
            "cardfit::app::ChoiceWords", "Gradients are reduced after each micro-batch: little memory, more traffic.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "The last micro-batch"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "Gradients add up and are reduced once a step.")},
}};
constexpr std::array<ChoiceWords, 4> kQuantizerWords{{
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "bitsandbytes"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "NF4 by bitsandbytes since 0.44.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "bitsandbytes up to 0.43"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "NF4 by its older versions, which keep more beside it.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "torchao"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "NF4 by torchao, as torchtune uses it.")},
    {QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "bitsandbytes, int8"),
        QT_TRANSLATE_NOOP("cardfit::app::ChoiceWords", "LLM.int8: one byte a weight, which keeps its inputs.")},
}};

} // namespace

template <> std::span<const ChoiceWords> choiceWords<Task>() { return kTaskWords; }
template <> std::span<const ChoiceWords> choiceWords<Framework>() { return kFrameworkWords; }
template <> std::span<const ChoiceWords> choiceWords<Kernels>() { return kKernelsWords; }
template <> std::span<const ChoiceWords> choiceWords<Precision>() { return kPrecisionWords; }
template <> std::span<const ChoiceWords> choiceWords<GradientPrecision>() { return kGradientPrecisionWords; }
template <> std::span<const ChoiceWords> choiceWords<Optimizer>() { return kOptimizerWords; }
template <> std::span<const ChoiceWords> choiceWords<MomentPrecision>() { return kMomentPrecisionWords; }
template <> std::span<const ChoiceWords> choiceWords<Sharding>() { return kShardingWords; }
template <> std::span<const ChoiceWords> choiceWords<Schedule>() { return kScheduleWords; }
template <> std::span<const ChoiceWords> choiceWords<Attention>() { return kAttentionWords; }
template <> std::span<const ChoiceWords> choiceWords<Loss>() { return kLossWords; }
template <> std::span<const ChoiceWords> choiceWords<RecomputeGranularity>() { return kRecomputeGranularityWords; }
template <> std::span<const ChoiceWords> choiceWords<RecomputeMethod>() { return kRecomputeMethodWords; }
template <> std::span<const ChoiceWords> choiceWords<RecomputeModule>() { return kRecomputeModuleWords; }
template <> std::span<const ChoiceWords> choiceWords<Dispatcher>() { return kDispatcherWords; }
template <> std::span<const ChoiceWords> choiceWords<CudaGraph>() { return kCudaGraphWords; }
template <> std::span<const ChoiceWords> choiceWords<ContextCommunication>() { return kContextCommunicationWords; }
template <> std::span<const ChoiceWords> choiceWords<GradientSync>() { return kGradientSyncWords; }
template <> std::span<const ChoiceWords> choiceWords<Quantizer>() { return kQuantizerWords; }

QString choiceText(const char* words) { return *words == '\0' ? QString() : Words::tr(words); }

namespace {

template <class Enum> QString labelNamed(const std::string& value)
{
    const auto named = fromName<Enum>(value);
    return named ? choiceLabel(*named) : QString();
}

struct Choice {
    std::string_view field;
    QString (*label)(const std::string& value);
};

constexpr std::array kChoices{Choice{pointerOf<&Workload::task>, labelNamed<Task>},
    Choice{pointerOf<&Recipe::framework>, labelNamed<Framework>},
    Choice{pointerOf<&Recipe::kernels>, labelNamed<Kernels>},
    Choice{pointerOf<&Recipe::precision>, labelNamed<Precision>},
    Choice{pointerOf<&Recipe::gradient_precision>, labelNamed<GradientPrecision>},
    Choice{pointerOf<&Recipe::optimizer>, labelNamed<Optimizer>},
    Choice{pointerOf<&Recipe::moment_precision>, labelNamed<MomentPrecision>},
    Choice{pointerOf<&Recipe::sharding>, labelNamed<Sharding>},
    Choice{pointerOf<&Recipe::schedule>, labelNamed<Schedule>},
    Choice{pointerOf<&Recipe::attention>, labelNamed<Attention>}, Choice{pointerOf<&Recipe::loss>, labelNamed<Loss>},
    Choice{pointerOf<&Recompute::granularity>, labelNamed<RecomputeGranularity>},
    Choice{pointerOf<&Recompute::method>, labelNamed<RecomputeMethod>},
    Choice{pointerOf<&ExpertRecipe::dispatcher>, labelNamed<Dispatcher>},
    Choice{pointerOf<&Recipe::cuda_graph>, labelNamed<CudaGraph>},
    Choice{pointerOf<&Recipe::context_communication>, labelNamed<ContextCommunication>},
    Choice{pointerOf<&Recipe::gradient_sync>, labelNamed<GradientSync>},
    Choice{pointerOf<&Recipe::quantizer>, labelNamed<Quantizer>}};

/// "Whole layers (block, 1/2)" for "full (block, 1/2)".
QString recomputeLabel(const std::string& words)
{
    const std::string granularity = words.substr(0, words.find(' '));
    return labelNamed<RecomputeGranularity>(granularity) + ui::verbatim(words.substr(granularity.size()));
}

} // namespace

QString valueLabel(const std::string& field, const std::string& value)
{
    if (field == pointerOf<&Recipe::recompute>) return recomputeLabel(value);
    const auto choice = std::ranges::find(kChoices, field, &Choice::field);
    const QString label = choice != kChoices.end() ? choice->label(value) : QString();
    return label.isEmpty() ? ui::translated(valueWords(value)) : label;
}

} // namespace cardfit::app
