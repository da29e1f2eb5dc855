// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/traces/measured_trace.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/files/file.h"
#include "core/files/gzip.h"
#include "core/files/json_reader.h"

namespace cardfit {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTraceBytes = 256U << 20;
constexpr std::size_t kMostTraceValues = 8U << 20; ///< some 400 MB
constexpr double kSecondsPerMillisecond = 1e-3;
constexpr double kSecondsPerMicrosecond = 1e-6;
constexpr double kRoundedBy = 1e-6; ///< seconds
constexpr std::int64_t kMostRanks = 4096;
constexpr std::int64_t kMostMicrobatches = std::int64_t{1} << 30;
constexpr std::int64_t kMostChunks = 255;

/// An operation and where it stands in its file.
struct Found {
    TimedOperation timed;
    std::string where;
};

tl::unexpected<Error> inFile(const fs::path& file, Error error)
{
    error.file = file.string();
    return tl::unexpected(std::move(error));
}

tl::unexpected<Error> expected(ErrorCode code, std::string where, Sentence expectation, const Json* found)
{
    constexpr std::size_t kLongest = 40;
    const std::string text = found == nullptr ? std::string() : compactJson(*found);
    Sentence shown = Sentence::verbatim(text);
    if (found == nullptr)
        shown = Sentence::tr("nothing");
    else if (text.size() > kLongest)
        shown = found->is_array() ? Sentence::tr("a list") : Sentence::tr("something longer");
    return fail(
        code, std::move(where), Sentence::tr("expected {}, found {}", {std::move(expectation), std::move(shown)}));
}

const Json* member(const Json& object, std::string_view key)
{
    if (!object.is_object()) return nullptr;
    const auto found = object.find(std::string(key));
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

/// `room`: what may be held of all files of a run together.
Result<Json> readJson(const fs::path& file, JsonRoom& room)
{
    const auto text = readFile(file, kMostTraceBytes);
    if (!text) return inFile(file, text.error());
    auto json = parseJson(*text, room);
    if (!json) return inFile(file, std::move(json.error()));
    return json;
}

/// The operations of a rank in the order in which they ran.
Result<std::vector<TimedOperation>> ordered(std::vector<Found> found)
{
    std::ranges::stable_sort(found, {}, [](const Found& one) { return one.timed.start; });
    std::set<std::tuple<OperationKind, std::uint8_t, std::int32_t>> seen;
    std::vector<TimedOperation> operations;
    operations.reserve(found.size());
    for (Found& one : found) {
        TimedOperation& timed = one.timed;
        const Operation& operation = timed.operation;
        if (!seen.emplace(operation.kind, operation.chunk, operation.microbatch).second) {
            return fail(ErrorCode::OutOfRange, std::move(one.where),
                Sentence::tr("expected one step, so each operation once; found {} of micro-batch {} in chunk {} again",
                    {operationLetters(operation.kind), operation.microbatch, static_cast<int>(operation.chunk)}));
        }
        const double free = operations.empty() ? timed.start : operations.back().end;
        if (timed.start < free - kRoundedBy || timed.end < timed.start) {
            return fail(ErrorCode::OutOfRange, std::move(one.where),
                Sentence::tr("expected operations of a rank one after the other, found one from {} s to {} s "
                             "after one that ends at {} s",
                    {fmt::format("{:.9g}", timed.start), fmt::format("{:.9g}", timed.end),
                        fmt::format("{:.9g}", free)}));
        }
        timed.start = std::max(timed.start, free);
        timed.end = std::max(timed.end, timed.start);
        operations.push_back(timed);
    }
    return operations;
}

Timeline timelineOf(std::vector<std::vector<TimedOperation>> ranks)
{
    double first = std::numeric_limits<double>::max();
    for (const auto& operations : ranks)
        first = std::min(first, operations.front().start);
    Timeline timeline;
    for (auto& operations : ranks) {
        for (TimedOperation& timed : operations) {
            timed.start -= first;
            timed.end -= first;
        }
        timeline.makespan = std::max(timeline.makespan, operations.back().end);
        timeline.ranks.emplace_back(operations);
    }
    return timeline;
}

// Primus

/// One of the three kinds of passes of a rank, in the order in which the rank ran them.
struct PrimusSeries {
    std::vector<double> start; ///< seconds
    std::vector<double> end;
    std::vector<Pass> passes;
};

class PrimusReader {
public:
    /// `chunks`: of a rank; none: nobody says.
    PrimusReader(std::size_t ranks, std::optional<std::int64_t> chunks)
        : m_ranks(static_cast<std::int64_t>(ranks))
        , m_chunks(chunks)
    {
    }

    [[nodiscard]] Result<std::vector<Found>> read(const Json& iteration, const std::string& where) const
    {
        const auto forward = readSeries(iteration, where, "fwd", false, true);
        if (!forward) return tl::unexpected(forward.error());
        const auto backward = readSeries(iteration, where, "bwd", true, true);
        if (!backward) return tl::unexpected(backward.error());
        const auto weights = readSeries(iteration, where, "wgrad", true, false);
        if (!weights) return tl::unexpected(weights.error());

        std::set<std::pair<std::uint8_t, std::int32_t>> split;
        for (const Pass& pass : weights->passes)
            split.emplace(pass.chunk, pass.microbatch);
        std::map<std::pair<double, double>, Pass> blocks; // backward halves by the times of the block
        std::vector<Found> found;
        const auto add = [&](const PrimusSeries& series, std::size_t i, const Operation& operation, const char* name) {
            found.push_back(
                {{operation, series.start[i], series.end[i]}, fmt::format("{}/{}_start/{}", where, name, i)});
        };
        const std::set<std::pair<double, double>> forward_times = [&] {
            std::set<std::pair<double, double>> times;
            for (std::size_t i = 0; i < forward->start.size(); ++i)
                times.emplace(forward->start[i], forward->end[i]);
            return times;
        }();
        for (std::size_t i = 0; i < backward->passes.size(); ++i) {
            const Pass& pass = backward->passes[i];
            const std::pair times(backward->start[i], backward->end[i]);
            if (forward_times.contains(times) && times.first < times.second) {
                blocks.emplace(times, pass);
                continue;
            }
            const bool half = split.contains({pass.chunk, pass.microbatch});
            const auto kind = half ? OperationKind::BackwardInput : OperationKind::Backward;
            add(*backward, i, {kind, pass.chunk, pass.microbatch}, "bwd");
        }
        for (std::size_t i = 0; i < forward->passes.size(); ++i) {
            const Pass& pass = forward->passes[i];
            const auto block = blocks.find({forward->start[i], forward->end[i]});
            add(*forward, i,
                block == blocks.end() ? Operation{OperationKind::Forward, pass.chunk, pass.microbatch}
                                      : overlapped(pass, block->second),
                "fwd");
        }
        for (std::size_t i = 0; i < weights->passes.size(); ++i) {
            const Pass& pass = weights->passes[i];
            add(*weights, i, {OperationKind::BackwardWeight, pass.chunk, pass.microbatch}, "wgrad");
        }
        if (found.empty())
            return fail(
                ErrorCode::WrongFormat, where, Sentence::tr("expected forward and backward passes, found none"));
        return found;
    }

private:
    [[nodiscard]] Result<PrimusSeries> readSeries(
        const Json& iteration, const std::string& where, std::string_view name, bool backward, bool required) const
    {
        PrimusSeries series;
        const auto key = [&](std::string_view what) { return fmt::format("{}_{}", name, what); };
        const auto place = [&](std::string_view what) { return where + "/" + key(what); };
        for (const auto& [what, list] : {std::pair{"start", &series.start}, std::pair{"end", &series.end}}) {
            const Json* json = member(iteration, key(what));
            if (json == nullptr && !required) return series;
            if (json == nullptr || !json->is_array()) {
                return expected(json == nullptr ? ErrorCode::MissingKey : ErrorCode::WrongType, place(what),
                    Sentence::tr("a list of milliseconds"), json);
            }
            for (const Json& item : *json) {
                if (!item.is_number()) {
                    return expected(ErrorCode::WrongType, fmt::format("{}/{}", place(what), list->size()),
                        Sentence::tr("milliseconds since the iteration began"), &item);
                }
                list->push_back(item.get<double>() * kSecondsPerMillisecond);
            }
        }
        const std::size_t count = series.start.size();
        if (series.end.size() != count) {
            return fail(ErrorCode::WrongFormat, place("end"),
                Sentence::tr("expected as many ends as starts, which are {}, found {}", {count, series.end.size()}));
        }
        const auto microbatches = readNumbers(iteration, key("minibatch"), where, kMostMicrobatches, count);
        if (!microbatches) return tl::unexpected(microbatches.error());
        const auto chunks = readNumbers(iteration, key("chunk"), where, kMostChunks, count);
        if (!chunks) return tl::unexpected(chunks.error());
        const bool named = !microbatches->empty() && (!chunks->empty() || m_chunks == 1);
        for (std::size_t i = 0; named && i < count; ++i) {
            series.passes.push_back({chunks->empty() ? std::uint8_t{0} : static_cast<std::uint8_t>((*chunks)[i]),
                static_cast<std::int32_t>((*microbatches)[i])});
        }
        if (named || count == 0) return series;
        auto passes = passesInOrder(static_cast<std::int64_t>(count), backward);
        if (!passes) {
            passes.error().where = Sentence::verbatim(place("start"));
            return tl::unexpected(std::move(passes.error()));
        }
        series.passes = *std::move(passes);
        return series;
    }

    /// Empty if the file has none; else `count` of them, each below `limit`.
    static Result<std::vector<std::int64_t>> readNumbers(
        const Json& iteration, const std::string& key, const std::string& where, std::int64_t limit, std::size_t count)
    {
        std::vector<std::int64_t> numbers;
        const Json* json = member(iteration, key);
        if (json == nullptr) return numbers;
        const std::string place = where + "/" + key;
        if (!json->is_array())
            return expected(ErrorCode::WrongType, place, Sentence::tr("a list of whole numbers"), json);
        for (const Json& item : *json) {
            const bool fits =
                item.is_number_integer() && item.get<std::int64_t>() >= 0 && item.get<std::int64_t>() < limit;
            if (!fits) {
                return expected(ErrorCode::OutOfRange, fmt::format("{}/{}", place, numbers.size()),
                    Sentence::tr("a whole number from 0 to {}", {limit - 1}), &item);
            }
            numbers.push_back(item.get<std::int64_t>());
        }
        if (numbers.empty() || numbers.size() == count) return numbers;
        return fail(ErrorCode::WrongFormat, place,
            Sentence::tr("expected one number per pass, which are {}, found {}", {count, numbers.size()}));
    }

    [[nodiscard]] Result<std::vector<Pass>> passesInOrder(std::int64_t count, bool backward) const
    {
        if (!m_chunks) {
            return fail(ErrorCode::MissingKey, {},
                Sentence::tr(
                    "expected config.json beside the files, or lists that say micro-batch and chunk of every pass"));
        }
        const std::int64_t chunks = *m_chunks;
        if (chunks > 1 && count % (m_ranks * chunks) != 0) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr("expected whole groups of {} micro-batches in {} chunks, found {} passes",
                    {m_ranks, chunks, count}));
        }
        const std::int64_t group = chunks > 1 ? m_ranks : 1;
        std::vector<Pass> passes;
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t inside = i % (group * chunks);
            const std::int64_t chunk = inside / group;
            passes.push_back({static_cast<std::uint8_t>(backward ? chunks - 1 - chunk : chunk),
                static_cast<std::int32_t>(i / (group * chunks) * group + inside % group)});
        }
        return passes;
    }

    std::int64_t m_ranks;
    std::optional<std::int64_t> m_chunks;
};

