// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pipeline/orders/v_shaped.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/pipeline/orders/table.h"

namespace cardfit {

namespace {

/// Time is counted in slots; every operation takes one.
using Slot = std::int32_t;

/// A block is repeated every six slots, one for each operation of a micro-batch on a rank.
constexpr Slot kPeriod = 6;

/// What a slot holds. A micro-batch goes through the ranks four times, in this order: down to the last rank and back up
/// with the activations, down and up again with the gradients.
enum CellKind : std::uint8_t { ForwardDown, ForwardUp, GradientDown, GradientUp, WeightOfDown, WeightOfUp, Free };
constexpr std::size_t kCellKinds = 6;

bool isForward(CellKind kind) { return kind == ForwardDown || kind == ForwardUp; }
bool isGradient(CellKind kind) { return kind == GradientDown || kind == GradientUp; }
bool isWeight(CellKind kind) { return kind == WeightOfDown || kind == WeightOfUp; }
bool goesDown(CellKind kind) { return kind == ForwardDown || kind == GradientDown; }

/// The weight gradient that an input gradient makes possible.
CellKind weightOf(CellKind gradient) { return gradient == GradientDown ? WeightOfDown : WeightOfUp; }

struct Cell {
    CellKind kind = Free;
    bool cooling_down = false; ///< for Primus' rules
    std::int32_t index = 0; ///< micro-batch; of an anonymous weight gradient: how many come before it
};

/// One rank: its cells by slot, and the slots of each kind of cell by index.
struct Row {
    std::vector<Cell> cells;
    std::array<std::vector<Slot>, kCellKinds> slots;

