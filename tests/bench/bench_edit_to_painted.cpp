// SPDX-License-Identifier: GPL-3.0-or-later
// From an edit of the plan, as a held slider makes it, to all views painted: median and 95th percentile, how much of it
// is estimate(plan), and how both grow with stages and micro-batches.
// With --explain 1 the activations of stage 0 are explained at every edit.
// It waits for events as a running program does: a loop that polls would take a core from the estimate.
// Before that: what starting takes until the first plan is painted, and how much memory the window then has.
//   bench_edit_to_painted [--edits 200] [--only 16x256] [--explain 1]
#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QTemporaryDir>

#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/window/main_window.h"
#include "widgets/memory/memory_bars.h"
#include "widgets/timeline/pipeline_timeline.h"

#include <qcustomplot.h>

using namespace cardfit;

namespace {

struct Size {
    std::int64_t stages, microbatches, chunks;

    [[nodiscard]] std::string name() const
    {
        return chunks > 1 ? fmt::format("{}x{}x{}", stages, microbatches, chunks)
                          : fmt::format("{}x{}", stages, microbatches);
    }
};

/// Sees when a plot has been painted with a new estimate.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget* plot) { plot->installEventFilter(this); }
    void arm() { m_painted = false; }
    [[nodiscard]] bool painted() const { return m_painted; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        m_painted = m_painted || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }

private:
    bool m_painted = false;
};

/// The default plan stretched to a size; `step` changes the sequence length, as dragging its rail does.
Plan planOf(Plan plan, const Size& size, std::int64_t step)
{
    plan.name = size.name();
    plan.parallelism.pipeline = size.stages;
    plan.parallelism.virtual_pipeline = size.chunks;
    plan.parallelism.layers_per_stage.reset();
    plan.parallelism.data = 1;
    plan.recipe.schedule = size.chunks > 1 ? Schedule::InterleavedOneFOneB : Schedule::OneFOneB;
    plan.model.architecture.num_hidden_layers = size.stages * size.chunks;
    plan.cluster.nodes = size.stages * plan.parallelism.tensor / plan.cluster.cards_per_node;
    plan.workload.micro_batch_size = 1;
    plan.workload.global_batch_size = size.microbatches;
    plan.workload.sequence_length = 4096 + 64 * step;
    return plan;
}

double quantile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    const auto last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(share * last + 0.5)];
}

struct Timing {
    double painted_median, painted_p95, estimate_median, estimate_p95; ///< milliseconds
};

Timing measure(app::MainWindow& window, const Plan& base, const Size& size, int edits)
{
    app::PlanDocument& document = window.document();
    PaintWatch bars(window.part<ui::MemoryBars>().plot());
    PaintWatch timeline(window.part<ui::PipelineTimeline>().plot());
    std::vector<double> painted;
    std::vector<double> estimated;
    bool answered = false;
    const auto connection = QObject::connect(&document, &app::PlanDocument::estimateChanged, &document, [&] {
        answered = true;
        bars.arm();
        timeline.arm();
    });
    constexpr int kWarmUp = 5;
    for (int i = 0; i < edits + kWarmUp; ++i) {
        answered = false;
        QElapsedTimer timer;
        timer.start();
        document.edit(planOf(base, size, i % 60), QStringLiteral("drag"), QStringLiteral("sequence_length"),
            ui::EditPhase::Dragging);
        while (!answered || !bars.painted() || !timeline.painted())
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        if (i < kWarmUp) continue;
        painted.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
        estimated.push_back(document.elapsedMilliseconds());
    }
    document.edit(
        planOf(base, size, 0), QStringLiteral("drag"), QStringLiteral("sequence_length"), ui::EditPhase::Committed);
    QObject::disconnect(connection);
    return {quantile(painted, 0.5), quantile(painted, 0.95), quantile(estimated, 0.5), quantile(estimated, 0.95)};
}

/// Waits until the charts are painted. CPU time is that of the whole process, loading its libraries included; the other
/// is counted from main().
void printStart(app::MainWindow& window, const QElapsedTimer& since_main)
{
    PaintWatch bars(window.part<ui::MemoryBars>().plot());
    PaintWatch timeline(window.part<ui::PipelineTimeline>().plot());
    window.show();
    while (!bars.painted() || !timeline.painted())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double seconds = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    fmt::print("start to first paint: {} ms, {:.0f} ms of CPU time; {} MB of memory\n", since_main.elapsed(),
        1e3 * seconds, used.ru_maxrss / 1024);
}

} // namespace

int main(int argc, char** argv)
{
    QElapsedTimer since_main;
    since_main.start();
    // Of its own: the window keeps unsaved plans for its next start, which is not to be a user's.
    const QTemporaryDir home;
    for (const char* variable : {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
        qputenv(variable, home.path().toUtf8());
    qputenv("CARDFIT_PRESETS", CARDFIT_PRESET_DIR);
    QApplication application(argc, argv);
    int edits = 200;
    std::string only;
    bool explained = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--edits") == 0) edits = std::max(1, std::atoi(argv[i + 1]));
        if (std::strcmp(argv[i], "--only") == 0) only = argv[i + 1];
        if (std::strcmp(argv[i], "--explain") == 0) explained = std::atoi(argv[i + 1]) != 0;
    }

    app::MainWindow window;
    window.resize(1366, 768);
    printStart(window, since_main);
    if (explained) emit window.part<ui::MemoryBars>().figureClicked(QStringLiteral("stage0.activations"));
    const Plan base = window.document().plan();
    std::optional<Timing> first;
    fmt::print("{:>12} {:>24} {:>24} {:>10}\n", "stages x mb", "edit to painted, ms", "estimate, ms", "ratio");
    for (const Size& size : {Size{4, 16, 1}, Size{8, 128, 1}, Size{16, 256, 1}, Size{32, 512, 1}, Size{64, 1024, 1},
             Size{64, 1024, 4}, Size{64, 65536, 1}}) {
        if (!only.empty() && size.name() != only) continue;
        const Timing timing = measure(window, base, size, edits);
        if (!first) first = timing;
        fmt::print("{:>12} {:>10.2f} (p95 {:>7.2f}) {:>10.2f} (p95 {:>7.2f}) {:>10.1f}\n", size.name(),
            timing.painted_median, timing.painted_p95, timing.estimate_median, timing.estimate_p95,
            timing.painted_median / first->painted_median);
    }
    return 0;
}
