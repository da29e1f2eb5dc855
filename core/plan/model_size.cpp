// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/model_size.h"

#include <algorithm>
#include <cctype>

#include "core/model/families.h"
#include "core/model/operators.h"

namespace cardfit {

namespace {

/// "llama-3" names "llama-3-8b" and "llama-3.1-8b", but not "llama-33b".
bool namesFamily(std::string_view id, std::string_view family)
{
    if (!id.starts_with(family) || id.size() == family.size()) return false;
    return std::isdigit(static_cast<unsigned char>(id[family.size()])) == 0;
}

} // namespace

std::string_view namedFamily(std::string_view id)
{
    std::string_view best;
    for (const auto family : familyNames()) {
        if (namesFamily(id, family) && family.size() > best.size()) best = family;
    }
    return best;
}

double modelSize(const Model& model) { return static_cast<double>(parameterCount(model.architecture)); }

std::string_view familyOf(const Model& model)
{
    const auto families = familyNames();
    const auto own = std::ranges::find(families, model.family);
    if (own != families.end()) return *own;
    if (const auto named = namedFamily(model.id); !named.empty()) return named;
    const Architecture& shape = model.architecture;
    if (!shape.gated_mlp) return "gpt";
    if (shape.attention_bias) return "qwen2.5";
    return shape.num_key_value_heads < shape.num_attention_heads ? "llama-3" : "llama";
}

bool isOfFamily(const Model& model)
{
    const auto families = familyNames();
    return std::ranges::find(families, model.family) != families.end() || !namedFamily(model.id).empty();
}

} // namespace cardfit
