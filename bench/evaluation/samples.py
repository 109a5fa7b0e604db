"""Medians, quartiles, and ratios of samples that were taken in the same round."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rows import NAN, Row


@dataclass(frozen=True)
class Summary:
    median: float = NAN
    low: float = NAN  # the quartiles
    high: float = NAN
    count: int = 0


def percentile(values: list[float], percent: float) -> float:
    """Of sorted values; between two of them the percentile is interpolated."""
    place = percent / 100 * (len(values) - 1)
    below = int(place)
    if below + 1 >= len(values):
        return values[-1]
    return values[below] + (place - below) * (values[below + 1] - values[below])


def summary(values: Iterable[float]) -> Summary:
    """Of the finite ones among `values`."""
    known = sorted(value for value in values if math.isfinite(value))
    if not known:
        return Summary()
    return Summary(percentile(known, 50), percentile(known, 25), percentile(known, 75), len(known))


def interval(values: list[float]) -> tuple[float, float]:
    """Of the median, with 95 % confidence; of less than 6 values, all of them. It is by the signs of the differences to
    the median, which are those of a fair coin."""
    ordered, count, cut = sorted(values), len(values), 0
    while sum(math.comb(count, i) for i in range(cut + 1)) / 2**count <= 0.025 and cut + 1 < count / 2:
        cut += 1
    cut = max(cut - 1, 0)
    return ordered[cut], ordered[count - 1 - cut]


# ---- what one run of a program measured ----

Measure = Callable[[Row], float]


def seconds(run: Row) -> float:
    return run.number("seconds")


def prepared(run: Row) -> float:
    """With what the engine does before its first and after its last frame."""
    return seconds(run) + run.number("prepare_seconds", NAN)


def outside(run: Row) -> float:
    """Of the process, what is neither frames nor steps."""
    return run.number("wall_seconds") - seconds(run)


def cpu(run: Row) -> float:
    return run.number("cpu_seconds", run.number("process_cpu_seconds"))


def peak_mb(run: Row) -> float:
    return run.number("peak_mb")


def frame_p99_ms(run: Row) -> float:
    longest = run.number("frame_ms_max", NAN) if run.number("frames", NAN) <= 100 else NAN
    return run.number("frame_p99_ms", run.number("frame_p99_us", 1e3 * longest) / 1e3)


@dataclass
class Entrant:
    """An engine with a number of threads, and its runs."""

    engine: str
    threads: int
    runs: list[Row]
    why: str = ""  # it was left out

    def __bool__(self) -> bool:
        return bool(self.runs) and not self.why

    def of(self, measure: Measure) -> Summary:
        return summary(map(measure, self.runs)) if self else Summary()


def ratios(above: Entrant | None, below: Entrant | None, measure: Measure = seconds) -> list[float]:
    """Quotients of runs of one round: what slows the machine down slows both."""
    if not above or not below:
        return []
    by_round = {run["round"]: run for run in below.runs}
    return [measure(run) / measure(by_round[run["round"]]) for run in above.runs if run["round"] in by_round]


def ratio(above: Entrant | None, below: Entrant | None, measure: Measure = seconds) -> Summary:
    return summary(ratios(above, below, measure))
