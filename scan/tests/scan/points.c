/* The solver of scan/src/scan/points/points.h alone: reads relations, writes what each variable
 * points to.
 *
 * A line `set N variables sites` begins a set. `malloc v h`, `assign v w`, `store v f w`,
 * `load v f w` and `field v f w` are its relations; `solve` applies the rules, in between too.
 * For each set: `N v h f` for each pts(v, h.f). */
#include "scan/points/points.h"
#include <stdlib.h>

enum { MOST = 4096 };

typedef struct set {
    points *p;
    unsigned number, variables, sites;
    points_id variable[MOST], site[MOST];
} set;

static void begin(set *s) {
    s->p = points_new();
    for (unsigned i = 0; i < s->variables; i++) s->variable[i] = points_variable(s->p);
    for (unsigned i = 0; i < s->sites; i++) s->site[i] = points_site(s->p);
}

static unsigned number_of(const set *s, points_id root) {
    unsigned i = 0;
    while (i < s->sites && s->site[i] != root) i++;
    return i;
}

static void finish(const set *s) {
    if (!s->p) return;
    points_solve(s->p);
    for (unsigned v = 0; v < s->variables; v++)
        for (points_id h = 0; (h = points_next(s->p, s->variable[v], h)) != 0;)
            printf("%u %u %u %u\n", s->number, v, number_of(s, points_root(s->p, h)),
                   points_part(s->p, h));
}

static bool relate(const set *s, const char *name, const unsigned *n) {
    if (scan_same(name, "malloc")) points_malloc(s->p, s->variable[n[0]], s->site[n[1]]);
    else if (scan_same(name, "assign")) points_assign(s->p, s->variable[n[0]], s->variable[n[1]]);
    else if (scan_same(name, "store"))
        points_store(s->p, s->variable[n[0]], n[1], s->variable[n[2]]);
    else if (scan_same(name, "load")) points_load(s->p, s->variable[n[0]], n[1], s->variable[n[2]]);
    else if (scan_same(name, "field"))
        points_field(s->p, s->variable[n[0]], n[1], s->variable[n[2]]);
    else if (scan_same(name, "solve")) points_solve(s->p);
    else return false;
    return true;
}

int main(void) {
    static set s;
    char line[128], name[16];
    while (fgets(line, sizeof line, stdin)) {
        unsigned n[3] = {0};
        if (sscanf(line, "set %u %u %u", &n[0], &n[1], &n[2]) == 3 && n[1] < MOST && n[2] < MOST) {
            finish(&s);
            s.number = n[0];
            s.variables = n[1];
            s.sites = n[2];
            begin(&s);
        } else if (!s.p || sscanf(line, "%15s %u %u %u", name, &n[0], &n[1], &n[2]) < 1 ||
                   !relate(&s, name, n)) {
            fprintf(stderr, "points: what is this? %s", line);
            return 1;
        }
    }
    finish(&s);
    return 0;
}
