// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_names.h"
#include "core/plan/plan.h"

/// The words of every choice in a plan: one row per enumerator in choices.cpp, which readers, writers, command line and
/// window share. A row that is missing does not compile.
namespace cardfit {

template <> std::span<const EnumName<Generation>> names();
template <> std::span<const EnumName<Norm>> names();
template <> std::span<const EnumName<PositionEmbedding>> names();
template <> std::span<const EnumName<Task>> names();
template <> std::span<const EnumName<Framework>> names();
template <> std::span<const EnumName<Engine>> names();
template <> std::span<const EnumName<Kernels>> names();
template <> std::span<const EnumName<Precision>> names();
template <> std::span<const EnumName<GradientPrecision>> names();
template <> std::span<const EnumName<Optimizer>> names();
template <> std::span<const EnumName<MomentPrecision>> names();
template <> std::span<const EnumName<Sharding>> names();
template <> std::span<const EnumName<Attention>> names();
template <> std::span<const EnumName<Loss>> names();
template <> std::span<const EnumName<RecomputeGranularity>> names();
template <> std::span<const EnumName<RecomputeMethod>> names();
template <> std::span<const EnumName<RecomputeModule>> names();
template <> std::span<const EnumName<Dispatcher>> names();
template <> std::span<const EnumName<CudaGraph>> names();
template <> std::span<const EnumName<ContextCommunication>> names();
template <> std::span<const EnumName<LayerBalance>> names();
template <> std::span<const EnumName<LinearAttentionRule>> names();
template <> std::span<const EnumName<LayerType>> names();
template <> std::span<const EnumName<RankOrder>> names();
template <> std::span<const EnumName<AdapterTarget>> names();
template <> std::span<const EnumName<GradientSync>> names();
template <> std::span<const EnumName<Quantizer>> names();
template <> std::span<const EnumName<OptimizerImplementation>> names();
template <> std::span<const EnumName<Loss>> olderNames();
template <> std::span<const EnumName<AdapterTarget>> olderNames();
template <> std::span<const EnumName<Dispatcher>> olderNames();

} // namespace cardfit
