#!/usr/bin/env python3
"""What `svs scan` says of a clang that is missing, too old or strange, and of trees and facts that break off.

usage: front.py --svs PROGRAM --clang PROGRAM --include FOLDER --work FOLDER [--each N]

Of the damaged inputs, one of N is read.
"""

import argparse
import copy
import json
import random
import re
import resource
import subprocess
import sys
from pathlib import Path

SOURCE = """#include <svs/scan.h>
typedef struct job { long *n; } job;
static svs_status job_run(svs_context *x, job *t) { (void)x; ++*t->n; return SVS_OK; }
SVS_TASK_SCANNED(job, job_run)
#include SVS_SCANNED
"""
STRUCTS = '''#include <svs/scan.h>
typedef struct { struct { int x, y; } in; int z; } pair;
typedef struct box { pair *at; } box;
static pair pairs[2];
typedef struct job { box b; int i; } job;
static void use(box b) { b.at->in = pairs[1].in; }
static svs_status job_run(svs_context *x, job *t) {
    (void)x;
    use(t->b);
    pairs[0] = *(__typeof__(&pairs[0]))t->b.at;
    return SVS_OK;
}
SVS_TASK_SCANNED(job, job_run)
#include SVS_SCANNED
'''
# Two files with a struct of one header.
FLAG = """#include <stdbool.h>
#include <svs/scan.h>
struct flag {{ bool on; int x; }};
typedef struct item {{ struct flag *flag; int i; }} item;
static svs_status {0}_run(svs_context *x, item *t) {{ (void)x; {1}; return SVS_OK; }}
SVS_TASK_SCANNED_NAMED({0}, item, {0}_run)
#include SVS_SCANNED
"""
# Writes the tree of a clang of today as clang 22 does: types without what they stand for, in other words.
NEWER = '''import json, subprocess, sys
def newer(node):
    if isinstance(node, list):
        return [newer(one) for one in node]
    if not isinstance(node, dict):
        return node
    if node.get("kind") == "ElaboratedType":
        owned = node.get("ownedTagDecl")
        return {"kind": "RecordType", "type": node["type"], "decl": owned, "isTagOwned": True} if owned else newer(node["inner"][0])
    made = {key: newer(value) for key, value in node.items()}
    if "qualType" in made:
        made["qualType"] = made["qualType"].replace("(unnamed struct at", "(unnamed at").replace("(anonymous struct at", "(unnamed at")
        plain = made.get("desugaredQualType")
        if node.get("desugaredQualType") == node["qualType"] or plain and "::" in plain:
            del made["desugaredQualType"]
        if plain in ("pair", "pair *"):
            made["desugaredQualType"] = "struct " + plain
    return made
text = subprocess.run(sys.argv[1:], check=True, capture_output=True).stdout
json.dump(newer(json.loads(text)), sys.stdout)
'''
SECONDS, BYTES = 20, 1 << 28  # of the processor, and of a file: bounds of what reads damaged input
REAL = '#!/bin/sh\ncase "$*" in *-dumpversion*) echo {version}; exit;; esac\n{rest}\n'


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


def broken(text, chance):
    """A tree or facts with the form of JSON, in which some parts are not what they should be: in every second case, the last
    declarations, which are the program's and not the library's headers."""
    whole = json.loads(text)
    parts = list(parts_of(whole["inner"][-5:] if chance.randrange(2) else whole["inner"]))
    for _ in range(chance.choice([1, 1, 2, 4])):
        part = chance.choice(parts)
        if part:
            break_part(part, parts, chance)
    return json.dumps(whole).encode()


