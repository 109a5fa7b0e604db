#!/usr/bin/env python3
"""To which constructs of C the faults of a scan are due that drawn programs (drawn.py) find.

usage: attribute.py --svs PROGRAM --clang PROGRAM --include FOLDER --library FOLDER --work FOLDER [--first N] [--seconds N] [--batch N]

For a scan of another commit: `--svs` is that scan, and the rest is of this one. Draws programs for --seconds. Of each that is at
fault, the one or two statements that are enough are kept, and each construct of ROWS is written another way that means the same. If
only this mends the program, the fault is due to the construct.
"""

import argparse
import re
import sys
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

import drawn
import grammar

NARROW = r"(unsigned char|signed char|char|unsigned short|short|_Bool)"


def without_suffix(text):
    return re.sub(r"(?<![\w.])((?:\d+\.?\d*|\.\d+)(?:e\d+)?)f\b", r"((float)\1)", text)


def steps_as_sums(text):
    """k-- as the old value of k -= 1, in the type of k."""
    for t, name in set(re.findall(rf"\b{NARROW} (\w+) = ", text)):
        for step, back in (("++", "-"), ("--", "+")):
            text = text.replace(f" {name}{step}", f" (({t})(({name} {step[0]}= 1) {back} 1))").replace(f"({name}{step}", f"((({t})(({name} {step[0]}= 1) {back} 1))")
    return text


def negative_numbers(text):
    return re.sub(r"'\\x(?:ff)'", "(-1)", re.sub(r"'\\(?:200|x80)'", "(-128)", text))


def unsigned_numbers(text):
    for name, value in re.findall(r"(\w+) = (0x[18]0000000\d*)\b", text):
        text = re.sub(rf"\b{name}\b(?! = 0x)", value + ("l" if len(value) > 10 else "u"), text)
    return text


def pointer_elsewhere(text):
    return re.sub(r"static float \*(fp\w+) = &un\w+\.f\[1\];", r"static float \1_of[4], *\1 = &\1_of[1];", text)


# What is written another way: by the grammar (None), or in the text.
ROWS = {
    "array of arrays as a parameter": None,
    "float constant": without_suffix,
    "step of a narrow counter": steps_as_sums,
    "sum of a row": None,
    "address of an array": None,
    "array of a union": None,
    "cleanup": None,
    "negative character constant": negative_numbers,
    "unsigned enumeration constant": unsigned_numbers,
    "size with an effect": None,
    "part of a complex value": None,
    "thread variable": lambda text: text.replace("_Thread_local ", ""),
    "member of a union by a pointer": pointer_elsewhere,
    "declaration that does not compile": None,
}


def judged(options, programs):
    """Numbers of programs at fault, with messages, and of those that are right."""
    batch = drawn.Batch(options, list(programs), programs)
    batch.judge()
    batch.clean()
    return batch.faults, batch.right, batch.refused


def variant(number, keep, at, row=None):
    program = grammar.Program(number, keep, number * 1000 + at, row if row and not ROWS[row] else None)
    program.write()
    if row and ROWS[row]:
        program.text = ROWS[row](program.text)
    return program


def attribute(options, number):
    """The constructs to which a program's fault is due."""
    whole = variant(number, None, 999)
    keeps = [{i} for i in range(whole.statements)] + [{i, k} for i in range(whole.statements) for k in range(i)]
    faults, _, _ = judged(options, {number * 1000 + i: variant(number, keep, i) for i, keep in enumerate(keeps)})
    if not faults:
        return [], ""
    # The fewest statements of each kind of fault: a pair of which one alone is at fault says nothing more.
    alone = [keeps[n - number * 1000] for n in sorted(faults)]
    alone = [keep for keep in alone if not any(other < keep for other in alone)][:4]
    rows, text = set(), ""
    tried = {number * 1000 + 20 * k + i: (variant(number, keep, 20 * k + i, row), row) for k, keep in enumerate(alone) for i, row in enumerate(ROWS)}
    changed = {n: program for n, (program, row) in tried.items()
               if program.text != variant(number, alone[(n - number * 1000) // 20], n - number * 1000).text}
    if changed:
        _, right, refused = judged(options, changed)
        rows = {tried[n][1] for n in right}
    return sorted(rows), faults[min(faults)]


def one(arguments):
    options, numbers, end = arguments
    faults, right, refused = judged(options, {n: grammar.Program(n) for n in numbers})
    found = []
    for number, message in sorted(faults.items()):
        if time.time() < end:
            found.append((number, *attribute(options, number), message))
    return found, len(numbers), len(faults), len(refused)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("svs", "clang"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("include", "library", "work"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name, default in (("first", 0), ("seconds", 600), ("batch", 30), ("jobs", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    options.work = options.work.resolve()
    drawn.prepare(options)
    end, rows, sums = time.time() + options.seconds, Counter(), [0, 0, 0]

    def batches():
        first = options.first
        while time.time() < end - options.seconds / 10:
            yield options, list(range(first, first + options.batch)), end
            first += options.batch

    with Pool(options.jobs) as pool:
        running, left = [], batches()
        while True:
            while len(running) < options.jobs and (job := next(left, None)):
                running.append(pool.apply_async(one, (job,)))
            if not running:
                break
            found, *numbers = running.pop(0).get()
            sums = [a + b for a, b in zip(sums, numbers)]
            for number, due, least, message in found:
                for row in due:
                    rows[row] += 1
                    if rows[row] == 1:
                        print(f"{row}: program {number}: {least[:150]}", flush=True)
    print(f"{sums[0]} programs, {sums[1]} at fault, {sums[2]} refused; due to {len(rows)} of {len(ROWS)} constructs:")
    for row in ROWS:
        print(f"{rows[row]:6} {row}")
    if not rows:
        sys.exit("attribute: no fault is due to one of the constructs")


if __name__ == "__main__":
    main()
