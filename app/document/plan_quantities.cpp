// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_quantities.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>

#include "core/base/count_product.h"
#include "core/files/model_sizes.h"
#include "core/memory/overheads.h"
#include "core/model/layer_lists.h"
#include "core/plan/field_table.h"
#include "core/plan/stages.h"
#include "core/report/learn.h"
#include "core/rules/checks.h"
#include "core/time/collectives.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

struct Quantities {
    Q_DECLARE_TR_FUNCTIONS(cardfit::app::Quantities)
};

using Values = std::vector<double>;

std::int64_t whole(double value) { return static_cast<std::int64_t>(std::llround(value)); }
double real(std::int64_t value) { return static_cast<double>(value); }

Values powersOfTwo(std::int64_t first, std::int64_t last)
{
    Values values;
    for (std::int64_t value = first; value <= last; value *= 2)
        values.push_back(real(value));
    return values;
}

/// 0 and powers of two up to the sequence length.
Values imageTokens(const Plan& plan, const QuantityContext&)
{
    Values values{0.0};
    for (const double tokens : powersOfTwo(64, plan.workload.sequence_length))
        values.push_back(tokens);
    return values;
}

/// Powers of two and divisors, up to `most`.
Values degrees(std::int64_t divided, std::int64_t most)
{
    Values values = powersOfTwo(1, most);
    for (std::int64_t value = 1; value <= std::min(divided, most); ++value) {
        if (divided % value == 0) values.push_back(real(value));
    }
    return values;
}

template <auto Section, auto Field> double readField(const Plan& plan) { return real((plan.*Section).*Field); }
template <auto Section, auto Field> Plan writeField(const Plan& plan, double value, const QuantityContext&)
{
    Plan changed = plan;
    (changed.*Section).*Field = whole(value);
    return changed;
}
/// Sets a factor of the number of cards and recomputes the derived factor.
template <auto Section, auto Field> Plan writeFactor(const Plan& plan, double value, const QuantityContext& context)
{
    const Plan changed = withDerivedFactor(plan, writeField<Section, Field>(plan, value, context), context.derived);
    return withDerivedBatchFactor(plan, changed, context.batch_derived);
}

// Highest degrees on the rails; higher ones can be typed.
constexpr std::int64_t kMostTensor = 64;
constexpr std::int64_t kMostStages = 128;
constexpr std::int64_t kMostChunks = 16;
constexpr std::int64_t kMostContext = 64;
constexpr std::int64_t kMostReplicas = 1024;
constexpr std::int64_t kLargestBatch = 16384;
constexpr std::int64_t kMostMicroBatches = 4096;

Plan writeModelSize(const Plan& plan, double value, const QuantityContext& context)
{
    // Many shapes have the same size: the shape of the plan, and of the plan as opened, have priority over the
    // family's.
    if (value == modelSize(plan.model)) return plan;
    const bool as_opened = context.opened != nullptr && value == modelSize(context.opened->model);
    return withModel(plan,
        as_opened ? context.opened->model : modelOfSize(familyOf(plan.model), value, context.presets, plan.model));
}

Values sizes(const Plan& plan, const QuantityContext& context)
{
    return commonSizes(familyOf(plan.model), context.presets);
}

Plan writeLayers(const Plan& plan, double value, const QuantityContext&)
{
    Plan changed = plan;
    changed.model.architecture = withLayers(changed.model.architecture, whole(value));
    markAsOwn(changed.model);
    return changed;
}

Values layers(const Plan&, const QuantityContext&)
{
    return {1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 56, 60, 64, 72, 80, 88, 96, 104, 112, 120, 128};
}

Values nodes(const Plan&, const QuantityContext&)
{
    return {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024, 2048};
}

Values cardsPerNode(const Plan&, const QuantityContext&) { return {1, 2, 4, 8, 16, 32, 36, 64, 72}; }

Plan withCluster(const Plan& plan, const Cluster& cluster)
{
    Plan changed = plan;
    changed.cluster = cluster;
    markAsOwn(plan, changed);
    return changed;
}

/// The link that the estimate uses inside a node.
Link linkInNode(const Plan& plan)
{
    const Accelerator& card = plan.cluster.accelerator;
    const GigabytesPerSecond other = card.pcie.value_or(GigabytesPerSecond(plan.constants[Constant::UnknownLink]));
    return plan.cluster.intra_node.value_or(
        Link{card.link.value_or(other), Microseconds(plan.constants[Constant::StartInNode])});
}

Plan writeLinkInNode(const Plan& plan, double value, const QuantityContext&)
{
    Cluster changed = plan.cluster;
    changed.intra_node = Link{GigabytesPerSecond(value), linkInNode(plan).latency};
    return withCluster(plan, changed);
}

/// Per direction and card: PCIe 3 to 6 of 16 lanes, and the NVLinks of V100, A100, H800, H100 and B200.
Values linksInNode(const Plan&, const QuantityContext&) { return {16, 32, 64, 128, 150, 200, 300, 450, 900}; }

