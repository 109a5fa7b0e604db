#!/usr/bin/env python3
"""What `svs scan` says of a clang that is missing, too old or strange, and of trees that break off.

usage: front.py --svs PROGRAM --clang PROGRAM --include FOLDER --work FOLDER
"""

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

SOURCE = """#include <svs/scan.h>
typedef struct job { long *n; } job;
static svs_status job_run(svs_context *x, job *t) { (void)x; ++*t->n; return SVS_OK; }
SVS_TASK_SCANNED(job, job_run)
#include SVS_SCANNED
"""
STRUCTS = '''#include <svs/scan.h>
typedef struct { struct { int x, y; } in; int z; } pair;
typedef struct box { pair *at; } box;
static pair pairs[2];
typedef struct job { box b; int i; } job;
static void use(box b);
void use(box b) { b.at->in = pairs[1].in; }
static svs_status job_run(svs_context *x, job *t) {
    (void)x;
    use(t->b);
    pairs[0] = *(__typeof__(&pairs[0]))t->b.at;
    return SVS_OK;
}
SVS_TASK_SCANNED(job, job_run)
#include SVS_SCANNED
'''
# Two files with a struct of one header.
FLAG = """#include <stdbool.h>
#include <svs/scan.h>
struct flag {{ bool on; int x; }};
typedef struct item {{ struct flag *flag; int i; }} item;
static svs_status {0}_run(svs_context *x, item *t) {{ (void)x; {1}; return SVS_OK; }}
SVS_TASK_SCANNED({0}, item, {0}_run)
#include SVS_SCANNED
"""
# Writes the tree of a clang of today as clang 22 does: types without what they stand for, in other words.
NEWER = '''import json, subprocess, sys
def newer(node):
    if isinstance(node, list):
        return [newer(one) for one in node]
    if not isinstance(node, dict):
        return node
    if node.get("kind") == "ElaboratedType":
        owned = node.get("ownedTagDecl")
        return {"kind": "RecordType", "type": node["type"], "decl": owned, "isTagOwned": True} if owned else newer(node["inner"][0])
    made = {key: newer(value) for key, value in node.items()}
    if "qualType" in made:
        made["qualType"] = made["qualType"].replace("(unnamed struct at", "(unnamed at").replace("(anonymous struct at", "(unnamed at")
        plain = made.get("desugaredQualType")
        if node.get("desugaredQualType") == node["qualType"] or plain and "::" in plain:
            del made["desugaredQualType"]
        if plain in ("pair", "pair *"):
            made["desugaredQualType"] = "struct " + plain
    return made
text = subprocess.run(sys.argv[1:], check=True, capture_output=True).stdout
json.dump(newer(json.loads(text)), sys.stdout)
'''
# Writes a tree in pieces, with a key alone in its piece; each once the piece before is read.
PIECES = '''import array, fcntl, os, subprocess, sys, termios, time
text = subprocess.run(sys.argv[1:], check=True, capture_output=True).stdout
left = array.array("i", [0])
for piece in text.replace(b'"tokLen":', b'\\0"tokLen"\\0:').split(b"\\0"):
    os.write(1, piece)
    while not fcntl.ioctl(1, termios.FIONREAD, left) and left[0]:
        time.sleep(0)
'''
SECONDS, BYTES = 20, 1 << 28  # of the processor, and of a file
REAL = '#!/bin/sh\ncase "$*" in *-dumpversion*) echo {version}; exit;; esac\n{rest}\n'


