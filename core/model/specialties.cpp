// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/specialties.h"

namespace cardfit {

std::vector<Sentence> specialties(const Architecture& model)
{
    std::vector<Sentence> facts;
    if (listsLayers(model)) {
        for (const auto [kind, count] : layerKinds(model))
            facts.push_back(Sentence::tr("{} x {}", {count, Sentence(wordsOf(kind))}));
    }
    if (model.moe && model.moe->moe_latent_size > 0)
        facts.push_back(Sentence::tr("experts see {} of {} features", {model.moe->moe_latent_size, model.hidden_size}));
    if (const auto& compressed = model.compressed_attention; compressed && model.sliding_window)
        facts.push_back(Sentence::tr("a window of {} tokens, and behind it entries of {} and {} tokens",
            {model.sliding_window->size, compressed->compress_rate_csa, compressed->compress_rate_hca}));
    if (model.attention_k_eq_v) facts.push_back(Sentence::tr("values are keys in layers without a window"));
    if (model.vision)
        facts.push_back(Sentence::tr("a vision tower of {} layers makes a token of {} patches",
            {model.vision->num_hidden_layers, model.vision->patches_per_token}));
    if (model.hc_mult > 1) facts.push_back(Sentence::tr("hyper-connections join {} residual streams", {model.hc_mult}));
    if (model.sparse_attention && !model.compressed_attention)
        facts.push_back(
            Sentence::tr("an indexer picks {} tokens for every query", {model.sparse_attention->index_topk}));
    return facts;
}

} // namespace cardfit
