#!/usr/bin/env python3
"""What the index of contents costs in trees of real source, beside ripgrep where it is on the PATH.

    tests/bench/contents.py --bin target/release/pathfinder [--sizes 1000 10000 100000] [--work DIR] DIRECTORY...

A tree of each size is copied from the files of the DIRECTORIES in turn, one from each; where they have too few, all come again below
another name. Per size: CPU seconds of `find --batch` until nothing more is read, which may take several processes, less those of as many with a
full cache; time from the start of the first process and of the last one to its first answer (*cold*, *from disk*), bytes of the cached words,
memory of the process (resident; pages of mapped files count), p50 and p99 of the questions, each asked four times after one round, and of
`rg -c -i` with a question's three longest words, by the clock.
*Update*: in a running server, from the write of one file to the first answer that has its new word. Nothing of it is from history.
"""
import argparse, itertools, json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(__file__))
from mcp import Server

QUESTIONS = """where is a failed request retried after a delay
how are command line arguments parsed into options
which code decides whether a cached entry has expired
read the configuration file and apply default values
convert a timestamp to the local time zone
close idle connections of the pool
write log messages to a file and rotate it
escape special characters in the output
how are errors turned into an exit status
split a path into its components
compare two versions of a package
wait until all workers have finished
verify the signature of a token
stream a large response in chunks
what happens when the disk is full
sort results by score and cut the list
notify listeners about a change
merge settings of the user and the project
limit the number of parallel jobs
render a table in the terminal
load plugins at startup
detect the encoding of a text file
build the dependency graph
allocate memory for a buffer and grow it
validate the fields of a form""".splitlines()


def lay_out(directories, size, top):
    """Copies so many files."""
    lists = [sorted(path for path in pathlib.Path(one).rglob("*") if path.is_file() and not path.is_symlink() and ".git" not in path.parts)
             for one in directories]
    in_turn = [(at, path) for row in itertools.zip_longest(*lists) for at, path in enumerate(row) if path]
    for number in range(size):
        at, path = in_turn[number % len(in_turn)]
        place = top / f"{at}-{number // len(in_turn)}" / path.relative_to(directories[at])
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
        # Files that changed just now are read again at the next start.
        os.utime(place, (1.7e9, 1.7e9))
    return sum(path.stat().st_size for path in top.rglob("*") if path.is_file())


def cpu_of(process):
    """Returns the CPU seconds that a process has used."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def batch(program, top, cache):
    """Returns CPU seconds, seconds to the first answer, resident bytes, times and CPU time of the questions in ms, and a note."""
    environment = dict(os.environ, PATHFINDER_CACHE_DIR=str(cache), PATHFINDER_SHARE="off")
    start = time.perf_counter()
    run = subprocess.Popen([program, "find", "--batch", "--root", top], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    times = []
    for asked in range(5):
        for question in QUESTIONS:
            run.stdin.write(json.dumps({"query": question}).encode() + b"\n")
            run.stdin.flush()
            answer = json.loads(run.stdout.readline())
            if not times and not asked:
                first = time.perf_counter() - start
            times += [answer["elapsed_us"] / 1e3] if asked else []
        if not asked:
            note = answer.get("note", "")
            before = cpu_of(run.pid)
    asking = (cpu_of(run.pid) - before) / len(times)
    resident = next(int(line.split()[1]) for line in open(f"/proc/{run.pid}/status") if line.startswith("VmRSS")) * 1024
    run.stdin.close()
    _, _, used = os.wait4(run.pid, 0)
    return used.ru_utime + used.ru_stime, first, resident, times, asking * 1e3, note


def stored_bytes(cache):
    """Returns the bytes of words and declarations in the cache."""
    return sum(path.stat().st_size for path in cache.iterdir() if path.suffix in (".contents", ".symbols"))


def update(program, top, cache):
    """Returns the milliseconds until a server knows a file's new word, median of five."""
    server = Server(program, top, cache, "--history-ms", "0")
    while not server.call("path_find", query=QUESTIONS[0]).get("results"):
        time.sleep(0.2)
    server.wait_for("contents read", patience=600)
    server.wait_for("watching", patience=600)
    waited = []
    for number in range(5):
        word = "zanzibar" + "abcde"[number] * 3
        start = time.perf_counter()
        (top / "updated.py").write_text(f"# The {word} quorum is\ndef f():\n    pass\n")
        while not any("updated.py" in str(one) for one in server.call("path_find", query=f"{word} quorum").get("results", [])):
            if time.perf_counter() - start > 60:
                break
        waited.append((time.perf_counter() - start) * 1e3)
    (top / "updated.py").unlink()
    server.close()
    return statistics.median(waited)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--bin", required=True, type=os.path.abspath)
    options.add_argument("--sizes", nargs="+", type=int, default=[1000, 10_000, 100_000])
    options.add_argument("--work")
    options.add_argument("directories", nargs="+")
    options = options.parse_args()
    quantile = lambda times, share: sorted(times)[int(share * (len(times) - 1))]  # noqa: E731
    print("| files | MB | CPU s | CPU s per 1,000 | processes | cold s | from disk s | words, B a file | resident, B a file | question p50 / p99 ms | CPU ms a question | "
          "rg p50 / p99 ms | update ms | load |\n|" + "---:|" * 14)
    for size in options.sizes:
        with tempfile.TemporaryDirectory(dir=options.work) as work:
            top, cache = pathlib.Path(work, "tree").resolve(), pathlib.Path(work, "cache")
            top.mkdir(), cache.mkdir()
            total = lay_out(options.directories, size, top)
            cpu, cold, *_ = batch(options.bin, top, cache)
            # A process reads for a minute, and the next one continues from what it stored.
            processes, stored = 1, 0
            while (now := stored_bytes(cache)) != stored:
                stored = now
                warm_cpu, warm, resident, times, asking, note = batch(options.bin, top, cache)
                cpu, processes = cpu + warm_cpu, processes + 1
            cpu -= processes * warm_cpu
            words = sum(path.stat().st_size for path in cache.glob("*.contents"))
            beside = "–"
            if shutil.which("rg"):
                took = []
                for question in QUESTIONS:
                    three = "|".join(sorted(question.split(), key=len)[-3:])
                    start = time.perf_counter()
                    subprocess.run(["rg", "-c", "-i", three, top], stdout=subprocess.DEVNULL, check=False)
                    took.append((time.perf_counter() - start) * 1e3)
                beside = f"{quantile(took, .5):.0f} / {quantile(took, .99):.0f}"
            known = update(options.bin, top, cache)
            print(f"| {size:,} | {total / 1e6:.0f} | {cpu:.1f} | {cpu / size * 1000:.2f} | {processes} | {cold:.1f} | {warm:.2f} | "
                  f"{words / size:.0f} | {resident / size:.0f} | {quantile(times, .5):.2f} / {quantile(times, .99):.2f} | {asking:.1f} | {beside} | "
                  f"{known:.0f} | {os.getloadavg()[0]:.0f} | {note}", flush=True)


if __name__ == "__main__":
    main()
