// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/choices.h"
#include "core/plan/field_table.h"
#include "core/plan/stages.h"
#include "core/search/changes.h"
#include "core/search/fewest_cards.h"

namespace cardfit {

namespace {

constexpr std::uint64_t kMostPoints = std::numeric_limits<std::int64_t>::max();

std::uint64_t saturated(std::uint64_t a, std::uint64_t b)
{
    return b != 0 && a > kMostPoints / b ? kMostPoints : a * b;
}

/// The automatic split of layers.
AxisValue automaticLayers(LayerBalance balance)
{
    AxisValue value;
    value.word = balance == LayerBalance::Time ? "automatic" : "automatic (memory)";
    value.balance = balance;
    return value;
}

/// Whether a field has other values than the base plan's.
bool varies(const SearchSpace& space, std::string_view pointer)
{
    const SearchAxis* axis = space.axis(pointer);
    return axis != nullptr && (axis->values.size() > 1 || axis->values.front() != ownValue(space.base, pointer));
}

/// An update in the backward pass requires a single micro-batch.
bool mayUpdateInBackward(const SearchSpace& space)
{
    return space.base.recipe.optimizer_in_backward || space.axis(pointerOf<&Recipe::optimizer_in_backward>) != nullptr;
}

bool mayOverlapExperts(const SearchSpace& space)
{
    return space.base.recipe.moe.expert_overlap || varies(space, pointerOf<&ExpertRecipe::expert_overlap>);
}

/// CUDA graphs cannot record everything that is recomputed.
bool mayRecordGraphs(const SearchSpace& space)
{
    if (space.flags[*recipeFlag(pointerOf<&Recipe::cuda_graph>)]) return false; // only what can be recorded is
    return space.base.recipe.cuda_graph != CudaGraph::None || varies(space, pointerOf<&Recipe::cuda_graph>);
}

/// A custom dispatcher requires experts that are divided over cards.
bool mayDispatchItself(const SearchSpace& space)
{
    return sendsOncePerRank(space.base.recipe.moe.dispatcher) || varies(space, pointerOf<&ExpertRecipe::dispatcher>);
}

/// The powers of two up to `most`, and the divisors of `numbers`.
std::vector<AxisValue> degreesUpTo(std::int64_t most, std::initializer_list<std::int64_t> numbers)
{
    std::set<std::int64_t> values;
    for (std::int64_t power = 1; power <= most; power *= 2)
        values.insert(power);
    for (const std::int64_t number : numbers) {
        for (const std::int64_t divisor : divisorsOf(number)) {
            if (divisor <= most) values.insert(divisor);
        }
    }
    std::vector<AxisValue> list;
    for (const std::int64_t value : values)
        list.push_back(wholeValue(value));
    return list;
}

/// Schedules that the framework itself runs; those that only forks run are searched on request.
std::vector<Schedule> usualSchedules(Framework framework)
{
    std::vector<Schedule> usual;
    for (const auto& entry : names<Schedule>()) {
        if (traits(entry.value).run_by[framework] == Support::Own) usual.push_back(entry.value);
    }
    return usual;
}

/// All-to-all of the framework, and HybridEP where the card has kernels for it: it needs less memory and fewer
/// conditions than DeepEP, and sends as little. Whoever has a dispatcher of that kind stays with it.
std::vector<AxisValue> dispatchers(const Plan& plan)
{
    const GenerationTraits& card = traits(plan.cluster.accelerator.generation);
    const bool has_one = sendsOncePerRank(plan.recipe.moe.dispatcher);
    const bool can = plan.recipe.framework == Framework::Megatron && card.sends_tokens_itself;
    if (!plan.model.architecture.moe || has_one || !can) return {ownValue(plan, pointerOf<&ExpertRecipe::dispatcher>)};
    std::vector<AxisValue> values;
    for (const Dispatcher dispatcher : {Dispatcher::AllToAll, Dispatcher::HybridEp}) {
        const std::string word(name(dispatcher));
        values.push_back({word, word, {}, 0.0, {}});
    }
    return values;
}

AxisValue recomputeValue(Recompute recompute)
{
    AxisValue value;
    value.word = recomputeWords(recompute);
    value.recompute = std::move(recompute);
    return value;
}

/// No recomputation; each set of one or two modules that the model has; all layers; a quarter, half and three quarters
/// of them.
std::vector<AxisValue> recomputeValues(const Plan& plan)
{
    using enum RecomputeModule;
    const Architecture& model = plan.model.architecture;
    std::vector<RecomputeModule> modules{CoreAttn, LayerNorm, Mlp};
    if (model.moe) modules.insert(modules.end(), {MoeAct, Moe});
    if (model.moe && model.moe->shared_intermediate_size > 0) modules.push_back(SharedExperts);
    if (model.mla || model.compressed_attention) modules.push_back(MlaUpProj);
    if (model.hc_mult > 1) modules.push_back(Mhc);

    std::vector<AxisValue> values{recomputeValue({})};
    const auto selective = [&](std::vector<RecomputeModule> set) {
        values.push_back(
            recomputeValue({RecomputeGranularity::Selective, std::move(set), RecomputeMethod::Uniform, 1}));
    };
    for (const RecomputeModule module : modules)
        selective({module});
    for (std::size_t i = 0; i < modules.size(); ++i) {
        for (std::size_t j = i + 1; j < modules.size(); ++j)
            selective({modules[i], modules[j]});
    }
    values.push_back(recomputeValue({RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1}));
    for (const auto& [share, word] : {std::pair{0.25, "1/4"}, {0.5, "1/2"}, {0.75, "3/4"}}) {
        AxisValue value = recomputeValue({RecomputeGranularity::Full, {}, RecomputeMethod::Block, 1});
        value.word = fmt::format("full (block, {} of a stage)", word);
        value.block_share = share;
        values.push_back(std::move(value));
    }
    return values;
}

std::string wordOf(const FieldValue& value)
{
    struct Words {
        std::string operator()(std::monostate) const { return "none"; }
        std::string operator()(bool on) const { return on ? "on" : "off"; }
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return fmt::format("{:g}", number); }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const std::vector<std::int64_t>& list) const
        {
            return fmt::format("{}", fmt::join(list, " "));
        }
        std::string operator()(const std::vector<std::string>& list) const
        {
            return fmt::format("{}", fmt::join(list, " "));
        }
    };
    return std::visit(Words{}, value);
}

