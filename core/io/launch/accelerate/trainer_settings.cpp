// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launch/accelerate/trainer_settings.h"

#include "core/count_product.h"

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

namespace cardfit {

void readFsdp(ObjectReader& fsdp, Plan& plan, Notes& notes)
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
        std::string word = value->is_string() ? value->get<std::string>() : value->dump();
        std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        if (word == "FULL_SHARD" || word == "1")
            recipe.sharding = Sharding::Zero3;
        else if (word == "SHARD_GRAD_OP" || word == "2")
            recipe.sharding = Sharding::Zero2;
        else if (word == "NO_SHARD" || word == "3")
            recipe.sharding = Sharding::None;
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
             "cpu_ram_efficient_loading", "version", "min_num_params", "limit_all_gathers", "final_state_dict_type"})
        each(key, [&](const std::string& one) { fsdp.skip(one); });
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
