#!/usr/bin/env python3
"""The programs of the Multipol thesis over ranks, each compared with its baselines.

    bench_multipol --program NAME [ARGUMENTS]
    bench_multipol --characteristics [ARGUMENTS]
    bench_multipol --aggregation [ARGUMENTS]
    bench_multipol --speedups [ARGUMENTS]

A program's script is NAME.py in this folder, and --help after the name prints what it takes."""
from __future__ import annotations

import importlib
import sys
from pathlib import Path

sys.dont_write_bytecode = True
FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parents[2] / "bench/evaluation")]
TABLES = ["aggregation", "characteristics", "speedups"]  # of several programs
OTHERS = {*TABLES, "multipol", "runs"}


def main() -> int:
    known = sorted({path.stem for path in FOLDER.glob("*.py")} - OTHERS)
    if sys.argv[1:2] in [[f"--{table}"] for table in TABLES]:
        sys.argv[1:2] = ["--program", sys.argv[1].removeprefix("--")]
    elif len(sys.argv) < 3 or sys.argv[1] != "--program" or sys.argv[2] not in known:
        print(f"usage: bench_multipol --program {'|'.join(known)} [ARGUMENTS], or --{', --'.join(TABLES)}", file=sys.stderr)
        return 2
    from rows import BadRow
    try:
        return int(importlib.import_module(sys.argv[2]).main(sys.argv[3:]))
    except BadRow as failure:
        print(f"bench_multipol: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
