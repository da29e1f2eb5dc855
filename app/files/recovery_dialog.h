// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <QDateTime>
#include <QDialog>

#include "app/files/recovery_file.h"
#include "core/files/presets.h"
#include "core/files/recovery_text.h"

class QListWidget;
class QPushButton;

namespace cardfit::app {

/// Unsaved edits that a killed process left behind.
struct LeftPlan {
    std::unique_ptr<RecoveryFile> file;
    Result<UnsavedPlan> content; ///< an error says why it cannot be restored
    QDateTime when; ///< time of the last edit that was written
};

/// Plans worth offering, newest first. A plan equal to its file was saved after all: its recovery file is removed.
[[nodiscard]] std::vector<LeftPlan> leftPlans(const std::filesystem::path& directory, const Presets& presets);

/// Offers plans that were left behind. A plan stays for the next start unless the user restores or discards it.
class RecoveryDialog : public QDialog {
    Q_OBJECT

public:
    RecoveryDialog(std::vector<LeftPlan> left, QWidget* parent = nullptr);
    ~RecoveryDialog() override;

    [[nodiscard]] QListWidget* list() const { return m_list; }
    [[nodiscard]] QPushButton* restoreButton() const { return m_restore; }
    [[nodiscard]] QPushButton* discardButton() const { return m_discard; }

signals:
    /// The user has chosen to restore the plan. A receiver that takes and keeps it sets `taken`; then its recovery file
    /// is removed.
    void restoreAsked(const cardfit::UnsavedPlan& unsaved, bool& taken);

private:
    void restore();
    void discard();
    void removeCurrent();
    void updateButtons();

    std::vector<LeftPlan> m_left; ///< in the list's order
    QListWidget* m_list;
    QPushButton* m_restore;
    QPushButton* m_discard;
};

} // namespace cardfit::app
