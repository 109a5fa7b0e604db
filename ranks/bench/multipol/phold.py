"""PHOLD on the event graph, compared with a serial simulator and with plain MPI: a table over lookahead and remote share.

    bench_multipol --program phold [--lookaheads 1,10,100,1000] [--remotes 1,10,50] [--rounds 5] [--ranks 2]
        [--transports openmpi,mpich] [--nodes 4096] [--end 10000] [--local]

Each round runs the graph and the bare program in turn, and each of them the serial simulator; all three pass on the same
events, in the same order at each node. ratio_serial is the serial time by that of the graph, ratio_bare the bare one by it,
ratio_cpu the serial CPU time by that of all ranks of the graph (cpu_s): medians of all rounds; ci95 is an interval that contains
the median of ratio_bare with 95 % (below 6 rounds: all values), ci95_serial that of ratio_serial.
--local counts instructions, by valgrind: those of an event on an edge within a rank, and of a node that waits for a frozen
graph, with the node itself, each by those of a FIFO fiber."""
from __future__ import annotations

import re
import subprocess
import tempfile
from itertools import product
from pathlib import Path

from rows import BadRow, Row
from runs import command, middle, parser_of, ratio, run, take_turns, transports_of, way_of


def show(way: tuple[str, str, str, str], graph: list[Row], bare: list[Row]) -> None:
    first = graph[0]
    of_bare, interval = ratio(bare, graph) if bare else ("none", "none")
    of_serial, interval_serial = ratio(graph, graph, "serial_s", "s")
    keys = ["ranks", "transport", "nodes", "fan", "population", "remote", "lookahead", "mean", "end", "capacity", "bytes", "cures"]
    counts = ["passed", "events", "local", "records", "nulls", "replaced", "spaces", "waits_space", "waits_data", "recoveries"]
    if any(row["digest"] != first["digest"] for row in graph + bare):
        raise BadRow(f"phold: two programs have passed on other events ({' '.join(way)})")
    print("bench=multipol figure=none program=phold", *(f"{key}={first[key]}" for key in keys),
          *(f"{key}={middle(graph, key):.6f}" for key in ("s", "cpu_s", "serial_s", "serial_cpu_s")),
          *(f"bare_{key}={middle(bare, key):.6f}" if bare else f"bare_{key}=none" for key in ("s", "cpu_s")),
          f"events_per_s={middle(graph, 'events_per_s'):.0f} ratio_serial={of_serial} ci95_serial={interval_serial}",
          f"ratio_cpu={ratio(graph, graph, 'serial_cpu_s', 'cpu_s')[0]} ratio_bare={of_bare} ci95={interval}",
          *(f"{key}={first[key]}" for key in counts),
          f"bare_nulls={bare[0]['nulls'] if bare else 'none'} thesis=none verified=yes", flush=True)


def instructions(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        words = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={Path(folder) / 'out'}",
                 *command("phold", "local", 1, arguments)]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    counted = re.search(r"Collected : (\d+)", ended.stderr)
    if ended.returncode != 0 or counted is None:
        raise BadRow(f"{' '.join(words)} ended with {ended.returncode}: {ended.stderr.strip()[-300:]}")
    return int(counted[1])


def local() -> None:
    """The difference of two lengths has no start and no end of the program in it."""
    def each(arguments: list[str], option: str, sizes: tuple[int, int], count: str) -> float:
        rows = [run("phold", "local", 1, [*arguments, option, str(size)])[0] for size in sizes]
        few, many = (instructions([*arguments, option, str(size)]) for size in sizes)
        return (many - few) / (rows[1].number(count) - rows[0].number(count))
    base = ["--remote", "0", "--lookahead", "1000", "--unchecked"]
    event = each(base, "--end", (4000, 8000), "events")
    fiber = each([], "--fibers", (50000, 100000), "count")
    woken = each([], "--woken", (50000, 100000), "count")
    for way, one in (("local", event), ("woken", woken)):
        print(f"bench=multipol figure=none program=phold way={way} ranks=1 instructions={one:.1f} instructions_fiber={fiber:.1f}",
              f"ratio_fiber={one / fiber:.3f} thesis=none", flush=True)


def main(words: list[str]) -> int:
    parser = parser_of("--program phold", __doc__)
    parser.add_argument("--lookaheads", default="1,10,100,1000")
    parser.add_argument("--remotes", default="1,10,50")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--nodes", default="4096")
    parser.add_argument("--end", default="10000")
    parser.add_argument("--transports", default="openmpi,mpich")
    parser.add_argument("--local", action="store_true")
    asked = parser.parse_args(words)
    if asked.local:
        local()
        return 0
    for way in product(transports_of("phold", asked.transports), asked.lookaheads.split(","), asked.remotes.split(",")):
        transport, lookahead, remote = way
        arguments = ["--lookahead", lookahead, "--remote", remote, "--nodes", asked.nodes, "--end", asked.end]
        programs = ["graph"] if transport.startswith("local") else ["graph", "bare"]
        ways = {program: way_of("phold", transport, asked.ranks, [*arguments, "--program", program]) for program in programs}
        runs = take_turns(ways, asked.rounds)
        show((*way, str(asked.ranks)), runs["graph"], runs.get("bare", []))
    return 0
