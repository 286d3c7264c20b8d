#!/usr/bin/env python3
"""Makes the golden files of tests/golden/import with PyTorch.

Usage: tools/golden_import.py [FOLDER]        (FOLDER is tests/golden/import)

adder    torch.nn.Transformer as it comes (post-norm, a norm after each stack, packed projections,
         biases), trained on two-digit addition for some minutes with token numbers of its own
before   the same module with the norms first, without a bias anywhere, one projection stored apart,
         in four number formats; not trained
sorter   torch.nn.TransformerEncoder, mean pooling, padded rows, two heads to choose from; not trained

Each has <name>.safetensors (the state dict), <name>_map.json, <name>_dump.safetensors (tokens and
logits in float, as `heddle import --reference` reads them) and <name>_more.safetensors: logits of the
same rows in double precision, and with one attention head masked.
"""
import json
import math
import pathlib
import random
import struct
import sys

import torch
from torch import nn

FORMATS = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.bfloat16: "BF16",
           torch.int64: "I64", torch.int32: "I32", torch.bool: "BOOL"}

# Their numbers for our tokens: 0 … 9, +, PAD, BOS, EOS.
PAD, BOS, EOS, PLUS, ZERO = 0, 1, 2, 3, 4
TOKENS = [ZERO + digit for digit in range(10)] + [PLUS, PAD, BOS, EOS]
DIGITS = 2
WIDTH, HEADS, HIDDEN, LAYERS = 16, 4, 64, 1


def write_safetensors(path, tensors, metadata=None):
    header, offset, body = {}, 0, b""
    if metadata:
        header["__metadata__"] = metadata
    for name, value in tensors.items():
        value = value.detach().contiguous()
        raw = bytes(value.flatten().view(torch.uint8).numpy()) if value.dtype == torch.bfloat16 \
            else value.numpy().tobytes()
        header[name] = {"dtype": FORMATS[value.dtype], "shape": list(value.shape),
                        "data_offsets": [offset, offset + len(raw)]}
        offset += len(raw)
        body += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    pathlib.Path(path).write_bytes(struct.pack("<Q", len(text)) + text + body)


def sinusoids(places, width, dtype=torch.float32):
    """As PyTorch's tutorial on sequence models makes them."""
    position = torch.arange(places, dtype=dtype).unsqueeze(1)
    speed = torch.exp(torch.arange(0, width, 2, dtype=dtype) * (-math.log(10000.0) / width))
    table = torch.zeros(1, places, width, dtype=dtype)
    table[0, :, 0::2] = torch.sin(position * speed)
    table[0, :, 1::2] = torch.cos(position * speed)
    return table


class Adder(nn.Module):
    """Embeddings scaled by √d plus sinusoids, torch.nn.Transformer, a Linear to the tokens."""

    def __init__(self, width, heads, hidden, layers):
        super().__init__()
        self.width = width
        self.source = nn.Embedding(len(TOKENS), width)
        self.target = nn.Embedding(len(TOKENS), width)
        for table in (self.source, self.target):
            nn.init.uniform_(table.weight, -0.1, 0.1)  # or the places are lost beside them
        self.register_buffer("pe", sinusoids(16, width))
        self.transformer = nn.Transformer(width, heads, layers, layers, hidden, dropout=0.0,
                                          batch_first=True)
        self.generator = nn.Linear(width, len(TOKENS))

    def forward(self, source, target):
        scale = math.sqrt(self.width)
        x = self.source(source) * scale + self.pe[:, :source.shape[1]]
        y = self.target(target) * scale + self.pe[:, :target.shape[1]]
        later = torch.triu(torch.ones(target.shape[1], target.shape[1], dtype=torch.bool), 1)
        return self.generator(self.transformer(x, y, tgt_mask=later))


def problem_tokens(pairs):
    """What encoder and decoder read, and what the decoder should say."""
    def digits(number, count):
        return [ZERO + int(c) for c in f"{number:0{count}d}"]
    source = [digits(a, DIGITS) + [PLUS] + digits(b, DIGITS) for a, b in pairs]
    said = [digits(a + b, DIGITS + 1) + [EOS] for a, b in pairs]
    read = [[BOS] + answer[:-1] for answer in said]
    return torch.tensor(source), torch.tensor(read), torch.tensor(said)


def draw_pairs(stream, count):
    return [(stream.randrange(10 ** DIGITS), stream.randrange(10 ** DIGITS)) for _ in range(count)]


def train(model, steps, batch, rate):
    stream = random.Random(2)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate, betas=(0.9, 0.98))
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * step / steps))
        source, read, said = problem_tokens(draw_pairs(stream, batch))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(source, read).flatten(0, 1), said.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 500 == 499:
            print(f"step {step + 1}: loss {float(loss.detach()):.4f}", flush=True)


def right(logits, said):
    return (logits.argmax(-1) == said).all(-1)


