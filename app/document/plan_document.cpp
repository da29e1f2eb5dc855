// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_document.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <QFileInfo>
#include <QUndoCommand>

#include "app/document/file_path.h"
#include "app/document/plan_names.h"
#include "core/files/file.h"
#include "core/files/plan_file.h"
#include "core/plan/stages.h"

namespace cardfit::app {

namespace {

/// Whether estimating the plan may take longer than a frame. What grows is the simulation. It computes the passes of
/// every chunk of every rank until the order repeats, which takes a few micro-batches for each chunk of the pipeline,
/// and folds all further ones: 100,000 micro-batches cost no more than those few. A pass costs about a microsecond, so
/// pipelines of up to some 50 stages are always estimated at once.
bool isSlowToEstimate(const Plan& plan)
{
    constexpr double kUntilItRepeats = 4.0; // micro-batches per chunk
    constexpr double kPassesInAFrame = 40'000.0;
    const double chunks =
        static_cast<double>(plan.parallelism.pipeline) * static_cast<double>(plan.parallelism.virtual_pipeline);
    return chunks * std::min(static_cast<double>(microBatches(plan)), kUntilItRepeats * chunks) > kPassesInAFrame;
}

} // namespace

/// Stores the plans before and after an edit. While it is open, later edits with the same key are merged into it.
class PlanDocument::EditCommand : public QUndoCommand {
public:
    EditCommand(PlanDocument& document, OpenPlan& tab, Plan after, const QString& text, QString key, bool is_open)
        : QUndoCommand(text)
        , m_document(document)
        , m_tab(tab)
        , m_before(tab.plan)
        , m_after(std::move(after))
        , m_key(std::move(key))
        , m_is_open(is_open)
    {
    }

    void undo() override
    {
        // An open drag or series of wheel steps ends here. Otherwise its final edit would clear the redo history.
        m_document.setOpenKey({});
        m_document.apply(m_tab, m_before);
    }
    void redo() override { m_document.apply(m_tab, m_after); }
    [[nodiscard]] int id() const override { return 1; }

