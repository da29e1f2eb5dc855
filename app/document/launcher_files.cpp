// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/launcher_files.h"

#include <array>

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>

#include "app/dialogs/launch_import_dialog.h"
#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/document/preset_library.h"
#include "core/io/file.h"
#include "core/io/plan/picture_plan.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr std::array<Launcher, 3> kLaunchers{Launcher::Megatron, Launcher::DeepSpeed, Launcher::Torchtitan};

QString fileText(Launcher launcher)
{
    switch (launcher) {
    case Launcher::Megatron: return LauncherFiles::tr("&Megatron-LM script…");
    case Launcher::DeepSpeed: return LauncherFiles::tr("&DeepSpeed configuration…");
    case Launcher::Torchtitan: return LauncherFiles::tr("&torchtitan job…");
    case Launcher::HuggingFace: break;
    }
    return {};
}

QString copyText(Launcher launcher)
{
    switch (launcher) {
    case Launcher::Megatron: return LauncherFiles::tr("Copy Me&gatron-LM script");
    case Launcher::DeepSpeed: return LauncherFiles::tr("Copy DeepSpeed &configuration");
    case Launcher::Torchtitan: return LauncherFiles::tr("Copy torchtitan &job");
    case Launcher::HuggingFace: break;
    }
    return {};
}

QString filter(Launcher launcher)
{
    switch (launcher) {
    case Launcher::Megatron: return LauncherFiles::tr("Shell script (*.sh)");
    case Launcher::DeepSpeed: return LauncherFiles::tr("DeepSpeed configuration (*.json)");
    case Launcher::Torchtitan: return LauncherFiles::tr("torchtitan job (*.toml)");
    case Launcher::HuggingFace: break;
    }
    return {};
}

/// Folders of models are named after them.
QString modelName(const QString& file, const Model& model)
{
    const QFileInfo info(file);
    const QString folder = info.absoluteDir().dirName();
    if (info.completeBaseName() != QStringLiteral("config")) return info.completeBaseName();
    return folder.isEmpty() ? QString::fromStdString(model.name) : folder;
}

} // namespace

LauncherFiles::LauncherFiles(PlanDocument& document, const Presets& presets, QWidget* window)
    : QObject(window)
    , m_document(document)
    , m_presets(presets)
    , m_window(window)
{
}

void LauncherFiles::fillFileMenu(QMenu* menu)
{
    menu->addAction(tr("Import from &launcher…"), this, [this] { askAndImport({}); });
}

void LauncherFiles::fillExportMenu(QMenu* menu)
{
    auto* launch = menu->addMenu(tr("&Launch command"));
    for (const Launcher launcher : kLaunchers)
        launch->addAction(fileText(launcher), this, [this, launcher] { askAndExport(launcher); });
    launch->addSeparator();
    for (const Launcher launcher : kLaunchers)
        launch->addAction(copyText(launcher), this, [this, launcher] { copy(launcher); });
}

bool LauncherFiles::take(const QString& file)
{
    const auto text = readFile(toPath(file));
    const auto launcher = text ? detectLauncher(*text) : std::nullopt;
    // A picture holds a plan of our own.
    if (!launcher || isPicture(*text)) return false;
    if (*launcher == Launcher::HuggingFace) return takeModel(file, *text);
    askAndImport(QString::fromStdString(*text));
    return true;
}

bool LauncherFiles::takeModel(const QString& file, const std::string& text)
{
    auto found = importLaunch(Launcher::HuggingFace, text, m_document.plan(), m_presets);
    if (!found) {
        Error error = found.error();
        error.file = file.toStdString();
        emit failed(tr("The model could not be read"), ui::translated(error));
        return true;
    }
    const QString name = modelName(file, found->plan.model);
    found->plan.model.name = name.toStdString();
    m_document.edit(std::move(found->plan), tr("Model: %1").arg(name));
    if (!found->notes.empty())
        tell(tr("Not everything in %1 has a place in a plan").arg(QFileInfo(file).fileName()), found->notes);
    return true;
}

void LauncherFiles::askAndImport(const QString& text)
{
    auto* dialog = new LaunchImportDialog(m_document.plan(), m_presets, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setText(text);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (dialog->plan()) emit imported(*dialog->plan());
    });
    dialog->open();
}

void LauncherFiles::askAndExport(Launcher launcher)
{
    const QString name = QString::fromStdString(presetId(m_document.plan().name)) + u'.'
        + QString::fromUtf8(
            launchFileEnding(launcher).data(), static_cast<qsizetype>(launchFileEnding(launcher).size()));
    const QString folder = m_document.filePath().isEmpty() ? QString() : QFileInfo(m_document.filePath()).path() + u'/';
    const QString file = QFileDialog::getSaveFileName(m_window, tr("Export"), folder + name, filter(launcher));
    if (!file.isEmpty()) exportTo(launcher, file);
}

std::optional<std::string> LauncherFiles::launchText(Launcher launcher)
{
    const auto exported = exportLaunch(launcher, m_document.plan());
    if (!exported) {
        emit failed(tr("No launcher can start this plan"), ui::translated(exported.error()));
        return std::nullopt;
    }
    if (!exported->notes.empty()) tell(tr("The launcher cannot say all of the plan"), exported->notes);
    return exported->text;
}

bool LauncherFiles::exportTo(Launcher launcher, const QString& file)
{
    const auto text = launchText(launcher);
    if (!text) return false;
    const auto written = writeFile(toPath(file), *text);
    if (!written) emit failed(tr("The file could not be written"), ui::translated(written.error()));
    return written.has_value();
}

bool LauncherFiles::copy(Launcher launcher)
{
    const auto text = launchText(launcher);
    if (text) QGuiApplication::clipboard()->setText(QString::fromStdString(*text));
    return text.has_value();
}

void LauncherFiles::tell(const QString& what, const std::vector<LaunchNote>& notes)
{
    auto* box = new QMessageBox(QMessageBox::Information, tr("Cardfit"), what, QMessageBox::Ok, m_window);
    constexpr std::size_t kShown = 8; // what fits on a small screen; the rest unfolds
    QStringList lines;
    for (const LaunchNote& note : notes)
        lines << ui::translated(asSentence(note));
    box->setInformativeText(QStringList(lines.mid(0, kShown)).join(u'\n'));
    if (notes.size() > kShown) box->setDetailedText(lines.join(u'\n'));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace cardfit::app
