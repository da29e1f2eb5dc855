// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace cardfit {

/// The notation of a formula. Html is the subset that Qt's text views show.
enum class Notation { Plain, Markdown, Latex, Html };

/// "8,192", "13.6", "0.516": whole numbers in groups of three digits, others with at most six digits after the point
/// and no zeros at the end.
[[nodiscard]] std::string groupedNumber(double value, Notation notation = Notation::Plain);

/// Gives the value of a symbol; nullopt if there is no such symbol.
using SymbolValues = std::function<std::optional<double>(std::string_view)>;

/// A formula of a term: numbers (13.6, 5e8), symbols (letters, digits and underscores: T, P_em), juxtaposition as
/// product, + - * / ^, parentheses and min(a, b). Products and quotients group from the left: "w T h / u" is (w T h) /
/// u and "a / b c" is (a / b) c.
class Formula {
public:
    /// Error WrongFormat: `where` names the character at which reading stopped, counted from 1.
    [[nodiscard]] static Result<Formula> parse(std::string_view text);

    /// Error UnknownName: a symbol has no value. Error OutOfRange: a division by zero.
    [[nodiscard]] Result<double> evaluate(const SymbolValues& values) const;

    /// In symbols: "w T h / u", "\frac{w T h}{u}".
    [[nodiscard]] std::string inSymbols(Notation notation) const;

    /// With every symbol replaced by its number: "2 x 8,192 x 8,192 / 8". Same errors as evaluate().
    [[nodiscard]] Result<std::string> inNumbers(Notation notation, const SymbolValues& values) const;

    /// Every symbol once, in the order in which they appear.
    [[nodiscard]] std::vector<std::string> symbols() const;

private:
    enum class Kind { Number, Symbol, Sum, Difference, Product, Quotient, Power, Negative, Minimum };
    struct Node {
        Kind kind = Kind::Number;
        double number = 0.0;
        std::string symbol{};
        std::size_t position = 0; ///< of its first character
        std::size_t left = 0; ///< indices into m_nodes
        std::size_t right = 0;
    };
    class Parser;
    class Writer;

    [[nodiscard]] Result<double> evaluate(std::size_t index, const SymbolValues& values) const;

    std::vector<Node> m_nodes; ///< the last is the whole formula
};

} // namespace cardfit
