// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/rough_size.h"

#include <algorithm>

namespace cardfit {

RoughSize roughSize(const Plan& plan)
{
    const Architecture& model = plan.model.architecture;
    const Workload& work = plan.workload;
    const auto number = [](std::int64_t value) { return static_cast<double>(value); };
    const double hidden = number(model.hidden_size);
    double heads = 0.0;
    double queries = 0.0;
    for (const TokenMixer mixer : {TokenMixer::Attention, TokenMixer::WindowedAttention}) {
        const AttentionHeads own = attentionHeads(model, mixer);
        queries = std::max(queries, number(own.queries));
        heads = std::max(heads, number(own.queries) * number(std::max(own.head_dim, own.v_head_dim)));
    }
    const double experts = model.moe ? number(model.moe->num_experts) : 1.0;
    double features = std::max({number(model.intermediate_size), heads, number(model.vocab_size)});
    if (model.position_embedding == PositionEmbedding::Learned)
        features = std::max(features, number(model.max_position_embeddings));
    if (model.moe) {
        features =
            std::max({features, number(model.moe->moe_intermediate_size), number(model.moe->shared_intermediate_size)});
    }
    double latent = 0.0;
    if (const auto& mla = model.mla) {
        const double ranks = number(mla->q_lora_rank) + number(mla->kv_lora_rank);
        const double head = number(mla->qk_nope_head_dim) + number(mla->qk_rope_head_dim) + number(mla->v_head_dim);
        latent = (ranks + hidden) * (number(model.num_attention_heads) * head + hidden);
    }
    if (const auto& compressed = model.compressed_attention) {
        const double ranks = number(compressed->q_lora_rank)
            + number(compressed->o_groups) * number(compressed->o_lora_rank) + number(compressed->compress_rate_csa)
            + number(compressed->compress_rate_hca);
        const SparseAttention indexer = model.sparse_attention.value_or(SparseAttention());
        latent += (ranks + hidden) * (heads + number(indexer.index_n_heads) * number(indexer.index_head_dim));
    }
    const double streams = number(model.hc_mult);
    latent += streams * streams * streams * hidden;
    double tower = 0.0;
    double patches = 0.0; // values of the vision tower's layers
    if (const auto& vision = model.vision) {
        const double values = number(vision->hidden_size);
        const double merged = number(vision->patches_per_token) * values;
        const double width = values + number(vision->intermediate_size);
        tower = number(vision->num_hidden_layers) * 4.0 * values * width
            + values * (number(vision->patch_values) + number(vision->num_position_embeddings))
            + number(vision->mergers) * merged * (merged + hidden);
        const double seen = number(work.image_tokens) * number(work.micro_batch_size);
        const double per_image = number(work.image_tokens) * number(vision->patches_per_token);
        patches = seen * number(vision->patches_per_token) * number(vision->num_hidden_layers)
                * (8.0 * width + number(vision->num_attention_heads) * per_image)
            + seen * 4.0 * number(vision->mergers) * merged;
    }
    const double layers = number(model.num_hidden_layers) + number(model.mtp_layers);
    const double tokens = number(work.sequence_length) * number(work.micro_batch_size);
    const double scores = tokens * number(work.sequence_length) * queries;
    return {tower + layers * (hidden * (4.0 * heads + 3.0 * experts * features) + latent),
        patches + layers * (tokens * (streams * hidden + features) + scores)};
}

} // namespace cardfit
