#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts what eager steps of transformers hold at their peak, tensor by tensor, and compares it with what was measured.

    python3 counted.py h100.jsonl [--check]

--check fails if a run is more than 0.1 % off. The counts are those that the traces show (`at_peak`): which line of which
module asked for every block that is live. Not counted: compiled runs, unfused attention, PEFT and experts under autocast,
experts with checkpoints.
"""
import argparse
import json
import sys

from training_models import MODELS

WORKSPACES = 2 * 32 << 20  # cuBLAS, forward and backward


class Run:
    """Sizes of one case, in values of a tensor of all its tokens."""

    def __init__(self, case, trained, parameters):
        self.case, self.trained, self.parameters = case, trained, parameters
        shape = MODELS[case["model"]]
        self.shape = shape
        self.tokens = case["batch"] * case["sequence"]
        self.layers = shape["num_hidden_layers"]
        self.hidden = self.tokens * shape["hidden_size"]
        self.queries = self.tokens * shape["num_attention_heads"] * shape["head_dim"]
        self.keys = self.tokens * shape["num_key_value_heads"] * shape["head_dim"]
        self.logits = self.tokens * shape["vocab_size"]
        self.autocast = case["precision"] == "autocast" and not case["fsdp"]
        self.wide = case["precision"] == "autocast"
        self.moe = shape["type"] == "qwen3_moe"

    # Weights and Adam

    def states(self):
        """Weights, moments, and gradients where they stand at the loss: from the second micro-batch on."""
        each = 4 if self.wide else 2
        if self.case["adapter"]:
            return 2 * self.parameters + 4 * self.trained
        gradients = each if self.case["accumulation"] > 1 else 0
        return (3 * each + gradients) * self.parameters

    def matrices(self):
        """Values of the weights that products read, without the output layer's."""
        shape = self.shape
        h, heads = shape["hidden_size"], shape["num_attention_heads"] + 2 * shape["num_key_value_heads"]
        attention = h * shape["head_dim"] * (heads + shape["num_attention_heads"])
        return self.layers * (attention + 3 * h * shape["intermediate_size"])

    def copies(self):
        """16-bit weights beside fp32 ones: autocast's, until backward has used them; those that FSDP2 has gathered. With
        checkpoints the layers' copies are gone."""
        head = self.shape["hidden_size"] * self.shape["vocab_size"]
        if self.case["fsdp"]: return 2 * head * (1 if self.shape["tie_word_embeddings"] else 2)
        if not self.autocast: return 0
        return 2 * (head + (0 if self.case["checkpoint"] else self.matrices()))

    # What forward keeps

    def norm(self, values, trains=True):
        """Input in fp32, normalized, output. Autocast: input and normalized values are fp32, the output is the copies
        that the products make of it."""
        if self.autocast: return 8 * values
        return (4 + (2 if trains else 0) + 2) * values

    def attention(self):
        log_sum_exp = 4 * self.tokens * self.shape["num_attention_heads"]
        held = 2 * (self.queries + 2 * self.keys) + 2 * self.queries + log_sum_exp
        if self.shape["type"] == "llama": return held
        # Norms of queries and keys: input in fp32, normalized values, statistics. The rotation does not keep its inputs.
        heads = self.shape["num_attention_heads"] + self.shape["num_key_value_heads"]
        return held + 6 * (self.queries + self.keys) + 4 * self.tokens * heads

    def mlp(self):
        if not self.moe: return 4 * 2 * self.tokens * self.shape["intermediate_size"]
        rows = self.tokens * self.shape["num_experts_per_tok"]
        # In and out, gate and up, the activated gate, its product with up; the router's softmax.
        experts = 2 * rows * (2 * self.shape["hidden_size"] + 4 * self.shape["moe_intermediate_size"])
        return experts + 4 * self.tokens * self.shape["num_experts"]

    def layer(self):
        casts = 5 * 2 * self.hidden if self.autocast else 0  # q, k, v, gate and up each make one of their own
        return 2 * self.norm(self.hidden) + casts + self.attention() + self.mlp()

    def adapted_layer(self):
        """Beside an adapter the norm's weight is frozen, and so are the products: only what adapters read is kept."""
        everywhere = self.case["adapter"] == "all"
        modules = 7 if everywhere else 4
        inputs = 2 * self.hidden * (2 if everywhere else 1)
        mlp = self.mlp() - (0 if everywhere else 2 * self.tokens * self.shape["intermediate_size"])
        return 2 * 4 * self.hidden + inputs + self.attention() + mlp + modules * 2 * self.tokens * 16

    def saved(self):
        checkpoint = (4 if self.autocast else 2) * self.hidden
        if self.case["checkpoint"]: return self.layers * checkpoint
        # The first norm of all reads the embedding, which learns nothing.
        if self.case["adapter"]: return self.layers * self.adapted_layer() - 4 * self.hidden
        return self.layers * self.layer()

    def head(self):
        """The last norm; its output is the head's input."""
        if self.case["adapter"]: return 4 * self.hidden
        return self.norm(self.hidden) + (2 * self.hidden if self.autocast else 0)

    def at_loss(self):
        """fp32: the log-softmax, its gradient and that gradient's own."""
        return self.states() + self.copies() + self.saved() + self.head() + 12 * self.logits + WORKSPACES

    def at_update(self):
        """All gradients; foreach makes one more tensor of each."""
        each = 4 if self.wide else 2
        more = each if self.case["optimizer"] == "foreach" else 0
        return (4 * each + more) * self.parameters + WORKSPACES

    def peak(self):
        return self.at_loss() if self.case["adapter"] else max(self.at_loss(), self.at_update())


def counted(case):
    if case.get("kind") != "training" or case.get("until_death"): return False
    if case["adapter"] and case["precision"] == "autocast": return False
    # Experts in fp32 under autocast; with checkpoints their peak is in a layer's backward pass.
    if MODELS[case["model"]]["type"] == "qwen3_moe" and (case["precision"] == "autocast" or case["checkpoint"]):
        return False
    return not case["compile"] and case["attention"] != "eager"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    worst = 0.0
    with open(arguments.results, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    for line in lines:
        if not counted(line.get("case", {})): continue
        result = line["result"]
        peak = Run(line["case"], result["trained"], result["parameters"]).peak()
        error = peak / result["allocated_bytes"] - 1.0
        worst = max(worst, abs(error))
        print(f"{line['case']['id']:62} {result['allocated_bytes'] / 1e9:7.2f} GB  counted {error:+8.3%}")
    if arguments.check and worst > 1e-3: sys.exit(f"a run is {worst:.2%} off")


if __name__ == "__main__":
    main()
