// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <qcustomplot.h>

#include "widgets/chart/theme.h"

namespace cardfit::ui {

/// One figure of a strip, as text.
struct StripFact {
    enum class Tone { Plain, Better, Worse };
    QString text;
    Tone tone = Tone::Plain; ///< how it compares with the plan's own schedule; the text says so, too

    bool operator==(const StripFact&) const = default;
};

/// The name of a strip and its figures, above the strip, on as many lines as needed.
class StripHeader : public QCPLayoutElement {
    Q_OBJECT

public:
    StripHeader(QCustomPlot* plot, const Theme& theme);

    void setTexts(const QString& title, const QList<StripFact>& facts);
    [[nodiscard]] QString title() const { return m_title; }
    [[nodiscard]] const QList<StripFact>& facts() const { return m_facts; }

    QSize minimumOuterSizeHint() const override;
    QSize maximumOuterSizeHint() const override;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }
    void draw(QCPPainter* painter) override;

private:
    struct Placed {
        QList<QRect> facts; ///< the first is on the title's line
        int height = 0;
    };
    [[nodiscard]] Placed arrange(int width) const;

    const Theme& m_theme;
    QString m_title;
    QList<StripFact> m_facts;
};

} // namespace cardfit::ui
