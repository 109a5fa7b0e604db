"""EM3D, compared with a neighbour exchange on plain MPI (figures 2.2 and 5.1 of Wen's thesis).

    bench_multipol --program em3d [--rounds 5] [--ranks 2] [--remote 0,10,20] [--nodes 1000] [--transports openmpi,mpich]

Each round runs all percentages of remote edges in turn, each with plain MPI next to it; the first of two runs of a process,
in which MPI connects the ranks, is left out. `loss` is the time against that without
remote edges, in percent; ratio_bare above 1: the graph is faster than plain MPI; `thesis` has the losses of the CM5, the
Paragon and the SP1. Then Olden's graphs, with its counts. Each rank compares its states with those of the serial elision, bit for bit."""
from __future__ import annotations

import argparse

from rows import Row
from runs import median, middle, parser_of, run, transports_of
from samples import interval

OLDEN = [("1024", "1000", "125", "7836441,7836441"), ("256", "250", "35", "480874,168417")]  # nodes, degree, local; counts
LOSSES = {"10": "87,25,88", "20": "143,37,174"}


def show(rows: list[Row], none: list[Row]) -> None:
    keys = ["figure", "program", "ranks", "transport", "remote", "nodes", "degree", "span", "steps"]
    text = " ".join(f"{key}={middle(rows, key):.6f}" for key in ("s", "bare_s"))
    losses = [100 * (one.number("s") / other.number("s") - 1) for one, other in zip(rows, none)]
    low, high = interval(losses)
    text += f" loss={median(losses):.1f} ci95={low:.1f}..{high:.1f}"
    if rows[0].number("bare_s"):
        text += f" ratio_bare={median([row.number('bare_s') / row.number('s') for row in rows]):.3f}"
    text += f" messages={rows[0]['messages']} state_bytes={rows[0]['state_bytes']}"
    if rows[0]["remote"] in LOSSES:
        text += f" thesis={LOSSES[rows[0]['remote']]}"
    print("bench=multipol", *(f"{key}={rows[0][key]}" for key in keys), text, f"verified={rows[0]['verified']}", flush=True)


def times(transport: str, options: argparse.Namespace, remote: list[str]) -> None:
    runs: dict[str, list[Row]] = {percent: [] for percent in remote}
    for number in range(max(options.rounds, 1)):
        for percent in remote:
            runs[percent] += run("em3d", transport, options.ranks, ["--remote", percent, "--nodes", str(options.nodes),
                                                                   "--seed", str(number + 1), "--rounds", "2"])[1:]
    for percent in remote:
        show(runs[percent], runs[remote[0]])


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
    options = parser.parse_args(words)
    for transport in transports_of("em3d", options.transports):
        times(transport, options, options.remote.split(","))
        olden(transport, options.ranks)
    return 0
