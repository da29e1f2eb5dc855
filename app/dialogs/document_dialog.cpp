// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/document_dialog.h"

#include <array>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/document/file_path.h"
#include "app/document/plan_document.h"
#include "app/menus/export_menu.h"
#include "core/files/preset_library.h"
#include "core/traces/measured_cases.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

constexpr QSize kDialogSize(1120, 760);
constexpr auto kLeftOutKey = "document/left_out";
constexpr auto kAuthorKey = "document/author";
constexpr auto kFormatKey = "document/format";

/// What the system calls the user.
QString userName() { return qEnvironmentVariable("USER"); }

QListWidgetItem* addTick(QListWidget* list, const QString& text, const QVariant& data, bool on)
{
    auto* item = new QListWidgetItem(text, list);
    item->setData(Qt::UserRole, data);
    item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    return item;
}

void setTick(QListWidget* list, const QVariant& data, bool on)
{
    for (int row = 0; row < list->count(); ++row) {
        if (list->item(row)->data(Qt::UserRole) == data)
            list->item(row)->setCheckState(on ? Qt::Checked : Qt::Unchecked);
    }
}

} // namespace

DocumentDialog::DocumentDialog(PlanDocument& document, ExportMenu& exports, const Presets& presets, QWidget* window)
    : QDialog(window)
    , m_document(document)
    , m_exports(exports)
    , m_presets(presets)
    , m_topics(new QListWidget(this))
    , m_plans(new QListWidget(this))
    , m_author(new QLineEdit(this))
    , m_format(new QComboBox(this))
    , m_preview(new QTextBrowser(this))
    , m_state(new QLabel(this))
    , m_export(nullptr)
    , m_print(nullptr)
    , m_task([this](const DocumentFindings& found) {
        m_findings = found;
        m_state->clear();
        m_export->setEnabled(true);
        m_print->setEnabled(true);
        refresh();
    })
{
    setWindowTitle(tr("Planning document"));
    setModal(true);
    build();
    fillLists();
    const auto follow = [this] {
        remember();
        refresh();
    };
    connect(m_topics, &QListWidget::itemChanged, this, follow);
    connect(m_plans, &QListWidget::itemChanged, this, follow);
    connect(m_author, &QLineEdit::editingFinished, this, follow);
    connect(m_format, &QComboBox::activated, this, &DocumentDialog::remember);
    refresh();
    gather();
}

DocumentDialog::~DocumentDialog() = default;

void DocumentDialog::build()
{
    m_topics->setAccessibleName(tr("Sections"));
    m_plans->setAccessibleName(tr("Plans beside this one"));
    m_preview->setAccessibleName(tr("Preview"));
    // A page is white in every theme.
    QPalette paper = m_preview->palette();
    paper.setColor(QPalette::Base, Qt::white);
    paper.setColor(QPalette::Text, Qt::black);
    m_preview->setPalette(paper);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_format->addItem(tr("HTML, one file"), tr("Web page (*.html)"));
    m_format->addItem(tr("PDF"), tr("PDF (*.pdf)"));
    m_format->addItem(tr("OpenDocument text"), tr("OpenDocument text (*.odt)"));
    m_format->addItem(tr("Markdown, without charts"), tr("Markdown (*.md)"));
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(new QLabel(tr("Sections"), left));
    column->addWidget(m_topics, 3);
    column->addWidget(new QLabel(tr("Plans beside this one"), left));
    column->addWidget(m_plans, 1);
    auto* form = new QFormLayout;
    form->addRow(tr("Author"), m_author);
    form->addRow(tr("Format"), m_format);
    column->addLayout(form);
    column->addWidget(m_state);
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(left);
    halves->addWidget(m_preview);
    halves->setStretchFactor(1, 1);
    halves->setSizes({280, 820});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    m_print = buttons->addButton(tr("&Print…"), QDialogButtonBox::ActionRole);
    m_export = buttons->addButton(tr("&Export…"), QDialogButtonBox::ActionRole);
    m_export->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_print, &QPushButton::clicked, this, &DocumentDialog::print);
    connect(m_export, &QPushButton::clicked, this, &DocumentDialog::ask);
    auto* whole = new QVBoxLayout(this);
    whole->addWidget(halves, 1);
    whole->addWidget(buttons);
    resize(kDialogSize);
}

