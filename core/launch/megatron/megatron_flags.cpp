// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/megatron/megatron_parts.h"

#include <algorithm>
#include <array>

namespace cardfit {

bool isWithoutEffect(std::string_view flag)
{
    // kBeginnings: prefixes of groups of options; kSingle: single options.
    constexpr std::array<std::string_view, 55> kBeginnings{"--log-", "--no-ckpt-", "--fim-", "--check-weight-hash",
        "--tensorboard-", "--wandb-", "--save", "--load", "--ckpt-", "--dist-ckpt-", "--async-", "--lr", "--min-lr",
        "--weight-decay", "--start-weight-decay", "--end-weight-decay", "--no-weight-decay", "--adam-", "--muon-",
        "--lion-", "--eval-", "--exit-", "--timing-log-", "--profile", "--distributed-", "--init-method-",
        "--tokenizer-", "--vocab-", "--data-", "--train-data-", "--valid-data-", "--test-data-", "--no-load-",
        "--no-save-", "--rope-scaling-", "--rotary-", "--manual-gc", "--moe-router-", "--moe-aux-loss-", "--otel-",
        "--one-logger", "--inprocess-", "--straggler-", "--error-injection-", "--yarn-", "--dataloader-",
        "--object-storage-cache-", "--app-tag-", "--tiktoken-", "--mup-", "--inference-", "--adlr-", "--ft-",
        "--mscale", "--result-rejected-"};
    constexpr std::array<std::string_view, 96> kSingle{"--verify-integrity", "--apply-query-key-layer-scaling",
        "--seed", "--split", "--clip-grad", "--merge-file", "--mock-data", "--use-mcore-models", "--use-legacy-models",
        "--num-workers", "--norm-epsilon", "--layernorm-epsilon", "--use-persistent-ckpt-worker",
        "--use-checkpoint-opt-param-scheduler", "--override-opt-param-scheduler", "--loss-scale",
        "--initial-loss-scale", "--min-loss-scale", "--loss-scale-window", "--hysteresis", "--moe-z-loss-coeff",
        "--attention-softmax-in-fp32", "--no-mmap-bin-files", "--reset-position-ids", "--reset-attention-mask",
        "--eod-mask-loss", "--trust-remote-code", "--test-mode", "--calculate-per-token-loss", "--decoupled-lr",
        "--decoupled-min-lr", "--use-rope-scaling", "--apply-layernorm-1p", "--disable-msc", "--enable-msc",
        "--enable-experimental", "--enable-one-logger", "--no-one-logger", "--no-check-for-nan-in-loss-and-grad",
        "--check-for-large-grads", "--use-gloo-process-groups", "--disable-gloo-process-groups",
        "--ddp-average-in-collective", "--no-masked-softmax-fusion", "--make-vocab-size-divisible-by", "--finetune",
        "--auto-detect-ckpt-format", "--legacy-tokenizer", "--mscale", "--mscale-all-dim",
        "--original-max-position-embeddings", "--beta-fast", "--beta-slow", "--rope-type", "--inprocess-restart",
        "--logging-level", "--train-iters", "--train-samples", "--bert-no-binary-head", "--use-cpu-initialization",
        "--no-initialization", "--qk-clip", "--te-rng-tracker", "--mtp-loss-scaling-factor", "--no-bias-gelu-fusion",
        "--no-bias-swiglu-fusion", "--rerun-mode", "--use-mup", "--no-use-tokenizer-model-from-checkpoint-args",
        "--apply-wd-to-qk-layernorm", "--no-yarn-correction-range-round-to-int", "--init-model-with-meta-device",
        "--no-rope-freq", "--no-gradient-reduce-div-fusion", "--overlap-cpu-optimizer-d2h-h2d",
        "--use-torch-optimizer-for-cpu-offload", "--no-pin-cpu-grads", "--no-pin-cpu-params", "--calc-ft-timeouts",
        "--enable-ft-package", "--mid-level-dataset-surplus", "--num-dataset-builder-threads",
        "--per-split-data-args-path", "--per-dataset-sequences-path", "--override-ckpt-iteration",
        "--dump-param-to-param-group-map", "--use-one-sent-docs", "--use-same-sampling-seed-across-dp-ranks",
        "--sft-tokenizer-prompt-format", "--run-workload-inspector-server", "--embedding-init-method-std",
        "--allow-ambiguous-pad-tokens", "--export-te-mcore-model", "--use-dist-ckpt",
        "--apply-residual-connection-post-layernorm", "--layernorm-zero-centered-gamma"};
    // Options with one of these prefixes that do affect memory or time.
    constexpr std::array<std::string_view, 5> kExceptions{"--data-parallel-sharding-strategy",
        "--moe-router-padding-for-fp8", "--moe-router-padding-for-quantization", "--moe-router-fusion",
        "--moe-router-force-biased"};
    const auto is = [&](std::string_view other) { return flag == other; };
    if (std::ranges::any_of(kExceptions, is)) return false;
    return std::ranges::any_of(kSingle, is)
        || std::ranges::any_of(kBeginnings, [&](std::string_view beginning) { return flag.starts_with(beginning); });
}

} // namespace cardfit
