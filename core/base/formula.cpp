// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formula.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "core/base/read_number.h"

namespace cardfit {

namespace {

bool isDigit(char character) { return std::isdigit(static_cast<unsigned char>(character)) != 0; }
bool isLetter(char character) { return std::isalpha(static_cast<unsigned char>(character)) != 0; }
bool isSpace(char character) { return character == ' '; }

Sentence position(std::size_t index) { return Sentence::tr("character {}", {index + 1}); }

/// The sign between the factors of a product of numbers; symbols need none.
std::string_view times(Notation notation)
{
    switch (notation) {
    case Notation::Plain: return " x ";
    case Notation::Markdown:
    case Notation::Html: return " × ";
    case Notation::Latex: return " \\times ";
    }
    return {};
}

/// "P_em" with "em" as a subscript.
std::string symbolText(std::string_view name, Notation notation)
{
    if (notation == Notation::Plain || notation == Notation::Markdown) return std::string(name);
    const std::size_t bar = name.find('_');
    std::string base(name.substr(0, bar));
    const std::string_view index = bar == std::string_view::npos ? std::string_view() : name.substr(bar + 1);
    if (notation == Notation::Html) {
        if (base == "rho") base = "ρ";
        return index.empty() ? fmt::format("<i>{}</i>", base) : fmt::format("<i>{}</i><sub>{}</sub>", base, index);
    }
    if (base == "rho") base = "\\rho";
    return index.empty() ? base : fmt::format("{}_{{{}}}", base, index);
}

} // namespace

std::string groupedNumber(double value, Notation notation)
{
    std::string text = fmt::format("{:.6f}", std::abs(value));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    // Show tiny values with three significant digits instead of as 0.
    if (text == "0" && value != 0.0) text = fmt::format("{:.3g}", std::abs(value));
    const std::size_t whole = std::min(text.find_first_of(".e"), text.size());
    const std::string_view comma = notation == Notation::Latex ? "{,}" : ",";
    for (auto place = static_cast<std::ptrdiff_t>(whole) - 3; place > 0; place -= 3) {
        text.insert(static_cast<std::size_t>(place), comma);
    }
    return value < 0.0 && text != "0" ? "-" + text : text;
}

/// Recursive descent, one function per level of the grammar.
class Formula::Parser {
public:
    explicit Parser(std::string_view text)
        : m_text(text)
    {
    }

    Result<Formula> parse()
    {
        auto root = sum();
        if (!root) return tl::unexpected(root.error());
        skipSpace();
        if (m_at < m_text.size()) return wrong(Sentence::tr("expected the formula's end"));
        return std::move(m_formula);
    }

private:
    using Index = Result<std::size_t>;

