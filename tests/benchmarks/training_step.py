#!/usr/bin/python3
"""Our training step beside PyTorch's, in turns, as a ratio.

    python3 tests/benchmarks/training_step.py                  1 rank with 2 threads, then 2 ranks with 1 thread
    python3 tests/benchmarks/training_step.py --peer none      ours alone
    python3 tests/benchmarks/training_step.py --peer DIR/torch_lm.py --peer-arguments '--config S --threads {threads} --procs {ranks}'

Run it on an idle machine. Both train the same model (4 layers, 256 wide, 1,024 tokens, 16 sequences of 128) with Adam in f32. The peer runs
before and after ours, and the better of its two medians counts. A ratio of 1 is as fast as the peer, 2 twice as slow.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODEL = ["--layers", "4", "--d-model", "256", "--heads", "4", "--vocab", "1024", "--seq", "128", "--batch", "16"]
WARMUP = 3


def arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--bin", default=str(HERE.parent.parent / "build" / "release" / "bin"))
    p.add_argument("--peer", default=str(HERE / "torch_lm.py"), help="a script that prints a line of JSON, or none")
    p.add_argument("--peer-arguments", default=" ".join(MODEL) + " --threads {threads} --ranks {ranks}")
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--rounds", type=int, default=3)
    return p.parse_args()


def fail(text):
    print("training_step: " + text, file=sys.stderr)
    sys.exit(2)


def call(command, environment=None):
    done = subprocess.run(command, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        fail("%s\n%s" % (" ".join(command), done.stderr.strip()[-2000:]))
    return done.stdout


def peer_environment():
    """Debian's OpenBLAS mistakes newer CPUs for old ones; unset, it would be several times slower than it can be."""
    environment = dict(os.environ)
    with open("/proc/cpuinfo") as info:
        if "avx512f" in info.read():
            environment.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
            environment.setdefault("ATEN_CPU_CAPABILITY", "avx512")
    return environment


def peer(a, ranks, threads):
    if a.peer == "none":
        return None
    given = a.peer_arguments.format(ranks=ranks, threads=threads).split()
    line = json.loads(call(["/usr/bin/python3", a.peer, *given], peer_environment()).strip().splitlines()[-1])
    return line.get("milliseconds", line.get("ms_median"))


def ours(a, ranks, threads, plan, scratch, turn):
    """The median milliseconds of a step, and what `compare` says of the run."""
    folder = str(pathlib.Path(scratch) / ("run-%d-%d-%d" % (ranks, threads, turn)))
    cli = str(pathlib.Path(a.bin) / "meshwright-cli")
    layout = ["--mesh", "data:%d" % ranks, "--layout", "batch:data"] if ranks > 1 else []
    out = call([cli, "run", plan, *layout, "--train", "adam", "--steps", str(WARMUP + a.steps), "--threads", str(threads), "--to", folder, "--json"])
    events = [json.loads(line) for line in out.splitlines()]
    seconds = [e["seconds"] for e in events if e["event"] == "step"][WARMUP:]
    exact = json.loads(call([cli, "compare", folder, "--json"]))["exact"]
    return statistics.median(seconds) * 1e3, exact


def main():
    a = arguments()
    if not (pathlib.Path(a.bin) / "meshwright-cli").exists():
        fail("there is no meshwright-cli in %s; packaging/build makes it" % a.bin)
    if a.peer != "none" and subprocess.run(["/usr/bin/python3", "-c", "import torch"], capture_output=True).returncode != 0:
        fail("PyTorch is not installed: apt-get install python3-torch, or --peer none")
    print("load before: %.2f" % os.getloadavg()[0])
    with tempfile.TemporaryDirectory(prefix="meshwright-benchmark.") as scratch:
        plan = str(pathlib.Path(scratch) / "lm.plan.json")
        call([str(pathlib.Path(a.bin) / "meshwright-cli"), "new", "gpt", *MODEL, "-o", plan])
        for ranks, threads in ((1, 2), (2, 1)):
            mine, theirs, exact = [], [peer(a, ranks, threads)], True
            for turn in range(a.rounds):
                milliseconds, same = ours(a, ranks, threads, plan, scratch, turn)
                mine.append(milliseconds)
                exact = exact and same
                theirs.append(peer(a, ranks, threads))
            best = statistics.median(mine)
            line = "%d rank(s) of %d thread(s): ours %.1f ms a step, predicted %s counted" % (ranks, threads, best, "=" if exact else "is not")
            if a.peer != "none":
                line += ", PyTorch %.1f ms, ratio %.2f" % (min(theirs), best / min(theirs))
            print(line, flush=True)


if __name__ == "__main__":
    main()
