deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --data.max_len 4096 --train.batch_size 256 \
  --train.micro_batch_size 2 --ds.zero_stage 3 --model.model_name_or_path meta-llama/Meta-Llama-3-8B \
  --model.gradient_checkpointing_enable --ds.packing_samples --ds.lora.rank 16
