// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

#include "core/files/json_reader.h"
#include "core/launch/huggingface/huggingface_families.h"

namespace cardfit {

/// A size and its key in the file.
template <class Value> struct SizeRow {
    std::string_view key;
    std::int64_t Value::*member;
};

template <class Rows, class Value> void readSizes(ObjectReader& json, const Rows& rows, Value& value)
{
    for (const auto& row : rows)
        json.read(row.key, value.*row.member, kCount);
}

inline constexpr std::int64_t kMostListedLayers = 65536;

/// Reads the kind of every layer and the sizes of these kinds, for families with other layers than ordinary attention.
void readHuggingFaceLayers(
    ObjectReader& json, const HuggingFaceFamily& family, std::string_view type, Architecture& shape);

} // namespace cardfit
