// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPointF>
#include <QString>

#include "core/base/units.h"
#include "widgets/chart/chart_parts.h"

namespace cardfit::ui {

/// Text of a hover card: a title and rows of label, value and, in a third column, the value in another unit.
struct HoverText {
    struct Row {
        QString label, value, other;
        bool strong = false;

        bool operator==(const Row&) const = default;
    };
    QString title;
    std::vector<Row> rows;

    void add(const QString& label, const QString& value, const QString& other = {}, bool strong = false)
    {
        rows.push_back({label, value, other, strong});
    }
    /// In GB, and in GiB in the third column.
    void addBytes(const QString& label, Bytes bytes, bool strong = false, int decimals = 2);
    [[nodiscard]] QString plain() const;
    bool operator==(const HoverText&) const = default;
};

/// Draws a HoverText.
class HoverCard : public OverlayPart {
    Q_OBJECT

public:
    using OverlayPart::OverlayPart;

    /// `outlined`: the rectangle that the text is about, which is outlined; empty for none.
    void showText(const HoverText& text, QPointF anchor, const QRectF& outlined);
    void hideText();
    [[nodiscard]] QString text() const { return m_shown ? m_text.plain() : QString(); }

protected:
    [[nodiscard]] bool isShown() const override { return m_shown; }
    void draw(QCPPainter* painter) override;

private:
    [[nodiscard]] QSize sizeOfText() const;
    [[nodiscard]] QPoint placeFor(QSize size) const;
    void drawRows(QCPPainter& painter, const QRect& inside) const;

    HoverText m_text;
    QPointF m_anchor;
    QRectF m_outlined;
    bool m_shown = false;
};

} // namespace cardfit::ui
