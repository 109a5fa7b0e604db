#!/usr/bin/env python3
"""Makes the cases of misuse that pass NULL, from the prototypes of the public headers and their comments.

usage: nulls.py HEADER... > SOURCE

A function that answers with a status refuses NULL for each of its pointers, with SVS_E_NULL and a line in the log that
begins with its name, unless the comment above says that this one may be NULL: "NULL options", "`name` is for reports, or
NULL", "@param report may be NULL", or, of a function with one pointer, "NULL is allowed". An `argument`, which the library
only passes on, may always be NULL. All other arguments of the call are valid.

Calls of bodies and asyncs have their cases by hand (bodies.c): a refusal there also fails the run.
"""

import re
import sys
from pathlib import Path

COMMENT_AND_CODE = re.compile(r"/\*(.*?)\*/|((?:SVS_NODISCARD |SVS_API )+svs_status (\w+)\(([^;{]*)\);)", re.S)
BODIES = {"svs_context *", "svs_async_context *", "svs_footprint *"}
LOGGED_AS = {"svs_link_assign": "svs_link", "svs_for_each_with": "svs_for_each"}  # names in the log, where they differ
VALUES_OF_TYPES = {
    "svs_runtime *": "s->runtime",
    "svs_world *": "s->world",
    "svs_graph *": "s->graph",
    "svs_task *": "s->sink",
    "svs_space *": "s->space",
    "svs_object *": "&s->mine->svs",
    "svs_type *": "&node_type",
    "svs_task_type *": "&job_task",
    "svs_trace *": "nulls_trace(s)",
    "svs_retained *": "nulls_retained(s)",
    "svs_source *": "nulls_source(s)",
    "svs_async_function *": "nulls_async",
    "svs_generate_function *": "nulls_generate",
}
VALUES_OF_NAMES = {  # these come first
    "field": "&s->mine->a",
    "items": "&nulls_item",
    "item": "&nulls_item",
    "item_size": "sizeof nulls_item",
    "path": '"/no/such/folder/file"',
    "message": "room",
}


def sentences_of(comment: str) -> list[str]:
    text = " ".join(re.sub(r"\n \*", "\n", comment).split())
    return re.split(r"(?<=[.;])\s+|(?=@param)", text)


def may_be_null(name: str, alone: bool, comment: str) -> bool:
    if name == "argument":
        return True
    named = re.compile(rf"`{name}`|@param {name}\b|\bNULL {name}\b")
    return any("NULL" in sentence.replace("SVS_E_NULL", "") and (named.search(sentence) or alone and "NULL is allowed" in sentence)
               for sentence in sentences_of(comment))


def is_left_out(name: str, comment: str) -> bool:
    """Is NULL passed for this pointer while another one is tested? A message must arrive."""
    return name != "message" and may_be_null(name, False, comment)


def parameters_of(text: str) -> list[tuple[str, str]]:
    found = []
    for one in " ".join(text.split()).split(","):
        match = re.fullmatch(r"\s*(?:const )?(.*?)\s*(\w+)", one)
        found.append((match[1].replace("* *", "**"), match[2]))
    return found


def functions_of(text: str):
    """The name, the parameters and the comment of each function; a comment holds until the next one."""
    comment = ""
    for match in COMMENT_AND_CODE.finditer(text):
        if match[1] is not None:
            comment = match[1]
        else:
            yield match[3], parameters_of(match[4]), comment


def is_pointer(kind: str) -> bool:
    return kind.endswith("*") or kind.endswith("_function *")


def valid(kind: str, name: str) -> str:
    if kind.endswith("**"):
        return "(void *)&made"
    if name in VALUES_OF_NAMES:
        return VALUES_OF_NAMES[name]
    if is_pointer(kind):
        return VALUES_OF_TYPES.get(kind, "(void *)room")
    return "sizeof room" if name == "size" else "1"


def main() -> None:
    cases, names = [], []
    for header in sys.argv[1:]:
        for function, parameters, comment in functions_of(Path(header).read_text(encoding="utf-8")):
            pointers = [name for kind, name in parameters if is_pointer(kind)]
            if any(kind in BODIES for kind, _ in parameters):
                continue
            for null in pointers:
                if may_be_null(null, len(pointers) == 1, comment):
                    continue
                values = ", ".join("NULL" if name == null or is_pointer(kind) and is_left_out(name, comment) else valid(kind, name)
                                   for kind, name in parameters)
                case = f"{function}_{null}"
                names.append((function.removesuffix("_sized"), null, case))
                cases.append(f"""static svs_status {case}(setting *s) {{
    _Alignas(16) char room[ROOM] = "";
    void *made = NULL;
    svs_status status = {function}({values});
    return nulls_answer(s, room, made, status);
}}
""")
    print('/* Made by nulls.py from the public headers. */\n#include "nulls.h"\n')
    print("\n".join(cases))
    print("const misuse misuses_of_null[] = {")
    for function, null, case in names:
        print(f'    {{"{function}: {null}", SVS_E_NULL, "{LOGGED_AS.get(function, function)}", {case}, true}},')
    print("    {NULL, 0, NULL, NULL, false}};")


if __name__ == "__main__":
    main()
