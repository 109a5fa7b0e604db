#!/usr/bin/env python3
"""Draws programs from the grammar of C (grammar.py), scans them, and holds what their compiled bodies access against the footprints.

usage: drawn.py --svs PROGRAM --clang PROGRAM --include FOLDER --library FOLDER --work FOLDER
                [--first N] [--count N] [--batch N] [--jobs N] [--reduce N] [--keep] [--without NAME,...] [--having NAME,...]

A batch of programs is one source. A program that the scan refuses is left out, and the rest scanned again. The rest is compiled
with clang's hooks at accesses and with UBSan; drawn.c runs it. Fails if a footprint is wrong, a touch function or the scan faults
or does not end, a header does not compile, a refusal is not of grammar_types.REFUSED, or a production is in no program that was
accepted. --reduce N finds one or two statements that are enough for N faults of each batch; --keep keeps the files.
"""

import argparse
import multiprocessing
import re
import resource
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import grammar
import grammar_types
from share import is_short, share_of

HERE = Path(__file__).resolve().parent
UNDEFINED = "undefined,float-divide-by-zero,float-cast-overflow"
SANITIZE = [f"-fsanitize=thread,{UNDEFINED}", "-fno-sanitize-recover=all", "-fno-sanitize=alignment,object-size,pointer-overflow,null"]  # a fault tells of NULL
TRAPS = f"-fsanitize-trap={UNDEFINED}"
# With SVS_CHECKED, no loops of the library are compiled for each task: these take half of the time.
FLAGS = ["-std=gnu11", "-O0", "-DSVS_CHECKED", "-w", "-fno-strict-aliasing", "-fno-builtin", "-no-pie", "-fno-pie"]
WRAPS = "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp"
SCAN_SECONDS = 20  # of a processor


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SCAN_SECONDS, SCAN_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", **more)


