// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/written_notice.h"

#include <chrono>

#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QUrl>

#include "widgets/chart/theme.h"
#include "widgets/text/tool_tip.h"

namespace cardfit::app {

namespace {

constexpr std::chrono::seconds kShown(20);
constexpr int kMostCharacters = 32; ///< short, to leave space for the verdict beside it

} // namespace

WrittenNotice::WrittenNotice(QWidget* parent)
    : QWidget(parent)
    , m_text(new QLabel(this))
    , m_warning(new QLabel(this))
    , m_folder(new QPushButton(tr("Open folder"), this))
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    row->addWidget(m_text);
    row->addWidget(m_warning);
    row->addWidget(m_folder);
    for (QLabel* label : {m_text, m_warning})
        label->setTextFormat(Qt::PlainText);
    m_gone.setSingleShot(true);
    m_gone.setInterval(kShown);
    connect(&m_gone, &QTimer::timeout, this, &QWidget::hide);
    connect(m_folder, &QPushButton::clicked, this, &WrittenNotice::openFolder);
    hide();
}

void WrittenNotice::show(const QString& file, const QString& warning)
{
    const QFileInfo written(file);
    m_file = written.absoluteFilePath();
    const QFontMetrics metrics(m_text->font());
    const int most = kMostCharacters * metrics.averageCharWidth();
    m_text->setText(tr("Written: %1").arg(metrics.elidedText(written.fileName(), Qt::ElideMiddle, most)));
    ui::setTip(m_text, m_file);
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, ui::themeFor(colours).over);
    m_warning->setPalette(colours);
    m_warning->setText(warning);
    m_warning->setVisible(!warning.isEmpty());
    setVisible(true);
    m_gone.start();
}

QString WrittenNotice::text() const { return isHidden() ? QString() : m_text->text(); }

QString WrittenNotice::warning() const { return isHidden() ? QString() : m_warning->text(); }

void WrittenNotice::openFolder() { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_file).absolutePath())); }

} // namespace cardfit::app
