#!/usr/bin/env python3
"""Ranks compared with plain MPI: streams of records, round trips, fibers, slow and idle ranks.

    bench_ranks [--work histogram,insert,...] [--transport openmpi,mpich,openmpi-tcp,mpich-tcp] [--ranks 2]
                [--bytes 16384,...] [--rounds 9] [--count N] [--quick] [--direct-ranks 1]

A subject, ranks_bench_openmpi and so on, is started for each row group by ranks/ranks.sh, and measures SvS and bare MPI in
turn. Rows have medians; ci95 is the interval of the median of the ratios within rounds. `ratio_bare` above 1: SvS is
faster."""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve()
FOLDER = Path(sys.argv[0]).absolute().parent  # of the subjects
SCRIPT = HERE.parents[2] / "ranks.sh"
STREAMS, TRIPS = ["histogram", "insert", "table", "gather", "lookup"], ["pingpong", "barrier", "sync"]
GROWTH = ["scale", "wait", "credit", "flood", "forward", "bulk"]
KEYS = ["cached", "combined"]
WORKS = [*GROWTH, *STREAMS, *KEYS, "aggregate", *TRIPS, "fiber", "offload", "slow", "idle"]
AGGREGATED = [0, 256, 1024, 4096, 16384, 65536]
# Operations of a rank in a round: small buffers, TCP and the quick run take fewer.
QUICK = {"histogram": 1000000, "insert": 500000, "table": 500000, "gather": 500000, "lookup": 500000, "cached": 100000, "combined": 500000, "aggregate": 1000000, "pingpong": 2000, "barrier": 2000,
         "sync": 500, "slow": 200000, "flood": 2000, "forward": 100000}
LIMIT_SECONDS = 600


def start(transport: str, ranks: int, arguments: list[str]) -> bool:
    """Runs a subject, and prints its rows."""
    rows = run(transport, ranks, arguments)
    if rows:
        print(rows, flush=True)
    return rows is not None


def run(transport: str, ranks: int, arguments: list[str]) -> str | None:
    """Runs a subject. Returns its rows, or None if it has failed."""
    mpi = transport.split("-")[0]
    program = FOLDER / f"ranks_bench_{'local' if mpi == 'sim' else mpi}"
    environment = dict(os.environ)
    command = [str(program), *arguments, "--name", transport]
    if mpi in ("local", "sim"):
        environment["SVS_TRANSPORT"] = f"{mpi}:{ranks}" + (":1" if mpi == "sim" else "")
    else:
        command = ["bash", str(SCRIPT), transport, str(ranks), *command]
    if not os.access(program, os.X_OK):
        print(f"left out: {program.name} was not built, as {mpi} is not installed", flush=True)
        return ""
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        print(f"{' '.join(command)}: took more than {LIMIT_SECONDS} s", file=sys.stderr)
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def value_of(rows: str, key: str) -> float:
    """The number of the key in the first row of SvS."""
    return next(float(word.split("=")[1]) for word in rows.split() if word.startswith(key + "="))


def compare_grid(work: str, transport: str, options: argparse.Namespace) -> bool:
    """The same work directly and over the grid, in turn; ratio_direct is the median of the ratios of the speeds."""
    pairs = []
    for _ in range(options.rounds):
        rows = [run(transport, options.ranks, ["--work", work, "--rounds", "1", "--engine", "svs", "--direct-ranks", str(ranks),
                                               *count_of(work, transport, [], options)]) for ranks in (65535, options.direct_ranks)]
        if None in rows:
            return False
        pairs.append(rows)
    middle = sorted(pairs, key=lambda rows: value_of(rows[1], "mops_rank") / value_of(rows[0], "mops_rank"))[len(pairs) // 2]
    speed, size = ([value_of(rows, key) for rows in middle] for key in ("mops_rank", "bytes_op"))
    print(f"{middle[1].strip()} ratio_direct={speed[1] / speed[0]:.3f} ratio_bytes={size[1] / size[0]:.3f} pairs={len(pairs)}",
          flush=True)
    return True


def groups_of(work: str, options: argparse.Namespace) -> list[tuple[str, int, list[str]]]:
    """The starts of a work: transport, number of ranks, further arguments."""
    if work == "scale":
        return [("sim", ranks, []) for ranks in (64, 256, 1024)] + [(transport, ranks, []) for transport in options.transport
                                                                    for ranks in (2, 4, 8)]
    if work == "credit":
        return [("sim", 2, ["--count", str(count)]) for count in (100, 10000)]
    if work in ("wait", "flood", "forward"):
        return [("local", {"wait": 1, "flood": 64, "forward": 3}[work], [])]
    if work == "bulk":
        return [(transport, 2, []) for transport in options.transport]
    if work == "fiber":
        return [("local", 1, [])]
    if work == "offload":
        return [("local", 2, [])]
    if work in KEYS:
        return [(transport, options.ranks, []) for transport in ["local", *options.transport]]
    if work == "idle":
        return [(transport, 5, ["--rounds", "1"]) for transport in ["local", *options.transport] if "-" not in transport]
    if work == "slow":
        return [(transport, options.ranks, ["--rounds", "1", "--engine", engine])
                for transport in options.transport for engine in ("svs", "bare")]
    if work == "lookup":  # uniform keys, and Zipf's
        return [(transport, options.ranks, ["--bytes", str(size), *keys])
                for transport in options.transport for size in options.bytes for keys in ([], ["--zipf"])]
    sizes = AGGREGATED if work == "aggregate" and not options.bytes_given else options.bytes
    sizes = sizes if work not in TRIPS else [16384]
    return [(transport, 2 if work == "pingpong" else options.ranks, ["--bytes", str(size)])
            for transport in options.transport for size in sizes]


def count_of(work: str, transport: str, arguments: list[str], options: argparse.Namespace) -> list[str]:
    if options.count:
        return ["--count", str(options.count)]
    if work not in QUICK:
        return []
    few = options.quick or transport.endswith("-tcp") or (work == "aggregate" and int(arguments[1]) < 4096)
    return ["--count", str(QUICK[work])] if few else []


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench_ranks", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-w", "--work", type=lambda text: text.split(","), default=WORKS)
    parser.add_argument("-t", "--transport", type=lambda text: text.split(","), default=["openmpi", "mpich"])
    parser.add_argument("-n", "--ranks", type=int, default=2)
    parser.add_argument("--direct-ranks", type=int, help="streams over the grid, beside the direct way in the same run")
    parser.add_argument("-b", "--bytes", type=numbers)
    parser.add_argument("-r", "--rounds", type=int)
    parser.add_argument("-c", "--count", type=int)
    parser.add_argument("-q", "--quick", action="store_true", help="fewer operations, 3 rounds")
    options = parser.parse_args()
    unknown = sorted(set(options.work) - set(WORKS))
    if unknown:
        parser.error(f"no work {', '.join(unknown)}: choose from {', '.join(WORKS)}")
    options.bytes_given = bool(options.bytes)
    options.bytes = options.bytes or [16384]
    options.rounds = options.rounds or (3 if options.quick else 9)
    return options


def main() -> int:
    options = read_options()
    good = True
    for work in options.work:
        if options.direct_ranks and work in STREAMS:
            for transport in options.transport:
                good = compare_grid(work, transport, options) and good
            continue
        for transport, ranks, arguments in groups_of(work, options):
            rounds = [] if "--rounds" in arguments else ["--rounds", str(options.rounds)]
            seconds = ["--seconds", "2" if options.quick else "10"] if work == "idle" else []
            good = start(transport, ranks, ["--work", work, *arguments, *rounds, *seconds,
                                            *count_of(work, transport, arguments, options)]) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
