#!/usr/bin/env python3
"""Draws texts for a reading test: comments of the sources, and messages of refused calls.

usage: reading.py [--seed N] [--comments N] [--messages N]

A reader who has never seen the project explains each text. One that is not understood at first reading is rewritten. The
same seed draws the same texts of the same tree.
"""

import argparse
import random
import re
import subprocess
from pathlib import Path

from folders import INCLUDES, ROOT, SOURCES

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
LEAST = 6  # words of a comment that says something


def comments() -> list[tuple[str, str]]:
    found = []
    for name in sorted(subprocess.run(["git", "ls-files", *INCLUDES, *SOURCES], cwd=ROOT, text=True, check=True,
                                      stdout=subprocess.PIPE).stdout.split()):
        if not name.endswith((".c", ".h")):
            continue
        text = (ROOT / name).read_text(encoding="utf-8")
        for match in COMMENT.finditer(text):
            words = re.sub(r"\n\s*\* ?", " ", match[1]).split()
            if len(words) >= LEAST and not words[0].startswith(("NOLINT", "clang-format")):
                found.append((f"{name}:{text.count(chr(10), 0, match.start()) + 1}", " ".join(words)))
    return found


def messages() -> list[tuple[str, str]]:
    rows = [line.split(" | ") for line in (ROOT / "docs/misuse.md").read_text(encoding="utf-8").splitlines() if line.startswith("| svs_")]
    return [(row[0].removeprefix("| "), row[2].removesuffix(" |")) for row in rows if len(row) == 3]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--comments", type=int, default=30)
    parser.add_argument("--messages", type=int, default=10)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    for texts, count in ((comments(), options.comments), (messages(), options.messages)):
        for place, text in draw.sample(texts, count):
            print(f"{place}\n    {text}\n")


if __name__ == "__main__":
    main()
