// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/traces/training_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/files/foreign_text.h"

namespace cardfit {

namespace {

enum class Figure { Step, StepRate, TokenRate, SampleRate, Work, Allocated, Reserved };
constexpr std::size_t kFigureCount = 7;

/// The words before a figure; colons, equals signs, quotes or units in parentheses stand between the two.
struct Announcement {
    std::string_view words; ///< in lower case
    Figure figure;
    double scale; ///< to seconds, bytes and plain rates where the line gives no unit
};
/// Longer words before those that they contain.
constexpr auto kAnnouncements = std::to_array<Announcement>({
    {"elapsed time per iteration (ms)", Figure::Step, 1e-3},
    {"elapsed time per iteration (s)", Figure::Step, 1.0},
    {"throughput per gpu (tflop/s/gpu)", Figure::Work, 1.0},
    {"tflops", Figure::Work, 1.0},
    {"train_steps_per_second", Figure::StepRate, 1.0},
    {"train_samples_per_second", Figure::SampleRate, 1.0},
    {"currsamplespersec", Figure::SampleRate, 1.0},
    {"samplespersec", Figure::SampleRate, 1.0},
    {"samples per second", Figure::SampleRate, 1.0},
    {"samples/sec", Figure::SampleRate, 1.0},
    {"samples/s", Figure::SampleRate, 1.0},
    {"tps", Figure::TokenRate, 1.0},
    {"wps", Figure::TokenRate, 1.0},
    {"tokens/s/gpu", Figure::TokenRate, 1.0},
    {"max allocated", Figure::Allocated, 0x1p20},
    {"maxmemallocated", Figure::Allocated, 0x1p30},
    {"memory", Figure::Reserved, 0.0},
});

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Without the escape sequences that colour a terminal, and in lower case.
std::string plain(std::string_view line)
{
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
            while (i < line.size() && !isLetter(line[i]))
                ++i;
            continue;
        }
        text += static_cast<char>(std::tolower(static_cast<unsigned char>(line[i])));
    }
    return text;
}

/// The number that comes next, "2,345.6" included.
std::optional<double> takeNumber(TextCursor& cursor)
{
    std::string digits;
    for (char before = '\0';;) {
        const char c = cursor.peek();
        const auto digit = [&](std::size_t ahead) { return isDigit(cursor.peek(ahead)); };
        const bool groups = c == ',' && digit(1) && digit(2) && digit(3) && !digit(4);
        const bool exponent =
            c == 'e' && !digits.empty() && (digit(1) || cursor.peek(1) == '+' || cursor.peek(1) == '-');
        const bool sign = (c == '+' || c == '-') && before == 'e';
        if (!isDigit(c) && c != '.' && !groups && !exponent && !sign) break;
        if (c != ',' && c != '+') digits += c;
        before = c;
        cursor.take();
    }
    // A full stop at the end belongs to the sentence.
    while (digits.ends_with('.'))
        digits.pop_back();
    return numberIn<double>(digits);
}

double unitScale(TextCursor after, double otherwise)
{
    constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
        {{"gib", 0x1p30}, {"mib", 0x1p20}, {"gb", 0x1p30}, {"mb", 0x1p20}}};
    after.skipBlanks();
    for (const auto& [unit, scale] : kUnits) {
        if (after.rest().starts_with(unit)) return scale;
    }
    return otherwise;
}

/// No run has such figures, and larger ones do not fit a number of bytes.
constexpr double kLeastFigure = 1e-12;
constexpr double kMostFigure = 0x1p60;

