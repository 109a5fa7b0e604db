"""Characteristics of the programs: the rows of figures 2.2, 2.5, 2.8, 2.11 and 2.14 of Wen's thesis, next to the thesis' own.

    bench_multipol --characteristics [--ranks 2] [--transport local] [--folder FOLDER]

Numbers are averages over ranks, as in the thesis, whose 32 processors of a CM5 each had a part of the same size. Threads are the
fibers that were created, fibers their executions, sync the waits for a counter, for credit or for an unfreeze, comm the records
that came from other ranks. The thesis runs an insert or a request as a thread; in place, it is a call of a handler: `in place`.
Nodes of an event graph wait without a fiber: `--program cswec --figures 2.14` counts these waits as the thesis does.
--folder keeps the histograms (figures 2.3, 2.6, 2.9, 2.12 and 2.15): PROGRAM-LABEL.csv, with columns that
ranks/examples/multipol/characteristics.h explains."""
from __future__ import annotations

import tempfile
from pathlib import Path

from rows import BadRow, Row
from runs import parser_of, run, transports_of

COLUMNS = ["threads", "fibers", "in_place", "sync_events", "communication_events", "communication_bytes"]
TITLES = ["threads", "fibers", "in place", "sync", "comm", "bytes"]
# Figure, program, label, arguments, the thesis' threads, fibers, sync events, comm. events and volume.
PROGRAMS = [
    ("2.2", "em3d", "10%", ["--remote", "10"], "1401 1801 601 1584 2.75MB"),
    ("2.2", "em3d", "20%", ["--remote", "20"], "1357 1730 582 1539 4.59MB"),
    ("2.5", "tripuzzle", "in place", ["--rows", "6", "--hole", "1", "--symmetry"], "22034 27494 1424 19279 0.52MB"),
    ("2.5", "tripuzzle", "fifo", ["--rows", "6", "--hole", "1", "--symmetry", "--scheduler", "fifo"],
     "22034 27494 1424 19279 0.52MB"),
    ("2.8", "eigenvalue", "stealing", ["--strategy", "stealing"], "421 663 212 163 4.5KB"),
    ("2.8", "eigenvalue", "pushing", ["--strategy", "pushing"], "321 531 187 135 4.1KB"),
    ("2.11", "phylogeny", "stealing", ["--characters", "50", "--strategy", "stealing"], "6636 11694 3288 2609 2.0MB"),
    ("2.11", "phylogeny", "pushing", ["--characters", "50", "--strategy", "pushing"], "24856 38319 12795 9139 1.9MB"),
    ("none", "groebner", "cyclic-6", ["--system", "cyclic", "--n", "6"], "none"),
    ("2.14", "cswec", "regfile", ["--words", "32", "--vectors", "20"], "2376 5656 463 1720 40KB"),
    ("2.14", "circuit", "generated", ["--width", "20", "--depth", "30", "--vectors", "100"], "none"),
    ("4.12", "pipe", "plain", ["--items", "10000"], "none"),
    ("none", "phold", "remote 10%", ["--nodes", "1024", "--remote", "10", "--end", "1000"], "none"),
    ("none", "stealer", "empty", ["--work", "empty", "--tasks", "10000"], "none"),
]


def characterize(program: str, transport: str, ranks: int, arguments: list[str], file: Path) -> Row:
    found = run(program, transport, ranks, [*arguments, "--characteristics", str(file)], ("characteristics",))
    if len(found) != 1 or not file.exists():
        raise BadRow(f"{program}: {len(found)} rows of characteristics, or no {file}: one row and the file were expected")
    return found[0]


def check_of(program: str, ranks: int, arguments: list[str], file: Path) -> Row:
    return characterize(program, f"sim:{ranks}:1", ranks, arguments, file)


def check(folder: Path) -> int:
    """Counts that are known by construction."""
    file, ranks, wrong = folder / "check.csv", 3, []
    graph = ["--remote", "50", "--nodes", "100"]  # each pair of ranks has edges in both directions
    short, long = (check_of("em3d", ranks, [*graph, "--steps", str(steps)], file) for steps in (10, 25))
    more = long.number("communication_events") - short.number("communication_events")
    if more != 15 * 2 * ranks * (ranks - 1):
        wrong.append(f"em3d: {more:.0f} records in 15 steps: expected one for each of 2 phases and 6 pairs, 180")
    if long.number("threads") != short.number("threads"):
        wrong.append("em3d: a step takes a thread: expected none")
    check_of("pipe", ranks, ["--items", "1000", "--item-bytes", "104"], file)
    lines = [line.split(",") for line in file.read_text().splitlines()]
    items = sum(int(count) for name, low, _, count, _ in lines if name == "record_bytes" and int(low) >= 104)
    if items != 1000 * (ranks - 1):
        wrong.append(f"pipe: {items} records of an item's size: expected 1000 on each of 2 edges")
    print(*(wrong or ["characteristics: em3d and pipe have the counts that are expected"]), sep="\n")
    return bool(wrong)


def main(words: list[str]) -> int:
    parser = parser_of("--characteristics", __doc__)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--transport", default="local")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--check", action="store_true", help="compares with counts that are known by construction")
    options = parser.parse_args(words)
    if options.check:
        with tempfile.TemporaryDirectory() as scratch:
            return check(Path(scratch))
    print(f"{'figure':6} {'program':22}", *(f"{title:>11}" for title in TITLES), " thesis: threads fibers sync comm volume")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for figure, program, label, arguments, thesis in PROGRAMS:
            if not transports_of(program, options.transport):
                continue
            file = folder / f"{program}-{label.replace(' ', '-').rstrip('%')}.csv"
            row = characterize(program, options.transport, options.ranks, arguments, file)
            averages = [row.number(key) / row.number("ranks") for key in COLUMNS]
            print(f"{figure:6} {program + ', ' + label:22}", *(f"{value:11.1f}" for value in averages), f" {thesis}", flush=True)
            rows.append(f"bench=characteristics figure={figure} program={program} label={label.replace(' ', '_')} "
                        f"transport={options.transport} "
                        + " ".join(f"{key}={row[key]}" for key in ["ranks", *COLUMNS, "own_records", "packets", "packet_bytes"]))
    print(*rows, sep="\n")
    return 0
