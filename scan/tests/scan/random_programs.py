#!/usr/bin/env python3
"""Runs random programs through `svs scan` and compares what their bodies access with what the touch functions name.

usage: random_programs.py --svs PROGRAM --clang PROGRAM --cc PROGRAM --include FOLDER --library FOLDER --work FOLDER
                 [--first N] [--count N] [--batch N] [--inputs N] [--flags FLAG]

Each batch of programs (programs.py) is two sources; logged.c runs their bodies as instances and compares. Fails unless each
access of each body lies in its instance's footprint, no touch function faults or goes on for ever, and footprints of programs
in which no address depends on what tasks write have at most one element a run too many. Prints how many are too many, and how
many runs name everything, by what `svs scan` writes above the access.
"""

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from share import is_short, share_of

HERE = Path(__file__).resolve().parent
LOGGED = "logged.o"  # one for all batches
REASONS = 32  # LOGGED_REASONS
NAMES = r"\b(it comes from(?! a )|it depends on|the owner of this(?: struct)?|the variable|cannot be named in) [\w./]+"  # and a name
PROGRAM_SECONDS, LEAST_SECONDS = 0.6, 4  # of a processor, for each process of a scan: with each program, and with few


def run(*command, **more):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if result.returncode == -signal.SIGXCPU:
        sys.exit(f"{' '.join(map(str, command))}\nrandom: it does not end, or faults: the time of a scan is up")
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout[-3000:]}{result.stderr[-3000:]}random: exit status {result.returncode}")
    return result.stdout


def limit(count):
    """A scan that does not end may also use up the memory."""
    seconds = int(max(PROGRAM_SECONDS * count, LEAST_SECONDS))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def mark_reasons(header, reasons):
    """Behind each access below a reason, a call that tells it to logged.c. What the programs call is a macro there, which hands on
    no log: the header's refusal of macros (scan.I2) is left out."""
    lines, reason = header.read_text().splitlines(), 0
    for i, line in enumerate(lines):
        found = re.search(r"/\* perhaps: (.*) \*/", line)
        if found:
            text = re.sub(NAMES, r"\1 ...", found.group(1))
            if text not in reasons:
                reasons.append(text)
            reason = reasons.index(text) + 1
        elif re.match(r"\s*svs_(reads|writes)", line):
            lines[i] += f" logged_because(f, {reason or REASONS});"
            reason = 0
        elif line.startswith('#error "one of these names is a macro'):
            lines[i] = ""
    header.write_text("\n".join(lines) + "\n")


def batch(options, first, count, sums, reasons):
    name = options.work / f"programs_{first}"
    sources = [Path(f"{name}_{file}.c") for file in "ab"]
    includes = [f"-I{options.include}", f"-I{HERE}"]
    run(sys.executable, HERE / "programs.py", first, count, name)
    run(options.svs, "scan", "--clang", options.clang, *sources, "--", *includes, preexec_fn=lambda: limit(count))
    objects = [options.work / LOGGED]
    for source in sources:
        header = Path(f"{source}.svs.h")
        mark_reasons(header, reasons)
        objects.append(source.with_suffix(".o"))
        run(options.cc, "-std=gnu11", "-O0", "-w", *options.flags, *includes, f'-DSVS_SCANNED="{header}"', "-c", source, "-o", objects[-1])
    run(options.cc, *options.flags, *objects, "-o", name, f"-L{options.library}", "-lsvs", f"-Wl,-rpath,{options.library}")
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    said = run(name, options.inputs, env=environment, timeout=300).splitlines()[-1]
    sums.update({word: int(number) for word, number in re.findall(r"(\w+) (\d+)\b", said.split(" because")[0])})
    for i, numbers in enumerate(said.split("because ")[1].split()):
        sums.update(dict(zip((("elements", i), ("everything", i)), map(int, numbers.split(":")))))
    print(f"{first}: {count} programs, {sums['runs']} runs so far", flush=True)


def report(options, sums, reasons):
    exact = max(sums["runs"] - sums["everything"], 1)
    fixed = sums["fixed_too_many"] / max(sums["fixed_runs"], 1)
    print(f"{options.count} random programs, {sums['runs']} runs: each access is covered. {100 * sums['everything'] / sums['runs']:.1f} % of the runs "
          f"name everything; the others name {sums['elements'] / exact:.2f} elements, {sums['too_many'] / exact:.3f} of them too many, and "
          f"{sums['write_for_read'] / exact:.3f} as written that are read. Where no address depends on what tasks write: {fixed:.3f} too many.")
    print("of the runs that name everything, and elements too many a run of the others:")
    rows = [(sums["everything", i], sums["elements", i], reason) for i, reason in enumerate(["nothing is dropped", *reasons])]
    for runs, elements, reason in sorted(rows, reverse=True):
        print(f"{100 * runs / sums['runs']:6.2f} % {elements / exact:7.4f}  {reason}")
    for column, total in ((0, "everything"), (1, "too_many")):
        if sum(row[column] for row in rows) != sums[total]:
            sys.exit(f"random: the reasons sum up to {sum(row[column] for row in rows)}, and not to {total} {sums[total]}")
    if sums["everything", 0]:
        sys.exit("random: a run names everything, and no reason stands above that")
    if fixed > 1:
        sys.exit("random: more than one element a run too many")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("svs", "clang", "cc"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("include", "library", "work"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--batch", type=int, default=25)  # programs in two sources
    parser.add_argument("--inputs", type=int, default=50)
    parser.add_argument("--flags", action="append", default=[])
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    run(options.cc, "-std=gnu11", "-O2", "-g", "-w", f"-I{options.include}", "-c", HERE / "logged.c", "-o", options.work / LOGGED)
    options.count = share_of(options.count)
    if is_short():  # without sanitizers
        options.flags = []
    last = options.first + options.count
    sums, reasons = Counter(), []
    for first in range(options.first, last, options.batch):
        batch(options, first, min(options.batch, last - first), sums, reasons)
    report(options, sums, reasons)


if __name__ == "__main__":
    main()
