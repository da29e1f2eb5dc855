// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/tool_tip.h"

#include <QAbstractItemView>
#include <QAction>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QRegularExpression>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>

#include "app/controls/menu_text.h"
#include "app/dialogs/calibration_dialog.h"
#include "app/document/file_path.h"
#include "app/files/launch_import_dialog.h"
#include "app/files/plan_files.h"
#include "app/menus/plan_pickers.h"
#include "app/palette/command_palette.h"
#include "app/panels/machines_panel.h"
#include "app/panels/panel_context.h"
#include "app/window/main_window.h"
#include "app/window/written_notice.h"
#include "core/files/file.h"
#include "tests/app/answers.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_tool_tips {

using namespace cardfit::app;

/// What every name and source holds; as HTML it would be bold.
const QString kMarkup = QStringLiteral("<b>x");

/// Copies the presets, with markup in every name and source.
void copyWithMarkup(const QString& from, const QString& to)
{
    static const QRegularExpression kNames(QStringLiteral("(\"(?:name|source)\": \")"));
    QDirIterator files(from, {QStringLiteral("*.json")}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QString text = QString::fromUtf8(file.readAll());
        text.replace(kNames, QStringLiteral("\\1") + kMarkup + u' ');
        const QString copy = to + u'/' + QDir(from).relativeFilePath(file.fileName());
        QVERIFY(QDir().mkpath(QFileInfo(copy).path()));
        QFile written(copy);
        QVERIFY(written.open(QIODevice::WriteOnly));
        written.write(text.toUtf8());
    }
}

bool isMarkup(const QString& text) { return Qt::mightBeRichText(text) && text.contains(kMarkup); }

/// Where a text with markup would be taken for HTML, in all windows that are open.
class Walk {
public:
    Walk()
    {
        for (const QWidget* widget : QApplication::allWidgets()) {
            look(widget->toolTip(), widget, "tool tip");
            look(widget->whatsThis(), widget, "help");
            for (const QAction* action : widget->findChildren<QAction*>() + widget->actions())
                look(action->toolTip(), action, "tool tip");
            if (const auto* label = qobject_cast<const QLabel*>(widget); label && label->textFormat() != Qt::PlainText)
                look(label->text(), label, "label");
            if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) lookAt(*view);
            if (const auto* tabs = qobject_cast<const QTabWidget*>(widget)) {
                for (int tab = 0; tab < tabs->count(); ++tab)
                    look(tabs->tabToolTip(tab), tabs, "tab");
            }
        }
    }
    [[nodiscard]] const QStringList& found() const { return m_found; }
    /// How many texts held markup, whether escaped or not.
    [[nodiscard]] int seen() const { return m_seen; }

private:
    void look(const QString& text, const QObject* of, const char* what)
    {
        if (text.contains(kMarkup) || text.contains(kMarkup.toHtmlEscaped())) ++m_seen;
        if (!isMarkup(text)) return;
        m_found << QStringLiteral("%1 of %2 %3: %4")
                       .arg(QLatin1StringView(what), QLatin1StringView(of->metaObject()->className()), of->objectName(),
                           text.left(80));
    }
    void lookAt(const QAbstractItemView& view)
    {
        const QAbstractItemModel* model = view.model();
        if (model == nullptr) return;
        for (int row = 0; row < model->rowCount(); ++row) {
            for (int column = 0; column < model->columnCount(); ++column)
                look(model->index(row, column).data(Qt::ToolTipRole).toString(), &view, "item");
            look(model->headerData(row, Qt::Vertical, Qt::ToolTipRole).toString(), &view, "heading");
        }
        for (int column = 0; column < model->columnCount(); ++column)
            look(model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), &view, "heading");
    }

    QStringList m_found;
    int m_seen = 0;
};

void verifyClean()
{
    QCoreApplication::processEvents();
    const Walk walk;
    QVERIFY2(walk.found().isEmpty(), qPrintable(walk.found().join(u'\n')));
    QVERIFY(walk.seen() > 0);
}

/// The arguments of a call, from its opening bracket on.
QString argumentsAt(const QString& code, qsizetype open)
{
    int depth = 0;
    bool quoted = false;
    for (qsizetype i = open; i < code.size(); ++i) {
        const QChar c = code[i];
        if (quoted && c == u'\\')
            ++i;
        else if (c == u'"')
            quoted = !quoted;
        else if (!quoted && c == u'(')
            ++depth;
        else if (!quoted && c == u')' && --depth == 0)
            return code.mid(open + 1, i - open - 1);
    }
    return {};
}

