// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/software.h"

#include <array>
#include <charconv>

#include "core/base/enum_names.h"

namespace cardfit {

namespace {

struct ChangeRow {
    SoftwareChange value;
    SoftwareMonth month; ///< the first one that has it as a whole
    std::string_view source;
};
constexpr auto kChanges = std::to_array<ChangeRow>({
    {SoftwareChange::TransformersLossCopies, monthOf(2024, 9), "huggingface/transformers 4.45, loss/loss_utils.py"},
    {SoftwareChange::TransformersGroupedKeys, monthOf(2025, 8), "huggingface/transformers, pull request 39412"},
    {SoftwareChange::TorchtitanGroupedKeys, monthOf(2026, 2), "pytorch/torchtitan ff0829c10, pull request 2259"},
    {SoftwareChange::TorchtitanEmbeddingUnit, monthOf(2025, 8), "pytorch/torchtitan 83e694105, pull request 1094"},
    {SoftwareChange::TorchtitanSavedAttention, monthOf(2025, 12), "pytorch/torchtitan b39377f9f, pull request 2095"},
    {SoftwareChange::BlackwellCublas, monthOf(2026, 2), "pytorch/pytorch, pull request 175344"},
    {SoftwareChange::TorchFlash2, monthOf(2024, 1), "pytorch/pytorch 2.2"},
    {SoftwareChange::TorchCudnn, monthOf(2026, 3),
        "pytorch/pytorch 2.11, with cuDNN 9.15.1: sdp_utils.cpp, check_prefer_cudnn_attention"},
});
static_assert(isInOrder(kChanges));

} // namespace

std::optional<SoftwareMonth> readMonth(std::string_view text)
{
    constexpr std::size_t kLength = 7; // "2025-11"
    constexpr std::size_t kHyphen = 4;
    if (text.size() != kLength || text[kHyphen] != '-') return std::nullopt;
    const auto number = [](std::string_view digits) {
        int value = -1;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc{} && end == digits.data() + digits.size() ? value : -1;
    };
    const int year = number(text.substr(0, kHyphen));
    const int month = number(text.substr(kHyphen + 1));
    if (year < 2000 || month < 1 || month > 12) return std::nullopt;
    return monthOf(year, month);
}

std::optional<SoftwareMonth> softwareMonth(const Plan& plan) { return readMonth(plan.recipe.software); }

bool has(const Plan& plan, SoftwareChange change)
{
    const auto month = softwareMonth(plan);
    return !month || *month >= kChanges[static_cast<std::size_t>(change)].month;
}

bool hasEmbeddingUnit(const Plan& plan)
{
    if (plan.recipe.embedding_unit) return *plan.recipe.embedding_unit;
    return plan.workload.task == Task::Pretrain && has(plan, SoftwareChange::TorchtitanEmbeddingUnit);
}

} // namespace cardfit
