# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole training steps of models of transformers on one card: memory by every meter, by phase, and the step's time."""
import contextlib
import statistics
import time

import torch

from training_models import ALL_LINEAR, ATTENTION_ONLY, MODELS

def training_case(rank, model, sequence, batch, precision, **options):
    """`precision`: "bf16-pure" (weights, gradients and moments in bf16) or "autocast" (fp32, products in bf16)."""
    case = {"kind": "training", "rank": rank, "model": model, "sequence": sequence, "batch": batch,
            "precision": precision, "optimizer": "fused", "checkpoint": False, "accumulation": 1, "compile": False,
            "attention": "sdpa", "adapter": None, "expandable": False, "fsdp": False} | options
    parts = [model, str(sequence), f"b{batch}", precision]
    if case["optimizer"] != "fused": parts.append(case["optimizer"])
    if case["checkpoint"]: parts.append("ckpt")
    if case["accumulation"] > 1: parts.append(f"acc{case['accumulation']}")
    if case["compile"]: parts.append("compile")
    if case["attention"] != "sdpa": parts.append(case["attention"])
    if case["adapter"]: parts.append("lora-" + case["adapter"])
    if case["expandable"]: parts.append("expandable")
    if case["fsdp"]: parts.append("fsdp2")
    if case.get("until_death"): parts.append("until-death")
    case["id"] = "train/" + "/".join(parts)
    return case