    Cell at(Slot slot) const
    {
        return static_cast<std::size_t>(slot) < cells.size() ? cells[static_cast<std::size_t>(slot)] : Cell{};
    }
    Slot end() const { return static_cast<Slot>(cells.size()); }
    Slot slotOf(CellKind kind, std::int32_t index) const { return slots[kind][static_cast<std::size_t>(index)]; }
    void put(Slot slot, const Cell& cell)
    {
        if (slot >= end()) cells.resize(static_cast<std::size_t>(slot) + 1);
        cells[static_cast<std::size_t>(slot)] = cell;
        std::vector<Slot>& of_kind = slots[cell.kind];
        const auto index = static_cast<std::size_t>(cell.index);
        if (index >= of_kind.size()) of_kind.resize(index + 1);
        of_kind[index] = slot;
    }
    void clear(Slot slot) { cells[static_cast<std::size_t>(slot)] = {}; }
    void move(Slot from, Slot to)
    {
        if (from == to) return;
        const Cell cell = at(from);
        clear(from);
        put(to, cell);
    }
    /// First free slot of [from, before); `before` if there is none.
    Slot firstFree(Slot from, Slot before) const
    {
        while (from < before && at(from).kind != Free)
            ++from;
        return std::min(from, before);
    }
};

using Grid = std::vector<Row>;

Slot endOf(const Grid& grid)
{
    Slot end = 0;
    for (const Row& row : grid)
        end = std::max(end, row.end());
    return end;
}

/// The slots of a rank's first micro-batch. The waits keep its four operations in different slots of the period.
std::array<Slot, 4> buildingBlock(VShape shape, Slot stages, Slot rank)
{
    const Slot last = stages - 1;
    if (shape == VShape::Half) {
        // Forward passes and gradients go down at half the speed at which they come up.
        const Slot wait = stages % 2 == 0 ? 3 : 0;
        const Slot gradient = 3 * stages - 1 + wait;
        return {2 * rank, 2 * stages - 1 + last - rank, gradient + 2 * rank, gradient + 2 * stages + last - rank};
    }
    const Slot wait = stages % 3 == 0 ? 2 : 0;
    const Slot gradient = 2 * stages + wait;
    return {rank, stages + last - rank, gradient + rank, gradient + stages + last - rank};
}

Grid repeatedBlock(VShape shape, Slot stages, std::int32_t microbatches)
{
    Grid grid(static_cast<std::size_t>(stages));
    for (Slot rank = 0; rank < stages; ++rank) {
        Row& row = grid[static_cast<std::size_t>(rank)];
        const std::array<Slot, 4> block = buildingBlock(shape, stages, rank);
        row.cells.resize(static_cast<std::size_t>(block[GradientUp] + kPeriod * (microbatches - 1) + 1));
        for (const CellKind kind : {ForwardDown, ForwardUp, GradientDown, GradientUp}) {
            row.slots[kind].resize(static_cast<std::size_t>(microbatches));
            for (std::int32_t i = 0; i < microbatches; ++i)
                row.put(block[kind] + kPeriod * i, {kind, false, i});
        }
    }
    return grid;
}

/// Which weight gradient goes first: that of the oldest input gradient; those of chunk 1; or it is left open.
enum class WeightOrder { Oldest, SecondChunk, Anonymous };

/// Puts weight gradients into free slots, as soon as there is one to run, and the rest at the end.
void addWeights(Row& row, WeightOrder order)
{
    std::vector<CellKind> oldest; // of every input gradient so far
    std::array<std::int32_t, kCellKinds> seen = {}, done = {};
    std::size_t added = 0;
    const Slot end = row.end();
    for (Slot slot = 0; slot < end || added < oldest.size(); ++slot) {
        const CellKind kind = row.at(slot).kind;
        if (isGradient(kind)) {
            oldest.push_back(weightOf(kind));
            ++seen[weightOf(kind)];
        } else if (kind == Free && added < oldest.size()) {
            CellKind next = WeightOfDown;
            if (order == WeightOrder::Oldest) next = oldest[added];
            if (order == WeightOrder::SecondChunk && done[WeightOfDown] == seen[WeightOfDown]) next = WeightOfUp;
            row.put(slot, {next, false, done[next]++});
            ++added;
        }
    }
}

void addWeights(Grid& grid, WeightOrder order)
{
    for (Row& row : grid)
        addWeights(row, order);
}

void removeWeights(Grid& grid)
{
    for (Row& row : grid) {
        for (const CellKind kind : {WeightOfDown, WeightOfUp}) {
            for (const Slot slot : row.slots[kind])
                row.clear(slot);
            row.slots[kind].clear();
        }
        while (row.cells.back().kind == Free)
            row.cells.pop_back();
    }
}

/// The first slot in which a forward pass or input gradient has its inputs: after the micro-batch before it, and after
/// the same micro-batch on the rank it comes from.
Slot earliest(const Grid& grid, std::size_t rank, const Cell& cell)
{
    Slot after = cell.index > 0 ? grid[rank].slotOf(cell.kind, cell.index - 1) : -1;
    const bool down = goesDown(cell.kind);
    if (rank != (down ? 0 : grid.size() - 1)) {
        after = std::max(after, grid[down ? rank - 1 : rank + 1].slotOf(cell.kind, cell.index));
    } else if (cell.kind != ForwardDown) {
        after = std::max(after, grid[rank].slotOf(static_cast<CellKind>(cell.kind - 1), cell.index));
    }
    return after + 1;
}

/// earliest() of a weight gradient: after its own input gradient and the previous weight gradient of its kind.
Slot earliestOwnWeight(const Row& row, const Cell& cell)
{
    const Slot before = cell.index > 0 ? row.slotOf(cell.kind, cell.index - 1) : -1;
    const CellKind gradient = cell.kind == WeightOfDown ? GradientDown : GradientUp;
    return std::max(before, row.slotOf(gradient, cell.index)) + 1;
}

/// earliest() of an anonymous weight gradient, number n: after n + 1 input gradients.
Slot earliestAnyWeight(const Row& row, const Cell& cell)
{
    const std::vector<Slot>& down = row.slots[GradientDown];
    const std::vector<Slot>& up = row.slots[GradientUp];
    const auto before = static_cast<std::size_t>(cell.index);
    // How many of the input gradients before it go down; both lists ascend.
    std::size_t low = before > up.size() ? before - up.size() : 0;
    std::size_t high = std::min(before, down.size());
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (down[middle] < up[before - middle - 1]) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Slot after = std::numeric_limits<Slot>::max();
    if (low < down.size()) after = down[low];
    if (before - low < up.size()) after = std::min(after, up[before - low]);
    if (cell.index > 0) after = std::max(after, row.slotOf(cell.kind, cell.index - 1));
    return after + 1;
}

/// Chunks that a rank holds after every slot: one more after a forward pass, one less after a weight gradient.
/// Operations move far, so a change of many slots is stored in the nodes of a binary tree above them.
class HeldChunks {
public:
    explicit HeldChunks(const Row& row)
        : m_leaves(std::bit_ceil(std::max<std::size_t>(row.cells.size(), 1)))
        , m_nodes(2 * m_leaves)
    {
        std::int32_t now = 0;
        for (std::size_t slot = 0; slot < m_leaves; ++slot) {
            if (slot < row.cells.size()) {
                const CellKind kind = row.cells[slot].kind;
                now += isForward(kind) ? 1 : isWeight(kind) ? -1 : 0;
            }
            m_nodes[m_leaves + slot].most =
                slot < row.cells.size() ? now : std::numeric_limits<std::int32_t>::min() / 2;
        }
        for (std::size_t node = m_leaves - 1; node > 0; --node)
            findMost(node);
    }

