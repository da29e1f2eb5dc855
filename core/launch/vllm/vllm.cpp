// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/vllm/vllm.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/estimate/server.h"
#include "core/estimate/serving_curve.h"
#include "core/launch/checkpoint_names.h"
#include "core/launch/flag_reader.h"
#include "core/launch/model_names.h"
#include "core/launch/notes.h"
#include "core/launch/shell/command_line.h"
#include "core/launch/shell/shell_words.h"
#include "core/launch/vllm/bench_load.h"
#include "core/launch/vllm/server_commands.h"
#include "core/rules/checks.h"

namespace cardfit {

namespace {

struct QuantizationWord {
    std::string_view word;
    Precision format;
};
/// Values of --quantization; without it the checkpoint's own format is used.
constexpr auto kQuantizations = std::to_array<QuantizationWord>(
    {{"fp8", Precision::Fp8}, {"fbgemm_fp8", Precision::Fp8}, {"ptpc_fp8", Precision::Fp8},
        {"modelopt", Precision::Fp8}, {"modelopt_fp4", Precision::Nvfp4}, {"mxfp4", Precision::Mxfp4},
        {"bitsandbytes", Precision::Nf4}, {"experts_int8", Precision::Int8}, {"awq", Precision::Nf4},
        {"awq_marlin", Precision::Nf4}, {"gptq", Precision::Nf4}, {"gptq_marlin", Precision::Nf4}});
constexpr std::string_view kServe = "vllm serve";
constexpr std::string_view kBenchmark = "vllm bench"; ///< of a server that runs elsewhere

/// "8192", "16k" (x 1,000) and "16K" (x 1,024), as in vLLM's human_readable_int.
std::optional<std::int64_t> readableCount(std::string_view text)
{
    std::int64_t unit = 1;
    constexpr auto kUnits =
        std::to_array<std::pair<char, std::int64_t>>({{'k', 1000}, {'m', 1'000'000}, {'K', 1024}, {'M', 1024 * 1024}});
    for (const auto& [letter, value] : kUnits) {
        if (text.empty() || text.back() != letter) continue;
        unit = value;
        text.remove_suffix(1);
        break;
    }
    const auto number = numberIn<double>(text);
    if (!number || *number <= 0.0 || *number * static_cast<double>(unit) > 0x1p40) return std::nullopt;
    const double count = *number * static_cast<double>(unit);
    return count >= 1.0 ? std::optional(static_cast<std::int64_t>(count)) : std::nullopt;
}

class VllmImport {
public:
    VllmImport(const LaunchCommand& command, const Plan& base, const Presets& presets)
        : m_command(command)
        , m_flags(command.program)
        , m_presets(presets)
    {
        if (base.workload.task == Task::Inference) {
            m_base_format = base.recipe.precision;
            m_base_parts = base.recipe.weights_precision;
        }
        m_plan = fineTuningPlan(base);
        m_plan.workload = {};
        m_plan.workload.task = Task::Inference;
        Recipe recipe;
        recipe.kernels = Kernels::Compiled;
        recipe.sharding = Sharding::None;
        recipe.gradient_accumulation_fusion = false;
        recipe.engine = servedBy(command);
        m_plan.recipe = recipe;
    }

    Result<ImportedPlan> run(const LaunchText& text)
    {
        readServedModel();
        readDegrees();
        readSizes();
        readServedFormats();
        noteOthers();
        noteOtherCommands(m_command, m_flags);
        noteUnknown(m_command, m_flags);
        if (m_flags.error()) return tl::unexpected<Error>(*m_flags.error());
        std::ranges::move(readBenchLoad(m_command, text, m_plan.workload), std::back_inserter(m_all));
        chooseSequences();
        for (LaunchNote& note : m_flags.notes())
            m_all.push_back(std::move(note));
        return ImportedPlan{std::move(m_plan), std::move(m_all)};
    }

private:
    void readServedModel()
    {
        // What may hold options is told of by noteUnknown(), and may come before the model.
        std::vector<std::string> words = m_command.arguments;
        if (words.size() > 1 || m_flags.has("--model"))
            std::erase_if(words, [](const std::string& word) { return word.starts_with("${") && word.ends_with('}'); });
        const auto named = m_flags.word("--model");
        if (!words.empty()) m_model = words.front();
        if (named && !words.empty() && m_model != *named)
            m_all.push_back(
                {"--model", *named, Sentence::tr("the model of the command, which also names {}", {m_model}), true});
        if (named) m_model = *named;
        for (std::size_t at = 1; at < words.size(); ++at)
            m_all.push_back({words[at], {}, Sentence::tr("belongs to no option; not read"), true});
        if (m_model.empty()) {
            m_flags.notes().push_back(
                noModelNote(m_plan.model, Sentence::tr("not in the command; the starting plan's model is used")));
            return;
        }
        Notes notes;
        setModelByName(m_plan, "vllm serve", m_model, m_presets, notes);
        std::ranges::move(std::move(notes).take(), std::back_inserter(m_all));
    }

