#!/usr/bin/env python3
"""Tripuzzle over ranks compared with the serial program (figure 5.3 of Wen's thesis).

    bench_tripuzzle [--rows 7] [--rounds 3] [--symmetry] [--transports local,openmpi,mpich] [--only times|results]

Times: hole 13 (of 7 rows: the middle of the 5th) on 2 ranks, FIFO and in-place inserts, buffers of 1K, 4K and 16K; each
round runs the serial program and all of these in turn. ratio_serial is the serial time by that of the same round, the
median of all rounds; ci95 an interval that contains the true median with 95 % (below 6 rounds: all values). ratio_cpu is
the same with the processor time of the serial program and of one rank, which other programs on the machine change less.
Results: each known result on 1, 2, 4 and 8 ranks, with symmetry, and the levels of hole 13 without."""
from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench/evaluation"))

from rows import BadRow, Row, parse
from samples import interval

FOLDER = Path(sys.argv[0]).absolute().parent  # of the programs
RANKS_SH = Path(__file__).resolve().parents[2] / "ranks.sh"
HOLES = {5: [1, 2, 4, 5], 6: [1, 2, 4, 5, 13], 7: [1, 2, 4, 5, 7, 8, 13]}
WAYS = [(scheduler, size) for scheduler in ("fifo", "in_place") for size in (1024, 4096, 16384)]
LIMIT_SECONDS = 1800


def command(transport: str, ranks: int, arguments: list[str]) -> list[str]:
    if transport == "serial":
        return [str(FOLDER / "tripuzzle"), "--serial", *arguments]
    if transport == "local":
        return [str(FOLDER / "tripuzzle"), "--transport", f"local:{ranks}", *arguments]
    return ["bash", str(RANKS_SH), transport, str(ranks), str(FOLDER / f"tripuzzle_{transport}"), *arguments]


def run(transport: str, ranks: int, arguments: list[str]) -> Row:
    words = command(transport, ranks, arguments)
    ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    found = [row for row in parse(ended.stdout, "tripuzzle") if row.get("bench") == "tripuzzle"]
    if ended.returncode != 0 or len(found) != 1:
        raise BadRow(f"{' '.join(words)} ended with {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-300:]}")
    found[0].pairs["transport"] = transport
    return found[0]


def show(row: Row, extra: str) -> None:
    keys = ["rows", "hole", "symmetry", "ranks", "transport", "scheduler", "bytes", "boards"]
    print("bench=tripuzzle", *(f"{key}={row[key]}" for key in keys), extra, f"verified={row['verified']}", flush=True)


def tell(number: int, rounds: int, what: str, row: Row) -> None:
    """Progress, in addition to the rows."""
    print(f"round {number + 1} of {rounds}: {what}: {row['s']} s", file=sys.stderr, flush=True)


def times(transports: list[str], arguments: list[str], rounds: int) -> None:
    runs: dict[tuple[str, str, int], list[Row]] = {}
    serial: list[Row] = []
    for number in range(rounds):
        serial.append(run("serial", 0, arguments))
        tell(number, rounds, "serial", serial[-1])
        for transport in transports:
            for scheduler, size in WAYS:
                way = ["--scheduler", scheduler, "--bytes", str(size)]
                mine = runs.setdefault((transport, scheduler, size), [])
                mine.append(run(transport, 2, arguments + way))
                tell(number, rounds, f"{transport} {scheduler} {size}", mine[-1])
    show(serial[0], f"s={median([row.number('s') for row in serial]):.3f}")
    for mine in runs.values():
        ratios = [one.number("s") / other.number("s") for one, other in zip(serial, mine)]
        cpu = [one.number("cpu_s") / other.number("cpu_s") for one, other in zip(serial, mine)]
        low, high = interval(ratios)
        show(mine[0], f"s={median([row.number('s') for row in mine]):.3f} ratio_serial={median(ratios):.3f} "
                      f"ci95={low:.3f}..{high:.3f} ratio_cpu={median(cpu):.3f}")


def results(transports: list[str], rows: int) -> None:
    for hole in HOLES[rows]:
        for symmetry in [["--symmetry"], []] if hole == 13 else [["--symmetry"]]:
            for transport in transports:
                for ranks in (1, 2, 4, 8):
                    row = run(transport, ranks, ["--rows", str(rows), "--hole", str(hole), *symmetry])
                    show(row, f"s={row['s']} solutions={row['solutions']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=7, choices=sorted(HOLES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--symmetry", action="store_true")
    parser.add_argument("--transports", default="local,openmpi,mpich")
    parser.add_argument("--only", choices=["times", "results"])
    options = parser.parse_args()
    transports = [name for name in options.transports.split(",")
                  if name == "local" or (FOLDER / f"tripuzzle_{name}").exists()]
    hole = HOLES[options.rows][-1]
    arguments = ["--rows", str(options.rows), "--hole", str(hole), *(["--symmetry"] if options.symmetry else [])]
    try:
        if options.only != "results":
            times(transports, arguments, max(options.rounds, 1))
        if options.only != "times":
            results(transports, options.rows)
    except (BadRow, subprocess.TimeoutExpired) as failure:
        print(f"bench_tripuzzle: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
