// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoGroup>
#include <QUndoStack>

#include "app/document/latest_task.h"
#include "app/document/plan_quantities.h"
#include "app/document/saved_file.h"
#include "core/base/result.h"
#include "core/estimate/estimate.h"
#include "core/estimate/profiles.h"
#include "core/files/presets.h"
#include "widgets/chart/pins.h"
#include "widgets/rails/rail_track.h"

namespace cardfit::app {

/// An estimate and what it was made from.
struct Computed {
    Plan plan;
    Profile profile = Profile::AsPlanned;
    std::shared_ptr<const Estimate> estimate; ///< null before the first
    double milliseconds = 0.0;
};

/// A plan that is open in a tab: its history, its file, and the figures of when it was shown last.
struct OpenPlan {
    OpenPlan(Plan opened_plan, int number)
        : id(number)
        , plan(std::move(opened_plan))
        , opened(plan)
    {
    }

    int id; ///< of no other tab of this window, not even of a closed one
    Plan plan;
    Plan opened; ///< as it was opened or created
    QString name; ///< what a tab shows: the plan's name or, beside another of that name, what differs from it
    bool opened_unnamed = true; ///< not opened from a file, where a user may have named it
    bool is_start = false; ///< what a window or a tab begins with; nothing is lost when it makes room
    bool in_no_file = false; ///< imported, or kept as a copy, and not saved since
    QString imported_text; ///< the launcher's text that it was imported from
    QUndoStack stack;
    SavedFile file;
    DerivedFactor derived = DerivedFactor::Data;
    DerivedBatchFactor derived_batch_factor = DerivedBatchFactor::MicroBatches;
    Computed figures;
    bool is_outdated = true; ///< `figures` are of an earlier state of the plan
    int slot = -1; ///< its letter while it is ticked, 0 for A; -1: it is not
    bool is_outlined = true; ///< while it is ticked; not over a plan of another model or cards that was shown later

    [[nodiscard]] bool isModified() const { return in_no_file || !stack.isClean(); }
    [[nodiscard]] bool isUntouched() const { return file.path().isEmpty() && !in_no_file && stack.count() == 0; }
    [[nodiscard]] bool isStart() const { return is_start && isUntouched(); }
    [[nodiscard]] bool hasFigures(Profile profile) const
    {
        return !is_outdated && figures.estimate != nullptr && figures.profile == profile;
    }
};

/// What a tab of an earlier run is made from.
struct KeptPlan {
    Plan saved; ///< what its file held; undo leads back to it
    Plan plan;
    QString file; ///< absolute; empty if there is none
    std::string file_text; ///< what the file held
    bool in_no_file = false;
    QString imported_text;
    int slot = -1;
};

/// The plans that are open in the window's tabs. One of them, the current one, is shown: views read it, with its undo
/// history, its file and its estimate, and edit it here.
class PlanDocument : public QObject {
    Q_OBJECT

public:
    explicit PlanDocument(Plan plan, QObject* parent = nullptr);
    ~PlanDocument() override;

    [[nodiscard]] const Plan& plan() const { return m_tab->plan; }
    /// The plan as it was opened or created; a rail's reset button restores its values.
    [[nodiscard]] const Plan& openedPlan() const { return m_tab->opened; }
    [[nodiscard]] QUndoStack* undoStack() { return &m_tab->stack; }
    /// The history of whichever plan is current.
    [[nodiscard]] QUndoGroup* history() { return &m_history; }

    [[nodiscard]] int count() const { return static_cast<int>(m_tabs.size()); }
    [[nodiscard]] const OpenPlan& tab(int index) const { return *m_tabs[static_cast<std::size_t>(index)]; }
    [[nodiscard]] int current() const;
    /// The tab with an id, a letter or a file; -1 if there is none.
    [[nodiscard]] int indexOfId(int id) const;
    [[nodiscard]] int indexOfSlot(int slot) const;
    [[nodiscard]] int indexOfFile(const QString& absolute) const;
    void show(int index);
    void moveTab(int from, int to);
    /// Nothing is asked: closing() tells who keeps it. In place of the last one the plan of the start is opened.
    void close(int index);
    /// Puts a copy of the current plan into the next tab, ticked, and goes on with the current one.
    void keepCopy();
    /// Opens a plan that was made from the current one, such as one that was found, in the next tab.
    void openVariant(Plan plan);
    /// A ticked plan is outlined in the charts of the others and compared with them.
    void tick(int index, bool ticked);
    [[nodiscard]] static QChar letter(int slot) { return QChar(u'A' + slot); }
    /// Ticked plans with figures, but for the current one, by letter.
    [[nodiscard]] std::vector<ui::PinnedEstimate> ticked() const;
    /// Those of them that do not squeeze the current plan's charts because they are of another model or other cards,
    /// unless they were ticked beside it.
    [[nodiscard]] std::vector<ui::PinnedEstimate> outlined() const;
    /// Outlines all of them.
    void outlineAll();

