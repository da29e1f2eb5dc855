# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of the models that training.py trains, in the words of transformers."""

LLAMA_8B = {"type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
            "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 128256, "tie_word_embeddings": False}
MODELS = {
    # Llama 3 8B with four of its layers, and whole.
    "llama-8b-4l": LLAMA_8B | {"num_hidden_layers": 4},
    "llama-8b": LLAMA_8B | {"num_hidden_layers": 32},
    # A small vocabulary beside wide layers.
    "llama-2k-8l": {"type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 8,
                    "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 32768,
                    "tie_word_embeddings": False},
    "llama-3.2-1b": {"type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
                     "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64, "vocab_size": 128256,
                     "tie_word_embeddings": True},
    "qwen3-1.7b": {"type": "qwen3", "hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 28,
                   "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
                   "tie_word_embeddings": True},
    # Qwen3 30B-A3B with four layers, 32 of its 128 experts and a small vocabulary.
    "qwen3-moe-4l": {"type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 4,
                     "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 32768,
                     "num_experts": 32, "num_experts_per_tok": 8, "moe_intermediate_size": 768,
                     "decoder_sparse_step": 1, "norm_topk_prob": True, "mlp_only_layers": [],
                     "tie_word_embeddings": False},
}
ATTENTION_ONLY = ["q_proj", "k_proj", "v_proj", "o_proj"]
ALL_LINEAR = ATTENTION_ONLY + ["gate_proj", "up_proj", "down_proj"]
