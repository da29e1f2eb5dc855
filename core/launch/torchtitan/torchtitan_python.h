// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/launch/torchtitan/torchtitan_command.h"

/// torchtitan's configurations since February 2026: functions of Python that return a Trainer.Config
/// (torchtitan/models/*/config_registry.py at b5bcd76c, 2026-08).
namespace cardfit {

[[nodiscard]] bool isTorchtitanPython(std::string_view text);

/// A configuration as the command that starts it with every literal as an option. What is no literal is noted; without
/// an option torchtitan's default counts.
struct TorchtitanPython {
    TorchtitanCommand command;
    bool chunked_loss = false; ///< ChunkedLossWrapper; otherwise whole logits
};

/// The only configuration of the file, or the one that LaunchText::part names.
[[nodiscard]] Result<TorchtitanPython> readTorchtitanPython(const LaunchText& text, const Cluster& base);

} // namespace cardfit
