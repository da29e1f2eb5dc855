// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>

/// Runs the program as from a shell; CARDFIT_PROGRAM is its path in the build folder.
namespace cardfit::samples {

struct Answer {
    int code = -1; ///< -1: it did not finish in time
    QByteArray output, complaint;
};

inline Answer runCardfit(
    const QStringList& arguments, const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(CARDFIT_PROGRAM), arguments);
    if (!process.waitForFinished()) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace cardfit::samples
