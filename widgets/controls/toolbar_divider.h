// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QToolBar;

namespace cardfit::ui {

/// A thin line between two groups of a toolbar. The style's own separator is invisible on a dark background and not
/// centred.
class ToolBarDivider : public QWidget {
    Q_OBJECT

public:
    static void addTo(QToolBar& bar);

    [[nodiscard]] QSize sizeHint() const override { return {11, 16}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    explicit ToolBarDivider(QWidget* parent);
};

} // namespace cardfit::ui
