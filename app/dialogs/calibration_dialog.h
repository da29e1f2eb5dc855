// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QDialog>

#include "core/accuracy/calibration.h"
#include "core/report/reports.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTextBrowser;

namespace cardfit::app {

class PlanDocument;

/// The texts in the fields, as the user typed them.
struct RunFields {
    int quantity = 0;
    QString speed;
    int work = 0;
    QString published;
    QString allocated;
    int stage = 0;
    QString source;
    QString log;

    bool operator==(const RunFields&) const = default;
};

/// Compares a measured run with the plan: speed in any unit, allocated memory, or pasted lines of a log. Shows measured
/// and predicted figures side by side, the run's utilisation by every convention, and which parts a calibration would
/// make slower; stores the calibration in the plan as one undo step. Follows the document while it is open.
class CalibrationDialog : public QDialog {
    Q_OBJECT

public:
    CalibrationDialog(PlanDocument& document, ByteUnit unit, QWidget* parent = nullptr);

    [[nodiscard]] RunFields fields() const;
    void setFields(const RunFields& fields);

    /// The comparison for the fields' values; nullopt if they are empty, unreadable or explain nothing.
    [[nodiscard]] const std::optional<RunComparison>& comparison() const { return m_comparison; }

private:
    QWidget* buildFields();
    void showCalibrationOfPlan();
    void fill(const Measurement& measured, int digits);
    void readLog();
    void refresh();
    [[nodiscard]] Result<Measurement> measured() const;
    void apply();
    void removeCalibration();

    PlanDocument& m_document;
    ByteUnit m_unit;
    std::optional<RunComparison> m_comparison;
    QComboBox* m_quantity;
    QLineEdit* m_speed;
    QComboBox* m_work; ///< which FLOPs a speed in TFLOP/s counts
    QLineEdit* m_published;
    QLineEdit* m_allocated;
    QSpinBox* m_stage;
    QLineEdit* m_source;
    QPlainTextEdit* m_log;
    QLabel* m_log_answer;
    QTextBrowser* m_answer;
    QPushButton* m_apply;
    QPushButton* m_remove;
};

} // namespace cardfit::app
