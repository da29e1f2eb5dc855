// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPointF>
#include <QString>

#include "widgets/chart/overlay_part.h"
#include "widgets/chart/theme.h"

namespace cardfit::ui {

/// What appears beside the pointer: a title and rows of label, value and, in a third column, the same in another unit.
struct HoverText {
    struct Row {
        QString label, value, other;
        bool strong = false;

        bool operator==(const Row&) const = default;
    };
    QString title;
    std::vector<Row> rows;

    [[nodiscard]] QString plain() const;
    bool operator==(const HoverText&) const = default;
};

/// The card with that text.
class HoverCard : public OverlayPart {
    Q_OBJECT

public:
    explicit HoverCard(QCustomPlot* plot);

    void setTheme(const Theme& theme) { m_theme = theme; }
    /// An outline around what the text is about; empty for none.
    void showText(const HoverText& text, QPointF anchor, const QRectF& outlined);
    void hideText();
    [[nodiscard]] QString text() const { return m_shown ? m_text.plain() : QString(); }

protected:
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] QSize sizeOfText() const;
    [[nodiscard]] QPoint placeFor(QSize size) const;
    void drawRows(QCPPainter& painter, const QRect& inside) const;

    Theme m_theme = lightTheme();
    HoverText m_text;
    QPointF m_anchor;
    QRectF m_outlined;
    bool m_shown = false;
};

} // namespace cardfit::ui
