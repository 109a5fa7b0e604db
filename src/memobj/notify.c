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

static svs_status take_more(svs_world *world, svs__master *of, svs__master *who) {
    svs__cursor cursor;
    void *entry;
    svs_status status = SVS_OK;
    bool found = false;
    svs__lock_acquire(&of->lock);
    cursor = svs__list_begin(&of->more);
    while (!found && svs__list_next(&cursor, &entry)) found = entry == who;
    if (!found) status = svs__list_add(world, &of->more, 6, who);
    svs__lock_release(&of->lock);
    return status;
}

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

void svs__notify_clear(svs_world *world, svs__master *of) {
    for (uint32_t i = 0; i < SVS__NOTIFY_SLOTS; i++) svs__store_relaxed(&of->notify[i], NULL);
    svs__list_clear(world, &of->more);
}

void svs__notify_filter(svs_world *world, svs__master *of, svs__list_keep *keep,
                        const void *argument) {
    svs__cursor cursor = svs__list_begin(&of->more);
    uint32_t kept = 0;
    void *entry;
    for (uint32_t i = 0; i < SVS__NOTIFY_SLOTS; i++) {
        svs__master *who = svs__load_relaxed(&of->notify[i]);
        svs__store_relaxed(&of->notify[i], NULL);
        if (who && keep(who, argument)) svs__store_relaxed(&of->notify[kept++], who);
    }
    while (kept < SVS__NOTIFY_SLOTS && svs__list_next(&cursor, &entry)) { /* N3 */
        svs__store_relaxed(&cursor.chunk->slots[cursor.index - 1], NULL);
        if (keep(entry, argument)) svs__store_relaxed(&of->notify[kept++], entry);
    }
    svs__list_filter(world, &of->more, keep, argument);
}
