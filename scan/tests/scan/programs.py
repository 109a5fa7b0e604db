#!/usr/bin/env python3
"""Random programs for `svs scan`: bodies with pointers, conditions, loops, helpers, jumps, links and asyncs.

usage: programs.py FIRST COUNT NAME

Writes programs FIRST .. FIRST+COUNT-1 into NAME.h, NAME_a.c and NAME_b.c. Each has structs, memory and two tasks of its own;
the second task may stand in the other source, with static functions, variables and structs of the same names. Accesses are
logged (logged.h). The main() of NAME_a.c runs all programs.

The structs have fields that no task writes (k, n, to, to2, up, some: `up` leads to a node of a greater index, or is NULL) and
fields that tasks write (the others; `w` by functions of SVS_TOUCH_OF alone). Each fifth program has annotations, and each fifth
one parts, relaxed stores and the like. `flag` is 1 exactly where `up` is not NULL.
"""

import random
import re
import sys

NODES = 8

HEADER = '''#include "logged.h"
enum { NODES = %d };
#define STORE(p, v) do { W((p)->b) = (v); if ((v) > 2) break; W((p)->a) = 1; } while (0)
'''

TYPES = '''
typedef struct node node;
typedef struct inner { int x, y; } inner;
typedef struct box { inner low; int v; } box;
struct node {
    int k, n, a, b, flag;
    node *to, *to2, *up, *m;
    inner in;
    int arr[4];
    union { int i; unsigned u; } un;
    unsigned bits : 3, more : 5;
    inner deep[2];
    box kept;
    int z, some, w;
    unsigned shared;
};
typedef struct thing thing;
struct thing { int v; svs_object svs; thing *next, *other; int k; inner in; };
SVS_TYPE_DECLARE(thing)
typedef struct slot { int k, x; node *at; int y[2]; } slot;
typedef struct tally { int n, m; node *last; } tally;
PART_TYPES
SVS_PER_ITEM(slot)
SVS_PER_WORKER(tally)
typedef struct job { LOG_FIELD node *e, *g; int i, kind; int *q; inner *v; thing *o, *h; slot *mine; tally *tal; node *still; PART_FIELDS } job;
typedef struct memory { node nodes[NODES]; inner pairs[3]; thing things[NODES]; } memory;
extern slot slots[256];
extern tally tallies[256];
extern node stills[4];
extern int quiets;
extern memory all;
extern int cells[8];
typedef struct totals { int count, sum; } totals;
extern totals sums;
extern const logged_region own_region_b;
extern const svs_task_type *const other_task;
extern int outside(P node *p, int x);
'''

# Names of the words of a node: its own fields in group 1, and the structs, arrays and unions in it.
FIELDS = ["k", "n", "a", "b", "flag", "to", "to2", "up", "m", "z", "some", "w", "shared"]

# A bag owns its parts: the bag's address names them.
PARTS = {
    "PART_TYPES": """typedef struct part part;
struct part { part *next; int v; };
typedef struct bag { part *lead; int n; } bag;
SVS_PARTS(bag, lead)
SVS_PARTS(part, next)
typedef struct holder { bag its; part lot[3]; } holder;
extern holder holders[4];
""",
    "PART_FIELDS": "bag *bag1, *bag2; part *loose;",
    "PART_MEMORY": "holder holders[4];",
    "PART_FILL": """for (int i = 0; i < 4; i++) {
        holder *h = &holders[i];
        const int many = (int)logged_random(4);
        h->its = (bag){many ? &h->lot[0] : NULL, (int)logged_random(4)};
        for (int k = 0; k < 3; k++) h->lot[k] = (part){k + 1 < many ? &h->lot[k + 1] : NULL, k};
    }
    """,
    "PART_ITEM": """j->bag1 = &holders[logged_random(4)].its, j->bag2 = &holders[logged_random(4)].its;
    j->loose = &holders[logged_random(4)].lot[logged_random(3)];
""",
    "PART_NAMES": """static const logged_name holder_names[] = {{0, sizeof(holder), 1, 0, 0}, {offsetof(holder, its.n), sizeof(holder), 1, 0, 0}};
""",
    "PART_REGION": """{"holders", holders, sizeof(holder), 4, holder_names, 2},""",
}
REGIONS = '''
static const logged_name node_names[] = {
    OWN
    {offsetof(node, un) + 4, offsetof(node, deep), 1, 0, 0},
    {offsetof(node, in), offsetof(node, arr), 2, 0, 0}, {offsetof(node, in.y), offsetof(node, in.y) + 4, 2, 0, 0},
    {offsetof(node, arr), offsetof(node, un), 1, 0, 0},
    {offsetof(node, arr) + 4, offsetof(node, arr) + 8, 4, 0, 0}, {offsetof(node, arr) + 8, offsetof(node, arr) + 12, 4, 0, 0},
    {offsetof(node, arr) + 12, offsetof(node, arr) + 16, 4, 0, 0}, {offsetof(node, arr), offsetof(node, arr) + 16, 4, 0, 0},
    {offsetof(node, un), offsetof(node, un) + 4, 8, 0, 0},
    {offsetof(node, deep), offsetof(node, deep) + 8, 16, 0, 0}, {offsetof(node, deep) + 8, offsetof(node, deep) + 16, 32, 0, 0},
    {offsetof(node, kept.low), offsetof(node, kept.low) + 8, 64, 0, 0}, {offsetof(node, kept.v), offsetof(node, kept.v) + 4, 128, 0, 0},
    {offsetof(node, kept), offsetof(node, kept), 128, 0, 0}, {offsetof(node, kept.low.y), offsetof(node, kept.low.y), 64, 0, 0},
    {offsetof(node, deep) + 4, offsetof(node, deep) + 4, 16, 0, 0}, {offsetof(node, deep) + 12, offsetof(node, deep) + 12, 32, 0, 0},
};
static const logged_name int_names[] = {{0, 4, 1, 0, 0}, {0, 4, 1, 0, 1}};
static const logged_name inner_names[] = {{0, 8, 1, 0, 0}, {4, 4, 1, 0, 0}};
static const logged_name thing_names[] = {{offsetof(thing, svs), offsetof(thing, svs), 1, 1, 0}, {0, sizeof(thing), 1, 2, 0}};
PART_NAMES
static const logged_region regions[] = {
    {"nodes", all.nodes, sizeof(node), NODES, node_names, sizeof node_names / sizeof *node_names},
    {"cells", cells, 4, 8, int_names, 2}, {"pairs", all.pairs, 8, 3, inner_names, 2},
    {"sums", &sums, 8, 1, inner_names, 2},
    {"things", all.things, sizeof(thing), NODES, thing_names, 2},
    {"own", &own, sizeof own, 1, own_names, sizeof own_names / sizeof *own_names}, PART_REGION OWN_B
};
'''

