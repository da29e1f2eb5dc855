// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_document.h"

#include <chrono>
#include <utility>

#include <QFileInfo>
#include <QUndoCommand>

#include "app/document/file_path.h"
#include "core/io/file.h"
#include "core/io/plan/plan_file.h"

namespace cardfit::app {

/// Two plans and which of them counts. While it is open, later edits of the same key become part of it.
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

    void undo() override { m_document.apply(m_before); }
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
{
    m_recompute.setSingleShot(true);
    m_recompute.setInterval(0);
    connect(&m_recompute, &QTimer::timeout, this, &PlanDocument::recomputeNow);
    connect(&m_stack, &QUndoStack::cleanChanged, this, &PlanDocument::fileChanged);
    scheduleRecompute();
}

void PlanDocument::edit(Plan plan, const QString& text, const QString& key, ui::EditPhase phase)
{
    const bool stays_open = phase == ui::EditPhase::Dragging && !key.isEmpty();
    const bool continues = !key.isEmpty() && key == m_open_key;
    m_open_key = stays_open ? key : QString();
    if (plan == m_plan && !continues) return;
    m_stack.push(new EditCommand(*this, std::move(plan), text, key, stays_open));
}

void PlanDocument::apply(const Plan& plan)
{
    if (plan == m_plan) return;
    m_plan = plan;
    scheduleRecompute();
    emit planChanged();
}

void PlanDocument::setFollower(Follower follower)
{
    if (follower == m_follower) return;
    m_follower = follower;
    if (follower == Follower::Data && m_batch_follower == BatchFollower::Data)
        m_batch_follower = BatchFollower::MicroBatches;
    scheduleRecompute();
    emit planChanged();
}

void PlanDocument::setBatchFollower(BatchFollower follower)
{
    if (follower == m_batch_follower) return;
    m_batch_follower = follower;
    if (follower == BatchFollower::Data) m_follower = Follower::Nodes;
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

void PlanDocument::scheduleRecompute()
{
    // Never restarted: a stream of edits must not push the answer away.
    if (!m_recompute.isActive()) m_recompute.start();
}

void PlanDocument::recomputeNow()
{
    m_recompute.stop();
    const auto begin = std::chrono::steady_clock::now();
    m_estimate = std::make_shared<const Estimate>(estimateUnder(m_plan, m_profile));
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    m_elapsed_milliseconds = elapsed.count();
    if (m_estimate->complete()) {
        m_last_complete = m_estimate;
        m_last_complete_plan = planUnder(m_plan, m_profile);
        m_last_complete_profile = m_profile;
    }
    emit estimateChanged();
}

void PlanDocument::startOver(Plan plan, const QString& file)
{
    m_open_key.clear();
    m_stack.clear();
    m_opened = plan;
    m_file = file;
    m_last_complete.reset();
    m_plan = std::move(plan);
    scheduleRecompute();
    emit planChanged();
    emit fileChanged();
}

void PlanDocument::reset(Plan plan) { startOver(std::move(plan), {}); }

Result<void> PlanDocument::open(const QString& file, const Presets& presets)
{
    const auto source = readPlanSource(toPath(file));
    if (!source) return tl::unexpected(source.error());
    auto plan = parsePlan(source->text, presets);
    if (!plan) {
        plan.error().file = file.toStdString();
        return tl::unexpected(plan.error());
    }
    // Saving must not turn a picture into a plan file.
    startOver(std::move(*plan), source->in_picture ? QString() : file);
    return {};
}

void PlanDocument::recover(Plan saved, Plan edited, const QString& file)
{
    startOver(std::move(saved), file);
    edit(std::move(edited), tr("Recovered edits"));
}

Result<void> PlanDocument::save() { return saveAs(m_file); }

Result<void> PlanDocument::saveAs(const QString& file)
{
    const auto written = writeFile(toPath(file), planText(m_plan));
    if (!written) return written;
    m_file = file;
    m_open_key.clear();
    m_stack.setClean();
    emit fileChanged();
    return {};
}

QString PlanDocument::displayName() const
{
    if (!m_file.isEmpty()) return QFileInfo(m_file).fileName();
    return QString::fromStdString(m_plan.name);
}

} // namespace cardfit::app
