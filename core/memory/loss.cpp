// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/loss.h"

namespace cardfit {

namespace {

struct BytesPerLogit {
    double saved, worst;
    std::string_view saved_formula, worst_formula; ///< `worst` beyond `saved`
};

BytesPerLogit bytesPerLogit(const Recipe& recipe)
{
    if (recipe.loss == Loss::Fused) {
        if (recipe.precision == Precision::Fp32) return {4.0, 4.0, "4 T v / t", "0"};
        return {2.0, 2.0, "2 T v / t", "0"};
    }
    if (recipe.loss == Loss::FusedNative) return {4.0, 10.0, "4 T v / t", "6 T v / t"};
    if (recipe.framework == Framework::Megatron) return {4.0, 6.0, "4 T v / t", "2 T v / t"};
    return {6.0, 14.0, "6 T v / t", "8 T v / t"};
}

} // namespace

LossMemory lossMemory(const Plan& plan)
{
    const CardShare share = cardShare(plan);
    const double vocabulary = static_cast<double>(share.vocabulary / share.tensor);
    const double hidden = static_cast<double>(plan.model.architecture.hidden_size);
    const double element = operatorOptions(plan).element;
    const std::int64_t depths = 1 + plan.model.architecture.mtp_layers;
    if (plan.recipe.loss == Loss::Chunked) {
        constexpr double kChunkLogit = 6.0; // 16-bit logits and their fp32 softmax
        const Bytes gradient = roundToBytes(element * share.tokens() * hidden / share.residual());
        return {{"loss.gradient", "w T h / u", depths, depths * gradient},
            {"loss.chunk", "6 T h", 1, roundToBytes(kChunkLogit * share.tokens() * hidden)},
            {"gradient.logits", "0", 1, Bytes(0)}};
    }
    const double logits = share.tokens() * vocabulary;
    const BytesPerLogit bytes = bytesPerLogit(plan.recipe);
    return {{"logits", bytes.saved_formula, depths, depths * roundToBytes(bytes.saved * logits)},
        {"loss.temporary", bytes.worst_formula, 1, roundToBytes((bytes.worst - bytes.saved) * logits)},
        {"gradient.logits", "w T v / t", 1, roundToBytes(element * logits)}};
}

} // namespace cardfit
