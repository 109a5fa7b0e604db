"""The building blocks of the page's sections."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import rows

Context = dict[str, Any]  # the variables of a block of the template; empty: nothing was measured


@dataclass
class Table:
    """Columns are parted by "|"; "<" marks a column of text. `strong` is a column that stands out,
    `strong_row` the first cell of rows that do."""

    columns: str
    strong: int = -1
    strong_row: str = ""
    rows: list[list[str]] = field(default_factory=list)

    def add(self, *cells: str) -> None:
        self.rows.append(list(cells))

    def heads(self) -> list[tuple[str, str]]:
        """Of each column its class and its text."""
        return [("t" if head.startswith("<") else "", head.removeprefix("<"))
                for head in self.columns.split("|")]

    def cells(self, row: list[str]) -> list[tuple[str, str]]:
        strong_row = bool(self.strong_row) and row[0] == self.strong_row
        return [(f"{kind} s" if strong_row or place == self.strong else kind, cell)
                for place, (cell, (kind, _)) in enumerate(zip(row, self.heads()))]


@dataclass
class Section:
    id: str
    title: str
    block: str  # of the template
    context: Context


@dataclass
class World:
    """A recorded evaluation, and the rows that are computed from it."""

    head: dict[str, Any]
    rows: list[rows.Row]
    derived: list[rows.Row] = field(default_factory=list)

    def derive(self, **values: object) -> None:
        self.derived.append(rows.make(bench="evaluation", **values))

    @property
    def scale(self) -> str:
        return str(self.head["scale"])

    @property
    def cpus(self) -> int:
        return int(self.head["machine"]["cpus"])

    @property
    def seconds(self) -> int:
        return int(self.head.get("seconds", 0))

    @property
    def load(self) -> float:
        """How many processes wanted a CPU when the evaluation began."""
        return float(self.head["machine"].get("load", "0").split()[0])

    @property
    def contested(self) -> int:
        """The number of threads that headlines are about."""
        return int(self.head["contested"])

    @property
    def parts(self) -> list[str]:
        return list(self.head["parts"])
