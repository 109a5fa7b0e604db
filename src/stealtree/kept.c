#include "stealtree/kept.h"

bool svs__kept_init(svs__kept_steals *kept, const svs_allocator *allocator, uint64_t count) {
    uint64_t size = 4;
    *kept = (svs__kept_steals){NULL, 0, 0};
    if (count == 0) return true;
    while (size < 2 * count) size *= 2;
    kept->entries =
        svs__allocate_zeroed(allocator, size * sizeof *kept->entries, SVS__ARRAY_ALIGNMENT);
    if (kept->entries == NULL) return false;
    kept->mask = size - 1;
    return true;
}

void svs__kept_clean_up(svs__kept_steals *kept, const svs_allocator *allocator) {
    svs__release(allocator, kept->entries, (kept->mask + 1) * sizeof *kept->entries,
                 SVS__ARRAY_ALIGNMENT);
    *kept = (svs__kept_steals){NULL, 0, 0};
}

void svs__kept_put(svs__kept_steals *kept, uint64_t path, uint32_t worker) {
    uint64_t at = svs__kept_slot(kept, path);
    while (kept->entries[at].used && kept->entries[at].path != path) at = (at + 1) & kept->mask;
    kept->count += !kept->entries[at].used;
    kept->entries[at] = (svs__kept_entry){path, worker, 1};
}
