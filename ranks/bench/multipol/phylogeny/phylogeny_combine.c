#include "phylogeny_combine.h"

#include <stdlib.h>

/* A list of sets. */
typedef struct list {
    set *of;
    size_t count, capacity;
} list;

struct combiner {
    svs_ranks *ranks;
    svs_structure *made;
    bool (*take)(void *argument, const set *found);
    void *argument;
    uint32_t round;      /* rounds that have ended here */
    uint32_t parts_left; /* of children, in this round */
    bool begun, last;    /* this round has begun; it is the last one */
    bool asked;          /* since the last round */
    bool finish_wanted;  /* rank 0: the last round is to begin */
    bool finished;       /* the last round has ended */
    list found;          /* since this rank's part of the last round */
    list part;           /* of this rank and its children, in this round */
    svs_counter *done;   /* of combiner_finish(); NULL: not yet called */
    combiner_counts counts;
};

/* A message about a round. */
typedef struct mark {
    uint32_t round, last;
} mark;

enum { ASK, BEGIN, UP, UP_END, DOWN, DOWN_END };

static void list_add(const combiner *c, list *to, const set *added) {
    if (to->count == to->capacity) {
        size_t capacity = to->capacity == 0 ? 64 : 2 * to->capacity;
        set *more = realloc(to->of, capacity * sizeof *more);
        if (more == NULL) {
            (void)svs_structure_fail(c->made, SVS_E_NO_MEMORY, "no memory for sets to combine");
            return;
        }
        to->of = more;
        to->capacity = capacity;
    }
    to->of[to->count++] = *added;
}

/* ---- messages ---- */

/* From a handler in place: always accepted, unless the run ends. */
static void post(combiner *c, uint32_t to, size_t which, const void *record, size_t bytes) {
    svs_status status =
        svs_post(c->ranks, to, svs_structure_handler(c->made, which), record, bytes);
    if (status != SVS_OK) (void)svs_structure_fail(c->made, status, "a record was not accepted");
}

static uint32_t child_count(const combiner *c) {
    uint64_t first = 2 * (uint64_t)svs_ranks_index(c->ranks) + 1;
    uint32_t ranks = svs_ranks_count(c->ranks);
    return first >= ranks ? 0 : first + 1 >= ranks ? 1 : 2;
}

static void post_children(combiner *c, size_t which, const void *record, size_t bytes) {
    uint32_t first = 2 * svs_ranks_index(c->ranks) + 1;
    for (uint32_t i = 0; i < child_count(c); i++) post(c, first + i, which, record, bytes);
}

/* ---- a round ---- */

static void begin(combiner *c, bool last);

static void end_round(combiner *c) {
    c->round++;
    c->counts.rounds++;
    c->begun = c->asked = false;
    if (c->last) {
        c->finished = true;
        if (c->done != NULL) svs_counter_add(c->ranks, c->done, 1);
    } else if (c->finish_wanted) {
        begin(c, true); /* [C2] */
    }
}

/* [C1] What is found from here on is part of the next round. */
static void send_part(combiner *c) {
    uint32_t rank = svs_ranks_index(c->ranks), parent = (rank - 1) / 2;
    mark end = {c->round, c->last};
    for (size_t i = 0; i < c->found.count; i++) list_add(c, &c->part, &c->found.of[i]);
    c->found.count = 0;
    for (size_t i = 0; i < c->part.count; i++) {
        if (rank == 0) post_children(c, DOWN, &c->part.of[i], sizeof(set));
        else post(c, parent, UP, &c->part.of[i], sizeof(set));
    }
    c->part.count = 0;
    if (rank != 0) {
        post(c, parent, UP_END, &end, sizeof end);
        return;
    }
    post_children(c, DOWN_END, &end, sizeof end);
    end_round(c);
}

static void begin(combiner *c, bool last) {
    mark of = {c->round, last};
    c->begun = true;
    c->last = last;
    c->parts_left = child_count(c);
    post_children(c, BEGIN, &of, sizeof of);
    if (c->parts_left == 0) send_part(c);
}

/* ---- handlers in place ---- */

