#!/usr/bin/env python3
"""Makes FAMILY/config.json, input_<i>.npy and output_0.npy: small models by family, evaluated in plain torch.

    python3 make_recorded.py        (Debian's python3-torch)

Written from the published descriptions, one position of the tensors as everybody else has them (heads repeated, halves
concatenated, experts called for the tokens that chose them), so that it shares nothing with what it checks. Weights are not
stored: element i of a parameter is a function of i and the parameter's name, see weight().
"""
import json
import math
import os

import numpy as np
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
here = os.path.dirname(os.path.abspath(__file__))
inf = float("inf")


def weight(name, *shape):
    i = torch.arange(math.prod(shape), dtype=torch.float64)
    values = 0.3 * torch.sin(0.37 * i * i + sum(name.encode()))
    is_norm = any(part in name.lower() for part in ("norm", "ln_")) and name.endswith("weight")
    return ((1.0 if is_norm else 0.0) + values).to(torch.float32).to(torch.float64).reshape(shape)


def linear(name, x, *out, bias=False):
    n = math.prod(out)
    y = x @ weight(name + ".weight", x.shape[-1], n)
    return y + weight(name + ".bias", n) if bias else y


def layer_norm(name, x, eps):
    return F.layer_norm(x, x.shape[-1:], weight(name + ".weight", x.shape[-1]), weight(name + ".bias", x.shape[-1]), eps)


