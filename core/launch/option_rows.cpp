// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/option_rows.h"

#include <algorithm>

namespace cardfit {

OptionWriter::OptionWriter(std::span<const OptionRow> rows, const Plan& plan)
    : m_rows(rows)
{
    for (const OptionRow& row : rows) {
        if (row.field.empty()) continue;
        const Field& field = *fieldAt(row.field);
        const FieldValue value = field.get(plan);
        if (const bool* on = std::get_if<bool>(&value)) {
            setIf(*on != row.negated, row.option);
            continue;
        }
        if (row.written == Written::UnlessDefault && value == field.default_value()) continue;
        if (const auto* whole = std::get_if<std::int64_t>(&value)) set(row.option, *whole);
        if (const auto* number = std::get_if<double>(&value)) set(row.option, *number);
    }
}

LaunchOptions OptionWriter::take() const
{
    LaunchOptions options;
    for (const OptionRow& row : m_rows) {
        if (const auto found = m_values.find(row.option); found != m_values.end())
            options.push_back({std::string(found->first), found->second});
    }
    for (const auto& [option, value] : m_values) {
        if (std::ranges::find(m_rows, option, &OptionRow::option) == m_rows.end())
            options.push_back({std::string(option), value});
    }
    return options;
}

} // namespace cardfit
