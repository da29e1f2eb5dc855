// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"

#include <algorithm>
#include <array>
#include <system_error>

#include <fmt/format.h>

#include "app/cli/cli.h"
#include "app/cli/terminal.h"
#include "core/articles/articles.h"
#include "core/files/file.h"
#include "core/files/foreign_text.h"
#include "core/files/plan_file.h"
#include "core/files/plan_schema.h"
#include "core/files/preset_library.h"
#include "core/plan/choices.h"
#include "core/plan/fields.h"
#include "core/report/comparison_text.h"
#include "core/report/goodput_text.h"
#include "core/report/json_text.h"
#include "core/report/limits_text.h"
#include "core/report/output_schema.h"
#include "core/report/presets_json.h"

namespace cardfit::app {

namespace {

int answerLines(const EstimateOptions& options, const PlanReader& plans)
{
    LineReader lines;
    int code = Fits;
    while (const auto line = lines.next()) {
        const auto plan = line->and_then([&](const std::string& text) { return plans.readText(text, "-"); });
        if (!plan) {
            printLine(errorJson(plan.error()));
            code = FileTrouble;
        } else if (const Estimate result = estimateUnder(*plan, options.profile); options.fields.empty()) {
            printLine(estimateJson(result, true));
        } else {
            printLine(estimateFieldsJson(result, options.fields));
        }
        if (!flush()) break; // the reader has closed the pipe
    }
    return code;
}

/// The id of the preset that a value comes from. Changed ones have lost it and are known by their name; see
/// markAsOwn().
template <class Value> std::string presetBehind(const Value& value, const std::vector<Value>& presets)
{
    const auto found = std::ranges::find_if(presets, [&](const Value& preset) {
        return value.id.empty() ? value.name == preset.name + ", changed" : value.id == preset.id;
    });
    return found == presets.end() ? std::string() : found->id;
}

/// What of the plan differed from its preset and was replaced by another one: "/model/moe". Nodes are not listed.
std::vector<std::string_view> replacedChanges(
    const Plan& before, const Plan& after, std::string_view group, const Presets& presets)
{
    const std::string id = group == "/model" ? presetBehind(before.model, presets.models)
        : group == "/cluster"                ? presetBehind(before.cluster, presets.clusters)
                                             : presetBehind(before.cluster.accelerator, presets.accelerators);
    const auto of_preset = withSetting(before, fmt::format("{}/preset={}", group, id), presets);
    std::vector<std::string_view> replaced;
    if (!of_preset) return replaced;
    for (const Field& field : planFields()) {
        constexpr std::array kDescriptive{"name", "family", "parameters", "reported_parameters", "source"};
        const std::string_view pointer = field.pointer;
        if (!pointer.starts_with(group) || field.get == nullptr || field.type == FieldType::Group
            || pointer == "/cluster/nodes" || std::ranges::find(kDescriptive, keyOf(pointer)) != kDescriptive.end())
            continue;
        const FieldValue was = field.get(before);
        if (was == field.get(*of_preset) || was == field.get(after)) continue;
        // A changed group is named, not all that is in it.
        const std::string_view named = pointer.substr(0, pointer.find('/', group.size() + 1));
        if (replaced.empty() || replaced.back() != named) replaced.push_back(named);
    }
    return replaced;
}

void sayOf(const ReadPlan& read, const std::string& name, bool says_assumed)
{
    std::vector<LaunchNote> notes = read.notes;
    if (!says_assumed) std::erase_if(notes, [](const LaunchNote& note) { return note.assumed; });
    printNotes(name, notes);
    for (const Sentence& remark : read.remarks)
        printError(fmt::format("{}: {}", name, remark.english()));
}

} // namespace

Result<Plan> PlanReader::readUnchanged(const std::string& name) const
{
    auto read = readAnyPlan(name, words, presets);
    if (!read) return tl::unexpected<Error>(read.error());
    sayOf(*read, name, says_assumed);
    return std::move(read->plan);
}

Result<Plan> PlanReader::readText(std::string_view text, const std::string& name) const
{
    auto read = planFromText(text, name, words, presets);
    if (!read) return tl::unexpected<Error>(read.error());
    sayOf(*read, name, says_assumed);
    return changed(std::move(read->plan));
}

Result<Plan> PlanReader::changed(Plan plan) const
{
    for (const std::string& setting : settings) {
        auto next = withSetting(plan, setting, presets);
        if (!next) return next;
        if (setting.starts_with("/cluster/preset=") && next->cluster.nodes != plan.cluster.nodes) {
            printError(fmt::format(
                "cardfit: --set {}: {} nodes, as the preset has, not {}; a later --set /cluster/nodes={} keeps them",
                setting, next->cluster.nodes, plan.cluster.nodes, plan.cluster.nodes));
        }
        if (const std::size_t end = setting.find("/preset="); end != std::string::npos) {
            const auto replaced = replacedChanges(plan, *next, setting.substr(0, end), presets);
            if (!replaced.empty()) {
                printError(fmt::format("cardfit: --set {}: replaces what the plan had otherwise than its preset: {}",
                    setting, fmt::join(replaced, ", ")));
            }
        }
        plan = *std::move(next);
    }
    return plan;
}

Result<Plan> PlanReader::read(const std::string& name) const
{
    return readUnchanged(name).and_then([this](Plan plan) { return changed(std::move(plan)); });
}

Presets presetsOrComplaints()
{
    Presets presets = allPresets();
    if (presets.problems.empty()) return presets;
    const std::size_t others = presets.problems.size() - 1;
    printError(fmt::format("cardfit: {}{}", describe(presets.problems.front()),
        others == 0 ? "" : fmt::format("; and {} more, see cardfit presets", others)));
    return presets;
}

int complain(const Error& error, bool json)
{
    if (json) printLine(errorJson(error));
    printError(fmt::format("cardfit: {}", describe(error)));
    return error.code == ErrorCode::Usage ? WrongUsage : FileTrouble;
}

int exitCodeOf(Verdict verdict)
{
    if (verdict == Verdict::Invalid) return BreaksRule;
    return isFit(verdict) ? Fits : OverCapacity;
}

int exitCodeOf(const Estimate& estimate) { return exitCodeOf(verdict(estimate)); }

int writeAnswer(const std::string& output, const std::string& text)
{
    if (output.empty()) {
        printFile(text);
        return Fits;
    }
    const auto written = writeFile(output, text);
    return written ? static_cast<int>(Fits) : complain(written.error());
}

void printNotes(std::string_view file, const std::vector<LaunchNote>& notes)
{
    for (const LaunchNote& note : notes)
        printError(fmt::format("{}: {}: {}", file, note.assumed ? "assumed" : "not mapped", describe(note)));
}

void printAnswers(const std::vector<std::string>& answers)
{
    if (answers.size() == 1)
        print(answers.front() + "\n");
    else
        print(fmt::format("[\n{}\n]\n", fmt::join(answers, ",\n")));
}

int runPlan(const PlanOptions& options, const PlanReader& plans)
{
    const auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error());
    return writeAnswer(options.output, planText(*plan));
}

