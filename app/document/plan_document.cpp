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
    EditCommand(PlanDocument& document, Plan after, const QString& text, QString key, bool is_open)
        : QUndoCommand(text)
        , m_document(document)
        , m_before(document.m_plan)
        , m_after(std::move(after))
        , m_key(std::move(key))
        , m_is_open(is_open)
    {
    }

    void undo() override
    {
        // An open drag or series of wheel steps ends here. Otherwise its final edit would clear the redo history.
        m_document.setOpenKey({});
        m_document.apply(m_before);
    }
    void redo() override { m_document.apply(m_after); }
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
    Plan m_before;
    Plan m_after;
    QString m_key;
    bool m_is_open;
};

PlanDocument::PlanDocument(Plan plan, QObject* parent)
    : QObject(parent)
    , m_plan(std::move(plan))
    , m_opened(m_plan)
    , m_task([this](const Computed& computed) { take(computed); })
{
    m_recompute.setSingleShot(true);
    m_recompute.setInterval(0);
    connect(&m_recompute, &QTimer::timeout, this, &PlanDocument::recomputeNow);
    constexpr int kPatience = 100; // milliseconds
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(&m_patience, &QTimer::timeout, this, &PlanDocument::lateChanged);
    connect(&m_stack, &QUndoStack::cleanChanged, this, &PlanDocument::fileChanged);
    connect(&m_file, &SavedFile::stateChanged, this, &PlanDocument::fileChanged);
    scheduleRecompute();
}

void PlanDocument::edit(Plan plan, const QString& text, const QString& key, ui::EditPhase phase)
{
    const bool stays_open = phase == ui::EditPhase::Dragging && !key.isEmpty();
    const bool continues = !key.isEmpty() && key == m_open_key;
    setOpenKey(stays_open ? key : QString());
    if (plan == m_plan && !continues) return;
    if (plan.name == m_plan.name && hasAutomaticName()) {
        const std::string name = automaticName(plan);
        // A preset keeps its shipped name while its automatic name is that of the opened plan, and gets it back when it
        // is again.
        const bool as_opened = m_opened_unnamed && name == automaticName(m_opened);
        if (name != automaticName(m_plan)) plan.name = as_opened ? m_opened.name : name;
    }
    m_stack.push(new EditCommand(*this, std::move(plan), text, key, stays_open));
}

bool PlanDocument::hasAutomaticName() const
{
    return m_plan.name == automaticName(m_plan) || (m_opened_unnamed && m_plan.name == m_opened.name);
}

void PlanDocument::apply(const Plan& plan)
{
    if (plan == m_plan) return;
    m_plan = plan;
    scheduleRecompute();
    emit planChanged();
}

void PlanDocument::setOpenKey(const QString& key)
{
    const bool dragged = isDragging();
    m_open_key = key;
    if (dragged != isDragging()) emit draggingChanged();
}

void PlanDocument::setDerivedFactor(DerivedFactor derived)
{
    if (derived == m_derived) return;
    m_derived = derived;
    if (derived == DerivedFactor::Data && m_derived_batch_factor == DerivedBatchFactor::Data)
        m_derived_batch_factor = DerivedBatchFactor::MicroBatches;
    scheduleRecompute();
    emit planChanged();
}

void PlanDocument::setDerivedBatchFactor(DerivedBatchFactor derived)
{
    if (derived == m_derived_batch_factor) return;
    m_derived_batch_factor = derived;
    if (derived == DerivedBatchFactor::Data) m_derived = DerivedFactor::Nodes;
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
    if (isSlowToEstimate(m_plan)) {
        m_recompute.stop();
        // At once: the panels take in the edit meanwhile.
        m_task.request([plan = m_plan, profile = m_profile](
                           QPromise<Computed>& promise) { promise.addResult(compute(plan, profile)); });
        setComputing(true);
        return;
    }
    // Not restarted while it runs: frequent edits would postpone the answer forever.
    if (!m_recompute.isActive()) m_recompute.start();
}

PlanDocument::Computed PlanDocument::compute(const Plan& plan, Profile profile)
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
    take(compute(m_plan, m_profile));
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
    setComputing(false);
    emit estimateChanged();
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

void PlanDocument::startOver(Plan plan, const QString& file, std::string text)
{
    setOpenKey({});
    m_imported_text.clear();
    m_in_no_file = false;
    m_stack.clear();
    m_opened = plan;
    m_opened_unnamed = file.isEmpty();
    m_file.set(file.isEmpty() ? QString() : QFileInfo(file).absoluteFilePath(), std::move(text));
    m_replaced = true;
    m_plan = std::move(plan);
    scheduleRecompute();
    emit planReplaced();
    emit planChanged();
    emit fileChanged();
}

void PlanDocument::setImportedText(const QString& text)
{
    m_imported_text = text;
    m_in_no_file = !text.isEmpty();
    emit fileChanged();
}

void PlanDocument::reset(Plan plan) { startOver(std::move(plan), {}, {}); }

namespace {

Result<Plan> parsed(const std::string& text, const QString& file, const Presets& presets)
{
    auto plan = parsePlan(text, presets);
    if (!plan) plan.error().file = file.toStdString();
    return plan;
}

} // namespace

Result<Plan> PlanDocument::planIn(const QString& file, const Presets& presets)
{
    const auto source = readPlanSource(toPath(file));
    if (!source) return tl::unexpected(source.error());
    return parsed(source->text, file, presets);
}

Result<void> PlanDocument::open(const QString& file, const Presets& presets)
{
    auto source = readPlanSource(toPath(file));
    if (!source) return tl::unexpected(source.error());
    auto plan = parsed(source->text, file, presets);
    if (!plan) return tl::unexpected(plan.error());
    // Saving must not overwrite a picture or a packed file with a plan file.
    startOver(std::move(*plan), source->in_picture || source->packed ? QString() : file, std::move(source->text));
    return {};
}

Result<void> PlanDocument::reload(const Presets& presets)
{
    auto text = readFile(toPath(filePath()));
    if (!text) return tl::unexpected(text.error());
    auto plan = parsed(*text, filePath(), presets);
    if (!plan) return tl::unexpected(plan.error());
    m_file.set(filePath(), *std::move(text));
    m_opened = *plan;
    edit(*std::move(plan), tr("Reload from disk"));
    m_stack.setClean();
    emit fileChanged();
    return {};
}

void PlanDocument::recover(Plan saved, Plan edited, const QString& file)
{
    startOver(std::move(saved), file, readFile(toPath(file)).value_or(std::string()));
    m_file.look();
    edit(std::move(edited), tr("Recovered edits"));
}

Result<void> PlanDocument::save() { return saveAs(filePath()); }

Result<void> PlanDocument::saveAs(const QString& file)
{
    std::string text = planText(m_plan);
    const auto written = writeFile(toPath(file), text);
    if (!written) return written;
    m_file.set(QFileInfo(file).absoluteFilePath(), std::move(text));
    setOpenKey({});
    m_in_no_file = false;
    m_stack.setClean();
    emit fileChanged();
    return {};
}

QString PlanDocument::displayName() const
{
    if (!filePath().isEmpty()) return QFileInfo(filePath()).fileName();
    return QString::fromStdString(m_plan.name);
}

} // namespace cardfit::app