    bool mergeWith(const QUndoCommand* command) override
    {
        const auto* other = static_cast<const EditCommand*>(command);
        if (!m_is_open || m_key.isEmpty() || other->m_key != m_key) return false;
        m_after = other->m_after;
        m_is_open = other->m_is_open;
        setText(other->text());
        setObsolete(!m_is_open && m_after == m_before);
        return true;
    }

private:
    PlanDocument& m_document;
    OpenPlan& m_tab; ///< owns the stack that owns this
    Plan m_before;
    Plan m_after;
    QString m_key;
    bool m_is_open;
};

PlanDocument::PlanDocument(Plan plan, QObject* parent)
    : QObject(parent)
    , m_start(std::move(plan))
    , m_task([this](const Computed& computed) { take(computed); })
    , m_others([this](const Other& other) { takeOther(other); })
{
    m_recompute.setSingleShot(true);
    m_recompute.setInterval(0);
    connect(&m_recompute, &QTimer::timeout, this, &PlanDocument::recomputeNow);
    constexpr int kPatience = 100; // milliseconds
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(&m_patience, &QTimer::timeout, this, &PlanDocument::lateChanged);
    m_tabs.push_back(make(m_start));
    m_tab = m_tabs.front().get();
    m_tab->is_start = true;
    m_history.setActiveStack(&m_tab->stack);
    nameAll();
    scheduleRecompute();
}

/// The histories say that they end; nobody may ask a document that is going.
PlanDocument::~PlanDocument() { disconnect(); }

void PlanDocument::edit(Plan plan, const QString& text, const QString& key, ui::EditPhase phase)
{
    const bool stays_open = phase == ui::EditPhase::Dragging && !key.isEmpty();
    const bool continues = !key.isEmpty() && key == m_open_key;
    setOpenKey(stays_open ? key : QString());
    if (plan == m_tab->plan && !continues) return;
    rename(plan);
    m_tab->stack.push(new EditCommand(*this, *m_tab, std::move(plan), text, key, stays_open));
}

/// Until the user names the current plan its name follows from what it holds.
void PlanDocument::rename(Plan& plan) const
{
    if (plan.name != m_tab->plan.name || !hasAutomaticName()) return;
    const std::string name = automaticName(plan);
    // A preset keeps its shipped name while its automatic name is that of the opened plan, and gets it back when it
    // is again.
    const bool as_opened = m_tab->opened_unnamed && name == automaticName(m_tab->opened);
    if (name != automaticName(m_tab->plan)) plan.name = as_opened ? m_tab->opened.name : name;
}

bool PlanDocument::hasAutomaticName() const
{
    return m_tab->plan.name == automaticName(m_tab->plan)
        || (m_tab->opened_unnamed && m_tab->plan.name == m_tab->opened.name);
}

void PlanDocument::apply(OpenPlan& tab, const Plan& plan)
{
    if (plan == tab.plan) return;
    tab.plan = plan;
    tab.is_outdated = true;
    if (&tab != m_tab) return; // a tab that is being restored
    scheduleRecompute();
    emit planChanged();
    if (nameAll()) emit tabsChanged();
}

void PlanDocument::setOpenKey(const QString& key)
{
    const bool dragged = isDragging();
    m_open_key = key;
    if (dragged != isDragging()) emit draggingChanged();
}

void PlanDocument::setDerivedFactor(DerivedFactor derived)
{
    if (derived == m_tab->derived) return;
    m_tab->derived = derived;
    if (derived == DerivedFactor::Data && m_tab->derived_batch_factor == DerivedBatchFactor::Data)
        m_tab->derived_batch_factor = DerivedBatchFactor::MicroBatches;
    scheduleRecompute();
    emit planChanged();
}

void PlanDocument::setDerivedBatchFactor(DerivedBatchFactor derived)
{
    if (derived == m_tab->derived_batch_factor) return;
    m_tab->derived_batch_factor = derived;
    if (derived == DerivedBatchFactor::Data) m_tab->derived = DerivedFactor::Nodes;
    scheduleRecompute();
    emit planChanged();
}

void PlanDocument::setProfile(Profile profile)
{
    if (profile == m_profile) return;
    m_profile = profile;
    scheduleRecompute();
    emit planChanged();
}

/// Quick estimates run in the next turn of the event loop, once for several edits, so that charts follow the pointer;
/// slow ones run in the background and do not block the window.
void PlanDocument::scheduleRecompute()
{
    // A pending answer is about an older plan.
    m_task.cancel();
    if (isSlowToEstimate(m_tab->plan)) {
        m_recompute.stop();
        // At once: the panels take in the edit meanwhile.
        m_task.request([plan = m_tab->plan, profile = m_profile](
                           QPromise<Computed>& promise) { promise.addResult(compute(plan, profile)); });
        setComputing(true);
        return;
    }
    // Not restarted while it runs: frequent edits would postpone the answer forever.
    if (!m_recompute.isActive()) m_recompute.start();
}

Computed PlanDocument::compute(const Plan& plan, Profile profile)
{
    const auto begin = std::chrono::steady_clock::now();
    Computed computed{plan, profile, std::make_shared<const Estimate>(estimateUnder(plan, profile)), 0.0};
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    computed.milliseconds = elapsed.count();
    return computed;
}

void PlanDocument::announce()
{
    if (m_estimate == nullptr || m_recompute.isActive()) return recomputeNow();
    emit estimateChanged();
    if (isLate()) emit lateChanged();
}

void PlanDocument::recomputeNow()
{
    m_recompute.stop();
    m_task.cancel();
    take(compute(m_tab->plan, m_profile));
}

void PlanDocument::take(const Computed& computed)
{
    m_estimate = computed.estimate;
    m_estimated_plan = computed.plan;
    m_elapsed_milliseconds = computed.milliseconds;
    // The figures of a replaced plan stay visible until the new plan has an answer, even one without figures.
    if (std::exchange(m_replaced, false)) m_last_complete.reset();
    if (m_estimate->complete()) {
        m_last_complete = m_estimate;
        m_last_complete_plan = planUnder(computed.plan, computed.profile);
        m_last_complete_profile = computed.profile;
    }
    m_tab->figures = computed;
    m_tab->is_outdated = false;
    setComputing(false);
    emit estimateChanged();
    estimateOthers();
}

void PlanDocument::setComputing(bool computing)
{
    if (computing == m_computing) return;
    const bool was_late = isLate();
    m_computing = computing;
    if (computing)
        m_patience.start();
    else
        m_patience.stop();
    if (was_late) emit lateChanged();
}

template <class Is> int PlanDocument::indexWhere(Is is) const
{
    const auto found = std::ranges::find_if(m_tabs, [&](const auto& tab) { return is(*tab); });
    return found == m_tabs.end() ? -1 : static_cast<int>(found - m_tabs.begin());
}

int PlanDocument::current() const
{
    return indexWhere([this](const OpenPlan& tab) { return &tab == m_tab; });
}

int PlanDocument::indexOfId(int id) const
{
    return indexWhere([id](const OpenPlan& tab) { return tab.id == id; });
}

int PlanDocument::indexOfSlot(int slot) const
{
    return indexWhere([slot](const OpenPlan& tab) { return slot >= 0 && tab.slot == slot; });
}

int PlanDocument::indexOfFile(const QString& absolute) const
{
    return indexWhere([&](const OpenPlan& tab) { return tab.file.path() == absolute; });
}

std::unique_ptr<OpenPlan> PlanDocument::make(Plan plan)
{
    auto tab = std::make_unique<OpenPlan>(std::move(plan), ++m_last_id);
    if (m_tab != nullptr) {
        tab->derived = m_tab->derived;
        tab->derived_batch_factor = m_tab->derived_batch_factor;
    }
    m_history.addStack(&tab->stack);
    connect(&tab->stack, &QUndoStack::cleanChanged, this, &PlanDocument::fileChanged);
    connect(&tab->file, &SavedFile::stateChanged, this, &PlanDocument::fileChanged);
    return tab;
}

void PlanDocument::replaceBy(std::unique_ptr<OpenPlan> tab)
{
    OpenPlan& shown = *tab;
    if (shown.slot < 0) shown.slot = m_tab->slot;
    const auto replaced = std::exchange(m_tabs[static_cast<std::size_t>(current())], std::move(tab));
    showTab(shown);
}

void PlanDocument::insertBeside(std::unique_ptr<OpenPlan> tab)
{
    if (m_tab->isStart()) return replaceBy(std::move(tab));
    OpenPlan& shown = *tab;
    m_tabs.insert(m_tabs.begin() + current() + 1, std::move(tab));
    showTab(shown);
}

void PlanDocument::showTab(OpenPlan& tab)
{
    setOpenKey({});
    m_tab = &tab;
    m_history.setActiveStack(&tab.stack);
    m_task.cancel();
    m_recompute.stop();
    m_replaced = true;
    for (const auto& one : m_tabs)
        one->is_outlined = automaticName(one->plan) == automaticName(tab.plan);
    const bool is_known = tab.hasFigures(m_profile);
    if (!is_known) scheduleRecompute();
    nameAll();
    emit planReplaced();
    emit planChanged();
    emit fileChanged();
    emit tabsChanged();
    if (is_known && m_tab == &tab) take(Computed(tab.figures));
}

void PlanDocument::show(int index)
{
    if (index >= 0 && index < count() && index != current()) showTab(*m_tabs[static_cast<std::size_t>(index)]);
}

void PlanDocument::moveTab(int from, int to)
{
    const auto at = [this](int index) { return m_tabs.begin() + index; };
    if (from < to) std::rotate(at(from), at(from) + 1, at(to) + 1);
    if (from > to) std::rotate(at(to), at(from), at(from) + 1);
    nameAll();
    emit tabsChanged();
}

void PlanDocument::close(int index)
{
    emit closing(index);
    const bool was_current = index == current();
    const std::unique_ptr<OpenPlan> closed = std::move(m_tabs[static_cast<std::size_t>(index)]);
    closed->stack.disconnect(this);
    m_tabs.erase(m_tabs.begin() + index);
    if (m_tabs.empty()) {
        m_tabs.push_back(make(m_start));
        m_tabs.front()->is_start = true;
    }
    if (was_current) return showTab(*m_tabs[static_cast<std::size_t>(std::min(index, count() - 1))]);
    nameAll();
    emit tabsChanged();
}

std::unique_ptr<OpenPlan> PlanDocument::variant(Plan plan)
{
    auto tab = make(std::move(plan));
    tab->opened = m_tab->opened;
    tab->opened_unnamed = m_tab->opened_unnamed;
    tab->in_no_file = true;
    tab->imported_text = m_tab->imported_text;
    return tab;
}

void PlanDocument::keepCopy()
{
    auto copy = variant(m_tab->plan);
    copy->figures = m_tab->figures;
    copy->is_outdated = m_tab->is_outdated;
    copy->slot = freeSlot();
    m_tabs.insert(m_tabs.begin() + current() + 1, std::move(copy));
    nameAll();
    emit tabsChanged();
    estimateOthers();
}

void PlanDocument::openVariant(Plan plan)
{
    rename(plan);
    auto tab = variant(std::move(plan));
    OpenPlan& shown = *tab;
    m_tabs.insert(m_tabs.begin() + current() + 1, std::move(tab));
    showTab(shown);
}

int PlanDocument::freeSlot() const
{
    int slot = 0;
    while (indexOfSlot(slot) >= 0)
        ++slot;
    return slot;
}

void PlanDocument::tick(int index, bool ticked)
{
    OpenPlan& tab = *m_tabs[static_cast<std::size_t>(index)];
    if ((tab.slot >= 0) == ticked) return;
    tab.slot = ticked ? freeSlot() : -1;
    tab.is_outlined = true;
    emit tabsChanged();
}

std::vector<ui::PinnedEstimate> PlanDocument::outlined() const
{
    auto pins = ticked();
    std::erase_if(pins, [this](const auto& pin) { return !tab(indexOfSlot(pin.letter.unicode() - u'A')).is_outlined; });
    return pins;
}

void PlanDocument::outlineAll()
{
    for (const auto& tab : m_tabs)
        tab->is_outlined = true;
    emit tabsChanged();
}

std::vector<ui::PinnedEstimate> PlanDocument::ticked() const
{
    std::vector<ui::PinnedEstimate> pins;
    for (const auto& tab : m_tabs) {
        if (tab.get() != m_tab && tab->slot >= 0 && tab->hasFigures(m_profile) && tab->figures.estimate->complete())
            pins.push_back({tab->slot % ui::kPreviewSlot, letter(tab->slot), tab->name, tab->figures.estimate});
    }
    std::ranges::sort(pins, {}, &ui::PinnedEstimate::letter);
    return pins;
}

bool PlanDocument::nameAll()
{
    bool changed = false;
    for (const auto& named : m_tabs) {
        OpenPlan& tab = *named;
        const auto same =
            std::ranges::find_if(m_tabs, [&](const auto& one) { return one->plan.name == tab.plan.name; });
        const QString name =
            same->get() == &tab ? QString::fromStdString(tab.plan.name) : nameBeside(tab.plan, (*same)->plan);
        changed = changed || name != tab.name;
        tab.name = name;
    }
    return changed;
}

/// The tabs show verdicts, and the charts the outlines of those that are ticked.
void PlanDocument::estimateOthers()
{
    std::vector<std::pair<int, Plan>> plans;
    std::vector<int> ids;
    for (const auto& tab : m_tabs) {
        if (tab.get() == m_tab || tab->hasFigures(m_profile)) continue;
        plans.emplace_back(tab->id, tab->plan);
        ids.push_back(tab->id);
    }
    if (ids.empty() || (ids == m_asked && m_profile == m_asked_profile)) return;
    m_asked = ids;
    m_asked_profile = m_profile;
    m_others.request([plans = std::move(plans), profile = m_profile](QPromise<Other>& promise) {
        for (const auto& [id, plan] : plans) {
            if (promise.isCanceled()) return;
            promise.addResult(Other{id, compute(plan, profile)});
        }
    });
}

void PlanDocument::takeOther(const Other& other)
{
    std::erase(m_asked, other.id);
    const int index = indexOfId(other.id);
    if (index < 0) return;
    OpenPlan& tab = *m_tabs[static_cast<std::size_t>(index)];
    if (&tab == m_tab || other.computed.plan != tab.plan || other.computed.profile != m_profile) return;
    tab.figures = other.computed;
    tab.is_outdated = false;
    emit tabsChanged();
}

void PlanDocument::reset(Plan plan) { replaceBy(make(std::move(plan))); }

void PlanDocument::openBeside(Plan plan, const QString& imported)
{
    auto tab = make(std::move(plan));
    tab->imported_text = imported;
    tab->in_no_file = !imported.isEmpty();
    insertBeside(std::move(tab));
}

void PlanDocument::openStart()
{
    auto tab = make(m_start);
    tab->is_start = true;
    insertBeside(std::move(tab));
}

int PlanDocument::restore(const KeptPlan& kept)
{
    auto made = make(kept.saved);
    OpenPlan& tab = *made;
    tab.opened_unnamed = kept.file.isEmpty();
    tab.in_no_file = kept.in_no_file;
    tab.imported_text = kept.imported_text;
    tab.slot = indexOfSlot(kept.slot) < 0 ? kept.slot : freeSlot();
    if (!kept.file.isEmpty()) {
        tab.file.set(kept.file, kept.file_text);
        tab.file.look();
    }
    if (kept.plan != kept.saved) tab.stack.push(new EditCommand(*this, tab, kept.plan, tr("Earlier edits"), {}, false));
    if (count() == 1 && m_tab->isStart()) {
        replaceBy(std::move(made));
    } else {
        m_tabs.push_back(std::move(made));
        nameAll();
        emit tabsChanged();
    }
    return tab.id;
}

namespace {

Result<Plan> parsed(const std::string& text, const QString& file, const Presets& presets)
{
    auto plan = parsePlan(text, presets);
    if (!plan) plan.error().file = file.toStdString();
    return plan;
}

} // namespace

Result<void> PlanDocument::open(const QString& file, const Presets& presets)
{
    auto source = readPlanSource(toPath(file));
    if (!source) return tl::unexpected(source.error());
    auto plan = parsed(source->text, file, presets);
    if (!plan) return tl::unexpected(plan.error());
    auto tab = make(*std::move(plan));
    // Saving must not overwrite a picture or a packed file with a plan file.
    if (!source->in_picture && !source->packed) {
        tab->opened_unnamed = false;
        tab->file.set(QFileInfo(file).absoluteFilePath(), std::move(source->text));
    }
    insertBeside(std::move(tab));
    return {};
}

Result<void> PlanDocument::reload(const Presets& presets)
{
    auto text = readFile(toPath(filePath()));
    if (!text) return tl::unexpected(text.error());
    auto plan = parsed(*text, filePath(), presets);
    if (!plan) return tl::unexpected(plan.error());
    m_tab->file.set(filePath(), *std::move(text));
    m_tab->opened = *plan;
    edit(*std::move(plan), tr("Reload from disk"));
    m_tab->stack.setClean();
    emit fileChanged();
    return {};
}

Result<void> PlanDocument::save() { return saveAs(filePath()); }

Result<void> PlanDocument::saveAs(const QString& file)
{
    std::string text = planText(m_tab->plan);
    const auto written = writeFile(toPath(file), text);
    if (!written) return written;
    m_tab->file.set(QFileInfo(file).absoluteFilePath(), std::move(text));
    setOpenKey({});
    m_tab->in_no_file = false;
    m_tab->stack.setClean();
    emit fileChanged();
    return {};
}

QString PlanDocument::displayName() const
{
    if (!filePath().isEmpty()) return QFileInfo(filePath()).fileName();
    return QString::fromStdString(m_tab->plan.name);
}

} // namespace cardfit::app
