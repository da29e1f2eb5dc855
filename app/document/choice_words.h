// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <type_traits>

#include <QString>

#include "core/pipeline/orders/schedule.h"
#include "core/plan/names.h"
#include "widgets/chart/labels.h"

/// Labels of a recipe's choices, with one sentence about each: "ZeRO-1" for the file's "zero1".
namespace cardfit::app {

struct ChoiceWords {
    const char* label = ""; ///< to be translated, see choiceLabel()
    const char* help = "";
};

/// In the order of names<Enum>().
template <class Enum> [[nodiscard]] std::span<const ChoiceWords> choiceWords();
template <> std::span<const ChoiceWords> choiceWords<Task>();
template <> std::span<const ChoiceWords> choiceWords<Framework>();
template <> std::span<const ChoiceWords> choiceWords<Kernels>();
template <> std::span<const ChoiceWords> choiceWords<Precision>();
template <> std::span<const ChoiceWords> choiceWords<GradientPrecision>();
template <> std::span<const ChoiceWords> choiceWords<Optimizer>();
template <> std::span<const ChoiceWords> choiceWords<MomentPrecision>();
template <> std::span<const ChoiceWords> choiceWords<Sharding>();
template <> std::span<const ChoiceWords> choiceWords<Schedule>();
template <> std::span<const ChoiceWords> choiceWords<Attention>();
template <> std::span<const ChoiceWords> choiceWords<Loss>();
template <> std::span<const ChoiceWords> choiceWords<RecomputeGranularity>();
template <> std::span<const ChoiceWords> choiceWords<RecomputeMethod>();
template <> std::span<const ChoiceWords> choiceWords<RecomputeModule>();
template <> std::span<const ChoiceWords> choiceWords<Dispatcher>();
template <> std::span<const ChoiceWords> choiceWords<CudaGraph>();
template <> std::span<const ChoiceWords> choiceWords<ContextCommunication>();
template <> std::span<const ChoiceWords> choiceWords<GradientSync>();
template <> std::span<const ChoiceWords> choiceWords<Quantizer>();

[[nodiscard]] QString choiceText(const char* words);

template <class Enum> [[nodiscard]] std::size_t choiceIndex(Enum value)
{
    const auto all = names<Enum>();
    std::size_t index = 0;
    while (index < all.size() && all[index].value != value)
        ++index;
    return index;
}
template <class Enum> [[nodiscard]] QString choiceLabel(Enum value)
{
    // Charts and reports also use the names of schedules.
    if constexpr (std::is_same_v<Enum, Schedule>)
        return ui::scheduleLabel(value);
    else
        return choiceText(choiceWords<Enum>()[choiceIndex(value)].label);
}
template <class Enum> [[nodiscard]] QString choiceHelp(Enum value)
{
    return choiceText(choiceWords<Enum>()[choiceIndex(value)].help);
}

/// A value of an Edit as the choices say it: "ZeRO-1" for "zero1"; other values are valueWords().
[[nodiscard]] QString valueLabel(const std::string& field, const std::string& value);

} // namespace cardfit::app
