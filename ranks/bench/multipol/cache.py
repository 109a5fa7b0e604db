"""The object layer's cache at several sizes, under the Groebner program.

    bench_multipol --program cache [--rounds 5] [--ranks 4] [--system cyclic-6] [--sizes 1,4096,16384,65536,16777216]
                   [--transport local]

A row for each size, of runs that take turns: the part of the bytes that reads found in the cache (`saved`), what was fetched, the
copies that were replaced, and the time by that of the largest cache, with its interval. cpu_s and idle_s are those of all ranks.
Medians. The hash table's cache, bulk lookups and combining are another benchmark: ./dev bench ranks --work cached,lookup,combined."""
from __future__ import annotations

from collections.abc import Callable

from groebner import arguments_of
from rows import Row
from runs import middle, parser_of, ratio, run, take_turns


def main(words: list[str]) -> int:
    parser = parser_of("--program cache", __doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--system", default="cyclic-6")
    parser.add_argument("--sizes", default="1,4096,16384,65536,16777216")
    parser.add_argument("--transport", default="local")
    options = parser.parse_args(words)
    sizes = options.sizes.split(",")

    def start(size: str) -> Callable[[int], list[Row]]:
        return lambda number: run("groebner", options.transport, options.ranks,
                                  [*arguments_of(options.system), "--cache", size, "--seed", str(number)])
    rows = take_turns({size: start(size) for size in sizes}, options.rounds)
    for size in sizes:
        mine = rows[size]
        of_largest, low_high = ratio(mine, rows[sizes[-1]])
        print(f"bench=multipol program=cache input={options.system} ranks={options.ranks} transport={options.transport}",
              f"cache={size}", *(f"{key}={middle(mine, key):.6f}" for key in ("s", "cpu_s", "idle_s")),
              f"saved={middle(mine, 'saved'):.4f}",
              f"fetched_bytes={middle(mine, 'fetched_bytes'):.0f} replacements={middle(mine, 'replacements'):.0f}",
              f"ratio_largest={of_largest} ci95={low_high} thesis=none verified={mine[0]['verified']}", flush=True)
    return 0
