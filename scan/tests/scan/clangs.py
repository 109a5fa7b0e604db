#!/usr/bin/env python3
"""All clangs come to the same: what `svs scan` says and writes for the lessons and for 50 random programs.

usage: clangs.py --svs PROGRAM --clang PROGRAM --include FOLDER --examples FOLDER --work FOLDER [--other PROGRAM]

Compares --clang with --other, or with each clang-N that is found. The output names each of WANTED that is not installed, and says
that nothing is compared if there is one clang alone.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS, BATCH = 50, 25
WANTED = [22, 19, 16, 14]


def scan(options, clang, sources):
    headers = [options.work / f"{source.name}.svs.h" for source in sources]
    for header in headers:
        header.unlink(missing_ok=True)
    result = subprocess.run([options.svs, "scan", "--notes", "--pairs", "--clang", clang, "-o", options.work, *sources, "--",
                             f"-I{options.include}", f"-I{HERE}"], capture_output=True, text=True, timeout=300)
    return [result.returncode, result.stdout, result.stderr, *(header.exists() and header.read_text() for header in headers)]


def programs(options):
    for first in range(0, PROGRAMS, BATCH):
        name = options.work / f"programs_{first}"
        subprocess.run([sys.executable, HERE / "programs.py", str(first), str(BATCH), name], check=True)
        yield [Path(f"{name}_{file}.c") for file in "ab"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("svs", "clang"):
        parser.add_argument(f"--{option}", required=True)
    for option in ("include", "examples", "work"):
        parser.add_argument(f"--{option}", required=True, type=Path)
    parser.add_argument("--other")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    others = [options.other] if options.other else [f"clang-{number}" for number in range(30, 13, -1) if shutil.which(f"clang-{number}")]
    for number in WANTED if not options.other else []:
        if not shutil.which(f"clang-{number}"):
            print(f"clangs: LEFT OUT: clang-{number} is not installed")
    real = Path(shutil.which(options.clang) or options.clang).resolve()
    others = [other for other in others if Path(shutil.which(other)).resolve() != real]
    if not others:
        print("clangs: LEFT OUT: there is one clang, to compare with none")
        return
    lessons = [[path] for path in sorted(options.examples.glob("[0-9]*.c"))]
    different = []
    for sources in [*lessons, *programs(options)]:
        first = scan(options, options.clang, sources)
        different += [f"{other}: {sources[0].name}" for other in others if scan(options, other, sources) != first]
    if different or not lessons:
        sys.exit(f"clangs: something else comes of {'; '.join(different)}")
    print(f"clangs: {' '.join(others)} come to the same for {len(lessons)} lessons and {PROGRAMS} random programs")


if __name__ == "__main__":
    main()
