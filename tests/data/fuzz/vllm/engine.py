from vllm import LLM
llm = LLM(model="Qwen/Qwen3-8B", tensor_parallel_size=2, max_model_len=8192)
