// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "core/estimate/estimate.h"
#include "core/pipeline/orders/placement.h"
#include "core/plan/plan.h"
#include "widgets/rails/keyed_editor.h"
#include "widgets/rails/rail_track.h"

class QPainter;

namespace cardfit::ui {

/// The model's layers in a row, cut into the pipeline's stages: the embedding, every layer, the multi-token prediction
/// layers, the output layer. A boundary is dragged, or moved by the arrow keys, one layer at a time. With several model
/// chunks per rank each chunk has a row of its own. The owner resets a change that it refuses.
class LayerSplit : public KeyedEditor {
    Q_OBJECT

public:
    explicit LayerSplit(QWidget* parent = nullptr);

    /// Shows the plan's split and, under each stage, whether its card has room according to `estimate`, if there is
    /// one. Where a broken rule leaves the split unknown, the last split stays, greyed, and cannot be moved.
    void setPlan(const Plan& plan, const Estimate* estimate);

    /// Layers of every stage in the order in which a micro-batch visits them.
    [[nodiscard]] const std::vector<std::int64_t>& layers() const { return m_layers; }
    [[nodiscard]] bool isDragging() const { return m_drag.has_value(); }
    /// The boundary that the keys move; nullopt if there is no boundary.
    [[nodiscard]] std::optional<std::size_t> currentBoundary() const;
    void setCurrentBoundary(std::size_t boundary);

    /// Middle of the handle after a stage, in widget coordinates.
    [[nodiscard]] QPointF pointOf(std::size_t boundary) const;
    /// Width of one layer of the stage, in pixels.
    [[nodiscard]] double layerWidth(std::size_t stage) const;
    [[nodiscard]] QString explanationAt(const QPointF& position) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void edited(const std::vector<std::int64_t>& layers, cardfit::ui::EditPhase phase);
    void stageHovered(int rank); ///< -1: none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void endDrag() override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void commitValue() override;
    void changeEvent(QEvent* event) override;

private:
    struct Drag {
        std::vector<std::int64_t> start;
        double grip = 0.0; ///< x of the pointer when the drag began
        double layer_width = 1.0; ///< at the start; the row may be rescaled during the drag
        bool has_moved = false;
    };
    /// What a stage holds besides its layers, and where it is drawn.
    struct StageBox {
        QRectF rect; ///< of the blocks
        double unit = 0.0; ///< width of one block
        std::int64_t first_layer = 0;
        std::int64_t before = 0; ///< blocks before the layers: the embedding
        std::int64_t after = 0; ///< blocks after the layers: prediction layers and the output layer
    };

    [[nodiscard]] std::size_t rows() const;
    [[nodiscard]] double labelHeight() const;
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] double left() const;
    [[nodiscard]] std::vector<StageBox> boxes() const;
    [[nodiscard]] std::optional<std::size_t> boundaryAt(const QPointF& position) const;
    [[nodiscard]] std::optional<std::size_t> stageAt(const QPointF& position) const;
    [[nodiscard]] bool hasExperts(std::int64_t layer) const;
    /// The letter of the layer's kind; empty if all layers mix tokens in the same way.
    [[nodiscard]] QString layerLetter(std::int64_t layer) const;
    void move(std::vector<std::int64_t> layers, EditPhase phase);
    void cancelDrag();
    void updateAccessibleText();

    void paintStage(QPainter& painter, const Theme& theme, std::size_t stage, const StageBox& box) const;
    void paintBlock(QPainter& painter, const Theme& theme, const QRectF& rect, std::size_t stage, std::int64_t block,
        const StageBox& box) const;
    void paintStageLabel(QPainter& painter, const Theme& theme, std::size_t stage, const StageBox& box) const;
    void paintVerdict(QPainter& painter, const Theme& theme, std::size_t stage, const StageBox& box) const;
    void paintBoundary(QPainter& painter, const Theme& theme, std::size_t boundary, const StageBox& box) const;
    void paintLegend(QPainter& painter, const Theme& theme) const;

    std::vector<std::int64_t> m_layers;
    Pipe m_places; ///< of the stages
    std::vector<LayerKind> m_kinds; ///< by layer
    std::int64_t m_predictions = 0;
    std::vector<StopVerdict> m_verdicts; ///< by rank; empty: unknown
    std::optional<std::size_t> m_fullest; ///< rank with the least room
    bool m_known = false; ///< whether the picture matches the plan
    std::size_t m_boundary = 0;
    std::optional<Drag> m_drag;
    int m_hovered = -1; ///< rank
};

} // namespace cardfit::ui
