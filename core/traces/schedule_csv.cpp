// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/traces/schedule_csv.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/base/trimmed.h"
#include "core/files/file.h"
#include "core/files/foreign_text.h"
#include "core/pipeline/orders/schedules.h"

namespace cardfit {

namespace {

constexpr std::size_t kMostCsvBytes = 256U << 20;
constexpr std::string_view kBlockSuffix = "OVERLAP_F_B";
constexpr std::size_t kMostCsvChunks = std::numeric_limits<std::uint8_t>::max();

/// Where a cell stands, counted from 1.
struct Place {
    std::size_t line = 0;
    std::size_t column = 0;

    [[nodiscard]] Sentence text() const { return Sentence::tr("line {}, column {}", {line, column}); }
};

/// One half of a cell, or all of it.
struct Action {
    std::int64_t stage = 0;
    OperationKind kind = OperationKind::Forward;
    std::int32_t microbatch = 0;
};

/// What stands in a message, where a cell may be megabytes long.
std::string shown(std::string_view cell)
{
    constexpr std::size_t kLongest = 40;
    return fmt::format("\"{}{}\"", cell.substr(0, kLongest), cell.size() > kLongest ? "…" : "");
}

/// The stage or micro-batch that comes next; a sign is none.
std::optional<std::int32_t> takeIndex(TextCursor& text)
{
    return text.peek() == '-' ? std::nullopt : text.number<std::int32_t>();
}

std::optional<OperationKind> kindOf(std::string_view letters)
{
    for (const auto kind : {OperationKind::Forward, OperationKind::Backward, OperationKind::BackwardInput,
             OperationKind::BackwardWeight}) {
        if (operationLetters(kind) == letters) return kind;
    }
    return std::nullopt;
}

Result<Action> parseAction(std::string_view text, const Place& place)
{
    const auto refuse = [&](Sentence expectation) {
        return fail(ErrorCode::WrongFormat, place.text(),
            Sentence::tr("expected {}, found {}", {std::move(expectation), shown(text)}));
    };
    constexpr Phrase kAction = Sentence::tr("stage, F, B, I or W, and micro-batch, as in 3F5");
    TextCursor cursor(text);
    const auto stage = takeIndex(cursor);
    if (!stage) return refuse(kAction);
    const auto letters = cursor.takeWhile([](char c) { return c < '0' || c > '9'; });
    for (const std::string_view other : {"UNSHARD", "RESHARD", "REDUCE_GRAD", "SEND_F", "RECV_F", "SEND_B", "RECV_B"}) {
        if (letters == other)
            return refuse(Sentence::tr("an operation that computes (a schedule in the compute-only format)"));
    }
    const auto kind = kindOf(letters);
    if (!kind) return refuse(kAction);
    const auto microbatch = takeIndex(cursor);
    if (!microbatch || !cursor.atEnd()) return refuse(kAction);
    return Action{*stage, *kind, *microbatch};
}

/// The forward and the backward half of an overlapped block, in this order.
Result<std::pair<Action, Action>> parseBlock(std::string_view cell, const Place& place)
{
    const auto refuse = [&] {
        return fail(ErrorCode::WrongFormat, place.text(),
            Sentence::tr(
                "expected a forward and a whole backward pass, as in (0F7;7B3)OVERLAP_F_B, found {}", {shown(cell)}));
    };
    TextCursor cursor(cell);
    cursor.take(); // the bracket
    const auto first = cursor.takeUntil(';');
    const bool separated = cursor.takeIf(';');
    const auto second = cursor.takeUntil(')');
    if (!separated || !cursor.takeIf(')') || first.find(')') != std::string_view::npos || cursor.rest() != kBlockSuffix)
        return refuse();
    const auto one = parseAction(trimmed(first), place);
    if (!one) return tl::unexpected(one.error());
    const auto other = parseAction(trimmed(second), place);
    if (!other) return tl::unexpected(other.error());
    if (one->kind == OperationKind::Forward && other->kind == OperationKind::Backward) return std::pair(*one, *other);
    if (one->kind == OperationKind::Backward && other->kind == OperationKind::Forward) return std::pair(*other, *one);
    return refuse();
}

/// An operation of the file whose stage is not yet a chunk of a rank.
struct Cell {
    Action action;
    std::optional<Action> backward; ///< of an overlapped block
};

/// Collects operations rank by rank and sees that each is the right one to come next.
class OrderReader {
public:
    Result<void> readLine(std::string_view line)
    {
        m_place = {m_ranks.size() + 1, 0};
        m_ranks.emplace_back();
        for (bool more = true; more;) {
            ++m_place.column;
            const auto comma = line.find(',');
            more = comma != std::string_view::npos;
            const auto cell = trimmed(line.substr(0, comma));
            if (more) line.remove_prefix(comma + 1);
            if (cell.empty()) continue;
            if (auto read = readCell(cell); !read) return read;
        }
        if (!m_ranks.back().empty()) return {};
        return fail(ErrorCode::WrongFormat, Sentence::tr("line {}", {m_place.line}),
            Sentence::tr("expected the operations of rank {}, found none", {m_ranks.size() - 1}));
    }