std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    const auto number = numberIn<std::int64_t>(text);
    return number.value_or(-1) < 0 ? std::nullopt : number;
}

/// The rank in "pp_rank_3.json".
std::optional<std::int64_t> rankOf(const fs::path& file)
{
    constexpr std::string_view kPrefix = "pp_rank_";
    const fs::path plain = withoutGz(file);
    const std::string stem = plain.stem().string();
    if (plain.extension() != ".json" || !stem.starts_with(kPrefix)) return std::nullopt;
    return wholeNumber(std::string_view(stem).substr(kPrefix.size()));
}

/// By rank, from 0 without a gap.
Result<std::vector<fs::path>> filesByRank(const std::vector<fs::path>& files)
{
    std::map<std::int64_t, fs::path> by_rank;
    for (const fs::path& file : files) {
        const auto rank = rankOf(file);
        if (!rank) {
            return inFile(file,
                {ErrorCode::WrongFormat, {}, {},
                    Sentence::tr("expected one trace, or the files pp_rank_0.json, pp_rank_1.json, … of one run")});
        }
        by_rank[*rank] = file;
    }
    std::vector<fs::path> sorted;
    for (auto& [rank, file] : by_rank) {
        if (rank != static_cast<std::int64_t>(sorted.size())) {
            return inFile(file,
                {ErrorCode::WrongFormat, {}, {},
                    Sentence::tr(
                        "expected pp_rank_{}.json as well: the ranks of a run count from 0", {sorted.size()})});
        }
        sorted.push_back(std::move(file));
    }
    return sorted;
}

