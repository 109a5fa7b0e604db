"""Figures: what one shows, and its SVG, drawn by matplotlib."""
from __future__ import annotations

import io
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rows import NAN

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# An engine has one colour on the whole page; others are numbered.
COLOURS = ["#6b7480", "#0b62a4", "#d4600a", "#7a5fb5", "#1b9e77", "#d6287e", "#8a6d12", "#3b3f46",
           "#4a9ad4", "#b23a48"]
ENGINES = ["serial", "svs", "mutex", "tbb", "openmp", "stm", "atomic", "scanned"]
INK, FAINT, SHADE = "#1c2430", "#dfe4ea", "#f1f3f6"


def colour_of(engine: str) -> int:
    return ENGINES.index(engine) if engine in ENGINES else len(COLOURS) - 1


@dataclass
class Series:
    """Points are (x, y) or (x, y, low, high)."""

    name: str
    points: list[tuple[float, ...]]
    colour: int
    style: str = "line"  # line, dashed (a reference or a prediction) or points

    def finite(self, above: float = -math.inf) -> list[tuple[float, float, float, float]]:
        """Points that lie above a value, with the ends of their bars: where those are unknown, or
        not above the value, the point itself."""
        known = [(*point, NAN, NAN)[:4] for point in self.points if all(map(math.isfinite, point[:2]))]
        return [(x, y, low if math.isfinite(low) and low > above else y, high if math.isfinite(high) else y)
                for x, y, low, high in known if y > above]


@dataclass
class Tiles:
    """A map of ratios, and for each row the x from which on SvS does not lose."""

    columns: list[str]
    rows: list[str]
    ratios: list[list[float]]
    edges: list[float]
    name: str  # of the ratio


@dataclass
class Figure:
    name: str
    title: str
    x: str
    y: str
    series: list[Series] = field(default_factory=list)
    tiles: Tiles | None = None
    x_log: int = 0  # the base; 0: linear
    y_log: int = 0
    x_ticks: dict[float, str] = field(default_factory=dict)
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    beyond: float = 0  # x from which there are more threads than CPUs; 0: nowhere
    level: tuple[float, str] | None = None  # the baseline, and its name
    second: tuple[float, str] | None = None  # a scale on the right: what 1 is, and its unit

    def has_points(self) -> bool:
        return self.tiles is not None or any(series.finite() for series in self.series)


def draw_series(axes: Axes, series: Series, above: float) -> None:
    points = series.finite(above)
    if not points:
        return
    x, y, low, high = zip(*points)
    colour = COLOURS[series.colour % len(COLOURS)]
    width = 2.4 if series.name.startswith("svs") else 1.6
    if series.style == "dashed":
        axes.plot(x, y, "--", color=colour, lw=1.6, label=series.name, zorder=5)
        return
    bars = [[max(0, b - a) for a, b in zip(low, y)], [max(0, b - a) for a, b in zip(y, high)]]
    axes.errorbar(x, y, yerr=bars, color=colour, label=series.name, fmt="o", ms=4, elinewidth=1.2,
                  capsize=2.5, ls="-" if series.style == "line" else "none", lw=width,
                  zorder=4 if series.name == "svs" else 3)


def set_log(axes: Axes, which: str, base: int) -> None:
    """A logarithmic axis has plain numbers as ticks: 1, 2 and 5 of each decade."""
    from matplotlib import ticker
    if not base:
        return
    getattr(axes, f"set_{which}scale")("log", base=base)
    axis = getattr(axes, f"{which}axis")
    low, high = sorted(axis.get_view_interval())
    steps = [1.0] if base == 2 or high > 1000 * low else \
        [1.0, 2.0, 5.0] if high > 8 * low else [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0]
    axis.set_major_locator(ticker.LogLocator(base=base, subs=steps, numticks=30))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,.10g}"))


def draw_plot(axes: Axes, figure: Figure) -> None:
    for series in figure.series:
        draw_series(axes, series, 0 if figure.y_log else -math.inf)
    if figure.x_range:
        axes.set_xlim(*figure.x_range)
    set_log(axes, "x", figure.x_log)
    if figure.y_range:
        axes.set_ylim(*figure.y_range)
    set_log(axes, "y", figure.y_log)
    if figure.x_range:
        axes.set_xlim(*figure.x_range)
    if figure.x_ticks:
        axes.set_xticks(list(figure.x_ticks), list(figure.x_ticks.values()),
                        fontsize=8.5 if len(figure.x_ticks) > 4 else 11)
        axes.minorticks_off()
    axes.grid(color=FAINT, lw=0.7)
    axes.set_axisbelow(True)


