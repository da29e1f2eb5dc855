// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/explain/catalogue_tables.h"

namespace cardfit::catalogue {

namespace {

constexpr std::string_view kServed = "published fp8, int8 and nvfp4 checkpoints keep embeddings and norms in 16 bits";

constexpr auto kStateTerms = std::to_array<CatalogueEntry>({
    {"weights", Sentence::tr("Weights"),
        Sentence::tr("The weights that the passes multiply with: 2 bytes each in mixed precision, 4 in fp32 and under "
                     "FSDP, whose sharded fp32 weights are the master copy. Where weights are gathered in fp8 or fp4, "
                     "Megatron-Core keeps the layers' matrices in that format alone."),
        kMegatronOptimizer},
    {"weights.experts", Sentence::tr("Experts' weights"),
        Sentence::tr("Weights of this card's experts; they are replicated over fewer cards than the rest, so sharding "
                     "divides them less."),
        kMegatronOptimizer},
    {"weights.quantized", Sentence::tr("Quantized copies of the weights"),
        Sentence::tr("Between micro-batches TransformerEngine keeps each matrix in fp8 or narrower: once for the "
                     "forward product, and transposed for the backward product on Hopper and Ada; block-scaled formats "
                     "need both everywhere."),
        "TransformerEngine, pytorch/tensor"},
    {"weights.experts.quantized", Sentence::tr("Quantized copies of the experts' weights"),
        Sentence::tr("The experts' matrices are kept quantized like all others."), "TransformerEngine, pytorch/tensor"},
    {"weights.stashed", Sentence::tr("Stashed weight versions"),
        Sentence::tr(
            "An asynchronous pipeline keeps the version of the weights that each micro-batch in flight has seen."),
        "PipeDream, arXiv:1806.03377, section 3.3"},
    {"weights.experts.stashed", Sentence::tr("Stashed versions of the experts' weights"),
        Sentence::tr("Older versions of the experts' weights, for micro-batches that are still in flight."),
        "PipeDream, arXiv:1806.03377, section 3.3"},
    {"weights.frozen", Sentence::tr("Frozen weights"),
        Sentence::tr("The model without the adapters: 2 bytes a value, and in QLoRA 0.516 bytes for the layers' "
                     "matrices, 4 bits and double-quantized scales."),
        "LoRA, arXiv:2106.09685; QLoRA, arXiv:2305.14314, section 3"},
    {"weights.scales", Sentence::tr("Scales of frozen matrices"),
        Sentence::tr(
            "bitsandbytes keeps the scales of 4-bit weights beside the tensors that FSDP divides, so every card "
            "has all of them."),
        kLora},
    {"weights.experts.scales", Sentence::tr("Scales of frozen experts"),
        Sentence::tr(
            "bitsandbytes keeps the scales of 4-bit weights beside the tensors that FSDP divides, so every card "
            "has all of them."),
        kLora},
    {"weights.experts.frozen", Sentence::tr("Frozen experts"),
        Sentence::tr("The experts' frozen weights, stored like the rest of the model."),
        "LoRA, arXiv:2106.09685; QLoRA, arXiv:2305.14314, section 3"},
    {"weights.reference", Sentence::tr("Reference model"),
        Sentence::tr(
            "A frozen copy of the model in 16 bits, with whose probabilities the trained model's are compared; "
            "it is divided as the trained weights are."),
        "DPO, arXiv:2305.18290; TRL, models/utils.py, prepare_deepspeed and prepare_fsdp"},
    {"weights.experts.reference", Sentence::tr("Experts of the reference model"),
        Sentence::tr("The frozen copy of this card's experts."), "DPO, arXiv:2305.18290"},
    {"weights.experts.adapter", Sentence::tr("Adapter weights of experts"),
        Sentence::tr(
            "The adapters of this card's experts, in 16 bits; shared by the cards that hold the same experts."),
        kLora},
    {"weights.adapter", Sentence::tr("Adapter weights"),
        Sentence::tr("The two small matrices of every adapted product, in 16 bits."), kLora},
    {"weights.served", Sentence::tr("Served weights"),
        Sentence::tr("Matrices of layers in the served format, scales included; embeddings, norms and the output layer "
                     "in 16 bits."),
        kServed},
    {"weights.experts.served", Sentence::tr("Served experts"),
        Sentence::tr("The experts' matrices in the served format."), kServed},
    {"weights.experts.padding", Sentence::tr("Padding of served experts"),
        Sentence::tr(
            "vLLM's kernels for mxfp4 pad the hidden size to a multiple of 256 and an expert's width to one of "
            "128."),
        kServed},
    {"gradients", Sentence::tr("Gradients"),
        Sentence::tr("One gradient per weight, kept through all micro-batches of a step: fp32 in Megatron's "
                     "main-gradient buffer, 2 bytes in DeepSpeed, fp32 and sharded under FSDP."),
        kMegatronOptimizer},
    {"gradients.experts", Sentence::tr("Experts' gradients"), Sentence::tr("Gradients of this card's experts."),
        kMegatronOptimizer},
    {"gradients.whole", Sentence::tr("Gradients not yet reduced"),
        Sentence::tr("Only the last micro-batch reduces gradients; until then every card keeps them whole, 2 bytes "
                     "each. In FSDP's flat parameters the frozen weights of learning layers have gradients too."),
        "Lightning Fabric, no_backward_sync; Accelerate, accumulate; PyTorch, distributed/fsdp/_flat_param.py"},
    {"gradients.experts.whole", Sentence::tr("Experts' gradients not yet reduced"),
        Sentence::tr("Gradients of this card's experts, whole until the last micro-batch of a step."),
        "PyTorch, distributed/fsdp/_flat_param.py"},
    {"gradients.frozen", Sentence::tr("Gradients of frozen weights"),
        Sentence::tr("If only a part of an FSDP1 flat parameter learns, its gradient still covers all of it, 2 bytes a "
                     "weight; every card keeps its shard."),
        "PyTorch, distributed/fsdp/_flat_param.py, flat_param_requires_grad"},
    {"gradients.experts.frozen", Sentence::tr("Gradients of frozen experts"),
        Sentence::tr("This card's shard of the experts' gradients, for flat parameters that learn only in part."),
        "PyTorch, distributed/fsdp/_flat_param.py, flat_param_requires_grad"},
    {"gradients.one", Sentence::tr("Gradient of one weight"),
        Sentence::tr("Where each weight is updated during the backward pass, one gradient exists at a time."),
        "torchtune, OptimizerInBackwardWrapper; PyTorch, register_post_accumulate_grad_hook"},
    {"gradients.experts.adapter", Sentence::tr("Adapter gradients of experts"),
        Sentence::tr("2 bytes for every learned parameter of the experts' adapters."), kLora},
    {"gradients.adapter", Sentence::tr("Adapter gradients"),
        Sentence::tr("2 bytes for every learned parameter; frozen weights have none."), kLora},
    {"optimizer.master", Sentence::tr("Master weights"),
        Sentence::tr("Mixed precision updates an fp32 copy of the weights, because a step is too small for 16 bits."),
        "Mixed precision training, arXiv:1710.03740; Megatron-LM, optimizer/distrib_optimizer.py"},
    {"optimizer.experts.master", Sentence::tr("Experts' master weights"),
        Sentence::tr("The fp32 copy of the experts' weights."), kMegatronOptimizer},
    {"optimizer.moments", Sentence::tr("Optimizer moments"),
        Sentence::tr(
            "Running averages that the optimizer keeps: 8 bytes per parameter for Adam, or two of the moments' "
            "format, 4 for momentum, Lion and Muon's matrices, 2 for 8-bit Adam, 1 for 4-bit Adam, rows and columns "
            "only for "
            "Adafactor."),
        "Adam, arXiv:1412.6980; 8-bit, arXiv:2110.02861; Adafactor, arXiv:1804.04235; Lion, arXiv:2302.06675; Muon, "
        "kellerjordan.github.io/posts/muon",
        Sentence::tr("Moments are made in the first optimizer step; until then a run needs less.")},
    {"optimizer.experts.moments", Sentence::tr("Experts' moments"),
        Sentence::tr("Running averages for the experts' weights."), kMegatronOptimizer,
        Sentence::tr("Moments are made in the first optimizer step; until then a run needs less.")},
    {"optimizer.experts.adapter", Sentence::tr("Adapter optimizer states of experts"),
        Sentence::tr("States of the experts' adapters, shared by the cards that hold the same experts."), kLora},
    {"optimizer.adapter", Sentence::tr("Adapter optimizer states"),
        Sentence::tr(
            "For every learned parameter an fp32 copy and the optimizer's moments, 12 bytes with Adam; 4 where "
            "everything is kept in 16 bits."),
        kLora},
    {"optimizer.gradient_copy", Sentence::tr("fp32 copy of the gradients"),
        Sentence::tr("An optimizer that updates fp32 weights first turns 16-bit gradients into fp32, under ZeRO-3 one "
                     "sub-group at a time; the activations are gone by then."),
        "DeepSpeed, runtime/zero/stage_1_and_2.py and stage3.py; Megatron-LM, dist_optimizer.md"},
    {"optimizer.experts.gradient_copy", Sentence::tr("fp32 copy of the experts' gradients"),
        Sentence::tr("16-bit gradients of the experts, turned into fp32 for the update."),
        "DeepSpeed, runtime/zero/stage_1_and_2.py; Megatron-LM, dist_optimizer.md"},
    {"optimizer.foreach_copy", Sentence::tr("Copy for the update"),
        Sentence::tr("PyTorch's optimizer runs each operation over the whole list of weights, and holds the result of "
                     "one for all of them."),
        "PyTorch, optim/adamw.py, _multi_tensor_adamw; tests/validation/measurements/own"},
    {"optimizer.experts.foreach_copy", Sentence::tr("Copy of the experts for the update"),
        Sentence::tr("The same of the experts."),
        "PyTorch, optim/adamw.py, _multi_tensor_adamw; tests/validation/measurements/own"},
    {"optimizer.loop_copies", Sentence::tr("Roots for the update"),
        Sentence::tr("Tensor by tensor PyTorch's AdamW makes the root of the second moments and divides it: two copies "
                     "of a weight. DeepSpeed's partition is one tensor."),
        "PyTorch, optim/adamw.py, _single_tensor_adamw; hiyouga/LLaMA-Factory, issue 1221"},
    {"optimizer.experts.loop_copies", Sentence::tr("Roots for the experts' update"),
        Sentence::tr("The same of the experts."),
        "PyTorch, optim/adamw.py, _single_tensor_adamw; hiyouga/LLaMA-Factory, issue 1221"},
    {"optimizer.newton_schulz", Sentence::tr("Newton-Schulz iteration"),
        Sentence::tr("Muon orthogonalizes one matrix at a time in 16 bits and holds three copies of it."),
        "Jordan et al. 2024, kellerjordan.github.io/posts/muon"},
    {"article.weights", Sentence::tr("Weights by the article's rule"),
        Sentence::tr("2 bytes per parameter, divided by the pipeline."), kArticle},
    {"article.gradients", Sentence::tr("Gradients by the article's rule"),
        Sentence::tr("4 bytes per parameter, divided by the pipeline."), kArticle},
    {"article.optimizer", Sentence::tr("Optimizer by the article's rule"),
        Sentence::tr("12 bytes per parameter (fp32 copy and Adam's moments), divided by the pipeline and, with ZeRO-1, "
                     "by the replicas."),
        kArticle},
});

} // namespace

std::span<const CatalogueEntry> stateTermEntries() { return kStateTerms; }

} // namespace cardfit::catalogue