/// Chunks of a rank, from the config.json of a folder; none if there is no such file.
Result<std::optional<std::int64_t>> chunksFromConfig(const fs::path& folder, JsonRoom& room)
{
    fs::path file = folder / "config.json";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) file += ".gz";
    if (!fs::exists(file, ignored)) return std::optional<std::int64_t>();
    const auto config = readJson(file, room);
    if (!config) return tl::unexpected(config.error());
    const Json* chunks = member(*config, "vp_size");
    if (chunks == nullptr) chunks = member(*config, "vpp_size");
    const bool fits = chunks != nullptr && chunks->is_number_integer() && chunks->get<std::int64_t>() >= 1
        && chunks->get<std::int64_t>() <= kMostChunks;
    if (!fits) {
        auto error = expected(
            ErrorCode::OutOfRange, "/vp_size", Sentence::tr("the number of chunks per rank, 1 or more"), chunks);
        return inFile(file, error.value());
    }
    return std::optional(chunks->get<std::int64_t>());
}

Result<MeasuredRun> readPrimus(const std::vector<fs::path>& files, std::optional<std::int64_t> iteration)
{
    const auto sorted = filesByRank(files);
    if (!sorted) return tl::unexpected(sorted.error());
    const fs::path folder = sorted->front().parent_path();
    JsonRoom room{kMostTraceValues};
    const auto chunks = chunksFromConfig(folder.empty() ? fs::path(".") : folder, room);
    if (!chunks) return tl::unexpected(chunks.error());

    std::vector<Json> ranks;
    std::set<std::int64_t> common;
    for (const fs::path& file : *sorted) {
        auto json = readJson(file, room);
        if (!json) return tl::unexpected(std::move(json.error()));
        if (!json->is_object())
            return inFile(file, {ErrorCode::WrongFormat, {}, {}, Sentence::tr("expected a JSON object, found a list")});
        std::set<std::int64_t> own;
        for (const auto& item : json->items()) {
            const auto number = wholeNumber(item.key());
            if (!number) {
                return inFile(file,
                    {ErrorCode::WrongFormat, {}, Sentence::verbatim("/" + item.key()),
                        Sentence::tr("expected the number of an iteration as the key")});
            }
            if (ranks.empty() || common.contains(*number)) own.insert(*number);
        }
        common = std::move(own);
        ranks.push_back(*std::move(json));
    }
    if (common.empty() || (iteration && !common.contains(*iteration))) {
        const Sentence wanted = iteration ? Sentence::tr("iteration {}", {*iteration}) : Sentence::tr("an iteration");
        return inFile(sorted->front(),
            {ErrorCode::OutOfRange, {}, {},
                common.empty()
                    ? Sentence::tr("expected {} in the files of all ranks; they have none in common", {wanted})
                    : Sentence::tr("expected {} in the files of all ranks; they have {}",
                        {wanted, fmt::format("{}", fmt::join(common, ", "))})});
    }

    const std::int64_t chosen = iteration.value_or(*common.rbegin());
    const PrimusReader reader(ranks.size(), *chunks);
    std::vector<std::vector<TimedOperation>> all;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::string key = std::to_string(chosen);
        const Json* json = member(ranks[rank], key);
        auto found = json == nullptr ? Result<std::vector<Found>>(
                         expected(ErrorCode::WrongType, "/" + key, Sentence::tr("the times of an iteration"), json))
                                     : reader.read(*json, "/" + key);
        if (!found) return inFile((*sorted)[rank], std::move(found.error()));
        auto operations = ordered(*std::move(found));
        if (!operations) return inFile((*sorted)[rank], std::move(operations.error()));
        all.push_back(*std::move(operations));
    }
    MeasuredRun run;
    run.timeline = timelineOf(std::move(all));
    std::error_code ignored; // then the run goes by its iteration alone
    const std::string name = fs::absolute(folder, ignored).lexically_normal().filename().string();
    run.label = fmt::format("{}, iteration {}", name, chosen);
    run.iterations.assign(common.begin(), common.end());
    return run;
}

