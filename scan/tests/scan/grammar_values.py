"""Places and values of drawn programs (grammar.py)."""

import re
from collections import Counter
from grammar_types import FLOATS, INTEGERS, NARROW, UNSIGNED, Type


class Values:
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

    REWRITTEN = {"dereferenced sum": "sum of a row", "dereferenced address of an array": "address of an array", "subscript of &a": "address of an array",
                 "pointer to an array": "address of an array"}

    def element(self, text, t, scope, volatile):
        """An element of an array."""
        i, e = self.index(t.n, scope), t.of
        form, made, e = self.element_as(text, t, scope, volatile, i)
        plain = self.rewritten and (self.rewritten == self.REWRITTEN.get(form) or self.rewritten == "array of a union" and self.plain)
        return (f"{text}[{i}]", t.of) if plain else (made, e)

    def element_as(self, text, t, scope, volatile, i):
        e = t.of
        q, v = self.name("q"), "volatile " if volatile else ""
        form = self.pick(("subscript", 5), ("subscript turned round", 0.5), ("dereferenced sum", 1.5), ("subscript of &a[0]", 0.6),
                         ("dereferenced address of an array", 0.7), ("subscript of &a", 0.5), ("statement expression", 0.7), ("choice of arrays", 0.5),
                         ("comma of arrays", 0.4), ("cast of an array", 0.5), ("compound literal of pointers", 0.25), ("typeof", 0.5 if self.odd else 0),
                         ("restrict pointer", 0.4), ("pointer to an array", 0.7), ("pointer difference", 0.2), ("pointer stepped", 0.4),
                         ("function that returns a pointer", 0.5), ("volatile access", 0.3), ("compound literal of a struct", 0.06 if self.odd else 0),
                         ("array of arrays as one", 0.5 if e.kind == "array" else 0.0001))
        pe = Type("pointer", of=e)
        ve = v + pe.text(q)
        if t.name == "flexible" and form not in ("subscript", "subscript turned round", "dereferenced sum"):
            return form, self.instead(form, f"{text}[{i}]"), e
        if form == "subscript turned round":
            return form, f"({i})[{text}]", e
        if form == "dereferenced sum":
            return form, f"(*({text} + ({i})))", e
        if form == "subscript of &a[0]":
            return form, f"(&{text}[0])[{i}]", e
        if form == "dereferenced address of an array":
            return form, f"(*&{text})[{i}]", e
        if form == "subscript of &a":
            return form, f"(&{text})[0][{i}]", e
        if form == "statement expression":
            return form, f"({{ {ve} = {text}; {q}; }})[{i}]", e
        if form == "choice of arrays":
            return form, f"({self.condition(scope, 1)} ? {text} : {text})[{i}]", e
        if form == "comma of arrays":
            return form, f"((void){self.value(scope, 1)}, {text})[{i}]", e
        if form == "cast of an array":
            return form, f"(({v}{pe.text()}){text})[{i}]", e
        if form == "compound literal of pointers":
            return form, f"(({v}{Type('array', of=pe, n=2).text() if e.kind != 'array' else e.text('(*[2])')}){{{text}, {text}}})[{self.value(scope, 1)} & 1][{i}]", e
        if form == "typeof":
            return form, f"({{ __typeof__({text}[0]) *{q} = {text}; {q}; }})[{i}]", e
        if form == "restrict pointer":
            return form, f"({{ {v}{Type('pointer', of=e, qualifiers='restrict ').text(q)} = {text}; {q}; }})[{i}]", e
        if form == "pointer to an array" and text != "p":  # a parameter is a pointer
            return form, f"(*({{ {v}{Type('pointer', of=t).text(q)} = &{text}; {q}; }}))[{i}]", e
        if form == "pointer difference":
            if re.search(r"\+\+|--|[^=!<>]=[^=]", text):  # it would change something three times
                return form, self.instead(form, f"{text}[{i}]"), e
            return form, f"{text}[({text} + ({i})) - {text}]", e
        if form == "pointer stepped":
            return form, f"(*({{ {ve} = {text}; {q} += {i}; {q}; }}))", e
        if form == "function that returns a pointer" and e.kind != "array" and not volatile:
            f = self.name("f")
            parameter = pe.text("p")
            self.file.append(f"static {pe.text(f'{f}({parameter}, int i)')} {{ return p + i; }}")
            return form, f"(*{f}({text}, {i}))", e
        if form == "volatile access" and e.kind == "arith":
            return form, f"((volatile {e.text()} *){text})[{i}]", e
        if form == "compound literal of a struct" and e.kind != "array":
            return form, f"((struct {{ {v}{pe.text('p')}; }}){{.p = {text}}}).p[{i}]", e
        if form == "array of arrays as one" and e.kind == "array" and e.of.kind != "array":
            return form, f"(&{text}[0][0])[{self.value(scope, 1)} & {t.n * e.n - 1}]", e.of
        return form, (f"{text}[{i}]" if form == "subscript" else self.instead(form, f"{text}[{i}]")), e

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
            if part != "complex as a whole" and self.rewritten != "part of a complex value":
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
            known = [(text, {x for x, _ in scope.locals if x in text}) for text in scope.item]
            known = [(text, names) for text, names in known if not names & self.busy]
            if choice < 0.6 and known:
                self.use("item or parameter")
                text, names = r.choice(known)
                self.busy |= names
                return text
            if choice < 0.75 and free:
                x, t = r.choice(free)
                self.busy.add(x)
                return f"(int){x}"
            return f"({self.constant()})"
        d = depth - 1
        before, odd = Counter(self.used), 0.15 if self.odd else 0
        a = self.value(scope, d)
        of_a = self.used - before
        form = self.pick(("arithmetic", 3), ("unary", 1), ("comparison", 1), ("logical", 0.7), ("conditional", 1), ("comma", 0.5), ("cast", 2),
                         ("float arithmetic", 2), ("shift", 0.7), ("quotient", 0.6), ("step of a local", 1.5), ("assignment as a value", 0.7),
                         ("compound assignment as a value", 0.7), ("statement expression as a value", 0.3), ("generic value", 0.3),
                         ("compound literal as a value", 0.4), ("elvis", odd), ("__builtin_expect", 0.2), ("constant read", 1.5 if self.tables else 0),
                         ("unsigned comparison", 0.6), ("call as a value", 0.6), ("thread variable", 3 * odd), ("sizeof an expression", 0.2),
                         ("enumeration compared", 0.7 if self.enums else 0), ("function pointer", 0.4), ("__extension__", 0.2), ("__alignof__", 0.1),
                         ("complex value", odd), ("sizeof a variable length array", odd), ("_Bool conversion", 0.4), ("struct returned", 0.4),
                         ("character compared", 0.4), ("value of memory", 0.12), ("choose_expr", odd), ("imaginary constant", odd), ("array of a returned struct", odd))
        text = self.formed(form, a, scope, d, free)
        if a not in text:
            self.used.subtract(of_a)  # it has no place in the program
        return text

    def formed(self, form, a, scope, d, free):
        r = self.r
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
            a = f"({a} & 63)" if op == "*=" else a  # the product of two unsigned shorts is an int
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
