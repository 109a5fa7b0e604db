/* Lists of pointers: one thread at a time changes a list (memobj.N4), any number of threads read
 * it. */
#include "memobj/reach/master.h"

#define CHUNK_MAX 512u

static size_t chunk_bytes(uint32_t capacity) {
    return sizeof(svs__list_chunk) + capacity * sizeof(_Atomic(void *));
}

/* A free slot has this tag, which no entry has. Its upper bits contain the number of the next free
 * slot of its chunk. */
#define SLOT_FREE ((uintptr_t)1)

static bool is_free(const void *slot) { return (uintptr_t)slot & SLOT_FREE; }
static void *free_slot(uint32_t next) { return (void *)((uintptr_t)next << 1 | SLOT_FREE); }
static uint16_t next_free(const void *slot) { return (uint16_t)((uintptr_t)slot >> 1); }

/* Adds an entry to a chunk. @return whether there was room. */
static bool chunk_add(svs__list_chunk *chunk, void *entry) {
    /* relaxed is enough: one thread at a time changes it (memobj.N4). */
    uint32_t count = svs__load_relaxed(&chunk->count);
    if (chunk->free) {
        _Atomic(void *) *slot = &chunk->slots[chunk->free - 1];
        chunk->free = next_free(svs__load_relaxed(slot)); /* relaxed is enough: as above */
        /* release: a reader that finds the entry finds it initialised; pairs with the acquire in
         * svs__list_next(). */
        svs__store_release(slot, entry);
        return true;
    }
    if (count == chunk->capacity) return false;
    svs__store_relaxed(&chunk->slots[count], entry);
    /* release: publishes the slot; pairs with the acquire in svs__list_next(). */
    svs__store_release(&chunk->count, count + 1);
    return true;
}

svs_status svs__list_add(svs_world *world, svs__list *list, uint32_t capacity, void *entry) {
    _Atomic(svs__list_chunk *) *where = &list->first;
    svs__list_chunk *chunk;
    while ((chunk = svs__load_acquire(where))) {
        if (chunk_add(chunk, entry)) return SVS_OK;
        capacity = chunk->capacity < CHUNK_MAX ? chunk->capacity * 2 : chunk->capacity;
        where = &chunk->next;
    }
    chunk = svs__world_allocate(world, chunk_bytes(capacity));
    if (!chunk) return SVS_E_NO_MEMORY;
    chunk->capacity = (uint16_t)capacity;
    (void)chunk_add(chunk, entry);
    /* release: publishes the chunk; pairs with the acquire in svs__list_begin() and
     * svs__list_next(). */
    svs__store_release(where, chunk);
    return SVS_OK;
}

void svs__list_clear(svs_world *world, svs__list *list) {
    svs__list_chunk *chunk = svs__load_relaxed(&list->first);
    while (chunk) {
        svs__list_chunk *next = svs__load_relaxed(&chunk->next);
        svs__world_release(world, chunk, chunk_bytes(chunk->capacity));
        chunk = next;
    }
    svs__store_relaxed(&list->first, NULL);
}

svs__list_cursor svs__list_begin(const svs__list *list) {
    return (svs__list_cursor){svs__load_acquire(&((svs__list *)(uintptr_t)list)->first), 0};
}

bool svs__list_next(svs__list_cursor *cursor, void **entry) {
    while (cursor->chunk) {
        if (cursor->index < svs__load_acquire(&cursor->chunk->count)) {
            /* acquire: pairs with the release in chunk_add() that uses a slot again. */
            *entry = svs__load_acquire(&cursor->chunk->slots[cursor->index++]);
            if (!is_free(*entry)) return true;
            continue;
        }
        if (cursor->index < cursor->chunk->capacity) return false;
        *cursor = (svs__list_cursor){svs__load_acquire(&cursor->chunk->next), 0};
    }
    return false;
}

void svs__list_take_out(svs__list *list, const void *entry) {
    svs__list_cursor cursor = svs__list_begin(list);
    void *found;
    while (svs__list_next(&cursor, &found)) {
        svs__list_chunk *chunk = cursor.chunk;
        if (found != entry) continue;
        /* relaxed is enough: a concurrent reader may still see the entry. */
        svs__store_relaxed(&chunk->slots[cursor.index - 1], free_slot(chunk->free));
        chunk->free = (uint16_t)cursor.index;
        return;
    }
}

uint32_t svs__list_slots(const svs__list *list) {
    uint32_t slots = 0;
    for (svs__list_chunk *chunk = svs__list_begin(list).chunk; chunk;
         chunk = svs__load_acquire(&chunk->next))
        slots += svs__load_relaxed(&chunk->count); /* relaxed is enough: only the number matters */
    return slots;
}
