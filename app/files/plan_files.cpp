// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/plan_files.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "app/controls/menu_text.h"
#include "app/document/field_labels.h"
#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/ask_for_files.h"
#include "app/files/tab_keeper.h"
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

PlanFiles::PlanFiles(PlanDocument& document, TabKeeper& tabs, const Presets& presets, QWidget* window)
    : QObject(window)
    , m_document(document)
    , m_tabs(tabs)
    , m_presets(presets)
    , m_window(window)
{
    connect(&m_document, &PlanDocument::closing, this, [this](int index) {
        if (const QString& file = m_document.tab(index).file.path(); !file.isEmpty()) remember(file);
    });
}

void PlanFiles::fill(QMenu* menu)
{
    const auto add = [&](const QString& text, const QKeySequence& keys, auto&& act) {
        auto* action = menu->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, act);
    };
    add(tr("&New"), QKeySequence::New, [this] { m_document.openStart(); });
    add(tr("&Open…"), QKeySequence::Open, [this] { askAndOpen(); });
    auto* recent = menu->addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(recent); });
    add(tr("Reopen closed &tab"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T), [this] { reopen(); });
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
    // A model's file only changes the open plan.
    if (m_take_other && m_take_other(file)) return true;
    const int before = m_document.current();
    const int there = m_document.indexOfFile(QFileInfo(file).absoluteFilePath());
    m_document.show(there);
    if (there >= 0 && m_document.isModified()) return true;
    const bool is_shown = there >= 0 && m_document.lookAtFile() == SavedFile::State::AsKnown;
    const auto opened = is_shown ? Result<void>()
        : there >= 0             ? m_document.reload(m_presets)
                                 : m_document.open(file, m_presets);
    if (!opened) {
        m_document.show(before);
        emit failed(tr("The plan could not be opened"), ui::translated(opened.error()));
        return false;
    }
    remember(file);
    return true;
}

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

void PlanFiles::pick(const Plan& plan)
{
    if (m_document.tab(m_document.current()).isUntouched())
        m_document.reset(plan);
    else
        m_document.openBeside(plan);
}

void PlanFiles::reopen()
{
    const auto closed = m_tabs.closedPlans(m_presets);
    if (!closed.empty()) m_tabs.reopen(closed.front(), m_presets);
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
    if (!file.isEmpty()) open(file);
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
        connect(action, &QAction::triggered, this, [this, file] { open(file); });
    }
    if (!menu->isEmpty()) menu->addSeparator();
    for (const LeftPlan& closed : m_tabs.closedPlans(m_presets)) {
        //: a closed plan that no file holds: its name, and when it was closed
        const QString text = tr("%1, closed %2")
                                 .arg(QString::fromStdString(closed.content->plan.name),
                                     QLocale().toString(closed.when, QLocale::ShortFormat));
        const QString path = fromPath(closed.file->path());
        QAction* action = menu->addAction(inMenu(text));
        ui::setTip(action, text);
        connect(action, &QAction::triggered, this, [this, path] {
            for (const LeftPlan& one : m_tabs.closedPlans(m_presets)) {
                if (fromPath(one.file->path()) == path) return m_tabs.reopen(one, m_presets);
            }
        });
    }
    if (menu->isEmpty()) menu->addAction(tr("None yet"))->setEnabled(false);
}

} // namespace cardfit::app
