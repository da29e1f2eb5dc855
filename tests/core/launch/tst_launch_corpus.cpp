// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <QtTest>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/presets.h"
#include "core/launch/checkpoint_names.h"
#include "core/launch/launch.h"
#include "core/plan/choices.h"
#include "core/plan/model_size.h"
#include "tests/test_program.h"

/// What is answered to some hundred files as people publish them: tests/data/launch_corpus, see tests/README.md.
namespace cardfit::tst_launch_corpus {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

/// One file of the corpus, with the files that it names.
struct Case {
    std::string name;
    std::string model; ///< a name that says the model's size; empty if none does
    std::string text;
    std::map<std::string, std::string> files;
};

/// "=== name of model", the file's lines, and for each file that it names "--- name" and its lines.
std::vector<Case> casesIn(std::string_view text)
{
    constexpr std::string_view kCase = "=== ";
    constexpr std::string_view kFile = "--- ";
    constexpr std::string_view kOf = " of ";
    std::vector<Case> cases;
    std::string* lines = nullptr;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        const std::string_view line = text.substr(0, end);
        const std::string_view title = line.substr(0, line.size() - 1);
        text.remove_prefix(end);
        if (title.starts_with(kCase)) {
            const auto of = title.find(kOf);
            Case& one = cases.emplace_back();
            one.name = title.substr(kCase.size(), of == title.npos ? of : of - kCase.size());
            if (of != title.npos) one.model = title.substr(of + kOf.size());
            lines = &one.text;
        } else if (title.starts_with(kFile) && lines != nullptr) {
            lines = &cases.back().files[std::string(title.substr(kFile.size()))];
        } else if (lines != nullptr) {
            *lines += line;
        }
    }
    return cases;
}

std::string firstWords(std::string text, std::size_t most)
{
    std::size_t words = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == ' ' && ++words == most) return text.substr(0, at) + " …";
    }
    return text;
}

/// The answer in a few lines.
std::string answerTo(const Case& one, const Result<ImportedPlan>& imported, const LauncherTraits& traits)
{
    const auto detected = detectLauncher(one.text);
    std::string text = "=== " + one.name + "\n";
    if (detected != traits.value)
        text += fmt::format("taken for {}\n", detected ? traitsOf(*detected).word : "no launcher's file");
    if (!imported) {
        constexpr std::size_t kWords = 12;
        return text + "refused: " + firstWords(describe(imported.error()), kWords) + '\n';
    }
    const Plan& plan = imported->plan;
    std::vector<std::string> assumed;
    std::vector<std::string> others;
    std::string model = plan.model.name;
    for (const LaunchNote& note : imported->notes) {
        if (note.model != ModelOfBase::No) model = "not known";
        (note.assumed ? assumed : others).push_back(note.value.empty() ? note.what : note.what + ' ' + note.value);
    }
    const Workload& work = plan.workload;
    const Parallelism& degrees = plan.parallelism;
    const Recipe& recipe = plan.recipe;
    text += model == "not known" ? "model not known"
                                 : fmt::format("{:.4g} billion parameters", modelSize(plan.model) / 1e9);
    if (traits.model_only) {
        text += imported->checkpoint ? fmt::format(", {}\n", name(*imported->checkpoint)) : "\n";
    } else {
        text += fmt::format(", {} x {} tokens, micro-batch {}, {} cards, t {} p {} c {} e {} d {}\n",
            work.global_batch_size, work.sequence_length, work.micro_batch_size,
            plan.cluster.nodes * plan.cluster.cards_per_node, degrees.tensor, degrees.pipeline, degrees.context,
            degrees.expert, degrees.data ? std::to_string(*degrees.data) : "derived");
        text += fmt::format("{}, {}, {}, {}, {}, recompute {}\n", name(work.task), name(recipe.framework),
            name(recipe.precision), name(recipe.optimizer), name(recipe.sharding), name(recipe.recompute.granularity));
    }
    if (!assumed.empty()) text += fmt::format("assumed: {}\n", fmt::join(assumed, "; "));
    if (!others.empty()) text += fmt::format("noted: {}\n", fmt::join(others, "; "));
    return text;
}

