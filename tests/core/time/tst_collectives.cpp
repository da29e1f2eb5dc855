// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <filesystem>

#include <rapidcheck.h>

#include "core/files/presets.h"
#include "core/time/collectives.h"
#include "tests/core/explain/runnable_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_collectives {

void holds(const char* name, const std::function<void()>& check) { QVERIFY2(rc::check(name, check), name); }

const Cluster& cluster(const char* id)
{
    static const Presets kPresets = loadPresets(std::vector<std::filesystem::path>{CARDFIT_PRESET_DIR});
    return *kPresets.cluster(id);
}

constexpr std::array kCollectives{
    Collective::AllReduce, Collective::AllGather, Collective::ReduceScatter, Collective::AllToAll, Collective::Ring};
constexpr std::array kClusters{"dgx-a100", "dgx-h100", "dgx-b200", "8x-rtx-pro-6000", "8x-a100-pcie-80"};
constexpr std::array kLinked{"dgx-a100", "dgx-h100", "dgx-b200"};

const Cluster& anyCluster() { return cluster(*rc::gen::elementOf(kClusters)); }
Collective anyCollective() { return *rc::gen::elementOf(kCollectives); }
Bytes anyPayload() { return Bytes(*rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << 32)); }

/// Bytes on the link over time, in GB/s: 2 (n-1)/n of the message for an all-reduce, (n-1)/n for the others.
double busBandwidth(const Cluster& on, Collective collective, RankGroup group, Bytes payload)
{
    const auto n = static_cast<double>(group.ranks);
    const double factor = (collective == Collective::AllReduce ? 2.0 : 1.0) * (n - 1.0) / n;
    return factor * static_cast<double>(payload.value())
        / collectiveTime(Constants(), on, collective, group, payload).value() / 1e9;
}

