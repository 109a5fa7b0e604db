/* The hold of a master, and its notify list. */
#include "memobj/reach/master.h"

/* This many tries take about a microsecond: much longer than a hold, unless the holder was
 * preempted. */
#define SPINS 100

uint64_t svs__master_hold_slow(svs__master *master) {
    for (uint32_t tries = 0;; tries++) {
        /* relaxed is enough: the compare-exchange checks the value. */
        uint64_t version = svs__load_relaxed(&master->version);
        if (!(version & SVS__MASTER_HELD) && svs__master_try(master, &version)) return version;
        if (tries < SPINS) svs__relax();
        else svs__yield();
    }
}

/* The first slot, beginning with `from`, that is free or has `listener`. SVS__NOTIFY_SLOTS: all
 * slots have other listeners. */
static uint32_t find_slot(svs__master *of, const svs__master *listener, uint32_t from) {
    while (from < SVS__NOTIFY_SLOTS) { /* relaxed is enough: the address is only compared */
        const svs__master *has = svs__load_relaxed(&of->notify[from]);
        if (!has || has == listener) break;
        from++;
    }
    return from;
}

/* ---- tables ---- */

#define TABLE_FIRST 16u

static size_t table_bytes(const svs__listener_table *table) {
    return sizeof *table + table->capacity * sizeof table->slots[0];
}

/* The slot of `listener` in the table, or the free slot that ends the search. */
static uint32_t table_find(svs__listener_table *table, const svs__master *listener) {
    uint64_t hash = (uintptr_t)listener / SVS__CACHE_LINE * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i = (uint32_t)(hash >> 32) & (table->capacity - 1);
    /* relaxed is enough: the address is only compared. The loop ends because a quarter of the slots
     * is free. */
    for (;;) {
        const svs__master *has = svs__load_relaxed(&table->slots[i]);
        if (!has || has == listener) return i;
        i = (i + 1) & (table->capacity - 1);
    }
}

/* acquire: the slots are initialised; pairs with the release in table_with_room(). */
static svs__listener_table *tables(svs__master *of) { return svs__load_acquire(&of->more); }

static bool tables_have(svs__master *of, const svs__master *listener) {
    for (svs__listener_table *t = tables(of); t; t = t->older)
        /* acquire: the edge precedes what the caller does next (memobj.N3); pairs with the release
         * in take_more(). The slot is read again because another thread may have filled it after
         * table_find() found it free. */
        if (svs__load_acquire(&t->slots[table_find(t, listener)]) == listener) return true;
    return false;
}

/* Returns a table with room for one more edge. The caller holds `lock`. */
static svs__listener_table *table_with_room(svs_world *world, svs__master *of) {
    svs__listener_table *older = tables(of), *made;
    svs__listener_table shape = {.older = older,
                                 .capacity = older ? older->capacity * 2 : TABLE_FIRST};
    if (older && older->used < older->capacity / 4 * 3) return older;
    made = svs__world_allocate(world, table_bytes(&shape));
    if (!made) return NULL;
    made->older = older;
    made->capacity = shape.capacity;
    /* release: publishes the table; pairs with the acquire in tables(). */
    svs__store_release(&of->more, made);
    return made;
}

