// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/option_edits.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/files/foreign_text.h"
#include "core/launch/launch.h"
#include "core/launch/round_trip.h"

namespace cardfit {

std::string spliced(std::string_view text, std::size_t begin, std::size_t end, std::string_view replacement)
{
    std::string changed(text.substr(0, begin));
    changed += replacement;
    changed += text.substr(end);
    return changed;
}

std::size_t lineBegin(std::string_view text, std::size_t at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t lineEnd(std::string_view text, std::size_t at) { return std::min(text.find('\n', at), text.size()); }

std::string_view indentAt(std::string_view text, std::size_t at)
{
    const std::size_t begin = lineBegin(text, at);
    const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
    return text.substr(begin, end - begin);
}

namespace {

const LaunchOption* optionNamed(const LaunchOptions& options, std::string_view name)
{
    const auto found = std::ranges::find(options, name, &LaunchOption::name);
    return found == options.end() ? nullptr : &*found;
}

std::optional<std::string> valueIn(const LaunchOptions& options, std::string_view name)
{
    const LaunchOption* found = optionNamed(options, name);
    return found == nullptr ? std::nullopt : std::optional(found->value);
}

/// The options of the text: first those before `name` in `order`, nearest first, then those after it.
std::vector<std::string> optionsAround(std::string_view name, const LaunchOptions& order, const LaunchOptions& in_text)
{
    std::vector<std::string> near;
    const auto at = std::ranges::find(order, name, &LaunchOption::name);
    const auto take = [&](const LaunchOption& option) {
        if (optionNamed(in_text, option.name) != nullptr) near.push_back(option.name);
    };
    for (auto before = std::make_reverse_iterator(at); before != order.rend(); ++before)
        take(*before);
    for (auto after = at; after != order.end(); ++after)
        take(*after);
    return near;
}

/// Rewrites one text, option by option. The text is imported again after each edit, so derived values (a batch from its
/// factors) need no edit of their own.
class TextRewriter {
public:
    TextRewriter(const LauncherTraits& traits, const Plan& plan, const Presets& presets, std::string_view text)
        : m_traits(traits)
        , m_base(plan)
        , m_presets(presets)
        , m_wanted(traits.options(traits.write(plan).text))
        , m_text(text)
    {
        m_base.model.id.clear(); // or a text that names no known model would already name the plan's
    }

    Result<ChangedLaunch> run()
    {
        constexpr int kMostEdits = 256; // more options than any launcher here has for a plan
        for (int edit = 0; edit < kMostEdits; ++edit) {
            const auto pending = pendingIn(m_text);
            if (!pending) return tl::unexpected<Error>(pending.error());
            if (std::ranges::none_of(*pending, [&](const OptionEdit& one) { return apply(one); })) break;
        }
        takeBackNeedless();
        ChangedLaunch changed;
        const LaunchOptions said = m_traits.options(m_text);
        for (const Change& change : m_changes)
            changed.changes.push_back({change.name, change.value.value_or(std::string()),
                !change.value             ? Sentence::tr("taken out")
                    : !change.old         ? Sentence::tr("added")
                    : change.old->empty() ? Sentence::tr("changed")
                                          : Sentence::tr("was {}", {*change.old})});
        for (const OptionEdit& left : pendingIn(m_text).value_or(std::vector<OptionEdit>())) {
            // An option that is present but has no effect is reported by the notes on lost fields.
            if (valueIn(said, left.name) == left.value) continue;
            changed.notes.push_back({left.name, left.value.value_or(std::string()),
                left.value ? Sentence::tr("could not be written into the text")
                           : Sentence::tr("could not be taken out of the text")});
        }
        changed.text = std::move(m_text);
        return changed;
    }

private:
    struct Change {
        std::string name;
        std::optional<std::string> value;
        std::optional<std::string> old;
    };

    [[nodiscard]] Result<std::vector<OptionEdit>> pendingIn(const std::string& text) const
    {
        const auto read = m_traits.import(text, m_base, m_presets);
        if (!read) return tl::unexpected<Error>(read.error());
        return differences(m_traits.options(m_traits.write(read->plan).text), m_traits.options(text));
    }

    /// The edits that make the text match the plan; options that the text already has come first.
    [[nodiscard]] std::vector<OptionEdit> differences(const LaunchOptions& said, const LaunchOptions& in_text) const
    {
        std::vector<OptionEdit> edits;
        const auto add = [&](const std::string& name, std::optional<std::string> value) {
            for (const OtherSpelling& spelling : m_traits.other_spellings) {
                if (spelling.option == name && optionNamed(in_text, spelling.other) != nullptr
                    && optionNamed(m_wanted, spelling.other) == nullptr)
                    edits.push_back({std::string(spelling.other), std::nullopt, {}});
            }
            if (value || optionNamed(in_text, name) != nullptr)
                edits.push_back({name, std::move(value), optionsAround(name, m_wanted, in_text)});
        };
        for (const LaunchOption& option : m_wanted) {
            if (valueIn(said, option.name) != option.value) add(option.name, option.value);
        }
        for (const LaunchOption& option : said) {
            if (optionNamed(m_wanted, option.name) == nullptr) add(option.name, std::nullopt);
        }
        // Not std::ranges::stable_partition, which clang 14 does not compile.
        std::stable_partition(edits.begin(), edits.end(),
            [&](const OptionEdit& edit) { return optionNamed(in_text, edit.name) != nullptr; });
        return edits;
    }

    bool apply(const OptionEdit& edit)
    {
        const auto old = valueIn(m_traits.options(m_text), edit.name);
        if (old == edit.value || m_tried.contains(edit.name)) return false;
        m_tried.insert(edit.name); // at most once: an option that is still pending after its edit cannot be set
        auto changed = edited(edit);
        if (!changed) return false;
        m_text = *std::move(changed);
        m_changes.push_back({edit.name, edit.value, old});
        return true;
    }

    /// The text with this edit and no other change; nullopt if that is not possible.
    [[nodiscard]] std::optional<std::string> edited(const OptionEdit& edit) const
    {
        const LaunchOptions before = m_traits.options(m_text);
        for (std::string& proposal : m_traits.edits(m_text, edit)) {
            const LaunchOptions after = m_traits.options(proposal);
            if (valueIn(after, edit.name) == edit.value && isRestKept(before, after, edit.name))
                return std::move(proposal);
        }
        return std::nullopt;
    }

    /// Undoes edits that later ones made unnecessary: a degree that follows from the others, an option without effect.
    void takeBackNeedless()
    {
        const auto left = pendingIn(m_text);
        if (!left) return;
        std::erase_if(m_changes, [&](const Change& change) {
            if (!change.value) return false; // a removed option may have a meaning that Cardfit does not read
            auto without =
                edited({change.name, change.old, optionsAround(change.name, m_wanted, m_traits.options(m_text))});
            if (!without) return false;
            const auto pending = pendingIn(*without);
            if (!pending || pending->size() > left->size()) return false;
            m_text = *std::move(without);
            return true;
        });
    }

    /// Whether every other option keeps its value or gets the value that the plan wants.
    [[nodiscard]] bool isRestKept(
        const LaunchOptions& before, const LaunchOptions& after, std::string_view edited) const
    {
        const auto valuesIn = [](const LaunchOptions& options) {
            std::map<std::string_view, std::string_view> values;
            for (const LaunchOption& option : options)
                values.emplace(option.name, option.value);
            return values;
        };
        const auto values_before = valuesIn(before);
        const auto values_after = valuesIn(after);
        const auto kept = [&](const LaunchOption& option) {
            if (option.name == edited) return true;
            const auto old = values_before.find(option.name);
            const auto now = values_after.find(option.name);
            if (now == values_after.end()) return false;
            return (old != values_before.end() && old->second == now->second)
                || valueIn(m_wanted, option.name) == now->second;
        };
        return std::ranges::all_of(before, kept) && std::ranges::all_of(after, kept);
    }

    const LauncherTraits& m_traits;
    Plan m_base; ///< completes what a text does not say: the plan itself
    const Presets& m_presets;
    LaunchOptions m_wanted;
    std::string m_text;
    std::set<std::string> m_tried;
    std::vector<Change> m_changes;
};

} // namespace

Result<ChangedLaunch> exportInto(Launcher launcher, const Plan& plan, std::string_view text, const Presets& presets)
{
    if (auto error = nulByteIn(text)) return tl::unexpected<Error>(*std::move(error));
    // Each edit reads the text several times; the longest ones that people keep have some 20 kB.
    constexpr std::size_t kMostBytes = 256U << 10;
    if (text.size() > kMostBytes)
        return fail(ErrorCode::WrongFormat, {}, Sentence::tr("is larger than {} bytes", {kMostBytes}));
    auto fresh = exportLaunch(launcher, plan);
    if (!fresh) return tl::unexpected<Error>(fresh.error());
    auto changed = TextRewriter(traitsOf(launcher), plan, presets, text).run();
    if (!changed) return changed;
    // What a new file could not express either, and where this one still differs from the plan.
    ExportedLaunch all{changed->text, std::move(fresh->notes)};
    noteRoundTripLosses(launcher, plan, presets, all);
    for (LaunchNote& note : all.notes)
        changed->notes.push_back(std::move(note));
    return changed;
}

} // namespace cardfit