class Before(nn.Module):
    """Norms first, a learned table of places, other tokens on either side; biases are zeros."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.read = nn.Embedding(12, width)     # 0 … 9, +, PAD
        self.written = nn.Embedding(13, width)  # EOS, BOS, 9 … 0, and one that is not ours
        self.places = nn.Parameter(torch.randn(1, 8, width))
        self.net = nn.Transformer(width, heads, 2, 1, hidden, dropout=0.0, batch_first=True,
                                  norm_first=True)
        self.out = nn.Linear(width, 13, bias=False)
        self.register_buffer("steps", torch.tensor(4711))

    def forward(self, source, target):
        later = torch.triu(torch.ones(target.shape[1], target.shape[1], dtype=torch.bool), 1)
        return self.out(self.net(self.read(source) + self.places[:, :source.shape[1]],
                                 self.written(target) + self.places[:, :target.shape[1]],
                                 tgt_mask=later))


class Sorter(nn.Module):
    """An encoder over values 0 … 99 (numbered from 1, 0 is padding), the mean, and two heads."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.embed = nn.Embedding(101, width)
        self.register_buffer("pe", sinusoids(24, width))
        layer = nn.TransformerEncoderLayer(width, heads, hidden, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.fc = nn.Linear(width, 2)  # yes, no
        self.mlp = nn.Sequential(nn.Linear(width, 10), nn.ReLU(), nn.Linear(10, 1))

    def forward(self, source, head):
        padding = source == 0
        x = self.encoder(self.embed(source) + self.pe[:, :source.shape[1]],
                         src_key_padding_mask=padding)
        there = (~padding).unsqueeze(-1)
        return getattr(self, head)((x * there).sum(1) / there.sum(1))


def disturb(model):
    """No weight is accidentally zero or one."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)


def attentions(model):
    """Every attention with the name that it has with us."""
    for name, module in model.named_modules():
        if isinstance(module, nn.MultiheadAttention):
            words = name.split(".")
            side = "decoder" if "decoder" in words else "encoder"
            layer = words[words.index("layers") + 1]
            kind = "cross" if words[-1] == "multihead_attn" else "self"
            yield f"{side}.{layer}.{kind}", module


class Masked:
    """While this is open, what one head puts out does not reach the output projection."""

    def __init__(self, module, head):
        self.weight = module.out_proj.weight
        width = module.head_dim
        self.columns = slice(head * width, (head + 1) * width)

    def __enter__(self):
        self.kept = self.weight.detach().clone()
        with torch.no_grad():
            self.weight[:, self.columns] = 0

    def __exit__(self, *_):
        with torch.no_grad():
            self.weight.copy_(self.kept)


def find_head(model, name):
    module, head = name.split(".head.")
    return dict(attentions(model))[module], int(head)


def write_golden(folder, name, model, head, inputs, weights, extra=""):
    """The dump in float; in double and with the head masked what the tests look at besides."""
    tensors = {key: value for key, value in inputs.items() if torch.is_tensor(value)}
    arguments = list(inputs.values())
    with torch.no_grad():
        dump = {**tensors, "logits": model(*arguments)}
        with Masked(*find_head(model, head)):
            more = {"masked": model(*arguments)}
        model.double()
        if hasattr(model, "pe"):
            model.pe = sinusoids(model.pe.shape[1], model.pe.shape[2], torch.float64)
        more["logits64"] = model(*arguments)
        with Masked(*find_head(model, head)):
            more["masked64"] = model(*arguments)
        model.float()
        if hasattr(model, "pe"):
            model.pe = sinusoids(model.pe.shape[1], model.pe.shape[2])
    if weights:
        write_safetensors(folder / f"{name}.safetensors", weights)
    write_safetensors(folder / f"{name}{extra}_dump.safetensors", dump)
    write_safetensors(folder / f"{name}{extra}_more.safetensors", more, {"head": head})
    largest = float(dump["logits"].abs().max())
    apart = float((dump["logits"] - more["logits64"]).abs().max())
    print(f"{name}{extra}: largest logit {largest:.2f}, float against double {apart:.1e}, "
          f"without {head} {float((more['masked64'] - more['logits64']).abs().max()):.2f}")


def write_map(folder, name, fields):
    lines = [f'  "{key}": {json.dumps(value)}' for key, value in fields.items()]
    (folder / f"{name}_map.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def half_missed(model, inputs, said):
    """The head without which about half of the answers are wrong."""
    with torch.no_grad():
        intact = right(model(*inputs), said).float().mean()
        print(f"right answers: {100 * float(intact):.1f} %")
        left = {}
        for module, attention in attentions(model):
            for head in range(attention.num_heads):
                with Masked(attention, head):
                    left[f"{module}.head.{head}"] = float(right(model(*inputs), said).float().mean())
    print("without each head:", {name: round(100 * share, 1) for name, share in left.items()})
    return min(left, key=lambda name: abs(left[name] - 0.5))


def make_adder(folder):
    torch.manual_seed(1)
    model = Adder(WIDTH, HEADS, HIDDEN, LAYERS)
    train(model, steps=3000, batch=128, rate=4e-3)
    model.eval()
    source, read, said = problem_tokens(draw_pairs(random.Random(3), 2000))
    head = half_missed(model, (source, read), said)
    write_golden(folder, "adder", model, head, {"source": source[:96], "target": read[:96]},
                 model.state_dict())
    write_map(folder, "adder", {
        "task": "addition",
        "settings": {"task.digits": DIGITS, "model.d_model": WIDTH, "model.d_ff": HIDDEN,
                     "model.heads": HEADS, "model.encoder_layers": LAYERS,
                     "model.decoder_layers": LAYERS, "model.norm": "post",
                     "model.final_norm": "yes", "model.position": "sinusoidal"},
        "layout": "torch.nn.Transformer",
        "tensors": {"encoder.embed.token": {"from": "source.weight", "scale": "sqrt(d_model)"},
                    "decoder.embed.token": {"from": "target.weight", "scale": "sqrt(d_model)"},
                    "unembed.w": "generator.weight", "unembed.b": "generator.bias"},
        "tokens": TOKENS,
        "sinusoids": "pe"})


def make_before(folder):
    torch.manual_seed(2)
    model = Before(12, 3, 20).eval()
    disturb(model)
    formats = {"read": torch.float64, "net.encoder": torch.float16, "net.decoder": torch.bfloat16}
    weights = {}
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if name.endswith("bias"):
                value.zero_()
                continue
            stored = next((f for start, f in formats.items() if name.startswith(start)), value.dtype)
            weights[name] = value.to(stored)
            value.copy_(weights[name])
    packed = weights.pop("net.decoder.layers.0.multihead_attn.in_proj_weight")
    for part, letter in zip(packed.chunk(3), "qkv"):
        weights[f"net.decoder.layers.0.multihead_attn.{letter}_proj_weight"] = part
    stream = random.Random(4)
    source = torch.tensor([[stream.randrange(11) for _ in range(5)] for _ in range(16)])
    target = torch.tensor([[1] + [stream.randrange(2, 12) for _ in range(3)] for _ in range(16)])
    write_golden(folder, "before", model, "decoder.0.cross.head.2",
                 {"source": source.to(torch.int32), "target": target}, weights)
    write_map(folder, "before", {
        "task": "addition",
        "settings": {"digits": 2, "d_model": 12, "d_ff": 20, "heads": 3, "encoder_layers": 2,
                     "decoder_layers": 1, "norm": "pre", "position": "learned"},
        "layout": "torch.nn.Transformer",
        "prefix": "net",
        "tensors": {"encoder.embed.token": "read.weight", "decoder.embed.token": "written.weight",
                    "encoder.embed.position": {"from": "places", "rows": [0, 4]},
                    "decoder.embed.position": {"from": "places", "rows": [0, 3]},
                    "unembed.w": {"from": "out.weight", "transpose": True}, "unembed.b": "zeros"},
        "tokens": {"source": list(range(12)) + [None, None],
                   "target": [11 - digit for digit in range(10)] + [None, None, 1, 0]},
        "ignore": ["steps"]})


def make_sorter(folder):
    torch.manual_seed(3)
    model = Sorter(8, 2, 12).eval()
    disturb(model)
    stream = random.Random(5)
    rows = [[1 + stream.randrange(100) for _ in range(stream.randrange(4, 13))] for _ in range(24)]
    source = torch.tensor([row + [0] * (12 - len(row)) for row in rows])
    settings = {"lengths": "4-12", "d_model": 8, "d_ff": 12, "heads": 2, "layers": 2,
                "norm": "post", "position": "sinusoidal", "pooling": "mean", "direction": "both"}
    common = {"task": "sortedness", "settings": settings, "layout": "torch.nn.TransformerEncoder",
              "tensors": {"encoder.embed.token": "embed.weight"},
              "tokens": list(range(1, 101)) + [0, None, None], "sinusoids": ["pe"]}
    weights = model.state_dict()
    write_golden(folder, "sorter", model, "encoder.1.self.head.0", {"source": source, "head": "fc"},
                 weights)
    write_map(folder, "sorter",
              {**common, "head": "fc", "classes": [1, 0], "ignore": ["mlp.**"]})
    write_golden(folder, "sorter", model, "encoder.0.self.head.1", {"source": source, "head": "mlp"},
                 None, "_single")
    write_map(folder, "sorter_single",
              {**common, "head": ["mlp.0", "mlp.2"], "classes": [None, 0], "ignore": ["fc.*"]})


def main():
    torch.set_num_threads(1)
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                          pathlib.Path(__file__).parent.parent / "tests" / "golden" / "import")
    folder.mkdir(parents=True, exist_ok=True)
    make_before(folder)
    make_sorter(folder)
    make_adder(folder)


if __name__ == "__main__":
    main()
