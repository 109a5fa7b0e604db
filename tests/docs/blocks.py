"""Checks every fenced block of Markdown pages: compiles and runs programs, and compares outputs.

    blocks.py --source DIR --build DIR --work DIR --compiler CC --cxx CXX PAGE...

An invisible line above each fence states the rule for the block:

    <!-- test: file PATH -->             the block equals the file, byte by byte
    <!-- test: program -->               a complete program, in C or, after ```cpp, in C++17: compiles without a
                                         warning, exits with 0
    <!-- test: in NAME.c -->             the same, after it replaces the line @BLOCK@ in the block
                                         NAME.c of tests/docs/frames.md
    <!-- test: framework LIBRARY NAME; names TEST -->
                                         the same, linked with svs::check and this library of tests, of which TEST alone
                                         fails; skipped where the library is not installed
    <!-- test: output -->                stdout of the program of the block before, equal
    <!-- test: output of PROGRAM ARGUMENTS [; exits N] [; numbers vary] -->
                                         stdout and stderr of a program in build/bin; each of the block's
                                         lines must occur, in this order; lines with $ are the command
    <!-- test: cmake FILE... -->         a project with these files of examples/, and the sources as svs/, configures
    <!-- test: commands -->              each command exists, with its subcommand
    <!-- test: none, REASON -->          not checked

A block without a rule is a failure, and so is a rule without a block."""
import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys

RULE = re.compile(r"<!-- test: (.*?) -->$")
FLAGS = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-g"]
PROGRAMS = {"cmake", "ninja", "dot", "gcc", "cc", "apt-get", "dpkg-buildpackage"}  # of the system; their arguments are not checked

FRAMEWORK = """cmake_minimum_required(VERSION 3.16)
project(block LANGUAGES C CXX)
find_package(Threads REQUIRED)
find_package(svs REQUIRED COMPONENTS check)
find_library(framework {library})
if(NOT framework)
    message(FATAL_ERROR "{library} is not installed")
endif()
string(REPLACE "_main" "" base "${{framework}}")
add_executable(tests {source})
target_link_libraries(tests PRIVATE "${{framework}}" "${{base}}" svs::check Threads::Threads)
"""


class Failure(Exception):
    """What is wrong with a block."""


@dataclasses.dataclass
class Block:
    line: int  # of the fence
    language: str
    text: str
    rule: str  # empty: it has none


def blocks_of(text: str) -> list[Block]:
    found, rule, lines = [], "", text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.startswith("```"):
            end = number + 1
            while end < len(lines) and lines[end] != "```":
                end += 1
            if end == len(lines):
                raise Failure(f"the fence of line {number + 1} is not closed")
            body = "".join(each + "\n" for each in lines[number + 1:end])
            found.append(Block(number + 1, line[3:].strip(), body, rule))
            rule, number = "", end
        elif (match := RULE.match(line)) is not None:
            if rule:
                raise Failure(f"line {number + 1}: two rules in a row")
            rule = match.group(1)
        elif rule:
            raise Failure(f"line {number}: a rule without a block below it")
        number += 1
    return found