// Chrome traces

struct KindWords {
    OperationKind kind;
    std::string_view name;
    std::string_view category;
};
constexpr std::array<KindWords, 7> kKindWords = {{
    {OperationKind::Forward, "F", "fwd"},
    {OperationKind::Backward, "B", "bwd"},
    {OperationKind::BackwardInput, "I", "igrad"},
    {OperationKind::BackwardWeight, "W", "wgrad"},
    {OperationKind::Overlapped, "F&B", "overlap"},
    {OperationKind::Overlapped, "FB", "overlap"},
    {OperationKind::Update, "U", "opt"},
}};

bool says(const Json& event, std::string_view key, std::string_view word)
{
    const Json* json = member(event, key);
    return json != nullptr && json->is_string() && json->get_ref<const std::string&>() == word;
}

/// None if the event is none of a pipeline.
std::optional<OperationKind> kindOf(const Json& event)
{
    if (!says(event, "ph", "X")) return std::nullopt;
    for (const KindWords& words : kKindWords) {
        if (says(event, "name", words.name)) return words.kind;
    }
    for (const KindWords& words : kKindWords) {
        if (says(event, "cat", words.category)) return words.kind;
    }
    return std::nullopt;
}

/// Reads the fields of one event; the first one that is wrong becomes the error.
class EventReader {
public:
    EventReader(const Json& event, std::string where)
        : m_event(event)
        , m_args(member(event, "args"))
        , m_where(std::move(where))
    {
    }

