// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/recovery_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/document/file_path.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr QSize kSize(560, 320);

/// The file that the edits belong to, and whether it has changed since.
QString originOf(const LeftPlan& left)
{
    const QString file = QString::fromStdString(left.content->file);
    if (file.isEmpty()) return RecoveryDialog::tr("was never saved");
    const QFileInfo info(file);
    // An older version stored the path as it was typed, relative to a folder that is unknown.
    if (info.isRelative()) return RecoveryDialog::tr("differs from %1, whose folder was not kept").arg(file);
    if (!info.exists()) return RecoveryDialog::tr("differs from %1, which is gone").arg(file);
    if (info.lastModified() > left.when)
        return RecoveryDialog::tr("differs from %1, which was changed since").arg(file);
    return RecoveryDialog::tr("differs from %1").arg(file);
}

QString textOf(const LeftPlan& left)
{
    const QString when = QLocale().toString(left.when, QLocale::ShortFormat);
    if (!left.content)
        return RecoveryDialog::tr("Unreadable\n%1 · %2", "first line; time of last edit; reason")
            .arg(when, ui::translated(left.content.error()));
    return RecoveryDialog::tr("%1\n%2 · %3", "plan's name; time of last edit; which file it differs from")
        .arg(QString::fromStdString(left.content->plan.name), when, originOf(left));
}

bool isSaved(const UnsavedPlan& unsaved, const Presets& presets)
{
    const QString file = QString::fromStdString(unsaved.file);
    if (QDir::isRelativePath(file)) return false;
    const auto saved = readPlan(toPath(file), presets);
    return saved && *saved == unsaved.plan;
}

} // namespace

std::vector<LeftPlan> leftPlans(const std::filesystem::path& directory, const Presets& presets)
{
    std::vector<LeftPlan> left;
    for (auto& file : leftRecoveries(directory)) {
        auto content =
            readFile(file->path()).and_then([&](const std::string& text) { return parseRecovery(text, presets); });
        if (content && isSaved(*content, presets)) {
            file->remove();
            continue;
        }
        const QDateTime when = QFileInfo(fromPath(file->path())).lastModified();
        left.push_back({std::move(file), std::move(content), when});
    }
    return left;
}

RecoveryDialog::RecoveryDialog(std::vector<LeftPlan> left, QWidget* parent)
    : QDialog(parent)
    , m_left(std::move(left))
    , m_list(new QListWidget(this))
{
    setWindowTitle(tr("Recover edits"));
    auto* note = new QLabel(tr("Cardfit ended with edits that were not saved. Restoring them changes no file until you "
                               "save; what is neither restored nor discarded is offered again."),
        this);
    note->setWordWrap(true);
    m_list->setAccessibleName(tr("Plans with unsaved edits"));
    m_list->setWordWrap(true);
    m_list->setAlternatingRowColors(true);
    for (const LeftPlan& plan : m_left)
        m_list->addItem(textOf(plan));

    auto* buttons = new QDialogButtonBox(this);
    m_restore = buttons->addButton(tr("&Restore"), QDialogButtonBox::AcceptRole);
    m_discard = buttons->addButton(tr("&Discard"), QDialogButtonBox::DestructiveRole);
    m_discard->setToolTip(tr("Removes these edits for good"));
    buttons->addButton(tr("&Later"), QDialogButtonBox::RejectRole);
    m_restore->setDefault(true);

    auto* column = new QVBoxLayout(this);
    column->addWidget(note);
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    resize(kSize);

    connect(m_restore, &QPushButton::clicked, this, &RecoveryDialog::restore);
    connect(m_discard, &QPushButton::clicked, this, &RecoveryDialog::discard);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::itemActivated, this, &RecoveryDialog::restore);
    connect(m_list, &QListWidget::currentRowChanged, this, &RecoveryDialog::updateButtons);
    m_list->setCurrentRow(0);
    updateButtons();
}

RecoveryDialog::~RecoveryDialog() = default;

void RecoveryDialog::updateButtons()
{
    // While a row goes from the list, the list may name one that has gone from m_left.
    const int row = m_list->currentRow();
    const bool there = row >= 0 && row < static_cast<int>(m_left.size());
    m_restore->setEnabled(there && m_left[static_cast<std::size_t>(row)].content.has_value());
    m_discard->setEnabled(there);
}

void RecoveryDialog::restore()
{
    if (!m_restore->isEnabled()) return;
    bool taken = false;
    emit restoreAsked(*m_left[static_cast<std::size_t>(m_list->currentRow())].content, taken);
    if (!taken) return;
    removeCurrent();
    accept();
}

void RecoveryDialog::discard()
{
    removeCurrent();
    if (m_left.empty()) accept();
}

void RecoveryDialog::removeCurrent()
{
    const int row = m_list->currentRow();
    m_left[static_cast<std::size_t>(row)].file->remove();
    m_left.erase(m_left.begin() + row);
    delete m_list->takeItem(row);
    updateButtons();
}

} // namespace cardfit::app
