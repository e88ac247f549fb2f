"""What reranking costs: one and two threads, vectors new and known, in one run.

    tests/bench/rerank.py --bin target/release/pathfinder --library LIB --models DIR TREE...

DIR is what `tests/rerank/models.py --large` made; LIB is libonnxruntime.so of PyPI's onnxruntime. Each TREE is a directory of files.
For each tree, model and number of processors (taskset) a server is started and asked for bare names that several of the
tree's files have, with an intent that leaves a choice; what each stage took is what the server says of it on stderr.
`cold`: no vectors are known (there is no room for any). `warm`: all are; each question is asked for the second time.
cpu: milliseconds of processor time per question, all of the program's threads together. Start: the time from its start to the first answer, less that without a model. RSS: after all questions, and without a model.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import subprocess
import tempfile
import time

STAGES = ("read", "rank", "verify", "rerank", "decide")


class Server:
    def __init__(self, binary, root, environment, processors):
        self.started = time.perf_counter()
        self.cache = tempfile.TemporaryDirectory()
        keep = {name: value for name, value in os.environ.items() if not name.startswith(("RESOLVE_", "PATHFINDER_", "ORT_"))}
        command = ["taskset", "-c", ",".join(str(at) for at in range(processors)), binary, "mcp", "--root", root]
        keep |= {"PATHFINDER_CACHE_DIR": self.cache.name, "PATHFINDER_HISTORY_MS": "0"} | environment
        self.log = open(pathlib.Path(self.cache.name) / "log", "w+")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, env=keep, text=True)
        self.number = 0
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.call("initialize", client)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def call(self, method, params):
        self.number += 1
        self.say({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            reply = json.loads(self.process.stdout.readline())
            if reply.get("id") == self.number:
                return reply

    def ask(self, name, intent):
        before = time.perf_counter()
        self.call("tools/call", {"name": "path_resolve", "arguments": {"failed_path": name, "intent_text": intent}})
        return time.perf_counter() - before

    def memory(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024

    def cpu(self):
        """Milliseconds of processor time so far: what a busy neighbour changes least."""
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def settle(self):
        """Waits until nothing is computed any more: on a busy machine a thread may not have its turn for a second."""
        before, quiet = self.cpu(), 0
        while quiet < 4:
            time.sleep(0.5)
            now = self.cpu()
            before, quiet = now, quiet + 1 if now == before else 0

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.log.seek(0)
        lines = [json.loads(line) for line in self.log if line.startswith("{")]
        self.log.close()
        return [line["stages_us"] | {"all": line["elapsed_us"]} for line in lines if line.get("event") == "query"]


# What leaves a choice: no directory is called so.
SAID = (
    "try again when it took too long",
    "make it quicker on slow machines",
    "explain why nobody was told about the problem",
    "do not lose what was typed before",
    "behave as people expect it to",
)


def questions(root, count):
    """Bare names that 2 to 200 files have, with a sentence each; as many as asked for."""
    names = collections.defaultdict(list)
    for directory, inner, files in os.walk(root):
        inner[:] = sorted(name for name in inner if name != ".git")
        for name in files:
            names[name].append(os.path.relpath(directory, root))
    shared = sorted((name, places) for name, places in names.items() if 2 <= len(places) <= 200)
    chosen = random.Random(1).sample(shared, min(count, len(shared)))
    return [(name, SAID[at % len(SAID)]) for at, (name, _) in enumerate(chosen)], sum(map(len, names.values()))


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] / 1000 if values else float("nan")


def start(binary, root, environment, processors, asked):
    """Milliseconds from the start to the first answer, the best of three."""
    times = []
    for _ in range(3):
        server = Server(binary, root, environment, processors)
        server.ask(*asked)
        times.append((time.perf_counter() - server.started) * 1000)
        server.end()
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="target/release/pathfinder")
    parser.add_argument("--library", required=True)
    parser.add_argument("--models", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("trees", nargs="+")
    arguments = parser.parse_args()
    print("load", open("/proc/loadavg").read().split()[:3])
    print("tree files | model threads | state asked | " + " ".join(f"{stage}50 {stage}99" for stage in (*STAGES, "all")) + " | cpu/question start+ms RSS+MB")
    for tree in arguments.trees:
        asked, files = questions(tree, arguments.count)
        for processors in (1, 2):
            without = {"RESOLVE_RERANK": "off"}
            plain = Server(arguments.bin, tree, without, processors)
            for _ in range(2):
                before = plain.cpu()
                for question in asked:
                    plain.ask(*question)
            base_memory, own = plain.memory(), (plain.cpu() - before) / len(asked)
            report(tree, files, "none", processors, "-", plain.end()[len(asked):], f"{own:.2f}")
            base_start = start(arguments.bin, tree, without, processors, asked[0])
            for model in sorted(path for path in arguments.models.iterdir() if path.is_dir()):
                environment = {"RESOLVE_MODEL_DIR": str(model), "RESOLVE_ORT_LIBRARY": arguments.library}
                rounds, cpu = {}, {}
                # Without room for vectors every question finds none; with it the second round finds all.
                for state, room in (("cold", "0"), ("warm", "32")):
                    server = Server(arguments.bin, tree, environment | {"RESOLVE_VECTOR_CACHE_MB": room}, processors)
                    for question in asked:
                        server.ask(*question)
                    # What is computed ahead ends before the second round.
                    if state == "warm":
                        server.settle()
                    before = server.cpu()
                    for question in asked:
                        server.ask(*question)
                    cpu[state] = (server.cpu() - before) / len(asked)
                    memory = server.memory() - base_memory
                    rounds[state] = server.end()[len(asked):]
                more = start(arguments.bin, tree, environment, processors, asked[0]) - base_start
                report(tree, files, model.name, processors, "cold", rounds["cold"], f"{cpu['cold']:.2f}")
                report(tree, files, model.name, processors, "warm", rounds["warm"], f"{cpu['warm']:.2f} {more:.0f} {memory:.0f}")
    print("load", open("/proc/loadavg").read().split()[:3])


def report(tree, files, model, processors, state, lines, more=""):
    # Only questions that were compared, where there is a model.
    compared = [line for line in lines if model == "none" or "rerank" in line]
    numbers = [f"{percentile([line.get(stage, 0) for line in compared], share):.2f}" for stage in (*STAGES, "all") for share in (0.5, 0.99)]
    name = pathlib.Path(tree).name
    print(f"{name} {files} | {model} {processors} | {state} {len(compared)} | {' '.join(numbers)} | {more}", flush=True)


if __name__ == "__main__":
    main()