def bound():
    """What never ends is ended, with the processes that it began."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (BYTES, BYTES))


INCLUDING = """#include <svs/scan.h>
#include <svs/svs.h>
void help(int *p);
typedef struct job { int *p; } job;
static svs_status job_run(svs_context *x, job *t) { (void)x; help(t->p); return SVS_OK; }
SVS_TASK_SCANNED(job, job_run)
#include "LATER"
#include SVS_SCANNED
"""


class Front:
    def __init__(self, options):
        self.options = options
        self.source = options.work / "job.c"
        self.source.write_text(SOURCE)
        self.failed = []

    def run(self, *words):
        command = [str(word) for word in (self.options.svs, "scan", *words)]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=bound)

    def expect(self, what, status, text, *words):
        result = self.run(*words)
        if result.returncode != status or text not in result.stderr + result.stdout:
            self.failed.append(what)
            print(f"{what}: exit status {result.returncode}: {result.stderr[-400:]}")

    def clang(self, name, version, rest):
        path = self.options.work / name
        path.write_text(REAL.format(version=version, rest=rest))
        path.chmod(0o755)
        return path

    def clangs(self):
        flags = ["--", f"-I{self.options.include}"]
        real = f'exec {self.options.clang} "$@"'
        self.expect("no clang", 2, "cannot be run: install clang 14", "--clang", "no-such-clang", self.source, *flags)
        older = f'exec {self.options.clang} -U__clang_major__ -D__clang_major__=13 "$@"'
        self.expect("an old clang", 2, "clang 13 is too old", "--clang", self.clang("old", "13.0.1", older), self.source, *flags)
        self.expect("one that is too old for the flags", 2, "clang 9 is too old", "--clang", self.clang("older", "9.0.1", "exit 1"),
                    self.source, *flags)
        self.expect("no clang at all", 2, "cannot be run", "--clang", self.clang("none", "GNU", "exit 1"), self.source, *flags)
        self.expect("a clang in between", 0, "", "--clang", self.clang("new", "14.0.6", real), self.source, *flags)
        self.expect("another form", 2, "another form", "--clang",
                    self.clang("other", "15.0.0", f'{self.options.clang} "$@" | sed s/castKind/kindOfCast/'), self.source, *flags)
        self.expect("a tree that breaks off", 2, "breaks off at byte", "--clang",
                    self.clang("short", "15.0.0", f'{self.options.clang} "$@" | head -c 5000'), self.source, *flags)
        self.expect("no last line", 1, "end the file with this line", self.open_ended(), *flags)
        self.expect("no C", 2, "its messages are above", "--clang", self.options.clang, self.no_c(), *flags)
        self.expect("no source", 2, "needs sources")
        self.expect("an unknown option", 2, "no option '--fast'", "--fast", self.source)
        self.expect("two sources of one file of facts", 2, "--facts takes one source", "--facts", "x", self.source, self.source)
        self.expect("a rule without facts", 2, "--depfile goes with --facts", "--depfile", "x", self.source)
        self.expect("an option without its value", 2, "needs a value", self.source, "--clang")
        self.expect("a folder that is not there", 2, "cannot write", "-o", self.options.work / "none", self.source, *flags)
        for name, text, said in (("torn", "[{", "is no JSON"), ("other_build", "[]", "does not compile")):
            folder = self.options.work / name
            folder.mkdir(exist_ok=True)
            (folder / "compile_commands.json").write_text(text)
            self.expect(f"compile_commands.json that {said}", 2, said, "-p", folder, self.source)
        self.expect("no build", 2, "CMAKE_EXPORT_COMPILE_COMMANDS", "-p", self.options.work / "none", self.source)

    def newer(self):
        """Both forms of structs without a name come to the same."""
        script, source = self.options.work / "newer.py", self.structs()
        script.write_text(NEWER)
        header, flags = Path(f"{source}.svs.h"), ["--", f"-I{self.options.include}"]
        made = []
        for clang in (self.options.clang, self.clang("newer", "22.1.8", f'exec {sys.executable} {script} {self.options.clang} "$@"')):
            header.unlink(missing_ok=True)
            self.expect(f"structs, {clang}", 0, "", "--clang", clang, source, *flags)
            made.append(header.exists() and header.read_text())
        if made[0] != made[1] or "svs_writes(f, &pairs[0].in);" not in made[0]:
            self.failed.append("structs in the form of newer clangs")
            print(made[0], made[1], sep="\n")

    def pieces(self):
        """A tree comes in pieces, and what is read does not depend on where they end."""
        script = self.options.work / "pieces.py"
        script.write_text(PIECES)
        clang = self.clang("pieces", "15.0.0", f'exec {sys.executable} {script} {self.options.clang} "$@"')
        self.expect("a tree in pieces", 0, "", "--clang", clang, self.source, "--", f"-I{self.options.include}")

    def open_ended(self):
        path = self.options.work / "open_ended.c"
        path.write_text(SOURCE.replace("#include SVS_SCANNED", ""))
        return path

    def bools(self):
        """clang writes _Bool or bool for one type, by what a file has in front of it: the struct is one all the same."""
        sources = [self.options.work / f"flag_{name}.c" for name in "ab"]
        for source, name, text in zip(sources, "ab", ("t->flag->x = 1", "t->i = t->flag->x")):
            source.write_text(FLAG.format(name, text))
        real = (f'case "$*" in *flag_a.c*) word=bool to=_Bool;; *) word=_Bool to=bool;; esac\n'
                f"{self.options.clang} \"$@\" | sed 's/\"'$word'\"/\"'$to'\"/'")
        for clang in (self.options.clang, self.clang("bool", "15.0.0", real)):
            self.expect(f"one struct with a bool, {clang}", 0, "0 of 1 pairs", "--pairs", "--clang", clang, *sources, "--", f"-I{self.options.include}")

    def included(self):
        """A function is known when a file that comes behind its calls defines it."""
        path = self.options.work / "including.c"
        (self.options.work / "helper.c").write_text("void help(int *p);\nvoid help(int *p) { *p = 1; }\nvoid help(int *p);\n")
        path.write_text(INCLUDING.replace("LATER", "helper.c"))
        self.expect("a function of a file that is included", 0, "", "--clang", self.options.clang, path, "--", f"-I{self.options.include}")
        if "svs_writes(f, item->p);" not in path.with_suffix(".c.svs.h").read_text():
            self.failed.append("the accesses of a function of a file that is included")

    def structs(self):
        path = self.options.work / "structs.c"
        path.write_text(STRUCTS)
        return path

    def no_c(self):
        path = self.options.work / "broken.c"
        path.write_text("int f(void) { return }\n")
        return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("svs", "clang", "include"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--work", required=True, type=Path)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    front = Front(options)
    front.clangs()
    front.newer()
    front.pieces()
    front.bools()
    front.included()
    if front.failed:
        sys.exit("front: failed: " + ", ".join(front.failed))
    print("front: all said")


if __name__ == "__main__":
    main()
