// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/count_product.h"
#include "core/files/foreign_text.h"
#include "core/launch/notes.h"
#include "core/launch/option_rows.h"
#include "core/launch/torchtitan/torchtitan.h"
#include "core/launch/torchtitan/torchtitan_options.h"
#include "core/launch/torchtitan/torchtitan_words.h"
#include "core/layers/layer_balance.h"
#include "core/layers/layer_split.h"
#include "core/plan/field_table.h"
#include "core/plan/stages.h"

namespace cardfit {

namespace {

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

/// Writes the sections that describe the run.
class TorchtitanExport {
public:
    explicit TorchtitanExport(const Plan& plan)
        : m_plan(plan)
        , m_options(kTorchtitanOptions, plan)
    {
    }

    ExportedLaunch run()
    {
        writeModel();
        writeTraining();
        writeDegrees();
        writeRecompute();
        m_options.set("compile.enable", m_plan.recipe.kernels == Kernels::Compiled);
        m_notes.add(pointerOf<&Plan::cluster>,
            fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
            Sentence::tr("torchrun has --nnodes and --nproc-per-node"));
        return {job(), std::move(m_notes).take()};
    }

private:
    [[nodiscard]] std::string job() const
    {
        std::string text =
            fmt::format("# {}\n# Data, checkpoints and learning rate are to be added.\n", printable(m_plan.name));
        std::string_view section = "model"; // also without options: name and flavor are added by hand
        text += "\n[model]\n";
        for (const LaunchOption& option : m_options.take()) {
            const std::string_view path = option.name;
            const std::size_t point = path.rfind('.');
            if (path.substr(0, point) != section) {
                section = path.substr(0, point);
                text += fmt::format("\n[{}]\n", section);
            }
            text += fmt::format("{} = {}\n", path.substr(point + 1), option.value.empty() ? "true" : option.value);
        }
        return text;
    }

    void writeModel()
    {
        const auto* known =
            std::ranges::find(kTorchtitanFlavors, std::string_view(m_plan.model.id), &TorchtitanFlavor::preset);
        if (known != kTorchtitanFlavors.end()) {
            m_options.set("model.name", quoted(known->name));
            m_options.set("model.flavor", quoted(known->flavor));
        } else {
            m_notes.add(pointerOf<&Plan::model>, m_plan.model.name,
                Sentence::tr("torchtitan does not have this model; add name and flavor by hand"));
        }
        switch (m_plan.recipe.precision) {
        case Precision::Fp8: m_options.set("model.converters", "[\"quantize.linear.float8\"]"); break;
        case Precision::Mxfp8: m_options.set("model.converters", "[\"quantize.linear.mx\"]"); break;
        case Precision::Fp32:
        case Precision::Bf16:
        case Precision::Bf16Pure:
        case Precision::Fp16:
        case Precision::Nvfp4:
        case Precision::Int8:
        case Precision::Mxfp4:
        case Precision::Nf4: break;
        }
        m_options.set("optimizer.name", quoted("AdamW"));
    }

    void writeTraining()
    {
        const Workload& load = m_plan.workload;
        m_options.set("training.local_batch_size",
            m_plan.parallelism.pipeline > 1 ? load.micro_batch_size * std::max<std::int64_t>(microBatches(m_plan), 1)
                                            : load.micro_batch_size);
        m_options.set("training.global_batch_size", load.global_batch_size);
        if (load.tokens) {
            const double step = static_cast<double>(load.global_batch_size) * static_cast<double>(load.sequence_length);
            // Rounding errors must not add a step.
            constexpr double kRounding = 1e-12;
            const double steps = std::ceil(*load.tokens / step * (1.0 - kRounding));
            if (steps >= 1.0 && steps < 1e12) m_options.set("training.steps", fmt::format("{:.0f}", steps));
        }
        const Recipe& recipe = m_plan.recipe;
        if (recipe.precision == Precision::Fp32) m_options.set("training.mixed_precision_param", quoted("float32"));
        if (recipe.precision == Precision::Bf16Pure) m_options.set("training.dtype", quoted("bfloat16"));
        if (recipe.cuda_graph == CudaGraph::FullIteration) m_options.set("training.disable_cuda_graphs", false);
        m_options.setIf(
            recipe.offload.optimizer > 0.0 || recipe.offload.parameters > 0.0, "training.enable_cpu_offload");
    }

