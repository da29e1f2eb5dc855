// SPDX-License-Identifier: GPL-3.0-or-later
// The Python module: what the commands answer, as values of Python. cardfit/__init__.py shows it to users.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <future>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "core/estimate/estimate.h"
#include "core/explain/explain.h"
#include "core/files/plan_file.h"
#include "core/files/plan_schema.h"
#include "core/files/preset_library.h"
#include "core/files/search_words.h"
#include "core/launch/plan_reader.h"
#include "core/report/comparison_text.h"
#include "core/report/explanation_text.h"
#include "core/report/json_text.h"
#include "core/report/limits_text.h"
#include "core/report/output_schema.h"
#include "core/report/presets_json.h"
#include "core/report/search_answer.h"
#include "core/report/search_text.h"
#include "core/report/sweep_text.h"

namespace py = pybind11;

namespace cardfit::python {

namespace {

py::object attribute(const char* name) { return py::module_::import("cardfit").attr(name); }

/// Raises cardfit.Error, which says where in the plan something is wrong.
[[noreturn]] void raise(const Error& error)
{
    const py::object type = attribute("Error");
    PyErr_SetObject(type.ptr(), type(errorJson(error)).ptr());
    throw py::error_already_set();
}

template <class Value> Value valueOr(Result<Value> result)
{
    if (!result) raise(result.error());
    return *std::move(result);
}

// ---- Values of Python as JSON text, which the strict reader of plan files reads

void writeJson(py::handle value, std::string& text, int depth)
{
    constexpr int kDeepest = 64; // deeper than any plan; an object may contain itself
    if (depth > kDeepest) throw py::value_error("a plan does not nest so deeply");
    const auto items = [&](char open, char close, auto&& each) {
        text += open;
        const std::size_t empty = text.size();
        each([&] {
            if (text.size() != empty) text += ',';
        });
        text += close;
    };
    if (value.is_none()) {
        text += "null";
    } else if (PyBool_Check(value.ptr())) {
        text += value.ptr() == Py_True ? "true" : "false";
    } else if (PyLong_Check(value.ptr())) {
        text += py::str(value).cast<std::string_view>();
    } else if (PyFloat_Check(value.ptr())) {
        text += fmt::format("{}", value.cast<double>());
    } else if (PyUnicode_Check(value.ptr())) {
        text += '"';
        for (const char c : value.cast<std::string_view>()) {
            if (c == '"' || c == '\\')
                text += {'\\', c};
            else if (static_cast<unsigned char>(c) < 0x20)
                text += fmt::format("\\u{:04x}", c);
            else
                text += c;
        }
        text += '"';
    } else if (PyDict_Check(value.ptr())) {
        items('{', '}', [&](auto&& next) {
            for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
                if (!PyUnicode_Check(key.ptr())) throw py::type_error("keys of a plan are texts");
                next();
                writeJson(key, text, depth + 1);
                text += ':';
                writeJson(item, text, depth + 1);
            }
        });
    } else if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
        items('[', ']', [&](auto&& next) {
            for (const py::handle item : value) {
                next();
                writeJson(item, text, depth + 1);
            }
        });
    } else if (PyIndex_Check(value.ptr())) { // a whole number of another library
        writeJson(py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr())), text, depth + 1);
    } else if (PyNumber_Check(value.ptr())) {
        writeJson(py::float_(py::reinterpret_borrow<py::object>(value)), text, depth + 1);
    } else {
        throw py::type_error(fmt::format("a plan holds no {}", Py_TYPE(value.ptr())->tp_name));
    }
}

std::string jsonOf(py::handle value)
{
    std::string text;
    writeJson(value, text, 0);
    return text;
}

py::object parsed(const std::string& json)
{
    static const py::handle loads = py::object(py::module_::import("json").attr("loads")).release();
    return loads(json);
}

// ---- An estimate as a dict

/// Texts that come again and again, such as keys and ids, are made once.
class Texts {
public:
    /// A new reference.
    PyObject* operator()(std::string_view text)
    {
        constexpr std::size_t kMost = 1U << 14;
        if (const auto found = m_known.find(text); found != m_known.end()) return Py_NewRef(found->second);
        PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
        if (made == nullptr) throw py::error_already_set();
        if (m_known.size() < kMost) m_known.emplace(text, Py_NewRef(made));
        return made;
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, PyObject*, Hash, std::equal_to<>> m_known;
};

/// Builds dicts and lists. Without pybind11's objects: an estimate has thousands of values.
class DictSink : public JsonSink {
public:
    /// Fills `root`, a dict, which outlives the sink.
    DictSink(const py::object& root, Texts& texts)
        : m_texts(texts)
        , m_root(root.ptr())
    {
    }
    DictSink(const DictSink&) = delete;
    DictSink& operator=(const DictSink&) = delete;
    ~DictSink() override { Py_XDECREF(m_key); }

