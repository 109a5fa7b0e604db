#!/usr/bin/env python3
"""Resolves every name in backquotes in the pages: files, functions, macros, statuses, options, commands, targets, tests.

usage: names.py [--source DIR] [--misspell]

What a name is follows from its form:

    svs_x, SVS_X         a word of the code of the libraries (LIBRARY) without comments and strings; or a variable of the
                         environment, which is a whole string there
    SVS_E_X              a status of include/svs/status.h
    NAME.c, a/, x.h, *.c a tracked file or folder: from the root, a folder of headers or sources (ROOTS), or the page's
                         folder; without a slash, anywhere. NAME in it stands for anything
    ./dev x ...          a command of `dev`; for `./dev bench x`, a benchmark
    svs x ...            a subcommand of the tools
    --x                  an option of dev, or of a program (PROGRAMS)
    -DX=..., X_Y         a variable of the build, or a word of the code
    x/y:...              a case of the benchmark x
    svs::x               a target, or a name of svs.hpp
    a.b                  a test or a member: both words are words of the code
    x                    a word of the code anywhere in the project, or of a fenced block of the page; x_task, x_send,
                         x_run, x_touch and x_post, which macros make; test_x
Also resolved, wherever they occur: labels of invariants (sched.W1), presets (--preset x, the preset `x`), and labels of
tests (labelled `x`, the label `x`, ctest -L x).

The names of the column `before` in a table of renamings, which nothing has any more, are not looked up.

tests/docs/names.txt lists the names that are not the project's, each with a reason; an entry that no page needs is an error.
--misspell changes the last letter of each name in turn, and fails if it is still accepted (of plain words, one in a hundred
may be)."""
from __future__ import annotations

import argparse
import dataclasses
import fnmatch
import functools
import json
import pathlib
import re
import subprocess
import sys

import texts

SPAN = re.compile(r"`([^`]+)`")
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
STRING = re.compile(r'"(\w+)"')
HASHED = re.compile(r"#[^\n]*")
WORD = re.compile(r"[A-Za-z_]\w*")
FILE = re.compile(r"(?<![\w/<])(?:[\w.*-]+/)+[\w.*-]*|[\w*-]+\.(?:[ch]|cc|hpp|py|md|cmake|txt|sh|diff|html|j2|json|svg)\b")
OPTION = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
NOT_OURS = re.compile(r"(?<![\w-])-[A-CE-Za-z][\w=-]*|(?<!\w)/[\w/]+|https?://\S+|<\w+\.h>")  # compilers, systems
LABEL = re.compile(r"\b(?:base|hooks|worksteal|stealtree|memobj|sched|dpst|transport|ranks|structures|scan)\.[A-Z]\d+\b")
CASE = re.compile(r"\w+/\w+:")
TEST_LABEL = re.compile(r"\blabel(?:led|s)? `([a-z]\w*)`|\bctest\b[^\n`]* -L (\w+)")
TEST_LABELS = re.compile(r"svs_set_test_properties\(\S+ ([a-z]+)|\bLABELS? ([a-z]+)\b")
PRESET = re.compile(r"--preset (\w[\w-]*)|\bpresets? `(\w[\w-]*)`")
MADE = re.compile(r"(\w+)_(?:task|send|run|touch|post)|test_(\w+)")
TARGET = re.compile(r"\bsvs::(\w+)")
DEFINED = re.compile(rf"^\s*(?:/\*|\*)\s+({LABEL.pattern})[.:]?\s+\S", re.M)
RENAMED = re.compile(r"^\| before \|[^\n]*\n(?:\|[^\n]*\n)+", re.M)  # a table of the change log
BEFORE = re.compile(r"^\|[^|\n]*\|", re.M)
ROOTS = ("", "include/", "src/", "ranks/include/", "ranks/src/", "scan/src/", "tools/")
LIBRARY = ("include/", "src/", "cmake/", "ranks/include/", "ranks/src/", "ranks/ranks.cmake", "scan/svsScan.cmake")
PROGRAMS = ("tools/", "bench/", "examples/", "tests/", "ranks/", "scan/")
CODE = {".c", ".h", ".hpp", ".cc", ".cpp", ".S", ".in", ".def"}
SCRIPTS = {".py", ".cmake", ".sh", ".txt"}


