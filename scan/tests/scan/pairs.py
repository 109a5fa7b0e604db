#!/usr/bin/env python3
"""What `svs scan --pairs` says of each two tasks.

usage: pairs.py --svs PROGRAM --clang PROGRAM --cc PROGRAM --include FOLDER --work FOLDER [--only NAME]

pairs.txt has the cases: `== NAME`, C in front of `-- `-lines, and those:
    -- independent: A B                 the two are independent
    -- meets: A:LINE B:LINE[: REGEX]    they are not, because of accesses in these lines, of one place
    -- touch: A:LINE B:LINE: REGEX      A's touch function reads what B's body writes
    -- error: LINE: REGEX
    -- cure: TEXT   -- no: TEXT         is, or is not, printed
    -- pairs: N of M                    so many are independent
    -- facts: TEXT                      stands in the generated header
The generated header must compile without a warning, and --dot must have the same pairs. All clangs that are found must come
to the same; with one alone, the comparison is left out, and the output says so.
"""

import re
import shutil
import subprocess

from listed import HERE, complaints, judge_all

PRELUDE = """#include <stdlib.h>
#include <string.h>
#include <svs/scan.h>
#include <svs/svs.h>
typedef struct pair { int x, y; } pair;
typedef struct job { pair *p; int i; } job;
#define TASK(name, ...) \\
    static svs_status name##_run(svs_context *x, job *t) { (void)x, (void)t; __VA_ARGS__ return SVS_OK; } \\
    SVS_TASK_SCANNED(name, job, name##_run)
"""
LINES = PRELUDE.count("\n")


class Said:
    """What a scan has printed."""

    def __init__(self, text):
        self.independent = set()
        self.meets, self.touches = {}, {}
        lines = text.splitlines()
        for at, line in enumerate(lines):
            if words := re.fullmatch(r"(\S+) and (\S+) are independent", line):
                self.independent.add(frozenset(words.groups()))
            for wanted, into in ((r"\S+:(\d+):\d+: (\S+) and (\S+) are not independent: (\S+) .*", self.meets),
                                 (r"\S+:(\d+):\d+: the touch function of (\S+) reads .*, which the body of (\S+) writes()", self.touches)):
                if words := re.fullmatch(wanted, line):
                    second = re.match(r"\S+:(\d+):\d+: (\S+) ", lines[at + 1])
                    first = {words.group(2): int(words.group(1)), second.group(2): int(second.group(1))}
                    into[(words.group(2), words.group(3))] = (first, lines[at + 2], lines[at + 3])


def shifted(regex, shift):
    return re.sub(r":(\d+)\b", lambda number: f":{int(number.group(1)) + shift}", regex)


def judge_pair(said, kind, text, shift):
    names = re.match(r"(\w+):(\d+) (\w+):(\d+)(?:: (.*))?$", text)
    wanted = {names.group(1): int(names.group(2)) + shift, names.group(3): int(names.group(4)) + shift}
    table = said.meets if kind == "meets" else said.touches
    both = (names.group(1), names.group(3))
    found = table.get(both) or table.get(both[::-1])
    return found and found[0] == wanted and re.search(shifted(names.group(5) or "", shift), found[1])


def judge(options, name, code, checks):
    source = options.work / f"{name}.c"
    text = "\n".join(code).rstrip("\n")
    shift = LINES
    if '#include "six.c"' in text:
        source.write_text((HERE / "pairs/six.c").read_text())
        shift = 0
    else:
        source.write_text(PRELUDE + text + "\n#include SVS_SCANNED\n")
    header, dot = source.with_suffix(".c.svs.h"), source.with_suffix(".dot")
    header.unlink(missing_ok=True)
    flags = [f"-I{options.include}"]
    outputs = []
    for clang in options.clangs:
        result = subprocess.run([options.svs, "scan", "--pairs", "--dot", dot, "--clang", clang, source, "--", *flags], capture_output=True, text=True)
        outputs.append((result.returncode, result.stdout, result.stderr, header.exists() and header.read_text(), dot.read_text()))
    status, out, errors, made, picture = outputs[0]
    wrong = [f"{clang} comes to something else" for clang, output in zip(options.clangs, outputs) if output != outputs[0]]
    said = Said(out)
    expected = [check for check in checks if check[0] == "error"]
    for kind, wanted in checks:
        if kind == "independent":
            good = frozenset(wanted.split()) in said.independent
        elif kind in ("meets", "touch"):
            good = judge_pair(said, kind, wanted, shift)
        elif kind == "error":
            line, _, regex = wanted.partition(": ")
            good = re.search(rf":{int(line) + shift}:\d+: error: .*{shifted(regex, shift)}", errors)
        elif kind == "facts":
            good = made and wanted in made
        else:
            good = (wanted in out) != (kind == "no")
        if not good:
            wrong.append(f"{kind}: {wanted}")
    if picture.count(" -- ") != len(said.meets) + len(said.touches):
        wrong.append("the picture has other pairs")
    if status != (1 if expected else 0):
        wrong.append(f"exit status {status}")
    if not expected and not wrong:
        wrong += complaints(options, source, header, flags)
    if wrong:
        print(f"{name}: " + "; ".join(wrong), out, errors, sep="\n")
    return not wrong


def find_clangs(options):
    newest = next((f"clang-{number}" for number in range(30, 14, -1) if shutil.which(f"clang-{number}")), None)
    options.clangs = [options.clang] + ([newest] if newest else [])
    return "; " + (f"{newest} comes to the same" if newest else "LEFT OUT: there is one clang, to compare with none")


if __name__ == "__main__":
    judge_all("pairs.txt", judge, __doc__, find_clangs)
