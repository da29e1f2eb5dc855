// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QTextBrowser>

#include "core/explain/explain.h"
#include "core/report/reports.h"

namespace cardfit::ui {

/// Shows an Explanation: value, sentence, addends with their formulas, symbols, effects of changes, what is left out,
/// and sources. Addends link to their own explanations. It is as high as its text: who shows it scrolls.
class ExplainView : public QTextBrowser {
    Q_OBJECT

public:
    explicit ExplainView(QWidget* parent = nullptr);

    void setExplanation(const Explanation& explanation, ByteUnit unit);
    /// Shows why there is nothing to explain.
    void setMessage(const QString& message);
    [[nodiscard]] const std::optional<Explanation>& explanation() const { return m_explanation; }

signals:
    void figureChosen(const QString& figure);
    void pageTurned(); ///< another figure is explained, not the same one with other numbers

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();

    std::optional<Explanation> m_explanation;
    QString m_message;
    ByteUnit m_unit = ByteUnit::GB;
};

} // namespace cardfit::ui
