"""The task stealer: empty tasks and FIFO fibers, steals and round trips, tasks of 20 us and a master with workers on
plain MPI, and the requests for each migrated task by network, under sim.

    bench_multipol --program stealer [--work empty,steps,spin,requests] [--rounds 5] [--transports openmpi,mpich]

Rows have medians, and an interval of the last ratio; ratio_fiber, ratio_trip: the stealer's time by the other one; ratio_bare
above 1: the stealer is faster; requests_migrated: requests for each migrated task. cpu_s is that of the rank which is measured, and
with spin that of all ranks."""
from __future__ import annotations

from rows import Row
from runs import middle, parser_of, ratio, run, spread, transports_of

WORKS = ["empty", "steps", "spin", "requests"]
NETWORKS = ["random", "ring", "hypercube", "crossbar"]


def show(rows: list[Row], keys: list[str], extra: str = "") -> None:
    head = ["program", "work", "ranks", "transport", "network", "tasks"]
    medians = " ".join(f"{key}={middle(rows, key):.4g}" for key in keys)
    print("bench=multipol", *(f"{key}={rows[0][key]}" for key in head), medians, extra,
          f"thesis=none verified={rows[0]['verified']}", flush=True)


def ci95(rows: list[Row], key: str) -> str:
    return f"ci95={spread([row.number(key) for row in rows])[1]}"


def empty(rounds: int) -> None:
    rows = run("stealer", "local", 1, ["--work", "empty", "--tasks", "1000000", "--rounds", str(rounds)])
    show(rows, ["cpu_s", "ns_task", "ns_fiber", "ratio_fiber"], ci95(rows, "ratio_fiber"))


def steps(transports: list[str], rounds: int) -> None:
    for transport in transports:
        rows = run("stealer", transport, 2, ["--work", "steps", "--tasks", "2000", "--rounds", str(rounds)])
        show(rows, ["cpu_s", "us_steal", "us_trip", "ratio_trip"], ci95(rows, "ratio_trip"))


def spin(transports: list[str], rounds: int) -> None:
    for transport in transports:
        rows = run("stealer", transport, 2, ["--work", "spin", "--rounds", str(rounds)])
        of_bare, low_high = ratio(rows, rows, "bare_s", "s")
        show(rows, ["s", "cpu_s", "bare_s", "migrated", "requests"], f"ratio_bare={of_bare} ci95={low_high}")


def requests(rounds: int) -> None:
    for ranks in (64, 1024):
        for network in NETWORKS:
            rows: list[Row] = []
            for seed in range(1, min(rounds, 3) + 1):
                rows += run("stealer", f"sim:{ranks}:{seed}", ranks, ["--work", "requests", "--network", network, "--tasks",
                                                                     str(32 * ranks), "--seed", str(seed), "--name", "sim"])
            show(rows, ["migrated", "requests", "refusals", "lifelines", "requests_migrated"], ci95(rows, "requests_migrated"))


def main(words: list[str]) -> int:
    parser = parser_of("--program stealer", __doc__)
    parser.add_argument("--work", default=",".join(WORKS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--transports", default="openmpi,mpich")
    options = parser.parse_args(words)
    works = options.work.split(",")
    if unknown := sorted(set(works) - set(WORKS)):
        parser.error(f"no work {', '.join(unknown)}: choose from {', '.join(WORKS)}")
    transports, rounds = transports_of("stealer", options.transports), max(options.rounds, 1)
    if "empty" in works:
        empty(rounds)
    if "steps" in works:
        steps(["local", *transports], rounds)
    if "spin" in works:
        spin(transports, rounds)
    if "requests" in works:
        requests(rounds)
    return 0
