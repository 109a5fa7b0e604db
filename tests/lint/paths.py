#!/usr/bin/env python3
"""Comments that name what is not there, and examples and tables in comments that a reflow has damaged.

usage: paths.py [FILE ...]

Each file that a comment names must exist: with its path from the root, from src, include or the folder of the comment, or
by the end of its path. Files that programs and tests make are in MADE; NAME.c and a.c stand for others. An indented example of a header of include has
brackets in pairs when its own comments are taken away. In a table that begins with "operation", each row has columns. The guard of a
header of src is its path; in ranks/src/ranks, whose files have the names of public ones, with two underscores.
Without arguments: all tracked files of CODE.
"""

import re
import subprocess
import sys
from pathlib import Path

from folders import INCLUDES, LIBRARY, PROGRAMS, ROOT, SOURCES, TESTS

CODE = [*SOURCES, *INCLUDES, *TESTS, *PROGRAMS, "cmake", "CMakeLists.txt"]
# What is made by a run, stands for a file of the reader, or belongs to others.
MADE = re.compile(r"""(NAME\w*|[a-z]|compare|use_after_free|vendor_list|out|run|yours)\.\w+$""")
NAME = re.compile(r"(?<![\w./<*-])((?:[\w-]+/)*[\w-]+\.(?:h|hpp|c|cc|cpp|py|md|cmake|js|sh))(?![\w(*.-])")
COMMENT = {".c": r"/\*.*?\*/|//[^\n]*", ".py": r"#[^\n]*|\"\"\".*?\"\"\"", ".cmake": r"#[^\n]*"}


def tracked(*folders):
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "--", *folders]
    return [name for name in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
            if name and (ROOT / name).is_file()]


def comments(name, text):
    """The comments of a file, each with the number of its line."""
    kind = {".h": ".c", ".cpp": ".c", ".hpp": ".c", ".cc": ".c", ".S": ".c", ".txt": ".cmake"}.get(Path(name).suffix, Path(name).suffix)
    for match in re.finditer(COMMENT.get(kind, "$^"), text, re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match.group()


def is_there(name, path, files):
    folders = ("", "include/svs/", *(f"{folder}/" for folder in (*SOURCES, *INCLUDES)), f"{Path(name).parent}/")
    places = [folder + path for folder in folders]
    return any(place in files for place in places) or any(file.endswith("/" + path) for file in files)


def missing(name, line, comment, files):
    for match in NAME.finditer(comment):
        path = match.group(1)
        if not is_there(name, path, files) and not MADE.match(path):
            yield f"{name}:{line + comment.count(chr(10), 0, match.start())}: {path} does not exist"


def is_balanced(code):
    depth = 0
    for one in re.sub(r'"(\\.|[^"\\])*"|//[^\n]*', "", code):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(one, 0)
        if depth < 0:
            return False
    return depth == 0


def damaged(name, line, comment):
    """Examples and tables that are not whole."""
    example, rows = "", None
    for number, text in enumerate(comment.split("\n") + [" *"], line):
        inside = re.match(r"\s*\*( {4,}\S.*)", text)
        if inside and name.startswith("include/"):
            example += inside.group(1) + "\n"
        elif not re.match(r"\s*\*\s*$", text) or number == line + comment.count("\n") + 1:
            if not is_balanced(example):
                yield f"{name}:{number - 1}: the example before it is not whole: is a bracket, or a line, missing?"
            example = ""
        if rows and re.match(r" \* \S", text) and not re.match(r" \* \S+(, \S+)*,?( {2,}|$)", text):
            yield f"{name}:{number}: a row of a table without columns"
        rows = re.match(r" \* operation {2,}", text) or (rows and re.match(r" \* ", text))


def guard(name, text):
    """The guard of a header of src."""
    found = re.search(r"^#ifndef (\w+)", text, re.MULTILINE)
    folder = next((folder for folder in LIBRARY if name.startswith(folder + "/")), None)
    path = re.sub(r"[/.]", "_", name[len(folder or "") + 1 :]).upper()
    wanted = f"SVS__{path}" if name.startswith("ranks/src/ranks/") else f"SVS_{path}"
    if folder and name.endswith(".h") and (not found or found.group(1) != wanted):
        yield f"{name}:{text.count(chr(10), 0, found.start()) + 1 if found else 1}: the guard is not {wanted}"


def main():
    files = set(tracked())
    names = sys.argv[1:] or tracked(*CODE)
    found = []
    for name in names:
        try:
            text = (ROOT / name).read_text()
        except UnicodeDecodeError:
            continue
        found += guard(name, text)
        for line, comment in comments(name, text):
            found += missing(name, line, comment, files)
            found += damaged(name, line, comment)
    print("\n".join(found) or "each file that a comment names is there; examples and tables are whole")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
