// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/plan/presets.h"
#include "core/plan/plan.h"
#include "core/result.h"
#include "core/sentence.h"

/// Plans from and for the programs that run them.
namespace cardfit {

enum class Launcher : std::uint8_t {
    Megatron, ///< Megatron-LM's command line, in a shell script or a test case's model_config.yaml
    DeepSpeed, ///< ds_config.json
    Torchtitan, ///< a job's .toml
    HuggingFace, ///< config.json: a model without a plan; it can be read only
};

/// "megatron", "deepspeed", "torchtitan", "huggingface".
[[nodiscard]] std::string_view launcherName(Launcher launcher);
[[nodiscard]] std::optional<Launcher> launcherNamed(std::string_view name);

/// One thing that could not be carried over as it stood, or that had to be assumed.
struct LaunchNote {
    std::string what; ///< importing: the flag or key; exporting: the JSON pointer of the plan's field
    std::string value; ///< as it stands there; empty if there is none
    Sentence why; ///< without a full stop

    bool operator==(const LaunchNote&) const = default;
};

/// `--tp-comm-overlap-cfg tp.yaml: a plan has no place for it`.
[[nodiscard]] Sentence asSentence(const LaunchNote& note);
/// The same in English.
[[nodiscard]] std::string describe(const LaunchNote& note);

struct ImportedPlan {
    Plan plan;
    std::vector<LaunchNote> notes;
};

struct ExportedLaunch {
    std::string text; ///< the file, with its last line ended
    std::vector<LaunchNote> notes;
};

/// The plan that `text` describes. What a launcher does not say is taken from `base`: the cards, the model where the
/// text has none (torchtitan names models, which are looked up in `presets`), and for HuggingFace everything but the
/// model; for others the rest is the launcher's own default. Errors name place and expectation: WrongFormat, NotJson,
/// WrongType, OutOfRange, MissingKey.
[[nodiscard]] Result<ImportedPlan> importLaunch(
    Launcher launcher, std::string_view text, const Plan& base, const Presets& presets);

/// What starts the plan. The notes name every field that the launcher cannot say; fields that only describe (names,
/// sources, the card's data sheet, calibration) are not among them. Error Usage for HuggingFace, and OutOfRange for
/// inference, which no launcher here starts.
[[nodiscard]] Result<ExportedLaunch> exportLaunch(Launcher launcher, const Plan& plan);

/// Whose file a text is; none if it looks like nobody's.
[[nodiscard]] std::optional<Launcher> detectLauncher(std::string_view text);

/// The ending of an exported file, without its point: "sh", "json", "toml".
[[nodiscard]] std::string_view launchFileEnding(Launcher launcher);

} // namespace cardfit
