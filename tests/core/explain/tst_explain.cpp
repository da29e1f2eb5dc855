// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "core/explain/catalogue.h"
#include "core/explain/explain.h"
#include "core/model/operators.h"
#include "core/report/explanation_text.h"
#include "tests/core/explain/runnable_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_explain {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

Estimate anyEstimate(const Plan& plan)
{
    Estimate result = estimate(plan);
    RC_PRE(result.complete());
    return result;
}

FigureValue rowsOf(const Explanation& explanation)
{
    FigureValue sum{explanation.total.unit, {}, 0.0};
    for (const ExplanationRow& row : explanation.rows) {
        sum.bytes += row.value.bytes;
        sum.number += row.value.number;
    }
    return sum;
}

Explanation explained(const Plan& plan, const char* figure)
{
    auto result = explain(plan, estimate(plan), figure);
    if (!result) qFatal("%s", describe(result.error()).c_str());
    return *std::move(result);
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
bool contains(const Sentence& sentence, std::string_view part) { return contains(sentence.english(), part); }

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261132 max_success=400 max_size=400"); }

    void everyNameIsInTheCatalogue()
    {
        holds("terms and events have an entry", [] {
            for (const StageMemory& stage : anyEstimate(runnable::plan()).stages) {
                if (describeEvent(stage.peak_event) == nullptr) RC_FAIL(std::string(stage.peak_event));
                for (const Term& term : stage.terms) {
                    const auto* entry = describeTerm(term.id);
                    if (entry == nullptr) RC_FAIL(std::string(term.id));
                    RC_ASSERT(
                        !entry->title.empty() && entry->sentence.english.ends_with('.') && !entry->source.empty());
                }
            }
        });
    }

    void everyFigureExplainsItself()
    {
        holds("rows add up to totals, and totals are the estimate's", [] {
            const Plan plan = runnable::plan();
            const Estimate result = anyEstimate(plan);
            for (const std::string& figure : figures(result)) {
                const auto explanation = explain(plan, result, figure);
                if (!explanation) RC_FAIL(figure + ": " + describe(explanation.error()));
                RC_ASSERT(explanation->figure == figure);
                RC_ASSERT(explanation->total == *figureValue(result, figure));
                RC_ASSERT(!explanation->title.empty());
                RC_ASSERT(!explanation->sentence.empty());
                RC_ASSERT(!explanation->sources.empty());
                for (const ExplanationRow& row : explanation->rows) {
                    RC_ASSERT(!row.title.empty());
                    RC_ASSERT(row.formula.empty() || !inNumbers(*explanation, row, Notation::Plain).empty());
                    if (row.figure.empty()) continue;
                    // A name stands for all its shapes.
                    Bytes same;
                    for (const ExplanationRow& other : explanation->rows) {
                        if (other.figure == row.figure) same += other.value.bytes;
                    }
                    RC_ASSERT(figureValue(result, row.figure)->bytes == same);
                }
                if (explanation->rows.empty()) continue;
                const FigureValue sum = rowsOf(*explanation);
                RC_ASSERT(sum.bytes == explanation->total.bytes);
                RC_ASSERT(std::abs(sum.number - explanation->total.number) <= 1e-9 * std::abs(sum.number));
            }
        });
    }

    /// Every figure of a server's times is explained, and its formulas come to its rows.
    void timesOfServers()
    {
        for (const std::int64_t stages : {1, 2}) {
            Plan plan = samples::llama13BOnEightCards();
            plan.parallelism.data.reset();
            plan.parallelism.pipeline = stages;
            plan.workload.task = Task::Inference;
            plan.recipe.kernels = Kernels::Compiled;
            plan.workload.sequence_length = 4096;
            plan.workload.input_tokens = 3000;
            plan.workload.output_tokens = 500;
            plan.workload.concurrency = 8;
            const Estimate made = estimate(plan);
            QVERIFY(made.server && made.server->pace);
            std::size_t parts = 0;
            for (const std::string& figure : figures(made)) {
                if (!figure.starts_with("server.")) continue;
                const Explanation explanation = explained(plan, figure.c_str());
                parts += figure.starts_with("server.tpot.") ? 1 : 0;
                for (const ExplanationRow& row : explanation.rows) {
                    const auto formula = Formula::parse(row.formula);
                    if (row.formula.empty()) continue;
                    QVERIFY2(formula, row.formula.c_str());
                    const auto one = formula->evaluate(valuesOf(explanation.symbols));
                    QVERIFY2(one, (figure + ": " + row.formula).c_str());
                    const FigureValue& value = row.value;
                    const double found =
                        value.unit == FigureUnit::Memory ? static_cast<double>(value.bytes.value()) : value.number;
                    const double whole = *one * static_cast<double>(row.count);
                    QVERIFY2(std::abs(whole - found) <= 1e-5 * std::abs(found) + 1e-11,
                        fmt::format("{}: {} is {}, not {}", figure, row.formula, whole, found).c_str());
                }
            }
            QCOMPARE(parts, kDecodeParts.size());
            QVERIFY(!explained(plan, "server.tpot.weights").rows.empty());
        }
    }

    // Everything that can be clicked leads somewhere, and back.
    void rowsLeadToFigures()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate result = estimate(plan);
        for (const std::string& figure : figures(result)) {
            const auto explanation = explain(plan, result, figure);
            QVERIFY(explanation);
            for (const ExplanationRow& row : explanation->rows)
                QVERIFY2(row.figure.empty() || explain(plan, result, row.figure), row.figure.c_str());
            if (!explanation->parent.empty()) QVERIFY(explain(plan, result, explanation->parent));
        }
    }

    void bubbleNamesItsCauses()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.pipeline = 2;
        plan.parallelism.tensor = 1;
        const Estimate result = estimate(plan);
        QVERIFY(result.complete());
        const Explanation bubble = explained(plan, "pipeline.bubble_fraction");
        QVERIFY(contains(bubble.sentence, " Idle time by cause: fill "));
        QCOMPARE(bubble.rows.size(), std::size_t{2});
        QVERIFY2(bubble.rows[0].sentence.english().starts_with("Of it: waiting for gradients "),
            bubble.rows[0].sentence.english().c_str());
        QVERIFY2(
            bubble.rows[1].sentence.english().starts_with("Of it: fill "), bubble.rows[1].sentence.english().c_str());
        QVERIFY(contains(bubble.rows[1].sentence, ", drain "));
    }

    void segmentAndTermOfOneName()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Explanation segment = explained(plan, "stage0.weights");
        QCOMPARE(segment.rows.size(), std::size_t{1});
        QCOMPARE(segment.rows.front().figure, std::string("stage0.weights.weights"));
        const Explanation term = explained(plan, "stage0.weights.weights");
        QCOMPARE(term.total, segment.total);
        QCOMPARE(term.parent, std::string("stage0.weights"));
    }

    void countsInWords()
    {
        const Explanation activations = explained(samples::llama13BOnEightCards(), "stage0.activations");
        const auto row = [&](std::string_view id) {
            return *std::ranges::find(activations.rows, id, &ExplanationRow::id);
        };
        QCOMPARE(row("mlp.up_output").count_meaning.english(), std::string("10 layers x 4 micro-batches in flight"));
        QCOMPARE(row("norm.input").count_meaning.english(), std::string("2 x 10 layers x 4 micro-batches in flight"));
        QCOMPARE(row("embedding.ids").count_meaning.english(), std::string("4 micro-batches in flight"));
        const Explanation last = explained(samples::llama13BOnEightCards(), "stage3.norm.input");
        QCOMPARE(last.rows.front().count_meaning.english(),
            std::string("(2 x 10 layers + 1 head) x 1 micro-batch in flight"));
        // Under ZB-H1 rank 2 of 4 holds two whole passes and two of which the weight half is left.
        Plan split = samples::llama13BOnEightCards();
        split.recipe.schedule = Schedule::ZbH1;
        const Explanation halves = explained(split, "stage2.activations");
        const auto words = [&](std::string_view id) {
            return std::ranges::find(halves.rows, id, &ExplanationRow::id)->count_meaning.english();
        };
        QCOMPARE(words("mlp.up_output"), std::string("10 layers x 2 micro-batches in flight"));
        QCOMPARE(words("qkv.output_gradient"), std::string("10 layers x 2 passes awaiting their weight half"));
        QCOMPARE(words("mlp.activation_output"),
            std::string("10 layers x (2 micro-batches in flight + 2 passes awaiting their weight half)"));
        const Explanation groups = explained(samples::llama13BOnEightCards(), "stage0.communicators");
        QCOMPARE(groups.rows.front().count_meaning.english(), std::string("pipeline, data"));
    }

    void numbersUnderTheFormula()
    {
        const Explanation explanation = explained(samples::llama13BOnEightCards(), "stage0.mlp.up_output");
        const ExplanationRow& row = explanation.rows.front();
        QCOMPARE(inSymbols(row, Notation::Plain), std::string("w g T f / t"));
        QCOMPARE(inNumbers(explanation, row, Notation::Plain), std::string("2 x 2 x 4,096 x 13,824 / 1"));
        QCOMPARE(row.count, 40);
        QCOMPARE(row.value.bytes, Bytes(40LL * 2 * 2 * 4096 * 13824));
        QCOMPARE(explanation.symbols.size(), std::size_t{5});
    }

    void worstStandsForAStage()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate result = estimate(plan);
        QCOMPARE(explained(plan, "worst").figure, fmt::format("stage{}.device", result.worstStage()));
        QCOMPARE(explained(plan, "worst.activations").figure, fmt::format("stage{}.activations", result.worstStage()));
    }

    void unknownFiguresNameTheirNeighbours()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const auto refused = explain(plan, estimate(plan), "stage0.activation");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::Usage);
        QVERIFY(contains(refused.error().message.english(), "stage0.activations"));
        for (const char* figure :
            {"", "stage9.device", "stage.device", "stage-1.device", "step.", "stage0.", "worst.x"})
            QVERIFY2(!explain(plan, estimate(plan), figure) || QByteArray(figure) == "stage0.", figure);
    }

    void nothingToExplainWithoutEstimate()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.parallelism.tensor = 3;
        const Estimate none = estimate(plan);
        QVERIFY(figures(none).empty());
        for (const char* figure : {"worst", "stage0.device", "step.seconds"}) {
            QVERIFY(!explain(plan, none, figure));
            QVERIFY(sensitivity(plan, none, figure).empty());
        }
    }

    void parametersByWeight()
    {
        holds("weights add up to the published counts", [] {
            const Plan plan = runnable::plan();
            const Estimate result = anyEstimate(plan);
            const auto total = [&](const char* figure) { return explain(plan, result, figure)->total.number; };
            RC_ASSERT(total("parameters.total") == static_cast<double>(parameterCount(plan.model.architecture)));
            RC_ASSERT(total("parameters.active") == static_cast<double>(activeParameterCount(plan.model.architecture)));
        });
    }

    void expertsInWords()
    {
        Plan plan = samples::llama13BOnEightCards();
        auto& model = plan.model.architecture;
        model.moe = MixtureOfExperts();
        model.moe->num_experts = 8;
        model.moe->num_experts_per_tok = 2;
        model.moe->moe_intermediate_size = 4096;
        model.moe->first_dense_layers = 4;
        model.mtp_layers = 1;
        const auto meaning = [&](const char* figure) {
            const Explanation explanation = explained(plan, figure);
            const auto row = std::ranges::find(explanation.rows, "experts.up.weight", &ExplanationRow::id);
            return row->count_meaning.english() + " = " + std::to_string(row->count);
        };
        QCOMPARE(meaning("parameters.total"), std::string("37 layers x 8 experts = 296"));
        QCOMPARE(meaning("parameters.active"), std::string("37 layers x 2 experts = 74"));
    }

    void whatAChangeWouldDo()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate before = estimate(plan);
        const auto changes = sensitivity(plan, before, "stage0.activations");
        const auto of = [&](std::string_view name) {
            return std::ranges::find_if(
                changes, [&](const auto& one) { return one.change.english().starts_with(name); });
        };
        QVERIFY(of("full recomputation")->difference.bytes < Bytes(0));
        QVERIFY(of("micro-batch")->difference.bytes > Bytes(0));
        Plan longer = plan;
        longer.workload.sequence_length *= 2;
        // 8,192 tokens exceed the model's 4,096 positions, so rotary models are only warned.
        const auto sequence = of("sequence");
        if (sequence != changes.end()) {
            QCOMPARE(sequence->difference.bytes,
                estimate(longer).stages[0][Segment::Activations] - before.stages[0][Segment::Activations]);
        }
        QCOMPARE(of("data")->difference.bytes, Bytes(0));
        // 40 heads divide by 2; two replicas give one of themselves.
        QCOMPARE(of("tensor")->change.english(), std::string("tensor x 2, data / 2"));
        QVERIFY(sensitivity(plan, before, "no.figure").empty());
    }

    void brokenRulesAreSaid()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.recipe.framework = Framework::DeepSpeed;
        plan.recipe.sharding = Sharding::Zero3;
        const Explanation explanation = explained(plan, "stage0.activations");
        QVERIFY(std::ranges::any_of(
            explanation.left_out, [](const Sentence& text) { return contains(text, "DS-PIPELINE-ZERO"); }));
    }

    void texts()
    {
        const Plan plan = samples::llama13BOnEightCards();
        Explanation explanation = explained(plan, "stage0.activations");
        explanation.sensitivity = sensitivity(plan, estimate(plan), "stage0.activations");
        const std::string text = explanationText(explanation);
        QVERIFY(contains(text, "Stage 0: Activations"));
        QVERIFY(contains(text,
            "40 (10 layers x 4 micro-batches in flight), each w g T f / t = 2 x 2 x 4,096 x 13,824 / 1 = "
            "226,492,416 bytes"));
        QVERIFY(contains(text, " 4 micro-batches in flight, each 8 T = 8 x 4,096 = 32,768 bytes"));
        QVERIFY(contains(text, "full recomputation"));
        QVERIFY(contains(explanationText(explanation, ByteUnit::GiB), " GiB"));
        QVERIFY(contains(explanationMarkdown(explanation), "| `w g T f / t` | 2 × 2 × 4,096 × 13,824 / 1 |"));
        const std::string latex = explanationLatex(explanation);
        QVERIFY(contains(latex, "\\frac{w \\, g \\, T \\, f}{t}"));
        QVERIFY(contains(latex, "= 40 \\times \\frac{w \\, g \\, T \\, f}{t} = 40 \\times \\frac{2 "));
        QCOMPARE(QString::fromStdString(latex).count("\\begin{"), QString::fromStdString(latex).count("\\end{"));

        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(explanationJson(explanation))).object();
        QCOMPARE(json["format"].toString(), QString("cardfit/explanation"));
        QCOMPARE(json["unit"].toString(), QString("bytes"));
        double sum = 0.0;
        for (const auto row : json["rows"].toArray())
            sum += row.toObject()["value"].toDouble();
        QCOMPARE(sum, json["total"].toDouble());
        QCOMPARE(sum, static_cast<double>(explanation.total.bytes.value()));
    }

    void everyFigureCanBeWritten()
    {
        const Plan plan = samples::llama13BOnEightCards();
        const Estimate result = estimate(plan);
        for (const std::string& figure : figures(result)) {
            const auto explanation = explain(plan, result, figure);
            QVERIFY(!explanationText(*explanation).empty());
            QVERIFY(!explanationMarkdown(*explanation).empty());
            QVERIFY(!explanationLatex(*explanation).empty());
            QVERIFY(!QJsonDocument::fromJson(QByteArray::fromStdString(explanationJson(*explanation))).isNull());
        }
    }

    void valuesInTheirUnits()
    {
        const auto text = [](FigureUnit unit, double value) {
            return QString::fromStdString(figureText({unit, Bytes(static_cast<std::int64_t>(value)), value}).english());
        };
        QCOMPARE(text(FigureUnit::Memory, 12'345'678'901), QString("12.35 GB"));
        QCOMPARE(text(FigureUnit::Memory, 1'310'720), QString("1.31 MB"));
        QCOMPARE(text(FigureUnit::Memory, -2'048), QString("-2.0 kB"));
        QCOMPARE(text(FigureUnit::Memory, 0), QString("0.00 GB"));
        QCOMPARE(text(FigureUnit::Parameters, 13'015'864'320), QString("13,015,864,320"));
        QCOMPARE(text(FigureUnit::Fraction, 0.4412), QString("44.12 %"));
        QCOMPARE(text(FigureUnit::MicroBatches, 1), QString("1 micro-batch"));
        QCOMPARE(QString::fromStdString(
                     bandText(Bytes(75'000'000'000), {Bytes(3'800'000'000), Bytes(5'100'000'000)}).english()),
            QString("between 71.20 and 80.10 GB"));
        QCOMPARE(QString::fromStdString(differenceText({FigureUnit::Memory, Bytes(0), 0.0}).english()),
            QString("no change"));
        QCOMPARE(QString::fromStdString(differenceText({FigureUnit::Fraction, {}, -0.0123}).english()),
            QString("-1.23 percentage points"));
        QCOMPARE(QString::fromStdString(differenceText({FigureUnit::Memory, Bytes(2'000'000'000), 0.0}).english()),
            QString("+2.00 GB"));
    }
};

CARDFIT_TEST(TestExplain)

} // namespace cardfit::tst_explain
#include "tst_explain.moc"