    Result<ScheduleOrder> finish()
    {
        if (m_ranks.empty())
            return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected one line per rank, found an empty file"));
        if (auto complete = checkComplete(); !complete) return tl::unexpected(std::move(complete.error()));
        const auto placement = findPlacement();
        if (!placement) return tl::unexpected(placement.error());

        ScheduleOrder order;
        order.placement = *placement;
        order.chunks = static_cast<std::int64_t>(m_stages.size() / m_ranks.size());
        order.microbatches = m_microbatches;
        for (const auto& cells : m_ranks) {
            std::vector<Operation>& operations = order.ranks.emplace_back();
            operations.reserve(cells.size());
            for (const Cell& cell : cells)
                operations.push_back(operationOf(cell));
        }
        return order;
    }

private:
    /// What has been done for one micro-batch in one stage.
    struct Done {
        bool forward = false;
        bool whole = false; ///< B
        bool input = false; ///< I
        bool weights = false; ///< W
    };
    struct Stage {
        std::size_t rank = 0;
        Place first; ///< where it occurs first
        std::unordered_map<std::int32_t, Done> passes; ///< by micro-batch
    };

    tl::unexpected<Error> refuse(const Action& action, Sentence why) const
    {
        return fail(ErrorCode::OutOfRange, m_place.text(),
            Sentence::tr("{}: {}",
                {fmt::format("{}{}{}", action.stage, operationLetters(action.kind), action.microbatch),
                    std::move(why)}));
    }

    Result<void> readCell(std::string_view cell)
    {
        if (cell.front() != '(') {
            const auto action = parseAction(cell, m_place);
            if (!action) return tl::unexpected(action.error());
            m_ranks.back().push_back({*action, std::nullopt});
            return take(*action);
        }
        const auto halves = parseBlock(cell, m_place);
        if (!halves) return tl::unexpected(halves.error());
        m_ranks.back().push_back({halves->first, halves->second});
        // The halves run at once, so neither can be the other's input.
        if (auto taken = take(halves->second); !taken) return taken;
        return take(halves->first);
    }

    Result<void> take(const Action& action)
    {
        const std::size_t rank = m_ranks.size() - 1;
        const auto [found, added] = m_stages.try_emplace(action.stage);
        Stage& stage = found->second;
        if (added) {
            stage.rank = rank;
            stage.first = m_place;
        }
        if (stage.rank != rank) {
            return refuse(
                action, Sentence::tr("stage {} is on rank {}, by {}", {action.stage, stage.rank, stage.first.text()}));
        }
        m_microbatches = std::max<std::int64_t>(m_microbatches, std::int64_t{action.microbatch} + 1);
        Done& done = stage.passes[action.microbatch];
        switch (action.kind) {
        case OperationKind::Forward:
            if (done.forward) return refuse(action, Sentence::tr("this forward pass runs twice"));
            done.forward = true;
            return {};
        case OperationKind::Backward:
        case OperationKind::BackwardInput:
            if (!done.forward)
                return refuse(action, Sentence::tr("expected the forward pass of this micro-batch before it"));
            if (done.whole || done.input) return refuse(action, Sentence::tr("this backward pass runs twice"));
            (action.kind == OperationKind::Backward ? done.whole : done.input) = true;
            return {};
        case OperationKind::BackwardWeight:
            if (done.whole)
                return refuse(action,
                    Sentence::tr("the weight gradient is made twice: B is the whole backward pass, I its first half"));
            if (!done.input) return refuse(action, Sentence::tr("expected I of this micro-batch before it"));
            if (done.weights) return refuse(action, Sentence::tr("this weight gradient is made twice"));
            done.weights = true;
            return {};
        case OperationKind::Overlapped:
        case OperationKind::Update: break;
        }
        return {};
    }

    /// Every stage runs every micro-batch, forwards and backwards.
    Result<void> checkComplete() const
    {
        for (const auto& entry : m_stages) {
            const Stage& stage = entry.second;
            const auto missing = [&](Phrase what, std::int64_t microbatch) {
                return fail(ErrorCode::OutOfRange, Sentence::tr("line {}", {stage.rank + 1}),
                    Sentence::tr(
                        "expected {} of micro-batch {} in stage {}, found none", {what, microbatch, entry.first}));
            };
            if (static_cast<std::int64_t>(stage.passes.size()) < m_microbatches) {
                std::int32_t microbatch = 0;
                while (stage.passes.contains(microbatch))
                    ++microbatch;
                return missing(Sentence::tr("the forward pass"), microbatch);
            }
            std::optional<std::pair<std::int32_t, Phrase>> first;
            for (const auto& [microbatch, done] : stage.passes) {
                if (done.whole || done.weights || (first && first->first < microbatch)) continue;
                first.emplace(
                    microbatch, done.input ? Sentence::tr("the weight gradient W") : Sentence::tr("the backward pass"));
            }
            if (first) return missing(first->second, first->first);
        }
        return {};
    }

