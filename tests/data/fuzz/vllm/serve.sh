vllm serve meta-llama/Llama-3.1-8B-Instruct --tensor-parallel-size 2 \
  --max-model-len 16k --gpu-memory-utilization 0.85 --kv-cache-dtype fp8 --port 8000
