// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include <QTest>

#include "tests/test_program.h"
#include "widgets/chart/labels.h"

namespace cardfit::tst_theme {

using namespace cardfit::ui;

constexpr double kText = 4.5; // WCAG 2, 1.4.3
constexpr double kGraphics = 3.0; // WCAG 2, 1.4.11

Theme themeNamed(const QString& name) { return name == QLatin1String("dark") ? darkTheme() : lightTheme(); }

/// Distance in lightness and colour of two fills, as a reader without colour vision (greys) and one with sees it.
int greyDistance(const QColor& a, const QColor& b) { return std::abs(qGray(a.rgb()) - qGray(b.rgb())); }

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple times(const Matrix& matrix, const Triple& vector)
{
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        result[row] = std::inner_product(vector.begin(), vector.end(), matrix[row].begin(), 0.0);
    return result;
}

/// CIE 1976 L*a*b* of linear sRGB, under its own white.
Triple lab(const Triple& linear)
{
    const Matrix to_xyz{{{0.4125, 0.3576, 0.1804}, {0.2127, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9503}}};
    const Triple white{0.9505, 1.0, 1.0888};
    Triple parts = times(to_xyz, linear);
    for (std::size_t i = 0; i < 3; ++i)
        parts[i] = std::cbrt(std::max(0.0, parts[i] / white[i]));
    return {116.0 * parts[1] - 16.0, 500.0 * (parts[0] - parts[1]), 200.0 * (parts[1] - parts[2])};
}

/// Distance in L*a*b* of two fills as an eye sees them.
double seenDistance(const QColor& a, const QColor& b, const Matrix& eye)
{
    const auto seen = [&](const QColor& colour) {
        Triple linear{colour.redF(), colour.greenF(), colour.blueF()};
        for (double& part : linear)
            part = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        return lab(times(eye, linear));
    };
    const Triple first = seen(a);
    const Triple second = seen(b);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void textIsReadable_data() { themes(); }
    void textIsReadable()
    {
        QFETCH(QString, name);
        const Theme theme = themeNamed(name);
        QCOMPARE_GE(contrast(theme.text, theme.background), kText);
        QCOMPARE_GE(contrast(theme.muted_text, theme.background), kText);
        QCOMPARE_GE(contrast(theme.over, theme.background), kText);
        QCOMPARE_GE(contrast(theme.text, theme.banner), kText);
        QCOMPARE_GE(contrast(theme.text, theme.card), kText);
        QCOMPARE_GE(contrast(theme.muted_text, theme.card), kText);
        for (const QColor& badge : {theme.fits, theme.tight, theme.over_badge, theme.invalid, theme.cursor}) {
            QCOMPARE_GE(contrast(inkOn(badge), badge), kText);
        }
    }

    void lettersAreReadableOnEveryFill_data() { themes(); }
    void lettersAreReadableOnEveryFill()
    {
        QFETCH(QString, name);
        for (const Theme& theme : {themeNamed(name), desaturated(themeNamed(name))}) {
            for (const auto& segment : theme.segments) {
                QVERIFY2(contrast(inkOn(segment.fill), segment.fill) >= kText, qPrintable(segment.letter));
            }
            for (const auto& part : theme.step_parts)
                QVERIFY2(contrast(inkOn(part.fill), part.fill) >= kText, qPrintable(part.letter));
            for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
                for (int chunk = 0; chunk < 4; ++chunk) {
                    const QColor fill = theme.operation(static_cast<OperationKind>(kind), chunk, 4);
                    QVERIFY2(contrast(inkOn(fill), fill) >= kText, qPrintable(fill.name()));
                }
            }
        }
    }

    void linesStandOut_data() { themes(); }
    void linesStandOut()
    {
        QFETCH(QString, name);
        const Theme theme = themeNamed(name);
        for (const QColor& line : {theme.outline, theme.capacity, theme.selection, theme.cursor, theme.curve}) {
            QCOMPARE_GE(contrast(line, theme.background), kGraphics);
        }
        for (const auto& segment : theme.segments)
            QCOMPARE_GE(contrast(theme.over_hatch, segment.fill), 2.0);
    }

    void segmentsDifferWithoutColour_data() { themes(); }
    void segmentsDifferWithoutColour()
    {
        QFETCH(QString, name);
        const Theme theme = themeNamed(name);
        std::set<QChar> letters;
        for (const auto& segment : theme.segments)
            letters.insert(segment.letter);
        QCOMPARE(letters.size(), kSegmentCount);
        for (std::size_t i = 1; i < kSegmentCount; ++i) {
            const auto& below = theme.segments[i - 1];
            const auto& above = theme.segments[i];
            QVERIFY2(
                greyDistance(below.fill, above.fill) >= 10 || below.pattern != above.pattern, qPrintable(above.letter));
        }
    }

