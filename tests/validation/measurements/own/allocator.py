#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays what measured steps asked of PyTorch's caching allocator through a model of it.

    python3 allocator.py h100.jsonl [--check]

For every trace: the measured peaks of allocated and reserved bytes, and what the model reserves. --check fails unless
allocated bytes agree exactly and reserved ones within 0.5 % wherever the model holds: on one stream, without expandable
segments. The model is c10/cuda/CUDACachingAllocator.cpp of torch 2.11: sizes in steps of 512 bytes, blocks of up to 1 MiB
from segments of 2 MiB, others below 10 MiB from segments of 20 MiB, larger ones from segments of their own in steps of
2 MiB; the smallest free block that fits is split unless no more than 1 MiB (or 512 bytes) would be left; neighbours that
are free are joined.
"""
import argparse
import bisect
import json
import sys

MIB = 1 << 20


class Block:
    def __init__(self, address, size, small):
        self.address, self.size, self.small = address, size, small
        self.before = self.behind = None
        self.free = False


class CachingAllocator:
    def __init__(self):
        self.free_blocks = {True: [], False: []}  # by pool, sorted: (size, address, block)
        self.next_segment = self.allocated = self.reserved = self.most_allocated = 0

    def take(self, size):
        size = max(512, -(-size // 512) * 512)
        small = size <= MIB
        pool = self.free_blocks[small]
        place = bisect.bisect_left(pool, (size,))
        block = pool.pop(place)[2] if place < len(pool) else self.segment(size, small)
        block.free = False
        rest = block.size - size
        if rest >= 512 if small else rest > MIB:
            self.split(block, size)
        self.allocated += block.size
        self.most_allocated = max(self.most_allocated, self.allocated)
        return block

    def segment(self, size, small):
        size = 2 * MIB if small else 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB
        block = Block(self.next_segment, size, small)
        self.next_segment += size
        self.reserved += size
        return block

    def split(self, block, size):
        rest = Block(block.address + size, block.size - size, block.small)
        rest.before, rest.behind, block.behind = block, block.behind, rest
        if rest.behind: rest.behind.before = rest
        block.size = size
        self.put(rest)

    def give_back(self, block):
        self.allocated -= block.size
        if block.behind and block.behind.free: self.join(block, block.behind)
        if block.before and block.before.free:
            before = block.before
            self.forget(before)
            self.join(before, block)
            block = before
        self.put(block)

    def join(self, first, second):
        if second.free: self.forget(second)
        first.size += second.size
        first.behind = second.behind
        if first.behind: first.behind.before = first

    def put(self, block):
        block.free = True
        bisect.insort(self.free_blocks[block.small], (block.size, block.address, block))

    def forget(self, block):
        pool = self.free_blocks[block.small]
        pool.pop(bisect.bisect_left(pool, (block.size, block.address)))
        block.free = False


def play(events):
    """`events`: bytes wanted, or -n where the nth block so far is given back."""
    allocator, blocks = CachingAllocator(), [None]
    for event in events:
        if event >= 0:
            blocks.append(allocator.take(event))
        else:
            allocator.give_back(blocks[-event])
            blocks[-event] = None
    return allocator


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    failed = False
    print(f"{'trace':55} {'allocated':>10} {'reserved':>10} {'model':>10}  MiB")
    with open(arguments.results, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for line in lines:
        if line.get("case", {}).get("kind") != "trace": continue
        case, result = line["case"], line["result"]
        model = play(result["events"])
        print(f"{case['id']:55} {result['allocated'] / MIB:10.1f} {result['reserved'] / MIB:10.1f} "
              f"{model.reserved / MIB:10.1f}")
        if case["expandable"] or case.get("fsdp"): continue
        failed |= model.most_allocated != result["allocated"]
        failed |= abs(model.reserved / result["reserved"] - 1.0) > 0.005
    if arguments.check and failed: sys.exit("the model of the allocator does not reserve what was measured")


if __name__ == "__main__":
    main()
