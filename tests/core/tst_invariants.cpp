// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include <QtTest>

#include <fmt/format.h>

#include "core/estimate/estimate.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/files/presets.h"
#include "core/layers/layer_split.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/report/json_text.h"
#include "core/report/output_schema.h"
#include "tests/core/drawn_plans.h"
#include "tests/core/launch/round_trip.h"
#include "tests/test_program.h"

/// What holds for every plan, tried on plans that a seed draws. CARDFIT_SEEDS=20000 tries so many, CARDFIT_FIRST_SEED=7
/// begins with that one. What does not hold
/// is said with the seeds, and the first of these plans is left as a file.
namespace cardfit::tst_invariants {

const Presets& presets()
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return kPresets;
}

#ifdef CARDFIT_SANITIZED // each takes ten times as long
constexpr std::uint64_t kSeeds = 200;
#else
constexpr std::uint64_t kSeeds = 2000;
#endif

std::uint64_t fromEnvironment(const char* name, std::uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// ---- What adds up

bool isNumber(double value) { return std::isfinite(value); }

/// What of an estimate with figures does not hold; empty: everything does.
QStringList faultsOf(const Estimate& result)
{
    QStringList faults;
    const auto require = [&](bool holds, const char* what) {
        if (!holds) faults << QString::fromUtf8(what);
    };
    for (const StageMemory& stage : result.stages) {
        require(total(stage.bytes) == stage.device(), "segments add up to the device's bytes");
        SegmentBytes sums{};
        for (const Term& term : stage.terms) {
            amountOf(sums, term.segment) += term.bytes;
            require(term.count >= 0, "no term is there less than no time");
            require(term.band.below >= Bytes(0) && term.band.above >= Bytes(0), "a band lies around its figure");
        }
        require(sums == stage.bytes, "terms add up to their segment");
        require(std::ranges::all_of(stage.bytes, [](Bytes amount) { return amount >= Bytes(0); }),
            "no segment is negative");
        require(stage.allocated() <= stage.reserved() && stage.reserved() <= stage.device(),
            "allocated <= reserved <= device");
        require(stage.firstStepAllocated() <= stage.allocated(), "the first step holds no more than later ones");
        require(isNumber(stage.in_flight) && stage.in_flight >= 0.0, "micro-batches in flight");
        require(stage.peak_time >= 0.0 && isNumber(stage.peak_time), "the peak is on the timeline");
        require(stage.cards > 0, "a stage has cards");
    }
    const std::int64_t layers = std::transform_reduce(
        result.stages.begin(), result.stages.end(), std::int64_t{0}, std::plus<>(), [](const StageMemory& stage) {
            std::int64_t count = 0;
            for (const auto& [first, end] : stage.chunks)
                count += end - first;
            return count;
        });
    require(layers > 0, "stages have layers");
    const bool all_hold =
        std::ranges::all_of(result.stages, [](const StageMemory& stage) { return overBy(stage) <= Bytes(0); });
    require(result.fits() == (all_hold && result.hostsHold()), "a plan fits if every card and node holds its part");
    require(isFit(verdict(result)) == (result.fits() && drawn::keepsRules(result.checks)),
        "the verdict is that of cards and rules");

    const StepEstimate& step = result.step;
    require(step.seconds > Seconds(0.0) && isNumber(step.seconds.value()), "a step takes time");
    require(std::abs(step.parts.total().value() - step.seconds.value()) <= 1e-9 * step.seconds.value(),
        "the parts add up to the step");
    for (std::size_t part = 0; part < kStepPartCount; ++part) {
        const double seconds = step.parts[static_cast<StepPart>(part)].value();
        require(isNumber(seconds) && seconds >= -1e-9 * step.seconds.value(), "no part of the step is negative");
    }
    require(result.pipeline.bubble_fraction >= 0.0 && result.pipeline.bubble_fraction < 1.0, "0 <= bubble < 1");
    require(step.mfu > 0.0 && step.hfu >= step.mfu * (1.0 - 1e-12), "0 < MFU <= HFU");
    // The first figures are against the 16-bit peak, which narrower products exceed; the last ones are against theirs.
    const auto against_own_peak = std::ranges::find_if(result.step.utilization.rbegin(), result.step.utilization.rend(),
        [](const Utilization& one) { return one.definition == WorkDefinition::Causal; });
    require(
        against_own_peak != result.step.utilization.rend() && against_own_peak->mfu.value_or(0.0) <= 1.0, "MFU <= 1");
    require(step.tokens_per_second > 0.0 && isNumber(step.tokens_per_second), "tokens per second");
    for (const Utilization& one : step.utilization) {
        for (const auto& share : {one.mfu, one.hfu})
            require(!share || (isNumber(*share) && *share >= 0.0), "a utilisation is a number");
    }
    if (step.run) require(isNumber(step.run->days) && step.run->days >= 0.0, "a run takes days");
    require(result.parameters.total > 0, "a model has parameters");
    for (const HostMemory& host : result.hosts) {
        require(std::ranges::all_of(host.bytes, [](Bytes amount) { return amount >= Bytes(0); }),
            "nothing on the host is negative");
    }
    if (result.server) {
        const ServerCapacity& capacity = result.server->capacity;
        require(capacity.cache >= Bytes(0) && capacity.missing >= Bytes(0), "a cache is not negative");
        require(capacity.cache == std::max(capacity.rest(), Bytes(0)), "the cache is what the budget leaves");
        require(isNumber(capacity.sequences) && capacity.sequences >= 0.0, "sequences at once");
        if (const auto& pace = result.server->pace) {
            require(pace->pace.tpot() > Seconds(0.0) && isNumber(pace->pace.tpot().value()), "a token takes time");
            require(pace->output_tokens_per_second > 0.0 && isNumber(pace->output_tokens_per_second),
                "output tokens per second");
            require(pace->concurrency > 0.0 && isNumber(pace->concurrency), "concurrency");
        }
    }
    faults.removeDuplicates();
    return faults;
}

/// What of a JSON value is not as its schema says.
void compare(const QJsonValue& value, const QJsonObject& schema, const QString& where, QStringList& faults)
{
    const auto is = [&](const QString& type) {
        if (type == QStringLiteral("null")) return value.isNull();
        if (type == QStringLiteral("string")) return value.isString();
        if (type == QStringLiteral("boolean")) return value.isBool();
        if (type == QStringLiteral("object")) return value.isObject();
        if (type == QStringLiteral("array")) return value.isArray();
        return value.isDouble();
    };
    const QJsonValue type = schema[QStringLiteral("type")];
    bool fits = type.isUndefined() || is(type.toString());
    for (const QJsonValue& one : type.toArray())
        fits = fits || is(one.toString());
    if (!fits) faults << where;
    const QJsonObject properties = schema[QStringLiteral("properties")].toObject();
    const QJsonObject object = value.toObject();
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (properties.contains(it.key()))
            compare(it.value(), properties[it.key()].toObject(), where + u'/' + it.key(), faults);
    }
    for (const QJsonValue& item : value.toArray())
        compare(item, schema[QStringLiteral("items")].toObject(), where + QStringLiteral("[]"), faults);
}

