// SPDX-License-Identifier: GPL-3.0-or-later
// Each macro adds one mistake that units as types must catch; without any, the file is the control and builds.
#include "core/base/units.h"

int main()
{
    using namespace cardfit;
    const Bytes bytes(1);
    const Seconds seconds(1.0);
    const Mebibytes mebibytes(1);
#ifdef ADD_BYTES_AND_SECONDS
    const auto sum = bytes + seconds;
#endif
#ifdef BYTES_FROM_NUMBER
    const Bytes implicit = 1;
#endif
#ifdef COMPARE_MIB_AND_BYTES
    const bool less = bytes < mebibytes;
#endif
    return bytes < toBytes(mebibytes) && seconds > Seconds(0.0) ? 0 : 1;
}
