#!/usr/bin/env python3
"""Damaged syntax trees and facts: `svs scan` refuses or reads each, without a crash.

usage: damaged.py --svs PROGRAM --damaged PROGRAM --clang PROGRAM --include FOLDER --work FOLDER [--count N] [--seed N]

The trees are clang's, of small programs, without the headers' declarations that they do not name: most of a whole tree is those.
Each of N inputs a program has other bytes, ends early, has parts that are missing, double or of another kind, or has nodes under
the ids of others. `damaged` (damaged.c) runs the scan in a new process for each of them.
"""

import argparse
import copy
import itertools
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

from front import SOURCE, STRUCTS
from share import share_of

BYTES = b'{}[]":,0aZ\\\x00\xff'
ID = re.compile(rb'"0x[0-9a-f]+"')


# ---- damage ----


def parts_of(value):
    """The nodes of a syntax tree, and the lists of their inner nodes that are not empty."""
    if isinstance(value, list) or "kind" in value:
        yield value
    for one in value if isinstance(value, list) else [value.get("inner")]:
        if one:
            yield from parts_of(one)


def break_part(part, parts, chance):
    """An element or a member is missing, is another one, or is of another kind."""
    what = chance.randrange(3)
    if isinstance(part, list):
        at, others = chance.randrange(len(part)), part
    else:
        at = chance.choice(sorted(part))
        others = [other[at] for other in parts if isinstance(other, dict) and at in other]
    if what == 0:
        del part[at]
    elif what == 1:
        part[at] = copy.deepcopy(chance.choice(others))
    else:
        part[at] = chance.choice([None, True, 7, "", "x", [], {}, [{}]])


def with_broken_parts(text, chance):
    """It keeps the form of JSON. In every second case the last declarations break, which are the program's."""
    whole = json.loads(text)
    parts = list(parts_of(whole["inner"][-5:] if chance.randrange(2) else whole["inner"]))
    for _ in range(chance.choice([1, 1, 2, 4])):
        part = chance.choice(parts)
        if part:
            break_part(part, parts, chance)
    return json.dumps(whole).encode()


def with_other_bytes(text, chance):
    at = chance.randrange(len(text))
    some = bytes(chance.choice(BYTES) for _ in range(chance.randrange(1, 4)))
    return text[:at] + some + text[at + len(some) :]


def with_other_ids(text, chance):
    """One to three ids in the place of others: a name means another declaration, or two declarations have one id."""
    ids = [found.span() for found in ID.finditer(text)]
    for _ in range(chance.choice([1, 1, 2, 3]) if ids else 0):
        (begin, end), (first, last) = chance.sample(ids, 2)
        text = text[:begin] + text[first:last].ljust(end - begin) + text[end:]
    return text


def cut(text, chance):
    return text[: chance.randrange(1, len(text) - 2)]


WITH_LEAKS = 90  # inputs of each kind, of which leaks are searched for
READ, REFUSED = (0, 1, 2), (2,)  # exit statuses: of what is refused or read, and of what is refused

DAMAGE = (with_broken_parts, with_other_bytes, with_other_ids, cut)


# ---- trees ----


def words_of(node, words):
    """The words of all texts of a node: ids, and the names of types."""
    for value in node.values() if isinstance(node, dict) else node:
        if isinstance(value, str):
            words.update(re.findall(r"\w+", value))
        elif isinstance(value, (dict, list)):
            words_of(value, words)
    return words


def defined_by(node):
    """The ids of a declaration and of those in it, and the names of types."""
    for one in parts_of(node):
        if isinstance(one, dict):
            yield one.get("id")
            if one["kind"] in ("TypedefDecl", "RecordDecl", "EnumDecl"):
                yield one.get("name")


def without_unused(tree, kept=12):
    """The last declarations, and those that they name."""
    tops = tree["inner"]
    needed = set(range(len(tops) - kept, len(tops)))
    owner = {word: number for number, top in enumerate(tops) for word in defined_by(top)}
    new = list(needed)
    while new:
        found = {owner[word] for word in words_of(tops[new.pop()], set()) if word in owner}
        new += found - needed
        needed |= found
    return {**tree, "inner": [tops[number] for number in sorted(needed)]}


