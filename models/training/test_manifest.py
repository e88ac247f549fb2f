#!/usr/bin/env python3
"""The shipped model is what its manifest says: files, sizes, hashes, and the features that its weight was fitted beside.

  python3 models/training/test_manifest.py        needs nothing but Python
"""
import hashlib, json, pathlib, re, unittest

ROOT = pathlib.Path(__file__).parents[2]
MODEL = ROOT / "models/path"
# What a model may weigh at most (issue 12).
BYTES_MAX = 10_000_000


class Manifest(unittest.TestCase):
    def setUp(self):
        self.manifest = json.loads((MODEL / "manifest.json").read_text())

    def test_files_are_those_listed(self):
        there = {file.name for file in MODEL.iterdir()} - {"manifest.json", "README.md"}
        self.assertEqual(there, set(self.manifest["files"]))
        for name, said in self.manifest["files"].items():
            held = (MODEL / name).read_bytes()
            self.assertEqual((len(held), hashlib.sha256(held).hexdigest()), (said["bytes"], said["sha256"]), name)

    def test_it_is_small(self):
        self.assertLess(sum(said["bytes"] for said in self.manifest["files"].values()), BYTES_MAX)

    def test_features_are_those_it_was_fitted_beside(self):
        source = (ROOT / "server/core/src/features/schema.rs").read_text()
        names = re.findall(r'^\s+[A-Z]\w+ "(\w+)",$', source, re.M)
        # The model's own feature is no part of what it is fitted beside.
        names = [name for name in names if name not in ("max_sim", "intent_contents")]
        version = hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
        self.assertEqual(dict(version=version, features=len(names)), self.manifest["feature_schema"])

    def test_configuration_and_tokenizer_agree(self):
        configuration = json.loads((MODEL / "onnx_config.json").read_text())
        vocabulary = json.loads((MODEL / "tokenizer.json").read_text())["model"]["vocab"]
        for side in ("query", "document"):
            self.assertEqual(vocabulary[configuration[f"{side}_prefix"]], configuration[f"{side}_prefix_id"])


if __name__ == "__main__":
    unittest.main()
