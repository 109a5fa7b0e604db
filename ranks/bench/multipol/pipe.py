"""PIPE on the event graph, compared with a bare pipe on plain MPI (section 4.5.4 and figure 4.12 of Wen's thesis).

    bench_multipol --program pipe [--items 100000] [--rounds 5] [--transports openmpi,openmpi-tcp,mpich]

Each round runs, in turn: the four steps (plain, capacity 1000, pipelined, flushed), three aggregations, and the bare pipe.
ratio_plain is the time by that of the first step in the same round, ratio_bare the bare time by it: medians of all rounds;
ci95 an interval that contains the median of ratio_plain with 95 % (below 6 rounds: all values). cpu_s is the CPU time of all
ranks. start_up is the number of messages by that with buffers of 10,000 bytes, in the same round: it stands for the start-up
cost of messages, as each costs the same (COMM_ALPHA in figure 4.12: 1.44 with 1,000 bytes, 6.0 with none). `thesis` has the change
of the time against the first step. Over `local` there is no bare pipe."""
from __future__ import annotations

from rows import Row
from runs import middle, parser_of, ratio, take_turns, transports_of, way_of

THESIS = {"capacity1000": "-24%", "pipelined": "+6%", "flushed": "-13.5%", "bytes10000": "+6.7%", "bytes0": "+18.3%"}
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
    of_bare = ratio(runs["bare"], rows)[0] if "bare" in runs else "none"
    start_up = "none" if way == "bare" else ratio(rows, runs["bytes10000"], "messages")[0]
    keys = ["ranks", "transport", "items", "at_once", "units", "capacity", "item_bytes", "bytes"]
    counts = ["messages", "events", "records", "nulls", "spaces", "waits_space", "waits_data"]
    print(f"bench=multipol figure=4.12 program=pipe way={way}", *(f"{key}={first[key]}" for key in keys),
          *(f"{key}={middle(rows, key):.6f}" for key in ("s", "cpu_s", "idle_s")), f"ratio_plain={of_plain} ci95={interval}",
          f"ratio_serial=none ratio_bare={of_bare}", *(f"{key}={middle(rows, key):.0f}" for key in counts),
          f"start_up={start_up} thesis={THESIS.get(way, 'none')} verified=yes", flush=True)


def main(words: list[str]) -> int:
    parser = parser_of("--program pipe", __doc__)
    parser.add_argument("--items", default="100000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--transports", default="openmpi,mpich")
    asked = parser.parse_args(words)
    for transport in transports_of("pipe", asked.transports):
        ways = [way for way in WAYS if way != "bare" or not transport.startswith("local")]
        runs = take_turns({way: way_of("pipe", transport, 2, [*WAYS[way], "--items", asked.items]) for way in ways}, asked.rounds)
        for way in ways:
            show(way, runs)
    return 0