int runEstimate(const EstimateOptions& options, const PlanReader& plans)
{
    if (options.lines) return answerLines(options, plans);
    int code = Fits;
    std::vector<std::string> answers;
    for (const std::string& name : options.plans) {
        const auto plan = plans.read(name);
        if (!plan) {
            code = std::max(code, complain(plan.error()));
            if (options.json) answers.push_back(errorJson(plan.error()));
            continue;
        }
        const Estimate result = estimateUnder(*plan, options.profile);
        code = std::max(code, exitCodeOf(result));
        if (options.compare_profiles) {
            answers.push_back(fmt::format("{}\n\n{}", printable(plan->name), profileTable(*plan, options.unit)));
            continue;
        }
        const Plan shown = planUnder(*plan, options.profile);
        if (options.json) {
            answers.push_back(options.fields.empty() ? estimateJson(shown, result, options.reliability)
                                                     : estimateFieldsJson(result, options.fields));
            continue;
        }
        std::string text = textReport(shown, result, options.unit);
        const std::string goodput = goodputText(shown, result, options.reliability);
        answers.push_back(goodput.empty() ? text : text + "\n" + goodput);
    }
    if (options.json)
        printAnswers(answers);
    else
        print(fmt::format("{}", fmt::join(answers, "\n")));
    return code;
}