def draw_marks(axes: Axes, figure: Figure) -> None:
    """The baseline, the range in which threads share CPUs, and the scale on the right."""
    if figure.level:
        value, name = figure.level
        axes.axhline(value, color=INK, lw=1.2, ls=(0, (6, 3)), zorder=2, label=name or None)
    if figure.beyond:
        right = axes.get_xlim()[1]
        axes.axvspan(figure.beyond, right, color=SHADE, zorder=0)
        axes.annotate("more threads than CPUs", (1, 1), (-4, -4), "axes fraction",
                      textcoords="offset points", ha="right", va="top", fontsize=9, color="#6b747e")
    if figure.second:
        from matplotlib import ticker
        one, unit = figure.second
        right_axis = axes.secondary_yaxis("right", functions=(lambda y: y * one, lambda y: y / one))
        right_axis.yaxis.set_major_locator(ticker.LogLocator(subs=[1.0, 2.0, 5.0], numticks=30))
        right_axis.yaxis.set_minor_locator(ticker.NullLocator())
        right_axis.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,.10g}"))
        right_axis.set_ylabel(unit)
        right_axis.spines["right"].set_color(FAINT)


def draw_tiles(axes: Axes, tiles: Tiles) -> Any:
    """Blue: a ratio below 1; orange: above. @return the image, which the colour bar is for"""
    from matplotlib.colors import LinearSegmentedColormap, LogNorm
    colours = LinearSegmentedColormap.from_list("ratio", ["#1b6ca8", "#ffffff", "#c2410c"])
    image = axes.imshow(tiles.ratios, cmap=colours, norm=LogNorm(0.1, 10), aspect="auto",
                        origin="lower")
    for y, ratios in enumerate(tiles.ratios):
        for x, ratio in enumerate(ratios):
            axes.text(x, y, f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}", ha="center",
                      va="center", color="#ffffff" if not 0.2 < ratio < 5 else INK)
        axes.plot([tiles.edges[y]] * 2, [y - 0.5, y + 0.5], "--", color=INK, lw=2)
    axes.set_xticks(range(len(tiles.columns)), tiles.columns)
    axes.set_yticks(range(len(tiles.rows)), tiles.rows)
    return image


def add_legend(axes: Axes) -> None:
    handles, names = axes.get_legend_handles_labels()
    if len(names) > 1:
        columns = min(4, len(names)) if max(map(len, names)) < 18 else 2
        axes.legend(handles, names, loc="upper center", bbox_to_anchor=(0.5, -0.17), ncol=columns,
                    frameon=False, fontsize=10, handlelength=1.8, columnspacing=1.4)


def embedded(svg: str, name: str) -> str:
    """The element alone, with ids that are its own on a page of many figures."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{name}-", svg)
    return re.sub(r'width="[\d.]+pt" height="[\d.]+pt"|height="[\d.]+pt" width="[\d.]+pt"',
                  f'role="img" aria-labelledby="{name}-caption"', svg, count=1)


def draw(figure: Figure, kind: str = "svg") -> bytes:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    style = {"font.size": 11, "svg.fonttype": "none", "svg.hashsalt": figure.name,
             "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
             "axes.edgecolor": "#6b747e", "axes.spines.top": False, "axes.spines.right": False,
             "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"]}
    with pyplot.rc_context(style):
        canvas, axes = pyplot.subplots(figsize=(7.2, 4.7), dpi=100)
        if figure.tiles:
            bar = canvas.colorbar(draw_tiles(axes, figure.tiles), ax=axes, ticks=[.1, .3, 1, 3, 10])
            bar.ax.set_yticklabels(["1/10", "1/3", "1", "3", "10"])
            bar.ax.minorticks_off()
            bar.set_label(figure.tiles.name)
        else:
            draw_plot(axes, figure)
            draw_marks(axes, figure)
        axes.set_title(figure.title, fontsize=13, loc="left")
        axes.set_xlabel(figure.x)
        axes.set_ylabel(figure.y)
        add_legend(axes)
        out = io.BytesIO()
        no_metadata = dict.fromkeys(["Date", "Creator", "Format", "Type"]) if kind == "svg" else None
        canvas.savefig(out, format=kind, bbox_inches="tight", pad_inches=0.08, metadata=no_metadata)
        pyplot.close(canvas)
    return out.getvalue()


def svg_of(figure: Figure) -> str:
    """Empty where nothing was measured for the figure."""
    return embedded(draw(figure).decode("utf-8"), figure.name) if figure.has_points() else ""
