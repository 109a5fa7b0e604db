"""Programs that compete: each is run in turn, round after round, so that what the machine does to
one of them it does to all."""
from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

import children
import rows
from samples import Entrant, seconds
from session import Session

SLOW_EVERY, SLOW_FACTOR, TELL_EVERY, ROUNDS_MAX = 3, 4, 3, 64


@dataclass(eq=False)
class Competitor(Entrant):
    command: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)  # of the rows of its runs
    wall_seconds: float = 0.0  # of its last run


@dataclass(frozen=True)
class Limits:
    rounds: int      # at most
    budget: float    # seconds: after `least` rounds, no round begins that would end later
    run: float       # seconds: a longer run is ended, and its competitor left out
    least: int = 1   # rounds that there are, whatever they take


def run_once(session: Session, one: Competitor, number: int, limit: float) -> None:
    child = children.run(one.command, limit)
    one.wall_seconds = child.wall_seconds
    if child.status:
        one.why = child.complaint
        return
    try:
        line = (rows.parse(child.output, f"the output of {' '.join(one.command)}") or [rows.Row({})])[-1]
        line.number("seconds")
    except rows.BadRow as error:
        one.why = str(error)
        return
    measured = rows.make(
        bench="run", **one.keys, engine=one.engine, threads=one.threads, round=number,
        wall_seconds=child.wall_seconds, process_cpu_seconds=child.cpu_seconds, peak_mb=child.peak_mb)
    one.runs.append(rows.Row({**line.pairs, **measured.pairs}, line.where))
    session.rows.append(one.runs[-1])


def round_seconds(competitors: list[Competitor]) -> float:
    return sum(one.wall_seconds for one in competitors)


def run(session: Session, what: str, competitors: list[Competitor], limits: Limits) -> None:
    """Runs each competitor in each round, but none that failed. A competitor that takes much longer
    than the fastest one runs in every third round only, and only while there is time."""
    left = limits.budget
    for number in range(min(limits.rounds, ROUNDS_MAX)):
        medians = {id(one): one.of(seconds).median for one in competitors}
        least = min((median for median in medians.values() if math.isfinite(median)), default=math.inf)
        alive = [one for one in competitors if not one.why]
        slow = [one for one in alive if medians[id(one)] > SLOW_FACTOR * least]
        quick_seconds = round_seconds([one for one in alive if one not in slow])
        with_slow = number == 0 or (number % SLOW_EVERY == 0 and
                                    quick_seconds + round_seconds(slow) < left)
        if number and number >= limits.least and quick_seconds > left:
            break
        if number == 0:
            session.progress(f"{what}: up to {limits.rounds} rounds of {len(competitors)} runs")
        elif number % TELL_EVERY == 0:
            session.progress(f"{what}: round {number + 1}, {quick_seconds:.1f} s each")
        begin = time.monotonic()
        for i in range(len(competitors)):  # each round begins elsewhere
            one = competitors[(i + number * 7) % len(competitors)]
            if not one.why and (with_slow or one not in slow):
                run_once(session, one, number, limits.run)
        left -= time.monotonic() - begin if number else round_seconds(
            [one for one in competitors if one not in slow])
