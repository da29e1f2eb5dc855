// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/layout_text.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/base/trimmed.h"
#include "core/layers/layer_split.h"
#include "core/pipeline/orders/placement.h"
#include "core/plan/edits.h"
#include "core/plan/field_table.h"

namespace cardfit {

namespace {

constexpr std::string_view kLetters = "EtmL|";

/// Expands repetitions into letters and bars.
class Unroller {
public:
    explicit Unroller(std::string_view text)
        : m_cursor(text)
    {
    }

    Result<std::string> run()
    {
        while (!m_cursor.atEnd()) {
            if (m_cursor.peek() == '(')
                group();
            else
                part(m_parts);
            if (!m_error && m_parts.size() > kMostLayoutParts) tooLong();
            if (m_error) return tl::unexpected<Error>(*m_error);
        }
        return std::move(m_parts);
    }

private:
    void refuse(Sentence message) { refuse(m_cursor.position(), std::move(message)); }
    void refuse(std::size_t position, Sentence message)
    {
        m_error = Error{ErrorCode::WrongFormat, {}, Sentence::tr("column {}", {position + 1}), std::move(message)};
    }
    void tooLong()
    {
        m_error =
            Error{ErrorCode::OutOfRange, {}, {}, Sentence::tr("more than {} letters and bars", {kMostLayoutParts})};
    }

    void group()
    {
        const std::size_t start = m_cursor.position();
        m_cursor.take();
        std::string parts;
        while (!m_error && !m_cursor.atEnd() && m_cursor.peek() != ')') {
            if (m_cursor.peek() == '(') return refuse(Sentence::tr("a group in a group; Megatron-LM knows none"));
            part(parts);
        }
        if (m_error) return;
        if (m_cursor.atEnd()) return refuse(start, Sentence::tr("a group that is not closed"));
        if (parts.empty()) return refuse(Sentence::tr("an empty group"));
        m_cursor.take();
        if (m_cursor.peek() != '*')
            return refuse(Sentence::tr("expected * and a number behind a group, such as (tt|)*3"));
        repeat(m_parts, parts);
    }

    /// Reads one letter or bar with its repetition count.
    void part(std::string& parts)
    {
        if (m_cursor.takeIf(',')) return;
        const char letter = m_cursor.peek();
        if (kLetters.find(letter) == std::string_view::npos)
            return refuse(Sentence::tr("expected E, t, m, L or |, found “{}”", {std::string(1, letter)}));
        m_cursor.take();
        if (m_cursor.peek() == '*')
            repeat(parts, std::string_view(&letter, 1));
        else
            parts += letter;
    }

    void repeat(std::string& parts, std::string_view repeated)
    {
        m_cursor.take(); // the asterisk
        const bool digit = m_cursor.peek() >= '0' && m_cursor.peek() <= '9';
        if (!digit) return refuse(Sentence::tr("expected a number behind *"));
        const auto times = m_cursor.number<std::size_t>();
        if (!times || *times > kMostLayoutParts / std::max<std::size_t>(1, repeated.size())) return tooLong();
        if (m_cursor.peek() == '*') return refuse(Sentence::tr("a repetition of a repetition; Megatron-LM knows none"));
        for (std::size_t i = 0; i < *times; ++i)
            parts += repeated;
    }

    TextCursor m_cursor;
    std::string m_parts;
    std::optional<Error> m_error;
};

std::string repeated(char letter, std::int64_t times)
{
    if (times <= 3) return std::string(static_cast<std::size_t>(times), letter);
    return fmt::format("{}*{}", letter, times);
}

std::string stageText(const LayoutStage& stage)
{
    return (stage.embedding ? "E" : "") + repeated('t', stage.layers) + repeated('m', stage.prediction_layers)
        + (stage.loss ? "L" : "");
}

/// The error if a Megatron-LM layout cannot describe the plan's placement of stages; nullopt if it can.
std::optional<Error> notInLoops(const Plan& plan)
{
    if (placementOf(plan.recipe.schedule) == Placement::Loop) return std::nullopt;
    return Error{ErrorCode::OutOfRange, {}, Sentence::verbatim(std::string(pointerOf<&Recipe::schedule>)),
        Sentence::tr("the schedule runs its stages back and forth, which a Megatron-LM layout cannot express")};
}

} // namespace

Result<std::vector<LayoutStage>> parseLayout(std::string_view text)
{
    text = trimmed(text);
    auto unrolled = Unroller(text).run();
    if (!unrolled) return tl::unexpected<Error>(unrolled.error());
    std::vector<LayoutStage> stages(1);
    const std::string_view parts = *unrolled;
    bool predicts = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        LayoutStage& stage = stages.back();
        switch (parts[i]) {
        case 'E':
            if (i != 0)
                return fail(ErrorCode::WrongFormat, {}, Sentence::tr("the embedding E may only be the first of all"));
            stage.embedding = true;
            break;
        case 'L':
            if (i + 1 != parts.size())
                return fail(ErrorCode::WrongFormat, {}, Sentence::tr("the loss L may only be the last of all"));
            stage.loss = true;
            break;
        case 't':
            if (predicts)
                return fail(ErrorCode::WrongFormat, {}, Sentence::tr("layers t cannot follow prediction layers m"));
            ++stage.layers;
            break;
        case 'm':
            predicts = true;
            ++stage.prediction_layers;
            break;
        default: stages.emplace_back(); break;
        }
    }
    if (!stages.front().embedding)
        return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected the embedding E first of all"));
    if (!stages.back().loss) return fail(ErrorCode::WrongFormat, {}, Sentence::tr("expected the loss L last of all"));
    return stages;
}

