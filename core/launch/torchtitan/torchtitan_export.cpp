// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/count_product.h"
#include "core/files/foreign_text.h"
#include "core/launch/notes.h"
#include "core/launch/torchtitan/torchtitan.h"
#include "core/launch/torchtitan/torchtitan_words.h"
#include "core/layers/layer_balance.h"
#include "core/layers/layer_split.h"
#include "core/plan/field_table.h"
#include "core/plan/stages.h"

namespace cardfit {

namespace {

/// Writes the sections that describe the run.
class TorchtitanExport {
public:
    explicit TorchtitanExport(const Plan& plan)
        : m_plan(plan)
    {
    }

    ExportedLaunch run()
    {
        m_text = fmt::format("# {}\n# Data, checkpoints and learning rate are to be added.\n", printable(m_plan.name));
        writeModel();
        writeTraining();
        writeDegrees();
        writeRecompute();
        if (m_plan.recipe.fp8_param_gather)
            m_text += "\n[quantize.linear.float8]\nenable_fsdp_float8_all_gather = true\n";
        m_text += fmt::format("\n[compile]\nenable = {}\n", m_plan.recipe.kernels == Kernels::Compiled);
        m_notes.add(pointerOf<&Plan::cluster>,
            fmt::format("{} x {}", m_plan.cluster.nodes, m_plan.cluster.cards_per_node),
            Sentence::tr("torchrun has --nnodes and --nproc-per-node"));
        return {std::move(m_text), std::move(m_notes).take()};
    }

private:
    void writeModel()
    {
        m_text += "\n[model]\n";
        const auto* known =
            std::ranges::find(kTorchtitanFlavors, std::string_view(m_plan.model.id), &TorchtitanFlavor::preset);
        if (known != kTorchtitanFlavors.end())
            m_text += fmt::format("name = \"{}\"\nflavor = \"{}\"\n", known->name, known->flavor);
        else
            m_notes.add(pointerOf<&Plan::model>, m_plan.model.name,
                Sentence::tr("torchtitan does not have this model; add name and flavor by hand"));
        switch (m_plan.recipe.precision) {
        case Precision::Fp8: m_text += "converters = [\"quantize.linear.float8\"]\n"; break;
        case Precision::Mxfp8: m_text += "converters = [\"quantize.linear.mx\"]\n"; break;
        case Precision::Fp32:
        case Precision::Bf16:
        case Precision::Bf16Pure:
        case Precision::Fp16:
        case Precision::Nvfp4:
        case Precision::Int8:
        case Precision::Mxfp4:
        case Precision::Nf4: break;
        }
        m_text += "\n[optimizer]\nname = \"AdamW\"\n";
    }

    void writeTraining()
    {
        const Workload& load = m_plan.workload;
        const std::int64_t local = m_plan.parallelism.pipeline > 1
            ? load.micro_batch_size * std::max<std::int64_t>(microBatches(m_plan), 1)
            : load.micro_batch_size;
        m_text += fmt::format("\n[training]\nlocal_batch_size = {}\nglobal_batch_size = {}\nseq_len = {}\n", local,
            load.global_batch_size, load.sequence_length);
        if (load.tokens) {
            const double step = static_cast<double>(load.global_batch_size) * static_cast<double>(load.sequence_length);
            // Rounding errors must not add a step.
            constexpr double kRounding = 1e-12;
            const double steps = std::ceil(*load.tokens / step * (1.0 - kRounding));
            if (steps >= 1.0 && steps < 1e12) m_text += fmt::format("steps = {:.0f}\n", steps);
        }
        const Recipe& recipe = m_plan.recipe;
        if (recipe.precision == Precision::Fp32) m_text += "mixed_precision_param = \"float32\"\n";
        if (recipe.precision == Precision::Bf16Pure) m_text += "dtype = \"bfloat16\"\n";
        if (recipe.cuda_graph == CudaGraph::FullIteration) m_text += "disable_cuda_graphs = false\n";
        if (recipe.offload.optimizer > 0.0 || recipe.offload.parameters > 0.0) m_text += "enable_cpu_offload = true\n";
    }

