// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/explain/catalogue.h"

#include <algorithm>

#include "core/explain/catalogue_tables.h"

namespace cardfit {

namespace {

const CatalogueEntry* find(std::span<const CatalogueEntry> entries, std::string_view id)
{
    const auto found = std::ranges::find(entries, id, &CatalogueEntry::id);
    return found == entries.end() ? nullptr : &*found;
}

} // namespace

const CatalogueEntry* describeTerm(std::string_view id)
{
    for (const auto& table : {catalogue::activationTerms(), catalogue::layerTerms(), catalogue::stateTermEntries(),
             catalogue::temporaryTerms()}) {
        if (const auto* entry = find(table, id)) return entry;
    }
    return nullptr;
}

const CatalogueEntry* describeEvent(std::string_view id)
{
    const auto* entry = find(catalogue::events(), id);
    return entry != nullptr ? entry : find(catalogue::layerEvents(), id);
}

const CatalogueEntry* describeWeight(std::string_view id)
{
    const auto* entry = find(catalogue::weights(), id);
    return entry != nullptr ? entry : find(catalogue::layerWeights(), id);
}

const CatalogueEntry* describeFigure(std::string_view name, Task task)
{
    const auto* served = task == Task::Inference ? find(catalogue::served(), name) : nullptr;
    return served != nullptr ? served : find(catalogue::figures(), name);
}

const CatalogueEntry& describeSegment(Segment segment, Task task)
{
    const CatalogueEntry& entry = catalogue::segments()[static_cast<std::size_t>(segment)];
    const auto* served = task == Task::Inference ? find(catalogue::served(), entry.id) : nullptr;
    return served != nullptr ? *served : entry;
}

} // namespace cardfit
