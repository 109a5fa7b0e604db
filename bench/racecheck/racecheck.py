#!/usr/bin/env python3
"""The cost of race checks, and their gain from the steal tree (Steal Tree figure 9).

    bench_racecheck [--quick] [--program heat] [--policy work-first] [--figure 9 | --slowdown] [--runs 5] [--threads 2]
                    [--workers 1,2,4,8,16,32] [--yield-one-in 1]

Slowdown: each program without a check, with svs::check, and with the compilers' own checker (-fsanitize=thread), by gcc
and by clang; all in turn, medians. Figure 9: edges of the tree that are walked to find how two steps are ordered, by
each of the three ways on the same queries.

The programs are in other executables, the subjects: one for each compiler and way of checking:
racecheck_gcc_plain, racecheck_clang_ours, racecheck_gcc_tsan and so on. Each runs one program once and prints a line."""
from __future__ import annotations

import argparse
import math
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "evaluation"))

import children
from rows import NAN, Row, parse
from samples import percentile

FOLDER = Path(sys.argv[0]).absolute().parent  # of the subjects
COMPILERS, WAYS, POLICIES = ["gcc", "clang"], ["plain", "ours", "tsan"], ["help-first", "work-first"]
LIMIT_SECONDS, EX_USAGE, SEED = 300, 64, 20110331


@dataclass(frozen=True)
class Program:
    name: str  # in addition to the plain loops: the suite's heat and matmul are cilk-heat and cilk-matmul
    subject: str  # what the subjects call it, and figure 9, which has the suite's alone
    quick: list[int]
    usual: list[int]
    figure_9: list[int] | None = None  # sizes at which 32 workers, which yield at each spawn, take a second or so


# A task that has placed a queen asks about its own children alone, so that the steal tree saves only where steals have
# parted these: in figure 9 there are two rows of tasks, and many of them are stolen.
PROGRAMS = [Program("matmul", "loop-matmul", [200], [400]),
            Program("heat", "loop-heat", [500, 10], [1000, 30]),
            Program("allqueens", "allqueens", [9, 2], [12, 8], [14, 2]),
            Program("cholesky", "cholesky", [300, 2000], [600, 5000]),
            Program("fft", "fft", [1 << 14], [1 << 18]),
            Program("fib", "fib", [20], [27]),
            Program("cilk-heat", "heat", [512, 64, 5], [1024, 1024, 10], [4096, 64, 5]),
            Program("lu", "lu", [128], [512], [512]),
            Program("cilk-matmul", "matmul", [150], [400], [300]),
            Program("nbody", "nbody", [200, 2], [1000, 3], [1000, 2]),
            Program("strassen", "strassen", [128], [512])]

printed_rows: list[str] = []  # below the tables


def table(format_: str, *cells: object) -> None:
    print(format_ % cells if cells else format_, flush=True)


def text(value: float, digits: int) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else "-"


# ---- subjects ----

def path_of(compiler: str, way: str) -> Path:
    return FOLDER / f"racecheck_{compiler}_{way}"


def run_subject(path: Path, program: Program, policy: str, threads: int, sizes: list[int],
                check_options: str = "") -> tuple[Row, float] | None:
    """@return what it measured, and its peak memory in MB; None when it failed, which is said on stderr"""
    os.environ["TSAN_OPTIONS"] = "atexit_sleep_ms=0"  # the compilers' own sleep for a second when a process ends
    os.environ["SVS_CHECK_OPTIONS"] = check_options
    child = children.run([str(path), program.subject, policy, str(threads), *map(str, sizes)], LIMIT_SECONDS)
    lines = [line for line in child.output.splitlines() if line.startswith("subject=racecheck ")]
    if child.status or not lines:
        print(f"{path} {program.subject}: {child.complaint}", file=sys.stderr)
        return None
    return parse(lines[-1], str(path))[-1], child.peak_mb


# ---- the slowdown ----

@dataclass
class Subject:
    path: Path
    there: bool = False
    failed: bool = False
    seconds: list[float] = field(default_factory=list)  # of each round
    mb: list[float] = field(default_factory=list)

    @property
    def measured(self) -> bool:
        return self.there and not self.failed

    def median(self, values: list[float]) -> float:
        return percentile(sorted(values), 50) if self.measured else NAN


def ratio_of(one: Subject, other: Subject) -> tuple[float, float]:
    """@return the median of the ratios within each round, as the machine's load changes, and their spread in percent"""
    if not one.measured or not other.measured:
        return NAN, NAN
    ratios = sorted(a / b for a, b in zip(one.seconds, other.seconds))
    median = percentile(ratios, 50)
    return median, 100 * (percentile(ratios, 75) - percentile(ratios, 25)) / median


