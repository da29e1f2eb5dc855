// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands.h"
#include "app/cli/completion.h"
#include "app/cli/terminal.h"
#include "core/accuracy/memory_margin.h"
#include "core/files/json_reader.h"
#include "core/files/plan_schema.h"
#include "core/files/preset_library.h"
#include "core/launch/reference.h"
#include "core/plan/choices.h"
#include "core/report/json_text.h"
#include "core/report/output_schema.h"
#include "core/time/utilization.h"

namespace cardfit::app {

namespace {

constexpr const char* kExitCodes = "Exit codes: 0 fits, 1 over capacity, 2 the plan breaks a rule, 3 a file cannot be "
                                   "read or written, 64 wrong usage, 130 or 143 a search was interrupted.";
constexpr const char* kPlan = "PLAN"; ///< name of a plan argument in help and completion

template <class Enum> CLI::Validator oneOf()
{
    std::vector<std::string> words;
    for (const auto& entry : names<Enum>())
        words.emplace_back(entry.name);
    return CLI::IsMember(words);
}

/// A finite number within the limits: CLI11's own checks accept "nan".
CLI::Validator within(double least, double most)
{
    const std::string range = fmt::format("from {:g} to {:g}", least, most);
    return {[=](std::string& text) {
                const double value = std::strtod(text.c_str(), nullptr);
                return value >= least && value <= most ? std::string()
                                                       : fmt::format("expected a number {}, found {}", range, text);
            },
        range};
}
constexpr double kMostUnits = 1e9; ///< upper limit of a pass's or a transfer's time
constexpr double kLeastMeasured = 1e-9;
constexpr double kMostMeasured = 1e15;

/// "megatron, deepspeed or torchtitan"
std::string alternatives(const std::vector<std::string>& words)
{
    return fmt::format("{} or {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

/// Maps words to values; help and completion show only the words.
template <class Value> CLI::Validator wordsOf(const std::map<std::string, Value>& values)
{
    std::vector<std::string> words;
    for (const auto& [word, value] : values)
        words.push_back(word);
    return CLI::Validator(
        [values, words](std::string& text) {
            const auto found = values.find(text);
            if (found == values.end()) return fmt::format("expected {}, found {}", alternatives(words), text);
            text = std::to_string(static_cast<int>(found->second));
            return std::string();
        },
        fmt::format("{{{}}}", fmt::join(words, ",")));
}

/// Words of all launchers, or only of those that a plan can be written for.
std::vector<std::string> launcherWords(bool written)
{
    std::vector<std::string> words;
    for (const LauncherTraits& traits : launchers()) {
        if (!written || traits.write != nullptr) words.emplace_back(traits.word);
    }
    return words;
}

/// The options of every command, and which command was given.
class CommandLine {
public:
    explicit CommandLine(const Program& program)
        : m_program(program)
        , m_app("Plans large-model training runs: memory of every card, pipeline timeline, step time.", program.name)
    {
        m_app.set_version_flag("--version", fmt::format("{} {}", program.name, CARDFIT_VERSION));
        m_app.require_subcommand(1);
        m_app.footer(fmt::format("{}\n{}", program.without_command, kExitCodes));
        addEstimate();
        addPlanCommand();
        addAdvise();
        addSearch();
        addSweep();
        addCalibrate();
        addCheck();
        addCompare();
        addExplain();
        addSchedule();
        addExport();
        addImport();
        addPresets();
        addRules();
        addConstants();
        addSchema();
        addValidate();
        addCompletion();
        addManual();
        addReference();
    }

    [[nodiscard]] std::string referencePart(std::string_view part) const
    {
        if (part == "fields") return fieldReference(presetsOrComplaints());
        if (part == "rules") return ruleReference();
        return part == "commands" ? commandReference(m_app) : outputReference();
    }

    [[nodiscard]] bool has(std::string_view command) const
    {
        return !m_app.get_subcommands([&](const CLI::App* one) { return one->get_name() == command; }).empty();
    }

    int run(int argc, char** argv)
    {
        try {
            m_app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            if (error.get_exit_code() != 0) {
                printError(whatIsWrong(error, argc > 1 ? argv[1] : ""));
                printError("Run with --help for more information.");
                return WrongUsage;
            }
            std::ostringstream answer;
            m_app.exit(error, answer, answer);
            print(answer.str());
            return Fits;
        }
        return m_run();
    }

private:
    /// CLI11 only says that a command is required, even if there is an unknown word in its place.
    [[nodiscard]] std::string whatIsWrong(const CLI::ParseError& error, const std::string& first) const
    {
        const bool missing = m_app.get_subcommands().empty() && !first.empty() && first.front() != '-';
        if (!missing) return error.what();
        const auto commands = m_app.get_subcommands(nullptr);
        std::vector<std::string> names;
        for (const CLI::App* command : commands)
            names.push_back(command->get_name());
        return unknownNameMessage(Sentence::tr("command"), first, {names.begin(), names.end()}).english();
    }

    static constexpr const char* kAnyPlan = "Id of a shipped plan or model, plan file, launcher's file or "
                                            "Hugging Face config.json; - for standard input";

    static void addPlan(CLI::App* command, const char* name, std::string& plan)
    {
        command->add_option(name, plan, kAnyPlan)->type_name(kPlan)->required();
    }

    /// Refuses an empty word, which a script gives for a variable that is not set.
    static CLI::Validator notEmpty(const std::string& expected)
    {
        return {[expected](const std::string& given) {
                    return given.empty() ? fmt::format("expected {}, found none", expected) : std::string();
                },
            ""};
    }

    static CLI::Option* addFile(CLI::App* command, const char* name, std::string& file, const std::string& what)
    {
        return command->add_option(name, file, what)->type_name("FILE")->check(notEmpty("the name of a file"));
    }

    /// Refuses a file that two options would write; empty names are options that are not given.
    static void refuseTwice(std::initializer_list<std::string> outputs)
    {
        std::set<std::filesystem::path> files;
        for (const std::string& file : outputs) {
            std::error_code unknown; // set if the current folder has been removed; then names are compared
            const std::filesystem::path whole = std::filesystem::absolute(file, unknown);
            if (!file.empty()
                && !files.insert((unknown ? std::filesystem::path(file) : whole).lexically_normal()).second)
                throw CLI::ValidationError(file, "would be written twice");
        }
    }

    void addUnit(CLI::App* command, ByteUnit& unit)
    {
        static const std::map<std::string, ByteUnit> kUnits{{"GB", ByteUnit::GB}, {"GiB", ByteUnit::GiB}};
        command->add_option("--unit", unit, "GB (10^9 bytes) or GiB (2^30 bytes)")->transform(wordsOf(kUnits));
    }

    static void addReliability(CLI::App* command, Reliability& known)
    {
        const auto number = [&](const char* option, const char* what, auto take) {
            return command->add_option_function<double>(option, take, what)->check(within(1e-9, 1e9));
        };
        number("--write-gbps", "GB/s at which all cards together write a checkpoint",
            [&known](double value) { known.write_bandwidth = 1e9 * value; });
        number("--restart-minutes", "Minutes from an unplanned stop to the next step, with a spare machine ready",
            [&known](double value) { known.restart = Seconds(60.0 * value); });
        number("--stops-per-card-hour", "Unplanned stops; Llama 3 405B had 1.97e-5",
            [&known](double value) { known.stops_per_card_hour = value; });
        auto* repair = number("--repair-hours", "Hours until a failed machine is back",
            [&known](double value) { known.repair_hours = value; });
        command->add_option("--spares", known.spares, "Number of spare machines, with --repair-hours")
            ->check(CLI::Range(0, 100000))
            ->needs(repair);
    }

    void addEstimate()
    {
        auto* command = m_app.add_subcommand("estimate", "Memory of every stage, step time and verdict");
        auto* names = command->add_option("plan", m_estimate.plans, kAnyPlan)->type_name(kPlan);
        auto* json = command->add_flag("--json", m_estimate.json, "Print the estimate as JSON");
        auto* lines = command->add_flag(
            "--lines", m_estimate.lines, "Read one plan per line of standard input, write one estimate per line");
        lines->excludes(names);
        command
            ->add_option("--fields", m_estimate.fields,
                "Only these values of the JSON, separated by commas: step.seconds,worst.device_bytes")
            ->delimiter(',')
            ->check([](const std::string& field) {
                return isEstimateField(field) ? std::string() : fmt::format("an estimate has no field {}", field);
            })
            ->each([this](const std::string&) { m_estimate.json = true; });
        std::map<std::string, Profile> profiles;
        for (const auto& profile : kProfileNames)
            profiles.emplace(profile.name, profile.value);
        command
            ->add_option("--profile", m_estimate.profile, "Formulas to use: plan, megatron, deepspeed, fsdp or article")
            ->transform(wordsOf(profiles));
        command->add_flag("--compare-profiles", m_estimate.compare_profiles, "All profiles side by side, as text")
            ->excludes(lines)
            ->excludes(json);
        addReliability(command, m_estimate.reliability);
        addUnit(command, m_estimate.unit);
        addSettings(command);
        command->callback([this] {
            if (m_estimate.plans.empty() && !m_estimate.lines) throw CLI::RequiredError("plan");
            m_run = [this] { return runEstimate(m_estimate, plans()); };
        });
    }

    void addAdvise()
    {
        auto* command =
            m_app.add_subcommand("advise", "The largest plans that fit, why none fits, and what would help");
        addPlan(command, "plan", m_advise.plan);
        command->add_flag("--json", m_advise.json, "Print limits and advice as JSON");
        addUnit(command, m_advise.unit);
        addSettings(command);
        command->callback([this] { m_run = [this] { return runAdvise(m_advise, plans()); }; });
    }

    void addSearch()
    {
        auto* command = m_app.add_subcommand(
            "search", "The best plans of a space: all degrees, micro-batches, schedules, recomputation");
        addPlan(command, "plan", m_search.plan);
        SpaceWords& space = m_search.words.space;
        command->add_option("--free", space.free, "Further fields to try with all their values: sharding,offload")
            ->delimiter(',')
            ->allow_extra_args(false);
        const auto repeated = [&](const char* option, std::vector<std::string>& words, const char* what) {
            command->add_option(option, words, what)->allow_extra_args(false);
        };
        repeated("--pin", space.pins, "NAME=VALUE, repeatable: a field with one value; NAME alone: as the plan has it");
        repeated("--values", space.values,
            "NAME=VALUES, repeatable: a field with these values, such as tensor=1,2,4 or tensor=1..16 (doubling)");
        command->add_option("--cards", space.cards, "Numbers of cards in whole nodes: 64,128 or 64..1024 (doubling)")
            ->check(notEmpty("64,128 or 64..1024"));
        command
            ->add_option(
                "--accelerator", space.accelerators, "Card types: ids of accelerators, or of clusters for their links")
            ->delimiter(',')
            ->allow_extra_args(false);
        command->add_option("--objective", m_search.words.objective,
            "days, step, cost, memory, cards or energy; of a server also tokens or tpot");
        repeated(
            "--limit", m_search.words.limits, "FIGURE<NUMBER, repeatable: cost<2e6, days<=30, headroom>10 (percent)");
        command->add_option("--deadline", m_search.words.deadline, "Most days that the run may take")
            ->check(within(1e-6, 1e6));
        command->add_option("--budget", m_search.words.budget, "Most US dollars that the run may cost")
            ->check(within(1e-6, 1e15));
        command
            ->add_option("--margin", m_search.words.margin,
                fmt::format(
                    "Percent of every card to keep free; {} if not given: nine of ten measured peaks are within it",
                    memoryMargin()))
            ->check(within(0.0, 99.0));
        command
            ->add_option("--solve", m_search.words.solve,
                "cards: the fewest for --deadline; tokens: the most for --deadline or --budget; parameters: the "
                "largest "
                "model of the plan's family")
            ->check(oneOf<Unknown>());
        command->add_option("--top", m_search.words.top, "Number of plans to list; they differ in their degrees")
            ->check(CLI::Range(1, kMostRows));
        command->add_option("--pareto", m_search.words.pareto, "Two or three figures of the Pareto front, or none");
        command->add_flag("--why", m_search.words.why, "Why each tuple of degrees that is not listed was left out");
        command->add_option("--threads", m_search.words.threads, "Cores to use; all if not given")
            ->check(CLI::Range(1, kMostThreads));
        auto* json = command->add_flag("--json", m_search.json, "Print the answer as JSON");
        command->add_flag("--csv", m_search.csv, "Print the listed plans as CSV")->excludes(json);
        addFile(command, "--output", m_search.output, "File for the answer as JSON, or as CSV with --csv");
        addReliability(command, m_search.reliability);
        addUnit(command, m_search.unit);
        addSettings(command);
        command->callback([this] { m_run = [this] { return runSearch(m_search, plans()); }; });
    }

    void addSweep()
    {
        auto* command = m_app.add_subcommand("sweep", "A figure over one or two fields of a plan");
        addPlan(command, "plan", m_sweep.plan);
        command->add_option("--x", m_sweep.words.x, "POINTER=VALUES, such as /parallelism/tensor=1,2,4 or tensor=1..16")
            ->required();
        command->add_option("--y", m_sweep.words.y, "The same for the rows");
        command->add_flag(
            "--best", m_sweep.words.best, "Each cell is the best plan there, with all else free as in search");
        command->add_option("--figure", m_sweep.words.figure, "days, step, cost, memory, cards or energy");
        auto* json = command->add_flag("--json", m_sweep.json, "Print the cells as JSON");
        command->add_flag("--csv", m_sweep.csv, "Print the cells as CSV")->excludes(json);
        addFile(command, "--output", m_sweep.output, "File for the map: .svg, .csv or .json");
        addSettings(command);
        command->callback([this] { m_run = [this] { return runSweep(m_sweep, plans()); }; });
    }

    void addCalibrate()
    {
        auto* command =
            m_app.add_subcommand("calibrate", "Compare a measured run with its plan, and calibrate the plan");
        addPlan(command, "plan", m_calibrate.plan);
        auto* speed = command->add_option_group("speed", "What was measured");
        const auto figure = [&](MeasuredQuantity quantity, const char* name, const char* help) {
            return speed->add_option(name, m_calibrate.speed[static_cast<std::size_t>(quantity)], help)
                ->check(within(kLeastMeasured, kMostMeasured));
        };
        figure(MeasuredQuantity::StepSeconds, "--step-seconds", "Time of one step");
        figure(MeasuredQuantity::TokensPerSecondPerCard, "--tokens-per-second-per-card", "Throughput");
        figure(MeasuredQuantity::ExamplesPerSecondPerCard, "--samples-per-second-per-card",
            "Throughput in sequences of the plan's length");
        auto* rate =
            figure(MeasuredQuantity::TeraflopsPerCard, "--tflops-per-card", "Model TFLOP/s as a framework prints them");
        auto* log = addFile(command, "--log", m_calibrate.log,
            "File with lines of a training log: Megatron-LM, torchtitan, DeepSpeed, Hugging Face");
        speed->require_option(0, 1);
        std::map<std::string, WorkDefinition> works;
        for (const WorkDefinitionText& text : workDefinitions())
            works.emplace(text.name, text.definition);
        command->add_option("--work", m_calibrate.work, "What --tflops-per-card counts as work")
            ->transform(wordsOf(works))
            ->needs(rate);
        command
            ->add_option("--published-tokens-per-second-per-card", m_calibrate.published_tokens_per_second_per_card,
                "Somebody else's throughput with the same model and card, for comparison")
            ->check(within(kLeastMeasured, kMostMeasured));
        auto* allocated = command
                              ->add_option("--allocated-bytes", m_calibrate.allocated_bytes,
                                  "Measured peak of torch.cuda.max_memory_allocated")
                              ->check(CLI::PositiveNumber);
        command->add_option("--stage", m_calibrate.stage, "Pipeline stage of --allocated-bytes, from 0")
            ->check(CLI::NonNegativeNumber)
            ->needs(allocated);
        command->add_option("--source", m_calibrate.source, "Where the figures are from");
        auto* remove = command->add_flag(
            "--remove", m_calibrate.remove, "Print or save the plan without the calibration that it has");
        addFile(command, "--output", m_calibrate.output, "File for the calibrated plan");
        command->add_flag("--json", m_calibrate.json, "Print factors and differences as JSON")->excludes(remove);
        for (auto* option : speed->get_options()) {
            option->excludes(log);
            remove->excludes(option);
        }
        remove->excludes(log)->excludes(allocated);
        addSettings(command);
        command->callback([this, speed, log, allocated] {
            if (!m_calibrate.remove && speed->count_all() + log->count() + allocated->count() == 0)
                throw CLI::RequiredError("a measured speed, --log, --allocated-bytes or --remove");
            m_run = [this] { return runCalibrate(m_calibrate, plans()); };
        });
    }

    void addCheck()
    {
        auto* command = m_app.add_subcommand("check",
            "The gate before a job: two lines, the verdict, and the worst card or the first broken rule; all other "
            "rules and warnings on standard error");
        auto* files = command->add_option("plan", m_check.plans, kAnyPlan)->type_name(kPlan);
        command->add_flag("--rules", m_check.rules, "Print the rules that a plan has to keep, instead of checking one")
            ->excludes(files);
        command->add_flag("--json", m_check.json, "Print verdict and checks as JSON");
        addFile(command, "--into", m_check.into,
            "File of the launcher for which the cheapest change that makes the plan run and fit is printed as a patch, "
            "and nothing else on standard output; it is only read");
        addUnit(command, m_check.unit);
        addSettings(command);
        command->callback([this] {
            if (m_check.plans.empty() && !m_check.rules) throw CLI::RequiredError("plan");
            if (!m_check.into.empty() && m_check.plans.size() > 1)
                throw CLI::ValidationError("--into", "is the file of one plan");
            m_run = [this] { return runCheck(m_check, plans()); };
        });
    }

    void addCompare()
    {
        auto* command = m_app.add_subcommand("compare", "What differs between two plans, in inputs and in figures");
        addPlan(command, "before", m_compare.before);
        addPlan(command, "after", m_compare.after);
        command->add_flag("--json", m_compare.json, "Print the comparison as JSON");
        addUnit(command, m_compare.unit);
        addSettings(command, " of the second plan");
        command->callback([this] { m_run = [this] { return runCompare(m_compare, plans()); }; });
    }

    void addExplain()
    {
        auto* command = m_app.add_subcommand("explain", "Where a figure comes from");
        addPlan(command, "plan", m_explain.plan);
        command->add_option("figure", m_explain.figure,
            "stage0.activations, worst.device, step.mfu …; without it, the plan's figures are listed");
        using Format = ExplainOptions::Format;
        auto* format = command->add_option_group("format", "Instead of text")->require_option(0, 1);
        const auto flag = [&](const char* name, Format value, const char* what) {
            format->add_flag_callback(
                name, [this, value] { m_explain.format = value; }, what);
        };
        flag("--json", Format::Json, "Print the explanation as JSON");
        flag("--markdown", Format::Markdown, "Print it as Markdown");
        flag("--latex", Format::Latex, "Print it as LaTeX");
        addUnit(command, m_explain.unit);
        addSettings(command);
        command->callback([this] { m_run = [this] { return runExplain(m_explain, plans()); }; });
    }

    void addSchedule()
    {
        auto* command = m_app.add_subcommand("schedule", "Order and times of a pipeline schedule, without a model");
        auto& request = m_schedule.request;
        auto* order = addFile(command, "--order", m_schedule.order,
            "Run the order of a .csv file in PyTorch's format instead of a schedule");
        const auto of_schedule = [order](CLI::Option* option) { option->excludes(order); };
        of_schedule(command->add_option("--schedule", m_schedule_name, "Schedule")->check(oneOf<Schedule>()));
        of_schedule(command->add_option("--stages", m_stages, "Pipeline ranks")->check(CLI::Range(1, 4096)));
        of_schedule(command->add_option("--microbatches", m_microbatches, "Micro-batches per step")
                        ->check(CLI::Range(1, 1 << 20)));
        of_schedule(command->add_option("--chunks", m_chunks, "Model chunks per rank")->check(CLI::Range(1, 255)));
        of_schedule(command->add_option("--group", request.group, "Micro-batches per group of an interleaved schedule")
                        ->check(CLI::Range(1, 1 << 20)));
        of_schedule(
            command
                ->add_option("--framework", m_schedule_framework,
                    "Apply the rules of one framework; if not given, a schedule runs if any framework accepts it")
                ->check(oneOf<Framework>()));
        const auto duration = [&](const char* option, double& value, const char* what) {
            command->add_option(option, value, what)->check(within(0.0, kMostUnits));
        };
        duration("--forward", m_schedule.durations.forward, "Time of a forward pass of one chunk");
        duration("--backward-input", m_schedule.durations.backward_input, "Time of its input gradient");
        duration("--backward-weight", m_schedule.durations.backward_weight, "Time of its weight gradient");
        command
            ->add_option("--overlapped", m_schedule.durations.overlapped,
                "Time of an overlapped forward and backward; as long as the two if not given")
            ->check(within(0.0, kMostUnits));
        of_schedule(command->add_flag(
            "--paired", request.paired, "Run each forward and backward in turn as one overlapped block"));
        duration("--transfer", m_schedule.transfers.time, "Time of a transfer between ranks");
        command
            ->add_option("--transfer-model", m_transfer_model,
                "latency: only the receiver waits; batched, serialized: both ranks wait")
            ->check(oneOf<TransferModel>());
        command->add_flag("--json", m_schedule.json, "Print every operation as JSON");
        addFile(command, "--csv", m_schedule.csv, "File for the order, in PyTorch's format");
        addFile(command, "--trace", m_schedule.trace,
            "File for order and times, as Perfetto reads it; a unit is a millisecond");
        command->callback([this] {
            auto& asked = m_schedule.request;
            if (m_schedule.order.empty()) {
                if (m_schedule_name.empty()) throw CLI::RequiredError("--schedule");
                if (!m_stages) throw CLI::RequiredError("--stages");
                if (!m_microbatches) throw CLI::RequiredError("--microbatches");
                asked.schedule = *fromName<Schedule>(m_schedule_name);
                asked.stages = *m_stages;
                asked.microbatches = *m_microbatches;
                if (!m_chunks) m_chunks = fixedChunks(asked.schedule);
                asked.chunks = m_chunks.value_or(2);
                if (!m_schedule_framework.empty()) asked.framework = fromName<Framework>(m_schedule_framework);
            }
            refuseTwice({m_schedule.csv, m_schedule.trace});
            m_schedule.transfers.model = *fromName<TransferModel>(m_transfer_model);
            m_run = [this] { return runSchedule(m_schedule); };
        });
    }

    void addExport()
    {
        auto* command = m_app.add_subcommand("export", "Charts, tables and reports as files");
        addPlan(command, "plan", m_export.plan);
        auto* chart = command->add_option("--chart", m_export.chart, "memory or timeline")
                          ->check(CLI::IsMember({"memory", "timeline", "step"}));
        auto* output = addFile(command, "--output", m_export.output,
            "File of the chart: .png, .svg or .pdf; or of --launch, which else goes to standard output");
        chart->needs(output);
        auto* table = addFile(command, "--table", m_export.table, "Memory per stage as .csv or .md");
        auto* report = addFile(command, "--report", m_export.report, "Planning document as .html, .pdf, .odt or .md");
        std::vector<std::string> sections;
        for (const DocumentTopicRow& topic : documentTopics())
            sections.emplace_back(topic.word);
        command->add_option("--sections", m_export.sections, "Of the document: " + alternatives(sections))
            ->delimiter(',')
            ->allow_extra_args(false)
            ->check(CLI::IsMember(sections))
            ->needs(report);
        command
            ->add_option(
                "--beside", m_export.beside, "PLAN, repeatable: another plan that the document holds against this one")
            ->type_name(kPlan)
            ->allow_extra_args(false)
            ->needs(report);
        command->add_option("--author", m_export.author, "Whose name the document bears")->needs(report);
        auto* trace =
            addFile(command, "--trace", m_export.trace, "Timeline as .json, as Perfetto and chrome://tracing read it");
        command->add_option("--language", m_export.language, "Of charts and report: en or zh")
            ->check(CLI::IsMember({"en", "zh"}));
        const auto words = launcherWords(true);
        auto* launch = command->add_option("--launch", m_launcher, alternatives(words) + ": what starts it")
                           ->check(CLI::IsMember(words));
        for (auto* other : {chart, table, report, trace})
            launch->excludes(other);
        addFile(command, "--into", m_export.into,
            "File of the launcher whose options become the plan's; all else in it stays, and it is only read")
            ->needs(launch);
        for (const auto& [option, value, what] :
            {std::tuple{"--from", &m_export.from, "Second of the step at which the chart of the timeline begins"},
                std::tuple{"--to", &m_export.to, "Second of the step at which it ends"}}) {
            command->add_option(option, *value, what)->check(within(0.0, kMostMeasured))->needs(chart);
        }
        command->add_option("--scale", m_export.scale, "Pixels per point of a .png, 1 to 4")->check(within(1.0, 4.0));
        command->add_flag("--dark", m_export.dark, "Dark instead of light charts");
        addUnit(command, m_export.unit);
        addSettings(command);
        command->callback([this] {
            m_export.launch = launcherNamed(m_launcher);
            if (m_export.chart.empty() && m_export.table.empty() && m_export.report.empty() && m_export.trace.empty()
                && !m_export.launch) {
                throw CLI::RequiredError("--chart, --table, --report, --trace or --launch");
            }
            if (!m_export.output.empty() && m_export.chart.empty() && !m_export.launch)
                throw CLI::ValidationError("--output", "is the file of --chart or --launch");
            refuseTwice({m_export.output, m_export.table, m_export.report, m_export.trace});
            if ((m_export.from || m_export.to) && m_export.chart != "timeline") {
                throw CLI::ValidationError("--from and --to", "belong to --chart timeline");
            }
            m_run = [this] { return runExport(m_export, plans(), m_program); };
        });
    }

    void addImport()
    {
        auto* command = m_app.add_subcommand("import",
            "The plan that a launcher's file describes, starting from the default plan, as JSON; what is not mapped on "
            "standard error");
        addFrom(command);
        command->get_option("--from")->required();
        std::vector<Sentence> texts;
        for (const LauncherTraits& traits : launchers())
            texts.emplace_back(traits.reads);
        addFile(command, "file", m_import.file, "File: " + listed(texts).english() + "; - for standard input")
            ->required();
        addModel(command);
        addCluster(command, "--on,--cluster");
        addFile(command, "--output", m_import.output, "File for the plan, instead of standard output");
        command->callback([this] { m_run = [this] { return runImport(m_import, plans()); }; });
    }

    void addPresets()
    {
        auto* command = m_app.add_subcommand("presets", "List the shipped and your own presets");
        command->add_option("kind", m_preset_kind, "models, accelerators, clusters or plans")
            ->check(CLI::IsMember({"models", "accelerators", "clusters", "plans"}));
        command->add_flag("--json", m_presets_json, "Print ids, names, main figures and sources as JSON");
        command->callback(
            [this] { m_run = [this] { return runPresets(m_preset_kind, m_presets_json, allPresets()); }; });
    }

    void addRules()
    {
        auto* command = m_app.add_subcommand("rules", "The articles' worked examples beside our figures");
        command->add_flag("--json", m_rules_json, "Print the rows as JSON");
        command->callback([this] { m_run = [this] { return runRules(m_rules_json); }; });
    }

    void addConstants()
    {
        auto* command =
            m_app.add_subcommand("constants", "The constants of the models of memory and time, with sources");
        command->add_flag("--json", m_constants_json, "Print the table as JSON");
        command->callback([this] { m_run = [this] { return runConstants(m_constants_json); }; });
    }

    void addValidate()
    {
        auto* command = m_app.add_subcommand("validate", "Predicted against measured figures of published runs");
        command->add_option("figure", m_validate.figure, "memory, time, verdict or serving")
            ->check(CLI::IsMember({"memory", "time", "verdict", "serving"}));
        addFile(command, "--cases", m_validate.cases, "File of measured cases instead of the shipped ones");
        auto* json = command->add_flag("--json", m_validate.json, "Print groups and cases as JSON");
        command->add_flag("--markdown", m_validate.markdown, "Print the table by group as Markdown")->excludes(json);
        auto* constants =
            command
                ->add_option("--constant", m_validate.constants,
                    "WORD=VALUE, repeatable: predict with another constant of the models, such as links.share=0.75")
                ->allow_extra_args(false);
        command->add_flag("--fit", m_validate.fit, "Of time: print what the runs would have each fitted constant be")
            ->excludes(json)
            ->excludes(constants);
        addUnit(command, m_validate.unit);
        command->callback([this] { m_run = [this] { return runValidate(m_validate, presetsOrComplaints()); }; });
    }

    void addFrom(CLI::App* command)
    {
        const auto words = launcherWords(false);
        command
            ->add_option_function<std::string>(
                "--from", [this](const std::string& word) { m_words.from = launcherNamed(word); },
                "Whose file it is, if its content does not tell: " + alternatives(words))
            ->check(CLI::IsMember(words));
    }

    void addModel(CLI::App* command)
    {
        command
            ->add_option("--model", m_words.model,
                "config.json or id of a shipped model: instead of a plan's, or where a launcher's file has none")
            ->type_name("FILE")
            ->check(notEmpty("a model"));
    }

    void addCluster(CLI::App* command, const char* name)
    {
        command
            ->add_option(name, m_words.on,
                "CLUSTER or CLUSTER:NODES: id of a shipped cluster instead of the plan's, or under a launcher's file, "
                "which names no cards and is else planned on the default plan's; a plan keeps its number of cards "
                "unless nodes are given")
            ->check(notEmpty("CLUSTER or CLUSTER:NODES"));
    }

    /// Adds --on, --model, --from and --set; for every command that takes a plan. An export has another --from.
    void addSettings(CLI::App* command, const char* which = "")
    {
        addCluster(command, "--on");
        addModel(command);
        if (command->get_option_no_throw("--from") == nullptr) addFrom(command);
        command
            ->add_option("--set", m_settings,
                fmt::format("POINTER=VALUE, repeatable: change a field{} before anything else is done, such as "
                            "/parallelism/tensor=8",
                    which))
            ->allow_extra_args(false);
    }

    void addSchema()
    {
        auto* command =
            m_app.add_subcommand("schema", "JSON Schema of plan and preset files, and of what commands print as JSON");
        std::vector<std::string> kinds = schemaKinds();
        for (std::string& kind : outputKinds())
            kinds.push_back(std::move(kind));
        command->add_option("kind", m_schema_kind, "A kind of file, or a command with --json")
            ->check(CLI::IsMember(kinds))
            ->required();
        command->callback([this] { m_run = [this] { return runSchema(m_schema_kind); }; });
    }

    void addCompletion()
    {
        auto* command = m_app.add_subcommand("completion", "A script that lets a shell complete commands and options");
        command->add_option("shell", m_shell, "bash, zsh or fish")
            ->check(CLI::IsMember({"bash", "zsh", "fish"}))
            ->required();
        command->callback([this] {
            m_run = [this] {
                printFile(completionScript(m_app, m_shell));
                return Fits;
            };
        });
    }

    void addManual()
    {
        auto* command = m_app.add_subcommand("manual", "The manual page, for man(1)");
        command->callback([this] {
            m_run = [this] {
                printFile(manualPage(m_app, CARDFIT_VERSION));
                return Fits;
            };
        });
    }

    void addReference()
    {
        auto* command = m_app.add_subcommand("reference",
            "Every field, rule, command and key of an answer, as Markdown, made from the program's own tables");
        command->add_option("part", m_reference_part, "fields, rules, commands or outputs; all if not given")
            ->check(CLI::IsMember(std::vector<std::string>(kReferenceParts.begin(), kReferenceParts.end())));
        command->callback([this] {
            m_run = [this] {
                for (const std::string_view part : kReferenceParts) {
                    if (!m_reference_part.empty() && m_reference_part != part) continue;
                    if (m_reference_part.empty() && part != kReferenceParts.front()) printFile("\n");
                    printFile(referencePart(part));
                }
                return Fits;
            };
        });
    }

    void addPlanCommand()
    {
        auto* command = m_app.add_subcommand("plan", "The plan file of a plan, a launcher's file or a config.json");
        addPlan(command, "plan", m_plan.plan);
        addFile(command, "--output", m_plan.output, "File for the plan, instead of standard output");
        addSettings(command);
        command->callback([this] { m_run = [this] { return runPlan(m_plan, plans()); }; });
    }

    [[nodiscard]] PlanReader plans() const { return {presetsOrComplaints(), m_settings, m_words}; }

    const Program& m_program;
    CLI::App m_app;
    std::function<int()> m_run;
    EstimateOptions m_estimate;
    PlanOptions m_plan;
    AdviseOptions m_advise;
    SearchOptions m_search;
    SweepOptions m_sweep;
    CalibrateOptions m_calibrate;
    CheckOptions m_check;
    CompareOptions m_compare;
    ExplainOptions m_explain;
    ScheduleOptions m_schedule;
    std::string m_schedule_name;
    std::string m_schedule_framework;
    std::string m_transfer_model = "latency";
    std::optional<std::int64_t> m_stages;
    std::optional<std::int64_t> m_microbatches;
    std::optional<std::int64_t> m_chunks;
    ExportOptions m_export;
    ImportOptions m_import;
    std::string m_launcher;
    std::string m_schema_kind;
    std::vector<std::string> m_settings;
    PlanWords m_words;
    std::string m_preset_kind;
    std::string m_shell;
    std::string m_reference_part;
    bool m_rules_json = false;
    bool m_presets_json = false;
    bool m_constants_json = false;
    ValidateOptions m_validate;
};

} // namespace

std::string referencePart(std::string_view part, const Program& program)
{
    return CommandLine(program).referencePart(part);
}

bool isCommand(std::string_view argument, const Program& program)
{
    return argument.starts_with("-") || CommandLine(program).has(argument);
}

int runCommand(int argc, char** argv, const Program& program)
{
    return afterAnswer(CommandLine(program).run(argc, argv));
}

} // namespace cardfit::app
