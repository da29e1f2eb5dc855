// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/huggingface/huggingface_quantization.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "core/base/text_cursor.h"

namespace cardfit {

namespace {

const Json& memberOf(const Json& object, const char* key)
{
    static const Json kNone;
    if (!object.is_object()) return kNone;
    const auto found = object.find(key);
    return found == object.end() ? kNone : *found;
}

std::string wordOf(const Json& object, const char* key)
{
    const Json& word = memberOf(object, key);
    return word.is_string() ? lowered(word.get<std::string>()) : std::string();
}

std::int64_t bitsOf(const Json& object, const char* key)
{
    const Json& number = memberOf(object, key);
    return number.is_number_integer() ? number.get<std::int64_t>() : 0;
}

bool isSet(const Json& object, const char* key)
{
    const Json& flag = memberOf(object, key);
    return flag.is_boolean() && flag.get<bool>();
}

std::optional<Precision> integerOf(std::int64_t bits)
{
    return bits == 4 ? std::optional(Precision::Nf4) : bits == 8 ? std::optional(Precision::Int8) : std::nullopt;
}

constexpr WeightsPrecision kWideAttention{{}, Precision::Bf16, {}};

/// Whether a list of modules that stay in 16 bits names attention.
bool leavesOutAttention(const Json& modules)
{
    return modules.is_array() && std::ranges::any_of(modules, [](const Json& module) {
        return module.is_string() && module.get_ref<const std::string&>().find("self_attn") != std::string::npos;
    });
}

/// compressed-tensors: the first group of weights; group sizes of 16 and 32 are those of nvfp4 and mxfp4.
std::optional<CheckpointFormat> ofGroups(const Json& config)
{
    const Json& groups = memberOf(config, "config_groups");
    if (!groups.is_object() || groups.empty()) return std::nullopt;
    const Json& weights = memberOf(groups.begin().value(), "weights");
    const std::int64_t bits = bitsOf(weights, "num_bits");
    std::optional<Precision> format;
    if (wordOf(weights, "type") == "float")
        format = bits == 8 ? std::optional(Precision::Fp8)
            : bits == 4    ? std::optional(bitsOf(weights, "group_size") == 32 ? Precision::Mxfp4 : Precision::Nvfp4)
                           : std::nullopt;
    else
        format = integerOf(bits);
    if (!format) return std::nullopt;
    const bool leaves_attention = leavesOutAttention(memberOf(config, "ignore"));
    // Where attention is left out, only the experts are narrow, as in mxfp4.
    if (format == Precision::Nf4 && leaves_attention) return CheckpointFormat{Precision::Mxfp4, true, kInt4Experts};
    return CheckpointFormat{*format, true, {}, leaves_attention ? kWideAttention : WeightsPrecision()};
}

/// ModelOpt: one algorithm, or one for the experts and others elsewhere.
std::optional<CheckpointFormat> ofAlgorithm(const Json& config)
{
    const std::string algorithm = wordOf(config, "quant_algo");
    const std::string experts = wordOf(config, "moe_quant_algo");
    std::string word = experts.empty() ? algorithm : experts;
    // MIXED_PRECISION lists the algorithm of every layer: the narrowest is that of most weights.
    if (word.starts_with("mixed")) {
        word = "fp8";
        for (const auto& [layer, own] : memberOf(config, "quantized_layers").items()) {
            if (wordOf(own, "quant_algo").find("nvfp4") != std::string::npos) word = "nvfp4";
        }
    }
    if (word.find("nvfp4") != std::string::npos || word.find("w4a16") != std::string::npos) {
        const bool leaves_attention =
            leavesOutAttention(memberOf(config, "ignore")) || leavesOutAttention(memberOf(config, "exclude_modules"));
        return CheckpointFormat{Precision::Nvfp4, true, {}, leaves_attention ? kWideAttention : WeightsPrecision()};
    }
    if (word.find("mxfp4") != std::string::npos) return CheckpointFormat{Precision::Mxfp4, true, {}};
    if (word.find("mxfp8") != std::string::npos) return CheckpointFormat{Precision::Mxfp8, true, {}};
    if (word.find("fp8") != std::string::npos) return CheckpointFormat{Precision::Fp8, true, {}};
    if (word.find("int8") != std::string::npos) return CheckpointFormat{Precision::Int8, true, {}};
    return std::nullopt;
}

} // namespace

std::optional<CheckpointFormat> readQuantization(const Json& model)
{
    const Json& config = memberOf(model, "quantization_config");
    if (!config.is_object()) return std::nullopt;
    const std::string method = wordOf(config, "quant_method");
    std::optional<Precision> format;
    if (method == "mxfp4")
        format = Precision::Mxfp4;
    else if (method == "mxfp8")
        format = Precision::Mxfp8;
    else if (method == "awq" || method == "gptq" || method == "auto-round" || method == "intel/auto-round")
        format = integerOf(bitsOf(config, "bits"));
    else if (method == "bitsandbytes")
        format = isSet(config, "load_in_4bit") ? std::optional(Precision::Nf4)
            : isSet(config, "load_in_8bit")    ? std::optional(Precision::Int8)
                                               : std::nullopt;
    else if (method == "compressed-tensors")
        return ofGroups(config);
    else if (memberOf(config, "quant_algo").is_string())
        return ofAlgorithm(config);
    else if (method.ends_with("fp8"))
        format = Precision::Fp8;
    if (!format) return std::nullopt;
    // DeepSeek-V4's files name the format of the experts beside that of everything else.
    if (format == Precision::Fp8 && wordOf(model, "expert_dtype") == "fp4")
        return CheckpointFormat{Precision::Mxfp4, true, {}, kFp8Elsewhere};
    return CheckpointFormat{*format, true, {}};
}

} // namespace cardfit
