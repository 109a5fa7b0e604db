"""The pages that the tests of the documents read, and what all of these tests do with them."""
from __future__ import annotations

import pathlib
import re

FENCE = re.compile(r"^```.*?^```$", re.M | re.S)


def pages_of(source: pathlib.Path) -> list[pathlib.Path]:
    return [source / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")] + \
        sorted(page for folder in ("docs", "ranks/docs", "scan/docs") for page in (source / folder).glob("**/*.md"))


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group(0))


def prose_of(text: str) -> str:
    """The page without its fenced blocks: each character keeps its place."""
    return FENCE.sub(blank, text)


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