def rms_norm(name, x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight(name + ".weight", x.shape[-1])


def heads_of(x, n):  # [batch seq n*size] -> [batch n seq size]
    return x.reshape(*x.shape[:2], n, -1).transpose(1, 2)


def back(x):
    return x.transpose(1, 2).flatten(2)


def causal(n, window=None):
    rows, columns = torch.arange(n)[:, None], torch.arange(n)[None, :]
    seen = columns <= rows
    return seen if not window else seen & (rows - columns < window)


def attend(q, k, v, scale, mask=None, bias=None, sinks=None):
    scores = q @ k.transpose(-1, -2) * scale
    if bias is not None:
        scores = scores + bias
    if mask is not None:
        scores = scores.masked_fill(~mask, -inf)
    if sinks is not None:
        extra = sinks[None, :, None, None].expand(scores.shape[0], -1, scores.shape[2], 1)
        return torch.softmax(torch.cat([scores, extra], -1), -1)[..., :-1] @ v
    return torch.softmax(scores, -1) @ v


def activation(name):
    return {"gelu": F.gelu, "relu": F.relu, "silu": F.silu,
            "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))}[name]


# ---- rotary positions ----

def inverse_frequencies(c, size):
    base = c["rope_theta"] ** (torch.arange(0, size, 2) / size)
    plain = 1 / base
    scaling = c.get("rope_scaling")
    if not scaling:
        return plain, 1.0
    kind, factor = scaling.get("rope_type", scaling.get("type")), scaling["factor"]
    old = scaling.get("original_max_position_embeddings")
    if kind == "llama3":
        low, high = old / scaling["low_freq_factor"], old / scaling["high_freq_factor"]
        length = 2 * math.pi / plain
        out = torch.where(length > low, plain / factor, plain)
        smooth = (old / length - scaling["low_freq_factor"]) / (scaling["high_freq_factor"] - scaling["low_freq_factor"])
        between = ~(length < high) & ~(length > low)
        return torch.where(between, (1 - smooth) * plain / factor + smooth * plain, out), 1.0
    assert kind == "yarn"

    def grown(scale, weight=1.0):
        return 1.0 if scale <= 1 else 0.1 * weight * math.log(scale) + 1.0

    def dimension(turns):
        return size * math.log(old / (turns * 2 * math.pi)) / (2 * math.log(c["rope_theta"]))

    low, high = dimension(scaling["beta_fast"]), dimension(scaling["beta_slow"])
    if scaling.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, size - 1)
    if low == high:
        high += 0.001
    ramp = torch.clamp((torch.arange(size // 2, dtype=torch.float64) - low) / (high - low), 0, 1)
    keep = 1 - ramp
    one, other = scaling.get("mscale"), scaling.get("mscale_all_dim")
    magnitude = grown(factor, one) / grown(factor, other) if one and other else grown(factor)
    return plain / factor * (1 - keep) + plain * keep, magnitude


def rotary(c, n, size):
    frequencies, magnitude = inverse_frequencies(c, size)
    angles = torch.arange(n, dtype=torch.float64)[:, None] * frequencies[None, :]
    angles = torch.cat([angles, angles], -1)
    return angles.cos() * magnitude, angles.sin() * magnitude


def turn(x, table):
    cosine, sine = table
    half = x.shape[-1] // 2
    return x * cosine + torch.cat([-x[..., half:], x[..., :half]], -1) * sine


def turn_neighbours(x, table):  # pairs stand side by side
    b, h, s, d = x.shape
    return turn(x.view(b, h, s, d // 2, 2).transpose(4, 3).reshape(b, h, s, d), table)


# ---- decoders ----

def grouped_attention(c, name, x, table, mask, norm=False, bias=False, out_bias=False, sinks=False):
    n, m, size = c["num_attention_heads"], c["num_key_value_heads"], c["head_dim"]
    q = heads_of(linear(name + ".q_proj", x, n * size, bias=bias), n)
    k = heads_of(linear(name + ".k_proj", x, m * size, bias=bias), m)
    v = heads_of(linear(name + ".v_proj", x, m * size, bias=bias), m)
    if norm:
        q, k = rms_norm(name + ".q_norm", q, c["rms_norm_eps"]), rms_norm(name + ".k_norm", k, c["rms_norm_eps"])
    q, k = turn(q, table), turn(k, table)
    k, v = k.repeat_interleave(n // m, 1), v.repeat_interleave(n // m, 1)
    mixed = attend(q, k, v, size ** -0.5, mask, sinks=weight(name + ".sinks", n) if sinks else None)
    return linear(name + ".o_proj", back(mixed), x.shape[-1], bias=out_bias)


def gated(name, x, ffn, act=F.silu, bias=False):
    y = act(linear(name + ".gate_proj", x, ffn, bias=bias)) * linear(name + ".up_proj", x, ffn, bias=bias)
    return linear(name + ".down_proj", y, x.shape[-1], bias=bias)


def chosen_experts(x, choice, weights, expert):  # choice, weights [tokens k]
    y = torch.zeros_like(x)
    for token in range(x.shape[0]):
        for j in range(choice.shape[1]):
            y[token] += weights[token, j] * expert(int(choice[token, j]), x[token])
    return y


def silu_expert(name, count, model, ffn):
    gate, up = weight(name + ".gate_proj.weight", count, model, ffn), weight(name + ".up_proj.weight", count, model, ffn)
    down = weight(name + ".down_proj.weight", count, ffn, model)
    return lambda e, x: (F.silu(x @ gate[e]) * (x @ up[e])) @ down[e]


def softmax_mixture(name, x, count, k, ffn, normalise):
    flat = x.reshape(-1, x.shape[-1])
    shares = torch.softmax(linear(name + ".gate", flat, count), -1)
    weights, choice = torch.topk(shares, k, -1)
    if normalise:
        weights = weights / weights.sum(-1, keepdim=True)
    return chosen_experts(flat, choice, weights, silu_expert(name + ".experts", count, x.shape[-1], ffn)).reshape(x.shape)


def decoder(c, tokens, attention, feed):
    table = weight("embed_tokens.weight", c["vocab_size"], c["hidden_size"])
    x, eps = table[tokens], c["rms_norm_eps"]
    for i in range(c["num_hidden_layers"]):
        name = f"layers.{i}"
        x = x + attention(i, name + ".self_attn", rms_norm(name + ".input_layernorm", x, eps))
        x = x + feed(i, name + ".mlp", rms_norm(name + ".post_attention_layernorm", x, eps))
    x = rms_norm("norm", x, eps)
    return x @ table.T if c.get("tie_word_embeddings") else linear("lm_head", x, c["vocab_size"])


def llama_like(c, tokens):
    family, n = c["model_type"], tokens.shape[1]
    table = rotary(c, n, c["head_dim"])
    mask = causal(n, c.get("sliding_window") if family in ("mistral", "mixtral") else None)
    bias = c.get("attention_bias", False)
    act = activation(c["hidden_act"])

    def attention(i, name, x):
        return grouped_attention(c, name, x, table, mask, norm=family.startswith("qwen3"), bias=bias, out_bias=bias)

    def feed(i, name, x):
        if family == "mixtral":
            return softmax_mixture(name, x, c["num_local_experts"], c["num_experts_per_tok"], c["intermediate_size"], True)
        if family == "qwen3_moe" and (i + 1) % c["decoder_sparse_step"] == 0 and i not in c["mlp_only_layers"]:
            return softmax_mixture(name, x, c["num_experts"], c["num_experts_per_tok"], c["moe_intermediate_size"], c["norm_topk_prob"])
        return gated(name, x, c["intermediate_size"], act, c.get("mlp_bias", False))

    return decoder(c, tokens, attention, feed)


def gpt_oss(c, tokens):
    n = tokens.shape[1]
    table = rotary(c, n, c["head_dim"])
    count, ffn, model, limit = c["num_local_experts"], c["intermediate_size"], c["hidden_size"], c["swiglu_limit"]

    def attention(i, name, x):
        mask = causal(n, c["sliding_window"] if c["layer_types"][i] == "sliding_attention" else None)
        return grouped_attention(c, name, x, table, mask, bias=True, out_bias=True, sinks=True)

    def feed(i, name, x):
        flat = x.reshape(-1, model)
        values, choice = torch.topk(linear(name + ".router", flat, count, bias=True), c["num_experts_per_tok"], -1)
        w = {p: weight(f"{name}.experts.{p}_proj.weight", count, *s) for p, s in
             (("gate", (model, ffn)), ("up", (model, ffn)), ("down", (ffn, model)))}
        b = {p: weight(f"{name}.experts.{p}_proj.bias", count, s) for p, s in (("gate", ffn), ("up", ffn), ("down", model))}

        def expert(e, t):
            gate = (t @ w["gate"][e] + b["gate"][e]).clamp(max=limit)
            up = (t @ w["up"][e] + b["up"][e]).clamp(min=-limit, max=limit)
            return ((up + 1) * gate * torch.sigmoid(gate * 1.702)) @ w["down"][e] + b["down"][e]

        return chosen_experts(flat, choice, torch.softmax(values, -1), expert).reshape(x.shape)

    return decoder(c, tokens, attention, feed)


def deepseek_v3(c, tokens):
    n, h = tokens.shape[1], c["num_attention_heads"]
    plain, turned, value = c["qk_nope_head_dim"], c["qk_rope_head_dim"], c["v_head_dim"]
    table, mask = rotary(c, n, turned), causal(n)
    scale, scaling = (plain + turned) ** -0.5, c.get("rope_scaling")
    if scaling and scaling.get("mscale_all_dim"):
        scale *= (0.1 * scaling["mscale_all_dim"] * math.log(scaling["factor"]) + 1.0) ** 2

    def attention(i, name, x):
        low = rms_norm(name + ".q_a_layernorm", linear(name + ".q_a_proj", x, c["q_lora_rank"]), 1e-6)
        q = torch.cat([heads_of(linear(name + ".q_b_proj.plain", low, h * plain), h),
                       turn_neighbours(heads_of(linear(name + ".q_b_proj.rotary", low, h * turned), h), table)], -1)
        place = turn_neighbours(heads_of(linear(name + ".kv_a_proj.rotary", x, turned), 1), table)
        latent = rms_norm(name + ".kv_a_layernorm", linear(name + ".kv_a_proj.latent", x, c["kv_lora_rank"]), 1e-6)
        k = torch.cat([heads_of(linear(name + ".kv_b_proj.k", latent, h * plain), h), place.expand(-1, h, -1, -1)], -1)
        v = heads_of(linear(name + ".kv_b_proj.v", latent, h * value), h)
        return linear(name + ".o_proj", back(attend(q, k, v, scale, mask)), x.shape[-1])

    def feed(i, name, x):
        if i < c["first_k_dense_replace"]:
            return gated(name, x, c["intermediate_size"])
        flat, count, groups = x.reshape(-1, x.shape[-1]), c["n_routed_experts"], c["n_group"]
        scores = torch.sigmoid(linear(name + ".gate", flat, count))
        corrected = scores + weight(name + ".gate.e_score_correction_bias", count)
        by_group = corrected.view(-1, groups, count // groups)
        best = torch.topk(by_group.topk(2, -1)[0].sum(-1), c["topk_group"], -1)[1]
        open_ = torch.zeros(flat.shape[0], groups).scatter_(1, best, 1).bool()
        left = by_group.masked_fill(~open_[..., None], -inf).view(-1, count)
        choice = torch.topk(left, c["num_experts_per_tok"], -1)[1]
        weights = scores.gather(1, choice)
        if c["norm_topk_prob"]:
            weights = weights / (weights.sum(-1, keepdim=True) + 1e-20)
        weights = weights * c["routed_scaling_factor"]
        routed = chosen_experts(flat, choice, weights, silu_expert(name + ".experts", count, x.shape[-1], c["moe_intermediate_size"]))
        return routed.reshape(x.shape) + gated(name + ".shared_experts", x, c["moe_intermediate_size"] * c["n_shared_experts"])

    return decoder(c, tokens, attention, feed)


def plain_attention(name, x, n, mask=None):
    q, k, v = (heads_of(linear(f"{name}.{part}", x, x.shape[-1], bias=True), n) for part in "qkv")
    return linear(name + ".proj", back(attend(q, k, v, q.shape[-1] ** -0.5, mask)), x.shape[-1], bias=True)


def gpt2(c, tokens):
    d, n, eps = c["n_embd"], tokens.shape[1], c["layer_norm_epsilon"]
    table, act = weight("wte.weight", c["vocab_size"], d), activation(c["activation_function"])
    x = table[tokens] + weight("wpe.weight", c["n_positions"], d)[:n]
    for i in range(c["n_layer"]):
        name = f"h.{i}"
        x = x + plain_attention(name + ".attn", layer_norm(name + ".ln_1", x, eps), c["n_head"], causal(n))
        wide = act(linear(name + ".mlp.up", layer_norm(name + ".ln_2", x, eps), 4 * d, bias=True))
        x = x + linear(name + ".mlp.down", wide, d, bias=True)
    return layer_norm("ln_f", x, eps) @ table.T


def bert(c, tokens, types):
    d, eps, act = c["hidden_size"], c["layer_norm_eps"], activation(c["hidden_act"])
    table, e = weight("embeddings.word_embeddings.weight", c["vocab_size"], d), "embeddings"
    x = table[tokens] + weight(e + ".token_type_embeddings.weight", c["type_vocab_size"], d)[types]
    x = x + weight(e + ".position_embeddings.weight", c["max_position_embeddings"], d)[:tokens.shape[1]]
    x = layer_norm(e + ".LayerNorm", x, eps)
    for i in range(c["num_hidden_layers"]):
        name = f"encoder.layer.{i}"
        x = layer_norm(name + ".attention.LayerNorm", x + plain_attention(name + ".attention", x, c["num_attention_heads"]), eps)
        wide = act(linear(name + ".intermediate", x, c["intermediate_size"], bias=True))
        x = layer_norm(name + ".output.LayerNorm", x + linear(name + ".output.dense", wide, d, bias=True), eps)
    x = layer_norm("predictions.LayerNorm", act(linear("predictions.transform", x, d, bias=True)), eps)
    return x @ table.T + weight("predictions.bias", c["vocab_size"])


def vit(c, pixels):
    d, size, eps, e = c["hidden_size"], c["patch_size"], c["layer_norm_eps"], "embeddings"
    kernel = weight(e + ".patch_embeddings.weight", d, c["num_channels"], size, size)
    patches = F.conv2d(pixels.double(), kernel, weight(e + ".patch_embeddings.bias", d), stride=size).flatten(2).transpose(1, 2)
    x = torch.cat([weight(e + ".cls_token", 1, 1, d).expand(len(pixels), -1, -1), patches], 1)
    x = x + weight(e + ".position_embeddings", x.shape[1], d)
    for i in range(c["num_hidden_layers"]):
        name = f"encoder.layer.{i}"
        x = x + plain_attention(name + ".attention", layer_norm(name + ".layernorm_before", x, eps), c["num_attention_heads"])
        wide = F.gelu(linear(name + ".intermediate", layer_norm(name + ".layernorm_after", x, eps), c["intermediate_size"], bias=True))
        x = x + linear(name + ".output.dense", wide, d, bias=True)
    return linear("classifier", layer_norm("layernorm", x, eps)[:, 0], len(c["id2label"]), bias=True)


def t5(c, tokens, decoder_tokens):
    d, h, eps = c["d_model"], c["num_heads"], c["layer_norm_epsilon"]
    table = weight("shared.weight", c["vocab_size"], d)
    gate = c["feed_forward_proj"].startswith("gated-")

    def position_bias(stack, n, m, both):
        buckets, far = c["relative_attention_num_buckets"], c["relative_attention_max_distance"]
        relative = torch.arange(m)[None, :] - torch.arange(n)[:, None]
        found = torch.zeros_like(relative)
        if both:
            buckets //= 2
            found = found + (relative > 0).long() * buckets
            relative = relative.abs()
        else:
            relative = -torch.min(relative, torch.zeros_like(relative))
        exact = buckets // 2
        large = exact + (torch.log(relative.float() / exact) / math.log(far / exact) * (buckets - exact)).long()
        large = torch.min(large, torch.full_like(large, buckets - 1))
        found = found + torch.where(relative < exact, relative, large)
        return weight(stack + ".relative_attention_bias.weight", c["relative_attention_num_buckets"], h)[found].permute(2, 0, 1)[None]

    def attention(name, x, keys, bias=None, mask=None):
        q = heads_of(linear(name + ".q", x, h * c["d_kv"]), h)
        k, v = (heads_of(linear(f"{name}.{part}", keys, h * c["d_kv"]), h) for part in "kv")
        return linear(name + ".o", back(attend(q, k, v, 1.0, mask, bias)), d)

    def feed(name, x):
        if gate:
            return gated(name, x, c["d_ff"], activation("gelu_new"))
        return linear(name + ".wo", F.relu(linear(name + ".wi", x, c["d_ff"])), d)

    def normed(name, x):
        return rms_norm(name + ".layer_norm", x, eps)

    x, n = table[tokens], tokens.shape[1]
    bias = position_bias("encoder", n, n, True)
    for i in range(c["num_layers"]):
        name = f"encoder.block.{i}"
        y = normed(name + ".self", x)
        x = x + attention(name + ".self", y, y, bias)
        x = x + feed(name + ".ff", normed(name + ".ff", x))
    encoded = normed("encoder.final", x)
    x, n = table[decoder_tokens], decoder_tokens.shape[1]
    bias = position_bias("decoder", n, n, False)
    for i in range(c["num_decoder_layers"]):
        name = f"decoder.block.{i}"
        y = normed(name + ".self", x)
        x = x + attention(name + ".self", y, y, bias, causal(n))
        x = x + attention(name + ".cross", normed(name + ".cross", x), encoded)
        x = x + feed(name + ".ff", normed(name + ".ff", x))
    x = normed("decoder.final", x)
    return x * d ** -0.5 @ table.T if c["tie_word_embeddings"] else linear("lm_head", x, c["vocab_size"])


# ---- the small models ----

decoder_config = {"hidden_size": 16, "num_hidden_layers": 5, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 6,
                  "intermediate_size": 20, "vocab_size": 26, "max_position_embeddings": 64, "rms_norm_eps": 1e-5,
                  "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": False, "initializer_range": 0.2}
models = {
    "gpt2": (gpt2, {"model_type": "gpt2", "n_embd": 16, "n_layer": 5, "n_head": 4, "n_positions": 20, "vocab_size": 26,
                    "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "initializer_range": 0.2}),
    "bert": (bert, {"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 16, "num_hidden_layers": 5,
                    "num_attention_heads": 4, "intermediate_size": 24, "vocab_size": 26, "max_position_embeddings": 20,
                    "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "initializer_range": 0.2}),
    "t5": (t5, {"model_type": "t5", "d_model": 16, "d_kv": 6, "d_ff": 24, "num_layers": 3, "num_decoder_layers": 2, "num_heads": 4,
                "vocab_size": 26, "relative_attention_num_buckets": 8, "relative_attention_max_distance": 9,
                "layer_norm_epsilon": 1e-6, "feed_forward_proj": "relu", "tie_word_embeddings": True}),
    "t5_gated": (t5, {"model_type": "t5", "d_model": 16, "d_kv": 4, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 2, "num_heads": 4,
                      "vocab_size": 26, "relative_attention_num_buckets": 8, "relative_attention_max_distance": 16,
                      "layer_norm_epsilon": 1e-6, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "vit": (vit, {"model_type": "vit", "architectures": ["ViTForImageClassification"], "hidden_size": 16, "num_hidden_layers": 5,
                  "num_attention_heads": 4, "intermediate_size": 24, "image_size": 12, "patch_size": 4, "num_channels": 3,
                  "hidden_act": "gelu", "layer_norm_eps": 1e-12, "qkv_bias": True, "initializer_range": 0.2,
                  "id2label": {"0": "cat", "1": "dog", "2": "bird", "3": "fish"}}),
    "llama": (llama_like, dict(decoder_config, model_type="llama", attention_bias=True, mlp_bias=True, rope_scaling={
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 32})),
    "mistral": (llama_like, dict(decoder_config, model_type="mistral", sliding_window=4, head_dim=4)),
    "qwen3": (llama_like, dict(decoder_config, model_type="qwen3", tie_word_embeddings=True)),
    "mixtral": (llama_like, dict(decoder_config, model_type="mixtral", num_local_experts=6, num_experts_per_tok=2, intermediate_size=12)),
    "qwen3_moe": (llama_like, dict(decoder_config, model_type="qwen3_moe", num_experts=6, num_experts_per_tok=3, moe_intermediate_size=10,
                                   norm_topk_prob=True, decoder_sparse_step=2, mlp_only_layers=[3])),
    "gpt_oss": (gpt_oss, dict(decoder_config, model_type="gpt_oss", num_local_experts=6, num_experts_per_tok=2, intermediate_size=10,
                              sliding_window=3, swiglu_limit=0.5, attention_bias=True, max_position_embeddings=128,
                              layer_types=["sliding_attention", "full_attention"] * 2 + ["sliding_attention"],
                              rope_scaling={"rope_type": "yarn", "factor": 4.0, "beta_fast": 32.0, "beta_slow": 0.1, "truncate": False,
                                            "original_max_position_embeddings": 32})),
    "deepseek_v3": (deepseek_v3, dict({k: v for k, v in decoder_config.items() if k not in ("head_dim", "num_key_value_heads")},
                                      model_type="deepseek_v3", q_lora_rank=10, kv_lora_rank=8, qk_nope_head_dim=6, qk_rope_head_dim=4,
                                      v_head_dim=5, first_k_dense_replace=1, n_routed_experts=8, num_experts_per_tok=2, n_group=4,
                                      topk_group=2, n_shared_experts=1, moe_intermediate_size=8, norm_topk_prob=True,
                                      routed_scaling_factor=2.5, scoring_func="sigmoid", topk_method="noaux_tc",
                                      max_position_embeddings=128,
                                      rope_scaling={"type": "yarn", "factor": 4.0, "beta_fast": 32, "beta_slow": 0.05, "mscale": 1.0,
                                                    "mscale_all_dim": 0.8, "original_max_position_embeddings": 32})),
}


def inputs_of(family):
    draw = np.random.RandomState(7)
    tokens = lambda n: draw.randint(0, 26, (4, n)).astype(np.int64)
    if family == "vit":
        return [draw.standard_normal((4, 3, 12, 12)).astype(np.float32)]
    if family == "bert":
        return [tokens(10), draw.randint(0, 2, (4, 10)).astype(np.int64)]
    return [tokens(12), tokens(8)] if family.startswith("t5") else [tokens(10)]


def main():
    for family, (model, config) in models.items():
        folder = os.path.join(here, family)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "config.json"), "w") as file:
            json.dump(config, file, indent=2)
            file.write("\n")
        inputs = inputs_of(family)
        for i, one in enumerate(inputs):
            np.save(os.path.join(folder, f"input_{i}.npy"), one)
        output = model(config, *[torch.from_numpy(one) for one in inputs])
        np.save(os.path.join(folder, "output_0.npy"), output.numpy().astype(np.float32))
        print(family, list(output.shape), float(output.std()))


main()
