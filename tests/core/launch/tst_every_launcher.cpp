// SPDX-License-Identifier: GPL-3.0-or-later
#include <cctype>
#include <fstream>
#include <iterator>

#include <QtTest>

#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/presets.h"
#include "core/launch/launch.h"
#include "tests/test_program.h"

/// Whatever stands in a launcher's file, the answer is a plan that can be written down, or an error that says why not.
/// The texts are those in tests/data/fuzz/<word of the launcher>, which a new launcher needs, and what Cardfit itself
/// writes for the shipped plans; each is damaged in every way that people and programs damage files.
namespace cardfit::tst_every_launcher {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

Plan basePlan() { return presets().plans.front().plan; }

/// Plans that the launcher starts: a dense model and one with experts, as far as there are some among the shipped ones.
std::vector<Plan> plansFor(const LauncherTraits& traits)
{
    std::vector<Plan> plans;
    for (const bool experts : {false, true}) {
        const auto found = std::ranges::find_if(presets().plans, [&](const PlanPreset& one) {
            return (one.plan.workload.task == Task::Inference) == traits.serves
                && one.plan.model.architecture.moe.has_value() == experts;
        });
        if (found != presets().plans.end()) plans.push_back(found->plan);
    }
    return plans;
}

std::vector<std::string> samplesOf(const LauncherTraits& traits)
{
    std::vector<std::string> texts;
    const std::filesystem::path folder = std::filesystem::path(CARDFIT_TEST_DATA) / "fuzz" / traits.word;
    std::error_code problem;
    for (const auto& file : entriesOf(folder, problem))
        texts.push_back(readFile(file).value_or(std::string()));
    for (const Plan& plan : plansFor(traits)) {
        if (const auto exported = exportLaunch(traits.value, plan)) texts.push_back(exported->text);
    }
    return texts;
}

struct Range {
    std::size_t begin;
    std::size_t end;
};

/// The numbers of a text that are words of their own.
std::vector<Range> numbersIn(const std::string& text)
{
    const auto digit = [&](std::size_t at) { return std::isdigit(static_cast<unsigned char>(text[at])) != 0; };
    const auto word = [&](std::size_t at) {
        return std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' || text[at] == '.';
    };
    std::vector<Range> numbers;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!digit(at) || (at > 0 && word(at - 1))) continue;
        const std::size_t begin = at;
        while (at < text.size() && word(at))
            ++at;
        numbers.push_back({begin, at});
    }
    return numbers;
}

std::string replaced(std::string text, std::vector<Range> ranges, std::string_view by)
{
    std::ranges::reverse(ranges);
    for (const Range& range : ranges)
        text.replace(range.begin, range.end - range.begin, by);
    return text;
}

const std::vector<std::string> kOddNumbers{"0", "-1", "1", "3", "1e308", "9223372036854775808", "9223372036854775807",
    "1099511627776", "nan", "", "true", "\"\"", "[]", "{}", "null", std::string(100, '['), "65536"};

/// The text damaged in every way.
std::vector<std::string> damaged(const std::string& text)
{
    std::vector<std::string> texts{text, text + text, text + "\n" + text,
        "if x\n" + text + "\nelse\n" + text + "\nfi\n", "for x in 1 2; do\n" + text + "\ndone\n", "", "\n", "{", "[",
        "-", "--", "{}", "[]"};
    const auto numbers = numbersIn(text);
    for (const std::string& number : kOddNumbers) {
        texts.push_back(replaced(text, numbers, number));
        for (const Range& range : numbers)
            texts.push_back(replaced(text, {range}, number));
    }
    constexpr std::size_t kPlaces = 60;
    for (std::size_t place = 0; place < kPlaces; ++place)
        texts.push_back(text.substr(0, text.size() * place / kPlaces));
    for (std::size_t at = 0; at < text.size();) { // without a line, and with one twice
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        texts.push_back(text.substr(0, at) + text.substr(end));
        texts.push_back(text.substr(0, end) + text.substr(at));
        at = end;
    }
    return texts;
}

/// Empty if the answer is a plan that a file can hold, or an error with a reason.
QString fault(const Result<ImportedPlan>& answer)
{
    if (!answer) {
        const Error& error = answer.error();
        if (error.message.english().empty()) return QStringLiteral("an error without a message");
        const bool of_value = error.code == ErrorCode::WrongType || error.code == ErrorCode::UnknownName;
        if (of_value && error.where.english().empty()) return QStringLiteral("an error without a place");
        return {};
    }
    const auto again = parsePlan(planText(answer->plan), presets());
    if (!again) return QStringLiteral("no file holds the plan: ") + QString::fromStdString(describe(again.error()));
    return {};
}

