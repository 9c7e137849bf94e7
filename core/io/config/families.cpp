#include "core/io/config/family.h"

namespace core {

std::span<const ConfigFamily> configFamilies() {
  static const std::vector<ConfigFamily> all{
      {"gpt2", "Decoder: learned positions, norms before, GELU.", {"GPT2LMHeadModel"}, readGpt2},
      {"bert", "Encoder: learned positions and token types, norms behind.", {"BertForMaskedLM", "BertModel"}, readBert},
      {"t5",
       "Encoder and decoder: positions as a bias of the scores.",
       {"T5ForConditionalGeneration", "T5WithLMHeadModel"},
       readT5},
      {"llama", "Decoder: rotary positions, grouped queries, SwiGLU.", {"LlamaForCausalLM"}, readLlama},
      {"mistral", "As llama; looks back a window.", {"MistralForCausalLM"}, readMistral},
      {"mixtral", "As mistral with experts in place of each feed-forward block.", {"MixtralForCausalLM"}, readMixtral},
      {"qwen3", "As llama with norms on queries and keys.", {"Qwen3ForCausalLM"}, readQwen3},
      {"qwen3_moe", "As qwen3 with experts.", {"Qwen3MoeForCausalLM"}, readQwen3Moe},
      {"deepseek_v3",
       "Decoder: latent attention, experts in groups beside shared ones.",
       {"DeepseekV3ForCausalLM"},
       readDeepseekV3},
      {"gpt_oss",
       "Decoder: attention sinks, windows by turns, experts with clamped gates.",
       {"GptOssForCausalLM"},
       readGptOss},
      {"vit", "Encoder of images cut into patches, with a classifier.", {"ViTForImageClassification"}, readVit},
  };
  return all;
}

}  // namespace core
