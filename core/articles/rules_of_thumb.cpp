// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/articles/rules_of_thumb.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/formula.h"
#include "core/base/trimmed.h"

namespace cardfit {

namespace {

constexpr std::string_view kThirteenBillion = "13B on 80 GB cards (Zhihu)";
constexpr std::string_view kBimant = "BimAnt guide";
constexpr std::string_view kParametersToMemory = "parameters to memory (Zhihu)";
constexpr std::string_view kInterviewSheet = "LLM memory interview sheet";

constexpr auto kRules = std::to_array<Rule>({
    // Bytes per parameter of weights, gradients, fp32 master copy and Adam's two moments.
    {"megatron", "2 + 4 + 4 + 8", kThirteenBillion}, // fp32 gradients
    {"mixed", "2 + 2 + 4 + 8", kInterviewSheet}, // 16-bit gradients
    {"uniform", "w + w + 2 w", kParametersToMemory}, // all in one format, no master copy
    {"zero1", "6 + 12 / d", kThirteenBillion}, // master copy and moments divided over the replicas
    {"least_training", "20", kInterviewSheet}, // activations included
    {"load", "4 / (32 / Q) 1.2", kBimant}, // weights, and a fifth for everything else
    {"context", "1.3e9", kInterviewSheet}, // bytes of one process's CUDA context

    // Parameters of LLaMA: four attention matrices, three of a gated MLP, two norms; embedding and head apart.
    {"llama_layer", "4 h^2 + 3 h f + 2 h", "arXiv:2302.13971"}, {"llama_embedding", "V h", "arXiv:2302.13971"},
    {"llama", "L llama_layer + 2 llama_embedding + h", "arXiv:2302.13971"},
    {"llama_norms", "(2 L + 1) h", "arXiv:2302.13971"}, // tensor parallelism keeps them whole on every rank

    // Bytes of activations of one micro-batch.
    {"activations", "40 s b h L", kThirteenBillion}, // attention scores not kept
    {"fused", "34 s b h L", "Korthikanti et al. 2022, arXiv:2205.05198, equation 1 without its quadratic term"},
    {"unfused", "(34 + 5 a s / h) s b h L", "Korthikanti et al. 2022, arXiv:2205.05198, equation 1"},
    {"sample", "(h + f) s L w", kInterviewSheet}, // inputs of attention and MLP, once per layer
    {"neurons", "n^0.5", kBimant}, // side of a square matrix that holds all parameters
    {"layer_activations", "neurons b w", kBimant},
    {"sequence_parallel", "A / t", "Korthikanti et al. 2022, arXiv:2205.05198, table 2"},

    // Cards and pipelines.
    {"in_flight", "min(m, p - i + 1)", kThirteenBillion}, // micro-batches that stage i of 1F1B holds
    {"chunks_in_flight", "2 (p - i) + (v - 1) p + 1",
        "Megatron-LM, core/pipeline_parallel/schedules.py, warm-up of the interleaved schedule"},
    {"interleaved", "1 + (p - 1) / (p v)", "Korthikanti et al. 2022, arXiv:2205.05198, section 4.2.3"},
    {"bubble", "(p - 1) / (m + p - 1)", kParametersToMemory}, // idle share, equal stages, GPipe or 1F1B
    {"busy", "1 / p", kParametersToMemory}, // busy share when one stage works and the others wait
    {"card", "zero1 n / p + in_flight A / p", kThirteenBillion},
    {"exact_card", "zero1 n / p + in_flight activations / p", kThirteenBillion},
    {"model_parallel", "S / k + A", kBimant}, // states are divided, every card keeps all activations

    // Rates.
    {"model_flops", "6 n R / F", "Kaplan et al. 2020, arXiv:2001.08361, section 2.1, without its attention term"},
    {"zero3_traffic", "3 2 n", "Rajbhandari et al. 2020, arXiv:1910.02054, section 7.2.2"}, // two gathers, one scatter
});

/// The formula that stands for a name; none if it is neither given nor a rule.
std::optional<std::string_view> formulaOf(std::string_view name, std::string_view given)
{
    while (!given.empty()) {
        const std::string_view entry = given.substr(0, given.find(','));
        given.remove_prefix(std::min(entry.size() + 1, given.size()));
        const std::size_t equals = std::min(entry.find('='), entry.size());
        if (trimmed(entry.substr(0, equals)) == name) return trimmed(entry.substr(std::min(equals + 1, entry.size())));
    }
    const auto* rule = std::ranges::find(kRules, name, &Rule::name);
    return rule == kRules.end() ? std::nullopt : std::optional(rule->formula);
}

} // namespace

std::span<const Rule> rulesOfThumb() { return kRules; }

Result<double> reckon(std::string_view formula, std::string_view given)
{
    return Formula::parse(formula).and_then([&](const Formula& parsed) {
        return parsed.evaluate([&](std::string_view name) -> std::optional<double> {
            const auto definition = formulaOf(name, given);
            if (!definition) return std::nullopt;
            const auto value = reckon(*definition, given);
            return value ? std::optional(*value) : std::nullopt;
        });
    });
}

} // namespace cardfit