/// The figure that follows its words in a line that is plain; nullopt if the words are part of others, or no number
/// follows that a run can have.
std::optional<double> valueOf(std::string_view line, const Announcement& announced)
{
    for (std::size_t at = line.find(announced.words); at != std::string_view::npos;
         at = line.find(announced.words, at + 1)) {
        const bool word_before = at > 0 && isLetter(line[at - 1]) && announced.figure != Figure::SampleRate;
        TextCursor cursor(line.substr(at + announced.words.size()));
        const auto between =
            cursor.takeWhile([](char c) { return std::string_view(" \t:='\"|").find(c) != std::string_view::npos; });
        if (word_before || between.empty()) continue;
        const double number = takeNumber(cursor).value_or(0.0);
        const bool memory = announced.figure == Figure::Allocated || announced.figure == Figure::Reserved;
        const double figure = number * (memory ? unitScale(cursor, announced.scale) : announced.scale);
        if (figure >= kLeastFigure && figure <= kMostFigure) return figure;
    }
    return std::nullopt;
}

/// "[Rank 12] ..." as Megatron-LM begins its lines of memory.
std::int64_t rankInLine(std::string_view line)
{
    constexpr std::string_view kHead = "[rank";
    const std::size_t at = line.find(kHead);
    if (at == std::string_view::npos) return 0;
    TextCursor cursor(line.substr(at + kHead.size()));
    cursor.takeWhile([](char c) { return c == ' ' || c == ':'; });
    // Beyond any cluster, so that measurementOf() refuses it; larger ones would not fit.
    constexpr double kMostRank = 0x1p40;
    return static_cast<std::int64_t>(std::min(takeNumber(cursor).value_or(0.0), kMostRank));
}

constexpr std::size_t kWarmUp = 2;

/// The median without the lines of the warm-up, if there are others.
double medianAfterWarmUp(std::vector<double> values)
{
    if (values.size() > kWarmUp) values.erase(values.begin(), values.begin() + kWarmUp);
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// The figures of all lines.
class Reader {
public:
    void read(std::string_view line, std::size_t number)
    {
        const std::string text = plain(line);
        if (text.find_first_not_of(" \t\r") == std::string::npos) return;
        std::array<bool, kFigureCount> seen{};
        for (const Announcement& announced : kAnnouncements) {
            const auto index = static_cast<std::size_t>(announced.figure);
            if (seen[index]) continue;
            const auto value = valueOf(text, announced);
            if (!value) continue;
            seen[index] = true;
            if (announced.figure == Figure::Allocated && (m_values[index].empty() || *value > largest(index)))
                m_log.rank = rankInLine(text);
            m_values[index].push_back(*value);
        }
        if (std::ranges::find(seen, true) == seen.end())
            m_log.not_understood.push_back(fmt::format("line {}: {}", number, line));
    }

    [[nodiscard]] TrainingLog log() &&
    {
        if (const auto value = median(
                Figure::Step, [](std::string time) { return Sentence::tr("step time {} s", {std::move(time)}); }))
            m_log.step = Seconds(*value);
        const auto rate = median(Figure::StepRate,
            [](std::string steps) { return Sentence::tr("steps {} per second", {std::move(steps)}); });
        if (rate && !m_log.step) m_log.step = Seconds(1.0 / *rate);
        m_log.tokens_per_second_per_card = median(Figure::TokenRate,
            [](std::string tokens) { return Sentence::tr("tokens {} per second and card", {std::move(tokens)}); });
        m_log.samples_per_second = median(Figure::SampleRate,
            [](std::string samples) { return Sentence::tr("samples {} per second", {std::move(samples)}); });
        m_log.model_tflops_per_card = median(
            Figure::Work, [](std::string work) { return Sentence::tr("work {} TFLOP/s per card", {std::move(work)}); });
        m_log.allocated = most(Figure::Allocated);
        m_log.reserved = most(Figure::Reserved);
        return std::move(m_log);
    }

    [[nodiscard]] bool empty() const
    {
        return std::ranges::all_of(m_values, [](const std::vector<double>& values) { return values.empty(); });
    }

private:
    [[nodiscard]] double largest(std::size_t index) const { return *std::ranges::max_element(m_values[index]); }

    std::optional<double> median(Figure figure, Sentence (*saying)(std::string value))
    {
        const auto& values = m_values[static_cast<std::size_t>(figure)];
        if (values.empty()) return std::nullopt;
        const double value = medianAfterWarmUp(values);
        Sentence how = Sentence::tr("from one line");
        if (values.size() > kWarmUp + 1)
            how = Sentence::tr("median of {} lines after the first {}", {values.size() - kWarmUp, kWarmUp});
        else if (values.size() == kWarmUp + 1)
            how = Sentence::tr("from the line after the first {}", {kWarmUp});
        else if (values.size() == kWarmUp)
            how = Sentence::tr("mean of two lines, which may be a warm-up");
        m_log.found.push_back(Sentence::tr("{}, {}", {saying(fmt::format("{:.6g}", value)), std::move(how)}));
        return value;
    }

    std::optional<Bytes> most(Figure figure)
    {
        const auto index = static_cast<std::size_t>(figure);
        const std::size_t count = m_values[index].size();
        if (count == 0) return std::nullopt;
        const Bytes bytes = roundToBytes(largest(index));
        const Sentence lines = count == 1 ? Sentence::tr("1 line") : Sentence::tr("{} lines", {count});
        m_log.found.push_back(figure == Figure::Allocated
                ? Sentence::tr("memory allocated {} bytes, most of rank {} in {}", {bytes.value(), m_log.rank, lines})
                : Sentence::tr("memory reserved {} bytes, most in {}", {bytes.value(), lines}));
        return bytes;
    }

    TrainingLog m_log;
    std::array<std::vector<double>, kFigureCount> m_values;
};

} // namespace

