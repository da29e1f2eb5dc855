// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/torchtitan/torchtitan_python.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/launch/notes.h"
#include "core/launch/python/python_values.h"
#include "core/launch/torchtitan/torchtitan_words.h"

namespace cardfit {

namespace {

/// Sections whose literals are options of the command.
constexpr auto kPythonSections = std::to_array<std::string_view>({"training", "parallelism", "compile"});

struct WordOfClass {
    std::string_view part; ///< of the class's name
    std::string_view word; ///< in a command or a TOML file
};
constexpr auto kPythonCheckpointing = std::to_array<WordOfClass>(
    {{"FullAC", "full"}, {"SelectiveAC", "selective"}, {"MemoryBudgetAC", "memory_budget"}, {"NoAC", "none"}});
constexpr auto kPythonConverters =
    std::to_array<WordOfClass>({{"Float8Linear", "quantize.linear.float8"}, {"MXFP8Linear", "quantize.linear.mx"},
        {"Float8Grouped", "quantize.grouped_mm.float8"}, {"MXFP8Grouped", "quantize.grouped_mm.mx"}});

template <class Rows> std::string_view wordOfClass(const Rows& rows, std::string_view name)
{
    const auto* found = std::ranges::find_if(
        rows, [&](const WordOfClass& row) { return name.find(row.part) != std::string_view::npos; });
    return found == rows.end() ? std::string_view() : found->word;
}

/// torchtitan's models by the beginnings of their configurations' names: "qwen35_27b", "sft_qwen3_8b_math".
std::string moduleOfPython(std::string_view configuration)
{
    constexpr auto kModules =
        std::to_array<WordOfClass>({{"qwen35", "qwen3_5"}, {"qwen3_5", "qwen3_5"}, {"qwen3", "qwen3"},
            {"llama3", "llama3"}, {"llama4", "llama4"}, {"deepseek_v3", "deepseek_v3"}, {"gpt_oss", "gpt_oss"}});
    const std::string_view word = wordOfClass(kModules, configuration);
    return std::string(word.empty() ? configuration : word);
}

class PythonRegistry {
public:
    explicit PythonRegistry(const PythonConfiguration& one)
        : m_one(one)
    {
    }

    Result<TorchtitanPython> read(const Cluster& base)
    {
        TorchtitanPython result;
        m_command.cluster = base;
        m_notes.addAssumed("cards", fmt::format("{} x {}", base.nodes, base.cards_per_node),
            Sentence::tr("not in torchtitan's configuration; taken from the cluster"));
        if (auto error = readModel()) return tl::unexpected<Error>(*std::move(error));
        for (const std::string_view section : kPythonSections)
            readSection(section);
        const Json* checkpointing = at("activation_checkpoint");
        const bool none = m_one.value.contains("activation_checkpoint") && checkpointing == nullptr;
        const std::string_view name = checkpointing == nullptr ? "SelectiveAC" : calledName(*checkpointing);
        const std::string_view mode = none ? "none" : wordOfClass(kPythonCheckpointing, name);
        add("activation_checkpoint.mode", std::string(mode.empty() ? name : mode));
        if (mode == "selective") add("activation_checkpoint.selective_ac_option", "op");
        const Json* loss = at("loss");
        result.chunked_loss = loss != nullptr && calledName(*loss).find("Chunked") != std::string_view::npos;
        for (const std::string& statement : m_one.unread)
            m_notes.addAssumed("not read", statement, Sentence::tr("no literal; what it sets is missing"));
        m_command.notes = std::move(m_notes).take();
        result.command = std::move(m_command);
        return result;
    }

private:
    [[nodiscard]] const Json* at(std::string_view key) const
    {
        const auto found = m_one.value.find(key);
        return found == m_one.value.end() || found->is_null() ? nullptr : &*found;
    }

    void add(std::string path, std::string value)
    {
        m_command.options.push_back({std::move(path), {std::move(value)}, m_one.line});
    }

    std::optional<Error> readModel()
    {
        const Json* spec = at("model_spec");
        const Json* given = spec == nullptr || !spec->is_object() ? nullptr : &*spec;
        const auto arguments = given == nullptr ? Json::const_iterator() : given->find(kArguments);
        const bool literal =
            given != nullptr && arguments != given->end() && !arguments->empty() && arguments->front().is_string();
        if (!literal)
            return Error{ErrorCode::WrongFormat, {}, Sentence::verbatim(fmt::format("{}: model_spec", m_one.name)),
                Sentence::tr("expected model_registry(\"8B\") with a literal, found another expression")};
        m_command.configuration = "";
        add("model.name", moduleOfPython(m_one.name));
        add("model.flavor", arguments->front().get<std::string>());
        if (const auto backend = given->find("moe_comm_backend"); backend != given->end() && backend->is_string())
            add("parallelism.expert_parallel_comm_backend", backend->get<std::string>());
        const auto converters = given->find("converters");
        if (converters == given->end() || !converters->is_array()) return std::nullopt;
        TorchtitanOption words{"model.converters", {}, m_one.line};
        for (const Json& converter : *converters) {
            const std::string_view name = calledName(converter);
            if (const std::string_view word = wordOfClass(kPythonConverters, name); !word.empty())
                words.values.emplace_back(word);
            else
                m_notes.addAssumed("converters", name, Sentence::tr("plans do not support it; it is passed over"));
        }
        if (!words.values.empty()) m_command.options.push_back(std::move(words));
        return std::nullopt;
    }

    void readSection(std::string_view section)
    {
        const Json* fields = at(section);
        if (fields == nullptr || !fields->is_object()) return;
        for (const auto& [key, value] : fields->items()) {
            if (key == kCalled || key == kArguments || key == kOf || key == kUnread || value.is_null()) continue;
            TorchtitanOption option{fmt::format("{}.{}", section, key), {}, m_one.line};
            const bool list = option.path == "compile.components" && value.is_array();
            if (value.is_string()) {
                option.values.push_back(value.get<std::string>());
            } else if (value.is_boolean() || value.is_number()) {
                option.values.push_back(value.dump());
            } else if (list) {
                for (const Json& item : value) {
                    if (item.is_string()) option.values.push_back(item.get<std::string>());
                }
            } else {
                m_notes.addAssumed(
                    option.path, calledName(value), Sentence::tr("no literal; torchtitan's default is taken"));
                continue;
            }
            m_command.options.push_back(std::move(option));
        }
    }

    const PythonConfiguration& m_one;
    TorchtitanCommand m_command;
    Notes m_notes;
};

} // namespace

bool isTorchtitanPython(std::string_view text)
{
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return !text.starts_with('{') && holds("\ndef ") && holds("Trainer.Config(") && holds("torchtitan");
}

Result<TorchtitanPython> readTorchtitanPython(const LaunchText& text, const Cluster& base)
{
    const auto one =
        configurationOf(text, [](const Json& value) { return calledName(value).ends_with("Trainer.Config"); });
    if (!one) return tl::unexpected<Error>(one.error());
    return PythonRegistry(*one).read(base);
}

} // namespace cardfit