    /// Any two may stand side by side where those between take no time.
    void partsOfAStepDifferWithoutColour_data() { themes(); }
    void partsOfAStepDifferWithoutColour()
    {
        QFETCH(QString, name);
        const Theme theme = themeNamed(name);
        std::set<QChar> letters;
        for (std::size_t i = 0; i < kStepPartCount; ++i) {
            const auto& part = theme.step_parts[i];
            letters.insert(part.letter);
            for (std::size_t j = 0; j < i; ++j) {
                const auto& other = theme.step_parts[j];
                QVERIFY2(greyDistance(part.fill, other.fill) >= 10 || part.pattern != other.pattern,
                    qPrintable(QString(part.letter) + other.letter));
            }
        }
        QCOMPARE(letters.size(), kStepPartCount);
    }

    void operationsDifferWithoutColour()
    {
        const Theme theme = lightTheme();
        QCOMPARE_GE(
            greyDistance(theme.operation(OperationKind::Forward), theme.operation(OperationKind::Backward)), 40);
        std::set<QString> letters;
        for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
            letters.insert(operationLetter(static_cast<OperationKind>(kind)));
        }
        QCOMPARE(letters.size(), kOperationKindCount);
    }

    // The kind that fills idle time lies beside every other one.
    void weightGradientsStandOutForEveryEye_data()
    {
        QTest::addColumn<Matrix>("eye");
        QTest::newRow("all cones") << Matrix{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
        // Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency"
        // (2009), severity 1.0, on linear sRGB.
        QTest::newRow("no long-wave cones") << Matrix{
            {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
        QTest::newRow("no middle-wave cones") << Matrix{
            {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
        QTest::newRow("no short-wave cones") << Matrix{
            {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    }
    void weightGradientsStandOutForEveryEye()
    {
        QFETCH(const Matrix, eye);
        constexpr double kApart = 25.0;
        for (const Theme& theme : {lightTheme(), darkTheme()}) {
            const QColor weights = theme.operation(OperationKind::BackwardWeight);
            for (const auto kind : {OperationKind::Forward, OperationKind::Backward, OperationKind::BackwardInput})
                QCOMPARE_GE(seenDistance(weights, theme.operation(kind), eye), kApart);
        }
    }

    void laterChunksAreLighter()
    {
        const Theme theme = lightTheme();
        int before = -1;
        for (int chunk = 0; chunk < 4; ++chunk) {
            const int lightness = theme.operation(OperationKind::Forward, chunk, 4).lightness();
            QCOMPARE_GT(lightness, before);
            before = lightness;
        }
        QCOMPARE(theme.operation(OperationKind::Forward, 0, 1), theme.operations[0]);
    }

    void followsThePalette()
    {
        QVERIFY(themeFor(applicationPalette(true)).dark);
        QVERIFY(!themeFor(applicationPalette(false)).dark);
    }

    void palettesAreReadable_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void palettesAreReadable()
    {
        QFETCH(bool, dark);
        const QPalette palette = applicationPalette(dark);
        const auto reads = [&](QPalette::ColorRole text, QPalette::ColorRole ground) {
            return contrast(palette.color(text), palette.color(ground)) >= kText;
        };
        QVERIFY(reads(QPalette::WindowText, QPalette::Window));
        QVERIFY(reads(QPalette::Text, QPalette::Base));
        QVERIFY(reads(QPalette::Text, QPalette::AlternateBase));
        QVERIFY(reads(QPalette::ButtonText, QPalette::Button));
        QVERIFY(reads(QPalette::HighlightedText, QPalette::Highlight));
        QVERIFY(reads(QPalette::ToolTipText, QPalette::ToolTipBase));
        QVERIFY(reads(QPalette::Link, QPalette::Window));
        // Facts and notes in grey: on panels, in fields, in lists.
        for (const auto ground : {QPalette::Window, QPalette::Base, QPalette::AlternateBase, QPalette::Button}) {
            QVERIFY(reads(QPalette::PlaceholderText, ground));
            QCOMPARE_GE(contrast(themeFor(palette).muted_text, palette.color(ground)), kText);
        }
    }

    void greysWhatIsOutOfDate()
    {
        for (const auto& segment : desaturated(lightTheme()).segments)
            QCOMPARE_LE(segment.fill.hsvSaturation(), 70);
    }

    void contrastIsThatOfWcag()
    {
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
        QVERIFY(std::abs(contrast(QColor(0x777777), Qt::white) - 4.48) < 0.01);
    }

    void timesHaveThreeDigits_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << "0.00 s";
        QTest::newRow("seconds") << 3.1 << "3.10 s";
        QTest::newRow("many seconds") << 1313.4 << "1313 s";
        QTest::newRow("milliseconds") << 0.8124 << "812 ms";
        QTest::newRow("a second by rounding") << 0.9996 << "1.00 s";
        QTest::newRow("microseconds") << 45.24e-6 << "45.2 µs";
        QTest::newRow("a millisecond by rounding") << 999.7e-6 << "1.00 ms";
        QTest::newRow("ten by rounding") << 9.996 << "10.0 s";
    }
    void timesHaveThreeDigits()
    {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(timeText(seconds), text);
    }

private:
    static void themes()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("light") << "light";
        QTest::newRow("dark") << "dark";
    }
};

CARDFIT_WINDOW_TEST(TestTheme)

} // namespace cardfit::tst_theme
#include "tst_theme.moc"
