#!/usr/bin/env python3
"""Rebuilds a run's model in plain PyTorch and compares its logits with Heddle's.

Usage: tools/compare_pytorch.py RUN [--problems N] [--heddle PROGRAM]

RUN/model.safetensors holds one tensor per weight under its tap's name. Matrices are [in, out]:
y = x W + b, so a torch.nn.Linear takes the transpose. Heads are column ranges of w_q, w_k, w_v and
row ranges of w_o. There is no key bias: it would change no softmax.

Heddle's logits come from `heddle capture RUN --tap logits`, for the same tokens. Prints the largest
difference; ends with 1 where it is beyond what float arithmetic explains.
"""
import argparse
import json
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import numpy as np
import torch

PLUS = 10  # the digits are their own ids
TYPES = {"F32": np.float32, "F64": np.float64, "I32": np.int32, "I64": np.int64}


def read_safetensors(path):
    """The format is a length, a JSON header, and the numbers."""
    try:
        from safetensors.numpy import load_file
        return load_file(str(path))
    except ImportError:
        pass
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            part = data[8 + length + begin:8 + length + end]
            tensors[name] = np.frombuffer(part, TYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


class Adder(torch.nn.Module):
    """The encoder-decoder, from the formulas alone."""

    def __init__(self, settings, weights, dtype=torch.float32):
        super().__init__()
        self.settings = settings
        self.weights = {name: torch.nn.Parameter(torch.tensor(np.array(value), dtype=dtype))
                        for name, value in weights.items()}
        for name, parameter in self.weights.items():
            self.register_parameter(name.replace(".", "/"), parameter)

    def linear(self, x, path, matrix, bias=None):
        y = x @ self.weights[f"{path}.{matrix}"]
        return y if bias is None else y + self.weights[f"{path}.{bias}"]

    def norm(self, x, path):
        return torch.nn.functional.layer_norm(x, x.shape[-1:], self.weights[f"{path}.gain"],
                                              self.weights[f"{path}.bias"], 1e-5)

    def embed(self, ids, side):
        x = self.weights[f"{side}.embed.token"][ids]
        length, width = ids.shape[1], x.shape[-1]
        if self.settings["position"] == "learned":
            return x + self.weights[f"{side}.embed.position"][:length]
        if self.settings["position"] == "sinusoidal":
            return x + sinusoids(length, width, x.dtype)
        if self.settings["position"] != "none":
            sys.exit(f"position {self.settings['position']!r} is not rebuilt here: accepted is "
                     "learned, sinusoidal or none")
        return x

    def attention(self, x, memory, path, causal):
        heads = self.settings["heads"]

        def split(y):
            return y.reshape(y.shape[0], y.shape[1], heads, -1).transpose(1, 2)
        q = split(self.linear(x, path, "w_q", "b_q"))
        k = split(self.linear(memory, path, "w_k"))
        v = split(self.linear(memory, path, "w_v", "b_v"))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if causal:
            hidden = torch.triu(torch.ones(scores.shape[-2:], dtype=torch.bool), 1)
            scores = scores.masked_fill(hidden, -math.inf)
        z = (torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(x.shape[0], x.shape[1], -1)
        return self.linear(z, path, "w_o", "b_o")

    def mlp(self, x, path):
        hidden = self.linear(x, path, "w_in", "b_in")
        hidden = torch.relu(hidden) if self.settings["activation"] == "relu" else gelu(hidden)
        return self.linear(hidden, path, "w_out", "b_out")

    def sublayer(self, x, path, body):
        if self.settings["norm"] == "pre":
            return x + body(self.norm(x, path))
        return self.norm(x + body(x), path)

    def block(self, x, path, memory=None):
        x = self.sublayer(x, f"{path}.norm_self", lambda h: self.attention(
            h, h, f"{path}.self", memory is not None))
        if memory is not None:
            x = self.sublayer(x, f"{path}.norm_cross",
                              lambda h: self.attention(h, memory, f"{path}.cross", False))
        return self.sublayer(x, f"{path}.norm_mlp", lambda h: self.mlp(h, f"{path}.mlp"))

    def forward(self, source, target):
        said = self.settings.get("final_norm", "by-norm")
        final = self.settings["norm"] == "pre" if said == "by-norm" else said == "yes"
        x = self.embed(source, "encoder")
        for layer in range(self.settings["encoder_layers"]):
            x = self.block(x, f"encoder.{layer}")
        memory = self.norm(x, "encoder.norm") if final else x
        y = self.embed(target, "decoder")
        for layer in range(self.settings["decoder_layers"]):
            y = self.block(y, f"decoder.{layer}", memory)
        return self.linear(self.norm(y, "decoder.norm") if final else y, "unembed", "w", "b")


def sinusoids(length, width, dtype):
    place = torch.arange(length, dtype=torch.float64)[:, None]
    pair = torch.arange(0, width, dtype=torch.float64)[None, :].div(2).floor() * 2
    angle = place * torch.pow(torch.tensor(10000.0, dtype=torch.float64), -pair / width)
    return torch.where(torch.arange(width) % 2 == 0, torch.sin(angle), torch.cos(angle)).to(dtype)


def gelu(x):
    """The tanh form."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def source_tokens(digits, pairs):
    """What the encoder reads: [a… + b…], most significant digits first."""
    return np.array([[int(c) for c in f"{a:0{digits}d}"] + [PLUS] +
                     [int(c) for c in f"{b:0{digits}d}"] for a, b in pairs])


def captured(program, run, pairs):
    """Heddle's logits [problem, position, token] and the tokens that it fed to the model."""
    with tempfile.TemporaryDirectory() as folder:
        problems, file = pathlib.Path(folder) / "problems", pathlib.Path(folder) / "logits.npz"
        problems.write_text("".join(f"{a}+{b}\n" for a, b in pairs))
        subprocess.run([program, "capture", run, f"@{problems}", "--tap", "logits",
                        "--out", str(file)], check=True, stdout=subprocess.DEVNULL)
        return dict(np.load(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("--problems", type=int, default=300)
    parser.add_argument("--heddle", default=str(pathlib.Path(__file__).parent.parent / "heddle"))
    args = parser.parse_args()
    run = pathlib.Path(args.run)
    config = json.loads((run / "config.json").read_text())
    digits = config["task"]["digits"]
    drawn = random.Random(1)
    pairs = [(drawn.randrange(10 ** digits), drawn.randrange(10 ** digits))
             for _ in range(args.problems)]
    ours = captured(args.heddle, args.run, pairs)
    if not np.array_equal(ours["tokens.source"], source_tokens(digits, pairs)):
        print("the tokens of the problems are not [a… + b…]")
        return 1
    model = Adder(config["model"], read_safetensors(run / "model.safetensors"), torch.float64)
    with torch.no_grad():
        theirs = model(*(torch.tensor(ours[f"tokens.{side}"], dtype=torch.long)
                         for side in ("source", "target"))).numpy()
    difference = float(np.abs(ours["logits"] - theirs).max())
    largest = float(np.abs(theirs).max())
    # Each layer's longest sum has d_ff terms; float rounds each to 2^-24 of the largest logit.
    layers = config["model"]["encoder_layers"] + config["model"]["decoder_layers"]
    tolerance = 2.0 ** -24 * config["model"]["d_ff"] * layers * largest
    print(f"{len(pairs)} problems: largest difference {difference:.2e} of logits up to "
          f"{largest:.2f}; float explains {tolerance:.2e}")
    return 0 if difference <= tolerance else 1


if __name__ == "__main__":
    sys.exit(main())
