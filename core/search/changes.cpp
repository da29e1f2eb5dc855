// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/changes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "core/plan/choices.h"
#include "core/plan/edits.h"
#include "core/plan/field_table.h"
#include "core/plan/tables.h"

namespace cardfit {

namespace {

using Make = std::function<Plan(std::int64_t value)>;

std::string layoutWords(const Plan& plan)
{
    const auto& layout = plan.parallelism.layers_per_stage;
    return layout ? fmt::format("{}", fmt::join(*layout, " ")) : "automatic";
}

/// Fields that differ besides the one that was set on purpose.
std::vector<Edit> consequences(const Plan& before, const Plan& after)
{
    std::vector<Edit> edits;
    const auto add = [&](std::string_view field, const std::string& from, const std::string& to) {
        if (from != to) edits.push_back({std::string(field), from, to});
    };
    add(pointerOf<&Parallelism::data>, std::to_string(dataParallel(before)), std::to_string(dataParallel(after)));
    add(pointerOf<&Parallelism::expert_tensor>, std::to_string(expertTensor(before)),
        std::to_string(expertTensor(after)));
    add(pointerOf<&Parallelism::layers_per_stage>, layoutWords(before), layoutWords(after));
    add(pointerOf<&Recipe::schedule>, std::string(name(before.recipe.schedule)),
        std::string(name(after.recipe.schedule)));
    return edits;
}

/// Collects the changes of one plan that keep its rules.
class Collector {
public:
    Collector(const Plan& plan, const Trials& trials)
        : m_plan(plan)
        , m_trials(trials)
    {
    }

    std::vector<Change> run()
    {
        addTensor();
        addPipeline();
        addContext();
        addExpert();
        if (m_plan.workload.task == Task::Inference) {
            addFormats();
            addShare();
            return std::move(m_changes);
        }
        addMicroBatch();
        addSharding();
        addChunks();
        addSequenceParallel();
        addRecompute();
        addOffload();
        return std::move(m_changes);
    }

private:
    bool add(std::string_view field, std::string from, std::string to, Plan changed)
    {
        if (!m_trials.accepts(changed)) return false;
        auto follows = consequences(m_plan, changed);
        std::erase_if(follows, [&](const Edit& edit) { return edit.field == field; });
        m_changes.push_back(
            {{std::string(field), std::move(from), std::move(to)}, std::move(follows), std::move(changed)});
        return true;
    }

    /// The nearest value below and the nearest above that the rules accept.
    void addNeighbours(std::string_view field, std::int64_t now, std::int64_t most, const Make& make)
    {
        for (const std::int64_t direction : {-1, 1}) {
            for (std::int64_t value = now + direction; value >= 1 && value <= most; value += direction) {
                if (add(field, std::to_string(now), std::to_string(value), make(value))) break;
            }
        }
    }

    /// Changes a degree; data parallelism adjusts so that the cards stay.
    void addDegree(std::string_view field, std::int64_t Parallelism::*degree, std::int64_t most)
    {
        addNeighbours(field, m_plan.parallelism.*degree, most, [this, degree](std::int64_t value) {
            Plan changed = m_plan;
            changed.parallelism.*degree = value;
            // A list of layers is valid only for the old number of stages.
            if (degree == &Parallelism::pipeline) changed.parallelism.layers_per_stage.reset();
            return withDerivedFactor(m_plan, std::move(changed), DerivedFactor::Data);
        });
    }

    void addTensor()
    {
        addDegree(pointerOf<&Parallelism::tensor>, &Parallelism::tensor,
            std::min(cardsPerDomain(m_plan.cluster), m_plan.model.architecture.num_attention_heads));
    }

    void addPipeline()
    {
        addDegree(pointerOf<&Parallelism::pipeline>, &Parallelism::pipeline,
            std::min(m_plan.model.architecture.num_hidden_layers, cardCount(m_plan.cluster)));
    }

    void addContext()
    {
        addDegree(pointerOf<&Parallelism::context>, &Parallelism::context,
            std::min(m_plan.workload.sequence_length, cardCount(m_plan.cluster)));
    }

