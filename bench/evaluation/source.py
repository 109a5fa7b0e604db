"""The cost of a port to a programmer, counted in C source text."""
from __future__ import annotations

import re
from pathlib import Path

import rows

LOCKING = ("lock_table_acquire_pair padded_lock_acquire padded_lock_acquire_* pthread_mutex_lock "
           "GUARD_BODY GUARD_LISTS")
TRANSACTIONS = "__transaction_atomic TRANSACTION TRANSACTION_*"
COMPARE_AND_SWAPS = "atomic_compare_exchange_* __atomic_compare_exchange_n"
FOOTPRINTS = "svs_writes* svs_reads*"
DECLARATIONS = ("SVS_TYPE SVS_TYPE_* SVS_TASK SVS_TASK_* svs_graph_add_* svs_graph_add_flow "
                "svs_graph_add_order svs_graph_set_independent svs_link svs_space_new svs_object_init "
                "svs_object_new TASK")
ANNOTATIONS = "SVS_PARTS SVS_PER_WORKER SVS_PER_ITEM SVS_STABLE SVS_ALWAYS"
GUARDS = f"{LOCKING} {TRANSACTIONS} {COMPARE_AND_SWAPS}"

# Files other than the simulation, which all engines share; the locking port of a program comes first.
ENGINES = "../../bench/engines"
# What the ports of several programs share: the teams and locks of the engines that lock, and the
# set-up of the engines svs.
COMMON = {"mutex": ["parallel.c", "parallel.h", "team.h", "native_lock.h", "pause.h", "padded_lock.c",
                    "padded_lock.h", "lock_table.c", "lock_table.h"],
          "stm": ["parallel.c", "parallel.h", "team.h"], "atomic": ["parallel.c", "parallel.h"],
          "svs": ["scheduled.c", "scheduled.h"], "scanned": ["scheduled.c", "scheduled.h"]}
PORTS: list[tuple[str, str, list[str]]] = [
    ("fluidanimate", "mutex", ["engine_mutex.c", "looped.c"]),
    ("fluidanimate", "stm", [f"{ENGINES}/fluidanimate_stm.c", "looped.c"]),
    ("fluidanimate", "svs", ["engine_svs.c"]),
    ("canneal", "mutex", ["engine_mutex.c"]),
    ("canneal", "atomic", ["engine_atomic.c"]),
    ("canneal", "stm", [f"{ENGINES}/canneal_stm.c"]),
    ("canneal", "svs", ["engine_svs.c", "engine_tasks.h"]),
    ("canneal", "scanned", ["engine_scanned.c", "engine_tasks.h"]),
    ("quakesquad", "mutex", ["engine_mutex.c", "looped.c", "guard.h"]),
    ("quakesquad", "stm", [f"{ENGINES}/quakesquad_stm.c", "looped.c"]),
    ("quakesquad", "svs", ["engine_svs.c", "engine_tasks.h"]),
    ("quakesquad", "scanned", ["engine_scanned.c", "engine_tasks.h"]),
]

COMMENT_OR_STRING = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""",
                               re.DOTALL)
CALL = re.compile(r"\b(\w+) *[({]")


def code_lines(text: str) -> list[str]:
    """Lines without comments, blank lines and the spaces around them."""
    def blank(found: re.Match[str]) -> str:
        return found[0] if found[0][0] in "\"'" else re.sub(r"[^\n]", " ", found[0])
    lines = COMMENT_OR_STRING.sub(blank, text).split("\n")
    return [line.strip() for line in lines if line.strip()]


def common_lines(a: list[str], b: list[str]) -> int:
    """The length of the longest common subsequence."""
    above = [0] * (len(b) + 1)
    for line in a:
        row = [0]
        for j, other in enumerate(b):
            row.append(above[j] + 1 if line == other else max(above[j + 1], row[j]))
        above = row
    return above[-1]


def calls(lines: list[str], words: str) -> int:
    """How often one of the words is called, or has a block after it. A star at the end of a word
    stands for any letters. Preprocessor lines do not count."""
    wanted = re.compile("|".join(word.replace("*", r"\w*") for word in words.split()))
    names = (name for line in lines if not line.startswith("#") for name in CALL.findall(line))
    return sum(1 for name in names if wanted.fullmatch(name))


def lines_of(paths: list[Path]) -> list[str]:
    return [line for path in paths for line in code_lines(path.read_text(encoding="utf-8"))]


def shared_files(folder: Path) -> list[Path]:
    """Files of a program that are neither an engine nor for some engines only."""
    return [path for path in sorted(folder.glob("*.[ch]"))
            if not path.name.startswith(("engine_", "looped")) and path.name != "guard.h"]


def cost_of(source: Path, program: str, engine: str, files: list[str]) -> rows.Row:
    """The row of one port. Raises OSError where a file is absent."""
    folder = source / "examples" / program
    serial = lines_of([folder / "engine_serial.c"])
    ported = lines_of([folder / file for file in files])
    shared = lines_of(shared_files(folder))
    with_common = lines_of([source / "examples/common" / file for file in COMMON[engine]])
    common = common_lines(serial, ported)
    declared = f"{DECLARATIONS} {ANNOTATIONS}" if engine == "scanned" else DECLARATIONS
    elsewhere = declared if engine in ("svs", "scanned") else f"{LOCKING} {TRANSACTIONS}"
    return rows.make(bench="cost", program=program, engine=engine, lines=len(ported),
                     with_common=len(ported) + len(with_common),
                     added=len(ported) - common, removed=len(serial) - common,
                     locks_taken=calls(ported, GUARDS), footprints=calls(ported, FOOTPRINTS),
                     declarations=calls(ported, declared), in_simulation=calls(shared, elsewhere))
