// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/plan_files.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "app/controls/menu_text.h"
#include "app/document/field_labels.h"
#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/ask_for_files.h"
#include "core/files/plan_differences.h"
#include "core/files/plan_file.h"
#include "core/files/preset_library.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr qsizetype kMostRecent = 10;
const QString kRecentKey = QStringLiteral("recentFiles");

QString savedFilter() { return PlanFiles::tr("Plans (*.json);;All files (*)"); }

QString openedFilter()
{
    return PlanFiles::tr(
        "Plans and exported pictures (*.json *.json.gz *.png *.svg);;Plans (*.json *.json.gz);;All files (*)");
}

} // namespace

PlanFiles::PlanFiles(PlanDocument& document, const Presets& presets, QWidget* window)
    : QObject(window)
    , m_document(document)
    , m_presets(presets)
    , m_window(window)
{
}

void PlanFiles::fill(QMenu* menu)
{
    const auto add = [&](const QString& text, const QKeySequence& keys, auto&& act) {
        auto* action = menu->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, act);
    };
    add(tr("&New"), QKeySequence::New, [this] { startWith(defaultPlan(m_presets)); });
    add(tr("&Open…"), QKeySequence::Open, [this] { askAndOpen(); });
    auto* recent = menu->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    menu->addSeparator();
    add(tr("&Save"), QKeySequence::Save, [this] { save(); });
    // Not every desktop names this one, so that Qt's standard key may be none.
    add(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { askAndSave(); });
    auto* reload_action = menu->addAction(tr("Reloa&d from disk"), this, &PlanFiles::reload);
    const auto enable = [this, reload_action] { reload_action->setEnabled(!m_document.filePath().isEmpty()); };
    connect(&m_document, &PlanDocument::fileChanged, reload_action, enable);
    enable();
}

bool PlanFiles::open(const QString& file)
{
    if (m_take_other && m_take_other(file)) return true;
    const auto opened = m_document.open(file, m_presets);
    if (!opened) {
        emit failed(tr("The plan could not be opened"), ui::translated(opened.error()));
        return false;
    }
    remember(file);
    return true;
}

void PlanFiles::openInstead(const QString& file)
{
    // A model's file only changes the open plan and does not replace it.
    if (m_take_other && m_take_other(file)) return;
    // Read first: what cannot be opened needs no window.
    if (const auto plan = PlanDocument::planIn(file, m_presets); !plan) {
        emit failed(tr("The plan could not be opened"), ui::translated(plan.error()));
        return;
    }
    if (PlanFiles* other = elsewhere())
        other->open(file);
    else if (mayGiveUp())
        open(file);
}

PlanFiles* PlanFiles::elsewhere() const { return m_elsewhere && m_document.isModified() ? &m_elsewhere() : nullptr; }

bool PlanFiles::save()
{
    if (m_document.filePath().isEmpty()) return askAndSave();
    if (m_document.lookAtFile() == SavedFile::State::Changed) return askWhatToKeep();
    return saveAs(m_document.filePath());
}

bool PlanFiles::reload()
{
    const auto reloaded = m_document.reload(m_presets);
    if (!reloaded) emit failed(tr("The plan could not be opened"), ui::translated(reloaded.error()));
    return reloaded.has_value();
}

/// The file differs from what was opened or saved here: another program's change must not be lost without asking.
bool PlanFiles::askWhatToKeep()
{
    QMessageBox box(QMessageBox::Warning, tr("Changed on disk"),
        ui::asPlain(tr("%1 was changed on disk since it was opened or saved here.").arg(m_document.displayName())),
        QMessageBox::NoButton, m_window);
    box.setInformativeText(
        tr("Overwriting loses that change. Reloading is one undo step: undo brings back the edits made here."));
    box.setDetailedText(differencesToFile());
    auto* overwrite = box.addButton(tr("&Overwrite"), QMessageBox::DestructiveRole);
    auto* load = box.addButton(tr("&Reload"), QMessageBox::ResetRole);
    auto* elsewhere = box.addButton(tr("Save &as…"), QMessageBox::AcceptRole);
    box.setEscapeButton(box.addButton(tr("&Cancel"), QMessageBox::RejectRole));
    box.setDefaultButton(elsewhere);
    box.exec();
    if (box.clickedButton() == overwrite) return saveAs(m_document.filePath());
    if (box.clickedButton() == elsewhere) return askAndSave();
    // Reloading is not saving: returns false below.
    if (box.clickedButton() == load) reload();
    return false;
}

