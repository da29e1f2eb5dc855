// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QTimer>
#include <QWidget>

#include "widgets/rails/field_habits.h"
#include "widgets/rails/keyed_editor.h"
#include "widgets/rails/rail_scale.h"
#include "widgets/text/quantity_text.h"

class QPainter;

namespace cardfit::ui {

struct Theme;

/// The rail itself: ticks, a handle, and a strip of verdicts underneath. Dragging and the keys move the handle from one
/// allowed stop to the next; with Ctrl from one power of two to the next; with Shift to any value. The owner resets a
/// value that it refuses.
class RailTrack : public KeyedEditor {
    Q_OBJECT

public:
    explicit RailTrack(QWidget* parent = nullptr);

    void setScale(RailScale scale);
    [[nodiscard]] const RailScale& scale() const { return m_scale; }
    void setValue(double value);
    [[nodiscard]] double value() const { return m_value; }
    void setFormat(const QuantityFormat& format);
    /// One per stop, in the stops' order; empty: no strip.
    void setVerdicts(std::vector<StopVerdict> verdicts);
    [[nodiscard]] const std::vector<StopVerdict>& verdicts() const { return m_verdicts; }
    /// The strip stays, dimmed, until the verdicts of a changed plan are known.
    void dimVerdicts();
    [[nodiscard]] bool isDimmed() const { return m_dimmed; }
    /// Folded, it is a low picture of itself in a line of text: no labels, and no dragging.
    void setFolded(bool folded);
    void setQuantityName(const QString& name);

    [[nodiscard]] bool isDragging() const { return m_drag.has_value(); }
    [[nodiscard]] QString explanationAt(const QPointF& position) const override;
    /// Middle of the tick or handle of a value, in widget coordinates.
    [[nodiscard]] QPointF pointOf(double value) const;

    /// Requests a value as one edit, as assistive technology does.
    void request(double value) { move(value, EditPhase::Committed); }
    /// Moves the handle as the key says; false if a rail does not use the key.
    bool handleKey(const QKeyEvent& event);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void moved(double value, cardfit::ui::EditPhase phase);
    void resetRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void endDrag() override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void commitValue() override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Drag {
        double start_value = 0.0;
        double grip = 0.0; ///< pixels between the pointer and the handle's middle
        bool has_moved = false;
    };

    [[nodiscard]] double railLeft() const;
    [[nodiscard]] double railY() const; ///< of the groove's middle
    [[nodiscard]] double railWidth() const;
    [[nodiscard]] double placeAt(double x) const;
    [[nodiscard]] double fineValue(double place) const;
    [[nodiscard]] std::optional<double> keyTarget(const QKeyEvent& event) const;
    [[nodiscard]] double fineStep(int direction) const;
    void dragTo(double x, Qt::KeyboardModifiers modifiers);
    void cancelDrag();
    void move(double value, EditPhase phase);
    void updateAccessibleName();

    void paintGroove(QPainter& painter, const Theme& theme) const;
    void paintTick(QPainter& painter, const Theme& theme, const Stop& stop) const;
    void paintLabels(QPainter& painter, const Theme& theme) const;
    void paintStrip(QPainter& painter, const Theme& theme) const;
    void paintHandle(QPainter& painter, const Theme& theme) const;

    RailScale m_scale;
    QuantityFormat m_format;
    QString m_name;
    double m_value = 0.0;
    std::vector<StopVerdict> m_verdicts;
    bool m_dimmed = false; ///< the verdicts are of an earlier plan
    bool m_folded = false;
    std::optional<Drag> m_drag;
    int m_wheel = 0; ///< eighths of a degree turned towards the next step
    WheelFocus m_wheel_focus;
    QTimer m_wheel_rest; ///< wheel steps without a pause between them are one edit, like repeats of a held key
};

} // namespace cardfit::ui
