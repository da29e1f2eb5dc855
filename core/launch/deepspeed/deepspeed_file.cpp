// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/deepspeed/deepspeed_file.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/text_cursor.h"
#include "core/files/presets.h"
#include "core/launch/deepspeed/deepspeed.h"

namespace cardfit {

namespace {

void setByName(Plan& plan, std::string_view key, const std::string& name, Notes& notes)
{
    const std::string file = lowered(name.substr(name.find_last_of('/') + 1));
    const auto holds = [&](std::string_view part) { return file.find(part) != std::string::npos; };
    Recipe& recipe = plan.recipe;
    const auto stage = stageInName(file);
    recipe.sharding = stage.value_or(Sharding::None);
    if (holds("offload")) {
        const bool third = recipe.sharding == Sharding::Zero3;
        recipe.offload.parameters = third && !holds("offload_opt") ? 1.0 : 0.0;
        recipe.offload.optimizer = holds("offload_param") ? 0.0 : 1.0;
    }
    notes.addAssumed(key, name,
        stage
            ? Sentence::tr(
                "another file; its name suggests {}. Import it as well for the rest", {cardfit::name(recipe.sharding)})
            : Sentence::tr("another file, whose name says no stage; DeepSpeed's default, stage 0, is taken. Import it "
                           "as well"));
}

/// What the configuration says of a plan whose model, cards and batch are the trainer's.
void setByConfiguration(Plan& plan, ObjectReader& json, std::string_view key, const Json& configuration, Notes& notes)
{
    auto read = importDeepSpeed(compactJson(configuration), plan, Presets{});
    if (!read)
        return json.fail(
            read.error().code, json.pointer(key) + read.error().where.english(), std::move(read.error().message));
    const Recipe& from = read->plan.recipe;
    Recipe& recipe = plan.recipe;
    recipe.sharding = from.sharding;
    recipe.offload = from.offload;
    recipe.overlap.gradients = from.overlap.gradients;
    recipe.overlap.parameters = from.overlap.parameters;
    recipe.sub_group_size = from.sub_group_size;
    recipe.reduce_bucket_size = from.reduce_bucket_size;
    recipe.allgather_bucket_size = from.allgather_bucket_size;
    plan.parallelism.tensor = read->plan.parallelism.tensor;
    plan.parallelism.context = read->plan.parallelism.context;
    for (LaunchNote& note : read->notes) {
        if (!note.assumed) notes.add(std::string(key) + "/" + note.what, note.value, std::move(note.why));
    }
}

} // namespace

Sharding shardingOfStage(std::int64_t stage)
{
    constexpr std::array<Sharding, 4> kStages{Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Zero3};
    return kStages[static_cast<std::size_t>(std::clamp<std::int64_t>(stage, 0, 3))];
}

std::optional<Sharding> stageInName(std::string_view name)
{
    const std::string file = lowered(std::string(name));
    for (const std::string_view word : {"zero", "stage", "ds_z", "_z", "z"}) {
        for (std::size_t at = file.find(word); at != std::string::npos; at = file.find(word, at + 1)) {
            std::size_t digit = at + word.size();
            if (digit < file.size() && (file[digit] == '_' || file[digit] == '-')) ++digit;
            if (digit < file.size() && file[digit] >= '0' && file[digit] <= '3')
                return shardingOfStage(file[digit] - '0');
        }
    }
    return std::nullopt;
}

std::optional<std::string> namedFile(const NeighbourFiles& files, const std::string& path)
{
    if (!files || path.empty()) return std::nullopt;
    for (const char* above : {"", "../", "../../", "../../../"}) {
        if (path.front() == '/' && *above != '\0') break;
        if (auto text = files(above + path)) return text;
    }
    return files(path.substr(path.find_last_of('/') + 1));
}

bool readDeepSpeedKey(ObjectReader& json, std::string_view key, Plan& plan, Notes& notes, const NeighbourFiles& files)
{
    const Json* value = json.present(key);
    if (value == nullptr) return false;
    if (!value->is_string() && !value->is_object()) {
        json.refuse(key, ErrorCode::WrongType, Sentence::tr("the name of a file or its content"));
        return false;
    }
    plan.recipe.framework = Framework::DeepSpeed;
    if (value->is_object()) {
        setByConfiguration(plan, json, key, *value, notes);
        return true;
    }
    const auto name = value->get<std::string>();
    const auto text = namedFile(files, name);
    if (!text) {
        setByName(plan, key, name, notes);
    } else if (auto configuration = parseJson(*text)) {
        setByConfiguration(plan, json, key, *configuration, notes);
    } else {
        Error& error = configuration.error();
        json.fail(error.code, fmt::format("{}: {}", name, error.where.english()), std::move(error.message));
    }
    return true;
}

} // namespace cardfit
