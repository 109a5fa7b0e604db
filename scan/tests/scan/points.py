#!/usr/bin/env python3
"""Compares the points-to solver of `svs scan` with the rules of figure 4.2 of the thesis.

usage: points.py --solver PROGRAM --work FOLDER [--prolog PROGRAM] [--count N] [--first N] [--large N]

Each random set of relations goes through the solver (points.c), through the rules applied one by one until nothing is new,
and, with --prolog, through SWI-Prolog, which tables the rules as they stand. All must find the same. `--large N` times the
solver alone on one set of N relations instead.
"""

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path

RULES = """:- table pts/3, hpts/3.
:- discontiguous malloc/3, assign/3, store/4, load/4, field/4.
:- dynamic malloc/3, assign/3, store/4, load/4, field/4.
% h.f is s(H, F), and h as a whole s(H, 0).
part(s(H, 0), F, s(H, F)).
part(s(H, G), _, s(H, G)) :- G \\= 0.
pts(S, V, s(H, 0)) :- malloc(S, V, H).
pts(S, V1, H) :- assign(S, V1, V2), pts(S, V2, H).
pts(S, V1, H1) :- load(S, V1, F, V2), pts(S, V2, H2), part(H2, F, P2), hpts(S, P2, H1).
pts(S, V1, H1) :- field(S, V1, F, V2), pts(S, V2, H2), part(H2, F, H1).
hpts(S, P1, H2) :- store(S, V1, F, V2), pts(S, V2, H2), pts(S, V1, H1), part(H1, F, P1).
main :- forall(pts(_, _, _), true), forall(pts(S, V, s(H, F)), format("~w ~w ~w ~w~n", [S, V, H, F])).
"""


def draw(number, size=None):
    """A set: its number of variables, of sites, and its relations."""
    chance = random.Random(number)
    variables, sites, fields = chance.randint(2, 12), chance.randint(1, 6), chance.randint(1, 3)
    count = chance.randint(3, 30)
    if size:
        variables, sites, fields, count = max(2, size // 4), max(2, size // 40), 8, size
        variables, sites = min(variables, 4000), min(sites, 4000)
    relations = []
    for _ in range(count):
        name = chance.choices(["malloc", "assign", "store", "load", "field"], [4, 4, 3, 3, 2])[0]
        v1, v2, f = chance.randrange(variables), chance.randrange(variables), chance.randint(0, fields)
        last = chance.randrange(sites) if name == "malloc" else v2
        relations.append((name, v1, last) if name in ("malloc", "assign") else (name, v1, f, last))
    return variables, sites, relations


def naive(relations):
    """The rules, applied until nothing is new."""
    pts, hpts = set(), set()

    def part(site, f):
        return site if site[1] else (site[0], f)

    while True:
        before = len(pts) + len(hpts)
        for name, v1, *rest in relations:
            if name == "malloc":
                pts.add((v1, (rest[0], 0)))
            elif name == "assign":
                pts |= {(v1, h) for v, h in pts if v == rest[0]}
            else:
                f, v2 = rest
                if name == "store":
                    hpts |= {(part(h1, f), h2) for v, h1 in pts if v == v1 for w, h2 in pts if w == v2}
                elif name == "load":
                    pts |= {(v1, h1) for v, h2 in pts if v == v2 for cell, h1 in hpts if cell == part(h2, f)}
                else:
                    pts |= {(v1, part(h, f)) for v, h in pts if v == v2}
        if len(pts) + len(hpts) == before:
            return {(v, h, f) for v, (h, f) in pts}


def solver(options, sets):
    lines = []
    for number, (variables, sites, relations) in sets.items():
        lines.append(f"set {number} {variables} {sites}")
        for at, relation in enumerate(relations):
            lines.append(" ".join(map(str, relation)))
            if (number + at) % 7 == 0:  # the rules may be applied in between
                lines.append("solve")
    result = subprocess.run([options.solver], input="\n".join(lines) + "\n", capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"points: {options.solver}: exit status {result.returncode}: {result.stderr[-500:]}")
    return read(result.stdout, sets)


def read(text, sets):
    found = {number: set() for number in sets}
    for line in text.splitlines():
        number, v, h, f = map(int, line.split())
        found[number].add((v, h, f))
    return found


def prolog(options, sets):
    program = options.work / "points.pl"
    facts = [f"{name}({', '.join(map(str, (number, *rest)))})." for number, (_, _, relations) in sets.items() for name, *rest in relations]
    program.write_text(RULES + "\n".join(facts) + "\n")
    result = subprocess.run([options.prolog, "-q", "-g", "main", "-t", "halt", program], capture_output=True, text=True, timeout=280)
    if result.returncode or result.stderr:
        sys.exit(f"points: {options.prolog}: exit status {result.returncode}: {result.stderr[-500:]}")
    return read(result.stdout, sets)


def compare(name, found, wanted, sets):
    for number in sets:
        if found[number] != wanted[number]:
            print(f"set {number}: {sets[number]}\nonly the solver: {sorted(found[number] - wanted[number])}\n"
                  f"only {name}: {sorted(wanted[number] - found[number])}")
            sys.exit(f"points: set {number}: the solver and {name} differ")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solver", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--prolog")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--large", type=int)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.large:
        before = time.monotonic()
        found = solver(options, {0: draw(0, options.large)})
        print(f"{options.large} relations: {len(found[0])} results, {time.monotonic() - before:.2f} s")
        return
    sets = {number: draw(number) for number in range(options.first, options.first + options.count)}
    found = solver(options, sets)
    compare("the rules one by one", found, {number: naive(drawn[2]) for number, drawn in sets.items()}, sets)
    results = sum(map(len, found.values()))
    if not options.prolog:
        print(f"points: {len(sets)} sets, {results} results as by the rules one by one. LEFT OUT: SWI-Prolog is not installed "
              "(Debian: apt install swi-prolog-core)")
        return
    compare("SWI-Prolog", found, prolog(options, sets), sets)
    print(f"points: {len(sets)} sets, {results} results as by SWI-Prolog and by the rules one by one")


if __name__ == "__main__":
    main()
