// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

#include <QString>
#include <QStringView>

#include <tl/expected.hpp>

/// Parses and formats numbers as people type them: "13B", "32Ki", "2^12", "8*8", "80GiB", "4M tokens".
namespace cardfit::ui {

/// What a field counts: decides which suffixes are accepted and how the value is written.
enum class QuantityKind {
    Count, ///< cards, layers, sequences: "512", "4,096"
    Parameters, ///< "13 B"; the field's unit is the billion, so a bare "13" is 13 B (and so is "13000000000")
    Tokens, ///< k, M and G are powers of 1,024, as in "a 128k context": 4k is 4,096
    Bytes, ///< "80 GiB"; B, GB and GiB are bytes
    TokenBudget, ///< "1 T", "300 B": tokens of a whole training run, in powers of 1,000
};

struct QuantityFormat {
    QuantityKind kind = QuantityKind::Count;
    bool whole = true; ///< a fraction is an error; it is never rounded
    double minimum = 1.0;
    double maximum = std::numeric_limits<double>::infinity();
    double tokens_per_unit = 0.0; ///< if above 0, "4M tokens" is divided by this, the sequence length

    bool operator==(const QuantityFormat&) const = default;
};

/// Parses a text; the error is one sentence that says what was expected. Accepts products ("8*8", "8 x 8"), powers
/// ("2^12"), quotients ("512/8"), digits grouped by commas, spaces or underscores, a decimal point or comma, and the
/// suffixes k M G T, Ki Mi Gi Ti and B (10^9; bytes where the field holds bytes). "tokens" divides by the sequence
/// length and reads k, M and G as QuantityKind::Tokens does.
[[nodiscard]] tl::expected<double, QString> parseQuantity(QStringView text, const QuantityFormat& format);

/// The shortest text that parses back to `value`, to the digits that matter: "4,096", "13 B", "70.6 B", "80 GiB".
[[nodiscard]] QString formatQuantity(double value, QuantityKind kind);

/// "8.5 %"
[[nodiscard]] QString percentText(double fraction, int decimals = 1);

/// The same in as few characters as possible, for ticks: "4k", "13", "0.1".
[[nodiscard]] QString tickText(double value, QuantityKind kind);

} // namespace cardfit::ui