def cases():
    pure, mixed = "bf16-pure", "autocast"
    first = [  # one of each kind, so that a first short run tries everything
        training_case(2, "llama-8b-4l", 2048, 4, pure),
        training_case(3, "llama-8b-4l", 2048, 4, mixed),
        training_case(4, "llama-8b-4l", 8192, 1, pure, checkpoint=True),
        training_case(5, "qwen3-moe-4l", 2048, 4, pure),
        training_case(6, "llama-8b", 2048, 1, pure, adapter="all"),
        training_case(7, "llama-8b-4l", 2048, 4, pure, expandable=True),
        training_case(29.5, "llama-8b-4l", 2048, 4, pure, compile=True),
        training_case(28, "llama-8b-4l", 20480, 1, pure, until_death=1024),
    ]
    more = [
        training_case(20, "llama-8b-4l", 2048, 1, pure),
        training_case(20, "llama-8b-4l", 8192, 1, pure),
        training_case(20, "llama-8b-4l", 2048, 1, pure, optimizer="foreach"),
        training_case(20, "llama-8b-4l", 2048, 4, pure, accumulation=4),
        training_case(20, "llama-8b-4l", 2048, 1, mixed),
        training_case(20, "llama-8b-4l", 8192, 1, mixed, checkpoint=True),
        training_case(20, "llama-8b-4l", 2048, 4, mixed, accumulation=4),
        training_case(20, "llama-8b-4l", 2048, 1, mixed, optimizer="foreach"),
        training_case(21, "llama-2k-8l", 2048, 4, pure),
        training_case(21, "llama-2k-8l", 8192, 1, pure),
        training_case(21, "llama-2k-8l", 8192, 2, pure, checkpoint=True),
        training_case(21, "llama-2k-8l", 2048, 4, mixed),
        training_case(21, "llama-2k-8l", 8192, 4, mixed, checkpoint=True),
        training_case(22, "llama-3.2-1b", 2048, 4, pure),
        training_case(22, "llama-3.2-1b", 8192, 1, mixed, checkpoint=True),
        training_case(22, "llama-3.2-1b", 2048, 2, mixed),
        training_case(22, "qwen3-1.7b", 2048, 4, pure),
        training_case(22, "qwen3-1.7b", 8192, 1, pure, checkpoint=True),
        training_case(22, "qwen3-1.7b", 2048, 2, mixed),
        training_case(23, "llama-8b", 2048, 4, pure, adapter="all", checkpoint=True),
        training_case(23, "llama-8b", 2048, 1, pure, adapter="attention"),
        training_case(23, "llama-8b", 8192, 1, pure, adapter="all", checkpoint=True),
        training_case(23, "llama-8b", 2048, 1, mixed, adapter="all"),
        training_case(24, "qwen3-moe-4l", 2048, 4, mixed),
        training_case(24, "qwen3-moe-4l", 8192, 1, pure, checkpoint=True),
        training_case(24, "qwen3-moe-4l", 2048, 1, pure),
        training_case(25, "llama-8b-4l", 2048, 1, pure, attention="eager"),
        training_case(26, "llama-8b-4l", 8192, 1, pure, expandable=True),
        training_case(26, "llama-8b-4l", 2048, 4, mixed, expandable=True),
        training_case(26, "llama-8b-4l", 8192, 1, pure, checkpoint=True, expandable=True),
        training_case(26, "llama-8b", 2048, 1, pure, adapter="all", expandable=True),
        training_case(26, "llama-8b", 8192, 1, pure, adapter="all", checkpoint=True, expandable=True),
        training_case(26, "qwen3-moe-4l", 2048, 4, pure, expandable=True),
        training_case(26, "qwen3-1.7b", 2048, 4, pure, expandable=True),
        training_case(27, "llama-8b-4l", 20480, 1, pure, until_death=1024, expandable=True),
        training_case(27, "llama-8b", 2048, 1, pure, adapter="all", until_death=512),
        training_case(30, "llama-8b-4l", 2048, 4, mixed, compile=True),
        training_case(30, "llama-2k-8l", 2048, 4, pure, compile=True),
        training_case(30, "qwen3-1.7b", 8192, 1, pure, checkpoint=True, compile=True),
        training_case(31, "llama-8b-4l", 2048, 4, pure, compile=True, expandable=True),
    ]
    more += [
        training_case(23, "llama-8b", 2048, 1, pure, checkpoint=True),
        training_case(25, "llama-8b-4l", 8192, 1, pure, attention="flash"),
        training_case(25, "llama-8b-4l", 2048, 4, pure, attention="flash"),
        training_case(25, "llama-8b-4l", 8192, 1, mixed, checkpoint=True, expandable=True),
        training_case(25.5, "llama-8b-4l", 2048, 4, mixed, fsdp=True),
        training_case(25.5, "llama-8b-4l", 8192, 1, mixed, checkpoint=True, fsdp=True),
        training_case(25.5, "llama-2k-8l", 2048, 4, mixed, fsdp=True),
        training_case(25.5, "llama-2k-8l", 2048, 4, mixed, fsdp=True, accumulation=4),
    ]
    traced = ["llama-8b-4l/2048/b4/bf16-pure", "llama-8b-4l/2048/b4/autocast", "llama-8b-4l/8192/b1/bf16-pure/ckpt",
              "llama-8b-4l/2048/b1/autocast", "llama-8b-4l/2048/b4/bf16-pure/expandable",
              "llama-2k-8l/2048/b4/bf16-pure", "llama-2k-8l/8192/b2/bf16-pure/ckpt", "qwen3-moe-4l/2048/b4/bf16-pure",
              "qwen3-1.7b/2048/b4/bf16-pure", "llama-8b/2048/b1/bf16-pure/lora-all",
              "llama-8b/2048/b1/bf16-pure/lora-attention", "llama-8b/2048/b4/bf16-pure/ckpt/lora-all",
              "llama-8b-4l/2048/b4/autocast/fsdp2"]
    compiled = ["llama-8b-4l/2048/b4/bf16-pure/compile"]
    known = {case["id"]: case for case in first + more}
    traces = [known["train/" + name] | {"id": "trace/" + name, "kind": "trace", "rank": rank}
              for names, rank in ((traced, 19), (compiled, 32)) for name in names]
    return first + more + traces


def import_models():
    """Imports what cases build, before the first fork."""
    import peft
    import transformers
    for name in ("LlamaForCausalLM", "Qwen3ForCausalLM", "Qwen3MoeForCausalLM"):
        getattr(transformers, name)
    return peft.LoraConfig