class Batch:
    def __init__(self, options, numbers, programs=None):
        self.options = options
        self.flags = [f"-I{options.include}", f"-I{HERE}", *getattr(options, "flags", [])]
        self.programs = programs or {n: grammar.Program(n) for n in numbers}
        numbers = list(self.programs)
        self.name = options.work / f"drawn_{numbers[0]}_{len(numbers)}"
        self.source = Path(f"{self.name}.c")
        self.header = Path(f"{self.name}.c.svs.h")
        self.texts = {n: p.text or p.write() for n, p in self.programs.items()}
        self.left, self.refused, self.faults, self.right = list(numbers), {}, {}, {}

    def write(self):
        text, self.begins = grammar.source([(self.programs[n], self.texts[n]) for n in self.left])
        self.source.write_text(text)

    def owner(self, line):
        owner = None
        for begin, number in self.begins:
            if line >= begin:
                owner = number
        return owner

    def drop(self, number, to, message):
        to.setdefault(number, message)
        if number in self.left:
            self.left.remove(number)

    def apart(self, what):
        """Nothing says which program it is: each by itself."""
        if len(self.left) == 1:
            self.drop(self.left[0], self.faults, what)
            return
        half = len(self.left) // 2
        for numbers in (self.left[:half], self.left[half:]):
            part = Batch(self.options, numbers, {n: self.programs[n] for n in numbers})
            part.judge()
            self.refused |= part.refused
            self.faults |= part.faults
            self.right |= part.right
        self.left = []

    def named(self, said, kind):
        """The messages of programs, by number."""
        found = {}
        lines = self.source.read_text().splitlines()
        for line, column, message in re.findall(rf"{re.escape(str(self.source))}:(\d+):(\d+): (?:fatal )?{kind}: (.*)", said):
            if self.owner(int(line)) is not None:
                found.setdefault(self.owner(int(line)), f"{message} at {lines[int(line) - 1][int(column) - 1:][:60]}")
        return found

    def scan(self):
        while self.left:
            self.write()
            result = run(self.options.svs, "scan", "--clang", self.options.clang, self.source, "--", *self.flags, preexec_fn=limit)
            if result.returncode == 0:
                return
            found = self.named(result.stderr + result.stdout, "error")
            elsewhere = re.search(r":\d+:\d+: error: (.*)", result.stderr + result.stdout)
            if result.returncode == 1 and len(self.left) == 1 and elsewhere and not found: # in a file that the source includes
                found = {self.left[0]: elsewhere[1]}
            if result.returncode != 1 or not found:
                self.apart(f"the scan ends with status {result.returncode}: {(result.stderr + result.stdout)[-300:]}")
                return
            for number, message in found.items():
                self.drop(number, self.refused, message)

    def compile(self, *flags):
        o = self.options
        while self.left:
            result = run(o.clang, *FLAGS, *getattr(o, "sanitize", SANITIZE), *flags, *self.flags, f'-DSVS_SCANNED="{self.header}"', "-c", self.source, "-o", f"{self.name}.o")
            if result.returncode == 0:
                break
            found = self.named(result.stderr, "error")
            if not found:
                self.apart(f"does not compile: {result.stderr[-300:]}")
                return False
            for number, message in found.items():
                self.drop(number, self.faults, f"the header does not compile: {message}")
            self.scan()
        if not self.left:
            return False
        result = run(o.clang, *([] if flags else ["-fsanitize=undefined"]), "-no-pie", f"{self.name}.o", o.work / "drawn.o", "-o", self.name, WRAPS,
                     f"-L{o.library}", "-lsvs", "-lpthread", "-lm", f"-Wl,-rpath,{o.library}")
        if result.returncode:
            sys.exit(f"drawn: does not link: {result.stderr[-2000:]}")
        return True

    def judge(self):
        self.scan()
        if not self.left or not self.compile(TRAPS):
            return
        result = run(self.name)
        for line in result.stdout.splitlines():
            number, _, message = line.partition(": ")
            if message.startswith("right: "):
                self.right[int(number)] = tuple(map(int, message[7:].split()))
            elif number.isdigit() and int(number) in self.left:
                self.faults.setdefault(int(number), message)
                if message == "the program itself is wrong":
                    self.faults[int(number)] += f" ({self.faults[int(number)]})"
        for number in self.left:
            if number not in self.right and number not in self.faults:
                self.faults[number] = f"no result: status {result.returncode} {result.stderr[-300:]}"
        undefined = [number for number, message in self.faults.items() if message.startswith("undefined") and number in self.left]
        if undefined and self.compile():  # with UBSan's messages, in the place of its traps
            for number in undefined:
                said = run(self.name, number, env={"UBSAN_OPTIONS": "halt_on_error=1"}).stderr
                self.faults[number] += "; ".join(["", *re.findall(r"runtime error: (.*)", said)])[:200]

    def clean(self):
        for path in self.name.parent.glob(self.name.name + "*"):
            path.unlink()


def one(arguments):
    options, numbers = arguments
    grammar.Program.without = options.without.split(",")
    before = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
    batch = Batch(options, numbers)
    batch.judge()
    if not batch.faults and not options.keep:
        batch.clean()
    after = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
    seconds = sum(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime for a, b in zip(before, after))
    used = {n: set(+p.used) for n, p in batch.programs.items()}
    small = {n: reduce(options, n, batch.programs[n].statements) for n in list(batch.faults)[:options.reduce]}
    return batch.right, batch.refused, batch.faults, used, seconds, small


def prepare(options):
    """What is compiled once."""
    options.work.mkdir(parents=True, exist_ok=True)
    built = run(options.clang, "-std=gnu11", "-O2", "-g", "-no-pie", f"-I{options.include}", "-c", HERE / "drawn.c", "-o", options.work / "drawn.o")
    if built.returncode:
        sys.exit(built.stderr)


def has_one(number, options):
    grammar.Program.without = options.without.split(",")
    program = grammar.Program(number)
    program.write()
    return any(program.used[name] for name in options.having.split(","))


