// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_files.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>

#include "app/document/plan_document.h"
#include "app/document/preset_library.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr qsizetype kMostRecent = 10;
const QString kRecentKey = QStringLiteral("recentFiles");

QString savedFilter() { return PlanFiles::tr("Plans (*.json);;All files (*)"); }

QString openedFilter()
{
    return PlanFiles::tr("Plans and exported pictures (*.json *.png *.svg);;Plans (*.json);;All files (*)");
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
    add(tr("Save &as…"), QKeySequence::SaveAs, [this] { askAndSave(); });
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
    // A model only changes the open plan, which is not replaced.
    if (m_take_other && m_take_other(file)) return;
    if (mayGiveUp()) open(file);
}

bool PlanFiles::save() { return m_document.filePath().isEmpty() ? askAndSave() : saveAs(m_document.filePath()); }

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

void PlanFiles::startWith(const Plan& plan)
{
    if (mayGiveUp()) m_document.reset(plan);
}

bool PlanFiles::mayGiveUp()
{
    if (!m_document.isModified()) return true;
    const auto answer = QMessageBox::question(m_window, tr("Unsaved edits"),
        tr("%1 has edits that are not saved.").arg(m_document.displayName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    if (answer == QMessageBox::Save) return save();
    return answer == QMessageBox::Discard;
}

bool PlanFiles::askAndSave()
{
    QString proposed = m_document.filePath();
    if (proposed.isEmpty())
        proposed =
            QDir(folder()).filePath(QString::fromStdString(presetId(m_document.plan().name)) + QStringLiteral(".json"));
    const QString file = QFileDialog::getSaveFileName(m_window, tr("Save plan"), proposed, savedFilter());
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
        auto* action = menu->addAction(QFileInfo(file).fileName());
        action->setToolTip(file);
        action->setStatusTip(file);
        // A file on a drive that is not there now may come back: it is greyed, not forgotten.
        action->setEnabled(QFileInfo::exists(file));
        connect(action, &QAction::triggered, this, [this, file] {
            if (mayGiveUp()) open(file);
        });
    }
    if (menu->isEmpty()) menu->addAction(tr("None yet"))->setEnabled(false);
}

} // namespace cardfit::app
