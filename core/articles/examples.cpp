// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/articles/examples.h"

namespace cardfit::articles {

namespace {

using enum ArticleRow::Verdict;
constexpr std::nullopt_t kNone = std::nullopt;

// ---- 13B on 80 GB cards (Zhihu). A: activations as the article rounds them; C: its card; S: model states.

constexpr std::string_view kThirteenGiven =
    "n = 13e9, s = 4096, b = 1, h = 5120, L = 40, a = 40, f = 13824, V = 32000, A = 34e9, C = 80e9, S = megatron n, "
    "p = 4, d = 1, m = 1024 / d, i = 1, v = 2";

constexpr std::string_view kCard =
    "{card | GB}, {card - C | fits in : exceeds} {C | GB} ({exact_card | GB} without rounding)";

constexpr auto kThirteen = std::to_array<Example>({
    {"S0-1",
        "Bytes per parameter of Megatron's mixed precision: bf16 weights, fp32 gradients, fp32 master copy, Adam's two "
        "moments",
        "18", 18, "{megatron}", "bytes per parameter"},
    {"S0-2", "Model states of 13 billion parameters", "234 GB", 234, "{S | GB}", "GB"},
    {"S0-3", "Fewest 80 GB cards for these model states", "at least 4", 4,
        "{S / C | up}; {(S + A) / C | up} with activations", "cards", Slip,
        "The states alone fill {S / C | 3} cards, which rounds up to {S / C | up}; it takes {(S + A) / C | up} only "
        "once activations are counted too ({(S + A) / C} cards)."},
    {"S0-4", "Activations of one micro-batch, 40 s h L bytes with s = 4096, h = 5120, L = 40", "34 GB", 34,
        "{activations | GB 3} = {activations | GiB}", "GB", Agrees,
        "Rounded up. The first 40 is bytes, the last one layers. Attention scores are assumed not to be kept: "
        "Korthikanti's count is {fused | GB} then, and {unfused | GB 1} if they are."},
    {"S0-5", "Bytes per parameter with ZeRO-1 over d replicas", "6 + 12/d", kNone,
        "6 + 12/d: {6 + 12 / 2} at d = 2, {6 + 12 / 8} at d = 8", {}, Agrees,
        "Weights and gradients stay whole on every card; master copy and moments are divided."},
    {"S0-6", "ZeRO-1 alone on 80 GB cards, activations included", "no solution", kNone,
        "no d: {6 n | GB} stay on every card, {C - A | GB} are free", "GB"},
    {"S0-7", "Pipeline stages needed when each holds one micro-batch", "p >= 4", 4,
        "p >= {(S + A) / C | up} ({(S + A) / C} by division)", "stages"},
    {"S0-8", "One card of four stages with one micro-batch in flight", "67 GB", 67,
        "{card | GB} ({exact_card | GB} without rounding)", "GB", Agrees, {}, "m = 1"},
    {"S0-9", "Micro-batches that rank i of a four-stage 1F1B pipeline holds, p - i + 1", "4, 3, 2, 1", kNone,
        "{1f1b | in flight}", {}, Agrees, "Found by running the schedule. The rule in full is min(m, p - i + 1)."},
    {"S0-10", "Four stages, card 1", "bursts", kNone, kCard, "GB"},
    {"S0-11", "Four stages, card 2", "bursts", kNone, kCard, "GB", Agrees,
        "In GB it does. As {card | GiB} it is below the {81920 2^20 | GiB} that an A100-80GB has, so that there the "
        "answer is: tight.",
        "i = 2"},
    {"S0-12", "Four stages, card 3", "bursts", kNone, kCard, "GB", Slip,
        "Two micro-batches in flight: {S / p | GB} + {2 A / p | GB} is less than {C | GB}.", "i = 3"},
    {"S0-13", "Four stages, card 4", "fits", kNone, kCard, "GB", Agrees, {}, "i = 4"},
    {"S0-14", "A batch of one switches 1F1B's stacking of micro-batches off", "fits", kNone,
        "{card | GB} on every card, {bubble | %} of the time idle", "GB", Agrees,
        "True, and paid for with the largest bubble there is.", "m = 1"},
    {"S0-15", "Samples of 4096 tokens per optimizer step", "1024", kNone,
        "{1024 s | ,} tokens per step; with d = 2 it is {m} micro-batches and a bubble of {bubble | %}", "tokens",
        Agrees, {}, "d = 2"},
    {"S0-16", "Four stages, ZeRO-1 over two replicas, cards 1 and 2", "73 GB", 73, kCard, "GB", Agrees,
        "The formula as printed lacks a closing bracket.", "d = 2"},
    {"S0-17", "The same, cards 3 and 4", "64 GB", 64, kCard, "GB", Slip,
        "Cut off: {zero1 n / p / 1e9} + {in_flight A / p | GB}.", "d = 2, i = 2"},
    {"S0-18", "The same, cards 5 and 6", "56 GB", 56, kCard, "GB", Agrees, {}, "d = 2, i = 3"},
    {"S0-19", "The same, cards 7 and 8", "47.5 GB", 47.5, kCard, "GB", Agrees, {}, "d = 2, i = 4"},
    {"S0-20", "Eight stages, card 1", "63.25 GB", 63.25, kCard, "GB", Agrees,
        "Cards 2 to 8: {(S + 7 A) / 8e9}, {(S + 6 A) / 8e9}, {(S + 5 A) / 8e9}, {(S + 4 A) / 8e9}, {(S + 3 A) / 8e9}, "
        "{(S + 2 A) / 8e9}, {(S + A) / p | GB}.",
        "p = 8"},
    {"S0-21", "The schedule is interleaved 1F1B", "interleaved", kNone,
        "plain 1F1B: {in_flight} in flight on rank 1; interleaved with v = {v} holds {interleaved | 3} times as much, "
        "{chunks_in_flight} chunks or {chunks_in_flight / v} micro-batches",
        {}, Slip,
        "A wrong term. With v chunks per rank the factor is 1 + (p - 1)/(p v), and rank i runs 2 (p - i) + (v - 1) p "
        "chunks ahead, plus the one at work."},
    {"S0-22", "Real use is a little above the estimate", "39 GB of states per card", 39,
        "LLaMA-13B has {llama / 1e9 | 3} billion parameters: {=(L / p llama_layer + llama_embedding) zero1 | GB} of "
        "states on the first stage, {L / p llama_layer zero1 | GB} on the second",
        "GB", Flag,
        "Embedding and head sit on the outer stages. On top come the device context (0.5 to 1.3 GB), communication "
        "buffers and fragmentation.",
        "d = 2"},
    {"S0-23",
        "Tensor parallelism: one communication for two matrix products, norms whole on every rank, not beyond one node",
        "up to 8 ways", kNone, "the whole norms cost {llama_norms megatron | MB} per card, states included", {}, Agrees,
        "For layers that one card cannot hold, or to level the stages of a pipeline."},
    {"S0-24", "6 billion parameters can be deployed and trained on cards of 12 to 24 GB", "up to 24 GB", 24,
        "{2 n | GB} of weights, {=megatron n | GB} of states in training", "GB", Flag,
        "True of inference and of LoRA or QLoRA, not of full training.", "n = 6e9"},
    {"S0-25", "13 billion quantised parameters on a 24 GB card", "fits", kNone,
        "int8 {n | GB}, int4 {n / 2 | GB}: {n - 24e9 | fits : does not fit}", "GB", Agrees,
        "The weights alone; whatever else inference keeps has to find room beside them."},
    {"S0-26", "7B is trained in units of 8 cards, 70B in units of 80", "8 and 80 cards", 80,
        "{megatron 7e9 / 8 | GB} and {megatron 70e9 / 80 | GB} of states per card; {=megatron 70e9 / C | up} cards of "
        "80 GB hold the states of 70B",
        "cards", Flag, "The units keep the load per card equal and set the speed; they are not what memory asks for."},
    {"S0-27", "Usual model sizes, in billions of parameters",
        "1.4, 2.8, 6, 7, 13, 16, 34, 52, 56, 65, 70, 100, 130, 170, 220", kNone,
        "1.4, 2.8, 6, 7, 13, 16, 34, 52, 56, 65, 70, 100, 130, 170, 220", {}, Agrees,
        "Marks on the scale of model sizes."},
});

// ---- BimAnt guide. A: its activations, which its own rule does not yield, at least and at most; S: its states.

constexpr std::string_view kBimantGiven =
    "n = 10e9, b = 32, w = 2, a_low = 20e9, a_high = 40e9, S = 2 n + 2 n + 2 4 n, s = 4096, h = 5120, L = 40, a = 40";

constexpr auto kBimant = std::to_array<Example>({
    {"S1-1", "Bytes of one value in fp32, fp16, bf16, int8, int4", "4, 2, 2, 1, 0.5", kNone,
        "{32 / 8}, {16 / 8}, {16 / 8}, {8 / 8}, {4 / 8}", {}, Agrees,
        "int8 tells {2^8} values apart; the printed \"28\" lost its superscript."},
    {"S1-2", "Memory to load a model with weights of Q bits, P x 4 / (32 / Q) x 1.2", "formula in a missing picture",
        kNone, "{load 1e9 | GB} per billion parameters at 16 bits", "GB", Agrees, {}, "Q = 16"},
    {"S1-3", "Loading Llama-70B at 16 bits", "formula in a missing picture", kNone, "{load 70e9 | GB}", "GB", Agrees,
        {}, "Q = 16"},
    {"S1-4", "Activations are count x batch x bytes; twice the sequence may double them", "2 times", 2,
        "{34 (2 s) b h L / fused} times; {(34 + 5 a (2 s) / h) (2 s) b h L / unfused} times where attention scores are "
        "kept (13B, 4096 to 8192 tokens)",
        "times", Flag, "Linear with fused attention only; kept scores add 5 a s^2 b bytes per layer."},
    {"S1-5", "Gradients take what the parameters take: 10 billion in fp16", "20 GB", 20,
        "{2 n | GB}; {4 n | GB} if they are summed in fp32", "GB", Flag,
        "Megatron keeps an fp32 gradient for every parameter."},
    {"S1-6", "Values that Adam keeps for a million parameters", "2 million", 2e6, "{2 1e6 | ,}", "values"},
    {"S1-7", "Values that plain SGD keeps for a million parameters", "none", 0, "{0 1e6 | ,}", "values"},
    {"S1-8", "10 billion parameters in fp16", "20 GB", 20, "{2 n | GB}", "GB"},
    {"S1-9", "Neurons per layer, the square root of 10 billion parameters", "100,000", 100'000, "{neurons | ,}",
        "neurons", Flag, "The rule knows no sequence length, and no layer of such a model is that wide."},
    {"S1-10", "Activations of one layer for a batch of 32 in fp16", "6.4 MB", 6.4, "{layer_activations | MB}", "MB"},
    {"S1-11", "Activations of all layers, some hundreds of them", "20 to 40 GB", 40,
        "{100 layer_activations / 1e9} to {=999 layer_activations | GB}", "GB", Slip,
        "Does not follow from the row above: it would take {a_low / layer_activations | ,} to {a_high / "
        "layer_activations | ,} layers."},
    {"S1-12", "What Adam keeps for 10 billion parameters in mixed precision", "80 GB", 80,
        "{2 4 n + 4 n | GB}: moments {2 4 n | GB}, fp32 master copy {4 n | GB}", "GB", Slip,
        "The fp32 master copy of the weights is left out."},
    {"S1-13", "Weights, activations, gradients and moments together", "140 to 160 GB", 160,
        "{(S + a_low) / 1e9} to {=S + a_high | GB}", "GB", Agrees,
        "The sum is right for these terms. By the usual counts the states are {mixed n | GB} (16 bytes per parameter) "
        "or {megatron n | GB} (Megatron's 18), activations on top."},
    {"S1-14", "Total memory of model parallelism over two cards", "80 to 100 GB in total", 100,
        "{(S / 2 + a_low) / 1e9} to {=S / 2 + a_high | GB} on each card", "GB", Slip,
        "A slip of wording: the figure is per card, {2 (S / 2 + a_low) / 1e9} to {2 (S / 2 + a_high) | GB} on both. "
        "The formula's picture is missing."},
    {"S1-15", "Activations per card do not shrink with the number of cards", "in general", kNone,
        "tensor with sequence parallelism over {t} cards brings {A | GB} (13B, 4096 tokens) to {sequence_parallel | "
        "GB}",
        {}, Slip,
        "True of data parallelism with a fixed micro-batch; sequence, context and pipeline parallelism divide "
        "activations.",
        "A = activations, b = 1, t = 8"},
});

// ---- parameters to memory (Zhihu)

constexpr std::string_view kParametersGiven = "n = 1e9, p = 4, m = 4";

constexpr auto kParameters = std::to_array<Example>({
    {"S2-1", "A billion parameters in fp32 and in fp16", "4 G and 2 G", 4,
        "{4 n | GB} = {4 n | GiB 3} and {2 n | GB} = {2 n | GiB 3}", "GB", Flag,
        "The article leaves open whether its G is 1000 M or 1024 M."},
    {"S2-2", "Gradients, in multiples of the parameters", "1", 1, "{4 / 4}", "times"},
    {"S2-3", "What SGD, momentum and Adam keep, in multiples of the parameters", "0, 1, 2", kNone, "0, 1, 2"},
    {"S2-4", "Training a billion parameters with Adam, all in fp32", "16 G", 16, "{uniform n | GB}", "GB", Agrees, {},
        "w = 4"},
    {"S2-5", "The same, all in bf16", "8 G", 8, "{uniform n | GB}", "GB", Agrees, {}, "w = 2"},
    {"S2-6", "The same in mixed precision: take each part in its own format", "no figure", kNone,
        "{mixed} or {=megatron} bytes per parameter, with 2- or 4-byte gradients", "bytes per parameter", Agrees,
        "That fp32 takes {uniform} too is a coincidence.", "w = 4"},
    {"S2-7", "Busy share of the time of four stages that work one after another", "a figure", kNone, "{busy | %}", "%"},
    {"S2-8", "Memory of one of p stages is 1/p of the whole", "1/p", kNone,
        "states {1 / p | %} each; activations of 1F1B with four stages {min(m, 4) / p | %}, {min(m, 3) / p | %}, "
        "{min(m, 2) / p | %}, {min(m, 1) / p | %} of one micro-batch of the whole model",
        {}, Flag, "Holds for states. Activations follow the micro-batches in flight."},
    {"S2-9", "Bubble of GPipe with four stages and four micro-batches", "a figure", kNone, "{bubble | %}", "%", Agrees,
        "The figure's micro-batches 1 to 8 are two batches of four."},
    {"S2-10", "Micro-batches held by each rank, GPipe and 1F1B, four stages and four micro-batches", "a figure", kNone,
        "GPipe {gpipe | in flight}; 1F1B {1f1b | in flight}", {}, Agrees,
        "Found by running the schedules; the rules are m and min(m, p - i + 1)."},
    {"S2-11", "PipeDream runs forward and backward with the same parameters", "one set of weights", kNone,
        "PipeDream keeps {pipedream | weight versions} versions of a stage's weights, 1F1B with a flush {1f1b | weight "
        "versions}",
        {}, Slip,
        "PipeDream stashes the version that each micro-batch in flight has seen; only with a flush at every step does "
        "one suffice."},
    {"S2-12", "Data parallelism gathers gradients at a parameter server", "parameter server", kNone,
        "all-reduce among the replicas, or ZeRO's reduce-scatter and all-gather", {}, Slip,
        "Out of date, and the text stands under the heading of tensor parallelism."},
    {"S2-13", "Tensor parallelism splits the matrices of MLP and attention by columns, then by rows", "columns, rows",
        kNone, "columns, rows"},
});

// ---- LLM memory interview sheet. C: a V100 of 32 GB; F and R: peak of an A100 and the published throughput.

constexpr std::string_view kSheetGiven =
    "n = 6e9, s = 2048, h = 4096, f = 11008, L = 32, V = 32000, w = 1, C = 32e9, F = 312e12, R = 3300, own = 3 s / 4";

constexpr auto kSheet = std::to_array<Example>({
    {"S3-1", "File, and memory at inference, of n billion parameters in fp16", "2n GB", 2, "{2 1e9 | GB} per billion",
        "GB"},
    {"S3-2", "65 billion parameters on four V100 of 32 GB", "no, 5 cards", 5,
        "{2 n - 4 C | yes : no}, {=2 n / C | up} cards: {2 n | GB} in {4 C | GB}", "cards", Agrees,
        "For the weights only, {2 n - 4 C | GB} short. Training them takes {mixed n | GB}, {mixed n / C | up} cards.",
        "n = 65e9"},
    {"S3-3", "FlashAttention needs a card of the Turing generation or later", "Turing", kNone,
        "version 1 from Turing on, version 2 from Ampere on, version 3 Hopper", {}, Flag,
        "Depends on the version; a plan has to ask what the card can do."},
    {"S3-4", "Least memory for 65 billion parameters in int4 with LoRA", "about 50 GB", kNone,
        "{n / 2 | GB} of weights, more with everything else", "GB", Agrees,
        "Plausible: adapter, activations and buffers come on top of the weights.", "n = 65e9"},
    {"S3-5", "Bytes per parameter of full training, 2 + 2 + 12", "16n", 16, "{mixed}n", "bytes per parameter"},
    {"S3-6", "Full training of 7 billion parameters", "112 GB", 112, "{mixed n | GB}", "GB", Agrees, {}, "n = 7e9"},
    {"S3-7", "Vicuna-7B was seen to take 160 GB with FSDP, so 20n is the least", "20n", 20, "{160e9 / n}n",
        "bytes per parameter", Slip, "20n gives {least_training n | GB}, less than the {160e9 | GB} it is drawn from.",
        "n = 7e9"},
    {"S3-8", "Weights of LLaMA-6B in fp32 and int8", "24 and 6 GB", 24, "{4 n | GB} and {n | GB}", "GB", Flag,
        "The shape given is that of LLaMA-7B, {llama / 1e9} billion parameters."},
    {"S3-9", "AdamW's moments for it in fp32 and int8", "48 and 12 GB", 48, "{2 4 n | GB} and {2 n | GB}", "GB", Flag,
        "The sum is right, but nobody trains with plain int8 moments and gradients."},
    {"S3-10", "CUDA context, 1343 MB on the meter", "1.3 GB", 1.3, "{context | GB}", "GB", Agrees,
        "A fair default. If the meter is nvidia-smi its M is 2^20, and the context {1343 2^20 | GB}."},
    {"S3-11", "Training in int8, 6 + 6 + 12 + 1.3", "25.3 GB", 25.3, "{uniform n + context | GB}", "GB", Agrees,
        "In fp32 the same terms come to {4 4 n + context | GB}."},
    {"S3-12", "Activations of one sample, (4096 + 11008) x 2048 x 32 x 1", "990 MB", 990,
        "{sample | MB} = {sample / 2^20} MiB", "MB", Flag,
        "Counts one hidden and one MLP vector per layer; queries, keys, values and attention are left out."},
    {"S3-13", "Samples per batch on an 80 GB card", "50", kNone,
        "50 take {uniform n + context + 50 sample | GB}; up to {(80e9 - uniform n - context) / sample | down} fit",
        "GB", Agrees, "On the safe side."},
    {"S3-14", "Utilisation by FLOPs, 100 of 312 teraflops", "32.05 %", 32.05, "{100 / 312 | %}", "%"},
    {"S3-15", "Throughput of 3 samples of 2048 tokens in 4 seconds", "1536 tokens/s per card", 1536,
        "{own} tokens/s per card", "tokens/s"},
    {"S3-16", "Utilisation against a published 3300 tokens/s per card", "46.54 %", 46.54, "{own / R | %}", "%", Slip,
        "Cut off instead of rounded. Nor is it a share of the card: 3300 tokens/s is {model_flops | %} of the peak by "
        "itself, so this is {model_flops own / R | %}.",
        "n = llama"},
    {"S3-17", "Length of TF32, 1 + 8 + 10", "19 bits", 19, "{1 + 8 + 10} bits", "bits"},
    {"S3-18", "Over PCIe, ZeRO-3's AllGather and ReduceScatter take longer than the computation",
        "communication dominates", kNone,
        "{zero3_traffic | GB} through every card's link for one forward and backward pass of 7B in 16 bits", {}, Agrees,
        "The larger the micro-batch, the more computation there is to hide it behind.", "n = 7e9"},
    {"S3-19", "Ways to find the utilisation, ranked: FLOPs ratio (1), published throughput (2), profiler trace (3)",
        "accuracy 3 > 1 > 2, ease 2 > 1 > 3", kNone, "taken as it stands", {}, Agrees,
        "The published throughput inherits the paper's own utilisation, as S3-16 shows."},
    {"S3-20", "Commands that measure what is predicted here",
        "nvidia-smi topo -m, deviceQuery, ds_report, flops_profiler, torch profiler, iftop", kNone,
        "links: nvidia-smi topo -m; card: deviceQuery; installation: ds_report; FLOPs: flops_profiler in the DeepSpeed "
        "JSON; kernels: torch profiler; network: iftop",
        {}, Agrees, "To be run beside a prediction, not instead of one."},
});

} // namespace

std::array<Article, 4> all()
{
    return {{
        {"13B on 80 GB cards (Zhihu)", kThirteenGiven, kThirteen},
        {"BimAnt guide", kBimantGiven, kBimant},
        {"parameters to memory (Zhihu)", kParametersGiven, kParameters},
        {"LLM memory interview sheet", kSheetGiven, kSheet},
    }};
}

} // namespace cardfit::articles
