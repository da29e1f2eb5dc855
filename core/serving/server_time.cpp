// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/server_time.h"

#include <algorithm>
#include <cmath>

namespace cardfit {

ServedLengths servedLengths(const Plan& plan)
{
    const Workload& work = plan.workload;
    const auto longest = static_cast<double>(work.sequence_length);
    const auto rest = [&](std::int64_t given) { return std::max(longest - static_cast<double>(given), 1.0); };
    if (!work.input_tokens && !work.output_tokens) return {longest, 0.0};
    const double input = work.input_tokens ? static_cast<double>(*work.input_tokens) : rest(*work.output_tokens);
    const double output = work.output_tokens ? static_cast<double>(*work.output_tokens) : rest(*work.input_tokens);
    return {input, output};
}

ServerClock::ServerClock(const PlanContext& context, const ServedLengths& lengths)
    : m_clock(context)
    , m_lengths(lengths)
{
    const Plan& plan = context.plan;
    const Constants& constants = plan.constants;
    m_chunk = plan.recipe.max_num_batched_tokens ? static_cast<double>(*plan.recipe.max_num_batched_tokens)
                                                 : constants[Constant::PrefillTokens];
    m_in_first_token = 0.5 * constants[Constant::PromptsInFirstToken];
    m_host = Seconds(constants[Constant::FirstTokenHost]);
}

DecodeLoad ServerClock::decoding(double sequences) const { return {sequences, m_lengths.context(), 0.0, 0.0}; }

ServerClock::Interference ServerClock::interference(double sequences, double others, Seconds decoding) const
{
    if (!m_lengths.known() || others <= 0.0) return {0.0, decoding, decoding, m_in_first_token};
    const double arriving = others * m_lengths.input / m_lengths.output;
    const double share = std::min(1.0, arriving / m_chunk);
    DecodeLoad load = this->decoding(sequences);
    load.prompt = arriving / share;
    load.prompt_length = m_lengths.input;
    return {share, decoding, m_clock.iteration(load).total(), m_in_first_token};
}

ServerClock::Interference ServerClock::interference(double sequences) const
{
    return interference(sequences, sequences - 1.0, m_clock.iteration(decoding(sequences)).total());
}

Seconds ServerClock::mixed(double sequences, double others, Seconds decoding) const
{
    const Interference with = interference(sequences, others, decoding);
    return (1.0 - with.share) * decoding + with.share * with.mixed;
}

ServerClock::Prefill ServerClock::prefill(double prompts) const
{
    const double tokens = prompts * m_lengths.input;
    const double passes = std::max(1.0, tokens / m_chunk);
    return {passes, m_clock.iteration({0.0, 0.0, tokens / passes, m_lengths.input}).total(),
        prompts > 1.0 ? m_host : Seconds(0.0)};
}

Seconds ServerClock::promptTime(double prompts) const
{
    const Prefill prefill = this->prefill(prompts);
    return prefill.host + prefill.passes * prefill.pass;
}

std::vector<DecodeParts> ServerClock::cards(double sequences, const ServingPace& pace) const
{
    std::vector<DecodeParts> cards = m_clock.cards(decoding(sequences));
    for (DecodeParts& card : cards)
        card.prompts = pace.parts.prompts;
    return cards;
}

ServingPace ServerClock::pace(double sequences) const
{
    ServingPace pace;
    pace.parts = m_clock.iteration(decoding(sequences));
    const Seconds alone = pace.parts.total();
    pace.iteration = mixed(sequences, sequences, alone);
    pace.parts.prompts += (1.0 - m_in_first_token) * (mixed(sequences, sequences - 1.0, alone) - alone);
    pace.ttft_alone = promptTime(1.0);
    pace.ttft_burst = promptTime(0.5 * (sequences + 1.0));
    return pace;
}

double ServerClock::throughput(double slots, double queue) const
{
    const auto iteration = [&](double sequences) {
        return mixed(sequences, sequences, m_clock.iteration(decoding(sequences)).total());
    };
    if (queue <= 0.0) return slots / iteration(slots).value();
    const double full = std::floor(queue / slots);
    const double rest = queue - full * slots;
    Seconds waves = full > 0.0 ? full * iteration(slots) : Seconds(0.0);
    if (rest > 0.0) waves += iteration(rest);
    return queue / waves.value();
}

double ServerClock::sequencesAt(double rate, double most) const
{
    if (throughput(most, 0.0) <= rate) return most;
    double least = 0.0;
    for (int halving = 0; halving < 40; ++halving) {
        const double middle = 0.5 * (least + most);
        (throughput(middle, 0.0) < rate ? least : most) = middle;
    }
    return most;
}

ServedUsers ServerClock::usersWithin(const ServingLimits& limits, const ServingRoom& room, double replicas) const
{
    const auto most = static_cast<std::int64_t>(std::floor(room.sequences()) * replicas);
    ServedUsers kept{most, room.cached < room.admitted ? ServingBound::Cache : ServingBound::Engine};
    const auto broken = [&](std::int64_t users) -> std::optional<ServingBound> {
        const ServingPace pace = this->pace(std::max(static_cast<double>(users) / replicas, 1.0));
        if (limits.tpot_ms && 1e3 * pace.tpot().value() > *limits.tpot_ms) return ServingBound::Tpot;
        if (limits.ttft_s && pace.ttft_burst.value() > *limits.ttft_s) return ServingBound::Ttft;
        return std::nullopt;
    };
    if ((!limits.tpot_ms && !limits.ttft_s) || most < 1) return kept;
    std::int64_t fails = most + 1;
    kept.users = 0;
    // Both times grow with the users.
    while (fails - kept.users > 1) {
        const bool first = fails > most; // the most that there is room for, before halves of it
        const std::int64_t users = first ? most : kept.users + (fails - kept.users) / 2;
        if (const auto bound = broken(users)) {
            kept.binds = *bound;
            fails = users;
        } else {
            kept.users = users;
        }
    }
    return kept;
}

} // namespace cardfit
