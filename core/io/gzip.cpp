// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gzip.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include <zlib.h>

namespace cardfit {

namespace {

constexpr std::string_view kMagic = "\x1f\x8b";
constexpr int kGzipOnly = MAX_WBITS + 16;

Result<std::string> damaged()
{
    return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected a gzip file, found one that is cut off or damaged"));
}

} // namespace

Result<std::string> unzipped(std::string text, std::size_t limit)
{
    if (!text.starts_with(kMagic)) return text;
    z_stream stream{};
    if (inflateInit2(&stream, kGzipOnly) != Z_OK) return damaged();
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> ends(&stream, &inflateEnd);
    stream.next_in = reinterpret_cast<Bytef*>(text.data());
    stream.avail_in = static_cast<uInt>(text.size());
    std::string content;
    int state = Z_OK;
    while (state == Z_OK) {
        constexpr std::size_t kFirst = std::size_t{1} << 20;
        const std::size_t done = content.size();
        if (done > limit) return fail(ErrorCode::WrongFormat, {}, Sentence::tr("is larger than {} bytes", {limit}));
        content.resize(std::max(kFirst, 2 * done));
        stream.next_out = reinterpret_cast<Bytef*>(content.data() + done);
        stream.avail_out = static_cast<uInt>(content.size() - done);
        state = inflate(&stream, Z_NO_FLUSH);
        content.erase(content.size() - stream.avail_out);
        if (content.size() == done && state == Z_OK) return damaged();
    }
    if (state != Z_STREAM_END) return damaged();
    return content;
}

} // namespace cardfit
