#include "sched/domain/window/table.h"

#include <string.h>

#include "base/memory.h"

/* Number of words of the table for each element. With fewer words, more elements share a word, and
 * windows have more stages. With more words, the table displaces more of the bodies' data from the
 * caches. */
#define WORDS_EACH 4u

static size_t bytes_of(uint32_t bits) { return sizeof(uint64_t) << bits; }

/* Replaces the table by an empty one, if there is memory for it. */
static void replace(svs__table *table, const svs_world *world, uint32_t bits) {
    uint64_t *words = svs__allocate_zeroed(world->allocator, bytes_of(bits), SVS__CACHE_LINE);
    if (!words) return;
    svs__table_clean_up(table, world);
    *table = (svs__table){.words = words, .room = bits};
}

svs_status svs__table_init(svs__table *table, const svs_world *world) {
    replace(table, world, svs__table_bits(world, 0));
    return table->words ? SVS_OK : SVS_E_NO_MEMORY;
}

void svs__table_clean_up(svs__table *table, const svs_world *world) {
    if (table->words)
        svs__release(world->allocator, table->words, bytes_of(table->room), SVS__CACHE_LINE);
}

uint32_t svs__table_bits(const svs_world *world, uint64_t elements) {
    uint32_t bits = SVS__TABLE_BITS_FEW, most = SVS__TABLE_BITS;
    if (most > world->options.cell_bits) most = world->options.cell_bits;
    while (bits < most && UINT64_C(1) << bits < elements * WORDS_EACH) bits++;
    return bits < most ? bits : most;
}

uint32_t svs__table_begin(svs__table *table, const svs_world *world, uint32_t bits) {
    if (bits > table->room) replace(table, world, bits);
    table->bits = bits < table->room ? bits : table->room;
    if (++table->number < 1u << 16) return table->number;
    memset(table->words, 0, bytes_of(table->room));
    return table->number = 1;
}
