"""Gain by aggregation of records into buffers (figure 3.6 of Wen's thesis): PIPE, Circuit and CSWEC, shared memory and TCP.

    bench_multipol --aggregation [--data FOLDER] [--programs pipe,circuit,cswec] [--rounds 5] [--ranks 2]
        [--transports openmpi,openmpi-tcp,mpich,mpich-tcp] [--bytes 1024]

FOLDER holds ISCAS-85; without it, Circuit is generated. Each round runs with buffers of --bytes, and with none: each record is a
message. gain_percent is what buffers save of the time without them: the median of all rounds, ci95 an interval that contains
it. messages are those of all ranks, records those of the graph, which are equal in both."""
from __future__ import annotations

import argparse
from pathlib import Path

from rows import Row
from runs import median, middle, parser_of, run, transports_of
from samples import interval

THESIS = {"cswec": "Sparc-cluster:large,CM5:small"}  # a picture without numbers


def arguments_of(asked: argparse.Namespace) -> dict[str, list[str]]:
    c880 = Path(asked.data) / "c880.bench"
    circuit = ["--netlist", str(c880)] if c880.exists() else ["--width", "40", "--depth", "20"]
    return {"pipe": ["--items", "20000"], "circuit": [*circuit, "--vectors", "100"], "cswec": ["--words", "32", "--vectors", "4"]}


def show(program: str, alone: list[Row], together: list[Row]) -> None:
    first = together[0]
    gains = [100 * (1 - some.number("s") / none.number("s")) for none, some in zip(alone, together)]
    low, high = interval(gains)
    keys = [key for key in ("messages", "records", "events") if first.get(key)]
    print(f"bench=multipol figure=3.6 program={program} ranks={first['ranks']} transport={first['transport']}",
          f"bytes={first['bytes']} s={middle(together, 's'):.6f} s_alone={middle(alone, 's'):.6f}",
          f"gain_percent={median(gains):.1f} ci95={low:.1f}..{high:.1f}",
          *(f"{key}={middle(together, key):.0f} {key}_alone={middle(alone, key):.0f}" for key in keys),
          f"thesis={THESIS.get(program, 'none')} verified=yes", flush=True)


def main(words: list[str]) -> int:
    parser = parser_of("--aggregation", __doc__)
    parser.add_argument("--data", default=".")
    parser.add_argument("--programs", default="pipe,circuit,cswec")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--transports", default="openmpi,openmpi-tcp,mpich,mpich-tcp")
    parser.add_argument("--bytes", default="1024")
    asked = parser.parse_args(words)
    for program in asked.programs.split(","):
        arguments = arguments_of(asked)[program]
        for transport in transports_of(program, asked.transports):
            alone: list[Row] = []
            together: list[Row] = []
            for _ in range(asked.rounds):
                alone += run(program, transport, asked.ranks, [*arguments, "--bytes", "0"])
                together += run(program, transport, asked.ranks, [*arguments, "--bytes", asked.bytes])
            show(program, alone, together)
    return 0
