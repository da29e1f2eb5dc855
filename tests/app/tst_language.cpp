// SPDX-License-Identifier: GPL-3.0-or-later
// The window in Chinese, and changes of language while it is open.
#include <memory>

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QTranslator>
#include <QXmlStreamReader>

#include "app/controls/language.h"
#include "app/dialogs/calibration_dialog.h"
#include "app/dialogs/chart_table_dialog.h"
#include "app/menus/export_menu.h"
#include "app/panels/advice_panel.h"
#include "app/panels/explain_panel.h"
#include "app/panels/inputs_panel.h"
#include "app/panels/schedules_panel.h"
#include "app/panels/stage_table.h"
#include "app/panels/table_panel.h"
#include "app/window/language_menu.h"
#include "app/window/main_window.h"
#include "app/window/window_host.h"
#include "core/files/layout_text.h"
#include "core/files/picture_plan.h"
#include "core/files/plan_file.h"
#include "core/pipeline/analysis/blocking_transfers.h"
#include "core/plan/plan.h"
#include "core/time/utilization.h"
#include "core/traces/training_log.h"
#include "tests/app/program.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"
#include "widgets/explain_view.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/memory/memory_over_time.h"
#include "widgets/step/step_bar.h"
#include "widgets/text/translated.h"
#include "widgets/timeline/pipeline_timeline.h"
#include "widgets/timeline/schedule_comparison.h"
#include "widgets/verdict_strip.h"

namespace cardfit::tst_language {

using namespace cardfit::app;

/// Words that Chinese texts contain as well: units, formats, other programs, and technical terms that are never
/// translated.
const QStringList& wordsOfTheField()
{
    static const QStringList words{"GB", "GiB", "MiB", "kWh", "MWh", "GWh", "ms", "s", "k", "B", "M", "T", "Ki",
        "TFLOPS", "bf16", "MFU", "MLP", "KV", "rank", "GPipe", "PipeDream", "DualPipe", "DualPipeV", "Eager", "ZB",
        "H1", "H2", "V", "Half", "Min", "F", "FB", "F1B", "U", "I", "W", "Cardfit", "Markdown", "LaTeX", "Perfetto",
        "PyTorch", "FSDP", "DeepSpeed", "Megatron", "Core", "Ctrl", "Shift", "Alt", "PaLM", "llm", "foundry",
        "Narayanan", "HFU", "TFLOP", "fp16", "fp8", "mxfp8", "nvfp4", "token", "tokens", "Language", "English", "CUDA",
        "fp4", "logits", "SwiGLU", "Hopper", "Bridge", "LM", "torchtitan", "CSV", "PNG", "SVG", "PDF", "GPT", "NeMo",
        "FLOPs", "hL", "x", "Transformer", "Engine", "int8", "fp32", "Adam", "AdamW", "torchao", "SGD", "Adafactor",
        "Lion", "Muon", "ZeRO", "cuDNN", "FlashAttention", "Ulysses", "DeepEP", "HybridEP", "bitsandbytes", "LoRA",
        "QLoRA", "JSON", "NVIDIA", "compile", "torch", "NF4", "NVLink", "vLLM"};
    return words;
}

/// Words of plan files are not translated: users look for them in their framework.
template <class Enum> void addWords(QStringList& words)
{
    for (const auto& entry : names<Enum>())
        words << QString::fromUtf8(entry.name.data(), static_cast<qsizetype>(entry.name.size()));
}

QStringList namesIn(const Plan& plan)
{
    QStringList words{QString::fromStdString(plan.name), QString::fromStdString(plan.model.name),
        QString::fromStdString(plan.cluster.name), QString::fromStdString(plan.cluster.accelerator.name)};
    // Sources, formulas, flags and layouts are quoted without translation.
    for (const WorkDefinitionText& text : workDefinitions()) {
        for (const std::string_view as_it_is : {text.source, text.formula})
            words << QString::fromUtf8(as_it_is.data(), static_cast<qsizetype>(as_it_is.size()));
    }
    words << QStringLiteral("--pipeline-model-parallel-layout") << QStringLiteral("Et*19|(t*20|)*2,t*21L");
    addWords<Task>(words);
    addWords<Framework>(words);
    addWords<Kernels>(words);
    addWords<Precision>(words);
    addWords<GradientPrecision>(words);
    addWords<Optimizer>(words);
    addWords<Sharding>(words);
    addWords<Schedule>(words);
    addWords<Attention>(words);
    addWords<Loss>(words);
    addWords<RecomputeGranularity>(words);
    addWords<RecomputeModule>(words);
    addWords<RecomputeMethod>(words);
    addWords<ContextCommunication>(words);
    addWords<Dispatcher>(words);
    addWords<CudaGraph>(words);
    addWords<GradientSync>(words);
    addWords<Quantizer>(words);
    return words;
}

/// English words of a text that are neither names nor allowed words.
QStringList englishIn(QString text, const QStringList& names)
{
    for (const QString& name : names)
        text.remove(name);
    static const QRegularExpression tag(
        QStringLiteral("<[^>]*>|&(?=\\w)|\\(&?\\w\\)|\\d+[A-Z]\\d+[A-Z]|\\(F\\d\\)|^[FBIW]\\d+$"));
    text.remove(tag);
    static const QRegularExpression word(QStringLiteral("[A-Za-z][A-Za-z0-9]*"));
    QStringList found;
    for (const auto& match : word.globalMatch(text)) {
        if (match.capturedLength() > 1 && !wordsOfTheField().contains(match.captured())) found << match.captured();
    }
    return found;
}

/// Every text that a chart paints; a text that needs several fonts is split, such as "1", "F1B".
QStringList paintedTexts(MainWindow& window, ui::ChartWidget& chart)
{
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("chart.svg"));
    if (!window.part<ExportMenu>().exportChart(chart, file)) return {};
    QFile device(file);
    if (!device.open(QIODevice::ReadOnly)) return {};
    QXmlStreamReader xml(&device);
    QStringList texts;
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"text") texts << xml.readElementText();
    }
    return texts;
}

