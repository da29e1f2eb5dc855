NODES=2
python3 -m verl.trainer.main_ppo --config-path=./config --config-name='ppo_megatron_trainer' \
  algorithm.adv_estimator=grpo data.max_prompt_length=512 data.max_response_length=1536 \
  actor_rollout_ref.model.path=Qwen/Qwen3-8B actor_rollout_ref.rollout.n=4 \
  actor_rollout_ref.actor.ppo_mini_batch_size=64 actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2 \
  actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 \
  +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_granularity=full \
  +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_method=uniform \
  +actor_rollout_ref.actor.megatron.override_transformer_config.recompute_num_layers=1 \
  actor_rollout_ref.actor.use_kl_loss=True trainer.n_gpus_per_node=8 trainer.nnodes=${NODES}
