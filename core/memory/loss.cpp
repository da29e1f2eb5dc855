// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/loss.h"

namespace cardfit {

namespace {

struct BytesPerLogit {
    double saved, peak;
};

BytesPerLogit bytesPerLogit(const Recipe& recipe)
{
    switch (recipe.loss) {
    case Loss::Fused: return {2.0, 2.0};
    case Loss::FusedNative: return {4.0, 10.0};
    case Loss::Unfused:
    case Loss::Chunked: break;
    }
    if (recipe.framework == Framework::Megatron) return {4.0, 6.0};
    return {6.0, 14.0};
}

} // namespace

LossMemory lossMemory(const Plan& plan)
{
    const CardShare share = cardShare(plan);
    const double vocabulary = static_cast<double>(share.vocabulary / share.tensor);
    const double hidden = static_cast<double>(plan.model.architecture.hidden_size);
    if (plan.recipe.loss == Loss::Chunked) {
        constexpr double kChunkLogit = 6.0; // bf16 logits and their fp32 softmax
        const Bytes gradient = roundToBytes(2.0 * share.tokens() * hidden / share.residual());
        const double chunk_rows = share.tokens() * hidden / vocabulary;
        return {gradient, gradient + roundToBytes(kChunkLogit * chunk_rows * vocabulary), Bytes(0)};
    }
    const double logits = share.tokens() * vocabulary;
    const BytesPerLogit bytes = bytesPerLogit(plan.recipe);
    return {roundToBytes(bytes.saved * logits), roundToBytes(bytes.peak * logits), roundToBytes(2.0 * logits)};
}

} // namespace cardfit
