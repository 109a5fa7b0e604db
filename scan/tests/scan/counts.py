#!/usr/bin/env python3
"""How many accesses the footprints of lessons 01 to 05 have by hand, and by the slice of `svs scan`.

Runs the lessons' programs that compare both in each instance (svs_add_tasks(... COMPARE)), and holds the table of
scan/docs/scan.md against what they count. The same footprint counts once, so that the means are those of the lesson's items, and
not of how often the schedule looks at one.

usage: counts.py --programs FOLDER --page scan/docs/scan.md [--update]
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
    result = subprocess.run([folder / f"scan_compare_{lesson}"], env=environment, capture_output=True, text=True, timeout=100)
    found = LINE.findall(result.stderr)
    if not found:
        sys.exit(f"{lesson}: no counts: exit status {result.returncode}: {result.stderr[-400:]}")
    for row in sorted(found):
        yield f"| {lesson} | {' | '.join(row)} |\n"


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
    elif old != table:
        sys.exit(f"{options.page}: its table is\n{old}and not what the programs count:\n{table}run counts.py with --update")
    else:
        print(f"counts: {len(table.splitlines()) - 2} tasks as {options.page.name} says")


main()