Plan writeLinkBetweenNodes(const Plan& plan, double value, const QuantityContext&)
{
    Cluster changed = plan.cluster;
    changed.inter_node = Link{GigabytesPerSecond(value), interNodeLink(plan.constants, changed).latency};
    return withCluster(plan, changed);
}

/// Ports of 10, 25, 50, 100, 200, 400, 800 and 1,600 Gb/s.
Values linksBetweenNodes(const Plan&, const QuantityContext&) { return {1.25, 3.125, 6.25, 12.5, 25, 50, 100, 200}; }

/// Divisors of the nodes, up to those of an NVL576.
Values nodesPerDomain(const Plan& plan, const QuantityContext&)
{
    constexpr std::int64_t kMostNodes = 144;
    Values values;
    for (const double nodes : degrees(plan.cluster.nodes, std::min(plan.cluster.nodes, kMostNodes))) {
        if (plan.cluster.nodes % whole(nodes) == 0) values.push_back(nodes);
    }
    return values;
}

Values tensors(const Plan& plan, const QuantityContext&)
{
    const std::int64_t heads = plan.model.architecture.num_attention_heads;
    return degrees(heads, std::min(heads, kMostTensor));
}

Values stages(const Plan& plan, const QuantityContext&)
{
    const std::int64_t all = plan.model.architecture.num_hidden_layers;
    return degrees(all, std::min(all, kMostStages));
}

Plan writeChunks(const Plan& plan, double value, const QuantityContext&) { return withChunks(plan, whole(value)); }

Values chunks(const Plan& plan, const QuantityContext&)
{
    const std::int64_t stage_layers =
        plan.model.architecture.num_hidden_layers / std::max<std::int64_t>(1, plan.parallelism.pipeline);
    return degrees(stage_layers, std::clamp<std::int64_t>(stage_layers, 2, kMostChunks));
}

Values contexts(const Plan&, const QuantityContext&) { return powersOfTwo(1, kMostContext); }

Values experts(const Plan& plan, const QuantityContext&)
{
    const std::int64_t all = plan.model.architecture.moe ? plan.model.architecture.moe->num_experts : 1;
    return degrees(all, all);
}

Values expertTensors(const Plan& plan, const QuantityContext&)
{
    return powersOfTwo(1, std::max<std::int64_t>(8, expertTensor(plan)));
}

double readData(const Plan& plan) { return real(dataParallel(plan)); }
Plan writeData(const Plan& plan, double value, const QuantityContext& context)
{
    Plan changed = plan;
    changed.parallelism.data = whole(value);
    changed = withDerivedFactor(plan, changed, context.derived);
    return withDerivedBatchFactor(plan, changed, context.batch_derived);
}
Values replicas(const Plan& plan, const QuantityContext&)
{
    const std::int64_t replica = std::max<std::int64_t>(1, replicaCards(plan.parallelism));
    const std::int64_t most = std::clamp<std::int64_t>(product(2, cardCount(plan.cluster)) / replica, 8, kMostReplicas);
    return degrees(std::max<std::int64_t>(1, cardCount(plan.cluster) / replica), most);
}

Values sequences(const Plan& plan, const QuantityContext&)
{
    Values values = powersOfTwo(512, std::int64_t{1} << 20);
    const std::int64_t known = plan.model.architecture.max_position_embeddings;
    if (known >= 512) values.push_back(real(known));
    return values;
}

Values microBatchSizes(const Plan&, const QuantityContext&) { return {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}; }

Values globalBatches(const Plan& plan, const QuantityContext&)
{
    Values values = powersOfTwo(1, kLargestBatch);
    const std::int64_t step = product(plan.workload.micro_batch_size, dataParallel(plan));
    for (std::int64_t value = step; value > 0 && value <= kLargestBatch; value *= 2)
        values.push_back(real(value));
    return values;
}

Values layersPerChunk(const Plan& plan)
{
    const std::int64_t parts = std::max<std::int64_t>(1, stagesInPipe(plan));
    const std::int64_t most = std::max<std::int64_t>(1, plan.model.architecture.num_hidden_layers / parts);
    return degrees(most, most);
}

template <auto Field> double readOffload(const Plan& plan) { return plan.recipe.offload.*Field; }
template <auto Field> Plan writeOffload(const Plan& plan, double value, const QuantityContext&)
{
    Plan changed = plan;
    changed.recipe.offload.*Field = value;
    return changed;
}
Values quarters(const Plan&, const QuantityContext&) { return {0.0, 0.25, 0.5, 0.75, 1.0}; }

double readImbalance(const Plan& plan)
{
    const auto& moe = plan.model.architecture.moe;
    return moe ? moe->imbalance : 1.0;
}
Plan writeImbalance(const Plan& plan, double value, const QuantityContext&)
{
    Plan changed = plan;
    if (changed.model.architecture.moe) changed.model.architecture.moe->imbalance = value;
    return changed;
}

