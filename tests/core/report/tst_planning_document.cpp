// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QXmlStreamReader>

#include "core/explain/explain.h"
#include "core/files/preset_files.h"
#include "core/launch/own_launch.h"
#include "core/report/document_words.h"
#include "core/report/planning_document.h"
#include "core/report/reports.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_planning_document {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Why a text is no XML; empty: it is.
QString xmlError(const std::string& text)
{
    QXmlStreamReader reader(QString::fromStdString(text));
    while (!reader.atEnd())
        reader.readNext();
    return reader.hasError() ? QStringLiteral("line %1: %2").arg(reader.lineNumber()).arg(reader.errorString())
                             : QString();
}

std::vector<std::string> sectionsOf(const Document& document)
{
    std::vector<std::string> ids;
    for (const DocumentSection& section : document.sections)
        ids.push_back(section.id);
    return ids;
}

const DocumentSection& section(const Document& document, std::string_view id)
{
    static const DocumentSection kNone;
    const auto found = std::ranges::find(document.sections, id, &DocumentSection::id);
    return found == document.sections.end() ? kNone : *found;
}

/// Rows of the section's tables, by their first cells.
const Row* rowOf(const DocumentSection& section, std::string_view first)
{
    for (const DocumentPart& part : section.parts) {
        const auto* table = std::get_if<DocumentTable>(&part);
        if (table == nullptr) continue;
        for (const Row& row : table->rows) {
            if (row.front() == first) return &row;
        }
    }
    return nullptr;
}

/// Without the measured runs, which are not core's.
Document whole(const Plan& plan, const Estimate& result, std::vector<Alternative> others = {})
{
    DocumentRequest request{plan, result};
    request.findings =
        documentFindings(plan, result, request.topics, std::make_shared<MeasuredGround>(std::vector<MeasuredTime>{}));
    request.alternatives = std::move(others);
    request.launch = launchOf(plan);
    request.author = "A. Planner";
    request.date = "2026-11-28";
    request.version = "1.2.3";
    return planningDocument(request);
}

Plan trained()
{
    Plan plan = samples::llama13BOnEightCards();
    plan.workload.tokens = 1e12;
    plan.cluster.accelerator.price_per_hour_usd = 2.0;
    return plan;
}

