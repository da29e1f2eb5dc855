# SPDX-License-Identifier: GPL-3.0-or-later
"""What a card holds, and its kernels alone: products, attention whole and in chunks, what only moves memory, small
batches as a server's, launches with and without a CUDA graph. Times are medians, in seconds."""
import contextlib
import statistics

import torch
import torch.nn.functional as F

BF16 = torch.bfloat16
CACHE_BYTES = 256 << 20  # several times the last-level cache of any card


def cases():
    def of(kind, rank, name, **options):
        return {"id": f"{kind}/{name}", "kind": kind, "rank": rank} | options

    return [
        of("facts", 0, "capacity"),
        of("products", 6.1, "training"),
        of("attention", 6.2, "head128"),
        of("moving", 8, "memory"),
        of("optimizer", 6.4, "adamw"),
        of("chunked_attention", 6.5, "32heads", heads=32),
        of("small_batches", 6.6, "products"),
        of("decode", 6.7, "layers"),
        of("loss", 6.8, "logits"),
        of("chunked_attention", 28, "8heads", heads=8),
        of("ceiling", 29, "default"),
        of("ceiling", 29, "expandable", expandable=True),
    ]


def seconds(function, at_least=0.03, groups=5):
    """Median over groups of calls of the time of one call, after warming up."""
    for _ in range(2):
        function()
    torch.cuda.synchronize()

    def run(calls):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(calls):
            function()
        end.record()
        torch.cuda.synchronize()
        return begin.elapsed_time(end) * 1e-3 / calls

    calls = max(1, min(200, int(at_least / max(run(2), 1e-6) / groups)))
    return statistics.median(run(calls) for _ in range(groups))


