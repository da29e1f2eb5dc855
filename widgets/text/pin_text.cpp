// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/pin_text.h"

#include <cmath>

#include <QCoreApplication> // Q_DECLARE_TR_FUNCTIONS

#include "widgets/chart/labels.h"
#include "widgets/memory/bar_ghosts.h"

namespace cardfit::ui {

namespace {

struct PinText {
    Q_DECLARE_TR_FUNCTIONS(PinText)
};

QString withSign(const QString& magnitude, bool negative, bool zero)
{
    const QChar sign = zero ? QChar(u'±') : negative ? QChar(u'−') : QChar(u'+');
    return sign + magnitude;
}

} // namespace

QString pinTitle(const PinnedEstimate& pin)
{
    //: a pinned plan: its letter and its name
    return PinText::tr("%1: %2").arg(pin.letter).arg(pin.name);
}

LegendEntry pinEntry(const PinnedEstimate& pin, const Theme& theme)
{
    LegendEntry entry{theme.text, {}, Pattern::Solid, QString(pin.letter), QString(pin.letter), true};
    entry.dashes = ghostPen(pin.slot, theme).dashPattern();
    return entry;
}

QString signedBytesText(Bytes bytes, ByteUnit unit, int decimals)
{
    const bool negative = bytes < Bytes(0);
    return withSign(bytesText(negative ? bytes * -1 : bytes, unit, decimals), negative, bytes == Bytes(0));
}

QString signedBytesNumber(Bytes bytes, ByteUnit unit, int decimals)
{
    const bool negative = bytes < Bytes(0);
    return withSign(bytesNumber(negative ? bytes * -1 : bytes, unit, decimals), negative, bytes == Bytes(0));
}

QString signedTimeText(double seconds) { return withSign(timeText(std::abs(seconds)), seconds < 0.0, seconds == 0.0); }

} // namespace cardfit::ui
