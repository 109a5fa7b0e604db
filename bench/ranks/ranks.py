#!/usr/bin/env python3
"""Ranks beside plain MPI: streams of records, round trips, fibers, slow and idle ranks.

    bench_ranks [--work histogram,insert,...] [--transport openmpi,mpich,openmpi-tcp,mpich-tcp] [--ranks 2]
                [--bytes 16384,...] [--rounds 9] [--count N] [--quick]

A subject, ranks_bench_openmpi and so on, is started for each row group by tools/ranks.sh, and measures SvS and bare MPI in
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
SCRIPT = HERE.parents[2] / "tools" / "ranks.sh"
STREAMS, TRIPS = ["histogram", "insert", "table", "gather"], ["pingpong", "barrier", "sync"]
WORKS = [*STREAMS, "aggregate", *TRIPS, "fiber", "offload", "slow", "idle"]
AGGREGATED = [0, 256, 1024, 4096, 16384, 65536]
TCP = {"openmpi": {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1"}, "mpich": {"UCX_TLS": "tcp,self"}}
# Operations of a rank in a round: small buffers, TCP and the quick run take fewer.
QUICK = {"histogram": 1000000, "insert": 500000, "table": 500000, "gather": 500000, "aggregate": 1000000, "pingpong": 2000, "barrier": 2000,
         "sync": 500, "slow": 200000}
LIMIT_SECONDS = 600


def start(transport: str, ranks: int, arguments: list[str]) -> bool:
    """Runs a subject, and prints its rows."""
    mpi = transport.split("-")[0]
    program = FOLDER / f"ranks_bench_{mpi}"
    environment = dict(os.environ)
    command = [str(program), *arguments, "--name", transport]
    if mpi == "local":
        environment["SVS_TRANSPORT"] = f"local:{ranks}"
    else:
        command = ["bash", str(SCRIPT), mpi, str(ranks), *command]
        environment |= TCP[mpi] if transport.endswith("-tcp") else {}
    if not os.access(program, os.X_OK):
        print(f"left out: {program.name} was not built, as {mpi} is not installed", flush=True)
        return True
    try:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        print(f"{' '.join(command)}: took more than {LIMIT_SECONDS} s", file=sys.stderr)
        return False
    print(done.stdout.strip(), flush=True)
    return done.returncode == 0


def groups_of(work: str, options: argparse.Namespace) -> list[tuple[str, int, list[str]]]:
    """The starts of a work: transport, number of ranks, further arguments."""
    if work == "fiber":
        return [("local", 1, [])]
    if work == "offload":
        return [("local", 2, [])]
    if work == "idle":
        return [(transport, 5, ["--rounds", "1"]) for transport in ["local", *options.transport] if "-" not in transport]
    if work == "slow":
        return [(transport, options.ranks, ["--rounds", "1", "--engine", engine])
                for transport in options.transport for engine in ("svs", "bare")]
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
        for transport, ranks, arguments in groups_of(work, options):
            rounds = [] if "--rounds" in arguments else ["--rounds", str(options.rounds)]
            seconds = ["--seconds", "2" if options.quick else "10"] if work == "idle" else []
            good = start(transport, ranks, ["--work", work, *arguments, *rounds, *seconds,
                                            *count_of(work, transport, arguments, options)]) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
