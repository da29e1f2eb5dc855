#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Turns what measure.py wrote into ../../memory_own.json and ../../time_own.json.

    python3 make_cases.py            writes both
    python3 make_cases.py --check    fails unless both are what the results lead to

Every training step on the H100 becomes two cases of memory (allocated, reserved) and one of time. The plan says what ran
as far as a plan can: plain PyTorch on one card is FSDP without sharding. Steps that differ only in
expandable_segments are no cases of time, which they do not change.
"""
import argparse
import json
import pathlib
import sys

from training_models import MODELS

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parent.parent
RESULTS, ACCELERATOR = HERE / "h100.jsonl", "h100-sxm-80"

GROUPS = {
    "pure": "bf16, transformers",
    "autocast": "Autocast, transformers",
    "foreach": "AdamW foreach, transformers",
    "experts": "Experts, transformers",
    "lora": "LoRA, PEFT",
    "compiled": "torch.compile, transformers",
    "fsdp2": "FSDP2 with one rank, transformers",
}


def group(case):
    if case["adapter"]: return "lora"
    if case["fsdp"]: return "fsdp2"
    if case["compile"]: return "compiled"
    if case["optimizer"] == "foreach": return "foreach"
    if MODELS[case["model"]]["type"] == "qwen3_moe": return "experts"
    return "autocast" if case["precision"] == "autocast" else "pure"


def model(case):
    shape = dict(MODELS[case["model"]])
    kind = shape.pop("type")
    experts = {}
    if kind == "qwen3_moe":
        experts = {"moe": {"num_experts": shape.pop("num_experts"),
                           "num_experts_per_tok": shape.pop("num_experts_per_tok"),
                           "moe_intermediate_size": shape.pop("moe_intermediate_size"), "num_shared_experts": 0,
                           "shared_intermediate_size": None, "first_dense_layers": 0, "layer_frequency": 1,
                           "capacity_factor": None}}
        for name in ("decoder_sparse_step", "norm_topk_prob", "mlp_only_layers"):
            shape.pop(name)
    return shape | {"gated_mlp": True, "norm": "rmsnorm", "attention_bias": False, "mlp_bias": False,
                    "qk_norm": kind != "llama", "position_embedding": "rope", "max_position_embeddings": 65536} | experts


def recipe(case):
    made = {
        "framework": "fsdp", "kernels": "compiled" if case["compile"] else "eager",
        "precision": "bf16" if case["precision"] == "autocast" and not case["adapter"] else "bf16-pure",
        "gradient_precision": "fp32", "optimizer": "adam", "sharding": "zero3" if case["fsdp"] else "none",
        "schedule": "1f1b", "attention": {"eager": "unfused", "flash": "flash2", "sdpa": "fused"}[case["attention"]],
        "loss": "compiled" if case["compile"] else "unfused", "dropout": {"hidden": 0.0, "attention": 0.0},
        "recompute": {"granularity": "full", "method": "uniform", "layers": 1} if case["checkpoint"] else
                     {"granularity": "none"},
        "gradient_accumulation_fusion": False, "activation_fusion": True, "rope_fusion": True,
    }
    if case["optimizer"] == "foreach": made["optimizer_implementation"] = "foreach"
    if case["expandable"]: made["expandable_segments"] = True
    if case["adapter"]:
        made["adapter"] = {"rank": 16, "dropout": 0.0, "targets": ["q_proj", "k_proj", "v_proj", "linear_proj"]
                           + (["linear_fc1", "linear_fc2"] if case["adapter"] == "all" else [])}
    return made


def plan(case):
    return {
        "format": "cardfit/plan", "version": 1, "name": case["id"].removeprefix("train/"), "model": model(case),
        "cluster": {"accelerator": ACCELERATOR, "nodes": 1, "cards_per_node": 1},
        "workload": {"task": "lora" if case["adapter"] else "finetune", "sequence_length": case["sequence"],
                     "micro_batch_size": case["batch"], "global_batch_size": case["batch"] * case["accumulation"]},
        "parallelism": {"tensor": 1, "sequence": False, "pipeline": 1, "virtual_pipeline": 1,
                        "layers_per_stage": None, "context": 1, "expert": 1, "expert_tensor": 1, "data": 1},
        "recipe": recipe(case),
    }


def notes(case):
    said = [f"AdamW {case['optimizer']}"]
    if case["adapter"] and case["precision"] == "autocast": said.append("adapters in fp32, under autocast")
    if case["fsdp"]: said.append("parameters in bf16, reduction in fp32, every layer a unit")
    return "; ".join(said)


def make():
    with open(RESULTS, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    environment = next(line["environment"] for line in lines if "environment" in line)
    source = f"measured for this project, one H100, torch {environment['torch'].split('+')[0]}, {environment['date']}"
    memory, time = [], []
    for line in lines:
        case, result = line.get("case", {}), line.get("result")
        if case.get("kind") != "training" or case.get("until_death"): continue
        name = "own/" + case["id"].removeprefix("train/")
        head = {"trust": "high", "source": source, "notes": notes(case), "plan": plan(case)}
        for meter in ("allocated", "reserved"):
            peak = result[meter + "_bytes"]
            memory.append({"id": f"{name}/{meter}", "group": f"own-{group(case)}-{meter}"} | head
                          | {"measured": {"stage": 0, meter + "_bytes": peak}})
        if case["expandable"]: continue
        tokens = case["batch"] * case["sequence"] * case["accumulation"]
        time.append({"id": name, "group": "own-" + group(case)} | head
                    | {"measured": {"tokens_per_second_per_card": round(tokens / result["step_s"], 1)}})
    groups = [{"id": "own-" + name, "name": said} for name, said in GROUPS.items()]
    by_meter = [{"id": f"{one['id']}-{meter}", "name": f"{one['name']}: {meter}"}
                for meter in ("allocated", "reserved") for one in groups]
    return {
        CASES / "memory_own.json": text("bytes; allocated_bytes = torch.cuda.max_memory_allocated, reserved_bytes = "
                                        "max_memory_reserved", by_meter, memory),
        CASES / "time_own.json": text("tokens per second per card, whole optimizer steps", groups, time),
    }


def text(units, groups, cases):
    return json.dumps({"units": units, "groups": groups, "cases": cases}, indent=1) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    for path, content in make().items():
        if not arguments.check:
            path.write_text(content, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != content:
            sys.exit(f"{path.name} is not what {RESULTS.name} leads to: run {pathlib.Path(__file__).name}")


if __name__ == "__main__":
    main()
