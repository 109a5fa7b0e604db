"""Speed-ups of the programs (figure 5.11 of Wen's thesis): each serial program by the same over ranks.

    bench_multipol --speedups [--programs eigenvalue,phylogeny,groebner,em3d,tripuzzle] [--rounds 5] [--ranks 1,2,4,8]
        [--transports openmpi] [--data FOLDER] [--quick]

Each round runs the serial program, and then the one over each number of ranks. `speedup` is the serial time by that of the same
round, ratio_cpu the serial processor time by that of all ranks: 1 is no loss. Where ranks share processors, as 4 and 8 on a small
machine do, ratio_cpu is the one to read. EM3D has a graph for each number of ranks, and so a serial program: its elision.
`thesis` has the speed-ups by the number of processors: CM5, Paragon, SP1. Medians; speedup_ci95 is an interval that contains that
of `speedup`. Without the data, inputs are random; --quick takes small ones, to see that all is right."""
from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import eigenvalue
import groebner
import phylogeny
from rows import Row
from runs import PLACE, middle, parser_of, ratio, run, take_turns, transports_of

THESIS = {"eigenvalue": "14.6/32,5.8/8,6.0/8", "phylogeny": "9.7/32,3.4/8,6.1/8", "tripuzzle": "22.0/32,4.7/8,5.1/8"}
# The input, a small one, and what takes its place without the data.
INPUTS = {"eigenvalue": ("T_bcsstkm13_3", "random_300", "random_6000"),
          "phylogeny": ("primates14_first50sites:uncured", "random_20", "random_60"),
          "groebner": ("cyclic-6", "cyclic-5", ""), "em3d": ("10%", "20%", ""), "tripuzzle": ("7-13", "6-1", "")}
SERIAL = {"tripuzzle": ["--serial"], "em3d": ["--serial"]}  # the others: --engine serial


def input_of(program: str, data: Path, quick: bool) -> tuple[str, list[str]]:
    """The name, and the arguments."""
    name, small, other = INPUTS[program]
    name = small if quick else name
    if program == "groebner":
        return name, groebner.arguments_of(name)
    if program == "em3d":
        return name, ["--remote", name.rstrip("%"), "--steps", "10" if quick else "1000"]
    if program == "tripuzzle":
        rows, hole = name.split("-")
        return name, ["--rows", rows, "--hole", hole, "--symmetry"]
    arguments_of = (eigenvalue if program == "eigenvalue" else phylogeny).arguments_of
    found = arguments_of(data, name)
    if found:
        return name, found
    print(f"left out: {name} is not in {data}; {other} takes its place", flush=True)
    return other, arguments_of(data, other)


def ways_of(program: str, transport: str, ranks: list[int], words: list[str]) -> dict[tuple[str, int], Callable[[int], list[Row]]]:
    def serial(count: int) -> Callable[[int], list[Row]]:
        way = SERIAL.get(program, ["--engine", "serial"]) + ([str(count)] if program == "em3d" else [])
        return lambda _: run(program, "serial", 1, words + way)

    def over(count: int) -> Callable[[int], list[Row]]:
        return lambda _: run(program, transport, count, words)
    ways = {("serial", count): serial(count) for count in (ranks if program == "em3d" else [1])}
    return {**ways, **{("ranks", count): over(count) for count in ranks}}


def show(program: str, name: str, transport: str, count: int, serial: list[Row], mine: list[Row]) -> None:
    cpu = "all_cpu_s" if program == "tripuzzle" else "cpu_s"  # of all ranks
    speedup, low_high = ratio(serial, mine)
    print(f"bench=multipol figure=5.11 program={program} input={name} ranks={count} transport={transport}",
          f"s={middle(mine, 's'):.6f} cpu_s={middle(mine, cpu):.6f}",
          f"serial_s={middle(serial, 's'):.6f} serial_cpu_s={middle(serial, cpu):.6f}",
          f"speedup={speedup} speedup_ci95={low_high} ratio_cpu={ratio(serial, mine, cpu)[0]}",
          f"thesis={THESIS.get(program, 'none')} verified={mine[0]['verified']}", flush=True)


def speed_up(program: str, transport: str, asked: argparse.Namespace) -> None:
    ranks = [int(count) for count in asked.ranks.split(",")]
    name, words = input_of(program, asked.data, asked.quick)
    runs = take_turns(ways_of(program, transport, ranks, words), asked.rounds)
    if program == "phylogeny":
        phylogeny.agree([row for rows in runs.values() for row in rows])
    for count in ranks:
        show(program, name, transport, count, runs["serial", count if program == "em3d" else 1], runs["ranks", count])


def main(words: list[str]) -> int:
    parser = parser_of("--speedups", __doc__)
    parser.add_argument("--programs", default=",".join(INPUTS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", default="1,2,4,8")
    parser.add_argument("--transports", default="openmpi")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("SVS_DATA_DIR", PLACE)))
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args(words)
    programs = asked.programs.split(",")
    if unknown := sorted(set(programs) - set(INPUTS)):
        parser.error(f"no program {', '.join(unknown)}: choose from {', '.join(INPUTS)}")
    for program in programs:
        for transport in transports_of(program, asked.transports):
            speed_up(program, transport, asked)
    return 0