/// What no answer may be, whatever is accepted; empty if it is none of that.
std::string fault(const Case& one, const Result<ImportedPlan>& imported)
{
    if (!imported) {
        const Error& error = imported.error();
        if (error.message.english().empty()) return "refused without a reason";
        if (error.where.empty() && error.code != ErrorCode::WrongFormat && error.code != ErrorCode::NotJson)
            return "refused without a place: " + describe(error);
        return {};
    }
    if (const auto again = parsePlan(planText(imported->plan), presets()); !again)
        return "no file holds the plan: " + describe(again.error());
    constexpr double kMostApart = 0.2;
    constexpr double kRounding = 0.8e9; // whole billions are rounded as names please: "Gemma 2 2B" has 2.6
    const bool own =
        std::ranges::all_of(imported->notes, [](const LaunchNote& note) { return note.model == ModelOfBase::No; });
    const auto named = one.model.empty() ? std::nullopt : parametersInName(one.model);
    const double size = modelSize(imported->plan.model);
    const double apart = named ? std::abs(size - *named) : 0.0;
    if (own && named && apart > kMostApart * *named && (std::fmod(*named, 1e9) != 0.0 || apart > kRounding))
        return fmt::format("{:.4g} billion parameters, but it is {}", size / 1e9, one.model);
    return {};
}

class TestLaunchCorpus : public QObject {
    Q_OBJECT

private slots:
    void everyFileIsAnsweredAsBefore_data()
    {
        QTest::addColumn<int>("row");
        for (const LauncherTraits& traits : launchers())
            QTest::newRow(std::string(traits.word).c_str()) << static_cast<int>(&traits - launchers().data());
    }
    void everyFileIsAnsweredAsBefore()
    {
        QFETCH(int, row);
        const LauncherTraits& traits = launchers()[static_cast<std::size_t>(row)];
        const std::filesystem::path folder = std::filesystem::path(CARDFIT_TEST_DATA) / "launch_corpus";
        const std::string word(traits.word);
        const auto text = readFile(folder / (word + ".txt"));
        QVERIFY2(text, "tests/data/launch_corpus needs files of this launcher");
        const auto cases = casesIn(*text);
        constexpr std::size_t kFewest = 15;
        QVERIFY(cases.size() >= kFewest);

        const auto base = std::ranges::find(presets().plans, kBase, &PlanPreset::id);
        QVERIFY(base != presets().plans.end());
        std::string answers;
        std::string faults;
        for (const Case& one : cases) {
            const NeighbourFiles files = [&](const std::string& path) -> std::optional<std::string> {
                const auto found = one.files.find(path);
                return found == one.files.end() ? std::nullopt : std::optional(found->second);
            };
            const auto imported = importLaunch(traits.value, LaunchText(one.text, files), base->plan, presets());
            answers += answerTo(one, imported, traits);
            if (const std::string wrong = fault(one, imported); !wrong.empty())
                faults += fmt::format("{} {}: {}\n", word, one.name, wrong);
        }

        const std::filesystem::path file = folder / (word + ".answers.txt");
        if (qEnvironmentVariableIsSet("CARDFIT_ACCEPT")) QVERIFY(writeFile(file, answers));
        QVERIFY2(faults.empty(), faults.c_str());
        QVERIFY2(readFile(file).value_or(std::string()) == answers, difference(file, answers).c_str());
    }

private:
    static constexpr std::string_view kBase = "llama-3-8b-8-h100";

    /// The first blocks that differ, and what to do.
    static std::string difference(const std::filesystem::path& file, const std::string& answers)
    {
        const auto before = casesIn(readFile(file).value_or(std::string()));
        const auto now = casesIn(answers);
        constexpr std::size_t kMost = 3;
        std::string text;
        std::size_t count = 0;
        for (const Case& one : now) {
            const auto old = std::ranges::find(before, one.name, &Case::name);
            if (old != before.end() && old->text == one.text) continue;
            if (++count <= kMost)
                text += fmt::format("{} was answered:\n{}and is now:\n{}\n", one.name,
                    old == before.end() ? std::string("not at all\n") : old->text, one.text);
        }
        return fmt::format("{}{} of {} answers differ from {}. If each is right, accept them with\n"
                           "    CARDFIT_ACCEPT=1 build/dev/tests/core_tests tst_launch_corpus\n"
                           "and say in the commit why they changed.",
            text, count, now.size(), file.filename().string());
    }
};

CARDFIT_TEST(TestLaunchCorpus)

} // namespace cardfit::tst_launch_corpus
#include "tst_launch_corpus.moc"
