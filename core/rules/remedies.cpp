// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/remedies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "core/base/count_product.h"
#include "core/pipeline/orders/schedule_traits.h"
#include "core/plan/edit.h"
#include "core/plan/field_table.h"
#include "core/plan/stages.h"
#include "core/rules/rules.h"

namespace cardfit {

namespace {

using namespace rule_fields;

/// If nothing that a rule names helps: the quantities that most rules are about.
constexpr auto kLastResorts = std::to_array<std::string_view>({kTensor, kPipeline, kContext, kExpert, kExpertTensor,
    kData, kNodes, kBatch, kMicroBatch, kChunks, kSplit, kSchedule, kSequence});

constexpr std::size_t kMostOfField = 2;
constexpr std::size_t kMostRemedies = 5;
/// This many values that break nothing are compared, the nearest first.
constexpr std::ptrdiff_t kEnough = 6;

std::size_t errorsIn(const std::vector<Check>& checks)
{
    return static_cast<std::size_t>(std::ranges::count(checks, Severity::Error, &Check::severity));
}

std::int64_t countOf(const std::vector<Check>& checks, const Check& broken)
{
    return std::ranges::count(checks, broken.id, &Check::id);
}

/// Whether one of these errors prevents check() from looking at other rules.
bool hidesOthers(const std::vector<Check>& checks)
{
    return std::ranges::any_of(checks, [](const Check& check) { return check.id == "RANGE" || check.id == "SIZE"; });
}

/// One value of one quantity, and how far it is from what the plan has.
struct Candidate {
    FieldValue value;
    double distance = 0.0;
};

std::int64_t wholeOf(const Plan& plan, const Field& field)
{
    const FieldValue held = field.get(plan);
    const auto* value = std::get_if<std::int64_t>(&held);
    return value != nullptr ? *value : 0;
}

/// Numbers that often divide the values of other fields.
std::vector<std::int64_t> steps(const Plan& plan)
{
    const Parallelism& degrees = plan.parallelism;
    const std::int64_t data = dataParallel(plan);
    const std::int64_t sequences = product(plan.workload.micro_batch_size, data);
    const std::int64_t ranks = product(degrees.context, degrees.tensor);
    return {degrees.tensor, degrees.pipeline, degrees.context, data, ranks, product(2, ranks), sequences,
        product(sequences, degrees.pipeline), expertCards(plan), replicaCards(degrees)};
}

std::vector<Candidate> wholeCandidates(const Plan& plan, const Field& field, const Check& broken)
{
    constexpr std::int64_t kAround = 32;
    constexpr std::int64_t kFar = 1 << 17; // larger powers of two are of no use
    const std::int64_t now = wholeOf(plan, field);
    auto most = static_cast<std::int64_t>(field.range.most);
    if (field.most_sensible > 0) most = std::min(most, field.most_sensible);
    std::set<std::int64_t> values;
    if (field.pointer == broken.field) values.insert(broken.valid.begin(), broken.valid.end());
    for (std::int64_t power = 1; power <= std::min(most, kFar); power *= 2) {
        values.insert(power);
        values.insert(3 * power);
    }
    for (std::int64_t by = 1; by <= kAround; ++by)
        values.insert({now - by, now + by});
    for (const std::int64_t step : steps(plan)) {
        if (step < 1) continue;
        for (std::int64_t times = now / step - 1; times <= now / step + 2; ++times)
            values.insert(product(times, step));
    }
    std::vector<Candidate> candidates;
    for (const std::int64_t value : values) {
        if (value < 1 || value > most || value == now) continue;
        const auto size = [](std::int64_t number) {
            return std::log(static_cast<double>(std::max<std::int64_t>(1, number)));
        };
        candidates.push_back({value, std::abs(size(value) - size(now))});
    }
    return candidates;
}

/// The default first, then the words that are near in the list, where neighbours are similar.
std::vector<Candidate> wordCandidates(const Field& field, const std::string& now)
{
    const auto all = field.words();
    const auto place = std::ranges::find(all, now) - all.begin();
    std::vector<Candidate> candidates{{field.default_value()}};
    for (std::size_t i = 0; i < all.size(); ++i)
        candidates.push_back({std::string(all[i]), std::abs(static_cast<double>(i) - static_cast<double>(place))});
    return candidates;
}

std::vector<Candidate> candidatesOf(const Plan& plan, const Field& field, const Check& broken)
{
    const FieldValue held = field.get(plan);
    std::vector<Candidate> candidates;
    if (field.nullable && !std::holds_alternative<std::monostate>(held)) candidates.push_back({FieldValue{}});
    switch (field.type) {
    case FieldType::Whole: {
        const auto numbers = wholeCandidates(plan, field, broken);
        candidates.insert(candidates.end(), numbers.begin(), numbers.end());
        break;
    }
    case FieldType::Flag: candidates.push_back({!std::get<bool>(held)}); break;
    case FieldType::Ratio: candidates.push_back({field.range.least}); break;
    case FieldType::Word: candidates = wordCandidates(field, std::get<std::string>(held)); break;
    case FieldType::Group:
    case FieldType::Number:
    case FieldType::Text:
    case FieldType::Wholes:
    case FieldType::Words:
    case FieldType::Texts:
    case FieldType::Curves: break;
    }
    std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.value == held; });
    return candidates;
}

