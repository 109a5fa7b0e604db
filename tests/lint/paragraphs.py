#!/usr/bin/env python3
"""Short paragraphs: fails where a paragraph or list item of a page has more than 90 words, or ARCHITECTURE.md more than 150 lines.

usage: paragraphs.py [PAGE...]

Without arguments: README.md, ARCHITECTURE.md, CONTRIBUTING.md, CHANGELOG.md and all of docs. Fenced blocks, headings and
tables are not counted. A page of docs/design has at most 120 lines, and an example before its second heading.
"""

import re
import sys
from pathlib import Path

from folders import DOCS, ROOT, files

WORDS = 90
LINES = {"ARCHITECTURE.md": 150}
DESIGN_LINES = 120
ITEM = re.compile(r"([-*]|\d+\.) ")
INVISIBLE = re.compile(r"<!--.*?-->", re.S)


def paragraphs(text: str) -> list[tuple[int, int]]:
    """The line at which each paragraph begins, and its words."""
    found: list[tuple[int, int]] = []
    begin, words, fenced = 0, 0, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        line = INVISIBLE.sub("", line).strip()
        fence = line.startswith("```")
        fenced ^= fence
        ends = fenced or fence or not line or line[0] in "#|"
        if words and (ends or ITEM.match(line)):
            found.append((begin, words))
            words = 0
        if not ends:
            begin = begin if words else number
            words += len(line.split())
    return found


def problems_of(path: Path) -> list[str]:
    name, text = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path), path.read_text()
    found = [f"{name}:{line}: a paragraph of {words} words: at most {WORDS}; divide it, or make a list or a table"
             for line, words in paragraphs(text) if words > WORDS]
    design = name.startswith("docs/design/") or name.endswith("/docs/design.md")
    lines, most = len(text.splitlines()), DESIGN_LINES if design else LINES.get(name, sys.maxsize)
    if lines > most:
        found.append(f"{name}: {lines} lines: at most {most}; move details to a page of docs/design or to a header")
    if design and "\n```" not in text.split("\n## ", 2)[1]:
        found.append(f"{name}: begins without an example: show one with names and numbers under the first heading")
    return found


def main() -> int:
    pages = [Path(each).resolve() for each in sys.argv[1:]] or [
        *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")),
        *files(DOCS, "*.md")]
    counted = sum(len(paragraphs(page.read_text())) for page in pages)
    if not counted:
        sys.exit("paragraphs.py found no paragraph: its patterns do not fit the pages any more")
    problems = [each for page in pages for each in problems_of(page)]
    print("\n".join(problems) if problems else f"{counted} paragraphs in {len(pages)} pages, each of at most {WORDS} words")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
