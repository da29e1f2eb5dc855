// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rails/rail_accessibility.h"

#include <QAccessibleWidget>

#include "widgets/rails/rail_track.h"

namespace cardfit::ui {

namespace {

class AccessibleRail : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleRail(RailTrack* track)
        : QAccessibleWidget(track, QAccessible::Slider)
    {
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    [[nodiscard]] QVariant currentValue() const override { return track()->value(); }
    void setCurrentValue(const QVariant& value) override { track()->request(value.toDouble()); }
    [[nodiscard]] QVariant minimumValue() const override { return ofStop(true); }
    [[nodiscard]] QVariant maximumValue() const override { return ofStop(false); }
    [[nodiscard]] QVariant minimumStepSize() const override { return {}; }

private:
    [[nodiscard]] RailTrack* track() const { return static_cast<RailTrack*>(widget()); }
    [[nodiscard]] QVariant ofStop(bool first) const
    {
        const auto& stops = track()->scale().stops();
        if (stops.empty()) return {};
        return first ? stops.front().value : stops.back().value;
    }
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    auto* track = qobject_cast<RailTrack*>(object);
    return track == nullptr ? nullptr : new AccessibleRail(track);
}

} // namespace

void installRailAccessibility()
{
    // The factory stays for the life of the program; installing it again would ask it again for every widget.
    [[maybe_unused]] static const bool is_installed = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
}

} // namespace cardfit::ui
