"""Where the sources are: the core, and the components next to it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ("src", "ranks/src")  # of the libraries, whose rooms docs/rooms.svg shows
SOURCES = (*LIBRARY, "scan/src", "tools")
INCLUDES = ("include", "ranks/include")
DOCS = ("docs", "ranks/docs", "scan/docs")
TESTS = ("tests", "ranks/tests", "scan/tests")
PROGRAMS = ("examples", "bench", "ranks/examples", "ranks/bench", "scan/examples")


def within(path: Path, folders: tuple[str, ...] = LIBRARY) -> str:
    """The path from the folder that it is in, as includes spell it."""
    name = str(path.relative_to(ROOT))
    return next(name[len(folder) + 1 :] for folder in folders if name.startswith(folder + "/"))


def files(folders: tuple[str, ...], pattern: str = "*.[ch]") -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob(pattern))
