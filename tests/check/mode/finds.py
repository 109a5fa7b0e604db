#!/usr/bin/env python3
"""usage: finds.py MUTANT REPORT PROGRAM ARGUMENTS...

Runs a program under the race check with exact sets, with signatures of 4096 bits, and of one. The check must report what
the mutant's lines `check PROGRAM finds ...` name (tests/mutants/examples.diff) each time. If these name no race, it must
report nothing else; without a mutant (`none`) it must report nothing. Undeclared accesses and races must be the same each
time, unless the mutant's program runs `alone`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "mutants"))
from mutants import ROOT, Mutant, demand, read_mutants, replace  # noqa: E402


def place_of(mutant: Mutant, file: str, text: str) -> str:
    """Where a text stands, once, in the mutated source, as the report has it."""
    lines = (ROOT / file).read_text().splitlines()
    for place in mutant.places:
        if place.file == file:
            replace(lines, place, mutant)
    at = [number for number, line in enumerate(lines, 1) if text in line]
    demand(len(at) == 1, f"not once in {file}: {text}")
    return f"{Path(file).name}:{at[0]}"


def read_report(report: Path) -> tuple[set[str], set[str]]:
    """The place of each access with its verdict, and the undeclared accesses and races by their data: these do not depend on
    the comparison of sets. (Which one of several lines is blamed may depend on the schedule.)"""
    found, same = set(), set()
    for race in json.loads(report.read_text())["races"]:
        verdict = race["verdict"].split()[0]
        for frame in (access["stack"][0] for access in race["accesses"] if access["stack"]):
            if "line" in frame:
                found.add(f"{verdict} {Path(frame['file']).name}:{frame['line']}")
        if verdict != "order":
            same.add(" ".join([verdict, *(str(race["object"][part]) for part in ("kind", "name", "field"))]))
    return found, same


def main() -> None:
    name, report, *command = sys.argv[1:]
    mutant = next((mutant for mutant in read_mutants() if mutant.name == name), Mutant(0, "none", [], []))
    verdicts = {check[3] for check in mutant.checks}
    alone = any(check[2] for check in mutant.checks)
    expected = {f"{verdict} {place_of(mutant, file, text)}" for *_, verdict, file, text in mutant.checks}
    command += {check[1].strip() for check in mutant.checks if check[1]}
    environment = dict(os.environ, SVS_CHECK_OPTIONS=f"json={report}:order_is_error={int('order' in verdicts)}")
    if mutant.checks:
        environment["SVS_MUTANT"] = name
    if alone:
        environment["SVS_TEST_ALONE"] = "1"
    first = None
    for sets in ("exact", "wide", "narrow"):
        Path(report).unlink(missing_ok=True)
        process = subprocess.run(command, env=environment | {"SVS_TEST_SETS": sets}, capture_output=True, text=True)
        said = f"\n{process.stdout}{process.stderr}"
        demand(process.returncode == (66 if expected else 0), f"{sets}: status {process.returncode}{said}")
        found, same = read_report(Path(report))
        demand(expected <= found, f"{sets}: {expected - found} not found, but {found}{said}")
        demand(expected or not found, f"{sets}: {found} found, and is none{said}")
        demand(verdicts & {"undeclared", "race"} or not same, f"{sets}: {same} found, and only the order is wrong{said}")
        demand(alone or first in (None, same), f"{sets}: {same}, and with exact sets: {first}{said}")
        first = same
    print(f"found: {sorted(found)}")


main()
