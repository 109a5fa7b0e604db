"""The settings of an evaluation, its measurements so far, and its time left."""
from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
import time
from dataclasses import dataclass, field

import children
import rows

PROGRAM_PARTS = ["fluidanimate", "canneal", "quakesquad"]
# The choices of --only.
PARTS = [*PROGRAM_PARTS, "loses", "cost", "width", "links", "tracing", "storage", "lca", "retain"]

# Seconds of each part on two quiet CPUs: what it takes besides its rounds, a round of its runs,
# and how many rounds there are.
SECONDS: dict[str, list[tuple[float, float, float]]] = {
    "tiny": [(1, .2, 1), (1, .2, 1), (3, 1, 1), (1, 0, 0), (0, 0, 0), (0, 0, 0), (2, 0, 0),
             (1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)],
    "quick": [(12, 2.3, 9), (18, 4, 6), (15, 17, 4), (6, 0, 0), (0, 0, 0), (1, 0, 0), (4, 0, 0),
              (12, 0, 0), (3, 0, 0), (10, 0, 0), (2, 0, 0)],
    "whole": [(70, 7, 14), (65, 4, 25), (75, 40, 5), (25, 0, 0), (0, 0, 0), (1, 0, 0), (8, 0, 0),
              (36, 0, 0), (20, 0, 0), (70, 0, 0), (4, 0, 0)],
    "long": [(80, 8, 31), (80, 14, 31), (110, 48, 31)]}  # of the three programs only
# A quick evaluation takes four minutes at most, a whole one fifteen; some of it is a reserve. A long one has all of
# its rounds, whatever they take.
ALL_SECONDS = {"tiny": 600, "quick": 225, "whole": 860, "long": math.inf}


@dataclass
class Session:
    options: argparse.Namespace
    rows: list[rows.Row] = field(default_factory=list)  # what was measured
    started: float = field(default_factory=time.monotonic)

    @property
    def scale(self) -> str:
        return self.options.scale

    @property
    def parts(self) -> list[str]:
        if self.options.only:
            return [self.options.only]
        return PROGRAM_PARTS if self.scale == "long" else PARTS

    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def progress(self, text: str) -> None:
        minutes, seconds = divmod(int(self.elapsed()), 60)
        print(f"[{minutes:2}:{seconds:02}] {text}", flush=True)

    def record(self, **values: object) -> None:
        self.rows.append(rows.make(**values))

    def problem(self, part: str, text: str) -> None:
        """A fault that does not end the evaluation; the page shows it, too."""
        print(f"problem: {text}", file=sys.stderr, flush=True)
        self.record(bench="problem", part=part, text=text)

    def program(self, name: str) -> str | None:
        return shutil.which(str(self.options.programs / name))

    def part_seconds(self, part: str) -> float:
        fixed, each, count = SECONDS[self.scale][PARTS.index(part)]
        return fixed + each * (self.options.rounds or count)

    def share(self, part: str) -> float:
        """How much of their time the parts from `part` on may take, so that the whole ends in time:
        1 on a quiet machine, less when what came before took longer."""
        coming = [p for p in self.parts if PARTS.index(p) >= PARTS.index(part)]
        left = ALL_SECONDS[self.scale] - self.elapsed()
        return max(0.0, min(1.0, left / sum(map(self.part_seconds, coming))))

    def bench(self, part: str, name: str, words: str) -> None:
        """Runs a benchmark and keeps its rows."""
        path = self.program(f"bench_{name}")
        if not path:
            self.problem(part, f"bench_{name} is not among the programs in {self.options.programs} "
                               "(./dev build makes them; width and links need Google Benchmark)")
            return
        self.progress(f"bench {name} {words}")
        child = children.run([path, *words.split()], 120 if self.scale == "quick" else 600)
        if child.status:
            self.problem(part, f"bench_{name}: {child.complaint}")
        try:
            self.rows += rows.parse(child.output, f"the output of bench_{name}")
        except rows.BadRow as error:
            self.problem(part, str(error))


def cpus() -> int:
    return len(os.sched_getaffinity(0))


def print_plan(session: Session) -> None:
    options = session.options
    minutes, seconds = divmod(int(sum(map(session.part_seconds, session.parts))), 60)
    less = "" if options.rounds or math.isinf(ALL_SECONDS[session.scale]) else "; on a busy one, fewer rounds"
    print(f"{options.out}: about {minutes}:{seconds:02} on a quiet machine{less}")
    for part in session.parts:
        print(f"  {part:12} {session.part_seconds(part):4.0f} s")
    load = os.getloadavg()[0]
    if load > 0.5 * cpus():
        print(f"  The machine is busy: {load:.1f} processes want its {cpus()} CPUs. Times of "
              "several threads will say little.")
    sys.stdout.flush()
