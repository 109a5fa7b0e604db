/* The hold of a master, and whom it notifies. */
#include "memobj/master.h"

/* About a microsecond: much longer than a signature is held, unless its holder has lost the
 * processor. */
#define SPINS 100

uint64_t svs__master_hold_slow(svs__master *master) {
    for (uint32_t tries = 0;; tries++) {
        /* relaxed: only a hint that the compare-exchange is worth it. */
        uint64_t version = svs__load_relaxed(&master->version);
        if (!(version & SVS__MASTER_HELD) && svs__master_try(master, &version)) return version;
        if (tries < SPINS) svs__relax();
        else svs__yield();
    }
}

/* The first slot that is free or has `who`; SVS__NOTIFY_SLOTS: all have others. */
static uint32_t find_slot(svs__master *of, const svs__master *who, uint32_t from) {
    while (from < SVS__NOTIFY_SLOTS) { /* relaxed: an address to compare. */
        const svs__master *has = svs__load_relaxed(&of->notify[from]);
        if (!has || has == who) break;
        from++;
    }
    return from;
}

/* ---- tables ---- */

#define TABLE_FIRST 16u

static size_t table_bytes(const svs__table *table) {
    return sizeof *table + table->capacity * sizeof table->slots[0];
}

/* Where `who` is in the table, or the free slot that ends the search. */
static uint32_t table_find(svs__table *table, const svs__master *who) {
    uint64_t hash = (uintptr_t)who / SVS__CACHE_LINE * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i = (uint32_t)(hash >> 32) & (table->capacity - 1);
    for (;;) { /* relaxed: an address to compare. A quarter of the slots is free. */
        const svs__master *has = svs__load_relaxed(&table->slots[i]);
        if (!has || has == who) return i;
        i = (i + 1) & (table->capacity - 1);
    }
}

/* acquire: its slots are initialised; pairs with the release of who put it there. */
static svs__table *tables(svs__master *of) { return svs__load_acquire(&of->more); }

static bool tables_have(svs__master *of, const svs__master *who) {
    for (svs__table *t = tables(of); t; t = t->older)
        /* acquire: `who` was put there before what the caller does now (N3). What was a free slot
         * may be another's by now. */
        if (svs__load_acquire(&t->slots[table_find(t, who)]) == who) return true;
    return false;
}

/* Under `lock`: a table with room for one more. */
static svs__table *table_with_room(svs_world *world, svs__master *of) {
    svs__table *older = tables(of), *made;
    svs__table shape = {.older = older, .capacity = older ? older->capacity * 2 : TABLE_FIRST};
    if (older && older->used < older->capacity / 4 * 3) return older;
    made = svs__world_allocate(world, table_bytes(&shape));
    if (!made) return NULL;
    made->older = older;
    made->capacity = shape.capacity;
    /* release: publishes the table; pairs with the acquire in tables(). */
    svs__store_release(&of->more, made);
    return made;
}

static svs_status take_more(svs_world *world, svs__master *of, svs__master *who) {
    svs__table *table;
    svs_status status = SVS_OK;
    if (tables_have(of, who)) return SVS_OK;
    svs__lock_acquire(&of->lock);
    if (!tables_have(of, who)) { /* LCOV_EXCL_BR_LINE: a table that was taken from has it */
        table = table_with_room(world, of);
        if (table) {
            /* release: publishes `who`; pairs with the acquire in svs__notify_next_more(). */
            svs__store_release(&table->slots[table_find(table, who)], who);
            table->used++;
        } else {
            status = SVS_E_NO_MEMORY;
        }
    }
    svs__lock_release(&of->lock);
    return status;
}

svs__master *svs__notify_next_more(svs__notify_cursor *cursor) {
    if (!cursor->table) {
        /* The caller stops at the end. */
        if (cursor->slot > SVS__NOTIFY_SLOTS) return NULL; /* LCOV_EXCL_BR_LINE */
        cursor->table = tables(cursor->of);
        cursor->slot = 0;
    }
    for (; cursor->table; cursor->table = cursor->table->older, cursor->slot = 0)
        while (cursor->slot < cursor->table->capacity) {
            /* acquire: pairs with the release that put it there. */
            svs__master *who = svs__load_acquire(&cursor->table->slots[cursor->slot++]);
            if (who && who != cursor->of) return who;
        }
    cursor->slot = SVS__NOTIFY_SLOTS + 1; /* the end, for good */
    return NULL;
}

