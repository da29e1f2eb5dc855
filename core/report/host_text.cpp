// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/host_text.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cardfit {

Sentence hostSentence(const Estimate& estimate, ByteUnit unit)
{
    if (estimate.hosts.empty()) return {};
    const HostMemory& host = estimate.hosts[estimate.fullestHost()];
    if (!host.offloads() && host[HostPart::Loading] == Bytes(0)) return {};
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < kHostPartCount; ++i) {
        if (host.bytes[i] != Bytes(0))
            parts.push_back(
                fmt::format("{} {}", hostPartName(static_cast<HostPart>(i)), formatBytes(host.bytes[i], unit)));
    }
    const std::string listed = fmt::format("{}", fmt::join(parts, ", "));
    if (!host.capacity)
        return Sentence::tr("node {}, {} cards: {} to {}, its memory is not known: {}",
            {host.node, host.cards, formatBytes(host.running(), unit), formatBytes(host.most(), unit), listed});
    return Sentence::tr("node {}, {} cards: {} to {} of {}: {}",
        {host.node, host.cards, formatBytes(host.running(), unit), formatBytes(host.most(), unit),
            formatBytes(*host.capacity, unit), listed});
}

} // namespace cardfit
