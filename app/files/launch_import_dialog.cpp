// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/launch_import_dialog.h"
#include "app/files/ask_for_files.h"
#include "widgets/controls/raw_text_edit.h"

#include <algorithm>

#include <fmt/format.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/document/file_path.h"
#include "app/document/plan_names.h"
#include "core/files/file.h"
#include "core/launch/checkpoint_names.h"
#include "core/plan/model_size.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr int kPauseMilliseconds = 200;
constexpr int kDetect = -1; // an entry of the combo box besides the launchers

QString title(const LauncherTraits& traits) { return ui::translated(traits.label); }

/// File patterns of all launchers, each once.
QString filePatterns()
{
    QStringList patterns;
    for (const LauncherTraits& traits : launchers())
        patterns += QString::fromStdString(std::string(traits.read_patterns)).split(u' ');
    patterns.removeDuplicates();
    return patterns.join(u' ');
}

/// The name of a model in the text that is not known; empty if there is none.
std::string unknownModel(const std::vector<LaunchNote>& notes)
{
    const auto found = std::ranges::find(notes, ModelOfBase::UnknownName, &LaunchNote::model);
    return found == notes.end() ? std::string() : found->value;
}

QString nearest(std::string_view name, const Presets& presets)
{
    QStringList names;
    for (const std::string& id : nearestModels(name, presets))
        names << QString::fromStdString(presets.model(id)->name);
    return names.join(QStringLiteral(", "));
}

} // namespace

LaunchImportDialog::LaunchImportDialog(Plan base, const Presets& presets, QWidget* parent)
    : QDialog(parent)
    , m_base(std::move(base))
    , m_presets(presets)
{
    setWindowTitle(tr("Import from launcher"));
    std::vector<Sentence> texts;
    for (const LauncherTraits& traits : launchers())
        texts.emplace_back(traits.reads);
    auto* about = new QLabel(
        tr("Paste one of these: %1. Cards are those of the open plan.").arg(ui::translated(listed(texts))), this);
    about->setWordWrap(true);
    m_text = new ui::RawTextEdit(this);
    m_text->setAccessibleName(tr("Command line or file"));

    auto* from = new QHBoxLayout;
    m_launcher = new QComboBox(this);
    m_launcher->addItem(tr("Detected"), kDetect);
    for (const LauncherTraits& traits : launchers())
        m_launcher->addItem(title(traits), static_cast<int>(traits.value));
    auto* label = new QLabel(tr("&From"), this);
    label->setBuddy(m_launcher);
    m_model = new QComboBox(this);
    m_model->addItem(tr("As the text says"));
    m_model->addItem(tr("That of the open plan"));
    for (const Model& model : m_presets.models)
        m_model->addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
    m_model->setToolTip(tr("Used instead of a model that the text names; needed if that one is not known"));
    auto* model_label = new QLabel(tr("M&odel"), this);
    model_label->setBuddy(m_model);
    auto* choose = new QPushButton(tr("&Choose file…"), this);
    choose->setAutoDefault(false);
    from->addWidget(label);
    from->addWidget(m_launcher);
    from->addWidget(model_label);
    from->addWidget(m_model);
    from->addStretch();
    from->addWidget(choose);

    m_verdict = new QLabel(this);
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    m_notes = new QTreeWidget(this);
    m_notes->setAccessibleName(tr("Not mapped"));
    m_notes->setHeaderLabels({tr("Not mapped"), ui::sharedText("Value"), tr("Why")});
    m_notes->setRootIsDecorated(false);
    m_notes->setAlternatingRowColors(true);
    m_notes->header()->setStretchLastSection(true);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_open = buttons->addButton(tr("&Open as new plan"), QDialogButtonBox::AcceptRole);
    m_open->setDefault(true);
    m_use = buttons->addButton(tr("Use as &model of this plan"), QDialogButtonBox::ApplyRole);
    m_use->setToolTip(tr("Replaces the model of the open plan, in one undo step; everything else stays"));

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(m_text, 3);
    layout->addLayout(from);
    layout->addWidget(m_verdict);
    layout->addWidget(m_notes, 2);
    layout->addWidget(buttons);
    resize(760, 620);

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, &LaunchImportDialog::readNow);
    connect(m_text, &QPlainTextEdit::textChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(m_launcher, &QComboBox::activated, this, &LaunchImportDialog::readNow);
    connect(m_model, &QComboBox::activated, this, &LaunchImportDialog::readNow);
    connect(choose, &QPushButton::clicked, this, &LaunchImportDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        // Text that was edited a moment ago may not have been read yet.
        readNow();
        if (!m_plan) return;
        emit opened(*m_plan);
        accept();
    });
    connect(m_use, &QPushButton::clicked, this, [this] {
        readNow();
        if (!m_plan) return;
        emit modelChosen(*m_plan);
        accept();
    });
    readNow();
}

