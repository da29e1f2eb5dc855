// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/launcher_files.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>

#include "app/controls/menu_text.h"
#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/files/ask_for_files.h"
#include "app/files/file_export.h"
#include "app/files/launch_import_dialog.h"
#include "core/files/file.h"
#include "core/files/picture_plan.h"
#include "core/files/preset_library.h"
#include "core/launch/own_launch.h"
#include "core/report/reports.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// The text with a menu mnemonic: its first letter that no earlier entry uses.
QString withKey(QString text, QString& taken)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar letter = text[i].toLower();
        if (letter < u'a' || letter > u'z' || taken.contains(letter)) continue;
        taken += letter;
        return text.insert(i, u'&');
    }
    return text;
}

/// A model from a config.json is named after its folder.
QString modelName(const QString& file, const Model& model)
{
    const QFileInfo info(fromPath(withoutGz(toPath(file))));
    const QString folder = info.absoluteDir().dirName();
    if (info.completeBaseName() != QStringLiteral("config")) return info.completeBaseName();
    return folder.isEmpty() ? QString::fromStdString(model.name) : folder;
}

FileExport::Write writing(const std::string& text)
{
    return [text](const QString& file) { return writeFile(toPath(file), text); };
}

} // namespace

LauncherFiles::LauncherFiles(PlanDocument& document, const Presets& presets, QWidget* window)
    : QObject(window)
    , m_document(document)
    , m_presets(presets)
    , m_window(window)
    , m_export(new FileExport(window))
{
}

void LauncherFiles::fillFileMenu(QMenu* menu)
{
    QAction* import = menu->addAction(tr("Import from &launcher…"), this, [this] { askAndImport({}); });
    import->setProperty(kPaletteKeywords,
        QStringLiteral("Megatron-LM, DeepSpeed, torchtitan, torchtune, Axolotl, Accelerate, LLaMA-Factory, ms-swift, "
                       "verl, OpenRLHF, Megatron-Bridge, TRL, Trainer, vLLM, SGLang, Hugging Face, script"));
}

void LauncherFiles::fillExportMenu(QMenu* menu)
{
    auto* launch = menu->addMenu(tr("&Launch command"));
    fillLaunchMenu(launch);
    connect(launch, &QMenu::aboutToShow, this, [this, launch] { fillLaunchMenu(launch); });
}

void LauncherFiles::fillLaunchMenu(QMenu* launch)
{
    launch->clear();
    std::vector<const LauncherTraits*> offered;
    const bool served = m_document.plan().workload.task == Task::Inference;
    for (const LauncherTraits& traits : launchers()) {
        if (traits.write != nullptr && traits.serves == served) offered.push_back(&traits);
    }
    const Launcher own = launcherOf(m_document.plan().recipe.framework);
    std::stable_partition(
        offered.begin(), offered.end(), [own](const LauncherTraits* traits) { return traits->value == own; });
    QString keys;
    for (const LauncherTraits* traits : offered)
        launch->addAction(withKey(tr("%1…").arg(ui::translated(traits->writes)), keys), this,
            [this, launcher = traits->value] { askAndExport(launcher); });
    launch->addSeparator();
    for (const LauncherTraits* traits : offered)
        launch->addAction(withKey(tr("Copy %1").arg(ui::translated(traits->writes)), keys), this,
            [this, launcher = traits->value] { copy(launcher); });
    launch->addSeparator();
    if (!m_document.importedText().isEmpty()) {
        launch->addAction(
            withKey(tr("Imported text with the changes…"), keys), this, [this] { askAndExportImported(); });
        launch->addAction(withKey(tr("Copy imported text with the changes"), keys), this, [this] {
            if (const auto text = changedText(m_document.importedText()))
                QGuiApplication::clipboard()->setText(QString::fromStdString(*text));
        });
    }
    launch->addAction(withKey(tr("Into a file of your own…"), keys), this, [this] { askAndExportInto(); });
}

bool LauncherFiles::take(const QString& file)
{
    const auto text = readFile(toPath(file));
    const auto launcher = text ? detectLauncher(*text) : std::nullopt;
    // A picture may contain a plan of Cardfit.
    if (!launcher || isPicture(*text)) return false;
    if (traitsOf(*launcher).model_only) return takeModel(*launcher, file, *text);
    askAndImport(QString::fromStdString(*text), file);
    return true;
}

bool LauncherFiles::takeModel(Launcher launcher, const QString& file, const std::string& text)
{
    auto found = importLaunch(launcher, text, m_document.plan(), m_presets);
    if (!found) {
        Error error = found.error();
        error.file = file.toStdString();
        emit failed(tr("The model could not be read"), ui::translated(error));
        return true;
    }
    const QString name = modelName(file, found->plan.model);
    useModel(std::move(found->plan), name);
    if (!found->notes.empty())
        tell(tr("Plans have no fields for some of the settings in %1").arg(QFileInfo(file).fileName()), found->notes);
    return true;
}

/// `changed`: the open plan with the values of a model's file.
void LauncherFiles::useModel(Plan changed, const QString& name)
{
    changed.calibration = m_document.plan().calibration;
    changed.model.name = name.toStdString();
    m_document.edit(std::move(changed), tr("Model: %1").arg(name));
}

