"""Circuits of ISCAS-85 on the event graph, compared with a serial event-driven simulator.

    bench_multipol --program circuit --data FOLDER [--circuits c17,...] [--vectors 1000] [--rounds 5]
        [--ranks 1,2] [--capacities 64] [--cures all] [--places size,cones] [--transports local,openmpi]
        [--shares]

FOLDER holds the netlists, and in ref_unit_delay the reference results (ISCAS-85 itself is not a part of this project).
Each row was compared with the serial simulator; with 1,000 vectors outputs, changes and settling times also with the
reference. ratio_serial is the serial time by that of the same run, ratio_cpu the serial CPU time by that of all ranks (cpu_s):
the medians of all rounds, and the 95 % interval of the first.
collapsed is the number of records by that of events on edges. The rest was saved: by edges within a rank (saved_local), and
by one record for several edges into one rank (saved_shared). saved_nulls is the share of null messages that newer ones or events
have replaced. --shares prints these shares alone, of one run of each circuit on 8 ranks: counts of events do not depend on load."""
from __future__ import annotations

import argparse
import lzma
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

from rows import BadRow, Row
from runs import middle, parser_of, run, spread, take_turns, transports_of

Way = tuple[str, str, str, str]  # transport, ranks, capacity, place
KEYS = ["circuit", "ranks", "transport", "capacity", "dispatch", "bytes", "cures", "place", "vectors", "changes"]
COUNTS = ["events", "records", "nulls", "replaced", "spaces", "recoveries", "growths", "waits_space", "waits_data"]


def check(row: Row, outputs: Path, data: Path, circuit: str) -> None:
    reference = data / "ref_unit_delay"
    with lzma.open(reference / f"{circuit}.out.xz", "rt") as file:
        if file.read() != outputs.read_text():
            raise BadRow(f"{circuit}: the outputs differ from the reference")
    for line in (reference / "summary.txt").read_text().splitlines():
        name, *words = line.split()
        known = dict(word.split("=") for word in words)
        if name == circuit and [row["changes"], row["max_settle"], row["sum_settle"]] != [
                known["gate_output_changes"], known["max_settle"], known["sum_settle"]]:
            raise BadRow(f"{circuit}: changes or settling times differ from the reference")


def one(asked: argparse.Namespace, circuit: str, way: Way) -> Row:
    transport, ranks, capacity, place = way
    data = Path(asked.data)
    with tempfile.TemporaryDirectory() as folder:
        outputs = Path(folder) / "outputs"
        arguments = ["--netlist", str(data / f"{circuit}.bench"), "--vectors", asked.vectors, "--capacity", capacity,
                     "--cures", asked.cures, "--outputs", str(outputs), *(["--cones"] if place == "cones" else [])]
        row = run("circuit", transport, int(ranks), arguments)[0]
        known = (data / "ref_unit_delay" / f"{circuit}.out.xz").exists()
        if asked.vectors == "1000" and known:
            check(row, outputs, data, circuit)
            row.pairs["reference"] = "equal"
    return row


def start(asked: argparse.Namespace, circuit: str, way: Way) -> Callable[[int], list[Row]]:
    return lambda _: [one(asked, circuit, way)]


def shares_of(row: Row) -> str:
    events, local, records, nulls, replaced = (row.number(key) for key in ("events", "local", "records", "nulls", "replaced"))
    return (f"collapsed={records / events:.3f} saved_local={local / events:.3f} "
            f"saved_shared={(events - local - records) / events:.3f} saved_nulls={replaced / max(nulls + replaced, 1):.4f}")


def show_shares(row: Row) -> None:
    keys = ["circuit", "ranks", "transport", "capacity", "cures", "place", "vectors", "events", "local", "records", "nulls", "replaced"]
    print("bench=multipol figure=none way=shares program=circuit", *(f"{key}={row[key]}" for key in keys),
          f"{shares_of(row)} thesis=none reference={row.get('reference', 'none')} verified=yes", flush=True)


def show(rows: list[Row]) -> None:
    first = rows[0]
    of_serial, low_high = spread([row.number("ratio_serial") for row in rows])
    print("bench=multipol figure=5.10 program=circuit", *(f"{key}={first[key]}" for key in KEYS),
          f"s={middle(rows, 's'):.6f} cpu_s={middle(rows, 'cpu_s'):.6f} ratio_serial={of_serial} ci95={low_high}",
          f"ratio_cpu={middle(rows, 'ratio_cpu'):.3f} ratio_bare=none", *(f"{key}={first[key]}" for key in COUNTS),
          f"{shares_of(first)} thesis=none reference={first.get('reference', 'none')} verified=yes", flush=True)


def main(words: list[str]) -> int:
    parser = parser_of("--program circuit", __doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--circuits", default="c17,c432,c499,c880,c1355,c1908,c2670,c3540")
    parser.add_argument("--vectors", default="1000")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", default="")
    parser.add_argument("--capacities", default="64")
    parser.add_argument("--cures", default="all")
    parser.add_argument("--places", default="size,cones")
    parser.add_argument("--transports", default="local")
    parser.add_argument("--shares", action="store_true")
    asked = parser.parse_args(words)
    ranks = asked.ranks or ("8" if asked.shares else "1,2")
    ways = list(product(transports_of("circuit", asked.transports), ranks.split(","), asked.capacities.split(","),
                        asked.places.split(",")))
    for circuit in asked.circuits.split(","):
        if asked.shares:
            for way in ways:
                show_shares(one(asked, circuit, way))
            continue
        for rows in take_turns({way: start(asked, circuit, way) for way in ways}, asked.rounds).values():
            show(rows)
    return 0