    void key(std::string_view name) override
    {
        Py_XDECREF(m_key);
        m_key = m_texts(name);
    }
    void null() override { put(Py_NewRef(Py_None)); }
    void flag(bool value) override { put(PyBool_FromLong(value ? 1 : 0)); }
    void whole(std::int64_t value) override { put(PyLong_FromLongLong(value)); }
    void number(double value) override { put(PyFloat_FromDouble(value)); }
    void text(std::string_view value) override { put(m_texts(value)); }
    void beginObject() override { m_open.empty() ? m_open.push_back(m_root) : begin(PyDict_New()); }
    void beginArray() override { begin(PyList_New(0)); }
    void end() override { m_open.pop_back(); }

private:
    void begin(PyObject* container)
    {
        put(container); // which keeps it
        m_open.push_back(container);
    }
    /// Takes the reference.
    void put(PyObject* value)
    {
        if (value == nullptr) throw py::error_already_set();
        PyObject* into = m_open.back();
        const int failed = PyList_CheckExact(into) ? PyList_Append(into, value) : PyDict_SetItem(into, m_key, value);
        Py_DECREF(value);
        if (failed != 0) throw py::error_already_set();
    }

    Texts& m_texts;
    PyObject* m_root;
    PyObject* m_key = nullptr;
    std::vector<PyObject*> m_open;
};

// ---- Arguments

const Presets& presets()
{
    // Presets beside the package come last, as those beside a program do.
    static const Presets* found = [] {
        auto directories = presetDirectories();
        directories.emplace_back(attribute("_presets").cast<std::string>());
        return new Presets(loadPresets(directories));
    }();
    return *found;
}

void warn(const std::string& text)
{
    if (PyErr_WarnEx(attribute("Warning").ptr(), text.c_str(), 2) != 0) throw py::error_already_set();
}

std::string describe(const std::string& name, const LaunchNote& note)
{
    return fmt::format("{}: {}: {}", name, note.assumed ? "assumed" : "not mapped", cardfit::describe(note));
}

ReadPlan readPlanOf(const py::object& plan, const PlanWords& words)
{
    if (py::isinstance<py::dict>(plan)) {
        // Loops read the same plan again and again, to change it by `set`.
        static std::string& last_text = *new std::string();
        static ReadPlan& last = *new ReadPlan();
        std::string text = jsonOf(plan);
        const bool plain = words.model.empty() && words.on.empty();
        if (plain && text == last_text) return last;
        ReadPlan read = valueOr(planFromText(text, "-", words, presets()));
        if (plain) {
            last = read;
            last_text = std::move(text);
        }
        return read;
    }
    const std::string name = py::module_::import("os").attr("fspath")(plan).cast<std::string>();
    return valueOr(readAnyPlan(name, words, presets()));
}

/// What every function takes: a plan, `set`, `on` and `model`.
Plan planOf(const py::object& given, const py::object& set, const std::string& on, const std::string& model)
{
    ReadPlan read = readPlanOf(given, {std::nullopt, model, on});
    const std::string name = py::isinstance<py::dict>(given) ? "plan" : py::str(given).cast<std::string>();
    for (const LaunchNote& note : read.notes)
        warn(describe(name, note));
    for (const Sentence& remark : read.remarks)
        warn(fmt::format("{}: {}", name, remark.english()));
    if (set.is_none()) return std::move(read.plan);
    for (const auto& [pointer, value] : set.cast<py::dict>()) {
        const std::string text = PyUnicode_Check(value.ptr()) ? value.cast<std::string>() : jsonOf(value);
        read.plan = valueOr(withSetting(read.plan, fmt::format("{}={}", pointer.cast<std::string>(), text), presets()));
    }
    return std::move(read.plan);
}

/// Runs `work(stop_token)` in another thread, and stops it at Ctrl+C.
template <class Work> auto interruptible(Work work)
{
    constexpr std::chrono::milliseconds kBetween{20};
    std::stop_source stop;
    auto answer = std::async(std::launch::async, [&] { return work(stop.get_token()); });
    for (bool interrupted = false;;) {
        bool over = false;
        {
            const py::gil_scoped_release others_run;
            over = answer.wait_for(kBetween) == std::future_status::ready;
        }
        if (over && interrupted) throw py::error_already_set();
        if (over) return answer.get();
        if (!interrupted && PyErr_CheckSignals() != 0) {
            interrupted = true;
            stop.request_stop();
        }
    }
}

Estimate estimateOf(const Plan& plan)
{
    const py::gil_scoped_release others_run;
    return cardfit::estimate(plan);
}

// ---- Functions

py::object estimateFunction(const py::object& given, const py::object& set, const std::string& on,
    const std::string& model, const std::vector<std::string>& fields)
{
    // Never destroyed: it holds objects of an interpreter that may be gone by then.
    static Texts& texts = *new Texts();
    static const py::handle type = attribute("Estimate").release();
    const Estimate made = estimateOf(planOf(given, set, on, model));
    if (fields.empty()) {
        py::object answer = type();
        DictSink sink(answer, texts);
        writeEstimate(sink, made);
        return answer;
    }
    for (const std::string& field : fields) {
        if (!isEstimateField(field))
            raise({ErrorCode::Usage, "fields", {}, Sentence::verbatim("an estimate has no field " + field)});
    }
    return parsed(estimateFieldsJson(made, fields));
}

py::object planFunction(const py::object& given, const py::object& set, const std::string& on, const std::string& model)
{
    return parsed(planText(planOf(given, set, on, model)));
}

py::object checkFunction(
    const py::object& given, const py::object& set, const std::string& on, const std::string& model)
{
    return parsed(checkJson(estimateOf(planOf(given, set, on, model))));
}

py::object adviseFunction(
    const py::object& given, const py::object& set, const std::string& on, const std::string& model)
{
    const Plan plan = planOf(given, set, on, model);
    return parsed(adviceJson(interruptible([&](const std::stop_token& stop) {
        return adviceFor(plan, Profile::AsPlanned, [&stop] { return stop.stop_requested(); });
    })));
}

py::object compareFunction(const py::object& before, const py::object& after)
{
    const Plan from = planOf(before, py::none(), {}, {});
    const Plan to = planOf(after, py::none(), {}, {});
    return parsed(comparisonJson({from, estimateOf(from)}, {to, estimateOf(to)}));
}

py::object explainFunction(const py::object& given, const std::string& figure, const py::object& set,
    const std::string& on, const std::string& model)
{
    const Plan plan = planOf(given, set, on, model);
    const Estimate made = estimateOf(plan);
    if (!made.complete())
        raise({ErrorCode::OutOfRange, {}, Sentence::verbatim(made.checks.front().id), made.checks.front().message});
    return parsed(explanationJson(valueOr(explain(plan, made, figure))));
}

py::object searchFunction(const py::object& given, const py::object& set, const std::string& on,
    const std::string& model, const SearchWords& words)
{
    const Plan plan = planOf(given, set, on, model);
    // The runs that the package brings, unless CARDFIT_VALIDATION or an installation beside it has them.
    std::filesystem::path measured = measuredCasesFile("time.json");
    if (std::error_code missing; !std::filesystem::exists(measured, missing))
        measured = std::filesystem::path(attribute("_validation").cast<std::string>()) / "time.json";
    const AnsweredSearch answer = valueOr(interruptible(
        [&](const std::stop_token& stop) { return answerSearch(plan, words, presets(), measured, {}, stop); }));
    return parsed(searchJson(answer.request, answer.result, {},
        {answer.ground ? &*answer.ground : nullptr, answer.no_ground, answer.solved}));
}

py::object sweepFunction(const py::object& given, const py::object& set, const std::string& on,
    const std::string& model, const SweepWords& words)
{
    const SweepRequest request = valueOr(sweepFrom(planOf(given, set, on, model), words, presets()));
    const auto cells = interruptible([&](const std::stop_token& stop) { return sweep(request, {}, stop); });
    return parsed(sweepJson(request, cells));
}

py::object presetsFunction(const std::string& kind)
{
    for (const Error& problem : presets().problems)
        warn(cardfit::describe(problem));
    return parsed(presetsJson(presets(), kind));
}

std::optional<Launcher> launcherOf(const std::string& word)
{
    const auto launcher = launcherNamed(word);
    if (!launcher && !word.empty())
        raise({ErrorCode::Usage, "launcher", {}, Sentence::verbatim("there is no launcher " + word)});
    return launcher;
}

py::tuple importFunction(
    const std::string& text, const std::string& name, const std::string& launcher, const PlanWords& words)
{
    const ReadPlan read = valueOr(
        planFromText(text, name, {launcherOf(launcher), words.model, words.on}, presets()).map_error([&](Error error) {
            return name == "-" ? error : inFile(std::move(error), name);
        }));
    py::list notes;
    for (const LaunchNote& note : read.notes) {
        py::dict one;
        one["what"] = note.what;
        one["value"] = note.value;
        one["why"] = note.why.english();
        one["assumed"] = note.assumed;
        notes.append(std::move(one));
    }
    return py::make_tuple(parsed(planText(read.plan)), notes);
}

std::string exportFunction(const py::object& given, const std::string& launcher, const py::object& set,
    const std::string& on, const std::string& model)
{
    const auto kind = launcherOf(launcher);
    const ExportedLaunch exported =
        valueOr(exportLaunch(kind.value_or(Launcher::Megatron), planOf(given, set, on, model)));
    for (const LaunchNote& note : exported.notes)
        warn("not written: " + cardfit::describe(note));
    return exported.text;
}

py::object schemaFunction(const std::string& kind)
{
    const auto has = [&](const std::vector<std::string>& kinds) {
        return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
    };
    if (has(outputKinds())) return parsed(outputSchema(kind));
    if (has(schemaKinds())) return parsed(jsonSchema(kind));
    raise({ErrorCode::Usage, {}, {}, Sentence::verbatim("there is no schema of " + kind)});
}

} // namespace

} // namespace cardfit::python

