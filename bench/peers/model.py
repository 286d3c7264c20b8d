"""The studies' transformers in PyTorch, written plainly: the programs Heddle is measured beside.

Two forms of attention. `matmul` is what a course writes, q @ k^T and pattern @ v. `sums` multiplies
and sums with broadcasting: at a handful of tokens it is the faster one on builds of PyTorch whose
batched product is a loop over small products.
"""
import math

import torch
from torch import nn
from torch.nn import functional


class Attention(nn.Module):
    form = "matmul"

    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.head_width = heads, width // heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.keep = None  # one number a head: 0 takes it out

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, self.head_width).transpose(1, 2)

    def forward(self, x, memory, hidden=None):
        q, k, v = self.split(self.query(x)), self.split(self.key(memory)), self.split(self.value(memory))
        if self.form == "sums":
            scores = (q.unsqueeze(3) * k.unsqueeze(2)).sum(-1)
        else:
            scores = q @ k.transpose(2, 3)
        scores = scores / math.sqrt(self.head_width)
        if hidden is not None:
            scores = scores.masked_fill(hidden, -math.inf)
        pattern = scores.softmax(-1)
        z = (pattern.unsqueeze(4) * v.unsqueeze(2)).sum(3) if self.form == "sums" else pattern @ v
        if self.keep is not None:
            z = z * self.keep.view(1, -1, 1, 1)
        return self.out(z.transpose(1, 2).reshape(x.shape))


class Block(nn.Module):
    """Pre-norm, as in Heddle's recipe; with `cross` also a second attention to the memory."""

    def __init__(self, width, heads, hidden, cross=False):
        super().__init__()
        self.norm, self.attention = nn.LayerNorm(width), Attention(width, heads)
        self.cross_norm, self.cross = (nn.LayerNorm(width), Attention(width, heads)) if cross else (None, None)
        self.mlp_norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x, hidden=None, memory=None):
        h = self.norm(x)
        x = x + self.attention(h, h, hidden)
        if self.cross is not None:
            x = x + self.cross(self.cross_norm(x), memory)
        return x + self.down(functional.relu(self.up(self.mlp_norm(x))))


class Embedding(nn.Module):
    def __init__(self, vocabulary, width, longest):
        super().__init__()
        self.token, self.place = nn.Embedding(vocabulary, width), nn.Embedding(longest, width)

    def forward(self, ids):
        return self.token(ids) + self.place(torch.arange(ids.shape[1]))


class Adder(nn.Module):
    """The encoder-decoder of the addition study: 2 + 2 layers of 128, 4 heads, 512 hidden."""

    def __init__(self, vocabulary, source, target, width=128, heads=4, hidden=512, layers=2):
        super().__init__()
        self.source, self.target = Embedding(vocabulary, width, source), Embedding(vocabulary, width, target)
        self.encoder = nn.ModuleList(Block(width, heads, hidden) for _ in range(layers))
        self.decoder = nn.ModuleList(Block(width, heads, hidden, cross=True) for _ in range(layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.head = nn.Linear(width, vocabulary)

    def encode(self, ids):
        x = self.source(ids)
        for block in self.encoder:
            x = block(x)
        return self.encoder_norm(x)

    def decode(self, ids, memory):
        x = self.target(ids)
        hidden = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).triu(1)
        for block in self.decoder:
            x = block(x, hidden, memory)
        return self.head(self.decoder_norm(x))

    @torch.no_grad()
    def generate(self, ids, start, tokens):
        """The encoder once, then for every token the decoder over the whole prefix."""
        memory, out = self.encode(ids), torch.full((ids.shape[0], 1), start)
        for _ in range(tokens):
            best = self.decode(out, memory)[:, -1].argmax(-1, keepdim=True)
            out = torch.cat([out, best], 1)
        return out[:, 1:]

    def attentions(self):
        for block in list(self.encoder) + list(self.decoder):
            yield block.attention
            if block.cross is not None:
                yield block.cross


class Sorter(nn.Module):
    """The classifier of the sortedness study as the reports built it: 4 layers of 128, mean pooling."""

    def __init__(self, vocabulary, length, width=128, heads=4, hidden=512, layers=4):
        super().__init__()
        self.embedding = Embedding(vocabulary, width, length)
        self.blocks = nn.ModuleList(Block(width, heads, hidden) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 2)

    def forward(self, ids):
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x).mean(1))