static svs_status take_more(svs_world *world, svs__master *of, svs__master *listener) {
    svs__listener_table *table;
    svs_status status = SVS_OK;
    if (tables_have(of, listener)) return SVS_OK;
    svs__lock_acquire(&of->lock);
    if (!tables_have(of, listener)) { /* LCOV_EXCL_BR_LINE: another thread added it meanwhile */
        table = table_with_room(world, of);
        if (table) {
            /* release: publishes the listener; pairs with the acquire in
             * svs__notify_next_more(). */
            svs__store_release(&table->slots[table_find(table, listener)], listener);
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
        /* A later call after the end: no caller makes one. */
        if (cursor->slot > SVS__NOTIFY_SLOTS) return NULL; /* LCOV_EXCL_BR_LINE */
        cursor->table = tables(cursor->of);
        cursor->slot = 0;
    }
    for (; cursor->table; cursor->table = cursor->table->older, cursor->slot = 0)
        while (cursor->slot < cursor->table->capacity) {
            /* acquire: pairs with the release in take_more(). */
            svs__master *listener = svs__load_acquire(&cursor->table->slots[cursor->slot++]);
            if (listener && listener != cursor->of) return listener;
        }
    cursor->slot = SVS__NOTIFY_SLOTS + 1; /* marks the end, also for later calls */
    return NULL;
}

/* ---- edges ---- */

/* Adds the edge, then reads the signature: the handshake of reach.h. If a slot is free, one hold
 * covers both steps. */
svs_status svs__notify_join(svs_world *world, svs__master *of, svs__master *listener,
                            uint64_t *bits) {
    uint32_t slot = find_slot(of, listener, 0);
    uint64_t version = 0;
    if (slot < SVS__NOTIFY_SLOTS) {
        version = svs__master_hold(of);
        slot = find_slot(of, listener, slot); /* searched again, now under hold (memobj.N3) */
        /* release: publishes the listener; pairs with the acquire in svs__notify_next(). */
        if (slot < SVS__NOTIFY_SLOTS) svs__store_release(&of->notify[slot], listener);
        else svs__master_let_go(of, version, false);
    }
    if (slot == SVS__NOTIFY_SLOTS) {
        if (take_more(world, of, listener)) return SVS_E_NO_MEMORY;
        version = svs__master_hold(of);
    }
    if (bits) svs__master_snapshot(of, bits, svs__master_words(world));
    svs__master_let_go(of, version, false);
    return SVS_OK;
}

svs_status svs__notify_add(svs_world *world, svs__master *of, svs__master *listener) {
    return svs__notify_join(world, of, listener, NULL);
}

static void release_table(svs_world *world, svs__listener_table *table) {
    svs__world_release(world, table, table_bytes(table));
}

/* Replaces the tables by one, or by none. */
static void replace_tables(svs_world *world, svs__master *of, svs__listener_table *with) {
    svs__listener_table *table = svs__load_relaxed(&of->more);
    svs__store_relaxed(&of->more, with);
    while (table) {
        svs__listener_table *older = table->older;
        release_table(world, table);
        table = older;
    }
}

void svs__notify_clear(svs_world *world, svs__master *of) {
    for (uint32_t i = 0; i < SVS__NOTIFY_SLOTS; i++) svs__store_relaxed(&of->notify[i], NULL);
    replace_tables(world, of, NULL);
}

/* Removes the masters with `mark` from a table, and moves the others to slots as long as one is
 * free (memobj.N3). @return the number of listeners left in the table. */
static uint32_t filter_table(svs__master *of, svs__listener_table *table, uint32_t *kept,
                             uint64_t mark) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < table->capacity; i++) {
        svs__master *listener = svs__load_relaxed(&table->slots[i]);
        if (!listener || listener == of) continue;
        if (listener->mark != mark && *kept == SVS__NOTIFY_SLOTS) {
            left++;
            continue;
        }
        svs__store_relaxed(&table->slots[i], of);
        if (listener->mark != mark) svs__store_relaxed(&of->notify[(*kept)++], listener);
    }
    return left;
}

/* Packs the `left` remaining listeners of all tables into one table, so that removed edges use no
 * room. Without memory the tables stay as they are, which is correct but wastes room. */
static void pack_tables(svs_world *world, svs__master *of, uint32_t left) {
    svs__listener_table shape = {.capacity = TABLE_FIRST}, *packed;
    while (shape.capacity / 4 * 3 <= left) shape.capacity *= 2;
    packed = svs__world_allocate(world, table_bytes(&shape));
    if (!packed) return;
    packed->capacity = shape.capacity;
    packed->used = left;
    for (svs__listener_table *t = svs__load_relaxed(&of->more); t; t = t->older)
        for (uint32_t i = 0; i < t->capacity; i++) {
            svs__master *listener = svs__load_relaxed(&t->slots[i]);
            if (listener && listener != of)
                svs__store_relaxed(&packed->slots[table_find(packed, listener)], listener);
        }
    /* memobj.N5 */
    SVS__ASSERT(shape.capacity == TABLE_FIRST || left >= shape.capacity / 8 * 3);
    replace_tables(world, of, packed);
}

void svs__notify_filter(svs_world *world, svs__master *of, uint64_t mark) {
    uint32_t kept = 0, left = 0, used = 0;
    for (uint32_t i = 0; i < SVS__NOTIFY_SLOTS; i++) {
        svs__master *listener = svs__load_relaxed(&of->notify[i]);
        svs__store_relaxed(&of->notify[i], NULL);
        if (listener && listener->mark != mark) svs__store_relaxed(&of->notify[kept++], listener);
    }
    for (svs__listener_table *t = svs__load_relaxed(&of->more); t; t = t->older) {
        used += t->used;
        left += filter_table(of, t, &kept, mark);
    }
    if (!left) replace_tables(world, of, NULL);
    else if (left < used) pack_tables(world, of, left);
}
