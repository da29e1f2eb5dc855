// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/cli.h"
#include "core/io/launch/launch.h"
#include "core/io/plan/presets.h"
#include "core/io/plan/search_words.h"
#include "core/io/report/reports.h"
#include "core/pipeline/simulator.h"
#include "core/profiles.h"
#include "core/time/goodput.h"
#include "core/time/utilization.h"

/// What each command was asked for, and the functions that do it. Each returns its exit code.
namespace cardfit::app {

/// Reads what a command's PLAN names, and changes what --set says.
struct PlanReader {
    Presets presets;
    std::vector<std::string> settings; ///< "/parallelism/tensor=8", in order; see withSetting()

    /// A plan by file name or by the id of a shipped plan, with all settings.
    [[nodiscard]] Result<Plan> read(const std::string& name) const;
    /// The same without the settings.
    [[nodiscard]] Result<Plan> readUnchanged(const std::string& name) const;
    [[nodiscard]] Result<Plan> changed(Plan plan) const;
};

struct EstimateOptions {
    std::vector<std::string> plans; ///< files, or ids of shipped plans
    bool json = false;
    bool lines = false; ///< one plan per line of standard input, one answer per line
    Profile profile = Profile::AsPlanned;
    bool compare_profiles = false; ///< a table of all profiles instead of one report
    Reliability reliability; ///< what is known of failures and checkpoints
    ByteUnit unit = ByteUnit::GB;
};
[[nodiscard]] int runEstimate(const EstimateOptions& options, const PlanReader& plans);

struct AdviseOptions {
    std::string plan; ///< file, or id of a shipped plan
    bool json = false;
    ByteUnit unit = ByteUnit::GB;
};
/// Limits of the plan and single changes that help; the exit code is that of the plan itself, as in estimate.
[[nodiscard]] int runAdvise(const AdviseOptions& options, const PlanReader& plans);

struct SearchOptions {
    std::string plan; ///< file, id of a shipped plan, a launcher's file or a Hugging Face config.json
    SpaceWords space;
    std::string objective = "days";
    std::vector<std::string> limits; ///< "cost<2e6"
    std::string pareto = "memory,days"; ///< figures with commas; "none": no front
    std::size_t top = 5;
    std::size_t threads = 0; ///< 0: all cores
    bool why = false;
    bool json = false;
    bool csv = false;
    std::string output; ///< file for the answer as JSON, or as CSV with --csv
    Reliability reliability; ///< as of estimate
    ByteUnit unit = ByteUnit::GB;
};
/// The best plans of a space. Fits where there is one; OverCapacity where none fits or keeps the limits; BreaksRule
/// where every plan breaks a rule.
[[nodiscard]] int runSearch(const SearchOptions& options, const PlanReader& plans);

struct SweepOptions {
    std::string plan; ///< as of SearchOptions
    std::string x; ///< "/parallelism/tensor=1,2,4"
    std::string y; ///< empty: none
    bool best = false;
    std::string figure = "days";
    bool json = false;
    bool csv = false;
    std::string output; ///< .svg, .csv or .json
};
/// A figure over one or two fields; exit codes as of runSearch().
[[nodiscard]] int runSweep(const SweepOptions& options, const PlanReader& plans);

/// What a search starts from: a plan, or what a launcher's file says of one, with the default plan's cluster and batch
/// where it says nothing; what was not mapped goes to standard error.
[[nodiscard]] Result<Plan> startingPlan(const std::string& name, const PlanReader& plans);

struct CalibrateOptions {
    std::string plan; ///< file, or id of a shipped plan
    std::array<std::optional<double>, kMeasuredQuantityCount> speed; ///< by MeasuredQuantity; at most one, or the log
    WorkDefinition work = WorkDefinition::Causal; ///< of a speed in TFLOP/s
    std::optional<double> published_tokens_per_second_per_card;
    std::string log; ///< file: a piece of a training log
    std::optional<std::int64_t> allocated_bytes;
    std::int64_t stage = 0; ///< of allocated_bytes
    std::string source; ///< where the figures are from; the log's name if empty
    bool remove = false; ///< the plan without its calibration instead
    std::string output; ///< file for the calibrated plan
    bool json = false;
};
/// Predicted beside measured, and what explains the difference. Fits when the plan could be calibrated, whether it fits
/// or not; WrongUsage for a measurement that no factor explains.
[[nodiscard]] int runCalibrate(const CalibrateOptions& options, const PlanReader& plans);

struct CompareOptions {
    std::string before; ///< files, or ids of shipped plans
    std::string after;
    bool json = false;
    ByteUnit unit = ByteUnit::GB;
};
/// What differs between two plans, in inputs and in figures; settings change the second one, and the exit code is its,
/// as in estimate.
[[nodiscard]] int runCompare(const CompareOptions& options, const PlanReader& plans);

struct CheckOptions {
    std::vector<std::string> plans;
    bool json = false;
};
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
    std::string order; ///< a .csv file whose order is run instead of the request's
    bool json = false;
    std::string csv; ///< file for the order
    std::string trace; ///< file for order and times
};
[[nodiscard]] int runSchedule(const ScheduleOptions& options);