def build(case):
    import transformers
    shape = dict(MODELS[case["model"]])
    shape["num_hidden_layers"] = case.get("layers", shape["num_hidden_layers"])
    names = {"llama": "Llama", "qwen3": "Qwen3", "qwen3_moe": "Qwen3Moe"}
    prefix = names[shape.pop("type")]
    config = getattr(transformers, prefix + "Config")(max_position_embeddings=65536, use_cache=False, **shape)
    config._attn_implementation = "sdpa" if case["attention"] == "flash" else case["attention"]
    if case["attention"] == "flash": torch.backends.cuda.enable_cudnn_sdp(False)
    dtype = torch.bfloat16 if case["precision"] == "bf16-pure" or case["adapter"] else torch.float32
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device("cuda"):
            model = getattr(transformers, prefix + "ForCausalLM")(config)
    finally:
        torch.set_default_dtype(before)
    return model.to(dtype)


def prepare(case):
    """The model as it trains, its trained parameters and the optimizer."""
    model = build(case)
    if case["checkpoint"]:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    if case["adapter"]:
        import peft
        targets = ATTENTION_ONLY if case["adapter"] == "attention" else ALL_LINEAR
        adapter = peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.0, target_modules=targets)
        # Like a trainer: adapters in fp32 under autocast, otherwise in the weights' format.
        model = peft.get_peft_model(model, adapter, autocast_adapter_dtype=case["precision"] == "autocast")
        if case["checkpoint"]: model.enable_input_require_grads()
    if case["fsdp"]: shard(model)
    model.train()
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=1e-5, **{case["optimizer"]: True})
    if case["compile"]: model = torch.compile(model)
    return model, trained, optimizer


def shard(model):
    """FSDP2 as torchtitan uses it, with one rank: every layer a unit, the rest in the root's."""
    import os
    import torch.distributed
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    os.environ.setdefault("NCCL_SOCKET_IFNAME", "lo")
    torch.distributed.init_process_group(
        "nccl", init_method=f"file:///tmp/cardfit-rank-{os.getpid()}", rank=0, world_size=1)
    policy = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)
    for layer in model.model.layers:
        fully_shard(layer, mp_policy=policy)
    fully_shard(model, mp_policy=policy)


class Meter:
    """Peaks of the allocator, phase by phase."""

    def __init__(self):
        self.phases = {}
        self.reserved = 0

    @contextlib.contextmanager
    def phase(self, name):
        torch.cuda.reset_peak_memory_stats()
        start = torch.cuda.memory_allocated()
        yield
        torch.cuda.synchronize()
        kept = self.phases.setdefault(name, {"start": 0, "peak": 0, "end": 0})
        kept["start"] = max(kept["start"], start)
        kept["peak"] = max(kept["peak"], torch.cuda.max_memory_allocated())
        kept["end"] = max(kept["end"], torch.cuda.memory_allocated())
        self.reserved = max(self.reserved, torch.cuda.max_memory_reserved())

    @property
    def allocated(self):
        return max(phase["peak"] for phase in self.phases.values())


@contextlib.contextmanager
def unmeasured(_):
    yield


def step(case, model, optimizer, ids, phase=unmeasured):
    mixed = case["precision"] == "autocast" and not case["fsdp"]
    for _ in range(case["accumulation"]):
        with phase("forward"):
            with torch.autocast("cuda", dtype=torch.bfloat16, enabled=mixed):
                loss = model(input_ids=ids, labels=ids).loss
        with phase("backward"):
            (loss / case["accumulation"]).backward()
            del loss
    with phase("optimizer"):
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def device_used():
    """Bytes of the card in use, as CUDA and as the driver's own library count them."""
    import pynvml
    free, total = torch.cuda.mem_get_info()
    pynvml.nvmlInit()
    info = pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(0))
    return {"cuda_used": total - free, "cuda_total": total, "nvml_used": info.used, "nvml_total": info.total}