double readMicroBatches(const Plan& plan) { return real(microBatches(plan)); }
Plan writeMicroBatches(const Plan& plan, double value, const QuantityContext& context)
{
    return withMicroBatches(plan, whole(value), context.batch_derived);
}
Values microBatchCounts(const Plan& plan, const QuantityContext& context)
{
    const bool data_follows = context.batch_derived == DerivedBatchFactor::Data;
    if (context.batch_derived != DerivedBatchFactor::MicroBatch && !data_follows)
        return powersOfTwo(1, kMostMicroBatches);
    const std::int64_t held = data_follows ? plan.workload.micro_batch_size : dataParallel(plan);
    const std::int64_t of_replica = plan.workload.global_batch_size / std::max<std::int64_t>(1, held);
    return degrees(of_replica, std::min(std::max<std::int64_t>(1, of_replica), kMostMicroBatches));
}

/// Sets a factor of the global batch other than a degree.
template <auto Field> Plan writeBatch(const Plan& plan, double value, const QuantityContext& context)
{
    return withDerivedBatchFactor(
        plan, writeField<&Plan::workload, Field>(plan, value, context), context.batch_derived);
}

// A rail shows 0 for a value that the plan does not give.
template <auto member> double readIfGiven(const Plan& plan)
{
    const FieldValue held = fieldOf<member>().get(plan);
    if (const auto* number = std::get_if<std::int64_t>(&held)) return real(*number);
    const auto* value = std::get_if<double>(&held);
    return value != nullptr ? *value : 0.0;
}
template <auto member> Plan writeIfGiven(const Plan& plan, double value, const QuantityContext&)
{
    const Field& field = fieldOf<member>();
    if (value <= 0.0) return withField(plan, field, {});
    return withField(plan, field, field.type == FieldType::Whole ? FieldValue(whole(value)) : FieldValue(value));
}
/// Without the last limit there is no group of limits.
template <auto limit> Plan writeLimit(const Plan& plan, double value, const QuantityContext&)
{
    Plan changed = plan;
    ServingLimits limits = plan.workload.limits.value_or(ServingLimits{});
    limits.*limit = value > 0.0 ? std::optional(value) : std::nullopt;
    changed.workload.limits = limits == ServingLimits{} ? std::nullopt : std::optional(limits);
    return changed;
}

/// Lengths of prompts and answers: 0 is what the plan does not give.
Values servedTokens(const Plan& plan, const QuantityContext&)
{
    Values values = powersOfTwo(32, std::max<std::int64_t>(plan.workload.sequence_length, 64));
    for (const double usual : {0.0, 500.0, 1000.0, 2000.0, 4000.0})
        values.push_back(usual);
    return values;
}

constexpr ui::QuantityFormat kCount{};
constexpr ui::QuantityFormat kRate{.whole = false, .minimum = 0.01};
constexpr ui::QuantityFormat kBudget{.kind = ui::QuantityKind::TokenBudget, .whole = false, .minimum = 0.0};
constexpr ui::QuantityFormat kPrice{.whole = false, .minimum = 0.0};
constexpr ui::QuantityFormat kSize{
    .kind = ui::QuantityKind::Parameters, .whole = false, .minimum = 1e7, .maximum = 1e13};
constexpr ui::QuantityFormat kFraction{.whole = false, .minimum = 0.0, .maximum = 1.0};
constexpr ui::QuantityFormat kImbalance{.whole = false, .minimum = 1.0, .maximum = 64.0};
constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr ui::QuantityFormat kBytes{.kind = ui::QuantityKind::Bytes, .minimum = 0.0};
constexpr ui::QuantityFormat kTokens{.kind = ui::QuantityKind::Tokens};
constexpr ui::QuantityFormat kServedTokens{.kind = ui::QuantityKind::Tokens, .minimum = 0.0};
constexpr ui::QuantityFormat kUsers{.minimum = 0.0};

