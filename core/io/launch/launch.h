// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/launch/option_edits.h"
#include "core/io/plan/presets.h"
#include "core/plan/plan.h"
#include "core/result.h"
#include "core/sentence.h"

/// Plans from and for the programs that run them. Each launcher has a folder of its own here, a value in Launcher and
/// a row in the table of launch.cpp; command line, dialogs, menus and tests go through the table.
namespace cardfit {

enum class Launcher : std::uint8_t {
    Megatron, ///< Megatron-LM's command line, in a shell script or a test case's model_config.yaml
    DeepSpeed, ///< ds_config.json
    Torchtitan, ///< a job's .toml
    Torchtune, ///< a recipe's .yaml; it can only be read
    Axolotl, ///< a .yaml; it can only be read
    Accelerate, ///< the .yaml of `accelerate config`; it can only be read
    Vllm, ///< the command line of a server
    HuggingFace, ///< config.json: a model without a plan; it can only be read
};

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

/// A launcher's file of somebody's own, with the plan's options in it.
struct ChangedLaunch {
    std::string text;
    std::vector<LaunchNote> changes; ///< option, its new value, and what it was
    std::vector<LaunchNote> notes; ///< what the text does not say of the plan
};

/// Why a launcher's file cannot hold a field of a plan, or those below it.
struct LossReason {
    std::string_view field; ///< JSON pointer
    Phrase why;
};

/// What there is to know about a launcher.
struct LauncherTraits {
    Launcher value;
    std::string_view word; ///< on the command line: "megatron"
    Phrase label; ///< its own name: "Megatron-LM"
    Phrase reads; ///< what can be read of it, within a list
    std::string_view read_patterns; ///< names of such files: "*.sh *.yaml"
    Phrase writes = {}; ///< what exportLaunch() makes of a plan: "Megatron-LM script"
    std::string_view file_ending = {}; ///< of that, without its point: "sh"
    bool model_only = false; ///< its files describe a model and nothing else of a plan
    bool names_model =
        false; ///< its files say a model's name instead of its shape: a model that is given beside them counts
    bool serves = false; ///< it starts servers, and no training
    bool (*recognises)(
        std::string_view text) = nullptr; ///< whether a text without blanks at its beginning looks like its file
    Result<ImportedPlan> (*import)(std::string_view text, const Plan& base, const Presets& presets) = nullptr;
    ExportedLaunch (*write)(const Plan& plan) = nullptr; ///< null: it can only be read
    /// For fields that are lost when the file is written and read again; the first row that matches counts.
    std::span<const LossReason> losses = {};
    LaunchOptions (*options)(std::string_view text) = nullptr; ///< null where it can only be read, as are the next two
    std::vector<std::string> (*edits)(std::string_view text, const OptionEdit& edit) = nullptr;
    std::span<const OtherSpelling> other_spellings = {};
};

/// All launchers, in the order in which they are offered.
[[nodiscard]] std::span<const LauncherTraits> launchers();
[[nodiscard]] const LauncherTraits& traitsOf(Launcher launcher);
/// By LauncherTraits::word.
[[nodiscard]] std::optional<Launcher> launcherNamed(std::string_view word);

/// The plan that `text` describes. What a launcher does not say is taken from `base`: the cards, the model where the
/// text has none (torchtitan and others name models, which are looked up in `presets`), and for HuggingFace everything
/// but the model; for others the rest is the launcher's own default. Errors name place and expectation: WrongFormat,
/// NotJson, WrongType, OutOfRange, MissingKey.
[[nodiscard]] Result<ImportedPlan> importLaunch(
    Launcher launcher, std::string_view text, const Plan& base, const Presets& presets);

/// What starts the plan. The notes name every field that the launcher cannot say; fields that only describe (names,
/// sources, the card's data sheet, calibration) are not among them. Error Usage for a launcher that can only be read,
/// and OutOfRange for a task that it does not start: servers start nothing but inference, the others all else.
[[nodiscard]] Result<ExportedLaunch> exportLaunch(Launcher launcher, const Plan& plan);

/// The launcher's own file `text` with those options changed that say something else than the plan; everything else
/// stays as it stands: data, tokenizer, learning rate, comments and order. What the text does not say, and the plan
/// does not change, is not added. Errors of importLaunch() for the text and of exportLaunch() for the plan.
[[nodiscard]] Result<ChangedLaunch> exportInto(
    Launcher launcher, const Plan& plan, std::string_view text, const Presets& presets);

/// Whose file a text is; nullopt if no launcher recognises it.
[[nodiscard]] std::optional<Launcher> detectLauncher(std::string_view text);

} // namespace cardfit