    [[nodiscard]] Make withExpert() const
    {
        return [this](std::int64_t value) {
            Plan changed = m_plan;
            changed.parallelism.expert = value;
            return changed;
        };
    }

    [[nodiscard]] Make withExpertTensor() const
    {
        return [this](std::int64_t value) {
            Plan changed = m_plan;
            changed.parallelism.expert_tensor = value;
            return changed;
        };
    }

    void addExpert()
    {
        if (!m_plan.model.architecture.moe) return;
        constexpr std::string_view kExpert = pointerOf<&Parallelism::expert>;
        constexpr std::string_view kExpertTensor = pointerOf<&Parallelism::expert_tensor>;
        const std::int64_t expert = m_plan.parallelism.expert;
        const std::int64_t shared_by = expertTensor(m_plan);
        addNeighbours(kExpert, expert, m_plan.model.architecture.moe->num_experts, withExpert());
        addNeighbours(kExpertTensor, shared_by, m_plan.parallelism.tensor, withExpertTensor());
        // With the nearest degrees some tensor ranks may still hold copies.
        const std::int64_t copies = expertCopies(m_plan);
        if (copies == 1) return;
        addOnce(kExpert, expert, copies * expert, withExpert());
        addOnce(kExpertTensor, shared_by, copies * shared_by, withExpertTensor());
    }

    /// Unless it is one of the neighbours.
    void addOnce(std::string_view field, std::int64_t now, std::int64_t value, const Make& make)
    {
        const std::string to = std::to_string(value);
        const auto same = [&](const Change& change) { return change.edit.field == field && change.edit.to == to; };
        if (std::ranges::none_of(m_changes, same)) add(field, std::to_string(now), to, make(value));
    }

    /// vLLM's usual share of the card, where the plan gives its server less.
    void addShare()
    {
        constexpr double kUsual = 0.9;
        const auto share = m_plan.recipe.gpu_memory_utilization;
        if (!share || *share >= kUsual) return;
        Plan changed = m_plan;
        changed.recipe.gpu_memory_utilization = kUsual;
        add(pointerOf<&Recipe::gpu_memory_utilization>, fmt::format("{:g}", *share), fmt::format("{:g}", kUsual),
            std::move(changed));
    }

    /// Narrower formats of a served model's weights and cache.
    void addFormats()
    {
        const auto& recipe = m_plan.recipe;
        for (const Precision format : {Precision::Fp8, Precision::Int8, Precision::Nvfp4}) {
            if (bytesPerValue(format) >= bytesPerValue(recipe.precision)) continue;
            if (!hasMatrixUnits(m_plan.cluster.accelerator, format)) continue; // at best as fast as 16 bits
            Plan changed = m_plan;
            changed.recipe.precision = format;
            add(pointerOf<&Recipe::precision>, std::string(name(recipe.precision)), std::string(name(format)),
                std::move(changed));
        }
        if (recipe.kv_cache_precision.value_or(Precision::Bf16) == Precision::Bf16) {
            Plan changed = m_plan;
            changed.recipe.kv_cache_precision = Precision::Fp8;
            add(pointerOf<&Recipe::kv_cache_precision>, "bf16", "fp8", std::move(changed));
        }
    }

    void addMicroBatch()
    {
        const std::int64_t data = std::max<std::int64_t>(1, dataParallel(m_plan));
        const std::int64_t most = m_plan.workload.global_batch_size / data;
        addNeighbours(
            pointerOf<&Workload::micro_batch_size>, m_plan.workload.micro_batch_size, most, [this](std::int64_t value) {
                Plan changed = m_plan;
                changed.workload.micro_batch_size = value;
                return changed;
            });
    }

    void addSharding()
    {
        for (const auto& entry : names<Sharding>()) {
            if (entry.value == m_plan.recipe.sharding) continue;
            Plan changed = m_plan;
            changed.recipe.sharding = entry.value;
            add(pointerOf<&Recipe::sharding>, std::string(name(m_plan.recipe.sharding)), std::string(entry.name),
                std::move(changed));
        }
    }