/// Removes a list of layers that fitted the stages before a change and no longer does: the change did not ask for it.
Plan withoutStaleList(const Plan& before, Plan after)
{
    const auto& list = after.parallelism.layers_per_stage;
    const bool other_stages = stagesInPipe(after) != stagesInPipe(before);
    if (list && other_stages && list == before.parallelism.layers_per_stage
        && static_cast<std::int64_t>(list->size()) != stagesInPipe(after)
        && static_cast<std::int64_t>(list->size()) != after.parallelism.pipeline)
        after.parallelism.layers_per_stage.reset();
    return after;
}

/// Whether the field is a factor of the number of cards.
bool isFactor(std::string_view pointer)
{
    return pointer == kTensor || pointer == kPipeline || pointer == kContext || pointer == kNodes;
}

Plan edited(const Plan& plan, const FieldEdit& edit, DerivedFactor derived)
{
    if (edit.field == kSchedule) return withSchedule(plan, *fromName<Schedule>(std::get<std::string>(edit.value)));
    Plan changed = edit.field == kChunks
        ? withChunks(plan, std::get<std::int64_t>(edit.value))
        : withDerivedFactor(plan, withField(plan, *fieldAt(edit.field), edit.value), derived);
    // If the cards did not add up before, a given number of replicas would prevent every other factor from helping.
    if (isFactor(edit.field) && !cardsAddUp(plan) && !cardsAddUp(changed)) changed.parallelism.data.reset();
    return withoutStaleList(plan, std::move(changed));
}

Sentence words(const FieldValue& value)
{
    if (const auto* flag = std::get_if<bool>(&value)) return valueWords(*flag ? "on" : "off");
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return Sentence::verbatim(std::to_string(*whole));
    if (const auto* number = std::get_if<double>(&value)) return Sentence::verbatim(fmt::format("{:g}", *number));
    if (const auto* text = std::get_if<std::string>(&value)) return Sentence::verbatim(*text);
    return valueWords("none");
}

/// "Tensor parallel 8", "Share evenly"; for degrees that the plan does not give, their number.
Sentence labelOf(const FieldEdit& edit, const Plan& after)
{
    if (edit.field == kSplit) {
        const auto* list = std::get_if<std::vector<std::int64_t>>(&edit.value);
        if (list == nullptr) return Sentence::tr("Share evenly");
        return Sentence::tr("Use {}", {fmt::format("{}", fmt::join(*list, " "))});
    }
    if (edit.field == kSchedule) {
        const auto schedule = *fromName<Schedule>(std::get<std::string>(edit.value));
        return Sentence::tr("{} {}", {fieldWords(edit.field), traits(schedule).label});
    }
    const FieldValue value = edit.field == kData ? FieldValue(dataParallel(after))
        : edit.field == kExpertTensor            ? FieldValue(expertTensor(after))
                                                 : edit.value;
    return Sentence::tr("{} {}", {fieldWords(edit.field), words(value)});
}

/// The field that a check names, and the others that can end it.
std::vector<std::string_view> fieldsOf(const Check& broken)
{
    std::vector<std::string_view> fields{broken.field};
    const PlanRule* rule = ruleOf(broken.id);
    if (rule == nullptr) return fields;
    for (const std::string_view field : rule->mended_by) {
        if (!field.empty() && field != broken.field) fields.push_back(field);
    }
    return fields;
}

/// A remedy that was tried.
struct Trial {
    Remedy remedy;
    bool breaks_more = false; ///< it causes as many errors as it ends
    double distance = 0.0;
};

class Search {
public:
    Search(const Plan& plan, const Check& broken, DerivedFactor derived)
        : m_plan(plan)
        , m_broken(broken)
        , m_derived(derived)
        , m_before(check(plan))
    {
    }

