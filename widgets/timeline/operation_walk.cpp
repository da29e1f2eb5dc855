// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/operation_walk.h"

namespace cardfit::ui {

namespace {

TimedOperation operationAt(const Timeline& timeline, OperationId id) { return timeline.ranks[id.rank][id.index]; }

} // namespace

Selection selectionOf(const Timeline& timeline, OperationId operation, bool lower)
{
    const OperationKind kind = operationAt(timeline, operation).operation.kind;
    return {operation, kind == OperationKind::Overlapped ? lower : kind != OperationKind::Forward};
}

Pass passOf(const Timeline& timeline, const Selection& selection)
{
    const Operation operation = operationAt(timeline, selection.operation).operation;
    return selection.backward ? operation.backwardPass() : operation.forwardPass();
}

std::optional<Selection> predecessor(const Dependencies& dependencies, const Selection& selection)
{
    const Timeline& timeline = dependencies.timeline();
    const Counterparts inputs = dependencies.inputs(selection.operation);
    if (!selection.backward) {
        if (inputs.activations) return selectionOf(timeline, *inputs.activations, false);
        return std::nullopt;
    }
    if (inputs.gradient) return selectionOf(timeline, *inputs.gradient, true);
    // A backward pass uses what its forward pass kept; for weight gradients and updates, what is used comes from a
    // backward pass.
    const OperationKind kind = operationAt(timeline, selection.operation).operation.kind;
    if (inputs.kept) return selectionOf(timeline, *inputs.kept, !makesInputGradient(kind));
    return std::nullopt;
}

std::optional<Selection> successor(const Dependencies& dependencies, const Selection& selection)
{
    const Timeline& timeline = dependencies.timeline();
    const Counterparts outputs = dependencies.outputs(selection.operation);
    if (!selection.backward && outputs.activations) return selectionOf(timeline, *outputs.activations, false);
    if (selection.backward && outputs.gradient) return selectionOf(timeline, *outputs.gradient, true);
    if (outputs.kept) return selectionOf(timeline, *outputs.kept, true);
    return std::nullopt;
}

std::optional<Selection> neighbour(const Timeline& timeline, const Selection& selection, int by)
{
    const OperationId from = selection.operation;
    if (by < 0 && from.index == 0) return std::nullopt;
    const std::size_t index = by < 0 ? from.index - 1 : from.index + 1;
    if (index >= timeline.ranks[from.rank].size()) return std::nullopt;
    return selectionOf(timeline, {from.rank, index}, false);
}

} // namespace cardfit::ui