    tl::unexpected<Error> wrong(Sentence expected) const
    {
        const Sentence found =
            m_at < m_text.size() ? Sentence::verbatim(fmt::format("'{}'", m_text[m_at])) : Sentence::tr("the end");
        return fail(ErrorCode::WrongFormat, position(m_at), Sentence::tr("{}, found {}", {std::move(expected), found}));
    }
    void skipSpace()
    {
        while (m_at < m_text.size() && isSpace(m_text[m_at]))
            ++m_at;
    }
    /// The next character that is not a space; NUL at the end.
    char next()
    {
        skipSpace();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool take(char character)
    {
        if (next() != character) return false;
        ++m_at;
        return true;
    }
    std::size_t add(Node node)
    {
        m_formula.m_nodes.push_back(std::move(node));
        return m_formula.m_nodes.size() - 1;
    }
    Index join(Kind kind, const Index& left, const Index& right)
    {
        if (!left) return left;
        if (!right) return right;
        return add({kind, 0.0, {}, m_formula.m_nodes[*left].position, *left, *right});
    }

    Index sum()
    {
        Index left = product();
        while (left && (next() == '+' || next() == '-')) {
            const Kind kind = next() == '+' ? Kind::Sum : Kind::Difference;
            ++m_at;
            left = join(kind, left, product());
        }
        return left;
    }

    Index product()
    {
        const std::size_t start = m_at;
        if (take('-')) {
            const Index operand = product();
            if (!operand) return operand;
            return add({Kind::Negative, 0.0, {}, start, *operand, *operand});
        }
        Index left = power();
        while (left) {
            const char character = next();
            if (character == '/' || character == '*') {
                ++m_at;
                left = join(character == '/' ? Kind::Quotient : Kind::Product, left, power());
            } else if (isDigit(character) || isLetter(character) || character == '(') {
                left = join(Kind::Product, left, power());
            } else {
                break;
            }
        }
        return left;
    }

    Index power()
    {
        Index base = atom();
        if (!base || !take('^')) return base;
        return join(Kind::Power, base, power());
    }

    Index atom()
    {
        const char character = next();
        if (isDigit(character)) return number();
        if (isLetter(character)) return symbolOrMinimum();
        if (!take('(')) return wrong(Sentence::tr("expected a number, a symbol or '('"));
        const Index inner = sum();
        if (inner && !take(')')) return wrong(Sentence::tr("expected ')'"));
        return inner;
    }

    Index number()
    {
        double value = 0.0;
        const char* const first = m_text.data() + m_at;
        const auto [end, error] = readNumber(first, m_text.data() + m_text.size(), value);
        if (error != std::errc{}) return wrong(Sentence::tr("expected a number"));
        const std::size_t start = m_at;
        m_at += static_cast<std::size_t>(end - first);
        return add({Kind::Number, value, {}, start, 0, 0});
    }

    Index symbolOrMinimum()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (isLetter(m_text[m_at]) || isDigit(m_text[m_at]) || m_text[m_at] == '_'))
            ++m_at;
        std::string name(m_text.substr(start, m_at - start));
        if (name != "min") return add({Kind::Symbol, 0.0, std::move(name), start, 0, 0});
        if (!take('(')) return wrong(Sentence::tr("expected '(' after min"));
        const Index left = sum();
        if (left && !take(',')) return wrong(Sentence::tr("expected ','"));
        const Index right = left ? sum() : left;
        if (right && !take(')')) return wrong(Sentence::tr("expected ')'"));
        return join(Kind::Minimum, left, right);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    Formula m_formula;
};

/// Writes a formula with the fewest parentheses that keep its meaning.
class Formula::Writer {
public:
    Writer(const Formula& formula, Notation notation, const SymbolValues* values)
        : m_formula(formula)
        , m_notation(notation)
        , m_values(values)
    {
    }

    [[nodiscard]] std::string write() const { return write(m_formula.m_nodes.size() - 1); }

private:
    /// How tightly a node binds; an operand that binds less needs parentheses.
    enum Level { Additive, Multiplicative, Exponential, Atomic };

    [[nodiscard]] bool latex() const { return m_notation == Notation::Latex; }
    [[nodiscard]] Level level(const Node& node) const
    {
        switch (node.kind) {
        case Kind::Sum:
        case Kind::Difference:
        case Kind::Negative: return Additive;
        case Kind::Product: return Multiplicative;
        case Kind::Quotient: return latex() ? Atomic : Multiplicative;
        case Kind::Power: return Exponential;
        case Kind::Symbol:
            return m_values != nullptr && (*m_values)(node.symbol).value_or(0.0) < 0.0 ? Additive : Atomic;
        case Kind::Number:
        case Kind::Minimum: break;
        }
        return Atomic;
    }

    [[nodiscard]] std::string operand(std::size_t index, Level least) const
    {
        std::string text = write(index);
        if (level(m_formula.m_nodes[index]) >= least) return text;
        return latex() ? fmt::format("\\left({}\\right)", text) : fmt::format("({})", text);
    }

    [[nodiscard]] std::string product(const Node& node) const
    {
        const std::string left = operand(node.left, Multiplicative);
        const std::string right = operand(node.right, Exponential);
        if (m_values != nullptr) return left + std::string(times(m_notation)) + right;
        return left + (latex() ? " \\, " : " ") + right;
    }