QStringList textsOf(MainWindow& window)
{
    QStringList texts{window.part<ui::VerdictStrip>().text().plain(), window.windowTitle()};
    for (const auto* widget : window.findChildren<QWidget*>())
        texts << widget->toolTip() << widget->accessibleName() << widget->accessibleDescription();
    for (const auto* action : window.findChildren<QAction*>()) {
        if (!action->text().isEmpty()) texts << action->text() << action->iconText() << action->toolTip();
    }
    for (const auto* label : window.findChildren<QLabel*>())
        texts << label->text();
    for (const auto* button : window.findChildren<QAbstractButton*>())
        texts << button->text();
    for (const auto* dock : window.findChildren<QDockWidget*>())
        texts << dock->windowTitle();
    for (const auto* menu : window.findChildren<QMenu*>())
        texts << menu->title();
    const QAbstractItemModel& table = *window.part<TablePanel>().model();
    for (int row = 0; row < table.rowCount(); ++row)
        texts << table.headerData(row, Qt::Vertical).toString();
    for (int column = 0; column < table.columnCount(); ++column)
        texts << table.headerData(column, Qt::Horizontal).toString();
    texts.removeAll(QString());
    return texts;
}

/// Deletes the replaced window and shows the new one.
void turn()
{
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
}

bool isChinese(const QString& text)
{
    static const QRegularExpression letters(QStringLiteral("\\p{Han}"));
    return text.contains(letters);
}

QAction* languageAction(MainWindow& window, Language language)
{
    for (QAction* action : window.findChild<LanguageMenu*>()->actions()) {
        if (action->data().toInt() == static_cast<int>(language)) return action;
    }
    return nullptr;
}

