/* Append-only lists of pointers: one appends at a time, any number read. */
#include "memobj/master.h"

static size_t chunk_bytes(uint32_t capacity) {
    return sizeof(svs__chunk) + capacity * sizeof(_Atomic(void *));
}

svs_status svs__list_add(svs_world *world, svs__list *list, uint32_t capacity, void *entry) {
    _Atomic(svs__chunk *) *where = &list->first;
    svs__chunk *chunk = svs__load_acquire(where);
    while (chunk && svs__load_relaxed(&chunk->count) == chunk->capacity) {
        capacity = chunk->capacity < 512 ? chunk->capacity * 2 : chunk->capacity;
        where = &chunk->next;
        chunk = svs__load_acquire(where);
    }
    if (!chunk) {
        chunk = svs__world_allocate(world, chunk_bytes(capacity));
        if (!chunk) return SVS_E_NO_MEMORY;
        chunk->capacity = capacity;
        svs__store_relaxed(&chunk->slots[0], entry);
        svs__store_relaxed(&chunk->count, 1);
        /* release: publishes the chunk; pairs with the acquire in the cursor. */
        svs__store_release(where, chunk);
        return SVS_OK;
    }
    /* relaxed: one appends at a time. */
    uint32_t count = svs__load_relaxed(&chunk->count);
    svs__store_relaxed(&chunk->slots[count], entry);
    /* release: publishes the slot; pairs with the acquire in the cursor. */
    svs__store_release(&chunk->count, count + 1);
    return SVS_OK;
}

void svs__list_clear(svs_world *world, svs__list *list) {
    svs__chunk *chunk = svs__load_relaxed(&list->first);
    while (chunk) {
        svs__chunk *next = svs__load_relaxed(&chunk->next);
        svs__world_release(world, chunk, chunk_bytes(chunk->capacity));
        chunk = next;
    }
    svs__store_relaxed(&list->first, NULL);
}

svs__cursor svs__list_begin(const svs__list *list) {
    return (svs__cursor){svs__load_acquire(&((svs__list *)(uintptr_t)list)->first), 0};
}

bool svs__list_next(svs__cursor *cursor, void **entry) {
    while (cursor->chunk) {
        if (cursor->index < svs__load_acquire(&cursor->chunk->count)) {
            /* relaxed: the count's acquire covers the slot; NULL may come later. */
            *entry = svs__load_relaxed(&cursor->chunk->slots[cursor->index++]);
            if (*entry) return true;
            continue;
        }
        if (cursor->index < cursor->chunk->capacity) return false;
        *cursor = (svs__cursor){svs__load_acquire(&cursor->chunk->next), 0};
    }
    return false;
}

void svs__list_take_out(svs__list *list, const void *entry) {
    svs__cursor cursor = svs__list_begin(list);
    void *found;
    while (svs__list_next(&cursor, &found)) /* relaxed: a reader may still see the entry. */
        if (found == entry) svs__store_relaxed(&cursor.chunk->slots[cursor.index - 1], NULL);
}
