// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>
#include <QTimer>

#include "core/launch/launch.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace cardfit::app {

/// Imports a pasted command line or a file while it is edited, and lists what a plan cannot hold.
class LaunchImportDialog : public QDialog {
    Q_OBJECT

public:
    /// `base` completes what a launcher's file does not say: the cards and, if the text has none, the model. A text
    /// with the name of an unknown model waits until one is selected.
    LaunchImportDialog(Plan base, const Presets& presets, QWidget* parent = nullptr);

    /// `file`: where the text comes from; files that it names are read beside it.
    void setText(const QString& text, const QString& file = {});
    [[nodiscard]] QString text() const;
    /// Reads the text at once instead of after a pause in typing.
    void readNow();
    /// nullopt while the text cannot be imported.
    [[nodiscard]] const std::optional<Plan>& plan() const { return m_plan; }
    [[nodiscard]] QTreeWidget& notes() { return *m_notes; }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] QComboBox& model() { return *m_model; }
    [[nodiscard]] QPushButton& openButton() { return *m_open; }
    [[nodiscard]] QPushButton& useButton() { return *m_use; }

signals:
    void opened(const cardfit::Plan& plan);
    /// The user keeps the open plan and takes only this plan's model: for a text that describes no more than a model.
    void modelChosen(const cardfit::Plan& plan);

private:
    void chooseFile();
    void showNotes(const std::vector<LaunchNote>& notes);

    Plan m_base;
    const Presets& m_presets;
    QString m_file; ///< that holds the text; empty: none
    std::optional<Plan> m_plan;
    QTimer m_pause;
    QPlainTextEdit* m_text = nullptr;
    QComboBox* m_launcher = nullptr;
    QComboBox* m_model = nullptr;
    QLabel* m_verdict = nullptr;
    QTreeWidget* m_notes = nullptr;
    QPushButton* m_open = nullptr;
    QPushButton* m_use = nullptr;
};

} // namespace cardfit::app