    void readDegrees()
    {
        auto& degrees = m_plan.parallelism;
        std::int64_t replicas = 1;
        m_flags.read("--tensor-parallel-size", degrees.tensor);
        m_flags.read("--pipeline-parallel-size", degrees.pipeline);
        m_flags.read("--data-parallel-size", replicas);
        attendApart(replicas);
        degrees.data = replicas;
        const auto cards = countProduct({degrees.tensor, degrees.pipeline, replicas});
        if (!cards)
            return m_flags.note("--tensor-parallel-size", Sentence::tr("more cards together than any cluster has"));
        // Experts are spread over all ranks of tensor and data parallelism (docs.vllm.ai, data parallel deployment), or
        // divided by them, which is the default of a served plan.
        const bool spread = m_flags.flag("--enable-expert-parallel");
        if (m_plan.model.architecture.moe && spread)
            degrees.expert = countProduct({degrees.tensor, replicas}).value_or(1);
        // SGLang and TensorRT-LLM say how many, and divide each expert by the rest.
        const auto experts = m_flags.whole("--expert-parallel-size");
        const std::int64_t all = countProduct({degrees.tensor, replicas}).value_or(1);
        if (m_plan.model.architecture.moe && experts && *experts > 1 && all % *experts == 0) {
            degrees.expert = *experts;
            if (all > *experts) degrees.expert_tensor = all / *experts;
        } else if (m_plan.model.architecture.moe && exchangesTokens()) {
            degrees.expert = all;
        } else if (experts && all % *experts != 0) {
            m_flags.note("--expert-parallel-size", Sentence::tr("does not divide the {} ranks", {all}));
        }
        Cluster& cluster = m_plan.cluster;
        const std::int64_t per_node = std::max<std::int64_t>(cluster.cards_per_node, 1);
        cluster.nodes = (*cards + per_node - 1) / per_node;
        if (cluster.nodes == 1) cluster.cards_per_node = *cards;
        m_flags.note("cards", fmt::format("{}", *cards),
            Sentence::tr("as many as the degrees need; the kind of card is taken from the cluster"));
    }

    /// Whether tokens travel to their experts, which are then on all ranks (sglang/srt/server_args.py,
    /// moe_a2a_backend).
    bool exchangesTokens()
    {
        const std::string by = m_flags.word("--moe-a2a-backend").value_or("none");
        return by != "none" || m_flags.flag("--enable-deepep-moe");
    }

    /// Attention on ranks with sequences of their own, which are part of the tensor ranks: as many as SGLang is told
    /// (server_args.py, enable_dp_attention), all of them for TensorRT-LLM (llm_args.py, enable_attention_dp).
    void attendApart(std::int64_t& replicas)
    {
        const bool some = m_flags.flag("--enable-dp-attention");
        const bool all = m_flags.flag("--enable-attention-dp");
        if (!some && !all) return;
        const std::string_view name = some ? "--enable-dp-attention" : "--enable-attention-dp";
        std::int64_t& tensor = m_plan.parallelism.tensor;
        const std::int64_t apart = std::exchange(replicas, 1);
        if (!m_plan.model.architecture.moe)
            return m_flags.noteAssumed(
                name, Sentence::tr("plans have no attention that is replicated within tensor parallelism"));
        replicas = all ? tensor : apart;
        if (tensor % replicas != 0)
            return m_flags.refuse(
                name, ErrorCode::OutOfRange, Sentence::tr("a degree that divides the {} tensor ranks", {tensor}));
        tensor /= replicas;
        if (some) m_sizes_for = replicas;
    }