constexpr bool kOfTraining = true;

constexpr auto kAxisNames = std::to_array<AxisName>({
    {"accelerator", pointerOf<&Cluster::accelerator>, AxisKind::Accelerator},
    {"nodes", pointerOf<&Cluster::nodes>, AxisKind::Nodes},
    {"tensor", pointerOf<&Parallelism::tensor>, AxisKind::Tensor, true},
    {"pipeline", pointerOf<&Parallelism::pipeline>, AxisKind::Pipeline, true},
    {"context", pointerOf<&Parallelism::context>, AxisKind::Context, true},
    {"virtual_pipeline", pointerOf<&Parallelism::virtual_pipeline>, AxisKind::VirtualPipeline, true, kOfTraining},
    {"schedule", pointerOf<&Recipe::schedule>, AxisKind::Schedule, true, kOfTraining},
    {"sharding", pointerOf<&Recipe::sharding>, AxisKind::Sharding, false, kOfTraining},
    {"micro_batch_size", pointerOf<&Workload::micro_batch_size>, AxisKind::MicroBatch, true, kOfTraining},
    {"expert", pointerOf<&Parallelism::expert>, AxisKind::Expert, true},
    {"expert_tensor", pointerOf<&Parallelism::expert_tensor>, AxisKind::ExpertTensor, true},
    {"dispatcher", pointerOf<&ExpertRecipe::dispatcher>, AxisKind::Dispatcher, true, kOfTraining},
    {"expert_overlap", pointerOf<&ExpertRecipe::expert_overlap>, AxisKind::ExpertOverlap, true, kOfTraining},
    {"recompute", pointerOf<&Recipe::recompute>, AxisKind::Recompute, true, kOfTraining},
    {"offload", pointerOf<&Offload::optimizer>, AxisKind::Offload, false, kOfTraining},
    {"offload", pointerOf<&Offload::activations>, AxisKind::Offload, false, kOfTraining},
    {"layers", pointerOf<&Parallelism::layers_per_stage>, AxisKind::Field},
});

} // namespace

AxisValue wholeValue(std::int64_t value) { return {std::to_string(value), value, {}, 0.0, {}}; }