/* ---- edges ---- */

/* The edge, then the signature: reach.h, the hand-shake. Both under one hold when there is a slot
 * for the edge. */
svs_status svs__notify_join(svs_world *world, svs__master *of, svs__master *who, uint64_t *bits) {
    uint32_t slot = find_slot(of, who, 0);
    uint64_t version = 0;
    if (slot < SVS__NOTIFY_SLOTS) {
        version = svs__master_hold(of);
        slot = find_slot(of, who, slot); /* now for good (N3) */
        /* release: publishes `who`; pairs with the acquire in svs__notify_next(). */
        if (slot < SVS__NOTIFY_SLOTS) svs__store_release(&of->notify[slot], who);
        else svs__master_let_go(of, version, false);
    }
    if (slot == SVS__NOTIFY_SLOTS) {
        if (take_more(world, of, who)) return SVS_E_NO_MEMORY;
        version = svs__master_hold(of);
    }
    if (bits) svs__master_snapshot(of, bits, svs__master_words(world));
    svs__master_let_go(of, version, false);
    return SVS_OK;
}

svs_status svs__notify_add(svs_world *world, svs__master *of, svs__master *who) {
    return svs__notify_join(world, of, who, NULL);
}

static void release_table(svs_world *world, svs__table *table) {
    svs__world_release(world, table, table_bytes(table));
}

/* All tables give way to one, or to none. */
static void replace_tables(svs_world *world, svs__master *of, svs__table *with) {
    svs__table *table = svs__load_relaxed(&of->more);
    svs__store_relaxed(&of->more, with);
    while (table) {
        svs__table *older = table->older;
        release_table(world, table);
        table = older;
    }
}

void svs__notify_clear(svs_world *world, svs__master *of) {
    for (uint32_t i = 0; i < SVS__NOTIFY_SLOTS; i++) svs__store_relaxed(&of->notify[i], NULL);
    replace_tables(world, of, NULL);
}

/* Takes the marked out of a table, and the others too as long as a slot is free (N3). @return how
 * many are left. */
static uint32_t filter_table(svs__master *of, svs__table *table, uint32_t *kept, uint64_t mark) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < table->capacity; i++) {
        svs__master *who = svs__load_relaxed(&table->slots[i]);
        if (!who || who == of) continue;
        if (who->mark != mark && *kept == SVS__NOTIFY_SLOTS) {
            left++;
            continue;
        }
        svs__store_relaxed(&table->slots[i], of);
        if (who->mark != mark) svs__store_relaxed(&of->notify[(*kept)++], who);
    }
    return left;
}

/* One table for the `left` that tables still name, so that those taken out use no room (N5). For
 * want of memory the tables stay: longer than needed, no less right. */
static void pack_tables(svs_world *world, svs__master *of, uint32_t left) {
    svs__table shape = {.capacity = TABLE_FIRST}, *packed;
    while (shape.capacity / 4 * 3 <= left) shape.capacity *= 2;
    packed = svs__world_allocate(world, table_bytes(&shape));
    if (!packed) return;
    packed->capacity = shape.capacity;
    packed->used = left;
    for (svs__table *t = svs__load_relaxed(&of->more); t; t = t->older)
        for (uint32_t i = 0; i < t->capacity; i++) {
            svs__master *who = svs__load_relaxed(&t->slots[i]);
            if (who && who != of) svs__store_relaxed(&packed->slots[table_find(packed, who)], who);
        }
    replace_tables(world, of, packed);
}

void svs__notify_filter(svs_world *world, svs__master *of, uint64_t mark) {
    uint32_t kept = 0, left = 0, used = 0;
    for (uint32_t i = 0; i < SVS__NOTIFY_SLOTS; i++) {
        svs__master *who = svs__load_relaxed(&of->notify[i]);
        svs__store_relaxed(&of->notify[i], NULL);
        if (who && who->mark != mark) svs__store_relaxed(&of->notify[kept++], who);
    }
    for (svs__table *t = svs__load_relaxed(&of->more); t; t = t->older) {
        used += t->used;
        left += filter_table(of, t, &kept, mark);
    }
    if (!left) replace_tables(world, of, NULL);
    else if (left < used) pack_tables(world, of, left);
}
