#!/usr/bin/env python3
"""What `svs scan` costs: a program of 10,000 lines with 1,000 tasks in 20 files.

usage: large.py --svs PROGRAM --clang PROGRAM --include FOLDER --work FOLDER [--jobs N]

Scans all files in one call, and as builds do: each file to facts, N at once (2), then one link of all facts. Both must write the same
headers, and no process may take more than 300 MB. Prints times, and clang's own share of them.
"""

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FILES, TASKS, MEGABYTES = 20, 50, 300
SHARED = """#ifndef SHARED_H
#define SHARED_H
#include <svs/scan.h>
#include <svs/svs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct cell { long sum, count; struct cell *next, *other; long values[4]; } cell;
typedef struct job { cell *from, *to; int i; long amount; } job;
extern cell cells[%d];
long weigh(const cell *c, long amount);
#endif
"""
TASK = """static svs_status task_{n}_run(svs_context *x, job *t) {{
    (void)x;
    if (t->i > {n}) t->to->sum += t->amount;
    for (int i = 0; i < t->i; i++)
        t->from->values[i & 3] += t->to->values[i & 3];
    if (t->from->count > {n}) cells[{n}].count++;
    cells[{n}].sum += weigh(t->to, t->amount);
    return SVS_OK;
}}
SVS_TASK_SCANNED(task_{n}, job, task_{n}_run)
"""
FIRST = """cell cells[%d];
long weigh(const cell *c, long amount) {
    return c->next ? c->next->values[0] * amount : amount;
}
"""


def generate(folder):
    (folder / "shared.h").write_text(SHARED % (FILES * TASKS))
    sources = []
    for number in range(FILES):
        text = '#include "shared.h"\n' + (FIRST % (FILES * TASKS) if number == 0 else "")
        text += "".join(TASK.format(n=number * TASKS + i) for i in range(TASKS))
        sources.append(folder / f"file_{number}.c")
        sources[-1].write_text(text + "#include SVS_SCANNED\n")
    return sources


def run(*command):
    """Seconds of the clock and of processors, and megabytes, of a process and of those that it starts."""
    begin = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judge(what, seconds, runs):
    most = max(megabytes for _, _, megabytes in runs)
    print(f"{what}: {seconds:.2f} s, {sum(cpu for _, cpu, _ in runs):.2f} s of processors, at most {most:.0f} MB a process", flush=True)
    if most > MEGABYTES:
        sys.exit(f"large: more than {MEGABYTES} MB")


def headers(sources):
    return [Path(f"{source}.svs.h").read_text() for source in sources]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("svs", "clang", "include"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    sources = generate(options.work)
    lines = sum(source.read_text().count("\n") for source in sources)
    flags = ["--", f"-I{options.include}"]
    clang = ["-Xclang", "-ast-dump=json", "-fsyntax-only", "-w", "-DSVS_SCAN", "-DSVS_SERIAL_ELISION",
             "-DSVS_SCANNED=<svs/detail/not_scanned.h>", f"-I{options.include}"]
    print(f"{lines} lines with {FILES * TASKS} tasks in {FILES} files")
    for source in sources:
        Path(f"{source}.svs.h").unlink(missing_ok=True)

    runs = [run(options.clang, *clang, source) for source in sources]
    judge("clang alone", sum(seconds for seconds, _, _ in runs), runs)
    one = run(options.svs, "scan", "--clang", options.clang, *sources, *flags)
    judge("one call", one[0], [one])
    made = headers(sources)
    facts = [source.with_suffix(".facts") for source in sources]
    begin = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = list(pool.map(lambda pair: run(options.svs, "scan", "--facts", pair[1], "--clang", options.clang, pair[0], *flags), zip(sources, facts)))
    link = run(options.svs, "scan", "--link", *facts)
    judge(f"facts, {options.jobs} at once, and a link", time.monotonic() - begin, [*runs, link])
    judge("the link alone", link[0], [link])
    linked = [source.with_suffix(".svs.h").read_text() for source in sources]
    if [text.replace(".svs.h", "") for text in linked] != [text.replace(".c.svs.h", "") for text in made]:
        sys.exit("large: a link comes to something else than one call")


if __name__ == "__main__":
    main()
