// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/launch/option_rows.h"
#include "core/launch/torchtitan/torchtitan_words.h"
#include "core/plan/field_table.h"

/// The keys of a torchtitan job that Cardfit writes, in the order in which it does.
namespace cardfit {

inline constexpr auto kTorchtitanOptions = std::to_array<OptionRow>({
    {"model.name"},
    {"model.flavor"},
    {"model.converters"},
    {"optimizer.name"},
    {"training.local_batch_size"},
    {"training.global_batch_size"},
    {"training.seq_len", pointerOf<&Workload::sequence_length>},
    {"training.steps"},
    {"training.mixed_precision_param"},
    {"training.dtype"},
    {"training.disable_cuda_graphs"},
    {"training.enable_cpu_offload"},
    {"parallelism.data_parallel_replicate_degree"},
    {"parallelism.data_parallel_shard_degree"},
    {"parallelism.fsdp_reshard_after_forward"},
    {"parallelism.tensor_parallel_degree", pointerOf<&Parallelism::tensor>},
    {"parallelism.pipeline_parallel_degree", pointerOf<&Parallelism::pipeline>},
    {"parallelism.context_parallel_degree", pointerOf<&Parallelism::context>},
    {"parallelism.context_parallel_rotate_method"},
    {"parallelism.expert_parallel_degree", pointerOf<&Parallelism::expert>},
    {"parallelism.expert_tensor_parallel_degree"},
    {"parallelism.expert_parallel_comm_backend"},
    // Until June 2026; since then the loss is always computed in parallel.
    {"parallelism.disable_loss_parallel", pointerOf<&Recipe::loss_parallel>, Written::Always, true},
    {"parallelism.enable_async_tensor_parallel", pointerOf<&Overlap::tensor>},
    {"parallelism.pipeline_parallel_schedule"},
    {"parallelism.pipeline_parallel_microbatch_size"},
    {kModuleLists},
    {"parallelism.pipeline_parallel_layers_per_stage"},
    {"activation_checkpoint.mode"},
    {"activation_checkpoint.selective_ac_option"},
    {"quantize.linear.float8.enable_fsdp_float8_all_gather", pointerOf<&Recipe::fp8_param_gather>},
    {"compile.enable"},
});

} // namespace cardfit