def allocator_state():
    stats = torch.cuda.memory_stats()
    names = ("allocated_bytes.all.current", "allocated_bytes.all.peak", "reserved_bytes.all.current",
             "reserved_bytes.all.peak", "inactive_split_bytes.all.current", "inactive_split_bytes.all.peak",
             "segment.all.current", "num_alloc_retries", "num_ooms")
    return {name: stats.get(name) for name in names}


def token_ids(case, sequence):
    vocabulary = MODELS[case["model"]]["vocab_size"]
    return torch.randint(0, vocabulary, (case["batch"], sequence), device="cuda")


def until_death(case, model, optimizer):
    """Longer sequences until there is no memory; what the error says."""
    survived = []
    sequence = case["sequence"]
    while True:
        torch.cuda.empty_cache()  # every length starts as a run of its own would
        torch.cuda.reset_peak_memory_stats()
        try:
            seconds = []
            for _ in range(2):
                begin = time.perf_counter()
                step(case, model, optimizer, token_ids(case, sequence))
                torch.cuda.synchronize()
                seconds.append(time.perf_counter() - begin)
            survived.append({"sequence": sequence, "step_s": seconds, **allocator_state(), **device_used()})
        except torch.OutOfMemoryError as error:
            return {"survived": survived, "died_at": sequence, "message": str(error), **allocator_state(),
                    **device_used()}
        sequence += case["until_death"]


def measure(case):
    torch.manual_seed(0)
    torch.zeros(1, device="cuda")
    with_context = device_used()
    model, trained, optimizer = prepare(case)
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    result = {
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "trained": sum(parameter.numel() for parameter in trained),
        "model_bytes": torch.cuda.memory_allocated(),
        "with_context": with_context,
    }
    config = model.config if not case["adapter"] else model.get_base_model().config
    for name in ("_attn_implementation", "_experts_implementation"):
        result[name] = getattr(config, name, None)
    if case.get("until_death"):
        return result | until_death(case, model, optimizer)
    ids = token_ids(case, case["sequence"])
    first = Meter()
    step(case, model, optimizer, ids, first.phase)
    meter = Meter()
    for _ in range(2):
        step(case, model, optimizer, ids, meter.phase)
    times = []
    for _ in range(5):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        begin.record()
        step(case, model, optimizer, ids)
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    unphased = torch.cuda.max_memory_allocated()
    result |= {
        "allocated_bytes": max(meter.allocated, unphased),
        "reserved_bytes": max(meter.reserved, first.reserved, torch.cuda.max_memory_reserved()),
        "first_step_phases": first.phases, "phases": meter.phases,
        "step_s": statistics.median(times), "step_least_s": min(times),
        "state": allocator_state(), "device": device_used(),
        "expandable_in_force": bool(torch.cuda.memory._snapshot().get("allocator_settings", {}).get("expandable_segments")),
    }
    del ids
    before = torch.cuda.memory_allocated()
    torch._C._cuda_clearCublasWorkspaces()
    result["cublas_workspaces"] = before - torch.cuda.memory_allocated()
    result["kernels"] = profile(lambda: step(case, model, optimizer, token_ids(case, case["sequence"])))
    result["outside_allocator"] = result["device"]["cuda_used"] - result["state"]["reserved_bytes.all.current"]
    return result


KERNEL_KINDS = {  # by words of kernels' names, the first that fits
    "loss": ("SoftMax", "softmax", "nll_loss"),
    "elements compiled": ("triton",),
    "attention": ("sdpa", "fmha", "flash", "cudnn"),
    "products": ("nvjet", "gemm", "cutlass", "cublas"),
    "optimizer": ("multi_tensor_apply",),
    "exchange": ("nccl",),
    "copies": ("Memcpy", "Memset", "copy_kernel", "CatArray"),
    "elements": ("elementwise_kernel", "reduce_kernel"),
}


