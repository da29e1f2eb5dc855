// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/machines_panel.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBlock>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/document/file_path.h"
#include "app/files/ask_for_files.h"
#include "app/panels/preset_form.h"
#include "core/files/file.h"
#include "core/files/preset_library.h"
#include "widgets/chart/theme.h"
#include "widgets/controls/panel_labels.h"
#include "widgets/controls/raw_text_edit.h"
#include "widgets/text/tool_tip.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

QString originOf(const PresetFile& file)
{
    const bool own = isOwnPreset(file.file);
    if (file.problem) return own ? MachinesPanel::tr("yours, cannot be read") : MachinesPanel::tr("cannot be read");
    if (own && file.hides) return MachinesPanel::tr("yours, hides another");
    if (own) return file.hidden ? MachinesPanel::tr("yours, hidden") : MachinesPanel::tr("yours");
    return file.hidden ? MachinesPanel::tr("shipped, hidden") : MachinesPanel::tr("shipped");
}

/// The line (from 0) of a JSON pointer's value; searches for its keys one after the other.
int lineOf(const QString& text, const QString& pointer)
{
    qsizetype at = 0;
    for (const QString& key : pointer.split(u'/', Qt::SkipEmptyParts)) {
        const qsizetype found = text.indexOf(QStringLiteral("\"%1\"").arg(key), at);
        if (found >= 0) at = found;
    }
    return static_cast<int>(text.left(at).count(u'\n'));
}

} // namespace

MachinesPanel::MachinesPanel(const Presets& presets, QWidget* parent)
    : QWidget(parent)
    , m_presets(presets)
    , m_kinds(new QTabBar(this))
    , m_search(new QLineEdit(this))
    , m_list(new QTreeWidget(this))
    , m_title(new QLabel(this))
    , m_figures(ui::wrappedLabel({}, this))
    , m_source(ui::wrappedLabel({}, this))
    , m_pages(new QTabWidget(this))
    , m_form(new PresetForm)
    , m_json(new ui::RawTextEdit)
    , m_message(ui::wrappedLabel({}, this))
    , m_use(new QPushButton(tr("Use in &plan"), this))
    , m_duplicate(new QPushButton(tr("D&uplicate"), this))
    , m_save(new QPushButton(tr("&Save"), this))
    , m_revert(new QPushButton(tr("&Revert"), this))
    , m_repair(new QPushButton(tr("Re&pair…"), this))
    , m_delete(new QPushButton(tr("&Delete…"), this))
    , m_import(new QPushButton(tr("&Import…"), this))
    , m_export(new QPushButton(tr("&Export…"), this))
{
    setWindowTitle(tr("Machines"));
    buildLayout();
    connect(m_kinds, &QTabBar::currentChanged, this, &MachinesPanel::fillList);
    connect(m_search, &QLineEdit::textChanged, this, &MachinesPanel::fillList);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &MachinesPanel::showSelected);
    connect(m_form, &PresetForm::edited, this, [this](const QString& text) {
        setText(text.toStdString());
        check();
    });
    connect(m_form, &PresetForm::refused, this, [this](const QString& reason) { say(reason, true); });
    connect(m_json, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_filling) check();
    });
    connect(m_use, &QPushButton::clicked, this,
        [this] { emit useAsked(selected()->heading.kind, ui::verbatim(selected()->heading.id)); });
    connect(m_duplicate, &QPushButton::clicked, this, &MachinesPanel::duplicate);
    connect(m_save, &QPushButton::clicked, this, &MachinesPanel::save);
    connect(m_revert, &QPushButton::clicked, this, &MachinesPanel::revert);
    connect(m_repair, &QPushButton::clicked, this, &MachinesPanel::askAndRepair);
    connect(m_delete, &QPushButton::clicked, this, &MachinesPanel::askAndDelete);
    connect(m_import, &QPushButton::clicked, this, &MachinesPanel::askAndImport);
    connect(m_export, &QPushButton::clicked, this, &MachinesPanel::askAndExport);
    updateButtons();
}

MachinesPanel::~MachinesPanel() = default;