def graphed(function):
    """The same calls captured once: replays have no time of the host in them."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(2):
            function()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        function()
    return graph.replay


def attempt(function):
    try:
        return function()
    except Exception as error:  # an operator that a card or a version lacks
        return f"{type(error).__name__}: {error}"[:200]


def random(*shape):
    return torch.randn(*shape, device="cuda", dtype=BF16)


# Capacity


def nvml_memory():
    import pynvml
    pynvml.nvmlInit()
    handle = pynvml.nvmlDeviceGetHandleByIndex(0)
    info = pynvml.nvmlDeviceGetMemoryInfo(handle)
    result = {"total": info.total, "free": info.free, "used": info.used}
    newer = attempt(lambda: pynvml.nvmlDeviceGetMemoryInfo(handle, version=pynvml.nvmlMemory_v2))
    if not isinstance(newer, str):
        result |= {"v2_used": newer.used, "v2_reserved": newer.reserved}
    processes = attempt(lambda: [p.usedGpuMemory for p in pynvml.nvmlDeviceGetComputeRunningProcesses(handle)])
    return result | {"processes": processes}


def facts(_):
    import subprocess
    result = {"nvidia_smi": subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version,memory.total,memory.reserved,memory.used,power.limit,"
         "clocks.max.sm,clocks.max.mem,vbios_version", "--format=csv"], capture_output=True, text=True).stdout,
        "before_context": nvml_memory()}

    def outside(name):
        torch.cuda.synchronize()
        free, total = torch.cuda.mem_get_info()
        result[name] = {"cuda_total": total, "cuda_free": free, "nvml": nvml_memory(),
                        "reserved": torch.cuda.memory_reserved(), "allocated": torch.cuda.memory_allocated()}

    torch.cuda.init()
    torch.cuda.mem_get_info()
    outside("context_only")
    torch.zeros(1, device="cuda")
    outside("first_tensor")
    properties = torch.cuda.get_device_properties(0)
    result["properties"] = {"name": properties.name, "total_memory": properties.total_memory,
                            "multiprocessors": properties.multi_processor_count, "l2": properties.L2_cache_size}
    x, weight = random(4096, 4096), random(4096, 4096).requires_grad_()
    before = torch.cuda.memory_allocated()
    y = F.linear(x, weight)
    result["workspace_of_forward"] = torch.cuda.memory_allocated() - before - y.numel() * 2
    outside("first_product")
    y.sum().backward()
    weight.grad = None
    del y
    result["workspaces_after_backward"] = torch.cuda.memory_allocated() - before
    before = torch.cuda.memory_allocated()
    torch._C._cuda_clearCublasWorkspaces()
    result["cleared"] = before - torch.cuda.memory_allocated()
    q = random(1, 16, 2048, 128).requires_grad_()
    F.scaled_dot_product_attention(q, q, q, is_causal=True).sum().backward()
    outside("first_attention")
    F.cross_entropy(random(1024, 32768).float().requires_grad_(), torch.zeros(1024, device="cuda", dtype=torch.long))
    for dtype in (BF16, torch.float32):
        parameter = torch.zeros(1 << 20, device="cuda", dtype=dtype, requires_grad=True)
        parameter.grad = torch.ones_like(parameter)
        torch.optim.AdamW([parameter], fused=True).step()
    outside("optimizer_too")
    return result


def ceiling(_):
    """Allocates blocks until none is left: what the allocator can hold at most."""
    torch.zeros(1, device="cuda")
    blocks = []
    result = {}
    for mebibytes in (1024, 64, 2):
        try:
            while True:
                blocks.append(torch.empty(mebibytes << 20, dtype=torch.uint8, device="cuda"))
        except torch.OutOfMemoryError as error:
            result[f"message_at_{mebibytes}"] = str(error)
    free, total = torch.cuda.mem_get_info()
    return result | {"allocated": torch.cuda.memory_allocated(), "reserved": torch.cuda.memory_reserved(),
                     "cuda_free": free, "cuda_total": total, "nvml": nvml_memory()}


# Products and attention


def products(_):
    rows = []
    shapes = [(4096, 6144), (4096, 4096), (4096, 28672), (4096, 14336), (14336, 4096), (4096, 128256), (2048, 2048),
              (2048, 8192), (8192, 2048), (8192, 8192)]
    for tokens in (2048, 8192, 16384):
        for inner, columns in shapes:
            if tokens * columns > 2**31: continue
            x, w, dy = random(tokens, inner), random(columns, inner), random(tokens, columns)
            flops = 2 * tokens * inner * columns
            row = {"rows": tokens, "inner": inner, "columns": columns}
            for name, function in (("forward", lambda: F.linear(x, w)), ("input_gradient", lambda: dy @ w),
                                   ("weight_gradient", lambda: dy.t() @ x)):
                time = seconds(function, 0.02)
                row[name + "_s"], row[name + "_tflops"] = time, round(flops / time / 1e12, 1)
            rows.append(row)
    for size in (4096, 8192):  # what a burst reaches, and what a second of them does
        x, w = random(size, size), random(size, size)
        for at_least in (0.02, 1.0):
            time = seconds(lambda: x @ w, at_least)
            rows.append({"square": size, "run_s": at_least, "tflops": round(2 * size**3 / time / 1e12, 1)})
    return rows


def attention(_):
    from torch.nn.attention import SDPBackend, sdpa_kernel
    backends = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION,
                "efficient": SDPBackend.EFFICIENT_ATTENTION, "default": None}
    rows = []
    for sequence, batch, heads, keys, dim in ((2048, 4, 32, 8, 128), (2048, 1, 32, 8, 128), (4096, 2, 32, 8, 128),
                                              (8192, 1, 32, 8, 128), (32768, 1, 32, 8, 128), (8192, 1, 32, 32, 128),
                                              (2048, 4, 32, 8, 64), (8192, 1, 32, 8, 64)):
        flops = 2 * batch * heads * sequence * sequence * dim  # causal: half of 4 b a s s d
        for name, backend in backends.items():
            if name == "efficient" and keys != heads: continue

            def measured():
                q = random(batch, sequence, heads, dim).transpose(1, 2).detach().requires_grad_()
                k, v = (random(batch, sequence, keys, dim).transpose(1, 2).detach().requires_grad_() for _ in "kv")
                grad = random(batch, sequence, heads, dim).transpose(1, 2)

                def forward():
                    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=keys != heads)

                def both():
                    return torch.autograd.grad(forward(), (q, k, v), grad)

                with torch.no_grad():
                    alone = seconds(forward)
                return alone, seconds(both)

            def chosen():
                if backend is None: return measured()
                with sdpa_kernel(backend):
                    return measured()

            row = {"kernel": name, "sequence": sequence, "batch": batch, "heads": heads, "keys": keys, "dim": dim}
            times = attempt(chosen)
            if isinstance(times, str):
                row["error"] = times
            else:
                backward = times[1] - times[0]
                row |= {"forward_s": times[0], "backward_s": backward,
                        "forward_tflops": round(flops / times[0] / 1e12, 1),
                        "backward_tflops": round(2.5 * flops / backward / 1e12, 1)}
            rows.append(row)
    return rows


def merge(out, lse, part, part_lse):
    """Adds a part of attention to what is there, by their log-sum-exps (fp32, as rings do)."""
    share = torch.sigmoid(part_lse - lse).unsqueeze(-1)
    return out - share * (out - part.float()), lse + F.softplus(part_lse - lse)


def chunked_attention(case):
    """One rank's causal attention over n ranks of T tokens: a share of the whole sequence's kernel, against the
    ring's n chunks with halves exchanged ("zigzag"): one causal chunk, then n - 1 of half the work, merged."""
    heads, dim = case["heads"], 128
    flash = torch.ops.aten._scaled_dot_product_flash_attention
    flash_backward = torch.ops.aten._scaled_dot_product_flash_attention_backward
    cudnn = torch.ops.aten._scaled_dot_product_cudnn_attention

    def by_flash(q, k, v, causal):
        return flash(q, k, v, 0.0, causal, False)

    def by_cudnn(q, k, v, causal):
        return cudnn(q, k, v, None, True, 0.0, causal, False)

    def tensors(tokens):
        return [random(1, heads, tokens, dim) for _ in range(3)]

    compiled = torch.compile(merge, dynamic=False)
    rows = []
    for tokens in (1024, 4096):
        q, k, v = tensors(tokens)
        half = tokens // 2
        grad = random(1, heads, tokens, dim)

        def ring(ranks, attend, merging):
            part = attend(q, k, v, True)
            if merging is None:
                for other in range(1, ranks):
                    attend(*sizes(other), False)
                return part[0]
            out, lse = part[0].float(), part[1].reshape(1, heads, tokens)
            for other in range(1, ranks):
                part = attend(*sizes(other), False)
                if other % 2:
                    out, lse = merging(out, lse, part[0], part[1].reshape(1, heads, tokens))
                else:
                    late, late_lse = merging(out[:, :, half:], lse[:, :, half:], part[0],
                                             part[1].reshape(1, heads, half))
                    out[:, :, half:], lse[:, :, half:] = late, late_lse
            return out

        def sizes(other):
            """Half of the ranks see half of the keys with all queries, the others the other way round."""
            return (q, k[:, :, :half], v[:, :, :half]) if other % 2 else (q[:, :, half:], k, v)

        def backward_of(q, k, v, causal, gradient):
            r = flash(q, k, v, 0.0, causal, False)
            return lambda: flash_backward(gradient, q, k, v, r[0], r[1], r[2], r[3], r[4], r[5], 0.0, causal, r[6], r[7])

        for ranks in (1, 2, 4, 8):
            row = {"tokens": tokens, "ranks": ranks, "heads": heads}
            whole = tensors(tokens * ranks)
            for name, attend in (("flash", by_flash), ("cudnn", by_cudnn)):
                row[name] = {
                    "whole_share_s": attempt(lambda: seconds(lambda: attend(*whole, True)) / ranks),
                    "chunks_s": attempt(lambda: seconds(lambda: ring(ranks, attend, None))),
                    "chunks_graph_s": attempt(lambda: seconds(graphed(lambda: ring(ranks, attend, None)))),
                    "ring_s": attempt(lambda: seconds(lambda: ring(ranks, attend, merge))),
                    "ring_compiled_s": attempt(lambda: seconds(lambda: ring(ranks, attend, compiled))),
                    "ring_compiled_graph_s": attempt(lambda: seconds(graphed(lambda: ring(ranks, attend, compiled)))),
                }

            def backward_times():
                whole_grad = random(1, heads, tokens * ranks, dim)
                parts = [backward_of(q, k, v, True, grad)]
                for other in range(1, ranks):
                    part_q, part_k, part_v = (tensor.contiguous() for tensor in sizes(other))
                    parts.append(backward_of(part_q, part_k, part_v, False,
                                             grad[:, :, :part_q.shape[2]].contiguous()))
                sums = [torch.zeros(1, heads, tokens, dim, device="cuda") for _ in "qkv"]

                def run():
                    for part in parts:
                        for total, add in zip(sums, part()):
                            total[:, :, :add.shape[2]] += add

                return {"whole_share_s": seconds(backward_of(*whole, True, whole_grad)) / ranks,
                        "chunks_s": seconds(run), "chunks_graph_s": seconds(graphed(run))}

            row["flash_backward"] = attempt(backward_times)
            rows.append(row)
            del whole
    return rows


