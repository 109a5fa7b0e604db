/* Shows:  a task stealer: tasks that make tasks, on whichever rank has time; termination.
 * Run:    build/release/bin/ranks_07_stealer --transport local:4
 * Expect: how eight queens can stand on a board (ranks_07_stealer in expected.txt). */
#include <stdio.h>
#include <svs/ranks.h>

enum { QUEENS = 8 };

typedef struct board { /* a task: queens in the first rows, and what they attack in the next */
    uint32_t rows, columns, left, right;
} board;

typedef struct search { /* the state of a thread without a stack, one for each rank */
    svs_thread thread;
    svs_stealer *boards;
    board task;
    size_t bytes;
    int64_t removals;
    uint64_t found, all;
    svs_distributed *object;
    svs_counter available, done;
} search;

static svs_status ok(svs_status status) { return status == SVS_WAIT ? SVS_OK : status; }

/* A task for each place of the next queen. */
static svs_status place(const search *me) {
    const board *b = &me->task;
    uint32_t free = ~(b->columns | b->left | b->right) & ((1u << QUEENS) - 1);
    svs_status status = SVS_OK;
    for (; free != 0 && status == SVS_OK; free &= free - 1) {
        uint32_t queen = free & (~free + 1);
        board next = {b->rows + 1, b->columns | queen, (b->left | queen) << 1,
                      (b->right | queen) >> 1};
        status = svs_stealer_add(me->boards, SVS_STEALER_ANY, &next, sizeof next, NULL);
    }
    return status;
}

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

static svs_status run(svs_ranks *ranks, void *state) {
    search *me = (search *)state;
    svs_status status = SVS_OK;
    SVS_THREAD_BEGIN(ranks, me);
    if (svs_ranks_index(ranks) == 0) status = place(me); /* the first tasks */
    if (status == SVS_OK) status = ok(svs_stealer_wait(me->boards, &me->done));
    if (status == SVS_OK)
        status = ok(svs_distributed_new(ranks, "sum", 0, me, &me->object, &me->done));
    for (;;) {
        me->removals++;
        if (status == SVS_OK)
            status = ok(svs_stealer_remove(me->boards, &me->task, &me->bytes, &me->available));
        if (status != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->available, me->removals);
        if (me->bytes == SVS_STEALER_END) break; /* no task is left on any rank */
        me->found += me->task.rows == QUEENS;
        status = place(me);
        if (status == SVS_OK) status = svs_stealer_complete(me->boards);
    }
    SVS_AWAIT(ranks, me, &me->done, 2);
    status = ok(svs_reduce(me->object, add, &me->found, &me->all, 8, 1, &me->done));
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->done, 3);
    if (svs_ranks_index(ranks) == 0) printf("%d boards of eight queens\n", (int)me->all);
    SVS_THREAD_END;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    search mine = {0};
    svs_ranks_options options;
    svs_stealer_options of_boards;
    svs_ranks *ranks;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    svs_stealer_options_init(&of_boards);
    of_boards.name = "boards";
    of_boards.task_bytes = sizeof(board);
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    status = svs_stealer_new(ranks, &of_boards, &mine.boards);
    if (status == SVS_OK) status = svs_ranks_run(ranks, run, &mine);
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