OWN = {
    "a": '''
typedef struct local { int x, y, arr[2]; } local;
static local own;
static const logged_name own_names[] = {{0, 16, 1, 0, 0}, {4, 4, 1, 0, 0}, {8, 8, 1, 0, 0}, {12, 12, 1, 0, 0}};
''',
    "b": '''
typedef struct local { inner in; int x, y; } local;
static local own;
static const logged_name own_names[] = {{0, 8, 1, 0, 0}, {8, 16, 2, 0, 0}, {4, 4, 1, 0, 0}, {12, 12, 2, 0, 0}, {0, 0, 2, 0, 0}};
''',
}

FILL = '''
SVS_TYPE_DEFINE(thing, svs, next, other)
memory all;
int cells[8];
totals sums;
slot slots[256];
tally tallies[256];
node stills[4];
int quiets;
PART_MEMORY
static int made;
static const svs_object *follow(const svs_object *object, unsigned link) {
    const thing *o = (const thing *)(const void *)((const char *)object - offsetof(thing, svs));
    const thing *to = link ? o->other : o->next;
    return to ? &to->svs : NULL;
}
static svs_status fill(svs_world *world, unsigned seed) {
    logged_seed(seed + SEED);
    svs_status status = SVS_OK;
    for (int i = 0; i < NODES && !made && !status; i++) status = svs_object_init(&all.things[i].svs, world, &thing_type);
    made = 1;
    for (int i = 0; i < NODES; i++) {
        node *p = &all.nodes[i];
        p->k = (int)logged_random(4), p->n = (int)logged_random(4), p->a = (int)logged_random(4);
        p->b = (int)logged_random(4), p->z = (int)logged_random(3), p->un.i = (int)logged_random(4);
        p->in = (inner){(int)logged_random(4), (int)logged_random(4)}, p->deep[0] = p->in, p->kept = (box){p->in, 1};
        for (int k = 0; k < 4; k++) p->arr[k] = (int)logged_random(4);
        p->bits = logged_random(8), p->more = logged_random(8);
        p->to = &all.nodes[logged_random(NODES)], p->to2 = &all.nodes[logged_random(NODES)];
        p->m = &all.nodes[logged_random(NODES)];
        p->up = i + 1 < NODES && logged_random(4) ? &all.nodes[i + 1 + (int)logged_random((unsigned)(NODES - i - 1))] : NULL;
        p->flag = p->up != NULL, p->some = p->n != 0, p->w = i & 3;
        thing *o = &all.things[i];
        o->k = (int)logged_random(4), o->v = (int)logged_random(4);
        if (!status) status = svs_link(o, next, logged_random(4) ? &all.things[logged_random(NODES)] : NULL);
        if (!status) status = svs_link(o, other, logged_random(4) ? &all.things[logged_random(NODES)] : NULL);
    }
    for (int i = 0; i < 4; i++) stills[i] = all.nodes[i];
    PART_FILL
    return status;
}
static svs_status end(void) {
    svs_status status = SVS_OK;
    for (int i = 0; i < NODES && !status; i++) {
        status = svs_link(&all.things[i], next, NULL);
        if (!status) status = svs_link(&all.things[i], other, NULL);
    }
    for (int i = 0; i < NODES && !status; i++) status = svs_object_clean_up(&all.things[i].svs);
    return status;
}
static void item(int task, unsigned seed, void *to) {
    job *j = to;
    logged_seed(seed + 99u * SEED);
    j->e = &all.nodes[logged_random(NODES)], j->g = &all.nodes[logged_random(NODES)];
    j->i = (int)logged_random(4), j->kind = (int)logged_random(3);
    j->q = &all.nodes[logged_random(NODES)].z;
    j->v = &all.nodes[logged_random(NODES)].in;
    j->o = &all.things[logged_random(NODES)], j->h = &all.things[logged_random(NODES)];
    j->mine = &slots[(2 * seed + (unsigned)task) & 255], j->tal = &tallies[(2 * seed + (unsigned)task) & 255];
    *j->mine = (slot){(int)logged_random(4), (int)logged_random(4), &all.nodes[logged_random(NODES)], {1, 2}};
    *j->tal = (tally){(int)logged_random(4), 0};
    j->still = &stills[logged_random(4)];
    PART_ITEM
}
'''

FEATURES = ["mutable", "struct", "union", "bits", "scalar", "cells", "arr", "inner", "recursion", "pointer", "switch", "copy", "deep",
            "macro", "ternary", "things", "quotient", "asyncs", "files", "statics", "arithmetic", "nested", "halves"]
ANNOTATIONS = ["per_item", "per_worker", "stable", "always", "touches_nothing", "touch_of"]
EXTRAS = ["relaxed", "calls", "hushed", "surely", "parts", "far", "last", "left"]
# What a function of SVS_TOUCH_OF does, and how its touch function names that.
NAMED = [("W(p->w) = x;", "svs_writes(f, p);"), ("W(p->a) = x;", "svs_writes(f, p);"), ("W(p->in.x) = R(p->in.y);", "svs_writes(f, &p->in);"),
         ("(void)R(p->to2->b);", "svs_reads(f, p->to2);"), ("if (x > 1) W(p->to->b) = x;", "if (x > 1) svs_writes(f, p->to);"),
         ("if (p->k > 1) W(p->to2->a) = 1; else W(p->in.y) = 1;", "if (p->k > 1) svs_writes(f, p->to2); else svs_writes(f, &p->in);"),
         ("for (int i = 0; i < (x & 3); i++) W(cells[i]) = x;", "for (int i = 0; i < (x & 3); i++) svs_writes(f, &cells[i]);"),
         ("if (o) W(o->v) = x;", "if (o) svs_writes(f, &o->svs);"),
         ("if (o && R(o->next)) W(R(o->next)->v) = x;", "if (o) svs_reads(f, &o->svs);\nif (o && o->next) svs_writes(f, &o->next->svs);")]