/// Names come from plans, presets, scripts and files of others, and are no HTML.
class TestToolTips : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_tool_tips"));
        QSettings().clear();
        m_home = m_folder.filePath(kMarkup);
        QVERIFY(QDir().mkpath(m_home));
        copyWithMarkup(QStringLiteral(CARDFIT_PRESET_DIR), m_home + QStringLiteral("/presets"));
        for (const char* variable : {"XDG_DATA_HOME", "XDG_STATE_HOME"})
            qputenv(variable, QFile::encodeName(m_home));
        qputenv("CARDFIT_PRESETS", QFile::encodeName(m_home + QStringLiteral("/presets")));
    }
    void cleanupTestCase() { qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR); }

    void textsKeepEveryCharacter()
    {
        QCOMPARE(ui::asPlain(QStringLiteral("a < b\nc & d")), QStringLiteral("a < b\nc & d"));
        const QString escaped = ui::asPlain(QStringLiteral("<img src=\"/f\">\nnext"));
        QVERIFY2(escaped.contains(QStringLiteral("&lt;img")) && escaped.contains(QStringLiteral("<br")),
            qPrintable(escaped));
    }

    void aNameInAMenuStaysAName()
    {
        MainWindow window;
        const auto& presets = window.presets();
        Plan changed = window.document().plan();
        changed.model = *presets.model("llama-3-8b");
        window.document().edit(changed, QStringLiteral("Model: A & B"));
        const auto undo = [&] { return window.findChild<QToolBar*>()->actions(); };
        const QString long_name(5000, u'x');
        for (QAction* action : undo()) {
            if (!action->text().startsWith(QStringLiteral("&Undo"))) continue;
            QCOMPARE(action->text(), QStringLiteral("&Undo Model: A && B"));
            QCOMPARE(action->toolTip(), QStringLiteral("Undo Model: A & B"));
            changed.parallelism.tensor = 4;
            window.document().edit(changed, long_name);
            QVERIFY(action->text().size() < 100);
        }
        QCOMPARE(inMenu(QStringLiteral("Q&A.json")), QStringLiteral("Q&&A.json"));
        // A name is no placeholder for the mark of unsaved edits.
        changed.name = "a [*] b";
        window.document().edit(changed, QStringLiteral("name"));
        QVERIFY(window.windowTitle().contains(QStringLiteral("[*][*]")));
    }

    void noNameIsTakenForHtml()
    {
        MainWindow window;
        window.show();
        for (const PanelEntry& entry : panelEntries())
            window.showPanel(entry.id);
        Plan plan = window.document().plan();
        plan.unknown = {{"/" + kMarkup.toStdString()}, "{}"};
        plan.parallelism.tensor = 3; // checks with remedies
        window.document().reset(plan);
        window.document().recomputeNow();
        verifyClean();

        // Undo and redo name the model.
        window.part<PlanPickers>().pickModel(QStringLiteral("llama-3-8b"));
        verifyClean();
        window.document().undoStack()->undo();
        verifyClean();

        // Recent files, tabs and what was written.
        const QString file = m_home + QStringLiteral("/<b>x.json");
        QVERIFY(window.document().saveAs(file).has_value());
        QVERIFY(window.openFile(file));
        for (QMenu* menu : window.findChildren<QMenu*>())
            emit menu->aboutToShow();
        window.document().keepCopy();
        window.part<WrittenNotice>().show(file, kMarkup);
        verifyClean();
        window.document().close(1);
        for (QMenu* menu : window.findChildren<QMenu*>())
            emit menu->aboutToShow(); // among recent plans
        verifyClean();

        window.findChild<CommandPalette*>()->popUp();
        window.findChild<CommandPalette*>()->field()->setText(QStringLiteral("start with"));
        verifyClean();
    }

    void noDialogTakesANameForHtml()
    {
        MainWindow window;
        window.show();
        window.openCalibration();
        for (const Room room : {Room::Find, Room::Compare, Room::Learn, Room::Machines}) {
            window.state().setRoom(room);
            verifyClean();
        }
        for (const PresetKind kind : kPresetKinds) {
            window.part<MachinesPanel>().showKind(kind);
            verifyClean();
        }

        LaunchImportDialog import(window.document().plan(), window.presets());
        import.show();
        import.setText(
            QStringLiteral("torchrun pretrain_gpt.py --num-layers 4 --hidden-size 512 --num-attention-heads 8 "
                           "--seq-length 512 --max-position-embeddings 512 --micro-batch-size 1 "
                           "--global-batch-size 8 --no-such-flag '<b>x'"));
        verifyClean();
    }

    void noQuestionTakesANameForHtml()
    {
        MainWindow window;
        window.show();
        QVERIFY(!window.openFile(m_home + QStringLiteral("/not-there.json")));
        verifyClean();
        for (QMessageBox* box : window.findChildren<QMessageBox*>())
            box->close();
        Plan changed = window.document().plan();
        changed.parallelism.tensor = 4;
        changed.name = kMarkup.toStdString();
        const QString file = m_home + QStringLiteral("/<b>asked.json");
        QVERIFY(window.document().saveAs(file).has_value());
        window.document().edit(changed, QStringLiteral("edit"));
        QVERIFY(writeFile(toPath(file), "{}").has_value());
        test::whenShown<QMessageBox>([](QMessageBox& box) {
            verifyClean();
            box.reject();
        });
        QVERIFY(!window.part<PlanFiles>().save());
        window.document().undoStack()->undo();
    }

    /// Whatever is not fixed text goes through asPlain().
    void theSourcesSetNoOtherTexts()
    {
        static const QRegularExpression kCall(
            QStringLiteral("(setToolTip|setInformativeText|QToolTip::showText|QMessageBox::question|QMessageBox "
                           "box|new QMessageBox)\\("));
        static const QRegularExpression kFixed(QStringLiteral("tr\\((\\s*\"(\\\\.|[^\"\\\\])*\")+\\s*\\)"));
        for (const char* folder : {"/app", "/widgets"}) {
            QDirIterator files(QStringLiteral(CARDFIT_SOURCES) + QLatin1StringView(folder),
                {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString code = QString::fromUtf8(file.readAll());
                for (auto calls = kCall.globalMatch(code); calls.hasNext();) {
                    const auto call = calls.next();
                    const QString arguments = argumentsAt(code, call.capturedEnd() - 1);
                    const bool fixed = arguments == QStringLiteral("{}")
                        || (arguments.contains(kFixed) && !arguments.contains(QStringLiteral(".arg(")));
                    QVERIFY2(fixed || arguments.contains(QStringLiteral("asPlain(")),
                        qPrintable(file.fileName() + QStringLiteral(": ") + call.captured() + arguments));
                }
            }
        }
    }

private:
    QTemporaryDir m_folder;
    QString m_home;
};

CARDFIT_WINDOW_TEST(TestToolTips)

} // namespace cardfit::tst_tool_tips
#include "tst_tool_tips.moc"
