// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launch/flag_reader.h"
#include "core/plan/plan.h"

namespace cardfit {

/// Nodes and cards as torchrun or Slurm were told, before the program or behind it; what they were not told stays, and
/// a note of `program` says so.
void readCards(FlagReader& runner, FlagReader& program, Cluster& cluster);

} // namespace cardfit