constexpr std::array<PlanQuantity, 34> kQuantities{{
    {"model_size", QuantityGroup::Model, pointerOf<&Model::parameters>, ui::ScaleKind::Logarithmic, kSize,
        [](const Plan& plan) { return modelSize(plan.model); }, writeModelSize, sizes},
    {"layers", QuantityGroup::Model, pointerOf<&Architecture::num_hidden_layers>, ui::ScaleKind::Ordinal, kCount,
        [](const Plan& plan) { return real(plan.model.architecture.num_hidden_layers); }, writeLayers, layers},
    {"nodes", QuantityGroup::Cluster, pointerOf<&Cluster::nodes>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::cluster, &Cluster::nodes>, writeFactor<&Plan::cluster, &Cluster::nodes>, nodes},
    {"cards_per_node", QuantityGroup::Cluster, pointerOf<&Cluster::cards_per_node>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::cluster, &Cluster::cards_per_node>,
        [](const Plan& plan, double value, const QuantityContext& context) {
            Plan changed = writeFactor<&Plan::cluster, &Cluster::cards_per_node>(plan, value, context);
            if (changed.cluster.cards_per_node != plan.cluster.cards_per_node) markAsOwn(changed.cluster);
            return changed;
        },
        cardsPerNode},
    {"within_node", QuantityGroup::Network, "/cluster/intra_node/gb_s", ui::ScaleKind::Ordinal, kRate,
        [](const Plan& plan) { return linkInNode(plan).bandwidth.value(); }, writeLinkInNode, linksInNode,
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "network bandwidth NVLink PCIe"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "Inside a node")},
    {"between_nodes", QuantityGroup::Network, "/cluster/inter_node/gb_s", ui::ScaleKind::Ordinal, kRate,
        [](const Plan& plan) { return interNodeLink(plan.constants, plan.cluster).bandwidth.value(); },
        writeLinkBetweenNodes, linksBetweenNodes,
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "network bandwidth InfiniBand Ethernet"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "Between nodes")},
    {"nodes_per_domain", QuantityGroup::Network, pointerOf<&Cluster::nodes_per_domain>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::cluster, &Cluster::nodes_per_domain>,
        [](const Plan& plan, double value, const QuantityContext&) {
            Cluster changed = plan.cluster;
            changed.nodes_per_domain = whole(value);
            return withCluster(plan, changed);
        },
        nodesPerDomain, QT_TRANSLATE_NOOP("cardfit::app::Quantities", "network NVL72 rack"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "NVLink domain"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "nodes")},
    {"tensor", QuantityGroup::Parallel, pointerOf<&Parallelism::tensor>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::parallelism, &Parallelism::tensor>, writeFactor<&Plan::parallelism, &Parallelism::tensor>,
        tensors},
    {"pipeline", QuantityGroup::Parallel, pointerOf<&Parallelism::pipeline>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::parallelism, &Parallelism::pipeline>, writeFactor<&Plan::parallelism, &Parallelism::pipeline>,
        stages},
    {"virtual_pipeline", QuantityGroup::Parallel, pointerOf<&Parallelism::virtual_pipeline>, ui::ScaleKind::Ordinal,
        kCount, readField<&Plan::parallelism, &Parallelism::virtual_pipeline>, writeChunks, chunks},
    {"context", QuantityGroup::Parallel, pointerOf<&Parallelism::context>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::parallelism, &Parallelism::context>, writeFactor<&Plan::parallelism, &Parallelism::context>,
        contexts},
    {"expert", QuantityGroup::Parallel, pointerOf<&Parallelism::expert>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::parallelism, &Parallelism::expert>, writeField<&Plan::parallelism, &Parallelism::expert>,
        experts},
    {"expert_tensor", QuantityGroup::Parallel, pointerOf<&Parallelism::expert_tensor>, ui::ScaleKind::Ordinal, kCount,
        [](const Plan& plan) { return real(expertTensor(plan)); },
        writeField<&Plan::parallelism, &Parallelism::expert_tensor>, expertTensors},
    {"data", QuantityGroup::Parallel, pointerOf<&Parallelism::data>, ui::ScaleKind::Ordinal, kCount, readData,
        writeData, replicas},
    {"sequence_length", QuantityGroup::Batch, pointerOf<&Workload::sequence_length>, ui::ScaleKind::Ordinal, kTokens,
        readField<&Plan::workload, &Workload::sequence_length>, writeField<&Plan::workload, &Workload::sequence_length>,
        sequences},
    {"image_tokens", QuantityGroup::Batch, pointerOf<&Workload::image_tokens>, ui::ScaleKind::Ordinal, kTokens,
        readField<&Plan::workload, &Workload::image_tokens>, writeField<&Plan::workload, &Workload::image_tokens>,
        imageTokens},
    {"micro_batch", QuantityGroup::Batch, pointerOf<&Workload::micro_batch_size>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::workload, &Workload::micro_batch_size>, writeBatch<&Workload::micro_batch_size>,
        microBatchSizes},
    {"global_batch", QuantityGroup::Batch, pointerOf<&Workload::global_batch_size>, ui::ScaleKind::Ordinal, kCount,
        readField<&Plan::workload, &Workload::global_batch_size>, writeBatch<&Workload::global_batch_size>,
        globalBatches},
    {"micro_batches", QuantityGroup::Batch, "", ui::ScaleKind::Ordinal, kCount, readMicroBatches, writeMicroBatches,
        microBatchCounts, "", QT_TRANSLATE_NOOP("cardfit::app::Quantities", "Micro-batches")},
    {"input_tokens", QuantityGroup::Load, pointerOf<&Workload::input_tokens>, ui::ScaleKind::Ordinal, kServedTokens,
        readIfGiven<&Workload::input_tokens>, writeIfGiven<&Workload::input_tokens>, servedTokens,
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "prompt length"), nullptr, ""},
    {"output_tokens", QuantityGroup::Load, pointerOf<&Workload::output_tokens>, ui::ScaleKind::Ordinal, kServedTokens,
        readIfGiven<&Workload::output_tokens>, writeIfGiven<&Workload::output_tokens>, servedTokens,
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "answer length"), nullptr, ""},
    {"concurrency", QuantityGroup::Load, pointerOf<&Workload::concurrency>, ui::ScaleKind::Ordinal, kUsers,
        readIfGiven<&Workload::concurrency>, writeIfGiven<&Workload::concurrency>,
        [](const Plan&, const QuantityContext&) {
            Values values = powersOfTwo(1, 4096);
            values.push_back(0.0);
            return values;
        },
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "concurrency load"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "Users at once"), ""},
    {"tpot_limit", QuantityGroup::Load, pointerOf<&ServingLimits::tpot_ms>, ui::ScaleKind::Ordinal, kPrice,
        readIfGiven<&ServingLimits::tpot_ms>, writeLimit<&ServingLimits::tpot_ms>,
        [](const Plan&, const QuantityContext&) {
            return Values{0.0, 10.0, 15.0, 20.0, 30.0, 50.0, 75.0, 100.0, 200.0};
        },
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "latency TPOT ITL limit most time per token"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "Limit per token")},
    {"ttft_limit", QuantityGroup::Load, pointerOf<&ServingLimits::ttft_s>, ui::ScaleKind::Ordinal, kPrice,
        readIfGiven<&ServingLimits::ttft_s>, writeLimit<&ServingLimits::ttft_s>,
        [](const Plan&, const QuantityContext&) {
            return Values{0.0, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0};
        },
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "latency TTFT limit most time"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "Limit to the first")},
    {"tokens", QuantityGroup::Run, pointerOf<&Workload::tokens>, ui::ScaleKind::Ordinal, kBudget,
        readIfGiven<&Workload::tokens>, writeIfGiven<&Workload::tokens>,
        [](const Plan&, const QuantityContext&) {
            return Values{0.0, 1e9, 1e10, 3e10, 1e11, 3e11, 5e11, 1e12, 1.4e12, 2e12, 5e12, 1e13, 1.5e13, 3e13, 1e14};
        },
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "budget days duration card-hours cost energy"), nullptr,
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "tokens")},
    {"price", QuantityGroup::Run, pointerOf<&Accelerator::price_per_hour_usd>, ui::ScaleKind::Ordinal, kPrice,
        readIfGiven<&Accelerator::price_per_hour_usd>, writeIfGiven<&Accelerator::price_per_hour_usd>,
        [](const Plan&, const QuantityContext&) {
            return Values{0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 10.0, 15.0};
        },
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "cost money dollars USD"),
        QT_TRANSLATE_NOOP("cardfit::app::Quantities", "Price per card-hour")},
    {"recompute_layers", QuantityGroup::Recipe, pointerOf<&Recompute::layers>, ui::ScaleKind::Ordinal, kCount,
        [](const Plan& plan) { return real(plan.recipe.recompute.layers); },
        [](const Plan& plan, double value, const QuantityContext&) {
            Plan changed = plan;
            changed.recipe.recompute.layers = whole(value);
            return changed;
        },
        [](const Plan& plan, const QuantityContext&) { return layersPerChunk(plan); }},
    {"imbalance", QuantityGroup::Recipe, pointerOf<&MixtureOfExperts::imbalance>, ui::ScaleKind::Linear, kImbalance,
        readImbalance, writeImbalance,
        [](const Plan& plan, const QuantityContext&) {
            if (!plan.model.architecture.moe) return Values{1.0};
            return Values{1.0, 1.1, 1.2, 1.25, 1.3, 1.4, 1.5, 1.75, 2.0};
        }},
    {"adapter_rank", QuantityGroup::Adapters, pointerOf<&Adapter::rank>, ui::ScaleKind::Ordinal, kCount,
        [](const Plan& plan) { return real(plan.recipe.adapter.value_or(Adapter{}).rank); },
        [](const Plan& plan, double value, const QuantityContext&) {
            Plan changed = plan;
            if (!changed.recipe.adapter) changed.recipe.adapter = Adapter{};
            changed.recipe.adapter->rank = whole(value);
            return changed;
        },
        [](const Plan&, const QuantityContext&) { return powersOfTwo(1, 512); }},
    {"offload_optimizer", QuantityGroup::Recipe, pointerOf<&Offload::optimizer>, ui::ScaleKind::Linear, kFraction,
        readOffload<&Offload::optimizer>, writeOffload<&Offload::optimizer>, quarters},
    {"offload_parameters", QuantityGroup::Recipe, pointerOf<&Offload::parameters>, ui::ScaleKind::Linear, kFraction,
        readOffload<&Offload::parameters>, writeOffload<&Offload::parameters>, quarters},
    {"offload_activations", QuantityGroup::Recipe, pointerOf<&Offload::activations>, ui::ScaleKind::Linear, kFraction,
        readOffload<&Offload::activations>, writeOffload<&Offload::activations>, quarters},
    {"device_context", QuantityGroup::Overheads, pointerOf<&Overheads::device_context>, ui::ScaleKind::Linear, kBytes,
        [](const Plan& plan) { return real(deviceContext(plan).value()); },
        [](const Plan& plan, double value, const QuantityContext&) {
            Plan changed = plan;
            changed.overheads.device_context = Mebibytes(std::llround(value / kMebibyte));
            return changed;
        },
        [](const Plan&, const QuantityContext&) {
            // None, kernels loaded on first use, the usual value, all kernels loaded, an older rule of thumb.
            return Values{0.0, shipped(Constant::SmallestContext) * kMebibyte,
                shipped(Constant::DeviceContext) * kMebibyte, shipped(Constant::LargestContext) * kMebibyte,
                1300 * kMebibyte};
        },
        "", nullptr, ""},
    {"reserve", QuantityGroup::Overheads, pointerOf<&Overheads::reserve_fraction>, ui::ScaleKind::Linear, kFraction,
        [](const Plan& plan) { return plan.overheads.reserve_fraction.value_or(usualReserve(plan)); },
        [](const Plan& plan, double value, const QuantityContext&) {
            Plan changed = plan;
            changed.overheads.reserve_fraction = value;
            return changed;
        },
        [](const Plan&, const QuantityContext&) {
            // None; the minimum, the median and the maximum of published values; badly fragmented runs.
            return Values{0.0, shipped(Constant::SmallestReserve), shipped(Constant::Reserve),
                shipped(Constant::LargestReserve), 0.2};
        }},
}};