    /// Loop if both placements would do.
    Result<Placement> findPlacement() const
    {
        const std::size_t ranks = m_ranks.size();
        std::int64_t expected = 0;
        for (const auto& [number, stage] : m_stages) {
            if (number == expected++) continue;
            return fail(ErrorCode::OutOfRange, stage.first.text(),
                Sentence::tr("expected the stages from 0 on without a gap; stage {} is on no rank", {expected - 1}));
        }
        const std::size_t chunks = m_stages.size() / ranks;
        if (m_stages.size() % ranks != 0 || chunks > kMostCsvChunks) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr(
                    "expected the same number of stages on every rank, up to {}; these are {} stages on {} ranks",
                    {kMostCsvChunks, m_stages.size(), ranks}));
        }
        bool loop = true;
        bool there_and_back = true;
        for (const auto& [number, stage] : m_stages) {
            const auto index = static_cast<std::size_t>(number);
            const std::size_t from_left = index % ranks;
            const bool back = index / ranks % 2 == 1;
            const std::size_t in_v = back ? ranks - 1 - from_left : from_left;
            loop = loop && stage.rank == from_left;
            there_and_back = there_and_back && stage.rank == in_v;
            if (loop || there_and_back) continue;
            return fail(ErrorCode::OutOfRange, stage.first.text(),
                Sentence::tr(
                    "stage {} is on rank {}: expected stages that go round the ranks (here rank {}) or there and "
                    "back (rank {}); no other placement is known",
                    {number, stage.rank, from_left, in_v}));
        }
        return loop ? Placement::Loop : Placement::V;
    }

    [[nodiscard]] Operation operationOf(const Cell& cell) const
    {
        const auto pass = [&](const Action& action) {
            return Pass{
                static_cast<std::uint8_t>(static_cast<std::size_t>(action.stage) / m_ranks.size()), action.microbatch};
        };
        const Pass own = pass(cell.action);
        if (cell.backward) return overlapped(own, pass(*cell.backward));
        return {cell.action.kind, own.chunk, own.microbatch};
    }

    Place m_place;
    std::vector<std::vector<Cell>> m_ranks;
    std::map<std::int64_t, Stage> m_stages;
    std::int64_t m_microbatches = 0;
};

} // namespace

Result<std::string> scheduleCsv(const Timeline& timeline)
{
    const auto refuse = [](Sentence why) {
        return fail(
            ErrorCode::OutOfRange, {}, Sentence::tr("this schedule cannot be written as CSV: {}", {std::move(why)}));
    };
    if (timeline.placement == Placement::Bidirectional) {
        return refuse(Sentence::tr("it holds two copies of every stage, and the format has one rank per stage"));
    }
    std::int64_t passes = 0;
    bool updates = false;
    bool backward = false;
    for (const RankTimeline& rank : timeline.ranks) {
        rank.visitStored([&](const TimedOperation& timed, std::int64_t times) {
            const OperationKind kind = timed.operation.kind;
            updates = updates || kind == OperationKind::Update;
            if (runsForward(kind)) passes += times;
            backward = backward || makesWeightGradient(kind);
        });
    }
    if (updates)
        return refuse(
            Sentence::tr("it updates the weights between micro-batches, and the format has no such operation"));
    if (!backward)
        return refuse(Sentence::tr("it runs forward passes only, and the format needs a backward pass for each"));
    if (passes > kMostForwardPasses) {
        return refuse(Sentence::tr("it has {} forward passes; up to {} are written", {passes, kMostForwardPasses}));
    }

    std::string text;
    for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
        const auto add = [&](const Pass& pass, OperationKind kind) {
            fmt::format_to(std::back_inserter(text), "{}{}{}",
                stageAt(timeline.placement, timeline.ranks.size(), {rank, pass.chunk}), operationLetters(kind),
                pass.microbatch);
        };
        bool first = true;
        for (const TimedOperation& timed : timeline.ranks[rank]) {
            if (!std::exchange(first, false)) text += ',';
            const Operation& operation = timed.operation;
            if (operation.kind != OperationKind::Overlapped) {
                add(operation.forwardPass(), operation.kind);
                continue;
            }
            text += '(';
            add(operation.forwardPass(), OperationKind::Forward);
            text += ';';
            add(operation.backwardPass(), OperationKind::Backward);
            text += ')';
            text += kBlockSuffix;
        }
        text += '\n';
    }
    return text;
}

Result<ScheduleOrder> parseScheduleCsv(std::string_view text)
{
    if (auto error = nulByteIn(text)) return tl::unexpected<Error>(*std::move(error));
    OrderReader reader;
    while (!text.empty()) {
        const auto end = text.find('\n');
        if (auto read = reader.readLine(text.substr(0, end)); !read) return tl::unexpected(std::move(read.error()));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return reader.finish();
}

Result<ScheduleOrder> readScheduleCsv(const std::filesystem::path& file)
{
    const auto text = readFile(file, kMostCsvBytes);
    if (!text) return tl::unexpected(text.error());
    auto order = parseScheduleCsv(*text);
    if (!order) order.error().file = file.string();
    return order;
}

} // namespace cardfit
