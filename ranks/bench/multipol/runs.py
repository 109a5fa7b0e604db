"""Runs of the programs over transports, and medians of rounds, for the scripts of this folder."""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TypeVar

from rows import BadRow, Row, parse
from samples import interval

K = TypeVar("K", bound=Hashable)
FOLDER = Path(sys.argv[0]).absolute().parent  # of the programs
PLACE = Path(__file__).resolve().parents[4] / "shared/data"
RANKS_SH = Path(__file__).resolve().parents[2] / "ranks.sh"
LIMIT_SECONDS = 1800
RANKS = [1, 2, 3, 4, 8]  # of --results


def start_of(program: str) -> str:
    return str(FOLDER / (program if program == "tripuzzle" else f"bench_multipol_{program}"))


def is_built(program: str, transport: str) -> bool:
    suffix = "" if transport.startswith(("local", "sim")) else f"_{transport.split('-')[0]}"
    return Path(start_of(program) + suffix).exists()


def transports_of(program: str, names: str) -> list[str]:
    """Those of `names` that were built; the others are named."""
    found = []
    for name in names.split(","):
        if is_built(program, name):
            found.append(name)
        else:
            print(f"left out: {program} was not built for {name}", flush=True)
    return found


def command(program: str, transport: str, ranks: int, arguments: list[str]) -> list[str]:
    """Over a transport, or `serial`: no ranks. Tripuzzle has its transport's name from its build."""
    start = start_of(program)
    if transport == "serial":
        return [start, *arguments]
    if transport.startswith(("local", "sim")):
        place = transport if ":" in transport else f"{transport}:{ranks}"
        return [start, "--transport", place, *arguments]
    name = [] if program == "tripuzzle" else ["--name", transport]
    return ["bash", str(RANKS_SH), transport, str(ranks), f"{start}_{transport.split('-')[0]}", *name, *arguments]


def run(program: str, transport: str, ranks: int, arguments: list[str],
        bench: tuple[str, ...] = ("multipol", "tripuzzle")) -> list[Row]:
    """The rows of these benchmarks."""
    words = command(program, transport, ranks, arguments)
    ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    found = [row for row in parse(ended.stdout, program) if row.get("bench") in bench]
    if ended.returncode != 0 or not found or any(row.get("verified", "yes") != "yes" for row in found):
        raise BadRow(f"{' '.join(words)} ended with {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-300:]}")
    return found


def middle(rows: list[Row], key: str) -> float:
    return median([row.number(key) for row in rows])


def spread(values: list[float]) -> tuple[str, str]:
    """The median, and its interval with 95 % confidence."""
    low, high = interval(values)
    return f"{median(values):.3f}", f"{low:.3f}..{high:.3f}"


def ratio(above: list[Row], below: list[Row], key: str = "s", key_below: str = "") -> tuple[str, str]:
    """The median of the quotients within rounds, and its interval. The rows below may have the number under another key."""
    return spread([one.number(key) / other.number(key_below or key) for one, other in zip(above, below)])


def take_turns(ways: Mapping[K, Callable[[int], list[Row]]], rounds: int) -> dict[K, list[Row]]:
    """The rows of each way, which is called with the number of the round."""
    found: dict[K, list[Row]] = {key: [] for key in ways}
    rounds = max(rounds, 1)
    for number in range(rounds):
        for key, way in ways.items():
            found[key] += way(number)
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    return found


def way_of(program: str, transport: str, ranks: int, arguments: list[str]) -> Callable[[int], list[Row]]:
    """For take_turns(): the same in each round."""
    return lambda _: run(program, transport, ranks, arguments)


@dataclass(frozen=True)
class Inputs:
    """What a program reads of the data: a folder, the files' suffix, and names; `other` is generated where they are not."""
    program: str
    folder: str
    suffix: str
    names: list[str]
    other: str
    arguments_of: Callable[[Path, str], list[str]]


def parser_of(name: str, doc: str | None) -> argparse.ArgumentParser:
    """The parser of a script, named by its arguments of bench_multipol."""
    return argparse.ArgumentParser(prog=f"bench_multipol {name}", description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def compare_inputs(words: list[str], doc: str, of: Inputs, times: Callable[[list[str], int, list[str], int], None],
                   results: Callable[[list[str], list[str]], None]) -> int:
    """Compares times for each input, or with --results results."""
    parser = parser_of(f"--program {of.program}", doc)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("SVS_DATA_DIR", PLACE)))
    parser.add_argument("--input", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--transports", default="local,openmpi,mpich")
    parser.add_argument("--results", action="store_true")
    options = parser.parse_args(words)
    transports = transports_of(of.program, options.transports)
    names = options.input.split(",") if options.input else of.names
    if not options.input and not (options.data / of.folder).exists():
        print(f"left out: {of.folder} is not in {options.data}; {of.other} takes its place", flush=True)
        names = [of.other]
    for name in names:
        given = of.arguments_of(options.data, name)
        if not given:
            raise BadRow(f"there is no {name}{of.suffix} in {options.data}/{of.folder}: choose from {', '.join(of.names)}")
        if options.results:
            results(transports, given)
        else:
            times(transports, options.ranks, given, max(options.rounds, 1))
    return 0