    double seconds(std::string_view key)
    {
        const Json* json = member(m_event, key);
        if (json != nullptr && json->is_number()) return json->get<double>() * kSecondsPerMicrosecond;
        refuse(std::string(key), Sentence::tr("microseconds"), json);
        return 0.0;
    }
    std::int64_t rank() { return whole(member(m_event, "pid"), "pid", kMostRanks, std::nullopt); }
    std::int64_t argument(std::string_view key, std::int64_t limit, std::optional<std::int64_t> absent = std::nullopt)
    {
        const Json* json = m_args != nullptr ? member(*m_args, key) : nullptr;
        if (json == nullptr && key == "mb" && m_args != nullptr) json = member(*m_args, "microbatch");
        return whole(json, fmt::format("args/{}", key), limit, absent);
    }
    Pass pass(std::string_view microbatch, std::string_view chunk)
    {
        const std::int64_t number = argument(microbatch, kMostMicrobatches);
        return {static_cast<std::uint8_t>(argument(chunk, kMostChunks, 0)), static_cast<std::int32_t>(number)};
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] const std::string& where() const { return m_where; }

private:
    std::int64_t whole(const Json* json, const std::string& key, std::int64_t limit, std::optional<std::int64_t> absent)
    {
        if (json == nullptr && absent) return *absent;
        if (json != nullptr && json->is_number_integer()) {
            const auto number = json->get<std::int64_t>();
            if (number >= 0 && number < limit) return number;
        }
        refuse(key, Sentence::tr("a whole number from 0 to {}", {limit - 1}), json);
        return 0;
    }
    void refuse(const std::string& key, Sentence expectation, const Json* json)
    {
        if (m_error) return;
        const auto code = json == nullptr ? ErrorCode::MissingKey
            : json->is_number()           ? ErrorCode::OutOfRange
                                          : ErrorCode::WrongType;
        m_error = expected(code, m_where + "/" + key, std::move(expectation), json).value();
    }

