#!/usr/bin/env python3
"""One PyTorch contestant of `heddle bench --peers`: reads a line, does that work, answers with a line.

  peer.py --form matmul|sums --threads N

  version                  → {"version": "…"}
  train addition BATCH S   → {"rate": problems per second}, over about S seconds
  train sortedness BATCH S → {"rate": sequences per second}
  greedy BATCH S           → {"rate": problems per second}
  ablate PROBLEMS          → {"rate": answers per second}: 24 heads set to zero one by one, and intact

All in float32; Adam, no clipping and no schedule, so that PyTorch has rather less to do.
"""
import argparse
import glob
import json
import os
import sys
import time

arguments = argparse.ArgumentParser()
arguments.add_argument("--form", choices=["matmul", "sums"], default="matmul")
arguments.add_argument("--threads", type=int, default=1)
chosen = arguments.parse_args()

# Thread pools are sized before PyTorch is loaded. Where OpenBLAS comes in several builds, the one
# that shares PyTorch's own pool is the fast one: with two pools each waits for the other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(chosen.threads)
shared_pool = glob.glob("/usr/lib/*/openblas-openmp")
if shared_pool and shared_pool[0] not in os.environ.get("LD_LIBRARY_PATH", ""):
    os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [shared_pool[0], os.environ.get("LD_LIBRARY_PATH")]))
    os.execv(sys.executable, [sys.executable, *sys.argv])

sys.dont_write_bytecode = True
import torch  # noqa: E402
from torch.nn import functional  # noqa: E402

from model import Adder, Attention, Sorter  # noqa: E402

PLUS, START, END, VOCABULARY = 10, 11, 12, 14
LENGTH, VALUES = 16, 100
BATCHES = 16  # drawn beforehand: data cost PyTorch nothing

torch.set_num_threads(chosen.threads)
torch.manual_seed(0)
Attention.form = chosen.form


def digits(x, count):
    return torch.stack([(x // 10 ** i) % 10 for i in reversed(range(count))], 1)


def problems(count):
    """Source [count, 7], what the decoder reads [count, 5], what it should say [count, 5]."""
    a, b = torch.randint(0, 1000, (count,)), torch.randint(0, 1000, (count,))
    column = lambda token: torch.full((count, 1), token)  # noqa: E731
    total = digits(a + b, 4)
    return (torch.cat([digits(a, 3), column(PLUS), digits(b, 3)], 1),
            torch.cat([column(START), total], 1), torch.cat([total, column(END)], 1))


def sequences(count):
    return torch.randint(0, VALUES, (count, LENGTH)), torch.randint(0, 2, (count,))


def for_seconds(seconds, units, call):
    """Units per second of call(i), i counting up."""
    begin, done = time.perf_counter(), 0
    while True:
        call(done)
        done += 1
        spent = time.perf_counter() - begin
        if spent >= seconds:
            return done * units / spent


class Training:
    def __init__(self, task, batch):
        if task == "addition":
            self.net = Adder(VOCABULARY, 7, 5)
            self.data = [problems(batch) for _ in range(BATCHES)]
        else:
            self.net = Sorter(VALUES, LENGTH)
            self.data = [sequences(batch) for _ in range(BATCHES)]
        self.task, self.batch = task, batch
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=1e-4)
        for i in range(3):
            self.step(i)

    def loss(self, data):
        if self.task == "addition":
            memory = self.net.encode(data[0])
            return functional.cross_entropy(self.net.decode(data[1], memory).flatten(0, 1), data[2].flatten())
        return functional.cross_entropy(self.net(data[0]), data[1])

    def step(self, i):
        self.optimiser.zero_grad()
        self.loss(self.data[i % BATCHES]).backward()
        self.optimiser.step()


def ablate(net, source, target):
    """Share of right answers of the intact model and without each head in turn."""
    part = 500

    def right():
        count = 0
        for i in range(0, len(source), part):
            answers = net.generate(source[i:i + part], START, target.shape[1])
            count += (answers == target[i:i + part]).all(1).sum().item()
        return count

    scores = [right()]
    for attention in net.attentions():
        for head in range(attention.heads):
            attention.keep = torch.ones(attention.heads)
            attention.keep[head] = 0
            scores.append(right())
            attention.keep = None
    return scores


trainings = {}


def answer(words):
    if words == ["version"]:
        return {"version": torch.__version__}
    if words[0] == "train":
        key = (words[1], int(words[2]))
        if key not in trainings:
            trainings[key] = Training(*key)
        return {"rate": for_seconds(float(words[3]), key[1], trainings[key].step)}
    net = trainings.setdefault("answers", Adder(VOCABULARY, 7, 5).eval())
    if words[0] == "greedy":
        batch = int(words[1])
        data = [problems(batch)[0] for _ in range(BATCHES)]
        return {"rate": for_seconds(float(words[2]), batch, lambda i: net.generate(data[i % BATCHES], START, 5))}
    if words[0] == "ablate":
        source, _, target = problems(int(words[1]))
        begin = time.perf_counter()
        scores = ablate(net, source, target)
        return {"rate": len(scores) * len(source) / (time.perf_counter() - begin)}
    raise ValueError(" ".join(words))


for line in sys.stdin:
    try:
        reply = answer(line.split())
    except (ValueError, IndexError, RuntimeError) as error:
        reply = {"error": f"{line.strip()}: {error}"}
    print(json.dumps(reply), flush=True)
