// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/presets.h"

namespace cardfit::app {

class PlanDocument;
class ViewState;

/// What panels are constructed from. They connect to the document and the view state themselves.
struct PanelContext {
    PlanDocument& document;
    const Presets& presets;
    ViewState& state;
};

/// A panel that does nothing while it is hidden. Its dock must tell it, because QWidget::isVisible() is also true
/// behind another dock's tab.
class SeenPanel {
public:
    virtual void setSeen(bool seen) = 0;

protected:
    ~SeenPanel() = default;
};

} // namespace cardfit::app