bool isDegree(AxisKind kind)
{
    switch (kind) {
    case AxisKind::Nodes:
    case AxisKind::Tensor:
    case AxisKind::Pipeline:
    case AxisKind::Context:
    case AxisKind::VirtualPipeline:
    case AxisKind::Expert:
    case AxisKind::ExpertTensor: return true;
    case AxisKind::Field:
    case AxisKind::Accelerator:
    case AxisKind::Schedule:
    case AxisKind::Sharding:
    case AxisKind::MicroBatch:
    case AxisKind::Dispatcher:
    case AxisKind::ExpertOverlap:
    case AxisKind::Recompute:
    case AxisKind::Offload: break;
    }
    return false;
}

std::uint64_t SearchSpace::plans() const
{
    std::uint64_t count = 1;
    for (const SearchAxis& one : axes)
        count = saturated(count, one.values.size());
    return count;
}

std::uint64_t SearchSpace::degrees() const
{
    std::uint64_t count = 1;
    for (const SearchAxis& one : axes) {
        if (isDegree(one.kind)) count = saturated(count, one.values.size());
    }
    return count;
}

std::uint64_t SearchSpace::degreesOf(std::uint64_t number) const
{
    std::uint64_t tuple = 0;
    std::uint64_t place = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        const std::uint64_t size = axes[i].values.size();
        if (isDegree(axes[i].kind)) {
            tuple += place * (number % size);
            place *= size;
        }
        number /= size;
    }
    return tuple;
}

const SearchAxis* SearchSpace::axis(std::string_view pointer) const
{
    const auto found = std::ranges::find(axes, pointer, &SearchAxis::pointer);
    return found == axes.end() ? nullptr : &*found;
}

void SearchSpace::put(SearchAxis added)
{
    if (const auto flag = recipeFlag(added.pointer)) flags.reset(*flag);
    std::erase_if(axes, [&](const SearchAxis& one) {
        return one.pointer == added.pointer || added.pointer.starts_with(one.pointer + "/");
    });
    const auto place = std::ranges::find_if(axes, [&](const SearchAxis& one) { return one.kind > added.kind; });
    axes.insert(place, std::move(added));
}

std::span<const AxisName> axisNames() { return kAxisNames; }

AxisKind axisKind(std::string_view pointer)
{
    const auto* found = std::ranges::find(kAxisNames, pointer, &AxisName::pointer);
    return found == kAxisNames.end() ? AxisKind::Field : found->kind;
}

AxisValue ownValue(const Plan& plan, std::string_view pointer)
{
    if (axisKind(pointer) == AxisKind::Recompute) return recomputeValue(plan.recipe.recompute);
    if (pointer == pointerOf<&Parallelism::layers_per_stage> && !plan.parallelism.layers_per_stage)
        return automaticLayers(plan.parallelism.layer_balance);
    AxisValue value;
    if (axisKind(pointer) == AxisKind::ExpertTensor) return wholeValue(expertTensor(plan));
    if (axisKind(pointer) == AxisKind::Accelerator) {
        value.word = plan.cluster.accelerator.id.empty() ? plan.cluster.accelerator.name : plan.cluster.accelerator.id;
        value.cluster = plan.cluster;
        return value;
    }
    value.value = fieldAt(pointer)->get(plan);
    value.word = wordOf(value.value);
    return value;
}

AxisValue pinnedValue(const Plan& plan, std::string_view pointer)
{
    if (axisKind(pointer) == AxisKind::ExpertTensor && !plan.parallelism.expert_tensor) {
        AxisValue automatic;
        automatic.word = "automatic";
        return automatic;
    }
    return ownValue(plan, pointer);
}

bool isLeftToServer(const Plan& plan, std::string_view pointer)
{
    if (plan.workload.task != Task::Inference) return false;
    return std::ranges::any_of(kAxisNames, [&](const AxisName& one) {
        return one.of_training && (pointer == one.pointer || pointer.starts_with(std::string(one.pointer) + "/"));
    });
}