class Damaged:
    def __init__(self, options):
        self.options = options
        self.flags = [f"-I{os.path.relpath(options.include)}"]
        self.failed = []
        self.bad = Path("bad.json")
        self.cat = Path("cat.sh").resolve()
        self.cat.write_text(f"#!/bin/sh\nexec cat {self.bad}\n")
        self.cat.chmod(0o755)

    def tree(self, source):
        """It is the same at each time: ids count from 1, and paths start at the work folder."""
        flags = ["-Xclang", "-ast-dump=json", "-fsyntax-only", "-w", "-DSVS_SCAN", "-DSVS_SERIAL_ELISION",
                 "-DSVS_SCANNED=<svs/detail/not_scanned.h>", *self.flags]
        whole = subprocess.run([self.options.clang, *flags, source], capture_output=True, check=True).stdout
        text = json.dumps(without_unused(json.loads(whole)), indent=1).encode()
        numbers = {}
        return ID.sub(lambda found: b'"0x%012x"' % numbers.setdefault(found.group(), len(numbers) + 1), text)

    def run_all(self, name, inputs, *words):
        """Runs the scan for each input: (what it is, its bytes, the exit statuses that are right, what it must say). The search
        for leaks takes two thirds of the time, so that it ends early."""
        inputs = iter(inputs)
        self.run_some(name, itertools.islice(inputs, WITH_LEAKS), os.environ, *words)
        self.run_some(name, inputs, {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}, *words)

    def run_some(self, name, inputs, environment, *words):
        errors = open(f"{name}.errors", "w+b")
        command = [self.options.damaged, *words]
        scans = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment)
        for what, text, statuses, says in inputs:
            self.bad.write_bytes(text)
            errors.seek(0)
            errors.truncate()
            scans.stdin.write(b"\n")
            scans.stdin.flush()
            status = int(scans.stdout.readline())
            errors.seek(0)
            said = errors.read().decode(errors="replace")
            if status not in statuses or says not in said or "Sanitizer" in said or "runtime error" in said or "by signal" in said:
                self.failed.append(what)
                Path(f"{name}.failed.{len(self.failed)}").write_bytes(text)
                print(f"{what}: {status} {said[:3000]}")
        scans.stdin.close()
        if scans.wait() != 0:
            self.failed.append(f"{name}: the program that runs the scans")

    def inputs(self, name, whole, refusal):
        """The whole text, which is read, and then damaged ones. Those that are cut are refused."""
        chance = random.Random(self.options.seed)
        yield f"{name}, whole", whole, (0,), ""
        for number in range(self.options.count):
            damage = DAMAGE[number % len(DAMAGE)]
            expected = (REFUSED, refusal) if damage == cut else (READ, "")
            yield f"{name}, {damage.__name__}, {number}", damage(whole, chance), *expected

    def program(self, name, text):
        source, facts = Path(f"{name}.c"), Path(f"{name}.facts")
        source.write_text(text)
        header = Path(f"{source}.svs.h")
        subprocess.run([self.options.svs, "scan", "--clang", self.options.clang, source, "--", *self.flags], check=True)
        made = header.read_text()
        tree = self.tree(source)
        with_tree = ("--clang", self.cat, source)
        for words in ((), ("--facts", facts)):
            self.run_all(f"{name}_tree", [("the tree", tree, (0,), "")], *words, *with_tree)
        if header.read_text() != made:
            self.failed.append(f"{name}: without unused declarations, another header")
        self.run_all(f"{name}_tree", self.inputs(f"tree of {name}", tree, "breaks off at byte"), "--pairs", "--notes", *with_tree)
        self.run_all(f"{name}_facts", self.inputs(f"facts of {name}", facts.read_bytes(), "has no facts"), "--pairs", "--notes", "--link", self.bad)
        return tree

    def strange(self, tree):
        """Trees that a damage by chance comes to seldom."""
        ids = {kind: re.search(rb'"id": ("0x[0-9a-f]+"),\s+"kind": "%sDecl"' % kind, tree).group(1) for kind in (b"Field", b"Var", b"ParmVar")}
        for what, key, value, other, statuses in (
            ("a file that is a number", b"file", rb'"[^"]*"', b"1", REFUSED),
            ("members that are variables", b"referencedMemberDecl", rb'"\w+"', ids[b"Var"], (1,)),
            ("functions that were fields", b"previousDecl", rb'"\w+"', ids[b"Field"], (0,)),
            ("functions that were parameters", b"previousDecl", rb'"\w+"', ids[b"ParmVar"], (0,)),
        ):
            text, count = re.subn(rb'"%s": %s' % (key, value), b'"%s": %s' % (key, other), tree)
            if not count:
                self.failed.append(f"{what}: the tree has no {key}")
            yield what, text, statuses, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("svs", "damaged", "clang", "include"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.count = share_of(options.count)
    options.work.mkdir(parents=True, exist_ok=True)
    options.svs, options.damaged, options.include = map(os.path.abspath, (options.svs, options.damaged, options.include))
    os.chdir(options.work)
    damaged = Damaged(options)
    damaged.program("job", SOURCE)
    tree = damaged.program("structs", STRUCTS)
    damaged.run_all("strange", damaged.strange(tree), "--pairs", "--clang", damaged.cat, "structs.c")
    if damaged.failed:
        sys.exit("damaged: failed: " + ", ".join(damaged.failed))
    print("damaged: all refused or read")


if __name__ == "__main__":
    main()
