// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace cardfit::ui {

/// A button that may be narrower than its text: the middle is left out, since remedies differ in their last value.
class ElidedButton : public QPushButton {
    Q_OBJECT

public:
    ElidedButton(const QString& text, QWidget* parent);
    [[nodiscard]] QSize sizeHint() const override { return m_size; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString m_text;
    QSize m_size; ///< that the whole text needs
};

} // namespace cardfit::ui
