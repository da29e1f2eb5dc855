// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/output_schema.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "core/files/json_reader.h"

namespace cardfit {

namespace {

enum class Type { Text, Flag, Whole, Number, Object, Any };
enum class Presence { Always, OrNull, Sometimes }; ///< `Sometimes`: the key may be absent

/// A key, by its path: "[]" is an item of a list, "{}" a value of an object whose keys are data. Objects and lists
/// around a key have rows of their own only if they may be missing or have something to be said of them.
struct KeyRow {
    std::string_view path;
    Type type;
    std::string_view about = {};
    Presence presence = Presence::Always;
};

using enum Type;
using enum Presence;

// What several commands print, below a path of theirs.

constexpr auto kCheckRows = std::to_array<KeyRow>({
    {"checks[].id", Text, "name of the rule"},
    {"checks[].severity", Text, "error: the plan cannot run so; warning: it can"},
    {"checks[].message", Text},
    {"checks[].field", Text, "JSON pointer in the plan", OrNull},
    {"checks[].valid[]", Whole, "nearest values of the field that keep the rule"},
    {"assumed[]", Text, "what the import of the plan took for granted"},
});

constexpr auto kUtilizationRows = std::to_array<KeyRow>({
    {"utilization[].definition", Text, "what counts as work"},
    {"utilization[].model_tflops_per_card", Number, "", OrNull},
    {"utilization[].hardware_tflops_per_card", Number, "", OrNull},
    {"utilization[].mfu", Number, "share of the peak", OrNull},
    {"utilization[].hfu", Number, "with what is computed again", OrNull},
    {"utilization[].peak", Text, "number format of the peak"},
    {"utilization[].peak_tflops", Number},
});

constexpr auto kBandRows = std::to_array<KeyRow>({
    {"band_seconds", Any, "[low, high]: what eight of ten such runs take; null if no similar run was measured"},
    {"band", Object, "error of the measured runs most like the plan; null if there are none", OrNull},
    {"band.below", Number, "share of the figure"},
    {"band.above", Number},
    {"band.cases", Whole},
    {"band.of", Text},
});

constexpr std::string_view kVerdicts =
    "fits; tight: may not; refused: a server does not start; over: more than a card can use; invalid: breaks a rule";

constexpr auto kGoodputRows = std::to_array<KeyRow>({
    {"goodput", Any, "null for a plan without checkpoints; only if something is known of failures and checkpoints",
        Sometimes},
});

constexpr auto kSegmentRows = std::to_array<KeyRow>({
    {"weights", Whole},
    {"gradients", Whole},
    {"optimizer", Whole},
    {"activations", Whole, "of a served plan the key/value cache"},
    {"temporary", Whole},
    {"communication", Whole},
    {"device_context", Whole},
    {"reserve", Whole},
});

constexpr auto kPartRows = std::to_array<KeyRow>({
    {"compute", Number},
    {"tensor", Number},
    {"pipeline", Number},
    {"bubble", Number},
    {"data", Number},
    {"expert", Number},
    {"context", Number},
    {"optimizer", Number},
});

constexpr auto kFoundRows = std::to_array<KeyRow>({
    {"set", Object, "what differs from the plan that was given, by JSON pointer"},
    {"set{}", Any},
    {"plan", Object, "the whole plan: cardfit schema plan"},
    {"verdict", Text, kVerdicts},
    {"fits", Flag},
    {"tie", Flag, "as good as the one before it"},
    {"step_seconds", Number},
    {"tokens_per_second", Number},
    {"days", Number, "null without a budget of tokens", OrNull},
    {"cost_usd", Number, "", OrNull},
    {"energy_kwh", Number, "", OrNull},
    {"cards", Whole},
    {"worst_device_bytes", Whole},
    {"bubble_fraction", Number},
    {"copies", Whole, "other tuples of degrees with the same objective and time", Sometimes},
    {"sequences", Number, "of a served plan: what the cache holds in all replicas", Sometimes},
    {"users", Number, "of a served plan: the load asked for, else the most within its limits", Sometimes},
    {"within_limits", Flag, "of a served plan: whether they keep the limits", Sometimes},
    {"output_tokens_per_second", Number, "of a served plan, with so many users", Sometimes},
    {"tpot_seconds", Number, "of a served plan, with so many users", Sometimes},
});

constexpr auto kServerRows = std::to_array<KeyRow>({
    {"stage", Whole},
    {"gpu_memory_utilization", Number},
    {"budget_bytes", Whole},
    {"weights_bytes", Whole},
    {"activation_bytes", Whole},
    {"non_torch_bytes", Whole},
    {"cache_bytes", Whole, "what is left for keys and values"},
    {"missing_bytes", Whole, "above 0: the server refuses to start"},
    {"sequence_bytes", Whole},
    {"cache_tokens", Whole},
    {"sequences", Number, "that the cache holds at once"},
    {"longest_context", Whole, "null: not bounded by the cache", OrNull},
});

constexpr auto kPaceRows = std::to_array<KeyRow>({
    {"concurrency", Number, "sequences decoded at once, in all replicas; null, as what follows: none fits", OrNull},
    {"concurrency_range", Any, "[low, high] if memory is a GiB less or more than counted; null: it matters little"},
    {"tpot_seconds", Number, "mean time between the tokens of one user, prompts of others included", OrNull},
    {"tpot_alone_seconds", Number, "the same with nothing else on the machine", OrNull},
    {"ttft_seconds", Any, "[alone, burst]: to the first token of a request alone, and of all users' at once; or null"},
    {"output_tokens_per_second", Number, "of all cards, in the steady state", OrNull},
    {"output_tokens_per_second_per_card", Number, "", OrNull},
    {"requests_per_second", Number, "null if the length of answers is not given", OrNull},
    {"parts_seconds", Object, "of tpot_seconds", OrNull},
    {"parts_seconds.weights", Number, "reading dense weights"},
    {"parts_seconds.experts", Number, "reading the experts that are touched"},
    {"parts_seconds.cache", Number, "reading keys, values and states"},
    {"parts_seconds.products", Number, "arithmetic that reading does not hide"},
    {"parts_seconds.all_reduce", Number, "sums over tensor ranks, exchanges with experts"},
    {"parts_seconds.layers", Number, "launches and small kernels"},
    {"parts_seconds.prompts", Number, "prompts of others that ride along"},
    {"parts_seconds.pipeline", Number, "uneven stages and transfers"},
    {"users_within_limits", Whole, "most sequences that keep the plan's limits", OrNull},
    {"binds", Text, "tpot, ttft, cache or engine: what keeps the server from more users", OrNull},
    {"usd_per_million_tokens", Number, "of output", OrNull},
    {"joules_per_token", Number, "of output, at the cards' rated power", OrNull},
    {"error", Number, "share by which times of such models may be off", OrNull},
});

/// Rows below a path, and more rows after them.
struct Rows {
    std::vector<KeyRow> rows;
    std::vector<std::string> paths; ///< of `rows`

