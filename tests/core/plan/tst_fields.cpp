// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <set>

#include "core/estimate/estimate.h"
#include "core/files/plan_file.h"
#include "core/files/plan_schema.h"
#include "core/model/operators.h"
#include "core/plan/field_table.h"
#include "core/rules/checks.h"
#include "tests/core/sample_plans.h"
#include "tests/test_program.h"

namespace cardfit::tst_fields {

using namespace cardfit::samples;

class TestFields : public QObject {
    Q_OBJECT

private slots:
    /// A group comes before its fields, and no pointer stands twice.
    void everyFieldHasAGroup()
    {
        std::set<std::string_view> groups{""};
        std::set<std::string_view> pointers;
        for (const Field& field : planFields()) {
            const QByteArray where(field.pointer.data(), static_cast<qsizetype>(field.pointer.size()));
            QVERIFY2(groups.contains(groupOf(field.pointer)), where);
            QVERIFY2(pointers.insert(field.pointer).second, where);
            if (field.type == FieldType::Group) groups.insert(field.pointer);
        }
    }

    /// What a row reads, it can write: every value of a plan survives on its way through the table.
    void everyValueIsSetAsItIsRead()
    {
        const Plan plan = llama13BOnEightCards();
        Plan copy = plan;
        for (const Field& field : planFields()) {
            if (field.get == nullptr) continue;
            const FieldValue value = field.get(plan);
            if (field.type == FieldType::Group || std::holds_alternative<std::monostate>(value)) continue;
            field.set(copy, value);
        }
        QVERIFY(copy == plan);
    }

    void pointersAreThoseOfThePlanFile()
    {
        QCOMPARE(pointerOf<&Parallelism::tensor>, std::string_view("/parallelism/tensor"));
        QCOMPARE(pointerOf<&Offload::optimizer>, std::string_view("/recipe/offload/optimizer"));
        QCOMPARE(pointerOf<&Recipe::adapter>, std::string_view("/recipe/adapter"));
        QCOMPARE(fieldOf<&Parallelism::data>().nullable, true);
        QCOMPARE(keyOf("/recipe/moe/dispatcher"), std::string_view("dispatcher"));
        QVERIFY(fieldAt("/recipe/moe") == &fieldOf<&Recipe::moe>());
        QVERIFY(fieldAt("/recipe/no_such_field") == nullptr);
    }

    void settingsChangeOneField_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::newRow("count") << "/parallelism/tensor=4";
        QTest::newRow("none") << "/parallelism/data=none";
        QTest::newRow("nullable") << "/parallelism/data=8";
        QTest::newRow("word") << "/recipe/sharding=zero3";
        QTest::newRow("word none") << "/recipe/sharding=none";
        QTest::newRow("flag") << "/parallelism/sequence=on";
        QTest::newRow("number") << "/workload/tokens=3.5e12";
        QTest::newRow("list") << "/parallelism/layers_per_stage=10,20,20,30";
        QTest::newRow("words") << "/recipe/recompute/modules=mlp,layernorm";
        QTest::newRow("group") << R"(/recipe/adapter={"rank":8})";
        QTest::newRow("in a group that was absent") << "/recipe/adapter/rank=8";
    }
    void settingsChangeOneField()
    {
        QFETCH(QString, setting);
        const Plan plan = llama13BOnEightCards();
        const auto changed = withSetting(plan, setting.toStdString(), {});
        QVERIFY2(changed.has_value(), changed ? "" : describe(changed.error()).c_str());
        QVERIFY(*changed != plan);
        QCOMPARE(changed->model.name, plan.model.name);
        // As a file with that value says it.
        QVERIFY(parsePlan(planText(*changed), {}) == *changed);
    }

    void settingsAreCheckedLikeFiles_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("said");
        QTest::newRow("range") << "/parallelism/tensor=0"
                               << "a whole number of at least 1, found 0";
        QTest::newRow("fraction") << "/parallelism/tensor=1.5"
                                  << "a whole number of at least 1, found 1.5";
        QTest::newRow("text") << "/parallelism/tensor=many"
                              << "found \"many\"";
        QTest::newRow("word") << "/recipe/sharding=zero9"
                              << "one of none, zero1, zero2, zero3";
        QTest::newRow("field") << "/paralelism/tensor=8"
                               << "did you mean /parallelism/tensor";
        QTest::newRow("no value") << "/parallelism/tensor"
                                  << "expected POINTER=VALUE";
        QTest::newRow("no pointer") << "tensor=8"
                                    << "expected POINTER=VALUE";
        QTest::newRow("preset") << "/model/preset=no-such-model"
                                << "there is no model preset";
        for (const char* pointer : {"/~2/preset", "/model/01/preset", "/model/99999999999/preset", "/preset"})
            QTest::newRow(pointer) << QString(pointer) + "=x"
                                   << "there is no field";
        QTest::newRow("deep") << "/recipe/adapter={\"x\":" + QString(100'000, '[') + QString(100'000, ']') + "}"
                              << "expected an object, found \"{";
        QTest::newRow("two values") << "/recipe/adapter={\"rank\":8},\"x\":1"
                                    << "expected an object, found \"{";
    }
    void settingsAreCheckedLikeFiles()
    {
        QFETCH(QString, setting);
        QFETCH(QString, said);
        const auto changed = withSetting(llama13BOnEightCards(), setting.toStdString(), {});
        QVERIFY(!changed.has_value());
        const QString message = QString::fromStdString(describe(changed.error()));
        QVERIFY2(message.contains(said), qPrintable(message));
        QCOMPARE(changed.error().code, ErrorCode::Usage);
    }

    void anotherShapeIsNoPresetAnyMore()
    {
        Plan plan = llama13BOnEightCards();
        plan.model.id = "llama-13b";
        const auto changed = withSetting(plan, "/model/num_hidden_layers=20", {});
        QVERIFY(changed.has_value());
        QVERIFY(changed->model.id.empty());
        const auto sized = withSetting(plan, "/model/parameters=7e9", {});
        QVERIFY(sized.has_value());
        QCOMPARE(sized->model.architecture.hidden_size, 4096);
    }

    /// What a file may say and check() refuses is not counted before.
    void absurdShapesAreRefused()
    {
        Plan plan = llama13BOnEightCards();
        plan.model.id = "llama-13b";
        const auto refused = [&](const char* setting, const char* rule) {
            const auto changed = withSetting(plan, setting, {});
            if (!changed) return false;
            const auto broken = check(*changed);
            return std::ranges::find(broken, rule, &Check::id) != broken.end();
        };
        QVERIFY(refused("/model/hc_mult=65536", "SIZE"));
        QVERIFY(refused("/model/compressed_attention/o_groups=4", "LAYER-PATTERN"));

        // Layers with a window, of a model that does not say its size.
        plan.model.architecture.compressed_attention = CompressedAttention();
        plan.model.architecture.mtp_layers = 1;
        QVERIFY(!estimate(plan).complete());
        QVERIFY(parameterCount(plan.model.architecture) > 0);
    }

    /// A schema knows every field, and only words that the reader knows.
    void schemasNameEveryField()
    {
        const std::string plan = jsonSchema("plan");
        for (const Field& field : planFields())
            QVERIFY(plan.find('"' + std::string(keyOf(field.pointer)) + '"') != std::string::npos);
        for (const std::string& kind : schemaKinds())
            QVERIFY(jsonSchema(kind).find("\"cardfit/" + kind + '"') != std::string::npos);
    }
};

CARDFIT_TEST(TestFields)

} // namespace cardfit::tst_fields
#include "tst_fields.moc"
