#!/usr/bin/env python3
"""The table of constructs (scan/src/scan/program/kinds.def): scan/docs/scan.md has it, the code handles no kind without a row, and a scan with
one row changed comes to something else for a case of cases.txt (rows.c).

usage: table.py --rows PROGRAM --clang PROGRAM --include FOLDER --page FILE --work FOLDER [--write]

--write puts the table into the page. Rows of constructs that only other clangs have are left out aloud.
"""

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cases import PRELUDE
from listed import read

HERE = Path(__file__).resolve().parent
SCAN = HERE.parents[1] / "src/scan"
SECTIONS = ["NODE", "CAST", "OPERATOR", "DECLARATION", "ATTRIBUTE", "STORAGE", "TYPE"]
WORDS = ["expressions and statements", "casts", "operators", "declarations", "attributes", "storage classes", "words of types"]
USES = ["KEPT", "MADE", "FOLLOWED", "IGNORED", "REFUSED"]
NEWER = {"NODE,ExprWithCleanups", "NODE,MaterializeTemporaryExpr", "NODE,OpaqueValueExpr"}
TRIES = 6  # cases a row


def rows_of():
    """(section, name, use, how) of each row."""
    text = re.sub(r"/\*.*?\*/", "", (SCAN / "program/kinds.def").read_text(), flags=re.S)
    for section, use, rest in re.findall(r"^(NODE|CAST|OPERATOR|DECLARATION|ATTRIBUTE|STORAGE|TYPE)\((\w+),(.*?)\)$", text, flags=re.M | re.S):
        names, how = ("".join(re.findall(r'"(.*?)"', part)) for part in re.fullmatch(r'(.*"),\s*(".*")', rest, re.S).groups())
        for name in names.split():
            yield section, name, use, how


def page_of(rows):
    """The table as scan/docs/scan.md has it."""
    lines = ["| | | what becomes of it | how |", "|---|---|---|---|"]
    for section, word in zip(SECTIONS, WORDS):
        for use in USES:
            groups = defaultdict(list)
            for row in rows:
                if row[0] == section and row[2] == use:
                    groups[row[3]].append(f"`{row[1]}`".replace("|", "\\|"))
            for how, names in groups.items():
                how = re.sub(r"\b((?:slice|maker)_\w+)", r"`\1`", how)
                lines.append(f"| {word} | {' '.join(names)} | {use.lower()} | {how} |")
                word = ""
    return "\n".join(lines) + "\n"


def missing(rows):
    """Kinds that the code names, and functions that the table names, which are not there."""
    text = "".join(path.read_text() for path in SCAN.rglob("*.c"))
    known = {row[1] for row in rows}
    named = set(re.findall(r'"(\w+(?:Expr|Stmt|Operator|Literal|Decl|Attr))"', text))
    named |= set(re.findall(r'"((?:LValue|Array|Function|Builtin|Null|Integral|Floating|Pointer|Atomic|NonAtomic)\w*To\w+|BitCast|NoOp)"', text))
    functions = {name for row in rows for name in re.findall(r"\b(?:slice|maker)_\w+", row[3])}
    return sorted(name for name in named if name not in known and name[0].isupper() and name != "TranslationUnitDecl") + sorted(
        name for name in functions if not re.search(rf"^[a-z].*\b{name}\(.*\{{|^[a-z].*\b{name}\([^;]*\n.*\{{", text, re.M))


