/* Inserts into the library's own hash table: the records of `insert`, each on the rank that its key
 * names, given in arrays. */
#include "works.h"

#include <svs/ranks/hash.h>

enum { GIVEN = 256 };

static struct {
    svs_hash *hash;
    record items[GIVEN];
    uint32_t count, given;
} table;

void table_new(svs_ranks *ranks) {
    svs_hash_options options;
    svs_hash_options_init(&options);
    options.name = "table";
    options.item_bytes = sizeof(record);
    options.key_bytes = sizeof(uint64_t);
    options.duplicate = svs_hash_add;
    options.expected = KEYS;
    BENCH_OK(svs_hash_new(ranks, &options, &table.hash));
}

static void draw(part *mine) {
    uint32_t to;
    for (table.count = 0; table.count < GIVEN && mine->left != 0; mine->left--) {
        record one = part_next(mine, 1, &to);
        one.key = one.value >> 43;
        table.items[table.count++] = one;
    }
    table.given = 0;
}

static svs_status insert_tables(svs_ranks *ranks, void *state) {
    part *mine = svs_ranks_data(ranks);
    (void)state;
    for (;;) {
        size_t accepted;
        svs_fiber rest;
        svs_status status;
        if (table.given == table.count) draw(mine);
        if (table.count == 0) return SVS_OK;
        status = svs_hash_insert_all(table.hash, &table.items[table.given],
                                     table.count - table.given, &accepted);
        table.given += (uint32_t)accepted;
        if (status == SVS_WAIT) {
            status = svs_fiber_continue(ranks, insert_tables, &rest);
            return status != SVS_OK ? status
                                    : svs_hash_ready(table.hash, &table.items[table.given], rest);
        }
        if (status != SVS_OK) return status;
        svs_poll(ranks);
    }
}

double svs_table(svs_ranks *ranks, const settings *chosen, uint64_t records) {
    part mine;
    uint64_t begin;
    (void)chosen;
    part_new(&mine, records, svs_ranks_index(ranks));
    svs_ranks_set_data(ranks, &mine);
    table.count = table.given = 0;
    BENCH_OK(svs_hash_clear(table.hash, KEYS));
    begin = begin_together(ranks);
    BENCH_OK(svs_ranks_run(ranks, insert_tables, NULL));
    begin = bench_wall_ns() - begin;
    part_free(&mine);
    return (double)begin;
}
