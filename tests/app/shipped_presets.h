// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>

#include "core/files/preset_library.h"

/// The presets of the source tree, read once.
inline const cardfit::Presets& shippedPresets()
{
    static const std::array<std::filesystem::path, 1> directories{CARDFIT_PRESET_DIR};
    static const cardfit::Presets presets = cardfit::loadPresets(directories);
    return presets;
}

/// Llama 3 70B on 64 H100: tensor 8, pipeline 4, data 2.
inline cardfit::Plan samplePlan() { return cardfit::defaultPlan(shippedPresets()); }