// ---- What follows from a change

enum class Claim {
    StepNotFaster,
    StepNotSlower,
    DeviceNotLess,
    WeightsNotMore,
    StatesNotMore,
    MemoryNotMore,
    SequencesNotFewer,
    StillFits,
};
constexpr const char* kClaims[] = {"the step is not faster", "the step is not slower", "the fullest card holds no less",
    "weights take no more", "weights, gradients and optimizer take no more", "the fullest card holds no more",
    "a server holds no fewer sequences", "what fitted still fits"};

Bytes most(const Estimate& result, const std::function<Bytes(const StageMemory&)>& amount)
{
    Bytes highest;
    for (const StageMemory& stage : result.stages)
        highest = std::max(highest, amount(stage));
    return highest;
}

/// By how much the claim is broken, as a share; at most 0: it holds.
double brokenBy(Claim claim, const Estimate& before, const Estimate& after)
{
    const auto more = [&](const std::function<Bytes(const StageMemory&)>& amount) {
        const auto was = most(before, amount), is = most(after, amount);
        return was > Bytes(0) ? (is - was) / was : is > Bytes(0) ? 1.0 : 0.0;
    };
    const double slower = after.step.seconds / before.step.seconds - 1.0;
    switch (claim) {
    case Claim::StepNotFaster: return -slower;
    case Claim::StepNotSlower: return slower;
    case Claim::DeviceNotLess: return -more([](const StageMemory& stage) { return stage.device(); });
    case Claim::MemoryNotMore: return more([](const StageMemory& stage) { return stage.device(); });
    case Claim::WeightsNotMore: return more([](const StageMemory& stage) { return stage[Segment::Weights]; });
    case Claim::StatesNotMore:
        return more([](const StageMemory& stage) {
            return stage[Segment::Weights] + stage[Segment::Gradients] + stage[Segment::Optimizer];
        });
    case Claim::SequencesNotFewer:
        return before.server && after.server && before.server->capacity.sequences > 0.0
            ? 1.0 - after.server->capacity.sequences / before.server->capacity.sequences
            : 0.0;
    case Claim::StillFits: return before.fits() && !after.fits() ? 1.0 : 0.0;
    }
    return 0.0;
}