    [[nodiscard]] std::int32_t most() const { return std::max(0, m_nodes[1].most); }

    /// Adds `more` to every slot of [from, before).
    void add(Slot from, Slot before, std::int32_t more)
    {
        if (from >= before) return;
        std::size_t left = m_leaves + static_cast<std::size_t>(from);
        std::size_t right = m_leaves + static_cast<std::size_t>(before) - 1;
        const std::array changed{left, right};
        const auto addTo = [&](std::size_t node) {
            m_nodes[node].added += more;
            m_nodes[node].most += more;
        };
        // The nodes that cover the range, from both ends.
        for (; left <= right; left /= 2, right /= 2) {
            if (left % 2 == 1) addTo(left++);
            if (right % 2 == 0) addTo(right--);
        }
        for (const std::size_t leaf : changed) {
            for (std::size_t node = leaf / 2; node > 0; node /= 2)
                findMost(node);
        }
    }

    /// The slot after the last one of [from, before) that holds `full` or more; `from` if none does.
    [[nodiscard]] Slot afterLastFull(Slot from, Slot before, std::int32_t full) const
    {
        const Slot found = lastFull(1, 0, static_cast<Slot>(m_leaves), from, before, full);
        return found < 0 ? from : found + 1;
    }

private:
    struct Node {
        std::int32_t added = 0; ///< to every slot below
        std::int32_t most = 0; ///< of the slots below, without what is added above
    };

    void findMost(std::size_t node)
    {
        m_nodes[node].most = std::max(m_nodes[2 * node].most, m_nodes[2 * node + 1].most) + m_nodes[node].added;
    }

    /// afterLastFull() below a node, which covers [begin, end): the last slot that holds `full` or more; -1 if none
    /// does.
    [[nodiscard]] Slot lastFull(std::size_t node, Slot begin, Slot end, Slot from, Slot before, std::int32_t full) const
    {
        if (end <= from || begin >= before || m_nodes[node].most < full) return -1;
        if (node >= m_leaves) return begin;
        const Slot middle = begin + (end - begin) / 2;
        const std::int32_t rest = full - m_nodes[node].added;
        const Slot found = lastFull(2 * node + 1, middle, end, from, before, rest);
        return found >= 0 ? found : lastFull(2 * node, begin, middle, from, before, rest);
    }

    std::size_t m_leaves;
    std::vector<Node> m_nodes; ///< the root is 1, below n are 2 n and 2 n + 1
};

/// Moves operations to the first free slot in which they can run without any rank holding more than the fullest one
/// did.
template <class Movable, class EarliestWeight>
void moveEarlier(Grid& grid, const Movable& movable, const EarliestWeight& earliestWeight)
{
    std::vector<HeldChunks> held(grid.begin(), grid.end());
    std::int32_t most = 0;
    for (const HeldChunks& row : held)
        most = std::max(most, row.most());
    const Slot end = endOf(grid);
    for (Slot slot = 0; slot < end; ++slot) {
        for (std::size_t rank = 0; rank < grid.size(); ++rank) {
            Row& row = grid[rank];
            const Cell cell = row.at(slot);
            if (cell.kind == Free || !movable(slot, rank)) continue;
            const Slot from = isWeight(cell.kind) ? earliestWeight(row, cell) : earliest(grid, rank, cell);
            Slot to = row.firstFree(from, slot);
            if (to == slot) continue;
            if (isForward(cell.kind)) {
                to = row.firstFree(held[rank].afterLastFull(to, slot, most), slot);
                held[rank].add(to, slot, 1);
            } else if (isWeight(cell.kind)) {
                held[rank].add(to, slot, -1);
            }
            row.move(slot, to);
        }
    }
}

/// Where the steady state of the whole grid begins and ends, for ZeroBubble's rules: from the first gradient back on
/// rank 0 to the last micro-batch that enters a rank after that.
struct Steady {
    std::pair<Slot, std::size_t> first, last; ///< slot and rank, both included

