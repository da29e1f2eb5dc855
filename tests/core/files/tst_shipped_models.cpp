// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>

#include "core/estimate/estimate.h"
#include "core/files/presets.h"
#include "core/model/operators.h"
#include "tests/test_program.h"

namespace cardfit::tst_shipped_models {

const Presets& shipped()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

/// The model with its weights, gradients and optimizer divided among all cards, and its experts among eight: while a
/// layer is differentiated, FSDP holds the whole gradients of two.
Plan shardedOver(const Model& model, const Cluster& cluster, std::int64_t nodes)
{
    Plan plan = *shipped().plan("torchtitan-llama-3-8b-8-h100");
    plan.model = model;
    plan.cluster = cluster;
    plan.cluster.nodes = nodes;
    plan.parallelism = {};
    if (const auto& moe = model.architecture.moe)
        plan.parallelism.expert = std::gcd(moe->num_experts, std::gcd(cardCount(plan.cluster), std::int64_t{8}));
    plan.workload.sequence_length = std::min<std::int64_t>(2048, model.architecture.max_position_embeddings);
    plan.workload.micro_batch_size = 1;
    plan.workload.global_batch_size = cardCount(plan.cluster);
    plan.recipe.recompute = {};
    plan.recipe.recompute.granularity = RecomputeGranularity::Full;
    return plan;
}

class TestShippedModels : public QObject {
    Q_OBJECT

private slots:
    void everyPlanStatesTheSourceOfItsRecipe()
    {
        for (const auto& preset : shipped().plans)
            QVERIFY2(!preset.plan.source.empty(), preset.plan.name.c_str());
    }

    // The published totals name their sources in the preset.
    void parametersAreThePublishedOnes_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < shipped().models.size(); ++i)
            QTest::newRow(shipped().models[i].id.c_str()) << static_cast<int>(i);
    }
    void parametersAreThePublishedOnes()
    {
        QFETCH(const int, index);
        const Model& model = shipped().models[static_cast<std::size_t>(index)];
        if (!model.reported_parameters) {
            // There is a rounded figure alone, or none: the source says so.
            QVERIFY(model.source.find("announced with") != std::string::npos
                || model.source.find("counted here") != std::string::npos);
            return;
        }
        const double published = *model.reported_parameters;
        const auto counted = static_cast<double>(parameterCount(model.architecture));
        // Some are known in whole billions only.
        const double allowed = std::fmod(published, 1e9) == 0.0 ? 0.5e9 : 1e-3 * published;
        QVERIFY2(std::abs(counted - published) < allowed, qPrintable(QString::number(counted, 'f', 0)));
    }

    void everyModelIsEstimatedOnAClusterThatHoldsIt()
    {
        const Cluster& cluster = *shipped().cluster("gb300-nvl72-64");
        for (const Model& model : shipped().models) {
            bool fits = false;
            for (std::int64_t nodes = 1; !fits && nodes <= 256; nodes *= 2) {
                const Estimate answer = estimate(shardedOver(model, cluster, nodes));
                for (const Check& check : answer.checks)
                    QVERIFY2(check.severity != Severity::Error, (model.id + ": " + check.message.english()).c_str());
                QVERIFY2(answer.complete() && answer.step.seconds > Seconds(0.0), model.id.c_str());
                fits = answer.fits();
            }
            QVERIFY2(fits, model.id.c_str());
        }
    }
};

CARDFIT_TEST(TestShippedModels)

} // namespace cardfit::tst_shipped_models
#include "tst_shipped_models.moc"
