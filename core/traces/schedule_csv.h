// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/pipeline/orders/operation.h"
#include "core/pipeline/orders/placement.h"
#include "core/pipeline/timeline/timeline.h"

/// Orders of operations as PyTorch's pipelines read and write them in their compute-only format
/// (torch/distributed/pipelining/schedules.py, _PipelineScheduleRuntime._load_csv): one line per rank, one cell per
/// operation in the order in which the rank runs them. A cell is the stage of the whole model, the kind and the
/// micro-batch, "3F5", with F, B, I and W as in OperationKind; "(0F7;7B3)OVERLAP_F_B" is an overlapped block. Empty
/// cells are steps in which the rank waits.
namespace cardfit {

/// What every rank runs, and where the stages are.
struct ScheduleOrder {
    std::vector<std::vector<Operation>> ranks;
    Placement placement = Placement::Loop;
    std::int64_t chunks = 1; ///< stages per rank
    std::int64_t microbatches = 0;

    bool operator==(const ScheduleOrder&) const = default;
};

/// The file's text, without empty cells: when ranks wait follows from the order.
/// Error OutOfRange for what the format cannot say: two copies of the stages (Bidirectional), weight updates between
/// micro-batches, forward passes alone, and more than kMostForwardPasses of them.
[[nodiscard]] Result<std::string> scheduleCsv(const Timeline& timeline);

/// An order that runs each pass of each stage once: the forward pass, then B or I and later W. The stages lie as in
/// Placement::Loop or Placement::V. The simulator detects deadlocks between ranks, not this function. Errors name line
/// and column, the column being the number of the cell: WrongFormat for what is no operation, OutOfRange for one that
/// cannot stand there.
[[nodiscard]] Result<ScheduleOrder> parseScheduleCsv(std::string_view text);

/// The same from a file of up to 256 MiB.
[[nodiscard]] Result<ScheduleOrder> readScheduleCsv(const std::filesystem::path& file);

} // namespace cardfit
