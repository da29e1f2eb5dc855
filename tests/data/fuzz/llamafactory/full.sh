FORCE_TORCHRUN=1 NNODES=2 NPROC_PER_NODE=8 llamafactory-cli train \
    --stage dpo --do_train --model_name_or_path Qwen/Qwen2.5-7B --finetuning_type full \
    --deepspeed examples/deepspeed/ds_z3_offload_config.json --dataset dpo_en_demo --template qwen \
    --cutoff_len 2048 --per_device_train_batch_size 1 --gradient_accumulation_steps 2 --bf16