void MachinesPanel::buildLayout()
{
    for ([[maybe_unused]] const PresetKind kind : kPresetKinds)
        m_kinds->addTab({});
    nameTabs();
    m_kinds->setDrawBase(false);
    m_search->setPlaceholderText(tr("Search names, figures and sources"));
    m_search->setAccessibleName(tr("Search"));
    m_search->setClearButtonEnabled(true);
    m_list->setHeaderLabels({ui::sharedText("Name"), ui::sharedText("Figures"), tr("Origin")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setAccessibleName(tr("Presets"));
    m_list->header()->setStretchLastSection(false);
    // A long name is elided, so that figures and origin stay visible.
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setWordWrap(true);
    ui::setBold(m_title);
    // A long word or URL must not make this column wider.
    m_title->setMinimumWidth(1);
    m_source->setTextFormat(Qt::PlainText);
    m_source->setMinimumWidth(1);
    m_source->setForegroundRole(QPalette::PlaceholderText);
    m_json->setAccessibleName(tr("JSON"));

    auto* area = new QScrollArea(m_pages);
    area->setWidget(m_form);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(ui::sharedText("Figures"));
    m_pages->addTab(area, ui::sharedText("Figures"));
    m_pages->addTab(m_json, tr("JSON"));

    auto* left = new QWidget(this);
    auto* browse = new QVBoxLayout(left);
    browse->setContentsMargins(0, 0, 0, 0);
    browse->addWidget(m_kinds);
    browse->addWidget(m_search);
    browse->addWidget(m_list, 1);
    auto* right = new QWidget(this);
    auto* change = new QVBoxLayout(right);
    change->setContentsMargins(6, 0, 0, 0);
    auto* buttons = new QHBoxLayout;
    for (auto* button : {m_use, m_duplicate, m_save, m_revert, m_repair, m_delete})
        buttons->addWidget(button);
    buttons->addStretch();
    change->addWidget(m_title);
    change->addWidget(m_figures);
    change->addWidget(m_source);
    change->addWidget(m_pages, 1);
    change->addWidget(m_message);
    change->addLayout(buttons);
    auto* halves = new QSplitter(this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(left);
    halves->addWidget(right);
    halves->setSizes({600, 420});
    auto* files = new QHBoxLayout;
    files->addWidget(m_import);
    files->addWidget(m_export);
    files->addStretch();
    browse->addLayout(files);
    auto* rows = new QVBoxLayout(this);
    rows->addWidget(halves, 1);
}

PresetKind MachinesPanel::kind() const { return kPresetKinds[m_kinds->currentIndex()]; }

void MachinesPanel::showKind(PresetKind kind)
{
    const auto found = std::ranges::find(kPresetKinds, kind);
    m_kinds->setCurrentIndex(static_cast<int>(found - std::begin(kPresetKinds)));
}

const PresetFile* MachinesPanel::selected() const
{
    const auto* item = m_list->currentItem();
    return item == nullptr ? nullptr : &m_files[item->data(0, Qt::UserRole).toULongLong()];
}

bool MachinesPanel::isOwn() const { return selected() != nullptr && isOwnPreset(selected()->file); }

QString MachinesPanel::message() const { return m_message->isHidden() ? QString() : m_message->text(); }

bool MachinesPanel::canSave() const { return isOwn() && m_modified && !m_error; }

/// "Clusters", "Clusters (1 unreadable)"
void MachinesPanel::nameTabs()
{
    const QStringList names{tr("Models"), tr("Accelerators"), tr("Clusters"), tr("Plans")};
    for (int i = 0; i < names.size(); ++i) {
        const auto unreadable = std::ranges::count_if(
            m_files, [&](const PresetFile& file) { return file.heading.kind == kPresetKinds[i] && file.problem; });
        m_kinds->setTabText(i, unreadable == 0 ? names[i] : tr("%1 (%2 unreadable)").arg(names[i]).arg(unreadable));
    }
}

void MachinesPanel::fillList()
{
    nameTabs();
    const PresetFile* before = selected();
    const std::filesystem::path file = before != nullptr ? before->file : std::filesystem::path();
    const QStringList words = m_search->text().split(u' ', Qt::SkipEmptyParts);
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        QTreeWidgetItem* current = nullptr;
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            const PresetHeading& heading = m_files[i].heading;
            if (heading.kind != kind()) continue;
            const QStringList columns{
                ui::verbatim(heading.name), ui::translated(heading.figures), originOf(m_files[i])};
            const QString all =
                columns.join(u' ') + u' ' + ui::verbatim(heading.id) + u' ' + ui::verbatim(heading.source);
            const auto isIn = [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); };
            if (!std::ranges::all_of(words, isIn)) continue;
            auto* item = new QTreeWidgetItem(m_list, columns);
            item->setData(0, Qt::UserRole, qulonglong(i));
            item->setToolTip(0, ui::asPlain(tr("%1 (%2)").arg(columns.front(), ui::verbatim(heading.id))));
            item->setToolTip(1, ui::asPlain(columns[1] + u'\n' + ui::verbatim(heading.source)));
            if (m_files[i].problem) {
                item->setText(1, ui::translated(*m_files[i].problem));
                item->setToolTip(1, ui::asPlain(item->text(1)));
                item->setForeground(1, ui::themeFor(palette()).over);
            }
            if (m_files[i].hidden) {
                for (int column = 0; column < 3; ++column)
                    item->setForeground(column, palette().brush(QPalette::PlaceholderText));
            }
            if (current == nullptr || m_files[i].file == file) current = item;
        }
        m_list->setCurrentItem(current);
    }
    showSelected();
}

