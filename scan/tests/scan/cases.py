#!/usr/bin/env python3
"""What `svs scan` makes of one construct each, or says of it.

usage: cases.py --svs PROGRAM --clang PROGRAM --cc PROGRAM --include FOLDER --work FOLDER [--only NAME]

cases.txt has the constructs: `== NAME`, C in front of `-- `-lines, and those: `-- touch: LINE` must stand in the generated
header, `-- no: TEXT` must not, `-- note: REGEX` among the notes, `-- error: LINE: REGEX` among the errors, with its line in
the case. The generated header must compile without a warning, or with the error of `-- compiler: REGEX`; short runs and those with
sanitizers compare the text alone. A case begins with what the prelude below has.
"""

import re
import subprocess

from listed import complaints, judge_all
from share import is_partial

PRELUDE = """#include <string.h>
#include <svs/scan.h>
#include <svs/svs.h>
#include <stdio.h>
typedef struct node node;
struct node { int a, b; node *to; int list[4]; };
typedef struct job { node *n, *m; int i; } job;
#define BODY static svs_status job_run(svs_context *x, job *t)
#define END (void)x, (void)t; return SVS_OK
#define LOCK(p) do { (p)->a = 1; } while (0)
"""
LINES = PRELUDE.count("\n")


def judge(options, name, code, checks):
    source = options.work / f"{name}.c"
    source.write_text(PRELUDE + "\n".join(code).rstrip("\n") + "\nSVS_TASK_SCANNED(job, job_run)\n#include SVS_SCANNED\n")
    header = source.with_suffix(".c.svs.h")
    header.unlink(missing_ok=True)
    flags = [f"-I{options.include}"]
    result = subprocess.run([options.svs, "scan", "--notes", "--clang", options.clang, source, "--", *flags], capture_output=True, text=True)
    said = result.stdout + result.stderr
    wrong = []
    text = header.read_text() if header.exists() else ""
    lines = {line.strip() for line in text.splitlines()}
    errors = [check for check in checks if check[0] == "error"]
    refusals = [wanted for kind, wanted in checks if kind == "compiler"]
    for kind, wanted in checks:
        if kind == "error":
            line, _, regex = wanted.partition(": ")
            if not re.search(rf"{re.escape(str(source))}:{int(line) + LINES}:\d+: error: .*{regex}", said):
                wrong.append(f"no error in line {line}: {regex}")
        elif kind == "note":
            if not re.search(wanted, said):
                wrong.append(f"no note: {wanted}")
        elif kind == "touch" and wanted not in lines or kind == "no" and wanted in text:
            wrong.append(f"{kind}: {wanted}")
    if result.returncode != (1 if errors else 0):
        wrong.append(f"exit status {result.returncode}")
    if not errors and not wrong and not is_partial():
        said_of_header = complaints(options, source, header, flags)
        wrong += [f"the compiler does not say: {regex}" for regex in refusals if not re.search(regex, "".join(said_of_header))]
        wrong += [] if refusals else said_of_header
    if wrong:
        print(f"{name}: " + "; ".join(wrong), "\n".join(line for line in text.splitlines() if "#" not in line), said, sep="\n")
    return not wrong


if __name__ == "__main__":
    judge_all("cases.txt", judge, __doc__)