    void readSizes()
    {
        Recipe& recipe = m_plan.recipe;
        const auto size = [&](std::string_view name) -> std::optional<std::int64_t> {
            const auto word = m_flags.word(name);
            if (!word || *word == "auto" || *word == "-1") return std::nullopt;
            const auto value = readableCount(*word);
            if (!value) m_flags.refuse(name, ErrorCode::WrongType, Sentence::tr("a number such as 8192 or 16k"));
            constexpr std::int64_t kMostSequences = 65536; // limit of the plan's field
            if (value && name == "--max-num-seqs" && *value > kMostSequences)
                m_flags.refuse(name, ErrorCode::OutOfRange, Sentence::tr("at most {} sequences", {kMostSequences}));
            return value;
        };
        const std::int64_t made_for = m_plan.model.architecture.max_position_embeddings;
        if (const auto length = size("--max-model-len"))
            m_plan.workload.sequence_length = *length;
        else if (made_for > 0)
            m_plan.workload.sequence_length = made_for;
        const auto ofOne = [&](std::string_view name) {
            const auto whole = size(name);
            return whole ? std::optional(std::max<std::int64_t>(*whole / m_sizes_for, 1)) : whole;
        };
        recipe.max_num_seqs = ofOne("--max-num-seqs");
        recipe.max_num_batched_tokens = ofOne("--max-num-batched-tokens");
        if (m_flags.has("--gpu-memory-utilization")) {
            double share = 0.9;
            m_flags.read("--gpu-memory-utilization", share, 0.0, 1.0);
            recipe.gpu_memory_utilization = share;
        }
        const auto block = size("--block-size");
        if (block && *block != kCacheBlock)
            m_flags.note("--block-size", Sentence::tr("blocks of {} tokens are counted", {kCacheBlock}));
    }

    void readServedFormats()
    {
        Recipe& recipe = m_plan.recipe;
        const std::string type = m_flags.word("--dtype").value_or("auto");
        if (type == "half" || type == "float16")
            recipe.precision = Precision::Fp16;
        else if (type == "float" || type == "float32")
            recipe.precision = Precision::Fp32;
        else if (type != "auto" && type != "bfloat16")
            m_flags.refuse(
                "--dtype", ErrorCode::UnknownName, Sentence::tr("one of {}", {"auto, bfloat16, half, float32"}));
        const auto quantized = m_flags.word("--quantization");
        const auto* by_option = quantized
            ? std::ranges::find(kQuantizations, std::string_view(*quantized), &QuantizationWord::word)
            : kQuantizations.end();
        if (by_option != kQuantizations.end())
            recipe.precision = by_option->format;
        else
            readCheckpointFormat(type);
        if (quantized && *quantized != "None" && by_option == kQuantizations.end())
            m_flags.note("--quantization", *quantized,
                Sentence::tr("plans do not support it; {} weights are used", {name(recipe.precision)}));
        else if (quantized && recipe.precision == Precision::Nf4 && *quantized != "bitsandbytes")
            m_flags.note("--quantization", *quantized, Sentence::tr("read as nf4, which takes as many bytes"));
        const std::string cache = m_flags.word("--kv-cache-dtype").value_or("auto");
        if (cache.starts_with("fp8"))
            recipe.kv_cache_precision = Precision::Fp8;
        else if (cache != "auto" && cache != "bfloat16")
            m_flags.note("--kv-cache-dtype", Sentence::tr("plans do not support it; 16 bits are used"));
    }

    /// Without --quantization a checkpoint is served in its own format; --dtype changes 16 bits only.
    void readCheckpointFormat(std::string_view type)
    {
        auto format = formatOfName(m_model);
        const bool unknown = std::ranges::any_of(m_all, [](auto& note) { return note.model != ModelOfBase::No; });
        if ((unknown || m_model.empty()) && !format && m_base_format)
            format = CheckpointFormat{*m_base_format, true, {}, m_base_parts};
        const bool narrow = format && format->format != Precision::Bf16 && format->format != Precision::Fp16;
        if (!format || (!narrow && type != "auto")) return;
        m_plan.recipe.precision = format->format;
        m_plan.recipe.weights_precision = format->parts;
        const Sentence why = !format->published
            ? Sentence::tr("its name suggests a checkpoint in {}", {name(format->format)})
            : Sentence::tr("its checkpoint is published in {}", {name(format->format)});
        m_all.push_back({"vllm serve", m_model, why, true});
        if (!format->apart.empty()) m_all.push_back({"vllm serve", m_model, format->apart, true});
    }