constexpr auto kFull = RailWeight::Full;
constexpr auto kLine = RailWeight::Line;
constexpr auto kGrouped = RailWeight::Grouped;

// Pretraining, fine-tuning, serving.
constexpr std::array<RailPlace, kQuantities.size()> kRailPlaces{{
    {"model_size", {kFull, kFull, kFull}},
    {"adapter_rank", {kFull, kFull, kFull}},
    {"sequence_length", {kFull, kFull, kFull}},
    {"global_batch", {kFull, kLine, kFull}},
    {"input_tokens", {kLine, kLine, kLine}},
    {"output_tokens", {kLine, kLine, kLine}},
    {"concurrency", {kLine, kLine, kLine}},
    {"tpot_limit", {kLine, kLine, kLine}},
    {"ttft_limit", {kLine, kLine, kLine}},
    {"micro_batch", {kFull, kFull, kLine}},
    {"nodes", {kFull, kFull, kFull}},
    {"cards_per_node", {kGrouped, kFull, kFull}},
    {"tensor", {kFull, kLine, kFull}},
    {"pipeline", {kFull, kLine, kLine}},
    {"data", {kFull, kLine, kLine}},
    {"micro_batches", {kLine, kLine, kLine}},
    {"image_tokens", {kLine, kLine, kLine}},
    {"context", {kLine, kLine, kLine}},
    {"virtual_pipeline", {kLine, kLine, kLine}},
    {"expert", {kLine, kLine, kLine}},
    {"expert_tensor", {kLine, kLine, kLine}},
    {"within_node", {kLine, kLine, kLine}},
    {"between_nodes", {kLine, kLine, kLine}},
    {"nodes_per_domain", {kLine, kLine, kLine}},
    {"recompute_layers", {kLine, kLine, kGrouped}},
    {"layers", {}},
    {"tokens", {}},
    {"price", {}},
    {"imbalance", {}},
    {"offload_optimizer", {}},
    {"offload_parameters", {}},
    {"offload_activations", {}},
    {"device_context", {}},
    {"reserve", {}},
}};

