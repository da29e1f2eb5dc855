// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is read from outside, and estimates of random plans, under libFuzzer. The first argument is the target, the
// others are libFuzzer's; tests/README.md says how it is run.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "core/accuracy/calibration.h"
#include "core/estimate/estimate.h"
#include "core/explain/explain.h"
#include "core/files/gzip.h"
#include "core/files/layout_text.h"
#include "core/files/picture_plan.h"
#include "core/files/plan_file.h"
#include "core/files/preset_files.h"
#include "core/files/presets.h"
#include "core/files/recovery_text.h"
#include "core/files/search_words.h"
#include "core/launch/launch.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/plan/fields.h"
#include "core/report/calibration_text.h"
#include "core/report/comparison_text.h"
#include "core/report/json_text.h"
#include "core/report/planning_document.h"
#include "core/report/reports.h"
#include "core/traces/measured_cases.h"
#include "core/traces/measured_trace.h"
#include "core/traces/schedule_csv.h"
#include "core/traces/trace_json.h"
#include "core/traces/training_log.h"

namespace {

using namespace cardfit;
namespace fs = std::filesystem;

/// A finding that no sanitizer sees.
void require(bool holds, std::string_view what)
{
    if (holds) return;
    std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
}

const Presets& presets()
{
    static const Presets all = loadPresets(std::vector<fs::path>{CARDFIT_PRESET_DIR});
    return all;
}

const Plan& basePlan() { return presets().plans.front().plan; }

// ---- Readers

void fuzzPlan(std::string_view text)
{
    const auto plan = parsePlan(text, presets());
    if (!plan) return;
    const auto again = parsePlan(planText(*plan), presets());
    require(again.has_value() && *again == *plan, "a plan that was read is the same when written and read again");
    (void)check(*plan);
}

void fuzzPreset(std::string_view text) { (void)readPresetText(text, presets()); }

void fuzzPicture(std::string_view bytes)
{
    (void)planTextInPicture(bytes);
    (void)pngWithPlan(bytes, "{}");
    (void)svgWithPlan(bytes, "{}");
}

void fuzzRecovery(std::string_view text) { (void)parseRecovery(text, presets()); }

void fuzzSetting(std::string_view text) { (void)withSetting(basePlan(), text, presets()); }

void fuzzLayout(std::string_view text)
{
    if (const auto layout = parseLayout(text)) (void)withLayout(basePlan(), *layout);
}

void fuzzSchedule(std::string_view text)
{
    const auto order = parseScheduleCsv(text);
    if (!order) return;
    const std::vector durations(order->ranks.size(), std::vector<Durations>(static_cast<std::size_t>(order->chunks)));
    const auto timeline = simulate(order->ranks, order->placement, durations);
    if (timeline) (void)scheduleCsv(*timeline);
}

/// A trace is read from files: the text as one of this name, in a folder that goes with the process.
void readTrace(std::string_view name, std::string_view text)
{
    struct Folder {
        fs::path path = fs::temp_directory_path() / ("cardfit-fuzz-" + std::to_string(getpid()));
        Folder() { fs::create_directories(path); }
        ~Folder()
        {
            std::error_code ignored;
            fs::remove_all(path, ignored);
        }
        Folder(const Folder&) = delete;
        Folder& operator=(const Folder&) = delete;
    };
    static const Folder folder;
    const fs::path file = folder.path / name;
    std::ofstream(file, std::ios::binary) << text;
    (void)looksMeasured(file);
    (void)readMeasuredRun({file});
}

void fuzzChromeTrace(std::string_view text) { readTrace("trace.json", text); }

void fuzzPrimusTrace(std::string_view text) { readTrace("pp_rank_0.json", text); }

void fuzzLauncher(Launcher launcher, std::string_view text)
{
    (void)detectLauncher(text);
    const auto imported = importLaunch(launcher, text, basePlan(), presets());
    if (!imported) return;
    (void)check(imported->plan);
    (void)exportLaunch(launcher, imported->plan);
}

/// A plan into a text: what was written can be read, or a note says that it cannot.
void fuzzInto(const LauncherTraits& traits, std::string_view text)
{
    static const auto kPlans = [] {
        std::vector<Plan> plans;
        for (const bool serves : {false, true}) {
            for (const bool experts : {false, true}) {
                const auto found = std::ranges::find_if(presets().plans, [&](const PlanPreset& one) {
                    return (one.plan.workload.task == Task::Inference) == serves
                        && one.plan.model.architecture.moe.has_value() == experts;
                });
                if (found != presets().plans.end()) plans.push_back(found->plan);
            }
        }
        return plans;
    }();
    Plan plan = kPlans[text.size() % kPlans.size()]; // one of each kind
    const auto changed = exportInto(traits.value, plan, text, presets());
    if (!changed) return;
    plan.model.id.clear(); // for launchers that do not name the model
    const bool said = std::ranges::any_of(changed->notes, [](const LaunchNote& note) { return note.what == "/"; });
    require(said || importLaunch(traits.value, changed->text, plan, presets()).has_value(),
        "what was written into a text can be read");
}

/// The figures of a log beside the plan's, and the plan calibrated with them.
void fuzzLog(std::string_view text)
{
    const auto log = readTrainingLog(text);
    if (!log) return;
    const auto measured = measurementOf(*log, basePlan());
    if (!measured) return;
    const auto compared = compareWithRun(basePlan(), *measured);
    if (!compared) return;
    (void)calibrationText(*compared);
    (void)calibrationJson(*compared);
    const auto again = parsePlan(planText(compared->plan), presets());
    require(again.has_value() && *again == compared->plan, "a calibrated plan is the same when written and read again");
}

void fuzzGzip(std::string_view bytes)
{
    constexpr std::size_t kLimit = 1U << 20;
    (void)unzippedStart(bytes);
    const auto text = unzipped(std::string(bytes), kLimit);
    require(!text || text->size() <= kLimit, "what is unpacked keeps the limit");
}

// ---- Words of the command line

/// The lines of a text, each the word of an option in turn.
class Words {
public:
    explicit Words(std::string_view text)
        : m_text(text)
    {
    }

