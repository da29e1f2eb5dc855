// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/field_json.h"
#include "core/files/json_reader.h"
#include "core/files/presets.h"
#include "core/plan/plan.h"

/// Models, accelerators and clusters as JSON, in the same form inside a plan and in preset files. Internal to
/// core/files.
namespace cardfit {

/// Read a value from an object. {"preset": id} starts from that preset and {"preset": null} from an empty value;
/// without the key the value is kept. Other keys override it. An unknown preset is an UnknownName, unless the object
/// contains everything that the preset would supply, as a saved plan does.
void readAccelerator(ObjectReader& json, const Presets& presets, Accelerator& accelerator);
void readCluster(ObjectReader& json, const Presets& presets, Cluster& cluster);
void readModel(ObjectReader& json, const Presets& presets, Model& model);

/// Append every field, with null for an empty one, so that a preset does not supply missing values when the object is
/// read again. The caller first writes "preset" or the header of a preset file.
void writeAccelerator(Json& json, const Accelerator& accelerator);
void writeCluster(Json& json, const Cluster& cluster);
void writeModel(Json& json, const Model& model);

/// The hooks of writeFields() for a whole plan: names of presets, and curves.
[[nodiscard]] WriteHooks presetHooks(const Plan& plan);

} // namespace cardfit
