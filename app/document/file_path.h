// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include <QFile>
#include <QString>

namespace cardfit::app {

/// Converts a path for core, in the file system's own encoding.
[[nodiscard]] inline std::filesystem::path toPath(const QString& path)
{
    return std::filesystem::path(QFile::encodeName(path).toStdString());
}

[[nodiscard]] inline QString fromPath(const std::filesystem::path& path)
{
    return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

} // namespace cardfit::app
