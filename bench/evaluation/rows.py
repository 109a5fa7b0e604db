"""Rows of key=value pairs, which programs print, and the JSON file that holds an evaluation.

A row that cannot be read raises BadRow; its message begins with the file and the line."""
from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

PAIR = re.compile(r"([A-Za-z]\w*)=(\S*)")
# A whole number of more than 15 digits is text: readers of JSON would round it.
NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?([eE][-+]?\d{1,3})?")
NO_NUMBERS = {"nan", "-nan", "inf", "-inf"}
NAN = float("nan")


class BadRow(ValueError):
    """A row that is not what it should be."""


@dataclass
class Row:
    """Values are texts, as printed. `where` is the file and the line of the row."""

    pairs: dict[str, str]
    where: str = ""

    def __getitem__(self, key: str) -> str:
        if key not in self.pairs:
            raise BadRow(f"{self.where}: the row has no '{key}'")
        return self.pairs[key]

    def get(self, key: str, default: str = "") -> str:
        return self.pairs.get(key, default)

    def number(self, key: str, default: float | None = None) -> float:
        """The value as a number; `default` where the row has no such key."""
        if default is not None and key not in self.pairs:
            return default
        text = self[key]
        try:
            return float(text)
        except ValueError:
            raise BadRow(f"{self.where}: {key}={text} is no number") from None

    def matches(self, wanted: dict[str, object]) -> bool:
        return all(self.pairs.get(key) == str(value) for key, value in wanted.items())


def parse(text: str, name: str) -> list[Row]:
    """The lines of `text` that begin with a pair; other lines are for people."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not PAIR.match(line):
            continue
        where, pairs = f"{name}:{number}", {}
        for word in line.split():
            pair = PAIR.fullmatch(word)
            if not pair:
                raise BadRow(f"{where}: '{word}' is not key=value")
            if pair[1] in pairs:
                raise BadRow(f"{where}: '{pair[1]}' stands there twice")
            pairs[pair[1]] = pair[2]
        rows.append(Row(pairs, where))
    return rows


def select(rows: Iterable[Row], **wanted: object) -> list[Row]:
    return [row for row in rows if row.matches(wanted)]


def find(rows: Iterable[Row], **wanted: object) -> Row | None:
    return next((row for row in rows if row.matches(wanted)), None)


def make(**values: object) -> Row:
    """A row of this program's own; numbers with a fraction keep six decimals."""
    return Row({key: f"{value:.6f}" if isinstance(value, float) else str(value)
                for key, value in values.items()}, "evaluate.py")


def text_of(row: Row) -> str:
    return " ".join(f"{key}={value}" for key, value in row.pairs.items())


# ---- JSON ----

@dataclass
class Recording:
    """An evaluation as its JSON file holds it. `head` is everything but the rows."""

    head: dict[str, object]
    rows: list[Row] = field(default_factory=list)


def json_value(text: str) -> str:
    """Numbers are copied as they stand; several with commas between them become an array."""
    if text in NO_NUMBERS:
        return "null"
    if all(NUMBER.fullmatch(part) for part in text.split(",")):
        return f"[{text}]" if "," in text else text
    return json.dumps(text)


def json_text(recording: Recording) -> str:
    """One row a line."""
    head = json.dumps(recording.head, separators=(",", ":"))
    lines = ("{" + ",".join(f"{json.dumps(key)}:{json_value(value)}"
                            for key, value in row.pairs.items()) + "}" for row in recording.rows)
    return head[:-1] + ',\n"rows":[\n' + ",\n".join(lines) + "\n]}\n"


def from_json(value: object) -> str | None:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return ",".join(value)
    return "nan" if value is None else value if isinstance(value, str) else None


def read_json(path: Path) -> Recording:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRow(f"{path} cannot be read: {error}") from error
    try:
        head = json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise BadRow(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    if not isinstance(head, dict) or not isinstance(head.get("rows"), list):
        raise BadRow(f"{path}:1: not the evaluation.json of an evaluation: it has no rows")
    first = text[:text.index('"rows"')].count("\n") + 2
    rows = []
    for number, row in enumerate(head.pop("rows"), first):
        where = f"{path}:{number}"
        if not isinstance(row, dict):
            raise BadRow(f"{where}: the row is no object")
        pairs = {key: from_json(value) for key, value in row.items()}
        for key, value in pairs.items():
            if value is None:
                raise BadRow(f"{where}: '{key}' is neither text nor numbers")
        rows.append(Row(pairs, where))
    return Recording(head, rows)
