// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/vllm/bench_load.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/launch/flag_reader.h"

namespace cardfit {

namespace {

/// Of vllm/benchmarks/serve.py, sglang/bench_serving.py and tensorrt_llm/bench: words for the same.
constexpr auto kInputs = std::to_array<std::string_view>(
    {"--random-input-len", "--random-input", "--input-len", "--isl", "--target-input-len", "--sonnet-input-len"});
constexpr auto kOutputs = std::to_array<std::string_view>(
    {"--random-output-len", "--random-output", "--output-len", "--osl", "--target-output-len", "--sharegpt-output-len",
        "--custom-output-len", "--hf-output-len", "--sonnet-output-len"});
constexpr auto kConcurrencies = std::to_array<std::string_view>({"--max-concurrency", "--concurrency", "--batch-size"});
constexpr auto kRequests = std::to_array<std::string_view>({"--num-prompts", "--num-requests"});

/// A ProgramFinder for benchmarks of a server.
std::optional<FoundProgram> benchProgram(std::span<const std::string> words)
{
    const auto is = [](std::string_view word, std::string_view program) {
        return word.substr(word.rfind('/') + 1) == program;
    };
    for (std::size_t at = 0; at < words.size(); ++at) {
        const auto next = [&](std::size_t by) {
            return at + by < words.size() ? std::string_view(words[at + by]) : std::string_view();
        };
        if (is(words[at], "vllm") && next(1) == "bench")
            return FoundProgram{fmt::format("vllm bench {}", next(2)), std::min(at + 3, words.size())};
        const bool module =
            words[at] == "-m" && (next(1) == "sglang.bench_serving" || next(1).ends_with(".benchmark_serving"));
        if (module) return FoundProgram{std::string(next(1)), at + 2};
        for (const std::string_view script :
            {"benchmark_serving.py", "benchmark_throughput.py", "benchmark_latency.py"})
            if (is(words[at], script)) return FoundProgram{std::string(script), at + 1};
    }
    return std::nullopt;
}

class LoadReader {
public:
    LoadReader(const LaunchCommand& command, Workload& load)
        : m_name(command.name)
        , m_flags(command.program)
        , m_load(load)
    {
    }

    std::vector<LaunchNote> run()
    {
        // Lengths of random prompts alone are stated.
        const std::string data = m_flags.word("--dataset-name").value_or("random");
        const bool stated = data == "random" || data == "random-ids" || data == "sonnet" || data.empty();
        if (!stated) note("--dataset-name", data, Sentence::tr("lengths of its requests are not in the command"));
        if (const auto input = stated ? count(kInputs) : std::nullopt) m_load.input_tokens = mean(*input);
        if (const auto output = count(kOutputs)) m_load.output_tokens = stated ? mean(*output) : *output;
        const auto concurrency = count(kConcurrencies);
        const auto requests = count(kRequests);
        const std::string rate = m_flags.word("--request-rate").value_or("inf");
        const auto per_second = numberIn<double>(rate);
        // Requests that all arrive within a second are a burst.
        const bool limited = per_second && std::isfinite(*per_second) && *per_second > 0.0
            && !(requests && *per_second >= static_cast<double>(*requests));
        if (concurrency) {
            m_load.concurrency = *concurrency;
            if (limited)
                note("--request-rate", rate,
                    Sentence::tr("a plan has a rate or a concurrency; the concurrency of {} is used", {*concurrency}));
        } else if (limited) {
            m_load.requests_per_second = *per_second;
            if (requests)
                note("--num-prompts", fmt::format("{}", *requests),
                    Sentence::tr("a rate has no end in a plan; not read"));
        }
        if (requests && !limited) m_load.queue = *requests;
        return std::move(m_notes);
    }

private:
    void note(std::string what, std::string value, Sentence why)
    {
        m_notes.push_back({std::move(what), std::move(value), std::move(why), true});
    }

    /// The first that is there, of those that say a number larger than 0; 0 and below mean no limit.
    std::optional<std::int64_t> count(std::span<const std::string_view> names)
    {
        for (const std::string_view name : names) {
            const auto word = m_flags.word(name);
            if (!word) continue;
            if (const auto found = countIn(*word)) return found;
            // The benchmark is not what is planned: it does not keep the server from being read.
            if (!numberIn<double>(*word))
                note(std::string(name), *word, Sentence::tr("not a number that is known here; not read"));
        }
        return std::nullopt;
    }

    /// SGLang draws lengths from a share of the stated one up to it, and that share is 0 if it is not given
    /// (sglang/bench_serving.py, random_range_ratio).
    std::int64_t mean(std::int64_t stated)
    {
        const auto ratio = m_flags.word("--random-range-ratio");
        const auto share = numberIn<double>(ratio.value_or("0"));
        if (!m_name.starts_with("sglang")) {
            if (ratio && share && *share > 0.0 && m_notes.empty())
                note("--random-range-ratio", *ratio, Sentence::tr("the stated lengths are taken as the mean"));
            return stated;
        }
        if (!share || *share < 0.0 || *share >= 1.0) return stated;
        const double mean = 0.5 * (1.0 + *share) * static_cast<double>(stated);
        if (!m_noted)
            note("--random-range-ratio", ratio.value_or("0"),
                Sentence::tr("SGLang draws lengths from this share of the stated ones up to them; the mean is used"));
        m_noted = true;
        return std::max<std::int64_t>(std::llround(mean), 1);
    }

    std::string m_name;
    FlagReader m_flags;
    Workload& m_load;
    std::vector<LaunchNote> m_notes;
    bool m_noted = false;
};

} // namespace

std::vector<std::string_view> benchOptions()
{
    std::vector<std::string_view> names(kInputs.begin(), kInputs.end());
    names.insert(names.end(), kOutputs.begin(), kOutputs.end());
    names.insert(names.end(), kConcurrencies.begin(), kConcurrencies.end());
    names.insert(names.end(), kRequests.begin(), kRequests.end());
    return names;
}

std::vector<LaunchNote> readBenchLoad(const LaunchCommand& command, const LaunchText& text, Workload& load)
{
    const bool itself = command.name.starts_with("trtllm-bench") || command.name.starts_with("vllm bench");
    if (itself) return LoadReader(command, load).run();
    const auto bench = readCommandOf(benchProgram, text);
    if (!bench || bench->name.empty()) return {};
    auto notes = LoadReader(*bench, load).run();
    if (!bench->other_commands.empty())
        notes.push_back({bench->name, fmt::format("line {}", bench->line),
            Sentence::tr("the load of this benchmark is used; the script has others"), true});
    return notes;
}

} // namespace cardfit
