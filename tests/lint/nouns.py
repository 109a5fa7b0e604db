#!/usr/bin/env python3
"""One noun each: fails where two types of the project have one tag, or where the glossary has a term twice.

usage: nouns.py

A tag counts if it has the library's prefix, or stands in a header of the library or of its tools: no other struct, union or
enum of these may have it. Types that one source defines for itself, without the prefix, are that file's own. A term of the
glossary is a heading without what it has in brackets.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from folders import INCLUDES, PROGRAMS, ROOT, SOURCES

SHARED = (*INCLUDES, *SOURCES)  # whose headers' tags count without a prefix, too
TAG = re.compile(r"^[ \t]*(?:typedef )?(?:struct|union|enum) (\w+)(?: \w+\([^)]*\))? \{", re.M)


def defined_twice(found: dict[str, list[str]], what: str) -> list[str]:
    return [f"{what} {name} is defined {len(at)} times: {', '.join(at)}: give each its own" for name, at in sorted(found.items()) if len(at) > 1]


def main() -> int:
    tags: dict[str, list[str]] = defaultdict(list)
    terms: dict[str, list[str]] = defaultdict(list)
    for folder in (*SHARED, *PROGRAMS):
        for path in sorted((ROOT / folder).glob("**/*.[ch]")):
            text = path.read_text()
            for found in TAG.finditer(text):
                if not found[1].startswith("svs_") and not (folder in SHARED and path.suffix == ".h"):
                    continue
                line = text.count("\n", 0, found.start(1)) + 1
                tags[found[1]].append(f"{path.relative_to(ROOT)}:{line}")
    glossary = ROOT / "docs/glossary.md"
    for number, line in enumerate(glossary.read_text().splitlines(), 1):
        if line.startswith("### "):
            terms[re.sub(r" \(.*\)$", "", line[4:]).lower()].append(f"docs/glossary.md:{number}")
    if not tags or not terms:
        sys.exit("nouns.py found no tag or no term: its patterns do not fit the sources any more")
    problems = defined_twice(tags, "the tag") + defined_twice(terms, "the term")
    print("\n".join(problems) if problems else f"{len(tags)} tags and {len(terms)} terms, each defined once")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
