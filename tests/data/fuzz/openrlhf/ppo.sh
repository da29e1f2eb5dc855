python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 1 --actor_num_gpus_per_node 8 --colocate_all_models \
  --pretrain Qwen/Qwen3-8B --train_batch_size 128 --micro_train_batch_size 2 --prompt_max_len 1024 \
  --generate_max_len 1024 --zero_stage 3 --bf16 --gradient_checkpointing --init_kl_coef 0.01