std::vector<AxisValue> freeValues(const Plan& plan, std::string_view pointer, bool by_name)
{
    if (isLeftToServer(plan, pointer)) return {ownValue(plan, pointer)};
    const Architecture& model = plan.model.architecture;
    const std::int64_t cards = cardCount(plan.cluster);
    const std::int64_t heads = model.num_attention_heads;
    const std::int64_t layers = model.num_hidden_layers;
    constexpr std::int64_t kMostChunks = 255;
    constexpr std::int64_t kMostMicroBatch = 16;
    switch (axisKind(pointer)) {
    case AxisKind::Tensor: return degreesUpTo(std::min(heads, cards), {heads});
    case AxisKind::Pipeline: return degreesUpTo(std::min(layers, cards), {layers});
    case AxisKind::VirtualPipeline: return degreesUpTo(std::min(layers, kMostChunks), {layers});
    case AxisKind::Context: return degreesUpTo(std::min(plan.workload.sequence_length / 2, cards), {cards});
    case AxisKind::Expert:
        if (!model.moe) return {wholeValue(1)};
        return degreesUpTo(std::min(model.moe->num_experts, cards), {model.moe->num_experts});
    case AxisKind::ExpertTensor:
        if (!model.moe) return {wholeValue(1)};
        return degreesUpTo(std::min({model.moe->moe_intermediate_size, heads, cards}), {heads});
    case AxisKind::Dispatcher:
        if (by_name) break;
        return dispatchers(plan);
    case AxisKind::ExpertOverlap:
        if (by_name || (model.moe && plan.recipe.framework == Framework::Megatron)) break;
        return {ownValue(plan, pointer)};
    case AxisKind::MicroBatch: return degreesUpTo(kMostMicroBatch, {});
    case AxisKind::Nodes: return degreesUpTo(plan.cluster.nodes, {plan.cluster.nodes});
    case AxisKind::Recompute: return recomputeValues(plan);
    case AxisKind::Offload: {
        std::vector<AxisValue> shares;
        for (const double share : {0.0, 0.5, 1.0})
            shares.push_back({wordOf(share), share, {}, 0.0, {}});
        return shares;
    }
    case AxisKind::Schedule:
        if (!by_name) {
            std::vector<AxisValue> usual;
            for (const Schedule schedule : usualSchedules(plan.recipe.framework))
                usual.push_back({std::string(name(schedule)), std::string(name(schedule)), {}, 0.0, {}});
            return usual;
        }
        break;
    case AxisKind::Accelerator: return {};
    case AxisKind::Sharding:
    case AxisKind::Field: break;
    }
    const Field& field = *fieldAt(pointer);
    std::vector<AxisValue> values;
    if (field.type == FieldType::Flag) {
        for (const bool on : {false, true})
            values.push_back({wordOf(on), on, {}, 0.0, {}});
    } else if (field.type == FieldType::Word) {
        for (const std::string_view word : field.words())
            values.push_back({std::string(word), std::string(word), {}, 0.0, {}});
    } else if (&field == &fieldOf<&Parallelism::layers_per_stage>()) {
        values = {automaticLayers(LayerBalance::Time), automaticLayers(LayerBalance::Memory)};
    }
    return values;
}

void addOwnValue(const Plan& plan, SearchAxis& axis)
{
    AxisValue own = ownValue(plan, axis.pointer);
    const auto same = [&](const AxisValue& value) {
        return own.recompute ? value.block_share == 0.0 && value.recompute == own.recompute
                             : value.value == own.value && value.balance == own.balance;
    };
    if (std::ranges::any_of(axis.values, same)) return;
    const auto* number = std::get_if<std::int64_t>(&own.value);
    const auto larger = [&](const AxisValue& value) {
        const auto* other = std::get_if<std::int64_t>(&value.value);
        return number != nullptr && other != nullptr && *other > *number;
    };
    axis.values.insert(std::ranges::find_if(axis.values, larger), std::move(own));
}

SearchSpace defaultSpace(const Plan& plan)
{
    SearchSpace space;
    space.base = plan;
    if (plan.workload.task != Task::Inference) space.flags.set();
    for (const AxisName& one : kAxisNames) {
        if (!one.free || isLeftToServer(plan, one.pointer)) continue;
        SearchAxis axis{one.kind, std::string(one.pointer), freeValues(plan, one.pointer, false)};
        addOwnValue(plan, axis);
        space.put(std::move(axis));
    }
    return space;
}

PointSettings settingsOf(const SearchSpace& space, std::uint64_t number)
{
    PointSettings settings;
    for (std::size_t i = space.axes.size(); i-- > 0;) {
        const SearchAxis& axis = space.axes[i];
        settings.emplace_back(axis.pointer, axis.values[static_cast<std::size_t>(number % axis.values.size())].word);
        number /= axis.values.size();
    }
    return settings;
}

PointSettings changedFlags(const SearchSpace& space, const Plan& plan)
{
    PointSettings changed;
    for (const RecipeFlag& flag : recipeFlags()) {
        AxisValue now = ownValue(plan, flag.pointer);
        if (now.value != ownValue(space.base, flag.pointer).value)
            changed.emplace_back(flag.pointer, std::move(now.word));
    }
    return changed;
}

