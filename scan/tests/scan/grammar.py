"""Programs drawn from C11's grammar of declarations, types, expressions and statements, and from GNU's extensions.

A program has types, variables, functions and two or three tasks of its own; all names end with `_NUMBER`. Each production that
a program has is in its `used`. Undefined behaviour is avoided by construction: values stay small, indices stay inside of their
arrays, and an object that an expression changes does not occur in it again.
"""

import random
from collections import Counter

from grammar_memory import Memory
from grammar_statements import Statements
from grammar_types import FLOATS, INT, INTEGERS, UNSIGNED, Scope, Type, Variable
from grammar_values import Values


class Program(Memory, Statements, Values):
    without = ()  # productions that are not drawn

    def __init__(self, drawn, keep=None, number=None, rewritten=None):
        self.rewritten = rewritten  # a construct that is written another way, with the same meaning (attribute.py)
        self.number = drawn if number is None else number  # in names
        self.r = random.Random(f"grammar {drawn}")
        self.used, self.text = Counter(), ""
        self.keep = keep  # of the statements of tasks, or None: all
        self.statements = 0
        self.names = 0
        self.file = []  # texts at file scope
        self.variables = []
        self.enums = []
        self.structs = []
        self.helpers = []
        self.tables = []
        self.items = []  # fields of an item: (declaration, how it is filled, Variable)
        self.set_up = []
        self.busy, self.pun, self.head, self.plain = set(), None, [], False
        self.odd = drawn % 10 == 9  # may have what is refused

    # ---- names and chance ----

    def name(self, letters):
        self.names += 1
        return f"{letters}{self.names}_{self.number}"

    def chance(self, p):
        return self.r.random() < p

    def pick(self, *choices):
        """One of (production, weight), counted."""
        names, weights = zip(*[c if isinstance(c, tuple) else (c, 1) for c in choices])
        weights = [0 if name in self.without else weight for name, weight in zip(names, weights)]
        chosen = self.r.choices(names, weights)[0] if any(weights) else names[0]
        self.used[chosen] += 1
        return chosen

    def instead(self, form, made):
        """The production that was picked is not possible here."""
        self.used[form] -= 1
        return made

    def use(self, production):
        self.used[production] += 1

    # ---- types and variables ----

    def arith(self, integer=False):
        name = self.r.choice(INTEGERS if integer or self.chance(0.7) else FLOATS)
        self.use(f"type {name}")
        return Type("arith", name)

    def enum(self):
        name, tag = self.name("E"), self.name("e")
        constants = [(self.name("NEG"), self.r.choice([-1, -5, -128])), (self.name("POS"), self.r.randint(0, 9))]
        self.use("enumeration negative")
        if self.chance(0.6):
            constants = [(self.name("TOP"), "0x80000000"), (self.name("ONE"), 1)]
            self.use("enumeration unsigned")
        if self.chance(0.2):
            constants = [(self.name("BIG"), "0x100000000"), (self.name("TWO"), 2)]
            self.use("enumeration large")
        self.file.append(f"typedef enum {tag} {{ {', '.join(f'{c} = {v}' for c, v in constants)} }} {name};")
        self.enums += [c for c, _ in constants]
        return Type("enum", name)

    def member(self, depth):
        c = self.r.random()
        if c < 0.35 or depth <= 0:
            return self.arith()
        if c < 0.6:
            self.use("member array")
            return Type("array", of=self.arith(), n=self.r.choice([2, 4]))
        if c < 0.7:
            self.use("member array of arrays")
            return Type("array", of=Type("array", of=self.arith(), n=4), n=2)
        if c < 0.85:
            return self.union(True)
        self.use("nested struct")
        return self.struct(depth - 1)

    def struct(self, depth=1):
        name, tag = self.name("S"), self.name("s")
        fields = [(f"m{i}", self.member(depth), 0) for i in range(self.r.randint(2, 4))]
        if self.chance(0.25):
            self.use("bit-field")
            fields += [("b0", Type("arith", self.r.choice(["unsigned", "int", "_Bool", "unsigned char"])), 1), ("b1", Type("arith", "unsigned"), 5)]
        text = "; ".join(t.text(n) + (f" : {bits}" if bits else "") for n, t, bits in fields)
        if self.chance(0.2):
            self.use("anonymous union member")
            text += "; union { int w0; unsigned w1; }"
            fields += [("w0", INT, 0), ("w1", Type("arith", "unsigned"), 0)]
        elif self.chance(0.15):
            self.use("anonymous struct member")
            text += "; struct { int w0; short w1; }"
            fields += [("w0", INT, 0), ("w1", Type("arith", "short"), 0)]
        elif self.chance(0.1):
            self.use("_Alignas")
            text += "; _Alignas(16) int w0"
            fields.append(("w0", INT, 0))
        self.file.append(f"typedef struct {tag} {{ {text}; }} {name};")
        made = Type("struct", name, fields=fields)
        self.structs.append(made)
        return made

    def union(self, member=False):
        name, tag = self.name("U"), self.name("u")
        types = [Type("array", of=INT, n=4), Type("array", of=Type("arith", "float"), n=4), INT, Type("arith", "unsigned long long"),
                 Type("array", of=Type("arith", "unsigned short"), n=8), Type("arith", "double")]
        fields = [(f"m{i}", t, 0) for i, t in enumerate(self.r.sample(types, self.r.randint(2, 3)))]
        self.use("union member" if member else "union")
        self.file.append(f"typedef union {tag} {{ {'; '.join(t.text(n) for n, t, _ in fields)}; }} {name};")
        return Type("union", name, fields=fields)

    def variable(self):
        r = self.r
        kind = self.pick(("scalar", 1), ("array", 3), ("array of arrays", 3), ("array of arrays of arrays", 0.7), ("struct variable", 2),
                         ("array of structs", 2), ("union", 1.5), ("array of unions", 0.7), ("complex", 1 if self.odd else 0), ("enumeration variable", 0.5),
                         ("bytes", 1), ("flexible array", 0.5), ("atomic variable", 0.5))
        name, extra, after = self.name("v"), "", ""
        if kind == "scalar":
            t = self.arith()
        elif kind == "array":
            t = Type("array", of=self.arith(), n=r.choice([4, 8]))
        elif kind == "array of arrays":
            t = Type("array", of=Type("array", of=self.arith(), n=r.choice([4, 8])), n=4)
        elif kind == "array of arrays of arrays":
            t = Type("array", of=Type("array", of=Type("array", of=self.arith(), n=4), n=2), n=2)
        elif kind == "struct variable":
            t = self.struct()
        elif kind == "array of structs":
            t = Type("array", of=self.struct(), n=4)
        elif kind == "union":
            t = self.union()
        elif kind == "array of unions":
            t = Type("array", of=self.union(), n=4)
        elif kind == "complex":
            t = Type("array", of=Type("complex", r.choice(["float _Complex", "double _Complex", "int _Complex"])), n=4)
        elif kind == "enumeration variable":
            t = Type("array", of=self.enum(), n=4)
        elif kind == "bytes":  # indices of a whole narrow type
            t = Type("array", of=Type("arith", r.choice(["unsigned char", "int", "short"])), n=512)
        elif kind == "flexible array":
            fields = [("n", INT, 0), ("rest", Type("array", "flexible", of=self.arith(True), n=4), 0)]
            self.file.append(f"static struct {{ int n; {fields[1][1].of.text('rest[]')}; }} {name} = {{4, {{1, 2, 3, 4}}}};")
            self.variables.append(Variable(name, Type("struct", "", fields=fields)))
            return
        else:
            t = Type("array", of=Type("arith", r.choice(["int", "unsigned char", "long"]), qualifiers="_Atomic "), n=4)
        if t.kind in ("arith", "array") and self.chance(0.08) and kind != "atomic variable":
            self.use("volatile variable")
            extra = "volatile "
        if kind in ("array", "array of structs") and self.chance(0.3):
            self.use("designated initializer")
            after = f" = {{[1] = {'{1}' if kind == 'array of structs' else '3'}}}"
        elif kind in ("array of arrays", "bytes") and self.chance(0.2):
            self.use("designated initializer of a range")
            after = " = {[0 ... 1] = {1}}" if kind == "array of arrays" else " = {[0 ... 7] = 1}"
        storage = self.pick(("static variable", 4), ("external variable", 1))
        self.file.append(f"{'static ' if storage == 'static variable' else ''}{extra}{t.text(name)}{after};")
        made = Variable(name, t)
        made.volatile = bool(extra)
        self.variables.append(made)

    def table(self):
        """A constant, known before."""
        name, r = self.name("K"), self.r
        t = self.arith()
        values = [r.randint(0, 7) for _ in range(4)]
        if t.name != "_Bool" and t.name not in UNSIGNED and t.name != "char":
            values[0] = -1
        form = self.pick("constant table", "table that no task writes", "constant table of a struct")
        if form == "constant table of a struct":
            self.file.append(f"static const struct {{ {t.text('a')}; {t.text('b[2]')}; }} {name}[2] = {{{{.a = {values[0]}}}, {{.b = {{[1] = {values[1]}}}}}}};")
            self.tables.append((f"{name}[{{}} & 1].{r.choice(['a', 'b[1]'])}", t))
        else:
            self.file.append(f"static {'const ' if form == 'constant table' else ''}{t.text(name + '[4]')} = {{{', '.join(map(str, values))}}};")
            self.tables.append((f"{name}[{{}} & 3]", t))

    # ---- the whole ----

    def task(self):
        name, n = self.name("t"), self.number
        scope = Scope(["t->i", "t->j", "(int)t->c", "(int)t->s", "((int)t->h & 255)", "(int)t->f", "(int)t->d", "(int)t->b",
                       "(int)t->u.low", "t->q.a", "(int)t->n1", "t->list[1]"])
        lines = []
        for _ in range(self.r.randint(1, 2)):
            before = list(self.file), Counter(self.used), list(self.set_up)
            text = self.statement(scope, self.r.choice([0, 1, 1, 2]))
            if self.keep is not None and self.statements not in self.keep:
                (self.file, self.used, self.set_up), text = before, ""
            if text:
                lines.append(text)
            self.statements += 1
        self.file.append(f"static svs_status {name}_run(svs_context *x, item_{n} *t) {{\n    (void)x, (void)t;\n    "
                         + "\n    ".join(lines) + f"\n    return SVS_OK;\n}}\nSVS_TASK_SCANNED({name}, item_{n}, {name}_run)")
        return name

    def write(self):
        n = self.number
        if self.chance(0.5):
            self.enum()
        for _ in range(self.r.randint(1, 3)):
            self.variable()
        if self.chance(0.7):
            self.table()
        for v in self.variables:
            if self.chance(0.35) and v.type.kind != "enum" and not getattr(v, "volatile", False) and (v.type.name or v.type.of):
                self.items.append((v.type, f"j->p{len(self.items)} = &{v.name};", v, f"t->p{len(self.items)}"))
        fields = "".join(f" {Type('pointer', of=t).text(f'p{i}')};" for i, (t, _, _, _) in enumerate(self.items))
        self.file.append(f"typedef struct item_{n} {{ int i, j; unsigned char c; signed char s; unsigned short h; float f; double d; _Bool b;\n    "
                         f"union {{ short whole; signed char part[2], low; }} u; struct {{ int a; signed char s; }} q; unsigned n1 : 3, n2 : 5; int list[3];{fields} }} item_{n};")
        tasks = [self.task() for _ in range(self.r.choice([2, 2, 2, 2, 3]))]
        self.file.append(f"static void fill_{n}(void *to) {{\n    item_{n} *j = to;\n    j->i = drawn_edge(), j->j = drawn_edge(), j->c = (unsigned char)drawn_edge();\n"
                         f"    j->s = (signed char)drawn_edge(), j->h = (unsigned short)drawn_below(9), j->f = (float)drawn_below(99) * 0.5f;\n"
                         f"    j->d = drawn_below(99) * 0.25, j->b = drawn_below(2);\n"
                         f"    j->u.whole = (short)drawn_below(2000), j->q.a = drawn_below(9), j->n1 = drawn_below(8), j->list[1] = drawn_edge();\n    {' '.join(fill for _, fill, _, _ in self.items)}\n}}")
        self.file.append(f"static void set_{n}(void) {{ {' '.join(self.set_up)} }}")
        rows = ", ".join(f"{{&{t}_task, fill_{n}}}" for t in tasks)
        self.file.append(f"static const drawn_task tasks_of{n}[] = {{{rows}}};\nstatic const drawn_program program_of{n} = {{{n}, tasks_of{n}, {len(tasks)}, set_{n}}};")
        self.text = "\n".join(self.head + self.file)
        if "_Complex)" not in self.text:  # drawn as a part of what another production left out
            del self.used["complex value"]
        return self.text


# Touch functions compile in half the time without UBSan. No memory object is in these programs.
END = """#if defined(__clang__) && !defined(SVS_SCAN)
#undef svs_reads
#undef svs_writes
#define svs_reads(f, what) svs_reads_address(f, what)
#define svs_writes(f, what) svs_writes_address(f, what)
#pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
#endif
#include SVS_SCANNED
#if defined(__clang__) && !defined(SVS_SCAN)
#pragma clang attribute pop
#endif
"""


def source(programs):
    """The text of a file, and the lines in which its programs begin."""
    text, begins = '#include "drawn.h"\n', []
    for program, body in programs:
        begins.append((text.count("\n") + 1, program.number))
        text += body + "\n"
    names = ", ".join(f"&program_of{program.number}" for program, _ in programs)
    return text + (f"const drawn_program *const drawn_programs[] = {{{names}}};\nconst unsigned drawn_count = {len(programs)};\n" + END), begins
