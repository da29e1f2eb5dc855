// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "widgets/rails/rail_track.h"
#include "widgets/text/quantity_text.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace cardfit::ui {

/// One quantity: its name, a field to type it into, a rail to drag it along, a lock and a reset. It shows the value
/// that it was given last and asks for another through edited(); whether that becomes the value is its owner's
/// decision.
class ValueRail : public QWidget {
    Q_OBJECT

public:
    explicit ValueRail(const QString& name, QWidget* parent = nullptr);
    ~ValueRail() override;

    void setName(const QString& name);
    [[nodiscard]] QString name() const;
    void setUnit(const QString& unit);
    void setFormat(const QuantityFormat& format);
    [[nodiscard]] const QuantityFormat& format() const { return m_format; }

    void setStops(std::vector<Stop> stops);
    [[nodiscard]] const std::vector<Stop>& stops() const;
    void setScale(ScaleKind scale);
    /// Drawn under the rail, one per stop in the stops' order; empty: none.
    void setVerdicts(std::vector<StopVerdict> verdicts);

    void setValue(double value);
    [[nodiscard]] double value() const;
    /// Where Ctrl+0, a double click and the reset button lead.
    void setResetValue(double value);

    /// A derived value follows from others: it is shown in italics with its formula and takes no edits.
    void setDerived(bool derived, const QString& formula = {});
    [[nodiscard]] bool isDerived() const { return m_derived; }
    /// Shows the lock: closed holds the value, open lets it follow.
    void setLockable(bool lockable);
    void setLocked(bool locked);

    /// The rule that this value breaks; stays under the field until it is taken back with an empty text.
    void setProblem(const QString& problem, bool is_error = true);

    /// From the first change of a drag or a held key until its end.
    [[nodiscard]] bool isDragging() const { return m_dragging; }

    [[nodiscard]] RailTrack* track() const { return m_track; }
    [[nodiscard]] QLineEdit* field() const { return m_field; }

signals:
    void edited(double value, cardfit::ui::EditPhase phase);
    void lockToggled(bool locked);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void commitText();
    void restoreText();
    void reset();
    void onMoved(double value, EditPhase phase);
    void showValue();
    void showMessage();
    void updateButtons();
    void updateReset();
    void retranslate();

    QuantityFormat m_format;
    ScaleKind m_scale = ScaleKind::Ordinal;
    double m_value = 0.0;
    double m_reset_value = 0.0;
    bool m_derived = false;
    bool m_dragging = false;
    QString m_formula;
    QString m_problem;
    bool m_problem_is_error = true;
    QString m_parse_error; ///< of the text in the field

    QLabel* m_label;
    QLineEdit* m_field;
    QLabel* m_unit;
    QToolButton* m_lock;
    QToolButton* m_reset;
    RailTrack* m_track;
    QLabel* m_message;
};

} // namespace cardfit::ui
