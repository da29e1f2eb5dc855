// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"

namespace cardfit {

/// The content of a gzip file (RFC 1952), as PyTorch's profiler writes traces; any other text unchanged. Error
/// WrongFormat: it is damaged, or its content is larger than `limit` bytes.
[[nodiscard]] Result<std::string> unzipped(std::string text, std::size_t limit);

} // namespace cardfit