    void writeDegrees()
    {
        const Parallelism& degrees = m_plan.parallelism;
        const Recipe& recipe = m_plan.recipe;
        const std::int64_t replicas = std::max<std::int64_t>(dataParallel(m_plan), 1);
        const bool sharded = recipe.sharding != Sharding::None;
        const std::int64_t instances =
            sharded ? (replicas % recipe.optimizer_instances == 0 ? recipe.optimizer_instances : 1) : replicas;
        m_text += "\n[parallelism]\n";
        if (countProduct({replicas}) && countProduct({instances}))
            m_text += fmt::format("data_parallel_replicate_degree = {}\ndata_parallel_shard_degree = {}\n", instances,
                replicas / instances);
        else // too many to write; -1 means all cards that the other degrees leave
            m_text += "data_parallel_shard_degree = -1\n";
        if (sharded)
            m_text += fmt::format(
                "fsdp_reshard_after_forward = \"{}\"\n", recipe.sharding == Sharding::Zero3 ? "always" : "never");
        if (sharded && instances != recipe.optimizer_instances)
            m_notes.add(pointerOf<&Recipe::optimizer_instances>, recipe.optimizer_instances,
                Sentence::tr("no divisor of {} replicas", {replicas}));
        m_text +=
            fmt::format("tensor_parallel_degree = {}\npipeline_parallel_degree = {}\ncontext_parallel_degree = {}\n",
                degrees.tensor, degrees.pipeline, degrees.context);
        if (degrees.context > 1)
            m_text += fmt::format("context_parallel_rotate_method = \"{}\"\n",
                recipe.context_communication == ContextCommunication::P2p ? "alltoall" : "allgather");
        m_text += fmt::format("expert_parallel_degree = {}\n", degrees.expert);
        // The option existed until April 2026 and counted beside expert parallelism only.
        if (m_plan.model.architecture.moe && degrees.expert > 1 && degrees.expert_tensor)
            m_text += fmt::format("expert_tensor_parallel_degree = {}\n", *degrees.expert_tensor);
        const Dispatcher dispatcher = recipe.moe.dispatcher;
        if (m_plan.model.architecture.moe && (dispatcher == Dispatcher::DeepEp || dispatcher == Dispatcher::HybridEp))
            m_text += fmt::format("expert_parallel_comm_backend = \"{}\"\n", name(dispatcher));
        if (!recipe.loss_parallel) m_text += "disable_loss_parallel = true\n";
        if (recipe.overlap.tensor) m_text += "enable_async_tensor_parallel = true\n";
        if (degrees.pipeline > 1) writeSchedule();
    }

    void writeSchedule()
    {
        const auto* known =
            std::ranges::find(kTorchtitanSchedules, m_plan.recipe.schedule, &TorchtitanSchedule::schedule);
        if (known != kTorchtitanSchedules.end())
            m_text += fmt::format("pipeline_parallel_schedule = \"{}\"\n", known->word);
        m_text += fmt::format("pipeline_parallel_microbatch_size = {}\n", m_plan.workload.micro_batch_size);
        const Parallelism& degrees = m_plan.parallelism;
        const std::int64_t usual = known == kTorchtitanSchedules.end() ? 1 : known->chunks;
        // With more stages than layers there is no number of layers per stage; the check also avoids an overflow.
        const std::int64_t all = m_plan.model.architecture.num_hidden_layers;
        const std::int64_t stages = product(degrees.pipeline, degrees.virtual_pipeline);
        if (stages <= all + 2 && writeModules(all, stages, degrees.virtual_pipeline == usual)) return;
        if (degrees.virtual_pipeline == usual) return;
        const std::int64_t layers = stages <= all + 2 ? eachOf(all, stages) : 0;
        if (layers > 0) m_text += fmt::format("pipeline_parallel_layers_per_stage = {}\n", layers);
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
        m_text += "module_fqns_per_model_part = [\n";
        std::int64_t next = 0;
        for (std::size_t stage = 0; stage < split->size(); ++stage) {
            std::vector<std::string> modules;
            if (stage == 0) modules.emplace_back("\"tok_embeddings\"");
            for (const std::int64_t end = next + split->at(stage); next < end; ++next)
                modules.push_back(fmt::format("\"{}{}\"", kLayerModules, next));
            if (stage + 1 == split->size()) modules.insert(modules.end(), {"\"norm\"", "\"output\""});
            m_text += fmt::format("    [{}],\n", fmt::join(modules, ", "));
        }
        m_text += "]\n";
        return true;
    }

    void writeRecompute()
    {
        const Recompute& recompute = m_plan.recipe.recompute;
        m_text += "\n[activation_checkpoint]\n";
        switch (recompute.granularity) {
        case RecomputeGranularity::None: m_text += "mode = \"none\"\n"; break;
        case RecomputeGranularity::Selective: m_text += "mode = \"selective\"\nselective_ac_option = \"op\"\n"; break;
        case RecomputeGranularity::Full: m_text += "mode = \"full\"\n"; break;
        }
    }

    const Plan& m_plan;
    std::string m_text;
    Notes m_notes;
};

} // namespace

ExportedLaunch exportTorchtitan(const Plan& plan) { return TorchtitanExport(plan).run(); }

} // namespace cardfit