    /// Makes `plan` the document's plan, as one undo step named `text`. Edits with the same key are merged into one
    /// step until one of them is committed; a step whose result equals its start is removed.
    void edit(Plan plan, const QString& text, const QString& key = {}, ui::EditPhase phase = ui::EditPhase::Committed);
    /// True from the first edit of a drag to its last.
    [[nodiscard]] bool isDragging() const { return !m_open_key.isEmpty(); }

    /// Sets which factor of the number of cards is derived when another one is edited. Not an edit: the plan does not
    /// change.
    void setDerivedFactor(DerivedFactor derived);
    [[nodiscard]] DerivedFactor derivedFactor() const { return m_tab->derived; }

    /// The same for the factors of the global batch. Data can be derived from only one of the two: the last setting
    /// counts.
    void setDerivedBatchFactor(DerivedBatchFactor derived);
    [[nodiscard]] DerivedBatchFactor derivedBatchFactor() const { return m_tab->derived_batch_factor; }

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

    /// Starts over in the current tab with a plan that has no file; clears the history.
    void reset(Plan plan);
    /// Opens a plan that has no file in a tab of its own; the untouched plan of the start makes room for it.
    /// `imported`: the launcher's text that it comes from; as it is in no file, such a plan counts as modified.
    void openBeside(Plan plan, const QString& imported = {});
    /// The same for a file's plan, or for the plan embedded in an exported picture (then without a file). On an error
    /// nothing changes.
    [[nodiscard]] Result<void> open(const QString& file, const Presets& presets);
    /// A new tab with the plan of the start, unless that is shown.
    void openStart();
    /// Adds a tab of an earlier run behind the others, without showing it. It takes the place of the untouched plan of
    /// the start.
    int restore(const KeptPlan& kept);
    /// Replaces the plan by the file's plan, as one undo step; undo restores the edits that it replaces.
    [[nodiscard]] Result<void> reload(const Presets& presets);
    /// Requires a file path.
    [[nodiscard]] Result<void> save();
    /// Adopts the path only if the file was written.
    [[nodiscard]] Result<void> saveAs(const QString& file);

    /// The launcher's text that the plan was imported from.
    [[nodiscard]] const QString& importedText() const { return m_tab->imported_text; }

    /// Absolute, so that a later save does not depend on the current folder.
    [[nodiscard]] QString filePath() const { return m_tab->file.path(); }
    /// Whether another program has changed the file, as of the last check.
    [[nodiscard]] SavedFile::State fileState() const { return m_tab->file.state(); }
    /// Checks the file now.
    SavedFile::State lookAtFile() { return m_tab->file.look(); }
    [[nodiscard]] bool isModified() const { return m_tab->isModified(); }
    /// The file's name, or the plan's name if there is no file.
    [[nodiscard]] QString displayName() const;

signals:
    void draggingChanged(); ///< a drag has begun or ended, with or without an edit
    void planChanged(); ///< also for changes of derived factors and profile
    /// Another plan is shown: a new one, another file, another tab.
    void planReplaced();
    void lateChanged();
    void estimateChanged();
    void fileChanged(); ///< path, name, unsaved edits, or a change on disk, of any tab
    void tabsChanged(); ///< which there are, their order, names, ticks or figures, or which is current
    void closing(int index); ///< the tab is still there

private:
    class EditCommand;

    /// Whether the user has not named the plan: it is new, imported or a preset, or it has its automatic name.
    [[nodiscard]] bool hasAutomaticName() const;

    /// The figures of a tab that is not shown.
    struct Other {
        int id = 0;
        Computed computed;
    };

    [[nodiscard]] static Computed compute(const Plan& plan, Profile profile);
    void apply(OpenPlan& tab, const Plan& plan);
    void setOpenKey(const QString& key);
    template <class Is> [[nodiscard]] int indexWhere(Is is) const;
    [[nodiscard]] std::unique_ptr<OpenPlan> make(Plan plan);
    [[nodiscard]] std::unique_ptr<OpenPlan> variant(Plan plan);
    void rename(Plan& plan) const;
    /// Shows `tab` in place of the current one, or in the place behind it.
    void replaceBy(std::unique_ptr<OpenPlan> tab);
    void insertBeside(std::unique_ptr<OpenPlan> tab);
    void showTab(OpenPlan& tab);
    [[nodiscard]] int freeSlot() const;
    /// Returns true if a name has changed.
    bool nameAll();
    void estimateOthers();
    void takeOther(const Other& other);
    void scheduleRecompute();
    void take(const Computed& computed);
    void setComputing(bool computing);

    Plan m_start; ///< of a new tab
    int m_last_id = 0;
    std::vector<std::unique_ptr<OpenPlan>> m_tabs; ///< at least one
    OpenPlan* m_tab = nullptr; ///< the current one
    QUndoGroup m_history;
    QString m_open_key; ///< key of the drag in progress
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
    std::vector<int> m_asked; ///< ids of the tabs whose figures are being computed
    Profile m_asked_profile = Profile::AsPlanned;
    LatestTask<Other> m_others;
};

} // namespace cardfit::app
