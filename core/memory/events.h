// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/base/inplace_vector.h"
#include "core/memory/term.h"
#include "core/pipeline/analysis/residency.h"
#include "core/plan/tables.h"

namespace cardfit {

/// Logits and cross-entropy on one card, per micro-batch; with multi-token prediction once for every depth.
struct LossMemory {
    NamedBytes saved; ///< kept until the backward pass, for all depths
    NamedBytes worst; ///< held in addition at the worst instant
    NamedBytes gradient; ///< the logits' gradient while the output layer's backward pass runs
    Bytes block; ///< the largest single tensor
};

/// Bytes per logit, saved and at the worst instant, by how the loss is computed:
/// - TransformerEngine's in-place kernel: 2 and 2.
/// - Megatron's unfused loss: 4 (fp32 softmax) and 6. Megatron's "native" fusion: 4 and 10 (Megatron-LM golden values:
///   1,752.5 against 1,362.0 MiB for one job, so fusing costs memory).
/// - PyTorch's fp32 cross-entropy in other frameworks: 4 and 12. The 16-bit logits are gone by the backward pass, which
///   holds the log-probabilities, their gradient and the gradient before it (traces of
///   tests/validation/measurements/own). Before 4.45 transformers also kept the fp32 logits and copied them to shift
///   them by a token: 8 and 16. 16 as well if tensor parallelism divides the logits: the backward pass of loss_parallel
///   holds the log-probabilities, their exponentials, the gradient and the sum of both in fp32
///   (torch/distributed/tensor/parallel/loss.py). Without loss_parallel each tensor-parallel card gathers all logits.
/// - A compiled loss keeps the 16-bit logits, and holds 6 bytes while their gradient is made, none of them below a
///   frozen output layer (measured, tests/validation/measurements/own).
/// - A loss in chunks after the output layer (litgpt, torchtune) keeps the 16-bit logits and, unless it is compiled,
///   fp32 log-probabilities of all chunks; it works on an eighth of them at a time.
/// - A loss in chunks before the output layer (Liger kernel, arXiv:2410.10989; torchtitan) computes the hidden state's
///   gradient at once, in chunks of about T h / v tokens.
[[nodiscard]] LossMemory lossMemory(const Plan& plan);

/// Bytes of tensors that are freed, by where they were counted.
struct Freed {
    Bytes saved; ///< among what the pass has saved
    Bytes temporary; ///< among what recomputation has rebuilt, or what comes from host memory

    friend Freed operator+(const Freed& a, const Freed& b) { return {a.saved + b.saved, a.temporary + b.temporary}; }
};

/// A named instant inside a pass: what the card holds then besides the saved tensors, and what has been freed.
class Event {
public:
    Event() = default;
    explicit Event(std::string_view id)
        : m_id(id)
    {
    }

    Event& holds(std::string_view id, std::string_view formula, Bytes bytes)
    {
        if (bytes != Bytes(0)) m_parts.push_back({id, formula, 1, bytes});
        return *this;
    }
    Event& holds(const NamedBytes& part) { return holds(part.id, part.formula, part.bytes); }
    Event& released(const Freed& freed)
    {
        m_released = m_released + freed;
        return *this;
    }
    Event& released(Bytes saved) { return released(Freed{saved, {}}); }

    [[nodiscard]] Event named(std::string_view id) const
    {
        Event event = *this;
        event.m_id = id;
        return event;
    }

    [[nodiscard]] std::string_view id() const { return m_id; }
    [[nodiscard]] std::span<const NamedBytes> parts() const { return m_parts; }
    [[nodiscard]] const Freed& released() const { return m_released; }
    [[nodiscard]] Transient total() const
    {
        Bytes extra;
        for (const NamedBytes& part : parts())
            extra += part.bytes;
        return {m_id, extra - m_released.temporary, m_released.saved};
    }

private:
    std::string_view m_id;
    InplaceVector<NamedBytes, 8> m_parts;
    Freed m_released;
};

/// What the events of one chunk depend on; sizes are per card and micro-batch.
struct EventContext {
    const Plan& plan;
    const OperatorTables& tables;
    LayerRange layers;
    bool head = false; ///< final norm, output layer and loss follow the last layer
    LossMemory loss; ///< with a head
    Bytes head_saved; ///< by final norm, further predictions and logits; freed before any layer's backward pass
    Bytes working_set; ///< what recomputation rebuilds at once
    Bytes embedding_saved; ///< by the embedding, before the first layer
    Bytes
        first_saved; ///< by the first layer (or the first group that recomputation rebuilds at once) and the embedding
    Bytes first_for_weights; ///< what the same layers leave for their weight half
    NamedBytes unreduced{}; ///< gradients of the units before, while a layer's backward pass runs: unreducedGradients()
};

/// The worst events of a chunk's passes.
struct WorstEvents {
    Event first_forward; ///< of a forward pass before the first backward pass of the rank
    Event forward; ///< of a forward pass after that
    Event backward;
    Event input_half; ///< at the end of an input half, relative to what it leaves for the weight half
    Event forward_begun; ///< in a block that runs by layers, see LayerwisePasses
    Event forward_layer;
    Event backward_begun;
    Event backward_layer;

    /// All of them.
    [[nodiscard]] std::array<const Event*, 8> events() const
    {
        return {&first_forward, &forward, &backward, &input_half, &forward_begun, &forward_layer, &backward_begun,
            &backward_layer};
    }
};

/// Candidates in the forward pass: combining the experts' outputs, gathering keys and values, the loss. In the backward
/// pass: the loss, the output layer, the gradients of the last layer's MLP or experts, of its attention scores, of
/// gathered keys and values. Input half: a layer may leave more for the weight half than it has saved (recomputation,
/// sequence parallelism), so the peak is in the first layer's backward pass, which runs last. Checked against published
/// per-stage peaks of Llama-3 and DeepSeek stages on B200 (SimuMax, commit 4dcaae5) and Megatron-LM's golden memory
/// values.
[[nodiscard]] WorstEvents worstEvents(const EventContext& context);

} // namespace cardfit
