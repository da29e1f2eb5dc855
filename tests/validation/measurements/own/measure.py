#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures one NVIDIA card: what it holds, what training steps take of it, how long steps and kernels last.

    python3 measure.py --out results.jsonl [--budget SECONDS] [--only PREFIX,...] [--skip FILE]

Needs torch, transformers, peft and nvidia-ml-py; no network, no weights: models are made with random ones. Every case
runs in a process of its own, forked from one that has imported the libraries and never touched the card. A case writes
one line of JSON as soon as it ends, an error too. --skip leaves out cases that a file of earlier results has.
"""
import argparse
import json
import os
import signal
import sys
import time
import traceback

os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")  # importing must not touch the card
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

import torch

import kernels
import training


def all_cases():
    cases = kernels.cases() + training.cases()
    ids = [case["id"] for case in cases]
    assert len(ids) == len(set(ids)), "case ids must differ"
    return sorted(cases, key=lambda case: case["rank"])


def run_child(case, path):
    """The body of a forked process: measures one case and appends its line."""
    if case.get("expandable"):
        for name in ("PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"):
            os.environ[name] = "expandable_segments:True"
        torch.cuda.memory._set_allocator_settings("expandable_segments:True")
    line = {"case": case, "rc": 0}
    begin = time.time()
    try:
        line["result"] = case_function(case)(case)
    except BaseException as error:
        line["rc"] = 1
        line["error"] = f"{type(error).__name__}: {error}"[:1500]
        line["trace"] = traceback.format_exc()[-1500:]
    line["wall_s"] = round(time.time() - begin, 2)
    with open(path, "a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")
        out.flush()
        os.fsync(out.fileno())
    print(f"{line['rc']} {case['id']} {line['wall_s']} s {line.get('error', '')[:300]}", flush=True)


def case_function(case):
    own = {"training": training.measure, "trace": training.trace}
    return own.get(case["kind"]) or getattr(kernels, case["kind"])


def run_case(case, path, limit, fresh):
    """Forks (`fresh`: starts Python anew in the child), waits for the case at most `limit` seconds."""
    child = os.fork()
    if child == 0:
        os.setpgrp()
        if fresh:
            os.execv(sys.executable, [sys.executable, __file__, "--out", path, "--inside", case["id"]])
        try:
            run_child(case, path)
        finally:
            os._exit(0)
    end = time.time() + limit
    ended = False
    while not ended and time.time() < end:
        time.sleep(0.02)
        ended = os.waitpid(child, os.WNOHANG)[0] == child
    try:
        os.killpg(child, signal.SIGKILL)  # a compiler's helpers outlive the case
    except ProcessLookupError:
        pass
    if not ended:
        print(f"timeout {case['id']}", flush=True)
        os.waitpid(child, 0)


def forking_failed(path):
    """Whether the last case failed because a library had touched the card before the fork."""
    with open(path, encoding="utf-8") as file:
        error = json.loads(file.readlines()[-1]).get("error", "")
    return "forked subprocess" in error or "initialization error" in error


def environment():
    import peft
    import transformers
    import triton
    return {"python": sys.version.split()[0], "torch": torch.__version__, "cuda": torch.version.cuda,
            "transformers": transformers.__version__, "peft": peft.__version__, "triton": triton.__version__,
            "date": time.strftime("%Y-%m-%d")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--case-limit", type=float, default=100)
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", default="")
    parser.add_argument("--list", action="store_true", help="print the cases' names and stop")
    parser.add_argument("--inside", default="", help="run this one case in this process")
    arguments = parser.parse_args()
    if arguments.inside:
        run_child(next(case for case in all_cases() if case["id"] == arguments.inside), arguments.out)
        return
    begin = time.time()
    done = set()
    if arguments.skip:
        with open(arguments.skip, encoding="utf-8") as file:
            done = {line["case"]["id"] for line in map(json.loads, file) if line.get("rc") == 0 and "case" in line}
    prefixes = tuple(filter(None, arguments.only.split(",")))
    cases = [case for case in all_cases()
             if case["id"] not in done and (not prefixes or case["id"].startswith(prefixes))]
    if arguments.list:
        print("\n".join(case["id"] for case in cases))
        return
    with open(arguments.out, "a", encoding="utf-8") as out:
        out.write(json.dumps({"environment": environment()}) + "\n")
    training.import_models()
    print(f"imports {time.time() - begin:.1f} s, {len(cases)} cases", flush=True)
    fresh = False
    for case in cases:
        left = arguments.budget - (time.time() - begin)
        if left < 8:
            print(f"out of time before {case['id']}", flush=True)
            break
        run_case(case, arguments.out, min(left, arguments.case_limit), fresh)
        if not fresh and forking_failed(arguments.out):
            print("forked processes cannot use the card: starting each anew", flush=True)
            fresh = True
            run_case(case, arguments.out, min(left, arguments.case_limit), fresh)
    print(f"all {time.time() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
