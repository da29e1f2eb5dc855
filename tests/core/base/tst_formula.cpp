// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "core/base/formula.h"
#include "tests/test_program.h"

namespace cardfit::tst_formula {

std::optional<double> value(std::string_view name)
{
    if (name == "w") return 2.0;
    if (name == "T") return 8192.0;
    if (name == "h") return 5120.0;
    if (name == "u") return 8.0;
    if (name == "P_em") return 1.5e9;
    if (name == "x_neg") return -3.0;
    if (name == "zero") return 0.0;
    return std::nullopt;
}

double evaluated(const char* text) { return Formula::parse(text).value().evaluate(value).value(); }
QString symbolic(const char* text, Notation notation)
{
    return QString::fromStdString(Formula::parse(text).value().inSymbols(notation));
}
QString numeric(const char* text, Notation notation)
{
    return QString::fromStdString(Formula::parse(text).value().inNumbers(notation, value).value());
}
QString error(const char* text) { return QString::fromStdString(describe(Formula::parse(text).error())); }

class TestFormula : public QObject {
    Q_OBJECT

private slots:
    void evaluates_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* text, double expected) { QTest::newRow(text) << QByteArray(text) << expected; };
        row("w T h / u", 2.0 * 8192 * 5120 / 8);
        row("12 / 2 3", 18.0); // from the left
        row("12 / (2 3)", 2.0);
        row("12 / 2 / 3", 2.0);
        row("10 - 2 - 3", 5.0);
        row("2 (3 + 4) w", 28.0);
        row("-w T", -16384.0);
        row("1 + -w", -1.0);
        row("2^3^2", 512.0);
        row("w u^2", 128.0);
        row("2 * 3 4", 24.0);
        row("13.6 u", 13.6 * 8);
        row("4 min(P_em, 5e8)", 2e9);
        row("min(w, u + 1) 3", 6.0);
        row("0", 0.0);
    }
    void evaluates()
    {
        QFETCH(QByteArray, text);
        QFETCH(double, expected);
        QCOMPARE(evaluated(text.constData()), expected);
    }

    void saysWhereReadingStopped()
    {
        QCOMPARE(error("w T +"), QString("character 6: expected a number, a symbol or '(', found the end"));
        QCOMPARE(error("w (T"), QString("character 5: expected ')', found the end"));
        QCOMPARE(error("w T ) h"), QString("character 5: expected the formula's end, found ')'"));
        QCOMPARE(error("min(T h)"), QString("character 8: expected ',', found ')'"));
        QCOMPARE(error(""), QString("character 1: expected a number, a symbol or '(', found the end"));
    }

    void saysWhatCannotBeEvaluated()
    {
        const auto unknown = Formula::parse("w T y_9").value().evaluate(value);
        QCOMPARE(
            QString::fromStdString(describe(unknown.error())), QString("character 5: no value for the symbol y_9"));
        const auto divided = Formula::parse("w / zero").value().inNumbers(Notation::Plain, value);
        QCOMPARE(QString::fromStdString(describe(divided.error())), QString("character 5: division by zero"));
    }

    void writesSymbols()
    {
        QCOMPARE(symbolic("w T h / u", Notation::Plain), QString("w T h / u"));
        QCOMPARE(symbolic("w T h / u", Notation::Latex), QString("\\frac{w \\, T \\, h}{u}"));
        QCOMPARE(symbolic("2 P_em rho", Notation::Latex), QString("2 \\, P_{em} \\, \\rho"));
        QCOMPARE(symbolic("2 P_em", Notation::Html), QString("2 <i>P</i><sub>em</sub>"));
        QCOMPARE(
            symbolic("4 P (1 - o) / N_o", Notation::Latex), QString("\\frac{4 \\, P \\, \\left(1 - o\\right)}{N_{o}}"));
        QCOMPARE(symbolic("b s^2", Notation::Latex), QString("b \\, s^{2}"));
        QCOMPARE(symbolic("2 min(P_r, 5e8)", Notation::Plain), QString("2 min(P_r, 500,000,000)"));
    }

    // What is written means the same when it is read again.
    void keepsItsMeaning()
    {
        for (const char* text : {"a - (b - c)", "a / (b c)", "a / b c", "(a + b) c^2", "-(a + b)", "-a b", "a (-b)",
                 "(a b)^(c + 1)", "min(a, b) / (c / d)", "((w + i) q_l + 4) T / u"}) {
            const std::string once = Formula::parse(text).value().inSymbols(Notation::Plain);
            QCOMPARE(Formula::parse(once).value().inSymbols(Notation::Plain), once);
            const auto letters = [](std::string_view name) {
                return std::optional(1.0 + static_cast<double>(name[0]));
            };
            QCOMPARE(Formula::parse(once).value().evaluate(letters).value(),
                Formula::parse(text).value().evaluate(letters).value());
        }
    }

    void writesNumbers()
    {
        QCOMPARE(numeric("w T h / u", Notation::Plain), QString("2 x 8,192 x 5,120 / 8"));
        QCOMPARE(numeric("w T h / u", Notation::Markdown), QString("2 × 8,192 × 5,120 / 8"));
        QCOMPARE(numeric("w T / u", Notation::Latex), QString("\\frac{2 \\times 8{,}192}{8}"));
        QCOMPARE(numeric("w x_neg", Notation::Plain), QString("2 x (-3)"));
        QCOMPARE(numeric("-w", Notation::Plain), QString("-2"));
    }

    void groupsDigits()
    {
        const auto grouped = [](double number) { return QString::fromStdString(groupedNumber(number)); };
        QCOMPARE(grouped(0), QString("0"));
        QCOMPARE(grouped(999), QString("999"));
        QCOMPARE(grouped(1000), QString("1,000"));
        QCOMPARE(grouped(-1234567.5), QString("-1,234,567.5"));
        QCOMPARE(grouped(2.00390625), QString("2.003906"));
        QCOMPARE(grouped(13.6), QString("13.6"));
        QCOMPARE(grouped(2.5e-9), QString("2.5e-09"));
        QCOMPARE(QString::fromStdString(groupedNumber(1e6, Notation::Latex)), QString("1{,}000{,}000"));
    }

    void namesItsSymbols()
    {
        const auto names = Formula::parse("(w_b P_m + 2 (P - P_m)) / N_w").value().symbols();
        QCOMPARE(names, (std::vector<std::string>{"w_b", "P_m", "P", "N_w"}));
    }
};

CARDFIT_TEST(TestFormula)

} // namespace cardfit::tst_formula
#include "tst_formula.moc"
