// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/operator_layer.h"

/// A vision tower before the first stage (transformers, models/qwen3_vl/modeling_qwen3_vl.py): a product that embeds
/// patches, learned positions, layers of LayerNorm, attention among the patches of an image and an MLP with GELU, all
/// with biases, and mergers that make a token from several patches. A frozen tower runs without gradients and keeps
/// nothing.
namespace cardfit::operators {

namespace {

struct TowerShare {
    double patches = 0.0; ///< of a micro-batch; every context rank has all of them
    double tokens = 0.0; ///< that they become
    double image = 0.0; ///< patches of an image
    std::int64_t tensor = 1; ///< cards that share the layers' products
};

TowerShare towerShare(const VisionTower& tower, const CardShare& share)
{
    const double per_sample = number(share.image_tokens * tower.patches_per_token);
    TowerShare result;
    result.tokens = number(share.image_tokens * share.micro_batch);
    result.patches = per_sample * number(share.micro_batch);
    result.image = per_sample / number(std::max<std::int64_t>(share.images, 1));
    result.tensor = share.vision_tensor;
    return result;
}

/// Adds the saved tensors, unless nothing is kept.
void keep(const Layer& layer, Operator& step, std::vector<SavedTensor> tensors)
{
    step.frozen = !layer.options.vision_trained;
    for (Weight& weight : step.weights)
        weight.frozen = step.frozen;
    if (step.frozen) return;
    std::erase_if(tensors, [](const SavedTensor& tensor) { return tensor.bytes == Bytes(0); });
    step.saved = std::move(tensors);
}

Operator embedPatches(const Layer& layer, const VisionTower& tower, const TowerShare& share)
{
    Operator embed{"vision.embedding"};
    embed.weights = {linear("vision.patch.weight", tower.hidden_size, tower.patch_values),
        {"vision.patch.bias", tower.hidden_size},
        {"vision.position.weight", tower.num_position_embeddings, tower.hidden_size}};
    embed.products = {product(share.patches, number(tower.patch_values), number(tower.hidden_size))};
    keep(layer, embed,
        {saved("vision.patches", "w N_p p_v", layer.element * share.patches * number(tower.patch_values))});
    return embed;
}

/// All layers of the tower as one step.
Operator towerLayers(const Layer& layer, const VisionTower& tower, const TowerShare& share)
{
    const std::int64_t hidden = tower.hidden_size;
    const std::int64_t heads = tower.num_attention_heads / share.tensor;
    const std::int64_t inner = hidden / share.tensor;
    const std::int64_t width = tower.intermediate_size / share.tensor;
    const double layers = number(tower.num_hidden_layers);
    Operator step{"vision.layers"};
    step.weights = {linear("vision.qkv.weight", 3 * inner, hidden), {"vision.qkv.bias", 3 * inner},
        linear("vision.projection.weight", hidden, inner), {"vision.projection.bias", hidden},
        linear("vision.up.weight", width, hidden), {"vision.up.bias", width},
        linear("vision.down.weight", hidden, width), {"vision.down.bias", hidden}, {"vision.norm.weight", 4 * hidden}};
    for (Weight& weight : step.weights)
        weight.copies = tower.num_hidden_layers;
    step.products = {product(share.patches, number(hidden), number(3 * inner)),
        product(share.patches, number(inner), number(hidden)), product(share.patches, number(hidden), number(width)),
        product(share.patches, number(width), number(hidden))};
    for (MatrixProduct& one : step.products)
        one.copies = layers;
    // Every patch attends to all patches of its image.
    const double scores = layers * number(heads) * share.patches * share.image;
    const Flops work(4.0 * layers * share.patches * share.image * number(inner));
    step.attention = {{1.0, work, work, scores, share.image, number(hidden) / number(tower.num_attention_heads)}};
    step.moved = roundToBytes(6.0 * layers * layer.element * share.patches * number(hidden));
    if (share.tensor > 1) {
        const Bytes sums = roundToBytes(2.0 * layers * layer.element * share.patches * number(hidden));
        step.forward_sends = {{Collective::AllReduce, RankSet::Tensor, sums}};
        if (layer.options.vision_trained) step.backward_sends = step.forward_sends;
    }
    const double inputs = layers * layer.element * share.patches * number(hidden);
    if (layer.options.vision_checkpointed) {
        keep(layer, step, {saved("vision.checkpoints", "w L_v N_p h_v", inputs)});
    } else {
        keep(layer, step,
            {saved("vision.streams", "4 w L_v N_p h_v", 4.0 * inputs),
                saved("vision.products", "w L_v N_p (4 h_v + 2 f_v) / t_v",
                    layers * layer.element * share.patches * number(4 * inner + 2 * width)),
                saved("vision.log_sum_exp", "4 L_v N_p a_v / t_v", kFloat * layers * share.patches * number(heads))});
    }
    return step;
}

/// Norm, product, GELU and product to the model's width, after the tower and after layers whose features are added to
/// the model's first layers.
Operator merge(const Layer& layer, const VisionTower& tower, const TowerShare& share)
{
    const std::int64_t merged = tower.patches_per_token * tower.hidden_size;
    const std::int64_t mergers = tower.mergers;
    Operator step{"vision.merger"};
    Weight first = linear("vision.merger_up.weight", merged, merged);
    Weight second = linear("vision.merger_down.weight", layer.model.hidden_size, merged);
    Weight biases{"vision.merger.bias", merged + layer.model.hidden_size};
    first.copies = second.copies = biases.copies = mergers;
    // After the tower the norm is over a patch, elsewhere over a token's patches.
    step.weights = {
        first, second, biases, {"vision.merger_norm.weight", 2 * tower.hidden_size + (mergers - 1) * 2 * merged}};
    step.products = {
        product(share.tokens, number(merged), number(merged)), product(share.tokens, number(merged), layer.hidden)};
    for (MatrixProduct& one : step.products)
        one.copies = number(mergers);
    keep(layer, step,
        {saved("vision.merged", "4 w M_v m_v T_v h_v", 4.0 * layer.element * number(mergers * merged) * share.tokens)});
    return step;
}

} // namespace

} // namespace cardfit::operators

namespace cardfit {

std::vector<Operator> visionOperators(const Architecture& model, const CardShare& share, const OperatorOptions& options)
{
    if (!model.vision) return {};
    const operators::Layer layer{model, share, options, {}};
    const operators::TowerShare tower = operators::towerShare(*model.vision, share);
    std::vector<Operator> steps{operators::embedPatches(layer, *model.vision, tower),
        operators::towerLayers(layer, *model.vision, tower), operators::merge(layer, *model.vision, tower)};
    if (share.image_tokens > 0) return steps;
    for (Operator& step : steps) {
        const bool frozen = step.frozen;
        step = Operator{step.id, std::move(step.weights)}; // without images there is nothing to do
        step.frozen = frozen;
    }
    return steps;
}

} // namespace cardfit
