// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/stage_table.h"

#include <array>
#include <cmath>
#include <utility>

#include "widgets/chart/labels.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

namespace {

/// What a row shows; the segments' rows are between InFlight and Allocated.
enum class Total { Layers, InFlight, Allocated, Reserved, Device, Capacity, Free };
constexpr std::array kBefore{Total::Layers, Total::InFlight};
constexpr std::array kAfter{Total::Allocated, Total::Reserved, Total::Device, Total::Capacity, Total::Free};
constexpr std::size_t kFirstTotal = kBefore.size() + kSegmentCount;
constexpr std::size_t kRowCount = kFirstTotal + kAfter.size();

bool isOfTraining(Segment segment) { return segment == Segment::Gradients || segment == Segment::Optimizer; }
bool isSegment(std::size_t row) { return row >= kBefore.size() && row < kFirstTotal; }
Segment segmentOf(std::size_t row) { return static_cast<Segment>(row - kBefore.size()); }
Total totalOf(std::size_t row) { return row < kBefore.size() ? kBefore[row] : kAfter[row - kFirstTotal]; }

QString label(Total total, bool served)
{
    switch (total) {
    case Total::Layers: return StageTable::tr("Layers");
    case Total::InFlight: return served ? StageTable::tr("In the cache") : ui::sharedText("In flight");
    case Total::Allocated: return StageTable::tr("Allocated");
    case Total::Reserved: return StageTable::tr("Reserved");
    case Total::Device: return ui::sharedText("Device");
    case Total::Capacity: return ui::sharedText("Capacity");
    case Total::Free: return StageTable::tr("Free");
    }
    return {};
}

/// A row's name in core/explain. Layers have no explanation; Free is explained by Device.
std::string_view figureName(std::size_t row)
{
    if (isSegment(row)) return kSegmentNames[static_cast<std::size_t>(segmentOf(row))];
    switch (totalOf(row)) {
    case Total::Layers: return {};
    case Total::InFlight: return "in_flight";
    case Total::Allocated: return "allocated";
    case Total::Reserved: return "reserved";
    case Total::Capacity: return "capacity";
    case Total::Device:
    case Total::Free: break;
    }
    return "device";
}

QString bytesCell(Bytes amount, ByteUnit unit)
{
    // The unit is written once above the table, not in every cell.
    const bool is_large = std::abs(static_cast<double>(amount.value())) >= 100.0 * bytesPerUnit(unit);
    return ui::bytesNumber(amount, unit, is_large ? 1 : 2);
}

QString cell(std::size_t row, const StageMemory& stage, ByteUnit unit)
{
    if (isSegment(row)) return bytesCell(stage[segmentOf(row)], unit);
    switch (totalOf(row)) {
    case Total::Layers: {
        qint64 layers = 0;
        for (const auto& [first, end] : stage.chunks)
            layers += end - first;
        return QString::number(layers);
    }
    case Total::InFlight: return QString::number(stage.in_flight, 'g', 4);
    case Total::Allocated: return bytesCell(stage.allocated(), unit);
    case Total::Reserved: return bytesCell(stage.reserved(), unit);
    case Total::Device: return bytesCell(stage.device(), unit);
    case Total::Capacity: return bytesCell(stage.capacity, unit);
    case Total::Free: return bytesCell(stage.free(), unit);
    }
    return {};
}

} // namespace

void StageTable::setEstimate(const Estimate* estimate, ByteUnit unit)
{
    if (estimate == nullptr || !estimate->complete()) return setTable({});
    ui::ChartTable table;
    table.columns << QString();
    for (std::size_t stage = 0; stage < estimate->stages.size(); ++stage)
        table.columns << QString::number(stage);
    std::vector<int> bold;
    m_rows.clear();
    for (std::size_t row = 0; row < kRowCount; ++row) {
        if (estimate->isServed() && isSegment(row) && isOfTraining(segmentOf(row))) continue;
        QStringList cells{isSegment(row) ? ui::segmentLabel(segmentOf(row), estimate->task)
                                         : label(totalOf(row), estimate->isServed())};
        for (const StageMemory& stage : estimate->stages)
            cells << cell(row, stage, unit);
        const bool is_total = !isSegment(row) && (totalOf(row) == Total::Device || totalOf(row) == Total::Free);
        if (is_total) bold.push_back(static_cast<int>(m_rows.size()));
        m_rows.push_back(row);
        table.rows.push_back(std::move(cells));
    }
    setTable(std::move(table), std::move(bold));
}

QString StageTable::figureAt(const QModelIndex& index) const
{
    if (!index.isValid()) return {};
    const std::string_view name = figureName(m_rows[static_cast<std::size_t>(index.row())]);
    if (name.empty()) return {};
    return QStringLiteral("stage%1.%2").arg(index.column()).arg(QLatin1StringView(name.data(), qsizetype(name.size())));
}

QVariant StageTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole))
        return tr("stage %1").arg(section);
    return ui::TableModel::headerData(section, orientation, role);
}

} // namespace cardfit::app
