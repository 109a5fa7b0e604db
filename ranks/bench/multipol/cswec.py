"""CSWEC on the event graph: voltages of circuits of transistors (sections 2.2.4.3 and 5.1.5 of Wen's thesis).

    bench_multipol --program cswec [--data FOLDER] [--circuits c2670,regfile] [--figures 2.14,5.8,5.9,5.10,speedup] [--vectors 20]
        [--rounds 5] [--transports local,openmpi] [--ranks 1,2] [--capacities 1,4,16,64,256,1024,4096]

FOLDER holds ISCAS-85; the register file is generated. Each run has the bits of the serial program, and its outputs settle
to the unit-delay reference (those of FOLDER/ref_unit_delay, too, as far as there are that many vectors).

    2.14     characteristics by an observer, averages of a rank: fibers, calls of handlers, waits of nodes for data and places
             (synchronization events), records from other ranks and their bytes. 2.16 has a quarter of the capacity, 16 of 64
    5.8      threads and communication: CPU seconds of all ranks beyond those of the serial program, which makes the same
             steps; idle seconds before the last fiber and in the end, averaged over ranks; how often nodes waited for data
             and for places
    5.9      fifo, in place, and in place with buffers of 4K in place of 1K
    5.10     capacities: time relative to the smallest, waits, null messages, bytes. 2.16 is its row with a quarter of 64
    speedup  figures 5.11 and 5.12: against the serial program, in seconds and in CPU seconds of all ranks. `speedup` takes its
             time from the first of --ranks in the same round: over `local` each rank runs it, and slows the others down
    equal    no times: all ranks, capacities and cures have one digest

ratio_serial is the serial time by that of the run, ratio_cpu the same of CPU times (1 is no loss): medians
of interleaved rounds, ci95 an interval that contains the median of ratio_serial."""
from __future__ import annotations

import argparse
import lzma
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

from rows import BadRow, Row
from runs import median, middle, parser_of, ratio, run, spread, take_turns, transports_of

THESIS = {  # seconds: CM5, SP1
    ("5.9", "fifo"): "42.9,62.3", ("5.9", "in-place"): "38.3,56.7", ("5.9", "4K"): "36.9,49.5",
    ("5.8", "regfile"): "19.5,29.9", ("5.8", "c2670"): "42.9,62.3",
    ("speedup", "regfile"): "23.6/32,7.2/8", ("speedup", "c2670"): "26.8/32,7.3/8",
    # fibers, synchronization and communication events, kilobytes, of each of 32 processors
    ("2.14", "regfile"): "5656,463,1720,40", ("2.14", "c2670"): "113148,10363,59009,1380",
    ("2.16", "regfile"): "7920,1405,1959,45", ("2.16", "c2670"): "169567,32200,68719,1590",
}
KEYS = ["circuit", "subcircuits", "transistors", "ranks", "transport", "capacity", "dispatch", "bytes", "cures", "place",
        "vectors"]
COUNTS = ["steps", "events", "local", "records", "nulls", "replaced", "recoveries", "growths", "waits_space", "waits_data",
          "spaces", "fibers", "messages", "sent_bytes"]


def circuit_of(asked: argparse.Namespace, circuit: str) -> list[str]:
    return ["--words", "32"] if circuit == "regfile" else ["--netlist", str(Path(asked.data) / f"{circuit}.bench")]


def check_outputs(asked: argparse.Namespace, circuit: str, outputs: Path) -> str:
    reference = Path(asked.data) / "ref_unit_delay" / f"{circuit}.out.xz"
    if circuit == "regfile" or not reference.exists():
        return "none"
    with lzma.open(reference, "rt") as file:
        known = file.read().splitlines()
    got = outputs.read_text().splitlines()
    if got[:len(known)] != known[:len(got)]:
        raise BadRow(f"{circuit}: the settled outputs differ from the reference")
    return "equal"


