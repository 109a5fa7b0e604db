"""Programs drawn from C11's grammar of declarations, types, expressions and statements, and from GNU's extensions.

A program has types, variables, functions and two or three tasks of its own; all names end with `_NUMBER`. Each production that
a program has is in its `used`. Undefined behaviour is avoided by construction: values stay small, indices stay inside of their
arrays, and an object that an expression changes does not occur in it again.
"""

import random
from collections import Counter
from dataclasses import dataclass, field

INTEGERS = ["_Bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
            "long long", "unsigned long long"]
FLOATS = ["float", "double", "long double"]
UNSIGNED = {name for name in INTEGERS if name.startswith("unsigned")}
NARROW = {"_Bool", "char", "signed char", "unsigned char", "short", "unsigned short"}


@dataclass
class Type:
    kind: str  # arith, complex, array, struct, union, pointer, enum
    name: str = ""
    of: "Type" = None
    n: int = 0
    fields: list = field(default_factory=list)  # (name, type, bits)
    qualifiers: str = ""

    def text(self, name=""):
        if self.kind == "array":
            return self.of.text(f"{name}[{self.n}]")
        if self.kind == "pointer":
            return self.of.text(f"(*{self.qualifiers}{name})" if self.of.kind == "array" else f"*{self.qualifiers}{name}")
        return f"{self.qualifiers}{self.name} {name}".strip()

    def is_integer(self):
        return self.kind == "arith" and self.name in INTEGERS

    def is_float(self):
        return self.kind == "arith" and self.name in FLOATS


INT = Type("arith", "int")


@dataclass
class Variable:
    name: str
    type: Type
    writable: bool = True
    extent: int = 0  # of a pointer: how many elements
    thread: bool = False


@dataclass
class Scope:
    item: list  # int expressions that are known
    locals: list = field(default_factory=list)  # (name, type), which may change
    depth: int = 1
    loop: bool = False
    task: bool = True


# Refused by svs scan, with a message: drawn in a part of the programs only.
REFUSED = {
    "goto": r"does not follow (GotoStmt|LabelStmt)",
    "computed_goto": r"does not follow (IndirectGotoStmt|AddrLabelExpr|LabelStmt)",
    "asm": r"does not follow GCCAsmStmt",
    "case_in_a_statement": r"a case inside of another statement|does not follow CaseStmt",
    "bytes_of_a_struct": r"the bytes of a .* are accessed as",
    "struct_as_another": r"a pointer of type .* becomes one of type",
    "number_as_a_pointer": r"a number becomes a pointer",
    "va_arg": r"does not follow VAArgExpr|va_",
    "case_range": r"range",
    "call_not_seen": r"its body is not seen",
    "elvis": r"does not follow BinaryConditionalOperator",
    "imaginary constant": r"does not follow ImaginaryLiteral",
    "choose_expr": r"does not follow ChooseExpr",
    "array of a returned struct": r"does not follow MemberExpr",
    "compound literal of a struct": r"does not follow MemberExpr",
    "cleanup": r"does not follow CleanupAttr",
    "thread variable": r"_Thread_local",
    "__real__": r"__real",
    "__imag__": r"__imag",
    "complex value": r"__real|Complex",
    "variable length array": r"the length of an array",
    "size with an effect": r"the length of an array",
    "sizeof a variable length array": r"the length of an array",
}
# Accepted in some places, and refused in others.
SOMETIMES = {
    "complex": r"__real|__imag|Complex",
    "typeof": r"a pointer of type typeof .* becomes one of type|the length of an array",
    "alias as characters": r"the bytes of a .* are accessed as",
    "alias of other sign": r"the bytes of a .* are accessed as",
}
# Of these, statements that are nothing else; the others stand among what may be drawn in all programs.
REFUSED_STATEMENTS = ["goto", "computed_goto", "asm", "case_in_a_statement", "bytes_of_a_struct", "struct_as_another", "number_as_a_pointer", "va_arg",
                      "case_range", "call_not_seen"]


