#!/usr/bin/env python3
"""The evaluation: every figure and table of the thesis' chapter 7 and of the Steal Tree paper's
figures 4, 5, 9 and 10, measured on this machine, on one page.

    evaluate.py [--quick|--long] [--out DIR] [--json FILE] [--beside FILE] [--only canneal]

Runs the programs and benchmarks of a build in turns, and writes evaluation.html, which needs
nothing else, and evaluation.json. With --from, the page is made of recorded rows and nothing is
run."""
from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import sys
import time
from pathlib import Path

import rows
from session import PARTS, PROGRAM_PARTS, Session, cpus, print_plan

ROOT = Path(__file__).resolve().parents[2]
THREADS = [1, 2, 4, 8]
CONTESTED = 2  # the number of threads that headlines are about


def read_options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Compares SvS with locks, oneTBB, OpenMP and transactional memory, and writes a page.")
    parser.add_argument("-q", "--quick", dest="scale", action="store_const", const="quick", default="whole",
                        help="fewer and smaller runs: some minutes on 2 CPUs")
    parser.add_argument("--long", dest="scale", action="store_const", const="long",
                        help="the three programs only, each run a second or more, on 1 and 2 threads, in 31 rounds: "
                        "40 minutes on 2 CPUs")
    parser.add_argument("--tiny", dest="scale", action="store_const", const="tiny", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, metavar="DIR",
                        help="where the page goes, and all that it is made of (evaluation, beside --programs)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the JSON goes (evaluation.json in --out)")
    parser.add_argument("--beside", type=Path, metavar="FILE", help="show another machine's evaluation.json, too")
    parser.add_argument("--from", dest="recorded", type=Path, metavar="FILE",
                        help="run nothing: make the page anew of this evaluation.json")
    parser.add_argument("--only", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, choices=range(1, 65), metavar="N",
                        help="of the three programs, whatever they take: 1 to 64")
    parser.add_argument("--programs", type=Path, metavar="DIR", default=ROOT / "build/release/bin",
                        help="where the programs are (%(default)s)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="PARSEC's inputs")
    parser.add_argument("--source", type=Path, metavar="DIR", default=ROOT,
                        help="the source tree, in which ports are counted (%(default)s)")
    options = parser.parse_args(words)
    options.programs = options.programs.resolve()
    options.out = (options.out or options.programs.parent / "evaluation").resolve()
    options.json = options.json or options.out / "evaluation.json"
    options.contested = CONTESTED
    if options.scale == "long" and options.only not in (None, *PROGRAM_PARTS):
        options.scale = "whole"  # the other parts have no longer inputs
    options.threads = threads_of(options.scale)
    try_to_write(parser, options)
    return options


def threads_of(scale: str) -> list[int]:
    """On how many threads each engine runs but the serial one, which has one."""
    few = {"tiny": THREADS[:2], "long": [CONTESTED]}
    return few.get(scale, THREADS + [cpus()] * (cpus() > THREADS[-1]))


def try_to_write(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Now, and not when all is measured."""
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--out: {options.out}: {error.strerror}")
    try:
        options.json.open("a", encoding="utf-8").close()
    except OSError as error:
        parser.error(f"--json: {options.json}: {error.strerror}")


def from_proc(path: str, key: str) -> str:
    """The value of the first line that begins with `key` and has a colon."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(key) and ":" in line), "")


def build_facts(programs: Path) -> dict[str, str]:
    """The facts that the build has written next to its programs."""
    try:
        return json.loads((programs / "evaluation_build.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"svs": "unknown", "compiler": "unknown"}


def machine_facts(build: dict[str, str]) -> dict[str, str]:
    system = platform.uname()
    facts = {"processor": from_proc("/proc/cpuinfo", "model name") or "unknown", "cpus": str(cpus()),
             "cache": from_proc("/proc/cpuinfo", "cache size"), "memory": from_proc("/proc/meminfo", "MemTotal"),
             "system": f"{system.system} {system.release} {system.machine}",
             **{key: build.get(key, "") for key in ("compiler", "flags", "tbb", "svs")},
             "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
             "load": " ".join(f"{load:.2f}" for load in os.getloadavg())}
    return {key: value for key, value in facts.items() if value}


def record(options: argparse.Namespace, build: dict[str, str]) -> rows.Recording:
    import measure
    session, machine = Session(options), machine_facts(build)
    print_plan(session)
    measure.measure(session)
    head = {"evaluation": 1, "svs": build["svs"], "scale": options.scale, "machine": machine,
            "seconds": int(session.elapsed()), "contested": options.contested, "parts": session.parts}
    return rows.Recording(head, session.rows)


def read_beside(path: Path) -> rows.Recording:
    from report_figures import runs_of
    there = rows.read_json(path)
    if not runs_of(there.rows):
        raise rows.BadRow(f"{path} has no runs of Fluidanimate, Canneal or QuakeSquad: it is not the "
                          "evaluation.json of an evaluation, or of one without them")
    return there


def evaluate(options: argparse.Namespace) -> list[str]:
    """@return the problems; there should be none"""
    there = read_beside(options.beside) if options.beside else None
    build = build_facts(options.programs)
    options.data = options.data or Path(build.get("data", ROOT / "data"))
    recording = rows.read_json(options.recorded) if options.recorded else record(options, build)
    import page  # only now: matplotlib would take time and memory while programs run
    file = options.out / "evaluation.html"
    problems = page.write(recording, file, options.json, there, str(options.beside))
    print(file, options.json, sep="\n")
    print("", *(rows.text_of(row) for row in recording.rows if row.get("bench") == "evaluation"), sep="\n")
    return problems


def main(words: list[str]) -> int:
    missing = [name for name in ("matplotlib", "jinja2") if not importlib.util.find_spec(name)]
    if missing:
        print(f"{sys.executable} has no {' and no '.join(missing)}: install them (Debian: "
              f"{', '.join('python3-' + name for name in missing)})", file=sys.stderr)
        return 1
    try:
        problems = evaluate(read_options(words))
    except rows.BadRow as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
