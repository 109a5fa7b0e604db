"""Statements and calls of drawn programs (grammar.py)."""

from grammar_types import FLOATS, INT, NARROW, REFUSED_STATEMENTS, UNSIGNED, Scope, Type, Variable


class Statements:
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
            e, given = t.of, v.name
            local = Variable(v.name if self.rewritten == "array of arrays as a parameter" and e.kind == "array" else "p", t)
            form = self.pick("parameter array", "parameter pointer", "parameter pointer to an array", "parameter array static", "parameter restrict",
                             "parameter of variable length", "parameter const")
            n = t.n
            if form == "parameter array":
                parameter = e.text(f"p[{n}]")
            elif form == "parameter pointer":
                parameter = Type("pointer", of=e).text("p")
            elif form == "parameter pointer to an array":
                parameter, given, local = Type("pointer", of=t).text("p"), f"&{v.name}", Variable(v.name if self.rewritten == "address of an array" else "(*p)", t)
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
        first = f"{v.name}[{i}]" if form == "subscript" or self.rewritten == "sum of a row" else f"(*({v.name} + ({i})))"
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
                         ("float index loop", 0.3), ("member of the item assigned", 1.5 if scope.task else 0), ("union punned through a pointer", 0.5), ("memory by two names", 2.7),
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
            if self.rewritten == "cleanup":
                return f"{{ int {k} = {known()}; {self.store(scope)} {f}(&{k}); }}"
            return f"{{ __attribute__((cleanup({f}))) int {k} = {known()}; {self.store(scope)} }}"
        if form == "static local":
            k = self.name("static")
            return f"{{ static {self.arith(True).text(k + '[4]')}; {k}[{known()} & 3] += 1; }}"
        if form == "variable length array":
            k, n = self.name("k"), self.name("n")
            return f"{{ int {n} = {known()} & 3; int {k}[({n} & 3) + 1]; {k}[0] = {known()}; {self.store(Scope([f'({k}[0] & 255)'], [], 1, scope.loop, scope.task))} }}"
        if form == "size with an effect":
            f, k, g = self.name("f"), self.name("k"), self.name("v")
            how = self.pick("variable length array with an effect", "sizeof with an effect", "typedef of variable length", "parameter with an effect")
            self.file.append(f"static int {g};\nstatic int {f}(void) {{ return ++{g} % 3 + 1; }}")
            if self.rewritten == "size with an effect":
                return f"(void){f}();"
            if how == "sizeof with an effect":
                return f"{{ unsigned long {k} = sizeof(int[{f}()]); (void){k}; }}"
            if how[0] == "p":
                self.file.append(f"static void {k}(int i, int p[{f}()]) {{ (void)i, (void)p; }}")
                return f"{k}({known()}, 0);"
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
            start = f" + ({known()} & 1)" if v.type.n > 2 else ""  # a step more is an element, too
            return f"{{ {Type('pointer', of=e).text(q)} = {v.name}{start}; {made} {step} {more} }}"
        if form == "local pointer to an array":
            many = [v for v in self.variables if v.type.kind == "array" and v.type.of.kind == "array" and not getattr(v, "volatile", False)]
            if not many:
                return None
            v, q = r.choice(many), self.name("q")
            keep, self.variables = self.variables, [Variable(f"{q}[0]", v.type.of), Variable(f"(*{q})", v.type.of)]
            made = self.store(scope)
            self.variables = keep
            declared = Type("pointer", of=v.type.of).text(q)
            if self.rewritten == "declaration that does not compile":
                declared = f"typedef {v.type.of.text(q + '_row')}; {q}_row *{q}"
            return f"{{ {declared} = {v.name} + ({known()} & {v.type.n - 1}); {made} }}"
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
            if self.rewritten == "declaration that does not compile":
                self.file.append(f"static atomic_int {g};")
                return f"(void)atomic_exchange(&{g}, 1);"
            self.file.append(f"static atomic_flag {g} = ATOMIC_FLAG_INIT;")
            return f"(void)atomic_flag_test_and_set(&{g});"
        if form == "member of the item assigned":
            to = {"a scalar of the item": ("t->i = {a} & 15", "t->i"), "a scalar of the item counted": ("t->j--", "t->j"),
                  "a member of a union of the item": ("t->u.whole = (short){a}", "(int)t->u.low"), "an element of a union of the item": ("t->u.part[{a} & 1] = 5", "(int)t->u.low"),
                  "a bit-field of the item": ("t->n2 = {a} & 7", "(int)t->n1"), "an element of the item": ("t->list[{a} & 1] = 3", "t->list[1]"),
                  "a struct of the item": ("t->q = (__typeof__(t->q)){{.a = 3}}", "t->q.a"), "an element of the item by its address": ("*(t->list + 1) = {a} & 3", "t->list[1]"),
                  "a member of the item by its address": ("*&t->q.a = {a} & 3", "t->q.a"),
                  "bytes of the item from a member on": ("memset(&t->q.a, -({a} & 1), sizeof t->q)", "t->q.s")}
            how, changed = to[self.pick(*to)]
            return f"{how.format(a=known())}; {self.store(Scope([changed], [], 1, scope.loop, True))}"
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
        if form == "memory by two names":
            return self.memory(known)
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
        if form == "bytes_through_a_function":
            f, v = self.name("f"), self.name("v")
            self.file.append(f"static struct {{ char c; int i; }} {v};\nstatic void *{f}(void *p) {{ return p; }}")
            return f"{{ char *c = {f}(&{v}); c[4 + ({known()} & 3)] = 1; {v}.i = 2; }}"
        if form == "thread_variable_as_an_index":
            v, w = self.name("tls"), self.name("v")
            self.file.append(f"static _Thread_local int {v};\nstatic int {w}[8];")
            self.set_up.append(f"{v} = 3;")
            return f"{w}[({v} + ({known()} & 3)) & 7] = 1;"
        if form == "item_of_another_instance":
            return f"t[{known()} | 1].i = 1;" if scope.task else None
        if form == "va_arg":
            f = self.name("f")
            self.file.append(f"static int {f}(int n, ...) {{ __builtin_va_list l; __builtin_va_start(l, n); n = __builtin_va_arg(l, int); __builtin_va_end(l); return n; }}")
            return f"(void){f}(1, {known()});"
        if form == "case_range":
            return f"switch ({known()} & 7) {{ case 0 ... 3: {self.store(scope)} break; default:; }}"
        if form == "call_not_seen":
            return "(void)drawn_below(3);"
        return None