/// `kind`: models, accelerators, clusters, plans, or empty for all.
[[nodiscard]] int runPresets(const std::string& kind, const Presets& presets);

[[nodiscard]] int runRules(bool json);

/// `kind`: plan, model, accelerator or cluster.
[[nodiscard]] int runSchema(const std::string& kind);

struct ValidateOptions {
    std::string figure = "memory"; ///< memory or time
    std::string cases; ///< a file of measured cases; empty: the shipped ones
    bool json = false;
    bool markdown = false; ///< the table by group alone
    ByteUnit unit = ByteUnit::GB;
};
/// Answers Fits if every case has a prediction, BreaksRule if one has none.
[[nodiscard]] int runValidate(const ValidateOptions& options, const Presets& presets);

struct ImportOptions {
    Launcher from = Launcher::Megatron;
    std::string file; ///< "-": standard input
    std::string model; ///< Hugging Face config.json or preset file, or id of a shipped model; empty: the default plan's
    std::string cluster; ///< id; empty: the default plan's
    std::string output; ///< file for the answer; empty: standard output
};
/// Prints the plan, or for HuggingFace the model preset, as JSON; what could not be mapped goes to standard error.
[[nodiscard]] int runImport(const ImportOptions& options, const Presets& presets);

struct ExportOptions {
    std::string plan;
    std::string chart; ///< memory or timeline; empty if none
    std::string into; ///< a file of the launcher whose options become the plan's; empty: a new one is made
    std::string output; ///< of the chart or the launcher
    std::string table; ///< .csv or .md
    std::string report; ///< .pdf or .md
    std::string trace; ///< .json
    std::string language = "en"; ///< of charts, report and their table; or "zh"
    std::optional<Launcher>
        launch; ///< into `output`, or onto standard output; what it cannot say goes to standard error
    std::optional<double> from; ///< seconds: the part of the step that the timeline shows; none: all of it
    std::optional<double> to;
    double scale = 2.0;
    bool dark = false;
    ByteUnit unit = ByteUnit::GB;
};
[[nodiscard]] int runExport(const ExportOptions& options, const PlanReader& plans, const Program& program);

/// How the files of an export are made that core does not make.
struct ExportWriters {
    Translation translation;
    Result<void> (*chart)(const ExportOptions&, const Plan&, const Estimate&); ///< null if none is asked for
    Result<void> (*report)(const ExportOptions&, const Plan&, const Estimate&);
};
/// Chart, table, trace and report, as far as they are asked for; the first that fails is the last.
[[nodiscard]] Result<void> writeExport(
    const ExportOptions& options, const Plan& plan, const Estimate& estimate, const ExportWriters& writers);
/// Program::write_export of the program without Qt; error Usage for what takes Qt: charts, .pdf, other languages.
[[nodiscard]] Result<void> writeWithoutCharts(const ExportOptions& options, const Plan& plan, const Estimate& estimate);

/// All presets; what is wrong with them is said on standard error, in one line.
[[nodiscard]] Presets presetsOrComplaints();

/// Prints the error on standard error, and as JSON on standard output where the answer would have been JSON. Its exit
/// code.
[[nodiscard]] int complain(const Error& error, bool json = false);

/// Lists on standard error what of a launcher's file is in no plan.
void printNotMapped(std::string_view file, const std::vector<LaunchNote>& notes);

/// The default plan, from which an import takes what a file does not say; CannotRead without the shipped presets.
[[nodiscard]] Result<Plan> planBehindImports(const Presets& presets);

/// What a plan is called that comes from this file: the file's name, or that of its folder where every model's file has
/// the same name.
[[nodiscard]] std::string planNameFrom(const std::filesystem::path& file);

} // namespace cardfit::app
