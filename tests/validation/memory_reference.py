# SPDX-License-Identifier: GPL-3.0-or-later
"""Peak memory of one card of a pipeline stage, stated once more and independently of core/: Megatron-Core with
TransformerEngine, in plain Python and without an operator table or a timeline. Every quantity is bytes on one card.

It was written from Megatron-LM's and TransformerEngine's sources and published peaks before Cardfit's engine was, and
tst_memory_reference holds the engine against it on thousands of random plans. It knows 1F1B and interleaved 1F1B, the
frameworks' default buffers and nothing beyond training; what a plan may also ask for is not in here.
"""

from dataclasses import dataclass, field
from typing import Optional

MIB = 2**20


@dataclass
class Config:
    # The model; v is the padded vocabulary of all tensor-parallel ranks together.
    L: int = 12
    h: int = 512
    f: int = 2048
    a: int = 8
    kv: int = 8
    d: int = 64
    v: int = 50304
    gated: bool = False
    layernorm: bool = True
    attention_bias: bool = True
    mlp_bias: bool = True
    rope: bool = False
    positions: int = 0  # rows of a learned position embedding
    tied: bool = True
    qk_norm: bool = False
    # Experts: E of them, k per token, fm wide; fs is the width of all shared ones; which layers have them.
    E: int = 0
    k: int = 1
    fm: int = 0
    fs: int = 0
    expert_layer: list = field(default_factory=list)
    capacity: Optional[float] = None
    imbalance: float = 1.0
    grouped_gemm: bool = True
    # Latent attention: ranks of queries (0: none) and of keys and values, head sizes without and with rotation.
    mla: bool = False
    ql: int = 0
    kl: int = 0
    dq: int = 0
    dr: int = 0
    dv: int = 0
    # Work and degrees: sequence, samples per micro-batch, micro-batches.
    s: int = 1024
    b: int = 1
    m: int = 1
    t: int = 1
    sp: bool = False
    pp: int = 1
    vpp: int = 1
    group: int = 0  # micro-batches per group of the interleaved schedule; 0: pp
    layers_per_stage: Optional[list] = None
    c: int = 1
    ep: int = 1
    etp: int = 1
    dp: int = 1
    # Recipe.
    distributed_optimizer: bool = True
    instances: int = 1
    weight_bytes: int = 2
    gradient_bytes: int = 4
    optimizer_bytes: int = 12
    fused_gradients: bool = True
    dummy_gradients: bool = True
    unfused_attention: bool = False
    output_copied: bool = False  # FlashAttention-2 with more than one sample
    fused_activation: bool = True
    context_all_to_all: bool = False
    hidden_dropout: float = 0.0
    attention_dropout: float = 0.0
    loss: str = "te"  # te, unfused, native
    mask: bool = False  # made by the data loader
    recompute: str = "none"  # none, selective, full
    modules: tuple = ("core_attn",)
    method: str = "uniform"
    checkpoint_layers: int = 1
    # Workspaces.
    gemm_workspace: int = 32 * MIB
    cublas_workspace: int = 8_519_680

    def __post_init__(self):
        if self.layers_per_stage is None:
            self.layers_per_stage = [self.L // self.pp] * self.pp
        if not self.expert_layer:
            self.expert_layer = [self.E > 0] * self.L

    @property
    def T(self):
        return self.s * self.b // self.c

    @property
    def u(self):
        return self.t if self.sp else 1

    @property
    def g(self):
        return 2 if self.gated else 1

    @property
    def x(self):
        """One activation of the residual stream."""
        return 2 * self.T * self.h / self.u

    @property
    def X(self):
        """The same, gathered from the tensor-parallel ranks."""
        return 2 * self.T * self.h


# ---- Parameters and states


def norm_parameters(c, size):
    """A weight, and for LayerNorm a bias."""
    return (2 if c.layernorm else 1) * size


def layer_parameters(c, i):
    """Dense and expert parameters of layer i on one card."""
    dense = 2 * norm_parameters(c, c.h)
    if c.mla:
        if c.ql:
            dense += c.h * c.ql + norm_parameters(c, c.ql)
        dense += (c.ql or c.h) * c.a * (c.dq + c.dr) / c.t
        dense += c.h * (c.kl + c.dr) + norm_parameters(c, c.kl) + c.kl * c.a * (c.dq + c.dv) / c.t
        dense += c.a * c.dv * c.h / c.t
    else:
        qkv = (c.a + 2 * c.kv) * c.d
        dense += c.h * qkv / c.t + c.a * c.d * c.h / c.t
        if c.attention_bias:
            dense += qkv / c.t + c.h
        if c.qk_norm:
            dense += 2 * norm_parameters(c, c.d)
    if not c.expert_layer[i]:
        dense += (c.g + 1) * c.h * c.f / c.t
        if c.mlp_bias:
            dense += c.g * c.f / c.t + c.h
        return dense, 0
    dense += c.E * c.h + (c.g + 1) * c.h * c.fs / c.t
    expert = (c.g + 1) * c.h * c.fm / c.etp
    if c.mlp_bias:
        expert += c.g * c.fm / c.etp + c.h
    return dense, c.E / c.ep * expert


def chunks_of(c, r):
    """The layers of every model chunk of rank r."""
    if c.vpp == 1:
        first = sum(c.layers_per_stage[:r])
        return [list(range(first, first + c.layers_per_stage[r]))]
    n = c.L // (c.pp * c.vpp)
    return [[(k * c.pp + r) * n + j for j in range(n)] for k in range(c.vpp)]


def stage_parameters(c, r):
    dense = expert = 0
    for chunk in chunks_of(c, r):
        for i in chunk:
            of_dense, of_expert = layer_parameters(c, i)
            dense += of_dense
            expert += of_expert
    table = c.v * c.h / c.t
    if r == 0:
        dense += table + c.positions * c.h
    if r == c.pp - 1:
        dense += norm_parameters(c, c.h)
        if not c.tied or c.pp > 1:
            dense += table
    return dense, expert


def optimizer_share(c, r):
    """Parameters whose optimizer states one card keeps."""
    dense, expert = stage_parameters(c, r)
    if not c.distributed_optimizer:
        return dense + expert
    # Megatron-Core divides the experts' data-parallel group by the instances too (parallel_state.py,
    # intra_partial_expert_data_parallel_size).
    dense_shards = c.dp * c.c / c.instances
    expert_shards = max(1, c.dp * c.c * c.t // (c.ep * c.etp) / c.instances)
    return dense / dense_shards + expert / expert_shards


def static_bytes(c, r):
    return sum(stage_parameters(c, r)) * (c.weight_bytes + c.gradient_bytes) + optimizer_share(c, r) * c.optimizer_bytes


def optimizer_step(c, r):
    """16-bit gradients are copied to fp32 for the step (Megatron-Core optimizer.py, main_param.grad = grad.float())."""
    return 4 * optimizer_share(c, r) if c.gradient_bytes < 4 else 0


# ---- Saved activations


def expert_rows(c):
    """Rows that enter the experts' products on one card."""
    rows = c.T / c.u * c.k
    if c.capacity:
        rows = -(-int(rows * c.capacity) // c.E) * c.E
    return rows * c.imbalance * c.etp


def scores(c):
    """Elements of the score matrix on one card."""
    return c.a / c.t * c.s * (c.s // c.c) * c.b


def saved_of_layer(c, i):
    """Every tensor that layer i keeps, by name."""
    T, t, u = c.T, c.t, c.u
    statistics = (8 if c.layernorm else 4) * T / u
    kept = {"norm1.in": c.x, "norm1.out": c.x, "norm1.stat": statistics}
    if c.mla:
        heads = c.a / t
        if c.ql:
            kept["q.latent"] = (4 * T * c.ql + 4 * T) / u
        kept["kv.latent"] = (2 * T * (c.kl + c.dr) + 2 * T * c.kl + 4 * T) / u
        kept["qkv"] = 2 * T * heads * (2 * (c.dq + c.dr) + c.dv)
        kept["output"] = 2 * T * heads * c.dv
    else:
        kept["qkv"] = 2 * T * (c.a + 2 * c.kv) * c.d / t
        kept["output"] = 2 * T * c.a * c.d / t
        if c.qk_norm:
            kept["qk_norm"] = 2 * T * (c.a + c.kv) * c.d / t
    if c.unfused_attention:
        kept["softmax"] = 2 * scores(c)
        if c.attention_dropout > 0:
            kept["softmax.mask"] = scores(c)
            kept["softmax.dropped"] = 2 * scores(c)
        if not c.mla:
            kept["kv.expanded"] = 4 * T * (c.a - c.kv) * c.d / t
    else:
        kept["lse"] = 4 * T * c.a / t
        if c.output_copied:
            kept["output.copy"] = kept["output"]
    if c.context_all_to_all and c.c > 1:
        kept["output.sent"] = kept["output"]
    kept["norm2.in"] = kept["norm2.out"] = c.x
    kept["norm2.stat"] = statistics
    if c.hidden_dropout > 0:
        kept["dropout"] = 2 * T * c.h / u
    if not c.expert_layer[i]:
        kept["fc1"] = 2 * c.g * T * c.f / t
        kept["act"] = 2 * T * c.f / t
        if c.gated and not c.fused_activation:
            kept["gate"] = 2 * T * c.f / t
        return kept
    rows, width = expert_rows(c), c.fm / c.etp
    kept["router"] = 13.6 * T * c.E / u
    kept["expert.in"] = 2 * rows * c.h
    kept["expert.probabilities"] = 4 * rows
    kept["expert.fc1"] = 2 * c.g * rows * width
    kept["expert.act"] = 2 * rows * width
    if c.gated and not c.fused_activation:
        kept["expert.gate"] = 2 * rows * width
    # Megatron-Core weights an expert's activation in the fused kernel of gated activations only (experts.py,
    # bias_act_func); elsewhere the product keeps its unweighted factor. Seen in its own test jobs with experts.
    if not (c.gated and c.fused_activation):
        kept["expert.unweighted"] = 2 * rows * width
    if c.fs:
        kept["shared"] = 2 * T * (c.g + 1) * c.fs / t
        if c.gated and not c.fused_activation:
            kept["shared.gate"] = 2 * T * c.fs / t
    return kept


DROPPED_BY = {
    "core_attn": ("softmax", "softmax.mask", "softmax.dropped", "kv.expanded", "lse"),
    "layernorm": ("norm1.out", "norm2.out"),
    "mlp": ("fc1", "act", "gate"),
    "moe_act": ("expert.act", "expert.unweighted"),
    "mla_up_proj": ("qkv",),
    "shared_experts": ("shared", "shared.gate"),
    "moe": ("router", "expert.in", "expert.probabilities", "expert.fc1", "expert.act", "expert.gate",
            "expert.unweighted", "shared", "shared.gate"),
}


def saved_of_chunk(c, chunk):
    """What a chunk keeps after its forward pass, and what recomputing its largest part brings back at once."""
    whole = [sum(saved_of_layer(c, i).values()) for i in chunk]
    if c.recompute == "none":
        return sum(whole), 0
    if c.recompute == "full":
        n = c.checkpoint_layers
        if c.method == "uniform":
            groups = [whole[j : j + n] for j in range(0, len(chunk), n)]
            return len(groups) * c.x, max((sum(group) - c.x for group in groups), default=0)
        n = min(n, len(chunk))
        return n * c.x + sum(whole[n:]), max((layer - c.x for layer in whole[:n]), default=0)
    total = 0
    for i in chunk:
        kept = saved_of_layer(c, i)
        for module in c.modules:
            # Projecting up again is the latent attention's; elsewhere nothing bears the name.
            if module == "mla_up_proj" and not c.mla:
                continue
            for tensor in DROPPED_BY[module]:
                kept.pop(tensor, None)
        total += sum(kept.values())
    return total, 0


def saved_of_embedding(c):
    kept = 8 * c.T + (9 * c.T if c.t > 1 else 0)
    return kept + (c.T * c.h / c.u if c.hidden_dropout > 0 else 0)


LOGIT_BYTES = {"te": 2, "unfused": 4, "native": 4}


def saved_of_head(c):
    """Final norm, whose output is the output layer's input, and what the loss keeps."""
    return 2 * c.x + (8 if c.layernorm else 4) * c.T / c.u + LOGIT_BYTES[c.loss] * logits(c)


# ---- Worst instants, on top of everything saved being there


def logits(c):
    """Elements of the logits on one card."""
    return c.T * c.v / c.t


def head_instants(c):
    """The loss and the output layer's backward pass, in which the logits have become their gradient."""
    peak = {"te": 2, "unfused": 6, "native": 10}[c.loss] * logits(c)
    backward = 2 * logits(c) + c.X + (c.x if c.sp and c.t > 1 else 0)
    if not c.fused_gradients:
        backward += 2 * c.v * c.h / c.t
    kept = LOGIT_BYTES[c.loss] * logits(c)
    return peak - kept, backward - kept


def combine_instant(c):
    """Four copies of the experts' output, the shared experts' output and the result."""
    return 4 * 2 * expert_rows(c) * c.h + (2 * c.x if c.fs else c.x)


def backward_instants(c, i):
    """Of the last layer i of a chunk, whose backward pass is the first."""
    gathered = c.X if c.sp and c.t > 1 else 0
    instants = []
    if c.expert_layer[i]:
        rows, width = expert_rows(c), c.fm / c.etp
        instants = [c.x + 2 * rows * c.h + 2 * rows * width, c.x + 2 * c.g * rows * width]
        if c.recompute == "full":
            # The forward pass is run again, and combines the experts' outputs again.
            instants.append(combine_instant(c))
    else:
        act = 2 * c.T * c.f / c.t
        down = 0 if c.fused_gradients else 2 * c.f * c.h / c.t
        up = 0 if c.fused_gradients else 2 * c.g * c.f * c.h / c.t
        instants = [c.x + gathered + act + down, c.x + c.g * act, c.x + gathered + c.X + up - act]
    if c.unfused_attention and not c.mla and c.recompute != "full":
        kept = saved_of_layer(c, i)
        instants.append(c.x + 4 * scores(c) - kept.get("fc1", 0) - kept.get("act", 0))
    return instants


# ---- The order of work


def program(c, r):
    """(forward?, micro-batch, chunk) in the order in which rank r works."""
    if c.vpp == 1:
        warm_up = min(c.pp - r - 1, c.m)
        visits = [(i, 0) for i in range(c.m)]
    else:
        group = c.group or c.pp
        visits = []
        for first in range(0, c.m, group):
            for chunk in range(c.vpp):
                visits += [(i, chunk) for i in range(first, min(c.m, first + group))]
        warm_up = min(2 * (c.pp - r - 1) + (c.vpp - 1) * group, len(visits))
    forward = [(True, i, chunk) for i, chunk in visits]
    backward = [(False, i, c.vpp - 1 - chunk) for i, chunk in visits]
    order = forward[:warm_up]
    for k in range(len(visits) - warm_up):
        order += [forward[warm_up + k], backward[k]]
    return order + backward[len(visits) - warm_up :]


def activation_peak(c, r):
    chunks = chunks_of(c, r)
    first, last = r == 0, r == c.pp - 1
    saved, rebuilt = (list(parts) for parts in zip(*(saved_of_chunk(c, chunk) for chunk in chunks)))
    head = [saved_of_head(c) if last and chunk is chunks[-1] else 0 for chunk in chunks]
    if first:
        saved[0] += saved_of_embedding(c)
    mask = c.b * c.s * c.s if c.mask else 0

    live = peak = 0
    backward_seen = False
    in_flight = {}  # micro-batch -> chunks held
    for forward, i, k in program(c, r):
        instants = [0]
        if forward:
            live += saved[k] + head[k]
            in_flight[i] = in_flight.get(i, 0) + 1
            if chunks[k] and c.expert_layer[chunks[k][-1]]:
                # The head has not run yet. Once gradients flow, the one last received from the next stage is still
                # referenced.
                stale = c.x if c.pp > 1 and backward_seen else 0
                instants.append(combine_instant(c) + stale - head[k])
            if head[k]:
                instants.append(head_instants(c)[0])
        else:
            backward_seen = True
            if head[k]:
                instants += head_instants(c)
            if chunks[k]:  # the head's tensors are gone by then
                instants += [one + rebuilt[k] - head[k] for one in backward_instants(c, chunks[k][-1])]
        peak = max(peak, live + max(instants) + mask * len(in_flight))
        if not forward:
            live -= saved[k] + head[k]
            in_flight[i] -= 1
            if in_flight[i] == 0:
                del in_flight[i]
    return peak


# ---- What lives as long as the process


def dummy_gradient_bytes(c, r):
    """One bf16 tensor for each shape of a weight, with gradients accumulated by TransformerEngine's kernels."""
    if not (c.fused_gradients and c.dummy_gradients):
        return 0
    shapes = set()
    for i in (i for chunk in chunks_of(c, r) for i in chunk):
        if c.mla:
            queries = c.a * (c.dq + c.dr) // c.t
            shapes |= {(c.ql, c.h), (queries, c.ql)} if c.ql else {(queries, c.h)}
            shapes |= {(c.kl + c.dr, c.h), (c.a * (c.dq + c.dv) // c.t, c.kl), (c.h, c.a * c.dv // c.t)}
        else:
            shapes |= {((c.a + 2 * c.kv) * c.d // c.t, c.h), (c.h, c.a * c.d // c.t)}
        widths = [c.fm // c.etp] + ([c.fs // c.t] if c.fs else []) if c.expert_layer[i] else [c.f // c.t]
        for width in widths:
            shapes |= {(c.g * width, c.h), (c.h, width)}
    if r == c.pp - 1:
        shapes.add((c.v // c.t, c.h))
    return sum(2 * rows * columns for rows, columns in shapes)


def fixed_bytes(c, r):
    last = r == c.pp - 1
    total = c.gemm_workspace + 2 * MIB + dummy_gradient_bytes(c, r)
    if last or c.E:
        total += 2 * c.cublas_workspace
    if c.E and c.grouped_gemm:
        total += 144 * MIB
    if r > 0:
        total += c.x  # the previous input gradient is still referenced
    if c.sp and c.t > 1 and last:
        total += c.X  # buffer of gathered activations
    if c.rope:
        total += 4 * (c.s // c.c) * (c.dr or c.d)
    return total


def allocated_bytes(c, r):
    """Peak of torch.cuda.max_memory_allocated on the cards of stage r."""
    return static_bytes(c, r) + max(activation_peak(c, r), optimizer_step(c, r)) + fixed_bytes(c, r)
