// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>

#include "app/document/latest_task.h"
#include "app/document/plan_quantities.h"
#include "app/document/saved_file.h"
#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/estimate/profiles.h"
#include "core/files/presets.h"
#include "widgets/rails/rail_track.h"

namespace cardfit::app {

/// The plan that the window shows, with its undo history, its file and its estimate. Views read it and edit it here.
class PlanDocument : public QObject {
    Q_OBJECT

public:
    explicit PlanDocument(Plan plan, QObject* parent = nullptr);

    [[nodiscard]] const Plan& plan() const { return m_plan; }
    /// The plan as it was opened or created; a rail's reset button restores its values.
    [[nodiscard]] const Plan& openedPlan() const { return m_opened; }
    [[nodiscard]] QUndoStack* undoStack() { return &m_stack; }

    /// Makes `plan` the document's plan, as one undo step named `text`. Edits with the same key are merged into one
    /// step until one of them is committed; a step whose result equals its start is removed.
    void edit(Plan plan, const QString& text, const QString& key = {}, ui::EditPhase phase = ui::EditPhase::Committed);
    /// True from the first edit of a drag to its last.
    [[nodiscard]] bool isDragging() const { return !m_open_key.isEmpty(); }

    /// Sets which factor of the number of cards is derived when another one is edited. Not an edit: the plan does not
    /// change.
    void setDerivedFactor(DerivedFactor derived);
    [[nodiscard]] DerivedFactor derivedFactor() const { return m_derived; }

    /// The same for the factors of the global batch. Data can be derived from only one of the two: the last setting
    /// counts.
    void setDerivedBatchFactor(DerivedBatchFactor derived);
    [[nodiscard]] DerivedBatchFactor derivedBatchFactor() const { return m_derived_batch_factor; }

    /// Sets the profile under which the estimate is computed. Not an edit: the plan does not change.
    void setProfile(Profile profile);
    [[nodiscard]] Profile profile() const { return m_profile; }

    /// The newest estimate; it belongs to plan() once estimateChanged() has followed planChanged().
    [[nodiscard]] const std::shared_ptr<const Estimate>& estimate() const { return m_estimate; }
    /// The plan of estimate().
    [[nodiscard]] const Plan& estimatedPlan() const { return m_estimated_plan; }
    /// Whether a slow estimate is being computed in the background.
    [[nodiscard]] bool isComputing() const { return m_computing; }
    /// Whether it has been for so long that views should say so; in a drag they would flicker if they did at once.
    [[nodiscard]] bool isLate() const { return m_computing && !m_patience.isActive(); }
    /// The last estimate that had figures; null before the first.
    [[nodiscard]] const std::shared_ptr<const Estimate>& lastComplete() const { return m_last_complete; }
    /// Whether lastComplete() has the figures of an earlier plan, because this one has none.
    [[nodiscard]] bool hasOnlyEarlierFigures() const
    {
        return m_last_complete != nullptr && m_estimate && !m_estimate->complete();
    }
    /// The plan of lastComplete(), as the profile of that moment changed it.
    [[nodiscard]] const Plan& lastCompletePlan() const { return m_last_complete_plan; }
    [[nodiscard]] Profile lastCompleteProfile() const { return m_last_complete_profile; }
    /// How long the last estimate took.
    [[nodiscard]] double elapsedMilliseconds() const { return m_elapsed_milliseconds; }
    /// Emits the signals for the present figures, for a window that was just built; first handles pending edits.
    void announce();
    /// Estimates at once and in this thread, however long it takes.
    void recomputeNow();

    /// Starts over with a plan that has no file; clears the history.
    void reset(Plan plan);
    /// Starts over with a file's plan, or with the plan embedded in an exported picture (then without a file). On an
    /// error nothing changes.
    [[nodiscard]] Result<void> open(const QString& file, const Presets& presets);
    /// The plan that open() would start with.
    [[nodiscard]] static Result<Plan> planIn(const QString& file, const Presets& presets);
    /// Replaces the plan by the file's plan, as one undo step; undo restores the edits that it replaces.
    [[nodiscard]] Result<void> reload(const Presets& presets);
    /// Starts over with a file's plan (or `saved`, if there is no file), followed by an edit that makes it `edited`.
    void recover(Plan saved, Plan edited, const QString& file);
    /// Requires a file path.
    [[nodiscard]] Result<void> save();
    /// Adopts the path only if the file was written.
    [[nodiscard]] Result<void> saveAs(const QString& file);

    /// The launcher's text that the plan was imported from; cleared when another plan is opened.
    [[nodiscard]] const QString& importedText() const { return m_imported_text; }
    /// A plan from a text is in no file, so it counts as modified.
    void setImportedText(const QString& text);

    /// Absolute, so that a later save does not depend on the current folder.
    [[nodiscard]] QString filePath() const { return m_file.path(); }
    /// Whether another program has changed the file, as of the last check.
    [[nodiscard]] SavedFile::State fileState() const { return m_file.state(); }
    /// Checks the file now.
    SavedFile::State lookAtFile() { return m_file.look(); }
    [[nodiscard]] bool isModified() const { return m_in_no_file || !m_stack.isClean(); }
    /// The file's name, or the plan's name if there is no file.
    [[nodiscard]] QString displayName() const;

signals:
    void draggingChanged(); ///< a drag has begun or ended, with or without an edit
    void planChanged(); ///< also for changes of derived factors and profile
    /// Another plan has replaced the open one: a new one, another file, a preset.
    void planReplaced();
    void lateChanged();
    void estimateChanged();
    void fileChanged(); ///< path, name, unsaved edits, or a change on disk

private:
    class EditCommand;

    /// Whether the user has not named the plan: it is new, imported or a preset, or it has its automatic name.
    [[nodiscard]] bool hasAutomaticName() const;

    struct Computed {
        Plan plan;
        Profile profile = Profile::AsPlanned;
        std::shared_ptr<const Estimate> estimate;
        double milliseconds = 0.0;
    };

    [[nodiscard]] static Computed compute(const Plan& plan, Profile profile);
    void apply(const Plan& plan);
    void setOpenKey(const QString& key);
    void startOver(Plan plan, const QString& file, std::string text);
    void scheduleRecompute();
    void take(const Computed& computed);
    void setComputing(bool computing);

    Plan m_plan;
    Plan m_opened;
    bool m_opened_unnamed = true; ///< not opened from a file, where a user may have named it
    QString m_imported_text;
    bool m_in_no_file = false; ///< imported and not saved since
    QUndoStack m_stack;
    QString m_open_key; ///< key of the drag in progress
    SavedFile m_file;
    DerivedFactor m_derived = DerivedFactor::Data;
    DerivedBatchFactor m_derived_batch_factor = DerivedBatchFactor::MicroBatches;
    Profile m_profile = Profile::AsPlanned;
    std::shared_ptr<const Estimate> m_estimate;
    Plan m_estimated_plan;
    std::shared_ptr<const Estimate> m_last_complete;
    Plan m_last_complete_plan;
    Profile m_last_complete_profile = Profile::AsPlanned;
    double m_elapsed_milliseconds = 0.0;
    QTimer m_recompute;
    bool m_computing = false;
    QTimer m_patience; ///< runs from the start of a computation until it is late
    bool m_replaced = false; ///< the plan was replaced and has no estimate yet
    LatestTask<Computed> m_task;
};

} // namespace cardfit::app