Result<TrainingLog> readTrainingLog(std::string_view text)
{
    if (auto error = nulByteIn(text)) return tl::unexpected<Error>(*std::move(error));
    Reader reader;
    std::size_t number = 0;
    for (TextCursor cursor(text); !cursor.atEnd(); cursor.take()) {
        std::string_view line = cursor.takeUntil('\n');
        if (line.ends_with('\r')) line.remove_suffix(1);
        reader.read(line, ++number);
    }
    if (reader.empty()) {
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr("expected lines of Megatron-LM (\"elapsed time per iteration (ms): 1234.5\", \"max allocated: "
                         "61234.0\"), torchtitan (\"tps: 2,345\"), DeepSpeed (\"samples/sec: 12.3\") or Hugging Face "
                         "(\"train_samples_per_second\": 12.3), found none of them in {}",
                {number == 1 ? Sentence::tr("1 line") : Sentence::tr("{} lines", {number})}));
    }
    return std::move(reader).log();
}

Result<Measurement> measurementOf(const TrainingLog& log, const Plan& plan)
{
    Measurement measured;
    if (log.step)
        measured.step = log.step;
    else if (log.tokens_per_second_per_card)
        measured.tokens_per_second_per_card = log.tokens_per_second_per_card;
    else if (log.samples_per_second)
        measured.step = Seconds(static_cast<double>(plan.workload.global_batch_size) / *log.samples_per_second);
    if (log.allocated) {
        const auto& degrees = plan.parallelism;
        const std::int64_t apart = product(product(degrees.tensor, degrees.context), dataParallel(plan));
        const std::int64_t ranks = product(apart, degrees.pipeline);
        if (log.rank >= ranks) {
            return fail(ErrorCode::OutOfRange, {},
                Sentence::tr("expected ranks below {}, the cards that the plan uses; found memory of rank {}",
                    {ranks, log.rank}));
        }
        measured.allocated = log.allocated;
        measured.stage = log.rank / apart;
    }
    if (!measured.step && !measured.tokens_per_second_per_card && !measured.allocated) {
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr(
                "expected a step time, tokens per second, samples per second or max allocated memory in the log; found "
                "only TFLOP/s or reserved memory"));
    }
    return measured;
}

} // namespace cardfit
