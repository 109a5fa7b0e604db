#include "invariants.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

static const char *const kind_names[KINDS] = {"citizen", "tech", "bomb"};

static bool violated(const world *w, FILE *out, const char *text, ...) {
    va_list arguments;
    fprintf(out, "quakesquad: frame %" PRIu32 ": ", w->frame);
    va_start(arguments, text);
    vfprintf(out, text, arguments);
    va_end(arguments);
    fputc('\n', out);
    return false;
}

/* Walks one list and marks its entities. A mark found twice reveals a cyclic list. */
static bool walk_list(const world *w, entity_kind kind, uint32_t cell, uint8_t *seen,
                      uint32_t *listed, FILE *out) {
    uint32_t length = 0;
    for (const node *n = world_list(w, kind, cell)->first; n; n = n->next, length++) {
        const place *p = n->place;
        if (p->kind != kind)
            return violated(w, out, "I1: %s %" PRIu32 " is in a list of %ss, of cell %" PRIu32,
                            kind_names[p->kind], p->id, kind_names[kind], cell);
        if (seen[p->id]++)
            return violated(w, out,
                            "I1: %s %" PRIu32 " is in two lists, or twice in that of cell %" PRIu32,
                            kind_names[kind], p->id, cell);
        if (world_cell(w, p->x, p->y) != cell)
            return violated(w, out,
                            "I1: %s %" PRIu32 " stands in cell %" PRIu32
                            " but is in the list of %" PRIu32,
                            kind_names[kind], p->id, world_cell(w, p->x, p->y), cell);
    }
    *listed += length;
    if (length > w->crowd[kind])
        return violated(w, out, "I6: cell %" PRIu32 " has %" PRIu32 " %ss, more than %" PRIu32,
                        cell, length, kind_names[kind], w->crowd[kind]);
    return true;
}

static bool check_lists(const world *w, entity_kind kind, uint8_t *seen, FILE *out) {
    uint32_t listed = 0, dead = 0;
    for (uint32_t cell = 0; cell < world_cells(w); cell++)
        if (!walk_list(w, kind, cell, seen, &listed, out)) return false;
    for (uint32_t id = 0; id < w->options.count[kind]; id++) {
        bool alive = kind == BOMB || w->bodies[kind][id].health > 0;
        if (alive && !seen[id])
            return violated(w, out, "I1: %s %" PRIu32 " is in no list", kind_names[kind], id);
        if (!alive && seen[id])
            return violated(w, out, "I2: %s %" PRIu32 " is dead and in a list", kind_names[kind],
                            id);
        if (alive != w->places[kind][id].listed)
            return violated(w, out, "I2: %s %" PRIu32 " is not where it says", kind_names[kind],
                            id);
        dead += !alive;
    }
    if (listed + dead != w->options.count[kind])
        return violated(w, out,
                        "I3: of %" PRIu32 " %ss, %" PRIu32 " are in lists and %" PRIu32 " are dead",
                        w->options.count[kind], kind_names[kind], listed, dead);
    return true;
}

static bool check_sums(const world *w, FILE *out) {
    tally sum = world_tally(w);
    uint64_t lost = 0, died = 0, disarmed = 0;
    for (int kind = CITIZEN; kind <= TECH; kind++)
        for (uint32_t id = 0; id < w->options.count[kind]; id++) {
            const body *b = &w->bodies[kind][id];
            lost += (uint64_t)b->lives * FULL_HEALTH - (uint64_t)b->health;
            died += b->lives - (b->health > 0);
        }
    for (uint32_t id = 0; id < w->options.count[BOMB]; id++)
        disarmed += w->bodies[BOMB][id].disarmed;
    if (lost != sum.dealt)
        return violated(w, out, "I4: damage dealt %" PRIu64 ", health lost %" PRIu64, sum.dealt,
                        lost);
    if (died != sum.left)
        return violated(w, out, "I5: %" PRIu64 " died, %" PRIu64 " left their lists", died,
                        sum.left);
    if (disarmed != sum.disarmed)
        return violated(w, out,
                        "I5: bombs were disarmed %" PRIu64 " times, techs did it %" PRIu64 " times",
                        disarmed, sum.disarmed);
    return true;
}

bool invariants_hold(const world *w, FILE *out) {
    for (int kind = 0; kind < KINDS; kind++) {
        uint8_t *seen = calloc(w->options.count[kind] + 1u, 1);
        bool hold = seen && check_lists(w, kind, seen, out);
        if (!seen) fputs("quakesquad: no memory to check the invariants\n", out);
        free(seen);
        if (!hold) return false;
    }
    return check_sums(w, out);
}
