// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"

namespace cardfit {

namespace {

constexpr std::string_view kAiconfigurator = "ai-dynamo/aiconfigurator, commit 095f58a51";
constexpr std::string_view kPcieRuns = "SimuMax, commit 4dcaae5, configs/system/a100_pcie.json";
constexpr std::string_view kExpertRuns = "tests/validation/measurements/README.md, constants of layers of experts";
constexpr std::string_view kAllRuns = "tests/validation/measurements/README.md, constants of core/time";
constexpr std::string_view kFlash2 = "Dao 2023, arXiv:2307.08691";
constexpr std::string_view kFlash3 = "Shah et al. 2024, arXiv:2407.08608, figure 5";
constexpr std::string_view kMegatronSoftmax = "counted from Megatron-Core, core/fusions/fused_softmax.py";
constexpr std::string_view kLocalHosts = "720 of vTrain's single-node runs, commit f8dda84";
constexpr std::string_view kUsualCurve =
    "the middle of the curves fitted to ai-dynamo/aiconfigurator, commit 095f58a51";
constexpr std::string_view kNvidiaContext = "stas00/ml-engineering: a process on A100";
constexpr std::string_view kReserves = "reserved over allocated on 23 published stages (SimuMax on B200)";
constexpr std::string_view kOwnBlocks = "tests/validation/measurements/own, reserved bytes of whole steps on H100";
constexpr std::string_view kMegatronBiases = "counted from Megatron-Core, core/transformer/moe/experts.py, _apply_bias";
constexpr std::string_view kClamps =
    "counted: each half is read and written, then both as one; backward each clamp also "
    "reads its input";
constexpr std::string_view kServedRuns = "tests/validation/measurements/README.md, constants of decoding";
constexpr std::string_view kUnrecorded = "no source is recorded";
constexpr bool kAsked = true;

constexpr auto kRows = std::to_array<ConstantRow>({
    {Constant::LinkShare, "links.share", 0.8, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("reached share of a link's rated bandwidth"), kAllRuns, kAsked},
    {Constant::PcieShare, "links.pcie-share", 0.69, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("reached share of PCIe by up to four cards"), kPcieRuns},
    {Constant::CrowdedPcieShare, "links.crowded-pcie-share", 0.42, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("reached share of PCIe by more than four cards"), kPcieRuns},
    {Constant::BetweenHalvesShare, "links.between-halves-share", 0.5, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("share of one PCIe link that all groups between the halves of a host have together"),
        "SimuMax, commit 4dcaae5, configs/system/a100_pcie.json, dp_fixed_bw: 4 GB/s with three other groups, 7.65 "
        "with one"},
    {Constant::UnknownLink, "links.unknown", 31.5, "GB/s", Tier::Physics, BearsOn::Step,
        Sentence::tr("link of a card whose file names none"), "PCIe 4.0 x16"},
    {Constant::StartInNode, "links.start-in-node", 12.0, "us", Tier::Assumed, BearsOn::Step,
        Sentence::tr("start of a collective inside a node where none was measured"), kUnrecorded},
    {Constant::StartBetweenNodes, "links.start-between-nodes", 25.0, "us", Tier::Assumed, BearsOn::Step,
        Sentence::tr("latency between nodes that do not state it"), kUnrecorded},
    {Constant::SlowPort, "links.slow-port", 25.0, "GB/s", Tier::Assumed, BearsOn::Step,
        Sentence::tr("port between nodes up to Ampere and Ada, if the cluster does not state it"),
        "one 200 Gb/s port, as in most clusters of that time"},
    {Constant::FastPort, "links.fast-port", 50.0, "GB/s", Tier::Assumed, BearsOn::Step,
        Sentence::tr("port between nodes from Hopper on, if the cluster does not state it"),
        "one 400 Gb/s port, as in most clusters of that time"},
    {Constant::HostLinkShare, "links.host-share", 0.8, "share", Tier::Assumed, BearsOn::Step,
        Sentence::tr("reached share of PCIe between a card and host memory"), kUnrecorded},
    {Constant::LeastHostLink, "links.least-host-link", 25.0, "GB/s", Tier::Assumed, BearsOn::Step,
        Sentence::tr("PCIe to the host of a card whose file names none"), kUnrecorded},
    {Constant::RankExchangeStart, "links.rank-exchange-start", 150e-6, "s", Tier::Fitted, BearsOn::Step,
        Sentence::tr("metadata of an exchange of DeepEP or HybridEP"), kExpertRuns, kAsked},
    {Constant::LeastHidingPort, "links.least-hiding-port", 15.0, "GB/s", Tier::Assumed, BearsOn::Step,
        Sentence::tr("port between nodes up to which gathers and scatters of shards hide nothing"),
        "100 Gb/s Ethernet and slower"},

    {Constant::ReachedBandwidth, "kernels.reached-bandwidth", 0.8, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("memory bandwidth that kernels reach"),
        "ai-dynamo/aiconfigurator, mem_bw_empirical_scaling_factor; llm-analysis suggests 0.9", kAsked},
    {Constant::UsualEfficiency, "kernels.usual-efficiency", 0.6, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("share of the peak that products reach on a card without measurements"),
        "the middle of the published 0.42 to 0.75"},
    {Constant::UsualRows, "kernels.usual-rows", 40.0, "rows", Tier::Published, BearsOn::Step,
        Sentence::tr("rows with half the rate, on a card without a curve"), kUsualCurve},
    {Constant::UsualInner, "kernels.usual-inner", 60.0, "values", Tier::Published, BearsOn::Step,
        Sentence::tr("inner dimension with half the rate, on a card without a curve"), kUsualCurve},
    {Constant::UsualColumns, "kernels.usual-columns", 30.0, "columns", Tier::Published, BearsOn::Step,
        Sentence::tr("columns with half the rate, on a card without a curve"), kUsualCurve},
    {Constant::UsualStart, "kernels.usual-start", 4.0, "us", Tier::Published, BearsOn::Step,
        Sentence::tr("start of a product on a card without a curve"), kUsualCurve},
    {Constant::ConversionColumns, "kernels.conversion-columns", 1900.0, "columns", Tier::Published, BearsOn::Step,
        Sentence::tr("columns with half the rate of fp8 and fp4 products, on a card without a curve"),
        "1,700 to 2,200 on all measured cards (ai-dynamo/aiconfigurator, commit 095f58a51)"},
    {Constant::ConversionsAlone, "kernels.conversions-alone", 0.4, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("share of conversions that no norm, activation or product includes"), kAllRuns, kAsked},
    {Constant::GroupedRows, "kernels.grouped-rows", 200.0, "rows", Tier::Published, BearsOn::Step,
        Sentence::tr("rows per expert with half the rate of grouped products"),
        "140 to 250 in SimuMax's and aiconfigurator's grouped kernels", kAsked},
    {Constant::FusedActivation, "kernels.fused-activation", 0.3, "share", Tier::Assumed, BearsOn::Step,
        Sentence::tr("traffic of an activation inside the grouped product before it"), kUnrecorded},
    {Constant::OneKernelEach, "kernels.one-kernel-each", 1.4, "factor", Tier::Fitted, BearsOn::Step,
        Sentence::tr("memory traffic over that of fused kernels"), kAllRuns, kAsked},
    {Constant::RowsOfKernels, "kernels.rows-of-kernels", 2.0, "factor", Tier::Fitted, BearsOn::Step,
        Sentence::tr("memory traffic of plain modules over that of fused kernels"), kAllRuns, kAsked},
    {Constant::ExpertBiasBytes, "kernels.expert-bias-bytes", 64.0, "bytes/value", Tier::Physics, BearsOn::Step,
        Sentence::tr("traffic of the biases of the experts' second products, both directions"), kMegatronBiases},
    {Constant::ExpertBiasForward, "kernels.expert-bias-forward", 28.0, "bytes/value", Tier::Physics, BearsOn::Step,
        Sentence::tr("the part of it forward"), kMegatronBiases},
    {Constant::ClampsForward, "kernels.clamps-forward", 8.0, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("traffic of the clamps before a gated activation, forward"), kClamps},
    {Constant::ClampsBackward, "kernels.clamps-backward", 10.0, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("traffic of the clamps before a gated activation, backward"), kClamps},
    {Constant::StreamPasses, "kernels.stream-passes", 4.0, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("passes over the streams of a hyper-connection"),
        "counted: summing, mixing and adding read them three times and write them once (arXiv:2512.24880)"},
    {Constant::MergedBytes, "kernels.merged-bytes", 25.0, "bytes/value", Tier::Physics, BearsOn::Step,
        Sentence::tr("traffic of merging a step of PyTorch's attention ring"),
        "counted from pytorch/pytorch, commit 0123248a4, _attention.py, _SDPAMerger"},
    {Constant::DequantizedBytes, "kernels.dequantized-bytes", 2.5, "bytes/value", Tier::Physics, BearsOn::Step,
        Sentence::tr("traffic of widening a 4-bit weight before a product"), "counted: half a byte read, two written"},

    {Constant::AttentionOverProducts, "attention.over-products", 0.85, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("rate of attention over that of products, on a card without a curve"), "0.75 to 1 where measured"},
    {Constant::UsualAttentionContext, "attention.usual-context", 600.0, "tokens", Tier::Assumed, BearsOn::Step,
        Sentence::tr("tokens with half the rate of attention, on a card without a curve"), kUnrecorded},
    {Constant::AttentionStart, "attention.usual-start", 20.0, "us", Tier::Assumed, BearsOn::Step,
        Sentence::tr("start of attention on a card without a curve"), kUnrecorded},
    {Constant::Flash2OverFlash3, "attention.flash-2-over-3", 0.5, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("rate of FlashAttention-2 over that of the card's best kernels, from Hopper on"), kFlash3, kAsked},
    {Constant::Flash2OverFlash1, "attention.flash-2-over-1", 1.3, "factor", Tier::Published, BearsOn::Step,
        Sentence::tr("rate of FlashAttention-2 over that of FlashAttention-1"),
        "the least of 1.3 to 2.5 in Dao 2023, arXiv:2307.08691", kAsked},
    {Constant::Flash2Context, "attention.flash-2-context", 300.0, "tokens", Tier::Published, BearsOn::Step,
        Sentence::tr("tokens with half the rate of FlashAttention-2, from Hopper on"), kFlash3},
    {Constant::Flash3OverBest, "attention.flash-3-over-best", 0.85, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("rate of FlashAttention-3 under PyTorch over that of the card's best kernels"),
        "1.5 to 2 times FlashAttention-2 on H100, Shah et al. 2024, arXiv:2407.08608"},
    {Constant::SmallHeadLoss, "attention.small-head-loss", 0.2, "share", Tier::Assumed, BearsOn::Step,
        Sentence::tr("loss of attention's rate, extrapolated to heads without values"),
        "a tenth at 64 values per head"},
    {Constant::SmallHeadLossBlackwell, "attention.small-head-loss-blackwell", 0.8, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("the same on Blackwell, where exponentials bound it"), kExpertRuns, kAsked},
    {Constant::NarrowAttention, "attention.fp8-over-16-bit", 1.45, "factor", Tier::Published, BearsOn::Step,
        Sentence::tr("rate of attention in fp8 over that in 16 bits"),
        "1.4 to 1.7 on GB200, NVIDIA/cudnn-frontend, benchmark/sdpa_benchmark_training"},
    {Constant::AttentionBackwardWork, "attention.backward-work", 2.5, "factor", Tier::Physics, BearsOn::Step,
        Sentence::tr("work of attention backward over forward, scores recomputed"), kFlash2},
    {Constant::AttentionBackwardRate, "attention.backward-rate", 0.8, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("rate of attention backward over forward"),
        "0.82 on GB200, 0.73 on GB300, 0.80 on H200 at 4k tokens, NVIDIA/cudnn-frontend, "
        "benchmark/sdpa_benchmark_training",
        kAsked},
    {Constant::BatchedProductEfficiency, "attention.batched-products", 0.45, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("share of the peak that products of unfused attention reach"), kAllRuns, kAsked},
    {Constant::DropoutPasses, "attention.dropout-passes", 2.5, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("passes of dropout over the scores"), "counted: reads, writes and a mask of a byte a score",
        kAsked},
    {Constant::FusedSoftmaxForward, "attention.fused-softmax-forward", 1.5, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("passes of Megatron's causal softmax over the scores, forward"), kMegatronSoftmax},
    {Constant::FusedSoftmaxBackward, "attention.fused-softmax-backward", 2.0, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("passes of Megatron's causal softmax over the scores, backward"), kMegatronSoftmax},
    {Constant::PlainSoftmaxForward, "attention.plain-softmax-forward", 4.0, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("passes of mask and softmax over the scores, forward"), kMegatronSoftmax},
    {Constant::PlainSoftmaxBackward, "attention.plain-softmax-backward", 5.0, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("passes of mask and softmax over the scores, backward"), kMegatronSoftmax},
    {Constant::EagerSoftmaxPasses, "attention.eager-softmax", 10.0, "passes", Tier::Physics, BearsOn::Step,
        Sentence::tr("passes of scale, mask, fp32 softmax and rounding over the scores, each direction"),
        "counted from transformers, eager_attention_forward"},
    {Constant::ScoreKernelsForward, "attention.score-kernels-forward", 4.0, "kernels", Tier::Assumed, BearsOn::Step,
        Sentence::tr("kernels of unfused attention, forward"), kUnrecorded},
    {Constant::ScoreKernelsBackward, "attention.score-kernels-backward", 6.0, "kernels", Tier::Assumed, BearsOn::Step,
        Sentence::tr("kernels of unfused attention, backward"), kUnrecorded},

    {Constant::ScanPeak, "recurrence.peak", 989.5, "TFLOP/s", Tier::Published, BearsOn::Step,
        Sentence::tr("peak above which chunked recurrences gain nothing"),
        "H100's data sheet; their Triton kernels "
        "hold small products in registers"},
    {Constant::MambaEfficiency, "recurrence.mamba", 0.15, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("share of that peak that Mamba-2 reaches"),
        "8,192 tokens with 128 heads of 64, one group and a state of 128: 0.65 ms on H100, vllm-project/vllm, pull "
        "request 27299, original kernels"},
    {Constant::MambaEfficiencyBlackwell, "recurrence.mamba-blackwell", 0.102, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("share of that peak that Mamba-2 reaches on Blackwell"),
        "Nemotron 3 Nano, 64 heads, 8 groups, 8,192 tokens: 0.37 ms, of which memory takes 0.14, NVIDIA/Megatron-LM, "
        "pull request 5829"},
    {Constant::DeltaEfficiency, "recurrence.delta-rule", 0.25, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("share of that peak that delta rules reach"),
        "131,072 tokens with 2 and 8 heads: 1.71 ms on B200, flashinfer-ai/flashinfer, pull request 3902, "
        "flash-linear-attention's kernels"},
    {Constant::DeltaBackwardWork, "recurrence.delta-backward-work", 2.5, "factor", Tier::Physics, BearsOn::Step,
        Sentence::tr("work of delta rules backward over forward, states recomputed"),
        "counted from flash-linear-attention, fla/ops/gated_delta_rule/chunk.py"},
    {Constant::ChunkWait, "recurrence.chunk-wait", 1.8e-6, "s", Tier::Published, BearsOn::Step,
        Sentence::tr("wait of a delta rule's chunk for the one before it"),
        "1.86 ms for one sequence of 65,536 tokens on B200, flashinfer-ai/flashinfer, pull request 3902"},

    {Constant::LocalForward, "host.local-forward", 0.96e-3, "s", Tier::Fitted, BearsOn::Step,
        Sentence::tr("launches of a layer of Megatron's own Python modules, forward"), kLocalHosts, kAsked},
    {Constant::LocalBackward, "host.local-backward", 1.55e-3, "s", Tier::Fitted, BearsOn::Step,
        Sentence::tr("launches of a layer of Megatron's own Python modules, backward"), kLocalHosts, kAsked},
    {Constant::LargeModules, "host.large-modules", 0.5, "factor", Tier::Assumed, BearsOn::Step,
        Sentence::tr("launches of TransformerEngine's modules in 16 bits, or of PyTorch's, over those"), kAllRuns,
        kAsked},
    {Constant::CompiledModules, "host.compiled", 0.25, "factor", Tier::Assumed, BearsOn::Step,
        Sentence::tr("launches of compiled modules over those"), kAllRuns, kAsked},
    {Constant::NarrowModules, "host.narrow-modules", 2.0, "factor", Tier::Fitted, BearsOn::Step,
        Sentence::tr("launches of TransformerEngine's modules in fp8 and fp4 over those"),
        "Llama 3 70B on 32 H100 in fp8: 509 TFLOPS with 8 tensor ranks, 704 with 4; NVIDIA-NeMo/Megatron-Bridge, "
        "commit 067f987df, "
        "skills/nemo-mbridge-perf-memory-tuning",
        kAsked},
    {Constant::ExpertModules, "host.expert-modules", 3.6, "factor", Tier::Fitted, BearsOn::Step,
        Sentence::tr("launches of a layer of experts of TransformerEngine over those"),
        "9 ms, below the 9.2 to 12.9 ms per layer and micro-batch of published host-bound runs on H100 and B200, "
        "NVIDIA-NeMo/Megatron-Bridge, docs/performance-summary-archive.md",
        kAsked},
    {Constant::ExpertsOverDense, "host.experts-over-dense", 1.5, "factor", Tier::Physics, BearsOn::Step,
        Sentence::tr("launches of a layer of experts over a dense one, other modules"),
        "counted: router and permutation add as many kernels as an MLP has"},
    {Constant::MixerLaunches, "host.mixer-share", 0.5, "share", Tier::Assumed, BearsOn::Step,
        Sentence::tr("share of a dense layer's launches that belong to the token mixer"), kUnrecorded},
    {Constant::AttentionLaunches, "host.attention-share", 0.4, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("share of a layer's launches that belong to attention"), kExpertRuns, kAsked},
    {Constant::RouterLaunches, "host.router-share", 0.27, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("share of a layer's launches that belong to norm and router"), kExpertRuns, kAsked},
    {Constant::GraphLaunch, "host.graph-launch", 0.05, "share", Tier::Assumed, BearsOn::Step,
        Sentence::tr("launch of a CUDA graph over the launches that it replays"), kUnrecorded},
    {Constant::CountsWait, "host.counts-wait", 2e-3, "s", Tier::Fitted, BearsOn::Step,
        Sentence::tr("wait for the host to read how many tokens each expert gets"), kExpertRuns, kAsked},
    {Constant::HostPerStep, "host.per-step", 5e-3, "s", Tier::Fitted, BearsOn::Step,
        Sentence::tr("host work of a training step, outside its passes"), kAllRuns, kAsked},
    {Constant::ChunkLaunch, "host.ring-chunk", 100e-6, "s", Tier::Published, BearsOn::Step,
        Sentence::tr("launches of a step of an eager attention ring, each direction"),
        "tests/validation/measurements/own, attention in a ring"},

    {Constant::HiddenByUserbuffers, "overlap.userbuffers", 0.6, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("part of tensor parallelism's collectives that userbuffers hide"),
        "Megatron-Bridge's published runs", kAsked},
    {Constant::HiddenByPairing, "overlap.pairing", 2.0 / 3.0, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("part of the expert exchange that is hidden beside another micro-batch's pass"), kExpertRuns,
        kAsked},
    {Constant::HidingShare, "overlap.hiding-share", 0.9, "share", Tier::Assumed, BearsOn::Step,
        Sentence::tr("share of a pass behind which communication can be hidden"), "the rest is its start and end",
        kAsked},
    {Constant::Contention, "overlap.contention", 0.126, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("how much slower work is while it overlaps with communication"),
        "1.126 on A100, measured by PKU-DAIR/Hetu-Galvatron's overlap profiler", kAsked},
    {Constant::CollectiveUnits, "overlap.collective-units", 0.24, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("share of a card's units that collectives take, from Hopper on"),
        "NCCL with 32 blocks of threads on 132 units: MLPerf's and Megatron-Bridge's recipes give it 16 to 32", kAsked},
    {Constant::BucketParameters, "overlap.bucket", 40e6, "parameters", Tier::Physics, BearsOn::Step,
        Sentence::tr("parameters of a bucket that replicas exchange at once; a million a rank if that is more"),
        "Megatron-LM, core/distributed/distributed_data_parallel.py, bucket_size"},
    {Constant::CardSpread, "cards.spread", 0.015, "share", Tier::Published, BearsOn::Step,
        Sentence::tr("standard deviation of the speed of equal cards"),
        "8 % between the whiskers, 5.4 deviations, in 18,800 hours on five clusters: Sinha et al. 2022, "
        "arXiv:2208.11035",
        kAsked},
    {Constant::SoftwareYears, "software.years", 1.5, "years", Tier::Fitted, BearsOn::Step,
        Sentence::tr("years after a generation's launch in which its software becomes faster"), kAllRuns, kAsked},
    {Constant::BlackwellSoftware, "software.blackwell", 0.1, "share", Tier::Fitted, BearsOn::Step,
        Sentence::tr("by how much Blackwell's kernels were slower at its launch"), kAllRuns, kAsked},
    {Constant::OptimizerBytes, "update.bytes", 36.0, "bytes/parameter", Tier::Physics, BearsOn::Step,
        Sentence::tr("memory traffic of the update"),
        "counted: fp32 weight, two moments and gradient, read and written"},
    {Constant::OptimizerLaunch, "update.launch", 2e-3, "s", Tier::Assumed, BearsOn::Step,
        Sentence::tr("launches of the update"), kUnrecorded},
    {Constant::OffloadedBytes, "update.offloaded-bytes", 6.0, "bytes/parameter", Tier::Physics, BearsOn::Step,
        Sentence::tr("traffic over PCIe of an update on the host"),
        "counted: an fp32 gradient out, a 16-bit weight back (ZeRO-Offload, arXiv:2101.06840)"},
    {Constant::HostBandwidth, "update.host-bandwidth", 200.0, "GB/s", Tier::Assumed, BearsOn::Step,
        Sentence::tr("bandwidth of a host's memory, shared by its cards"), kUnrecorded},
    {Constant::LeastHostShare, "update.least-host-share", 25.0, "GB/s", Tier::Assumed, BearsOn::Step,
        Sentence::tr("a card's least share of the bandwidth of host memory"),
        "nodes with many cards have several hosts"},

    {Constant::RouterBytes, "memory.router-bytes", 13.6, "bytes", Tier::Fitted, BearsOn::Memory,
        Sentence::tr("bytes that the router keeps per token and expert"),
        "six published DeepSeek runs on B200 (SimuMax, commit 4dcaae5); Megatron-Core, moe_utils.py: fp32 scores, "
        "routing map, row map, auxiliary loss"},
    {Constant::GroupedWorkspace, "memory.grouped-workspace", 144.0, "MiB", Tier::Fitted, BearsOn::Memory,
        Sentence::tr("workspace of grouped products"),
        "four streams of 32 MiB, and 16: DeepSeek runs on B200 (SimuMax, commit 4dcaae5)"},
    {Constant::SmallBuffers, "memory.small-buffers", 2.0, "MiB", Tier::Assumed, BearsOn::Memory,
        Sentence::tr("random states, token ids, labels and padding"), kUnrecorded},
    {Constant::Communicator, "memory.communicator", 614.0, "MiB", Tier::Published, BearsOn::Memory,
        Sentence::tr("memory of a communicator"),
        "NVIDIA/nccl issues 964, 864 and 285: 0.53 to 0.67 GiB on A100; uncertain by a factor of two"},
    {Constant::DeviceContext, "memory.device-context", 614.0, "MiB", Tier::Published, BearsOn::Memory,
        Sentence::tr("device context of a plan that does not state it"), kNvidiaContext},
    {Constant::SmallestContext, "memory.smallest-context", 481.0, "MiB", Tier::Published, BearsOn::Band,
        Sentence::tr("smallest device context: kernels loaded when first used"), kNvidiaContext},
    {Constant::LargestContext, "memory.largest-context", 942.0, "MiB", Tier::Published, BearsOn::Band,
        Sentence::tr("largest device context: all kernels loaded at once"), kNvidiaContext},
    {Constant::Reserve, "memory.reserve", 0.052, "share", Tier::Published, BearsOn::Memory,
        Sentence::tr("what the allocator holds and cannot use, over what is allocated"), kReserves},
    {Constant::SmallestReserve, "memory.smallest-reserve", 0.017, "share", Tier::Published, BearsOn::Band,
        Sentence::tr("the least of it"), kReserves},
    {Constant::LargestReserve, "memory.largest-reserve", 0.093, "share", Tier::Published, BearsOn::Band,
        Sentence::tr("the most of it"), kReserves},
    {Constant::FreeBlocks, "memory.free-blocks", 0.87, "blocks", Tier::Published, BearsOn::Memory,
        Sentence::tr("what PyTorch's allocator holds and cannot use, over the largest block that a pass makes"),
        kOwnBlocks},
    {Constant::LeastFreeBlocks, "memory.least-free-blocks", 0.15, "blocks", Tier::Published, BearsOn::Band,
        Sentence::tr("the least of it"), kOwnBlocks},
    {Constant::MostFreeBlocks, "memory.most-free-blocks", 1.7, "blocks", Tier::Published, BearsOn::Band,
        Sentence::tr("the most of it"), kOwnBlocks},
    {Constant::ExpandableBlocks, "memory.expandable-free-blocks", 0.6, "blocks", Tier::Published, BearsOn::Memory,
        Sentence::tr("the same with expandable segments"), kOwnBlocks},
    {Constant::LeastExpandableBlocks, "memory.least-expandable-free-blocks", 0.5, "blocks", Tier::Published,
        BearsOn::Band, Sentence::tr("the least of it"), kOwnBlocks},
    {Constant::MostExpandableBlocks, "memory.most-expandable-free-blocks", 1.4, "blocks", Tier::Published,
        BearsOn::Band, Sentence::tr("the most of it"), kOwnBlocks},
    {Constant::CompiledBlocks, "memory.compiled-free-blocks", 0.4, "blocks", Tier::Published, BearsOn::Memory,
        Sentence::tr("the same with compiled layers"), kOwnBlocks},
    {Constant::LeastCompiledBlocks, "memory.least-compiled-free-blocks", 0.1, "blocks", Tier::Published, BearsOn::Band,
        Sentence::tr("the least of it"), kOwnBlocks},
    {Constant::MostCompiledBlocks, "memory.most-compiled-free-blocks", 0.6, "blocks", Tier::Published, BearsOn::Band,
        Sentence::tr("the most of it"), kOwnBlocks},
    {Constant::UnknownImbalance, "memory.unknown-imbalance", 0.5, "share", Tier::Published, BearsOn::Band,
        Sentence::tr("by how much the busiest rank's tokens may exceed the mean, if the plan does not say"),
        "published dropless runs are between 1 and 1.5 times the mean"},

    {Constant::PrefillTokens, "server.prefill-tokens", 8192.0, "tokens", Tier::Published, BearsOn::Memory,
        Sentence::tr("tokens of a server's forward pass, if the recipe does not say"),
        "vLLM, max_num_batched_tokens on H100"},
    {Constant::SampledBytes, "server.sampled-bytes", 38.0, "bytes", Tier::Physics, BearsOn::Server,
        Sentence::tr("bytes per logit of vLLM's profile run of its sampler"),
        "counted from vLLM, v1/sample/ops/topk_topp_sampler.py; PyTorch, native/cuda/Sort.cu"},
    {Constant::OutsideAllocator, "server.outside-allocator", 133.0, "MiB", Tier::Published, BearsOn::Server,
        Sentence::tr("memory of vLLM outside the allocator on one card"),
        "llm-d-planner, docs/empirical-vllm-memory-results.md: 0.13 GiB"},
    {Constant::ServerShare, "server.share", 0.9, "share", Tier::Published, BearsOn::Server,
        Sentence::tr("share of the card that vLLM fills, if the recipe does not say"), "vLLM, gpu_memory_utilization"},
    {Constant::FreeShare, "server.free-share", 0.9, "share", Tier::Published, BearsOn::Server,
        Sentence::tr("share of the memory left by weights that TensorRT-LLM gives to its cache"),
        "TensorRT-LLM, kv_cache_free_gpu_mem_fraction"},

    {Constant::ExpertBandwidth, "decode.expert-bandwidth", 0.74, "share", Tier::Fitted, BearsOn::Server,
        Sentence::tr("memory bandwidth that grouped products of experts reach"), kServedRuns},
    {Constant::CacheBandwidth, "decode.cache-bandwidth", 0.75, "share", Tier::Fitted, BearsOn::Server,
        Sentence::tr("memory bandwidth that attention reaches over the cache"), kServedRuns},
    {Constant::ServedProducts, "decode.products", 0.92, "factor", Tier::Fitted, BearsOn::Server,
        Sentence::tr("rate of a server's products over that of training"), kServedRuns},
    {Constant::ServedGroupedRows, "decode.grouped-rows", 65.0, "rows", Tier::Fitted, BearsOn::Server,
        Sentence::tr("rows per expert with half the rate of a server's grouped products"), kServedRuns},
    {Constant::ServedConversions, "decode.conversions", 1.6, "share", Tier::Fitted, BearsOn::Server,
        Sentence::tr("conversions to fp8 and fp4 over those measured apart"), kServedRuns},
    {Constant::DecodedLayer, "decode.layer", 40e-6, "s", Tier::Fitted, BearsOn::Server,
        Sentence::tr("least time of a layer: norms, rotations and other small kernels"), kServedRuns},
    {Constant::DecodedExperts, "decode.expert-layer", 40e-6, "s", Tier::Fitted, BearsOn::Server,
        Sentence::tr("the same that routing to experts adds"), kServedRuns},
    {Constant::DecodedIndexer, "decode.indexer", 90e-6, "s", Tier::Fitted, BearsOn::Server,
        Sentence::tr("the same that the indexer of sparse attention adds"), kServedRuns},
    {Constant::DecodedRecurrence, "decode.recurrence", 10e-6, "s", Tier::Fitted, BearsOn::Server,
        Sentence::tr("the same that a recurrent layer adds"), kServedRuns},
    {Constant::BlackwellFloors, "decode.blackwell-floors", 0.85, "factor", Tier::Fitted, BearsOn::Server,
        Sentence::tr("these least times on Blackwell over those before"), kServedRuns},
    {Constant::DecodedSequence, "decode.sequence", 6e-6, "s", Tier::Fitted, BearsOn::Server,
        Sentence::tr("time of an iteration for each of its sequences: sampling and scheduling"), kServedRuns},
    {Constant::AllReduceStartAmpere, "decode.all-reduce-start-ampere", 11.5, "us", Tier::Fitted, BearsOn::Server,
        Sentence::tr("start of a small all-reduce over the fast link up to Ampere and Ada, and on AMD's cards"),
        kServedRuns},
    {Constant::AllReduceStartHopper, "decode.all-reduce-start-hopper", 7.0, "us", Tier::Fitted, BearsOn::Server,
        Sentence::tr("the same on Hopper"), kServedRuns},
    {Constant::AllReduceStartBlackwell, "decode.all-reduce-start-blackwell", 8.5, "us", Tier::Fitted, BearsOn::Server,
        Sentence::tr("the same on Blackwell"), kServedRuns},
    {Constant::AllReduceStartPcie, "decode.all-reduce-start-pcie", 50.0, "us", Tier::Fitted, BearsOn::Server,
        Sentence::tr("the same of cards that are connected by PCIe alone"), kServedRuns},
    {Constant::AllReducePcieShare, "decode.all-reduce-pcie-share", 0.49, "share", Tier::Fitted, BearsOn::Server,
        Sentence::tr("share of PCIe that a server's all-reduce reaches"), kServedRuns},
    {Constant::AllReduceRing, "decode.all-reduce-ring", 1.3, "factor", Tier::Fitted, BearsOn::Server,
        Sentence::tr("bandwidth term of an all-reduce between kernels over that of one measured alone"), kServedRuns},
    {Constant::BusiestExperts, "decode.busiest-experts", 2.7, "factor", Tier::Fitted, BearsOn::Server,
        Sentence::tr("work of the busiest rank's experts over the mean, with attention data parallelism"), kServedRuns},
    {Constant::PromptsInFirstToken, "decode.prompts-in-first-token", 0.4, "share", Tier::Fitted, BearsOn::Server,
        Sentence::tr("prompts' work that shows in the time to the first token instead of later ones, twice"),
        kServedRuns},
    {Constant::PipelineLoss, "decode.pipeline-loss", 0.03, "share", Tier::Fitted, BearsOn::Server,
        Sentence::tr("time that each further pipeline stage adds"), kServedRuns},
    {Constant::FirstTokenHost, "decode.first-token-host", 0.04, "s", Tier::Fitted, BearsOn::Server,
        Sentence::tr("host and HTTP before the first token of a loaded server"), kServedRuns},
});
static_assert(isInOrder(kRows));

constexpr ConstantValues shippedValues()
{
    ConstantValues values{};
    for (const ConstantRow& row : kRows)
        values[static_cast<std::size_t>(row.value)] = row.shipped;
    return values;
}

} // namespace

constinit const ConstantValues detail::kShippedConstants = shippedValues();

std::span<const ConstantRow> constantRows() { return kRows; }

const ConstantRow& row(Constant constant) { return kRows[static_cast<std::size_t>(constant)]; }

void Constants::set(Constant constant, double value)
{
    ConstantValues values = m_changed ? *m_changed : detail::kShippedConstants;
    values[static_cast<std::size_t>(constant)] = value;
    m_changed = std::make_shared<const ConstantValues>(values);
}

bool Constants::operator==(const Constants& other) const
{
    if (m_changed == other.m_changed) return true;
    const auto values = [](const Constants& of) -> const ConstantValues& {
        return of.m_changed ? *of.m_changed : detail::kShippedConstants;
    };
    return values(*this) == values(other);
}

} // namespace cardfit
