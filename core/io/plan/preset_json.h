// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/json_reader.h"
#include "core/io/plan/field_json.h"
#include "core/io/plan/presets.h"
#include "core/plan/plan.h"

/// Models, accelerators and clusters as JSON, which look the same inside a plan and as preset files. Internal to
/// core/io.
namespace cardfit {

/// Fill a value from an object. {"preset": id} starts from that preset and {"preset": null} from nothing; without the
/// key the value stays as it is. Keys override what it was started from. A preset that does not exist is an
/// UnknownName, unless the object holds all that the preset would have been needed for, as a saved plan does.
void readAccelerator(ObjectReader& json, const Presets& presets, Accelerator& accelerator);
void readCluster(ObjectReader& json, const Presets& presets, Cluster& cluster);
void readModel(ObjectReader& json, const Presets& presets, Model& model);

/// Append every field, null where there is none, so that no preset shines through when the object is read again. The
/// caller puts "preset", or the header of a preset file, in front.
void writeAccelerator(Json& json, const Accelerator& accelerator);
void writeCluster(Json& json, const Cluster& cluster);
void writeModel(Json& json, const Model& model);

/// What writeFields() needs for a whole plan: names of presets, and curves.
[[nodiscard]] WriteHooks presetHooks(const Plan& plan);

} // namespace cardfit
