// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/explain/catalogue_tables.h"

namespace cardfit::catalogue {

namespace {

constexpr auto kTemporaryTerms = std::to_array<CatalogueEntry>({
    // What the pass at the peak holds in addition to what it saves.
    {"gradient.stream", Sentence::tr("Gradient of the residual stream"),
        Sentence::tr("The gradient that the layer under work received, as large as the stream itself."), kBackward},
    {"gradient.stale", Sentence::tr("Gradient last received"),
        Sentence::tr("Once gradients flow, a pipeline stage still refers to the one it last got from the next stage."),
        "Megatron-Core, pipeline_parallel/schedules.py; per-stage peaks on B200 (SimuMax, commit 4dcaae5)"},
    {"gradient.gathered_stream", Sentence::tr("Gradient of the gathered stream"),
        Sentence::tr(
            "A product that reads all tokens of its sequence-parallel group first makes the gradient of all of them."),
        kBackward},
    {"gradient.activation", Sentence::tr("Gradient of the activation's output"),
        Sentence::tr("The gradient behind the MLP's activation function, from the second product."), kBackward},
    {"gradient.mlp", Sentence::tr("Gradient of the activation's input"),
        Sentence::tr("The activation function's backward pass writes the gradient of the first product's output, both "
                     "halves where it is gated."),
        kBackward},
    {"gradient.weight", Sentence::tr("Gradient of one weight"),
        Sentence::tr(
            "Without fused accumulation a weight's gradient is first written to a tensor of its own, then added."),
        "Megatron-Core, tensor_parallel/layers.py, gradient_accumulation_fusion"},
    {"gradient.logits", Sentence::tr("Gradient of the logits"),
        Sentence::tr("The loss hands the output layer a 16-bit gradient as large as the logits."), kBackward},
    {"gradient.experts_output", Sentence::tr("Gradient of the experts' output"),
        Sentence::tr("The gradient of every row that the experts returned."), kMoeLayer},
    {"gradient.scores", Sentence::tr("Gradients of softmax and scores"),
        Sentence::tr("Unfused attention holds the gradient of the softmax and that of the scores at once."),
        kKorthikanti},
    {"gradient.keys_values", Sentence::tr("Gradient of gathered keys and values"),
        Sentence::tr("The gradient of the whole sequence's keys and values, before it is reduced to this card's part."),
        "Llama 3, arXiv:2407.21783, section 3.3.2"},
    {"gathered.gradient", Sentence::tr("Gathered gradient"),
        Sentence::tr("Sequence parallelism gathers the gradient of all its cards' tokens before the second product's "
                     "backward pass."),
        kBackward},
    {"gathered.input", Sentence::tr("Gathered input"),
        Sentence::tr(
            "Sequence parallelism gathers the stored input again for the gradient of the first product's weight."),
        kBackward},
    {"gathered.keys_values", Sentence::tr("Gathered keys and values"),
        Sentence::tr(
            "Context parallelism by all-gather holds keys and values of the whole sequence, gathered and in order."),
        "Llama 3, arXiv:2407.21783, section 3.3.2", Sentence::tr("No published regression covers this buffer.")},
    {"experts.copies", Sentence::tr("Copies while experts' outputs are combined"),
        Sentence::tr("The permuted, dispatched, unsorted and combined rows exist side by side while the layer's frame "
                     "refers to them."),
        kMoeLayer, Sentence::tr("Rows of a dropless run follow the data; the band is 1 to 1.5 times the mean.")},
    {"experts.result", Sentence::tr("Result of the expert layer"),
        Sentence::tr("The combined output, and that of the shared experts."), kMoeLayer},
    {"loss.temporary", Sentence::tr("Working set of the loss"),
        Sentence::tr("What the cross-entropy needs besides the logits it saves: nothing in place, 6 bytes per logit "
                     "with Megatron's native fusion, 2 unfused or compiled, 8 with PyTorch's fp32 loss and 12 where "
                     "tensor parallelism divides it, 1 where it works on an eighth of the logits."),
        "Megatron-LM golden values; torchtitan's published peaks; PyTorch, distributed/tensor/parallel/loss.py"},
    {"loss.chunk", Sentence::tr("Chunk of logits"),
        Sentence::tr("A chunked loss holds one chunk of logits and its fp32 softmax; chunks are about T h / v tokens."),
        "Liger kernel, arXiv:2410.10989"},
    {"forward.layers", Sentence::tr("First layer of the paired forward pass"),
        Sentence::tr("A paired block frees one layer of the backward pass for each that the forward pass saves: "
                     "together they hold one pass and one layer."),
        "Megatron-Core, models/common/model_chunk_schedule_plan.py; Megatron-LM golden values with overlapped expert "
        "communication, within 0.6 %",
        Sentence::tr("Both passes are taken to have layers of one size.")},
    {"recomputed.layers", Sentence::tr("Recomputed activations"),
        Sentence::tr(
            "Recomputation rebuilds everything that one group of layers keeps, less the checkpoint it starts from."),
        "Megatron-Core, transformer/transformer_block.py; Megatron-LM golden values within 0.3 %"},
    {"prefill.streams", Sentence::tr("Residual streams of the prompt"),
        Sentence::tr("A forward pass holds the stream that enters a layer and the one that leaves it."),
        "arithmetic; vLLM, max_num_batched_tokens"},
    {"prefill.attention", Sentence::tr("Queries, keys and values of the prompt"),
        Sentence::tr("The widest intermediate result of the forward pass: the packed projection."),
        "arithmetic; vLLM, max_num_batched_tokens"},
    {"prefill.mlp", Sentence::tr("MLP activations of the prompt"),
        Sentence::tr("The widest intermediate result of the forward pass: the MLP's two products."),
        "arithmetic; vLLM, max_num_batched_tokens"},
    {"prefill.experts", Sentence::tr("Expert activations of the prompt"),
        Sentence::tr("The widest intermediate result of the forward pass: rows to, inside and from the experts."),
        "arithmetic; vLLM, max_num_batched_tokens", Sentence::tr("Balanced experts are assumed.")},
    {"prefill.logits", Sentence::tr("Logits of the last token"),
        Sentence::tr("Only a prompt's last token is turned into fp32 logits."), "arithmetic",
        Sentence::tr("Prompt log-probabilities would need them for every token.")},

    {"profile.logits", Sentence::tr("Logits of the profile run"),
        Sentence::tr(
            "A server that measures itself samples a token for as many sequences as it admits: logits in 16 and "
            "32 bits, their sorted copy with its index, and what the sort needs in between."),
        "vLLM, v1/worker/gpu_model_runner.py and v1/sample/ops/topk_topp_sampler.py; PyTorch, native/cuda/Sort.cu",
        Sentence::tr("Penalties and log-probabilities, which a request may ask for, are not counted.")},

    // What lives as long as the process.
    {"workspace.gemm", Sentence::tr("TransformerEngine's workspace"),
        Sentence::tr("Matrix products share one workspace per process: 32 MiB from Hopper on, 4 MiB before."),
        "TransformerEngine, pytorch/module/base.py; Megatron-LM golden values: H100 minus A100 is exactly 28 MiB"},
    {"workspace.cublas", Sentence::tr("cuBLAS workspaces"),
        Sentence::tr("PyTorch gives each thread and stream that calls cuBLAS a workspace; training has two such "
                     "threads."),
        "PyTorch, aten/src/ATen/cuda/CublasHandlePool.cpp; CUBLAS_WORKSPACE_CONFIG"},
    {"workspace.grouped_gemm", Sentence::tr("Workspaces of grouped products"),
        Sentence::tr("Grouped matrix products of experts run on four streams with 32 MiB each, and 16 MiB more."),
        "Fitted on DeepSeek runs on B200 (SimuMax, commit 4dcaae5)"},
    {"buffer.small", Sentence::tr("Small buffers"),
        Sentence::tr("Random states, token ids, labels and the padding of optimizer buckets."),
        "Megatron-LM golden values: 1 to 3 MiB"},
    {"buffer.rotary_table", Sentence::tr("Rotary table"),
        Sentence::tr("Cosines and sines of every position of this card, in fp32."),
        "Megatron-Core, models/common/embeddings; 131k-token rows on B200 (SimuMax, commit 4dcaae5)"},
    {"buffer.sequence_gather", Sentence::tr("Buffer for gathered tokens"),
        Sentence::tr("The output layer gathers the sequence-parallel stream into a buffer that is never given back."),
        "Megatron-Core, tensor_parallel/layers.py, get_global_memory_buffer"},
    {"buffer.stale_gradient", Sentence::tr("Input gradient last sent"),
        Sentence::tr("Every stage but the first keeps the gradient it last sent to the stage before."),
        "Megatron-Core, pipeline_parallel/schedules.py; per-stage peaks on B200 (SimuMax, commit 4dcaae5)"},
    {"buffer.dummy_gradients", Sentence::tr("Dummy gradients"),
        Sentence::tr("With fused accumulation TransformerEngine hands autograd a placeholder gradient, cached per "
                     "distinct weight shape."),
        "TransformerEngine 2.3, pytorch/module/base.py, get_dummy_wgrad; B200 peaks (SimuMax, commit 4dcaae5)"},
    {"buffer.pipeline_outputs", Sentence::tr("Outputs of two buffers"),
        Sentence::tr("DeepSpeed's pipeline keeps the logits of its last stage until the buffer's next pass, and that "
                     "stage has two buffers."),
        "DeepSpeed, runtime/pipe/engine.py, _exec_backward_pass; runtime/pipe/schedule.py, num_pipe_buffers"},
    {"buffer.reduce_buckets", Sentence::tr("Reduce buckets"),
        Sentence::tr("DeepSpeed collects gradients in a buffer of reduce_bucket_size before it reduces them, under "
                     "ZeRO-1 and ZeRO-2 in two where that overlaps with the backward pass."),
        kDeepSpeed},
    {"buffer.gathered_layers", Sentence::tr("Gathered layers"),
        Sentence::tr("Fully sharded weights are gathered before they are used: the layer under work and the one "
                     "prefetched under FSDP, up to 1e9 live parameters in DeepSpeed."),
        kFsdp},
    {"buffer.gathered_output", Sentence::tr("Gathered output layer"),
        Sentence::tr("FSDP gathers the output layer as a unit of its own, with the embedding where only the layers are "
                     "wrapped."),
        kFsdp},
    {"buffer.gathered_weights", Sentence::tr("Gathered weights"),
        Sentence::tr("SHARD_GRAD_OP leaves all weights gathered in 16 bits from the forward to the backward pass."),
        kFsdp},
    {"buffer.autocast_copies", Sentence::tr("16-bit copies of weights"),
        Sentence::tr(
            "Autocast turns fp32 weights into 16 bits where a product reads them, and keeps the copies until the "
            "product's backward pass."),
        "PyTorch, autocast; tests/validation/measurements/own"},
    {"gradient.unreduced", Sentence::tr("Gradients being reduced"),
        Sentence::tr(
            "While a layer's backward pass runs, FSDP holds the buffer out of which the unit before is reduced, "
            "and the output layer's gradient until its unit is complete."),
        kFsdpStreams},
    {"gradient.last_unit", Sentence::tr("Gradients of the last unit"),
        Sentence::tr("At the end of the backward pass FSDP holds the last unit's gradient, and the buffer out of which "
                     "it is reduced: the embedding, where only layers are wrapped with the output layer."),
        kFsdpStreams},
    {"buffer.unreduced_gradients", Sentence::tr("Gradients waiting to be reduced"),
        Sentence::tr("The gradients of one FSDP unit are held whole until they are reduced and scattered."), kFsdp},
    {"buffer.restored_matrix", Sentence::tr("Restored weight"),
        Sentence::tr("QLoRA restores one 4-bit weight at a time to 16 bits for its product."),
        "QLoRA, arXiv:2305.14314, section 3", Sentence::tr("A card's experts are counted as one weight.")},
    {"buffer.frozen_inputs", Sentence::tr("Inputs of frozen products"),
        Sentence::tr(
            "bitsandbytes up to 0.43 keeps the inputs of frozen products as attributes of the graph, which the "
            "loss of the previous micro-batch holds until the next one is there."),
        "bitsandbytes 0.43, autograd/_functions.py, MatMul4Bit; mended in 9e753741 (July 2024)",
        Sentence::tr("A training loop that detaches its loss frees them earlier.")},
    {"rebuilt_and_released", Sentence::tr("Rebuilt and freed again"),
        Sentence::tr(
            "At the instant of the peak the backward pass has already freed this much of what recomputation had "
            "rebuilt, or of what had come back from host memory."),
        kBackward},
    {"buffer.offload", Sentence::tr("Offload buffer"),
        Sentence::tr("Activations of up to two layers are on their way to host memory and back."),
        "Megatron-Core, cpu_offloading; arithmetic, no published regression"},

    {"calibration.residual", Sentence::tr("Measured beyond the prediction"),
        Sentence::tr("The plan is calibrated with a measured run: what its card allocated beyond the prediction is "
                     "taken to be there on every card, whatever else of the plan changes."),
        "the plan's own measurement, under /calibration in its file",
        Sentence::tr("One figure cannot say which term it belongs to, nor how it grows with the plan.")},

    // Outside the allocator.
    {"communicators", Sentence::tr("Communicators"),
        Sentence::tr("NCCL allocates channel buffers for every process group of more than one rank: tensor, pipeline, "
                     "context, expert and data."),
        "NVIDIA/nccl issues 964, 864 and 285: 0.53 to 0.67 GiB on A100",
        Sentence::tr("Communicators are uncertain by a factor of two: they grow with channels and connections, and are "
                     "made when first used.")},
    {"dispatch_buffers", Sentence::tr("Dispatch buffers"),
        Sentence::tr(
            "DeepEP sends tokens to experts through buffers of its own: for every channel and every rank of the "
            "node, and between nodes for every node, as many tokens as may be sent ahead."),
        "DeepEP, csrc/legacy/config.hpp and deep_ep/buffers/legacy.py; Megatron-LM, moe/fused_a2a.py"},
    {"device_context", Sentence::tr("Device context"),
        Sentence::tr(
            "The driver's context and the kernels loaded into it; outside the allocator, seen only by nvidia-smi."),
        "stas00/ml-engineering: 0.47 GiB with lazy, 0.92 GiB with eager kernel loading on A100"},
    {"allocator_reserve", Sentence::tr("Reserve of the allocator"),
        Sentence::tr("The caching allocator holds freed blocks that no later tensor fits into: 5.2 % of what is "
                     "allocated is the median of 23 published stages of Megatron-LM; a served model has none."),
        "reserved over allocated on 23 stages, 1.7 to 9.3 % (SimuMax B200, commit 4dcaae5)",
        Sentence::tr(
            "Sequences of varying length fragment far more, up to twice the allocation without expandable segments.")},
    {"reserve.blocks", Sentence::tr("Reserve of the allocator"),
        Sentence::tr(
            "Optimizer states cut up the blocks of the first step, so that the largest ones of later steps find "
            "no place: what is held and cannot be used is about one block as large as the largest that a pass "
            "makes."),
        "tests/validation/measurements/own; PyTorch, c10/cuda/CUDACachingAllocator.cpp",
        Sentence::tr(
            "Sequences of varying length fragment far more, up to twice the allocation without expandable segments.")},
    {"reserve.gradients", Sentence::tr("Place of the gradients"),
        Sentence::tr("FSDP makes sharded gradients on a stream of its own. Between steps they are freed, but nothing "
                     "else can use their place."),
        kFsdpStreams},
    {"reserve.gradients.experts", Sentence::tr("Place of the experts' gradients"),
        Sentence::tr("FSDP makes sharded gradients on a stream of its own. Between steps they are freed, but nothing "
                     "else can use their place."),
        kFsdpStreams},
    {"reserve.passes", Sentence::tr("Place of the passes"),
        Sentence::tr(
            "Gradients are made in segments of their own, so what the passes held before stays reserved beside "
            "them."),
        kFsdpStreams},
    {"reserve.pending", Sentence::tr("Freed layers in use"),
        Sentence::tr("FSDP1 frees up to two gathered layers before the card has used them; until then nothing else can "
                     "use their place."),
        "PyTorch, torch/distributed/fsdp/_runtime_utils.py, _unshard, and _limiter_utils.py, _FreeEventQueue"},
    {"reserve.wrapping", Sentence::tr("Place of the wrapped weights"),
        Sentence::tr("FSDP1 copies the weights of its largest units to wrap them. What gradients, states and passes do "
                     "not use of that place afterwards stays reserved."),
        "PyTorch, torch/distributed/fsdp/_flat_param.py; Answer.AI, fsdp_qlora, benchmarks_03_2024.md"},
    {"reserve.gathers", Sentence::tr("Place of gathered weights"),
        Sentence::tr("FSDP gathers on a stream of its own, into memory that holds two layers or the root unit at once "
                     "and serves nothing else."),
        kFsdpStreams},
});

} // namespace

std::span<const CatalogueEntry> temporaryTerms() { return kTemporaryTerms; }

} // namespace cardfit::catalogue