@functools.cache
def code_of(path: pathlib.Path) -> str:
    """The text without comments and, in C, without strings."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return COMMENT.sub(" ", text) if path.suffix in CODE else HASHED.sub(" ", text)


def files_of(source: pathlib.Path) -> list[str]:
    """Tracked files and new ones; where there is no repository, all but what is built."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=source, text=True,
                            check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if listed.returncode == 0:
        return [name for name in listed.stdout.split("\n") if name]
    return [str(path.relative_to(source)) for path in source.rglob("*")
            if path.relative_to(source).parts[0] not in ("build", ".git")]


class Project:
    def __init__(self, source: pathlib.Path):
        self.source = source
        self.files = {name for name in files_of(source) if (source / name).is_file()}
        folders = {"/".join(parts[:n]) for parts in (name.split("/") for name in self.files) for n in range(1, len(parts))}
        self.paths = self.files | folders
        self.bases = {name.rsplit("/", 1)[-1] for name in self.files}
        self.library = self.words_of(lambda name: name.startswith(LIBRARY) or name == "CMakeLists.txt")
        self.said = set(STRING.findall(self.texts(lambda name: name.startswith(("src/", "tools/", "tests/", "cmake/", "ranks/src/", "scan/")))))
        # The table of the scan has several names of clang in one string.
        self.said |= set(WORD.findall(self.texts(lambda name: name.endswith("/kinds.def"))))
        self.words = self.said | self.library | self.words_of(lambda name: not name.startswith("tests/docs/"))
        self.statuses = set(re.findall(r"\bSVS_E_\w+", code_of(source / "include/svs/status.h")))
        self.commands = self.texts(lambda name: name.startswith(PROGRAMS)
                                   and not name.startswith("tests/docs/") or name == "dev")
        self.build = self.texts(lambda name: name.endswith(("CMakeLists.txt", ".cmake", ".in")) or name == "dev")
        self.tools = self.texts(lambda name: name.startswith(("tools/", "scan/src/")) and name.endswith(".c"))
        self.presets = {each["name"] for each in json.loads(self.text("CMakePresets.json"))["configurePresets"]}
        self.test_labels = {one or other for one, other in TEST_LABELS.findall(self.build)}
        self.labels = set(DEFINED.findall(self.texts(lambda name: name.endswith((".h", ".c", ".hpp")))))

    @functools.cache
    def text(self, name: str) -> str:
        return (self.source / name).read_text(encoding="utf-8", errors="replace")

    def chosen(self, wanted) -> list[str]:
        return [name for name in sorted(self.files) if wanted(name)
                and pathlib.PurePath(name).suffix in CODE | SCRIPTS | {".js", ".css", ".map", ".1", ".diff", ""}]

    def words_of(self, wanted) -> set[str]:
        return {word for name in self.chosen(wanted) for word in WORD.findall(code_of(self.source / name))}

    def texts(self, wanted) -> str:
        return "\n".join(self.text(name) for name in self.chosen(wanted))

    def has_file(self, name: str, page: pathlib.PurePath) -> bool:
        pattern = re.sub(r"^share/svs/", "tools/", name.rstrip("/")).replace("NAME", "*")
        if "*" not in pattern:
            return pattern in self.bases or any(root + pattern in self.paths for root in (*ROOTS, f"{page.parent}/"))
        return any(fnmatch.filter(self.bases if root is None else self.paths, (root or "") + pattern)
                   for root in (None, *ROOTS))

    @functools.cache
    def has_option(self, option: str) -> bool:
        bare = option.lstrip("-")
        return re.search(rf'{re.escape(option)}\b(?!-)|{{"{re.escape(bare)}",|"--?{re.escape(bare)}[" =]', self.commands) is not None

    def has_command(self, words: list[str]) -> bool:
        known = re.findall(r"^  ([a-z]+)\b", self.text("dev").split("TEXT")[1], re.M)
        if not words:
            return True
        if words[0] == "bench" and len(words) > 1 and words[1][0] != "-":
            return words[1] in [*re.findall(r"bench_(?:program\(|cases\(|add_custom_target\(bench_)?(\w+)", self.build), "NAME"] and \
                re.search(rf"bench_(?:program|cases)\({words[1]}\b|\bbench_{words[1]}\b", self.build) is not None
        return words[0] in [*known, "help"]

    def has_subcommand(self, words: list[str]) -> bool:
        wanted = [each for word in words[:2] if re.fullmatch(r"[a-z|]+", word) for each in word.split("|")]
        return bool(wanted) and all(f'"{each}"' in self.tools for each in wanted)

    def has_target(self, name: str) -> bool:
        return re.search(rf"\bsvs::{name}\b|\bsvs_{name}\b|EXPORT_NAME {name}\b", self.build) is not None or \
            re.search(rf"\b(class|struct|using|[\w>&]+) {name}\b", self.text("include/svs/svs.hpp")) is not None


