// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/time/model_work.h"

#include "core/model/operators.h"
#include "core/plan/tables.h"

namespace cardfit {

namespace {

ParameterCount countParameters(const Plan& plan)
{
    const auto& model = plan.model.architecture;
    ParameterCount count;
    count.total = parameterCount(model);
    count.active = model.moe ? activeParameterCount(model) : count.total;
    if (trainsAdapters(plan))
        count.trainable = adapterParameterCount(model, *adapterOf(plan));
    else if (trainsAll(plan))
        count.trainable = trainsVision(plan) ? count.total : count.total - visionParameterCount(model);
    return count;
}

ForwardWork forwardWork(const std::vector<Operator>& operators, RecomputeSet modules, double tokens)
{
    ForwardWork work;
    for (const Operator& step : operators) {
        for (const MatrixProduct& product : step.products) {
            work.products += product.work();
            if (!intersects(product.run_again_by, modules)) continue;
            work.again += product.work();
            work.again_whole += product.work();
        }
        work.products += step.scan.useful;
        const bool runs_again = intersects(step.run_again_by, modules);
        for (const AttentionWork& part : step.attention) {
            work.visible += part.share * part.visible;
            work.whole += part.share * part.whole;
            if (!runs_again) continue;
            work.again += part.share * part.visible;
            work.again_whole += part.share * part.whole;
        }
    }
    return (1.0 / tokens) * work;
}

} // namespace

ForwardWork& ForwardWork::operator+=(const ForwardWork& other)
{
    products += other.products;
    visible += other.visible;
    whole += other.whole;
    again += other.again;
    again_whole += other.again_whole;
    return *this;
}

ForwardWork operator*(double factor, const ForwardWork& work)
{
    return {factor * work.products, factor * work.visible, factor * work.whole, factor * work.again,
        factor * work.again_whole};
}

ModelWork modelWork(const Plan& plan)
{
    Architecture model = plan.model.architecture;
    if (model.moe) {
        model.moe->imbalance = 1.0;
        model.moe->capacity_factor.reset();
    }
    CardShare share;
    share.sequence = plan.workload.sequence_length;
    share.image_tokens = plan.workload.image_tokens;
    share.images = plan.workload.images;
    share.vocabulary = paddedVocabulary(model, plan.parallelism.tensor);
    const OperatorOptions options = operatorOptions(plan);
    const RecomputeSet modules = recomputedModules(plan.recipe.recompute);
    const auto work = [&](const std::vector<Operator>& operators) {
        return forwardWork(operators, modules, share.tokens());
    };
    const OperatorTables tables = operatorTables(model, share, options, true);
    ModelWork whole;
    whole.parameters = countParameters(plan);
    for (const auto& [kind, operators] : tables.layers)
        whole.layers.add(kind, work(operators));
    whole.head = work(tables.head);
    whole.vision = work(tables.vision);
    const auto depths = static_cast<double>(model.mtp_layers);
    whole.head = (1.0 + depths) * whole.head;
    whole.head += depths * work(tables.prediction);
    return whole;
}

} // namespace cardfit
