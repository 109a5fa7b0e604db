"""Cases that a text file lists: `== NAME`, C in front of `-- `-lines, and those: `-- KIND[: TEXT]`, which a script judges."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from share import is_partial

HERE = Path(__file__).resolve().parent


def read(file):
    """The cases of a file: of each name, the lines of code, and pairs of kind and text."""
    found = {}
    code = checks = None
    for line in (HERE / file).read_text().splitlines():
        if line.startswith("== "):
            code, checks = [], []
            found[line[3:]] = (code, checks)
        elif line.startswith("-- "):
            kind, _, text = line[3:].partition(": ")
            checks.append((kind, text))
        elif code is not None:
            code.append(line)
    return found


def in_partial_run(cases):
    """The names of the cases that a fault of tests/mutants/scan.diff dies by, and of a quarter of the others."""
    named = set(re.findall(r"^(?:cases|held) (\w+) dies by", (HERE.parents[2] / "tests/mutants/scan.diff").read_text(), re.M))
    return named | {name for i, name in enumerate(cases) if i % 4 == 0}


def complaints(options, source, header, flags):
    """What the compiler says of a source with its generated header: an empty list, without a warning."""
    compiled = subprocess.run([options.cc, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-S", "-o", "/dev/null", *flags,
                               f'-DSVS_SCANNED="{header}"', source], capture_output=True, text=True)
    return [compiled.stderr] if compiled.returncode else []


def judge_all(file, judge, usage, prepare=lambda options: ""):
    """Judges the cases of a file, or the one that --only names; prints what `prepare` returns behind their number."""
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("svs", "clang", "cc", "include"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    said = prepare(options)
    cases = read(file)
    names = {options.only} if options.only else in_partial_run(cases) if is_partial() else set(cases)
    cases = {name: case for name, case in cases.items() if name in names}
    failed = [name for name, (code, checks) in cases.items() if not judge(options, name, code, checks)]
    if failed or not cases:
        sys.exit(f"{file}: failed: {' '.join(failed)}")
    print(f"{len(cases)} cases{said}")
