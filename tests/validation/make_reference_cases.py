# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes reference_cases.json: random valid plans and what memory_reference.py says to every stage of each.

    python3 make_reference_cases.py          writes the file beside this script
    python3 make_reference_cases.py --check  fails if the file is another one

The same seed gives the same file, byte for byte. A plan holds only what differs from a plan file's defaults.
"""

import json
import math
import pathlib
import random
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
import memory_reference as reference

CASES = 1800
SEED = 20240607


def often(rng, chance):
    return rng.random() < chance


def of(rng, *values):
    return values[rng.randrange(len(values))]


def padded(vocabulary, tensor):
    return -(-vocabulary // (128 * tensor)) * 128 * tensor


def draw_degrees(rng, c, plan):
    c.t = of(rng, 1, 1, 2, 4, 8)
    c.sp = c.t > 1 and often(rng, 0.6)
    c.pp = of(rng, 1, 1, 2, 3, 4, 8)
    c.vpp = of(rng, 1, 2, 3, 4) if c.pp > 1 else 1
    c.c = of(rng, 1, 1, 1, 2, 4)
    c.dp = of(rng, 1, 2, 3, 8)
    plan["parallelism"] |= {"tensor": c.t, "sequence": c.sp, "pipeline": c.pp, "virtual_pipeline": c.vpp,
                            "context": c.c, "data": c.dp}
    cards = c.t * c.pp * c.c * c.dp
    per_node = math.gcd(cards, 8)
    plan["cluster"] |= {"nodes": cards // per_node, "cards_per_node": per_node}


def draw_work(rng, c, plan):
    c.s = of(rng, 512, 1024, 2048, 4096, 8192)
    c.b = of(rng, 1, 1, 2, 3)
    if c.vpp == 1:
        c.m = of(rng, 1, 2, 5, 8, 16)  # fewer than stages, and more
    else:
        # A last group that is shorter than the others, but not than the pipeline, is allowed too.
        c.group = c.pp + of(rng, 0, 0, 1)
        c.m = c.group * of(rng, 1, 2, 3) + (c.pp if c.group > c.pp and often(rng, 0.5) else 0)
        plan["recipe"] |= {"schedule": "interleaved-1f1b", "microbatch_group": c.group}
    plan["workload"] |= {"sequence_length": c.s, "micro_batch_size": c.b, "global_batch_size": c.b * c.m * c.dp}


def draw_layers(rng, c, plan):
    c.L = c.pp * c.vpp * of(rng, 1, 2, 3, 4)
    c.layers_per_stage = [c.L // c.pp] * c.pp
    plan["model"]["num_hidden_layers"] = c.L
    if c.pp > 1 and c.vpp == 1 and often(rng, 0.3):
        for _ in range(c.pp):  # moves layers about; a stage may lose all of its own
            take, give = rng.randrange(c.pp), rng.randrange(c.pp)
            if c.layers_per_stage[take] > 0:
                c.layers_per_stage[take] -= 1
                c.layers_per_stage[give] += 1
        plan["parallelism"]["layers_per_stage"] = c.layers_per_stage


def draw_shape(rng, c, plan):
    c.d = of(rng, 64, 80, 128)
    c.a = c.t * of(rng, 1, 2, 4, 6)
    c.kv = c.a // of(rng, *(n for n in (1, 2, 3, 4, 6) if c.a % n == 0 and c.a // n % c.t == 0))
    c.h = of(rng, c.a * c.d, 128 * c.t * of(rng, 2, 5, 9))
    c.f = c.t * 64 * of(rng, 3, 11, 24, 43)
    vocabulary = of(rng, 32000, 50257, 64128, 128256)
    c.v = padded(vocabulary, c.t)
    c.gated = often(rng, 0.6)
    c.layernorm = often(rng, 0.4)
    c.attention_bias = often(rng, 0.3)
    c.mlp_bias = often(rng, 0.3)
    c.tied = often(rng, 0.4)
    c.rope = often(rng, 0.6)
    model = plan["model"]
    model |= {"hidden_size": c.h, "num_attention_heads": c.a, "num_key_value_heads": c.kv, "head_dim": c.d,
              "intermediate_size": c.f, "vocab_size": vocabulary, "gated_mlp": c.gated,
              "norm": "layernorm" if c.layernorm else "rmsnorm", "attention_bias": c.attention_bias,
              "mlp_bias": c.mlp_bias, "tie_word_embeddings": c.tied}
    if not c.rope:
        c.positions = c.s * of(rng, 1, 4)
        model |= {"position_embedding": "learned", "max_position_embeddings": c.positions}


def draw_latent_attention(rng, c, plan):
    c.mla = True
    c.kv = c.a
    c.ql = of(rng, 0, 192, 768)
    c.kl = of(rng, 128, 512)
    c.dq, c.dr, c.dv = of(rng, 64, 128), of(rng, 32, 64), of(rng, 64, 128)
    # The reference knows no biases of latent projections.
    c.attention_bias = False
    plan["model"] |= {"num_key_value_heads": c.kv, "attention_bias": False,
                      "mla": {"q_lora_rank": c.ql, "kv_lora_rank": c.kl, "qk_nope_head_dim": c.dq,
                              "qk_rope_head_dim": c.dr, "v_head_dim": c.dv}}


def draw_experts(rng, c, plan):
    shard = c.dp * c.c * c.t
    c.etp = of(rng, *(n for n in (1, 2, 4) if shard % n == 0))
    c.ep = of(rng, *(n for n in (1, 2, 3, 4, 8) if shard % (n * c.etp) == 0))
    c.E = c.ep * of(rng, 1, 4, 8)
    c.k = min(c.E, of(rng, 1, 2, 6))
    c.fm = c.etp * of(rng, 192, 512, 1408)
    moe = {"num_experts": c.E, "num_experts_per_tok": c.k, "moe_intermediate_size": c.fm}
    if often(rng, 0.5):
        c.fs = c.t * of(rng, 128, 704)
        c.mlp_bias = False  # Megatron-Core's shared experts accept none
        plan["model"]["mlp_bias"] = False
        moe |= {"num_shared_experts": 1, "shared_intermediate_size": c.fs}
    layout = of(rng, "all", "first dense", "list")
    if layout == "first dense":
        dense = rng.randrange(c.L + 1)
        c.expert_layer = [i >= dense for i in range(c.L)]
        moe["first_dense_layers"] = dense
    elif layout == "list":
        c.expert_layer = [often(rng, 0.6) for _ in range(c.L)]
        moe["layers"] = [int(one) for one in c.expert_layer]
    else:
        c.expert_layer = [True] * c.L
    if often(rng, 0.25):
        c.capacity = of(rng, 1.0, 1.25, 2.0)
        moe["capacity_factor"] = c.capacity
    if often(rng, 0.25):
        c.imbalance = of(rng, 1.1, 1.5)
        moe["imbalance"] = c.imbalance
    c.grouped_gemm = often(rng, 0.8)
    plan["model"]["moe"] = moe
    plan["recipe"]["moe"] = {"grouped_gemm": c.grouped_gemm}
    plan["parallelism"] |= {"expert": c.ep, "expert_tensor": c.etp}


def draw_states(rng, c, plan):
    recipe = plan["recipe"]
    c.distributed_optimizer = often(rng, 0.75)
    recipe["sharding"] = "zero1" if c.distributed_optimizer else "none"
    replicas = c.dp * c.c * c.t // (c.ep * c.etp) if c.E else c.dp * c.c
    if c.distributed_optimizer and often(rng, 0.3):
        c.instances = of(rng, *(n for n in (1, 2, 3, 4) if c.dp * c.c % n == 0 and replicas % n == 0))
        recipe["optimizer_instances"] = c.instances
    if often(rng, 0.2):
        c.gradient_bytes = 2
        recipe["gradient_precision"] = "bf16"
    optimizer, moments = of(rng, ("adam", 8), ("adam", 8), ("adam", 8), ("sgd", 0), ("lion", 4))
    c.optimizer_bytes = 4 + moments
    recipe["optimizer"] = optimizer


def draw_kernels(rng, c, plan):
    recipe = plan["recipe"]
    c.fused_gradients = often(rng, 0.7)
    recipe["gradient_accumulation_fusion"] = c.fused_gradients
    c.dummy_gradients = often(rng, 0.9)
    recipe["kernels"] = "transformer-engine" if c.dummy_gradients else "megatron-local"
    # The reference has no unfused latent attention, and no second copy of its output.
    attention = "fused" if c.mla else of(rng, "fused", "flash2", "unfused")
    recipe["attention"] = attention
    c.unfused_attention = attention == "unfused"
    c.output_copied = attention == "flash2" and c.b > 1
    if not c.mla and often(rng, 0.3):
        c.qk_norm = True
        plan["model"]["qk_norm"] = True
    if often(rng, 0.4):
        c.hidden_dropout, c.attention_dropout = of(rng, 0.0, 0.1), of(rng, 0.0, 0.1)
        recipe["dropout"] = {"hidden": c.hidden_dropout, "attention": c.attention_dropout}
    c.fused_activation = often(rng, 0.8)
    recipe["activation_fusion"] = c.fused_activation
    c.context_all_to_all = c.c > 1 and c.a // c.t % c.c == 0 and often(rng, 0.5)
    if c.context_all_to_all:
        recipe["context_communication"] = "a2a"
    c.loss, recipe["loss"] = of(rng, ("te", "fused"), ("unfused", "unfused"), ("native", "fused-native"))
    c.mask = often(rng, 0.3)
    recipe["attention_mask_in_dataloader"] = c.mask


def draw_recomputation(rng, c, plan):
    c.recompute = of(rng, "none", "none", "selective", "full")
    recompute = {"granularity": c.recompute}
    if c.recompute == "selective":
        c.modules = tuple(name for name in reference.DROPPED_BY if often(rng, 0.35)) or ("core_attn",)
        recompute["modules"] = c.modules
    if c.recompute == "full":
        c.method, c.checkpoint_layers = of(rng, "uniform", "block"), of(rng, 1, 1, 2, 3, 9)
        recompute |= {"method": c.method, "layers": c.checkpoint_layers}
    plan["recipe"]["recompute"] = recompute


def draw_card(rng, c, plan):
    # TransformerEngine's workspace by card, PyTorch's by card unless the plan says otherwise (on Blackwell since 2026-02).
    name, gemm, cublas = of(rng, ("a100-sxm-80", 4, 8.125), ("h100-sxm-80", 32, 32), ("b200-sxm", 32, 32))
    plan["cluster"]["accelerator"] = name
    if often(rng, 0.2):
        cublas = of(rng, 0, 16)
        plan["recipe"]["cublas_workspace_mib"] = cublas
    c.gemm_workspace = gemm * reference.MIB
    c.cublas_workspace = int(cublas * reference.MIB)


DEFAULTS = {
    "model": {"gated_mlp": True, "norm": "rmsnorm", "attention_bias": False, "mlp_bias": False,
              "tie_word_embeddings": False},
    "parallelism": {"tensor": 1, "sequence": False, "pipeline": 1, "virtual_pipeline": 1, "context": 1, "expert": 1},
    "recipe": {"sharding": "zero1", "optimizer_instances": 1, "optimizer": "adam", "attention": "fused",
               "loss": "fused", "kernels": "transformer-engine", "gradient_accumulation_fusion": True,
               "attention_mask_in_dataloader": False, "activation_fusion": True, "recompute": {"granularity": "none"},
               "moe": {"grouped_gemm": True}},
}


def without_defaults(plan):
    for part, defaults in DEFAULTS.items():
        plan[part] = {key: value for key, value in plan[part].items() if defaults.get(key) != value}
    return plan


def draw(rng):
    c = reference.Config()
    plan = {"format": "cardfit/plan", "version": 1, "model": {}, "cluster": {}, "workload": {},
            "parallelism": {}, "recipe": {}}
    for step in (draw_degrees, draw_work, draw_layers, draw_shape):
        step(rng, c, plan)
    c.expert_layer = [False] * c.L
    if often(rng, 0.3):
        draw_latent_attention(rng, c, plan)
    if often(rng, 0.5):
        draw_experts(rng, c, plan)
    for step in (draw_states, draw_kernels, draw_recomputation, draw_card):
        step(rng, c, plan)
    stages = [round(reference.allocated_bytes(c, r)) for r in range(c.pp)]
    return {"plan": without_defaults(plan), "allocated": stages}


def main():
    file = pathlib.Path(__file__).with_name("reference_cases.json")
    rng = random.Random(SEED)
    lines = [json.dumps(draw(rng), separators=(",", ":")) for _ in range(CASES)]
    text = '{"cases":[\n' + ",\n".join(lines) + "\n]}\n"
    if sys.argv[1:] == ["--check"]:
        if file.read_text() != text:
            sys.exit(f"{file} is not what this script writes; run it without --check")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        file.write_text(text)


if __name__ == "__main__":
    main()