Result<Plan> withLayout(Plan plan, const std::vector<LayoutStage>& stages)
{
    if (auto refused = notInLoops(plan)) return tl::unexpected<Error>(*std::move(refused));
    const auto count = static_cast<std::int64_t>(stages.size());
    const std::int64_t ranks = plan.parallelism.pipeline;
    if (ranks < 1 || count % ranks != 0) {
        return fail(ErrorCode::OutOfRange, pointerOf<&Parallelism::pipeline>,
            Sentence::tr("the layout has {} stages, expected a multiple of pipeline {}", {count, ranks}));
    }
    std::vector<std::int64_t> layers;
    std::int64_t all = 0;
    std::int64_t predictions = 0;
    for (const LayoutStage& stage : stages) {
        layers.push_back(stage.layers);
        all += stage.layers;
        predictions += stage.prediction_layers;
    }
    const Architecture& model = plan.model.architecture;
    if (all != model.num_hidden_layers) {
        return fail(ErrorCode::OutOfRange, pointerOf<&Parallelism::layers_per_stage>,
            Sentence::tr("the layout has {} layers t, the model {}", {all, model.num_hidden_layers}));
    }
    if (predictions != model.mtp_layers) {
        return fail(ErrorCode::OutOfRange, pointerOf<&Architecture::mtp_layers>,
            Sentence::tr("the layout has {} prediction layers m, the model {}", {predictions, model.mtp_layers}));
    }
    if (predictions != stages.back().prediction_layers) {
        return fail(ErrorCode::OutOfRange, pointerOf<&Parallelism::layers_per_stage>,
            Sentence::tr("the layout has prediction layers m before its last stage; plans keep them on the stage of "
                         "the loss L"));
    }
    if (const std::int64_t chunks = count / ranks; chunks != plan.parallelism.virtual_pipeline)
        plan = withChunks(std::move(plan), chunks);
    return withLayerSplit(std::move(plan), std::move(layers));
}

Result<std::string> layoutText(const Plan& plan)
{
    if (auto refused = notInLoops(plan)) return tl::unexpected<Error>(*std::move(refused));
    const auto layers = layerSplit(plan);
    if (!layers)
        return fail(ErrorCode::OutOfRange, {}, Sentence::tr("a broken rule leaves the layers of the stages unknown"));
    return layoutText(*layers, plan.model.architecture.mtp_layers);
}

std::string layoutText(const std::vector<std::int64_t>& layers, std::int64_t prediction_layers)
{
    std::vector<std::string> stages;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const bool last = i + 1 == layers.size();
        stages.push_back(stageText({i == 0, layers[i], last ? prediction_layers : 0, last}));
    }
    std::string text;
    bool behind_group = false;
    for (std::size_t i = 0; i < stages.size();) {
        // The last stage has no bar after it, so it is never part of a group.
        std::size_t end = i + 1;
        while (end + 1 < stages.size() && stages[end] == stages[i])
            ++end;
        const bool last = i + 1 == stages.size();
        const bool grouped = !last && end - i > 1;
        if (behind_group) text += ','; // otherwise the count and what follows are hard to tell apart
        if (grouped)
            text += fmt::format("({}|)*{}", stages[i], end - i);
        else
            text += stages[i] + (last ? "" : "|");
        behind_group = grouped;
        i = grouped ? end : i + 1;
    }
    return text;
}

bool looksLikeLayout(std::string_view text)
{
    text = trimmed(text);
    return text.find('|') != std::string_view::npos || text.substr(0, 1) == "E";
}

} // namespace cardfit
