#!/bin/sh
# Llama 3 70B, 64 x H100
# Data, tokenizer, checkpoints and learning rate are to be added.
torchrun --nnodes 8 --nproc-per-node 8 pretrain_gpt.py \
    --num-layers 80 \
    --hidden-size 8192 \
    --ffn-hidden-size 28672 \
    --num-attention-heads 64 \
    --group-query-attention \
    --num-query-groups 8 \
    --kv-channels 128 \
    --vocab-size 128256 \
    --untie-embeddings-and-output-weights \
    --normalization RMSNorm \
    --disable-bias-linear \
    --swiglu \
    --position-embedding-type rope \
    --max-position-embeddings 8192 \
    --seq-length 8192 \
    --micro-batch-size 1 \
    --global-batch-size 512 \
    --train-samples 244140625 \
    --tensor-model-parallel-size 8 \
    --sequence-parallel \
    --pipeline-model-parallel-size 4 \
    --context-parallel-size 1 \
    --expert-model-parallel-size 1 \
    --expert-tensor-parallel-size 1 \
    --bf16 \
    --use-distributed-optimizer \
    --transformer-impl transformer_engine \
    --attention-backend fused \
    --cross-entropy-loss-fusion \
    --cross-entropy-fusion-impl te \
    --hidden-dropout 0 \
    --attention-dropout 0 \
    --no-create-attention-mask-in-dataloader \
    --overlap-grad-reduce \
    --overlap-param-gather