/// A change of a plan, and what it does to the figures.
struct Change {
    const char* what;
    bool (*make)(Plan& plan); ///< false: it does not concern the plan
    std::vector<Claim> claims;
};

bool isTrained(const Plan& plan) { return plan.workload.task != Task::Inference; }
/// Twice the cards: those of the new ranks.
void doubleCards(Plan& plan)
{
    const std::int64_t data = dataParallel(plan);
    plan.cluster.nodes *= 2;
    plan.parallelism.data = data;
}
bool doubleBandwidth(std::optional<Link>& link)
{
    if (link) link->bandwidth = 2.0 * link->bandwidth;
    return link.has_value();
}
bool sharded(Plan& plan, Sharding from, Sharding to)
{
    if (!isTrained(plan) || plan.recipe.sharding != from) return false;
    plan.recipe.sharding = to;
    return true;
}

const std::vector<Change>& changes()
{
    using enum Claim;
    static const std::vector<Change> kChanges{
        {"twice the global batch",
            [](Plan& plan) {
                plan.workload.global_batch_size *= 2;
                return isTrained(plan);
            },
            {StepNotFaster}},
        {"twice the micro-batch and the global batch",
            [](Plan& plan) {
                plan.workload.global_batch_size *= 2;
                plan.workload.micro_batch_size *= 2;
                return isTrained(plan);
            },
            {StepNotFaster, DeviceNotLess}},
        {"twice the sequence",
            [](Plan& plan) {
                plan.workload.sequence_length *= 2;
                return isTrained(plan);
            },
            {StepNotFaster, DeviceNotLess}},
        {"a link within the node of twice the bandwidth",
            [](Plan& plan) {
                if (plan.cluster.intra_node) return doubleBandwidth(plan.cluster.intra_node);
                auto& link = plan.cluster.accelerator.link;
                if (link) link = 2.0 * *link;
                return link.has_value();
            },
            {StepNotSlower}},
        {"a link between nodes of twice the bandwidth",
            [](Plan& plan) { return doubleBandwidth(plan.cluster.inter_node); }, {StepNotSlower}},
        {"links of twice the latency",
            [](Plan& plan) {
                for (auto* link : {&plan.cluster.intra_node, &plan.cluster.intra_domain, &plan.cluster.inter_node}) {
                    if (*link) (*link)->latency = 2.0 * (*link)->latency;
                }
                return true;
            },
            {StepNotFaster}},
        {"memory of twice the bandwidth",
            [](Plan& plan) {
                plan.cluster.accelerator.memory_bandwidth = 2.0 * plan.cluster.accelerator.memory_bandwidth;
                return true;
            },
            {StepNotSlower}},
        {"twice the memory",
            [](Plan& plan) {
                Accelerator& card = plan.cluster.accelerator;
                card.memory = 2 * card.memory;
                if (card.usable) card.usable = 2 * *card.usable;
                return true;
            },
            {StillFits, SequencesNotFewer}},
        {"twice the tensor ranks",
            [](Plan& plan) {
                plan.parallelism.tensor *= 2;
                doubleCards(plan);
                return true;
            },
            {WeightsNotMore}},
        {"twice the replicas",
            [](Plan& plan) {
                doubleCards(plan);
                *plan.parallelism.data *= 2;
                plan.workload.global_batch_size *= 2;
                return isTrained(plan);
            },
            {StatesNotMore}},
        {"ZeRO-1 instead of none", [](Plan& plan) { return sharded(plan, Sharding::None, Sharding::Zero1); },
            {StatesNotMore}},
        {"ZeRO-2 instead of ZeRO-1", [](Plan& plan) { return sharded(plan, Sharding::Zero1, Sharding::Zero2); },
            {StatesNotMore}},
        {"ZeRO-3 instead of ZeRO-2", [](Plan& plan) { return sharded(plan, Sharding::Zero2, Sharding::Zero3); },
            {StatesNotMore}},
        {"all layers recomputed",
            [](Plan& plan) {
                if (plan.recipe.recompute.granularity == RecomputeGranularity::Full) return false;
                plan.recipe.recompute = {RecomputeGranularity::Full, {}, RecomputeMethod::Uniform, 1};
                return isTrained(plan);
            },
            {MemoryNotMore, StepNotFaster}},
    };
    return kChanges;
}

