"""The task stealer: empty tasks and FIFO fibers, steals and round trips, tasks of 20 us and a master with workers on
plain MPI, and the requests for each migrated task by network, under sim.

    bench_multipol --program stealer [--work empty,steps,spin,requests] [--rounds 5] [--transports openmpi,mpich]

Rows have medians; ratio_fiber, ratio_trip: the stealer's time by the other one; ratio_bare above 1: the stealer is faster."""
from __future__ import annotations

from rows import Row
from runs import median, middle, parser_of, run, transports_of
from samples import interval

WORKS = ["empty", "steps", "spin", "requests"]
NETWORKS = ["random", "ring", "hypercube", "crossbar"]


def show(rows: list[Row], keys: list[str], extra: str = "") -> None:
    head = ["program", "work", "ranks", "transport", "network", "tasks"]
    medians = " ".join(f"{key}={middle(rows, key):.4g}" for key in keys)
    print("bench=multipol", *(f"{key}={rows[0][key]}" for key in head), medians, extra, flush=True)


def spread(rows: list[Row], key: str) -> str:
    low, high = interval([row.number(key) for row in rows])
    return f"ci95={low:.3f}..{high:.3f}"


def empty(rounds: int) -> None:
    rows = run("stealer", "local", 1, ["--work", "empty", "--tasks", "1000000", "--rounds", str(rounds)])
    show(rows, ["ns_task", "ns_fiber", "ratio_fiber"], spread(rows, "ratio_fiber"))


def steps(transports: list[str], rounds: int) -> None:
    for transport in transports:
        rows = run("stealer", transport, 2, ["--work", "steps", "--tasks", "2000", "--rounds", str(rounds)])
        show(rows, ["us_steal", "us_trip", "ratio_trip"], spread(rows, "ratio_trip"))


def spin(transports: list[str], rounds: int) -> None:
    for transport in transports:
        rows = run("stealer", transport, 2, ["--work", "spin", "--rounds", str(rounds)])
        values = [row.number("bare_s") / row.number("s") for row in rows]
        low, high = interval(values)
        show(rows, ["s", "bare_s", "migrated", "requests"],
             f"ratio_bare={median(values):.3f} ci95={low:.3f}..{high:.3f} verified={rows[0]['verified']}")


def requests(rounds: int) -> None:
    for ranks in (64, 1024):
        for network in NETWORKS:
            rows: list[Row] = []
            for seed in range(1, min(rounds, 3) + 1):
                rows += run("stealer", f"sim:{ranks}:{seed}", ranks, ["--work", "requests", "--network", network, "--tasks",
                                                                     str(32 * ranks), "--seed", str(seed), "--name", "sim"])
            show(rows, ["migrated", "requests", "refusals", "lifelines", "requests_migrated"], f"verified={rows[0]['verified']}")


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
