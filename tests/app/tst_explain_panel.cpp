// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/explain_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "app/panels/stage_table.h"
#include "app/panels/table_panel.h"
#include "app/window/main_window.h"
#include "core/report/constants_text.h"
#include "tests/app/shipped_presets.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"
#include "widgets/explain_view.h"
#include "widgets/memory/memory_bars.h"

namespace cardfit::tst_explain_panel {

using namespace cardfit::app;

std::shared_ptr<const Estimate> estimated(const Plan& plan) { return std::make_shared<const Estimate>(estimate(plan)); }

QToolButton* button(const QWidget& panel, const QString& starts)
{
    for (auto* candidate : panel.findChildren<QToolButton*>()) {
        if (candidate->text().startsWith(starts)) return candidate;
    }
    return nullptr;
}

class TestExplainPanel : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_plan = samples::llama13BOnEightCards();
        m_document = std::make_unique<PlanDocument>(m_plan);
        m_panel = std::make_unique<ExplainPanel>(*m_document, m_state);
        m_panel->resize(332, 500);
        m_panel->show();
        m_document->recomputeNow();
    }
    void cleanup()
    {
        m_panel.reset();
        m_state.setUnit(ByteUnit::GB);
    }

    void startsWithTheWorstCard()
    {
        QTRY_VERIFY(text().contains(QStringLiteral("On the device")));
        QVERIFY(text().contains(QStringLiteral("Activations")));
    }

    void drillsDownAndBack()
    {
        m_panel->explainFigure(QStringLiteral("stage1.activations"));
        QTRY_VERIFY(text().contains(QStringLiteral("Stage 1: Activations")));
        QVERIFY(text().contains(QStringLiteral("10 layers × 3 micro-batches in flight")));
        emit m_panel->view().anchorClicked(QUrl(QStringLiteral("stage1.mlp.up_output")));
        QTRY_VERIFY(text().contains(QStringLiteral("2 × 2 × 4,096 × 13,824 / 1")));
        button(*m_panel, QStringLiteral("‹"))->click();
        QTRY_VERIFY(text().contains(QStringLiteral("Stage 1: Activations")));
        button(*m_panel, QStringLiteral("↑"))->click();
        QTRY_VERIFY(text().contains(QStringLiteral("Stage 1: On the device")));
        QVERIFY(!button(*m_panel, QStringLiteral("↑"))->isEnabled());
    }

    void everyLinkIsAFigure()
    {
        m_panel->explainFigure(QStringLiteral("stage0.temporary"));
        QTRY_VERIFY(m_panel->view().explanation() && text().contains(QStringLiteral("Stage 0: Temporary")));
        const QString html = m_panel->view().toHtml();
        for (const ExplanationRow& row : m_panel->view().explanation()->rows)
            QVERIFY(html.contains(QStringLiteral("href=\"%1\"").arg(QString::fromStdString(row.figure))));
    }

    void followsEdits()
    {
        m_panel->explainFigure(QStringLiteral("stage0.mlp.up_output"));
        QTRY_VERIFY(text().contains(QStringLiteral("13,824")));
        m_plan.model.architecture.intermediate_size = 16384;
        edit(m_plan);
        QTRY_VERIFY(text().contains(QStringLiteral("16,384")));
        QVERIFY(!text().contains(QStringLiteral("13,824")));
        QCOMPARE(m_panel->figure(), QStringLiteral("stage0.mlp.up_output"));
    }

    void saysWhatChangesWouldDo()
    {
        m_panel->explainFigure(QStringLiteral("stage0.activations"));
        QTRY_VERIFY(!m_panel->isSettling());
        QTRY_VERIFY(text().contains(QStringLiteral("full recomputation")));
        const auto changes = sensitivity(m_plan, *estimated(m_plan), "stage0.activations", Profile::AsPlanned);
        QCOMPARE(m_panel->view().explanation()->sensitivity.size(), changes.size());
        m_panel->explainFigure(QStringLiteral("step.seconds"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->view().explanation()->constants.empty(), 30000);
        for (const Constant constant : m_panel->view().explanation()->constants)
            QVERIFY(text().contains(QString::fromStdString(constantText(constant).english())));
        m_panel->explainFigure(QStringLiteral("stage0.activations"));
        QTRY_VERIFY(text().contains(QStringLiteral("full recomputation")));
        // With the minus sign that charts and tables use.
        static const QRegularExpression kMinus(QStringLiteral("−\\d")), kHyphen(QStringLiteral("\\s-\\d"));
        QVERIFY2(text().contains(kMinus) && !text().contains(kHyphen), qPrintable(text()));
    }

    // An answer about the previous plan must not be shown next to the figures of the current one.
    void aStaleAnswerIsDropped()
    {
        m_panel->explainFigure(QStringLiteral("stage0.activations"));
        QTRY_VERIFY(m_panel->view().explanation() && !m_panel->view().explanation()->sensitivity.empty());
        m_plan.workload.micro_batch_size = 2;
        edit(m_plan);
        QTRY_VERIFY(m_panel->view().explanation() && m_panel->view().explanation()->sensitivity.empty());
        QTRY_VERIFY(m_panel->view().explanation() && !m_panel->view().explanation()->sensitivity.empty());
        const auto expected = sensitivity(m_plan, *estimated(m_plan), "stage0.activations", Profile::AsPlanned);
        QCOMPARE(m_panel->view().explanation()->sensitivity.front().difference, expected.front().difference);
    }

    void aFigureThatIsGoneComesBack()
    {
        m_panel->explainFigure(QStringLiteral("stage3.device"));
        QTRY_VERIFY(text().contains(QStringLiteral("Stage 3")));
        Plan shorter = m_plan;
        shorter.parallelism.pipeline = 2;
        shorter.parallelism.data = 4;
        edit(shorter);
        QTRY_VERIFY(text().contains(QStringLiteral("no stage3.device")));
        edit(m_plan);
        QTRY_VERIFY(text().contains(QStringLiteral("Stage 3")));
    }

    void aBrokenPlanKeepsTheLastExplanation()
    {
        m_panel->explainFigure(QStringLiteral("stage0.weights"));
        QTRY_VERIFY(text().contains(QStringLiteral("Stage 0: Weights")));
        Plan broken = m_plan;
        broken.parallelism.tensor = 3;
        edit(broken);
        QTest::qWait(20);
        QVERIFY(text().contains(QStringLiteral("Stage 0: Weights")));
    }

    void copies()
    {
        m_panel->explainFigure(QStringLiteral("stage0.activations"));
        QTRY_VERIFY(text().contains(QStringLiteral("Stage 0: Activations")));
        QVERIFY(m_panel->textAs(ExplainPanel::CopyFormat::Text).contains(QStringLiteral("w g T f / t = 2 x 2 x")));
        QVERIFY(m_panel->textAs(ExplainPanel::CopyFormat::Markdown).startsWith(QStringLiteral("### Stage 0")));
        QVERIFY(m_panel->textAs(ExplainPanel::CopyFormat::Latex).contains(QStringLiteral("\\frac")));
        m_state.setUnit(ByteUnit::GiB);
        QVERIFY(m_panel->textAs(ExplainPanel::CopyFormat::Text).contains(QStringLiteral(" GiB")));
        QTRY_VERIFY(text().contains(QStringLiteral("GiB")));
    }

    void theWindowExplainsWhatIsClicked()
    {
        MainWindow window;
        window.document().reset(m_plan);
        window.document().recomputeNow();
        window.show();
        emit window.part<ui::MemoryBars>().figureClicked(QStringLiteral("stage2.optimizer"));
        QCOMPARE(window.part<ExplainPanel>().figure(), QStringLiteral("stage2.optimizer"));
        QTRY_VERIFY(window.part<ExplainPanel>().isVisible());
        QTRY_VERIFY(
            window.part<ExplainPanel>().view().toPlainText().contains(QStringLiteral("Stage 2: Optimizer states")));
        emit window.part<ui::MemoryBars>().figureClicked(QStringLiteral("stage1.device"));
        QCOMPARE(window.part<ExplainPanel>().figure(), QStringLiteral("stage1.device"));
        const StageTable* table = window.part<TablePanel>().model();
        for (int row = 0; row < table->rowCount(); ++row) {
            const QString figure = table->figureAt(table->index(row, 3));
            if (row == 0)
                QVERIFY(figure.isEmpty());
            else
                QVERIFY2(figureValue(*window.document().estimate(), figure.toStdString()), qPrintable(figure));
        }
    }

private:
    [[nodiscard]] QString text() const { return m_panel->view().toPlainText(); }
    void edit(const Plan& plan)
    {
        m_document->edit(plan, QStringLiteral("edit"));
        m_document->recomputeNow();
    }

    ViewState m_state;
    std::unique_ptr<PlanDocument> m_document;
    std::unique_ptr<ExplainPanel> m_panel;
    Plan m_plan;
};

CARDFIT_WINDOW_TEST(TestExplainPanel)

} // namespace cardfit::tst_explain_panel
#include "tst_explain_panel.moc"