    const Json& m_event;
    const Json* m_args;
    std::string m_where;
    std::optional<Error> m_error;
};

Result<MeasuredRun> parseChromeTrace(const Json& json)
{
    // The Trace Event Format may leave out everything but the list of events.
    const Json* events = json.is_array() ? &json : member(json, "traceEvents");
    if (events == nullptr || !events->is_array()) {
        return expected(
            ErrorCode::WrongFormat, "/traceEvents", Sentence::tr("the list of events of a Chrome trace"), events);
    }
    std::map<std::int64_t, std::vector<Found>> ranks;
    std::size_t index = 0;
    for (const Json& event : *events) {
        EventReader reader(event, fmt::format("/traceEvents/{}", index++));
        const auto kind = kindOf(event);
        if (!kind) continue;
        const std::int64_t rank = reader.rank();
        TimedOperation timed;
        timed.start = reader.seconds("ts");
        timed.end = timed.start + reader.seconds("dur");
        const Pass pass = reader.pass("mb", "chunk");
        timed.operation = *kind == OperationKind::Overlapped
            ? overlapped(pass, reader.pass("backward_mb", "backward_chunk"))
            : Operation{*kind, pass.chunk, pass.microbatch};
        if (reader.error()) return tl::unexpected(*reader.error());
        ranks[rank].push_back({timed, reader.where()});
    }
    if (ranks.empty()) {
        return fail(ErrorCode::WrongFormat, "/traceEvents",
            Sentence::tr("expected events X named F, B, I, W, F&B or U with their micro-batch as args.mb and the rank "
                         "as pid, found "
                         "none"));
    }
    std::vector<std::vector<TimedOperation>> all;
    for (auto& [rank, found] : ranks) {
        if (rank != static_cast<std::int64_t>(all.size())) {
            return fail(ErrorCode::OutOfRange, found.front().where + "/pid",
                Sentence::tr("expected ranks from 0 without a gap, found {} but not {}", {rank, all.size()}));
        }
        auto operations = ordered(std::move(found));
        if (!operations) return tl::unexpected(std::move(operations.error()));
        all.push_back(*std::move(operations));
    }
    MeasuredRun run;
    run.timeline = timelineOf(std::move(all));
    return run;
}

std::vector<fs::path> rankFilesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code ignored; // a folder that cannot be read holds no files for us
    for (const fs::path& file : entriesOf(folder, ignored)) {
        if (rankOf(file)) files.push_back(file);
    }
    return files;
}

} // namespace

bool looksMeasured(const fs::path& path)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return !rankFilesIn(path).empty();
    if (rankOf(path)) return true;
    if (!fs::is_regular_file(path, ignored)) return false; // a pipe may never say what it holds
    std::array<char, 4096> start{};
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), start.size());
    const std::string text = unzippedStart({start.data(), static_cast<std::size_t>(file.gcount())});
    const auto first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (text[first] == '[' || text.find("\"traceEvents\"") != text.npos);
}

Result<MeasuredRun> readMeasuredRun(const std::vector<fs::path>& files, std::optional<std::int64_t> iteration)
{
    if (files.empty())
        return fail(ErrorCode::CannotRead, {}, Sentence::tr("expected the files of a measured run, found none"));
    std::error_code ignored;
    if (files.size() == 1 && fs::is_directory(files.front(), ignored)) {
        const auto inside = rankFilesIn(files.front());
        if (!inside.empty()) return readPrimus(inside, iteration);
        return inFile(files.front(),
            {ErrorCode::CannotRead, {}, {},
                Sentence::tr("expected pp_rank_0.json, pp_rank_1.json, … in this folder, found none")});
    }
    if (files.size() > 1 || rankOf(files.front())) return readPrimus(files, iteration);
    JsonRoom room{kMostTraceValues, [](const Json& event) { return kindOf(event).has_value(); }};
    const auto json = readJson(files.front(), room);
    if (!json) return tl::unexpected(json.error());
    auto run = parseChromeTrace(*json);
    if (!run) return inFile(files.front(), std::move(run.error()));
    run->label = withoutGz(files.front()).stem().string();
    return run;
}

} // namespace cardfit