    Rows& add(std::string_view below, std::span<const KeyRow> more)
    {
        for (const KeyRow& row : more) {
            rows.push_back(row);
            paths.push_back(std::string(below) + std::string(row.path));
        }
        return *this;
    }
    Rows& add(std::initializer_list<KeyRow> more) { return add("", {more.begin(), more.size()}); }
};

Rows estimateRows()
{
    return Rows()
        .add({{"plan", Text, "its name"}, {"verdict", Text, kVerdicts},
            {"fits", Flag, "every card holds, or may hold, what it needs, rules apart"}})
        .add("", kCheckRows)
        .add({{"parameters.total", Whole}, {"parameters.active", Whole, "used by one token"},
            {"parameters.trainable", Whole}, {"stages[]", Object, "none if a broken rule prevents the estimate"},
            {"stages[].stage", Whole}, {"stages[].layers[]", Whole, "the first, and the one after the last"},
            {"stages[].chunks[][]", Whole, "the same for every model chunk"}, {"stages[].cards", Whole},
            {"stages[].in_flight", Number, "micro-batches whose activations are held at the peak"},
            {"stages[].in_flight_chunks", Whole}, {"stages[].peak_seconds", Number, "instant of the peak"},
            {"stages[].peak_event", Text}, {"stages[].capacity_bytes", Whole, "what CUDA gives of a card"}})
        .add("stages[].bytes.", kSegmentRows)
        .add({{"stages[].allocated_bytes", Whole, "what torch.cuda.max_memory_allocated reports"},
            {"stages[].reserved_bytes", Whole, "the caching allocator's"},
            {"stages[].device_bytes", Whole, "what nvidia-smi shows; compared with the capacity"},
            {"stages[].device_range_bytes[]", Whole, "least and most"}, {"stages[].first_step_allocated_bytes", Whole},
            {"stages[].terms[].segment", Text}, {"stages[].terms[].id", Text}, {"stages[].terms[].bytes", Whole},
            {"stages[].terms[].count", Whole}, {"stages[].terms[].formula", Text},
            {"stages[].terms[].below_bytes", Whole, "", Sometimes},
            {"stages[].terms[].above_bytes", Whole, "", Sometimes},
            {"hosts[]", Object, "the different nodes: what lies in their main memory, apart from any card"},
            {"hosts[].node", Whole, "the first of equal ones"}, {"hosts[].nodes", Whole}, {"hosts[].cards", Whole},
            {"hosts[].capacity_bytes", Whole, "null: the cluster does not say", OrNull},
            {"hosts[].bytes.weights", Whole}, {"hosts[].bytes.gradients", Whole}, {"hosts[].bytes.optimizer", Whole},
            {"hosts[].bytes.activations", Whole}, {"hosts[].bytes.processes", Whole},
            {"hosts[].bytes.loading", Whole, "the checkpoint while it is read"}, {"hosts[].running_bytes", Whole},
            {"hosts[].loading_bytes", Whole},
            {"hosts[].range_bytes[]", Whole, "while it runs; and the most at any time, with pinned buffers rounded up"},
            {"pipeline", Object, "", OrNull}, {"pipeline.schedule", Text}, {"pipeline.micro_batches", Whole},
            {"pipeline.bubble_fraction", Number, "idle time over all card time"},
            {"pipeline.bubble_over_ideal", Number, "idle time over busy time"}, {"step", Object, "", OrNull},
            {"step.seconds", Number, "of a served plan the prefill of all prompts"}, {"step.tokens_per_second", Number},
            {"step.tokens_per_second_per_card", Number}, {"step.model_tflops_per_card", Number},
            {"step.mfu", Number, "of the 16-bit peak"}, {"step.hfu", Number, "of the 16-bit peak"}})
        .add("step.parts_seconds.", kPartRows)
        .add({{"step.tokens_per_day", Number}})
        .add("step.", kUtilizationRows)
        .add({{"step.run", Object, "null without a budget of tokens", OrNull}, {"step.run.tokens", Number},
            {"step.run.steps", Number}, {"step.run.days", Number}, {"step.run.card_hours", Number},
            {"step.run.cost_usd", Number, "", OrNull}, {"step.run.energy_kwh", Number, "", OrNull}})
        .add("step.", kBandRows)
        .add({{"placement[].group", Text}, {"placement[].ranks", Whole}, {"placement[].in_node", Whole},
            {"placement[].in_domain", Whole}, {"placement[].level", Text, "node, domain or network"},
            {"placement[].price_seconds", Number, "", OrNull}, {"server", Object, "of a served plan", Sometimes}})
        .add("server.", kServerRows)
        .add("server.", kPaceRows)
        .add({{"server.sequence_length", Whole}, {"server.cards", Whole}, {"server.max_num_seqs", Whole, "", OrNull},
            {"server.larger", Object, "the same on more cards", OrNull}})
        .add("server.larger.", kServerRows)
        .add({{"server.larger.tensor", Whole}, {"server.larger.cards", Whole}})
        .add("", kGoodputRows);
}

Rows checkRows()
{
    return Rows()
        .add({{"plan", Text, "its name"}, {"verdict", Text, kVerdicts}, {"fits", Flag, "it fits and breaks no rule"},
            {"worst", Object, "the card with the least free memory", OrNull}, {"worst.stage", Whole},
            {"worst.device_bytes", Whole}, {"worst.capacity_bytes", Whole}, {"worst.free_bytes", Whole}})
        .add("", kCheckRows)
        .add({{"fix", Object, "with --into: the cheapest change after which the plan fits", OrNull},
            {"fix.change", Text, "in words"}, {"fix.edits[].field", Text, "JSON pointer"}, {"fix.edits[].from", Text},
            {"fix.edits[].to", Text}, {"fix.patch", Text, "of the launcher's file, as patch(1) reads it"}});
}

Rows searchRows()
{
    return Rows()
        .add({{"plan", Text, "name of the plan that was given"}, {"framework", Text}, {"objective", Text},
            {"limits[]", Text, "that plans have to keep, the margin among them: headroom>=5.3"},
            {"proven", Flag, "every plan was decided"}, {"space.degrees", Whole, "different tuples of degrees"},
            {"space.plans", Whole, "all combinations, before any rule"}, {"decided.evaluated", Whole},
            {"decided.over_memory", Whole}, {"decided.slower", Whole}, {"decided.limited", Whole},
            {"decided.undecided", Whole}, {"decided.rules{}", Whole, "plans by the first rule that they break"},
            {"seconds", Number, "that the search took"}, {"top[]", Object, "best first"}})
        .add("top[].", kFoundRows)
        .add("top[].", kGoodputRows)
        .add({{"top[].evidence", Object, "null where the measured runs were not found", OrNull},
            {"top[].evidence.nearest[]", Object, "measured runs, nearest first; none of a served plan"},
            {"top[].evidence.nearest[].id", Text, "of the case: cardfit validate time --json"},
            {"top[].evidence.nearest[].distance", Number, "sum of `axes`"},
            {"top[].evidence.nearest[].error", Number, "predicted over measured time of its step, less 1", OrNull},
            {"top[].evidence.nearest[].axes{}", Number, "doublings, or 1 for another word"},
            {"top[].evidence.measured", Flag,
                "a run of its framework and card generation is near, and what was searched varied"},
            {"top[].evidence.unvaried[]", Text, "fields searched that no measured run varied"},
            {"best_measured", Whole, "index in top of the first with evidence.measured", OrNull},
            {"given", Object, "the plan as given; null for a served one, or one that cannot be estimated", OrNull},
            {"given.step_seconds", Number}, {"given.fits", Flag},
            {"given.ratio", Number, "its step over that of the first of top"},
            {"given.beaten", Flag, "it fits, and the first of top is faster by more than the given plan's error band"},
            {"given.differences[]", Object, "parts of the step, the largest difference first"},
            {"given.differences[].part", Text}, {"given.differences[].given_seconds", Number},
            {"given.differences[].best_seconds", Number},
            {"given.differences[].more_seconds", Number, "best less given"}})
        .add({{"robust", Whole, "index in top", OrNull}, {"pareto.figures[]", Text}})
        .add("pareto.plans[].", kFoundRows)
        .add("pareto.plans[].", kGoodputRows)
        .add({{"nearest", Object, "where nothing fits: the plan that lacks least", Sometimes}})
        .add("nearest.", kFoundRows)
        .add("nearest.", kGoodputRows)
        .add({{"nearest.over_bytes", Whole}, {"nearest.stage", Whole}, {"solved", Object, "with --solve", Sometimes},
            {"solved.for", Text, "cards, tokens or parameters"},
            {"solved.value", Number, "null: no value that was tried keeps every limit", OrNull},
            {"solved.days", Number, "of the fastest plan", OrNull}, {"solved.set{}", Any},
            {"solved.misses", Object, "the next value that was tried, which misses a limit", OrNull},
            {"solved.misses.value", Number}, {"solved.misses.days", Number, "", OrNull}, {"solved.searches", Whole},
            {"solved.proven", Flag},
            {"why[]", Object,
                "with --why: a row for every tuple of degrees; of more than 4,096, a row for every reason, with the "
                "tuple that misses by the least",
                Sometimes},
            {"why[].set{}", Any},
            {"why[].tuples", Whole, "number of tuples of degrees that the row is about; 0 for the plans of a rule"},
            {"why[].plans", Whole, "that break the rule, in a row for a reason", Sometimes},
            {"why[].rule", Object, "", Sometimes}, {"why[].rule.id", Text}, {"why[].rule.message", Text},
            {"why[].rule.field", Text}, {"why[].rule.valid[]", Whole}, {"why[].memory", Object, "", Sometimes},
            {"why[].memory.stage", Whole}, {"why[].memory.over_bytes", Whole}, {"why[].limited", Object, "", Sometimes},
            {"why[].limited.figure", Number}, {"why[].slower", Object, "", Sometimes}, {"why[].slower.figure", Number},
            {"why[].slower.by", Number}, {"why[].slower.ratio", Number},
            {"why[].slower.at_least", Flag, "the figure is a bound"}, {"why[].slower.better{}", Any}});
}

Rows sweepRows()
{
    return Rows().add({{"plan", Text}, {"figure", Text}, {"best", Flag, "each cell is the best plan there"},
        {"x.pointer", Text}, {"x.values[]", Any}, {"y", Object, "", OrNull}, {"y.pointer", Text}, {"y.values[]", Any},
        {"cells[].x", Any}, {"cells[].y", Any}, {"cells[].verdict", Text, kVerdicts},
        {"cells[].figure", Number, "", OrNull}, {"cells[].over_bytes", Whole},
        {"cells[].rules[]", Text, "that are broken"}});
}

Rows presetsRows()
{
    return Rows().add({{"models[]", Object, "", Sometimes}, {"models[].id", Text}, {"models[].name", Text},
        {"models[].parameters", Whole}, {"models[].active_parameters", Whole}, {"models[].hidden_size", Whole},
        {"models[].num_hidden_layers", Whole}, {"models[].vocab_size", Whole},
        {"models[].max_position_embeddings", Whole}, {"models[].num_experts", Whole, "", OrNull},
        {"models[].source", Text}, {"accelerators[]", Object, "", Sometimes}, {"accelerators[].id", Text},
        {"accelerators[].name", Text}, {"accelerators[].memory_mib", Whole, "as nvidia-smi prints it"},
        {"accelerators[].usable_mib", Whole, "what CUDA gives", OrNull},
        {"accelerators[].memory_bandwidth_gb_s", Number}, {"accelerators[].bf16_tflops", Number, "dense", OrNull},
        {"accelerators[].fp8_tflops", Number, "dense", OrNull},
        {"accelerators[].link_gb_s", Number, "per direction, inside a node", OrNull},
        {"accelerators[].price_per_hour_usd", Number, "", OrNull}, {"accelerators[].source", Text},
        {"clusters[]", Object, "", Sometimes}, {"clusters[].id", Text}, {"clusters[].name", Text},
        {"clusters[].accelerator", Text, "id"}, {"clusters[].nodes", Whole}, {"clusters[].cards_per_node", Whole},
        {"clusters[].intra_node_gb_s", Number, "per card and direction", OrNull},
        {"clusters[].inter_node_gb_s", Number, "", OrNull},
        {"clusters[].host_memory_gb", Number, "of one node; null: not known", OrNull}, {"clusters[].source", Text},
        {"plans[]", Object, "", Sometimes}, {"plans[].id", Text}, {"plans[].name", Text}, {"plans[].model", Text, "id"},
        {"plans[].cluster", Text, "id"}, {"plans[].cards", Whole}, {"plans[].task", Text}, {"plans[].framework", Text},
        {"plans[].sequence_length", Whole}, {"plans[].global_batch_size", Whole}});
}

Rows sideRows(std::string_view side)
{
    constexpr auto kRows = std::to_array<KeyRow>({
        {"plan", Text},
        {"complete", Flag, "it has figures"},
        {"verdict", Text, kVerdicts},
        {"fullest_stage", Whole, "", Sometimes},
        {"device_bytes", Whole, "", Sometimes},
        {"capacity_bytes", Whole, "", Sometimes},
        {"step_seconds", Number, "", Sometimes},
        {"tokens_per_second_per_card", Number, "", Sometimes},
        {"mfu", Number, "", Sometimes},
        {"days", Any, "", Sometimes},
        {"cost_usd", Any, "", Sometimes},
    });
    return Rows().add(side, kRows);
}

Rows compareRows()
{
    Rows rows = sideRows("before.");
    rows.add("after.", sideRows("").rows);
    rows.add({{"changes[].field", Text, "JSON pointer"}, {"changes[].from", Text}, {"changes[].to", Text},
        {"difference", Object, "after - before, of the fullest stages", OrNull}, {"difference.device_bytes", Whole}});
    rows.add("difference.segments.", kSegmentRows);
    rows.add({{"difference.step_seconds", Number}, {"difference.parts{}", Number}});
    return rows;
}

struct Output {
    std::string_view kind;
    std::string_view format;
    Rows (*rows)();
};
constexpr std::array kOutputs{
    Output{"estimate", "cardfit/estimate", estimateRows},
    Output{"check", "cardfit/check", checkRows},
    Output{"search", "cardfit/search", searchRows},
    Output{"sweep", "cardfit/sweep", sweepRows},
    Output{"compare", "cardfit/comparison", compareRows},
    Output{"presets", "cardfit/presets", presetsRows},
};

Json typeSchema(const KeyRow& row)
{
    constexpr std::array kWords{"string", "boolean", "integer", "number", "object"};
    Json schema = Json::object();
    if (row.type != Any) schema["type"] = kWords[static_cast<std::size_t>(row.type)];
    if (row.presence == OrNull) schema["type"] = Json::array({schema["type"], "null"});
    if (!row.about.empty()) schema["description"] = row.about;
    return schema;
}

/// Adds a row below an object's schema; `path`: what is left of the row's path.
void place(Json& object, std::string_view path, const KeyRow& row)
{
    const std::size_t end = path.find_first_of(".[{");
    const std::string key(path.substr(0, end));
    std::string_view rest = end == std::string_view::npos ? std::string_view() : path.substr(end);
    if (!object.contains("type")) object["type"] = "object";
    if (!object.contains("properties")) object["properties"] = Json::object();
    const bool is_new = !object["properties"].contains(key);
    if (is_new && row.presence != Sometimes) object["required"].push_back(key);
    if (is_new && row.presence == Sometimes && !rest.empty() && rest != "[]") object["required"].push_back(key);
    Json* schema = &object["properties"][key];
    for (; rest.starts_with("[]") || rest.starts_with("{}"); rest.remove_prefix(2)) {
        const bool list = rest.starts_with("[]");
        if (!schema->contains("type")) (*schema)["type"] = list ? "array" : "object";
        schema = &(*schema)[list ? "items" : "additionalProperties"];
    }
    if (rest.empty())
        schema->update(typeSchema(row));
    else
        place(*schema, rest.substr(1), row);
}

} // namespace

std::vector<std::string> outputKinds()
{
    std::vector<std::string> kinds;
    for (const Output& output : kOutputs)
        kinds.emplace_back(output.kind);
    return kinds;
}

std::vector<OutputKey> outputKeys(std::string_view kind)
{
    constexpr std::array<std::string_view, 6> kTypes{"text", "flag", "whole number", "number", "object", "any"};
    const Rows rows = std::ranges::find(kOutputs, kind, &Output::kind)->rows();
    std::vector<OutputKey> keys;
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        const KeyRow& row = rows.rows[i];
        keys.push_back({rows.paths[i], kTypes[static_cast<std::size_t>(row.type)], row.about, row.presence == OrNull,
            row.presence == Sometimes});
    }
    return keys;
}

std::string outputSchema(std::string_view kind)
{
    const auto* output = std::ranges::find(kOutputs, kind, &Output::kind);
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", fmt::format("What cardfit {} --json prints", kind)}, {"type", "object"},
        {"properties", {{"format", {{"const", output->format}}}, {"version", {{"const", 1}}}}},
        {"required", {"format", "version"}}};
    const Rows rows = output->rows();
    for (std::size_t i = 0; i < rows.rows.size(); ++i)
        place(schema, rows.paths[i], rows.rows[i]);
    return indentedJson(schema);
}

} // namespace cardfit
