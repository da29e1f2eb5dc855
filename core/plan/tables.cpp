// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/tables.h"

namespace cardfit {

CardShare cardShare(const Plan& plan)
{
    CardShare share;
    share.sequence = plan.workload.sequence_length;
    share.micro_batch = plan.workload.micro_batch_size;
    share.tensor = plan.parallelism.tensor;
    share.context = plan.parallelism.context;
    share.expert = plan.parallelism.expert;
    share.expert_tensor = plan.parallelism.expert_tensor;
    share.sequence_parallel = plan.parallelism.sequence;
    share.vocabulary = paddedVocabulary(plan.model.architecture, plan.parallelism.tensor);
    return share;
}

OperatorOptions operatorOptions(const Plan& plan)
{
    const auto& recipe = plan.recipe;
    OperatorOptions options;
    options.fused_attention = recipe.attention != Attention::Unfused;
    // FlashAttention-2 works batch-first, Megatron sequence-first: with more than one sample its output is transposed
    // into a second tensor. Seen as A100 minus H100 in Megatron-LM's golden memory values.
    options.attention_output_copied = recipe.attention == Attention::Flash2 && plan.workload.micro_batch_size > 1;
    options.fused_activation = recipe.activation_fusion;
    options.context_all_to_all = recipe.context_communication == ContextCommunication::A2a;
    options.hidden_dropout = recipe.dropout.hidden;
    options.attention_dropout = recipe.dropout.attention;
    return options;
}

LayerKinds layerKinds(const Architecture& model, const LayerRange& layers)
{
    LayerKinds kinds;
    if (!model.moe) {
        kinds.dense = layers.count();
        return kinds;
    }
    for (std::int64_t layer = layers.first; layer < layers.end; ++layer) {
        ++(hasExperts(model, layer) ? kinds.experts : kinds.dense);
    }
    return kinds;
}

LayerKinds layerKinds(const Architecture& model, const StageLayers& stage)
{
    LayerKinds sum;
    for (const LayerRange& chunk : stage.chunks) {
        const LayerKinds kinds = layerKinds(model, chunk);
        sum.dense += kinds.dense;
        sum.experts += kinds.experts;
    }
    return sum;
}

OperatorTables operatorTables(const Plan& plan)
{
    const auto& model = plan.model.architecture;
    const CardShare share = cardShare(plan);
    const OperatorOptions options = operatorOptions(plan);
    const LayerKinds kinds = layerKinds(model, LayerRange{0, model.num_hidden_layers});
    // Tied weights on different stages are two tensors whose gradients are all-reduced.
    const bool own_output_weight = !model.tie_word_embeddings || plan.parallelism.pipeline > 1;

    OperatorTables tables;
    if (kinds.dense > 0) tables.dense_layer = layerOperators(model, share, options, false);
    if (kinds.experts > 0) tables.expert_layer = layerOperators(model, share, options, true);
    tables.embedding = embeddingOperators(model, share, options);
    tables.head = headOperators(model, share, own_output_weight);
    return tables;
}

} // namespace cardfit
