// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/launch/option_edits.h"
#include "core/plan/fields.h"

/// A launcher's options as rows. One that sets one member of a plan and nothing else is read by readRows() and written
/// by OptionWriter; its row says all. Internal to core/launch.
namespace cardfit {

struct OptionRow {
    std::string_view option;
    std::string_view field =
        {}; ///< JSON pointer of the member, see pointerOf(); empty: code reads and writes the option
    Written written = Written::Always; ///< of numbers; a switch is written if it is on
    bool negated = false; ///< a switch that sets the member to false
};

/// Reads the rows whose field stands in `group` ("/model/moe"), which must be in the plan. The numbers that a plan file
/// may hold are accepted. A missing option leaves the plan's number.
template <class Reader>
void readRows(std::span<const OptionRow> rows, std::string_view group, Reader& reader, Plan& plan)
{
    for (const OptionRow& row : rows) {
        if (row.field.empty() || groupOf(row.field) != group) continue;
        const Field& field = *fieldAt(row.field);
        const std::string option(row.option);
        if (field.type == FieldType::Flag) {
            bool on = std::get<bool>(field.get(plan)) != row.negated;
            reader.read(option, on);
            field.set(plan, on != row.negated);
            continue;
        }
        if (!reader.has(option)) continue;
        if (field.type == FieldType::Whole) {
            const FieldValue before = field.get(plan);
            const auto* known = std::get_if<std::int64_t>(&before);
            const auto least = static_cast<std::int64_t>(field.range.least);
            std::int64_t number = known != nullptr ? *known : least;
            reader.read(option, number, least);
            field.set(plan, number);
        } else if constexpr (requires(double& number) { reader.read(option, number, 0.0, 1.0); }) {
            double number = std::get<double>(field.get(plan));
            reader.read(option, number, field.range.least, field.range.most);
            field.set(plan, number);
        }
    }
}

/// Collects a launcher's options in any order; they are written in the order of its rows.
class OptionWriter {
public:
    /// Sets the options of rows with a field. A group that is absent has none.
    OptionWriter(std::span<const OptionRow> rows, const Plan& plan);

    /// A switch.
    void set(std::string_view option) { m_values[option] = {}; }
    template <class Value> void set(std::string_view option, const Value& value)
    {
        m_values[option] = fmt::format("{}", value);
    }
    void setIf(bool wanted, std::string_view option)
    {
        if (wanted) set(option);
    }

    /// In the order of the rows; options without a row come last.
    [[nodiscard]] LaunchOptions take() const;

private:
    std::span<const OptionRow> m_rows;
    std::map<std::string_view, std::string> m_values;
};

} // namespace cardfit
