// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/plan_reader.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "core/files/file.h"
#include "core/files/json_reader.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "core/plan/edits.h"
#include "core/plan/field_table.h"
#include "core/rules/remedies.h"

namespace cardfit {

namespace {

/// PlanWords::on, looked up.
struct Target {
    Cluster cluster;
    std::optional<std::int64_t> nodes;
};

Result<std::optional<Target>> targetOf(std::string_view on, const Presets& presets)
{
    if (on.empty()) return std::nullopt;
    const std::string_view id = on.substr(0, on.find(':'));
    const Cluster* cluster = presets.cluster(id);
    if (cluster == nullptr) {
        std::vector<std::string_view> known;
        for (const Cluster& one : presets.clusters)
            known.push_back(one.id);
        return fail(ErrorCode::Usage, "--on", unknownNameMessage(Sentence::tr("cluster preset"), id, known));
    }
    if (id.size() == on.size()) return Target{*cluster, std::nullopt};
    const std::string_view digits = on.substr(id.size() + 1);
    std::int64_t nodes = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), nodes);
    if (problem != std::errc() || end != digits.data() + digits.size() || nodes < 1
        || static_cast<double>(nodes) > fieldOf<&Cluster::nodes>().range.most)
        return fail(
            ErrorCode::Usage, "--on", Sentence::tr("expected CLUSTER:NODES, such as dgx-h100:8, found {}", {on}));
    return Target{*cluster, nodes};
}

/// The plan on other cards, as many as before unless nodes are given. What follows for its degrees is sayDegrees()'s.
Plan moved(const Plan& plan, const Target& target, std::vector<Sentence>& remarks)
{
    Plan after = plan;
    after.cluster = target.cluster;
    const std::int64_t cards = cardCount(plan.cluster);
    const std::int64_t per_node = target.cluster.cards_per_node;
    if (target.nodes)
        after.cluster.nodes = *target.nodes;
    else if (per_node > 0 && cards % per_node == 0)
        after.cluster.nodes = cards / per_node;
    else
        remarks.push_back(Sentence::tr("--on {}: {} cards are no whole nodes of {}; {} nodes, as the preset has",
            {target.cluster.id, cards, per_node, target.cluster.nodes}));
    return withDerivedFactor(plan, std::move(after), DerivedFactor::Data);
}

/// What other cards have changed in the plan as it is at last.
void sayDegrees(const Plan& before, const Plan& after, const Target& target, std::vector<Sentence>& remarks)
{
    const std::int64_t now = dataParallel(after);
    const std::int64_t was = dataParallel(before);
    if (now == was) return;
    const std::int64_t cards = cardCount(after.cluster);
    remarks.push_back(now < 1 ? Sentence::tr("--on {}: {} cards, not {}; too few for one replica, which takes {}",
                          {target.cluster.id, cards, cardCount(before.cluster), replicaCards(after.parallelism)})
                              : Sentence::tr("--on {}: {} cards, not {}; data parallelism {} -> {}",
                                  {target.cluster.id, cards, cardCount(before.cluster), was, now}));
}

/// Whether the text is a file of Cardfit's own; `kind`: "plan", "model".
bool isOwnFile(std::string_view text, std::string_view kind)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{'
        && text.find("\"cardfit/" + std::string(kind)) != std::string_view::npos;
}

Result<Plan> basePlan(const Presets& presets)
{
    if (presets.plan(kDefaultPlan) != nullptr) return defaultPlan(presets);
    return fail(ErrorCode::CannotRead, {},
        Sentence::tr("the shipped presets are missing: they hold the plan that fills in what the file does not give"));
}

Result<ReadPlan> ownPlan(
    std::string_view text, const PlanWords& words, const std::optional<Target>& target, const Presets& presets)
{
    auto plan = parsePlan(text, presets);
    if (!plan) return tl::unexpected<Error>(plan.error());
    ReadPlan read{*std::move(plan), {}, {}, {}, {}};
    if (words.from) read.remarks.push_back(Sentence::tr("--from is not used: the file is a plan"));
    if (!words.model.empty()) {
        auto model = readModelOf(words.model, presets);
        if (!model) return model;
        read.plan = withModel(std::move(read.plan), std::move(model->plan.model));
        read.notes = std::move(model->notes);
    }
    if (target) {
        const Plan before = read.plan;
        read.plan = moved(before, *target, read.remarks);
        sayDegrees(before, read.plan, *target, read.remarks);
    }
    return read;
}

