// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace cardfit {

[[nodiscard]] bool isGzip(std::string_view bytes);

/// The content of a gzip file (RFC 1952); any other text unchanged. CannotRead: the content is larger than `limit`
/// bytes, none of which beyond the limit are unpacked; WrongFormat: the file is damaged.
[[nodiscard]] Result<std::string> unzipped(std::string bytes, std::size_t limit);

/// The first bytes of the content, at most 64 KiB, of the beginning of a file; a text that is no gzip file unchanged.
[[nodiscard]] std::string unzippedStart(std::string_view bytes);

} // namespace cardfit
