// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace cardfit {

/// Whether an option of Megatron-LM is about data, logs, checkpoints, initialisation, learning rate or the like, which
/// change neither memory nor time by anything that a plan could say. Such options are not worth a note.
[[nodiscard]] bool isWithoutEffect(std::string_view flag);

} // namespace cardfit