SpacePoint::SpacePoint(const SearchSpace& space)
    : m_space(space)
    , m_plan(space.base)
    , m_at(space.axes.size())
{
    const auto has = [&](AxisKind kind) {
        return std::ranges::find(space.axes, kind, &SearchAxis::kind) != space.axes.end();
    };
    const bool cards_change = has(AxisKind::Nodes) || has(AxisKind::Tensor) || has(AxisKind::Pipeline)
        || has(AxisKind::Context) || space.axis(pointerOf<&Cluster::cards_per_node>) != nullptr;
    m_data_follows = cards_change && space.axis(pointerOf<&Parallelism::data>) == nullptr;
    m_sequence_follows = has(AxisKind::Tensor) && space.base.recipe.framework == Framework::Megatron
        && space.axis(pointerOf<&Parallelism::sequence>) == nullptr;
    m_layers_follow =
        space.base.parallelism.layers_per_stage && space.axis(pointerOf<&Parallelism::layers_per_stage>) == nullptr;
    for (std::size_t i = 0; i < space.axes.size(); ++i) {
        m_fields.push_back(fieldAt(space.axes[i].pointer));
        if (space.axes[i].kind == AxisKind::Recompute) m_recompute = i;
        m_at[i] = std::numeric_limits<std::size_t>::max();
    }
    moveTo(0);
}

void SpacePoint::set(std::size_t axis, std::size_t value)
{
    if (m_at[axis] == value) return;
    m_at[axis] = value;
    const AxisValue& chosen = m_space.axes[axis].values[value];
    if (chosen.recompute) {
        m_plan.recipe.recompute = *chosen.recompute;
    } else if (chosen.cluster) {
        m_plan.cluster.accelerator = chosen.cluster->accelerator;
        m_plan.cluster.intra_node = chosen.cluster->intra_node;
        m_plan.cluster.intra_domain = chosen.cluster->intra_domain;
        m_plan.cluster.inter_node = chosen.cluster->inter_node;
        m_plan.cluster.id = chosen.cluster->id;
        m_plan.cluster.name = chosen.cluster->name;
        m_plan.cluster.source = chosen.cluster->source;
    } else {
        m_fields[axis]->set(m_plan, chosen.value);
        if (chosen.balance) m_plan.parallelism.layer_balance = *chosen.balance;
    }
    m_moved = true;
    m_flags_moved = m_flags_moved || !isDegree(m_space.axes[axis].kind);
}

void SpacePoint::moveTo(std::uint64_t number)
{
    for (std::size_t i = m_space.axes.size(); i-- > 0;) {
        const std::uint64_t size = m_space.axes[i].values.size();
        set(i, static_cast<std::size_t>(number % size));
        number /= size;
    }
}

bool SpacePoint::moveTo(const PointSettings& settings)
{
    for (std::size_t i = 0; i < m_space.axes.size(); ++i) {
        const SearchAxis& axis = m_space.axes[i];
        const auto setting = std::ranges::find(settings, axis.pointer, &PointSettings::value_type::first);
        if (axis.values.size() == 1) {
            set(i, 0);
            continue;
        }
        const std::string word =
            setting == settings.end() ? ownValue(m_space.base, axis.pointer).word : setting->second;
        const auto value = std::ranges::find(axis.values, word, &AxisValue::word);
        if (value == axis.values.end()) return false;
        set(i, static_cast<std::size_t>(value - axis.values.begin()));
    }
    return true;
}

std::uint64_t SpacePoint::number() const
{
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < m_space.axes.size(); ++i)
        number = number * m_space.axes[i].values.size() + m_at[i];
    return number;
}

