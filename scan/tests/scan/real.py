#!/usr/bin/env python3
"""Scans code of Debian's source packages (real.txt), whose functions tasks call, and holds its accesses against the footprints.

usage: real.py --svs PROGRAM --clang PROGRAM --include FOLDER --library FOLDER --work FOLDER [--least N] [--only NAME]

The sources are fetched by apt-get, from the sources of packages that this machine's apt is configured for; nothing of them is
kept in the repository. Without apt, or a network, they are left out, and a line says so. Each driver must be right by the log of
its compiled bodies (drawn.c), or be refused at a line and column with a message that says what to write instead.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from drawn import HERE, Batch, run

PRELUDE = '''#undef I
{files}
typedef struct item_1 {{ int i, j, k; }} item_1;
static void fill_1(void *to) {{ item_1 *t = to; t->i = drawn_below(4), t->j = drawn_below(4), t->k = drawn_below(4); }}
'''
TASK = '''static svs_status task{0}_run(svs_context *x, item_1 *t) {{ (void)x, (void)t; {1} return SVS_OK; }}
SVS_TASK_SCANNED(task{0}, item_1, task{0}_run)
'''


class Driver:
    def __init__(self, name, package, files):
        self.name, self.package, self.files = name, package, files
        self.flags, self.code, self.tasks, self.number, self.used, self.text = [], [], [], 1, (), ""

    def write(self):
        text = PRELUDE.format(files="\n".join(f'#include "{file}"' for file in self.files)) + "\n".join(self.code) + "\n"
        text += "".join(TASK.format(i, task) for i, task in enumerate(self.tasks))
        rows = ", ".join(f"{{&task{i}_task, fill_1}}" for i in range(len(self.tasks)))
        return text + f"static const drawn_task tasks_of1[] = {{{rows}}};\nstatic const drawn_program program_of1 = {{1, tasks_of1, {len(self.tasks)}, NULL}};\n"


def drivers():
    found = []
    for line in (HERE / "real.txt").read_text().splitlines():
        if line.startswith("== "):
            name, _, rest = line[3:].partition(": ")
            package, *files = rest.split()
            found.append(Driver(name, package, files))
        elif line.startswith("-- flags: "):
            found[-1].flags = line[10:].split()
        elif line.startswith("-- task: "):
            found[-1].tasks.append(line[9:])
        elif found and line:
            found[-1].code.append(line)
    return found


def source_lists():
    """What apt is configured for, as sources of source packages."""
    texts = []
    for path in [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]:
        if path.suffix in (".list", ".sources") and path.is_file() and "debian" in path.read_text():
            text = path.read_text()
            text = re.sub(r"(?m)^Types:.*", "Types: deb-src", text) if path.suffix == ".sources" else re.sub(r"(?m)^deb ", "deb-src ", text)
            texts.append((path.name, text))
    return texts


def fetch(work, packages):
    """The folders of the packages that could be had."""
    apt = work / "apt"
    for folder in ("parts", "lists/partial", "cache/archives/partial", "sources"):
        (apt / folder).mkdir(parents=True, exist_ok=True)
    for name, text in source_lists():
        (apt / "parts" / name).write_text(text)
    configured = ["apt-get", "-q", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={apt}/parts", "-o", f"Dir::State::lists={apt}/lists",
                  "-o", f"Dir::Cache={apt}/cache", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1", "-o", "APT::Sandbox::User=root"]
    folders = {}
    try:
        if not all(list((apt / "sources").glob(f"{package}_*.dsc")) for package in packages):
            subprocess.run([*configured, "update"], capture_output=True, timeout=180)
        for package in packages:
            if not list((apt / "sources").glob(f"{package}_*.dsc")):
                subprocess.run([*configured, "--download-only", "source", package], capture_output=True, timeout=120, cwd=apt / "sources")
            for found in (apt / "sources").glob(f"{package}_*.dsc"):
                folder = apt / package
                if not folder.exists():
                    subprocess.run(["dpkg-source", "--no-check", "-x", found, folder], capture_output=True, timeout=60)
                if folder.exists():
                    folders[package] = folder
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"real: {error}")
    return folders


def judge(options, driver, folder):
    """What is wrong, and how it came out."""
    options.flags = [f"-I{folder}", *[re.sub(r"^-I(?!/)", f"-I{folder}/", flag) for flag in driver.flags]]
    options.work = options.base / driver.name
    options.work.mkdir(exist_ok=True)
    (options.work / "drawn.o").write_bytes((options.base / "drawn.o").read_bytes())
    batch = Batch(options, [1], {1: driver})
    plain = run(options.clang, "-std=gnu11", "-w", "-fsyntax-only", f"-I{options.include}", f"-I{HERE}", *options.flags, write_alone(batch))
    if plain.returncode:
        return "the driver does not compile: " + plain.stderr[:400], "wrong"
    batch.judge()
    if 1 in batch.refused:
        message = batch.refused[1]
        return (None if re.search(r"[:;,] (write|use|give|keep|pass|access|declare|scan|say|copy|link|name)\b", message) else f"no advice: {message}"), f"refused: {message}"
    if 1 in batch.faults:
        return batch.faults[1], "wrong"
    instances, everything, names = batch.right[1]
    return None, f"right: {instances} instances, {everything} of them name everything, {names / instances:.1f} names each"


def write_alone(batch):
    batch.write()
    return batch.source


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("svs", "clang"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("include", "library", "work"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--least", type=int, default=6, help="so many drivers must be right and not alone")
    parser.add_argument("--only")
    options = parser.parse_args()
    options.base = options.work = options.work.resolve()
    options.base.mkdir(parents=True, exist_ok=True)
    options.sanitize = ["-fsanitize=thread"]  # what is undefined in this code is not the matter
    all_ = [driver for driver in drivers() if options.only in (None, driver.name)]
    folders = fetch(options.base, sorted({driver.package for driver in all_}))
    built = run(options.clang, "-std=gnu11", "-O2", "-no-pie", f"-I{options.include}", "-c", HERE / "drawn.c", "-o", options.base / "drawn.o")
    if built.returncode:
        sys.exit(built.stderr)
    failed, right, out = [], 0, 0
    for driver in all_:
        if driver.package not in folders:
            out += 1
            print(f"{driver.name}: LEFT OUT: the source of Debian's package {driver.package} could not be had")
            continue
        wrong, how = judge(options, driver, folders[driver.package])
        print(f"{driver.name} ({driver.package}, {', '.join(driver.files)}): {wrong or how}", flush=True)
        right += how.startswith("right")
        if wrong:
            failed.append(driver.name)
    print(f"{len(all_)} drivers: {right} right, {len(all_) - right - out - len(failed)} refused, {len(failed)} at fault, {out} left out")
    if not out and not options.only and right < options.least:
        failed.append(f"{right} drivers are right, and not {options.least}")
    if failed:
        sys.exit("real: failed: " + "; ".join(failed))


if __name__ == "__main__":
    main()
