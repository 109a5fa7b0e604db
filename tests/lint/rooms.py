#!/usr/bin/env python3
"""The include and call graph of src and ranks/src: fails on a circle of files, or on an arrow to a room that is not below.

usage: rooms.py [--svg FILE] [--check FILE] [--list]

A unit is a source with the header of its name. It depends on each unit of which it includes the header; a room also on
each room that defines a function which one of its units names. No circle of units may include, no room use one that is
not below. No header of the scheduler has more than HEADER_LINES lines, and no folder more than FOLDER_SOURCES sources.
A room is a folder with its sub-folders, except those that are rooms themselves; ROOMS lists the rooms from the ground up,
those of one floor together.
--svg draws the rooms; an arrow that a path of others implies is not drawn. --check fails when FILE is not that drawing.
"""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

from folders import LIBRARY, ROOT, SOURCES, files, within

HEADER_LINES = 150  # of the scheduler: its headers state its invariants
LONG_HEADERS = {"src/sched/domain/window/window.h": 260}  # all invariants of windows on one page, with an example
FOLDER_SOURCES = 25  # so that a folder can be read as a page

# From the ground up. A unit may use its own room and the rooms of lower rows.
ROOMS = [
    ["base"],
    ["hooks"],
    ["worksteal"],
    ["transport"],
    ["memobj/core"],
    ["memobj/reach"],
    ["memobj", "stealtree"],
    ["sched/admission"],
    ["sched/domain"],
    ["sched/graph"],
    ["ranks"],
    ["structures"],
    ["dpst/tree"],
    ["dpst/shadow"],
    ["dpst/task"],
    ["dpst/graph"],
    ["dpst"],
    ["dpst/report"],
]

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
# A definition begins at the margin with its type, and its name stands before the first bracket.
DEFINITION = re.compile(r"^(?!static\b|typedef\b|extern\b|#|\s|/|\*|\})[^\n;={}()]*?\b(svs_\w+)\s*\([^;{}]*\)[^;{}()]*\{", re.M)
NAME = re.compile(r"\bsvs_\w+")
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)


def code_of(path: Path) -> str:
    """The text without comments and strings, but with its includes."""
    text = path.read_text()
    return COMMENT.sub(lambda m: m.group(0) if m.group(0)[0] == '"' and is_include(text, m.start()) else " ", text)