class Program:
    without = ()  # productions that are not drawn

    def __init__(self, drawn, keep=None, number=None):
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

    # ---- places ----

    def leaves(self, t):
        if t.kind == "array":
            return self.leaves(t.of)
        if t.kind in ("struct", "union"):
            return any(self.leaves(f[1]) for f in t.fields)
        return True

    def index(self, n, scope):
        if n == 512:
            form = self.pick(("index of a narrow type", 3), ("index", 1))
            if form == "index of a narrow type":
                cast = self.r.choice(["(unsigned char)", "256 + (signed char)", "(_Bool)", "256 + (char)"])
                narrow = [x for x in scope.locals if x[1].name in ("unsigned char", "signed char", "char") and x[0] not in self.busy]
                if narrow and self.chance(0.7):
                    x, t = self.r.choice(narrow)
                    self.busy.add(x)
                    step = self.pick("post-increment as a value", "pre-increment as a value", "post-decrement as a value", "pre-decrement as a value")
                    text = {"post-i": f"{x}++", "pre-in": f"++{x}", "post-d": f"{x}--", "pre-de": f"--{x}"}[step[:6]]
                    return text if t.name == "unsigned char" else f"256 + {text}"
                return f"{cast}{self.value(scope)}"
            return f"{self.value(scope)} & 511"
        if self.chance(0.2):
            self.use("index unsigned")
            return f"(unsigned){self.value(scope)} % {n}u"
        return f"{self.value(scope)} & {n - 1}"

    def element(self, text, t, scope, volatile):
        """An element of an array."""
        i, e = self.index(t.n, scope), t.of
        q, v = self.name("q"), "volatile " if volatile else ""
        form = self.pick(("subscript", 5), ("subscript turned round", 0.5), ("dereferenced sum", 1.5), ("subscript of &a[0]", 0.6),
                         ("dereferenced address of an array", 0.7), ("subscript of &a", 0.5), ("statement expression", 0.7), ("choice of arrays", 0.5),
                         ("comma of arrays", 0.4), ("cast of an array", 0.5), ("compound literal of pointers", 0.25), ("typeof", 0.5),
                         ("restrict pointer", 0.4), ("pointer to an array", 0.7), ("pointer difference", 0.2), ("pointer stepped", 0.4),
                         ("function that returns a pointer", 0.5), ("volatile access", 0.3), ("compound literal of a struct", 0.06 if self.odd else 0),
                         ("array of arrays as one", 0.5 if e.kind == "array" else 0.0001))
        pe = Type("pointer", of=e)
        ve = v + pe.text(q)
        if t.name == "flexible" and form not in ("subscript", "subscript turned round", "dereferenced sum"):
            return self.instead(form, f"{text}[{i}]"), e
        if form == "subscript turned round":
            return f"({i})[{text}]", e
        if form == "dereferenced sum":
            return f"(*({text} + ({i})))", e
        if form == "subscript of &a[0]":
            return f"(&{text}[0])[{i}]", e
        if form == "dereferenced address of an array":
            return f"(*&{text})[{i}]", e
        if form == "subscript of &a":
            return f"(&{text})[0][{i}]", e
        if form == "statement expression":
            return f"({{ {ve} = {text}; {q}; }})[{i}]", e
        if form == "choice of arrays":
            return f"({self.condition(scope, 1)} ? {text} : {text})[{i}]", e
        if form == "comma of arrays":
            return f"((void){self.value(scope, 1)}, {text})[{i}]", e
        if form == "cast of an array":
            return f"(({v}{pe.text()}){text})[{i}]", e
        if form == "compound literal of pointers":
            return f"(({v}{Type('array', of=pe, n=2).text() if e.kind != 'array' else e.text('(*[2])')}){{{text}, {text}}})[{self.value(scope, 1)} & 1][{i}]", e
        if form == "typeof":
            return f"({{ __typeof__({text}[0]) *{q} = {text}; {q}; }})[{i}]", e
        if form == "restrict pointer":
            return f"({{ {v}{Type('pointer', of=e, qualifiers='restrict ').text(q)} = {text}; {q}; }})[{i}]", e
        if form == "pointer to an array":
            return f"(*({{ {v}{Type('pointer', of=t).text(q)} = &{text}; {q}; }}))[{i}]", e
        if form == "pointer difference":
            return f"{text}[({text} + ({i})) - {text}]", e
        if form == "pointer stepped":
            return f"(*({{ {ve} = {text}; {q} += {i}; {q}; }}))", e
        if form == "function that returns a pointer" and e.kind != "array" and not volatile:
            f = self.name("f")
            parameter = pe.text("p")
            self.file.append(f"static {pe.text(f'{f}({parameter}, int i)')} {{ return p + i; }}")
            return f"(*{f}({text}, {i}))", e
        if form == "volatile access" and e.kind == "arith":
            return f"((volatile {e.text()} *){text})[{i}]", e
        if form == "compound literal of a struct" and e.kind != "array":
            return f"((struct {{ {v}{pe.text('p')}; }}){{.p = {text}}}).p[{i}]", e
        if form == "array of arrays as one" and e.kind == "array" and e.of.kind != "array":
            return f"(&{text}[0][0])[{self.value(scope, 1)} & {t.n * e.n - 1}]", e.of
        return (f"{text}[{i}]" if form == "subscript" else self.instead(form, f"{text}[{i}]")), e

    def of_struct(self, text, t, scope):
        name, ft, bits = self.r.choice(t.fields)
        q, tag = self.name("q"), t.name
        form = self.pick(("member", 4), ("member through &", 0.7), ("member of *&", 0.4), ("member by a pointer", 0.7), ("member in a choice", 0.3))
        if t.kind == "union":
            self.plain = True
            self.use("member of a union")
        if bits:
            self.use("bit-field access")
        if form == "member through &":
            return f"(&{text})->{name}", ft, bits
        if form == "member of *&":
            return f"(*&{text}).{name}", ft, bits
        if form == "member by a pointer" and tag:
            return f"({{ {tag} *{q} = &{text}; {q}; }})->{name}", ft, bits
        if form == "member in a choice":
            return f"({self.condition(scope, 1)} ? &{text} : &{text})->{name}", ft, bits
        return (f"{text}.{name}" if form == "member" else self.instead(form, f"{text}.{name}")), ft, bits

    def place(self, scope):
        """An lvalue: its text, type, and whether its address may be taken."""
        v, self.plain = self.r.choice(self.variables), False
        text, t, bits, volatile = v.name, v.type, 0, getattr(v, "volatile", False)
        fields = [x for x in self.items if x[2] is not None and x[2].name == v.name] if scope.task else []
        if fields and self.chance(0.5):
            text = f"(*{fields[0][3]})"
            self.use("pointer of the item")
        while t.kind in ("array", "struct", "union"):
            if t.kind == "array":
                text, t = self.element(text, t, scope, volatile)
            else:
                text, t, bits = self.of_struct(text, t, scope)
        if t.kind == "complex":
            part = self.pick("__real__", "__imag__", "complex as a whole")
            if part != "complex as a whole":
                return f"{part} {text}", Type("arith", t.name.split()[0]), True
            return text, t, True
        if bits or t.qualifiers or t.kind != "arith":
            return text, t, bool(bits)
        form = self.pick(("place", 8), ("dereferenced address", 0.5), ("alias of other sign", 0.4 if t.name in ("int", "unsigned", "long", "short") else 0),
                         ("alias as characters", 0.2 if self.odd and t.is_integer() and t.name != "_Bool" else 0), ("_Generic of places", 0.2))
        if form == "dereferenced address":
            return f"*&{text}", t, False
        self.plain |= form == "alias of other sign"
        if form == "alias of other sign":
            other = {"int": "unsigned", "unsigned": "int", "long": "unsigned long", "short": "unsigned short"}[t.name]
            return f"*({other} *)&{text}", Type("arith", other), False
        if form == "alias as characters":
            return f"((unsigned char *)&{text})[0]", Type("arith", "unsigned char"), False
        if form == "_Generic of places":
            return f"*_Generic(1 + {self.value(scope, 0)}, int: &{text}, default: ({t.text()} *)0)", t, False
        return text, t, False

    # ---- values: int, from about -300 to 300 ----

    def read(self, scope):
        text, t, _ = self.place(scope)
        self.use("read")
        if t.kind == "complex":
            return f"((int)__real__ {text} & 63)"
        if t.is_float():
            return f"({text} > 1)"
        return f"((int)({text}) & 63)"

    def constant(self):
        r = self.r
        form = self.pick("decimal constant", "octal constant", "hexadecimal constant", "unsigned constant", "long constant", "character constant",
                         ("character constant negative", 0.7), "character constant wide", ("enumeration constant", 2 if self.enums else 0), "sizeof",
                         "_Alignof", "offsetof", "string literal", "binary constant")
        t = self.r.choice(INTEGERS + FLOATS)
        return {"decimal constant": lambda: str(r.randint(0, 12)), "octal constant": lambda: r.choice(["017", "03"]),
                "hexadecimal constant": lambda: r.choice(["0x1f", "0x7"]), "unsigned constant": lambda: f"(int){r.randint(0, 9)}u",
                "long constant": lambda: f"(int){r.randint(0, 9)}{r.choice(['l', 'ul', 'LL', 'ull'])}", "character constant": lambda: r.choice(["'a'", r"'\n'", r"'\0'", "'7'"]),
                "character constant negative": lambda: r.choice([r"'\xff'", r"'\200'", r"'\x80'"]), "character constant wide": lambda: r.choice(["(int)L'a'", "(int)u'b'", "(int)U'c'"]),
                "enumeration constant": lambda: f"((int){r.choice(self.enums)} & 63)", "sizeof": lambda: f"(int)sizeof({r.choice([t, t + '[3]'])})",
                "_Alignof": lambda: f"(int)_Alignof({t})", "offsetof": lambda: "(int)offsetof(struct { char a; int b; }, b)",
                "string literal": lambda: f'(int)"\\001\\377\\003"[{r.randint(0, 2)}]', "binary constant": lambda: "0b101"}[form]()

    def value(self, scope, depth=None):
        """Text of a primary or parenthesized expression of type int."""
        r = self.r
        depth = scope.depth if depth is None else depth
        free = [x for x in scope.locals if x[0] not in self.busy]
        if depth <= 0 or self.chance(0.3):
            choice = r.random()
            if choice < 0.6:
                self.use("item or parameter")
                return r.choice(scope.item)
            if choice < 0.75 and free:
                x, t = r.choice(free)
                self.busy.add(x)
                return f"(int){x}"
            return f"({self.constant()})"
        d = depth - 1
        a, odd = self.value(scope, d), 0.15 if self.odd else 0
        form = self.pick(("arithmetic", 3), ("unary", 1), ("comparison", 1), ("logical", 0.7), ("conditional", 1), ("comma", 0.5), ("cast", 2),
                         ("float arithmetic", 2), ("shift", 0.7), ("quotient", 0.6), ("step of a local", 1.5), ("assignment as a value", 0.7),
                         ("compound assignment as a value", 0.7), ("statement expression as a value", 0.3), ("generic value", 0.3),
                         ("compound literal as a value", 0.4), ("elvis", odd), ("__builtin_expect", 0.2), ("constant read", 1.5 if self.tables else 0),
                         ("unsigned comparison", 0.6), ("call as a value", 0.6), ("thread variable", odd), ("sizeof an expression", 0.2),
                         ("enumeration compared", 0.7 if self.enums else 0), ("function pointer", 0.4), ("__extension__", 0.2), ("__alignof__", 0.1),
                         ("complex value", odd), ("sizeof a variable length array", odd), ("_Bool conversion", 0.4), ("struct returned", 0.4),
                         ("character compared", 0.4), ("value of memory", 0.12), ("choose_expr", odd), ("imaginary constant", odd), ("array of a returned struct", odd))
        if form == "arithmetic":
            op = self.pick("+", "-", "*", "&", "|", "^")
            return f"(({a} {op} {self.value(scope, d)}) & 127)" if op == "*" else f"(({a} {op} {self.value(scope, d)}) % 100)"
        if form == "unary":
            op = self.pick("unary -", "unary ~", "unary !", "unary +")[-1]
            return f"({op}{a})"
        if form == "comparison":
            return f"({a} {self.pick('<', '>', '<=', '>=', '==', '!=')} {self.value(scope, d)})"
        if form == "logical":
            return f"({a} {self.pick('&&', '||')} {self.value(scope, d)})"
        if form == "conditional":
            return f"({self.condition(scope, d)} ? {a} : {self.value(scope, d)})"
        if form == "comma":
            return f"({a}, {self.value(scope, d)})"
        if form == "cast":
            t = self.arith()
            return f"((int)({t.text()})({a}{' & 255' if t.name in UNSIGNED else ''}) % 256)"
        if form == "float arithmetic":
            c = self.pick("float constant 0.7f", "float constant 0.1f", "float constant 0.3", "float constant 0.1L", "float constant 1e1f",
                          "float constant 0x1.8p-1", "float constant .3f").split()[-1]
            shape = r.choice(["(int)({a} * {c})", "(int)({c} * {a} + {c})", "({a} * {c} > {c} * 3)", "(int)(1.0f / 3 * 3 * {a})", "(int)({a} / {c} / 16)",
                              "(int)((float){a} * 0.7)", "(int)((double){a} * 0.7f * 10)"])
            return f"({shape.format(a=f'({a} % 256)', c=c)})"
        if form == "shift":
            op = self.pick("<<", ">>")
            return f"((({a} & 15) {op} ({self.value(scope, d)} & 3)) & 127)"
        if form == "quotient":
            op = self.pick("/", "%")
            return f"({a} {op} ({self.value(scope, d)} | 1))"
        if form == "step of a local" and free:
            x, t = r.choice(free)
            self.busy.add(x)
            step = self.pick("post-increment as a value", "pre-increment as a value", "post-decrement as a value", "pre-decrement as a value")
            text = {"post-i": f"{x}++", "pre-in": f"++{x}", "post-d": f"{x}--", "pre-de": f"--{x}"}[step[:6]]
            return f"(int){text}" if t.is_float() else f"((int)({text}) % 512)"
        if form in ("assignment as a value", "compound assignment as a value") and free:
            x, t = r.choice(free)
            self.busy.add(x)
            op = "=" if form[0] == "a" else self.pick("+=", "-=", "*=") if t.name in NARROW or t.name in UNSIGNED else self.pick("+=", "-=")
            return f"((int)({x} {op} {a}) & 255)" if not t.is_float() else f"(({x} {op} {a}) > 2)"
        if form == "statement expression as a value":
            k, t = self.name("k"), self.arith(True)
            return f"({{ {t.text(k)} = ({t.text()}){a}; (int)({k} & 63); }})"
        if form == "generic value":
            return f"_Generic({a}, int: {a}, default: 7)"
        if form == "compound literal as a value":
            shape = self.pick("compound literal of an array", "compound literal of a scalar")
            return f"((int[]){{3, {a}, [3] = 2}})[{self.value(scope, d)} & 3]" if shape[-1] == "y" else f"(unsigned char){{{a} & 255}}"
        if form == "elvis":
            return f"({a} ?: 3)"
        if form == "__builtin_expect":
            return f"(int)__builtin_expect({a}, 1)"
        if form == "constant read" and self.tables:
            text, t = r.choice(self.tables)
            return f"((int)({text.format(a)}) % 256)"
        if form == "unsigned comparison":
            return f"({a} {self.r.choice(['<', '>'])} {r.randint(1, 9)}u)"
        if form == "call as a value":
            f, t, u = self.name("f"), self.arith(True), self.arith(True)
            self.file.append(f"static {t.text()} {f}({u.text('x')}, int y) {{ return ({t.text()})(x + y); }}")
            return f"(int)({f}(({u.text()})({a} & 63), {self.value(scope, d)} & 63) & 63)"
        if form == "thread variable":
            v = self.name("tls")
            self.file.append(f"static _Thread_local int {v};")
            self.set_up.append(f"{v} = 3;")
            return f"({v} & 63)"
        if form == "sizeof an expression":
            return f"(int)sizeof({a} + {r.choice(['1', '1.0f', '1l', '1.0'])})"
        if form == "enumeration compared" and self.enums:
            return f"({a} {self.pick('<', '>=', '==')} {r.choice(self.enums)})"
        if form == "function pointer":
            f, ops = self.name("f"), self.name("ops")
            self.file.append(f"static int {f}(int x) {{ return x & 31; }}\nstatic int (*const {ops}[2])(int) = {{{f}, {f}}};")
            return f"{ops}[{a} & 1]({self.value(scope, d)})"
        if form == "__extension__":
            return f"(__extension__ {a})"
        if form == "__alignof__":
            return "(int)__alignof__(double)"
        if form == "complex value":
            return f"(int)__real__ ((float _Complex){a} * 0.5f)"
        if form == "imaginary constant":
            return f"(int)__real__ ({a} * 1.0iF)"
        if form == "sizeof a variable length array":
            return f"((int)sizeof(int[({a} & 7) + 1]) & 63)"
        if form == "_Bool conversion":
            return f"(int)(_Bool)({a} * 0.5f)"
        if form in ("struct returned", "array of a returned struct"):
            f, s = self.name("f"), self.name("R")
            self.file.append(f"typedef struct {{ int a; signed char b[2]; }} {s};\nstatic {s} {f}(int x) {{ {s} r = {{.a = x & 63, .b = {{[1] = 3}}}}; return r; }}")
            return f"{f}({a}).{'a' if form == 'struct returned' else 'b[1]'}"
        if form == "character compared":
            return rf"((char){a} == '\xff')"
        if form == "choose_expr":
            return f"__builtin_choose_expr(1, {a}, 9)"
        if form == "value of memory":
            return self.read(scope)
        return self.instead(form, a)

    def condition(self, scope, depth):
        if self.chance(0.3):
            return self.read(scope)
        return self.value(scope, depth)

    # ---- statements ----

    def store(self, scope):
        self.busy = set()
        text, t, bits = self.place(scope)
        signed = self.plain and t.name in ("int", "long", "long long", "short", "char", "signed char")  # any value may be there
        if t.qualifiers.startswith("_Atomic"):
            form = self.pick("atomic compound assignment", "atomic_store", "atomic_fetch_add", "atomic increment")
            return {"atomic compound assignment": f"{text} += 1;", "atomic_store": f"atomic_store(&{text}, 1);",
                    "atomic_fetch_add": f"atomic_fetch_add(&{text}, 1);", "atomic increment": f"{text}++;"}[form]
        value = self.value(scope)
        if t.kind == "complex":
            return f"{text} {self.pick('=', '+=')} {value};"
        if t.kind == "enum":
            return f"{text} = ({t.name})({value} & 1);"
        form = self.pick(("=", 3), ("compound", 0 if signed else 3), ("increment", 0 if signed else 2), ("read as a statement", 0.4), ("call of the library", 0.4))
        if form == "compound":
            ops = ["+=", "-=", "/="] + (["*=", "<<=", "|=", "&=", "^=", "%=", ">>="] if t.name in UNSIGNED else
                                        [] if t.is_float() else ["|=", "&=", "^=", "%=", ">>="])
            if t.kind == "arith" and t.name in ("signed char", "short", "char"):
                ops.append("*=")
            op = self.pick(*ops)
            kind = "compound assignment of a narrow type" if t.name in NARROW else "compound assignment"
            self.use(kind)
            value = f"({value} | 1)" if op in ("/=", "%=") else f"({value} & 3)" if op in ("<<=", ">>=") else value
            return f"{text} {op} {value};"
        if form == "increment":
            op = self.pick("post-increment", "pre-increment", "post-decrement", "pre-decrement")
            return {"post-i": f"({text})++;", "pre-in": f"++{text};", "post-d": f"({text})--;", "pre-de": f"--{text};"}[op[:6]]
        if form == "read as a statement":
            return f"(void)({text});"
        if form == "call of the library" and not bits and not t.qualifiers and "__" not in text and "volatile" not in text:
            call = self.pick("memset", "memcpy", "memmove")
            x = self.name("x")
            if any(getattr(v, "volatile", False) for v in self.variables):
                return self.instead(call, f"{text} = {value};")
            return f"memset(&{text}, 0, sizeof {text});" if call == "memset" else f"{{ {t.text(x)} = 1; {call}(&{text}, &{x}, sizeof {x}); }}"
        return f"{text} = {value};" if form == "=" else self.instead(form, f"{text} = {value};")

    def call(self, scope):
        """A function that gets an array, a row, a pointer or a struct."""
        self.busy = set()
        v = self.r.choice([x for x in self.variables if x.type.kind in ("array", "struct", "union")] or [None])
        if v is None or getattr(v, "volatile", False) or not v.type.of and not v.type.name:
            return self.store(scope)
        f, t = self.name("f"), v.type
        inner = Scope(["i", "j"], depth=1, task=False)
        known = f"{self.value(scope)}, {self.value(scope)}"
        if t.kind != "array":
            form = self.pick("struct by a pointer", "struct by value")
            if form == "struct by value":
                self.file.append(f"static int {f}({t.name} s, int i) {{ (void)s; return i; }}")
                return f"(void){f}({v.name}, {self.value(scope)});"
            local, given = Variable("(*p)", t), f"&{v.name}"
            parameter = f"{t.name} *p"
        else:
            e, given, local = t.of, v.name, Variable("p", t)
            form = self.pick("parameter array", "parameter pointer", "parameter pointer to an array", "parameter array static", "parameter restrict",
                             "parameter of variable length", "parameter const")
            n = t.n
            if form == "parameter array":
                parameter = e.text(f"p[{n}]")
            elif form == "parameter pointer":
                parameter = Type("pointer", of=e).text("p")
            elif form == "parameter pointer to an array":
                parameter, given, local = Type("pointer", of=t).text("p"), f"&{v.name}", Variable("(*p)", t)
            elif form == "parameter array static":
                parameter = e.text(f"p[static {n}]")
            elif form == "parameter restrict":
                parameter = Type("pointer", of=e, qualifiers="restrict ").text("p")
            elif form == "parameter const":
                parameter = Type("pointer", of=e, qualifiers="const ").text("p")
            else:
                parameter, known = f"int n, {e.text('p[n]')}", known
                given = f"{n}, {given}"
            if form not in ("parameter pointer to an array",):
                # p is a pointer: &p and sizeof p are not what they are of an array
                local.plain = True
        keep, self.variables = self.variables, [local]
        if getattr(local, "plain", False):
            body = self.store_plain(inner, local)
        else:
            body = self.store(inner)
        self.variables = keep
        self.busy = set()
        self.file.append(f"static void {f}({parameter}, int i, int j) {{ (void)i, (void)j; {body} }}")
        form = self.pick(("call", 4), ("call through a pointer", 1))
        if form == "call through a pointer":
            name = self.name("call")
            return f"{{ void (*{name})({parameter}, int, int) = {f}; {name}({given}, {known}); }}"
        return f"{f}({given}, {known});"

    def store_plain(self, scope, v):
        """Through a parameter that is a pointer to the first element."""
        i, e = self.index(v.type.n, scope), v.type.of
        form = self.pick("subscript", "dereferenced sum")
        first = f"p[{i}]" if form == "subscript" else f"(*(p + ({i})))"
        keep, self.variables = self.variables, [Variable(first, e)]
        text = self.store(scope)
        self.variables = keep
        return text

    def block(self, scope, depth):
        inner = Scope(scope.item, list(scope.locals), scope.depth, scope.loop, scope.task)
        out = []
        if self.chance(0.5):
            self.busy = set()
            k, t = self.name("k"), self.arith(True)
            value = self.value(inner)
            inner.locals.append((k, t))
            out.append(f"{t.text(k)} = ({t.text()}){value}; (void){k};")
        return "{ " + " ".join(out + [self.statement(inner, depth) for _ in range(self.r.randint(1, 2))]) + " }"

    def statement(self, scope, depth):
        self.busy = set()
        if depth <= 0:
            return self.store(scope)
        d = depth - 1
        form = self.pick(("store", 4), ("call statement", 3), ("if", 1.2), ("if else", 0.7), ("for", 1.5), ("while", 0.5), ("do", 0.6), ("while narrow", 1),
                         ("for narrow downwards", 1), ("switch", 1), ("block", 0.3), ("declaration", 0.7), ("struct assignment", 0.7), ("cleanup", 0.5 if self.odd else 0),
                         ("static local", 0.5), ("variable length array", 0.3 if self.odd else 0), ("local pointer", 1), ("local pointer to an array", 0.8),
                         ("local array", 0.4), ("local struct", 0.4), ("local union", 0.3), ("for of a float", 0.4), ("null statement", 0.1),
                         ("step of a local as a statement", 0.5), ("early return", 0.2 if scope.task else 0), ("typedef in a block", 0.2),
                         ("_Static_assert", 0.1), ("recursion", 0.3), ("size with an effect", 0.6 if self.odd else 0), ("register variable", 0.2),
                         ("nested array pointer walk", 0.5), ("atomic_flag", 0.2), ("pointer from memory", 0.3), ("local enumeration", 0.2),
                         ("float index loop", 0.3), ("union punned through a pointer", 0.5),
                         *[(x, 0.5) for x in REFUSED_STATEMENTS if self.odd])
        made = self.special(form, scope, d)
        return made or self.instead(form, self.store(scope))

    def special(self, form, scope, d):
        r = self.r
        if form == "store":
            return self.store(scope)
        known = lambda: self.value(scope)
        if form == "call statement":
            return self.call(scope)
        if form in ("if", "if else"):
            c = self.condition(scope, 1)
            other = f" else {self.block(scope, d)}" if form == "if else" else ""
            return f"if ({c}) {self.block(scope, d)}{other}"
        if form == "for":
            k, t = self.name("k"), self.arith(True)
            lo, hi = r.randint(0, 2), r.randint(2, 4)
            end = self.condition(scope, 1) if self.chance(0.3) else None
            step = self.pick("++ of a counter", "+= of a counter", "pre ++ of a counter")
            if t.name == "_Bool":
                t = INT
            inner = Scope([*scope.item, f"(int){k}"], scope.locals, scope.depth, True, scope.task)
            jump = self.pick(("no jump", 3), ("break", 1), ("continue", 1))
            more = f"if ({self.condition(inner, 1)}) {jump};" if jump != "no jump" else ""
            steps = {"++": f"{k}++", "+=": f"{k} += 1", "pr": f"++{k}"}[step[:2]]
            return f"for ({t.text(k)} = {lo}; {k} < {hi}{f' && {end}' if end else ''}; {steps}) {{ {more} {self.block(inner, d)} }}"
        if form in ("while narrow", "for narrow downwards"):
            k = self.name("k")
            t = r.choice(["unsigned char", "unsigned short", "signed char", "short", "int", "unsigned", "unsigned long"])
            self.use(f"counter {t}")
            inner = Scope([*scope.item, f"((int){k} & 255)"], scope.locals, scope.depth, True, scope.task)
            start = f"({t})({known()} & 3)"
            body = self.block(inner, d)
            test = self.pick("k--", "k-- > 0", "k-- != 0").replace("k", k, 1)
            return f"for ({t} {k} = {start}; {test};) {body}" if form[0] == "f" else f"{{ {t} {k} = {start}; while ({test}) {body} }}"
        if form in ("while", "do"):
            k, t = self.name("k"), r.choice(["unsigned char", "int", "long", "short", "unsigned"])
            inner = Scope([*scope.item, f"((int){k} & 255)"], scope.locals, scope.depth, True, scope.task)
            body = self.block(inner, d)
            if form == "while":
                return f"{{ {t} {k} = 0; while ({k}++ < {r.randint(1, 3)}) {body} }}"
            return f"{{ {t} {k} = {r.randint(1, 3)}; do {body} while ({self.pick('--k', '--k > 0').replace('k', k)}); }}"
        if form == "switch":
            v = f"{known()} & 3"
            if self.enums and self.chance(0.3):
                self.use("switch on a character")
                v = f"(char){known()}"
            cases = [r.choice([r"'\xff'", "0", "1"]) if "char" in v else "0", "2", "3"]
            parts = []
            for c in cases:
                end = self.pick(("case that breaks", 2), ("case that falls through", 1))
                parts.append(f"case {c}: {self.block(scope, d)} {'break;' if end == 'case that breaks' else ''}")
            if self.chance(0.5):
                self.use("default")
                parts.insert(r.randint(0, 3), f"default: {self.store(scope)} break;")
            return f"switch ({v}) {{ {' '.join(parts)} }}"
        if form == "block":
            return self.block(scope, d)
        if form == "declaration":
            k, t = self.name("k"), self.arith()
            start = known()
            inner = Scope([*scope.item, f"((int){k} % 256)"], [*scope.locals, (k, t)], scope.depth, scope.loop, scope.task)
            return f"{{ {t.text(k)} = ({t.text()}){start}; (void){k}; {self.statement(inner, d)} {self.statement(inner, d)} }}"
        if form == "step of a local as a statement":
            k, t = self.name("k"), self.arith(True)
            start = known()
            inner = Scope([f"((int){k} % 256)"], [(k, t)], scope.depth, scope.loop, scope.task)
            op = self.pick("++ statement", "-- statement", "+= statement", "-= statement").split()[0]
            text = f"{k}{op}" if len(set(op)) == 1 else f"{k} {op} {known()} & 63"
            return f"{{ {t.text(k)} = ({t.text()}){start}; {text}; {self.statement(inner, d)} }}"
        if form == "struct assignment":
            many = [v for v in self.variables if v.type.kind == "array" and v.type.of.kind in ("struct", "union")]
            if not many:
                return None
            v, i = r.choice(many), lambda: f"{known()} & 3"
            how = self.pick("struct copied", "struct from a compound literal", "struct by a local")
            if how == "struct copied":
                return f"{v.name}[{i()}] = {v.name}[{i()}];"
            if how == "struct by a local":
                q = self.name("q")
                return f"{{ {v.type.of.name} {q} = {v.name}[{i()}]; {v.name}[{i()}] = {q}; }}"
            return f"{v.name}[{i()}] = ({v.type.of.name}){{0}};"
        if form == "cleanup":
            f, k = self.name("f"), self.name("k")
            inner = Scope(["(*x & 255)"], depth=1, task=False)
            self.file.append(f"static void {f}(int *x) {{ {self.store(inner)} }}")
            return f"{{ __attribute__((cleanup({f}))) int {k} = {known()}; {self.store(scope)} }}"
        if form == "static local":
            k = self.name("static")
            return f"{{ static {self.arith(True).text(k + '[4]')}; {k}[{known()} & 3] += 1; }}"
        if form == "variable length array":
            k = self.name("k")
            return f"{{ int {k}[({known()} & 3) + 1]; {k}[0] = {known()}; {self.store(Scope([f'({k}[0] & 255)'], [], 1, scope.loop, scope.task))} }}"
        if form == "size with an effect":
            f, k, g = self.name("f"), self.name("k"), self.name("v")
            how = self.pick("variable length array with an effect", "sizeof with an effect", "typedef of variable length")
            self.file.append(f"static int {g};\nstatic int {f}(void) {{ return ++{g} % 3 + 1; }}")
            if how == "sizeof with an effect":
                return f"{{ unsigned long {k} = sizeof(int[{f}()]); (void){k}; }}"
            if how[0] == "t":
                return f"{{ typedef int {k}[{f}()]; (void)sizeof({k}); }}"
            return f"{{ int {k}[{f}()]; {k}[0] = 0; (void){k}; }}"
        if form == "local pointer":
            v = r.choice(self.variables)
            if v.type.kind != "array" or getattr(v, "volatile", False):
                return None
            q, e = self.name("q"), v.type.of
            keep, self.variables = self.variables, [Variable(f"(*{q})", e)]
            made = self.store(scope)
            step = r.choice([f"{q}++;", f"{q} += {known()} & 1;", f"++{q};", f"{q} = {q} + 1;", ""])
            more = self.store(scope)
            self.variables = keep
            return f"{{ {Type('pointer', of=e).text(q)} = {v.name} + ({known()} & 1); {made} {step} {more} }}"
        if form == "local pointer to an array":
            many = [v for v in self.variables if v.type.kind == "array" and v.type.of.kind == "array" and not getattr(v, "volatile", False)]
            if not many:
                return None
            v, q = r.choice(many), self.name("q")
            keep, self.variables = self.variables, [Variable(f"{q}[0]", v.type.of), Variable(f"(*{q})", v.type.of)]
            made = self.store(scope)
            self.variables = keep
            return f"{{ {Type('pointer', of=v.type.of).text(q)} = {v.name} + ({known()} & {v.type.n - 1}); {made} }}"
        if form == "nested array pointer walk":
            many = [v for v in self.variables if v.type.kind == "array" and v.type.of.kind == "arith" and not v.type.of.qualifiers and not getattr(v, "volatile", False)]
            if not many:
                return None
            v, q = r.choice(many), self.name("q")
            step = self.pick("*p++", "*++p", "p[1]").replace("p", q)
            n = min(v.type.n, 4)
            return f"{{ {Type('pointer', of=v.type.of).text(q)} = {v.name}; for (int n = 0; n < ({known()} & {n - 2 if n > 3 else 1}); n++) {step} = 1; }}"
        if form == "local array":
            k = self.name("k")
            inner = Scope([f"{k}[{known()} & 3]"], [], 1, scope.loop, scope.task)
            return f"{{ int {k}[4] = {{[1] = {known()}, 3}}; {k}[{known()} & 3] = {known()}; {self.statement(inner, d)} }}"
        if form == "local struct":
            k = self.name("k")
            inner = Scope([f"{k}.a", f"{k}.b"], [], 1, scope.loop, scope.task)
            how = self.pick("local struct initialized", "local struct assigned")
            start = f" = {{.b = (signed char){known()}, .a = {known()}}};" if how[-3:] == "zed" else f"; {k}.a = {known()}; {k}.b = (signed char){known()};"
            return f"{{ struct {{ int a; signed char b; }} {k}{start} {self.statement(inner, d)} }}"
        if form == "local union":
            k = self.name("k")
            inner = Scope([f"{k}.b[0]", f"({k}.a & 255)"], [], 1, scope.loop, scope.task)
            return f"{{ union {{ int a; unsigned char b[4]; }} {k} = {{.a = {known()}}}; {self.statement(inner, d)} }}"
        if form in ("for of a float", "float index loop"):
            k, t = self.name("k"), r.choice(FLOATS)
            self.use(f"counter {t}")
            suffix = {"float": "f", "double": "", "long double": "L"}[t]
            inner = Scope([*scope.item, f"(int)({k} * 4)"], scope.locals, scope.depth, True, scope.task)
            return f"for ({t} {k} = 0; {k} < 0.7{suffix}; {k} += 0.{r.choice('13')}{r.choice([suffix, 'f'])}) {self.block(inner, d)}"
        if form == "null statement":
            return ";"
        if form == "early return":
            return f"if ({self.condition(scope, 1)}) return SVS_OK;"
        if form == "typedef in a block":
            k, t = self.name("k"), self.name("T")
            return f"{{ typedef signed char {t}; {t} {k} = ({t}){known()}; {self.statement(Scope([f'(int){k}'], [], 1, scope.loop, scope.task), d)} }}"
        if form == "_Static_assert":
            return f'_Static_assert(sizeof(int) == 4, "four"); {self.store(scope)}'
        if form == "local enumeration":
            a, b = self.name("L"), self.name("M")
            return f"{{ enum {{ {a} = -3, {b} }}; {self.statement(Scope([a, b, *scope.item], [], 1, scope.loop, scope.task), d)} }}"
        if form == "recursion":
            f = self.name("f")
            inner = Scope(["n", "i"], depth=1, task=False)
            self.file.append(f"static void {f}(int n, int i) {{ {self.store(inner)} if (n > 0) {f}(n - 1, i); }}")
            return f"{f}({known()} & 1, {known()});"
        if form == "register variable":
            k = self.name("k")
            return f"{{ register const int {k} = {known()}; {self.statement(Scope([k], [], 1, scope.loop, scope.task), d)} }}"
        if form == "atomic_flag":
            g = self.name("v")
            self.file.append(f"static atomic_flag {g} = ATOMIC_FLAG_INIT;")
            return f"(void)atomic_flag_test_and_set(&{g});"
        if form == "union punned through a pointer":
            if not self.pun:
                self.pun = self.name("un"), self.name("fp")
                self.head.append(f"static union {{ int i[4]; float f[4]; }} {self.pun[0]} = {{.i = {{0, 1, 2}}}};\nstatic float *{self.pun[1]} = &{self.pun[0]}.f[1];")
            if self.pick("member of a punned union as an index", "member of a punned union by a pointer")[-1] == "r":
                return f"*{self.pun[1]} = {known()};"
            keep, self.variables = self.variables, [x for x in self.variables if x.type.kind == "array" and x.type.of.kind == "arith"]
            v = r.choice(self.variables) if self.variables else None
            self.variables = keep
            return f"{v.name}[{self.pun[0]}.i[{known()} & 3] & 3] = 1;" if v and not v.type.of.qualifiers else f"*{self.pun[1]} = 1;"
        if form == "pointer from memory":
            many = [v for v in self.variables if v.type.kind == "array" and v.type.of.kind == "arith" and not v.type.of.qualifiers and not getattr(v, "volatile", False)]
            if not many:
                return None
            v, g = r.choice(many), self.name("ptr")
            how = self.pick("pointer that no task writes", "pointer that a task writes")
            self.file.append(f"static {Type('pointer', of=v.type.of).text(g)} = &{v.name}[1];")
            more = f" {g} = &{v.name}[{known()} & 1];" if how[-6:] == "writes" and "no" not in how else ""
            return f"{g}[{known()} & 1] = 1;{more}"
        return self.refused(form, scope, known)

    def refused(self, form, scope, known):
        if form == "goto":
            return f"if ({known()}) goto end; {self.store(scope)} end:;" if scope.task and not scope.loop and not getattr(self, "labels", 0) and not setattr(self, "labels", 1) else None
        if form == "computed_goto":
            return f"{{ void *to = &&far; goto *to; far:; }}" if scope.task and not scope.loop and not getattr(self, "fars", 0) and not setattr(self, "fars", 1) else None
        if form == "asm":
            return '__asm__ volatile("" ::: "memory");'
        if form == "case_in_a_statement":
            return f"switch ({known()} & 1) {{ case 0: do {{ {self.store(scope)} case 1: {self.store(scope)} }} while (0); }}"
        if form == "bytes_of_a_struct":
            many = [v for v in self.variables if v.type.kind == "struct" and not getattr(v, "volatile", False)]
            return f"((char *)&{many[0].name})[{known()} & 3] = 0;" if many else None
        if form == "struct_as_another":
            many = [v for v in self.variables if v.type.kind == "struct" and v.type.name]
            s = self.name("S")
            if not many:
                return None
            self.file.append(f"typedef struct {{ char z; }} {s};")
            return f"(({s} *)&{many[0].name})->z = 1;"
        if form == "number_as_a_pointer":
            v = self.r.choice(self.variables)
            return f"*(char *)(unsigned long)&{v.name} = 0;" if not getattr(v, "volatile", False) else None
        if form == "va_arg":
            f = self.name("f")
            self.file.append(f"static int {f}(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); n = __builtin_va_arg(l, int); __builtin_va_end(l); return n; }}")
            return f"(void){f}(1, {known()});"
        if form == "case_range":
            return f"switch ({known()} & 7) {{ case 0 ... 3: {self.store(scope)} break; default:; }}"
        if form == "call_not_seen":
            return "(void)drawn_below(3);"
        return None

    # ---- the whole ----

    def task(self):
        name, n = self.name("t"), self.number
        scope = Scope(["t->i", "t->j", "(int)t->c", "(int)t->s", "((int)t->h & 255)", "(int)t->f", "(int)t->d", "(int)t->b"])
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
                         + "\n    ".join(lines) + f"\n    return SVS_OK;\n}}\nSVS_TASK_SCANNED_NAMED({name}, item_{n}, {name}_run)")
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
        self.file.append(f"typedef struct item_{n} {{ int i, j; unsigned char c; signed char s; unsigned short h; float f; double d; _Bool b;{fields} }} item_{n};")
        tasks = [self.task() for _ in range(self.r.choice([2, 2, 2, 2, 3]))]
        self.file.append(f"static void fill_{n}(void *to) {{\n    item_{n} *j = to;\n    j->i = drawn_edge(), j->j = drawn_edge(), j->c = (unsigned char)drawn_edge();\n"
                         f"    j->s = (signed char)drawn_edge(), j->h = (unsigned short)drawn_below(9), j->f = (float)drawn_below(99) * 0.5f;\n"
                         f"    j->d = drawn_below(99) * 0.25, j->b = drawn_below(2);\n    {' '.join(fill for _, fill, _, _ in self.items)}\n}}")
        self.file.append(f"static void set_{n}(void) {{ {' '.join(self.set_up)} }}")
        rows = ", ".join(f"{{&{t}_task, fill_{n}}}" for t in tasks)
        self.file.append(f"static const drawn_task tasks_of{n}[] = {{{rows}}};\nstatic const drawn_program program_of{n} = {{{n}, tasks_of{n}, {len(tasks)}, set_{n}}};")
        self.text = "\n".join(self.head + self.file)
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
