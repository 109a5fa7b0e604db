#!/usr/bin/env python3
"""Compares the numbers of the pages with what the benchmarks print.

usage: figures.py [--recorded FILE] [--only RUN] [--update] [--source DIR] [--bin DIR]

A number that a benchmark prints is followed by an invisible reference:

    An instance takes 81<!-- figure: one_access --> instructions.

docs/figures.toml names, for each such figure, the run that prints it, the row (pairs of key=value that the row must have),
the key, and how far the number may be off. Of the output, only rows `bench=... key=value` are read.

Without options, the runs are made, and a number that is off by more than it may be is printed with its file and line, with
what it says and what it should say. --update writes the measured number there, and the rows into
tests/docs/figures.rows. --recorded FILE takes the rows of that file instead of running anything."""
from __future__ import annotations

import argparse
import dataclasses
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib

import texts

REFERENCE = re.compile(r"(?P<number>\d[\d,]*(?:\.\d+)?)<!-- figure: (?P<name>[\w-]+) -->")
ANY_REFERENCE = re.compile(r"<!-- figure\b.*?-->", re.S)
PAIR = re.compile(r"(\S+?)=(\S+)")
RECORD = "tests/docs/figures.rows"

Row = dict[str, str]


class Failure(Exception):
    """What is wrong with a figure, a run or a page."""


@dataclasses.dataclass
class Figure:
    run: str
    row: str
    key: str
    within: str  # "5%"
    over: str = ""  # the row whose value this one is divided by; empty: none

    def value(self, rows: list[Row]) -> float:
        return self.of(rows, self.row) / (self.of(rows, self.over) if self.over else 1)

    def of(self, rows: list[Row], wanted: str) -> float:
        pairs = PAIR.findall(wanted)
        found = [row for row in rows if self.key in row and all(row.get(key) == value for key, value in pairs)]
        if len(found) != 1:
            raise Failure(f"run {self.run}: {len(found)} rows have '{wanted}' and the key {self.key}, expected 1")
        return float(found[0][self.key])

    def allows(self, written: float, measured: float, digits: int) -> bool:
        """Neither is larger than the other by more than `within`, but for what rounding does."""
        more, half = 1 + float(self.within.removesuffix("%")) / 100, 0.5 * 10**-digits
        return measured / more - half <= written <= measured * more + half


@dataclasses.dataclass
class Table:
    runs: dict[str, str]
    figures: dict[str, Figure]


def read_table(path: pathlib.Path) -> Table:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    table = Table(raw["runs"], {name: Figure(**each) for name, each in raw["figures"].items()})
    for name, each in table.figures.items():
        if each.run not in table.runs:
            raise Failure(f"{path.name}: figure {name} has the unknown run '{each.run}'")
    return table


def rows_in(output: str) -> list[Row]:
    return [dict(PAIR.findall(line)) for line in output.split("\n") if line.startswith("bench=")]