    void addChunks()
    {
        const std::int64_t stages = std::max<std::int64_t>(1, m_plan.parallelism.pipeline);
        constexpr std::int64_t kMostChunks = 16;
        const std::int64_t most = std::min(m_plan.model.architecture.num_hidden_layers / stages, kMostChunks);
        addNeighbours(pointerOf<&Parallelism::virtual_pipeline>, m_plan.parallelism.virtual_pipeline, most,
            [this](std::int64_t value) { return withChunks(m_plan, value); });
    }

    void addSequenceParallel()
    {
        if (m_plan.parallelism.tensor == 1) return;
        Plan changed = m_plan;
        changed.parallelism.sequence = !m_plan.parallelism.sequence;
        const auto word = [](const Plan& plan) { return plan.parallelism.sequence ? "on" : "off"; };
        const std::string to = word(changed);
        add(pointerOf<&Parallelism::sequence>, word(m_plan), to, std::move(changed));
    }

    void addRecompute()
    {
        std::vector<Recompute> choices(2);
        choices[1].granularity = RecomputeGranularity::Full;
        const bool has_experts = m_plan.model.architecture.moe.has_value();
        const Architecture& model = m_plan.model.architecture;
        const bool has_latent = model.mla.has_value() || model.compressed_attention.has_value();
        const Recompute& now = m_plan.recipe.recompute;
        const auto offer = [&](RecomputeModule module, bool is_there) {
            // One module more than now, if any are recomputed.
            std::vector<RecomputeModule> modules;
            if (now.granularity == RecomputeGranularity::Selective) modules = now.modules;
            if (!is_there || std::ranges::find(modules, module) != modules.end()) return;
            modules.push_back(module);
            choices.push_back({RecomputeGranularity::Selective, std::move(modules), RecomputeMethod::Uniform, 1});
        };
        offer(RecomputeModule::CoreAttn, true);
        offer(RecomputeModule::LayerNorm, true);
        offer(RecomputeModule::Mlp, true);
        offer(RecomputeModule::MoeAct, has_experts);
        offer(RecomputeModule::Moe, has_experts);
        offer(RecomputeModule::MlaUpProj, has_latent);
        offer(RecomputeModule::Mhc, model.hc_mult > 1);
        for (const Recompute& choice : choices) {
            if (recomputeWords(choice) == recomputeWords(now)) continue;
            Change change = withRecompute(m_plan, choice);
            if (m_trials.accepts(change.plan)) m_changes.push_back(std::move(change));
        }
    }

    void addOffload()
    {
        const double now = m_plan.recipe.offload.optimizer;
        for (const double share : {0.0, 0.5, 1.0}) {
            if (share == now) continue;
            Plan changed = m_plan;
            changed.recipe.offload.optimizer = share;
            add(pointerOf<&Offload::optimizer>, fmt::format("{:g}", now), fmt::format("{:g}", share),
                std::move(changed));
        }
    }

    const Plan& m_plan;
    const Trials& m_trials;
    std::vector<Change> m_changes;
};

} // namespace

std::string recomputeWords(const Recompute& recompute)
{
    std::string words(name(recompute.granularity));
    if (recompute.granularity == RecomputeGranularity::Full) {
        return fmt::format("{} ({}, {})", words, name(recompute.method), recompute.layers);
    }
    if (recompute.granularity == RecomputeGranularity::None) return words;
    std::vector<std::string_view> modules;
    for (const RecomputeModule module : recompute.modules)
        modules.push_back(name(module));
    if (modules.empty()) modules.push_back(name(RecomputeModule::CoreAttn)); // what an empty list means
    return fmt::format("{} ({})", words, fmt::join(modules, ", "));
}

Change withRecompute(const Plan& plan, const Recompute& recompute)
{
    Change change;
    change.edit = {
        std::string(pointerOf<&Recipe::recompute>), recomputeWords(plan.recipe.recompute), recomputeWords(recompute)};
    change.plan = plan;
    change.plan.recipe.recompute = recompute;
    return change;
}

std::vector<Change> singleChanges(const Plan& plan, const Trials& trials) { return Collector(plan, trials).run(); }

} // namespace cardfit
