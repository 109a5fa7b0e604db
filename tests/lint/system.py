#!/usr/bin/env python3
"""Headers of the operating system stand only where the library meets it: fails on others.

usage: system.py

Each source of src may include C11's headers, the library's, and those of OTHERS. Further ones, which are POSIX's or
Linux's, may be included in the folders and files of MEETS alone, so that a port to another system has few places to
change. A file of the list that needs none is a failure as well.
"""

import re
import sys
from pathlib import Path

from folders import LIBRARY, ROOT, files, within

C11 = set("""assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype""".split()) - {"signal", "time", "threads"}
OTHERS = re.compile(r"svs/|xxhash\.h|valgrind/|sanitizer/|backtrace\.h|[a-z]*intrin\.h")
MEETS = {
    "base": "what the machine provides",
    "dpst/report": "functions of the C library that programs call, and how processes end",
    "transport/launch.c": "how processes end",
    "transport/mpi.c": "a pause without a wake-up",
    "transport/mpi_leave.c": "a pause for last words",
    "transport/mpi_rank.h": "MPI",
    "worksteal/place.c": "the bounds of a thread's stack, for AddressSanitizer",
    "worksteal/switch_ucontext.c": "the stack switch of processors without one in assembler",
    "worksteal/runtime.c": "_exit() of a forked child",
    "worksteal/watchdog.c": "the name of a function, and the process id",
}


def is_system(header: str) -> bool:
    return header.removesuffix(".h") not in C11 and not OTHERS.match(header)


def main() -> int:
    problems, used = [], set()
    for path in files(LIBRARY):
        name = within(path)
        place = name if name in MEETS else str(Path(name).parent)
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            found = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
            if found is None or not is_system(found.group(1)):
                continue
            used.add(place)
            if place not in MEETS:
                problems.append(f"{path.relative_to(ROOT)}:{number}: <{found.group(1)}>: use a function of src/base, or add one there")
    problems += [f"tests/lint/system.py: {place} includes no header of the system: take it out" for place in MEETS if place not in used]
    print("\n".join(problems) or f"system: its headers stand in {len(MEETS)} places")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