class TestPlanningDocument : public QObject {
    Q_OBJECT

private slots:
    void amountsAreNearToTheirUnits()
    {
        QCOMPARE(moneyText(1'898'347), std::string("$1.90M"));
        QCOMPARE(moneyText(999'499), std::string("$999.5k"));
        QCOMPARE(moneyText(999'999), std::string("$1.00M"));
        QCOMPARE(moneyText(532), std::string("$532"));
        QCOMPARE(moneyText(7147.2), std::string("$7,147"));
        QCOMPARE(moneyText(0.527), std::string("$0.53"));
        QCOMPARE(moneyText(-2.5e9), std::string("-$2.50B"));
        QCOMPARE(energyText(444'429), std::string("444 MWh"));
        QCOMPARE(durationText(413.2).english(), std::string("413 days"));
        QCOMPARE(durationText(55.0 / 86400.0).english(), std::string("55 s"));
        QCOMPARE(durationText(0.25).english(), std::string("6.0 h"));
        QCOMPARE(stepTimeText(Seconds(19.6466)), std::string("19.65 s"));
        QCOMPARE(stepTimeText(Seconds(0.0042)), std::string("4.2 ms"));
    }

    void everySectionIsThere()
    {
        const Plan plan = trained();
        const Document document = whole(plan, estimate(plan), {{plan, std::make_shared<Estimate>(estimate(plan))}});
        std::vector<std::string> all;
        for (const DocumentTopicRow& topic : documentTopics()) {
            all.emplace_back(topic.word);
            QCOMPARE(documentTopicNamed(topic.word), std::optional(topic.value));
        }
        QCOMPARE(sectionsOf(document), all);
        QVERIFY(!documentTopicNamed("verdict"));
        QCOMPARE(document.facts, (std::vector<std::string>{"2026-11-28", "A. Planner", "Cardfit 1.2.3"}));
    }

    void onlyWhatIsAskedForIsWritten()
    {
        const Plan plan = trained();
        const Estimate result = estimate(plan);
        DocumentRequest request{plan, result};
        request.topics = {};
        request.topics.set(DocumentTopic::Memory, true);
        const Document document = planningDocument(request);
        QCOMPARE(sectionsOf(document), (std::vector<std::string>{"memory"}));
        // But whoever reads no further still learns the verdict.
        QVERIFY(contains(documentMarkdown(document), verdictLine(result)));
        const DocumentFindings found = documentFindings(plan, result, request.topics, nullptr);
        QVERIFY(found.changes.empty() && found.inputs.empty() && found.constants.empty());
    }

    void itsFiguresAreThoseOfTheEstimate()
    {
        const Plan plan = trained();
        const Estimate result = estimate(plan);
        const Document document = whole(plan, result);
        const StageMemory& worst = result.stages[result.worstStage()];
        const Row* device = rowOf(section(document, "memory"), "Device");
        QVERIFY(device != nullptr);
        QCOMPARE((*device)[2], amountText(worst.device(), ByteUnit::GB));
        const Row* duration = rowOf(section(document, "figures"), "Duration");
        QVERIFY(duration != nullptr);
        QCOMPARE((*duration)[1], durationText(result.step.run->days).english());
        const Row* cost = rowOf(section(document, "figures"), "Cost");
        QVERIFY(cost != nullptr);
        QCOMPARE((*cost)[1], moneyText(*result.step.run->cost_usd) + " at $2.00 per card and hour");
        const Row* step = rowOf(section(document, "step"), "Step");
        QVERIFY(step != nullptr);
        QCOMPARE((*step)[1], stepTimeText(result.step.seconds));
        // The parts of the step are all there.
        for (std::size_t i = 0; i < kStepPartCount; ++i) {
            const Seconds part = result.step.parts[static_cast<StepPart>(i)];
            if (part != Seconds(0.0)) QVERIFY(contains(documentMarkdown(document), stepTimeText(part)));
        }
    }

    /// HTML is XML too, whatever others wrote into the plan, and every table's rows are as long as its head.
    void everyShippedPlanIsWellFormed()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        for (const auto& preset : loadPresets(directories).plans) {
            Plan plan = preset.plan;
            plan.name += "]]> <b>&\"'";
            const Estimate result = estimate(plan);
            DocumentRequest request{plan, result};
            request.launch = launchOf(plan);
            request.alternatives = {{plan, std::make_shared<Estimate>(result)}};
            const Document document = planningDocument(request);
            const QString error = xmlError(documentHtml(document, [](const DocumentFigure& figure) {
                return svgElement("<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"><title>"
                    + figure.name + "</title></svg>");
            }));
            QVERIFY2(error.isEmpty(), qPrintable(QString::fromStdString(preset.plan.name) + u' ' + error));
            for (const DocumentSection& one : document.sections) {
                for (const DocumentPart& part : one.parts) {
                    const auto* table = std::get_if<DocumentTable>(&part);
                    if (table == nullptr) continue;
                    for (const Row& row : table->rows)
                        QCOMPARE(row.size(), table->header.size());
                }
            }
            QVERIFY(!contains(documentMarkdown(document), " nan"));
        }
    }

    void alternativesSayWhyNot()
    {
        const Plan plan = trained();
        const Estimate result = estimate(plan);
        Plan larger = plan;
        larger.name = "Longer";
        larger.workload.sequence_length *= 64;
        Plan broken = plan;
        broken.name = "Odd";
        broken.parallelism.tensor = 3;
        broken.parallelism.data.reset();
        const Document document = whole(plan, result,
            {{larger, std::make_shared<Estimate>(estimate(larger))},
                {broken, std::make_shared<Estimate>(estimate(broken))}});
        DocumentList why;
        for (const DocumentPart& part : section(document, "alternatives").parts) {
            if (const auto* list = std::get_if<DocumentList>(&part)) why = *list;
        }
        QCOMPARE(why.items.size(), std::size_t(2));
        QVERIFY2(why.items[0].starts_with("Longer: does not fit"), why.items[0].c_str());
        QVERIFY2(contains(why.items[0], "takes ") && contains(why.items[0], " longer"), why.items[0].c_str());
        QVERIFY2(why.items[1].starts_with("Odd: breaks a rule"), why.items[1].c_str());
        const Row* verdicts = rowOf(section(document, "alternatives"), "Verdict");
        QVERIFY(verdicts != nullptr);
        QCOMPARE(verdicts->size(), std::size_t(4));
        QCOMPARE((*verdicts)[2], std::string("over"));
    }

    void whatMovesTheFiguresIsEstimated()
    {
        const Plan plan = trained();
        const Estimate result = estimate(plan);
        const auto inputs = changedInputs(plan, result);
        QVERIFY(!inputs.empty());
        const auto seconds = sensitivity(plan, result, "step.seconds");
        QCOMPARE(seconds.size(), inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            QCOMPARE(inputs[i].change.english(), seconds[i].change.english());
            QCOMPARE(inputs[i].estimate.step.seconds, estimate(inputs[i].plan).step.seconds);
        }
        const auto constants = changedConstants(plan, result);
        QVERIFY(!constants.empty());
        for (const ChangedConstant& one : constants)
            QVERIFY(row(one.constant).tier != Tier::Physics);
        QVERIFY(std::ranges::is_sorted(
            constants, std::greater<>(), [](const ChangedConstant& one) { return std::abs(one.step_ratio - 1.0); }));
        Plan changed = plan;
        const Constant first = constants.front().constant;
        changed.constants.set(first, 1.1 * plan.constants[first]);
        QCOMPARE(constants.front().step_ratio, estimate(changed).step.seconds / result.step.seconds);
    }

    void withoutFiguresItSaysWhy()
    {
        Plan plan = trained();
        plan.parallelism.tensor = 3;
        plan.parallelism.data.reset();
        const Estimate result = estimate(plan);
        QVERIFY(!result.complete());
        const std::string text = documentMarkdown(whole(plan, result));
        QVERIFY(contains(text, "**The plan breaks a rule; there are no figures for it.**"));
        QVERIFY(text.find("Broken: ") < text.find("\n## "));
        QVERIFY(contains(text, "## Plan and network") && !contains(text, "## Memory per card"));
    }
};

CARDFIT_TEST(TestPlanningDocument)

} // namespace cardfit::tst_planning_document
#include "tst_planning_document.moc"