    void writeDegrees()
    {
        const Parallelism& degrees = m_plan.parallelism;
        const Recipe& recipe = m_plan.recipe;
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        const bool sharded = recipe.sharding != Sharding::None;
        const std::int64_t instances =
            sharded ? (replicas % recipe.optimizer_instances == 0 ? recipe.optimizer_instances : 1) : replicas;
        // Too many to write: -1 means all cards that the other degrees leave.
        const bool countable = countProduct({replicas}) && countProduct({instances});
        if (countable) m_options.set("parallelism.data_parallel_replicate_degree", instances);
        m_options.set("parallelism.data_parallel_shard_degree", countable ? replicas / instances : -1);
        if (sharded)
            m_options.set("parallelism.fsdp_reshard_after_forward",
                quoted(recipe.sharding == Sharding::Zero3 ? "always" : "never"));
        if (sharded && instances != recipe.optimizer_instances)
            m_notes.add(pointerOf<&Recipe::optimizer_instances>, recipe.optimizer_instances,
                Sentence::tr("no divisor of {} replicas", {replicas}));
        if (degrees.context > 1)
            m_options.set("parallelism.context_parallel_rotate_method",
                quoted(recipe.context_communication == ContextCommunication::P2p ? "alltoall" : "allgather"));
        // The option existed until April 2026 and counted beside expert parallelism only.
        if (m_plan.model.architecture.moe && degrees.expert > 1 && degrees.expert_tensor)
            m_options.set("parallelism.expert_tensor_parallel_degree", *degrees.expert_tensor);
        const Dispatcher dispatcher = recipe.moe.dispatcher;
        if (m_plan.model.architecture.moe && (dispatcher == Dispatcher::DeepEp || dispatcher == Dispatcher::HybridEp))
            m_options.set("parallelism.expert_parallel_comm_backend", quoted(name(dispatcher)));
        if (degrees.pipeline > 1) writeSchedule();
    }

    void writeSchedule()
    {
        const auto* known =
            std::ranges::find(kTorchtitanSchedules, m_plan.recipe.schedule, &TorchtitanSchedule::schedule);
        if (known != kTorchtitanSchedules.end())
            m_options.set("parallelism.pipeline_parallel_schedule", quoted(known->word));
        m_options.set("parallelism.pipeline_parallel_microbatch_size", m_plan.workload.micro_batch_size);
        const Parallelism& degrees = m_plan.parallelism;
        const std::int64_t usual = known == kTorchtitanSchedules.end() ? 1 : known->chunks;
        // With more stages than layers there is no number of layers per stage; the check also avoids an overflow.
        const std::int64_t all = m_plan.model.architecture.num_hidden_layers;
        const std::int64_t stages = product(degrees.pipeline, degrees.virtual_pipeline);
        if (stages <= all + 2 && writeModules(all, stages, degrees.virtual_pipeline == usual)) return;
        if (degrees.virtual_pipeline == usual) return;
        const std::int64_t layers = stages <= all + 2 ? eachOf(all, stages) : 0;
        if (layers > 0) m_options.set("parallelism.pipeline_parallel_layers_per_stage", layers);
    }

    /// The number of layers per stage that results in `stages` stages; 0 if there is none.
    static std::int64_t eachOf(std::int64_t layers, std::int64_t stages)
    {
        const std::int64_t slots = layers + 2;
        const std::int64_t each = (slots + stages - 1) / stages;
        return (slots + each - 1) / each == stages ? each : 0;
    }

    /// Lists every stage's modules if torchtitan's default split differs. Returns whether it did.
    bool writeModules(std::int64_t layers, std::int64_t stages, bool usual_number)
    {
        constexpr std::int64_t kMostListed = 4096;
        const auto split = layerSplit(m_plan);
        if (!split || static_cast<std::int64_t>(split->size()) != stages || layers > kMostListed) return false;
        if (*split == torchtitanLayers(layers, stages) && (usual_number || eachOf(layers, stages) > 0)) return false;
        std::string parts = "[\n";
        std::int64_t next = 0;
        for (std::size_t stage = 0; stage < split->size(); ++stage) {
            std::vector<std::string> modules;
            if (stage == 0) modules.emplace_back("\"tok_embeddings\"");
            for (const std::int64_t end = next + split->at(stage); next < end; ++next)
                modules.push_back(fmt::format("\"{}{}\"", kLayerModules, next));
            if (stage + 1 == split->size()) modules.insert(modules.end(), {"\"norm\"", "\"output\""});
            parts += fmt::format("    [{}],\n", fmt::join(modules, ", "));
        }
        m_options.set(kModuleLists, parts + "]");
        return true;
    }

    void writeRecompute()
    {
        const RecomputeGranularity granularity = m_plan.recipe.recompute.granularity;
        m_options.set("activation_checkpoint.mode", quoted(name(granularity)));
        if (granularity == RecomputeGranularity::Selective)
            m_options.set("activation_checkpoint.selective_ac_option", quoted("op"));
    }

    const Plan& m_plan;
    OptionWriter m_options;
    Notes m_notes;
};

} // namespace

ExportedLaunch exportTorchtitan(const Plan& plan) { return TorchtitanExport(plan).run(); }

} // namespace cardfit
