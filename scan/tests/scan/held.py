#!/usr/bin/env python3
"""What `svs scan` says of hand-written touch functions that it holds against bodies.

usage: held.py --svs PROGRAM --clang PROGRAM --cc PROGRAM --include FOLDER --work FOLDER [--only NAME]

held.txt has the cases: `== NAME`, C in front of `-- `-lines, and those: `-- error: LINE: REGEX` and `-- note: LINE: REGEX` must
be among what is said, with their line in the case. What is said of an address that a pointer leads to, and that no line names,
is a failure, as is any other error. A case begins with what the prelude below has.
"""

import re
import subprocess

from listed import judge_all

PRELUDE = """#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <svs/scan.h>
#include <svs/svs.h>
typedef struct node node;
struct node { int a; node *next; };
typedef struct list { node *first; } list;
typedef struct job { list *l; int *p, i; } job;
#define TOUCH(...) static void job_touch(svs_footprint *f, const job *t) { (void)f, (void)t; __VA_ARGS__ }
#define BODY(...) \\
    static svs_status job_run(svs_context *x, job *t) { size_t n = svs_worker_index(); (void)n, (void)t; __VA_ARGS__ return SVS_OK; } \\
    SVS_TASK(job, job_run, job_touch)
"""
LINES = PRELUDE.count("\n")
SAID = re.compile(r"\S+:(\d+):\d+: (error|note): job: (.*)")


def judge(options, name, code, checks):
    source = options.work / f"{name}.c"
    source.write_text(PRELUDE + "\n".join(code).rstrip("\n") + "\n#include SVS_SCANNED\n")
    result = subprocess.run([options.svs, "scan", "--notes", "--clang", options.clang, source, "--", f"-I{options.include}"],
                            capture_output=True, text=True)
    said = [(kind, int(line) - LINES, text) for line, kind, text in SAID.findall(result.stdout + result.stderr)]
    told = [one for one in said if one[0] == "error" or " through " in one[2]]
    wrong = []
    for kind, wanted in checks:
        line, _, regex = wanted.partition(": ")
        found = [one for one in said if one[:2] == (kind, int(line)) and re.search(regex, one[2])]
        told = [one for one in told if one not in found]
        if len(found) != 1:
            wrong.append(f"{len(found)} times: {kind}: {wanted}")
    wrong += [f"{kind} in line {line}: {text}" for kind, line, text in told]
    if result.returncode != any(kind == "error" for kind, wanted in checks):
        wrong.append(f"status {result.returncode}")
    if wrong:
        print(f"{name}: " + "; ".join(wrong), *said, sep="\n")
    return not wrong


if __name__ == "__main__":
    judge_all("held.txt", judge, __doc__)
