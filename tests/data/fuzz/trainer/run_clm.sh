torchrun --nproc_per_node=4 --nnodes=2 run_clm.py --model_name_or_path meta-llama/Llama-3.1-8B \
    --dataset_name wikitext --block_size 2048 --per_device_train_batch_size 1 --bf16 True \
    --gradient_checkpointing True --torch_dtype bfloat16 --deepspeed ds_zero2_offload.json --do_train