def run(command: list[str], folder: pathlib.Path, library: pathlib.Path) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ, LD_LIBRARY_PATH=str(library))
    environment.pop("SVS_CHECK_OPTIONS", None)
    return subprocess.run(command, cwd=folder, env=environment, text=True, timeout=120, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


class Page:
    def __init__(self, options: argparse.Namespace, path: pathlib.Path, text: str, folder: str):
        self.source, self.build = options.source, options.build
        self.compilers = {".c": [options.compiler, "-std=c11"], ".cpp": [options.cxx, "-std=c++17"]}
        self.work = options.work / folder
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.path, self.text = path, text
        self.said = ""  # by the program of the block before

    def check(self) -> list[str]:
        text = self.text
        wrong = [f"{self.path}: {failure}" for failure in self.dead_links(text)]
        try:
            blocks = blocks_of(text)
        except Failure as failure:
            return [*wrong, f"{self.path}: {failure}"]
        for block in blocks:
            try:
                self.check_block(block)
            except Failure as failure:
                wrong.append(f"{self.path}:{block.line}: {failure}")
        return wrong

    def dead_links(self, text: str) -> list[str]:
        headings = re.findall(r"^#+ (.*)$", text, re.M)
        anchors = {"#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
        linked = re.findall(r"\]\(([^)\s]+)\)", text)
        named = re.findall(r"`((?:include|src|docs|tests|examples|bench|tools|cmake|(?:ranks|scan)/(?:include|src|docs|tests|examples|bench))/[\w./-]+)`", text)
        return ([f"a link to {each}, which is not there" for each in linked if each not in anchors
                 and "://" not in each and not (self.path.parent / each.split("#")[0]).is_file()]
                + [f"names {each}, which is not there" for each in named
                   if "NAME" not in each and not (self.source / each).exists()])

    def check_block(self, block: Block) -> None:
        if not block.rule:
            raise Failure("a block without a rule: put <!-- test: ... --> above it (tests/docs/blocks.py)")
        kind, _, rest = block.rule.partition(" ")
        kinds = {"file": self.equals_file, "program": self.runs, "in": self.runs, "framework": self.names_a_test, "output": self.is_output,
                 "cmake": self.configures, "commands": self.exist, "none,": lambda _block, _reason: None}
        if kind not in kinds:
            raise Failure(f"unknown rule '{block.rule}': choose one of {', '.join(kinds)}")
        kinds[kind](block, rest)

    def equals_file(self, block: Block, path: str) -> None:
        if (self.source / path).read_text(encoding="utf-8") != block.text:
            raise Failure(f"differs from {path}: copy the file into the block")

    def runs(self, block: Block, frame: str) -> None:
        text = block.text
        if frame:
            around = frame_of(self.source / "tests/docs/frames.md", frame)
            if around.count("@BLOCK@\n") != 1:
                raise Failure(f"tests/docs/frames.md must have a block {frame} with one line @BLOCK@")
            before, after = around.split("@BLOCK@\n")
            # Messages of the compiler then name the page.
            text = f'{before}#line {block.line + 1} "{self.path.name}"\n{text}#line 1 "end of {frame}"\n{after}'
        program = self.work / f"block_{block.line}"
        suffix = ".cpp" if block.language == "cpp" else ".c"
        program.with_suffix(suffix).write_text(text, encoding="utf-8")
        libraries = [f"-I{self.source}/include", f"-L{self.build}", "-lsvs", "-pthread"]
        made = run([*self.compilers[suffix], *FLAGS, program.name + suffix, "-o", program.name, *libraries], self.work, self.build)
        if made.returncode != 0:
            raise Failure(f"does not compile:\n{made.stdout}")
        ran = run([f"./{program.name}"], self.work, self.build)
        if ran.returncode != 0:
            raise Failure(f"ends with {ran.returncode} instead of 0:\n{ran.stdout}")
        self.said = ran.stdout

    def names_a_test(self, block: Block, rest: str) -> None:
        library, frame, _, test = rest.replace(";", "").split()
        folder = self.work / f"project_{block.line}"
        folder.mkdir()
        (folder / frame).write_text(frame_of(self.source / "tests/docs/frames.md", frame).replace("@BLOCK@\n", block.text),
                                    encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(FRAMEWORK.format(library=library, source=frame), encoding="utf-8")
        prefix = self.build / "tests/install/prefix"
        made = run(["cmake", f"-DCMAKE_PREFIX_PATH={prefix}", "-S", ".", "-B", "build"], folder, self.build)
        if "is not installed" in made.stdout:
            print(f"{self.path}:{block.line}: skipped: {library} is not installed")
            return
        if made.returncode == 0:
            made = run(["cmake", "--build", "build"], folder, self.build)
        if made.returncode != 0:
            raise Failure(f"does not build:\n{made.stdout}")
        ran = run(["build/tests"], folder, self.build)
        failed = set(re.findall(r"\[  (?:FAILED|ERROR ) +\] ([a-z][\w.]+)$", ran.stdout, re.M))
        if ran.returncode == 0 or failed != {test}:
            raise Failure(f"ends with {ran.returncode}; {failed or 'nothing'} fails instead of {test}:\n{ran.stdout}")

    def is_output(self, block: Block, rest: str) -> None:
        if not rest:
            if self.said != block.text:
                raise Failure(f"the program above it prints\n{self.said}")
            return
        command, *conditions = [part.strip() for part in rest.removeprefix("of ").split(";")]
        program, *arguments = command.split()
        if not (self.build / "bin" / program).exists():
            raise Failure(f"build the program {program} first")
        ran = run([str(self.build / "bin" / program), *arguments], self.work, self.build)
        expected = next((int(each.split()[1]) for each in conditions if each.startswith("exits ")), 0)
        if ran.returncode != expected:
            raise Failure(f"{command} ends with {ran.returncode} instead of {expected}:\n{ran.stdout}")
        vary = "numbers vary" in conditions
        said = [comparable(line, vary) for line in ran.stdout.split("\n")]
        for line in block.text.split("\n"):
            if not line.strip() or line.startswith("$ "):
                continue
            if comparable(line, vary) not in said:
                raise Failure(f"{command} does not print '{line}' (here). It prints:\n{ran.stdout}")
            said = said[said.index(comparable(line, vary)) + 1:]

    def configures(self, block: Block, files: str) -> None:
        folder = self.work / f"project_{block.line}"
        folder.mkdir()
        for name in files.split():
            shutil.copy(self.source / "examples" / name, folder)
        (folder / "svs").symlink_to(self.source)
        head = "cmake_minimum_required(VERSION 3.16)\nproject(block LANGUAGES C)\n"
        (folder / "CMakeLists.txt").write_text(head + block.text, encoding="utf-8")
        # A package of the same targets as the installed one has; tests/install tries that.
        stub = "foreach(each IN ITEMS svs check)\n  add_library(svs::${each} INTERFACE IMPORTED)\nendforeach()\n"
        (folder / "svsConfig.cmake").write_text(stub, encoding="utf-8")
        made = run(["cmake", f"-Dsvs_DIR={folder}", "-S", ".", "-B", "build"], folder, self.build)
        if made.returncode != 0:
            raise Failure(f"does not configure:\n{made.stdout}")

    def exist(self, block: Block, _rest: str) -> None:
        for line in block.text.replace("\\\n", "").split("\n"):
            words = line.split("#")[0].split()
            if not words or words[0] in PROGRAMS:
                continue
            self.command_exists([word.strip("(") for word in words])

    def command_exists(self, words: list[str]) -> None:
        name, arguments = words[0], words[1:]
        if name == "./dev":
            known = re.findall(r"^  ([a-z]+)\b", self.output_of(["bash", "dev", "help"], self.source), re.M)
        elif name == "svs":
            known = re.findall(r"^  ([a-z]+)\b", self.output_of([str(self.build / "bin/svs"), "trace", "--help"],
                                                               self.source), re.M)
            arguments = arguments[1:]
        elif name.startswith("build/"):
            if not (self.source / "examples/standalone" / pathlib.Path(name).name).exists() and \
                    not any((self.build / where / pathlib.Path(name).name).exists() for where in ("bin", "tests/bin")):
                raise Failure(f"there is no program {name}")
            return
        elif name == "cd" or "=" in name:
            return
        else:
            raise Failure(f"unknown command '{name}'")
        if not arguments or arguments[0] not in known:
            raise Failure(f"unknown command '{' '.join(words)}': {name} has {', '.join(known)}")

    def output_of(self, command: list[str], folder: pathlib.Path) -> str:
        return run(command, folder, self.build).stdout


def frame_of(page: pathlib.Path, name: str) -> str:
    found = re.search(rf"^## {re.escape(name)}\n\n```c\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    return found.group(1) if found else ""


def refused_pages(options: argparse.Namespace, path: pathlib.Path) -> list[str]:
    """What is wrong with a file of pages, parted by lines of tildes, which must all be refused with their headings."""
    wrong = []
    for number, text in enumerate(re.split(r"^~~~~~\n+", path.read_text(encoding="utf-8"), flags=re.M)):
        failures = Page(options, path, text, f"refused_{number}").check()
        wanted = text.split("\n", 1)[0].removeprefix("# ")
        if not any(wanted in each for each in failures):
            wrong.append(f"{path}: page {number} is not refused with '{wanted}', but: {failures or 'nothing'}")
    return wrong


def comparable(line: str, vary: bool) -> str:
    line = re.sub(r"(?<=[ (])[./\w-]*/(?=examples/)", "", line)  # where the sources lie
    return re.sub(r"\d+", "N", line) if vary else line


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--source", "--build", "--work"):
        parser.add_argument(name, type=lambda text: pathlib.Path(text).resolve(), required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--refuse", action="store_true", help="pages in one file, each of which must be refused")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    wrong = []
    for path in options.pages:
        if options.refuse:
            wrong += refused_pages(options, path)
        else:
            wrong += Page(options, path, path.read_text(encoding="utf-8"), path.stem).check()
    print("\n".join(wrong) or f"{len(options.pages)} pages: all blocks are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
