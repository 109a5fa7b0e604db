#include "sched/domain/window/table.h"

#include <string.h>

#include "base/memory.h"

/* Number of words of the table for each element. With fewer words, more elements share a word, and
 * windows have more stages. With more words, the table displaces more of the bodies' data from the
 * caches. */
#define WORDS_EACH 4u

uint32_t svs__table_bits(const svs_world *world, uint64_t elements) {
    uint32_t bits = SVS__WINDOW_TABLE_BITS_FEW, most = SVS__WINDOW_TABLE_BITS;
    if (most > world->options.cell_bits) most = world->options.cell_bits;
    while (bits < most && UINT64_C(1) << bits < elements * WORDS_EACH) bits++;
    return bits < most ? bits : most;
}

static size_t bytes_of(uint32_t bits) {
    return (sizeof(uint64_t) << bits) + SVS__READ_MAX * sizeof(uint16_t);
}

void svs__table_free(svs__table *table, const svs_world *world) {
    if (table->words)
        svs__release(world->allocator, table->words, bytes_of(table->room), SVS__CACHE_LINE);
    *table = (svs__table){.words = NULL};
}

bool svs__table_fit(svs__table *table, const svs_world *world, uint32_t bits) {
    if (!table->words || bits > table->room) {
        uint64_t *words = svs__allocate_zeroed(world->allocator, bytes_of(bits), SVS__CACHE_LINE);
        if (!words) {
            table->bits = table->room; /* 0 without a table */
            return table->words != NULL;
        }
        svs__table_free(table, world);
        *table = (svs__table){.words = words, .room = bits};
        table->read = (uint16_t *)(words + (UINT64_C(1) << bits));
    }
    table->bits = bits;
    return true;
}

uint32_t svs__table_begin(svs__table *table) {
    if (++table->number < 1u << 16) return table->number;
    memset(table->words, 0, sizeof(uint64_t) << table->room);
    return table->number = 1;
}