/// The name of the quantity's part for shows().
std::string_view partOf(const PlanQuantity& quantity) { return quantity.field.empty() ? quantity.id : quantity.field; }

bool isIn(const std::vector<Check>& checks, const Check& wanted)
{
    return std::ranges::any_of(
        checks, [&](const Check& check) { return check.id == wanted.id && check.message == wanted.message; });
}

/// Sets a stop's state and reason from the checks that it would newly fail and those on the quantity's own field.
void judge(ui::Stop& stop, const PlanQuantity& quantity, const std::vector<Check>& now, const std::vector<Check>& then)
{
    for (const Severity severity : {Severity::Error, Severity::Warning}) {
        for (const Check& check : then) {
            const bool is_own = !quantity.field.empty() && check.field == quantity.field;
            if (check.severity != severity || (!is_own && isIn(now, check))) continue;
            stop.state = severity == Severity::Error ? ui::StopState::Invalid : ui::StopState::Warned;
            stop.reason = ui::translated(check.message);
            return;
        }
    }
}

/// Marks a stop as invalid if it would change the number of micro-batches although that is held.
void checkHeldBatch(
    ui::Stop& stop, const PlanQuantity& quantity, const Plan& before, const Plan& after, DerivedBatchFactor derived)
{
    if (derived == DerivedBatchFactor::MicroBatches || !batchAddsUp(before)) return;
    const std::int64_t wanted = quantity.id == "micro_batches" ? whole(stop.value) : microBatches(before);
    if (microBatches(after) == wanted && batchAddsUp(after)) return;
    stop.state = ui::StopState::Invalid;
    const bool data_follows = derived == DerivedBatchFactor::Data;
    stop.reason =
        (data_follows ? Quantities::tr("a global batch of %1 is no multiple of %2 micro-batches × %3 sequences")
                      : Quantities::tr("a global batch of %1 is no multiple of %2 micro-batches × %3 data"))
            .arg(after.workload.global_batch_size)
            .arg(wanted)
            .arg(data_follows ? after.workload.micro_batch_size : dataParallel(after));
}

} // namespace

