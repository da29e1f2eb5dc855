// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/files/file.h"

namespace cardfit {

/// Fails unless the table that README.md shows below the comment `<!-- command -->` is the one that the command prints.
inline void compareReadmeTable(std::string_view command, const std::string& table)
{
    const auto readme = readFile(CARDFIT_README);
    QVERIFY(readme);
    const std::string before = fmt::format("<!-- {} -->\n", command);
    const auto begin = readme->find(before);
    QVERIFY(begin != std::string::npos);
    const auto end = readme->find("<!-- end of table -->", begin);
    QVERIFY(end != std::string::npos);
    const auto shown = readme->substr(begin + before.size(), end - begin - before.size());
    QVERIFY2(shown == table,
        fmt::format("README.md holds another table; put this one between its two comments:\n{}", table).c_str());
}

} // namespace cardfit