static void take_ask(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    combiner *c = part;
    (void)ranks;
    for (const mark *each = records; count-- != 0; each++) {
        if (each->last) c->finish_wanted = true;
        if (c->begun || c->finished) continue;
        if (each->last || each->round == c->round) begin(c, c->finish_wanted); /* [C3, C4] */
    }
}

static void take_begin(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    (void)ranks, (void)count; /* [C2] one at a time */
    begin(part, ((const mark *)records)->last != 0);
}

static bool take_set(combiner *c, const set *found) {
    bool is_new = c->take(c->argument, found);
    c->counts.taken += is_new;
    return is_new;
}

static void take_up(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    combiner *c = part;
    (void)ranks;
    for (const set *each = records; count-- != 0; each++)
        if (take_set(c, each)) list_add(c, &c->part, each);
}

static void take_up_end(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    combiner *c = part;
    (void)ranks, (void)records;
    c->parts_left -= count;
    if (c->parts_left == 0) send_part(c);
}

static void take_down(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    combiner *c = part;
    (void)ranks;
    for (const set *each = records; count-- != 0; each++) {
        (void)take_set(c, each);
        post_children(c, DOWN, each, sizeof *each);
    }
}

static void take_down_end(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    (void)ranks, (void)count;
    post_children(part, DOWN_END, records, sizeof(mark));
    end_round(part);
}

static const svs_handler handlers[] = {
    {"combine.ask", SVS_DISPATCH_IN_PLACE, sizeof(mark), NULL, take_ask},
    {"combine.begin", SVS_DISPATCH_IN_PLACE, sizeof(mark), NULL, take_begin},
    {"combine.up", SVS_DISPATCH_IN_PLACE, sizeof(set), NULL, take_up},
    {"combine.up_end", SVS_DISPATCH_IN_PLACE, sizeof(mark), NULL, take_up_end},
    {"combine.down", SVS_DISPATCH_IN_PLACE, sizeof(set), NULL, take_down},
    {"combine.down_end", SVS_DISPATCH_IN_PLACE, sizeof(mark), NULL, take_down_end}};

/* ---- calls ---- */

static void release(svs_ranks *ranks, void *part) {
    combiner *c = part;
    (void)ranks;
    free(c->found.of);
    free(c->part.of);
    free(c);
}

svs_status combiner_new(svs_ranks *ranks, bool (*take)(void *argument, const set *found),
                        void *argument, combiner **made) {
    combiner *c = *made = calloc(1, sizeof *c);
    svs_structure_options options;
    svs_status status;
    if (c == NULL) {
        svs_structure_decline(ranks);
        return SVS_E_NO_MEMORY;
    }
    svs_structure_options_init(&options);
    options.name = "combiner";
    options.part = c;
    options.release = release;
    options.handlers = handlers;
    options.handler_count = sizeof handlers / sizeof *handlers;
    c->ranks = ranks;
    c->take = take;
    c->argument = argument;
    status = svs_structure_new(ranks, &options, &c->made, NULL);
    if (status != SVS_OK) free(c);
    return status;
}

void combiner_reset(combiner *c) {
    c->asked = c->finish_wanted = c->finished = false;
    c->done = NULL;
    c->found.count = 0;
    c->counts = (combiner_counts){0};
}

void combiner_found(combiner *c, const set *found) {
    if (svs_ranks_count(c->ranks) > 1) list_add(c, &c->found, found);
}

svs_status combiner_ask(combiner *c) {
    mark of = {c->round, 0};
    svs_status status;
    if (c->asked || c->begun || svs_ranks_count(c->ranks) == 1) return SVS_OK;
    status = svs_post(c->ranks, 0, svs_structure_handler(c->made, ASK), &of, sizeof of);
    c->asked = status == SVS_OK;
    return status == SVS_WAIT ? SVS_OK : status;
}

svs_status combiner_finish(combiner *c, svs_counter *done) {
    mark of = {c->round, 1};
    c->done = done;
    if (svs_ranks_index(c->ranks) == 0)
        return svs_post(c->ranks, 0, svs_structure_handler(c->made, ASK), &of, sizeof of);
    if (c->finished) svs_counter_add(c->ranks, done, 1);
    return SVS_OK;
}

combiner_counts combiner_counts_get(const combiner *c) { return c->counts; }
