// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/accuracy/evidence.h"
#include "core/base/amounts.h"
#include "core/base/enum_names.h"
#include "core/estimate/estimate.h"
#include "core/explain/sensitivity.h"
#include "core/plan/plan.h"
#include "core/report/document.h"
#include "core/search/suggestions.h"

/// A plan as a document for those who decide about it, and for those who check it.
namespace cardfit {

/// The document's sections, in its order.
enum class DocumentTopic : std::uint8_t {
    Figures,
    Plan,
    Memory,
    Timeline,
    Step,
    Alternatives,
    Risks,
    Sensitivity,
    Assumptions,
    Launch,
};
inline constexpr std::size_t kDocumentTopicCount = enumeratorCount<DocumentTopic>();

struct DocumentTopicRow {
    DocumentTopic value;
    std::string_view word; ///< on the command line, and the section's id
    Phrase title;
};
[[nodiscard]] std::span<const DocumentTopicRow> documentTopics();

/// A set of topics.
class DocumentTopics {
public:
    [[nodiscard]] static constexpr DocumentTopics all() { return DocumentTopics((1U << kDocumentTopicCount) - 1U); }
    constexpr DocumentTopics() = default;
    [[nodiscard]] constexpr bool has(DocumentTopic topic) const { return (m_bits & bit(topic)) != 0; }
    constexpr void set(DocumentTopic topic, bool on) { m_bits = on ? m_bits | bit(topic) : m_bits & ~bit(topic); }
    bool operator==(const DocumentTopics&) const = default;

private:
    explicit constexpr DocumentTopics(unsigned bits)
        : m_bits(bits)
    {
    }
    [[nodiscard]] static constexpr unsigned bit(DocumentTopic topic) { return 1U << static_cast<unsigned>(topic); }

    unsigned m_bits = 0;
};
[[nodiscard]] std::optional<DocumentTopic> documentTopicNamed(std::string_view word);

/// What the document says besides the plan's own estimate; it takes some hundred estimates.
struct DocumentFindings {
    std::vector<Suggestion> changes; ///< single changes that help
    std::vector<ChangedInput> inputs;
    std::vector<ChangedConstant> constants;
    std::shared_ptr<const MeasuredGround> ground; ///< published runs; null: they could not be read
    Evidence evidence; ///< refers to `ground`
};
/// For the topics that need them; empty for an incomplete estimate. `is_cancelled` is asked between steps.
[[nodiscard]] DocumentFindings documentFindings(const Plan& plan, const Estimate& estimate, DocumentTopics topics,
    std::shared_ptr<const MeasuredGround> ground, const std::function<bool()>& is_cancelled = {});

/// Another plan that was thought of.
struct Alternative {
    Plan plan;
    std::shared_ptr<const Estimate> estimate;
};

/// What starts the plan.
struct DocumentLaunch {
    Phrase title; ///< "Megatron-LM script"
    std::string text;
    std::vector<Sentence> not_written; ///< what of the plan it does not say
};

struct DocumentRequest {
    const Plan& plan;
    const Estimate& estimate;
    DocumentTopics topics = DocumentTopics::all();
    DocumentFindings findings = {};
    std::vector<Alternative> alternatives = {};
    std::vector<DocumentFigure> more_figures = {}; ///< of the alternatives
    std::optional<DocumentLaunch> launch = {};
    std::string author = {}; ///< or empty
    std::string date = {}; ///< "2026-11-28"; or empty
    std::string version = {}; ///< of this program
    ByteUnit unit = ByteUnit::GB;
    std::string language = "en"; ///< of the translation, as in HTML
};

/// The figures "memory", "timeline" and "step" are the charts of the estimate.
[[nodiscard]] Document planningDocument(const DocumentRequest& request, const Translation& translation = inEnglish);

/// Why the plan should not be started as it is, for readers who read only this; empty if it breaks no rule and fits.
[[nodiscard]] std::vector<Sentence> planWarnings(const Estimate& estimate);

} // namespace cardfit
