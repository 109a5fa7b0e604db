#!/usr/bin/env python3
"""The pages and headers as `./dev docs` makes them: no warning of doxygen, and each text is that of its function.

usage: pages.py SOURCE WORK

A comment of a header belongs to what follows it. Where a macro or a type stands between a comment and its function, the
page of the function is empty, and doxygen says nothing. So each text that says what a function returns must be a
function's, a macro's with arguments, or a field's that points to a function.
"""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def warnings_of(source, work):
    """Runs doxygen as ./dev docs does, with XML beside the pages."""
    log = work / "docs.log"
    text = (source / "docs/Doxyfile").read_text() + f"""
OUTPUT_DIRECTORY = {work}
WARN_LOGFILE = {log}
GENERATE_XML = YES
"""
    result = subprocess.run(["doxygen", "-"], input=text, text=True, cwd=source, capture_output=True, check=False)
    if result.returncode:
        return [f"doxygen has failed: {result.stderr}"]
    return log.read_text().splitlines()


def misplaced(xml):
    """The members that say what they return, and are no functions."""
    found = []
    for page in xml.glob("*.xml"):
        for member in ElementTree.parse(page).iter("memberdef"):
            is_function = member.get("kind") == "function" or (
                member.get("kind") == "define" and member.find("param") is not None) or (
                member.get("kind") == "variable" and "(" in (member.findtext("definition") or ""))
            if not is_function and member.find(".//simplesect[@kind='return']") is not None:
                place = member.find("location").get("file")
                found.append(f"{place}: the comment of a function stands at {member.findtext('name')}: move it to the function")
    return found


def main():
    source, work = (Path(argument).resolve() for argument in sys.argv[1:3])
    work.mkdir(parents=True, exist_ok=True)
    found = warnings_of(source, work) + misplaced(work / "xml")
    if not list((work / "xml").glob("graph_8h.xml")):
        found.append("no page of include/svs/graph.h was made")
    print("\n".join(found) or "no warning, and each text is at its function")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