    /// The best values of each field.
    std::vector<Trial> run(std::span<const std::string_view> fields) const
    {
        std::vector<Trial> found;
        for (const std::string_view field : fields) {
            std::vector<Trial> of_field = valuesOf(field);
            std::ranges::stable_sort(of_field, {}, [](const Trial& trial) {
                return std::tuple(trial.breaks_more, trial.remedy.errors_left, trial.distance);
            });
            if (of_field.size() > kMostOfField) of_field.resize(kMostOfField);
            std::ranges::move(of_field, std::back_inserter(found));
        }
        return found;
    }

    /// One field set to its default, and another one changed; stops at the first such field that helps.
    std::vector<Trial> runPairs() const
    {
        std::vector<Trial> found;
        for (const std::string_view pointer : kLastResorts) {
            const Field& field = *fieldAt(pointer);
            const FieldEdit first{field.pointer, field.default_value()};
            if (field.get(m_plan) == first.value) continue;
            const Plan base = edited(m_plan, first, m_derived);
            Search beside(base, m_broken, m_derived);
            beside.m_before = m_before;
            for (Trial& trial : beside.run(fieldsOf(m_broken))) {
                if (trial.remedy.edits.front().field == first.field) continue;
                trial.remedy.label = Sentence::tr("{}, {}", {labelOf(first, base), trial.remedy.label});
                trial.remedy.edits.insert(trial.remedy.edits.begin(), first);
                found.push_back(std::move(trial));
            }
            if (std::ranges::any_of(found, std::not_fn(std::mem_fn(&Trial::breaks_more)))) break;
        }
        return found;
    }

private:
    std::optional<Trial> tried(const FieldEdit& edit, double distance) const
    {
        const Plan after = edited(m_plan, edit, m_derived);
        const std::vector<Check> checks = check(after);
        if (countOf(checks, m_broken) >= countOf(m_before, m_broken)) return std::nullopt;
        const bool hides = hidesOthers(checks);
        if (hides && !hidesOthers(m_before)) return std::nullopt; // what it ends would be hidden
        Trial trial{{labelOf(edit, after), {edit}, errorsIn(checks)}, false, distance};
        // Unless it reveals hidden errors, a remedy of an error must leave fewer errors than before, and one of a
        // warning no more.
        const std::size_t most = errorsIn(m_before) - (m_broken.severity == Severity::Error ? 1 : 0);
        trial.breaks_more = trial.remedy.errors_left > most && !hidesOthers(m_before);
        return trial;
    }

    std::vector<Trial> valuesOf(std::string_view pointer) const
    {
        std::vector<Trial> found;
        const Field* field = fieldAt(pointer);
        if (field == nullptr || field->get == nullptr) return found;
        // A number in a group that the plan does not have makes no sense: experts of a dense model.
        const Field* group = fieldAt(groupOf(pointer));
        if (group != nullptr && std::holds_alternative<std::monostate>(group->get(m_plan))) return found;
        std::vector<Candidate> candidates = candidatesOf(m_plan, *field, m_broken);
        std::ranges::stable_sort(candidates, {}, &Candidate::distance);
        std::ptrdiff_t good = 0;
        for (Candidate& candidate : candidates) {
            auto trial = tried({field->pointer, std::move(candidate.value)}, candidate.distance);
            if (!trial) continue;
            if (!trial->breaks_more) ++good;
            if (std::ranges::any_of(found, [&](const Trial& known) {
                    // A degree that is given and the same one that is automatic read alike.
                    return known.remedy.edits == trial->remedy.edits || known.remedy.label == trial->remedy.label;
                }))
                continue;
            found.push_back(std::move(*trial));
            if (good == kEnough) break;
        }
        return found;
    }

    const Plan& m_plan;
    const Check& m_broken;
    DerivedFactor m_derived;
    std::vector<Check> m_before;
};

/// Where to look for remedies; each further than the one before.
enum class Reach { Own, Any, Chains, Pairs };
constexpr std::array kReaches{Reach::Own, Reach::Any, Reach::Chains, Reach::Pairs};

std::pair<bool, std::size_t> rankOf(const Trial& trial) { return {trial.breaks_more, trial.remedy.errors_left}; }