void SpacePoint::settle() const
{
    m_moved = false;
    Parallelism& degrees = m_plan.parallelism;
    const Parallelism& own = m_space.base.parallelism;
    if (m_data_follows) {
        const std::int64_t replica = replicaCards(degrees);
        const std::int64_t cards = cardCount(m_plan.cluster);
        degrees.data.reset();
        if (own.data && replica >= 1 && replica <= cards && cards % replica == 0) degrees.data = cards / replica;
    }
    if (m_sequence_follows) degrees.sequence = degrees.tensor > 1;
    if (m_layers_follow) {
        const bool own_stages = degrees.pipeline == own.pipeline && degrees.virtual_pipeline == own.virtual_pipeline;
        if (own_stages != degrees.layers_per_stage.has_value())
            degrees.layers_per_stage = own_stages ? own.layers_per_stage : std::nullopt;
    }
    if (m_recompute && m_at[*m_recompute] < m_space.axes[*m_recompute].values.size()) {
        const double share = m_space.axes[*m_recompute].values[m_at[*m_recompute]].block_share;
        if (share > 0.0) {
            const double chunk = static_cast<double>(m_plan.model.architecture.num_hidden_layers)
                / static_cast<double>(std::max<std::int64_t>(1, stagesInPipe(m_plan)));
            m_plan.recipe.recompute.layers = std::max<std::int64_t>(1, std::llround(share * chunk));
        }
    }
    for (std::size_t i = 0; i < kRecipeFlags && m_space.flags.any(); ++i) {
        const RecipeFlag& flag = recipeFlags()[i];
        if (m_space.flags[i] && (flag.of_degrees || m_flags_moved)) flag.take(m_plan, m_space.base.recipe);
    }
    m_flags_moved = false;
}

bool mayRead(RuleGroup group, AxisKind kind, const SearchSpace& space)
{
    using enum RuleGroup;
    const auto any_of = [&](std::initializer_list<RuleGroup> groups) {
        return std::ranges::find(groups, group) != groups.end();
    };
    const bool overlaps = mayOverlapExperts(space);
    const bool updates = group == Settings && mayUpdateInBackward(space);
    const bool records = group == Settings && mayRecordGraphs(space);
    const bool sends = group == Settings && mayDispatchItself(space);
    const bool pairs = overlaps && any_of({Batch, Overlap});
    switch (kind) {
    case AxisKind::Field:
    case AxisKind::Accelerator:
    case AxisKind::Nodes: return true;
    case AxisKind::Tensor: return any_of({Cards, Tensor, Sequence, Batch, Experts, Recipe, Settings});
    case AxisKind::Pipeline: return any_of({Cards, Pipeline, Batch, Experts, Recipe, Settings}) || pairs;
    case AxisKind::Context: return any_of({Cards, Sequence, Batch, Experts, Recipe}) || updates || sends;
    case AxisKind::VirtualPipeline:
    case AxisKind::Schedule: return any_of({Pipeline, Batch}) || pairs;
    case AxisKind::Sharding: return any_of({Pipeline, Experts, Recipe, Settings});
    case AxisKind::MicroBatch: return group == Batch || updates;
    case AxisKind::Expert: return group == Experts || pairs || records || sends;
    case AxisKind::ExpertTensor: return group == Experts || sends;
    case AxisKind::Dispatcher: return group == Settings || pairs;
    case AxisKind::ExpertOverlap: return any_of({Batch, Overlap, Settings});
    case AxisKind::Recompute: return pairs || records;
    case AxisKind::Offload: return group == Settings;
    }
    return true;
}

std::vector<std::size_t> toldApart(RuleGroup group, const SearchAxis& axis)
{
    // Rules for paired passes only ask whether the expert degree is above 1.
    const bool pairs = group == RuleGroup::Batch || group == RuleGroup::Overlap;
    // About recomputation these rules only ask whether it is full and whether it includes these modules
    // (expertOverlapRefusal(), and what CUDA graphs cannot record).
    constexpr std::array kModules{RecomputeModule::CoreAttn, RecomputeModule::Moe};
    std::vector<std::vector<bool>> known;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
        const AxisValue& value = axis.values[i];
        std::vector<bool> read;
        if (value.recompute && (pairs || group == RuleGroup::Settings)) {
            const Recompute& recompute = *value.recompute;
            const bool selects = recompute.granularity == RecomputeGranularity::Selective;
            read.push_back(recompute.granularity == RecomputeGranularity::Full);
            read.push_back(selects && recompute.modules.empty());
            for (const RecomputeModule module : kModules)
                read.push_back(selects && std::ranges::find(recompute.modules, module) != recompute.modules.end());
        } else if (axis.kind == AxisKind::Expert && pairs) {
            read.push_back(value.value == FieldValue(std::int64_t{1}));
        } else {
            numbers.push_back(i);
            continue;
        }
        const auto same = std::ranges::find(known, read);
        numbers.push_back(static_cast<std::size_t>(same - known.begin()));
        if (same == known.end()) known.push_back(std::move(read));
    }
    return numbers;
}

} // namespace cardfit