    void noteOthers()
    {
        m_flags.skip({"--host", "--port", "--api-key", "--served-model-name", "--download-dir", "--load-format",
            "--trust-remote-code", "--tokenizer", "--tokenizer-mode", "--revision", "--seed", "--uvicorn-log-level",
            "--disable-log-requests", "--disable-log-stats", "--enable-auto-tool-choice", "--tool-call-parser",
            "--reasoning-parser", "--chat-template", "--enable-prefix-caching", "--no-enable-prefix-caching",
            "--enable-chunked-prefill", "--distributed-executor-backend", "--max-log-len", "--generation-config",
            "--response-role", "--guided-decoding-backend", "--disable-custom-all-reduce", "--async-scheduling",
            "--task", "--runner", "--config", "--backend", "--model-path", "--dataset", "--dataset-name", "--streaming",
            "--warmup", "--num-postprocess-workers", "--log-level", "--gpus-per-node", "--report-json",
            "--iteration-log", "--request-rate", "--random-range-ratio", "--enable-chunked-context",
            "--scheduler-policy", "--eos-id", "--ignore-eos"});
        for (const std::string_view load : benchOptions())
            m_flags.skip({load});
        if (m_flags.flag("--enforce-eager"))
            m_flags.note("--enforce-eager", Sentence::tr("the estimate counts no CUDA graphs either way"));
        for (const LaunchFlag& flag : m_flags.unread())
            m_flags.note(flag.name, fmt::format("{}", fmt::join(flag.values, " ")), kNoField);
    }

    /// Sets the batch to as many sequences as the replicas' caches hold.
    void chooseSequences()
    {
        auto& load = m_plan.workload;
        const std::int64_t replicas = m_plan.parallelism.data.value_or(1);
        load.global_batch_size = replicas;
        if (std::ranges::any_of(check(m_plan), &Check::prevents_estimate)) return;
        load.global_batch_size = servedBatch(m_plan);
        m_flags.note("sequences", fmt::format("{}", load.global_batch_size / replicas),
            Sentence::tr("as many of full length as the cache of a replica holds"));
    }

