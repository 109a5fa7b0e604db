"""PIPE on the event graph, compared with a bare pipe on plain MPI (section 4.5.4 and figure 4.12 of Wen's thesis).

    bench_multipol --program pipe [--items 100000] [--rounds 5] [--transports openmpi,mpich]

Each round runs, in turn: the four steps (plain, capacity 1000, pipelined, flushed), three aggregations, and the bare pipe.
ratio_plain is the time of the first step by that of the same round, ratio_bare the bare time by it: medians of all rounds;
ci95 an interval that contains the median with 95 % (below 6 rounds: all values)."""
from __future__ import annotations

from rows import Row
from runs import median, middle, parser_of, ratio, run, transports_of

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


def show(way: str, runs: dict[str, list[Row]]) -> None:
    first, rows = runs[way][0], runs[way]
    of_plain, interval = ratio(rows, runs["plain"])
    keys = ["ranks", "transport", "items", "at_once", "units", "capacity", "item_bytes", "bytes", "messages", "spaces"]
    print(f"bench=multipol figure=4.12 program=pipe way={way}", *(f"{key}={first[key]}" for key in keys),
          *(f"{key}={middle(rows, key):.6f}" for key in ("s", "idle_s")), f"ratio_plain={of_plain} ci95={interval}",
          f"ratio_bare={median([a.number('s') / b.number('s') for a, b in zip(runs['bare'], rows)]):.3f}",
          f"thesis={THESIS.get(way, 'none')} verified=yes", flush=True)


def main(words: list[str]) -> int:
    parser = parser_of("--program pipe", __doc__)
    parser.add_argument("--items", default="100000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--transports", default="openmpi,mpich")
    asked = parser.parse_args(words)
    for transport in transports_of("pipe", asked.transports):
        runs: dict[str, list[Row]] = {way: [] for way in WAYS}
        for _ in range(asked.rounds):
            for way, arguments in WAYS.items():
                runs[way] += run("pipe", transport, 2, [*arguments, "--items", asked.items])
        for way in WAYS:
            show(way, runs)
    return 0
