// SPDX-License-Identifier: GPL-3.0-or-later
// Every constant of the models changes some figure, and the table of what runs say about them is up to date.
#include <QtTest>

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "core/accuracy/constant_fit.h"
#include "core/base/parallel.h"
#include "core/estimate/estimate.h"
#include "core/files/file.h"
#include "core/plan/choices.h"
#include "core/report/constants_text.h"
#include "core/traces/measured_cases.h"
#include "tests/test_program.h"

namespace cardfit::tst_live_constants {

/// All figures of a plan by what bears on them.
struct Figures {
    Seconds step;
    std::vector<Bytes> memory, bands;
    std::optional<ServerAnswers> server;

    explicit Figures(const Estimate& estimate)
        : step(estimate.step.seconds)
    {
        for (const StageMemory& stage : estimate.stages) {
            memory.push_back(stage.device());
            for (const Term& term : stage.terms) {
                bands.push_back(term.band.below);
                bands.push_back(term.band.above);
            }
        }
        server = estimate.server;
    }

    [[nodiscard]] bool differ(const Figures& other, BearsOn figure) const
    {
        switch (figure) {
        case BearsOn::Step: return step != other.step;
        case BearsOn::Memory: return memory != other.memory;
        case BearsOn::Band: return bands != other.bands;
        case BearsOn::Server: return server != other.server;
        }
        return false;
    }
};

class TestLiveConstants : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        const Presets presets = loadPresets(directories);
        for (const PlanPreset& preset : presets.plans)
            m_plans.push_back(preset.plan);
        const auto memory = readMeasuredMemory(CARDFIT_CASES "/memory.json", presets);
        auto time = readMeasuredTime(CARDFIT_CASES "/time.json", presets);
        const auto serving = readMeasuredServing(CARDFIT_CASES "/serving.json", presets);
        QVERIFY(memory && time && serving);
        for (const MeasuredServing& one : serving->cases)
            m_plans.push_back(one.plan);
        for (const MeasuredMemory& one : memory->cases)
            m_plans.push_back(one.plan);
        for (const MeasuredTime& one : time->cases)
            m_plans.push_back(one.plan);
        addRarePlans(presets);
        m_time = std::move(time->cases);
    }

    /// A row that no plan reads is dead; one that changes something else than it says misleads.
    void everyConstantChangesAFigure()
    {
        std::vector<std::optional<Figures>> before(m_plans.size());
        forEachInParallel(m_plans.size(), [&](std::size_t i) {
            if (const Estimate result = estimate(m_plans[i]); result.complete()) before[i] = Figures(result);
        });
        constexpr double kLarger = 1.3;
        std::array<bool, kConstantCount> lives{};
        forEachInParallel(kConstantCount, [&](std::size_t i) {
            const ConstantRow& one = constantRows()[i];
            Constants changed;
            changed.set(one.value, kLarger * one.shipped);
            for (std::size_t plan = m_plans.size(); plan-- > 0 && !lives[i];) {
                if (!before[plan]) continue;
                const Estimate result = estimate(m_plans[plan], changed);
                lives[i] = result.complete() && Figures(result).differ(*before[plan], one.bears_on);
            }
        });
        std::string dead;
        for (const ConstantRow& one : constantRows()) {
            if (!lives[static_cast<std::size_t>(one.value)]) dead += fmt::format("{} ", one.word);
        }
        QVERIFY2(dead.empty(), dead.c_str());
    }

    /// The table of measurements/README.md has the constants that are refitted, with the values that ship.
    void theTableOfFitsIsComplete()
    {
        std::string words;
        for (const ConstantRow& one : constantRows()) {
            if (!one.asked) continue;
            const std::string begin = fmt::format("| {} | {:.4g} |", one.word, one.shipped);
            QVERIFY2(table().find(begin) != std::string::npos, begin.c_str());
            words += begin.substr(0, begin.find('|', 1)) + '\n';
        }
        QCOMPARE(std::ranges::count(table(), '\n'), std::ranges::count(words, '\n') + 2);
    }

    /// One of its rows is what fitting says today.
    void aConstantIsFittedAsTheTableSays()
    {
        const ConstantFits fits = fitConstants(m_time, std::array{Constant::LocalForward});
        const std::string markdown = fitMarkdown(fits);
        const std::string last = markdown.substr(markdown.find("| host.local-forward"));
        QVERIFY2(table().find(last) != std::string::npos, last.c_str());
    }

