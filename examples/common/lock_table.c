#include "common/lock_table.h"

#include <stdint.h>

#define STRIPES_MAX 4096u

const char *const lock_form_names[] = {"pthread", "spin", "striped", "rw", "native", NULL};

static size_t stripes_for(size_t count) {
    size_t stripes = 1;
    while (stripes < STRIPES_MAX && stripes < count) stripes *= 2;
    return stripes;
}

bool lock_table_init(lock_table *table, size_t count, lock_form form, const native_lock *native) {
    static const lock_kind kinds[] = {LOCK_PTHREAD, LOCK_SPIN, LOCK_SPIN, LOCK_SHARED, LOCK_NATIVE};
    *table = (lock_table){.count = count, .mask = SIZE_MAX};
    if (!count) return true;
    if (form == LOCKS_STRIPED) {
        table->count = stripes_for(count);
        table->mask = table->count - 1;
    }
    table->locks = padded_locks_new(table->count, kinds[form], native);
    return table->locks;
}

void lock_table_clean_up(lock_table *table) {
    padded_locks_free(table->locks, table->count);
    *table = (lock_table){0};
}