    [[nodiscard]] std::string next()
    {
        const std::size_t end = std::min(m_text.find('\n'), m_text.size());
        std::string word(m_text.substr(0, end));
        m_text.remove_prefix(std::min(end + 1, m_text.size()));
        return word;
    }
    /// None if the next line is empty.
    [[nodiscard]] std::vector<std::string> list()
    {
        std::string word = next();
        return word.empty() ? std::vector<std::string>() : std::vector{std::move(word)};
    }

private:
    std::string_view m_text;
};

void fuzzSearchWords(std::string_view text)
{
    Words lines(text);
    SearchWords words;
    words.space = {lines.list(), lines.list(), lines.list(), lines.next(), lines.list()};
    for (std::string* word : {&words.objective, &words.pareto, &words.solve}) {
        if (std::string given = lines.next(); !given.empty()) *word = std::move(given);
    }
    words.limits = lines.list();
    (void)searchFrom(basePlan(), words, presets());
    (void)solveFrom(basePlan(), words, presets());
}

void fuzzSweepWords(std::string_view text)
{
    Words lines(text);
    SweepWords words;
    words.x = lines.next();
    words.y = lines.next();
    words.best = !lines.next().empty();
    if (std::string given = lines.next(); !given.empty()) words.figure = std::move(given);
    (void)sweepFrom(basePlan(), words, presets());
}

/// Names of figures.
void fuzzExplain(std::string_view text)
{
    static const Estimate result = estimate(basePlan());
    (void)explain(basePlan(), result, text);
    (void)isEstimateField(text);
    const std::array fields{std::string(text)};
    (void)estimateFieldsJson(result, fields);
}

// ---- What is made of plans

/// A plan as every kind of text, and beside another one.
void fuzzReport(std::string_view text)
{
    const auto plan = parsePlan(text, presets());
    if (!plan) return;
    static const Estimate base = estimate(basePlan());
    const Estimate result = estimate(*plan);
    (void)textReport(*plan, result);
    (void)documentHtml(planningDocument({*plan, result}));
    (void)comparisonText({basePlan(), base}, {*plan, result}, ByteUnit::GB);
    (void)comparisonJson({*plan, result}, {basePlan(), base});
    for (const LauncherTraits& traits : launchers())
        (void)exportLaunch(traits.value, *plan);
    if (!result.complete()) return;
    (void)memoryCsv(result);
    (void)memoryMarkdown(result);
    constexpr std::size_t kFewPasses = 4096; // a trace has a line for each
    if (static_cast<std::size_t>(result.pipeline.micro_batches) * result.stages.size() < kFewPasses)
        (void)traceJson(traceOf(result, "0"));
}

void fuzzCases(std::string_view text)
{
    (void)parseMeasuredMemory(text, presets());
    (void)parseMeasuredTime(text, presets());
}

// ---- Estimates of random plans

/// A number that people type: small ones, powers of two, neighbours and multiples of what stands there, and the ends of
/// what is accepted.
double anyNumber(FuzzedDataProvider& bytes, const Field& field, double now)
{
    const double most = field.most_sensible > 0 ? static_cast<double>(field.most_sensible) : field.range.most;
    const double numbers[] = {static_cast<double>(bytes.ConsumeIntegralInRange<int>(0, 64)),
        static_cast<double>(std::int64_t{1} << bytes.ConsumeIntegralInRange<int>(0, 20)), now * 2, now / 2, now + 1,
        now - 1, field.range.least, most};
    const double number = numbers[bytes.ConsumeIntegralInRange<std::size_t>(0, std::size(numbers) - 1)];
    return std::min(std::max(number, field.range.least), std::max(most, field.range.least));
}

FieldValue anyValue(FuzzedDataProvider& bytes, const Field& field, const FieldValue& now)
{
    const auto any_word = [&]() -> std::string {
        const auto words = field.words();
        return std::string(words[bytes.ConsumeIntegralInRange<std::size_t>(0, words.size() - 1)]);
    };
    const auto any_whole = [&](std::int64_t from) {
        constexpr double kFirstTooLarge = 0x1p63;
        const double number = anyNumber(bytes, field, static_cast<double>(from));
        return number < kFirstTooLarge ? static_cast<std::int64_t>(number) : std::numeric_limits<std::int64_t>::max();
    };
    if (field.nullable && bytes.ConsumeIntegralInRange(0, 7) == 0) return {};
    switch (field.type) {
    case FieldType::Group: break;
    case FieldType::Flag: return bytes.ConsumeBool();
    case FieldType::Whole: {
        const auto* number = std::get_if<std::int64_t>(&now);
        return any_whole(number != nullptr ? *number : 1);
    }
    case FieldType::Number:
    case FieldType::Ratio: {
        const auto* number = std::get_if<double>(&now);
        return anyNumber(bytes, field, number != nullptr ? *number : 0.5);
    }
    case FieldType::Text: return bytes.ConsumeRandomLengthString(16);
    case FieldType::Word: return any_word();
    case FieldType::Wholes: {
        std::vector<std::int64_t> list(bytes.ConsumeIntegralInRange<std::size_t>(0, 16));
        for (std::int64_t& item : list)
            item = any_whole(1);
        return list;
    }
    case FieldType::Words: {
        std::vector<std::string> list(bytes.ConsumeIntegralInRange<std::size_t>(0, 4));
        for (std::string& item : list)
            item = any_word();
        return list;
    }
    case FieldType::Texts: return std::vector{bytes.ConsumeRandomLengthString(16)};
    case FieldType::Curves: break;
    }
    return now;
}

/// Shipped plans with a few fields changed at random, as far as a file may hold them: each is accepted and estimated.
void fuzzEstimate(std::string_view text)
{
    FuzzedDataProvider bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    const auto any_of = [&](const auto& list) -> const auto&
    {
        return list[bytes.ConsumeIntegralInRange<std::size_t>(0, list.size() - 1)];
    };
    Plan plan = any_of(presets().plans).plan;
    while (bytes.remaining_bytes() > 0) {
        const Field& field = any_of(planFields());
        // What a plan has not would be half there, as experts without their number, and refused.
        const Field* group = fieldAt(groupOf(field.pointer));
        const bool there = group == nullptr || group->get(plan) != FieldValue{};
        if (there && field.get != nullptr) plan = withField(plan, field, anyValue(bytes, field, field.get(plan)));
    }
    const auto accepted = parsePlan(planText(plan), presets());
    if (!accepted) return;
    const Estimate result = estimate(*accepted);
    (void)estimateJson(result);
    if (!result.complete()) return;
    require(result.worstStage() < result.stages.size(), "one of the stages is the fullest");
    (void)textReport(*accepted, result);
    require(explain(*accepted, result, "worst.activations").has_value(), "a figure of an estimate is explained");
}

struct Target {
    std::string name;
    std::string seeds; ///< folders of files that it reads, from the root of the sources
    std::function<void(std::string_view bytes)> run;
};

/// Every launcher is a target, and another one if plans are written into its files.
std::vector<Target> withLaunchers(std::vector<Target> targets)
{
    for (const LauncherTraits& traits : launchers()) {
        const std::string word(traits.word);
        targets.push_back({word, "", [&](std::string_view text) { fuzzLauncher(traits.value, text); }});
        if (traits.write == nullptr) continue;
        targets.push_back(
            {"into-" + word, "tests/data/fuzz/" + word, [&](std::string_view text) { fuzzInto(traits, text); }});
    }
    return targets;
}

const std::vector<Target>& allTargets()
{
    static const std::vector<Target> all = withLaunchers({
        {"plan", "presets/plans tests/data/plans", fuzzPlan},
        {"preset", "presets/models presets/accelerators presets/clusters", fuzzPreset},
        {"picture", "", fuzzPicture},
        {"recovery", "", fuzzRecovery},
        {"setting", "", fuzzSetting},
        {"layout", "", fuzzLayout},
        {"schedule", "", fuzzSchedule},
        {"chrome-trace", "", fuzzChromeTrace},
        {"primus-trace", "", fuzzPrimusTrace},
        {"log", "", fuzzLog},
        {"cases", "", fuzzCases},
        {"gzip", "", fuzzGzip},
        {"search-words", "", fuzzSearchWords},
        {"sweep-words", "", fuzzSweepWords},
        {"explain", "", fuzzExplain},
        {"report", "presets/plans tests/data/plans", fuzzReport},
        {"estimate", "", fuzzEstimate},
    });
    return all;
}

const Target* target = nullptr;

const Target* targetNamed(std::string_view name)
{
    for (const Target& entry : allTargets()) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments)
{
    // libFuzzer starts itself again for some of its modes, with the arguments that are left here.
    constexpr const char* kVariable = "CARDFIT_FUZZ_TARGET";
    if (*count > 1 && targetNamed((*arguments)[1]) != nullptr) {
        setenv(kVariable, (*arguments)[1], 1);
        (*arguments)[1] = (*arguments)[0];
        ++*arguments;
        --*count;
    }
    const char* name = std::getenv(kVariable);
    target = targetNamed(name != nullptr ? name : "");
    if (target != nullptr) return 0;
    // Without a target: what there is, each with its seeds.
    for (const Target& entry : allTargets())
        std::printf("%s %s\n", entry.name.c_str(), entry.seeds.c_str());
    std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    target->run(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
