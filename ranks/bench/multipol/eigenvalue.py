"""Eigenvalue, compared with the serial program and LAPACK's dstebz (figures 5.4 and 5.5 of Wen's thesis).

    bench_multipol --program eigenvalue [--data FOLDER] [--input NAME,...] [--rounds 5] [--ranks 2]
                   [--transports local,openmpi,mpich] [--results]

Each round runs the serial program, dstebz and the four ways of figure 5.5 in turn. ratio_serial is the serial time by that of
the same round, ratio_bare that of dstebz, ratio_initial that of the way that is not tuned; medians, and the interval of
ratio_serial. `thesis` has the seconds of figure 5.5: CM5, Paragon, SP1, for matlab_ud_1000. --results runs each matrix
once on 1, 2, 3, 4 and 8 ranks instead. Without the data, matrices are random."""
from __future__ import annotations

import sys
from pathlib import Path

from rows import Row
from runs import RANKS, Inputs, compare_inputs, middle, ratio, run

INPUTS = ["T_matlab_ud_1000", "Lipshitz_3", "T_bcsstkm09_1", "T_plat1919", "T_W21_g_1e-04", "T_bcsstkm13_3"]
# strategy, intervals, bytes of a buffer, the thesis' seconds
WAYS = [("stealing", "fetched", 16384, "2.77,4.11,4.63"), ("stealing", "fetched", 0, "2.77,2.32,2.68"),
        ("pushing", "fetched", 16384, "3.22,2.91,2.84"), ("pushing", "sent", 0, "3.19,1.89,2.06")]


def arguments_of(folder: Path, name: str) -> list[str]:
    file = folder / "tridiagonal" / f"{name}.dat.xz"
    if not file.exists():
        return ["--rows", name.removeprefix("random_")] if name.startswith("random_") else []
    return ["--input", str(file), "--reference", str(file).replace(".dat.", ".dstebz.")]


def show(row: Row, extra: str) -> None:
    keys = ["figure", "program", "input", "ranks", "transport", "strategy", "intervals", "bytes"]
    print("bench=multipol", *(f"{key}={row[key]}" for key in keys if row.get(key)), extra, f"verified={row['verified']}",
          flush=True)


def times(transports: list[str], ranks: int, matrix: list[str], rounds: int) -> None:
    runs: dict[tuple[str, int], list[Row]] = {}
    serial: list[Row] = []
    dstebz: list[Row] = []
    for number in range(rounds):
        serial += run("eigenvalue", "local", 1, [*matrix, "--engine", "serial"])
        dstebz += run("eigenvalue", "local", 1, [*matrix, "--engine", "dstebz"])
        for transport in transports:
            for which, (strategy, intervals, size, _) in enumerate(WAYS):
                way = ["--strategy", strategy, "--intervals", intervals, "--bytes", str(size), "--seed", str(number)]
                runs.setdefault((transport, which), []).extend(run("eigenvalue", transport, ranks, matrix + way))
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    show(serial[0], f"s={middle(serial, 's'):.4f} ratio_bare={ratio(dstebz, serial)[0]} ratio_cpu={ratio(dstebz, serial, 'cpu_s')[0]}")
    show(dstebz[0], f"s={middle(dstebz, 's'):.4f}")
    for (transport, which), mine in runs.items():
        fast, interval = ratio(serial, mine)
        text = " ".join(f"{key}={middle(mine, key):.4f}" for key in ("s", "cpu_s", "idle_s"))
        text += f" tasks={mine[0]['tasks']} migrated={middle(mine, 'migrated'):.0f} requests={middle(mine, 'requests'):.0f}"
        text += f" ratio_serial={fast} ci95={interval} ratio_bare={ratio(dstebz, mine)[0]}"
        if which % 2 == 1:
            text += f" ratio_initial={ratio(mine, runs[transport, which - 1])[0]}"
        show(mine[0], f"{text} thesis={WAYS[which][3]}")


def results(transports: list[str], matrix: list[str]) -> None:
    for transport in transports:
        for ranks in RANKS:
            for strategy in ("stealing", "pushing"):
                row = run("eigenvalue", transport, ranks, [*matrix, "--strategy", strategy])[0]
                show(row, f"s={row['s']} tasks={row['tasks']} migrated={row['migrated']}")


def main(words: list[str]) -> int:
    inputs = Inputs("eigenvalue", "tridiagonal", ".dat.xz", INPUTS, "random_1000", arguments_of)
    return compare_inputs(words, __doc__, inputs, times, results)
