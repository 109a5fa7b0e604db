/* Shows:  a data structure of your own: an array over all ranks, with additions, reads, a freeze.
 * Run:    build/release/bin/ranks_04_structure --transport local:4
 * Expect: the value of a cell (ranks_04_structure in expected.txt). */
#include <stdio.h>
#include <svs/ranks.h>

typedef struct entry { /* an addition, a question for a cell, or the answer */
    int64_t cell, value;
} entry;

typedef struct array { /* the part of a rank: cell i is cells[i / ranks] of rank i % ranks */
    svs_thread thread;
    svs_structure *made;
    svs_counter done;
    int64_t cells[1000], answer;
} array;
enum { ADD, READ, ANSWER };

static void add(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    array *here = (array *)part;
    const entry *each = (const entry *)records;
    svs_mutation_end(svs_structure_snapshot(here->made), count, SVS_NO_EPOCH);
    for (; count-- != 0; each++) here->cells[each->cell / svs_ranks_count(ranks)] += each->value;
}

static void read_cells(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    const array *here = (const array *)part;
    for (const entry *each = (const entry *)records; count-- != 0; each++) {
        entry one = {each->cell, here->cells[each->cell / svs_ranks_count(ranks)]};
        svs_ignore(svs_reply(ranks, svs_structure_handler(here->made, ANSWER), &one, sizeof one));
    }
}

static void answered(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    ((array *)part)->answer = ((const entry *)records)->value;
    svs_counter_add(ranks, &((array *)part)->done, count);
}

static const svs_handler handlers[] = {
    {"add", SVS_DISPATCH_IN_PLACE, sizeof(entry), NULL, add},
    {"read", SVS_DISPATCH_IN_PLACE, sizeof(entry), NULL, read_cells},
    {"answer", SVS_DISPATCH_IN_PLACE, sizeof(entry), NULL, answered}};

static svs_status work(svs_ranks *ranks, void *state) {
    array *me = (array *)state;
    svs_snapshot *snapshot = svs_structure_snapshot(me->made);
    entry one = {0, 1}, seven = {7, 0};
    SVS_THREAD_BEGIN(ranks, me);
    if (svs_mutation_begin(snapshot, 1000, NULL) != SVS_OK) return SVS_E_STATE;
    for (; one.cell < 1000; one.cell++) /* after SVS_WAIT: svs_post_ready() */
        if (svs_post(ranks, (uint32_t)one.cell % svs_ranks_count(ranks),
                     svs_structure_handler(me->made, ADD), &one, sizeof one) != SVS_OK)
            return SVS_E_STATE;
    if (svs_snapshot_freeze(snapshot, &me->done) != SVS_WAIT) return SVS_E_STATE;
    SVS_AWAIT(ranks, me, &me->done, 1); /* all additions are there, and none is made */
    if (svs_post(ranks, 7 % svs_ranks_count(ranks), svs_structure_handler(me->made, READ), &seven,
                 sizeof seven) != SVS_OK)
        return SVS_E_STATE;
    SVS_AWAIT(ranks, me, &me->done, 2);
    if (svs_ranks_index(ranks) == 0) printf("cell 7 is %d\n", (int)me->answer);
    if (svs_snapshot_unfreeze(snapshot, &me->done) != SVS_WAIT) return SVS_E_STATE;
    SVS_THREAD_END;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    array mine = {0};
    svs_ranks_options options;
    svs_structure_options given = {sizeof given, "array", &mine, NULL, handlers, 3, NULL, NULL};
    svs_ranks *ranks;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    status = svs_structure_new(ranks, &given, &mine.made, NULL);
    if (status == SVS_OK) status = svs_ranks_run(ranks, work, &mine);
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