void LauncherFiles::askAndImport(const QString& text, const QString& file)
{
    auto* dialog = new LaunchImportDialog(m_document.plan(), m_presets, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setText(text.isEmpty() ? m_pasted : text, file);
    connect(dialog, &LaunchImportDialog::opened, this,
        [this, dialog](const Plan& plan) { emit imported(plan, dialog->text()); });
    connect(dialog, &QDialog::finished, this,
        [this, dialog](int result) { m_pasted = result == QDialog::Rejected ? dialog->text() : QString(); });
    connect(dialog, &LaunchImportDialog::modelChosen, this,
        [this](const Plan& plan) { useModel(plan, QString::fromStdString(plan.model.name)); });
    dialog->open();
}

void LauncherFiles::askAndExport(Launcher launcher)
{
    const LauncherTraits& traits = traitsOf(launcher);
    const std::string name = fmt::format("{}.{}", presetId(m_document.plan().name), traits.file_ending);
    const QString filter =
        tr("%1 (*.%2)").arg(ui::translated(traits.writes), QString::fromStdString(std::string(traits.file_ending)));
    const QString folder = m_document.filePath().isEmpty() ? QString() : QFileInfo(m_document.filePath()).path() + u'/';
    const QString file = askWhereToSave(m_window, tr("Export"), folder + QString::fromStdString(name), filter);
    if (!file.isEmpty()) exportTo(launcher, file);
}

void LauncherFiles::askAndExportImported()
{
    const auto text = changedText(m_document.importedText());
    const auto launcher = detectLauncher(m_document.importedText().toStdString());
    if (!text || !launcher) return;
    const LauncherTraits& traits = traitsOf(*launcher);
    const QString name =
        QString::fromStdString(fmt::format("{}.{}", presetId(m_document.plan().name), traits.file_ending));
    m_export->ask(tr("Export"), name, tr("All files (*)"), writing(*text));
}

void LauncherFiles::askAndExportInto()
{
    QStringList patterns;
    for (const LauncherTraits& traits : launchers()) {
        if (traits.write != nullptr)
            patterns << QString::fromLatin1(traits.read_patterns.data(), qsizetype(traits.read_patterns.size()));
    }
    const QString file = askWhatToOpen(m_window, tr("Write the plan's options into a file"),
        tr("Scripts and configurations (%1);;All files (*)").arg(patterns.join(u' ')));
    if (!file.isEmpty()) exportInto(file);
}

std::optional<std::string> LauncherFiles::changedText(const QString& text)
{
    const std::string before = text.toStdString();
    const auto launcher = detectLauncher(before);
    if (!launcher || traitsOf(*launcher).write == nullptr) {
        emit failed(tr("The plan cannot be written into this text"),
            tr("It does not belong to a launcher that plans can be written for."));
        return std::nullopt;
    }
    auto changed = cardfit::exportInto(*launcher, m_document.plan(), before, m_presets);
    if (!changed) {
        emit failed(tr("The plan cannot be written into this text"), ui::translated(changed.error()));
        return std::nullopt;
    }
    QStringList lines;
    for (const LaunchNote& change : changed->changes)
        lines << ui::translated(asSentence(change));
    if (lines.isEmpty()) lines << tr("Nothing: the text already matches the plan.");
    if (!changed->notes.empty()) lines << QString() << tr("Not in the text:");
    for (const LaunchNote& note : changed->notes)
        lines << ui::translated(asSentence(note));
    tell(tr("Options changed in the text; everything else stays as it was"), lines);
    warnIfOver();
    return std::move(changed->text);
}

bool LauncherFiles::exportInto(const QString& file)
{
    const auto before = readFile(toPath(file));
    if (!before) {
        emit failed(tr("The file could not be read"), ui::translated(before.error()));
        return false;
    }
    const auto text = changedText(QString::fromStdString(*before));
    return text && m_export->to(file, writing(*text));
}

void LauncherFiles::warnIfOver()
{
    m_document.recomputeNow();
    const Estimate& estimate = *m_document.estimate();
    if (!estimate.complete() || estimate.fits()) return;
    tell(tr("A run started with this runs out of memory: the plan does not fit its cards"),
        QStringList{QString::fromStdString(verdictLine(estimate, ByteUnit::GB, ui::installedTranslation()))});
}

std::optional<std::string> LauncherFiles::launchText(Launcher launcher)
{
    const auto exported = exportLaunch(launcher, m_document.plan());
    if (!exported) {
        emit failed(tr("No launcher can start this plan"), ui::translated(exported.error()));
        return std::nullopt;
    }
    if (!exported->notes.empty()) tell(tr("The launcher cannot express all of the plan"), exported->notes);
    warnIfOver();
    return exported->text;
}

bool LauncherFiles::exportTo(Launcher launcher, const QString& file)
{
    const auto text = launchText(launcher);
    return text && m_export->to(file, writing(*text));
}

bool LauncherFiles::copy(Launcher launcher)
{
    const auto text = launchText(launcher);
    if (text) QGuiApplication::clipboard()->setText(QString::fromStdString(*text));
    return text.has_value();
}

void LauncherFiles::tell(const QString& what, const std::vector<LaunchNote>& notes)
{
    QStringList lines;
    for (const LaunchNote& note : notes)
        lines << ui::translated(asSentence(note));
    tell(what, lines);
}

void LauncherFiles::tell(const QString& what, const QStringList& lines)
{
    auto* box = new QMessageBox(QMessageBox::Information, tr("Cardfit"), ui::asPlain(what), QMessageBox::Ok, m_window);
    constexpr qsizetype kShown = 8; // as many lines as fit on a small screen; the rest is in the details
    box->setInformativeText(ui::asPlain(QStringList(lines.mid(0, kShown)).join(u'\n')));
    if (lines.size() > kShown) box->setDetailedText(lines.join(u'\n'));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace cardfit::app
