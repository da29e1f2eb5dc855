// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include <QString>

namespace cardfit::ui {

/// A name or word of core as it stands; what core says in sentences goes through translated().
[[nodiscard]] inline QString verbatim(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace cardfit::ui