private:
    /// What no shipped plan and no published run does.
    void addRarePlans(const Presets& presets)
    {
        const auto train = [&](const auto& edit) { edit(m_plans.emplace_back(*presets.plan("llama-3-8b-8-h100"))); };
        const auto withModel = [&](std::string_view id, const auto& edit) {
            train([&](Plan& plan) {
                plan.model = *presets.model(id);
                edit(plan);
            });
        };
        // Cards on PCIe without measurements, some of whose files say little.
        for (const std::int64_t tensor : {2, 8}) {
            for (const bool known : {false, true}) {
                train([&](Plan& plan) {
                    Accelerator& card = plan.cluster.accelerator;
                    card.generation = Generation::Ada;
                    card.link.reset();
                    if (!known) card.pcie.reset();
                    card.collective_curves = {};
                    card.matrix_curves = {};
                    card.gemm_efficiency = {};
                    card.attention_curve.reset();
                    plan.cluster.intra_node.reset();
                    plan.cluster.inter_node.reset();
                    plan.cluster.nodes = 2;
                    plan.parallelism = {};
                    plan.parallelism.tensor = tensor;
                    plan.recipe.precision = known ? Precision::Bf16 : Precision::Fp8;
                    plan.recipe.offload.activations = 1.0;
                });
            }
        }
        // Updates on the host.
        for (const std::int64_t cards : {4, 16}) {
            train([&](Plan& plan) {
                plan.cluster.accelerator.pcie.reset();
                plan.cluster.cards_per_node = cards;
                plan.parallelism = {};
                plan.recipe.offload.optimizer = 1.0;
            });
        }
        // Scores in memory.
        for (const Kernels kernels : {Kernels::Eager, Kernels::MegatronLocal}) {
            train([&](Plan& plan) {
                plan.recipe.kernels = kernels;
                plan.recipe.attention = Attention::Unfused;
                plan.workload.sequence_length = 8192;
            });
        }
        // Shards behind a port that is just fast enough to hide them.
        Plan& sharded = m_plans.emplace_back(*presets.plan("torchtitan-llama-3-8b-8-h100"));
        sharded.cluster.nodes = 2;
        sharded.cluster.inter_node = Link{GigabytesPerSecond(16.0), {}};
        sharded.parallelism = {};
        sharded.workload.global_batch_size = 16;
        // Plain PyTorch: FlashAttention-3, and a ring whose steps take the host longer than the card.
        for (const std::int64_t context : {1, 8}) {
            train([&](Plan& plan) {
                plan.parallelism = {};
                plan.parallelism.context = context;
                plan.recipe.kernels = Kernels::Eager;
                plan.recipe.attention = Attention::Flash3;
                plan.workload.sequence_length = 1024;
                plan.workload.micro_batch_size = 1;
            });
        }
        // Delta rules, over one long sequence as well.
        for (const std::int64_t tensor : {1, 8}) {
            withModel("qwen3-next-80b-a3b", [&](Plan& plan) {
                plan.parallelism = {};
                plan.parallelism.tensor = tensor;
                plan.workload.sequence_length = 131072;
                plan.workload.micro_batch_size = 1;
            });
        }
        // Layers so small that the host is too slow.
        for (const CudaGraph graph : {CudaGraph::None, CudaGraph::Attention, CudaGraph::FullIteration}) {
            for (const EnumName<Kernels>& kernels : names<Kernels>()) {
                for (const std::string_view model : {"qwen3-0.6b", "qwen3-30b-a3b", "nemotron-h-8b"}) {
                    withModel(model, [&](Plan& plan) {
                        plan.parallelism = {};
                        plan.recipe.kernels = kernels.value;
                        plan.recipe.cuda_graph = graph;
                        plan.workload.sequence_length = 64;
                        plan.workload.micro_batch_size = 1;
                    });
                }
            }
        }
    }

    static const std::string& table()
    {
        static const std::string text = [] {
            const auto readme = readFile(CARDFIT_SOURCES "/tests/validation/measurements/README.md");
            const std::string_view before = "<!-- cardfit validate time --fit --markdown -->\n";
            const std::size_t begin = readme->find(before) + before.size();
            return readme->substr(begin, readme->find("<!-- end of table -->", begin) - begin);
        }();
        return text;
    }

    std::vector<Plan> m_plans;
    std::vector<MeasuredTime> m_time;
};

CARDFIT_TEST(TestLiveConstants)

} // namespace cardfit::tst_live_constants
#include "tst_live_constants.moc"
