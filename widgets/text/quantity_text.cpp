// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/quantity_text.h"

#include <array>
#include <cmath>
#include <optional>

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace cardfit::ui {

namespace {

struct QuantityText {
    Q_DECLARE_TR_FUNCTIONS(cardfit::ui::QuantityText)
};

using Parsed = tl::expected<double, QString>;

constexpr double kKibi = 1024.0;
constexpr double kMebi = kKibi * kKibi;
constexpr double kGibi = kKibi * kMebi;
constexpr double kFromGibi = 10.0 * kGibi; ///< bytes from this size on are written in GiB, smaller ones in MiB
constexpr double kBillion = 1e9;
/// Bare numbers below this are billions in a field for a model's size; nobody plans a model of 20,000 parameters.
constexpr double kLargestBareBillions = 2e4;
constexpr double kLargestExact = 9007199254740992.0; ///< 2^53: every whole number up to here is exact in a double

struct Suffix {
    QStringView word;
    double decimal; ///< factor, except in token counts
    double binary; ///< factor in token counts
};
constexpr std::array<Suffix, 15> kSuffixes{{
    {u"k", 1e3, kKibi},
    {u"K", 1e3, kKibi},
    {u"M", 1e6, kKibi* kKibi},
    {u"G", 1e9, kKibi* kKibi* kKibi},
    {u"T", 1e12, 1e12},
    {u"Ki", kKibi, kKibi},
    {u"Mi", kKibi* kKibi, kKibi* kKibi},
    {u"Gi", kKibi* kKibi* kKibi, kKibi* kKibi* kKibi},
    {u"Ti", kKibi* kKibi* kKibi* kKibi, kKibi* kKibi* kKibi* kKibi},
    {u"B", 1e9, 1e9},
    {u"b", 1e9, 1e9},
    {u"bn", 1e9, 1e9},
    {u"billion", 1e9, 1e9},
    {u"million", 1e6, 1e6},
    {u"trillion", 1e12, 1e12},
}};

std::optional<double> suffixFactor(QStringView word, QuantityKind kind, bool tokens)
{
    if (kind == QuantityKind::Bytes) {
        if (word == u"B") return 1.0;
        if (word.endsWith(u'B')) word.chop(1);
    }
    for (const Suffix& suffix : kSuffixes) {
        if (suffix.word == word) return tokens ? suffix.binary : suffix.decimal;
    }
    return std::nullopt;
}

bool isTokenWord(QStringView word) { return word == u"tokens" || word == u"token" || word == u"tok"; }

QString expectation(const QuantityFormat& format)
{
    switch (format.kind) {
    case QuantityKind::Parameters: return QuantityText::tr("Expected a size such as 13B, 70.6B or 1.5e9.");
    case QuantityKind::Tokens: return QuantityText::tr("Expected a number of tokens such as 4096, 4k or 2^12.");
    case QuantityKind::TokenBudget: return QuantityText::tr("Expected a number of tokens such as 1T, 300B or 1.5e12.");
    case QuantityKind::Bytes: return QuantityText::tr("Expected an amount of memory such as 80GiB or 81920MiB.");
    case QuantityKind::Count: break;
    }
    if (format.tokens_per_unit > 0.0)
        return QuantityText::tr("Expected a number of sequences such as 512 or 2^9, or of tokens such as 4M tokens.");
    if (format.whole) return QuantityText::tr("Expected a whole number such as 8, 8*8 or 2^6.");
    return QuantityText::tr("Expected a number such as 0.94.");
}

/// Recursive descent over "factor { (*|/) factor }", factor = "number [suffix] [^ factor]".
class Parser {
public:
    Parser(QStringView text, const QuantityFormat& format, bool tokens)
        : m_text(text)
        , m_format(format)
        , m_tokens(tokens)
    {
    }

    Parsed product()
    {
        Parsed value = factor();
        while (value) {
            const bool times = takeTimes();
            if (!times && !take(u"/")) break;
            const Parsed next = factor();
            if (!next) return next;
            *value = times ? *value * *next : *value / *next;
        }
        return value;
    }

    [[nodiscard]] QStringView rest() const { return m_text.mid(m_at).trimmed(); }
    /// Whether the text is a number without a suffix, power or product.
    [[nodiscard]] bool isBare() const { return m_bare; }

private:
    Parsed factor()
    {
        skipSpaces();
        const Parsed number = digits();
        if (!number) return number;
        double value = *number;
        const qsizetype before_spaces = m_at;
        skipSpaces();
        const QStringView word = letters();
        if (const auto scale = suffixFactor(word, m_format.kind, m_tokens)) {
            m_at += word.size();
            m_bare = false;
            value *= *scale;
        } else {
            m_at = before_spaces;
        }
        skipSpaces();
        if (take(u"**") || take(u"^")) {
            m_bare = false;
            const Parsed exponent = factor();
            if (!exponent) return exponent;
            value = std::pow(value, *exponent);
        }
        return value;
    }

    Parsed digits()
    {
        // Commas separate thousands only if every group has three digits, so that "1,5" stays one and a half.
        static const QRegularExpression grouped(
            QStringLiteral("[1-9]\\d{0,2}(?:[,_' \\x{a0}\\x{202f}]\\d{3})+(?!\\d)(?:\\.\\d+)?"));
        static const QRegularExpression plain(QStringLiteral("(?:\\d+(?:[.,]\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?"));
        const auto match = [&](const QRegularExpression& expression) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
            return expression.matchView(
#else
            return expression.match(
#endif
                m_text, m_at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        };
        auto found = match(grouped);
        QString number = found.captured();
        if (found.hasMatch()) {
            static const QRegularExpression separators(QStringLiteral("[,_' \\x{a0}\\x{202f}]"));
            number.remove(separators);
        } else {
            found = match(plain);
            number = found.captured().replace(u',', u'.');
        }
        bool understood = false;
        const double value = QLocale::c().toDouble(number, &understood);
        if (!found.hasMatch()) return tl::unexpected(QString());
        m_at = found.capturedEnd();
        // toDouble fails on overflow; returning infinity reports "too large" instead of "not a number".
        return understood ? value : std::numeric_limits<double>::infinity();
    }

    [[nodiscard]] QStringView letters() const
    {
        qsizetype end = m_at;
        while (end < m_text.size() && m_text[end].isLetter())
            ++end;
        return m_text.mid(m_at, end - m_at);
    }

    bool takeTimes()
    {
        skipSpaces();
        return take(u"*") || take(u"×") || take(u"·") || take(u"x") || take(u"X");
    }

    bool take(QStringView symbol)
    {
        if (!m_text.mid(m_at).startsWith(symbol)) return false;
        m_at += symbol.size();
        m_bare = false;
        return true;
    }

    void skipSpaces()
    {
        while (m_at < m_text.size() && m_text[m_at].isSpace())
            ++m_at;
    }

    QStringView m_text;
    const QuantityFormat& m_format;
    bool m_tokens;
    bool m_bare = true;
    qsizetype m_at = 0;
};

QStringView lastWord(QStringView text)
{
    qsizetype begin = text.size();
    while (begin > 0 && text[begin - 1].isLetter())
        --begin;
    return text.mid(begin);
}

QString grouped(double value)
{
    // English separators in every language, because the parser reads them back.
    QLocale english(QLocale::English, QLocale::UnitedStates);
    if (value == std::floor(value) && std::abs(value) < kLargestExact)
        return english.toString(static_cast<qlonglong>(value));
    return english.toString(value, 'g', 6);
}

/// The number with this many significant digits, without trailing zeros, never in exponent form.
QString significant(double value, int digits)
{
    if (value == 0.0) return QStringLiteral("0");
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const int decimals = std::max(0, digits - 1 - magnitude);
    QString text = QLocale(QLocale::English, QLocale::UnitedStates).toString(value, 'f', decimals);
    if (text.contains(u'.')) {
        while (text.endsWith(u'0'))
            text.chop(1);
        if (text.endsWith(u'.')) text.chop(1);
    }
    return text;
}

Parsed wholeOrReason(double value, double before_division, const QuantityFormat& format)
{
    const double rounded = std::round(value);
    // 70.6 x 1e9 has a rounding error in the last bit; an error this small is not a fraction that the user typed.
    if (std::abs(value - rounded) <= 1e-12 * std::abs(value)) return rounded;
    if (!format.whole) return value;
    if (before_division != value) {
        return tl::unexpected(
            QuantityText::tr("%1 tokens are not a whole number of sequences of %2; %3 or %4 are near.")
                .arg(grouped(before_division), grouped(format.tokens_per_unit), grouped(std::floor(value)),
                    grouped(std::ceil(value))));
    }
    return tl::unexpected(QuantityText::tr("%1 is not a whole number. %2").arg(grouped(value), expectation(format)));
}

} // namespace

tl::expected<double, QString> parseQuantity(QStringView text, const QuantityFormat& format)
{
    const QStringView trimmed = text.trimmed();
    if (trimmed.isEmpty()) return tl::unexpected(expectation(format));
    const bool is_budget = format.kind == QuantityKind::TokenBudget;
    const bool is_tokens = is_budget || format.kind == QuantityKind::Tokens;
    const bool counts_tokens = isTokenWord(lastWord(trimmed)) && (format.tokens_per_unit > 0.0 || is_tokens);

    Parser parser(trimmed, format, !is_budget && (counts_tokens || is_tokens));
    const Parsed product = parser.product();
    const QStringView rest = parser.rest();
    if (!product || !(rest.isEmpty() || (counts_tokens && isTokenWord(rest)))) {
        const QStringView found = product || !rest.isEmpty() ? rest : trimmed;
        return tl::unexpected(QuantityText::tr("“%1” is not understood. %2").arg(found, expectation(format)));
    }

    double amount = *product;
    if (format.kind == QuantityKind::Parameters && parser.isBare() && amount < kLargestBareBillions) amount *= kBillion;
    const bool divides = counts_tokens && !is_tokens;
    const double value = divides ? amount / format.tokens_per_unit : amount;
    if (!std::isfinite(value) || (format.whole && std::abs(value) > kLargestExact))
        return tl::unexpected(QuantityText::tr("“%1” is too large. %2").arg(trimmed, expectation(format)));
    const Parsed whole = wholeOrReason(value, amount, format);
    if (!whole) return whole;
    if (*whole < format.minimum) {
        return tl::unexpected(
            QuantityText::tr("The smallest value is %1.").arg(formatQuantity(format.minimum, format.kind)));
    }
    if (*whole > format.maximum) {
        return tl::unexpected(
            QuantityText::tr("The largest value is %1.").arg(formatQuantity(format.maximum, format.kind)));
    }
    return whole;
}

QString formatQuantity(double value, QuantityKind kind)
{
    switch (kind) {
    case QuantityKind::Parameters:
        if (std::abs(value) >= 0.1 * kBillion) return significant(value / kBillion, 4) + QStringLiteral(" B");
        return significant(value / 1e6, 4) + QStringLiteral(" M");
    case QuantityKind::Bytes:
        if (std::abs(value) >= kFromGibi) return significant(value / kGibi, 4) + QStringLiteral(" GiB");
        return significant(value / kMebi, 4) + QStringLiteral(" MiB");
    case QuantityKind::TokenBudget:
        if (std::abs(value) >= 1e12) return significant(value / 1e12, 4) + QStringLiteral(" T");
        if (std::abs(value) >= kBillion) return significant(value / kBillion, 4) + QStringLiteral(" B");
        if (std::abs(value) >= 1e6) return significant(value / 1e6, 4) + QStringLiteral(" M");
        break;
    case QuantityKind::Count:
    case QuantityKind::Tokens: break;
    }
    return grouped(value);
}

QString tickText(double value, QuantityKind kind)
{
    switch (kind) {
    case QuantityKind::Parameters: return significant(value / kBillion, 3);
    case QuantityKind::TokenBudget: return formatQuantity(value, kind).remove(u' ');
    case QuantityKind::Bytes:
        // In the unit of the field beside the rail.
        if (std::abs(value) >= kFromGibi) return significant(value / kGibi, 3) + QStringLiteral("Gi");
        return significant(value / kMebi, 4);
    case QuantityKind::Count:
        if (value < 1e4 || std::fmod(value, kKibi) != 0.0) return QString::number(value, 'g', 6);
        return QString::number(value / kKibi, 'g', 6) + QStringLiteral("Ki");
    case QuantityKind::Tokens: break;
    }
    if (value >= kKibi * kKibi && std::fmod(value, kKibi * kKibi) == 0.0)
        return QString::number(value / (kKibi * kKibi), 'g', 6) + u'M';
    if (value >= kKibi && std::fmod(value, kKibi / 2) == 0.0) return QString::number(value / kKibi, 'g', 6) + u'k';
    return QString::number(value, 'g', 6);
}

QString percentText(double fraction, int decimals)
{
    return QString::number(100.0 * fraction, 'f', decimals) + QStringLiteral(" %");
}

} // namespace cardfit::ui
