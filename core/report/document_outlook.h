// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/base/sentence.h"
#include "core/report/planning_document.h"

/// The sections of a planning document that look beyond the plan's own figures.
namespace cardfit {

/// How far measured runs were from predictions like this one: what the ranges of the document mean.
[[nodiscard]] Sentence bandSentence(const Estimate& estimate);

/// The same of a server; requires its pace.
[[nodiscard]] Sentence serverBandSentence(const Estimate& estimate);

class Outlook {
public:
    /// Both must outlive it.
    Outlook(const DocumentRequest& request, const Translation& translation);

    /// Other plans beside this one and why it is not they, then the single changes that help, with their price.
    [[nodiscard]] std::vector<DocumentPart> alternatives() const;
    /// Bands, measured runs nearest to the plan, and what a run depends on. Requires a complete estimate.
    [[nodiscard]] std::vector<DocumentPart> risks() const;
    /// Inputs, then constants of the models. Requires a complete estimate.
    [[nodiscard]] std::vector<DocumentPart> sensitivity() const;

private:
    [[nodiscard]] std::string say(const Sentence& sentence) const { return sentence.in(m_translation); }
    [[nodiscard]] std::string amount(Bytes bytes) const;
    [[nodiscard]] std::string signedAmount(Bytes bytes) const;
    [[nodiscard]] std::string days(double difference) const;
    [[nodiscard]] DocumentPart beside() const;
    [[nodiscard]] Sentence whyNot(const Alternative& other) const;
    [[nodiscard]] Sentence whatDiffers(const Alternative& other) const;
    [[nodiscard]] DocumentPart singleChanges() const;
    [[nodiscard]] DocumentPart nearestRuns() const;
    [[nodiscard]] std::vector<Sentence> dependences() const;

    const DocumentRequest& m_request;
    const Translation& m_translation;
};

} // namespace cardfit