QString PlanFiles::differencesToFile() const
{
    const auto on_disk = readPlan(toPath(m_document.filePath()), m_presets);
    if (!on_disk) return ui::translated(on_disk.error());
    QStringList lines{tr("On disk → here:")};
    for (const Edit& edit : planDifferences(*on_disk, m_document.plan()))
        lines << editText(edit);
    if (lines.size() == 1) return tr("The file is written differently, but holds the same plan.");
    return lines.join(u'\n');
}

bool PlanFiles::saveAs(const QString& file)
{
    const auto saved = m_document.saveAs(file);
    if (!saved) {
        emit failed(tr("The plan could not be saved"), ui::translated(saved.error()));
        return false;
    }
    remember(file);
    return true;
}

bool PlanFiles::startWith(const Plan& plan, const QString& imported)
{
    if (PlanFiles* other = elsewhere()) return other->startWith(plan, imported);
    if (!mayGiveUp()) return false;
    m_document.reset(plan);
    m_document.setImportedText(imported);
    return true;
}

bool PlanFiles::mayGiveUp()
{
    if (!m_document.isModified()) return true;
    // Buttons with their own mnemonics: Qt's standard buttons have none and react neither to Alt+S nor to S.
    QMessageBox box(QMessageBox::Question, tr("Unsaved edits"),
        ui::asPlain(tr("%1 has edits that are not saved.").arg(m_document.displayName())), QMessageBox::NoButton,
        m_window);
    auto* keep = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
    auto* discard = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.setEscapeButton(box.addButton(tr("&Cancel"), QMessageBox::RejectRole));
    box.setDefaultButton(keep);
    box.exec();
    if (box.clickedButton() == keep) return save();
    return box.clickedButton() == discard;
}

bool PlanFiles::askAndSave()
{
    QString proposed = m_document.filePath();
    if (proposed.isEmpty())
        proposed =
            QDir(folder()).filePath(QString::fromStdString(presetId(m_document.plan().name)) + QStringLiteral(".json"));
    const QString file = askWhereToSave(m_window, tr("Save plan"), proposed, savedFilter());
    return !file.isEmpty() && saveAs(file);
}

void PlanFiles::askAndOpen()
{
    const QString file = QFileDialog::getOpenFileName(m_window, tr("Open plan"), folder(), openedFilter());
    if (!file.isEmpty()) openInstead(file);
}

QString PlanFiles::folder() const
{
    if (!m_document.filePath().isEmpty()) return QFileInfo(m_document.filePath()).path();
    const QStringList recent = recentFiles();
    return recent.isEmpty() ? QString() : QFileInfo(recent.front()).path();
}

QStringList PlanFiles::recentFiles() { return QSettings().value(kRecentKey).toStringList(); }

void PlanFiles::remember(const QString& file)
{
    const QString path = QFileInfo(file).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    QSettings().setValue(kRecentKey, files.mid(0, kMostRecent));
}

void PlanFiles::fillRecent(QMenu* menu)
{
    menu->clear();
    for (const QString& file : recentFiles()) {
        auto* action = menu->addAction(inMenu(QFileInfo(file).fileName()));
        ui::setTip(action, file);
        action->setStatusTip(file);
        // A missing file may be on a drive that is not mounted now: it is disabled, not removed.
        action->setEnabled(QFileInfo::exists(file));
        connect(action, &QAction::triggered, this, [this, file] { openInstead(file); });
    }
    if (menu->isEmpty()) menu->addAction(tr("None yet"))->setEnabled(false);
}

} // namespace cardfit::app