def bound():
    """What never ends is ended, with the processes that it began."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, BYTES))


class Front:
    def __init__(self, options):
        self.options = options
        self.source = options.work / "job.c"
        self.source.write_text(SOURCE)
        self.failed = []

    def run(self, *words):
        command = [str(word) for word in (self.options.svs, "scan", *words)]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=bound)

    def survives(self, what, breaks_off, text, *words):
        """Input that is damaged: what breaks off is refused with `text`; all else is refused or read."""
        result = self.run(*words)
        ended = "was ended by signal" in result.stderr or "Sanitizer" in result.stderr
        if ended or result.returncode not in (0, 1, 2) or (breaks_off and (result.returncode != 2 or text not in result.stderr)):
            self.failed.append(what)
            print(f"{what}: {result.returncode} {result.stderr[-500:]}")

    def expect(self, what, status, text, *words):
        result = self.run(*words)
        if result.returncode != status or text not in result.stderr + result.stdout:
            self.failed.append(what)
            print(f"{what}: exit status {result.returncode}: {result.stderr[-400:]}")

    def clang(self, name, version, rest):
        path = self.options.work / name
        path.write_text(REAL.format(version=version, rest=rest))
        path.chmod(0o755)
        return path

    def clangs(self):
        flags = ["--", f"-I{self.options.include}"]
        real = f'exec {self.options.clang} "$@"'
        self.expect("no clang", 2, "cannot be run: install clang 14", "--clang", "no-such-clang", self.source, *flags)
        older = f'exec {self.options.clang} -U__clang_major__ -D__clang_major__=13 "$@"'
        self.expect("an old clang", 2, "clang 13 is too old", "--clang", self.clang("old", "13.0.1", older), self.source, *flags)
        self.expect("one that is too old for the flags", 2, "clang 9 is too old", "--clang", self.clang("older", "9.0.1", "exit 1"),
                    self.source, *flags)
        self.expect("no clang at all", 2, "cannot be run", "--clang", self.clang("none", "GNU", "exit 1"), self.source, *flags)
        self.expect("a clang in between", 0, "", "--clang", self.clang("new", "14.0.6", real), self.source, *flags)
        self.expect("another form", 2, "another form", "--clang",
                    self.clang("other", "15.0.0", f'{self.options.clang} "$@" | sed s/castKind/kindOfCast/'), self.source, *flags)
        self.expect("a tree that breaks off", 2, "breaks off at byte", "--clang",
                    self.clang("short", "15.0.0", f'{self.options.clang} "$@" | head -c 5000'), self.source, *flags)
        self.expect("no last line", 1, "end the file with this line", self.open_ended(), *flags)
        self.expect("no C", 2, "its messages are above", "--clang", self.options.clang, self.no_c(), *flags)
        self.expect("no source", 2, "needs sources")
        self.expect("an unknown option", 2, "no option '--fast'", "--fast", self.source)
        self.expect("two sources of one file of facts", 2, "--facts takes one source", "--facts", "x", self.source, self.source)
        self.expect("a rule without facts", 2, "--depfile goes with --facts", "--depfile", "x", self.source)
        self.expect("an option without its value", 2, "needs a value", self.source, "--clang")
        self.expect("a folder that is not there", 2, "cannot write", "-o", self.options.work / "none", self.source, *flags)
        for name, text, said in (("torn", "[{", "is no JSON"), ("other_build", "[]", "does not compile")):
            folder = self.options.work / name
            folder.mkdir(exist_ok=True)
            (folder / "compile_commands.json").write_text(text)
            self.expect(f"compile_commands.json that {said}", 2, said, "-p", folder, self.source)
        self.expect("no build", 2, "CMAKE_EXPORT_COMPILE_COMMANDS", "-p", self.options.work / "none", self.source)

    def newer(self):
        """Both forms of structs without a name come to the same."""
        script, source = self.options.work / "newer.py", self.structs()
        script.write_text(NEWER)
        header, flags = Path(f"{source}.svs.h"), ["--", f"-I{self.options.include}"]
        made = []
        for clang in (self.options.clang, self.clang("newer", "22.1.8", f'exec {sys.executable} {script} {self.options.clang} "$@"')):
            header.unlink(missing_ok=True)
            self.expect(f"structs, {clang}", 0, "", "--clang", clang, source, *flags)
            made.append(header.exists() and header.read_text())
        if made[0] != made[1] or "svs_writes(f, &pairs[0].in);" not in made[0]:
            self.failed.append("structs in the form of newer clangs")
            print(made[0], made[1], sep="\n")

    def open_ended(self):
        path = self.options.work / "open_ended.c"
        path.write_text(SOURCE.replace("#include SVS_SCANNED", ""))
        return path

    def bools(self):
        """clang writes _Bool or bool for one type, by what a file has in front of it: the struct is one all the same."""
        sources = [self.options.work / f"flag_{name}.c" for name in "ab"]
        for source, name, text in zip(sources, "ab", ("t->flag->x = 1", "t->i = t->flag->x")):
            source.write_text(FLAG.format(name, text))
        real = (f'case "$*" in *flag_a.c*) word=bool to=_Bool;; *) word=_Bool to=bool;; esac\n'
                f"{self.options.clang} \"$@\" | sed 's/\"'$word'\"/\"'$to'\"/'")
        for clang in (self.options.clang, self.clang("bool", "15.0.0", real)):
            self.expect(f"one struct with a bool, {clang}", 0, "0 of 1 pairs", "--pairs", "--clang", clang, *sources, "--", f"-I{self.options.include}")

    def structs(self):
        path = self.options.work / "structs.c"
        path.write_text(STRUCTS)
        return path

    def no_c(self):
        path = self.options.work / "broken.c"
        path.write_text("int f(void) { return }\n")
        return path

    def cut(self):
        """Facts that end early, or have other bytes or parts, are refused or read, without a crash."""
        facts = self.options.work / "structs.facts"
        self.expect("facts", 0, "", "--facts", facts, "--clang", self.options.clang, self.structs(), "--", f"-I{self.options.include}")
        whole = facts.read_bytes()
        self.expect("a link", 0, "", "--link", facts)
        chance = random.Random(7)
        bad = self.options.work / "bad.facts"
        for number in range(60 // self.options.each):
            at = chance.randrange(len(whole) - 2)
            bad.write_bytes(whole[:at] if number % 3 else whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :])
            self.survives(f"facts, damaged at {at}", number % 3, "has no facts", "--link", bad)
        for number in range(200 // self.options.each):
            bad.write_bytes(broken(whole, chance))
            self.survives(f"facts, broken, {number}", False, "", "--notes", "--link", bad)

    def trees(self):
        """clang's syntax tree, cut off, with other bytes or parts, or with nodes under the ids of others."""
        flags = ["-Xclang", "-ast-dump=json", "-fsyntax-only", "-w", "-DSVS_SCAN", "-DSVS_SERIAL_ELISION",
                 "-DSVS_SCANNED=<svs/detail/not_scanned.h>", f"-I{self.options.include}"]
        whole = subprocess.run([self.options.clang, *flags, self.source], capture_output=True, check=True).stdout
        bad = self.options.work / "bad.json"
        real = f'case "$*" in */svs-scan-*) exec {self.options.clang} "$@";; esac\nexec cat {bad}'
        fake = self.clang("fuzzed", "15.0.0", real)
        chance = random.Random(11)
        ids = [found.span() for found in re.finditer(b'"0x[0-9a-f]+"', whole)][-2000:]
        tops = [found.span(1) for found in re.finditer(rb'"id": ("0x[0-9a-f]+"),\s+"kind": "(?:Function|Var|Enum)Decl"', whole)][-10:]
        for number in range(60 // self.options.each):
            # Most of the tree is the library's headers: the end is the task's.
            at = chance.randrange(len(whole) - 2) if number % 4 == 0 else len(whole) - 2 - chance.randrange(40000)
            if number % 4 == 2:
                some = bytes(chance.choice(b'{}[]":,0aZ\\\x00\xff') for _ in range(chance.randrange(1, 4)))
                bad.write_bytes(whole[:at] + some + whole[at + len(some) :])
            elif number % 4 == 3:
                (begin, end), (first, last) = (tops[-1], tops[number // 8]) if number % 8 == 3 else chance.sample(ids, 2)
                bad.write_bytes(whole[:begin] + whole[first:last] + whole[end:])
            else:
                bad.write_bytes(whole[:at])
            self.survives(f"tree, damaged at {at}", number % 4 < 2, "breaks off at byte", "--pairs", "--clang", fake, self.source)
        for number in range(40 // self.options.each):
            bad.write_bytes(broken(whole, chance))
            self.survives(f"tree, broken, {number}", False, "", "--pairs", "--clang", fake, self.source)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("svs", "clang", "include"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--each", type=int, default=1)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    front = Front(options)
    front.clangs()
    front.newer()
    front.bools()
    front.cut()
    front.trees()
    if front.failed:
        sys.exit("front: failed: " + ", ".join(front.failed))
    print("front: all said")


if __name__ == "__main__":
    main()
