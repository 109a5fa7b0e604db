#!/usr/bin/env python3
"""The numbered invariants of the library: each label carries its room, is defined once, and is asserted or says why not.

usage: labels.py [--list]

A label is defined by a line of a comment that begins with it, as in

     *   memobj.R1  soundness: once no assignment is in flight, ...

and its statement goes on to the next label, blank comment line, or end of the comment. It is asserted where a comment cites
it on the line of an assertion (SVS__CHECK, SVS__ASSERT, SVS__ASSERT_SLOW, static_assert) or on one of the three lines
above, or inside of a function with `is_valid` in its name. A statement that cannot be asserted ends with
"(not asserted: why)". --list prints label, statement, assertions and tests.
"""

import argparse
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from folders import INCLUDES, LIBRARY, ROOT, TESTS, files, within

ROOMS = sorted(path.name for folder in LIBRARY for path in (ROOT / folder).iterdir() if path.is_dir())
LABEL = re.compile(rf"\b(?:{'|'.join(ROOMS)})\.[A-Z]\d+\b")
DEFINED = re.compile(rf"^\s*(?:/\*|\*)\s+({LABEL.pattern})[.:]?\s+(?=\S)(.*)")
BARE = re.compile(r"(?<![\w.])[A-Z]\d{1,2}\b(?!\w)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
ASSERTION = re.compile(r"\b(SVS__CHECK|SVS__ASSERT|SVS__ASSERT_SLOW|_?[Ss]tatic_assert)\s*\(")
FUNCTION = re.compile(r"^[A-Za-z_][^;=]*\b(\w+)\s*\(", re.M)
# Terms that look like a bare label.
TERMS = {"C11", "C17", "L1", "L2", "L3", "D1", "F1"}


@dataclass
class Invariant:
    where: str
    statement: str
    asserted: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def name_of(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def statement_from(lines: list[str], at: int, first: str) -> str:
    words = [first]
    for line in lines[at + 1 :] if "*/" not in first else []:
        text = line.strip().lstrip("*").strip()
        if not text or text == "/" or DEFINED.match(line):
            break
        words.append(text)
        if "*/" in line:
            break
    return " ".join(words).replace("*/", "").strip()


def read_definitions(problems: list[str]) -> dict[str, Invariant]:
    found: dict[str, Invariant] = {}
    for path in files(LIBRARY):
        room = within(path).partition("/")[0]
        lines = path.read_text().splitlines()
        for at, line in enumerate(lines):
            match = DEFINED.match(line)
            if not match or path.suffix == ".c" and line.lstrip().startswith("/*"):
                continue
            label = match.group(1)
            if label in found:
                problems.append(f"{name_of(path, at + 1)}: {label} is defined in {found[label].where}, too")
            elif not label.startswith(room + "."):
                problems.append(f"{name_of(path, at + 1)}: {label} is defined outside of its room")
            else:
                found[label] = Invariant(name_of(path, at + 1), statement_from(lines, at, match.group(2)))
    return found


def function_at(text: str, at: int) -> str:
    begun = [match.group(1) for match in FUNCTION.finditer(text, 0, at)]
    return begun[-1] if begun else ""


def read_citations(found: dict[str, Invariant], problems: list[str]) -> None:
    bare = defaultdict(list)
    for label in found:
        bare[label.split(".")[1]].append(label)
    for path in files((*LIBRARY, *INCLUDES, *TESTS)):
        text = path.read_text()
        lines = text.splitlines()
        for comment in COMMENT.finditer(text):
            first = text.count("\n", 0, comment.start())
            for match in LABEL.finditer(comment.group(0)):
                at = first + comment.group(0).count("\n", 0, match.start())
                cite(found, problems, path, text, lines, at, comment.end(), match.group(0))
            for match in BARE.finditer(comment.group(0)):
                if match.group(0) in bare and match.group(0) not in TERMS:
                    at = first + comment.group(0).count("\n", 0, match.start())
                    which = " or ".join(bare[match.group(0)])
                    problems.append(f"{name_of(path, at + 1)}: {match.group(0)} without its room: {which}")


def cite(found, problems, path: Path, text: str, lines: list[str], at: int, end: int, label: str) -> None:
    where = name_of(path, at + 1)
    if label not in found:
        problems.append(f"{where}: {label} is defined nowhere")
        return
    if "tests" in path.relative_to(ROOT).parts[0]:
        found[label].tests.append(where)
        return
    after = text.count("\n", 0, end)
    near = "\n".join(lines[at : after + 4])
    if ASSERTION.search(near) or "is_valid" in function_at(text, end):
        if where != found[label].where:
            found[label].asserted.append(where)


def labels_at(path: Path, line: int) -> set[str]:
    """The labels that an assertion on a line of a source cites."""
    text = path.read_text()
    return {
        match.group(0)
        for comment in COMMENT.finditer(text)
        for match in LABEL.finditer(comment.group(0))
        if text.count("\n", 0, comment.start() + match.start()) < line <= text.count("\n", 0, comment.end()) + 4
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    problems: list[str] = []
    found = read_definitions(problems)
    read_citations(found, problems)
    for label, invariant in sorted(found.items()):
        if not invariant.asserted and "(not asserted:" not in invariant.statement:
            problems.append(f"{invariant.where}: {label} is neither asserted nor says why it is not")
        if options.list:
            print(f"{label}  {invariant.statement}\n    asserted: {' '.join(invariant.asserted) or '-'}")
            print(f"    tests: {' '.join(invariant.tests) or '-'}")
    for problem in problems:
        print(f"labels: {problem}")
    asserted = sum(bool(invariant.asserted) for invariant in found.values())
    print(f"labels: {len(found)} invariants, {asserted} asserted, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