    const LaunchCommand& m_command;
    FlagReader m_flags;
    std::string m_model;
    const Presets& m_presets;
    std::optional<Precision> m_base_format; ///< of a base that serves its model
    WeightsPrecision m_base_parts;
    Plan m_plan;
    /// Of SGLang: sequences and tokens at once are given for all attention ranks together, and divided by their number
    /// (server_args.py, max_running_requests and chunked_prefill_size).
    std::int64_t m_sizes_for = 1;
    std::vector<LaunchNote> m_all;
};

} // namespace

bool isVllmCommand(std::string_view text)
{
    const auto holds = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    return holds(kServe) || holds("vllm.entrypoints") || holds(kBenchmark) || hidesServerCommand(text);
}

Result<ImportedPlan> importVllm(const LaunchText& text, const Plan& base, const Presets& presets)
{
    const auto found = serverCommandIn(text.text);
    if (!found) return tl::unexpected<Error>(found.error());
    auto command = readCommandOf(serverProgram, {found->text, text.files});
    if (!command) return tl::unexpected<Error>(command.error());
    if (command->name.empty()) {
        const auto other = std::ranges::find_if(
            command->programs, [](const std::string& program) { return program.starts_with("vllm "); });
        return fail(ErrorCode::WrongFormat, {},
            Sentence::tr("expected a command that starts a server, such as vllm serve MODEL, found {}",
                {other == command->programs.end() ? Sentence::tr("nothing") : Sentence::verbatim(*other)}));
    }
    const auto renamed = useLongNames(*command, text);
    auto imported = VllmImport(*command, base, presets).run({found->text, text.files});
    if (!imported) return imported;
    auto& notes = imported->notes;
    notes.insert(notes.begin(), renamed.begin(), renamed.end());
    notes.insert(notes.begin(), found->notes.begin(), found->notes.end());
    return imported;
}

ExportedLaunch exportVllm(const Plan& plan)
{
    Notes notes;
    const Recipe& recipe = plan.recipe;
    // A name with white space is not a checkpoint's name.
    const std::string& id = plan.model.id;
    const bool plain = !id.empty() && id.front() != '-' && std::ranges::all_of(id, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '/';
    });
    if (engineOf(plan) != Engine::Vllm)
        notes.add(pointerOf<&Recipe::framework>, engineOf(plan), Sentence::tr("this is vLLM's command"));
    std::string text = fmt::format("vllm serve {}", plain ? id : std::string("MODEL"));
    notes.add(pointerOf<&Plan::model>, plan.model.name, Sentence::tr("put the name of its checkpoint here"));
    notes.add(pointerOf<&Plan::cluster>, fmt::format("{} x {}", plan.cluster.nodes, plan.cluster.cards_per_node),
        Sentence::tr("vLLM takes as many cards as its degrees need"));
    const auto option = [&](std::string_view flag, const auto& value) {
        text += fmt::format(" \\\n    {} {}", flag, value);
    };
    option("--tensor-parallel-size", plan.parallelism.tensor);
    if (plan.parallelism.pipeline > 1) option("--pipeline-parallel-size", plan.parallelism.pipeline);
    const std::int64_t replicas = dataParallel(plan);
    if (countProduct({replicas}) && replicas > 1) option("--data-parallel-size", replicas);
    if (!countProduct({replicas}))
        notes.add(pointerOf<&Parallelism::data>, replicas, Sentence::tr("more cards together than any cluster has"));
    if (plan.parallelism.expert > 1) text += " \\\n    --enable-expert-parallel";
    const std::int64_t all = countProduct({plan.parallelism.tensor, replicas}).value_or(1);
    const bool spread = plan.parallelism.expert > 1;
    if (const auto& degrees = plan.parallelism; plan.model.architecture.moe
        && (degrees.expert != (spread ? all : 1) || expertTensor(plan) != (spread ? 1 : all)))
        notes.add(spread ? pointerOf<&Parallelism::expert> : pointerOf<&Parallelism::expert_tensor>,
            spread ? degrees.expert : expertTensor(plan),
            Sentence::tr("vLLM uses all {} ranks of tensor and data parallelism for experts", {all}));
    option("--max-model-len", plan.workload.sequence_length);
    if (recipe.gpu_memory_utilization) option("--gpu-memory-utilization", *recipe.gpu_memory_utilization);
    if (recipe.max_num_seqs) option("--max-num-seqs", *recipe.max_num_seqs);
    if (recipe.max_num_batched_tokens) option("--max-num-batched-tokens", *recipe.max_num_batched_tokens);
    if (recipe.precision == Precision::Fp16) option("--dtype", "half");
    if (recipe.precision == Precision::Fp32) option("--dtype", "float32");
    const auto* quantized = std::ranges::find(kQuantizations, recipe.precision, &QuantizationWord::format);
    if (quantized != kQuantizations.end()) option("--quantization", quantized->word);
    if (recipe.kv_cache_precision == Precision::Fp8) option("--kv-cache-dtype", "fp8");
    return {text + "\n", std::move(notes).take()};
}

std::vector<std::string> vllmEdits(std::string_view text, const OptionEdit& edit)
{
    if (hidesServerCommand(text)) return {};
    std::vector<std::string> proposals = shellEdits(text, edit);
    const std::size_t serve = text.find(kServe);
    if (!edit.value || !edit.neighbours.empty() || serve == std::string_view::npos) return proposals;
    // The first option stands behind the model, if there is one.
    TextCursor cursor(text.substr(serve + kServe.size()));
    cursor.skipBlanks();
    const bool model = !cursor.atEnd() && std::string_view("-\\\n").find(cursor.peek()) == std::string_view::npos;
    if (model) cursor.takeWhile([](char c) { return !shell::isBlank(c) && c != '\n'; });
    const std::size_t at = serve + kServe.size() + (model ? cursor.position() : 0);
    const std::string value = edit.value->empty() ? std::string() : ' ' + *edit.value;
    proposals.push_back(spliced(text, at, at, ' ' + edit.name + value));
    return proposals;
}

} // namespace cardfit
