// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/calibration_dialog.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>

#include "app/document/plan_document.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_calibration_dialog {

using namespace cardfit::app;

template <class Widget> Widget& named(CalibrationDialog& dialog, const char* name)
{
    for (auto* child : dialog.findChildren<Widget*>()) {
        if (child->accessibleName() == QLatin1String(name)) return *child;
    }
    qFatal("no such field: %s", name);
}

QPushButton& button(CalibrationDialog& dialog, const char* text)
{
    for (auto* child : dialog.findChildren<QPushButton*>()) {
        if (child->text() == QLatin1String(text)) return *child;
    }
    qFatal("no such button: %s", text);
}

double stepOf(const PlanDocument& document) { return document.estimate()->step.seconds.value(); }

class TestCalibrationDialog : public QObject {
    Q_OBJECT

private slots:
    void aMeasuredStepIsStoredAndUndone()
    {
        PlanDocument document(samples::llama13BOnEightCards());
        document.recomputeNow();
        const double predicted = stepOf(document);
        CalibrationDialog dialog(document, ByteUnit::GB);
        QVERIFY(!dialog.comparison());
        QVERIFY(!button(dialog, "&Calibrate the plan").isEnabled());

        named<QLineEdit>(dialog, "Measured value").setText(QString::number(1.25 * predicted, 'g', 12));
        QVERIFY(dialog.comparison());
        QVERIFY(named<QTextBrowser>(dialog, "Measured beside predicted").toPlainText().contains("+25.0 %"));
        button(dialog, "&Calibrate the plan").click();
        document.recomputeNow();
        QVERIFY(document.plan().calibration);
        QVERIFY(qAbs(stepOf(document) / predicted - 1.25) < 1e-6);
        // After storing there is nothing left to store.
        QVERIFY(!button(dialog, "&Calibrate the plan").isEnabled());

        button(dialog, "&Remove its calibration").click();
        QVERIFY(!document.plan().calibration);
        document.undoStack()->undo();
        QVERIFY(document.plan().calibration);
        document.undoStack()->undo();
        QVERIFY(!document.plan().calibration);
    }

    /// The same run in every unit gives the same calibration.
    void unitsOfSpeedAgree()
    {
        PlanDocument document(samples::llama13BOnEightCards());
        document.recomputeNow();
        const StepEstimate& step = document.estimate()->step;
        CalibrationDialog dialog(document, ByteUnit::GB);
        auto& quantity = named<QComboBox>(dialog, "What was measured");
        auto& value = named<QLineEdit>(dialog, "Measured value");
        const double slower = 1.1;
        const double rate = step.tokens_per_second_per_card / slower;
        const double per_sequence = static_cast<double>(document.plan().workload.sequence_length);
        const std::array<double, 4> figures{
            slower * step.seconds.value(), rate, rate / per_sequence, step.model_tflops_per_card.value() / slower};
        for (std::size_t i = 0; i < figures.size(); ++i) {
            quantity.setCurrentIndex(static_cast<int>(i));
            value.setText(QString::number(figures[i], 'g', 15));
            QVERIFY(dialog.comparison());
            const double factor = *dialog.comparison()->speed->over_predicted;
            QVERIFY2(qAbs(factor * slower - 1.0) < 1e-9, qPrintable(QString::number(factor)));
        }
    }

    void aLogFillsTheFields()
    {
        PlanDocument document(samples::llama13BOnEightCards());
        document.recomputeNow();
        const double milliseconds = 1.2e3 * stepOf(document);
        CalibrationDialog dialog(document, ByteUnit::GB);
        QString log;
        for (int i = 0; i < 5; ++i) {
            log += QStringLiteral(" iteration %1/ 9 | elapsed time per iteration (ms): %2 |\n")
                       .arg(i)
                       .arg(milliseconds, 0, 'f', 3);
        }
        dialog.findChild<QPlainTextEdit*>()->setPlainText(log);
        QVERIFY(dialog.comparison());
        QVERIFY(qAbs(*dialog.comparison()->speed->over_predicted * 1.2 - 1.0) < 1e-4);
    }

    void whatCannotBeReadIsSaid()
    {
        PlanDocument document(samples::llama13BOnEightCards());
        document.recomputeNow();
        CalibrationDialog dialog(document, ByteUnit::GB);
        auto& value = named<QLineEdit>(dialog, "Measured value");
        for (const char* text : {"soon", "-3", "1e9"}) {
            value.setText(QLatin1String(text));
            QVERIFY2(!dialog.comparison(), text);
            QVERIFY(!button(dialog, "&Calibrate the plan").isEnabled());
            QVERIFY(!named<QTextBrowser>(dialog, "Measured beside predicted").toPlainText().isEmpty());
            QCOMPARE(value.text(), QLatin1String(text));
        }
    }
};

CARDFIT_WINDOW_TEST(TestCalibrationDialog)

} // namespace cardfit::tst_calibration_dialog
#include "tst_calibration_dialog.moc"