def is_include(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return "include" in line


def unit_of(path: Path) -> str:
    return within(path).rpartition(".")[0]


def room_of(unit: str) -> str:
    """The folder of a unit, or the nearest above it that is a room; a folder outside of all rooms is returned as it is."""
    folder = unit.rpartition("/")[0]
    room = folder
    while room and room not in PLACES:
        room = room.rpartition("/")[0]
    return room or folder


def read_units() -> tuple[dict[str, str], dict[str, str]]:
    """The code of each unit, and the unit that defines each function."""
    code: dict[str, str] = defaultdict(str)
    owner: dict[str, str] = {}
    for path in files(LIBRARY):
        text = code_of(path)
        code[unit_of(path)] += text
        if path.suffix == ".c":
            for name in DEFINITION.findall(text):
                owner[name] = unit_of(path)
    return dict(code), owner


def includes_of(code: dict[str, str]) -> dict[str, set[str]]:
    return {
        unit: ({include.removesuffix(".h") for include in INCLUDE.findall(text)} & code.keys()) - {unit}
        for unit, text in code.items()
    }


def arrows_of(code: dict[str, str], owner: dict[str, str]) -> dict[str, set[str]]:
    """Includes, and calls from room to room."""
    arrows = includes_of(code)
    for unit, text in code.items():
        called = {owner[name] for name in set(NAME.findall(text)) if name in owner}
        arrows[unit] |= {to for to in called if room_of(to) != room_of(unit)}
    return arrows


def circles_of(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected components of more than one unit (Tarjan, without recursion)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    circles = []
    for root in arrows:
        work = [(root, iter(sorted(arrows[root])))] if root not in order else []
        while work:
            unit, rest = work[-1]
            if unit not in order:
                order[unit] = low[unit] = len(order)
                stack.append(unit)
            for to in rest:
                if to not in order:
                    work.append((to, iter(sorted(arrows[to]))))
                    break
                if to in stack:
                    low[unit] = min(low[unit], order[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == order[unit]:
                    circle = stack[stack.index(unit) :]
                    del stack[stack.index(unit) :]
                    if len(circle) > 1:
                        circles.append(sorted(circle))
    return circles


def upward(arrows: dict[str, set[str]], rank: dict[str, int]) -> list[str]:
    wrong = []
    for unit in sorted(arrows):
        for to in sorted(arrows[unit]):
            if room_of(to) != room_of(unit) and rank[room_of(to)] >= rank[room_of(unit)]:
                wrong.append(f"{unit} uses {to}, which is not below")
    return wrong


# Rooms that stand on the public headers of another one alone, as a program does.
OUTSIDERS = {"structures": "ranks"}


def inward(arrows: dict[str, set[str]], owner: dict[str, str], code: dict[str, str]) -> list[str]:
    """Units of outsiders that include a private header, or name a private function."""
    wrong = []
    for unit in sorted(arrows):
        of = OUTSIDERS.get(room_of(unit))
        if of is None:
            continue
        private = {to for to in includes_of(code)[unit] if room_of(to) == of}
        wrong += [f"{unit} includes {to}, which is private: use the public headers" for to in sorted(private)]
        names = {name for name in set(NAME.findall(code[unit])) if name.startswith("svs__") and room_of(owner.get(name, "")) == of}
        wrong += [f"{unit} names {name}, which is private: use the public headers" for name in sorted(names)]
    return wrong


# ---- the drawing ----

# The column and the row of each room, from the ground up.
PLACES = {
    "base": (1, 0),
    "hooks": (1, 1),
    "worksteal": (1, 2),
    "stealtree": (0, 3),
    "transport": (0, 8),
    "ranks": (0, 9),
    "structures": (0, 10),
    "memobj/core": (1, 3),
    "memobj/reach": (1, 4),
    "memobj": (1, 5),
    "sched/admission": (1, 6),
    "sched/domain": (1, 7),
    "sched/graph": (1, 8),
    "dpst/tree": (2, 3),
    "dpst/shadow": (2, 4),
    "dpst/task": (2, 5),
    "dpst/graph": (2, 6),
    "dpst": (2, 7),
    "dpst/report": (2, 8),
}
BOX_W, BOX_H, GAP_X, GAP_Y, MARGIN = 210, 44, 56, 40, 20


def rooms_used(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    used: dict[str, set[str]] = {room: set() for room in PLACES}
    for unit, targets in arrows.items():
        used[room_of(unit)] |= {room_of(to) for to in targets} - {room_of(unit)}
    return used


def reduced(used: dict[str, set[str]]) -> dict[str, set[str]]:
    """Without the arrows that a path of others implies."""

    def reached(room: str) -> set[str]:
        return used[room].union(*(reached(to) for to in used[room]))

    return {room: to - set().union(*(reached(other) for other in to)) for room, to in used.items()}


def draw(arrows: dict[str, set[str]]) -> str:
    rows = max(row for _, row in PLACES.values()) + 1
    width = 2 * MARGIN + 3 * BOX_W + 2 * GAP_X
    height = 2 * MARGIN + rows * BOX_H + (rows - 1) * GAP_Y
    at = {
        room: (MARGIN + column * (BOX_W + GAP_X), MARGIN + (rows - 1 - row) * (BOX_H + GAP_Y))
        for room, (column, row) in PLACES.items()
    }
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="14">',
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#456"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for source, targets in reduced(rooms_used(arrows)).items():
        for target in sorted(targets):
            (x1, y1), (x2, y2) = at[source], at[target]
            side = (x2 > x1) - (x2 < x1)
            if side == 0:
                bend = 0 if y2 - y1 == BOX_H + GAP_Y else BOX_W * 0.7
                path = f"M{x1 + BOX_W / 2} {y1 + BOX_H}c{bend} 40 {bend} {y2 - y1 - BOX_H - 40} 0 {y2 - y1 - BOX_H}"
            else:
                start, end = x1 + BOX_W * (side > 0), x2 + BOX_W * (side < 0)
                path = f"M{start} {y1 + BOX_H / 2}H{start + side * GAP_X / 2}V{y2 + BOX_H / 2}H{end}"
            out.append(
                f'<path d="{path}" fill="none" stroke="#456" stroke-width="1.6" marker-end="url(#head)">'
                f"<title>{source} uses {target}</title></path>"
            )
    for room, (x, y) in at.items():
        out.append(f'<rect x="{x}" y="{y}" width="{BOX_W}" height="{BOX_H}" rx="6" fill="#eef3f8" stroke="#456"/>')
        out.append(f'<text x="{x + BOX_W / 2}" y="{y + 27}" text-anchor="middle" font-weight="bold">{room}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def long_headers() -> list[str]:
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files(("src/sched",), "*.h")}
    return [f"{path} has {n} lines: at most {LONG_HEADERS.get(path, HEADER_LINES)}, one idea each"
            for path, n in lines.items() if n > LONG_HEADERS.get(path, HEADER_LINES)]


def full_folders() -> list[str]:
    sources: dict[str, int] = defaultdict(int)
    for path in files(SOURCES, "*.c"):
        sources[str(path.parent.relative_to(ROOT))] += 1
    return [f"{folder} has {n} sources: at most {FOLDER_SOURCES}, then it has parts: give them folders"
            for folder, n in sorted(sources.items()) if n > FOLDER_SOURCES]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--svg", type=Path)
    parser.add_argument("--check", type=Path)
    parser.add_argument("--list", action="store_true", help="print each arrow between rooms")
    options = parser.parse_args()
    code, owner = read_units()
    arrows = arrows_of(code, owner)
    rank = {room: i for i, row in enumerate(ROOMS) for room in row}
    unknown = sorted({room_of(unit) for unit in code} - rank.keys())
    if unknown:
        print(f"rooms: {', '.join(unknown)}: no such room: add it to ROOMS in {Path(__file__).name}")
        return 1
    wrong = upward(arrows, rank)
    wrong += ["a circle: " + " ".join(circle) for circle in circles_of(includes_of(code))]
    wrong += inward(arrows, owner, code)
    wrong += long_headers() + full_folders()
    picture = draw(arrows)
    if options.svg:
        options.svg.write_text(picture)
    if options.check and (not options.check.exists() or options.check.read_text() != picture):
        wrong.append(f"{options.check} is not the picture of src: python3 tests/lint/rooms.py --svg {options.check}")
    if options.list:
        for unit in sorted(arrows):
            for to in sorted(arrows[unit]):
                if room_of(to) != room_of(unit):
                    print(f"{unit} -> {to}")
    for line in wrong:
        print(f"rooms: {line}")
    if not wrong:
        print(f"rooms: {len(code)} units, {sum(map(len, arrows.values()))} arrows, all of them downward, no circle")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