def one(asked: argparse.Namespace, circuit: str, transport: str, ranks: str, more: list[str]) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        outputs = Path(folder) / "outputs"
        row = run("cswec", transport, int(ranks), [*circuit_of(asked, circuit), "--vectors", asked.vectors, "--outputs",
                                                   str(outputs), *more])[0]
        row.pairs["reference"] = check_outputs(asked, circuit, outputs)
    return row


def rounds_of(asked: argparse.Namespace, ways: dict[str, tuple[str, str, str, list[str]]]) -> dict[str, list[Row]]:
    """Each way once in each round."""
    def start(way: tuple[str, str, str, list[str]]) -> Callable[[int], list[Row]]:
        return lambda _: [one(asked, *way)]
    return take_turns({name: start(way) for name, way in ways.items()}, asked.rounds)


def show(figure: str, way: str, rows: list[Row], more: str = "") -> None:
    first = rows[0]
    of_serial, low_high = spread([row.number("ratio_serial") for row in rows])
    step = "none" if first["circuit"] == "regfile" else THESIS.get((figure, way), "none")  # figure 5.9 is of C2670
    known = THESIS.get((figure, first["circuit"]), step)
    print(f"bench=multipol figure={figure} program=cswec", *(f"{key}={first[key]}" for key in KEYS),
          f"s={middle(rows, 's'):.6f} cpu_s={middle(rows, 'cpu_s'):.6f} serial_s={middle(rows, 'serial_s'):.6f}",
          f"ratio_serial={of_serial} ci95={low_high} ratio_cpu={middle(rows, 'ratio_cpu'):.3f}",
          "ratio_bare=none", *(f"{key}={first[key]}" for key in COUNTS),
          f"collapsed={first.number('records') / max(first.number('events'), 1):.3f}{more}",
          f"thesis={known} reference={first['reference']} verified=yes", flush=True)


def characterize(asked: argparse.Namespace, circuit: str, transport: str, capacity: str) -> tuple[Row, Row]:
    ranks = int(asked.ranks.split(",")[-1])
    with tempfile.TemporaryDirectory() as folder:
        found = run("cswec", transport, ranks, [*circuit_of(asked, circuit), "--vectors", asked.vectors, "--capacity", capacity,
                                                "--characteristics", str(Path(folder) / "csv")], ("multipol", "characteristics"))
    by_bench = {row["bench"]: row for row in found}
    return by_bench["multipol"], by_bench["characteristics"]


def figure_214(asked: argparse.Namespace, transport: str) -> None:
    """Counts: one run of each. Both capacities have one digest."""
    for circuit in asked.circuits.split(","):
        digests = set()
        for figure, capacity in (("2.14", "64"), ("2.16", "16")):
            row, seen = characterize(asked, circuit, transport, capacity)
            ranks = row.number("ranks")
            digests.add(row["digest"])
            averages = {key: seen.number(key) / ranks for key in ("fibers", "in_place", "communication_events", "communication_bytes")}
            averages["sync_events"] = (row.number("waits_data") + row.number("waits_space")) / ranks
            print(f"bench=multipol figure={figure} program=cswec", *(f"{key}={row[key]}" for key in KEYS),
                  *(f"{key}={value:.0f}" for key, value in averages.items()), f"nulls={row['nulls']} steps={row['steps']}",
                  f"thesis={THESIS.get((figure, circuit), 'none')} verified=yes", flush=True)
        if len(digests) != 1:
            raise BadRow(f"{circuit}: a quarter of the capacity has other voltages")


def figure_58(asked: argparse.Namespace, transport: str) -> None:
    ways = {circuit: (circuit, transport, ranks, ["--dispatch", "fifo"])
            for circuit in asked.circuits.split(",") for ranks in [asked.ranks.split(",")[-1]]}
    for way, rows in rounds_of(asked, ways).items():
        other = median([row.number("cpu_s") - row.number("serial_cpu_s") for row in rows])
        show("5.8", way, rows, f" threads_and_communication_s={other:.6f} "
             f"idle_s={middle(rows, 'idle_s'):.6f} end_s={middle(rows, 'end_s'):.6f}")