bool MachinesPanel::select(std::string_view id)
{
    QTreeWidgetItem* found = nullptr;
    for (int row = m_list->topLevelItemCount() - 1; row >= 0; --row) {
        auto* item = m_list->topLevelItem(row);
        const PresetFile& file = m_files[item->data(0, Qt::UserRole).toULongLong()];
        // The first of the list, and one that cannot be read only if no other has the id.
        if (file.heading.id == id && (found == nullptr || !file.problem)) found = item;
    }
    if (found == nullptr) return false;
    m_list->setCurrentItem(found);
    m_list->scrollToItem(found);
    return true;
}

QStringList MachinesPanel::listedIds() const
{
    QStringList ids;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row)
        ids << ui::verbatim(m_files[m_list->topLevelItem(row)->data(0, Qt::UserRole).toULongLong()].heading.id);
    return ids;
}

void MachinesPanel::showSelected()
{
    const PresetFile* file = selected();
    m_saved.clear();
    m_title->clear();
    m_figures->clear();
    m_source->clear();
    m_title->setToolTip({});
    if (file != nullptr) {
        m_saved = readFile(file->file).value_or(std::string());
        m_title->setText(tr("%1 (%2)").arg(ui::verbatim(file->heading.name), originOf(*file)));
        ui::setTip(m_title, fromPath(file->file));
        m_source->setText(ui::verbatim(file->heading.source));
        showFigures(file->heading);
    }
    m_pages->setEnabled(file != nullptr);
    m_json->setReadOnly(!isOwn());
    setText(m_saved);
    m_error.reset();
    m_modified = false;
    m_json->setExtraSelections({});
    if (file != nullptr && file->problem) {
        m_form->markProblem(ui::verbatim(file->problem->where.english()));
        markInJson(*file->problem);
        say(ui::translated(*file->problem), true);
    } else if (file != nullptr && !isOwn())
        say(tr("Shipped presets stay as they are. A duplicate can be changed."), false);
    else
        say({}, false);
    updateButtons();
}

void MachinesPanel::setText(const std::string& text)
{
    const QScopedValueRollback filling(m_filling, true);
    const QString shown = ui::verbatim(text);
    if (m_json->toPlainText() != shown) m_json->setPlainText(shown);
    m_form->setText(kind(), text, !isOwn());
}

