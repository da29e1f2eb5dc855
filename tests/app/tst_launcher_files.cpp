// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/launcher_files.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <QTreeWidget>

#include "app/document/plan_document.h"
#include "app/files/file_export.h"
#include "app/files/launch_import_dialog.h"
#include "app/panels/inputs_panel.h"
#include "app/window/main_window.h"
#include "core/files/preset_library.h"
#include "tests/app/shipped_presets.h"
#include "tests/test_program.h"

namespace cardfit::tst_launcher_files {

using namespace cardfit::app;

class OneText : public QTranslator {
public:
    using QTranslator::QTranslator;
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char*, int) const override
    {
        const bool known = qstrcmp(context, "Sentence") == 0 && qstrcmp(text, "plans have no field for this") == 0;
        return known ? QStringLiteral("方案里没有") : QString();
    }
};

class TestLauncherFiles : public QObject {
    Q_OBJECT

private slots:

    /// The window remembers an imported script and exports the plan into it; options that a plan does not have stay
    /// unchanged.
    void theImportedTextGetsTheChanges()
    {
        const QString script = QStringLiteral(
            "# ours\ntorchrun --nnodes 1 --nproc-per-node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 "
            "--num-attention-heads 32 --seq-length 2048 --max-position-embeddings 2048 --vocab-size 32000 "
            "--micro-batch-size 1 --global-batch-size 64 --lr 3e-4 --data-path /data/ours --bf16 "
            "--attention-backend flash --tensor-model-parallel-size 1\n");
        MainWindow window;
        auto& files = window.part<LauncherFiles>();
        QVERIFY(files.take(write("train.sh", script.toUtf8().constData())));
        auto* dialog = window.findChild<LaunchImportDialog*>();
        dialog->openButton().click();
        QCOMPARE(window.document().importedText(), script);
        QVERIFY(window.document().isModified()); // it is in no file
        Plan plan = window.document().plan();
        plan.parallelism.tensor = 4;
        window.document().edit(std::move(plan), QStringLiteral("tensor"));
        const auto changed = files.changedText(window.document().importedText());
        QCOMPARE(QString::fromStdString(*changed),
            QString(script).replace(QStringLiteral("parallel-size 1\n"), QStringLiteral("parallel-size 4\n")));
        QVERIFY(files.exportInto(m_directory.filePath("train.sh")));
        QFile written(m_directory.filePath("train.sh"));
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(written.readAll()), QString::fromStdString(*changed));
        window.document().reset(defaultPlan(shippedPresets()));
        QVERIFY(window.document().importedText().isEmpty() && !window.document().isModified());
    }

    /// Expert tensor parallelism has no effect on a dense model, even if its script sets it.
    void aDenseScriptBringsNoExpertTensor()
    {
        MainWindow window;
        window.show();
        auto& files = window.part<LauncherFiles>();
        QVERIFY(files.take(write("dense.sh",
            "torchrun --nnodes 1 --nproc-per-node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 "
            "--num-attention-heads 32 --seq-length 2048 --vocab-size 32000 --micro-batch-size 1 "
            "--global-batch-size 64 --bf16 --tensor-model-parallel-size 2 --expert-tensor-parallel-size 2\n")));
        window.findChild<LaunchImportDialog*>()->openButton().click();
        QCOMPARE(window.document().plan().parallelism.tensor, 2);
        const auto* rail = window.part<InputsPanel>().rail("expert_tensor");
        QTRY_VERIFY(window.part<InputsPanel>().rail("tensor")->isVisible() && !rail->isVisible());
        const QString file = m_directory.filePath(QStringLiteral("again.sh"));
        QVERIFY(files.exportTo(Launcher::Megatron, file));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(!written.readAll().contains("--expert-tensor"));
        window.document().reset(*shippedPresets().plan("mixtral-8x7b-64-h100"));
        QTRY_VERIFY(rail->isVisible());
    }

    /// Pasted text is kept after Cancel.
    void aCancelledImportKeepsItsText()
    {
        MainWindow window;
        auto& files = window.part<LauncherFiles>();
        QMenu menu;
        files.fillFileMenu(&menu);
        menu.actions().constFirst()->trigger();
        QPointer dialog = window.findChild<LaunchImportDialog*>();
        dialog->setText(QStringLiteral("--num-layers 3"));
        dialog->reject();
        QTRY_VERIFY(dialog.isNull());
        menu.actions().constFirst()->trigger();
        QCOMPARE(window.findChild<LaunchImportDialog*>()->text(), QStringLiteral("--num-layers 3"));
    }

    /// A dropped model file is one undo step, keeps cards and recipe, and is named after its folder.
    void aModelIsOneUndoStep()
    {
        QWidget window;
        PlanDocument document(defaultPlan(shippedPresets()));
        LauncherFiles files(document, shippedPresets(), &window);
        const Plan before = document.plan();
        QVERIFY(QDir(m_directory.path()).mkpath("Tiny"));
        QVERIFY(files.take(write("Tiny/config.json",
            R"({"model_type": "llama", "hidden_size": 512, "intermediate_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 8, "vocab_size": 1000, "zorp": 1})")));
        QCOMPARE(document.plan().model.name, std::string("Tiny"));
        QCOMPARE(document.plan().model.architecture.hidden_size, 512);
        QCOMPARE(document.plan().cluster, before.cluster);
        QCOMPARE(document.plan().recipe, before.recipe);
        const auto* box = window.findChild<QMessageBox*>();
        QVERIFY(box != nullptr && box->informativeText().contains("zorp"));
        QCOMPARE(document.undoStack()->count(), 1);
        document.undoStack()->undo();
        QCOMPARE(document.plan(), before);
    }

    void anErrorLeavesThePlan()
    {
        QWidget window;
        PlanDocument document(defaultPlan(shippedPresets()));
        LauncherFiles files(document, shippedPresets(), &window);
        QSignalSpy failed(&files, &LauncherFiles::failed);
        const Plan before = document.plan();
        QVERIFY(files.take(write("broken.json", R"({"model_type": "llama", "hidden_size": "wide"})")));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed.first()[1].toString().contains("/hidden_size"));
        QCOMPARE(document.plan(), before);
        QVERIFY(!files.take(write("plan.json", R"({"format": "cardfit/plan"})")));
        QVERIFY(!files.take(m_directory.filePath("none.json")));
    }

    void thePlansOwnFrameworkIsOfferedFirst()
    {
        QWidget window;
        PlanDocument document(defaultPlan(shippedPresets()));
        LauncherFiles files(document, shippedPresets(), &window);
        QMenu menu;
        files.fillExportMenu(&menu);
        QMenu* launch = menu.actions().front()->menu();
        constexpr std::pair<Framework, const char*> kFirst[] = {
            {Framework::DeepSpeed, "DeepSpeed"}, {Framework::Fsdp, "torchtitan"}, {Framework::Megatron, "Megatron"}};
        for (const auto& [framework, word] : kFirst) {
            Plan changed = document.plan();
            changed.recipe.framework = framework;
            document.edit(changed, QStringLiteral("framework"));
            emit launch->aboutToShow();
            const QString first = launch->actions().front()->text().remove(u'&');
            QVERIFY2(first.startsWith(QLatin1StringView(word)), qPrintable(first));
        }
    }

    void aPlanThatDoesNotFitIsExportedWithAWarning()
    {
        QWidget window;
        Plan plan = *shippedPresets().plan("llama-3-8b-8-h100");
        PlanDocument document(plan);
        LauncherFiles files(document, shippedPresets(), &window);
        const auto warnings = [&window] {
            int count = 0;
            for (const auto* box : window.findChildren<QMessageBox*>())
                count += box->text().contains(QStringLiteral("does not fit")) ? 1 : 0;
            return count;
        };
        QSignalSpy written(window.findChild<FileExport*>(), &FileExport::written);
        const QString file = m_directory.filePath(QStringLiteral("launch.sh"));
        QVERIFY(files.exportTo(Launcher::Megatron, file));
        QCOMPARE(written.count(), 1);
        QCOMPARE(written.front()[0].toString(), file);
        QCOMPARE(warnings(), 0);
        plan.workload.micro_batch_size = 64;
        plan.workload.global_batch_size = 1024;
        plan.recipe.recompute.granularity = RecomputeGranularity::None;
        document.reset(plan);
        document.recomputeNow();
        QVERIFY(document.estimate()->complete() && !document.estimate()->fits());
        QVERIFY(files.exportTo(Launcher::Megatron, file));
        QCOMPARE(warnings(), 1);
    }

    void aScriptIsShownBeforeItIsOpened()
    {
        QWidget window;
        PlanDocument document(defaultPlan(shippedPresets()));
        LauncherFiles files(document, shippedPresets(), &window);
        int imported = 0;
        connect(&files, &LauncherFiles::imported, &window, [&] { ++imported; });
        QVERIFY(files.take(write("run.sh",
            "torchrun --nproc-per-node 8 x.py --num-layers 8 --hidden-size 512 --num-attention-heads 8 --vocab-size "
            "1000 --seq-length 512 --micro-batch-size 1 --zorp 3\n")));
        const QPointer<LaunchImportDialog> dialog = window.findChild<LaunchImportDialog*>();
        QVERIFY(dialog != nullptr && dialog->plan());
        QCOMPARE(dialog->plan()->model.architecture.hidden_size, 512);
        QCOMPARE(dialog->notes().findItems(QStringLiteral("--zorp"), Qt::MatchExactly).size(), 1);
        QCOMPARE(imported, 0);
        QVERIFY(dialog->useButton().isHidden());
        dialog->openButton().click();
        QCOMPARE(imported, 1);
        QTRY_VERIFY(dialog == nullptr);
    }

    void aPastedModelIsAnEditOfTheOpenPlan()
    {
        MainWindow window;
        PlanDocument& document = window.document();
        Plan edited = document.plan();
        edited.workload.global_batch_size *= 2;
        document.edit(edited, QStringLiteral("edit"));
        QAction* import = nullptr;
        for (QAction* action : window.findChildren<QAction*>()) {
            if (action->text() == QStringLiteral("Import from &launcher…")) import = action;
        }
        QVERIFY(import != nullptr);
        import->trigger();
        auto* dialog = window.findChild<LaunchImportDialog*>();
        QVERIFY(dialog != nullptr);
        dialog->setText(QStringLiteral(
            R"({"model_type": "llama", "_name_or_path": "lab/tiny", "hidden_size": 512, "intermediate_size": 1024,)"
            R"( "num_hidden_layers": 8, "num_attention_heads": 8, "vocab_size": 1000})"));
        QVERIFY(!dialog->useButton().isHidden());
        // No question about unsaved edits, because they are not discarded.
        dialog->useButton().click();
        QCOMPARE(document.plan().model.architecture.hidden_size, 512);
        QCOMPARE(document.plan().workload.global_batch_size, edited.workload.global_batch_size);
        document.undoStack()->undo();
        QCOMPARE(document.plan(), edited);
    }

    /// A text with the name of a model that is not known opens no plan until one is selected.
    void unknownModelsAreAskedFor()
    {
        LaunchImportDialog dialog(defaultPlan(shippedPresets()), shippedPresets());
        dialog.setText(QStringLiteral("vllm serve acme/Thing-8B --tensor-parallel-size 2\n"));
        QVERIFY(!dialog.plan() && !dialog.openButton().isEnabled());
        QVERIFY2(dialog.verdict().contains(QStringLiteral("acme/Thing-8B")), qPrintable(dialog.verdict()));
        dialog.model().setCurrentIndex(dialog.model().findData(QStringLiteral("llama-3-8b")));
        dialog.readNow();
        QVERIFY(dialog.plan() && dialog.openButton().isEnabled());
        QCOMPARE(dialog.plan()->model.id, std::string("llama-3-8b"));
    }

    void theDialogSaysWhatIsWrong()
    {
        LaunchImportDialog dialog(defaultPlan(shippedPresets()), shippedPresets());
        QVERIFY(!dialog.plan());
        dialog.setText(QStringLiteral("hello"));
        QVERIFY(!dialog.plan());
        dialog.setText(QStringLiteral("--num-layers eight --hidden-size 512 --num-attention-heads 8"));
        QVERIFY2(dialog.verdict().contains("--num-layers"), qPrintable(dialog.verdict()));
        QVERIFY(!dialog.plan());
        dialog.setText(QStringLiteral("[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nseq_len = 4096\n"));
        QVERIFY(dialog.plan());
        QCOMPARE(dialog.plan()->recipe.framework, Framework::Fsdp);
    }

    void reasonsAreInTheWindowsLanguage()
    {
        OneText language;
        QVERIFY(QCoreApplication::installTranslator(&language));
        LaunchImportDialog dialog(defaultPlan(shippedPresets()), shippedPresets());
        dialog.setText(QStringLiteral("--seq-length 512 --micro-batch-size 1 --zorp 3"));
        const auto rows = dialog.notes().findItems(QStringLiteral("--zorp"), Qt::MatchExactly);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows.first()->text(2), QStringLiteral("方案里没有"));

        QWidget window;
        PlanDocument document(defaultPlan(shippedPresets()));
        LauncherFiles files(document, shippedPresets(), &window);
        QVERIFY(files.take(write("zh.json",
            R"({"model_type": "llama", "hidden_size": 512, "intermediate_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 8, "vocab_size": 1000, "zorp": 1})")));
        const auto* box = window.findChild<QMessageBox*>();
        QVERIFY(box != nullptr && box->informativeText().contains(QStringLiteral("方案里没有")));
        QVERIFY(QCoreApplication::removeTranslator(&language));
    }

    void plansAreExported()
    {
        QWidget window;
        PlanDocument document(defaultPlan(shippedPresets()));
        LauncherFiles files(document, shippedPresets(), &window);
        const QString script = m_directory.filePath("out.sh");
        QVERIFY(files.exportTo(Launcher::Megatron, script));
        QFile out(script);
        QVERIFY(out.open(QIODevice::ReadOnly) && out.readAll().contains("--num-layers"));
        QVERIFY(files.copy(Launcher::DeepSpeed));
        QVERIFY(QGuiApplication::clipboard()->text().contains("zero_optimization"));
        QSignalSpy failed(window.findChild<FileExport*>(), &FileExport::failed);
        QVERIFY(!files.exportTo(Launcher::Megatron, m_directory.filePath("none/out.sh")));
        QCOMPARE(failed.count(), 1);
    }

private:
    QString write(const QString& name, const QByteArray& text) const
    {
        QFile out(m_directory.filePath(name));
        return out.open(QIODevice::WriteOnly) && out.write(text) == text.size() ? out.fileName() : QString();
    }

    QTemporaryDir m_directory;
};

CARDFIT_WINDOW_TEST(TestLauncherFiles)

} // namespace cardfit::tst_launcher_files
#include "tst_launcher_files.moc"
