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
#include "core/estimate.h"
#include "core/io/plan/presets.h"
#include "core/profiles.h"
#include "core/result.h"
#include "widgets/rails/rail_track.h"

namespace cardfit::app {

/// The plan that the window shows, its history, its file and its estimate. Views read from here and edit it here.
class PlanDocument : public QObject {
    Q_OBJECT

public:
    explicit PlanDocument(Plan plan, QObject* parent = nullptr);

    [[nodiscard]] const Plan& plan() const { return m_plan; }
    /// The plan as it was opened or created; a rail's reset button restores its values.
    [[nodiscard]] const Plan& openedPlan() const { return m_opened; }
    [[nodiscard]] QUndoStack* undoStack() { return &m_stack; }

    /// Makes `plan` the plan, as one undo step named `text`. Edits with the same key join into one step until one of
    /// them is committed; a step that ends where it began vanishes.
    void edit(Plan plan, const QString& text, const QString& key = {}, ui::EditPhase phase = ui::EditPhase::Committed);
    /// True from the first edit of a drag to its last.
    [[nodiscard]] bool isDragging() const { return !m_open_key.isEmpty(); }

    /// Which factor of the cards follows when another one is edited. No edit: the plan stays as it is.
    void setDerivedFactor(DerivedFactor derived);
    [[nodiscard]] DerivedFactor derivedFactor() const { return m_derived; }

    /// The same for the factors of the global batch. Data can follow only one of the two: whichever is set last.
    void setDerivedBatchFactor(DerivedBatchFactor derived);
    [[nodiscard]] DerivedBatchFactor derivedBatchFactor() const { return m_derived_batch_factor; }

    /// Whose arithmetic the estimate uses. No edit: the plan stays as it is.
    void setProfile(Profile profile);
    [[nodiscard]] Profile profile() const { return m_profile; }

    /// The newest estimate; belongs to plan() once estimateChanged() has followed planChanged().
    [[nodiscard]] const std::shared_ptr<const Estimate>& estimate() const { return m_estimate; }
    /// The plan that it belongs to.
    [[nodiscard]] const Plan& estimatedPlan() const { return m_estimated_plan; }
    /// Whether an estimate that takes long is being computed, beside the window's thread.
    [[nodiscard]] bool isComputing() const { return m_computing; }
    /// The last estimate that had figures; null before the first.
    [[nodiscard]] const std::shared_ptr<const Estimate>& lastComplete() const { return m_last_complete; }
    /// Whose figures those are, as the profile of that moment saw it.
    [[nodiscard]] const Plan& lastCompletePlan() const { return m_last_complete_plan; }
    [[nodiscard]] Profile lastCompleteProfile() const { return m_last_complete_profile; }
    /// What the last estimate took.
    [[nodiscard]] double elapsedMilliseconds() const { return m_elapsed_milliseconds; }
    /// For a window that has just been built: tells of the figures that there are, after those of edits still to come.
    void announce();
    /// Estimates at once and in this thread, however long it takes.
    void recomputeNow();

    /// Starts over with a plan that has no file. History is gone.
    void reset(Plan plan);
    /// Starts over with a file's plan, or without a file with the plan that an exported picture carries. On an error
    /// everything stays as it is.
    [[nodiscard]] Result<void> open(const QString& file, const Presets& presets);
    /// Makes the file's plan the plan, as one undo step that leads back to the edits it replaces.
    [[nodiscard]] Result<void> reload(const Presets& presets);
    /// Starts over with a file's plan (or `saved`, where there is no file) and an edit that makes it `edited`.
    void recover(Plan saved, Plan edited, const QString& file);
    /// Requires a file path.
    [[nodiscard]] Result<void> save();
    /// Adopts the path only if the file was written.
    [[nodiscard]] Result<void> saveAs(const QString& file);

    /// The launcher's text that the plan was imported from; gone when another plan is opened.
    [[nodiscard]] const QString& importedText() const { return m_imported_text; }
    void setImportedText(const QString& text) { m_imported_text = text; }

    /// Absolute, so that the working folder does not decide where a later save goes.
    [[nodiscard]] QString filePath() const { return m_file.path(); }
    /// Whether somebody else has changed the file, as far as is known.
    [[nodiscard]] SavedFile::State fileState() const { return m_file.state(); }
    /// Reads the file to tell.
    SavedFile::State lookAtFile() { return m_file.look(); }
    [[nodiscard]] bool isModified() const { return !m_stack.isClean(); }
    /// The file's name, or the plan's where it has none.
    [[nodiscard]] QString displayName() const;

signals:
    void planChanged(); ///< or how it is edited or estimated: derived factors, profile
    /// Another plan has taken the place of the open one: a new one, another file, a preset.
    void planReplaced();
    void computingChanged();
    void estimateChanged();
    void fileChanged(); ///< path, name, whether there are unsaved edits, or what others did to the file

private:
    class EditCommand;

    /// Whether nobody has named the plan: a new or imported one, a preset, or one that is called as it would be.
    [[nodiscard]] bool hasAutomaticName() const;

    struct Computed {
        Plan plan;
        Profile profile = Profile::AsPlanned;
        std::shared_ptr<const Estimate> estimate;
        double milliseconds = 0.0;
    };

    [[nodiscard]] static Computed compute(const Plan& plan, Profile profile);
    void apply(const Plan& plan);
    void startOver(Plan plan, const QString& file, std::string text);
    void scheduleRecompute();
    void recompute();
    void take(const Computed& computed);
    void setComputing(bool computing);

    Plan m_plan;
    Plan m_opened;
    bool m_opened_unnamed = true; ///< not from a file, whose name somebody may have given
    QString m_imported_text;
    QUndoStack m_stack;
    QString m_open_key; ///< of the drag that goes on
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
    bool m_replaced = false; ///< and no estimate of the new plan yet
    LatestTask<Computed> m_task;
};

} // namespace cardfit::app
