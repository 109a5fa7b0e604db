"""Statements of drawn programs (grammar.py) that write by one name, and read by another: each has the variables of its own that it
needs for that."""

import re


class Memory:
    # production: (declarations, statements, what `set_NUMBER` does); V and W are variables, N a type, F a function, Q a local name,
    # $ an index
    MEMORY = {
        "bytes from a member on": ("static struct { int h, a, b, c; } V[4];\nstatic int W[8];", "memset(&V[$ & 3].a, 0, 2 * sizeof(int)); W[V[$ & 3].b & 7] = 1;", ""),
        "bytes of a struct from a member on": ("static struct { int h; struct { int a, b; } in; int c; } V[4];\nstatic int W[8];",
                                               "memset(&V[$ & 3].in.b, 1, 2 * sizeof(int)); W[V[$ & 3].c & 7] = 1;", ""),
        "array copied by its address": ("static struct { int h, list[4]; } V[4];", "memcpy(&V[$ & 3].list, &V[$ & 3].list, sizeof V[0].list); V[$ & 3].list[$ & 3] = 1;", ""),
        "variable copied by its address": ("static int V[4], W[4];", "memcpy(&V, &W, sizeof V); V[$ & 3] = W[$ & 3] = 1;", ""),
        "row copied by its address": ("static int V[4][4], W[4];", "memcpy(&V[$ & 3], &W, sizeof W); V[$ & 3][$ & 3] = 1;", ""),
        "pointers copied into the body": ("typedef struct { int a; } N;\nstatic N V[4];\nstatic N *W[4] = {V, V, V, V};",
                                          "{ N *Q[4]; Q[0] = malloc(sizeof(N)); memcpy(Q, W, sizeof Q); Q[$ & 3]->a = 1; }", ""),
        "pointers initialized in the body": ("typedef struct { int a; } N;\nstatic N V[4];", "{ N *Q[2] = {V, V + 1}; if ($) Q[0] = malloc(sizeof(N)); Q[1]->a = 1; }", ""),
        "pointer in a struct of another function": ("typedef struct { int a; } N;\nstatic N V[4];\nstatic struct N_of { N *p; } F(void) { return (struct N_of){V}; }\nSVS_TOUCHES_NOTHING(F)",
                                                    "{ struct N_of Q = {malloc(sizeof(N))}; Q.p->a = 1; Q = F(); Q.p->a = 2; }", ""),
        "pointer stored by another function": ("typedef struct { int a; } N;\nstatic N V[4];\nstruct N_of { N *p; };\nstatic void F(struct N_of *to) { to->p = V; }\nSVS_TOUCHES_NOTHING(F)",
                                               "{ struct N_of Q = {malloc(sizeof(N))}; Q.p->a = 1; F(&Q); Q.p->a = 2; }", ""),
        "pointer stored through a parameter": ("typedef struct { int a; } N;\nstatic N V[4];\nstatic void F(N **to, int i) { *to = &V[i & 3]; }", "{ N *Q = malloc(sizeof(N)); Q->a = 1; F(&Q, $); Q->a = 3; }", ""),
        "bit-field without a name": ("typedef struct { int a; } N;\nstatic N V[4];", "{ struct { N *p; int : 5; N *q; } Q = {0, malloc(sizeof(N))}; Q.q->a = 1; typeof(Q) Q2 = {Q.q, &V[$ & 3]}; Q2.q->a = 1; }", ""),
        "pointers of a union of the body": ("typedef struct { int a; } N;\nstatic N V[4];", "{ union { N *p; void *q; } Q; Q.p = malloc(sizeof(N)); Q.p->a = 2; Q.q = &V[$ & 3]; Q.p->a = 1; }", ""),
        "pointer exchanged": ("typedef struct { int a; } N;\nstatic N V[4];\nstatic N *_Atomic W = V;",
                              "{ N *Q = malloc(sizeof(N)), *Q2 = Q; if (!atomic_compare_exchange_strong(&W, &Q, Q2)) Q->a = 3; }", ""),
        "expected value in memory": ("static _Atomic int V = 3;\nstatic int W[4];", "(void)atomic_compare_exchange_strong(&V, &W[$ & 3], 5);", ""),
        "__atomic_load to memory": ("static int V, W[4];", "__atomic_load(&V, &W[$ & 3], 5); __atomic_store_n(&V, 1, 5);", ""),
        "__atomic_exchange to memory": ("static int V, W[4];", "{ int Q = 2; __atomic_exchange(&V, &Q, &W[$ & 3], 5); }", ""),
        "volatile variable as an index": ("static volatile int V;\nstatic int W[4];", "W[V & 3] = 1;", "V = 1;"),
        "volatile member as an index": ("typedef volatile short N;\nstatic struct { N w; } V[4];\nstatic int W[4];", "W[V[$ & 3].w & 3] = 1;", "V[1].w = 1;"),
        "volatile read by a function": ("static volatile int V;\nstatic int W[4];\nstatic int F(int i) { return V + i; }", "W[F($) & 3] = 1;", "V = 1;"),
        "counter below 0": ("static int V[8], W[8];", "for (unsigned Q = $ & 3; Q >= 0; Q--) { if (V[Q & 7]) break; W[Q & 7] = 1; } V[7] = 1;", "V[6] = 1;"),
        "counter above its type": ("static int V[8], W[8];", "{ unsigned char Q2 = 255; for (unsigned char Q = ($ & 3) + 252; Q <= Q2; Q++) { if (V[Q & 7]) break; W[Q & 7] = 1; } V[2] = 1; }", "V[2] = 1;"),
        "counter of type _Bool": ("static int V[8], W[8];", "for (_Bool Q = 0; Q < 2; Q++) { if (V[Q]) break; W[Q] = 1; } V[1] = 1;", "V[1] = 1;"),
        "bound that is counted": ("static int V[8], W[8];", "{ int Q2 = 1; for (int Q = 0; Q < Q2++ || Q < 3; Q++) { if (V[Q & 7]) break; W[Q & 7] = 1; } V[5] = 1; }", "V[5] = 1;"),
        "first member through void *": ("typedef struct { int a, b; } N;\nstatic N V[4];\nstatic int W[8];", "{ void *Q = &V[$ & 3]; int *Q2 = Q; *Q2 = 3; } W[V[$ & 3].a & 7] = 1;", ""),
        "first member, an array, through void *": ("typedef struct { int list[4]; } N;\nstatic N V[4];", "{ void *Q = &V[$ & 3]; int *Q2 = Q; Q2[$ & 3] = 1; } V[$ & 3].list[$ & 3] = 1;", ""),
        "memory copied from a void *": ("typedef struct { int a, b; } N;\nstatic N V[4];\nstatic void F(const void *from, N *to) { memcpy(to, from, sizeof *to); }",
                                        "F(&V[$ & 3], &V[$ & 3]); V[$ & 3].b = 1;", ""),
        "memory compared by void *": ("typedef struct { int a, b; } N;\nstatic N V[4];\nstatic int F(const void *one, const void *other) { return memcmp(one, other, sizeof(N)); }",
                                      "(void)F(&V[$ & 3], &V[$ & 3]); V[$ & 3].b = 1;", ""),
        "unsigned enumeration constant": ("enum { N = 0x80000000 };\nstatic int W[4];", "W[$ < N] = 1;", ""),
        "values fewer than elements": ("static int V[4], W[4];", "{ int Q[4] = {[1] = V[$ & 3], 3}; W[Q[1] & 3] = 1; V[$ & 3] = 2; }", "V[2] = 1;"),
        "rows with fewer values": ("static int V[4], W[4];", "{ int Q[3][4] = {{V[$ & 3]}, {[2] = V[$ & 3]}}; W[Q[1][2] & 3] = 1; V[$ & 3] = 2; }", "V[2] = 1;"),
        "member with fewer values": ("static int V[4], W[4];", "{ struct { int b, a[4]; } Q = {.a = {1, V[$ & 3]}}; W[Q.a[1] & 3] = 1; V[$ & 3] = 2; }", "V[2] = 1;"),
        "literal with fewer values": ("static int V[4], W[4];", "W[((int[4]){[1] = V[$ & 3]})[$ & 1] & 3] = 1; V[$ & 3] = 2;", "V[2] = 1;"),
        "table with gaps": ("typedef struct { int a; } N;\nstatic N V[4];\nstatic N *const W[8] = {V, [3] = V + 1, [5] = V + 3};", "{ int Q = $ & 7; if (W[Q]) W[Q]->a = 1; }", ""),
        "table of structs with gaps": ("typedef struct { int a; } N;\nstatic N V[4];\nstatic const struct { N *p; int i; } W[4] = {{V, 1}, [2] = {.i = 3, .p = V + 2}};",
                                       "{ int Q = $ & 3; if (W[Q].p) W[Q].p->a = W[Q].i; }", ""),
        "table of rows with gaps": ("typedef struct { int a; } N;\nstatic N V[4];\nstatic N *const W[3][3] = {{[1] = V}, [2] = {V + 1}};", "{ int Q = $ & 1; if (W[Q * 2][1 - Q]) W[Q * 2][1 - Q]->a = 1; }", ""),
        "table of the body with gaps": ("typedef struct { int a; } N;\nstatic N V[4];", "{ static N *const Q2[8] = {V, [4] = V + 2}; int Q = $ & 7; if (Q2[Q]) Q2[Q]->a = 1; }", ""),
        "text shorter than its array": ("static int W[8];", "{ char Q[8] = \"\\1\\2\"; W[Q[$ & 7]] = 1; }", ""),
        "pointer through void **": ("static int V[8];\nstatic int *W[2] = {V, V + 4};", "{ void **Q = (void **)&W[$ & 1]; *Q = &V[$ & 3]; } *W[$ & 1] = 2;", ""),
    }

    def memory(self, known):
        name = self.pick(*self.MEMORY)
        names = {letter: self.name(letter.lower()) for letter in "VWNFQ"}

        def put(text):
            for letter, made in names.items():
                for found in (f"{letter}2", f"{letter}_of", letter):
                    text = self.replaced(text, found, made.replace("_", f"{found[1:]}_", 1) if len(found) > 1 else made)
            return text

        declarations, text, at_first = (put(part) for part in self.MEMORY[name])
        if "malloc" in text:
            self.used["memory that is made"] += 1
        self.file.append(declarations)
        self.set_up.append(at_first)
        while "$" in text:
            self.busy = set()
            text = text.replace("$", known(), 1)
        return f"{{ {text} }}"

    @staticmethod
    def replaced(text, word, by):
        return re.sub(rf"(?<![A-Za-z0-9_]){word}(?![A-Za-z0-9_])", by, text)
