// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/json_import.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/launch/model_names.h"

namespace cardfit {

void readBatch(ObjectReader& json, std::string_view micro_batch, Plan& plan)
{
    constexpr std::string_view kSteps = "gradient_accumulation_steps";
    std::int64_t micro = 1;
    std::int64_t steps = 1;
    json.read(micro_batch, micro, kCount);
    json.read(kSteps, steps, kCount);
    if (!setBatch(plan, micro, steps)) refuseBatch(json, kSteps);
}

void refuseBatch(ObjectReader& json, std::string_view key)
{
    json.fail(
        ErrorCode::OutOfRange, json.pointer(key), Sentence::tr("expected a batch of at most 2^40 samples, found more"));
}

std::optional<Error> endReading(
    ObjectReader& json, std::span<const std::string_view> without_effect, const Findings& findings, Notes& notes)
{
    for (const std::string_view key : without_effect)
        json.skip(key);
    json.collectUnknown();
    if (findings.error) return findings.error;
    const auto whole = std::ranges::count_if(
        findings.unknown_paths, [](const std::string& path) { return path.find('/', 1) == std::string::npos; });
    if (whole > 0 && static_cast<std::size_t>(whole) == json.size())
        return Error{ErrorCode::WrongFormat, {}, Sentence::verbatim(findings.unknown_paths.front()),
            Sentence::tr("neither it nor any other key of the file is one of this launcher")};
    for (const std::string& path : findings.unknown_paths)
        notes.addUnknown(path);
    return std::nullopt;
}

} // namespace cardfit