class Writer:
    """One program."""

    def __init__(self, number):
        self.r = random.Random(number)
        self.number = number
        self.names = 0
        self.helpers = []
        self.features = {f for f in FEATURES if self.r.random() < 0.45}
        self.visit = self.r.random() < 0.6
        self.fields = self.r.sample(["a", "b", "in.x", "in.y"], self.r.randint(1, 3))
        if "arr" in self.features:
            self.fields.append("arr")
        self.file = "a"
        self.chance = random.Random(f"annotations {number}")  # apart, so that the rest of a program does not change
        self.annotations = {a for a in ANNOTATIONS if self.chance.random() < 0.6} if number % 5 == 4 else set()
        self.extras = {e for e in EXTRAS if self.chance.random() < 0.6} if number % 5 == 1 else set()
        self.certain = EXTRAS[number // 5 % len(EXTRAS)] if self.extras else None  # each task begins with it
        self.extras |= {self.certain} if self.certain else set()

    def has(self, feature):
        return feature in self.features

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    # ---- expressions ----

    def pointer(self, scope, depth=1):
        """An expression of type node *, never NULL."""
        r = self.r
        if self.has("arithmetic") and r.random() < 0.06:
            return r.choice(["(all.nodes + ({} & 7))", "(&all.nodes[{} & 7])"]).format(self.value(scope, 0))
        if depth <= 0 or r.random() < 0.5:
            return r.choice(scope["p"])
        fields = ["to", "to2", "to"] + (["m"] if self.has("mutable") else [])
        if self.has("ternary") and r.random() < 0.15:
            return f"({self.condition(scope, 0)} ? {self.pointer(scope, depth - 1)} : {self.pointer(scope, depth - 1)})"
        return f"R({self.pointer(scope, depth - 1)}->{r.choice(fields)})"

    def value(self, scope, depth=1):
        r = self.r
        c = r.random()
        if depth <= 0 or c < 0.25:
            return str(r.randint(0, 3))
        if c < 0.45 and scope["i"]:
            return r.choice(scope["i"])
        if c < 0.7:
            return f"R({self.pointer(scope)}->{r.choice(['k', 'k', 'n', 'a', 'b'])})"
        if c < 0.73 and self.has("union"):
            return f"(int)R({self.pointer(scope)}->un.u)"
        if c < 0.75 and self.has("bits"):
            return f"(int)BITS_R({r.choice(scope['p'])}, more)"
        if c < 0.77 and self.has("statics"):
            return f"R(own.{r.choice('xy')})"
        if c < 0.8 and self.helpers and scope["calls"]:
            pure = [h for h in self.helpers if h[1] == "int"]
            if pure:
                return f"{r.choice(pure)[0]}(A {self.pointer(scope)}, {self.value(scope, 0)})"
        return f"({self.value(scope, depth - 1)} {r.choice(['+', '-', '&', '^', '|'])} {self.value(scope, depth - 1)})"

    def condition(self, scope, depth=1):
        r = self.r
        c = r.random()
        if depth > 0 and c < (0.25 if self.has("halves") else 0.08) and scope["i"]:
            halves = [f"{r.choice(scope['i'])} {r.choice('<>')} {r.randint(0, 2)}", self.changing(scope)]
            r.shuffle(halves)
            return r.choice(["", "!"]) + "(" + r.choice([" && ", " || "]).join(halves) + ")"
        if depth > 0 and c < 0.25:
            return f"({self.condition(scope, depth - 1)} {r.choice(['&&', '||'])} {self.condition(scope, depth - 1)})"
        if c < 0.35 and self.has("union") and r.random() < 0.5:
            return f"(R({r.choice(scope['p'])}->un.u) & 1)"
        if c < 0.35:
            return f"R({self.pointer(scope)}->up)"
        if c < 0.4:
            return f"!{self.condition(scope, 0)}"
        return f"({self.value(scope)} {r.choice(['<', '==', '>', '!='])} {self.value(scope, 0)})"

    def place(self, scope):
        """An lvalue of type int that tasks write."""
        r = self.r
        c = r.random()
        p = self.pointer(scope, 2)
        if c < 0.08 and self.has("cells"):
            return f"cells[{self.value(scope)} & 7]"
        if c < 0.16 and self.has("scalar"):
            return r.choice(["*R(t->q)" if scope["task"] else f"{p}->z", f"{p}->z"])
        if c < 0.24 and self.has("union"):
            return f"{p}->un.i"
        if c < 0.32 and self.has("inner") and scope["task"]:
            return f"R(t->v)->{r.choice('xy')}"
        if c < 0.38 and self.has("deep"):
            return f"{p}->deep[{self.value(scope)} & 1].{r.choice('xy')}"
        if c < 0.42 and self.has("statics"):
            return r.choice([f"own.{r.choice('xy')}", "own.x", "sums.count", "sums.sum"])
        if c < 0.46 and self.has("nested"):
            return f"{p}->kept.{r.choice(['low.x', 'low.y', 'v'])}"
        if c < 0.52 and self.has("arithmetic"):
            return f"*({p}->arr + ({self.value(scope)} & 3))"
        field = r.choice(self.fields)
        if field == "arr":
            return f"{p}->arr[{self.value(scope)} & 3]"
        return f"{p}->{field}"

    # ---- statements ----

    def store(self, scope):
        r = self.r
        op = r.choice(["=", "+=", "="])
        place, value = self.place(scope), self.value(scope)
        if op == "+=":
            return [f"W({place}) = R({place}) + {value};"]
        return [f"W({place}) = {value};"]

    def declared(self, scope):
        r = self.r
        p = self.name("p")
        out = [f"node *{p} = {self.pointer(scope, 2)};"]
        scope["p"].append(p)
        if r.random() < 0.5:
            out.append(f"if ({self.condition(scope)}) {p} = {self.pointer(scope)};")
        if r.random() < 0.6:
            out += self.store({**scope, "p": [p]}) + [f"{p} = {self.pointer(scope)};"]
        if self.has("arithmetic") and r.random() < 0.3:
            q = self.name("q")
            out += [f"int *{q} = {p}->arr + ({self.value(scope)} & 1);", f"W({q}[{r.randint(0, 2)}]) = {self.value(scope)};"]
        return out + self.store({**scope, "p": [p]})

    def loop(self, scope, depth):
        r = self.r
        c = r.random()
        inner = self.inner(scope, loop=True)
        if c < 0.4:
            i = self.name("i")
            bound = r.choice(["2", "3", f"R({self.pointer(scope)}->n)", f"R({r.choice(scope['p'])}->b) && {i} < 3"])
            more = f" && {self.condition(scope)}" if r.random() < 0.3 else ""
            inner["i"] = inner["i"] + [i]
            return [f"for (int {i} = 0; {i} < {bound}{more}; {i}++) {{", *self.block(inner, depth - 1), "}"]
        if c < 0.7:
            p = self.name("p")
            inner["p"] = inner["p"] + [p]
            more = f" && {self.condition(scope)}" if r.random() < 0.3 else ""
            inner["fixed"] = inner["fixed"] + [p]
            return [f"for (node *{p} = {self.pointer(scope)}; {p}{more}; {p} = R({p}->up)) {{",
                    *self.block({**inner, "fixed": inner["fixed"] + [p]}, depth - 1), "}"]
        i = self.name("i")
        inner["i"] = inner["i"] + [i]
        if c < 0.8:
            return [f"int {i} = 0;", f"while ({i} < 3) {{", f"{i}++;", *self.block(inner, depth - 1), "}"]
        if c < 0.9:  # an end that depends on what tasks write
            return [f"int {i} = 0;", f"while ({self.changing(scope)} && {i} < 3) {{", f"{i}++;", *self.block(inner, depth - 1), "}"]
        return [f"int {i} = 0;", "do {", f"{i}++;", *self.block(inner, depth - 1), f"}} while ({i} < 2);"]

    def guarded(self, scope):
        """A pointer that may be NULL, behind a condition that says so."""
        r = self.r
        p = r.choice(scope["p"])
        store = self.store({**scope, "p": [f"R({p}->up)"]})
        if r.random() < 0.5:
            return [f"if (R({p}->flag)) {{", *store, "}"]
        if r.random() < 0.5:
            return [f"if (R({p}->a) > 1 && R({p}->up)) {{", *store, "}", f"W({p}->flag) = R({p}->up) != NULL;"]
        return [f"if (R({p}->up)) {{", *store, "}"]

    def quotient(self, scope):
        """A divisor that a condition on what tasks write guards."""
        p = self.r.choice(scope["p"])
        return self.r.choice([
            [f"if (R({p}->some)) W(cells[(R({p}->k) / R({p}->n)) & 7]) = 1;"],
            [f"W({p}->z) = R({p}->n) != 0;", f"if (R({p}->z)) W(cells[(R({p}->k) / R({p}->n)) & 7]) = 1;"],
            [f"W({p}->z) = R({p}->n) != 0;", f"if (R({p}->z) && R({p}->k) % R({p}->n) == 0) W(cells[R({p}->k) & 7]) = 1;"]])

    def things(self, scope, depth):
        r = self.r
        o, c = r.choice(scope["o"]), r.random()
        link = r.choice(["next", "other"])
        if c < 0.3 or depth <= 0:
            return [f"W({o}->{r.choice(['v', 'v', 'in.x'])}) = {self.value(scope)};"]
        if c < 0.55:
            name = self.name("o")
            inner = self.inner(scope)
            inner["o"] = [name]
            more = [f"if ({self.condition(scope)}) {name} = {r.choice(scope['o'])};"] if r.random() < 0.3 else []
            return [f"thing *{name} = R({o}->{link});", *more, f"if ({name}) {{", *self.things(inner, depth - 1),
                    *self.things(inner, depth - 1), "}"]
        if c < 0.7:
            name, i = self.name("o"), self.name("i")
            inner = self.inner(scope, loop=True)
            inner["o"] = [name]
            return ["{", f"int {i} = 0;", f"for (thing *{name} = {o}; {name} && {i} < 4; {name} = R({name}->{link})) {{", f"{i}++;",
                    *self.things(inner, depth - 1), "}", "}"]
        if c < 0.78 and scope["links"]:
            name, other = self.name("o"), r.choice(["next", "other"])
            inner = self.inner(scope)
            inner["o"] = [f"R({name}->{other})"] if r.random() < 0.3 else [name]
            follow = f"if ({name} && R({name}->{other})) {{" if inner["o"][0] != name else f"if ({name}) {{"
            return [f"LINK({o}, {link}, {r.choice(scope['o'])});", f"thing *{name} = R({r.choice([*scope['o'], o])}->{link});", follow,
                    *self.things({**inner, "links": False}, 0), "}"]
        if c < 0.82 and scope["links"]:
            return [f"LINK({o}, {link}, {r.choice([*scope['o'], 'NULL'])});"]
        if c < 0.9 and self.visit and scope["task"]:
            return [f"visit(A {o}, {r.choice(['1', '2', self.value(scope, 0)])});"]
        return [f"if ({self.condition(scope)}) {{", *self.things(self.inner(scope), depth - 1), "}"]

    def switch(self, scope, depth):
        out = [f"switch ({self.value(scope)} & 3) {{"]
        for case in range(self.r.randint(1, 3)):
            out += [f"case {case}:", *self.block(self.inner(scope, switch=True), depth - 1, braces=True)]
            if self.r.random() < 0.7:
                out.append("break;")
        if self.r.random() < 0.5:
            out += ["default:", *self.store(self.inner(scope))]
        return [*out, "}"]

    def call(self, scope):
        r = self.r
        name, kind = r.choice(self.helpers)
        if kind == "node *":
            p = self.name("p")
            out = [f"node *{p} = {name}(A {self.pointer(scope)}, {self.value(scope)});"]
            scope["p"].append(p)
            return out + self.store({**scope, "p": [p]})
        if kind == "table":
            return [f"table[{self.value(scope)} & 1](A {self.pointer(scope)}, {self.value(scope)});"]
        if kind == "async":
            if not scope["task"]:
                return self.store(scope)
            return [self.r.choice([f"SVS_CALL_ON(svs_context_async(c), spread, A {self.pointer(scope)}, {self.value(scope)});",
                                   "svs_async(svs_context_async(c), later, t, sizeof *t);"])]
        return [f"{name}(A {self.pointer(scope)}, {self.value(scope)});"]

    def copy(self, scope):
        a, b = self.pointer(scope), self.pointer(scope)
        choices = [[f"W({a}->in) = R({b}->in);"], [f"{{ inner l_ = R({b}->in); l_.x++; W({a}->in) = l_; }}"],
                   [f"W({a}->in) = (inner){{1, {self.value(scope)}}};"]]
        if self.has("nested"):
            choices += [[f"W({a}->kept) = R({b}->kept);"], [f"{{ box l_ = R({b}->kept); l_.v++; W({a}->kept) = l_; }}"],
                        [f"W({a}->kept.low) = R({b}->in);"]]
        if self.has("deep"):
            choices.append([f"W(all.pairs[{self.value(scope, 0)} % 3]) = R({b}->deep[1]);"])
        return self.r.choice(choices)

    def jump(self, scope):
        r = self.r
        jumps = [scope["return"]]
        if scope["loop"]:
            jumps += ["break;", "break;", "continue;"] if not scope["switch"] else ["continue;"]
        return [f"if ({self.condition(scope)}) {r.choice(jumps)}"]

    def changing(self, scope):
        p = self.r.choice(scope["p"])
        return f"(R({p}->{self.r.choice(['a', 'b', 'in.x'])}) & 1)"

    def known(self, scope):
        return f"{self.r.choice(scope['i'] or ['2'])} {self.r.choice('<>')} {self.r.randint(0, 2)}"

    def jumps(self, scope):
        """A jump that depends on what tasks write, and one that does not."""
        r = self.r
        first = "continue;" if scope["switch"] else r.choice(["break;", "continue;"])
        second = [f"if ({self.known(scope)}) {scope['return'] if scope['switch'] else r.choice(['break;', scope['return']])}"]
        if r.random() < 0.4:
            i = self.name("i")
            out = [f"for (int {i} = 0; {i} < 2; {i}++) {{", f"if ({self.changing(scope)}) break;",
                   f"if ({self.known(scope)}) {scope['return']}", "}"]
            return out + self.store(scope)
        return [*self.store({**scope, "p": scope["p"][-1:]}), f"if ({self.changing(scope)}) {first}", *second,
                *self.store({**scope, "p": scope["p"][-1:]})]

    def returns(self, scope):
        """A return that depends on what tasks write, in front of what is set and of a jump that is known."""
        i, p = self.name("i"), self.r.choice(scope["p"])
        if self.r.random() < 0.5:
            return [f"if (!R({p}->flag)) {scope['return']}", *self.store({**scope, "p": [f"R(R({p}->up)->to)"]})]
        out = [f"int {i} = 1;", f"if ({self.changing(scope)}) {scope['return']}", f"{i} = 0;"] if self.r.random() < 0.5 else [
            f"int {i} = 0;", f"if ({self.changing(scope)}) {scope['return']}"]
        return [*out, f"if ({self.known(scope)}) {scope['return']}", *self.store({**scope, "p": [p], "i": scope["i"] + [i]})]

    # ---- annotations ----

    def annotated(self, scope):
        """Statements with one of the annotations of the program."""
        usual, self.r = self.r, self.chance
        out = getattr(self, self.r.choice(sorted(self.annotations)))(scope)
        self.r = usual
        return out

    def extra(self, scope):
        """Statements of one of the program's extras."""
        usual, self.r = self.r, self.chance
        out = getattr(self, self.r.choice(sorted(self.extras)))(scope)
        self.r = usual
        return out

    def used(self, scope, value):
        """A number or condition that decides what is accessed."""
        return self.r.choice([[f"W(cells[({value}) & 7]) = {self.value(scope, 0)};"],
                              [f"if (({value}) > 1) {{", *self.store(self.inner(scope)), "}"],
                              [f"W({self.pointer(scope)}->arr[({value}) & 3]) = 1;"]])

    def per_item(self, scope):
        if not scope["task"]:
            return []
        field = self.r.choice(["x", "x", "k", "y[1]", f"y[{self.value(scope, 0)} & 1]"])
        out = [self.r.choice(["", f"t->mine->x = {self.value(scope)};", f"t->mine->y[1] = {self.value(scope)};"])]
        if self.r.random() < 0.75:
            return out + self.used(scope, f"t->mine->{field}")
        p = self.name("p")
        out.append(self.r.choice([f"t->mine->at = {self.pointer(scope)};", f"if ({self.condition(scope)}) t->mine->at = {self.pointer(scope)};", ""]))
        return ["{", *out, f"node *{p} = t->mine->at;", *self.store({**self.inner(scope), "p": [p]}), "}"]

    def per_worker(self, scope):
        if not scope["task"]:
            return []
        return [f"t->tal->n += {self.value(scope)};", *self.used(scope, self.r.choice(["t->tal->n", "t->tal->n + t->tal->m"]))]

    def stable(self, scope):
        if not scope["task"]:
            return []
        still, p = "SVS_STABLE(t->still)", self.name("p")
        if self.r.random() < 0.5:
            return self.used(scope, f"{still}->{self.r.choice(['a', 'b', 'k', 'in.x', 'arr[1]', 'z', 'to->k', 'm->a'])}")
        return ["{", f"node *{p} = R({still}->{self.r.choice(['to', 'm', 'm', 'm->m', 'to->m'])});", *self.store({**self.inner(scope), "p": [p]}), "}"]

    def always(self, scope):
        holds = f"SVS_ALWAYS({self.r.choice(['quiets >= 0', 'cells != NULL'])})"
        return self.r.choice([[f"if ({holds}) {{", *self.store(self.inner(scope)), "} else {", "never();", "}"], [f"if (!{holds}) {scope['return']}"],
                              [f"if (!{holds}) never();"], [f"if ({holds} && {self.condition(scope)}) {{", *self.store(self.inner(scope)), "}"]])

    def touches_nothing(self, scope):
        p = self.name("p")
        if self.r.random() < 0.85:
            return self.used(scope, f"quiet({self.pointer(scope)}, {self.value(scope, 0)})")
        return ["{", f"node *{p} = ({self.pointer(scope)})->k > quiet(NULL, 1) ? {self.pointer(scope)} : {self.pointer(scope)};",
                *self.store({**self.inner(scope), "p": [p]}), "}"]

    def touch_of(self, scope):
        call = f"named(A {self.pointer(scope)}, {self.r.choice([*scope['o'], 'NULL'])}, {self.value(scope)})"
        if self.r.random() < 0.4:
            return [f"(void){call};", *self.used(scope, f"R({self.pointer(scope)}->w)")]
        return [f"(void){call};"] if self.r.random() < 0.5 else self.used(scope, call)

    def parts(self, scope):
        if not scope["task"]:
            return []
        r, c, bag = self.r, self.name("c"), self.r.choice(["R(t->bag1)", "R(t->bag2)"])
        store = f"W({c}->v) = {self.value(scope, 0)};"
        return r.choice([
            [f"for (part *{c} = R({bag}->lead); {c}; {c} = R({c}->next)) {store}"],
            ["{", f"part *{c} = R({bag}->lead);", f"if ({c}) {store}", f"W({bag}->n) = {self.value(scope, 0)};", "}"],
            ["{", f"part *{c} = R(R(t->bag1)->lead);", f"if ({self.condition(scope)}) {c} = R(R(t->bag2)->lead);", f"if ({c}) {store}", "}"],
            [f"if (R({bag}->lead) && R({bag}->n) > 1) W({bag}->lead) = R(R({bag}->lead)->next);"],
            ["W(R(t->loose)->v) = 1;"] if r.random() < 0.2 else self.used(scope, f"R({bag}->n)")])

    def relaxed(self, scope):
        p = self.pointer(scope)
        return self.r.choice([[f"RELAXED_W({p}, {self.value(scope, 0)});"], [f"ATOMIC_ADD({p}, {self.value(scope, 0)});"],
                              self.used(scope, f"RELAXED_R({p})")])

    def far(self, scope):
        """A loop that ends where the body comes to it."""
        p, q, far = self.r.choice(scope["p"]), self.name("p"), self.name("i")
        return [f"W({p}->b) = ends_at(A {p});", "{", f"const int {far} = R({p}->b);",
                f"if ({far}) {{", f"node *{q} = {p};", f"while (R({q}->k) != 0) {q} = R({q}->to);", f"W({q}->a) = 1;", "}", "}"]

    def last(self, scope):
        if not scope["task"]:
            return []
        return [f"t->tal->last = {self.pointer(scope)};", f"if ({self.condition(scope)}) W(t->tal->last->a) = {self.value(scope, 0)};"]

    def calls(self, scope):
        if not scope["task"]:
            return []
        e = self.r.choice(["R(t->e)", "R(t->g)"])
        return [f"picks[R({e}->up) ? 1 : 0](A {e}, {self.value(scope, 0)});"]

    def hushed(self, scope):
        return [f"(void)hush(R({self.pointer(scope)}->b));"]

    def surely(self, scope):
        return [f"if (SVS_ALWAYS(quiets >= 0)) W({self.pointer(scope)}->b) = 2;", "else abort();"]

    def left(self, scope):
        """A return and a `continue` that tasks decide, in front of a pointer that is not NULL behind them."""
        if not scope["task"]:
            return []
        e, i = self.r.choice(["R(t->e)", "R(t->g)"]), self.name("i")
        return [f"W({e}->flag) = R({e}->up) != NULL;", f"leap(A {e});", f"for (int {i} = 0; {i} < 1; {i}++) {{",
                f"if (!R({e}->flag)) continue;", f"W(R(R({e}->up)->to2)->b) = 1;", "}"]

    def begin(self, scope):
        """The program's certain extra, with accesses that nothing else is likely to name."""
        e, away = "R(t->e)", "R(R(t->g)->to2)"
        forms = {"relaxed": [f"RELAXED_W({away}, 1);", "ATOMIC_ADD(R(R(t->g)->to), 1);", f"W(cells[RELAXED_R({e}) & 7]) = 1;"],
                 "calls": [f"picks[R({e}->up) ? 1 : 0](A {e}, 1);"],
                 "hushed": [f"(void)hush(R({away}->b));", f"W({e}->b) = 1;"],
                 "surely": [f"if (SVS_ALWAYS(quiets >= 0)) W({away}->b) = 2;", "else abort();"],
                 "parts": ["if (t->i == 3) W(R(t->loose)->v) = 1;", "for (part *c = R(R(t->bag1)->lead); c; c = R(c->next)) W(c->v) = 2;"],
                 "far": self.far({**scope, "p": [e]}), "last": [f"t->tal->last = {away};", "W(t->tal->last->b) = 3;"],
                 "left": self.left(scope)}
        return forms[self.certain] if self.certain else []

    def extra_functions(self):
        out = []
        if "far" in self.extras:
            out += ["static int ends_at(P node *p) {", "for (int i = 0; i < NODES; i++) {", "if (R(p->k) == 0) return 1;", "p = R(p->to);", "}",
                    "return 0;", "}"]
        if "hushed" in self.extras:
            out += ["static int hush(int x) { return __atomic_add_fetch(&quiets, x, __ATOMIC_RELAXED); }", "SVS_TOUCHES_NOTHING(hush)"]
        if "left" in self.extras:
            out += ["static void leap(P node *p) {", "if (!R(p->flag)) return;", "W(R(R(p->up)->to)->b) = 1;", "}"]
        if "calls" in self.extras:
            out += ["static void strike(P node *p, int x) { W(R(p->to)->b) = x; }", "static void climb(P node *p, int x) { W(R(R(p->up)->to)->b) = x; }",
                    "static void (*const picks[2])(P node *, int) = {strike, climb};"]
        return out

    def annotated_functions(self):
        out = ["static int quiet(const node *p, int x) { return (__atomic_add_fetch(&quiets, 1, __ATOMIC_RELAXED) + (p ? p->k : 0) + x) & 3; }",
               "SVS_TOUCHES_NOTHING(quiet)", "#if defined(SVS_SCAN)", "void never(void); /* its body is not seen */", "#else",
               "static inline void never(void) { abort(); }", "#endif"]
        chosen = [NAMED[0], *self.chance.sample(NAMED[1:], self.chance.randint(0, 2))]
        if "touch_of" in self.annotations:
            out += ["static int named(P node *p, thing *o, int x) {", "(void)o, (void)x;", *[does for does, _ in chosen],
                    "return R(p->k) + x;", "}", "static void named_touch(svs_footprint *f, node *p, thing *o, int x) {", "(void)p, (void)o, (void)x;",
                    *[line for _, names in chosen for line in names.split("\n")], "}", "SVS_TOUCH_OF(named, named_touch)"]
        return out if self.annotations else []

    def statement(self, scope, depth):
        more = self.annotated(scope) if self.annotations and self.chance.random() < 0.3 else []
        if self.extras and self.chance.random() < 0.2:
            more = self.extra(scope)
        return more + self.plain(scope, depth)

    def plain(self, scope, depth):
        r = self.r
        c = r.random()
        if scope["loop"] and r.random() < 0.15:
            return self.jumps(scope)
        if r.random() < 0.04:
            return self.returns(scope)
        if self.has("things") and scope["o"] and r.random() < 0.4:
            return self.things(scope, depth)
        if self.has("quotient") and r.random() < 0.1:
            return self.quotient(scope)
        if depth <= 0 or c < 0.3:
            return self.store(scope)
        if c < 0.45:
            out = [f"if ({self.condition(scope)}) {{", *self.block(self.inner(scope), depth - 1), "}"]
            if r.random() < 0.4:
                out[-1] = "} else {"
                out += [*self.block(self.inner(scope), depth - 1), "}"]
            return out
        if c < 0.57:
            return self.loop(scope, depth)
        if c < 0.66:
            return self.declared(scope)
        if c < 0.72:
            return self.guarded(scope)
        if c < 0.8:
            return self.jump(scope)
        if c < 0.84 and self.has("switch"):
            return self.switch(scope, depth)
        if c < 0.88 and self.has("copy"):
            return self.copy(scope)
        if c < 0.9 and self.has("bits"):
            p = r.choice(scope["p"])
            return [f"BITS_W({p}, bits, {self.value(scope)} & 7);"]
        if c < 0.92 and self.has("macro"):
            return [f"STORE({self.pointer(scope)}, {self.value(scope)});"]
        if c < 0.94 and self.has("mutable"):
            return [f"W({self.pointer(scope)}->m) = {self.pointer(scope)};"]
        if self.helpers and scope["calls"]:
            return self.call(scope)
        return self.store(scope)

    def inner(self, scope, loop=False, switch=False):
        return {**scope, "p": list(scope["p"]), "o": list(scope["o"]), "i": list(scope["i"]), "fixed": list(scope["fixed"]),
                "loop": scope["loop"] or loop, "switch": False if loop else scope["switch"] or switch}

    def block(self, scope, depth, braces=False):
        out = []
        for _ in range(self.r.randint(1, 3)):
            out += self.statement(scope, depth)
        return ["{", *out, "}"] if braces else out

    def scope(self, pointers, task, result):
        return {"p": pointers, "o": ["R(t->o)", "R(t->h)"] if task else [], "i": ["t->i", "t->kind"] if task else ["x"], "fixed": [],
                "loop": False, "switch": False, "task": task, "calls": True, "links": True, "return": result}

    # ---- functions ----

    def helper(self, name, kind=None, storage="static"):
        r = self.r
        kind = kind or r.choice(["void", "void", "int", "node *"])
        result = {"void": "return;", "int": "return x;", "node *": "return p;"}[kind]
        scope = self.scope(["p"], False, result)
        depth = r.randint(0, 2)
        if kind == "int" and r.random() < 0.5:
            body = [f"return R(p->k) {r.choice('+-')} x + R(p->to)->n;"]
        else:
            body = self.block(scope, depth)
            if kind == "int":
                body.append(f"return {self.value(scope)};")
            if kind == "node *":
                body.append(f"return {self.pointer({**scope, 'p': scope['p'][:1]}, 2)};")
        if kind == "void" and self.has("recursion") and r.random() < 0.6:
            body.append(f"if (x > 0 && x < 4) {name}(A {self.pointer({**scope, 'p': scope['p'][:1]})}, x - 1);")
        self.helpers.append((name, kind))
        return [f"{storage} {kind} {name}(P node *p, int x) {{", "(void)p, (void)x;", *body, "}"]

    def asyncs(self):
        """An async of each kind: one with typed arguments, which spawns another, and one that gets the item."""
        scope = self.scope(["p"], False, "return;")
        out = ["SVS_ASYNC_VOID(leaf, ASYNC_P (node *, p), (int, x)) {", "(void)x;", *self.block(scope, 1), "}",
               "SVS_ASYNC_VOID(spread, ASYNC_P (node *, p), (int, x)) {", "for (int n = 0; n < 2; n++)",
               f"SVS_ASYNC(leaf, A {self.r.choice(['R(p->to)', 'p', 'R(R(p->to2)->to)'])}, x + n);", *self.store(self.scope(["p"], False, "return;")),
               "SVS_SYNC(spread);", "}"]
        self.helpers.append(("spread", "async"))
        scope = self.scope(["R(t->e)", "R(t->g)"], True, "return;")
        scope["calls"] = False
        return out + ["static void later(svs_async_context *c, void *argument) {", "job *t = argument;", "BEGIN(t)", "(void)c;",
                      *self.block({**scope, "links": False}, 1), "}"]

    def source(self, tasks):
        """The functions and tasks of one file."""
        r = self.r
        self.helpers = [("outside", "int")] if self.has("files") and self.file == "a" else []
        out = self.annotated_functions() + self.extra_functions()
        if self.visit and self.has("things"):
            out += ["static void visit(P thing *o, int x) {", "W(o->v) = x;", "if (x > 0 && x < 4 && R(o->next)) visit(A R(o->next), x - 1);",
                    *(["if (x > 1 && x < 4 && R(o->other)) visit(A R(o->other), x - 2);"] if r.random() < 0.5 else []), "}"]
        for name in ["helper", "assist", "third"][: r.randint(0, 3)]:
            out += self.helper(name)
        if self.file == "b":
            out += self.helper("outside", "int", "")
        voids = [n for n, k in self.helpers if k == "void"]
        if voids and self.has("pointer"):
            out.append(f"static void (*const table[2])(P node *, int) = {{{r.choice(voids)}, {r.choice(voids)}}};")
            self.helpers.append(("table", "table"))
        if self.has("asyncs"):
            out += self.asyncs()
        for task in tasks:
            out.append(f"static svs_status {task}_run(svs_context *c, job *t) {{")
            out += ["(void)c, (void)t;", "BEGIN(t)"]
            scope = self.scope(["R(t->e)", "R(t->g)"], True, "return SVS_OK;")
            out += self.begin(scope) + self.block(scope, 3)
            out += ["return SVS_OK;", "}", f"SVS_TASK_SCANNED({task}, job, {task}_run)"]
        plain = {n for n, k in self.helpers if k in ("int", "void", "node *")} | {n for n, e in (("ends_at", "far"), ("leap", "left")) if e in self.extras}
        out += ["#if !defined(SVS_SCAN)", *[f"#define {n}(...) {n}(0, __VA_ARGS__)" for n in sorted(plain)], "#endif"]
        return out

    def program(self):
        """The header's part, and the lines of both files."""
        two = self.has("files")
        a = OWN["a"].splitlines() + FILL.replace("SEED", f"{self.number}u").splitlines()
        a += self.source(["first"] if two else ["first", "second"])
        names = ", ".join(f"{{offsetof(node, {f}), offsetof(node, {f}) + sizeof(((node *)0)->{f}), 1, 0, 0}}" for f in FIELDS)
        a += ["#if !defined(SVS_SCAN)"] + REGIONS.replace("OWN\n", names + ",\n").replace("OWN_B", "{0}").splitlines()
        second = "NULL" if two else "&second_task"
        fixed = int(not self.features & {"mutable", "things"} and not self.annotations and not self.extras)
        many = 7 if "parts" in self.extras else 6
        a += [f"static const svs_task_type *tasks[] = {{&first_task, {second}, NULL}};",
              f"static logged_region all_regions[9];", f"static int check(unsigned inputs) {{",
              f"memcpy(all_regions, regions, {many} * sizeof *regions);",
              *(["tasks[1] = other_task, all_regions[" + str(many) + "] = own_region_b;"] if two else []),
              f'static const logged_program program = {{"program {self.number}", tasks, all_regions, {many + two}, fill, end, item, follow, {fixed}}};',
              "return logged_check(&program, inputs);", "}", "#endif"]
        b = []
        if two:
            self.file = "b"
            b = OWN["b"].splitlines() + self.source(["second"])
            b += ["const svs_task_type *const other_task = &second_task;",
                  "#if !defined(SVS_SCAN)", 'const logged_region own_region_b = {"own of b", &own, sizeof own, 1, own_names, 5};', "#endif"]
        return [TYPES.splitlines(), a, b]

    def with_parts(self, lines):
        """The texts of PARTS, or nothing, in their places."""
        text = "\n".join(lines)
        for name, part in PARTS.items():
            text = text.replace(name, part if "parts" in self.extras else "")
        return text.splitlines()


LOCAL = ["node", "inner", "box", "job", "memory", "fill", "end", "item", "helper", "assist", "third", "visit", "thing", "follow", "table", "first_run",
         "second_run", "first", "second", "tasks", "program", "all", "own", "local", "made", "outside", "leaf", "spread", "later", "regions",
         "all_regions", "cells", "totals", "sums", "node_names", "int_names", "inner_names", "thing_names", "own_names", "own_region_b", "other_task", "check",
         "part", "bag", "holder", "holders", "holder_names", "ends_at", "leap", "hush", "strike", "climb", "picks", "slot", "tally", "slots", "tallies", "stills", "quiets", "quiet", "never", "named", "named_touch"]
PATTERN = re.compile(r'(?<!->)(?<![."])\b(' + "|".join(LOCAL) + r")\b")


def rename(lines, number):
    """Gives everything at file scope a name of the program's own."""
    fixed = re.compile(r"\b(thing_type|first_task|second_task)\b")
    lines = [PATTERN.sub(lambda m: f"{m.group(1)}_{number}", line) for line in lines]
    return [fixed.sub(lambda m: m.group(1).replace("_", f"_{number}_"), line) for line in lines]


def main():
    first, count, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    base = name.rsplit("/", 1)[-1]
    header, a, b = [HEADER % NODES], [f'#include "{base}.h"'], [f'#include "{base}.h"']
    for number in range(first, first + count):
        writer = Writer(number)
        for to, lines in zip((header, a, b), writer.program()):
            to += rename(writer.with_parts(lines), number)
    a += ["#if !defined(SVS_SCAN)", "int main(int argc, char **argv) {", "int failed = 0;", "unsigned inputs = argc > 1 ? (unsigned)atoi(argv[1]) : 50;",
          *[f"failed += check_{number}(inputs);" for number in range(first, first + count)],
          f'printf("%d programs of {count} are not covered\\n", failed);', "logged_end();", "return failed != 0;", "}", "#endif", "#include SVS_SCANNED"]
    b += ["#include SVS_SCANNED"]
    for suffix, lines in ((".h", header), ("_a.c", a), ("_b.c", b)):
        with open(name + suffix, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