def read_record(path: pathlib.Path) -> dict[str, str]:
    """Sections that begin with `run NAME`."""
    parts = re.split(r"^run (\w+)\n", path.read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def make_run(command: str, options: argparse.Namespace) -> str:
    program, *arguments = shlex.split(command)
    script = options.source / program
    words = [sys.executable, "-B", str(script)] if script.is_file() else [str(options.bin / program)]
    print(f"run: {command}", flush=True)
    done = subprocess.run([*words, *arguments], cwd=options.source, text=True, check=False, stdout=subprocess.PIPE)
    if done.returncode != 0:
        raise Failure(f"{command} ended with {done.returncode}")
    return "".join(line + "\n" for line in done.stdout.split("\n") if line.startswith("bench="))


def outputs_of(table: Table, options: argparse.Namespace) -> dict[str, str]:
    if options.recorded:
        return read_record(options.recorded)
    recorded = read_record(options.source / RECORD) if (options.source / RECORD).exists() else {}
    for run, command in table.runs.items():
        if not options.only or run in options.only:
            recorded[run] = make_run(command, options)
    return {run: recorded[run] for run in table.runs if run in recorded}


def as_written(value: float, like: str) -> str:
    """The value with as many decimals as the number that it replaces."""
    digits = len(like.partition(".")[2])
    return f"{value:,.{digits}f}" if "," in like or value >= 10000 else f"{value:.{digits}f}"


def may_stay(number: str, figure: Figure, measured: float) -> bool:
    return figure.allows(float(number.replace(",", "")), measured, len(number.partition(".")[2]))


class Page:
    def __init__(self, path: pathlib.Path, name: str):
        self.path, self.name = path, name
        self.text = path.read_text(encoding="utf-8")
        self.used: set[str] = set()

    def lost_references(self) -> list[str]:
        whole = {match.end() for match in REFERENCE.finditer(self.text)}
        return [f"{self.name}:{texts.line_of(self.text, each.start())}: '{each.group(0)}' follows no number: write "
                "NUMBER<!-- figure: NAME -->" for each in ANY_REFERENCE.finditer(self.text) if each.end() not in whole]

    def wrong(self, table: Table, measured: dict[str, float]) -> list[str]:
        found = self.lost_references()
        for match in REFERENCE.finditer(self.text):
            name, number = match.group("name"), match.group("number")
            where = f"{self.name}:{texts.line_of(self.text, match.start())}"
            self.used.add(name)
            if name not in table.figures:
                found.append(f"{where}: unknown figure '{name}': docs/figures.toml has {', '.join(table.figures)}")
            elif name in measured and not may_stay(number, table.figures[name], measured[name]):
                found.append(f"{where}: {name}: {number} is written, {as_written(measured[name], number)} is measured "
                             f"(it may be off by {table.figures[name].within}): ./dev figures --update")
        return found

    def update(self, table: Table, measured: dict[str, float]) -> None:
        """Numbers that may stay do stay, so that they do not change with each run."""
        def renewed(match: re.Match[str]) -> str:
            name, number = match.group("name"), match.group("number")
            if name not in measured or may_stay(number, table.figures[name], measured[name]):
                return match.group(0)
            now = as_written(measured[name], number)
            print(f"{self.name}:{texts.line_of(self.text, match.start())}: {name}: {number} -> {now}")
            return f"{now}<!-- figure: {name} -->"

        text = REFERENCE.sub(renewed, self.text)
        if text != self.text:
            self.path.write_text(text, encoding="utf-8")
            self.text = text


def measured_by(table: Table, outputs: dict[str, str]) -> dict[str, float]:
    rows = {run: rows_in(text) for run, text in outputs.items()}
    return {name: figure.value(rows[figure.run]) for name, figure in table.figures.items() if figure.run in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    home = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--source", type=pathlib.Path, default=home)
    parser.add_argument("--bin", type=pathlib.Path, default=home / "build/release/bin")
    parser.add_argument("--recorded", type=pathlib.Path)
    parser.add_argument("--only", action="append", help="this run; the rows of the others as recorded")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    try:
        table = read_table(options.source / "docs/figures.toml")
        unknown = [run for run in options.only or [] if run not in table.runs]
        if unknown:
            raise Failure(f"unknown run '{unknown[0]}': docs/figures.toml has {', '.join(table.runs)}")
        outputs = outputs_of(table, options)
        measured = measured_by(table, outputs)
    except Failure as failure:
        print(failure)
        return 1
    all_pages = [Page(path, str(path.relative_to(options.source))) for path in texts.pages_of(options.source)]
    if options.update:
        for page in all_pages:
            page.update(table, measured)
        record = "".join(f"run {run}\n{text}" for run, text in outputs.items())
        (options.source / RECORD).write_text(record, encoding="utf-8")
    wrong = [each for page in all_pages for each in page.wrong(table, measured)]
    used = {name for page in all_pages for name in page.used}
    wrong += [f"docs/figures.toml: no page refers to figure {name}" for name in table.figures if name not in used]
    wrong += [f"docs/figures.toml: nothing was recorded for figure {name}" for name in table.figures if name not in measured]
    print("\n".join(wrong) or f"figures: {len(measured)} figures, and the pages say what was measured")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
