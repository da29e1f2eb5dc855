// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/model_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/launch/checkpoint_names.h"

namespace cardfit {

namespace {

struct OptimizerWord {
    std::string_view word; ///< in lower case
    Optimizer optimizer;
};
constexpr auto kOptimizerWords = std::to_array<OptimizerWord>({{"adam", Optimizer::Adam}, {"adamw", Optimizer::Adam},
    {"adamw_torch", Optimizer::Adam}, {"adamw_torch_fused", Optimizer::Adam}, {"adamw_hf", Optimizer::Adam},
    {"adamw_apex_fused", Optimizer::Adam}, {"adamw_bnb_8bit", Optimizer::Adam8Bit}, {"adamw_8bit", Optimizer::Adam8Bit},
    {"adamw8bit", Optimizer::Adam8Bit}, {"adam8bit", Optimizer::Adam8Bit}, {"adamw_torch_8bit", Optimizer::Adam8Bit},
    {"paged_adamw_8bit", Optimizer::PagedAdam8Bit}, {"pagedadamw8bit", Optimizer::PagedAdam8Bit},
    {"pagedadam8bit", Optimizer::PagedAdam8Bit}, {"paged_adamw_32bit", Optimizer::PagedAdam},
    {"paged_adamw", Optimizer::PagedAdam}, {"pagedadamw", Optimizer::PagedAdam}, {"sgd", Optimizer::Momentum},
    {"adafactor", Optimizer::Adafactor}, {"lion_pytorch", Optimizer::Lion}, {"lion", Optimizer::Lion},
    {"muon", Optimizer::Muon}, {"adamw4bit", Optimizer::Adam4Bit}, {"adam4bit", Optimizer::Adam4Bit},
    {"adamw_torch_4bit", Optimizer::Adam4Bit}, {"ao_adamw_4bit", Optimizer::Adam4Bit},
    {"ao_adamw_8bit", Optimizer::Adam8Bit}, {"galore_adamw", Optimizer::GaLore}, {"apollo_adamw", Optimizer::Apollo},
    {"normuon", Optimizer::NorMuon}, {"dion", Optimizer::Dion}, {"soap", Optimizer::Soap},
    {"shampoo", Optimizer::Shampoo}, {"distributedshampoo", Optimizer::Shampoo}, {"adam_mini", Optimizer::AdamMini}});

struct TargetWord {
    std::string_view word;
    AdapterTarget target;
};
constexpr auto kTargetWords = std::to_array<TargetWord>({{"q_proj", AdapterTarget::QProj},
    {"k_proj", AdapterTarget::KProj}, {"v_proj", AdapterTarget::VProj}, {"qkv_proj", AdapterTarget::LinearQkv},
    {"o_proj", AdapterTarget::LinearProj}, {"output_proj", AdapterTarget::LinearProj},
    {"gate_proj", AdapterTarget::GateProj}, {"up_proj", AdapterTarget::UpProj},
    {"gate_up_proj", AdapterTarget::LinearFc1}, {"w1", AdapterTarget::GateProj}, {"w3", AdapterTarget::UpProj},
    {"down_proj", AdapterTarget::LinearFc2}, {"w2", AdapterTarget::LinearFc2}, {"lm_head", AdapterTarget::LmHead}});

} // namespace

void setModelByName(
    Plan& plan, std::string_view key, std::string_view name, const Presets& presets, Notes& notes, bool points)
{
    auto model = modelOfName(name, presets, points);
    if (!model) return notes.add(unknownModelNote(key, name, plan.model));
    plan.model = *std::move(model);
    if (const Phrase left_out = leftOutOfName(name); !left_out.empty()) notes.addAssumed(key, name, left_out);
}

Plan fineTuningPlan(const Plan& base)
{
    Plan plan;
    plan.name = base.name;
    plan.model = base.model;
    plan.cluster = base.cluster;
    plan.workload.task = Task::Finetune;
    plan.workload.sequence_length = 2048;
    Recipe& recipe = plan.recipe;
    recipe.framework = Framework::Fsdp;
    recipe.kernels = Kernels::Eager;
    recipe.loss = Loss::Unfused;
    recipe.gradient_accumulation_fusion = false;
    recipe.sharding = cardCount(plan.cluster) > 1 ? Sharding::Zero3 : Sharding::None;
    return plan;
}

void setOptimizerByName(Plan& plan, std::string_view key, std::string_view name, Notes& notes)
{
    const std::string word = lowered(std::string(name.substr(name.find_last_of('.') + 1)));
    const auto* known = std::ranges::find(kOptimizerWords, std::string_view(word), &OptimizerWord::word);
    if (known != kOptimizerWords.end())
        plan.recipe.optimizer = known->optimizer;
    else
        notes.add(key, name, kNoOptimizer);
}

void addAdapterTarget(Adapter& adapter, std::string_view key, std::string_view name, Notes& notes)
{
    // "self_attn.q_proj" and "q_proj" name the same modules; those of shared experts are not adapter targets.
    const bool qualified = name.starts_with("self_attn.") || name.starts_with("mlp.");
    const auto* known =
        std::ranges::find(kTargetWords, qualified ? name.substr(name.find('.') + 1) : name, &TargetWord::word);
    if (known == kTargetWords.end())
        notes.add(key, name, Sentence::tr("plans have no adapters for this module"));
    else if (std::ranges::find(adapter.targets, known->target) == adapter.targets.end())
        adapter.targets.push_back(known->target);
}

void setQuantizedBase(Plan& plan, std::string_view key, std::string_view name, Notes& notes)
{
    const auto format = formatOfName(name);
    if (!format || format->format == Precision::Bf16 || format->format == Precision::Fp16) return;
    if (format->published || !trainsAdapters(plan)) {
        notes.addAssumed(key, name,
            Sentence::tr("kept in {}; training is taken to load it in 16 bits", {cardfit::name(format->format)}));
        return;
    }
    if (plan.workload.task == Task::Qlora) return; // the file says the same
    plan.workload.task = Task::Qlora;
    const bool bytes = format->format == Precision::Fp8 || format->format == Precision::Int8;
    plan.recipe.quantizer = bytes ? Quantizer::BitsandbytesInt8 : Quantizer::Bitsandbytes;
    notes.addAssumed(key, name,
        Sentence::tr("frozen weights stay in {}; they are taken to be as large as those of {}",
            {cardfit::name(format->format), cardfit::name(plan.recipe.quantizer)}));
}

std::int64_t sequencesOfTokens(
    const Plan& plan, std::string_view key, std::int64_t tokens, std::int64_t most, Notes& notes)
{
    const std::int64_t length = std::max<std::int64_t>(plan.workload.sequence_length, 1);
    const std::int64_t fit = countProduct({tokens, plan.parallelism.context}).value_or(tokens) / length;
    const std::int64_t sequences = std::clamp<std::int64_t>(fit, 1, most);
    notes.addAssumed(key, tokens,
        Sentence::tr(
            "micro-batches are filled up to so many tokens: taken as {} sequences of full length", {sequences}));
    return sequences;
}

bool setBatch(Plan& plan, std::int64_t micro_batch, std::int64_t steps)
{
    plan.workload.micro_batch_size = micro_batch;
    const auto all = countProduct({micro_batch, steps, std::max<std::int64_t>(dataParallel(plan), 1)});
    if (all) plan.workload.global_batch_size = *all;
    return all.has_value();
}

} // namespace cardfit