    explicit Steady(const Grid& grid)
        : first(grid.front().slotOf(GradientUp, 0), 0)
        , last(std::numeric_limits<Slot>::max(), 0)
    {
        for (std::size_t rank = 0; rank < grid.size(); ++rank) {
            const Slot entry = grid[rank].slots[ForwardDown].back();
            if (entry >= first.first) last = std::min(last, std::pair(entry, rank));
        }
    }
    bool before(Slot slot) const { return slot < first.first; }
    bool after(Slot slot, std::size_t rank) const { return std::pair(slot, rank) > last; }
};

/// Runs every operation as soon as it can, in the order of the slots.
void runAsSoonAsPossible(Grid& grid)
{
    const Slot end = endOf(grid);
    std::vector<Slot> next(grid.size(), 0);
    for (Slot slot = 0; slot < end; ++slot) {
        for (std::size_t rank = 0; rank < grid.size(); ++rank) {
            const Cell cell = grid[rank].at(slot);
            if (cell.kind == Free) continue;
            const Slot ready = isWeight(cell.kind) ? 0 : earliest(grid, rank, cell);
            const Slot to = std::max(next[rank], ready);
            grid[rank].move(slot, to);
            next[rank] = to + 1;
        }
    }
    for (std::size_t rank = 0; rank < grid.size(); ++rank)
        grid[rank].cells.resize(static_cast<std::size_t>(next[rank]));
}

/// A row without weight gradients, in which every free slot runs a weight gradient that waits, if there is one: tells
/// how much would be held.
class RowWithImpliedWeights {
public:
    explicit RowWithImpliedWeights(Row& row)
        : m_row(row)
        , m_states(row.cells.size())
    {
        State state;
        for (std::size_t slot = 0; slot < m_states.size(); ++slot) {
            state = state.then(row.cells[slot].kind);
            m_states[slot] = state;
        }
    }

    std::int32_t mostHeld() const
    {
        std::int32_t most = 0;
        for (const State& state : m_states)
            most = std::max(most, state.held);
        return most;
    }

    /// Moves what `from` holds to the earlier, free slot `to`, unless more than `most` chunks would be held then.
    bool move(Slot from, Slot to, std::int32_t most)
    {
        m_changed.clear();
        State state = to > 0 ? m_states[static_cast<std::size_t>(to) - 1] : State{};
        for (Slot slot = to; slot < m_row.end(); ++slot) {
            const CellKind kind = slot == to ? m_row.at(from).kind : slot == from ? Free : m_row.at(slot).kind;
            state = state.then(kind);
            if (state.held > most) return false;
            if (slot >= from && state == m_states[static_cast<std::size_t>(slot)]) break; // all the same from here on
            m_changed.push_back(state);
        }
        std::copy(m_changed.begin(), m_changed.end(), m_states.begin() + to);
        m_row.move(from, to);
        return true;
    }

private:
    struct State {
        std::int32_t held = 0;
        std::int32_t waiting = 0; ///< weight gradients

        bool operator==(const State&) const = default;
        State then(CellKind kind) const
        {
            if (isForward(kind)) return {held + 1, waiting};
            if (isGradient(kind)) return {held, waiting + 1};
            return waiting > 0 ? State{held - 1, waiting - 1} : *this;
        }
    };

