"""From a recorded evaluation to its page and its JSON."""
from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import jinja2

import rows
from figures import Figure, svg_of
from programs import PROGRAMS
from report_figures import FIGURES, beside
from report_programs import Headline, headline_section, program_section
from rows import BadRow, Recording
from tables import Context, Section, World

SCALES = {"tiny": "a tiny evaluation, which measures nothing", "quick": "a quick evaluation",
          "whole": "a whole evaluation", "long": "a long evaluation"}


def sections_of(world: World, there: Recording | None, path: str,
                problems: dict[str, list[str]]) -> list[Section]:
    """In the order of the page. A section with wrong rows has the problem in their place."""
    def section(part: str, title: str, make: Callable[[], Context], block: str = "") -> Section:
        try:
            return Section(part, title, block or part, make())
        except BadRow as error:
            print(f"problem: {error}", file=sys.stderr)
            problems.setdefault(part, []).append(str(error))
            return Section(part, title, block or part, {})
    headlines: list[Headline] = []
    programs = [section(of.name, of.title, partial(program_section, world, of, headlines), "program")
                for of in PROGRAMS if of.name in world.parts]
    others = [section(part, title, partial(make, world)) for part, (title, make) in FIGURES.items()
              if part in world.parts]
    head = section("ratios", "SvS against the best other engine", partial(headline_section, world, headlines))
    other = [section("beside", "Beside another machine", partial(beside, world, there, path))] if there else []
    return [head, *other, *programs, *others, Section("machine", "Machine and versions", "machine", {})]


def problems_of(recording: Recording) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows.select(recording.rows, bench="problem"):
        found.setdefault(row["part"], []).append(row["text"])
    return found


def render(world: World, sections: list[Section], problems: dict[str, list[str]]) -> str:
    drawn: list[str] = []
    def svg(figure: Figure | None) -> str:
        text = svg_of(figure) if figure else ""
        drawn.extend([figure.name] if figure and text else [])
        return text
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    template = environment.get_template("page.html.j2")
    return template.render(world=world, head=world.head, machine=world.head["machine"], sections=sections,
                           problems=problems, svg=svg, drawn=drawn, what=SCALES[world.scale])


def write(recording: Recording, page: Path, json_file: Path, there: Recording | None = None,
          path: str = "") -> list[str]:
    """Writes the page and the JSON. @return the problems that the page tells of

    What an earlier report has computed is computed again. Raises BadRow where a recording lacks
    what each one has."""
    measured = [row for row in recording.rows if row.get("bench") != "evaluation"]
    missing = {"scale", "machine", "contested", "parts"} - set(recording.head)
    if missing:
        raise BadRow(f"the recording has no {', '.join(sorted(missing))}")
    world, problems = World(recording.head, measured), problems_of(recording)
    sections = sections_of(world, there, path, problems)
    recording.rows[:] = measured + world.derived
    json_file.write_text(rows.json_text(recording), encoding="utf-8")
    page.write_text(render(world, sections, problems), encoding="utf-8")
    return [text for texts in problems.values() for text in texts]
