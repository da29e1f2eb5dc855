// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/panel_labels.h"

#include <QEvent>
#include <QLayout>
#include <QPalette>

namespace cardfit::ui {

namespace {

class InkLabel : public QLabel {
public:
    using QLabel::QLabel;

    void setInk(QColor Theme::*ink)
    {
        m_ink = ink;
        dye();
    }

protected:
    void changeEvent(QEvent* event) override
    {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) dye();
    }

private:
    void dye()
    {
        if (m_ink == nullptr || parentWidget() == nullptr) return;
        const QColor ink = themeFor(parentWidget()->palette()).*m_ink;
        if (palette().color(QPalette::WindowText) == ink) return; // a palette that is set is a change of it as well
        QPalette own = palette();
        own.setColor(QPalette::WindowText, ink);
        setPalette(own);
    }

    QColor Theme::*m_ink = nullptr;
};

} // namespace

QLabel* wrappedLabel(const QString& text, QWidget* parent)
{
    auto* label = new InkLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* noteLabel(const QString& text, QWidget* parent)
{
    QLabel* label = wrappedLabel(text, parent);
    setInk(label, &Theme::muted_text);
    return label;
}

void setInk(QLabel* label, QColor Theme::*ink) { static_cast<InkLabel*>(label)->setInk(ink); }

void setBold(QWidget* widget)
{
    QFont font = widget->font();
    font.setBold(true);
    widget->setFont(font);
}

void setMessage(QLabel* label, const QString& message, bool is_error)
{
    setInk(label, is_error ? &Theme::over : &Theme::muted_text);
    label->setText(is_error ? QStringLiteral("✖ ") + message : message);
    label->setVisible(!message.isEmpty());
}

void replaceWidget(QLayout& layout, QWidget* old, QWidget* next)
{
    if (old != nullptr) {
        layout.removeWidget(old);
        old->hide();
        old->setParent(nullptr);
        old->deleteLater();
    }
    layout.addWidget(next);
    next->show();
}

QString numberListText(const std::vector<std::int64_t>& numbers)
{
    QStringList words;
    for (const std::int64_t number : numbers)
        words << QString::number(number);
    return words.join(u' ');
}

} // namespace cardfit::ui
