cards=4
NPROC_PER_NODE=$cards swift sft \
    --model Qwen/Qwen2.5-7B-Instruct \
    --tuner_type lora \
    --lora_rank 16 \
    --target_modules all-linear \
    --torch_dtype bfloat16 \
    --per_device_train_batch_size 2 \
    --gradient_accumulation_steps 4 \
    --max_length 2048 \
    --deepspeed zero2
