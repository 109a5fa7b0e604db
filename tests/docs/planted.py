#!/usr/bin/env python3
"""Plants mistakes into a copy of the pages, and sees that each is found, with its file and line.

usage: planted.py --work DIR [--seed N]

Five numbers of figures are changed, and five names, one of each kind; their places are drawn. Then a page denies a feature,
and a list of features is edited by hand. The numbers are compared with the recorded rows (tests/docs/figures.rows)."""
from __future__ import annotations

import argparse
import dataclasses
import pathlib
import random
import re
import shutil
import subprocess
import sys

import figures
import names
import texts

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
KINDS = ("file", "function", "status", "option", "command")
NUMBERS = 5


@dataclasses.dataclass
class Planted:
    page: str
    line: int
    old: str
    new: str


class Copy:
    def __init__(self, folder: pathlib.Path):
        shutil.rmtree(folder, ignore_errors=True)
        for path in [*texts.pages_of(SOURCE), SOURCE / "docs/figures.toml", SOURCE / "docs/features.toml",
                     SOURCE / figures.RECORD]:
            copy = folder / path.relative_to(SOURCE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        self.folder = folder

    def text(self, page: str) -> str:
        return (self.folder / page).read_text(encoding="utf-8")

    def change(self, page: str, place: int, old: str, new: str) -> Planted:
        text = self.text(page)
        assert text[place:place + len(old)] == old, (page, place, old)
        (self.folder / page).write_text(text[:place] + new + text[place + len(old):], encoding="utf-8")
        return Planted(page, texts.line_of(text, place), old, new)

    def found(self) -> str:
        """What the scripts print about the copy."""
        commands = (["figures.py", "--source", self.folder, "--recorded", self.folder / figures.RECORD],
                    ["names.py", "--pages", self.folder], ["features.py", "--source", self.folder])
        return "".join(subprocess.run([sys.executable, "-B", HERE / command[0], *command[1:]], text=True, check=False,
                                      stdout=subprocess.PIPE).stdout for command in commands)


def kind_of(name: names.Name) -> str:
    if name.kind != "word" or not names.is_ours(name.text):
        return name.kind
    return "status" if name.text.startswith("SVS_E_") else "function" if name.text.islower() else "macro"


def plant_numbers(copy: Copy, draw: random.Random) -> list[Planted]:
    every = [(str(path.relative_to(copy.folder)), match) for path in texts.pages_of(copy.folder)
             for match in figures.REFERENCE.finditer(path.read_text(encoding="utf-8"))]
    table = figures.read_table(copy.folder / "docs/figures.toml")
    measured = figures.measured_by(table, figures.read_record(copy.folder / figures.RECORD))
    # From the last on, so that the places of the others stay.
    return [copy.change(page, match.start(), match.group("number"),
                        just_off(match.group("number"), table.figures[match.group("name")], measured[match.group("name")]))
            for page, match in sorted(draw.sample(every, NUMBERS), key=lambda each: -each[1].start())]


def just_off(number: str, figure: figures.Figure, measured: float) -> str:
    """The least number with these digits that is too large."""
    unit = 10 ** -len(number.partition(".")[2])
    value = measured
    while figures.may_stay(figures.as_written(value, number), figure, measured):
        value += unit
    return figures.as_written(value, number)


def plant_names(copy: Copy, draw: random.Random) -> list[Planted]:
    planted = []
    for kind in KINDS:
        every = [name for path in texts.pages_of(copy.folder) for name in names.names_of(path, copy.folder)
                 if kind_of(name) == kind and len(name.text) > 5]
        name = draw.choice(every)
        planted.append(copy.change(str(name.page), name.place, name.text, names.misspelt(name).text))
    return planted


def plant_denials(copy: Copy) -> list[Planted]:
    text = copy.text("docs/embedding.md")
    place = text.index("## Plug-ins")
    denied = copy.change("docs/embedding.md", place, "", "There are no priorities.\n\n")
    text = copy.text("docs/features.md")
    place = text.index("| watchdog | yes |")
    return [dataclasses.replace(denied, new="no priorities"),
            dataclasses.replace(copy.change("docs/features.md", place, "| watchdog | yes |", "| watchdog | no |"),
                                new="features.py --update")]


def is_found(each: Planted, said: str) -> bool:
    where = each.page if each.new.startswith("features.py") else f"{each.page}:{each.line}:"
    return any(line.startswith(where) and each.new in line for line in said.split("\n"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw, copy = random.Random(options.seed), Copy(options.work)
    before = copy.found()
    if len(before.split("\n")) != 4 or re.search(r"^\S+:\d+:", before, re.M):
        print(f"the pages have mistakes before any is planted:\n{before}")
        return 1
    planted = [*plant_numbers(copy, draw), *plant_names(copy, draw), *plant_denials(copy)]
    said = copy.found()
    missed = [each for each in planted if not is_found(each, said)]
    for each in planted:
        print(f"{each.page}:{each.line}: '{each.old}' -> '{each.new}': {'MISSED' if each in missed else 'found'}")
    print(said if missed else f"all {len(planted)} mistakes were found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