void LaunchImportDialog::setText(const QString& text, const QString& file)
{
    m_file = file;
    m_text->setPlainText(text);
    readNow();
}

QString LaunchImportDialog::text() const { return m_text->toPlainText(); }

QString LaunchImportDialog::verdict() const { return m_verdict->text(); }

void LaunchImportDialog::readNow()
{
    m_pause.stop();
    m_plan.reset();
    const std::string text = m_text->toPlainText().toStdString();
    const int chosen = m_launcher->currentData().toInt();
    const auto launcher = chosen == kDetect ? detectLauncher(text) : std::optional(static_cast<Launcher>(chosen));
    std::vector<LaunchNote> notes;
    const NeighbourFiles files = m_file.isEmpty() ? NeighbourFiles() : neighboursOf(toPath(m_file));
    m_model->setEnabled(!launcher || !traitsOf(*launcher).model_only);
    Plan base = m_base;
    const Model* selected = m_presets.model(m_model->currentData().toString().toStdString());
    if (selected != nullptr) base.model = *selected;
    const BaseModel given = m_model->currentIndex() > 0 ? BaseModel::Chosen : BaseModel::Fallback;
    if (!launcher) {
        m_verdict->setText(m_text->document()->isEmpty() ? tr("Nothing pasted yet.")
                                                         : tr("Cardfit does not recognise this text as a launcher's."));
    } else if (auto found = importLaunch(*launcher, {text, files}, base, m_presets, given); !found) {
        m_verdict->setText(tr("%1: %2").arg(title(traitsOf(*launcher)), ui::translated(found.error())));
    } else if (const std::string unknown = unknownModel(found->notes); !unknown.empty()) {
        m_verdict->setText(
            tr("Model %1 is not among the shipped ones. Select the one with its shape, such as %2, or first "
               "import its config.json into the open plan.")
                .arg(QString::fromStdString(unknown), nearest(unknown, m_presets)));
    } else {
        m_plan = std::move(found->plan);
        m_plan->calibration.reset();
        notes = std::move(found->notes);
        const LauncherTraits& traits = traitsOf(*launcher);
        // Files of launchers give a shape without a name.
        if (m_plan->model.name.empty())
            m_plan->model.name = fmt::format("{:.3g}B model", modelSize(m_plan->model) / 1e9);
        m_plan->name = automaticName(*m_plan);
        m_verdict->setText(notes.empty() ? tr("Read as %1; all of it is mapped.").arg(title(traits))
                                         : tr("Read as %1. Settings that could not be mapped exactly: %2.")
                                               .arg(title(traits))
                                               .arg(notes.size()));
    }
    m_open->setEnabled(m_plan.has_value());
    const bool is_model = m_plan && traitsOf(*launcher).model_only;
    m_use->setVisible(is_model);
    (is_model ? m_use : m_open)->setDefault(true);
    showNotes(notes);
}

void LaunchImportDialog::showNotes(const std::vector<LaunchNote>& notes)
{
    m_notes->clear();
    for (const LaunchNote& note : notes) {
        auto* row = new QTreeWidgetItem(
            m_notes, {QString::fromStdString(note.what), QString::fromStdString(note.value), ui::translated(note.why)});
        for (int column = 0; column < row->columnCount(); ++column)
            row->setToolTip(column, ui::asPlain(row->text(column)));
    }
    constexpr int kWidest = 260;
    for (int column = 0; column < 2; ++column) {
        m_notes->resizeColumnToContents(column);
        m_notes->setColumnWidth(column, std::clamp(m_notes->columnWidth(column), 80, kWidest));
    }
}

void LaunchImportDialog::chooseFile()
{
    const QString file = askWhatToOpen(
        this, tr("Import from launcher"), tr("Scripts and configurations (%1);;All files (*)").arg(filePatterns()));
    if (file.isEmpty()) return;
    const auto text = readFile(toPath(file));
    if (text)
        setText(QString::fromStdString(*text), file);
    else
        m_verdict->setText(ui::translated(text.error()));
}

} // namespace cardfit::app
