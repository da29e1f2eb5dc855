// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/transfers.h"

#include <array>

namespace cardfit {

namespace {

constexpr std::array<EnumName<TransferModel>, 3> kTransferModelNames{{
    {TransferModel::Latency, "latency"},
    {TransferModel::Batched, "batched"},
    {TransferModel::Serialized, "serialized"},
}};

} // namespace

template <> std::span<const EnumName<TransferModel>> names() { return kTransferModelNames; }

} // namespace cardfit
