// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help/help_window.h"

#include <algorithm>
#include <array>

#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QSignalBlocker>
#include <QTextBrowser>
#include <QUrl>
#include <QVariant>

#include "app/cli/cli.h"

namespace cardfit::app {

namespace {

constexpr QSize kSize(860, 620);
constexpr int kListWidth = 190;
constexpr const char* kTopicProperty = "helpTopic";

struct Page {
    const char* topic;
    const char* title;
};
constexpr std::array<Page, 25> kPages{{
    {"start", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "A plan in five minutes")},
    {"out-of-memory", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "My script runs out of memory")},
    {"how-many-cards", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "How many cards for 70B in 30 days")},
    {"qlora-4090", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "QLoRA on one 4090")},
    {"which-schedule", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Which schedule")},
    {"serving", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "How many users on two H100")},
    {"planning-document", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "A planning document")},
    {"concepts", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Concepts")},
    {"accuracy", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "How right it is")},
    {"limits", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Limits")},
    {"rails", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Inputs and rails")},
    {"bars", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Memory per card")},
    {"timeline", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "The pipeline and time")},
    {"schedules", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Comparing schedules")},
    {"compare", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Tabs: comparing plans")},
    {"explain", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Explain, checks, advice")},
    {"search", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Finding the plan")},
    {"machines", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Machines of your own")},
    {"learn", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Rules of thumb")},
    {"files", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Files and pictures")},
    {"shortcuts", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Keyboard and mouse")},
    // Not written by hand, and in English as the words of files and of the command line are.
    {"reference-fields", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Fields of a plan")},
    {"reference-rules", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Rules of a plan")},
    {"reference-commands", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Commands")},
    {"reference-outputs", QT_TRANSLATE_NOOP("cardfit::app::HelpWindow", "Answers as JSON")},
}};
constexpr QLatin1String kGenerated("reference-");

QString topicOfPage(const QUrl& page) { return page.fileName().section(u'.', 0, 0); }

QString fileOf(const QString& topic)
{
    //: folder of the help pages in this language
    const QString translated = QStringLiteral(":/guide/%1/%2.md").arg(HelpWindow::tr("en"), topic);
    const bool there = QFile::exists(translated) || HelpWindow::isGenerated(topic);
    return there ? translated : QStringLiteral(":/guide/en/%1.md").arg(topic);
}

/// Rows of tables as items of a list: Qt lays a table of hundreds of rows out for half a minute.
QString withoutTables(const QString& markdown)
{
    QStringList shown;
    for (QString line : markdown.split(u'\n')) {
        if (line.startsWith(QStringLiteral("|---"))) {
            shown.removeLast(); // the heading of the columns
            continue;
        }
        if (line.startsWith(u'|')) {
            QStringList cells = line.mid(2).chopped(2).split(QStringLiteral(" | "));
            cells.removeAll(QString());
            line = QStringLiteral("- ") + cells.join(QStringLiteral(" · "));
        }
        shown << line.replace(QStringLiteral("\\|"), QStringLiteral("|"));
    }
    return shown.join(u'\n');
}

/// Pages of the guide; those that no file holds are made when they are opened.
class GuideBrowser : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

    QVariant loadResource(int type, const QUrl& name) override
    {
        const QString topic = topicOfPage(name);
        if (!HelpWindow::isGenerated(topic)) return QTextBrowser::loadResource(type, name);
        const std::string part = topic.mid(kGenerated.size()).toStdString();
        return withoutTables(QString::fromStdString(referencePart(part, {"cardfit", "", nullptr})));
    }
};

} // namespace

bool HelpWindow::isGenerated(const QString& topic) { return topic.startsWith(kGenerated); }

QStringList HelpWindow::topics()
{
    QStringList topics;
    for (const Page& page : kPages)
        topics << QString::fromLatin1(page.topic);
    return topics;
}

void HelpWindow::explainBy(QWidget* widget, const QString& topic) { widget->setProperty(kTopicProperty, topic); }

QString HelpWindow::topicOf(const QWidget* widget)
{
    for (; widget != nullptr; widget = widget->parentWidget()) {
        const QVariant topic = widget->property(kTopicProperty);
        if (topic.isValid()) return topic.toString();
    }
    return topics().front();
}

HelpWindow::HelpWindow(QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_list(new QListWidget(this))
    , m_browser(new GuideBrowser(this))
{
    setWindowTitle(tr("Help"));
    m_list->setAccessibleName(tr("Pages"));
    m_list->setFixedWidth(kListWidth);
    m_browser->setAccessibleName(tr("Page"));
    m_browser->setOpenExternalLinks(false);
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->document()->setDocumentMargin(16);
    for (const Page& page : kPages)
        m_list->addItem(tr(page.title));

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_list);
    row->addWidget(m_browser, 1);
    resize(kSize);

    connect(m_list, &QListWidget::currentRowChanged, this, &HelpWindow::showPage);
    // Following a link to another page selects that page in the list.
    connect(m_browser, &QTextBrowser::sourceChanged, this, [this](const QUrl& page) {
        // The browser's source() is still the previous page.
        const auto row_of = topics().indexOf(topicOfPage(page));
        const QSignalBlocker quiet(m_list);
        if (row_of >= 0) m_list->setCurrentRow(static_cast<int>(row_of));
    });
    m_list->setCurrentRow(0);
}

void HelpWindow::showPage(int row)
{
    const QString shown = topics().value(row);
    if (!shown.isEmpty() && shown != topic()) m_browser->setSource(QUrl(QStringLiteral("qrc") + fileOf(shown)));
}

void HelpWindow::showTopic(const QString& topic)
{
    m_list->setCurrentRow(static_cast<int>(std::max<qsizetype>(0, topics().indexOf(topic))));
    show();
    raise();
    activateWindow();
    m_browser->setFocus();
}

QString HelpWindow::topic() const { return topicOfPage(m_browser->source()); }

void HelpWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

} // namespace cardfit::app
