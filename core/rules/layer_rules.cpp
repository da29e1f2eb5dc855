// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/layer_rules.h"

#include <algorithm>

#include "core/plan/field_table.h"

namespace cardfit {

namespace {

/// A count that must be divided among cards, and what it counts.
struct Divided {
    Phrase what;
    std::int64_t count = 0;
    bool group = false; ///< several cards may hold the same one
};

std::vector<Divided> dividedCounts(const Architecture& model)
{
    std::vector<Divided> counts;
    const LayerKinds kinds = layerKinds(model);
    const auto has = [&](TokenMixer mixer) {
        return kinds.count([&](LayerKind kind) { return kind.mixer == mixer; }) > 0;
    };
    if (has(TokenMixer::GatedDeltaNet) || has(TokenMixer::KimiDelta)) {
        const LinearAttention sizes = model.linear_attention.value_or(LinearAttention());
        counts.push_back({Sentence::tr("key heads of linear attention"), sizes.linear_num_key_heads});
        counts.push_back({Sentence::tr("value heads of linear attention"), sizes.linear_num_value_heads});
    }
    if (has(TokenMixer::Mamba)) {
        const Mamba sizes = model.mamba.value_or(Mamba());
        counts.push_back({Sentence::tr("heads of Mamba-2"), sizes.mamba_num_heads});
        counts.push_back({Sentence::tr("groups of heads of Mamba-2"), sizes.n_groups, true});
    }
    if (has(TokenMixer::ShortConvolution))
        counts.push_back({Sentence::tr("channels of the short convolution"), model.hidden_size});
    return counts;
}

LayerRule rule(std::string_view field, Sentence message)
{
    return {"LAYER-PATTERN", field, std::move(message), {}, true};
}

/// Rules of compressed attention, and of the layers that need it.
std::optional<LayerRule> brokenCompression(const Architecture& model)
{
    const auto& compressed = model.compressed_attention;
    constexpr std::string_view kTypes = pointerOf<&Architecture::layer_types>;
    const auto needed = [](LayerType type) {
        return type == LayerType::CompressedSparseAttention || type == LayerType::HeavilyCompressedAttention;
    };
    const bool listed = std::ranges::any_of(model.layer_types, needed);
    if (!compressed) {
        if (!listed) return std::nullopt;
        return rule(kTypes,
            Sentence::tr("the model has layers of {} and does not say their sizes: {}",
                {"compressed attention", pointerOf<&Architecture::compressed_attention>}));
    }
    const auto allowed = [&](LayerType type) { return needed(type) || type == LayerType::SlidingAttention; };
    if (model.layer_types.empty() || !std::ranges::all_of(model.layer_types, allowed))
        return rule(kTypes,
            Sentence::tr("with compressed attention every layer is listed as sliding_attention, "
                         "compressed_sparse_attention or heavily_compressed_attention"));
    constexpr std::string_view kField = pointerOf<&Architecture::compressed_attention>;
    if (model.mla || model.sliding_attention || model.num_key_value_heads != 1 || model.v_head_dim > 0)
        return rule(kField, Sentence::tr("compressed attention has one key for all heads, which is their value too"));
    if (!model.sliding_window)
        return rule(kField,
            Sentence::tr("the model has layers of {} and does not say their sizes: {}",
                {"windowed attention", pointerOf<&Architecture::sliding_window>}));
    const bool sparse =
        std::ranges::find(model.layer_types, LayerType::CompressedSparseAttention) != model.layer_types.end();
    if (sparse && !model.sparse_attention)
        return rule(kField,
            Sentence::tr("the model has layers of {} and does not say their sizes: {}",
                {"compressed sparse attention", pointerOf<&Architecture::sparse_attention>}));
    if (model.num_attention_heads % compressed->o_groups != 0)
        return rule(pointerOf<&CompressedAttention::o_groups>,
            Sentence::tr(
                "{} attention heads do not split into {} groups", {model.num_attention_heads, compressed->o_groups}));
    return std::nullopt;
}

} // namespace

std::optional<LayerRule> brokenPattern(const Architecture& model)
{
    if (auto broken = brokenCompression(model)) return broken;
    constexpr std::string_view kPattern = pointerOf<&Architecture::hybrid_layer_pattern>;
    constexpr std::string_view kTypes = pointerOf<&Architecture::layer_types>;
    const bool sparse = model.sparse_attention.has_value();
    if (sparse && !model.mla && !model.compressed_attention)
        return rule(pointerOf<&Architecture::sparse_attention>,
            Sentence::tr("an indexer chooses among the tokens of latent attention, or the entries of compressed "
                         "attention; the model has neither"));
    if (model.attention_k_eq_v && (model.mla || model.compressed_attention || model.v_head_dim > 0))
        return rule(pointerOf<&Architecture::attention_k_eq_v>,
            Sentence::tr("values that are keys have the size of keys, and attention is neither latent nor compressed"));
    if (model.sliding_attention && (model.mla || !listsLayers(model)))
        return rule(pointerOf<&Architecture::sliding_attention>,
            Sentence::tr(
                "layers with a window can have heads of their own where layer_types or a pattern lists them, and "
                "attention is not latent"));
    if (!listsLayers(model)) return std::nullopt;
    const std::string& pattern = model.hybrid_layer_pattern;
    if (!pattern.empty() && !model.layer_types.empty())
        return rule(kTypes, Sentence::tr("a model's layers are listed by a pattern or by their types, not by both"));
    for (const char letter : pattern) {
        if (letter != '/' && !kindOfLetter(model, letter))
            return rule(kPattern,
                Sentence::tr("{} in the pattern of layers is none of M G * W C - E", {std::string(1, letter)}));
    }
    const auto listed =
        static_cast<std::int64_t>(pattern.empty() ? model.layer_types.size() : mainPattern(model).size());
    if (listed != model.num_hidden_layers) {
        LayerRule wrong = rule(pointerOf<&Architecture::num_hidden_layers>,
            Sentence::tr("{} layers are listed one by one, the model has {}", {listed, model.num_hidden_layers}));
        wrong.candidates = {listed};
        return wrong;
    }
    const std::string_view field = pattern.empty() ? kTypes : kPattern;
    const std::string_view main = mainPattern(model);
    const auto has = [&](char letter, LayerType type) {
        return main.find(letter) != std::string_view::npos
            || (main.empty() && std::ranges::find(model.layer_types, type) != model.layer_types.end());
    };
    if (main.find('M') != std::string_view::npos && !model.mamba)
        return rule(field,
            Sentence::tr("the model has layers of {} and does not say their sizes: {}",
                {"Mamba-2", pointerOf<&Architecture::mamba>}));
    if (has('G', LayerType::LinearAttention) && !model.linear_attention)
        return rule(field,
            Sentence::tr("the model has layers of {} and does not say their sizes: {}",
                {"linear attention", pointerOf<&Architecture::linear_attention>}));
    if (main.find('E') != std::string_view::npos && !model.moe)
        return rule(field,
            Sentence::tr("the model has layers of {} and does not say their sizes: {}",
                {"experts", pointerOf<&Architecture::moe>}));
    if (has('W', LayerType::SlidingAttention) && !model.sliding_window)
        return rule(field,
            Sentence::tr("the model has layers of {} and does not say their sizes: {}",
                {"windowed attention", pointerOf<&Architecture::sliding_window>}));
    if (const auto& mamba = model.mamba; mamba && mamba->mamba_num_heads % mamba->n_groups != 0)
        return rule(pointerOf<&Mamba::n_groups>,
            Sentence::tr("{} heads of Mamba-2 do not split into {} groups", {mamba->mamba_num_heads, mamba->n_groups}));
    if (const auto& linear = model.linear_attention;
        linear && linear->linear_num_value_heads % linear->linear_num_key_heads != 0)
        return rule(pointerOf<&LinearAttention::linear_num_value_heads>,
            Sentence::tr("{} value heads of linear attention cannot share {} key heads evenly",
                {linear->linear_num_value_heads, linear->linear_num_key_heads}));
    return std::nullopt;
}

bool dividesRecurrence(const Architecture& model, std::int64_t tensor)
{
    if (!listsLayers(model)) return true;
    return std::ranges::all_of(
        dividedCounts(model), [&](const Divided& divided) { return divided.count % tensor == 0; });
}

std::optional<LayerRule> brokenTensor(const Plan& plan)
{
    const std::int64_t tensor = plan.parallelism.tensor;
    if (tensor == 1 || !listsLayers(plan.model.architecture)) return std::nullopt;
    for (const Divided& divided : dividedCounts(plan.model.architecture)) {
        if (divided.count % tensor == 0) continue;
        return LayerRule{"TP-RECURRENT", pointerOf<&Parallelism::tensor>,
            Sentence::tr("tensor {}: {} {} / {} leave {}",
                {tensor, divided.count, divided.what, tensor, divided.count % tensor}),
            {}, true};
    }
    return std::nullopt;
}

std::optional<LayerRule> brokenContext(const Plan& plan)
{
    const Architecture& model = plan.model.architecture;
    const std::int64_t context = plan.parallelism.context;
    if (context == 1 || !listsLayers(model)) return std::nullopt;
    const auto counts = dividedCounts(model);
    if (counts.empty()) return std::nullopt;
    constexpr std::string_view kField = pointerOf<&Parallelism::context>;
    // PyTorch's stacks pass the state of delta rules from rank to rank, with any number of heads:
    // flash-linear-attention since pull 691 (fla/ops/cp), used by prime-rl (pull 2080).
    if (plan.recipe.framework == Framework::Fsdp && !model.mamba) return std::nullopt;
    if (plan.recipe.framework != Framework::Megatron) {
        return LayerRule{"CP-RECURRENT", kField,
            Sentence::tr("context {}: a recurrence runs through the whole sequence; {} neither exchanges its heads "
                         "for tokens nor passes its state on",
                {context, projectOf(plan.recipe.framework)}),
            {1}, false};
    }
    for (const Divided& divided : counts) {
        const std::int64_t held = std::max<std::int64_t>(1, divided.count / plan.parallelism.tensor);
        if (held % context == 0 || (divided.group && context % held == 0)) continue;
        LayerRule broken{"CP-RECURRENT", kField,
            Sentence::tr("context {}: {} {} per tensor rank / {} leave {}",
                {context, held, divided.what, context, held % context}),
            {}, true};
        for (std::int64_t ways = 1; ways <= held; ++ways) {
            if (held % ways == 0) broken.candidates.push_back(ways);
        }
        return broken;
    }
    return std::nullopt;
}

} // namespace cardfit