def profile(run):
    """Where a step's time on the card goes: kernels by their time, the largest first."""
    if torch.cuda.memory_reserved() > 0.9 * torch.cuda.get_device_properties(0).total_memory: return None
    try:
        from torch.profiler import ProfilerActivity
        with torch.profiler.profile(activities=[ProfilerActivity.CUDA]) as profiler:
            run()
            torch.cuda.synchronize()
        rows = [(event.key, event.count, event.self_device_time_total) for event in profiler.key_averages()]
        rows.sort(key=lambda row: -row[2])
        kinds = {}
        for name, _, time in rows:
            kind = next((kind for kind, words in KERNEL_KINDS.items() if any(word in name for word in words)), "other")
            kinds[kind] = kinds.get(kind, 0.0) + time * 1e-6
        return {"busy_s": sum(row[2] for row in rows) * 1e-6, "kinds": kinds,
                "largest": [{"name": name[:110], "calls": count, "s": time * 1e-6} for name, count, time in rows[:40]]}
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]


MARK_BYTES = 777 * 512  # no tensor of a model has this size


def mark():
    torch.empty(MARK_BYTES, dtype=torch.uint8, device="cuda")


@contextlib.contextmanager
def marked(_):
    """Ends every phase with a mark in the allocator's record."""
    yield
    torch.cuda.synchronize()
    mark()


def label(frames):
    """The innermost line of Python that asked for memory, and the one of the model's code above it."""
    if not frames: return "autograd's thread"
    inner = f"{frames[0]['filename'].rsplit('/', 1)[-1]}:{frames[0]['line']} {frames[0]['name']}"
    above = next((f"{frame['filename'].rsplit('/', 1)[-1]}:{frame['line']} {frame['name']}" for frame in frames[1:]
                  if "/transformers/models/" in frame["filename"] or "/peft/" in frame["filename"]
                  or "loss_utils" in frame["filename"]), "")
    return inner + (" < " + above if above else "")


def grouped(live):
    """Live blocks by who asked and their size: [label, bytes each, how many]."""
    counts = {}
    for size, name in live.values():
        counts[name, size] = counts.get((name, size), 0) + 1
    rows = [[name, size, count] for (name, size), count in counts.items()]
    return sorted(rows, key=lambda row: -row[1] * row[2])[:60]


def trace(case):
    """What is live at the peak and at the end of every phase of the second step, and all that was asked of the
    allocator: bytes wanted, or -n where the nth block so far was given back."""
    torch.manual_seed(0)
    torch.zeros(1, device="cuda")
    torch.cuda.memory._record_memory_history(max_entries=1000000, stacks="python")
    model, _, optimizer = prepare(case)
    ids = token_ids(case, case["sequence"])
    for _ in range(2):
        mark()
        step(case, model, optimizer, ids, marked)
    allocated, reserved = torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()
    record = torch.cuda.memory._snapshot()["device_traces"][0]
    torch.cuda.memory._record_memory_history(enabled=None)
    marks_a_step = 2 + 2 * case["accumulation"]
    live, total, peak, at_peak, marks, ends, events, numbers, known = {}, 0, 0, {}, 0, [], [], {}, 0
    for entry in record:
        action, size, address = entry["action"], entry["size"], entry.get("addr")
        if action == "alloc":
            live[address] = (size, label(entry.get("frames", [])))
            total += size
            known += 1
            numbers[address] = known
            events.append(size)
            if marks > marks_a_step and total > peak:
                peak, at_peak = total, dict(live)
            if size == MARK_BYTES:
                marks += 1
                if marks > marks_a_step: ends.append({"mark": marks - marks_a_step, "live": grouped(live)})
        elif action == "free_requested" and address in live:
            total -= live.pop(address)[0]
            events.append(-numbers[address])
    return {"allocated": allocated, "reserved": reserved, "peak": peak, "at_peak": grouped(at_peak), "phases": ends,
            "events": events}