int runAdvise(const AdviseOptions& options, const PlanReader& plans)
{
    const auto plan = plans.read(options.plan);
    if (!plan) return complain(plan.error(), options.json);
    const Advice answer = adviceFor(*plan);
    if (options.json)
        print(adviceJson(answer) + "\n");
    else
        print(adviceText(*plan, answer, options.unit));
    return exitCodeOf(answer.estimate);
}

int runCompare(const CompareOptions& options, const PlanReader& plans)
{
    const auto before = plans.readUnchanged(options.before);
    const auto after = plans.read(options.after);
    for (const auto* plan : {&before, &after}) {
        if (!*plan) return complain(plan->error(), options.json);
    }
    const Estimate from = estimate(*before);
    const Estimate to = estimate(*after);
    if (options.json)
        print(comparisonJson({*before, from}, {*after, to}) + "\n");
    else
        print(comparisonText({*before, from}, {*after, to}, options.unit));
    return exitCodeOf(to);
}

int runPresets(const std::string& kind, bool json, const Presets& presets)
{
    for (const Error& problem : presets.problems)
        printError(fmt::format("cardfit: {}", describe(problem)));
    const int code = presets.problems.empty() ? Fits : FileTrouble;
    if (json) {
        print(presetsJson(presets, kind) + "\n");
        return code;
    }
    const auto wanted = [&](std::string_view one) { return kind.empty() || kind == one; };
    const auto title = [&](std::string_view text) {
        if (kind.empty()) printLine(fmt::format("{}:", text));
    };
    if (wanted("models")) {
        title("models");
        for (const Model& model : presets.models)
            printLine(fmt::format("{:<28} {}", model.id, model.name));
    }
    if (wanted("accelerators")) {
        title("accelerators");
        for (const Accelerator& card : presets.accelerators) {
            printLine(fmt::format("{:<28} {}, {}", card.id, card.name, memorySentence(card).english()));
        }
    }
    if (wanted("clusters")) {
        title("clusters");
        for (const Cluster& cluster : presets.clusters) {
            printLine(fmt::format(
                "{:<28} {}, {} x {} cards", cluster.id, cluster.name, cluster.nodes, cluster.cards_per_node));
        }
    }
    if (wanted("plans")) {
        title("plans");
        for (const PlanPreset& preset : presets.plans)
            printLine(fmt::format("{:<28} {}", preset.id, preset.plan.name));
    }
    return code;
}

int runSchema(const std::string& kind)
{
    const auto outputs = outputKinds();
    const bool is_output = std::ranges::find(outputs, kind) != outputs.end();
    print((is_output ? outputSchema(kind) : jsonSchema(kind)) + "\n");
    return Fits;
}

int runRules(bool json)
{
    const auto rows = articleRows();
    if (json) {
        print(articlesJson(rows) + "\n");
        return Fits;
    }
    std::string_view article;
    for (const ArticleRow& row : rows) {
        if (row.article != article) {
            article = row.article;
            print(fmt::format("\n{}\n", article));
        }
        printLine(fmt::format("{:<6} {:<7} {}", row.id, verdictName(row.verdict), row.statement));
        printLine(fmt::format("               article: {}", row.theirs));
        printLine(fmt::format("               ours:    {}", row.ours));
        if (!row.remark.empty()) printLine(fmt::format("               remark:  {}", row.remark));
    }
    return Fits;
}

} // namespace cardfit::app
