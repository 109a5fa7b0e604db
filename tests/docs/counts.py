#!/usr/bin/env python3
"""Prints rows of what can be counted in the sources, for tests/docs/figures.py: lines of lessons, and of the ports' engines."""
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "bench/evaluation"))
import source  # noqa: E402  (the evaluation's own count)

lessons = [len(path.read_text(encoding="utf-8").splitlines()) for path in (SOURCE / "examples").glob("0[1-7]_*.c")]
print(f"bench=count what=lessons files={len(lessons)} lines_max={max(lessons)}")
for program, engine, files in source.PORTS:
    if engine in ("mutex", "svs"):
        row = source.cost_of(SOURCE, program, engine, files)
        print(f"bench=count what=engine program={program} engine={engine} lines={row['lines']} with_common={row['with_common']}")