    Row& m_row;
    std::vector<State> m_states; ///< after every slot
    std::vector<State> m_changed;
};

/// Moves the operations after the steady state to the first free slot in which they can run, without weight gradients.
void closeUpEndWithoutWeights(Grid& grid)
{
    const Steady steady(grid);
    std::vector<RowWithImpliedWeights> rows(grid.begin(), grid.end());
    std::int32_t most = 0;
    for (const RowWithImpliedWeights& row : rows)
        most = std::max(most, row.mostHeld());
    const Slot end = endOf(grid);
    for (Slot slot = 0; slot < end; ++slot) {
        for (std::size_t rank = 0; rank < grid.size(); ++rank) {
            const Cell cell = grid[rank].at(slot);
            if (cell.kind == Free || !steady.after(slot, rank)) continue;
            Slot to = grid[rank].firstFree(earliest(grid, rank, cell), slot);
            while (to < slot && !rows[rank].move(slot, to, most))
                to = grid[rank].firstFree(to + 1, slot);
        }
    }
}

void fillAsZeroBubble(Grid& grid)
{
    addWeights(grid, WeightOrder::Anonymous);
    const Steady steady(grid);
    moveEarlier(
        grid, [&steady](Slot slot, std::size_t rank) { return steady.before(slot) || steady.after(slot, rank); },
        earliestAnyWeight);
    runAsSoonAsPossible(grid);
    removeWeights(grid);
    closeUpEndWithoutWeights(grid);
    addWeights(grid, WeightOrder::Anonymous);
    runAsSoonAsPossible(grid);
    removeWeights(grid);
    addWeights(grid, WeightOrder::SecondChunk);
}

/// Marks what follows the last forward pass of a rank; with few micro-batches, only up to its first gradient back.
void markCoolDown(Row& row)
{
    const Slot last_forward = row.slots[ForwardUp].back();
    const Slot first_return = row.slots[GradientUp].front();
    const Slot end = first_return > last_forward ? first_return + 1 : row.end();
    for (Slot slot = last_forward + 1; slot < end; ++slot)
        row.cells[static_cast<std::size_t>(slot)].cooling_down = true;
}

/// Takes the weight gradients out of the cool-down, moves the rest earlier, and puts them back into free slots.
void closeUpCoolDown(Grid& grid)
{
    std::vector<std::vector<Cell>> weights(grid.size());
    const Slot end = endOf(grid);
    for (Slot slot = 0; slot < end; ++slot) {
        for (std::size_t rank = 0; rank < grid.size(); ++rank) {
            Row& row = grid[rank];
            const Cell cell = row.at(slot);
            if (!cell.cooling_down) continue;
            if (isWeight(cell.kind)) {
                weights[rank].push_back(cell);
                row.clear(slot);
            } else if (cell.kind != Free) {
                row.move(slot, row.firstFree(earliest(grid, rank, cell), slot));
            }
        }
    }
    for (std::size_t rank = 0; rank < grid.size(); ++rank) {
        Row& row = grid[rank];
        for (const Cell& cell : weights[rank])
            row.put(row.firstFree(earliestOwnWeight(row, cell), std::numeric_limits<Slot>::max()), cell);
    }
}

void fillAsPrimus(Grid& grid)
{
    addWeights(grid, WeightOrder::Oldest);
    for (Row& row : grid)
        markCoolDown(row);
    moveEarlier(
        grid, [](Slot, std::size_t) { return true; }, earliestOwnWeight);
    closeUpCoolDown(grid);
}

Operation operation(const Cell& cell)
{
    const bool down = cell.kind == ForwardDown || cell.kind == GradientUp || cell.kind == WeightOfUp;
    const OperationKind kind = isForward(cell.kind) ? OperationKind::Forward
        : isGradient(cell.kind)                     ? OperationKind::BackwardInput
                                                    : OperationKind::BackwardWeight;
    return {kind, static_cast<std::uint8_t>(down ? 0 : 1), cell.index};
}

} // namespace

std::vector<std::vector<Operation>> vShapedPrograms(
    VShape shape, GapFilling filling, std::int64_t stages, std::int64_t microbatches)
{
    Grid grid = repeatedBlock(shape, static_cast<Slot>(stages), static_cast<std::int32_t>(microbatches));
    if (filling == GapFilling::ZeroBubble) {
        fillAsZeroBubble(grid);
    } else {
        fillAsPrimus(grid);
    }
    std::vector<std::vector<Operation>> programs(grid.size());
    for (std::size_t rank = 0; rank < grid.size(); ++rank) {
        programs[rank].reserve(static_cast<std::size_t>(kPeriod * microbatches));
        for (const Cell& cell : grid[rank].cells) {
            if (cell.kind != Free) programs[rank].push_back(operation(cell));
        }
    }
    return programs;
}

} // namespace cardfit

namespace cardfit::orders {

FoldPeriod eachMicrobatchOfV(const ScheduleRequest& request) { return {vShapedSteadyFrom(request.stages), 1, 1}; }

std::vector<Operations> vHalf(const ScheduleRequest& request, std::int64_t microbatches)
{
    return vShapedPrograms(VShape::Half, recordedFilling(VShape::Half), request.stages, microbatches);
}

std::vector<Operations> vMin(const ScheduleRequest& request, std::int64_t microbatches)
{
    return vShapedPrograms(VShape::Min, recordedFilling(VShape::Min), request.stages, microbatches);
}

} // namespace cardfit::orders
