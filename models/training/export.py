"""Writes a trained encoder as a model directory: ONNX in fp32, fp16 and int8, configuration, hashes.

  export.py --cache DIR NAME [--to models/path --ship int8]

Beside the weights in CACHE/models/NAME; with --to, what is shipped is also copied there, with its manifest. The layout
is the one that server/rerank reads; `pathfinder model verify models/path` looks at the result.
"""
import argparse, hashlib, json, pathlib, re, shutil

import onnx
import torch
from onnx import TensorProto, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

import tokens
from model import Encoder

HERE = pathlib.Path(__file__).parent
SCHEMA = HERE.parents[1] / "server/core/src/features/schema.rs"
# Understood by rten and by every onnxruntime of the last years.
OPSET = 17


def fp32(encoder, file):
    encoder.table.weight.data /= encoder.table.weight.data.norm(dim=1, keepdim=True) if not encoder.layers else 1
    torch.onnx.export(encoder, (torch.tensor([[2, 5, 7, 9]]),), file, dynamo=False, opset_version=OPSET,
                      input_names=["input_ids"], output_names=["token_embeddings"],
                      dynamic_axes=dict(input_ids={0: "batch", 1: "tokens"}, token_embeddings={0: "batch", 1: "tokens"}))


def fp16(source, file):
    """The numbers are kept in half, and widened as they are read: every runtime computes in single precision."""
    model = onnx.load(source)
    for index, kept in enumerate(list(model.graph.initializer)):
        if kept.data_type == TensorProto.FLOAT and len(kept.dims):
            half = numpy_helper.from_array(numpy_helper.to_array(kept).astype("float16"), kept.name + "_half")
            model.graph.initializer.remove(kept)
            model.graph.initializer.append(half)
            model.graph.node.insert(0, onnx.helper.make_node("Cast", [half.name], [kept.name], to=TensorProto.FLOAT))
    onnx.checker.check_model(model)
    onnx.save(model, file)


def configuration(kept, slope, scale):
    query = "{intent} {path}" if kept["with_path"] else "{intent}"
    own = dict(query=query, document="{path}", split_words=True, scale=scale, weight=round(slope * scale, 3), version="1")
    return dict(query_prefix="[Q]", document_prefix="[D]", query_prefix_id=tokens.QUERY, document_prefix_id=tokens.DOCUMENT,
                query_length=tokens.QUERY_LENGTH, document_length=tokens.DOCUMENT_LENGTH, do_query_expansion=False,
                embedding_dim=kept["dim"], do_lower_case=False, skiplist_words=[], pathfinder=own)


def schema_version():
    """A hash of the features' names in order: the weight was fitted beside these."""
    names = [name for name in re.findall(r'^\s+[A-Z]\w+ "(\w+)",$', SCHEMA.read_text(), re.M) if name not in ("max_sim", "intent_contents")]
    return hashlib.sha256("\n".join(names).encode()).hexdigest()[:16], len(names)


def manifest(folder):
    files = {file.name: dict(bytes=file.stat().st_size, sha256=hashlib.sha256(file.read_bytes()).hexdigest())
             for file in sorted(folder.iterdir()) if file.name not in ("manifest.json", "README.md")}
    version, count = schema_version()
    value = dict(name="path", version="1", feature_schema=dict(version=version, features=count), files=files)
    (folder / "manifest.json").write_text(json.dumps(value, indent=1) + "\n")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--cache", required=True, type=pathlib.Path)
    ap.add_argument("--to", type=pathlib.Path)
    ap.add_argument("--ship", default="int8", choices=["int8", "fp16", "fp32"])
    ap.add_argument("--slope", type=float, help="points for a unit of similarity, as judge.py finds it; else the trained one")
    ap.add_argument("--scale", type=float, default=0.1, help="similarity that counts as one unit of the feature")
    ap.add_argument("name")
    a = ap.parse_args()
    folder = a.cache / "models" / a.name
    kept = torch.load(folder / "weights.pt")
    encoder = Encoder(tokens.load(folder).get_vocab_size(), kept["dim"], kept["layers"]).eval()
    encoder.load_state_dict(kept["encoder"])
    fp32(encoder, folder / "model_fp32.onnx")
    fp16(folder / "model_fp32.onnx", folder / "model_fp16.onnx")
    quantize_dynamic(folder / "model_fp32.onnx", folder / "model_int8.onnx", weight_type=QuantType.QInt8, per_channel=False)
    slope = kept["slope"] if a.slope is None else a.slope
    (folder / "onnx_config.json").write_text(json.dumps(configuration(kept, slope, a.scale), indent=1) + "\n")
    if a.to:
        a.to.mkdir(parents=True, exist_ok=True)
        for name in (f"model_{a.ship}.onnx", "tokenizer.json", "onnx_config.json"):
            shutil.copyfile(folder / name, a.to / name)
        manifest(a.to)
    print(*(f"{file.name}: {file.stat().st_size}" for file in sorted(folder.iterdir())), sep="\n")


if __name__ == "__main__":
    main()