def figure_59(asked: argparse.Namespace, transport: str) -> None:
    ranks = asked.ranks.split(",")[-1]
    steps = {"fifo": ["--dispatch", "fifo"], "in-place": [], "4K": ["--bytes", "4096"]}
    for circuit in asked.circuits.split(","):
        runs = rounds_of(asked, {way: (circuit, transport, ranks, more) for way, more in steps.items()})
        for way, rows in runs.items():
            of_first, low_high = ratio(rows, runs["fifo"])
            of_cpu, _ = ratio(rows, runs["fifo"], "cpu_s")
            show("5.9", way, rows, f" way={way} ratio_fifo={of_first} ratio_fifo_ci95={low_high} ratio_fifo_cpu={of_cpu}")


def figure_510(asked: argparse.Namespace, transport: str) -> None:
    ranks = asked.ranks.split(",")[-1]
    for circuit in asked.circuits.split(","):
        runs = rounds_of(asked, {capacity: (circuit, transport, ranks, ["--capacity", capacity])
                                 for capacity in asked.capacities.split(",")})
        least = next(iter(runs.values()))
        for capacity, rows in runs.items():
            of_least, low_high = ratio(rows, least)
            of_cpu, _ = ratio(rows, least, "cpu_s")
            show("5.10", capacity, rows, f" normalized={of_least} normalized_ci95={low_high} normalized_cpu={of_cpu}")


def speed_up(asked: argparse.Namespace, transport: str) -> None:
    ways = {f"{circuit} {ranks} {place}": (circuit, transport, ranks, ["--cones"] if place == "cones" else [])
            for circuit, ranks, place in product(asked.circuits.split(","), asked.ranks.split(","), ["size", "cones"])}
    runs = rounds_of(asked, ways)
    for way, rows in runs.items():
        circuit, _, place = way.split()
        alone = runs[f"{circuit} {asked.ranks.split(',')[0]} {place}"]
        fast, low_high = ratio(alone, rows, "serial_s", "s")
        show("speedup", way, rows, f" speedup={fast} speedup_ci95={low_high}")


def equal(asked: argparse.Namespace, transport: str) -> None:
    """One digest for all; recovery alone freezes the graph for most steps, so it has its own number of vectors."""
    for circuit in asked.circuits.split(","):
        digests, count = set(), 0
        for ranks, capacity, cures in product(asked.ranks.split(","), asked.capacities.split(","), asked.cures.split(",")):
            row = one(asked, circuit, transport, ranks, ["--capacity", capacity, "--cures", cures])
            digests.add(row["digest"])
            count += 1
        if len(digests) != 1:
            raise BadRow(f"{circuit}: {len(digests)} digests of {count} runs")
        print(f"bench=multipol figure=equal program=cswec circuit={circuit} transport={transport} ranks={asked.ranks} "
              f"capacities={asked.capacities} cures={asked.cures} vectors={asked.vectors} runs={count} "
              f"digest={digests.pop()} verified=yes", flush=True)


FIGURES = {"2.14": figure_214, "5.8": figure_58, "5.9": figure_59, "5.10": figure_510, "speedup": speed_up, "equal": equal}


def main(words: list[str]) -> int:
    parser = parser_of("--program cswec", __doc__)
    parser.add_argument("--data", default=".")
    parser.add_argument("--circuits", default="c2670,regfile")
    parser.add_argument("--figures", default="2.14,5.8,5.9,5.10,speedup")
    parser.add_argument("--vectors", default="20")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", default="1,2")
    parser.add_argument("--capacities", default="1,4,16,64,256,1024,4096")
    parser.add_argument("--cures", default="nulls,nulls+recovery,all")
    parser.add_argument("--transports", default="local")
    asked = parser.parse_args(words)
    unknown = [figure for figure in asked.figures.split(",") if figure not in FIGURES]
    if unknown:
        parser.error(f"there is no figure {unknown[0]}: give some of {', '.join(FIGURES)}")
    for transport in transports_of("cswec", asked.transports):
        for figure in asked.figures.split(","):
            FIGURES[figure](asked, transport)
    return 0
