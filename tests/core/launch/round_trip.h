// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include "core/files/plan_file.h"
#include "core/launch/launch.h"
#include "core/layers/layer_split.h"

/// A plan on its way to a launcher's text and back.
namespace cardfit {

/// Two ways to write the same run are one: what counts for nothing is taken away, and what has a default gets it.
inline Plan significant(Plan plan)
{
    plan.name.clear();
    plan.source.clear(); // of the plan, not of the run
    Model anonymous;
    anonymous.architecture = plan.model.architecture;
    plan.model = std::move(anonymous);
    plan.cluster.id.clear(); // a number of cards beside the preset's makes it another cluster
    plan.cluster.name.clear();
    plan.assumed.clear(); // as the notes of an import say
    plan.overheads = {};
    plan.calibration.reset();
    plan.parallelism.data = dataParallel(plan);
    plan.parallelism.expert_tensor = expertTensor(plan);
    Architecture& shape = plan.model.architecture;
    shape.attention_output_bias = shape.attention_output_bias.value_or(shape.attention_bias);
    if (shape.sliding_window && shape.sliding_window->full_every == 2)
        *shape.sliding_window = {shape.sliding_window->size, 2, 0};
    if (shape.sliding_window && shape.sliding_window->full_every > 0) shape.sliding_window->every = 1;
    if (!shape.moe) {
        plan.recipe.moe = {};
        plan.parallelism.expert_tensor.reset();
    }
    if (plan.recipe.sharding == Sharding::None) plan.recipe.overlap.parameters = Overlap{}.parameters;
    if (plan.parallelism.context == 1) plan.recipe.context_communication = {};
    Recompute& recompute = plan.recipe.recompute;
    if (recompute.granularity != RecomputeGranularity::Selective) recompute.modules.clear();
    if (recompute.granularity != RecomputeGranularity::Full)
        recompute = {recompute.granularity, recompute.modules, {}, 1};
    return plan;
}

/// JSON pointers of all values.
inline void flatten(const QJsonValue& value, const QString& pointer, QMap<QString, QJsonValue>& all)
{
    if (!value.isObject()) {
        all[pointer] = value;
        return;
    }
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it)
        flatten(it.value(), pointer + u'/' + it.key(), all);
}

inline QMap<QString, QJsonValue> valuesOf(const Plan& plan)
{
    QMap<QString, QJsonValue> all;
    flatten(QJsonDocument::fromJson(QByteArray::fromStdString(planText(plan))).object(), {}, all);
    return all;
}

/// Fields in which the plan came back differently although no note says that it would.
inline QStringList lost(const Plan& plan, const Plan& back, const std::vector<LaunchNote>& notes)
{
    const auto before = valuesOf(significant(plan));
    Plan same = back;
    // Layers that split by themselves come back as the layout that they are.
    if (const auto split = layerSplit(plan); split && split == layerSplit(back)) {
        same.parallelism.layers_per_stage = plan.parallelism.layers_per_stage;
        same.parallelism.layer_balance = plan.parallelism.layer_balance;
    }
    const auto after = valuesOf(significant(same));
    QSet<QString> pointers(before.keyBegin(), before.keyEnd());
    pointers.unite(QSet<QString>(after.keyBegin(), after.keyEnd()));
    QStringList fields;
    for (const QString& pointer : pointers) {
        if (before.value(pointer) == after.value(pointer)) continue;
        const bool noted = std::ranges::any_of(
            notes, [&](const LaunchNote& note) { return pointer.startsWith(QString::fromStdString(note.what)); });
        if (!noted) {
            fields << QStringLiteral("%1: %2 -> %3")
                          .arg(pointer, before.value(pointer).toVariant().toString(),
                              after.value(pointer).toVariant().toString());
        }
    }
    return fields;
}

/// Fields that are lost on the way to the launcher's text and back; then the second round must find nothing left to
/// change. What is read over is a plan of the same model and cards, but otherwise another one.
inline QStringList roundTrip(Launcher launcher, const Plan& plan, const Presets& presets)
{
    Plan base;
    base.model = plan.model;
    base.cluster = plan.cluster;
    base.workload.sequence_length = plan.workload.sequence_length == 1024 ? 512 : 1024;
    const auto exported = exportLaunch(launcher, plan);
    if (!exported) return {QString::fromStdString(describe(exported.error()))};
    const auto back = importLaunch(launcher, exported->text, base, presets);
    if (!back) return {QString::fromStdString(describe(back.error()) + "\n" + exported->text)};
    QStringList fields = lost(plan, back->plan, exported->notes);
    const auto again = exportLaunch(launcher, back->plan);
    const auto twice = again ? importLaunch(launcher, again->text, back->plan, presets) : back;
    if (!again || !twice) return fields << QStringLiteral("the second round failed");
    for (const QString& field : lost(back->plan, twice->plan, {}))
        fields << QStringLiteral("second round, ") + field;
    return fields;
}

} // namespace cardfit
