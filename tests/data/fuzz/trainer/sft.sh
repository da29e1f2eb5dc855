#!/bin/bash
accelerate launch --num_processes 8 --mixed_precision bf16 --use_deepspeed --zero_stage 3 \
    --offload_optimizer_device cpu trl/scripts/sft.py \
    --model_name_or_path Qwen/Qwen3-8B --dataset_name trl-lib/Capybara --max_length 4096 --packing \
    --per_device_train_batch_size 2 --gradient_accumulation_steps 4 --dtype bfloat16 \
    --use_peft --lora_r 32 --lora_target_modules all-linear --load_in_4bit --output_dir out
