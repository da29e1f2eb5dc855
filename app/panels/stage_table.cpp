// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/panels/stage_table.h"

#include <array>
#include <cmath>

#include <QFont>

#include "widgets/chart/labels.h"

namespace cardfit::app {

namespace {

/// What a row shows; segments stand between Layers and Allocated.
enum class Total { Layers, InFlight, Allocated, Reserved, Device, Capacity, Free };
constexpr std::array kBefore{Total::Layers, Total::InFlight};
constexpr std::array kAfter{Total::Allocated, Total::Reserved, Total::Device, Total::Capacity, Total::Free};
constexpr std::size_t kFirstTotal = kBefore.size() + kSegmentCount;
constexpr std::size_t kRowCount = kFirstTotal + kAfter.size();

bool isSegment(std::size_t row) { return row >= kBefore.size() && row < kFirstTotal; }
Segment segmentOf(std::size_t row) { return static_cast<Segment>(row - kBefore.size()); }
Total totalOf(std::size_t row) { return row < kBefore.size() ? kBefore[row] : kAfter[row - kFirstTotal]; }

QString label(Total total)
{
    switch (total) {
    case Total::Layers: return StageTable::tr("Layers");
    case Total::InFlight: return StageTable::tr("In flight");
    case Total::Allocated: return StageTable::tr("Allocated");
    case Total::Reserved: return StageTable::tr("Reserved");
    case Total::Device: return StageTable::tr("Device");
    case Total::Capacity: return StageTable::tr("Capacity");
    case Total::Free: return StageTable::tr("Free");
    }
    return {};
}

/// A row's name in core/explain; a stage's layers explain themselves, and what is free is explained by what is not.
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

} // namespace

StageTable::StageTable(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void StageTable::setEstimate(std::shared_ptr<const Estimate> estimate)
{
    if (estimate != nullptr && !estimate->complete()) estimate.reset();
    const auto stages = [](const std::shared_ptr<const Estimate>& of) { return of == nullptr ? 0 : of->stages.size(); };
    // The same shape keeps selection and scroll position while a slider moves.
    if (stages(estimate) == stages(m_estimate)) {
        m_estimate = std::move(estimate);
        if (columnCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_estimate = std::move(estimate);
    endResetModel();
}

void StageTable::setUnit(ByteUnit unit)
{
    if (unit == m_unit) return;
    m_unit = unit;
    if (columnCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QString StageTable::figureAt(const QModelIndex& index) const
{
    if (!index.isValid() || m_estimate == nullptr) return {};
    const std::string_view name = figureName(static_cast<std::size_t>(index.row()));
    if (name.empty()) return {};
    return QStringLiteral("stage%1.%2").arg(index.column()).arg(QLatin1StringView(name.data(), qsizetype(name.size())));
}

int StageTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_estimate == nullptr ? 0 : static_cast<int>(kRowCount);
}

int StageTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_estimate == nullptr ? 0 : static_cast<int>(m_estimate->stages.size());
}

QString StageTable::bytes(Bytes amount) const
{
    // The unit stands once, above the table; in every cell it would only push the digits apart.
    const bool is_large = std::abs(static_cast<double>(amount.value())) >= 100.0 * ui::bytesPerUnit(m_unit);
    return ui::bytesNumber(amount, m_unit, is_large ? 1 : 2);
}

QString StageTable::cell(std::size_t row, const StageMemory& stage) const
{
    if (isSegment(row)) return bytes(stage[segmentOf(row)]);
    switch (totalOf(row)) {
    case Total::Layers: {
        qint64 layers = 0;
        for (const auto& [first, end] : stage.chunks)
            layers += end - first;
        return QString::number(layers);
    }
    case Total::InFlight: return QString::number(stage.in_flight, 'g', 4);
    case Total::Allocated: return bytes(stage.allocated());
    case Total::Reserved: return bytes(stage.reserved());
    case Total::Device: return bytes(stage.device());
    case Total::Capacity: return bytes(stage.capacity);
    case Total::Free: return bytes(stage.capacity - stage.device());
    }
    return {};
}

QVariant StageTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || m_estimate == nullptr) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const StageMemory& stage = m_estimate->stages[static_cast<std::size_t>(index.column())];
    const bool is_total = !isSegment(row) && (totalOf(row) == Total::Device || totalOf(row) == Total::Free);
    switch (role) {
    case Qt::DisplayRole: return cell(row, stage);
    case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::FontRole:
        if (is_total) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    default: return {};
    }
}

QVariant StageTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0) return {};
    if (orientation == Qt::Horizontal) {
        if (role == Qt::DisplayRole) return QString::number(section);
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) return tr("stage %1").arg(section);
        if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    }
    if (role != Qt::DisplayRole) return {};
    const auto row = static_cast<std::size_t>(section);
    if (row >= kRowCount) return {};
    return isSegment(row) ? ui::segmentLabel(segmentOf(row)) : label(totalOf(row));
}

} // namespace cardfit::app