/// Where a claim may be broken, by how much at most, and why.
struct Exception {
    const char* why;
    std::vector<Claim> claims;
    double most; ///< as a share
    bool (*concerns)(const Plan& before, const Plan& after);
};

const std::vector<Exception>& exceptions()
{
    using enum Claim;
    constexpr auto runs_halves_apart = [](const Plan& before, const Plan&) {
        return traits(before.recipe.schedule).splits_backward;
    };
    static const std::vector<Exception> kExceptions{
        {"layers that are split automatically move to other stages", {StepNotFaster, StepNotSlower, DeviceNotLess}, 0.1,
            [](const Plan& before, const Plan& after) { return layerSplit(before) != layerSplit(after); }},
        {"halves of a backward pass that run apart: what one gains in time, waits of the other may cost",
            {StepNotFaster, StepNotSlower}, 0.02, runs_halves_apart},
        {"halves of a backward pass that run apart: gradients of outputs wait for the second one", {MemoryNotMore}, 0.3,
            runs_halves_apart},
        {"activations that no longer cross PCIe", {StepNotFaster, MemoryNotMore}, 1.0,
            [](const Plan& before, const Plan& after) {
                return before.recipe.offload.activations > 0.0
                    && before.recipe.recompute.granularity != after.recipe.recompute.granularity;
            }},
    };
    return kExceptions;
}

bool isException(Claim claim, double by, const Plan& before, const Plan& after)
{
    return std::ranges::any_of(exceptions(), [&](const Exception& one) {
        return by <= one.most && std::ranges::find(one.claims, claim) != one.claims.end()
            && one.concerns(before, after);
    });
}

// ---- Ways of writing a plan

/// The value as people type it behind --set.
std::optional<std::string> typed(const FieldValue& value)
{
    if (std::holds_alternative<std::monostate>(value)) return "null";
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value); texts != nullptr && !texts->empty())
        return fmt::format("{}", fmt::join(*texts, ","));
    return std::nullopt;
}

QJsonValue inJson(const FieldValue& value)
{
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<qint64>(*whole);
    if (const auto* number = std::get_if<double>(&value)) return *number;
    if (const auto* text = std::get_if<std::string>(&value)) return QString::fromStdString(*text);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
        QJsonArray list;
        for (const std::string& one : *texts)
            list << QString::fromStdString(one);
        return list;
    }
    return {};
}

/// The file's text with the value at the pointer.
std::string edited(const std::string& text, std::string_view pointer, const FieldValue& value)
{
    const QStringList keys =
        QString::fromUtf8(pointer.data(), static_cast<qsizetype>(pointer.size())).split(u'/').mid(1);
    const std::function<QJsonObject(QJsonObject, qsizetype)> put = [&](QJsonObject object, qsizetype level) {
        if (level + 1 == keys.size())
            object[keys[level]] = inJson(value);
        else
            object[keys[level]] = put(object[keys[level]].toObject(), level + 1);
        return object;
    };
    const QJsonObject file = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    return QJsonDocument(put(file, 0)).toJson().toStdString();
}

