"""Phylogeny, compared with the serial program, without stores and with them (figures 2.11, 5.6 and 5.7 of Wen's thesis).

    bench_multipol --program phylogeny [--data FOLDER] [--input NAME,...] [--rounds 5] [--ranks 2]
                   [--transports local,openmpi,mpich] [--results]

Each round runs the serial program with stores, and then each way: stealing, with every rule of combining failures and without
aggregation; and pushing. NAME:uncured searches each character, also those that fit any tree. The program without stores
runs once, and its maximal sets are those of all others. ratio_serial is the serial time by that of the same round, with its
interval; ratio_plain that of the program without stores by the median; ratio_initial that of the way with aggregation.
`redundant` are tasks whose set contains a smaller failure, that another rank had found or would find. `thesis` has the seconds
of figures 5.6 and 5.7, for 50 characters of 14 other species: CM5, Paragon, SP1. --results runs each input once on 1, 2, 3, 4 and
8 ranks instead. Without the data, species are random."""
from __future__ import annotations

import sys
from pathlib import Path

from rows import BadRow, Row
from runs import RANKS, Inputs, compare_inputs, middle, ratio, run

INPUTS = ["primates14_RY50_binary", "primates14_RY231_binary", "primates14_first50sites", "primates14_first50sites:uncured",
          "primates14x232"]
# strategy, rule of combining, bytes of a buffer, the thesis' seconds
WAYS = [("stealing", "never", 16384, ""), ("stealing", "tasks", 16384, ""), ("stealing", "empty", 16384, "137.6,151.8,50.2"),
        ("stealing", "empty", 0, "112.3,164.0,50.0"), ("pushing", "never", 16384, ""), ("pushing", "tasks", 16384, ""),
        ("pushing", "empty", 16384, "434.4,305.1,156.9")]
TUNED = 3  # this way is compared with the one before it


def arguments_of(folder: Path, name: str) -> list[str]:
    name, _, cure = name.partition(":")
    file = folder / "phylogeny" / f"{name}.phy"
    uncured = ["--uncured"] if cure == "uncured" else []
    if name.startswith("random_"):
        return ["--characters", name.removeprefix("random_"), *uncured]
    return ["--input", str(file), *uncured] if file.exists() else []


def agree(rows: list[Row]) -> None:
    found = {(row["maximal"], row["largest"], row["hash"]) for row in rows}
    if len(found) != 1:
        raise BadRow(f"the maximal sets of {rows[0]['input']} differ: {sorted(found)}")


def show(row: Row, extra: str) -> None:
    keys = ["figure", "program", "input", "cure", "ranks", "transport", "strategy", "combine", "bytes"]
    result = " ".join(f"{key}={row[key]}" for key in ("maximal", "largest", "verified"))
    print("bench=multipol", *(f"{key}={row[key]}" for key in keys if row.get(key)), extra, result, flush=True)


def counts(rows: list[Row]) -> str:
    keys = ["tasks", "redundant", "tests", "known", "migrated", "requests", "combinings", "combined", "messages", "message_bytes"]
    text = " ".join(f"{key}={middle(rows, key):.0f}" for key in keys)
    return f"{text} share_local={min(row.number('share_local') for row in rows):.4f}"


def times(transports: list[str], ranks: int, given: list[str], rounds: int) -> None:
    runs: dict[tuple[str, int], list[Row]] = {}
    serial: list[Row] = []
    plain = run("phylogeny", "local", 1, [*given, "--engine", "plain"])
    for number in range(rounds):
        serial += run("phylogeny", "local", 1, [*given, "--engine", "serial"])
        for transport in transports:
            for which, (strategy, combine, size, _) in enumerate(WAYS):
                way = ["--strategy", strategy, "--combine", combine, "--bytes", str(size), "--seed", str(number)]
                runs.setdefault((transport, which), []).extend(run("phylogeny", transport, ranks, given + way))
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    agree(plain + serial + [row for rows in runs.values() for row in rows])
    show(plain[0], f"s={middle(plain, 's'):.4f} tasks={plain[0]['tasks']} tests={plain[0]['tests']}")
    show(serial[0], f"s={middle(serial, 's'):.4f} tasks={serial[0]['tasks']} tests={serial[0]['tests']}")
    for (transport, which), mine in runs.items():
        fast, interval = ratio(serial, mine)
        text = " ".join(f"{key}={middle(mine, key):.4f}" for key in ("s", "cpu_s", "idle_s", "collect_s"))
        text += f" {counts(mine)} ratio_serial={fast} ci95={interval} ratio_plain={middle(plain, 's') / middle(mine, 's'):.3f}"
        if which == TUNED:
            text += f" ratio_initial={ratio(mine, runs[transport, which - 1])[0]}"
        show(mine[0], f"{text} thesis={WAYS[which][3] or 'none'}")


def results(transports: list[str], given: list[str]) -> None:
    found = run("phylogeny", "local", 1, [*given, "--engine", "serial"])
    for transport in transports:
        for ranks in RANKS:
            for strategy in ("stealing", "pushing"):
                found += run("phylogeny", transport, ranks, [*given, "--strategy", strategy])
                show(found[-1], f"s={found[-1]['s']} cpu_s={found[-1]['cpu_s']} {counts(found[-1:])}")
    agree(found)


def main(words: list[str]) -> int:
    inputs = Inputs("phylogeny", "phylogeny", ".phy", INPUTS, "random_60", arguments_of)
    return compare_inputs(words, __doc__, inputs, times, results)
