from megatron.bridge import AutoBridge
from megatron.bridge.training.config import ConfigContainer

LENGTH: int = 2 * 2048


def qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config(hf_path: str = "Qwen/Qwen3-30B-A3B") -> ConfigContainer:
    """Return a recipe."""
    cfg = _pretrain_common()
    cfg.model = AutoBridge.from_hf_pretrained(hf_path).to_megatron_provider(load_weights=False)
    cfg.model.seq_length = LENGTH
    cfg.model.tensor_model_parallel_size = 4
    cfg.model.pipeline_model_parallel_size = 2
    cfg.model.expert_model_parallel_size = 4
    cfg.model.recompute_modules = ["core_attn"]
    cfg.train.global_batch_size = 512
    cfg.optimizer.exp_avg_dtype = torch.float32
    cfg.mixed_precision = bf16_mixed()
    if hf_path is None:
        cfg.train.micro_batch_size = 1
    return cfg
