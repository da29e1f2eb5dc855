// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

/// Plans that tests start from and change.
namespace cardfit::samples {

/// An A100 with 80 GB, written out so that core tests need no files.
inline Accelerator a100()
{
    Accelerator card;
    card.id = "a100-sxm-80";
    card.name = "NVIDIA A100 SXM 80 GB";
    card.generation = Generation::Ampere;
    card.memory = Mebibytes(81920);
    card.memory_bandwidth = GigabytesPerSecond(2039);
    card.tflops.bf16 = Teraflops(312);
    card.tflops.fp16 = Teraflops(312);
    return card;
}

inline Architecture llama13B()
{
    Architecture model;
    model.hidden_size = 5120;
    model.num_hidden_layers = 40;
    model.num_attention_heads = model.num_key_value_heads = 40;
    model.head_dim = 128;
    model.intermediate_size = 13824;
    model.vocab_size = 32000;
    model.max_position_embeddings = 4096;
    return model;
}

/// A GPT layer as Korthikanti et al. 2022 count it: LayerNorm, dropout, plain MLP of four times the width.
inline Architecture gpt(std::int64_t hidden, std::int64_t heads, std::int64_t layers)
{
    Architecture model;
    model.hidden_size = hidden;
    model.num_hidden_layers = layers;
    model.num_attention_heads = model.num_key_value_heads = heads;
    model.head_dim = hidden / heads;
    model.intermediate_size = 4 * hidden;
    model.vocab_size = 51200;
    model.gated_mlp = false;
    model.norm = Norm::LayerNorm;
    model.attention_bias = model.mlp_bias = true;
    model.position_embedding = PositionEmbedding::Learned;
    model.max_position_embeddings = 2048;
    model.tie_word_embeddings = true;
    return model;
}

/// Llama 13B on 8 cards as 4 stages x 2 replicas with the distributed optimizer, 512 micro-batches.
inline Plan llama13BOnEightCards()
{
    Plan plan;
    plan.name = "Llama 13B, 8 x A100";
    plan.model.architecture = llama13B();
    plan.cluster.accelerator = a100();
    plan.cluster.nodes = 1;
    plan.cluster.cards_per_node = 8;
    plan.workload.sequence_length = 4096;
    plan.workload.micro_batch_size = 1;
    plan.workload.global_batch_size = 1024;
    plan.parallelism.pipeline = 4;
    plan.parallelism.data = 2;
    return plan;
}

} // namespace cardfit::samples
