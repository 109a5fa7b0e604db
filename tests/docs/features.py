#!/usr/bin/env python3
"""Makes the lists of features in the pages from docs/features.toml, and finds pages that deny a feature.

usage: features.py [--update] [--source DIR]

A list is between <!-- features: NAME --> and <!-- features end -->. NAME is one of

    table       all features, as a table                (docs/features.md)
    missing     what the sources have, and SvS has not  (docs/features.md)
    absent      what there is not, a line each          (docs/when-not-to-use.md)
    brief       the same as a part of a sentence        (README.md)

Without --update, lists that differ are printed, and sentences in any page that deny a feature: a negation, closely followed
by a word of the feature. (Not in CHANGELOG.md and docs/misuse.md, which say what was, and what a wrong call is.)"""
from __future__ import annotations

import argparse
import pathlib
import re
import sys
import textwrap
import tomllib

import texts

BLOCK = re.compile(r"<!-- features: (\w+) -->(\n?)(.*?)<!-- features end -->", re.S)
NEGATION = r"\b(?:no|not|never|none|cannot|nor|neither|lacks?)\b[^.;:|]{0,30}?\b"
HISTORY = {"CHANGELOG.md", "docs/misuse.md"}
KEYS = {"name", "state", "svs", "by", "short", "brief", "words", "but"}


class Failure(Exception):
    """What is wrong with the table or a page."""


def read_table(path: pathlib.Path) -> dict:
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    for each in table["feature"]:
        if not {"name", "state", "svs", "by"} <= set(each) <= KEYS:
            raise Failure(f"{path.name}: feature {each.get('name')}: expected name, state, svs, by, and perhaps {KEYS}")
        if each["state"] not in ("yes", "part", "no"):
            raise Failure(f"{path.name}: feature {each['name']}: state '{each['state']}' is not yes, part or no")
        if each["state"] == "yes" and ("short" in each or "brief" in each):
            raise Failure(f"{path.name}: feature {each['name']}: there is all of it, so no list may say that there is not")
        if each["state"] != "yes" and "short" not in each:
            raise Failure(f"{path.name}: feature {each['name']}: there is not all of it, so lists need its `short`")
    return table


def table_of(table: dict) -> str:
    rows = [f"| {each['name']} | {each['svs']} | {each['by']} |".replace("|  |", "| |") for each in table["feature"]]
    return "\n".join(["| feature | SvS | by |", "|---|---|---|", *rows]) + "\n"


def missing_of(table: dict) -> str:
    return "\n".join(f"**{each['source']}**\n\n" + "\n".join(wrapped(line) for line in each["what"]) + "\n" for each in table["missing"])


def absent_of(table: dict) -> str:
    return "\n".join(wrapped(each["short"]) for each in table["feature"] if "short" in each) + "\n"


def brief_of(table: dict) -> str:
    return ", ".join(each["brief"] for each in table["feature"] if "brief" in each)


def wrapped(line: str) -> str:
    return textwrap.fill(line, 116, initial_indent="- ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


LISTS = {"table": table_of, "missing": missing_of, "absent": absent_of, "brief": brief_of}


def with_lists(text: str, table: dict, where: str) -> str:
    def made(match: re.Match[str]) -> str:
        if match.group(1) not in LISTS:
            raise Failure(f"{where}: unknown list '{match.group(1)}': choose one of {', '.join(LISTS)}")
        return f"<!-- features: {match.group(1)} -->{match.group(2)}{LISTS[match.group(1)](table)}<!-- features end -->"

    return BLOCK.sub(made, text)


def denials(text: str, table: dict) -> list[tuple[int, str, str]]:
    """Place, feature and sentence of each."""
    prose = re.sub(r"<!--.*?-->", texts.blank, BLOCK.sub(texts.blank, texts.prose_of(text)), flags=re.S)
    flat, found = prose.replace("\n", " "), []
    for each in table["feature"]:
        for word in each.get("words", []) if each["state"] != "no" else []:
            for match in re.finditer(NEGATION + f"(?:{word})", flat, re.I):
                sentence = flat[flat.rfind(". ", 0, match.start()) + 1:match.end() + 60].strip()
                if not any(part in sentence for part in each.get("but", [])):
                    found.append((match.start(), each["name"], match.group(0)))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    wrong, lists = [], set()
    try:
        table = read_table(options.source / "docs/features.toml")
        for path in texts.pages_of(options.source):
            name, text = str(path.relative_to(options.source)), path.read_text(encoding="utf-8")
            lists |= {match.group(1) for match in BLOCK.finditer(text)}
            now = with_lists(text, table, name)
            if now != text and options.update:
                path.write_text(now, encoding="utf-8")
                print(f"{name}: made anew")
            elif now != text:
                wrong.append(f"{name}: a list differs from docs/features.toml: python3 tests/docs/features.py --update")
            wrong += [f"{name}:{texts.line_of(text, place)}: '{said}' denies the feature '{feature}' of docs/features.toml: "
                      "correct the page, or the table" for place, feature, said in denials(text, table) if name not in HISTORY]
    except Failure as failure:
        wrong.append(str(failure))
    wrong += [f"no page has the list '{name}'" for name in LISTS if name not in lists]
    print("\n".join(wrong) or f"features: {len(table['feature'])} features, and no page differs from them")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
