#!/usr/bin/env python3
"""Makes the golden files of tests/golden with PyTorch: logits, gradients, a ten-step loss curve.

Usage: tools/golden.py [FOLDER]        (FOLDER is tests/golden)

Reads FOLDER/<variant>_inputs.safetensors, which the test program writes:
  heddle_tests --gtest_also_run_disabled_tests --gtest_filter='*WriteInputs*'
They hold a tiny model's weights and the batches of its first ten steps. Writes
FOLDER/<variant>.safetensors: logits, loss and gradients in double precision for the first batch,
and the losses of ten AdamW steps in float and in double precision.
"""
import json
import math
import pathlib
import struct
import sys

import numpy as np
import torch

from compare_pytorch import Adder, read_safetensors

# As tests/golden/golden_case.cpp sets them.
STEPS, LR, WARMUP, BETAS, EPSILON, DECAY, CLIP = 10, 0.01, 3, (0.9, 0.98), 1e-8, 0.1, 1.0
SIZES = {"heads": 2, "encoder_layers": 2, "decoder_layers": 2}
VARIANTS = {
    "pre": {"norm": "pre", "activation": "relu", "position": "learned", **SIZES},
    "post": {"norm": "post", "activation": "gelu", "position": "sinusoidal", **SIZES},
}


def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, value in tensors.items():
        kind = {"float32": "F32", "float64": "F64"}[str(value.dtype)]
        header[name] = {"dtype": kind, "shape": list(value.shape),
                        "data_offsets": [offset, offset + value.nbytes]}
        offset += value.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    body = b"".join(np.ascontiguousarray(value).tobytes() for value in tensors.values())
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


def rate(step):
    """Rises over WARMUP steps, then falls as a cosine to 0."""
    if step < WARMUP:
        return LR * (step + 1) / WARMUP
    return LR * 0.5 * (1 + math.cos(math.pi * min(1, (step - WARMUP) / (STEPS - WARMUP))))


def mean_loss(model, batch):
    source, target_in, target_out = batch
    logits = model(source, target_in)
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), target_out.flatten(),
                                             ignore_index=-1)
    return logits, loss


def curve(settings, weights, batches, dtype):
    """The loss of each of ten steps, before its update. Matrices decay, nothing else does."""
    model = Adder(settings, weights, dtype)
    matrices = [p for n, p in model.weights.items() if n.split(".")[-1].startswith("w")]
    others = [p for n, p in model.weights.items() if not n.split(".")[-1].startswith("w")]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": DECAY},
                                   {"params": others, "weight_decay": 0.0}],
                                  lr=LR, betas=BETAS, eps=EPSILON)
    losses, norms = [], []
    for step, batch in enumerate(batches):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        optimizer.zero_grad()
        _, loss = mean_loss(model, batch)
        loss.backward()
        norms.append(float(torch.nn.utils.clip_grad_norm_(model.weights.values(), CLIP)))
        optimizer.step()
        losses.append(float(loss.detach()))
    return np.array(losses), np.array(norms)


def make(folder, name, settings):
    inputs = read_safetensors(folder / f"{name}_inputs.safetensors")
    weights = {key[len("weight."):]: value for key, value in inputs.items()
               if key.startswith("weight.")}
    batches = [[torch.tensor(np.array(inputs[f"{part}.{step}"]), dtype=torch.long)
                for part in ("source", "target_in", "target_out")] for step in range(STEPS)]
    model = Adder(settings, weights, torch.float64)
    logits, loss = mean_loss(model, batches[0])
    loss.backward()
    golden = {"logits": logits.detach().numpy(), "loss": loss.detach().numpy().reshape(1)}
    for key, parameter in model.weights.items():
        golden[f"gradient.{key}"] = parameter.grad.numpy()
    golden["curve_f32"], golden["norms"] = curve(settings, weights, batches, torch.float32)
    golden["curve_f64"], _ = curve(settings, weights, batches, torch.float64)
    write_safetensors(folder / f"{name}.safetensors", golden)
    print(f"{name}: loss {float(loss.detach()):.6f}, curve {golden['curve_f64'].round(4)}, "
          f"float against double {np.abs(golden['curve_f32'] - golden['curve_f64']).max():.1e}, "
          f"norms {golden['norms'].round(2)}")


def main():
    torch.set_num_threads(1)
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                          pathlib.Path(__file__).parent.parent / "tests" / "golden")
    for name, settings in VARIANTS.items():
        make(folder, name, settings)


if __name__ == "__main__":
    main()