std::span<const PlanQuantity> planQuantities() { return kQuantities; }

std::span<const RailPlace> railPlaces() { return kRailPlaces; }

const PlanQuantity* planQuantity(std::string_view id)
{
    const auto found = std::ranges::find(kQuantities, id, &PlanQuantity::id);
    return found == kQuantities.end() ? nullptr : &*found;
}

const PlanQuantity* quantityOfField(std::string_view field)
{
    if (field.empty()) return nullptr;
    const auto found = std::ranges::find(kQuantities, field, &PlanQuantity::field);
    return found == kQuantities.end() ? nullptr : &*found;
}

QString quantityLabel(const PlanQuantity& quantity)
{
    return quantity.label != nullptr ? Quantities::tr(quantity.label) : ui::translated(fieldAt(quantity.field)->label);
}

QString quantityLabel(const PlanQuantity& quantity, const Plan& plan)
{
    const QString label = labelFor(purposeOf(plan.workload.task), partOf(quantity));
    return label.isEmpty() ? quantityLabel(quantity) : label;
}

QString quantityUnit(const PlanQuantity& quantity)
{
    if (quantity.unit == nullptr)
        return quantity.field.empty() ? QString() : ui::translated(fieldAt(quantity.field)->unit);
    return *quantity.unit == '\0' ? QString() : Quantities::tr(quantity.unit);
}

QString quantityHelp(const PlanQuantity& quantity)
{
    const auto term = std::ranges::find(
        glossary(), quantityLabel(quantity), [](const GlossaryTerm& known) { return ui::translated(known.term); });
    if (term != glossary().end()) return ui::translated(term->meaning);
    const Field* field = fieldAt(quantity.field);
    return field == nullptr ? QString() : ui::translated(field->help);
}

QString quantityKeywords(const PlanQuantity& quantity)
{
    return *quantity.keywords == '\0' ? QString() : Quantities::tr(quantity.keywords);
}

ui::QuantityFormat quantityFormat(const PlanQuantity& quantity, const Plan& plan)
{
    ui::QuantityFormat format = quantity.format;
    // A global batch may be typed in tokens.
    if (quantity.id == "global_batch") format.tokens_per_unit = real(plan.workload.sequence_length);
    return format;
}

bool isOffered(const PlanQuantity& quantity, const Plan& plan) { return shows(plan, partOf(quantity)); }

std::string_view quantityOf(DerivedBatchFactor derived)
{
    switch (derived) {
    case DerivedBatchFactor::MicroBatches: return "micro_batches";
    case DerivedBatchFactor::MicroBatch: return "micro_batch";
    case DerivedBatchFactor::Data: return "data";
    case DerivedBatchFactor::GlobalBatch: break;
    }
    return "global_batch";
}

std::optional<DerivedBatchFactor> derivedBatchFactorOf(std::string_view quantity)
{
    for (const auto derived :
        {DerivedBatchFactor::MicroBatches, DerivedBatchFactor::MicroBatch, DerivedBatchFactor::GlobalBatch}) {
        if (quantityOf(derived) == quantity) return derived;
    }
    return std::nullopt;
}