/// A remedy that ends the error and causes others, followed by one that ends one of these.
std::vector<Trial> chains(const Plan& plan, const Check& broken, DerivedFactor derived)
{
    const std::vector<Check> before = check(plan);
    std::vector<Trial> found;
    for (const Trial& first : Search(plan, broken, derived).run(fieldsOf(broken))) {
        const Plan between = withRemedy(plan, first.remedy, derived);
        for (const Check& brought : check(between)) {
            if (brought.severity != Severity::Error || countOf(before, brought) > 0) continue;
            for (Trial& then : Search(between, brought, derived).run(fieldsOf(brought))) {
                if (then.remedy.errors_left >= errorsIn(before) || then.remedy.edits.front().field == broken.field)
                    continue;
                then.breaks_more =
                    countOf(check(withRemedy(between, then.remedy, derived)), broken) >= countOf(before, broken);
                then.remedy.label = Sentence::tr("{}, {}", {first.remedy.label, then.remedy.label});
                then.remedy.edits.insert(
                    then.remedy.edits.begin(), first.remedy.edits.begin(), first.remedy.edits.end());
                if (!then.breaks_more) found.push_back(std::move(then));
            }
        }
    }
    return found;
}

/// The best first.
std::vector<Trial> trials(const Plan& plan, const Check& broken, DerivedFactor derived, Reach reach)
{
    const Search search(plan, broken, derived);
    std::vector<Trial> found;
    switch (reach) {
    case Reach::Own: found = search.run(fieldsOf(broken)); break;
    case Reach::Any: found = search.run(kLastResorts); break;
    case Reach::Chains: found = chains(plan, broken, derived); break;
    case Reach::Pairs: found = search.runPairs(); break;
    }
    std::ranges::stable_sort(found, {}, rankOf);
    return found;
}

/// The remedy of any of these errors that leaves the fewest.
std::optional<Remedy> bestOf(const std::vector<Check>& errors, const Plan& plan, DerivedFactor derived)
{
    std::optional<Trial> best;
    for (const Reach reach : kReaches) {
        for (const Check& broken : errors) {
            auto found = trials(plan, broken, derived, reach);
            if (!found.empty() && (!best || rankOf(found.front()) < rankOf(*best))) best = std::move(found.front());
            if (best && best->remedy.errors_left == 0) break;
        }
        if (best && !best->breaks_more) break;
    }
    return best ? std::optional(std::move(best->remedy)) : std::nullopt;
}

} // namespace

Plan withRemedy(Plan plan, const Remedy& remedy, DerivedFactor derived)
{
    for (const FieldEdit& edit : remedy.edits)
        plan = edited(plan, edit, derived);
    return plan;
}

std::vector<Remedy> remedies(const Plan& plan, const Check& broken, DerivedFactor derived)
{
    if (broken.id == "HOST-MEMORY") return {}; // a rule of the estimate, which check() cannot try; see suggest()
    std::vector<Trial> found;
    for (const Reach reach : kReaches) {
        if (broken.severity == Severity::Warning && reach != Reach::Own) break;
        std::ranges::move(trials(plan, broken, derived, reach), std::back_inserter(found));
        if (std::ranges::any_of(found, std::not_fn(std::mem_fn(&Trial::breaks_more)))) break;
    }
    // If a replica is larger than the cluster, more cards are not the only remedy, even if no single degree is to
    // blame.
    const auto buys_cards = [](const Trial& trial) {
        return std::ranges::any_of(trial.remedy.edits, [](const FieldEdit& edit) { return edit.field == kNodes; });
    };
    if (broken.id == "CARDS" && std::ranges::all_of(found, buys_cards)) {
        std::ranges::copy_if(
            trials(plan, broken, derived, Reach::Pairs), std::back_inserter(found), std::not_fn(buys_cards));
    }
    std::ranges::stable_sort(found, {}, rankOf);
    const bool takes_any = broken.severity == Severity::Error && !found.empty() && found.front().breaks_more;
    if (!takes_any) std::erase_if(found, std::mem_fn(&Trial::breaks_more));
    if (found.size() > kMostRemedies) found.resize(kMostRemedies);
    std::vector<Remedy> answer;
    for (Trial& trial : found)
        answer.push_back(std::move(trial.remedy));
    return answer;
}

std::optional<Remedy> remedyOfAll(const Plan& plan, DerivedFactor derived)
{
    constexpr int kMostSteps = 8; // each leaves fewer errors, except for those that it reveals
    Remedy all;
    Plan mended = plan;
    for (int step = 0; step < kMostSteps; ++step) {
        std::vector<Check> errors = check(mended);
        std::erase_if(errors, [](const Check& check) { return check.severity != Severity::Error; });
        if (errors.empty()) return step == 0 ? std::nullopt : std::optional(std::move(all));
        const auto best = bestOf(errors, mended, derived);
        if (!best) return std::nullopt;
        mended = withRemedy(std::move(mended), *best, derived);
        all.label = all.label.empty() ? best->label : Sentence::tr("{}, {}", {all.label, best->label});
        all.edits.insert(all.edits.end(), best->edits.begin(), best->edits.end());
    }
    return std::nullopt;
}

} // namespace cardfit
