// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QTextBrowser>

#include "core/explain/explain.h"
#include "core/report/reports.h"

namespace cardfit::ui {

/// Shows an Explanation: value, sentence, addends with their formulas, symbols, effects of changes, what is left out,
/// and sources. Addends link to their own explanations.
class ExplainView : public QTextBrowser {
    Q_OBJECT

public:
    explicit ExplainView(QWidget* parent = nullptr);

    /// If the figure is the same and only its numbers change, the scroll position is kept.
    void setExplanation(const Explanation& explanation, ByteUnit unit);
    /// Shows why there is nothing to explain.
    void setMessage(const QString& message);
    [[nodiscard]] const std::optional<Explanation>& explanation() const { return m_explanation; }

signals:
    void figureChosen(const QString& figure);

protected:
    void changeEvent(QEvent* event) override;

private:
    void setPage(const QString& html, bool keep_place);
    void rebuild(bool keep_place);

    std::optional<Explanation> m_explanation;
    QString m_message;
    ByteUnit m_unit = ByteUnit::GB;
};

} // namespace cardfit::ui
