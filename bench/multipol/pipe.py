"""PIPE on the event graph beside a bare pipe on plain MPI (section 4.5.4 and figure 4.12 of Wen's thesis).

    bench_multipol --program pipe [--items 100000] [--rounds 5] [--transports openmpi,mpich]

Each round runs, in turn: the four steps (plain, capacity 1000, pipelined, flushed), three aggregations, and the bare pipe.
ratio_plain is the time of the first step by that of the same round, ratio_bare the bare time by it: medians of all rounds;
ci95 an interval that contains the median with 95 % (below 6 rounds: all values)."""
from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from rows import BadRow, Row, parse
from samples import interval

FOLDER = Path(sys.argv[0]).absolute().parent  # of the programs
RANKS_SH = Path(__file__).resolve().parents[2] / "tools/ranks.sh"
LIMIT_SECONDS = 1800
THESIS = {"capacity1000": "-24%", "pipelined": "+6%", "flushed": "-13.5%"}
WAYS = {
    "plain": ["--step", "plain"],
    "capacity1000": ["--step", "plain", "--capacity", "1000"],
    "pipelined": ["--step", "pipelined"],
    "flushed": ["--step", "flushed"],
    "bytes0": ["--bytes", "0"],
    "bytes10000": ["--bytes", "10000"],
    "bare": ["--bare"],
}


def run(program: str, transport: str, ranks: int, arguments: list[str]) -> Row:
    """The one row that a run prints; the programs compare their results themselves."""
    start = str(FOLDER / f"bench_multipol_{program}")
    words = [start, "--transport", f"{transport}:{ranks}", *arguments]
    if not transport.startswith("local"):
        words = ["bash", str(RANKS_SH), transport, str(ranks), f"{start}_{transport}", *arguments]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    found = [row for row in parse(ended.stdout, program) if row.get("bench") == "multipol"]
    if ended.returncode != 0 or len(found) != 1 or found[0]["verified"] != "yes":
        raise BadRow(f"{' '.join(words)} ended with {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-300:]}")
    found[0].pairs["transport"] = transport
    return found[0]


def median(values: list[float]) -> float:
    ordered = sorted(values)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def ratio(above: list[Row], below: list[Row], key: str = "s") -> str:
    """The median of the quotients within rounds, and its interval."""
    values = [one.number(key) / other.number(key) for one, other in zip(above, below)]
    low, high = interval(values)
    return f"{median(values):.3f} ci95={low:.3f}..{high:.3f}"


def built(program: str, names: str) -> list[str]:
    found = []
    for name in names.split(","):
        if name.startswith("local") or (FOLDER / f"bench_multipol_{program}_{name}").exists():
            found.append(name)
        else:
            print(f"left out: bench_multipol_{program}_{name} was not built", flush=True)
    return found


def show(way: str, runs: dict[str, list[Row]]) -> None:
    first, rows = runs[way][0], runs[way]
    keys = ["ranks", "transport", "items", "at_once", "units", "capacity", "item_bytes", "bytes", "messages", "spaces"]
    print(f"bench=multipol figure=4.12 program=pipe way={way}", *(f"{key}={first[key]}" for key in keys),
          *(f"{key}={median([row.number(key) for row in rows]):.6f}" for key in ("s", "idle_s")),
          f"ratio_plain={ratio(rows, runs['plain'])}",
          f"ratio_bare={median([a.number('s') / b.number('s') for a, b in zip(runs['bare'], rows)]):.3f}",
          f"thesis={THESIS.get(way, 'none')} verified=yes", flush=True)


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench_multipol --program pipe", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", default="100000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--transports", default="openmpi,mpich")
    asked = parser.parse_args(words)
    for transport in built("pipe", asked.transports):
        runs: dict[str, list[Row]] = {way: [] for way in WAYS}
        for _ in range(asked.rounds):
            for way, arguments in WAYS.items():
                runs[way].append(run("pipe", transport, 2, [*arguments, "--items", asked.items]))
        for way in WAYS:
            show(way, runs)
    return 0
