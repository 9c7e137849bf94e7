#!/usr/bin/python3
"""The peer: one training step (forward, backward, Adam) of a decoder-only Transformer in PyTorch, f32.

    python3 torch_lm.py --layers 4 --d-model 256 --heads 4 --vocab 1024 --seq 128 --batch 16 --threads 2
    python3 torch_lm.py ... --ranks 2 --threads 1          data-parallel over gloo

The same model as `meshwright-cli new gpt`: pre-norm blocks, GELU (tanh), learned positions, an untied head without bias, no dropout.
Prints one line of JSON with the median milliseconds of a step. Attention is computed in full, the masked half too, as ours is.
"""
import argparse
import json
import os
import socket
import statistics
import time


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, usual in (("layers", 4), ("d-model", 256), ("heads", 4), ("vocab", 1024), ("seq", 128), ("batch", 16),
                        ("threads", 2), ("ranks", 1), ("warmup", 3), ("steps", 10)):
        p.add_argument("--" + name, type=int, default=usual)
    return p.parse_args()


ARGS = arguments()
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):  # read when the libraries load
    os.environ[variable] = str(ARGS.threads)

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.multiprocessing as mp  # noqa: E402
import torch.nn as nn  # noqa: E402
import torch.nn.functional as F  # noqa: E402


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads, self.size = heads, d // heads
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def attention(self, x, mask):
        batch, seq, d = x.shape
        q, k, v = self.qkv(x).view(batch, seq, 3, self.heads, self.size).permute(2, 0, 3, 1, 4)
        q, k, v = (t.reshape(batch * self.heads, seq, self.size) for t in (q, k, v))
        weights = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=self.size ** -0.5).softmax(-1)
        y = torch.bmm(weights, v).view(batch, self.heads, seq, self.size)
        return self.out(y.transpose(1, 2).reshape(batch, seq, d))

    def forward(self, x, mask):
        x = x + self.attention(self.norm1(x), mask)
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class LanguageModel(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.tokens = nn.Embedding(a.vocab, a.d_model)
        self.positions = nn.Parameter(torch.zeros(a.seq, a.d_model))
        self.blocks = nn.ModuleList(Block(a.d_model, a.heads) for _ in range(a.layers))
        self.norm = nn.LayerNorm(a.d_model)
        self.head = nn.Linear(a.d_model, a.vocab, bias=False)
        self.register_buffer("mask", torch.full((1, a.seq, a.seq), float("-inf")).triu(1))

    def forward(self, ids, labels):
        x = self.tokens(ids) + self.positions
        for block in self.blocks:
            x = block(x, self.mask)
        return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), labels.flatten())


def run(rank, a, port):
    torch.set_num_threads(a.threads)
    if a.ranks > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), GLOO_SOCKET_IFNAME="lo")
        dist.init_process_group("gloo", rank=rank, world_size=a.ranks)
    torch.manual_seed(0)
    model = LanguageModel(a)
    parameters = sum(p.numel() for p in model.parameters())
    text = torch.randint(a.vocab, (a.batch, a.seq + 1))
    ids, labels = (t.chunk(a.ranks)[rank].contiguous() for t in (text[:, :-1], text[:, 1:]))
    if a.ranks > 1:
        model = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True, broadcast_buffers=False)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3, foreach=True)
    times, losses = [], []
    for step in range(a.warmup + a.steps):
        begin = time.perf_counter()
        adam.zero_grad(set_to_none=a.ranks == 1)
        loss = model(ids, labels)
        loss.backward()
        adam.step()
        losses.append(float(loss))
        if step >= a.warmup:
            times.append((time.perf_counter() - begin) * 1e3)
    if rank == 0:
        print(json.dumps({"parameters": parameters, "ranks": a.ranks, "threads": a.threads, "torch": torch.__version__,
                          "milliseconds": round(statistics.median(times), 2), "fastest": round(min(times), 2),
                          "first_loss": losses[0], "last_loss": losses[-1]}))
    if a.ranks > 1:
        dist.destroy_process_group()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


if __name__ == "__main__":
    if ARGS.ranks == 1:
        run(0, ARGS, 0)
    else:
        mp.spawn(run, args=(ARGS, free_port()), nprocs=ARGS.ranks, join=True)