    [[nodiscard]] std::string quotient(const Node& node) const
    {
        if (latex()) return fmt::format("\\frac{{{}}}{{{}}}", write(node.left), write(node.right));
        return operand(node.left, Multiplicative) + " / " + operand(node.right, Exponential);
    }

    [[nodiscard]] std::string power(const Node& node) const
    {
        const std::string base = operand(node.left, Atomic);
        const std::string exponent = write(node.right);
        switch (m_notation) {
        case Notation::Latex: return fmt::format("{}^{{{}}}", base, exponent);
        case Notation::Html: return fmt::format("{}<sup>{}</sup>", base, exponent);
        case Notation::Plain:
        case Notation::Markdown: break;
        }
        return fmt::format("{}^{}", base, operand(node.right, Atomic));
    }

    [[nodiscard]] std::string write(std::size_t index) const
    {
        const Node& node = m_formula.m_nodes[index];
        switch (node.kind) {
        case Kind::Number: return groupedNumber(node.number, m_notation);
        case Kind::Symbol:
            if (m_values == nullptr) return symbolText(node.symbol, m_notation);
            return groupedNumber((*m_values)(node.symbol).value_or(0.0), m_notation);
        case Kind::Sum: return operand(node.left, Additive) + " + " + operand(node.right, Additive);
        case Kind::Difference: return operand(node.left, Additive) + " - " + operand(node.right, Multiplicative);
        case Kind::Product: return product(node);
        case Kind::Quotient: return quotient(node);
        case Kind::Power: return power(node);
        case Kind::Negative: return "-" + operand(node.left, Multiplicative);
        case Kind::Minimum:
            return fmt::format("{}({}, {})", latex() ? "\\min" : "min", write(node.left), write(node.right));
        }
        return {};
    }

    const Formula& m_formula;
    Notation m_notation;
    const SymbolValues* m_values; ///< null: write symbols
};

Result<Formula> Formula::parse(std::string_view text) { return Parser(text).parse(); }

Result<double> Formula::evaluate(const SymbolValues& values) const { return evaluate(m_nodes.size() - 1, values); }

Result<double> Formula::evaluate(std::size_t index, const SymbolValues& values) const
{
    const Node& node = m_nodes[index];
    if (node.kind == Kind::Number) return node.number;
    if (node.kind == Kind::Symbol) {
        if (const auto value = values(node.symbol)) return *value;
        return fail(
            ErrorCode::UnknownName, position(node.position), Sentence::tr("no value for the symbol {}", {node.symbol}));
    }
    const auto left = evaluate(node.left, values);
    if (!left) return left;
    if (node.kind == Kind::Negative) return -*left;
    const auto right = evaluate(node.right, values);
    if (!right) return right;
    switch (node.kind) {
    case Kind::Sum: return *left + *right;
    case Kind::Difference: return *left - *right;
    case Kind::Product: return *left * *right;
    case Kind::Power: return std::pow(*left, *right);
    case Kind::Minimum: return std::min(*left, *right);
    default: break;
    }
    if (*right == 0.0) {
        return fail(ErrorCode::OutOfRange, position(m_nodes[node.right].position), Sentence::tr("division by zero"));
    }
    return *left / *right;
}

std::string Formula::inSymbols(Notation notation) const { return Writer(*this, notation, nullptr).write(); }

Result<std::string> Formula::inNumbers(Notation notation, const SymbolValues& values) const
{
    if (const auto value = evaluate(values); !value) return tl::unexpected(value.error());
    return Writer(*this, notation, &values).write();
}

std::vector<std::string> Formula::symbols() const
{
    std::vector<const Node*> found;
    for (const Node& node : m_nodes) {
        if (node.kind == Kind::Symbol) found.push_back(&node);
    }
    std::ranges::sort(found, {}, &Node::position);
    std::vector<std::string> names;
    for (const Node* node : found) {
        if (std::ranges::find(names, node->symbol) == names.end()) names.push_back(node->symbol);
    }
    return names;
}

} // namespace cardfit
