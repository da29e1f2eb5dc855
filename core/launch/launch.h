// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/files/presets.h"
#include "core/launch/launch_text.h"
#include "core/launch/option_edits.h"
#include "core/plan/plan.h"

/// Imports plans from the files of the programs that run them, and exports plans to such files. Each launcher has its
/// own folder here, a value in Launcher and a row in launchers/launchers.cpp, which command line, dialogs, menus and
/// tests use.
namespace cardfit {

enum class Launcher : std::uint8_t {
    Megatron, ///< Megatron-LM's command line, in a shell script or a test case's model_config.yaml
    DeepSpeed, ///< ds_config.json
    Torchtitan, ///< a job's .toml
    Torchtune, ///< a recipe's .yaml; import only
    Axolotl, ///< a .yaml; import only
    Accelerate, ///< the .yaml of `accelerate config`; import only
    Trainer, ///< transformers' TrainingArguments, in a .json, .yaml or the command of a script; import only
    LlamaFactory, ///< a .yaml or a command; import only
    Vllm, ///< the command line of a server
    Swift, ///< a command of ms-swift; import only
    Verl, ///< a command or .yaml of verl; import only
    OpenRlhf, ///< a command of OpenRLHF; import only
    MegatronBridge, ///< a recipe in Python; import only
    HuggingFace, ///< config.json: a model without a plan; import only
};

/// Why an imported plan has the base's model.
enum class ModelOfBase : std::uint8_t {
    No, ///< it has the file's
    NotNamed, ///< the file has no model
    UnknownName, ///< the file names one that is not shipped
};

/// Something that could not be transferred unchanged, or that had to be assumed.
struct LaunchNote {
    std::string what; ///< importing: the flag or key; exporting: the JSON pointer of the plan's field
    std::string value; ///< its value in the file or plan; empty if there is none
    Sentence why; ///< without a full stop
    bool assumed = false; ///< an assumption about the plan, which keeps it as Plan::assumed
    ModelOfBase model = ModelOfBase::No; ///< the plan's model is not the file's; the unknown name is `value`

    bool operator==(const LaunchNote&) const = default;
};

/// `--tp-comm-overlap-cfg tp.yaml: plans have no field for this`.
[[nodiscard]] Sentence asSentence(const LaunchNote& note);
/// asSentence() in English.
[[nodiscard]] std::string describe(const LaunchNote& note);

struct ImportedPlan {
    Plan plan;
    std::vector<LaunchNote> notes;
    std::optional<Precision> checkpoint = {}; ///< format of the weights that a model's file describes
    WeightsPrecision checkpoint_parts = {}; ///< formats of its parts that differ
};

struct ExportedLaunch {
    std::string text; ///< the file's content, ending with a line break
    std::vector<LaunchNote> notes;
};

/// A user's own launcher file with the plan's options in it.
struct ChangedLaunch {
    std::string text;
    std::vector<LaunchNote> changes; ///< option, its new value, and its old value
    std::vector<LaunchNote> notes; ///< what of the plan the text does not contain
};

/// Why a launcher's file cannot hold a field of a plan, or the fields below it.
struct LossReason {
    std::string_view field; ///< JSON pointer
    Phrase why;
};

/// Describes a launcher.
struct LauncherTraits {
    Launcher value;
    std::string_view word; ///< its name on the command line: "megatron"
    Phrase label; ///< its display name: "Megatron-LM"
    Phrase reads; ///< what can be imported, as an item of a list
    std::string_view read_patterns; ///< file name patterns of such files: "*.sh *.yaml"
    Phrase writes = {}; ///< what exportLaunch() writes: "Megatron-LM script"
    std::string_view file_ending = {}; ///< extension of that file, without the dot: "sh"
    bool model_only = false; ///< its files describe only a model
    bool serves = false; ///< it starts inference servers, not training
    bool (*recognises)(
        std::string_view text) = nullptr; ///< whether a text without leading white space looks like its file
    Result<ImportedPlan> (*import)(const LaunchText& text, const Plan& base, const Presets& presets) = nullptr;
    ExportedLaunch (*write)(const Plan& plan) = nullptr; ///< null: import only
    /// Reasons for fields that do not survive an export and import; the first matching row is used.
    std::span<const LossReason> losses = {};
    LaunchOptions (*options)(std::string_view text) = nullptr; ///< null if import only, as are the next two
    std::vector<std::string> (*edits)(std::string_view text, const OptionEdit& edit) = nullptr;
    std::span<const OtherSpelling> other_spellings = {};
};

/// All launchers, in the order in which user interfaces list them.
[[nodiscard]] std::span<const LauncherTraits> launchers();
[[nodiscard]] const LauncherTraits& traitsOf(Launcher launcher);
/// Finds a launcher by LauncherTraits::word.
[[nodiscard]] std::optional<Launcher> launcherNamed(std::string_view word);

/// What the model of an import's base is.
enum class BaseModel : std::uint8_t {
    Placeholder, ///< any: a file is refused if it has no model or an unknown one
    Fallback, ///< the open plan's: used with a note if the file has no model or an unknown one
    Chosen, ///< chosen for this file: used instead of a model that the file names
};

/// The plan that `text` describes. From `base` come the cards, the model as `model` says (torchtitan and others give a
/// model's name, which is looked up in `presets`) and, for HuggingFace, everything but the model; any other missing
/// value is the launcher's own default. Notes that say what was assumed are in Plan::assumed, in English. Errors name
/// the place and what was expected: WrongFormat, also for a file of another program, NotJson, WrongType, OutOfRange,
/// MissingKey, UnknownName.
[[nodiscard]] Result<ImportedPlan> importLaunch(Launcher launcher, const LaunchText& text, const Plan& base,
    const Presets& presets, BaseModel model = BaseModel::Fallback);

/// The file that starts the plan. The notes name every field that the launcher cannot express, except purely
/// descriptive ones (names, sources, the card's data sheet, calibration). Error Usage for a launcher with import only,
/// and OutOfRange for a task that it does not start: inference servers start only inference, the others everything
/// else.
[[nodiscard]] Result<ExportedLaunch> exportLaunch(Launcher launcher, const Plan& plan);

/// The launcher file `text` with the options changed that differ from the plan. Everything else stays unchanged: data,
/// tokenizer, learning rate, comments and order. Options that the text does not contain are added only if the plan
/// changes them. Errors of importLaunch() for the text and of exportLaunch() for the plan.
[[nodiscard]] Result<ChangedLaunch> exportInto(
    Launcher launcher, const Plan& plan, std::string_view text, const Presets& presets);

/// The launcher whose file the text is; nullopt if none recognises it.
[[nodiscard]] std::optional<Launcher> detectLauncher(std::string_view text);

} // namespace cardfit