/// The plan that came back from a launcher's text, with everything from before that a note says is lost, or that no
/// launcher's file is about.
Plan restored(const Plan& before, Plan back, const std::vector<LaunchNote>& notes)
{
    // What follows from other fields follows from them as they came back.
    back.parallelism.data = dataParallel(back);
    back.parallelism.expert_tensor = expertTensor(back);
    for (const Field& field : planFields()) {
        if (field.set == nullptr || !drawn::isThere(field, before)) continue;
        const bool noted = std::ranges::any_of(
            notes, [&](const LaunchNote& note) { return note.what == "/" || field.pointer.starts_with(note.what); });
        if (noted) field.set(back, field.get(before));
    }
    back.name = before.name;
    back.model = before.model;
    back.cluster = before.cluster;
    back.overheads = before.overheads;
    back.calibration = before.calibration;
    back.assumed = before.assumed;
    return back;
}

class TestInvariants : public QObject {
    Q_OBJECT

public:
    TestInvariants()
    {
        // Qt Test ends a function after five minutes; so many seeds were asked for.
        if (std::getenv("CARDFIT_SEEDS") != nullptr) qputenv("QTEST_FUNCTION_TIMEOUT", "86400000");
    }

private slots:
    void theyHoldForEveryPlan()
    {
        const QJsonObject schema =
            QJsonDocument::fromJson(QByteArray::fromStdString(outputSchema("estimate"))).object();
        forEachSeed([&](std::uint64_t seed, const Plan& plan, const Estimate& result) {
            for (const QString& fault : faultsOf(result))
                found(seed, fault, plan);
            if (seed % 8 != 0) return; // texts take their time
            QStringList faults;
            const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(estimateJson(result)));
            compare(json.object(), schema, {}, faults);
            for (const QString& fault : faults)
                found(seed, QStringLiteral("not as the schema says: ") + fault, plan);
        });
    }

    /// A plan that breaks rules and has figures all the same.
    void theyHoldForBrokenPlans()
    {
        for (std::uint64_t seed = m_first; seed < m_first + m_seeds; ++seed) {
            drawn::Dice dice(seed);
            const Plan plan = drawn::anyPlan(dice, presets());
            const auto checks = check(plan);
            if (drawn::keepsRules(checks) || std::ranges::any_of(checks, &Check::prevents_estimate)) continue;
            const Estimate result = estimate(plan);
            if (!result.complete()) continue;
            for (const QString& fault : faultsOf(result))
                found(seed, fault, plan);
        }
    }

    void changesDoWhatTheyMust()
    {
        constexpr std::size_t kEach = 5; // of the changes, for one plan
        forEachSeed([&](std::uint64_t seed, const Plan& plan, const Estimate& before) {
            for (std::size_t i = 0; i < kEach; ++i) {
                const Change& change = changes()[(seed * kEach + i) % changes().size()];
                Plan changed = plan;
                if (!change.make(changed) || !drawn::keepsRules(check(changed))) continue;
                const Estimate after = estimate(changed);
                if (!after.complete() || !drawn::keepsRules(after.checks)) continue;
                for (const QString& fault : faultsOf(after))
                    found(seed, fault, changed);
                for (const Claim claim : change.claims) {
                    const double by = brokenBy(claim, before, after);
                    if (by <= 1e-9 || isException(claim, by, plan, changed)) continue;
                    found(seed, QStringLiteral("%1: %2").arg(change.what, kClaims[static_cast<int>(claim)]), plan);
                }
            }
        });
    }

    /// Behind --set, in a file and as a member, a value means the same.
    void aSettingIsAnEditOfTheFile()
    {
        forEachSeed([&](std::uint64_t seed, const Plan& plan, const Estimate&) {
            drawn::Dice dice(~seed);
            const Field& field = drawn::field(dice, plan);
            const FieldValue value = drawn::value(dice, field, field.get(plan));
            const auto words = typed(value);
            if (!words) return;
            const std::string assignment = fmt::format("{}={}", field.pointer, *words);
            const auto set = withSetting(plan, assignment, presets());
            const auto read = parsePlan(edited(planText(plan), field.pointer, value), presets());
            const bool same = set.has_value() == read.has_value()
                && (!set || estimateJson(estimate(*set)) == estimateJson(estimate(*read)));
            if (!same) {
                const auto said = [](const Result<Plan>& one) {
                    return one ? QStringLiteral("read") : QString::fromStdString(describe(one.error()));
                };
                found(seed,
                    QStringLiteral("--set %1: %2; in the file: %3")
                        .arg(QString::fromStdString(assignment), said(set), said(read)),
                    plan);
            }
        });
    }

    void aLaunchersTextGivesTheSameFigures()
    {
        forEachSeed([&](std::uint64_t seed, const Plan& plan, const Estimate& before) {
            for (const LauncherTraits& traits : launchers()) {
                if (traits.write == nullptr) continue;
                const auto exported = exportLaunch(traits.value, plan);
                if (!exported) continue;
                Plan base;
                base.model = plan.model;
                base.cluster = plan.cluster;
                const auto back = importLaunch(traits.value, exported->text, base, presets());
                const bool said =
                    std::ranges::any_of(exported->notes, [](const LaunchNote& note) { return note.what == "/"; });
                const QString word = QString::fromStdString(std::string(traits.word));
                if (!back) {
                    if (!said)
                        found(seed,
                            word + QStringLiteral(": unreadable: ") + QString::fromStdString(describe(back.error())),
                            plan);
                    continue;
                }
                const QStringList missing = lost(plan, back->plan, exported->notes);
                for (const QString& field : missing)
                    found(seed, word + QStringLiteral(": lost without a note: ") + field, plan);
                if (!missing.isEmpty()) continue;
                const Estimate after = estimate(restored(plan, back->plan, exported->notes));
                const bool same = after.complete() && after.step.seconds == before.step.seconds
                    && most(after, &StageMemory::device) == most(before, &StageMemory::device);
                if (!same) found(seed, word + QStringLiteral(": other figures without a note"), plan);
            }
        });
    }

    void cleanup()
    {
        const auto faults = std::exchange(m_found, {});
        for (auto it = faults.begin(); it != faults.end(); ++it)
            qWarning().noquote() << it.value().size() << "plans:" << it.key() << "seeds" << it.value().mid(0, 12);
        QVERIFY2(faults.isEmpty(), qPrintable(m_example));
    }

