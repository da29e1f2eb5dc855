// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.h"
#include "core/estimate/profiles.h"
#include "core/files/presets.h"
#include "core/files/search_words.h"
#include "core/launch/plan_reader.h"
#include "core/pipeline/simulation/simulator.h"
#include "core/report/planning_document.h"
#include "core/report/reports.h"
#include "core/time/goodput.h"
#include "core/time/utilization.h"

/// Options of each command, and the functions that run them. Each returns its exit code.
namespace cardfit::app {

/// Reads the plan that a command's PLAN names: an id, a plan file, a launcher's file or a config.json. Whatever could
/// not be mapped, was assumed or follows from an option goes to standard error.
struct PlanReader {
    Presets presets;
    std::vector<std::string> settings; ///< "/parallelism/tensor=8", in order; see withSetting()
    PlanWords words; ///< --from, --model, --on
    bool says_assumed = true; ///< what an import assumed goes to standard error, too; it is also in the plan

    /// Reads a plan and applies all settings.
    [[nodiscard]] Result<Plan> read(const std::string& name) const;
    /// The same without the settings.
    [[nodiscard]] Result<Plan> readUnchanged(const std::string& name) const;
    /// The same of a text; `name`: what to call it, "standard input".
    [[nodiscard]] Result<Plan> readText(std::string_view text, const std::string& name) const;

private:
    [[nodiscard]] Result<Plan> changed(Plan plan) const;
};

/// Prints a plan file.
struct PlanOptions {
    std::string plan;
    std::string output; ///< file for the plan; empty: standard output
};
[[nodiscard]] int runPlan(const PlanOptions& options, const PlanReader& plans);

struct EstimateOptions {
    std::vector<std::string> plans;
    bool json = false;
    std::vector<std::string> fields; ///< paths in the JSON: these values alone
    bool lines = false; ///< read one plan per line of standard input, write one answer per line
    Profile profile = Profile::AsPlanned;
    bool compare_profiles = false; ///< a table of all profiles instead of one report
    Reliability reliability; ///< what is known about failures and checkpoints
    ByteUnit unit = ByteUnit::GB;
};
[[nodiscard]] int runEstimate(const EstimateOptions& options, const PlanReader& plans);

struct AdviseOptions {
    std::string plan;
    bool json = false;
    ByteUnit unit = ByteUnit::GB;
};
/// Prints the plan's limits and single changes that help; the exit code is that of the plan itself, as in estimate.
[[nodiscard]] int runAdvise(const AdviseOptions& options, const PlanReader& plans);

struct SearchOptions {
    std::string plan;
    SearchWords words;
    bool json = false;
    bool csv = false;
    std::string output; ///< file for the answer as JSON, or as CSV with --csv
    Reliability reliability; ///< as in EstimateOptions
    ByteUnit unit = ByteUnit::GB;
};
/// Prints the best plans of a space. Returns Fits if there is one; OverCapacity if none fits or keeps the limits;
/// BreaksRule if every plan breaks a rule.
[[nodiscard]] int runSearch(const SearchOptions& options, const PlanReader& plans);

struct SweepOptions {
    std::string plan;
    SweepWords words;
    bool json = false;
    bool csv = false;
    std::string output; ///< .svg, .csv or .json
};
/// Prints a figure over one or two fields; exit codes as of runSearch().
[[nodiscard]] int runSweep(const SweepOptions& options, const PlanReader& plans);

struct CalibrateOptions {
    std::string plan;
    std::array<std::optional<double>, kMeasuredQuantityCount> speed; ///< by MeasuredQuantity; at most one, or the log
    WorkDefinition work = WorkDefinition::Causal; ///< definition of FLOPs for a speed in TFLOP/s
    std::optional<double> published_tokens_per_second_per_card;
    std::string log; ///< file with a part of a training log
    std::optional<std::int64_t> allocated_bytes;
    std::int64_t stage = 0; ///< stage of allocated_bytes
    std::string source; ///< where the figures come from; the log's name if empty
    bool remove = false; ///< write the plan without its calibration instead
    std::string output; ///< file for the calibrated plan
    bool json = false;
};
/// Prints predicted and measured figures and what explains the difference. Returns Fits if the plan could be
/// calibrated, whether it fits or not; WrongUsage for a measurement that no factor explains.
[[nodiscard]] int runCalibrate(const CalibrateOptions& options, const PlanReader& plans);

struct CompareOptions {
    std::string before;
    std::string after;
    bool json = false;
    ByteUnit unit = ByteUnit::GB;
};
/// Prints the differences between two plans, in inputs and figures. Settings change the second plan; the exit code is
/// the second plan's, as in estimate.
[[nodiscard]] int runCompare(const CompareOptions& options, const PlanReader& plans);

struct CheckOptions {
    std::vector<std::string> plans;
    std::string
        into; ///< a launcher's file, only read: print a patch of it with the cheapest change that makes the plan fit
    bool rules = false; ///< print all rules; no plan is read
    bool json = false;
    ByteUnit unit = ByteUnit::GB;
};
/// The gate before a job: two lines for each plan on standard output, the verdict and either the worst card or the
/// first broken rule; what else is to be said goes to standard error.
[[nodiscard]] int runCheck(const CheckOptions& options, const PlanReader& plans);

struct ExplainOptions {
    enum class Format { Text, Markdown, Latex, Json };
    std::string plan;
    std::string figure; ///< empty: list what can be explained
    Format format = Format::Text;
    ByteUnit unit = ByteUnit::GB;
};
[[nodiscard]] int runExplain(const ExplainOptions& options, const PlanReader& plans);

struct ScheduleOptions {
    ScheduleRequest request;
    Durations durations;
    Transfers transfers;
    std::string order; ///< a .csv file with an order to run instead of the requested schedule's
    bool json = false;
    std::string csv; ///< file for the order
    std::string trace; ///< file for order and times
};
[[nodiscard]] int runSchedule(const ScheduleOptions& options);

/// `kind`: models, accelerators, clusters, plans, or empty for all.
[[nodiscard]] int runPresets(const std::string& kind, bool json, const Presets& presets);

[[nodiscard]] int runRules(bool json);

[[nodiscard]] int runConstants(bool json);

/// `kind`: of schemaKinds() or outputKinds().
[[nodiscard]] int runSchema(const std::string& kind);

struct ValidateOptions {
    std::string figure = "memory"; ///< memory, time or verdict
    std::string cases; ///< a file of measured cases; empty: the shipped ones
    bool json = false;
    bool markdown = false; ///< the table by group alone
    std::vector<std::string> constants; ///< "links.share=0.75": other than as shipped, for all cases
    bool fit = false; ///< print what the runs would have the constants of the time model be, instead of the cases
    ByteUnit unit = ByteUnit::GB;
};
/// Returns Fits if every case has a prediction, BreaksRule if one has none.
[[nodiscard]] int runValidate(const ValidateOptions& options, const Presets& presets);

struct ImportOptions {
    std::string file; ///< "-": standard input
    std::string output; ///< file for the answer; empty: standard output
};
/// Prints the plan or, for HuggingFace, the model preset, as JSON; what could not be mapped goes to standard error.
/// Requires PlanWords::from.
[[nodiscard]] int runImport(const ImportOptions& options, const PlanReader& plans);

struct ExportOptions {
    std::string plan;
    std::string chart; ///< memory or timeline; empty if none
    std::string into; ///< a launcher's file into which the plan's options are written; empty: make a new file
    std::string output; ///< file for the chart or the launcher's file
    std::string table; ///< .csv or .md
    std::string report; ///< planning document: .html, .pdf, .odt or .md
    std::vector<std::string> sections; ///< of it, by the words of documentTopics(); empty: all
    std::vector<std::string> beside; ///< plans that it holds against this one
    std::string author; ///< of it; or empty
    std::string trace; ///< .json
    std::string language = "en"; ///< language of charts, report and its table: "en" or "zh"
    std::optional<Launcher>
        launch; ///< written to `output` or to standard output; what the launcher cannot express goes to standard error
    std::optional<double> from; ///< seconds: start of the part of the step that the timeline shows; nullopt: all of it
    std::optional<double> to;
    double scale = 2.0;
    bool dark = false;
    ByteUnit unit = ByteUnit::GB;
};
[[nodiscard]] int runExport(const ExportOptions& options, const PlanReader& plans, const Program& program);

/// Writers of the export files that core cannot make.
struct ExportWriters {
    Translation translation;
    Result<void> (*chart)(const ExportOptions&, const Plan&, const Estimate&); ///< null if no chart is asked for
    Result<void> (*report)(const std::string& file, const DocumentRequest&);
};
/// Writes chart, table, trace and report, as requested; stops at the first error.
[[nodiscard]] Result<void> writeExport(
    const ExportOptions& options, const DocumentRequest& request, const ExportWriters& writers);
/// Program::write_export of the program without Qt; error Usage for what needs Qt: charts, .pdf and .odt, other
/// languages.
[[nodiscard]] Result<void> writeWithoutCharts(const ExportOptions& options, const DocumentRequest& request);

/// Today, as a document is dated: "2026-11-28".
[[nodiscard]] std::string today();

/// Reads all presets; reports problems on standard error, in one line.
[[nodiscard]] Presets presetsOrComplaints();

/// Prints the error on standard error and, if the answer would have been JSON, as JSON on standard output. Returns its
/// exit code.
[[nodiscard]] int complain(const Error& error, bool json = false);

/// Lists on standard error what of a launcher's file no plan can hold, and what had to be assumed.
void printNotes(std::string_view file, const std::vector<LaunchNote>& notes);

/// What the exit code says of a plan: Fits, also if tight, OverCapacity, also if a server refuses, or BreaksRule.
[[nodiscard]] int exitCodeOf(Verdict verdict);
[[nodiscard]] int exitCodeOf(const Estimate& estimate);

/// A JSON document, or a list of several.
void printAnswers(const std::vector<std::string>& answers);

/// Writes to the file, or to standard output if there is none. Returns the exit code.
[[nodiscard]] int writeAnswer(const std::string& output, const std::string& text);

} // namespace cardfit::app