def reduce(options, number, statements):
    """The fewest statements of a program that are at fault: one, or two. All variants are one batch."""
    keeps = [{i} for i in range(statements)] + [{i, k} for i in range(statements) for k in range(i)]
    variants = {number * 1000 + i: grammar.Program(number, keep, number * 1000 + i) for i, keep in enumerate(keeps)}
    batch = Batch(options, [number * 1000], variants)
    batch.judge()
    batch.clean()
    if not batch.faults:
        return "needs more than two statements", set(), ""
    first = min(batch.faults)
    runs = re.findall(r"_run\(svs_context.*?\n(.*?)    return SVS_OK", batch.texts[first], re.S)
    text = "\n".join(line for body in runs for line in body.splitlines()[1:] if line.strip())
    bare = grammar.Program(number, set())
    bare.write()
    return f"{text}\n{batch.faults[first]}", set(variants[first].used - bare.used), batch.texts[first]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("svs", "clang"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("include", "library", "work"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name, default in (("first", 0), ("count", 100), ("batch", 50), ("jobs", 2), ("reduce", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--without", default="", help="productions that are not drawn, with commas between")
    parser.add_argument("--having", default="", help="only programs that have one of these productions")
    options = parser.parse_args()
    options.count = share_of(options.count) // (5 if is_short() else 1) or 1  # a fifth: each takes long, and scan.cases knows what they found
    options.work = options.work.resolve()
    prepare(options)
    numbers = list(range(options.first, options.first + options.count))
    if options.having:
        numbers = [n for n in numbers if has_one(n, options)]
    # What may be refused stands in batches of its own: others are scanned once. What one program of a batch writes through
    # pointers is written for all: some are nearly alone.
    parts = [([n for n in numbers if n % 10 == 9], options.batch), ([n for n in numbers if n % 40 == 0], min(5, options.batch)),
             ([n for n in numbers if n % 10 != 9 and n % 40], options.batch)]
    jobs = [(options, part[i:i + size]) for part, size in parts for i in range(0, len(part), size)]
    accepted, drawn, refusals, odd, sums, faults, seconds = Counter(), Counter(), Counter(), [], [0, 0, 0], {}, 0
    with multiprocessing.Pool(options.jobs) as pool:
        for right, refused, wrong, used, spent, small in pool.imap_unordered(one, jobs):
            seconds += spent
            for n, names in used.items():
                drawn.update(names)
            for n, numbers_ in right.items():
                sums = [a + b for a, b in zip(sums, numbers_)]
                if numbers_[1] < numbers_[0]:  # not all instances name everything
                    accepted.update(used[n])
            for n, message in refused.items():
                kinds = [kind for lists in (grammar_types.REFUSED, grammar_types.SOMETIMES, grammar_types.SELDOM) for kind in lists if kind in used[n] and re.search(lists[kind], message)]
                refusals[kinds[0] if kinds else "?"] += 1
                if not kinds:
                    odd.append(f"{n}: {message}")
            for n, message in wrong.items():
                print(f"drawn: FAULT {n}: {message}", flush=True)
                faults[n] = message
                if n in small:
                    text, names, whole = small[n]
                    (options.work / f"fault_{n}.c").write_text(whole)
                    print("    " + text.replace("\n", "\n    ") + f"\n    of: {', '.join(sorted(names))}", flush=True)
    report(options, accepted, drawn, refusals, odd, sums, faults, seconds)


def report(options, accepted, drawn, refusals, odd, sums, faults, seconds):
    for name in sorted(drawn):
        refused = f", refused {refusals[name]}" if refusals[name] else ""
        print(f"{accepted[name]:7} accepted of {drawn[name]:7} drawn{refused}: {name}")
    total = sum(refusals.values())
    print(f"{options.count} programs, {len(drawn)} productions: {total} refused, {len(faults)} at fault; of {sums[0]} instances {sums[1]} name everything, "
          f"the mean footprint has {sums[2] / max(sums[0], 1):.1f} names; {seconds:.0f} s of processors")
    failed = []
    if odd:
        print("refused, and not for what grammar_types.REFUSED has:", *odd[:40], sep="\n  ")
        failed.append(f"{len(odd)} refusals that are not expected")
    never = [name for name in drawn if not accepted[name] and name not in grammar_types.REFUSED | grammar_types.SELDOM]
    if never and options.count >= 1000 and not options.without:
        failed.append("in no accepted program: " + ", ".join(sorted(never)))
    wrong = [name for name in grammar_types.REFUSED if accepted[name]]
    if wrong:
        failed.append("accepted, though grammar_types.REFUSED has it: " + ", ".join(wrong))
    if options.count >= 1000 and len(accepted) < 60:
        failed.append(f"only {len(accepted)} productions")
    if faults:
        failed.append(f"{len(faults)} programs at fault")
    if failed:
        sys.exit("drawn: " + "; ".join(failed))


if __name__ == "__main__":
    main()