def report_slowdown(options: argparse.Namespace, program: Program, subjects: dict[tuple[str, str], Subject],
                    compiler: str) -> None:
    plain, ours = subjects[compiler, "plain"], subjects[compiler, "ours"]
    all_four = [plain, ours, subjects["gcc", "tsan"], subjects["clang", "tsan"]]
    if not plain.measured and not ours.measured:
        return
    (to_plain, plain_spread), (to_gcc, gcc_spread), (to_clang, clang_spread) = (
        ratio_of(ours, other) for other in (plain, *all_four[2:]))
    seconds = [text(each.median(each.seconds), 4) for each in all_four]
    mb = [text(each.median(each.mb), 2) for each in all_four]
    table("%-12s %-6s %9s %9s %9s %9s %8s %8s %7s%% %8s %8s %8s", program.name, compiler, *seconds,
          text(to_plain, 2), text(to_clang, 2), text(clang_spread, 2), *mb[1:])
    keys = ["plain", "ours", "gcc_tsan", "clang_tsan"]
    printed_rows.append(" ".join([
        f"bench=racecheck program={program.name} compiler={compiler} policy={options.policy or POLICIES[0]} "
        f"threads={options.threads} runs={options.runs}",
        *(f"{key}_s={value}" for key, value in zip(keys, seconds)), *(f"{key}_mb={value}" for key, value in zip(keys, mb)),
        f"slowdown={text(to_plain, 2)} slowdown_spread_pct={text(plain_spread, 2)} "
        f"ours_over_gcc_tsan={text(to_gcc, 2)} gcc_spread_pct={text(gcc_spread, 2)} "
        f"ours_over_clang_tsan={text(to_clang, 2)} clang_spread_pct={text(clang_spread, 2)}"]))


def measure_slowdown(options: argparse.Namespace, program: Program) -> bool:
    subjects = {(compiler, way): Subject(path := path_of(compiler, way), os.access(path, os.X_OK))
                for compiler in COMPILERS for way in WAYS}
    order = list(subjects.values())
    for number in range(options.runs):
        for one in order[number % len(order):] + order[:number % len(order)]:  # begun with another one each time
            if not one.measured:
                continue
            found = run_subject(one.path, program, options.policy or POLICIES[0], options.threads,
                                program.quick if options.quick else program.usual)
            one.failed = not found
            if found:
                one.seconds.append(found[0].number("seconds"))
                one.mb.append(found[1])
    for compiler in COMPILERS:
        report_slowdown(options, program, subjects, compiler)
    return not any(one.failed for one in order)


def slowdown(options: argparse.Namespace) -> bool:
    table("The cost of a check: %s, %d workers, medians of %d runs in turn; ours compiled by gcc and by clang, each "
          "beside both compilers' own", options.policy or POLICIES[0], options.threads, options.runs)
    for compiler in COMPILERS:
        for way in WAYS:
            if not os.access(path_of(compiler, way), os.X_OK):
                table("left out: %s %s was not built (target racecheck_subjects; the compiler or its runtime may be "
                      "missing)", compiler, way)
    table("%-12s %-6s %9s %9s %9s %9s %8s %8s %8s %8s %8s %8s", "program", "by", "plain s", "ours s", "gcc tsan",
          "clang tsan", "/ plain", "/ clang", "spread", "ours MB", "gcc MB", "clang MB")
    return all([measure_slowdown(options, program) for program in PROGRAMS if options.program in (None, program.name)])


# ---- figure 9 ----
# Each query of a run is answered in all three ways, so the edges are those of the same queries. A worker that gives its
# CPU away at each spawn lets others steal: so two CPUs have the working phases of a large machine.

def report_figure_9(name: str, policy: str, workers: int, run: Row, mb: float) -> None:
    labels, steal_tree, walk = (run.number(f"{way}_edges") for way in ("label", "stealtree", "walk"))
    saved = [100 * (1 - less / walk) if walk > 0 else 0 for less in (steal_tree, labels)]
    queries, phases, accesses, lost, merged = (
        run.number(key) for key in ("queries", "phases", "accesses", "lost", "merged"))
    table("%-10s %-10s %7d %9.0f %10.0f %11.0f %11.0f %11.0f %8.1f%% %8.1f%%", name, policy, workers, phases, queries,
          walk, steal_tree, labels, *saved)
    printed_rows.append(
        f"bench=racecheck figure=9 program={name} policy={policy} workers={workers} walk_edges={walk:.0f} "
        f"stealtree_edges={steal_tree:.0f} label_edges={labels:.0f} reduction_pct={saved[0]:.2f} "
        f"label_reduction_pct={saved[1]:.2f} queries={queries:.0f} phases={phases:.0f} accesses={accesses:.0f} "
        f"lost={lost:.0f} merged={merged:.0f} mb={mb:.1f}")