class TestEveryLauncher : public QObject {
    Q_OBJECT

private slots:
    void nothingInItsFilesEndsTheProgram_data()
    {
        QTest::addColumn<int>("row");
        for (const LauncherTraits& traits : launchers())
            QTest::newRow(std::string(traits.word).c_str()) << static_cast<int>(&traits - launchers().data());
    }
    void nothingInItsFilesEndsTheProgram()
    {
        QFETCH(int, row);
        const LauncherTraits& traits = launchers()[static_cast<std::size_t>(row)];
        const auto samples = samplesOf(traits);
        const auto plans = plansFor(traits);
        QVERIFY2(!samples.empty(), "tests/data/fuzz needs a folder of this launcher");
        QVERIFY(!plans.empty());
        std::size_t count = 0;
        for (const std::string& sample : samples) {
            for (const std::string& text : damaged(sample)) {
                static_cast<void>(detectLauncher(text));
                const auto imported = importLaunch(traits.value, text, basePlan(), presets());
                const QString wrong = fault(imported);
                QVERIFY2(wrong.isEmpty(), qPrintable(wrong + u'\n' + QString::fromStdString(text)));
                if (traits.write == nullptr) continue;
                if (imported) static_cast<void>(exportLaunch(traits.value, imported->plan));
                constexpr std::size_t kOneOf = 8; // writing into a text reads it a hundred times
                if (++count % kOneOf == 0) writeInto(traits, plans[count / kOneOf % plans.size()], text);
                if (QTest::currentTestFailed()) return;
            }
        }
    }

    /// What writes has all that writing into a user's file takes; every launcher has a sample, with which the fuzzer
    /// begins, and reads its own files as its own.
    void everyRowIsComplete()
    {
        for (const LauncherTraits& traits : launchers()) {
            const std::string word(traits.word);
            QCOMPARE(launcherNamed(word), std::optional(traits.value));
            QVERIFY2(traits.recognises != nullptr && traits.import != nullptr && !traits.read_patterns.empty()
                    && !traits.label.empty() && !traits.reads.empty(),
                word.c_str());
            const bool writes = traits.write != nullptr;
            QVERIFY2((traits.options != nullptr) == writes && (traits.edits != nullptr) == writes
                    && !traits.losses.empty() == writes && !traits.file_ending.empty() == writes
                    && !traits.writes.empty() == writes,
                word.c_str());
            std::error_code problem;
            const std::filesystem::path folder = std::filesystem::path(CARDFIT_TEST_DATA) / "fuzz" / traits.word;
            const auto files = entriesOf(folder, problem);
            QVERIFY2(!problem && !files.empty(), word.c_str());
            bool read = false;
            for (const auto& file : files) {
                const auto text = readFile(file);
                QVERIFY(text);
                read = read
                    || (detectLauncher(*text) == traits.value
                        && importLaunch(traits.value, *text, basePlan(), presets()).has_value());
            }
            QVERIFY2(read, word.c_str());
        }
    }

    /// Into its own text again: nothing is left to change.
    void itsOwnTextIsWrittenTwice()
    {
        for (const LauncherTraits& traits : launchers()) {
            if (traits.write == nullptr) continue;
            for (const Plan& plan : plansFor(traits)) {
                const auto text = exportLaunch(traits.value, plan);
                QVERIFY(text);
                const auto same = exportInto(traits.value, plan, text->text, presets());
                QVERIFY2(same, same ? "" : describe(same.error()).c_str());
                QCOMPARE(same->text, text->text);
                QVERIFY(same->changes.empty());
            }
        }
    }

    /// A command is written twice, with a value of its own each time: the last one is read, and a note names the other.
    void ofTwoCommandsOneIsReadAndTheOtherNamed()
    {
        for (const LauncherTraits& traits : launchers()) {
            const auto plans = plansFor(traits);
            if (traits.file_ending != "sh") continue;
            Plan other = plans.front();
            other.workload.sequence_length /= 2;
            const auto first = exportLaunch(traits.value, other);
            const auto second = exportLaunch(traits.value, plans.front());
            QVERIFY(first && second);
            const auto both = importLaunch(traits.value, first->text + second->text, basePlan(), presets());
            QVERIFY2(both, both ? "" : describe(both.error()).c_str());
            QCOMPARE(both->plan.workload.sequence_length, plans.front().workload.sequence_length);
            QVERIFY(std::ranges::any_of(
                both->notes, [](const LaunchNote& note) { return note.what == "commands" && note.value == "2"; }));
        }
    }

private:
    /// The written text can be read, or a note says that it cannot.
    static void writeInto(const LauncherTraits& traits, const Plan& plan, const std::string& text)
    {
        const auto changed = exportInto(traits.value, plan, text, presets());
        if (!changed) return;
        Plan base = plan; // for launchers that do not name the model
        base.model.id.clear();
        if (importLaunch(traits.value, changed->text, base, presets())) return;
        const bool said = std::ranges::any_of(changed->notes, [](const LaunchNote& note) { return note.what == "/"; });
        QVERIFY2(said, ("nobody reads what was written into\n" + text + "\nas\n" + changed->text).c_str());
    }
};

CARDFIT_TEST(TestEveryLauncher)

} // namespace cardfit::tst_every_launcher
#include "tst_every_launcher.moc"
