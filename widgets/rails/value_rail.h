// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QWidget>

#include "widgets/rails/rail_track.h"
#include "widgets/text/quantity_text.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace cardfit::ui {

/// One quantity: its name, a field to type it into, a rail to drag it along, a lock and a reset button. It shows the
/// last value that it was given and requests changes through edited(); the owner decides whether to accept them.
/// A rail that can be folded is one line until it is opened: name, strip and field.
class ValueRail : public QWidget {
    Q_OBJECT

public:
    explicit ValueRail(const QString& name, QWidget* parent = nullptr);
    ~ValueRail() override;

    void setName(const QString& name);
    [[nodiscard]] QString name() const;
    /// The name's tool tip.
    void setHelp(const QString& help);
    void setUnit(const QString& unit);
    void setFormat(const QuantityFormat& format);
    [[nodiscard]] const QuantityFormat& format() const { return m_format; }

    void setStops(std::vector<Stop> stops);
    [[nodiscard]] const std::vector<Stop>& stops() const;
    void setScale(ScaleKind scale);
    /// Shown under the rail, one per stop in the stops' order; empty: none.
    void setVerdicts(std::vector<StopVerdict> verdicts);
    /// The strip of an earlier plan stays, dimmed.
    void dimVerdicts() { m_track->dimVerdicts(); }

    void setValue(double value);
    [[nodiscard]] double value() const;
    /// The value that Ctrl+0, a double click and the reset button set.
    void setResetValue(double value);

    /// A derived value follows from other values: it is shown in italics with its formula and cannot be edited.
    void setDerived(bool derived, const QString& formula = {});
    [[nodiscard]] bool isDerived() const { return m_derived; }
    /// Shows the lock: closed keeps the value fixed, open lets it follow other values.
    void setLockable(bool lockable);
    void setLocked(bool locked);

    void setFoldable(bool foldable);
    /// Of a rail that can be folded.
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const { return m_open; }
    [[nodiscard]] bool isFolded() const { return m_foldable && !m_open; }

    /// The rule that this value breaks; shown under the field until an empty text removes it.
    void setProblem(const QString& problem, bool is_error = true);

    /// True from the first change of a drag or a held key until its end.
    [[nodiscard]] bool isDragging() const { return m_dragging; }

    [[nodiscard]] RailTrack* track() const { return m_track; }
    [[nodiscard]] QLineEdit* field() const { return m_field; }

signals:
    void edited(double value, cardfit::ui::EditPhase phase);
    void lockToggled(bool locked);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void commitText();
    void restoreText();
    void reset();
    void onMoved(double value, EditPhase phase);
    void showValue();
    void showMessage();
    void arrange();
    void updateButtons();
    void updateReset();
    void retranslate();

    QuantityFormat m_format;
    ScaleKind m_scale = ScaleKind::Ordinal;
    double m_value = 0.0;
    double m_reset_value = 0.0;
    bool m_derived = false;
    bool m_dragging = false;
    bool m_foldable = false;
    bool m_open = false;
    bool m_lockable = false;
    QString m_formula;
    QString m_problem;
    bool m_problem_is_error = true;
    QString m_parse_error; ///< error in the field's text

    QHBoxLayout* m_head;
    QVBoxLayout* m_rows;
    QToolButton* m_fold; ///< opens and folds the rail
    QLabel* m_label;
    QLineEdit* m_field;
    QLabel* m_unit;
    QToolButton* m_lock;
    QToolButton* m_reset;
    RailTrack* m_track;
    QLabel* m_message;
};

} // namespace cardfit::ui