void MachinesPanel::check()
{
    const std::string text = m_json->toPlainText().toStdString();
    m_modified = text != m_saved;
    m_error.reset();
    m_json->setExtraSelections({});
    const auto heading = readPresetText(text, m_presets);
    if (!heading)
        m_error = heading.error();
    else if (heading->kind != kind())
        m_error = Error{ErrorCode::WrongFormat, {}, Sentence::verbatim("/format"),
            ui::sentence(tr("a preset cannot become one of another kind"))};
    if (m_error) {
        // If the text is not valid JSON, the form keeps showing the last valid one.
        if (m_error->code != ErrorCode::NotJson) m_form->setText(kind(), text, !isOwn());
        m_form->markProblem(ui::verbatim(m_error->where.english()));
        markInJson(*m_error);
        say(ui::translated(*m_error), true);
    } else {
        m_form->setText(kind(), text, !isOwn());
        showFigures(*heading);
        say({}, false);
    }
    updateButtons();
}

void MachinesPanel::showFigures(const PresetHeading& heading) { m_figures->setText(ui::translated(heading.figures)); }

void MachinesPanel::markInJson(const Error& error)
{
    const QString where = ui::verbatim(error.where.english());
    static const QRegularExpression line_number(QStringLiteral("line (\\d+)"));
    const auto numbered = line_number.match(where);
    const int line = numbered.hasMatch() ? numbered.captured(1).toInt() - 1 : lineOf(m_json->toPlainText(), where);
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(m_json->document()->findBlockByNumber(line));
    mark.format.setBackground(ui::mixed(palette().color(QPalette::Base), ui::themeFor(palette()).over, 0.25));
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    m_json->setExtraSelections({mark});
}

void MachinesPanel::say(const QString& message, bool is_error) { ui::setMessage(m_message, message, is_error); }

void MachinesPanel::complain(const Error& error) { say(ui::translated(error), true); }

void MachinesPanel::updateButtons()
{
    // Changes must be saved or reverted before another preset can be selected.
    for (QWidget* elsewhere : {static_cast<QWidget*>(m_kinds), static_cast<QWidget*>(m_search),
             static_cast<QWidget*>(m_list), static_cast<QWidget*>(m_import)})
        elsewhere->setEnabled(!m_modified);
    const bool readable = selected() != nullptr && !selected()->problem;
    m_use->setEnabled(readable && !selected()->hidden && !m_modified);
    m_duplicate->setEnabled(readable && !m_modified);
    m_export->setEnabled(readable && !m_modified);
    m_repair->setVisible(selected() != nullptr && selected()->problem.has_value());
    m_repair->setEnabled(isOwn() && !m_modified);
    m_save->setEnabled(canSave());
    m_revert->setEnabled(m_modified);
    m_delete->setEnabled(isOwn() && !m_modified);
}

void MachinesPanel::reload(PresetKind kind, const std::string& id)
{
    m_modified = false;
    emit presetsChanged();
    {
        const QSignalBlocker quiet(m_search);
        m_search->clear();
    }
    listFiles(kind, id);
}

void MachinesPanel::listFiles(PresetKind kind, const std::string& id)
{
    {
        // The items hold indices into the list of files, which changes.
        const QSignalBlocker quiet(m_list);
        m_list->clear();
    }
    m_files = listPresetFiles(presetDirectories(), m_presets);
    showKind(kind);
    fillList();
    select(id);
}

bool MachinesPanel::duplicate()
{
    const PresetFile* file = selected();
    if (file == nullptr || file->problem) return false;
    const PresetKind kind = file->heading.kind;
    const std::string name = tr("%1, copy").arg(ui::verbatim(file->heading.name)).toStdString();
    const std::string id = freePresetId(kind, file->heading.id + "-copy", m_files);
    auto text = withPresetWord(m_saved, "/name", name);
    if (text && kind != PresetKind::Plan) text = withPresetWord(*text, "/id", id);
    // The original's source does not describe what will be changed.
    if (text && presetValue(*text, "/source")) {
        const std::string source = tr("Copy of the preset %1").arg(ui::verbatim(file->heading.id)).toStdString();
        text = withPresetWord(*text, "/source", source);
    }
    if (!text) return complain(text.error()), false;
    const auto saved = write(kind, id, *text);
    if (!saved) return complain(saved.error()), false;
    reload(kind, id);
    return true;
}

