#!/usr/bin/env python3
"""How many accesses the footprints of lessons 01 to 05 have by hand, and by the slice of `svs scan`.

Runs the lessons' programs that compare both in each instance (svs_add_tasks(... COMPARE)), and holds the table of
docs/scan.md against what they count. The means are rounded, as the runs of some lessons differ in what they draw; the page
may be off by one in the last place, where a mean lies between two. The programs
run on one processor, and so with one worker: beside a body that runs, another worker may look at an instance several times.

usage: counts.py --programs FOLDER --page docs/scan.md [--update]
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

LESSONS = ["01_hello", "02_links", "03_objects_by_index", "04_graph", "05_errors"]
BEGIN, END = "<!-- table: counts -->\n", "<!-- end -->\n"
LINE = re.compile(r"(\w+): accesses by hand ([\d.]+), by the slice ([\d.]+); wide ([\d.]+), ([\d.]+)")


def rows_of(folder, lesson):
    environment = {**os.environ, "SVS_COMPARE_COUNTS": "1"}
    result = subprocess.run([folder / f"scan_compare_{lesson}"], env=environment, capture_output=True, text=True, timeout=100,
                            preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
    found = LINE.findall(result.stderr)
    if not found:
        sys.exit(f"{lesson}: no counts: exit status {result.returncode}: {result.stderr[-400:]}")
    for task, *means in sorted(found):
        written, sliced, written_wide, sliced_wide = (f"{float(mean):.1f}" for mean in means)
        yield f"| {lesson} | {task} | {written} | {sliced} | {written_wide} | {sliced_wide} |\n"


def agree(old, new):
    """Whether two tables have the same rows, with means that differ by 0.1 at most."""
    cells = [[row.split("|") for row in table.splitlines()[2:]] for table in (old, new)]
    return len(cells[0]) == len(cells[1]) and all(
        a[:3] == b[:3] and all(abs(float(x) - float(y)) < 0.11 for x, y in zip(a[3:7], b[3:7])) for a, b in zip(*cells))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--page", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    table = "| lesson | task | by hand | by the slice | wide, by hand | wide, by the slice |\n|---|---|---|---|---|---|\n"
    table += "".join(row for lesson in LESSONS for row in rows_of(options.programs, lesson))
    before, rest = options.page.read_text().split(BEGIN)
    old, after = rest.split(END)
    if options.update:
        options.page.write_text(before + BEGIN + table + END + after)
    elif not agree(old, table):
        sys.exit(f"{options.page}: its table is\n{old}and not what the programs count:\n{table}run counts.py with --update")
    else:
        print(f"counts: {len(table.splitlines()) - 2} tasks as {options.page.name} says")


main()
