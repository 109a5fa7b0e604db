#!/usr/bin/env python3
"""The mutants: faults put into the library and its examples on purpose, each of which a test must find.

usage: mutants.py list                        one line a test: name, kind and name of the net, what it runs, sources
       mutants.py source FILE TO              writes a copy of a source with the faults of all mutants, each switched off
       mutants.py switch TO                   writes the C source that switches on the mutant that SVS_MUTANT names
       mutants.py run NAME NET WHAT PROGRAM [ARGUMENTS]  runs a net's program with one mutant, and checks how it dies

The *.diff beside this script describe the mutants of each room, one block each, below the source that they are in:

    src/ROOM/FILE, ranks/src/ROOM/FILE, scan/src/scan/FOLDER/FILE, or examples/FILE
    NAME (LABEL[, LABEL]): one sentence, the fault. Or, in the brackets: `no label: a promise, in words`
    NET WHAT dies by WAY[ or WAY][: REASON]   a test: explore SCENARIO, differential FEATURE, or ranks_PROGRAM
                                              CASE (ranks/tests/ranks)
    scan from_N dies by WAY: REASON           random programs for `svs scan`, from number N on (scan/tests/scan/random_programs.py)
    held CASE dies by WAY: REASON             a touch function that it holds against a body (scan/tests/scan/held.py)
    cases CASE dies by WAY: REASON            what it makes of one construct (scan/tests/scan/cases.py)
    check PROGRAM[ --OPTION][ alone] finds VERDICT in FILE: TEXT   what a race check finds, where TEXT stands once
    - lines that are replaced, `+` lines in their stead, lines of context that begin with a blank; `@@` between two places

Lines are compared without their indentation and a comment at their end; those of a place stand once in the source,
inside of one function. The copy has that function twice, and the first one chooses at its beginning.

The ways to die: `assertion` (one of the library's, whose line cites a label that the mutant breaks, as labels.py has it),
`oracle` (the net's own check), `race` (plain accesses without order), `hang` (deadlock, livelock or watchdog), `leak`,
`crash` (a signal), `compiler` (what a mutated scan makes is not C); with real threads, also the report of a sanitizer. Any
other way, and a command for the repetition that does not die so, fails the test.
"""

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/lint"))
from labels import labels_at  # noqa: E402

