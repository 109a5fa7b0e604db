"""Groebner bases, compared with the serial program and with the same program without a cache (section 2.3.2 of Wen's thesis).

    bench_multipol --program groebner [--rounds 5] [--ranks 2] [--systems cyclic-5,cyclic-6,katsura-5,katsura-6]
                   [--transports local,openmpi,mpich] [--results]

Each round runs the serial program, and the one over ranks with and without a cache, in turn. ratio_serial is the serial time by
that of the same round, ratio_cache the time without a cache by that with one; medians, and the interval of each. cpu_s and idle_s
are those of all ranks. `saved` is the part of the bytes of remote objects that reads found in the cache: less than 0.7 is a
failure, but for cyclic-5. --results runs each system on 1, 2, 3, 4 and 8 ranks instead. The basis is compared with the serial one
term by term in each run."""
from __future__ import annotations

import sys

from rows import BadRow, Row
from runs import RANKS, middle, parser_of, ratio, run, transports_of

SYSTEMS = "cyclic-5,cyclic-6,katsura-5,katsura-6"
KEYS = ["figure", "program", "input", "modulus", "engine", "ranks", "transport", "cache"]
COUNTS = ["tasks", "migrated", "covered", "again", "fetches", "fetched_bytes", "saved", "messages"]
NO_CACHE = ["--cache", "1"]
ENOUGH = {"cyclic-6": 0.7, "katsura-5": 0.7, "katsura-6": 0.7}  # saved; cyclic-5 reads most of its elements once


def arguments_of(system: str) -> list[str]:
    name, size = system.rsplit("-", 1)
    return ["--system", name, "--n", size]


def show(rows: list[Row], extra: str = "") -> None:
    text = " ".join(f"{key}={middle(rows, key):.6f}" for key in ("s", "cpu_s", "idle_s") if rows[0].get(key))
    counts = " ".join(f"{key}={middle(rows, key):.4g}" if key == "saved" else f"{key}={middle(rows, key):.0f}"
                      for key in COUNTS if rows[0].get(key))
    print("bench=multipol", *(f"{key}={rows[0][key]}" for key in KEYS if rows[0].get(key)), text, counts + extra,
          f"elements={rows[0]['elements']} terms={rows[0]['terms']} thesis=none verified={rows[0]['verified']}", flush=True)


def show_cached(rows: list[Row], extra: str = "") -> None:
    show(rows, extra)
    least, saved = ENOUGH.get(rows[0]["input"], 0), middle(rows, "saved")
    if saved < least:
        raise BadRow(f"{rows[0]['input']}, {rows[0]['ranks']} ranks over {rows[0]['transport']}: the cache saves {saved:.4f} of the "
                     f"fetched bytes: at least {least} was expected")


def times(transports: list[str], ranks: int, system: str, rounds: int) -> None:
    serial: list[Row] = []
    cached: dict[str, list[Row]] = {transport: [] for transport in transports}
    bare: dict[str, list[Row]] = {transport: [] for transport in transports}
    for number in range(rounds):
        serial += run("groebner", "local", 1, [*arguments_of(system), "--engine", "serial"])
        for transport in transports:
            words = [*arguments_of(system), "--seed", str(number)]
            cached[transport] += run("groebner", transport, ranks, words)
            bare[transport] += run("groebner", transport, ranks, words + NO_CACHE)
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    show(serial)
    for transport in transports:
        fast, interval = ratio(serial, cached[transport])
        with_cache, of_cache = ratio(bare[transport], cached[transport])
        bytes_ratio = ratio(bare[transport], cached[transport], "fetched_bytes")[0]
        show_cached(cached[transport], f" ratio_serial={fast} ci95={interval} ratio_cache={with_cache} ci95_cache={of_cache}"
                                       f" ratio_bytes={bytes_ratio}")
        show(bare[transport])


def results(transports: list[str], system: str) -> None:
    for transport in transports:
        for ranks in RANKS:
            show_cached(run("groebner", transport, ranks, arguments_of(system)))


def main(words: list[str]) -> int:
    parser = parser_of("--program groebner", __doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--systems", default=SYSTEMS)
    parser.add_argument("--transports", default="local,openmpi,mpich")
    parser.add_argument("--results", action="store_true")
    options = parser.parse_args(words)
    transports = transports_of("groebner", options.transports)
    for system in options.systems.split(","):
        if options.results:
            results(transports, system)
        else:
            times(transports, options.ranks, system, max(options.rounds, 1))
    return 0