class Scans:
    def __init__(self, options):
        self.options = options
        self.sources = {}
        for name, (code, _) in read("cases.txt").items():
            source = options.work / f"{name}.c"
            source.write_text(PRELUDE + "\n".join(code).rstrip("\n") + "\nSVS_TASK_SCANNED(job, job_run)\n#include SVS_SCANNED\n")
            self.sources[name] = source

    def run(self, *words, **environment):
        result = subprocess.run([self.options.rows, "scan", *words], capture_output=True, text=True, timeout=60, env={"PATH": "/usr/bin:/bin", **environment})
        return result.returncode, result.stdout + result.stderr

    def facts(self, name, folder, **environment):
        """What clang says of a case. Of the table's rows, those of attributes alone are looked up there (boil.c)."""
        o, facts = self.options, folder / f"{name}.facts"
        facts.unlink(missing_ok=True)
        return self.run("--facts", facts, "--clang", o.clang, self.sources[name], "--", f"-I{o.include}", **environment)

    def link(self, name, folder, **environment):
        """What a link of a case's facts says and writes."""
        header = folder / f"{name}.svs.h"
        header.unlink(missing_ok=True)
        status, said = self.run("--link", "--notes", folder / f"{name}.facts", **environment)
        text = re.sub(r"#line.*", "", header.read_text()) if header.exists() else ""
        header.unlink(missing_ok=True)
        return status, said, text

    def changed(self, name, section, key):
        """What comes of a case with a row changed: clang reads it again only if that changes its facts."""
        folder = self.options.work / re.sub(r"\W", lambda m: f"_{ord(m[0])}", key)
        folder.mkdir(exist_ok=True)
        if section == "ATTRIBUTE":
            status, said = self.facts(name, folder, SVS_ROW=key)
            if status or said:
                return status, said, ""
        else:
            facts = folder / f"{name}.facts"
            facts.unlink(missing_ok=True)
            facts.symlink_to(self.options.work / facts.name)
        return self.link(name, folder, SVS_ROW=key)

    def used(self, name):
        """The rows that a case looks up, and what comes of it."""
        path = self.options.work / f"{name}.rows"
        path.unlink(missing_ok=True)
        status, said = self.facts(name, self.options.work, SVS_ROWS=str(path))
        if status or said:
            sys.exit(f"table: the facts of {name}: {said}")
        plain = self.link(name, self.options.work, SVS_ROWS=str(path))
        return name, plain, set(path.read_text().split("\n")) if path.exists() else set()


def lived(options, rows):
    """Rows whose change no case notices."""
    scans = Scans(options)
    with ThreadPoolExecutor(2) as pool:
        all_used = list(pool.map(scans.used, scans.sources))
        plain = {name: result for name, result, _ in all_used}

        def dies(row):
            key = f"{SECTIONS.index(row[0])},{row[1]}"
            cases = [name for name, _, used in all_used if key in used]
            cases.sort(key=lambda name: ((plain[name][0] == 0) == (row[2] == "REFUSED"), not name.startswith(("all_", "constructs_"))))
            for name in cases[:TRIES]:
                if scans.changed(name, row[0], key) != plain[name]:
                    return None
            return f"{row[0]},{row[1]}"

        return [row for row in pool.map(dies, rows) if row]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("rows", "clang"):
        parser.add_argument(f"--{option}", required=True)
    for option in ("include", "page", "work"):
        parser.add_argument(f"--{option}", required=True, type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    rows, failed = list(rows_of()), []
    page = options.page.read_text()
    table = re.search(r"(<!-- table: kinds -->\n)(.*?)(<!-- end -->)", page, re.S)
    if options.write:
        options.page.write_text(page.replace(table[0], table[1] + page_of(rows) + table[3]))
        return
    if not table or table[2] != page_of(rows):
        failed.append(f"{options.page} has another table: run this with --write")
    if missing(rows):
        failed.append("not in kinds.def, or no function: " + " ".join(missing(rows)))
    alive = lived(options, rows)
    out = [row for row in alive if row in NEWER]
    if out:
        print(f"table: LEFT OUT: no case of this clang has {' '.join(out)}")
    if set(alive) - NEWER:
        failed.append("no case notices a change of " + " ".join(sorted(set(alive) - NEWER)))
    if failed or not rows:
        sys.exit("table: " + "; ".join(failed))
    print(f"table: {len(rows)} rows, {len(rows) - len(out)} of them changed, and each noticed")


if __name__ == "__main__":
    main()