PYBIND11_MODULE(_cardfit, module)
{
    using namespace cardfit::python;
    using py::arg;
    const auto set = arg("set") = py::none();
    const auto on = arg("on") = "";
    const auto model = arg("model") = "";
    module.attr("__version__") = CARDFIT_VERSION;
    module.def("estimate", estimateFunction, arg("plan"), set, on, model, arg("fields") = std::vector<std::string>());
    module.def("plan", planFunction, arg("plan"), set, on, model);
    module.def("check", checkFunction, arg("plan"), set, on, model);
    module.def("advise", adviseFunction, arg("plan"), set, on, model);
    module.def("compare", compareFunction, arg("before"), arg("after"));
    module.def("explain", explainFunction, arg("plan"), arg("figure"), set, on, model);
    using Words = std::vector<std::string>;
    module.def(
        "search",
        [](const py::object& plan, const py::object& settings, const std::string& cluster, const std::string& of_model,
            const Words& values, const Words& pins, const Words& free, const std::string& cards,
            const Words& accelerators, const std::string& objective, const Words& limits, const std::string& pareto,
            std::size_t top, std::size_t threads, bool why, std::optional<double> margin,
            std::optional<double> deadline, std::optional<double> budget, const std::string& unknown) {
            return searchFunction(plan, settings, cluster, of_model,
                {{free, pins, values, cards, accelerators}, objective, limits, pareto, top, threads, why, margin,
                    deadline, budget, unknown});
        },
        arg("plan"), set, on, model, arg("values") = Words(), arg("pins") = Words(), arg("free") = Words(),
        arg("cards") = "", arg("accelerators") = Words(), arg("objective") = "days", arg("limits") = Words(),
        arg("pareto") = "memory,days", arg("top") = 5, arg("threads") = 0, arg("why") = false,
        arg("margin") = py::none(), arg("deadline") = py::none(), arg("budget") = py::none(), arg("solve") = "");
    module.def(
        "sweep",
        [](const py::object& plan, const std::string& x, const std::string& y, bool best, const std::string& figure,
            const py::object& settings, const std::string& cluster, const std::string& of_model) {
            return sweepFunction(plan, settings, cluster, of_model, {x, y, best, figure});
        },
        arg("plan"), arg("x"), arg("y") = "", arg("best") = false, arg("figure") = "days", set, on, model);
    module.def("presets", presetsFunction, arg("kind") = "");
    module.def(
        "import_launch",
        [](const std::string& text, const std::string& name, const std::string& launcher, const std::string& cluster,
            const std::string& of_model) {
            return importFunction(text, name, launcher, {std::nullopt, of_model, cluster});
        },
        arg("text"), arg("name"), arg("launcher"), on, model);
    module.def("export_launch", exportFunction, arg("plan"), arg("launcher"), set, on, model);
    module.def("schema", schemaFunction, arg("kind"));
}
