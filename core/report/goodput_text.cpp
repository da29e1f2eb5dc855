// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/goodput_text.h"

#include <array>

#include <fmt/format.h>

#include "core/report/reports.h"
#include "core/time/utilization.h"

namespace cardfit {

namespace {

constexpr double kEndlessDays = 1e7;

/// "45.2 s", "12.0 min", "3.5 h", "33.1 days"
Sentence spanOf(Seconds time)
{
    const double seconds = time.value();
    if (seconds < 120.0) return Sentence::verbatim(fmt::format("{:.3g} s", seconds));
    if (seconds < 7200.0) return Sentence::verbatim(fmt::format("{:.3g} min", seconds / 60.0));
    if (seconds < 172800.0) return Sentence::verbatim(fmt::format("{:.3g} h", seconds / 3600.0));
    return Sentence::tr("{} days", {inDigits(seconds / 86400.0, 3)});
}

std::string bandwidthText(double bytes_per_second) { return inDigits(bytes_per_second / 1e9, 3) + " GB/s"; }

/// "10 min: 90 % up to 4.2 min (12 GB/s)" of one length of a restart.
Sentence breakEven(Bytes checkpoint, Seconds restart, Seconds between)
{
    std::vector<Sentence> shares;
    for (const double share : {0.99, 0.95, 0.90}) {
        const std::string percent = fmt::format("{:.0f} %", 100.0 * share);
        if (const auto write = slowestWrite(share, restart, between))
            shares.push_back(Sentence::tr("{} if a checkpoint is written within {} ({})",
                {percent, spanOf(*write), bandwidthText(static_cast<double>(checkpoint.value()) / write->value())}));
        else
            shares.push_back(Sentence::tr("{} never", {percent}));
    }
    return Sentence::tr("Restart in {}: {}.", {spanOf(restart), listed(shares)});
}

} // namespace

std::vector<Sentence> goodputSentences(const Plan& plan, const Estimate& estimate, const Reliability& known)
{
    if (!estimate.complete()) return {};
    const Bytes checkpoint = checkpointBytes(plan);
    if (checkpoint <= Bytes(0)) return {};
    const std::int64_t cards = cardsUsed(plan);
    std::vector<Sentence> said{Sentence::tr(
        "A checkpoint holds {}: weights, fp32 copies and optimizer states.", {formatBytes(checkpoint, ByteUnit::GB)})};
    const double rate = known.stops_per_card_hour.value_or(kLlama3StopsPerCardHour);
    const Seconds between = timeBetweenStops(rate, cards);
    said.push_back(known.stops_per_card_hour
            ? Sentence::tr("One unplanned stop in {} on {} cards.", {spanOf(between), cards})
            : Sentence::tr(
                "One unplanned stop in {} on {} cards, if they fail as those of Llama 3 405B did (419 stops in "
                "54 days on 16,384 H100).",
                {spanOf(between), cards}));
    if (const auto made = goodput(plan, known)) {
        said.push_back(
            Sentence::tr("Written in {}, best every {} (Daly 2006; Young 1974: {}): {} of the time is training.",
                {spanOf(made->write), spanOf(made->daly), spanOf(made->young),
                    fmt::format("{:.1f} %", 100.0 * made->share)}));
        if (!estimate.step.run) return said;
        const double days = estimate.step.run->days / made->share;
        said.push_back(days < kEndlessDays
                ? Sentence::tr("The run takes {} days instead of {}.",
                    {fmt::format("{:.1f}", days), fmt::format("{:.1f}", estimate.step.run->days)})
                : Sentence::tr("The run never ends: cards stop again before a restart and a checkpoint are done."));
        return said;
    }
    // Not known: what would change the answer.
    if (known.write_bandwidth) {
        const Seconds write(static_cast<double>(checkpoint.value()) / *known.write_bandwidth);
        said.push_back(Sentence::tr("Written in {}, best every {} (Daly 2006; Young 1974: {}).",
            {spanOf(write), spanOf(dalyInterval(write, between)), spanOf(youngInterval(write, between))}));
    }
    std::vector<Sentence> unknown;
    if (!known.write_bandwidth) unknown.push_back(Sentence::tr("write bandwidth"));
    if (!known.restart) unknown.push_back(Sentence::tr("time of a restart"));
    if (!known.stops_per_card_hour) unknown.push_back(Sentence::tr("stops per card-hour"));
    said.push_back(Sentence::tr("Not given: {}. How much of the time is training depends on them:", {listed(unknown)}));
    if (known.restart) {
        said.push_back(breakEven(checkpoint, meanRestart(known, between), between));
    } else {
        for (const double minutes : {5.0, 60.0})
            said.push_back(breakEven(checkpoint, Seconds(60.0 * minutes), between));
    }
    return said;
}

std::string goodputText(const Plan& plan, const Estimate& estimate, const Reliability& known)
{
    const auto said = goodputSentences(plan, estimate, known);
    if (said.empty()) return {};
    std::string text = "Goodput\n";
    for (const Sentence& sentence : said)
        text += "  " + sentence.english() + "\n";
    return text;
}

} // namespace cardfit
