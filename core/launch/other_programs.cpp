// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/other_programs.h"

#include <algorithm>
#include <array>
#include <string>

namespace cardfit {

namespace {

/// A text has all of the signs; those that begin with a line break stand at the beginning of a line.
struct OtherProgram {
    std::string_view name;
    std::array<std::string_view, 2> signs;
};
/// The first that fits counts: programs before the formats and languages that their files are written in.
constexpr auto kOtherPrograms = std::to_array<OtherProgram>({
    {"Cardfit", {"\"cardfit/"}},
    {"SGLang", {"sglang"}},
    {"verl", {"verl.trainer"}},
    {"verl", {"actor_rollout_ref"}},
    {"ms-swift", {"swift sft"}},
    {"ms-swift", {"swift pt"}},
    {"ms-swift", {"swift rlhf"}},
    {"ms-swift", {"swift infer"}},
    {"ms-swift", {"swift deploy"}},
    {"ms-swift", {"megatron sft"}},
    {"ms-swift", {"megatron pt"}},
    {"ms-swift", {"megatron rlhf"}},
    {"LLaMA-Factory", {"llamafactory"}},
    {"LLaMA-Factory", {"finetuning_type"}},
    {"LLaMA-Factory", {"model_name_or_path", "cutoff_len"}},
    {"OpenRLHF", {"openrlhf"}},
    {"NeMo RL", {"\npolicy:", "\ngrpo:"}},
    {"NeMo RL", {"nemo_rl"}},
    {"NeMo", {"exp_manager:"}},
    {"NeMo", {"nemo_run"}},
    {"Megatron-Bridge", {"megatron.bridge"}},
    {"nanotron", {"nanotron"}},
    {"nanotron", {"batch_accumulation_per_replica"}},
    {"nanotron", {"\nparallelism:", "pp_engine:"}},
    {"LLM Foundry", {"device_train_microbatch_size"}},
    {"MaxText", {"base_emb_dim"}},
    {"MaxText", {"MaxText"}},
    {"LitGPT", {"litgpt"}},
    {"TensorRT-LLM", {"trtllm"}},
    {"TensorRT-LLM", {"tensorrt_llm"}},
    {"Text Generation Inference", {"text-generation-launcher"}},
    {"Text Generation Inference", {"text-generation-inference"}},
    {"LMDeploy", {"lmdeploy"}},
    {"llama.cpp", {"llama-server"}},
    {"llama.cpp", {"llama-cli"}},
    {"Ollama", {"ollama "}},
    {"TRL", {"trl sft"}},
    {"TRL", {"trl dpo"}},
    {"TRL", {"trl grpo"}},
    {"TRL", {"\ntrl."}},
    {"TrainingArguments", {"per_device_train_batch_size"}},
    {"TrainingArguments", {"per_device_eval_batch_size"}},
    {"TrainingArguments", {"output_dir", "num_train_epochs"}},
    {"PEFT", {"\"peft_type\""}},
    {"safetensors", {"\"weight_map\""}},
    {"transformers (generation_config.json)", {"\"do_sample\""}},
    {"transformers (tokenizer_config.json)", {"\"added_tokens_decoder\""}},
    {"ModelOpt", {"\"quant_algo\""}},
    {"Jupyter", {"\"nbformat\""}},
    {"Docker Compose", {"\nservices:"}},
    {"Kubernetes", {"\napiVersion:", "\nkind:"}},
    {"Docker", {"\nFROM ", "\nRUN "}},
    {"HTML", {"<html"}},
    {"Python", {"\nimport "}},
    {"Python", {"\nfrom ", " import "}},
    {"Python", {"\ndef "}},
});

} // namespace

std::string_view otherProgramOf(std::string_view text)
{
    const std::string lines = '\n' + std::string(text);
    const auto* found = std::ranges::find_if(kOtherPrograms, [&](const OtherProgram& program) {
        return std::ranges::all_of(program.signs, [&](auto sign) { return lines.find(sign) != std::string::npos; });
    });
    return found == kOtherPrograms.end() ? std::string_view() : found->name;
}

const OtherJob* jobOf(std::span<const OtherJob> jobs, std::string_view name)
{
    const auto found =
        std::ranges::find_if(jobs, [&](const OtherJob& job) { return name.find(job.part) != std::string_view::npos; });
    return found == jobs.end() ? nullptr : &*found;
}

} // namespace cardfit