# What only moves memory


def moving(_):
    result = {}
    big = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
    other = torch.empty_like(big)
    result["copy_gb_s"] = round(2 * big.numel() / seconds(lambda: other.copy_(big)) / 1e9)
    result["read_gb_s"] = round(big.numel() / seconds(lambda: big.view(torch.float32).sum()) / 1e9)
    del big, other

    def eager_norm(x, weight):
        wide = x.float()
        wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)
        return weight * wide.to(x.dtype)

    def eager_rope(q, cos, sin):
        half = q.shape[-1] // 2
        turned = torch.cat((-q[..., half:], q[..., :half]), dim=-1)
        return q * cos + turned * sin

    def swiglu(gate, up):
        return F.silu(gate) * up

    rows = []
    for tokens, hidden, width in ((2048, 2048, 8192), (8192, 4096, 14336)):
        x, weight = random(tokens, hidden).requires_grad_(), random(hidden).requires_grad_()
        q = random(1, hidden // 128, tokens, 128).requires_grad_()
        cos, sin = random(1, 1, tokens, 128), random(1, 1, tokens, 128)
        gate, up = random(tokens, width).requires_grad_(), random(tokens, width).requires_grad_()
        functions = {
            "norm": (eager_norm, (x, weight), 2 * x.numel() * 2),
            "rope": (eager_rope, (q, cos, sin), 2 * q.numel() * 2),
            "swiglu": (swiglu, (gate, up), 3 * gate.numel() * 2),
            "residual": (torch.add, (x, x), 3 * x.numel() * 2),
        }
        for name, (function, inputs, least) in functions.items():
            styles = [("eager", function)]
            if tokens > 2048: styles.append(("compiled", torch.compile(function)))
            for style, called in styles:
                leaves = [tensor for tensor in inputs if tensor.requires_grad]
                grad = torch.randn_like(called(*inputs).detach())
                with torch.no_grad():
                    forward = seconds(lambda: called(*inputs))
                both = seconds(lambda: torch.autograd.grad(called(*inputs), leaves, grad))
                rows.append({"name": name, "style": style, "tokens": tokens, "hidden": hidden, "width": width,
                             "forward_s": forward, "both_s": both,
                             "forward_gb_s": round(least / forward / 1e9)})
        fused = attempt(lambda: seconds(lambda: F.rms_norm(x, (hidden,), weight)))
        rows.append({"name": "norm", "style": "torch.rms_norm", "tokens": tokens, "hidden": hidden,
                     "forward_s": fused})
    result["rows"] = rows
    return result


def optimizer(_):
    rows = []
    shapes = [(4096, 4096)] * 8 + [(14336, 4096)] * 12 + [(4096,)] * 16
    for dtype in (BF16, torch.float32):
        for style in ("fused", "foreach"):
            parameters = [torch.randn(*shape, device="cuda", dtype=dtype).requires_grad_() for shape in shapes]
            count = sum(parameter.numel() for parameter in parameters)
            for parameter in parameters:
                parameter.grad = torch.randn_like(parameter)
            adam = torch.optim.AdamW(parameters, lr=1e-5, **{style: True})
            time = seconds(adam.step, 0.1)
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            adam.step()
            least = 7 * parameters[0].element_size() * count  # reads four, writes three
            rows.append({"dtype": str(dtype), "style": style, "parameters": count, "step_s": time,
                         "gb_s": round(least / time / 1e9),
                         "temporary_bytes_per_parameter": (torch.cuda.max_memory_allocated() - before) / count})
            del parameters, adam
            torch.cuda.empty_cache()
    return rows


def loss(_):
    """The loss of transformers alone: bytes a logit at its worst and after, and its time."""
    from transformers.loss.loss_utils import ForCausalLMLoss
    rows = []
    for tokens, vocabulary in ((8192, 32768), (8192, 128256)):
        hidden, head = random(1, tokens, 1024).requires_grad_(), random(vocabulary, 1024)
        labels = torch.randint(0, vocabulary, (1, tokens), device="cuda")
        logits = tokens * vocabulary
        for style in ("eager", "compiled"):
            def whole(states):
                return ForCausalLMLoss(F.linear(states, head), labels, vocabulary)

            called = torch.compile(whole, dynamic=False) if style == "compiled" else whole

            def measured():
                called(hidden).backward()
                hidden.grad = None
                torch.cuda.synchronize()
                torch.cuda.reset_peak_memory_stats()
                before = torch.cuda.memory_allocated()
                value = called(hidden)
                torch.cuda.synchronize()
                kept, forward = torch.cuda.memory_allocated() - before, torch.cuda.max_memory_allocated() - before
                torch.cuda.reset_peak_memory_stats()
                value.backward()
                torch.cuda.synchronize()
                backward = torch.cuda.max_memory_allocated() - before
                hidden.grad = None
                return {"saved": kept / logits, "forward_peak": forward / logits, "backward_peak": backward / logits}

            bytes_a_logit = attempt(measured)
            time = attempt(lambda: seconds(lambda: torch.autograd.grad(called(hidden), hidden)))
            rows.append({"tokens": tokens, "vocabulary": vocabulary, "style": style,
                         "bytes_a_logit": bytes_a_logit, "with_product_s": time})
        del hidden, head, labels
        torch.cuda.empty_cache()
    return rows


# Small batches, as a server's


def small_batches(_):
    """Products of b tokens with weights that no cache holds, by graph, so that the host's time is not in them."""
    rows = []
    for inner, columns in ((4096, 4096), (4096, 6144), (4096, 28672), (14336, 4096), (4096, 128256), (8192, 8192)):
        copies = max(2, -(-CACHE_BYTES // (2 * inner * columns)))
        weights = [random(columns, inner) for _ in range(copies)]
        for batch in (1, 2, 4, 8, 16, 32, 64, 128, 256):
            x = random(batch, inner)

            def run():
                for weight in weights:
                    F.linear(x, weight)

            time = attempt(lambda: seconds(graphed(run)) / copies)
            row = {"batch": batch, "inner": inner, "columns": columns, "s": time}
            if not isinstance(time, str):
                row["weight_gb_s"] = round(2 * inner * columns / time / 1e9)
            rows.append(row)
        del weights
    return rows


class DecodeLayer:
    """One layer of Llama 3 8B for one new token a sequence, in plain operations of PyTorch."""

    def __init__(self, batch, context):
        self.norm = random(4096)
        self.qkv, self.output = random(6144, 4096), random(4096, 4096)
        self.up, self.down = random(28672, 4096), random(4096, 14336)
        self.keys, self.values = random(batch, 8, context, 128), random(batch, 8, context, 128)
        self.cos, self.sin = random(1, 1, 1, 128), random(1, 1, 1, 128)
        self.place = torch.tensor([context - 1], device="cuda")
        self.batch = batch

    def rotate(self, x):
        turned = torch.cat((-x[..., 64:], x[..., :64]), dim=-1)
        return x * self.cos + turned * self.sin

    def __call__(self, x):
        projected = F.linear(F.rms_norm(x, (4096,), self.norm), self.qkv).view(self.batch, 1, 48, 128).transpose(1, 2)
        q, k, v = projected.split((32, 8, 8), dim=1)
        self.keys.index_copy_(2, self.place, self.rotate(k))
        self.values.index_copy_(2, self.place, v)
        attended = F.scaled_dot_product_attention(self.rotate(q), self.keys, self.values, enable_gqa=True)
        x = x + F.linear(attended.transpose(1, 2).reshape(self.batch, 1, 4096), self.output)
        gate, up = F.linear(F.rms_norm(x, (4096,), self.norm), self.up).chunk(2, dim=-1)
        return x + F.linear(F.silu(gate) * up, self.down)


def decode(_):
    result = {"plain": [], "transformers": []}
    count = 8
    with torch.no_grad():
        for batch, context in ((1, 1024), (1, 1024), (8, 1024), (32, 1024), (128, 1024), (1, 8192), (32, 8192)):
            layers = [DecodeLayer(batch, context) for _ in range(count)]
            x = random(batch, 1, 4096)

            def run():
                y = x
                for layer in layers:
                    y = layer(y)
                return y

            weights = 2 * (6144 * 4096 + 4096 * 4096 + 28672 * 4096 + 14336 * 4096)
            cache = 2 * 2 * batch * 8 * context * 128
            graph = attempt(lambda: seconds(graphed(run)) / count)
            result["plain"].append({"batch": batch, "context": context, "eager_layer_s": seconds(run) / count,
                                    "graph_layer_s": graph, "weight_bytes": weights, "cache_bytes": cache})
            del layers
            torch.cuda.empty_cache()
        result["transformers"] = attempt(decode_transformers)
        small = [random(1, 64) for _ in range(2)]
        result["launch_eager_s"] = seconds(lambda: torch.add(small[0], small[1]), 0.05)

        def hundred():
            for _ in range(100):
                torch.add(small[0], small[1], out=small[0])

        result["launch_graph_s"] = seconds(graphed(hundred)) / 100
    return result


def decode_transformers():
    """A token of transformers' own Llama with 4 and 8 layers and a static cache: what a layer takes of the host."""
    import training
    import transformers
    from torch.nn.attention import SDPBackend, sdpa_kernel
    rows = []
    for layers in (4, 8):
        model = training.build({"model": "llama-8b-4l", "precision": "bf16-pure", "adapter": None,
                                "attention": "sdpa", "layers": layers}).eval()
        ids = torch.randint(0, 128256, (1, 1000), device="cuda")
        token = ids[:, :1]
        for name in ("static", "dynamic"):
            def measured():
                cache = (transformers.StaticCache(config=model.config, max_cache_len=1024) if name == "static"
                         else transformers.DynamicCache(config=model.config))
                model(ids, past_key_values=cache, use_cache=True)
                place = torch.tensor([[1000]], device="cuda")

                def run():
                    model(token, past_key_values=cache, use_cache=True, position_ids=place)

                with sdpa_kernel(SDPBackend.FLASH_ATTENTION) if name == "dynamic" else contextlib.nullcontext():
                    return seconds(run, 0.02, 3)

            rows.append({"layers": layers, "cache": name, "token_s": attempt(measured)})
        del model
        torch.cuda.empty_cache()
    return rows
