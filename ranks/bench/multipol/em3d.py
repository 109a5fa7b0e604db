"""EM3D, compared with a neighbour exchange on plain MPI (figures 2.2 and 5.1 of Wen's thesis).

    bench_multipol --program em3d [--rounds 5] [--ranks 2] [--remote 0,10,20] [--nodes 1000]
                   [--transports local,openmpi,mpich] [--results]

Each round runs all percentages of remote edges in turn, each with plain MPI and the serial elision of the same graph next to it;
the first of two runs of a process, in which MPI connects the ranks, is left out. `loss` is the time against that without
remote edges, in percent, with its interval; ratio_serial is the time of the serial elision by that of the graph, ratio_bare
that of plain MPI; cpu_s and idle_s are those of all ranks; `thesis` has the losses of the CM5, the Paragon and the SP1.
Then Olden's graphs, with its counts. Each rank compares its states with those of the serial elision, bit for bit. --results
runs each percentage once on 1, 2, 3, 4 and 8 ranks instead."""
from __future__ import annotations

import argparse
from collections.abc import Callable

from rows import Row
from runs import RANKS, median, middle, parser_of, ratio, run, take_turns, transports_of
from samples import interval

OLDEN = [("1024", "1000", "125", "7836441,7836441"), ("256", "250", "35", "480874,168417")]  # nodes, degree, local; counts
LOSSES = {"10": "87,25,88", "20": "143,37,174"}


def show(rows: list[Row], extra: str) -> None:
    keys = ["figure", "program", "ranks", "transport", "remote", "nodes", "degree", "span", "steps"]
    text = " ".join(f"{key}={middle(rows, key):.6f}" for key in ("s", "cpu_s", "idle_s", "bare_s"))
    print("bench=multipol", *(f"{key}={rows[0][key]}" for key in keys), text + extra,
          f"messages={rows[0]['messages']} state_bytes={rows[0]['state_bytes']}",
          f"thesis={LOSSES.get(rows[0]['remote'], 'none')} verified={rows[0]['verified']}", flush=True)


def compared(rows: list[Row], none: list[Row], serial: list[Row]) -> str:
    losses = [100 * (one.number("s") / other.number("s") - 1) for one, other in zip(rows, none)]
    low, high = interval(losses)
    of_serial, of_bare = ratio(serial, rows), ratio(rows, rows, "bare_s", "s")
    text = f" loss={median(losses):.1f} ci95={low:.1f}..{high:.1f} serial_s={middle(serial, 's'):.6f}"
    text += f" ratio_serial={of_serial[0]} ci95_serial={of_serial[1]}"
    return text + (f" ratio_bare={of_bare[0]} ci95_bare={of_bare[1]}" if rows[0].number("bare_s") else " ratio_bare=none")


def arguments_of(options: argparse.Namespace, percent: str) -> list[str]:
    return ["--remote", percent, "--nodes", str(options.nodes)]


def times(transport: str, options: argparse.Namespace, remote: list[str]) -> None:
    def start(percent: str, over: str, more: list[str]) -> Callable[[int], list[Row]]:
        words = [*arguments_of(options, percent), *more, "--rounds", "2"]
        return lambda number: run("em3d", over, options.ranks, [*words, "--seed", str(number + 1)])[1:]
    ways: dict[tuple[str, str], Callable[[int], list[Row]]] = {}
    for percent in remote:
        ways[percent, "serial"] = start(percent, "serial", ["--serial", str(options.ranks)])
        ways[percent, transport] = start(percent, transport, [])
    runs = take_turns(ways, options.rounds)
    for percent in remote:
        mine = runs[percent, transport]
        show(mine, compared(mine, runs[remote[0], transport], runs[percent, "serial"]))


def results(transport: str, options: argparse.Namespace, remote: list[str]) -> None:
    for percent in remote:
        for ranks in RANKS:
            show(run("em3d", transport, ranks, arguments_of(options, percent)), "")


def olden(transport: str, ranks: int) -> None:
    for nodes, degree, local, counts in OLDEN:
        row = run("em3d", transport, ranks, ["--olden", "--nodes", nodes, "--degree", degree, "--local", local, "--steps", "1"])[0]
        same = f"{row['draws']},{row['local_draws']}" == counts
        print("bench=multipol", *(f"{key}={row[key]}" for key in ("program", "graph", "ranks", "transport", "nodes", "degree",
                                                                 "local", "s", "draws", "local_draws")),
              f"olden={counts} verified={'yes' if same and row['verified'] == 'yes' else 'no'}", flush=True)


def main(words: list[str]) -> int:
    parser = parser_of("--program em3d", __doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--remote", default="0,10,20")
    parser.add_argument("--transports", default="local,openmpi,mpich")
    parser.add_argument("--results", action="store_true")
    options = parser.parse_args(words)
    for transport in transports_of("em3d", options.transports):
        if options.results:
            results(transport, options, options.remote.split(","))
            continue
        times(transport, options, options.remote.split(","))
        olden(transport, options.ranks)
    return 0
