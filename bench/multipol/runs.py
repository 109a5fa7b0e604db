"""Runs of the programs over transports, and medians of rounds, for the scripts of this folder."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

from rows import BadRow, Row, parse
from samples import interval

FOLDER = Path(sys.argv[0]).absolute().parent  # of the programs
RANKS_SH = Path(__file__).resolve().parents[2] / "tools/ranks.sh"
LIMIT_SECONDS = 1800


def is_built(program: str, transport: str) -> bool:
    return transport == "local" or (FOLDER / f"bench_multipol_{program}_{transport}").exists()


def transports_of(program: str, names: str) -> list[str]:
    """Those of `names` that were built; the others are named."""
    found = []
    for name in names.split(","):
        if is_built(program, name):
            found.append(name)
        else:
            print(f"left out: bench_multipol_{program}_{name} was not built", flush=True)
    return found


def command(program: str, transport: str, ranks: int, arguments: list[str]) -> list[str]:
    start = str(FOLDER / f"bench_multipol_{program}")
    if transport.startswith(("local", "sim")):
        place = transport if ":" in transport else f"{transport}:{ranks}"
        return [start, "--transport", place, *arguments]
    return ["bash", str(RANKS_SH), transport, str(ranks), f"{start}_{transport}", "--name", transport, *arguments]


def run(program: str, transport: str, ranks: int, arguments: list[str]) -> list[Row]:
    words = command(program, transport, ranks, arguments)
    ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)
    found = [row for row in parse(ended.stdout, program) if row.get("bench") == "multipol"]
    if ended.returncode != 0 or not found or any(row.get("verified", "yes") != "yes" for row in found):
        raise BadRow(f"{' '.join(words)} ended with {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-300:]}")
    return found


def middle(rows: list[Row], key: str) -> float:
    return median([row.number(key) for row in rows])


def ratio(above: list[Row], below: list[Row], key: str = "s") -> tuple[str, str]:
    """The median of the quotients within rounds, and its interval with 95 % confidence."""
    values = [one.number(key) / other.number(key) for one, other in zip(above, below)]
    low, high = interval(values)
    return f"{median(values):.3f}", f"{low:.3f}..{high:.3f}"