@dataclasses.dataclass
class Name:
    page: pathlib.PurePath
    place: int
    span: str
    text: str
    kind: str


def names_in(page: pathlib.PurePath, place: int, span: str) -> list[Name]:
    """The names of a span in backquotes, each with its place in the page."""
    found: list[Name] = []
    if ":=" in span:  # a rule of a grammar
        return found
    rest = span

    def take(pattern: re.Pattern[str], kind: str) -> None:
        nonlocal rest
        for match in pattern.finditer(rest):
            found.append(Name(page, place + match.start(), span, match.group(0), kind))
        rest = pattern.sub(texts.blank, rest)

    if span.startswith(("./dev", "svs ")):
        words = re.match(r"(?:\./dev|svs)(?: [a-z|]+(?![\w.])){0,2}", span).group(0)
        found.append(Name(page, place, span, words, "command" if span.startswith("./dev") else "subcommand"))
        take(OPTION, "option")
        return found
    if CASE.match(span):
        return [Name(page, place, span, span.split("/")[0], "benchmark")]
    rest = NOT_OURS.sub(texts.blank, rest)
    take(re.compile(r"-D[A-Z]\w*"), "variable")
    take(FILE, "file")
    take(OPTION, "option")
    take(TARGET, "target")
    take(WORD, "word")
    return found


def resolves(project: Project, name: Name) -> bool:
    if name.kind == "command":
        return project.has_command(name.text.split()[1:])
    if name.kind == "subcommand":
        return project.has_subcommand(name.text.split()[1:])
    if name.kind == "file":
        return project.has_file(name.text, name.page) or name.text.startswith("build/") and built(project, name.text)
    if name.kind == "option":
        return project.has_option(name.text)
    if name.kind == "benchmark":
        return project.has_command(["bench", name.text])
    if name.kind == "target":
        return project.has_target(name.text.removeprefix("svs::"))
    if name.kind == "variable":
        return name.text.removeprefix("-D") in project.library
    if name.text.startswith("SVS_E_"):
        return name.text in project.statuses
    if is_ours(name.text):
        return name.text in project.library or name.text in project.said
    made = MADE.fullmatch(name.text)
    return len(name.text) == 1 or name.text in project.words or made is not None and \
        (len(made.group(1) or "") == 1 or (made.group(1) or made.group(2)) in project.words)


def built(project: Project, name: str) -> bool:
    """A program of the build: its last part is a word of the build's files."""
    return name.split("/")[1] in project.presets and re.search(rf"\b{re.escape(name.split('/')[-1])}", project.build) is not None