Result<std::filesystem::path> MachinesPanel::write(PresetKind kind, const std::string& id, const std::string& text,
    const std::optional<std::filesystem::path>& replaced, bool overwrites)
{
    const auto whole = kind == PresetKind::Cluster ? withPresetsEmbedded(text, m_presets) : Result<std::string>(text);
    if (!whole) return tl::unexpected(whole.error());
    return saveOwnPreset(kind, id, *whole, replaced, overwrites);
}

bool MachinesPanel::save()
{
    if (!canSave()) return false;
    const PresetFile file = *selected();
    // Another window or program may have written it meanwhile.
    if (readFile(file.file).value_or(m_saved) != m_saved
        && QMessageBox::question(this, tr("Changed on disk"),
               ui::asPlain(tr("%1 was changed on disk since it was read here. Overwrite that change?")
                               .arg(ui::verbatim(file.heading.name))),
               QMessageBox::Yes | QMessageBox::No, QMessageBox::No)
            != QMessageBox::Yes)
        return false;
    const std::string text = m_json->toPlainText().toStdString();
    const auto heading = readPresetText(text, m_presets);
    const std::string id = file.heading.kind == PresetKind::Plan ? file.heading.id : heading->id;
    const auto without_count = withoutStaleCount(m_saved, text);
    const auto saved = write(file.heading.kind, id, without_count.value_or(text), file.file);
    if (!saved) return complain(saved.error()), false;
    reload(file.heading.kind, id);
    if (without_count)
        say(tr("Saved. The published count of parameters (reported_parameters) was that of another shape and is left "
               "out."),
            false);
    return true;
}

void MachinesPanel::revert() { showSelected(); }

bool MachinesPanel::deleteSelected()
{
    if (!isOwn()) return false;
    const PresetHeading heading = selected()->heading;
    const auto deleted = embedAndDelete(*selected(), m_files, m_presets);
    if (!deleted) return complain(deleted.error()), false;
    reload(heading.kind, heading.id);
    return true;
}

QStringList MachinesPanel::needingSelected() const
{
    QStringList names;
    if (!isOwn()) return names;
    for (const PresetFile& file : ownPresetsThatNeed(*selected(), m_files, m_presets))
        names << ui::verbatim(file.heading.name);
    return names;
}

bool MachinesPanel::repairWith(const std::string& card)
{
    const auto missing = missingCard(m_saved, m_presets);
    if (!isOwn() || !missing) return false;
    const PresetFile file = *selected();
    const auto text = withPresetWord(m_saved, missing->pointer, card);
    const auto heading = text.and_then([&](const std::string& with) { return readPresetText(with, m_presets); });
    if (!heading) return complain(heading.error()), false;
    const std::string id = file.heading.kind == PresetKind::Plan ? file.heading.id : heading->id;
    const auto saved = write(file.heading.kind, id, *text, file.file);
    if (!saved) return complain(saved.error()), false;
    reload(file.heading.kind, id);
    return true;
}

bool MachinesPanel::importFile(const std::filesystem::path& file, bool overwrites, const std::string& card)
{
    m_would_replace = false;
    m_lacked_card.clear();
    auto text = readFile(file);
    if (!text) return complain(text.error()), false;
    if (const auto missing = missingCard(*text, m_presets)) {
        if (card.empty()) {
            m_lacked_card = missing->id;
            say(tr("%1 needs the card “%2”, which is not among your presets. Import that card first, or pick another.")
                    .arg(fromPath(file), ui::verbatim(missing->id)),
                true);
            return false;
        }
        text = withPresetWord(*text, missing->pointer, card);
        if (!text) return complain(text.error()), false;
    }
    auto heading = readPresetText(*text, m_presets);
    if (!heading) {
        Error error = heading.error();
        error.file = file.string();
        return complain(error), false;
    }
    if (heading->kind == PresetKind::Plan) heading->id = presetId(file.stem().string());
    const auto saved = write(heading->kind, heading->id, *text, std::nullopt, overwrites);
    if (!saved) {
        m_would_replace = saved.error().code == ErrorCode::DuplicateKey;
        return complain(saved.error()), false;
    }
    reload(heading->kind, heading->id);
    return true;
}

