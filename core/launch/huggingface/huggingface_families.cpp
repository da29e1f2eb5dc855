// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/huggingface/huggingface_families.h"

#include <algorithm>
#include <array>
#include <span>

namespace cardfit {

namespace {

using Family = HuggingFaceFamily;

constexpr Family plainMlp(Family family)
{
    family.gated = false;
    family.norm = Norm::LayerNorm;
    return family;
}

constexpr Family biased(Family family)
{
    family.attention_bias = family.output_bias = family.mlp_bias = true;
    return family;
}

constexpr Family named(Family family, std::string_view type)
{
    family.type = type;
    return family;
}

constexpr Family kGemma3{.type = "gemma3_text",
    .act = "gelu_pytorch_tanh",
    .tied = true,
    .qk_norm = true,
    .four_norms = true,
    .window = {4096, 1, 6},
    .sizes = {2304, 9216, 26, 8, 4, 256, 262208, 131072}};

constexpr Family kGemma4{.type = "gemma4_text",
    .act = "gelu_pytorch_tanh",
    .tied = true,
    .qk_norm = true,
    .four_norms = true,
    .window = {512, 1},
    .mixer = HuggingFaceMixer::GlobalHeads,
    .sizes = {2304, 9216, 30, 8, 4, 256, 262144, 131072}};

constexpr Family kQwen2{.type = "qwen2",
    .attention_bias = true,
    .window = {4096},
    .window_asked_for = true,
    .sizes = {4096, 22016, 32, 32, 32, 0, 151936, 32768}};

constexpr Family kQwen3{.type = "qwen3",
    .qk_norm = true,
    .window = {4096},
    .window_asked_for = true,
    .sizes = {4096, 22016, 32, 32, 32, 128, 151936, 32768}};

constexpr Family kQwen3Experts{.type = "qwen3_moe",
    .qk_norm = true,
    .window = {4096},
    .window_asked_for = true,
    .sizes = {2048, 6144, 24, 32, 4, 0, 151936, 32768},
    .experts = {128, 8, 768}};

constexpr Family kDeepSeekV3{.type = "deepseek_v3",
    .latent = true,
    .sizes = {7168, 18432, 61, 128, 128, 0, 129280, 4096},
    .experts = {256, 8, 2048, 1, 0, 3}};

constexpr Family kLlama4{.type = "llama4_text",
    .qk_norm = true,
    .window = {8192, 1, 4},
    .sizes = {5120, 16384, 48, 40, 8, 128, 202048, 131072},
    .experts = {16, 1, 8192, 1, 8192, 0}};

constexpr Family kFalcon = plainMlp(
    {.type = "falcon", .act = "gelu", .tied = true, .parallel = true, .sizes = {4544, 0, 32, 71, 0, 0, 65024, 2048}});

constexpr Family kGlm{.type = "glm",
    .attention_bias = true,
    .output_bias_never = true,
    .sizes = {4096, 13696, 40, 32, 2, 128, 151552, 131072}};

constexpr Family glm4()
{
    Family family = named(kGlm, "glm4");
    family.four_norms = true;
    return family;
}

constexpr Family kQwen3Next{.type = "qwen3_next",
    .qk_norm = true,
    .shared_gate = true,
    .mixer = HuggingFaceMixer::GatedDeltaNet,
    .sizes = {2048, 5632, 48, 16, 2, 256, 151936, 32768},
    .experts = {512, 10, 512, 1, 512}};
constexpr Family kQwen35{.type = "qwen3_5_text",
    .qk_norm = true,
    .mixer = HuggingFaceMixer::GatedDeltaNet,
    .sizes = {4096, 12288, 32, 16, 4, 256, 248320, 32768}};
constexpr Family kQwen35Experts{.type = "qwen3_5_moe_text",
    .qk_norm = true,
    .shared_gate = true,
    .mixer = HuggingFaceMixer::GatedDeltaNet,
    .sizes = {2048, 0, 40, 16, 2, 256, 248320, 32768},
    .experts = {256, 8, 512, 1, 512}};
constexpr Family kNemotronH{.type = "nemotron_h",
    .act = "relu2",
    .gated = false,
    .mixer = HuggingFaceMixer::Mamba,
    .sizes = {4096, 21504, 52, 32, 8, 128, 131072, 4096}};
constexpr Family kLfm2{.type = "lfm2",
    .tied = true,
    .qk_norm = true,
    .mixer = HuggingFaceMixer::Convolution,
    .sizes = {2560, 12288, 32, 32, 8, 0, 65536, 128000}};
constexpr Family kLfm2Experts{.type = "lfm2_moe",
    .tied = true,
    .qk_norm = true,
    .mixer = HuggingFaceMixer::Convolution,
    .sizes = {2048, 7168, 32, 32, 8, 0, 65536, 128000},
    .experts = {32, 4, 1792, 0, 0, 2}};

/// XiaomiMiMo/MiMo-V2-Flash, configuration_mimo_v2_flash.py.
constexpr Family kMimoV2{.type = "mimo_v2_flash",
    .window = {128},
    .sizes = {4096, 16384, 48, 64, 4, 192, 152576, 262144},
    .experts = {256, 8, 2048}};

constexpr auto kFamilies = std::to_array<Family>({
    {.type = "llama", .sizes = {4096, 11008, 32, 32, 0, 0, 32000, 2048}},
    {.type = "mistral", .window = {4096}, .sizes = {4096, 14336, 32, 32, 8, 0, 32000, 131072}},
    {.type = "mixtral", .sizes = {4096, 14336, 32, 32, 8, 0, 32000, 131072}, .experts = {8, 2}},
    {.type = "phi3", .sizes = {3072, 8192, 32, 32, 0, 0, 32064, 4096}},
    kQwen2,
    {.type = "qwen2_moe",
        .attention_bias = true,
        .window = {4096},
        .window_asked_for = true,
        .sizes = {2048, 5632, 24, 16, 16, 0, 151936, 32768},
        .experts = {60, 4, 1408, 1, 5632}},
    kQwen3,
    named(kQwen3, "qwen3_vl_text"),
    kQwen3Experts,
    named(kQwen3Experts, "qwen3_vl_moe_text"),
    {.type = "deepseek_v2",
        .latent = true,
        .sizes = {4096, 11008, 32, 32, 0, 0, 32000, 2048},
        .experts = {64, 0, 1407, 2}},
    kDeepSeekV3,
    named(kDeepSeekV3, "kimi_k2"),
    named(kDeepSeekV3, "deepseek_v32"),
    {.type = "deepseek_v4",
        .window = {128, 1},
        .mixer = HuggingFaceMixer::Compressed,
        .sizes = {4096, 0, 43, 64, 1, 512, 129280, 1048576},
        .experts = {256, 6, 2048, 1}},
    {.type = "glm_moe_dsa",
        .latent = true,
        .sizes = {6144, 12288, 78, 64, 64, 0, 154880, 202752},
        .experts = {256, 8, 2048, 1, 0, 3}},
    kQwen3Next,
    kQwen35,
    named(kQwen35, "qwen3_5"),
    kQwen35Experts,
    named(kQwen35Experts, "qwen3_5_moe"),
    kNemotronH,
    {.type = "kimi_linear",
        .latent = true,
        .mixer = HuggingFaceMixer::KimiDelta,
        .sizes = {4096, 11008, 32, 32, 0, 0, 163840, 0},
        .experts = {0, 8, 0, 1}},
    kLfm2,
    kLfm2Experts,
    {.type = "gemma", .act = "gelu_pytorch_tanh", .tied = true, .sizes = {3072, 24576, 28, 16, 16, 256, 256000, 8192}},
    {.type = "gemma2",
        .act = "gelu_pytorch_tanh",
        .tied = true,
        .four_norms = true,
        .window = {4096, 2},
        .sizes = {2304, 9216, 26, 8, 4, 256, 256000, 8192}},
    kGemma3,
    named(kGemma3, "gemma3"),
    kGemma4,
    named(kGemma4, "gemma4"),
    {.type = "gpt_oss",
        .attention_bias = true,
        .output_bias = true,
        .mlp_bias = true,
        .window = {128, 2},
        .sizes = {2880, 2880, 36, 64, 8, 64, 201088, 131072},
        .experts = {128, 4}},
    kLlama4,
    named(kLlama4, "llama4"),
    kMimoV2,
    named(kMimoV2, "mimo_v2"),
    kGlm,
    glm4(),
    {.type = "glm4_moe",
        .output_bias_never = true,
        .sizes = {4096, 10944, 46, 96, 8, 0, 151552, 131072},
        .experts = {128, 8, 1408, 1, 0, 1}},
    {.type = "seed_oss",
        .attention_bias = true,
        .output_bias_never = true,
        .sizes = {4096, 27648, 64, 80, 8, 128, 155136, 524288}},
    {.type = "granite", .sizes = {4096, 11008, 32, 32, 0, 0, 32000, 2048}},
    {.type = "olmo2", .qk_norm = true, .sizes = {4096, 11008, 32, 32, 0, 0, 50304, 2048}},
    {.type = "smollm3", .tied = true, .window_asked_for = true, .sizes = {2048, 11008, 36, 16, 4, 0, 128256, 32768}},
    {.type = "cohere",
        .norm = Norm::LayerNorm,
        .tied = true,
        .parallel = true,
        .sizes = {8192, 22528, 40, 64, 0, 0, 256000, 8192}},
    {.type = "cohere2",
        .norm = Norm::LayerNorm,
        .tied = true,
        .parallel = true,
        .window = {4096, 1, 4},
        .sizes = {8192, 22528, 40, 64, 0, 0, 256000, 8192}},
    {.type = "stablelm", .norm = Norm::LayerNorm, .sizes = {2560, 6912, 32, 32, 32, 0, 50304, 4096}},
    plainMlp({.type = "nemotron", .act = "relu2", .sizes = {6144, 24576, 32, 48, 0, 0, 256000, 4096}}),
    biased(plainMlp(
        {.type = "phi", .act = "gelu_new", .parallel = true, .sizes = {2048, 8192, 24, 32, 0, 0, 51200, 2048}})),
    biased(plainMlp({.type = "starcoder2",
        .act = "gelu_pytorch_tanh",
        .tied = true,
        .sizes = {3072, 12288, 30, 24, 2, 0, 49152, 4096}})),
    biased(plainMlp({.type = "gpt2",
        .act = "gelu_new",
        .positions = PositionEmbedding::Learned,
        .tied = true,
        .sizes = {768, 0, 12, 12, 0, 0, 50257, 1024}})),
    // One key head for all query heads, unless "multi_query" is false.
    biased(plainMlp({.type = "gpt_bigcode",
        .act = "gelu_pytorch_tanh",
        .positions = PositionEmbedding::Learned,
        .tied = true,
        .sizes = {768, 0, 12, 12, 1, 0, 50257, 1024}})),
    plainMlp({.type = "gptj",
        .act = "gelu_new",
        .mlp_bias = true,
        .parallel = true,
        .sizes = {4096, 0, 28, 16, 0, 0, 50400, 2048}}),
    biased(plainMlp(
        {.type = "gpt_neox", .act = "gelu", .parallel = true, .sizes = {6144, 24576, 44, 64, 0, 0, 50432, 2048}})),
    biased(plainMlp({.type = "bloom",
        .act = "gelu",
        .positions = PositionEmbedding::Alibi,
        .tied = true,
        .sizes = {64, 0, 2, 8, 0, 0, 250880, 0}})),
    biased(plainMlp({.type = "opt",
        .act = "relu",
        .positions = PositionEmbedding::Learned,
        .tied = true,
        .sizes = {768, 3072, 12, 12, 0, 0, 50272, 2048}})),
    kFalcon,
    // Falcon's own type name, before it was added to transformers.
    named(kFalcon, "RefinedWebModel"),
    // Files of these give all of their sizes.
    named(kQwen2, "qwen2_5_vl"),
    named(kQwen2, "qwen2_5_vl_text"),
    {.type = "apertus", .act = "xielu", .gated = false, .qk_norm = true},
    {.type = "arcee", .act = "relu2", .gated = false},
    {.type = "ernie4_5", .tied = true},
    {.type = "ernie4_5_moe", .tied = true},
    {.type = "hunyuan_v1_dense", .qk_norm = true},
    {.type = "hunyuan_v1_moe", .qk_norm = true},
    {.type = "mimo", .attention_bias = true, .output_bias_never = true},
    {.type = "minimax_m2", .qk_norm = true},
    {.type = "minimax_m3", .qk_norm = true},
    {.type = "minimax_m3_vl", .qk_norm = true},
    {.type = "step3p7", .qk_norm = true},
    {.type = "dots1", .qk_norm = true},
    {.type = "olmoe", .qk_norm = true},
    {.type = "deepseek"},
});

/// Types with layers that Architecture cannot describe.
constexpr std::array<std::string_view, 5> kWithoutAttention{"mamba", "mamba2", "falcon_mamba", "rwkv", "xlstm"};
constexpr std::array<std::string_view, 10> kHybrid{"jamba", "bamba", "zamba", "zamba2", "granitemoehybrid", "falcon_h1",
    "recurrent_gemma", "minimax", "olmo_hybrid", "plamo2"};
constexpr std::array<std::string_view, 24> kEncoderDecoder{"t5", "mt5", "umt5", "longt5", "t5gemma", "bart", "mbart",
    "pegasus", "pegasus_x", "marian", "m2m_100", "nllb-moe", "switch_transformers", "whisper", "speech_to_text",
    "blenderbot", "blenderbot-small", "prophetnet", "led", "fsmt", "encoder-decoder", "bigbird_pegasus", "plbart",
    "mvp"};
constexpr std::array<std::string_view, 22> kEncoder{"bert", "roberta", "xlm-roberta", "xlm-roberta-xl", "distilbert",
    "albert", "electra", "deberta", "deberta-v2", "modernbert", "mpnet", "camembert", "ernie", "nomic_bert", "esm",
    "longformer", "big_bird", "funnel", "xlnet", "vit", "clip", "siglip"};
constexpr std::array<std::string_view, 2> kPerLayerEmbeddings{"gemma3n", "gemma3n_text"};
constexpr std::array<std::string_view, 2> kCrossAttention{"mllama", "mllama_text_model"};

/// Keys without any effect on memory or time that a plan could describe.
constexpr auto kIgnoredConfigKeys = std::to_array<std::string_view>({"architectures", "transformers_version",
    "torch_dtype", "dtype", "bos_token_id", "eos_token_id", "pad_token_id", "unk_token_id", "sep_token_id",
    "decoder_start_token_id", "initializer_range", "initializer_factor", "rms_norm_eps", "layer_norm_eps",
    "layer_norm_epsilon", "norm_epsilon", "rope_theta", "rope_local_base_freq", "rope_scaling", "rope_parameters",
    "rope_interleave", "use_cache", "pretraining_tp", "auto_map", "_name_or_path", "_attn_implementation",
    "router_aux_loss_coef", "router_jitter_noise", "output_router_logits", "scoring_func", "topk_method", "n_group",
    "topk_group", "norm_topk_prob", "routed_scaling_factor", "seq_aux", "aux_loss_alpha", "ep_size",
    "final_logit_softcapping", "attn_logit_softcapping", "query_pre_attn_scalar", "cache_implementation",
    "swiglu_limit", "initial_context_length", "original_max_position_embeddings", "rotary_pct", "rotary_emb_base",
    "partial_rotary_factor", "rotary_dim", "summary_activation", "summary_first_dropout", "summary_proj_to_labels",
    "summary_type", "summary_use_proj", "task_specific_params", "n_ctx", "scale_attn_weights",
    "scale_attn_by_inverse_layer_idx", "reorder_and_upcast_attn", "apply_residual_connection_post_layernorm",
    "slow_but_exact", "masked_softmax_fusion", "skip_bias_add", "skip_bias_add_qkv", "offset_alibi",
    "attention_softmax_in_fp32", "seq_length", "language_model_only", "do_layer_norm_before",
    "_remove_final_layer_norm", "prefix", "gradient_checkpointing", "classifier_dropout", "id2label", "label2id",
    "use_bidirectional_attention", "attn_temperature_tuning", "floor_scale", "attn_scale", "logit_scale",
    "embedding_multiplier", "logits_scaling", "residual_multiplier", "attention_multiplier", "rope_ratio", "norm_eps",
    "swiglu_alpha", "is_decoder", "is_encoder_decoder", "tokenizer_class", "problem_type", "bias_dropout_fusion",
    "layer_norm_elementwise_affine", "init_std", "scale_attention_softmax_in_fp32", "norm_type",
    "chunk_size_feed_forward", "for_llm_compressor", "layernorm_epsilon", "swa_rope_theta", "attention_value_scale",
    "add_swa_attention_sink_bias", "add_full_attention_sink_bias", "attention_projection_layout",
    // Of generation and of classes in the transformers library.
    "temperature", "top_p", "top_k", "typical_p", "do_sample", "num_beams", "num_beam_groups", "num_return_sequences",
    "max_length", "min_length", "max_new_tokens", "length_penalty", "repetition_penalty", "diversity_penalty",
    "no_repeat_ngram_size", "encoder_no_repeat_ngram_size", "exponential_decay_length_penalty", "early_stopping",
    "bad_words_ids", "begin_suppress_tokens", "suppress_tokens", "output_attentions", "output_hidden_states",
    "output_scores", "return_dict", "return_dict_in_generate", "remove_invalid_values", "pruned_heads", "torchscript",
    "use_bfloat16", "tf_legacy_loss", "finetuning_task", "cross_attention_hidden_size", "tie_encoder_decoder",
    "use_routing_bias", "use_moe_router_bias", "moe_router_scaling_factor", "ignore_index", "model_max_length",
    "rope_type", "unsloth_fixed", "unsloth_version", "is_causal"});

} // namespace

const HuggingFaceFamily* huggingFaceFamily(std::string_view type)
{
    // Falcon 40B's own type name; its keys are those of the newer architecture.
    if (type == "RefinedWeb") type = "RefinedWebModel";
    const auto* found = std::ranges::find(kFamilies, type, &Family::type);
    return found == kFamilies.end() ? nullptr : found;
}

Phrase whyNotExpressible(std::string_view type)
{
    const auto in = [&](std::span<const std::string_view> types) {
        return std::find(types.begin(), types.end(), type) != types.end();
    };
    if (in(kWithoutAttention))
        return Sentence::tr("it has no attention, and plans describe only layers with attention");
    if (in(kHybrid))
        return Sentence::tr("some of its layers have something else than attention, which a plan cannot describe");
    if (in(kEncoderDecoder)) return Sentence::tr("it has an encoder and a decoder; a plan describes decoders only");
    if (in(kEncoder)) return Sentence::tr("it is an encoder; a plan describes decoders only");
    if (in(kPerLayerEmbeddings))
        return Sentence::tr("its layers have embeddings of their own, which a plan cannot describe");
    if (in(kCrossAttention)) return Sentence::tr("some of its layers attend to an image, which a plan cannot describe");
    return {};
}

std::span<const std::string_view> ignoredConfigKeys() { return kIgnoredConfigKeys; }

} // namespace cardfit
