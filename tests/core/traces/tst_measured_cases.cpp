// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <array>
#include <filesystem>

#include "core/traces/measured_cases.h"
#include "tests/test_program.h"

namespace cardfit::tst_measured_cases {

constexpr std::string_view kPlan = R"({"format": "cardfit/plan", "version": 1,
    "model": {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 128},
    "cluster": {"accelerator": "a100-sxm-80"}})";

/// A file whose second case is `second`; the first is faultless.
std::string fileWith(std::string_view second, std::string_view head = {})
{
    std::string text = "{";
    text += head;
    text += R"("cases": [{"id": "a", "group": "g", "trust": "medium", "source": "s", "notes": "n", "plan": )";
    text += kPlan;
    text += R"(, "measured": {"stage": 1, "allocated_bytes": 1000, "reserved_bytes": 2000}})";
    if (!second.empty()) text += ", ";
    text += second;
    return text + "]}";
}

/// A case in which one part is replaced: `part` is "trust" and `value` a JSON text, or empty to leave it out.
std::string caseWith(std::string_view part, std::string_view value)
{
    const std::array<std::pair<std::string_view, std::string>, 6> parts{
        {{"id", R"("b")"}, {"group", R"("g")"}, {"trust", R"("high")"}, {"source", R"("s")"},
            {"plan", std::string(kPlan)}, {"measured", R"({"stage": 0, "allocated_bytes": 5})"}}};
    std::string text = "{";
    bool replaced = false;
    for (const auto& [key, usual] : parts) {
        const bool this_one = key == part;
        replaced = replaced || this_one;
        if (this_one && value.empty()) continue;
        text += (text.size() > 1 ? ", \"" : "\"") + std::string(key) + "\": " + (this_one ? std::string(value) : usual);
    }
    if (!replaced) text += ", \"" + std::string(part) + "\": " + std::string(value);
    return text + "}";
}

class TestMeasuredCases : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        const std::array directories{std::filesystem::path(CARDFIT_PRESET_DIR)};
        m_presets = loadPresets(directories);
        QVERIFY(m_presets.problems.empty());
    }

    void valuesAreRead()
    {
        const auto read = parseMeasuredMemory(
            fileWith(caseWith("id", R"("b")"), R"("units": "bytes", "groups": [{"id": "g", "name": "Group"}], )"),
            m_presets);
        QVERIFY2(read, read ? "" : describe(read.error()).c_str());
        QCOMPARE(groupName(read->groups, "g"), std::string_view("Group"));
        QCOMPARE(groupName(read->groups, "h"), std::string_view("h"));
        QCOMPARE(read->cases.size(), std::size_t{2});
        const MeasuredMemory& first = read->cases.front();
        QCOMPARE(first.id, std::string("a"));
        QCOMPARE(first.group, std::string("g"));
        QVERIFY(first.trust == Trust::Medium);
        QCOMPARE(first.source, std::string("s"));
        QCOMPARE(first.notes, std::string("n"));
        QCOMPARE(first.plan.model.architecture.hidden_size, std::int64_t{64});
        QCOMPARE(first.plan.cluster.accelerator.id, std::string("a100-sxm-80"));
        QCOMPARE(first.stage, std::int64_t{1});
        QCOMPARE(first.peak, Bytes(1000));
        QCOMPARE(first.reserved, std::optional(Bytes(2000)));
        QVERIFY(!read->cases.back().reserved);
    }

    void errorsNameTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* name, const std::string& text, ErrorCode code, const char* where) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << static_cast<int>(code) << QByteArray(where);
        };
        row("not JSON", "{\"cases\": [", ErrorCode::NotJson, "line 1, column 11");
        row("a list", "[]", ErrorCode::WrongFormat, "");
        row("no cases", "{}", ErrorCode::MissingKey, "/cases");
        row("cases not a list", R"({"cases": {}})", ErrorCode::WrongType, "/cases");
        row("empty cases", R"({"cases": []})", ErrorCode::OutOfRange, "/cases");
        row("unknown key", fileWith({}, R"("case": [], )"), ErrorCode::UnknownName, "/case");
        row("case not an object", fileWith("3"), ErrorCode::WrongType, "/cases/1");
        row("group without name", fileWith({}, R"("groups": [{"id": "g"}], )"), ErrorCode::MissingKey,
            "/groups/0/name");
        row("same id", fileWith(caseWith("id", R"("a")")), ErrorCode::DuplicateKey, "/cases/1/id");
        row("unknown key of a case", fileWith(caseWith("nots", R"("x")")), ErrorCode::UnknownName, "/cases/1/nots");
        for (const char* key : {"id", "group", "trust", "source", "plan", "measured"}) {
            const std::string name = std::string("without ") + key;
            row(name.c_str(), fileWith(caseWith(key, "")), ErrorCode::MissingKey,
                ("/cases/1/" + std::string(key)).c_str());
        }
        row("unknown trust", fileWith(caseWith("trust", R"("total")")), ErrorCode::UnknownName, "/cases/1/trust");
        row("trust a number", fileWith(caseWith("trust", "1")), ErrorCode::WrongType, "/cases/1/trust");
        const auto measured = [&](const char* name, const char* value, ErrorCode code, const char* where) {
            row(name, fileWith(caseWith("measured", value)), code, where);
        };
        measured("no stage", R"({"allocated_bytes": 5})", ErrorCode::MissingKey, "/cases/1/measured/stage");
        measured("no peak", R"({"stage": 0})", ErrorCode::MissingKey, "/cases/1/measured/allocated_bytes");
        measured("half a byte", R"({"stage": 0, "allocated_bytes": 0.5})", ErrorCode::WrongType,
            "/cases/1/measured/allocated_bytes");
        measured("nothing allocated", R"({"stage": 0, "allocated_bytes": 0})", ErrorCode::OutOfRange,
            "/cases/1/measured/allocated_bytes");
        measured("negative stage", R"({"stage": -1, "allocated_bytes": 5})", ErrorCode::OutOfRange,
            "/cases/1/measured/stage");
        measured("unknown figure", R"({"stage": 0, "allocated_bytes": 5, "seconds": 1})", ErrorCode::UnknownName,
            "/cases/1/measured/seconds");
        row("plan a number", fileWith(caseWith("plan", "3")), ErrorCode::WrongFormat, "/cases/1/plan");
        row("broken plan", fileWith(caseWith("plan", R"({"format": "cardfit/plan", "version": 1, "model": {}})")),
            ErrorCode::MissingKey, "/cases/1/plan/model/hidden_size");
        std::string unknown(kPlan);
        unknown.insert(1, R"("modle": {}, )");
        row("unknown key of a plan", fileWith(caseWith("plan", unknown)), ErrorCode::UnknownName,
            "/cases/1/plan/modle");
    }
    void errorsNameTheirPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, code);
        const auto read = parseMeasuredMemory(text.toStdString(), m_presets);
        QVERIFY(!read);
        QCOMPARE(static_cast<int>(read.error().code), code);
        QTEST(QByteArray::fromStdString(read.error().where.english()), "where");
        QVERIFY(!read.error().message.empty());
    }

    void errorsNameTheirFile()
    {
        const auto read = readMeasuredMemory("/no/such/cases.json", m_presets);
        QVERIFY(!read);
        QVERIFY(read.error().code == ErrorCode::CannotRead);
        QCOMPARE(read.error().file, std::string("/no/such/cases.json"));
    }

private:
    Presets m_presets;
};

CARDFIT_TEST(TestMeasuredCases)

} // namespace cardfit::tst_measured_cases
#include "tst_measured_cases.moc"