NETS = {"explore": ["--runs 1000000"], "differential": ["--only", "--seconds 800 --hang 20"]}
RANKS = ["--case", ""]  # of a program of ranks/tests/ranks
SWITCH = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned svs__mutant;
__attribute__((constructor)) static void choose(void) {
    const char *name = getenv("SVS_MUTANT");
    if (!name) return;
CASES
    if (svs__mutant) return;
    fprintf(stderr, "SVS_MUTANT names no mutant: %s\\n", name);
    _Exit(2);
}
"""
WAYS = {  # the first that matches the output
    "assertion": r"svs: (?:\S*?/)?((?:ranks/)?src/\S+):(\d+): check failed: ",
    "sanitizer": r"(Address|Thread|Leak)Sanitizer: |runtime error: ",
    "crash": r"exit status -\d|fails in run \d+: signal|: crashed: |Test failed with exception",
    "race": r"fails in run \d+: race: ",
    "hang": r"does not end, or faults|fails in run \d+: (deadlock|livelock): |: hangs: |: it is stuck\n",
    "compiler": r"\.c:\d+:\d+: error: ",
    "leak": r"fails in run \d+: (\d+ blocks of memory are left|the scenario has not joined)|: memory: .* were not given back|: memory was not released\n",
    "oracle": r": not covered|fails in run \d+: \S+:\d+: |differential: seed \d+: |\n  again: --program |\n\[  FAILED  \]|(?:held|cases)\.txt: failed: ",
}
BEGIN = re.compile(r"(\w+) \(((?:\w+\.[A-Z]\d+(?:, (?=\w)|(?=\))))+|no label: [^)]+)\): .+")
TEST = re.compile(r"(explore|differential|scan|held|cases|ranks_\w+) (\w+) dies by (\w+(?: or \w+)*)(?:: (.+))?")
CHECK = re.compile(r"check (\w+)( --\w+)?( alone)? finds (\w+) in (\S+): (.+)")
KINDS = {"explore": "explorer", "differential": "threads", "check": "check", "scan": "scan", "held": "scan", "cases": "scan"}


@dataclass
class Place:
    file: str
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


@dataclass
class Mutant:
    number: int
    name: str
    breaks: list[str]  # empty: no label
    places: list[Place]
    tests: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # the ways to die
    checks: list[tuple[str, ...]] = field(default_factory=list)  # the groups of CHECK


def demand(condition: object, text: str) -> None:
    if not condition:
        sys.exit(f"mutants: {text}")


def bare(line: str) -> str:
    return re.sub(r"\s*/\*.*\*/$", "", line.strip())


def read_line(mutant: Mutant, line: str) -> None:
    test, check, place = TEST.fullmatch(line), CHECK.fullmatch(line), mutant.places[-1]
    if check:
        mutant.checks.append(check.groups(default=""))
        mutant.tests["check", check.group(1)] = []
    elif test:
        net, what, ways, reason = test.groups()
        mutant.tests[net, what] = ways.split(" or ")
        demand(set(ways.split(" or ")) <= set(WAYS), f"{mutant.name}: unknown way to die: {line}")
        demand(ways == "assertion" or reason, f"{mutant.name}: says not why no assertion sees it: {line}")
        demand(mutant.breaks or "assertion" not in ways, f"{mutant.name}: an assertion of which invariant? {line}")
    elif line == "@@":
        mutant.places.append(Place(place.file))
    else:
        demand(line[0] in " -+", f"{mutant.name}: not understood: {line}")
        if line[0] != "+":
            place.old.append(bare(line[1:]))
        if line[0] != "-":
            place.new.append(line[1:].strip())


def read_mutants() -> list[Mutant]:
    found: list[Mutant] = []
    file = ""
    for path in sorted(HERE.rglob("*.diff")):
        for line in path.read_text().splitlines():
            begin = BEGIN.fullmatch(line)
            if line.startswith(("src/", "ranks/", "scan/", "examples/")):
                file = line
            elif begin:
                breaks = [] if begin.group(2).startswith("no label: ") else begin.group(2).split(", ")
                found.append(Mutant(len(found) + 1, begin.group(1), breaks, [Place(file)]))
            elif line and line[0] != "#":
                read_line(found[-1], line)
    demand(len({mutant.name for mutant in found}) == len(found), "two mutants have one name")
    return found


def function_around(lines: list[str], first: int, last: int) -> tuple[int, int]:
    """The first and last line of the function around some lines."""
    begins = first
    while not re.match(r"[A-Za-z_](?!.*:$)", lines[begins]):
        begins -= 1
    ends = begins if lines[begins].endswith("}") else lines.index("}", begins)
    demand(last <= ends, f"not inside of one function: {lines[first]}")
    return begins, ends


def replace(lines: list[str], place: Place, mutant: Mutant) -> tuple[int, int]:
    """Replaces a place in a source, without a change of the number of its lines. @return the function around it"""
    code = [bare(line) for line in lines]
    count = len(place.old)
    at = [i for i in range(len(lines)) if code[i : i + count] == place.old]
    sources = [path for folder in ("src", "ranks/src", "scan/src") for path in (ROOT / folder).rglob("*.[ch]")]
    elsewhere = [path.name for path in sources if len(at) == 0 and place.old[0] in path.read_text()]
    demand(len(at) == 1, f"{mutant.name}: stands {len(at)} times in {place.file}: {place.old}; also in: {elsewhere}")
    new = place.new + [""] * (count - len(place.new))
    around = function_around(lines, at[0], at[0] + count - 1)
    lines[at[0] : at[0] + count] = [*new[: count - 1], " ".join(new[count - 1 :])]
    return around


def arguments_of(parameters: str) -> str:
    flat = re.sub(r"\(\*(\w+)\)\([^()]*\)", r"\1", parameters)
    return ", ".join(re.findall(r"(\w+)(?:\[\w*\])?\s*(?:,|$)", flat)) if flat.strip() != "void" else ""


def without_attributes(lines: list[str]) -> str:
    """A function that need not be inlined any more."""
    return re.sub(r"__attribute__\(\(\w+\)\)\s*", "", "\n".join(lines))


def variants_of(file: str, lines: list[str], around: tuple[int, int], mutated: dict[int, list[str]]) -> list[str]:
    """The mutated copies of a function, and the function itself with the switch between them."""
    text = without_attributes(lines[around[0] : around[1] + 1])
    head, name, parameters = re.match(r"([^(]*?)(\w+)\((.*?)\)\s*\{", text, re.S).groups()
    line = f'#line {around[0] + 1} "{ROOT / file}"'
    out = [f"{head}{name}({parameters});"]
    cases = ""
    for number, copy in mutated.items():
        body = without_attributes(copy[around[0] : around[1] + 1])
        own = re.sub(rf"\b{name}\(", f"{name}__mutant{number}(", body, count=1)
        out += [line, own if "static" in head.split() else f"static {own}"]
        cases += f" if (svs__mutant == {number}) return {name}__mutant{number}({arguments_of(parameters)});"
    return [*out, line, text.replace("{", "{" + cases, 1), f'#line {around[1] + 2} "{ROOT / file}"']


def write_source(file: str, to: str) -> None:
    lines = (ROOT / file).read_text().splitlines()
    functions: dict[tuple[int, int], dict[int, list[str]]] = {}
    for mutant in read_mutants():
        copy = list(lines)
        for place in mutant.places:
            if place.file == file:
                functions.setdefault(replace(copy, place, mutant), {})[mutant.number] = copy
    out = ["extern unsigned svs__mutant;", f'#line 1 "{ROOT / file}"']
    done = 0
    for around in sorted(functions):
        out += lines[done : around[0]] + variants_of(file, lines, around, functions[around])
        done = around[1] + 1
    Path(to).parent.mkdir(parents=True, exist_ok=True)
    Path(to).write_text("\n".join([*out, *lines[done:], ""]))


def write_switch(to: str) -> None:
    cases = "\n".join(f'    if (!strcmp(name, "{mutant.name}")) svs__mutant = {mutant.number};' for mutant in read_mutants())
    Path(to).write_text(SWITCH.replace("CASES", cases))


def list_all() -> None:
    for mutant in read_mutants():
        for net, what in mutant.tests:
            kind = "ranks" if net.startswith("ranks_") else KINDS[net]
            print(mutant.name, kind, net, what, *sorted({place.file for place in mutant.places}))


def way_of(output: str, mutant: Mutant) -> str:
    """How a program died, by its output."""
    way, found = next(((way, found) for way in WAYS if (found := re.search(WAYS[way], output))), ("no known way", None))
    if way != "assertion":
        return way
    cited = labels_at(ROOT / found.group(1), int(found.group(2)))
    return way if cited & set(mutant.breaks) else f"an assertion that cites {sorted(cited)}"


def run(name: str, net: str, what: str, program: str, *rest: str) -> None:
    mutant = next(mutant for mutant in read_mutants() if mutant.name == name)
    ways = mutant.tests[net, what] + ["sanitizer"] * (net != "explore")
    arguments = NETS.get(net, RANKS)
    words = [*arguments[:-1], what, *arguments[-1].split()]
    if KINDS.get(net) == "scan":
        words = [*rest, *(["--first", what.removeprefix("from_")] if net == "scan" else ["--only", what])]
        if "sanitizer" not in mutant.tests[net, what]:  # its programs compile in half the time
            words = [word for word in words if not word.startswith("--flags=")]
    commands = [shlex.join(["env", f"SVS_MUTANT={name}", program, *words])]
    for command in commands:
        print(command, flush=True)
        process = subprocess.run(command, shell=True, capture_output=True, text=True, errors="replace")
        output = process.stdout + process.stderr
        way = way_of(output, mutant)
        demand(process.returncode != 0 and way in ways, f"{output}\ndied by {way}, and not by {' or '.join(ways)}")
        print(f"dies by {way}")
        again = re.search(r"again: (.*) --trace", output)
        if net == "explore" and len(commands) == 1:
            commands.append(again.group(1) if again else "false")
        again = re.search(r"again: (--program .* --(?:sim|kill|kill-two|exhaust) .*)", output)
        # A local run is not repeatable. A case that runs no program repeats itself.
        if net.startswith("ranks_") and len(commands) == 1 and "again: " in output:
            commands.append(f"env SVS_MUTANT={name} {program} {again.group(1)}" if again else "false")


def main() -> None:
    commands = {"list": list_all, "source": write_source, "switch": write_switch, "run": run}
    commands.get(sys.argv[1] if sys.argv[1:] else "", lambda *_: sys.exit(__doc__))(*sys.argv[2:])


if __name__ == "__main__":
    main()