def figure_9(options: argparse.Namespace) -> bool:
    path = next((path for compiler in COMPILERS if os.access(path := path_of(compiler, "ours"), os.X_OK)), None)
    if not path:
        table("\nFigure 9 is left out: no subject was built for svs::check")
        return True
    table("\nFigure 9: edges walked for the same queries, by each way; workers give their CPU away at one spawn in %d "
          "(0: never)\n%-10s %-10s %7s %9s %10s %11s %11s %11s %9s %9s", options.yield_one_in, "program", "policy",
          "workers", "phases", "queries", "walk", "steal tree", "labels", "saved", "by labels")
    good = True
    for program in PROGRAMS:
        if not program.figure_9 or options.program not in (None, program.name, program.subject):
            continue
        for policy in POLICIES:
            for workers in options.workers if options.policy in (None, policy) else []:
                found = run_subject(path, program, policy, workers, program.quick if options.quick else program.figure_9,
                                    f"compare=1:yield_one_in={options.yield_one_in}:seed={SEED}")
                good = good and bool(found)
                if found:
                    report_figure_9(program.subject, policy, workers, *found)
    table("(the paper, 1 to 32 cores of POWER 7: over 70% for heat, 50 to 60% for matmul, over 30% for nbody, 40 to "
          "50% for lu, 20 to 30% for allqueens)")
    return good


# ---- options ----

def whole(least: int, most: int):
    def read(word: str) -> int:
        if not word.isdecimal() or not least <= int(word) <= most:
            raise argparse.ArgumentTypeError(f"'{word}' is not a whole number from {least} to {most}")
        return int(word)
    return read


def one_of(names: list[str]):
    def read(word: str) -> str:
        if word not in names:
            raise argparse.ArgumentTypeError(f"'{word}' is not one of {', '.join(names)}")
        return word
    return read


class Parser(argparse.ArgumentParser):
    def error(self, message: str):
        self.print_usage(sys.stderr)
        self.exit(EX_USAGE, f"bench_racecheck: {message}\n")


def read_options(words: list[str]) -> argparse.Namespace:
    threads = whole(1, 1024)
    parser = Parser(prog="bench_racecheck", allow_abbrev=False,
                    description="The cost of race checks, beside the compilers' own, and figure 9 of the Steal Tree paper.")
    parser.add_argument("-q", "--quick", action="store_true", help="small problems, 3 runs, fewer workers")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("-f", "--figure", type=one_of(["9"]), help="only figure 9")
    which.add_argument("--slowdown", action="store_true", help="only what checks cost")
    parser.add_argument("--program", type=one_of([program.name for program in PROGRAMS]), metavar="NAME",
                        help="only this program; in figure 9 cilk-heat and cilk-matmul are heat and matmul")
    parser.add_argument("--policy", type=one_of(POLICIES), metavar="NAME", help="help-first or work-first: of the slowdown "
                        "(help-first), and alone in figure 9 (both)")
    parser.add_argument("-r", "--runs", type=whole(1, 100), metavar="N", help="slowdown: runs of each; medians are shown (5)")
    parser.add_argument("-t", "--threads", type=threads, default=2, metavar="N", help="slowdown: workers (2)")
    parser.add_argument("-w", "--workers", type=lambda list_: [threads(word) for word in list_.split(",")], metavar="LIST",
                        help="figure 9: workers (1,2,4,8,16,32)")
    parser.add_argument("--yield-one-in", type=whole(0, 2**32 - 1), default=1, metavar="N",
                        help="figure 9: workers give their CPU away at one spawn in N (1: at each; 0: never)")
    options = parser.parse_args(words)
    options.runs = options.runs or (3 if options.quick else 5)
    options.workers = options.workers or ([1, 8, 32] if options.quick else [1, 2, 4, 8, 16, 32])
    return options


def main(words: list[str]) -> int:
    options = read_options(words)
    good = True
    if not options.figure:
        good = slowdown(options)
    if not options.slowdown:
        good = figure_9(options) and good
    print("", *printed_rows, sep="\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