/// How the derived factor of the batch follows from the others.
static std::optional<QString> batchDerivation(const Plan& plan, DerivedBatchFactor derived)
{
    // Only the number of micro-batches, which is rounded down, has a value where the batch does not add up.
    if (derived != DerivedBatchFactor::MicroBatches && !batchAddsUp(plan)) return std::nullopt;
    const std::int64_t sequences = plan.workload.global_batch_size;
    const std::int64_t each = plan.workload.micro_batch_size;
    const std::int64_t micro_batches = microBatches(plan);
    const std::int64_t data = dataParallel(plan);
    switch (derived) {
    case DerivedBatchFactor::MicroBatches:
        return Quantities::tr("= %1 sequences / (%2 per micro-batch × %3 data)").arg(sequences).arg(each).arg(data);
    case DerivedBatchFactor::MicroBatch:
        return Quantities::tr("= %1 sequences / (%2 micro-batches × %3 data)")
            .arg(sequences)
            .arg(micro_batches)
            .arg(data);
    case DerivedBatchFactor::GlobalBatch:
        return Quantities::tr("= %1 per micro-batch × %2 micro-batches × %3 data")
            .arg(each)
            .arg(micro_batches)
            .arg(data);
    case DerivedBatchFactor::Data:
        return Quantities::tr("= %1 sequences / (%2 per micro-batch × %3 micro-batches)")
            .arg(sequences)
            .arg(each)
            .arg(micro_batches);
    }
    return std::nullopt;
}

/// What expertTensor() follows from.
static QString expertTensorDerivation(const Plan& plan)
{
    const auto& degree = plan.parallelism;
    const bool served = plan.workload.task == Task::Inference;
    const Framework framework = plan.recipe.framework;
    if (!served && framework == Framework::DeepSpeed) return Quantities::tr("= 1, DeepSpeed's default");
    if (degree.expert > 1 && (served || framework == Framework::Fsdp))
        return Quantities::tr("= 1: expert parallelism takes the tensor ranks too");
    if (served) return Quantities::tr("= %1 tensor × %2 data").arg(degree.tensor).arg(dataParallel(plan));
    return Quantities::tr("= %1 tensor").arg(degree.tensor);
}

std::optional<QString> derivation(
    const PlanQuantity& quantity, const Plan& plan, DerivedFactor derived, DerivedBatchFactor batch_derived)
{
    const auto& degree = plan.parallelism;
    if (quantity.id == quantityOf(batch_derived)) return batchDerivation(plan, batch_derived);
    const bool adds_up = cardsAddUp(plan);
    if (quantity.id == "data" && derived == DerivedFactor::Data && (adds_up || !degree.data)) {
        return Quantities::tr("= %1 cards / (%2 tensor × %3 pipeline × %4 context)")
            .arg(cardCount(plan.cluster))
            .arg(degree.tensor)
            .arg(degree.pipeline)
            .arg(degree.context);
    }
    if (quantity.id == "expert_tensor" && !degree.expert_tensor) return expertTensorDerivation(plan);
    if (quantity.id == "nodes" && derived == DerivedFactor::Nodes && adds_up) {
        return Quantities::tr("= %1 × %2 × %3 × %4 cards / %5 per node")
            .arg(degree.tensor)
            .arg(degree.pipeline)
            .arg(degree.context)
            .arg(dataParallel(plan))
            .arg(plan.cluster.cards_per_node);
    }
    return std::nullopt;
}

std::vector<ui::Stop> quantityStops(
    const PlanQuantity& quantity, const Plan& plan, const QuantityContext& context, std::span<const ui::Stop> held)
{
    Values values;
    for (const ui::Stop& stop : held)
        values.push_back(stop.value);
    if (held.empty()) {
        values = quantity.candidates(plan, context);
        if (context.opened != nullptr) values.push_back(quantity.read(*context.opened));
        std::ranges::sort(values);
        values.erase(std::unique(values.begin(), values.end()), values.end());
    }

    const auto now = check(plan);
    std::vector<ui::Stop> stops;
    stops.reserve(values.size());
    for (const double value : values) {
        ui::Stop stop;
        stop.value = value;
        stop.text = ui::tickText(value, quantity.format.kind);
        const Plan changed = quantity.write(plan, value, context);
        judge(stop, quantity, now, check(changed));
        if (stop.state != ui::StopState::Invalid) checkHeldBatch(stop, quantity, plan, changed, context.batch_derived);
        stops.push_back(std::move(stop));
    }
    return stops;
}

QString noteOnHeldBatch(
    const PlanQuantity& edited, double asked, const Plan& before, const Plan& after, DerivedBatchFactor derived)
{
    if (derived == DerivedBatchFactor::MicroBatches || !batchAddsUp(before) || !batchAddsUp(after)) return {};
    const std::int64_t wanted = edited.id == "micro_batches" ? whole(asked) : microBatches(before);
    if (microBatches(after) == wanted) return {};
    const bool data_follows = derived == DerivedBatchFactor::Data;
    return (data_follows ? Quantities::tr("%1 micro-batches are not possible: a global batch of %2 is no multiple of "
                                          "%1 × %3 per micro-batch. There are %4 now.")
                         : Quantities::tr("%1 micro-batches are not possible: a global batch of %2 is no multiple of "
                                          "%1 × %3 data. There are %4 now."))
        .arg(wanted)
        .arg(after.workload.global_batch_size)
        .arg(data_follows ? after.workload.micro_batch_size : dataParallel(after))
        .arg(microBatches(after));
}

} // namespace cardfit::app
