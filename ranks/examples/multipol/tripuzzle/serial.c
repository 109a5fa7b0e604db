/* The levels of the search in sequence, in two tables with open addressing. The children of several
 * boards are gathered, and their slots are prefetched while other children are made, because most
 * of the time goes into reading the memory of the tables. */
#include "serial.h"
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { GATHERED = 128, SLOTS_MIN = 1024 };

typedef tri_item entry; /* board 0: free */

typedef struct table {
    entry *slots;
    uint64_t size, mask, used, allocated;
} table;

static uint64_t hash(tri_board board) {
    board *= 0x9e3779b97f4a7c15u;
    board ^= board >> 32;
    return board * 0xd6e8feb86659fd93u >> 20;
}

static entry *map(uint64_t size) {
    void *slots = mmap(NULL, size * sizeof(entry), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (slots == MAP_FAILED) return NULL;
    (void)madvise(slots, size * sizeof(entry), MADV_HUGEPAGE);
    return slots;
}

static void unmap(entry *slots, uint64_t size) {
    if (slots != NULL) (void)munmap(slots, size * sizeof(entry));
}

/* Empties the table, with room for this many boards. */
static int clear(table *t, uint64_t expected) {
    uint64_t size = SLOTS_MIN;
    while (size * 5 < expected * 8) size *= 2;
    if (size > t->allocated) {
        unmap(t->slots, t->allocated);
        t->slots = map(size);
        t->allocated = t->slots == NULL ? 0 : size;
    } else {
        memset(t->slots, 0, size * sizeof *t->slots);
    }
    t->size = size;
    t->mask = size - 1;
    t->used = 0;
    return t->slots == NULL;
}

static void put(table *t, const entry *item, uint64_t at) {
    entry *slots = t->slots;
    for (;; at = (at + 1) & t->mask) {
        if (slots[at].board == item->board) {
            slots[at].paths += item->paths;
            return;
        }
        if (slots[at].board == 0) break;
    }
    slots[at] = *item;
    t->used++;
}

static int grow(table *t) {
    table old = *t;
    t->allocated = 2 * old.size;
    t->slots = map(t->allocated);
    if (t->slots == NULL) {
        *t = old;
        return 1;
    }
    t->size = t->allocated;
    t->mask = t->size - 1;
    t->used = 0;
    for (uint64_t i = 0; i < old.size; i++)
        if (old.slots[i].board != 0) put(t, &old.slots[i], hash(old.slots[i].board) & t->mask);
    unmap(old.slots, old.allocated);
    return 0;
}

typedef struct search {
    const tri_game *game;
    table tables[2];
    entry gathered[GATHERED + TRI_CHILDREN_MAX];
    uint64_t homes[GATHERED + TRI_CHILDREN_MAX];
    uint32_t count;
} search;

static int put_gathered(search *s, table *into) {
    if ((into->used + s->count) * 4 > into->size * 3) {
        if (grow(into) != 0) return 1;
        for (uint32_t i = 0; i < s->count; i++)
            s->homes[i] = hash(s->gathered[i].board) & into->mask;
    }
    for (uint32_t i = 0; i < s->count; i++) put(into, &s->gathered[i], s->homes[i]);
    s->count = 0;
    return 0;
}

static int expand(search *s, const table *from, table *into, tri_result *result) {
    const entry *slots = into->slots;
    for (uint64_t at = 0; at < from->size; at++) {
        const entry *parent = &from->slots[at];
        uint32_t i = s->count, end;
        if (parent->board == 0) continue;
        end = s->count += tri_children(s->game, parent, &s->gathered[i]);
        result->inserts += end - i;
        for (; i < end; i++) {
            uint64_t home = hash(s->gathered[i].board) & into->mask;
            __builtin_prefetch(&slots[home], 1);
            s->homes[i] = home;
        }
        if (end < GATHERED) continue;
        if (put_gathered(s, into) != 0) return 1;
        slots = into->slots;
    }
    return put_gathered(s, into);
}

static int run(search *s, tri_board start, tri_result *result) {
    entry first = {tri_canonical(s->game, start), 1};
    table *from = &s->tables[0], *into = &s->tables[1], *other;
    uint64_t before = 0;
    uint32_t pegs = s->game->holes - 1;
    if (clear(from, 0) != 0) return 1;
    put(from, &first, hash(first.board) & from->mask);
    for (; from->used != 0; pegs--) {
        result->boards[pegs] = from->used;
        if (pegs == 1) break;
        if (clear(into, tri_expected(before, from->used)) != 0 ||
            expand(s, from, into, result) != 0)
            return 1;
        before = from->used;
        other = from;
        from = into;
        into = other;
    }
    for (uint64_t i = 0; pegs == 1 && i < from->size; i++)
        result->solutions += from->slots[i].paths;
    return 0;
}

int tri_search_serially(const tri_game *game, tri_board start, tri_result *result) {
    static search s; /* NOLINT: one search at a time */
    int failed;
    memset(result, 0, sizeof *result);
    memset(&s, 0, sizeof s);
    s.game = game;
    failed = run(&s, start, result);
    for (int i = 0; i < 2; i++) unmap(s.tables[i].slots, s.tables[i].allocated);
    return failed;
}