/// `read.plan` has a model alone on `base`, the default plan, moved to `target`: its run is said, and made to suit.
void completeModel(ReadPlan& read, const Plan& base, const std::optional<Target>& target)
{
    Plan& plan = read.plan;
    assume(plan,
        Sentence::tr(
            "a model alone is given: batch, sequence, degrees and recipe are those of the plan \"{}\", on {} x {} "
            "cards ({})",
            {base.name, plan.cluster.nodes, plan.cluster.cards_per_node, plan.cluster.name})
            .english());
    // Degrees of another model may not divide this one, or not on these cards.
    if (const auto remedy = remedyOfAll(plan)) {
        plan = withRemedy(std::move(plan), *remedy);
        assume(plan, Sentence::tr("so that the model keeps every rule there: {}", {remedy->label}).english());
    }
    if (target) sayDegrees(base, plan, *target, read.remarks);
}

/// What a launcher's file leaves to --on, and to the default plan without it.
Sentence assumedCards(const Cluster& cluster)
{
    return Sentence::tr("the file names no cards: {} x {} of the default plan's kind ({}); --on names others",
        {cluster.nodes, cluster.cards_per_node, cluster.name});
}

/// The shipped model of this id, unless a file has the name.
const Model* modelNotFile(const Presets& presets, const std::string& name)
{
    std::error_code unknown; // if the file cannot be examined, reading it reports the reason
    return std::filesystem::exists(name, unknown) || unknown ? nullptr : presets.model(name);
}

Result<ReadPlan> ofShippedModel(const Model& model, const PlanWords& words, const Presets& presets)
{
    const auto target = targetOf(words.on, presets);
    if (!target) return tl::unexpected<Error>(target.error());
    if (!words.model.empty())
        return fail(ErrorCode::Usage, "--model", Sentence::tr("{} is a model itself", {model.id}));
    const auto base = basePlan(presets);
    if (!base) return tl::unexpected<Error>(base.error());
    ReadPlan read;
    if (words.from) read.remarks.push_back(Sentence::tr("--from is not used: {} is a shipped model", {model.id}));
    read.plan = *target ? moved(*base, **target, read.remarks) : *base;
    read.plan.model = model;
    read.plan.name = model.name;
    completeModel(read, *base, *target);
    return read;
}

/// Adds the ids that a name of no file may have meant.
Error orIds(Error error, Phrase kind, const std::string& name, const std::vector<std::string_view>& ids)
{
    std::error_code unknown;
    if (error.code == ErrorCode::CannotRead && !std::filesystem::exists(name, unknown) && !unknown
        && !nearestWords(name, ids).empty())
        error.message = Sentence::tr("{}; {}", {std::move(error.message), unknownNameMessage(kind, name, ids)});
    return error;
}

Result<ReadPlan> ofLauncher(Launcher launcher, std::string_view text, const std::string& name, const PlanWords& words,
    const std::optional<Target>& target, const Presets& presets)
{
    auto base = basePlan(presets);
    if (!base) return tl::unexpected<Error>(base.error());
    const LauncherTraits& kind = traitsOf(launcher);
    ReadPlan read;
    read.launcher = launcher;
    const Plan complete = *base;
    if (target && kind.model_only) {
        *base = moved(*base, *target, read.remarks);
    } else if (target) {
        base->cluster = target->cluster;
        base->cluster.nodes = target->nodes.value_or(target->cluster.nodes);
    }
    if (!words.model.empty()) {
        if (kind.model_only) return fail(ErrorCode::Usage, "--model", Sentence::tr("the file is a model itself"));
        auto model = readModelOf(words.model, presets);
        if (!model) return model;
        base->model = std::move(model->plan.model);
        read.notes = std::move(model->notes);
        if (kind.serves && model->checkpoint) { // importVllm() takes the format of weights from a base that serves
            base->workload.task = Task::Inference;
            base->recipe.precision = *model->checkpoint;
            base->recipe.weights_precision = model->checkpoint_parts;
        }
    }
    const NeighbourFiles files = name == "-" ? NeighbourFiles() : neighboursOf(name);
    LaunchText launch{text, files};
    launch.part = words.part;
    auto imported = importLaunch(
        launcher, launch, *base, presets, words.model.empty() ? BaseModel::Placeholder : BaseModel::Chosen);
    if (!imported) return tl::unexpected<Error>(imported.error());
    read.plan = std::move(imported->plan);
    read.notes.insert(read.notes.end(), imported->notes.begin(), imported->notes.end());
    read.plan.name = !words.part.empty() ? words.part : name != "-" ? planNameFrom(name) : read.plan.model.name;
    if (kind.model_only) {
        if (read.plan.model.name.empty()) read.plan.model.name = read.plan.name;
        completeModel(read, complete, target);
    } else if (!target) {
        assume(read.plan, assumedCards(read.plan.cluster).english());
    }
    // --model has priority over a model's name in the file, not over its shape.
    if (!words.model.empty() && read.plan.model.architecture != base->model.architecture)
        read.remarks.push_back(Sentence::tr("--model is not used: the file says the model's shape itself"));
    if (target && target->nodes && read.plan.cluster.nodes != *target->nodes) {
        const Plan before = read.plan;
        read.plan.cluster.nodes = *target->nodes;
        // A server's command takes as many cards of a node as it needs; nodes are asked for as a whole.
        if (kind.serves) read.plan.cluster.cards_per_node = target->cluster.cards_per_node;
        read.plan = withDerivedFactor(before, std::move(read.plan), DerivedFactor::Data);
        // A server's batch is what the caches of its replicas hold, and so is no number of the file's.
        if (kind.serves) {
            auto& batch = read.plan.workload.global_batch_size;
            batch = batch / std::max<std::int64_t>(dataParallel(before), 1) * dataParallel(read.plan);
        }
        read.remarks.push_back(Sentence::tr("--on {}: {} nodes, not {} as the file says; data parallelism {} -> {}",
            {target->cluster.id, *target->nodes, before.cluster.nodes, dataParallel(before), dataParallel(read.plan)}));
    }
    return read;
}

} // namespace

