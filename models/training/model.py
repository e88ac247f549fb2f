"""The encoder: a table of one vector a token, and upon it any number of small transformer layers (none: the table)."""
import torch
from torch import nn
from torch.nn import functional

from tokens import DOCUMENT

# Positions that the layers tell apart: the longer of the two lengths (tokens.py).
POSITIONS = 48
# Cosine of every token with the document's marker at the start: above what the best of a dozen random vectors reaches.
LEAN = 0.5


class Layer(nn.Module):
    """Attention and two linear maps, normalised before. The last maps begin at zero: a new layer changes nothing."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.mix, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.wide, self.narrow = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)
        for last in (self.out, self.narrow):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, x, mask):
        batch, tokens, dim = x.shape
        split = self.mix(self.before(x)).reshape(batch, tokens, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
        weight = split[0] @ split[1].transpose(-1, -2) * (dim // self.heads) ** -0.5
        if mask is not None:
            weight = weight.masked_fill(~mask[:, None, None, :], -1e9)
        mixed = (weight.softmax(-1) @ split[2]).transpose(1, 2).reshape(batch, tokens, dim)
        x = x + self.out(mixed)
        return x + self.narrow(functional.gelu(self.wide(self.between(x))))


class Encoder(nn.Module):
    def __init__(self, vocabulary, dim, layers, heads=4):
        super().__init__()
        self.table = nn.Embedding(vocabulary, dim)
        # All tokens lean towards the document's marker, so that a word unlike all of a path's counts the same for every
        # path, rather than as its luck among random vectors will have it; equal tokens match from the start.
        common, own = functional.normalize(torch.randn(dim), dim=0), torch.randn(vocabulary, dim) * dim**-0.5
        own[DOCUMENT] = 0
        self.table.weight.data = LEAN * common + (1 - LEAN**2) ** 0.5 * own
        self.layers = nn.ModuleList(Layer(dim, heads) for _ in range(layers))
        if layers:
            self.place = nn.Parameter(torch.zeros(POSITIONS, dim))

    def forward(self, ids, mask=None):
        """One vector of unit length for each token."""
        x = self.table(ids)
        if self.layers:
            x = x + self.place[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, mask)
        return x / x.norm(dim=-1, keepdim=True).clamp_min(1e-6)


def similarity(queries, query_mask, documents, document_mask):
    """Mean over a query's tokens of the best product with a token of the document: [n, q, d], [n, c, t, d] → [n, c]."""
    products = torch.einsum("nqd,nctd->ncqt", queries, documents)
    best = products.masked_fill(~document_mask[:, :, None, :], -2).amax(-1)
    return (best * query_mask[:, None, :]).sum(-1) / query_mask.sum(-1, keepdim=True)