class TestLanguage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("cardfit-test"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_language"));
        qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
        qputenv("XDG_DATA_HOME", QFile::encodeName(m_home.path()));
    }

    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support )")));
        QSettings().clear();
        applyLanguage(Language::English);
    }

    void theDesktopsLanguageIsTheFirst()
    {
        QVERIFY(languageFor(QLocale(QStringLiteral("zh_CN"))) == Language::Chinese);
        QVERIFY(languageFor(QLocale(QStringLiteral("zh_SG"))) == Language::Chinese);
        QVERIFY(languageFor(QLocale(QStringLiteral("en_US"))) == Language::English);
        QVERIFY(languageFor(QLocale(QStringLiteral("de_DE"))) == Language::English);
        QVERIFY(languageFor(QLocale::c()) == Language::English);
        QVERIFY(shownLanguage(Language::Chinese) == Language::Chinese);
        QVERIFY(shownLanguage(Language::System) == languageFor(QLocale::system()));
    }

    void theChoiceIsKept()
    {
        QVERIFY(savedLanguage() == Language::System);
        for (const Language language : {Language::Chinese, Language::English, Language::System}) {
            saveLanguage(language);
            QVERIFY(savedLanguage() == language);
        }
    }

    void nothingStaysEnglish()
    {
        saveLanguage(Language::Chinese);
        WindowHost host;
        MainWindow& window = host.window();
        window.resize(1366, 768);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(window.document().estimate()->complete());
        QStringList names = namesIn(window.document().plan());
        for (const auto& family : shippedPresets().models)
            names << QString::fromStdString(family.name);
        for (const Cluster& cluster : shippedPresets().clusters)
            names << QString::fromStdString(cluster.name);
        for (const Accelerator& card : shippedPresets().accelerators)
            names << QString::fromStdString(card.name);
        for (const PlanPreset& plan : shippedPresets().plans) {
            const QString name = QString::fromStdString(plan.plan.name);
            names << name;
        }
        names << QStringLiteral("Llama 3 405B") << QStringLiteral("H100"); // whose failures are counted
        std::ranges::sort(names, std::ranges::greater(), &QString::size);

        QStringList texts = textsOf(window);
        window.state().setCentre(CentreView::OverTime);
        window.part<SchedulesPanel>().choose({Schedule::GPipe, Schedule::ZbH1});
        for (ui::ChartWidget* chart :
            std::initializer_list<ui::ChartWidget*>{&window.part<ui::MemoryBars>(), &window.part<ui::MemoryOverTime>(),
                &window.part<ui::PipelineTimeline>(), &window.part<ui::StepBar>()}) {
            const QStringList painted = paintedTexts(window, *chart);
            QVERIFY2(painted.size() > 5, qPrintable(chart->heading()));
            texts << painted << chart->heading() << chart->facts() << chart->accessibleDescription();
        }
        window.state().setCentre(CentreView::Schedules);
        QTRY_COMPARE_WITH_TIMEOUT(window.part<SchedulesPanel>().chart().strips(), std::size_t{2}, 20000);
        texts << paintedTexts(window, window.part<SchedulesPanel>().chart()) << textsOf(window);
        texts.removeDuplicates();
        QVERIFY(texts.size() > 300);

        QStringList english;
        const auto isShortName = [&](const QString& text) {
            const auto dots = text.indexOf(u'…');
            return dots > 0 && std::ranges::any_of(names, [&](const QString& name) {
                return name.startsWith(text.left(dots)) && name.endsWith(text.mid(dots + 1));
            });
        };
        for (const QString& text : texts) {
            if (isShortName(text)) continue;
            if (const QStringList words = englishIn(text, names); !words.isEmpty())
                english << QStringLiteral("“%1” in “%2”").arg(words.join(u' '), text.left(120));
        }
        QVERIFY2(english.isEmpty(), qPrintable(u'\n' + english.join(u'\n')));
    }

    void whatCoreSaysIsChinese()
    {
        saveLanguage(Language::Chinese);
        WindowHost host;
        MainWindow& window = host.window();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QStringList names = namesIn(window.document().plan());
        window.part<ExplainPanel>().explainFigure(QStringLiteral("stage0.activations"));
        window.showCard(window.part<ExplainPanel>());
        const auto titled = [&] {
            const QString title = window.part<ExplainPanel>().view().toPlainText().section(u'\n', 0, 0);
            return isChinese(title) && englishIn(title, names).isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(titled(), 20000);

        Plan broken = window.document().plan();
        broken.parallelism.tensor = 7;
        window.document().edit(broken, QStringLiteral("seven"));
        window.document().recomputeNow();
        const QString headline = window.part<ui::VerdictStrip>().text().headline;
        QVERIFY2(isChinese(headline) && englishIn(headline, names).isEmpty(), qPrintable(headline));
    }

    /// Errors in files, from all parts of core.
    void errorsAreChinese_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("quoted"); ///< words of the file, which are not translated
        applyLanguage(Language::Chinese);
        const auto row = [](const char* name, const Error& error, const QString& quoted = {}) {
            QTest::newRow(name) << ui::translated(error) << quoted;
        };
        const auto& presets = shippedPresets();
        row("no file", readPlan("/no/such.json", presets).error(), QStringLiteral("/no/such.json"));
        row("no JSON object", parsePlan("[]", presets).error());
        row("a wrong value",
            parsePlan(R"({"format": "cardfit/plan", "version": 1, "model": {"preset": "llama-7b"},
                                           "cluster": {"preset": "dgx-h100", "nodes": 1.7}})",
                presets)
                .error(),
            QStringLiteral("/cluster/nodes"));
        row("no preset",
            parsePlan(R"({"format": "cardfit/plan", "version": 1, "model": {"preset": "llama-70"},
                                       "cluster": {"preset": "dgx-h100"}})",
                presets)
                .error(),
            QStringLiteral("/model/preset llama-70"));
        row("a layout", parseLayout("Et*20|x").error());
        row("a picture", planTextInPicture("<svg></svg>").error());
        row("a log", readTrainingLog("nothing").error(),
            QStringLiteral(
                "train_samples_per_second elapsed time per iteration max allocated tps samples sec Hugging Face"));
        Measurement impossible;
        impossible.step = Seconds(1e-9);
        row("a run", calibrate(samplePlan(), impossible).error(), QStringLiteral("/calibration/step_seconds"));
        row("slack", Error{ErrorCode::OutOfRange, {}, {}, kUnknownTransfers});
    }
    void errorsAreChinese()
    {
        QFETCH(QString, said);
        QFETCH(QString, quoted);
        QVERIFY2(isChinese(said), qPrintable(said));
        QStringList words = namesIn(samplePlan()) + QStringList{QStringLiteral("JSON"), QStringLiteral("preset")};
        static const QRegularExpression blanks(QStringLiteral("[\\s/]+"));
        QString rest = said;
        for (const QString& word : quoted.split(blanks, Qt::SkipEmptyParts))
            rest.remove(word);
        // Suggested presets are named without translation.
        static const QRegularExpression meant(QStringLiteral("是指 .* 吗"));
        rest.remove(meant);
        const QStringList english = englishIn(rest, words);
        QVERIFY2(english.isEmpty(), qPrintable(said));
        applyLanguage(Language::English);
    }

    void theReportSpeaksTheWindowsLanguage_data()
    {
        QTest::addColumn<int>("language");
        QTest::addColumn<QByteArray>("heading");
        QTest::newRow("English") << static_cast<int>(Language::English) << QByteArray("\n## Memory per card\n");
        QTest::newRow("Chinese") << static_cast<int>(Language::Chinese) << QByteArray("\n## 每卡显存\n");
    }
    void theReportSpeaksTheWindowsLanguage()
    {
        QFETCH(const int, language);
        QFETCH(const QByteArray, heading);
        saveLanguage(static_cast<Language>(language));
        WindowHost host;
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("report.md"));
        const auto& exports = host.window().part<ExportMenu>();
        QVERIFY(DocumentWriter(exports.documentRequest()).write(file.toStdString()));
        QFile report(file);
        QVERIFY(report.open(QIODevice::ReadOnly));
        const QByteArray text = report.readAll();
        QVERIFY2(text.contains(heading), text.left(400).constData());
        QCOMPARE(text.contains("## Memory per card"), static_cast<Language>(language) == Language::English);
        const QString pdf = folder.filePath(QStringLiteral("report.pdf"));
        QVERIFY(DocumentWriter(exports.documentRequest()).write(pdf.toStdString()));
    }

    /// Without a font for it a text is painted as boxes: pictures and .pdf are written, and the command says so.
    void chineseWithoutAFontIsWarnedOf()
    {
        QVERIFY(hasFontFor(QStringLiteral("Memory")) && hasFontFor(QStringLiteral("显存")));
        QVERIFY(!hasFontFor(QString(QChar(0xE123)))); // private use: nobody's letter
        const QTemporaryDir folder;
        QFile fonts(folder.filePath(QStringLiteral("fonts.conf")));
        QVERIFY(fonts.open(QIODevice::WriteOnly));
        fonts.write("<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir "
                    "prefix=\"xdg\">f</cachedir></fontconfig>");
        fonts.close();
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_CACHE_HOME"), folder.path());
        const auto complaint = [&](const QString& language, const QString& file) {
            const auto answer = samples::runCardfit(
                {"export", "llama-3-8b-8-h100", "--report", folder.filePath(file), "--language", language},
                environment);
            return answer.code == 0 ? QString::fromUtf8(answer.complaint)
                                    : QStringLiteral("ended with %1").arg(answer.code);
        };
        QCOMPARE(complaint(QStringLiteral("zh"), QStringLiteral("with.pdf")), QString());
        environment.insert(QStringLiteral("FONTCONFIG_FILE"), fonts.fileName());
        QCOMPARE(complaint(QStringLiteral("en"), QStringLiteral("english.pdf")), QString());
        QCOMPARE(complaint(QStringLiteral("zh"), QStringLiteral("text.md")), QString());
        const QString said = complaint(QStringLiteral("zh"), QStringLiteral("without.pdf"));
        QVERIFY2(said.startsWith(folder.filePath(QStringLiteral("without.pdf: ")))
                && said.contains(QStringLiteral("fonts-noto-cjk")),
            qPrintable(said));
    }

    void numbersKeepTheirPoint()
    {
        applyLanguage(Language::Chinese);
        QCOMPARE(QLocale().toString(1234.5, 'f', 1), QStringLiteral("1234.5"));
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        applyLanguage(Language::English);
        QCOMPARE(QLocale().decimalPoint(), QStringLiteral("."));
    }

    void aChangeOfLanguageLosesNothing()
    {
        WindowHost host;
        host.window().resize(1280, 720);
        host.window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&host.window()));
        QVERIFY(!isChinese(host.window().menuBar()->actions().first()->text()));
        {
            MainWindow& window = host.window();
            Plan changed = window.document().plan();
            changed.workload.sequence_length = 4096;
            window.document().edit(changed, QStringLiteral("one"));
            changed.workload.micro_batch_size = 2;
            window.document().edit(changed, QStringLiteral("two"));
            window.document().undoStack()->undo();
            window.document().setProfile(Profile::DeepSpeed);
            window.document().setDerivedFactor(DerivedFactor::Nodes);
            window.document().recomputeNow();
            window.state().setUnit(ByteUnit::GiB);
            window.state().setCentre(CentreView::OverTime);
            window.state().setKeepsPeaks(true);
            window.part<ExplainPanel>().explainFigure(QStringLiteral("stage1.activations"));
            window.part<ui::PipelineTimeline>().setVisibleRange({0.5, 2.5});
            window.part<ui::PipelineTimeline>().moveCursorTo(1.25);
            window.part<SchedulesPanel>().choose({Schedule::GPipe});
            QCoreApplication::processEvents();
        }
        const Plan plan = host.window().document().plan();
        const ui::TimeRange range = host.window().part<ui::PipelineTimeline>().visibleRange();
        const QStringList trail = host.window().part<ExplainPanel>().trail();
        QCOMPARE(trail.size(), 2);
        const QSize size = host.window().size();
        const QPointer<MainWindow> old = &host.window();

        QSignalSpy asked(old, &MainWindow::languageChosen);
        languageAction(*old, Language::Chinese)->trigger();
        QCOMPARE(asked.size(), 1);
        turn();
        QVERIFY(old.isNull());
        QVERIFY(savedLanguage() == Language::Chinese);

        MainWindow& window = host.window();
        QVERIFY(window.isVisible());
        QVERIFY(isChinese(window.menuBar()->actions().first()->text()));
        QVERIFY(window.document().plan() == plan);
        QVERIFY(window.document().profile() == Profile::DeepSpeed);
        QVERIFY(window.document().derivedFactor() == DerivedFactor::Nodes);
        QVERIFY(window.isWindowModified());
        QCOMPARE(window.document().undoStack()->count(), 2);
        QCOMPARE(window.document().undoStack()->redoText(), QStringLiteral("two"));
        QVERIFY(window.state().centre() == CentreView::OverTime);
        QVERIFY(window.part<ui::MemoryBars>().isVisible() && window.part<ui::MemoryOverTime>().isVisible());
        QCOMPARE(window.part<ExplainPanel>().trail(), trail);
        QVERIFY(window.viewLayout().unit == ByteUnit::GiB);
        QVERIFY(window.part<ui::VerdictStrip>().text().headline.contains(QStringLiteral("GiB")));
        QVERIFY(window.part<ui::PipelineTimeline>().visibleRange() == range);
        QCOMPARE(*window.part<ui::PipelineTimeline>().cursorTime(), 1.25);
        QVERIFY(window.part<SchedulesPanel>().chosen() == std::vector{Schedule::GPipe});
        QCOMPARE(window.size(), size);

        // The undo history continues in the new window, and again after the first language is restored.
        window.document().undoStack()->redo();
        window.document().undoStack()->undo();
        window.document().undoStack()->undo();
        turn();
        QVERIFY(!window.isWindowModified());
        languageAction(window, Language::English)->trigger();
        turn();
        QVERIFY(!isChinese(host.window().menuBar()->actions().first()->text()));
        QCOMPARE(host.window().document().undoStack()->count(), 2);
    }

    /// If a rule prevents the figures of a plan, the charts show the previous plan's, in the new window as in the old
    /// one.
    void figuresOfTheLastPlanStay()
    {
        WindowHost host;
        host.window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&host.window()));
        Plan broken = host.window().document().plan();
        broken.parallelism.tensor = 7;
        host.window().document().edit(broken, QStringLiteral("seven"));
        host.window().document().recomputeNow();
        QVERIFY(!host.window().document().estimate()->complete());
        host.show(Language::Chinese);
        turn();
        QVERIFY(!paintedTexts(host.window(), host.window().part<ui::PipelineTimeline>())
                     .filter(QStringLiteral("1F1B"))
                     .isEmpty());
        QVERIFY(!host.window().document().estimate()->complete());
        host.window().showCard(host.window().part<ExplainPanel>());
        QTRY_VERIFY(host.window().part<ExplainPanel>().view().explanation().has_value());
    }

    void withoutAnyFiguresNothingIsCalledOld()
    {
        WindowHost host;
        MainWindow& window = host.window();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        window.document().recomputeNow();
        Plan broken = window.document().plan();
        broken.parallelism.tensor = 7;
        window.document().reset(broken);
        window.document().recomputeNow();
        const QString texts = paintedTexts(window, window.part<ui::MemoryBars>()).join(u' ');
        QVERIFY2(texts.contains(QStringLiteral("No figures yet")), qPrintable(texts));
        QVERIFY2(!texts.contains(QStringLiteral("Last plan")), qPrintable(texts));
        // The explanation of the previous plan is removed as well.
        QVERIFY(!window.part<ExplainPanel>().view().explanation().has_value());
        const QString said = window.part<ExplainPanel>().view().toPlainText();
        QVERIFY2(said.startsWith(QStringLiteral("No figures yet")), qPrintable(said));
    }

    void dialogsThatAreOpenComeBack()
    {
        WindowHost host;
        host.window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&host.window()));
        RunFields typed;
        typed.speed = QStringLiteral("3.9");
        typed.published = QStringLiteral("900");
        typed.allocated = QStringLiteral("61.2 GiB");
        typed.stage = 2;
        typed.source = QStringLiteral("ours");
        typed.log = QStringLiteral("step: 1 nothing of use");
        ViewPosition position = host.window().position();
        QVERIFY(!position.table && !position.help && !position.run);
        position.table = OpenTable{3, QRect(60, 70, 640, 400)};
        position.help = OpenHelp{QStringLiteral("timeline"), QRect(90, 80, 700, 420)};
        position.run = OpenRun{typed, QRect(30, 40, 800, 500)};
        host.window().setPosition(position);
        host.show(Language::Chinese);
        turn();
        const ViewPosition after = host.window().position();
        QVERIFY(after.table && after.help && after.run);
        QCOMPARE(after.table->chart, 3);
        QCOMPARE(after.table->place.size(), QSize(640, 400));
        QCOMPARE(after.help->topic, QStringLiteral("timeline"));
        QVERIFY(after.run->fields == typed);
        QVERIFY(isChinese(host.window().part<ChartTableDialog>().windowTitle()));
        QVERIFY(isChinese(host.window().part<ChartTableDialog>().table().title));
        host.window().part<ChartTableDialog>().close();
        QVERIFY(!host.window().position().table);
    }

    /// In the narrowest supported window.
    void theToolBarsShowAll_data()
    {
        QTest::addColumn<int>("language");
        QTest::newRow("English") << static_cast<int>(Language::English);
        QTest::newRow("Chinese") << static_cast<int>(Language::Chinese);
    }
    void theToolBarsShowAll()
    {
        QFETCH(int, language);
        saveLanguage(static_cast<Language>(language));
        WindowHost host;
        host.window().resize(1366, 768);
        host.window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&host.window()));
        turn();
        for (const char* name : {"tools", "band"}) {
            const auto* bar = host.window().findChild<QToolBar*>(QString::fromLatin1(name));
            for (QAction* action : bar->actions()) {
                const QWidget* button = bar->widgetForAction(action);
                QVERIFY2(button != nullptr && button->isVisible(), qPrintable(action->text()));
            }
        }
    }

    void theSameLanguageKeepsTheWindow()
    {
        WindowHost host;
        const QPointer<MainWindow> window = &host.window();
        host.show(appliedLanguage());
        turn();
        QVERIFY(window == &host.window());
    }

private:
    QTemporaryDir m_home;
};

CARDFIT_WINDOW_TEST(TestLanguage)

} // namespace cardfit::tst_language
#include "tst_language.moc"
