// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/gzip.h"

#include <string_view>

#include <zlib.h>

namespace cardfit {

namespace {

constexpr std::string_view kMagic = "\x1f\x8b";
constexpr int kGzipOnly = MAX_WBITS + 16;

constexpr std::size_t kBlock = std::size_t{1} << 16;

/// A stream that is read block by block.
class Inflater {
public:
    explicit Inflater(std::string_view bytes)
        : m_begun(inflateInit2(&m_stream, kGzipOnly) == Z_OK)
    {
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); // zlib does not write there
        m_stream.avail_in = static_cast<uInt>(bytes.size());
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater()
    {
        if (m_begun) inflateEnd(&m_stream);
    }

    /// What comes next; empty at the end, and where the stream is cut off or damaged.
    std::string_view next()
    {
        if (!m_begun || m_state != Z_OK) return {};
        m_stream.next_out = reinterpret_cast<Bytef*>(m_block.data());
        m_stream.avail_out = static_cast<uInt>(m_block.size());
        m_state = inflate(&m_stream, Z_NO_FLUSH);
        return std::string_view(m_block).substr(0, m_block.size() - m_stream.avail_out);
    }
    [[nodiscard]] bool whole() const { return m_state == Z_STREAM_END; }

private:
    z_stream m_stream{};
    bool m_begun;
    int m_state = Z_OK;
    std::string m_block = std::string(kBlock, '\0');
};

} // namespace

bool isGzip(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<std::string> unzipped(std::string bytes, std::size_t limit)
{
    if (!isGzip(bytes)) return bytes;
    Inflater inflater(bytes);
    std::string content;
    for (std::string_view part = inflater.next(); !part.empty(); part = inflater.next()) {
        if (content.size() + part.size() > limit)
            return fail(
                ErrorCode::CannotRead, {}, Sentence::tr("is larger than {} bytes when it is unpacked", {limit}));
        content += part;
    }
    if (inflater.whole()) return content;
    return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected a gzip file, found one that is cut off or damaged"));
}

std::string unzippedStart(std::string_view bytes)
{
    return isGzip(bytes) ? std::string(Inflater(bytes).next()) : std::string(bytes);
}

} // namespace cardfit