void DocumentDialog::fillLists()
{
    const QSettings settings;
    const QStringList left_out = settings.value(kLeftOutKey).toStringList();
    for (const DocumentTopicRow& topic : documentTopics())
        addTick(m_topics, ui::translated(topic.title), static_cast<int>(topic.value),
            !left_out.contains(ui::verbatim(topic.word)));
    for (int index = 0; index < m_document.count(); ++index) {
        const OpenPlan& tab = m_document.tab(index);
        if (index != m_document.current()) addTick(m_plans, tab.name, index, tab.slot >= 0);
    }
    m_author->setText(settings.value(kAuthorKey, userName()).toString());
    m_format->setCurrentIndex(settings.value(kFormatKey, 0).toInt());
}

void DocumentDialog::remember() const
{
    QSettings settings;
    QStringList left_out;
    for (const DocumentTopicRow& topic : documentTopics()) {
        if (!topics().has(topic.value)) left_out << ui::verbatim(topic.word);
    }
    settings.setValue(kLeftOutKey, left_out);
    settings.setValue(kAuthorKey, m_author->text());
    settings.setValue(kFormatKey, m_format->currentIndex());
}

DocumentTopics DocumentDialog::topics() const
{
    DocumentTopics topics;
    for (int row = 0; row < m_topics->count(); ++row) {
        const QListWidgetItem* item = m_topics->item(row);
        topics.set(static_cast<DocumentTopic>(item->data(Qt::UserRole).toInt()), item->checkState() == Qt::Checked);
    }
    return topics;
}

void DocumentDialog::setTopic(DocumentTopic topic, bool on) { setTick(m_topics, static_cast<int>(topic), on); }

void DocumentDialog::setBeside(int tab, bool on) { setTick(m_plans, tab, on); }

void DocumentDialog::setAuthor(const QString& author)
{
    m_author->setText(author);
    remember();
    refresh();
}

/// What takes a while: alternatives, sensitivity and the measured runs, for all sections at once.
void DocumentDialog::gather()
{
    m_state->setText(tr("Looking for alternatives, risks and what moves the figures…"));
    m_export->setEnabled(false);
    m_print->setEnabled(false);
    m_task.request([plan = m_document.plan(), estimate = m_document.estimate(), presets = m_presets](
                       QPromise<DocumentFindings>& promise) {
        auto runs = readMeasuredTime(measuredCasesFile("time.json"), presets);
        auto ground = runs ? std::make_shared<const MeasuredGround>(std::move(runs->cases)) : nullptr;
        promise.addResult(documentFindings(
            plan, *estimate, DocumentTopics::all(), std::move(ground), [&] { return promise.isCanceled(); }));
    });
}

std::unique_ptr<DocumentWriter> DocumentDialog::writer() const
{
    DocumentRequest request = m_exports.documentRequest();
    request.topics = topics();
    request.findings = m_findings;
    request.author = m_author->text().toStdString();
    for (int row = 0; row < m_plans->count(); ++row) {
        const QListWidgetItem* item = m_plans->item(row);
        if (item->checkState() != Qt::Checked) continue;
        const OpenPlan& tab = m_document.tab(item->data(Qt::UserRole).toInt());
        request.alternatives.push_back({tab.plan,
            tab.hasFigures(m_document.profile())
                ? tab.figures.estimate
                : std::make_shared<const Estimate>(estimateUnder(tab.plan, m_document.profile()))});
        request.alternatives.back().plan.name = tab.name.toStdString();
    }
    return std::make_unique<DocumentWriter>(std::move(request), m_exports.documentCharts());
}

void DocumentDialog::refresh()
{
    const int place = m_preview->verticalScrollBar()->value();
    auto* shown = new QTextDocument(m_preview);
    writer()->fill(*shown);
    constexpr double kMargin = 24.0;
    shown->setDocumentMargin(kMargin);
    // The view deletes the document that it began with itself.
    const QPointer<QTextDocument> before = m_preview->document();
    m_preview->setDocument(shown);
    delete before;
    m_preview->verticalScrollBar()->setValue(place);
}

QString DocumentDialog::preview() const { return m_preview->toPlainText(); }

Result<void> DocumentDialog::write(const QString& file) const { return writer()->write(toPath(file)); }

void DocumentDialog::ask()
{
    const QString filter = m_format->currentData().toString();
    const QString ending = filter.section(QStringLiteral("*."), 1).chopped(1);
    m_exports.ask(tr("Export: %1").arg(windowTitle()), QStringLiteral("document.") + ending, filter,
        [this](const QString& file) { return write(file); });
}

void DocumentDialog::print()
{
    QPrinter printer;
    printer.setDocName(QString::fromStdString(m_document.plan().name));
    printer.setCreator(QStringLiteral("Cardfit"));
    printer.setResolution(kDocumentDotsPerInch);
    if (QPrintDialog dialog(&printer, this); dialog.exec() == QDialog::Accepted) writer()->paint(printer);
}

} // namespace cardfit::app