bool MachinesPanel::exportTo(const std::filesystem::path& file)
{
    if (selected() == nullptr || selected()->problem) return false;
    // A plan is given away as it is written unless it needs presets of the user's own.
    const bool whole = kind() == PresetKind::Cluster
        || (kind() == PresetKind::Plan && dependsOn(m_saved, m_presets, installedPresets()));
    const auto written = (whole ? withPresetsEmbedded(m_saved, m_presets) : Result<std::string>(m_saved))
                             .and_then([&](const std::string& text) { return writeFile(file, text); });
    if (!written) return complain(written.error()), false;
    say(tr("Written to %1").arg(fromPath(file)), false);
    return true;
}

void MachinesPanel::askAndDelete()
{
    QString question =
        tr("Delete %1? Plans made from it keep their values.").arg(ui::verbatim(selected()->heading.name));
    if (selected()->problem) question = tr("Delete %1, which cannot be read?").arg(fromPath(selected()->file));
    if (const QStringList needing = needingSelected(); !needing.isEmpty())
        question +=
            u'\n' + tr("Its values are first written into what uses it: %1.").arg(needing.join(QStringLiteral(", ")));
    const auto answer = QMessageBox::question(
        this, tr("Delete preset"), ui::asPlain(question), QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
    if (answer == QMessageBox::Yes) deleteSelected();
}

std::string MachinesPanel::askForCard(const std::string& missing)
{
    QStringList ids;
    for (const Accelerator& card : m_presets.accelerators)
        ids << ui::verbatim(card.id);
    bool picked = false;
    const QString id = QInputDialog::getItem(this, tr("Pick a card"),
        tr("The card “%1” is not among your presets. To keep it, cancel and import its preset first. To go on with "
           "another:")
            .arg(ui::verbatim(missing)),
        ids, 0, false, &picked);
    return picked ? id.toStdString() : std::string();
}

void MachinesPanel::askAndRepair()
{
    if (const auto missing = missingCard(m_saved, m_presets)) {
        if (const std::string card = askForCard(missing->id); !card.empty()) repairWith(card);
        return;
    }
    m_pages->setCurrentWidget(m_json);
    m_json->setTextCursor(m_json->extraSelections().isEmpty() ? QTextCursor(m_json->document())
                                                              : m_json->extraSelections().first().cursor);
    m_json->setFocus();
}

void MachinesPanel::askAndImport()
{
    QStringList chosen = askWhichToOpen(this, tr("Import presets"), tr("Presets (*.json);;All files (*)"));
    // Cards before the clusters that name them.
    std::ranges::stable_sort(chosen, {}, [](const QString& file) {
        return presetValue(readFile(toPath(file)).value_or(std::string()), "/format") != "cardfit/accelerator";
    });
    for (const QString& file : chosen) {
        std::string card;
        if (importFile(toPath(file))) continue;
        if (!m_lacked_card.empty()) {
            card = askForCard(m_lacked_card);
            if (card.empty()) return;
            if (importFile(toPath(file), false, card)) continue;
        }
        if (!m_would_replace) return; // the message already says why
        const auto answer = QMessageBox::question(this, tr("Import presets"),
            ui::asPlain(tr("A preset of yours has the same id as %1. Replace it?").arg(file)),
            QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
        if (answer == QMessageBox::Yes) importFile(toPath(file), true, card);
    }
}

void MachinesPanel::askAndExport()
{
    const QString proposed = ui::verbatim(selected()->heading.id) + QStringLiteral(".json");
    const QString file = askWhereToSave(this, tr("Export preset"), proposed, tr("Presets (*.json);;All files (*)"));
    if (!file.isEmpty()) exportTo(toPath(file));
}

void MachinesPanel::setSeen(bool seen)
{
    if (!seen || m_modified) return;
    listFiles(kind(), selected() != nullptr ? selected()->heading.id : std::string());
}

bool MachinesPanel::mayClose()
{
    if (!m_modified) return true;
    const auto answer = QMessageBox::question(this, tr("Unsaved changes"),
        ui::asPlain(tr("%1 has changes that are not saved.").arg(m_title->text())),
        QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Cancel);
    return answer == QMessageBox::Discard;
}

} // namespace cardfit::app
