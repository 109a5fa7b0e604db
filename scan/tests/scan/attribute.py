#!/usr/bin/env python3
"""To which constructs of C the faults of a scan are due that drawn programs (drawn.py) find.

usage: attribute.py --svs PROGRAM --clang PROGRAM --include FOLDER --library FOLDER --work FOLDER [--seconds N] [--only ROW,...]

For a scan of another commit: `--svs` is that scan, and the rest is of this one. For each construct of ROWS, in turn, draws programs
that have one of its productions, and none of the other rows. Of each that is at fault, the statements that are at fault alone are
kept, and the construct is written another way that means the same. If this mends one of them, the fault is due to the construct,
and the next one follows. --seconds is for all.
"""

import argparse
import itertools
import re
import sys
import time
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


# construct: its productions, and how they are written another way: by the grammar (None), or in the text.
ROWS = {
    "array of arrays as a parameter": (["parameter array", "parameter array static", "parameter const", "parameter restrict", "parameter of variable length",
                                        "parameter pointer", "parameter pointer to an array"], None),
    "float constant": (["float constant .3f", "float constant 0.1f", "float constant 0.7f", "float constant 1e1f", "for of a float", "float index loop"], without_suffix),
    "step of a narrow counter": (["while narrow", "for narrow downwards"], steps_as_sums),
    "sum of a row": (["dereferenced sum"], None),
    "address of an array": (["dereferenced address of an array", "subscript of &a", "pointer to an array"], None),
    "array of a union": (["union", "array of unions"], None),
    "cleanup": (["cleanup"], None),
    "negative character constant": (["switch on a character", "character compared"], negative_numbers),
    "unsigned enumeration constant": (["unsigned enumeration constant", "enumeration unsigned"], unsigned_numbers),
    "size with an effect": (["size with an effect"], None),
    "part of a complex value": (["__real__", "__imag__"], None),
    "thread variable": (["thread variable", "thread_variable_as_an_index"], lambda text: text.replace("_Thread_local ", "")),
    "member of a union by a pointer": (["union punned through a pointer"], pointer_elsewhere),
    "declaration that does not compile": (["atomic_flag", "local pointer to an array"], None),
}


def judged(options, programs):
    """Numbers of programs at fault, with messages, and of those that are right."""
    batch = drawn.Batch(options, list(programs), programs)
    batch.judge()
    batch.clean()
    return batch.faults, batch.right


def written(drawn_number, keep=None, number=None, row=None):
    program = grammar.Program(drawn_number, keep, number, row if row and not ROWS[row][1] else None)
    program.write()
    if row and ROWS[row][1]:
        program.text = ROWS[row][1](program.text)
    return program


def is_due(options, row, number, statements):
    """@return None, or the message of a statement that is at fault, and right when the construct is written another way."""
    alone = {number * 1000 + i: written(number, {i}, number * 1000 + i) for i in range(statements)}
    faults, _ = judged(options, alone)
    changed = {n: written(number, {n - number * 1000}, n, row) for n in faults}
    changed = {n: program for n, program in changed.items() if program.text != alone[n].text}
    due = judged(options, changed)[1] if changed else {}
    return faults[min(due)] if due else None


def seek(arguments):
    """@return the first program that is at fault for this construct, its message, and how many were drawn."""
    options, row = arguments
    own, count = ROWS[row][0], 0
    grammar.Program.without = [name for other, (names, _) in ROWS.items() if other != row for name in names if name not in own]
    end, numbers = time.time() + options.seconds / len(options.only.split(",")) * options.jobs, itertools.count(list(ROWS).index(row) * 100_000)
    while time.time() < end:
        programs = {}
        while len(programs) < options.batch and time.time() < end:
            program = written(next(numbers))
            if any(program.used[name] for name in own):
                programs[program.number] = program
        count += len(programs)
        for number in judged(options, programs)[0]:
            message = is_due(options, row, number, programs[number].statements)
            if message:
                return row, count, number, message
    return row, count, None, "no fault"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("svs", "clang"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("include", "library", "work"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    for name, default in (("seconds", 600), ("batch", 4), ("jobs", 2)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", default=",".join(ROWS), help="constructs, with commas between")
    options = parser.parse_args()
    options.work = options.work.resolve()
    drawn.prepare(options)
    found = 0
    with Pool(options.jobs) as pool:
        for row, count, number, message in pool.imap(seek, [(options, row) for row in options.only.split(",")]):
            found += number is not None
            print(f"{row:34} {count:4} drawn: {f'program {number}: ' if number is not None else ''}{message[:120]}", flush=True)
    print(f"faults are due to {found} of {len(ROWS)} constructs")
    if not found:
        sys.exit(1)


if __name__ == "__main__":
    main()
