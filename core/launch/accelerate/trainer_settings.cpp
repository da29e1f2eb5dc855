// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/accelerate/trainer_settings.h"

#include <string>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/base/text_cursor.h"
#include "core/launch/shell/shell_variables.h"

namespace cardfit {

std::optional<Sharding> fsdpStrategy(std::string_view word)
{
    const std::string lower = lowered(std::string(word));
    if (lower == "full_shard" || lower == "1") return Sharding::Zero3;
    if (lower == "shard_grad_op" || lower == "2") return Sharding::Zero2;
    if (lower == "no_shard" || lower == "3") return Sharding::None;
    return std::nullopt;
}

std::int64_t readFsdp(ObjectReader& fsdp, Plan& plan, Notes& notes)
{
    Recipe& recipe = plan.recipe;
    const auto each = [&](std::string_view key, const auto& read) {
        read(std::string(key));
        read(fmt::format("fsdp_{}", key));
    };
    const auto flag = [&](std::string_view key) {
        bool on = false;
        each(key, [&](const std::string& one) { fsdp.read(one, on); });
        return on;
    };
    each("sharding_strategy", [&](const std::string& key) {
        const Json* value = fsdp.present(key);
        if (value == nullptr) return;
        const std::string word = value->is_string() ? value->get<std::string>() : value->dump();
        if (const auto strategy = fsdpStrategy(word))
            recipe.sharding = *strategy;
        else
            notes.add(fsdp.pointer(key).substr(1), word,
                Sentence::tr("plans do not support sharding inside a node only; {} is used", {name(recipe.sharding)}));
    });
    each("reshard_after_forward", [&](const std::string& key) {
        const Json* value = fsdp.present(key);
        if (value == nullptr) return;
        // A boolean in FSDP2; FSDP1's files repeat the name of the strategy.
        if (value->is_boolean())
            recipe.sharding = value->get<bool>() ? Sharding::Zero3 : Sharding::Zero2;
        else if (*value == "SHARD_GRAD_OP")
            recipe.sharding = Sharding::Zero2;
    });
    if (flag("offload_params") || flag("cpu_offload")) recipe.offload.parameters = recipe.offload.optimizer = 1.0;
    if (flag("activation_checkpointing")) recipe.recompute.granularity = RecomputeGranularity::Full;
    for (const std::string_view key : {"auto_wrap_policy", "transformer_layer_cls_to_wrap", "backward_prefetch",
             "backward_prefetch_policy", "forward_prefetch", "use_orig_params", "state_dict_type", "sync_module_states",
             "cpu_ram_efficient_loading", "min_num_params", "limit_all_gathers", "final_state_dict_type"})
        each(key, [&](const std::string& one) { fsdp.skip(one); });
    std::int64_t version = 1;
    each("version", [&](const std::string& key) { fsdp.read(key, version, WholeRange{1, 2}); });
    return version;
}

void readFsdpWords(ObjectReader& json, Plan& plan, Notes& notes)
{
    const Json* value = json.present("fsdp");
    if (value == nullptr) return;
    std::string text;
    for (const Json& word : value->is_array() ? *value : Json::array({*value})) {
        if (word.is_string()) text += word.get<std::string>() + ' ';
    }
    Recipe& recipe = plan.recipe;
    for (const shell::Value& word : shell::splitAtBlanks(text, 1)) {
        if (const auto strategy = fsdpStrategy(word.text))
            recipe.sharding = *strategy;
        else if (word.text == "offload")
            recipe.offload.optimizer = recipe.offload.parameters = 1.0;
        else if (word.text != "auto_wrap")
            notes.add("fsdp", word.text, kNoField);
    }
}

void setGradientSync(Plan& plan, std::int64_t fsdp_version, Notes& notes)
{
    if (trainsAdapters(plan)) return;
    if (fsdp_version < 2)
        plan.recipe.gradient_sync = GradientSync::Last;
    else if (microBatches(plan) > 1)
        notes.addAssumed("fsdp_version", fsdp_version,
            Sentence::tr("gradients are reduced after every micro-batch, as by Accelerate before 1.11; later versions "
                         "keep whole gradients on each card until the last one"));
}

void readMesh(ObjectReader& json, const MeshKeys& keys, Plan& plan)
{
    std::int64_t replicate = 1;
    std::int64_t shard = 1;
    json.read(keys.replicate, replicate, kCount);
    json.read(keys.shard, shard, kCount);
    plan.parallelism.data = countProduct({replicate, shard});
    if (!plan.parallelism.data) json.refuse(keys.shard, ErrorCode::OutOfRange, Sentence::tr("at most 2^40 cards"));
    if (shard == 1 && plan.parallelism.context == 1) plan.recipe.sharding = Sharding::None;
    if (shard > 1) plan.recipe.optimizer_instances = replicate;
}

} // namespace cardfit
