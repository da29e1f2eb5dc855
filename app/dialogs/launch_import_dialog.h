// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>
#include <QTimer>

#include "core/io/launch/launch.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace cardfit::app {

/// Imports a pasted command line or a file while it is edited, and lists what has no place in a plan.
class LaunchImportDialog : public QDialog {
    Q_OBJECT

public:
    /// `base` gives what a launcher's file does not say: the cards, and the model where the text has none.
    LaunchImportDialog(Plan base, const Presets& presets, QWidget* parent = nullptr);

    void setText(const QString& text);
    [[nodiscard]] QString text() const;
    /// Reads the text at once instead of when typing pauses.
    void readNow();
    /// nullopt as long as the text cannot be imported.
    [[nodiscard]] const std::optional<Plan>& plan() const { return m_plan; }
    [[nodiscard]] QTreeWidget& notes() { return *m_notes; }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QPushButton& openButton() { return *m_open; }
    [[nodiscard]] QPushButton& useButton() { return *m_use; }

signals:
    /// To start over with the plan. Whoever takes it sets `taken`: until then the dialog and its text stay.
    void opened(const cardfit::Plan& plan, bool& taken);
    /// To go on with the open plan and this one's model: for a text that holds no more than a model.
    void modelChosen(const cardfit::Plan& plan);

private:
    void chooseFile();
    void showNotes(const std::vector<LaunchNote>& notes);

    Plan m_base;
    const Presets& m_presets;
    std::optional<Plan> m_plan;
    QTimer m_pause;
    QPlainTextEdit* m_text = nullptr;
    QComboBox* m_launcher = nullptr;
    QLabel* m_verdict = nullptr;
    QTreeWidget* m_notes = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_use = nullptr;
};

} // namespace cardfit::app
