// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pipeline/orders/operation.h"

namespace cardfit::samples {

/// A pass as orders are recorded: "F3", "I0c1"; the chunk only where ranks have several.
inline std::string passText(std::string_view letter, Pass pass, bool chunks)
{
    std::string text = std::string(letter) + std::to_string(pass.microbatch);
    if (chunks) text += 'c' + std::to_string(pass.chunk);
    return text;
}

/// An overlapped block is its two halves: "F3c0+B1c1".
inline std::string operationText(const Operation& operation, bool chunks)
{
    if (operation.kind != OperationKind::Overlapped) {
        return passText(operationLetters(operation.kind), operation.forwardPass(), chunks);
    }
    return passText("F", operation.forwardPass(), chunks) + '+' + passText("B", operation.backwardPass(), chunks);
}

inline std::string orderText(const std::vector<Operation>& order, bool chunks)
{
    std::string text;
    for (const Operation& operation : order)
        text += (text.empty() ? "" : " ") + operationText(operation, chunks);
    return text;
}

namespace detail {

inline std::optional<Operation> readPass(std::string_view text)
{
    Operation operation;
    bool known = false;
    for (std::size_t kind = 0; kind < kOperationKindCount; ++kind) {
        const std::string_view letters = operationLetters(static_cast<OperationKind>(kind));
        if (letters.size() != 1 || !text.starts_with(letters)) continue;
        operation.kind = static_cast<OperationKind>(kind);
        known = true;
    }
    if (!known) return std::nullopt;
    const char* const end = text.data() + text.size();
    const auto microbatch = std::from_chars(text.data() + 1, end, operation.microbatch);
    if (microbatch.ec != std::errc()) return std::nullopt;
    if (microbatch.ptr == end) return operation;
    if (*microbatch.ptr != 'c') return std::nullopt;
    const auto chunk = std::from_chars(microbatch.ptr + 1, end, operation.chunk);
    if (chunk.ec != std::errc() || chunk.ptr != end) return std::nullopt;
    return operation;
}

} // namespace detail

/// The reverse of operationText(); none if the text is something else.
inline std::optional<Operation> readOperation(std::string_view text)
{
    const std::size_t plus = text.find('+');
    if (plus == std::string_view::npos) return detail::readPass(text);
    const auto forward = detail::readPass(text.substr(0, plus));
    const auto backward = detail::readPass(text.substr(plus + 1));
    if (!forward || !backward || forward->kind != OperationKind::Forward || backward->kind != OperationKind::Backward) {
        return std::nullopt;
    }
    Operation both = *forward;
    both.kind = OperationKind::Overlapped;
    both.backward_chunk = backward->chunk;
    both.backward_microbatch = backward->microbatch;
    return both;
}

} // namespace cardfit::samples