Result<ReadPlan> planFromText(
    std::string_view text, const std::string& name, const PlanWords& words, const Presets& presets)
{
    const auto target = targetOf(words.on, presets);
    if (!target) return tl::unexpected<Error>(target.error());
    std::optional<Launcher> launcher;
    if (isOwnFile(text, "model\""))
        launcher = Launcher::HuggingFace; // whose names a model preset has
    else if (!isOwnFile(text, ""))
        launcher = words.from ? words.from : detectLauncher(text);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (!launcher && first != std::string_view::npos && text[first] != '{')
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr("is neither a plan nor a file that is known as a launcher's; --from says whose it is"));
    if (!launcher) return ownPlan(text, words, *target, presets);
    return ofLauncher(*launcher, text, name, words, *target, presets);
}

Result<ReadPlan> readAnyPlan(const std::string& name, const PlanWords& words, const Presets& presets)
{
    constexpr std::string_view kPython = ".py:";
    if (const std::size_t at = name.rfind(kPython); at != std::string::npos && words.part.empty()) {
        PlanWords with_part = words;
        with_part.part = name.substr(at + kPython.size());
        return readAnyPlan(name.substr(0, at + kPython.size() - 1), with_part, presets);
    }
    const auto named = [&](Error error) { return error.file.empty() ? inFile(std::move(error), name) : error; };
    if (const Plan* preset = presetNotFile(presets, name)) {
        // A shipped plan takes the options as a plan file does.
        if (words.model.empty() && words.on.empty() && !words.from) return ReadPlan{*preset, {}, {}, {}, {}};
        return planFromText(planText(*preset), name, words, presets);
    }
    if (const Model* model = modelNotFile(presets, name)) return ofShippedModel(*model, words, presets);
    const bool from_input = name == "-";
    const auto source = from_input
        ? readStandardInput().map([](std::string text) { return PlanSource{std::move(text)}; })
        : readPlanSource(name);
    if (!source) {
        std::vector<std::string_view> ids;
        for (const PlanPreset& preset : presets.plans)
            ids.push_back(preset.id);
        for (const Model& model : presets.models)
            ids.push_back(model.id);
        return tl::unexpected<Error>(orIds(source.error(), Sentence::tr("shipped plan or model"), name, ids));
    }
    return planFromText(source->text, name, words, presets).map_error([&](Error error) {
        return error.code == ErrorCode::Usage ? error : named(std::move(error));
    });
}

Result<ReadPlan> readModelOf(const std::string& name, const Presets& presets)
{
    ReadPlan read;
    if (const Model* shipped = modelNotFile(presets, name)) {
        read.plan.model = *shipped;
        return read;
    }
    const auto text = readFile(name);
    if (!text) {
        std::vector<std::string_view> ids;
        for (const Model& model : presets.models)
            ids.push_back(model.id);
        return tl::unexpected<Error>(orIds(text.error(), Sentence::tr("shipped model"), name, ids));
    }
    auto imported = importLaunch(Launcher::HuggingFace, *text, read.plan, presets);
    if (!imported) return tl::unexpected<Error>(inFile(imported.error(), name));
    read.plan.model = std::move(imported->plan.model);
    read.notes = std::move(imported->notes);
    read.checkpoint = imported->checkpoint;
    read.checkpoint_parts = imported->checkpoint_parts;
    return read;
}

std::string planNameFrom(const std::filesystem::path& file)
{
    const std::string stem = withoutGz(file).stem().string();
    if (stem != "config" && stem != "model_config" && stem != "ds_config") return stem;
    std::error_code unknown; // set if the current folder has been removed and so has no path
    const std::filesystem::path absolute = std::filesystem::absolute(file, unknown).lexically_normal();
    return unknown ? stem : absolute.parent_path().filename().string();
}

} // namespace cardfit
