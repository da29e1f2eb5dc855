// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QObject>

/// The tests of a folder are one program, compiled and linked once; its first argument says which of them to run:
///
///     build/dev/tests/core_tests tst_units [arguments of Qt Test]
///
/// Without one it runs all of them; --list prints their names.
namespace cardfit::test {

using MakeTest = std::unique_ptr<QObject> (*)();

/// Makes a test known under the name of its file. Always true, for a static to be initialised with.
bool addTest(const char* file, MakeTest make);

} // namespace cardfit::test

/// Stands at the end of a test's file in place of QTEST_MAIN().
#define CARDFIT_TEST(Class)                                                                                            \
    [[maybe_unused]] static const bool kAdded##Class =                                                                 \
        cardfit::test::addTest(__FILE_NAME__, []() -> std::unique_ptr<QObject> { return std::make_unique<Class>(); });

/// For a test of windows and charts, which also runs on a real X server.
#define CARDFIT_WINDOW_TEST(Class) CARDFIT_TEST(Class)