class TestCollectives : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("RC_PARAMS", "seed=20261155 max_success=300 max_size=300"); }

    // GB/s at 512 MiB, measured with NCCL (ai-dynamo/aiconfigurator, commit 095f58a51). The curves are fitted on all
    // sizes, so a single one may be off by their error.
    void publishedBusBandwidth_data()
    {
        QTest::addColumn<QByteArray>("on");
        QTest::addColumn<int>("collective");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<double>("published");
        QTest::addColumn<double>("error");
        const auto add = [](const char* on, Collective collective, int ranks, double published, double error = 0.05) {
            QTest::addRow("%s, collective %d over %d", on, static_cast<int>(collective), ranks)
                << QByteArray(on) << static_cast<int>(collective) << ranks << published << error;
        };
        add("dgx-a100", Collective::AllReduce, 2, 193, 0.18); // the worst fit, 8 % on average over sizes
        add("dgx-a100", Collective::AllReduce, 4, 217);
        add("dgx-a100", Collective::AllReduce, 8, 222);
        add("dgx-a100", Collective::AllGather, 2, 150);
        add("dgx-a100", Collective::AllGather, 4, 192);
        add("dgx-a100", Collective::AllGather, 8, 205);
        add("dgx-h100", Collective::AllReduce, 2, 318);
        add("dgx-h100", Collective::AllReduce, 4, 350);
        add("dgx-h100", Collective::AllReduce, 8, 445);
        add("dgx-h100", Collective::AllGather, 8, 335);
        add("dgx-h100", Collective::AllToAll, 8, 315);
        add("dgx-b200", Collective::AllReduce, 8, 704);
        add("dgx-b200", Collective::AllGather, 8, 617, 0.09);
        add("dgx-b200", Collective::AllToAll, 8, 563);
        add("8x-rtx-pro-6000", Collective::AllReduce, 8, 25);
    }
    void publishedBusBandwidth()
    {
        QFETCH(QByteArray, on);
        QFETCH(int, collective);
        QFETCH(int, ranks);
        QFETCH(double, published);
        QFETCH(double, error);
        const double ours = busBandwidth(
            cluster(on.constData()), static_cast<Collective>(collective), {ranks, ranks}, Bytes(512 << 20));
        QVERIFY2(std::abs(ours / published - 1.0) < error, qPrintable(QString::number(ours)));
    }

    // B200, four nodes of eight: 37 GB/s of every card's 50 GB/s port, measured over EFA (same source).
    void acrossNodesEveryCardHasItsPort()
    {
        Cluster four = cluster("dgx-b200");
        four.inter_node = Link{GigabytesPerSecond(50), Microseconds(0)};
        const Bytes payload(std::int64_t{4} << 30);
        const double seconds = collectiveTime(Constants(), four, Collective::AllGather, {32, 8}, payload).value();
        const double per_port = 3.0 / 4.0 * static_cast<double>(payload.value()) / 8.0 / seconds / 1e9;
        QVERIFY2(std::abs(per_port / 37.0 - 1.0) < 0.1, qPrintable(QString::number(per_port)));
        // One rank of each node has one port to itself.
        const double alone = collectiveTime(Constants(), four, Collective::AllGather, {4, 1}, payload).value();
        QVERIFY(alone > 7.0 * seconds);
    }

    void oneRankAndNothingToSendTakeNoTime()
    {
        holds("nobody to talk to, nothing to say", [] {
            RC_ASSERT(collectiveTime(Constants(), anyCluster(), anyCollective(), {1, 1}, anyPayload()) == Seconds(0.0));
            const std::int64_t ranks = runnable::power(1, 6);
            RC_ASSERT(collectiveTime(Constants(), anyCluster(), anyCollective(), {ranks, 1}, Bytes(0)) == Seconds(0.0));
        });
    }

    void timeGrowsWithThePayload()
    {
        holds("more bytes take longer", [] {
            const Cluster& on = anyCluster();
            const Collective collective = anyCollective();
            const std::int64_t ranks = runnable::power(1, 8);
            const RankGroup group{ranks, std::min<std::int64_t>(ranks, runnable::power(0, 3))};
            const Bytes less = anyPayload();
            const Bytes more = less + anyPayload();
            RC_ASSERT(collectiveTime(Constants(), on, collective, group, more)
                > collectiveTime(Constants(), on, collective, group, less));
        });
    }

    void nodesApartAreNeverFaster()
    {
        holds("the same ranks inside one node are at least as fast", [] {
            const Cluster& on = cluster(*rc::gen::elementOf(kLinked));
            const std::int64_t ranks = runnable::power(1, 3);
            const std::int64_t together = std::max<std::int64_t>(1, ranks / runnable::power(1, 3));
            const Collective collective = anyCollective();
            const Bytes payload = anyPayload();
            RC_ASSERT(collectiveTime(Constants(), on, collective, {ranks, together}, payload)
                >= collectiveTime(Constants(), on, collective, {ranks, ranks}, payload));
        });
    }

    void pcieIsSlowerThanALink()
    {
        holds("a card without a link sends over PCIe", [] {
            Cluster linked = cluster("dgx-h100");
            linked.accelerator.collective_curves = {};
            linked.intra_node.reset();
            Cluster bare = linked;
            bare.accelerator.link.reset();
            const std::int64_t ranks = runnable::power(1, 3);
            const Collective collective = anyCollective();
            const Bytes payload = anyPayload();
            RC_ASSERT(collectiveTime(Constants(), bare, collective, {ranks, ranks}, payload)
                > collectiveTime(Constants(), linked, collective, {ranks, ranks}, payload));
        });
    }

    void aRingPassesEveryPartOn()
    {
        holds("n - 1 transfers", [] {
            const Cluster& on = anyCluster();
            const std::int64_t ranks = runnable::power(1, 5);
            const bool same_node = runnable::flag();
            const Bytes payload = anyPayload();
            const double ring =
                collectiveTime(Constants(), on, Collective::Ring, {ranks, same_node ? ranks : 1}, payload).value();
            const double one =
                transferTime(Constants(), on, same_node ? NetworkLevel::Node : NetworkLevel::Network, payload).value();
            RC_ASSERT(std::abs(ring - static_cast<double>(ranks - 1) * one) <= 1e-12 * ring);
        });
    }

    // NCCL's own model of latency (src/graph/tuning.cc): a ring's token visits all 512 ranks, 504 - 56 of the hops over
    // NVLink at 1.9 us, 63 between nodes at 4; a tree of 64 nodes has a depth of six.
    void aRingIsAsSlowAsItIsLong()
    {
        const Cluster& on = cluster("dgx-h100");
        const auto microseconds = [&](Collective collective, RankGroup group) {
            return 1e6 * collectiveTime(Constants(), on, collective, group, Bytes(1)).value();
        };
        QVERIFY(std::abs(microseconds(Collective::AllGather, {512, 8}) - (14.0 + 448.0 * 1.9 + 63.0 * 4.0)) < 0.1);
        QVERIFY(std::abs(microseconds(Collective::ReduceScatter, {16, 8}) - (8.4 + 14.0 * 3.4 + 14.0)) > 1.0);
        QVERIFY(std::abs(microseconds(Collective::ReduceScatter, {16, 8}) - (14.0 + 14.0 * 1.9 + 4.0)) < 0.1);
        QVERIFY(microseconds(Collective::AllReduce, {512, 8}) < 150.0);
        Cluster far = on;
        far.inter_node->latency = Microseconds(1025.0); // a millisecond more than most
        const double slower = 1e6 * collectiveTime(Constants(), far, Collective::AllGather, {16, 8}, Bytes(1)).value();
        QVERIFY(std::abs(slower - microseconds(Collective::AllGather, {16, 8}) - 1000.0) < 0.1);
    }

    // A100 PCIe, one host: what groups of every fourth and every second card reach beside each other, GB/s on the bus
    // (MooreThreads/SimuMax 4dcaae5, configs/system/a100_pcie.json, dp_fixed_bw).
    void pcieGroupsThatLieApartShareTheirHost()
    {
        const Cluster& on = cluster("8x-a100-pcie-80");
        const Bytes payload(std::int64_t{1} << 30);
        const auto bus = [&](Collective collective, RankGroup group) {
            return busBandwidth(on, collective, group, payload);
        };
        QVERIFY(std::abs(bus(Collective::AllGather, {2, 2, 4}) / 4.0 - 1.0) < 0.05);
        QVERIFY(std::abs(bus(Collective::ReduceScatter, {2, 2, 4}) / 3.9 - 1.0) < 0.05);
        QVERIFY(std::abs(bus(Collective::AllGather, {4, 4, 2}) / 7.65 - 1.0) < 0.05);
        QVERIFY(std::abs(bus(Collective::ReduceScatter, {4, 4, 2}) / 7.0 - 1.0) < 0.15);
        // Neighbours have a switch to themselves, and cards with a link another way.
        QVERIFY(bus(Collective::AllGather, {4, 4, 1}) > 19.0);
        const Cluster& linked = cluster("dgx-h100");
        QVERIFY(collectiveTime(Constants(), linked, Collective::AllGather, {2, 2, 4}, payload)
            == collectiveTime(Constants(), linked, Collective::AllGather, {2, 2, 1}, payload));
    }

    // Two ranks are not half as fast as eight: between measured numbers of ranks lies a value between theirs.
    void betweenMeasuredRanks()
    {
        const Cluster& on = cluster("dgx-b200");
        const Bytes payload(512 << 20);
        const double four = busBandwidth(on, Collective::AllReduce, {4, 4}, payload);
        const double six = busBandwidth(on, Collective::AllReduce, {6, 6}, payload);
        const double eight = busBandwidth(on, Collective::AllReduce, {8, 8}, payload);
        QVERIFY(four < six && six < eight);
    }

    // ---- Who talks to whom

    void ranksAreLaidOutAsMegatronDoes()
    {
        Plan plan = samples::llama13BOnEightCards();
        plan.cluster.nodes = 8;
        plan.parallelism = {};
        plan.parallelism.tensor = 4;
        plan.parallelism.context = 4;
        plan.parallelism.data = 4;
        const auto is = [](RankGroup group, std::int64_t ranks, std::int64_t together, std::int64_t apart) {
            return group.ranks == ranks && group.together == together && group.apart == apart;
        };
        QVERIFY(is(rankGroup(plan, RankSet::Tensor), 4, 4, 1));
        QVERIFY(is(rankGroup(plan, RankSet::Context), 4, 2, 4)); // every fourth card: two to a node
        QVERIFY(is(replicas(plan), 16, 2, 4));
        plan.parallelism.tensor = 16; // wider than a node
        plan.parallelism.data = 1;
        QVERIFY(is(rankGroup(plan, RankSet::Tensor), 16, 8, 1));
        QVERIFY(is(replicas(plan), 4, 1, 16));
        plan.parallelism = {};
        plan.parallelism.tensor = 2;
        plan.parallelism.expert = 8;
        plan.parallelism.expert_tensor = 1;
        plan.parallelism.data = 32;
        QVERIFY(is(rankGroup(plan, RankSet::Expert), 8, 8, 1));
        QVERIFY(is(rankGroup(plan, RankSet::ExpertTensor), 1, 1, 1));
        QVERIFY(is(expertReplicas(plan), 8, 1, 8));
    }

    void portsOfTheCardsTime()
    {
        Cluster on = cluster("dgx-h100");
        on.inter_node.reset();
        QCOMPARE(interNodeLink(Constants(), on).bandwidth, GigabytesPerSecond(50));
        on.accelerator.generation = Generation::Ampere;
        QCOMPARE(interNodeLink(Constants(), on).bandwidth, GigabytesPerSecond(25));
        on.inter_node = Link{GigabytesPerSecond(12.5), Microseconds(7)};
        QCOMPARE(interNodeLink(Constants(), on), *on.inter_node);
    }
};

CARDFIT_TEST(TestCollectives)

} // namespace cardfit::tst_collectives
#include "tst_collectives.moc"
