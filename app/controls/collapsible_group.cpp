// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/controls/collapsible_group.h"

#include <QSettings>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/controls/panel_labels.h"

namespace cardfit::app {

CollapsibleGroup::CollapsibleGroup(const QString& id, const QString& title, QWidget* parent, bool open)
    : QWidget(parent)
    , m_id(QStringLiteral("groups/") + id)
    , m_title(title)
    , m_head(new QToolButton(this))
    , m_body(new QWidget(this))
    , m_rows(new QVBoxLayout(m_body))
{
    m_head->setText(title);
    m_head->setCheckable(true);
    m_head->setAutoRaise(true);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    ui::setBold(m_head);
    m_rows->setContentsMargins(6, 0, 0, 6);
    m_rows->setSpacing(4);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_body);
    connect(m_head, &QToolButton::toggled, this, &CollapsibleGroup::setOpen);
    connect(m_head, &QToolButton::clicked, this, [this](bool now_open) { QSettings().setValue(m_id, now_open); });
    open = QSettings().value(m_id, open).toBool();
    m_head->setChecked(open);
    setOpen(open);
}

void CollapsibleGroup::add(QWidget* widget) { m_rows->addWidget(widget); }

void CollapsibleGroup::setOpen(bool open)
{
    m_head->setChecked(open);
    m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_body->setVisible(open);
    emit toggled(open);
}

void CollapsibleGroup::setMark(const QString& mark)
{
    const QString text = mark.isEmpty() ? m_title : QStringLiteral("%1 · %2").arg(m_title, mark);
    if (text != m_head->text()) m_head->setText(text);
}

bool CollapsibleGroup::isOpen() const { return m_head->isChecked(); }

} // namespace cardfit::app
