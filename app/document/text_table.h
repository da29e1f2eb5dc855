// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QStringList>

namespace cardfit::app {

/// A table of words and numbers, ready to be read.
struct TextTable {
    QStringList head;
    std::vector<QStringList> rows; ///< each as long as the head
    int numbers_from = 1; ///< columns from this one on are set flush right

    /// With tabs between cells and one row per line, the head first: what a spreadsheet pastes.
    [[nodiscard]] QString withTabs() const;
    bool operator==(const TextTable&) const = default;
};

} // namespace cardfit::app
