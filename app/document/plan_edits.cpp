// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/document/plan_edits.h"

#include "core/files/layout_text.h"
#include "widgets/text/translated.h"

namespace cardfit::app {

tl::expected<Plan, QString> withTypedLayout(const Plan& plan, const QString& text)
{
    return parseLayout(text.toStdString())
        .and_then([&](const std::vector<LayoutStage>& stages) { return withLayout(plan, stages); })
        .map_error([](const Error& why) {
            // The position in the text helps to correct it; the position in a plan file does not.
            return why.code == ErrorCode::WrongFormat ? ui::translated(why) : ui::translated(why.message);
        });
}

} // namespace cardfit::app
