#!/usr/bin/env python3
"""Faults in the touch functions of the lessons and the ports, of which `svs scan` must tell.

usage: written.py --svs PROGRAM --clang PROGRAM --cc PROGRAM --include FOLDER --library FOLDER --work FOLDER --examples FOLDER 
                  [--only lessons|PORT]

Each access of each touch function of lessons 01 to 05 and of the ports is left out, weakened to a read, and put under a
condition that holds in every second call. The scan must tell by an error, or by a note that it does not print for the original;
else the program, with the slice beside its touch functions (COMPARE), must report. Nothing may be told of the originals.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ports import PORTS, write_inputs

LESSONS = ["01_hello", "02_links", "03_objects_by_index", "04_graph", "05_errors"]
CALL = re.compile(r"svs_(reads|writes)(?=\w*\(f, )")
NARROW = "static int every_second(void) { static int calls; return ++calls & 1; }\n"
UNTOLD = {
    # A relaxed read needs no footprint: with --exact, Canneal names its neighbours for a result that repeats.
    "canneal: svs_reads_at(f, it->elements, nets->neighbours[i])",
}


@dataclass
class Program:
    """With touch functions in one source, which is compiled again for each fault."""

    name: str
    source: Path
    others: list  # sources that its tasks call into
    objects: list  # of all other sources
    flags: list
    runs: list
    read: set = field(default_factory=set)  # sources with facts


def call_at(text, begin):
    """The whole call that begins there."""
    depth, end = 0, text.index("(", begin)
    while True:
        depth += (text[end] == "(") - (text[end] == ")")
        end += 1
        if depth == 0:
            return text[begin:end]


def faults(text):
    for found in CALL.finditer(text):
        call, begin = call_at(text, found.start()), found.start()
        end = begin + len(call)
        yield "left out", call, text[:begin] + "(void)f" + text[end:]
        if found.group(1) == "writes":
            yield "weakened", call, text[:begin] + call.replace("svs_writes", "svs_reads", 1) + text[end:]
        yield "narrowed", call, text[:begin] + f"(every_second() ? {call} : (void)0)" + text[end:]


def facts_of(options, program, source):
    facts = options.work / f"{source.name}.facts"
    if source not in program.read:
        result = subprocess.run([options.svs, "scan", "--facts", facts, "--clang", options.clang, source, "--", *program.flags], capture_output=True, text=True)
        if result.returncode:
            sys.exit(result.stdout + result.stderr)
        program.read.add(source)
    return facts


def scan(options, program, source):
    """The facts of all other sources are made once."""
    facts = [facts_of(options, program, each) for each in (source, *program.others)]
    result = subprocess.run([options.svs, "scan", "--link", "--notes", "--compare", *facts], capture_output=True, text=True)
    notes = {re.sub(r"^\S+ ", "", line) for line in result.stdout.splitlines() if "not proved" in line}
    if result.returncode not in (0, 1):
        sys.exit(result.stdout + result.stderr)
    return result.returncode, notes


def run(options, program, source):
    """Whether COMPARE reports. One worker, so that a fault leads to no race."""
    wrapper, made, header = source.with_suffix(".compared.c"), source.with_suffix(""), options.work / f"{source.name}.svs.h"
    wrapper.write_text(f'#define SVS_COMPARED 1\n#define SVS_SCANNED "{header}"\n#include <svs/scan.h>\n#include "{source}"\n#include "{header}"\n')
    subprocess.run([options.cc, "-std=gnu11", "-O1", "-w", *program.flags, wrapper, *program.objects, "-o", made, f"-L{options.library}", "-lsvs",
                    "-lm", f"-Wl,-rpath,{options.library}"], check=True)
    for words in program.runs:
        result = subprocess.run([made, *words.split()], capture_output=True, text=True, timeout=120, env={**os.environ, "SVS_LOG": ""})
        if "its touch function does not name it" in result.stderr:
            return True
    return False


def compare_object(options):
    """What reports: compiled once."""
    made = options.work / "svsCompare.o"
    subprocess.run([options.cc, "-std=gnu11", "-O1", "-w", "-D_GNU_SOURCE", f"-I{options.include}", "-c", options.include.parent / "scan/svsCompare.c", "-o", made], check=True)
    return made


def lessons(options):
    for name in LESSONS:
        yield Program(name, options.examples / f"{name}.c", [], [compare_object(options)], [f"-I{options.include}", f"-I{options.examples}"], [""])


def ports(options):
    inputs = write_inputs(options.work)
    for port in PORTS:
        if options.only not in (None, port.name):
            continue
        folder, objects = options.examples / port.name, [compare_object(options)]
        flags = [f"-I{options.include}", f"-I{options.examples}", f"-I{folder}", "-D_GNU_SOURCE"]
        program = Program(port.name, folder / port.tasks[0], [folder / name for name in port.tasks[1:]], objects, flags,
                          [f"--threads 1 {words.format(input=inputs.get(port.name))}" for words in port.runs])
        for source in [*folder.glob("*.c"), *(options.examples / "common").glob("*.c")]:
            if source == program.source or source.name == "netgen.c":
                continue
            objects.append(options.work / f"{port.name}_{source.stem}.o")
            subprocess.run([options.cc, "-std=gnu11", "-O1", "-w", *flags, "-c", source, "-o", objects[-1]], check=True)
        yield program


def judge(options, program, by, failed):
    text = program.source.read_text()
    source = options.work / f"{program.name}.c"
    source.write_text(text)
    status, notes = scan(options, program, source)
    if status or run(options, program, source):
        failed.append(f"{program.name}: told of the original itself")
    for number, (fault, call, faulty) in enumerate(faults(text)):
        source = options.work / f"{program.name}_{number}.c"
        source.write_text(NARROW + faulty if fault == "narrowed" else faulty)
        status, told = scan(options, program, source)
        how = "scan" if status or told - notes else "COMPARE" if run(options, program, source) else "neither"
        by[how] += 1
        name = f"{program.name}: {call}"
        print(f"{name}: {fault}: told by {how}", flush=True)
        if how == "neither" and name not in UNTOLD:
            failed.append(f"{name}: {fault}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("svs", "clang", "cc"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("include", "library", "work", "examples"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    failed = []
    for kind, programs in (("lessons", lessons(options)), ("ports", ports(options))):
        if options.only and (options.only == "lessons") != (kind == "lessons"):
            continue
        by = Counter()
        for program in programs:
            judge(options, program, by, failed)
        print(f"{sum(by.values())} faults in the {kind}: {by['scan']} are told by the scan, {by['COMPARE']} by COMPARE, {by['neither']} by neither")
    if failed:
        sys.exit("written: failed: " + "; ".join(failed))


if __name__ == "__main__":
    main()