def is_ours(word: str) -> bool:
    return word.lower().startswith("svs_")


def names_of(path: pathlib.Path, source: pathlib.Path) -> list[Name]:
    page, text = path.relative_to(source), path.read_text(encoding="utf-8")
    text = RENAMED.sub(lambda table: BEFORE.sub(texts.blank, table.group(0)), text)
    prose = texts.prose_of(text)
    shown = {word for block in texts.FENCE.findall(text) for word in WORD.findall(block)}
    found = [name for match in SPAN.finditer(prose) for name in names_in(page, match.start(1), match.group(1))
             if name.kind != "word" or is_ours(name.text) or name.text not in shown]
    found += [Name(page, match.start(), match.group(0), match.group(0), "label") for match in LABEL.finditer(prose)]
    found += [Name(page, match.start(), match.group(0), match.group(1) or match.group(2), kind)
              for pattern, kind in ((PRESET, "preset"), (TEST_LABEL, "test label")) for match in pattern.finditer(text)]
    return found


def is_known(project: Project, allowed: dict[str, str], name: Name) -> bool:
    if name.kind == "label":
        return name.text in project.labels
    if name.kind == "test label":
        return name.text in project.test_labels
    if name.kind == "preset":
        return name.text in project.presets or name.text in allowed
    return name.text in allowed or name.span in allowed or resolves(project, name)


def read_allowed(path: pathlib.Path) -> dict[str, str]:
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]
    parts = [line.split("\t") for line in lines]
    short = [line for line, each in zip(lines, parts) if len(each) != 2 or not each[1].strip()]
    if short:
        raise SystemExit(f"{path}: '{short[0]}': write NAME, a tab, and the reason")
    return dict(parts)


def misspelt(name: Name) -> Name:
    """Its last letter is another one. A suffix stays, since it tells that the name is a file's."""
    stem = re.sub(r"\.[a-z]+$", "", name.text)
    at = max((n for n, letter in enumerate(stem) if letter.isalpha()), default=-1)
    other = "q" if name.text[at] != "q" else "z"
    text = name.text[:at] + other + name.text[at + 1:]
    return dataclasses.replace(name, text=text, span=name.span.replace(name.text, text))


def misspell(project: Project, names: list[Name]) -> int:
    """Only a word may become another one by chance."""
    each = {(name.kind, name.text): name for name in names if len(name.text) > 1 and name.text != "./dev"}
    kept = {key: name for key, name in each.items() if is_known(project, {}, misspelt(name))}
    missed = [name for (kind, _), name in kept.items() if kind != "word" or is_ours(name.text)]
    print("\n".join(f"{name.page}: {name.kind} '{misspelt(name).text}' is accepted in the place of '{name.text}'"
                    for name in kept.values()))
    print(f"names: {len(each) - len(kept)} of {len(each)} names are refused when their last letter is another one")
    return 1 if missed or len(kept) * 100 > len(each) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--pages", type=pathlib.Path, help="the folder of the pages, if they are a copy")
    parser.add_argument("--misspell", action="store_true")
    options = parser.parse_args()
    project = Project(options.source)
    allowed = read_allowed(options.source / "tests/docs/names.txt")
    folder = options.pages or options.source
    names = [name for path in texts.pages_of(folder) for name in names_of(path, folder)]
    contents = {path.relative_to(folder): path.read_text(encoding="utf-8") for path in texts.pages_of(folder)}
    if options.misspell:
        return misspell(project, names)
    wrong = [f"{name.page}:{texts.line_of(contents[name.page], name.place)}: unknown {name.kind} '{name.text}' in `{name.span}`"
             for name in names if not is_known(project, allowed, name)]
    needed = {text for name in names if not is_known(project, {}, name) for text in (name.text, name.span)}
    wrong += [f"tests/docs/names.txt: no page needs '{each}'" for each in allowed if each not in needed]
    print("\n".join(wrong) or f"names: {len(names)} names in {len(contents)} pages, each of them is known")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