private:
    using Seen = std::function<void(std::uint64_t seed, const Plan& plan, const Estimate& result)>;

    /// Plans that keep every rule, with their figures.
    void forEachSeed(const Seen& see)
    {
        for (std::uint64_t seed = m_first; seed < m_first + m_seeds; ++seed) {
            drawn::Dice dice(seed);
            const Plan plan = drawn::plan(dice, presets());
            const Estimate result = estimate(plan);
            if (result.complete() && drawn::keepsRules(result.checks)) see(seed, plan, result);
        }
    }

    void found(std::uint64_t seed, const QString& what, const Plan& plan)
    {
        if (m_found.isEmpty()) {
            const QString file = QDir::temp().filePath(QStringLiteral("cardfit-seed-%1.json").arg(seed));
            const auto written = writeFile(file.toStdString(), planText(plan));
            m_example = what + QStringLiteral(", of the plan ") + (written ? file : QString::number(seed));
        }
        m_found[what] << QString::number(seed);
    }

    const std::uint64_t m_seeds = fromEnvironment("CARDFIT_SEEDS", kSeeds);
    const std::uint64_t m_first = fromEnvironment("CARDFIT_FIRST_SEED", 1);
    QMap<QString, QStringList> m_found; ///< seeds by what did not hold
    QString m_example; ///< the first of them
};

CARDFIT_TEST(TestInvariants)

} // namespace cardfit::tst_invariants
#include "tst_invariants.moc"
