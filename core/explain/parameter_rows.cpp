// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/explain/catalogue.h"
#include "core/model/operators.h"
#include "core/plan/tables.h"

namespace cardfit {

namespace {

Sentence expertsText(std::int64_t layers, std::int64_t experts)
{
    return Sentence::tr("{} layers x {} experts", {layers, experts});
}

/// Adds up the weights of the whole model, merging those of the same name and shape.
class Rows {
public:
    Rows(const Plan& plan, CountedParameters counted)
        : m_model(plan.model.architecture)
        , m_counted(counted)
    {
        if (counted == CountedParameters::Adapters) m_options.adapter = adapterOf(plan);
        m_share.vocabulary = m_model.vocab_size;
    }

    std::vector<ExplanationRow> collect()
    {
        for (const auto [kind, count] : layerKinds(m_model))
            add(layerOperators(m_model, m_share, m_options, kind), count);
        // Trained parameters of adapters are counted only in the model's own layers and its output layer.
        if (m_counted == CountedParameters::Adapters) {
            add(headOperators(m_model, m_share, m_options, false), 1);
        } else {
            addEnds();
        }
        std::ranges::stable_sort(m_rows, std::ranges::greater{}, [](const auto& row) { return row.value.number; });
        return std::move(m_rows);
    }

private:
    void addEnds()
    {
        add(embeddingOperators(m_model, m_share, m_options), 1);
        if (m_counted != CountedParameters::Learned) add(visionOperators(m_model, m_share, m_options), 1);
        add(headOperators(m_model, m_share, m_options, !m_model.tie_word_embeddings), 1);
        if (m_model.mtp_layers > 0) add(predictionOperators(m_model, m_share, m_options), predictionWeights(m_model));
    }

    void add(const std::vector<Operator>& operators, std::int64_t times)
    {
        for (const Operator& step : operators) {
            for (const Weight& weight : step.weights) {
                if (weight.adapter == (m_counted == CountedParameters::Adapters)) add(weight, times);
            }
        }
    }

    void add(const Weight& weight, std::int64_t times)
    {
        const bool chosen = weight.expert && m_counted == CountedParameters::Active;
        const std::int64_t copies = chosen ? m_model.moe->num_experts_per_tok : weight.copies;
        std::string formula = std::to_string(weight.rows);
        if (weight.columns > 1) formula += fmt::format(" {}", weight.columns);
        const std::int64_t count = times * copies;
        const auto same = std::ranges::find_if(
            m_rows, [&](const ExplanationRow& row) { return row.id == weight.id && row.formula == formula; });
        const auto elements = static_cast<double>(count * weight.rows * weight.columns);
        if (same != m_rows.end()) {
            same->count += count;
            same->value.number += elements;
            if (copies > 1 && weight.expert) same->count_meaning = expertsText(same->count / copies, copies);
            return;
        }
        ExplanationRow row;
        row.id = weight.id;
        if (const auto* entry = describeWeight(weight.id)) {
            row.title = entry->title;
            row.sentence = entry->sentence;
        }
        row.count = count;
        if (copies > 1 && weight.expert) row.count_meaning = expertsText(times, copies);
        row.formula = formula;
        row.value = {FigureUnit::Parameters, {}, elements};
        m_rows.push_back(std::move(row));
    }

    const Architecture& m_model;
    CountedParameters m_counted;
    CardShare m_share;
    OperatorOptions m_options;
    std::vector<ExplanationRow> m_rows;
};

} // namespace

std::vector<ExplanationRow> parameterRows(const Plan& plan, CountedParameters counted)
{
    return Rows(plan, counted).collect();
}

} // namespace cardfit
