// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <tl/expected.hpp>

#include "core/plan/plan.h"

class QLabel;
class QLineEdit;

namespace cardfit::app {

class PlanDocument;

/// Layers of each stage, typed as a list or as Megatron-LM's layout; empty means automatic.
class LayersField : public QWidget {
    Q_OBJECT

public:
    explicit LayersField(PlanDocument& document, QWidget* parent = nullptr);
    ~LayersField() override;

    void refresh();

private:
    void commit();
    [[nodiscard]] tl::expected<Plan, QString> withList(const QString& text) const;

    PlanDocument& m_document;
    QLineEdit* m_text;
    QLabel* m_message;
};

} // namespace cardfit::app
