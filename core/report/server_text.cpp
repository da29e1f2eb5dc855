// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/server_text.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/formula.h"

namespace cardfit {

namespace {

std::string count(std::int64_t number) { return groupedNumber(static_cast<double>(number)); }

/// Rounded down: half a sequence is not served.
std::string hundredths(double sequences) { return fmt::format("{:.2f}", std::floor(100.0 * sequences) / 100.0); }

Sentence longest(const ServerCapacity& server, std::int64_t made_for)
{
    if (!server.bounded) return Sentence::tr("any length: no layer keeps all tokens");
    if (made_for > 0 && server.longestContext() > made_for)
        return Sentence::tr("{} tokens for one sequence alone; the model was made for {}",
            {count(server.longestContext()), count(made_for)});
    return Sentence::tr("{} tokens for one sequence alone", {count(server.longestContext())});
}

} // namespace

std::vector<ServerRow> serverRows(const ServerAnswers& answers, ByteUnit unit)
{
    const ServerCapacity& server = answers.capacity;
    const auto bytes = [&](Bytes amount) { return formatBytes(amount, unit); };
    std::vector<ServerRow> rows;
    const std::string share = fmt::format("{:g}", 100.0 * server.utilization);
    rows.push_back({Sentence::tr("Cache"),
        server.rest() < Bytes(0) ? Sentence::tr("none: {} % of a card is {}, which is {} less than weights ({}), a "
                                                "forward pass ({}) and memory outside the allocator ({}) need",
            {share, bytes(server.budget), bytes(Bytes(0) - server.rest()), bytes(server.weights),
                bytes(server.activations), bytes(server.outside)})
                                 : Sentence::tr("{} tokens in {}: {} % of a card is {}, minus weights {}, a forward "
                                                "pass {} and {} outside the allocator",
                                     {count(server.tokens()), bytes(server.cache), share, bytes(server.budget),
                                         bytes(server.weights), bytes(server.activations), bytes(server.outside)})});
    if (server.rest() >= Bytes(0)) {
        const bool held_back = answers.admitted > 0 && server.sequences > static_cast<double>(answers.admitted);
        if (server.per_sequence > Bytes(0))
            rows.push_back({Sentence::tr("Sequences"),
                server.missing > Bytes(0)
                    ? Sentence::tr("the server does not start: {} of a sequence of {} tokens fits; {} are missing",
                        {hundredths(server.sequences), count(answers.length), bytes(server.missing)})
                    : held_back
                    ? Sentence::tr("{} of {} tokens fit at once; the server admits {} of them (max_num_seqs)",
                        {hundredths(server.sequences), count(answers.length), count(answers.admitted)})
                    : Sentence::tr("{} of {} tokens fit at once, {} each",
                        {hundredths(server.sequences), count(answers.length), bytes(server.per_sequence)})});
        rows.push_back({Sentence::tr("Longest context"), longest(server, answers.made_for)});
    }
    if (!answers.larger) return rows;
    const LargerServer& larger = *answers.larger;
    const ServerCapacity& more = larger.capacity;
    rows.push_back({Sentence::tr("With more cards"),
        more.rest() < Bytes(0) ? Sentence::tr("tensor {} ({} cards instead of {}) still leaves nothing for the cache",
            {larger.tensor, larger.cards, answers.cards})
            : server.tokens() > 0
            ? Sentence::tr("tensor {} ({} cards instead of {}): {} tokens, {} times as many; {} sequences; {}",
                {larger.tensor, larger.cards, answers.cards, count(more.tokens()),
                    fmt::format("{:.2f}", static_cast<double>(more.tokens()) / static_cast<double>(server.tokens())),
                    hundredths(more.sequences), longest(more, answers.made_for)})
            : Sentence::tr("tensor {} ({} cards instead of {}): {} tokens; {} sequences; {}",
                {larger.tensor, larger.cards, answers.cards, count(more.tokens()), hundredths(more.sequences),
                    longest(more, answers.made_for)})});
    return rows;
}

std::string shortTime(Seconds time)
{
    constexpr double kMilliseconds = 1e3;
    const double seconds = time.value();
    const bool small = seconds < 1.0;
    const double shown = small ? kMilliseconds * seconds : seconds;
    return fmt::format("{:.{}f} {}", shown, shown < 10.0 ? (small ? 1 : 2) : shown < 100.0 ? 1 : 0, small ? "ms" : "s");
}

std::vector<ServerRow> paceRows(const ServerPace& pace)
{
    const ServingPace& time = pace.pace;
    const auto tokens = [](double rate) { return groupedNumber(std::round(rate)); };
    const auto sequences = [](double number) {
        return number == std::floor(number) ? groupedNumber(number) : hundredths(number);
    };
    std::vector<ServerRow> rows;
    rows.push_back({Sentence::tr("Load"),
        pace.lengths.known() ? Sentence::tr("{} sequences at once, {} tokens in and {} out in the mean",
            {sequences(pace.concurrency), count(std::llround(pace.lengths.input)),
                count(std::llround(pace.lengths.output))})
                             : Sentence::tr("{} sequences at once, each at its full {} tokens; no prompts, because the "
                                            "plan gives no output tokens",
                                 {sequences(pace.concurrency), count(std::llround(pace.lengths.input))})});
    if (pace.concurrency_range)
        rows.push_back({Sentence::tr("Uncertain"),
            Sentence::tr("{} to {} sequences if memory is a GiB less or more than counted: the cache is small",
                {count(std::llround(pace.concurrency_range->first)),
                    count(std::llround(pace.concurrency_range->second))})});
    if (pace.overloaded)
        rows.push_back({Sentence::tr("Overload"),
            Sentence::tr("requests come faster than the server answers them: they queue without end")});
    std::string parts;
    for (const DecodePart& part : kDecodeParts) {
        const Seconds spent = time.parts.*part.time;
        if (spent <= Seconds(0.0)) continue;
        parts += fmt::format("{}{} {}", parts.empty() ? "" : " + ", Sentence(part.label).english(), shortTime(spent));
    }
    rows.push_back({Sentence::tr("Time per token"),
        Sentence::tr("{} (within {} % in most published runs) = {}; {} with nothing else on the machine",
            {shortTime(time.tpot()), std::llround(100.0 * pace.error), parts, shortTime(pace.tpot_alone)})});
    rows.push_back({Sentence::tr("First token"),
        Sentence::tr(
            "{} alone to {} if all users ask at once", {shortTime(time.ttft_alone), shortTime(time.ttft_burst)})});
    rows.push_back({Sentence::tr("Throughput"),
        pace.requests_per_second
            ? Sentence::tr("{} output tokens/s, {} per card; {} requests/s",
                {tokens(pace.output_tokens_per_second), tokens(pace.output_tokens_per_second_per_card),
                    fmt::format("{:.2f}", *pace.requests_per_second)})
            : Sentence::tr("{} output tokens/s, {} per card",
                {tokens(pace.output_tokens_per_second), tokens(pace.output_tokens_per_second_per_card)})});
    rows.push_back({Sentence::tr("Users"),
        Sentence::tr("at most {} within the limits; {} binds", {count(pace.users.users), wordOf(pace.users.binds)})});
    if (pace.usd_per_million_tokens)
        rows.push_back({Sentence::tr("Cost"),
            Sentence::tr("{} USD per million output tokens", {fmt::format("{:.2f}", *pace.usd_per_million_tokens)})});
    if (pace.joules_per_token)
        rows.push_back({Sentence::tr("Energy"),
            Sentence::tr(
                "{} J per output token, at the cards' rated power", {fmt::format("{:.2f}", *pace.joules_per_token)})});
    return rows;
}

} // namespace cardfit
