// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/test_program.h"

#include <cstdio>
#include <map>
#include <string>

#include <QtTest>

#ifdef CARDFIT_TEST_WINDOWS
#include <QApplication>
using Application = QApplication;
#else
#include <QCoreApplication>
using Application = QCoreApplication;
#endif

namespace cardfit::test {

namespace {

/// By the name of the file without its ending.
std::map<std::string, MakeTest>& tests()
{
    static std::map<std::string, MakeTest> all;
    return all;
}

int run(MakeTest make, int argc, char** argv)
{
    const std::unique_ptr<QObject> test = make();
    return QTest::qExec(test.get(), argc, argv);
}

} // namespace

bool addTest(const char* file, MakeTest make)
{
    const std::string name(file);
    tests().emplace(name.substr(0, name.rfind('.')), make);
    return true;
}

} // namespace cardfit::test

int main(int argc, char** argv)
{
    using namespace cardfit::test;
    const std::string wanted = argc > 1 ? argv[1] : "";
    if (wanted == "--list") {
        for (const auto& [name, make] : tests())
            std::printf("%s\n", name.c_str());
        return 0;
    }
    const auto named = tests().find(wanted);
    if (named != tests().end()) {
        // What is left looks like the command line of a program that holds this test alone.
        argv[1] = argv[0];
        ++argv;
        --argc;
    } else if (!wanted.empty() && !wanted.starts_with("-")) {
        std::fprintf(stderr, "there is no test %s; --list prints all names\n", wanted.c_str());
        return 64;
    }

    Application application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
    if (named != tests().end()) return run(named->second, argc, argv);
    int failed = 0;
    for (const auto& [name, make] : tests())
        failed += run(make, argc, argv);
    return failed;
}
