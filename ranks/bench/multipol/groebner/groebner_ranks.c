/* Pairs are tasks of a stealer, and the basis is in an object layer.
 *
 *     worker of rank r          layer                       clerk of rank 0
 *     removes a pair            object 0 of rank 0:
 *     reads the index    <---   the index of the basis
 *     reduces by elements <---  object n of rank q:
 *                               the terms of an element
 *     a rest: publishes  --->   object m of rank r
 *     mails the proposal ------------------------------>   does the index have a divisor of its
 *                                                          lead?
 *     "again": refreshes the index, and reduces further <-- yes
 *     "added": completes the pair <------------------------ no: adds it to the index, publishes and
 *                                                          invalidates that, and adds its pairs
 *
 * An old index is good enough to reduce by. The newest one is with rank 0, which alone adds to it;
 * so each two elements are a pair once. Mail is a second stealer, whose tasks are added to given
 * ranks and never stolen; both terminate together. A pair is in progress until its proposal is
 * answered, so that its new pairs are added before the end. */
#include "groebner_ranks.h"
#include "multipol/program.h"

#include "common.h"
#include <stdlib.h>
#include <string.h>

enum { STEPS_POLL = 16 }; /* steps of a reduction between two polls */

typedef struct part {
    svs_ranks *ranks;
    const system_of_polynomials *given;
    const groebner_way *by;
    system_of_polynomials *basis;
    svs_object_layer *layer;
    svs_stealer *pairs, *mail;
    svs_distributed *object;
    uint32_t rank, published; /* polynomials of this rank; their numbers are from 1 on */
    svs_counter notes;        /* of calls that are not waited for */
    svs_counter ended;        /* workers and the clerk */
    element_index index;      /* rank 0 */
    pair *room;
    uint32_t room_capacity;
    groebner_counts counts;
    uint64_t numbers[sizeof(groebner_counts) / sizeof(uint64_t)];
} part;

typedef struct worker {
    part *mine;
    svs_object_layer_view index, element; /* what it looks at; held while in use */
    reduction by;
    polynomial p;
    uint64_t steps_polled;
    svs_status failed;
    svs_counter answered;
    int64_t proposals;
    bool again;
} worker;

/* A proposal to rank 0, or the answer. */
typedef struct letter {
    worker *of; /* on rank `from` */
    uint32_t from;
    bool is_answer, again;
    element proposed;
} letter;

static const svs_object_layer_name index_name = {0, 0};

/* ---- the layer, by a thread with a stack ---- */

static svs_status publish(part *mine, svs_object_layer_name name, const void *data, size_t bytes) {
    return program_begun(svs_object_layer_publish(mine->layer, name, data, bytes, &mine->notes));
}

/* Looks at another object, or version, in place of the one that the view has. */
static svs_status look(part *mine, svs_object_layer_name name, bool refresh,
                       svs_object_layer_view *view) {
    svs_counter read;
    svs_status status = SVS_OK;
    svs_counter_init(&read, 0);
    if (view->held != NULL) status = svs_object_layer_release(mine->layer, view);
    if (status == SVS_OK)
        status = (refresh ? svs_object_layer_refresh : svs_object_layer_read)(mine->layer, name,
                                                                              view, &read);
    if (status == SVS_WAIT) status = svs_await(mine->ranks, &read, 1);
    return status == SVS_OK ? view->status : status;
}

static svs_status leave(part *mine, svs_object_layer_view *view) {
    return view->held == NULL ? SVS_OK : svs_object_layer_release(mine->layer, view);
}

static svs_status look_at_index(worker *me, bool refresh) {
    svs_status status = look(me->mine, index_name, refresh, &me->index);
    me->by.of = me->index.data;
    me->by.count = (uint32_t)(me->index.bytes / sizeof(element));
    return status;
}

static const term *terms_of_layer(void *argument, const element *of, uint32_t *count) {
    worker *me = argument;
    svs_object_layer_name name = {of->rank, of->number};
    if (me->failed == SVS_OK) me->failed = look(me->mine, name, false, &me->element);
    *count = me->failed == SVS_OK ? (uint32_t)(me->element.bytes / sizeof(term)) : 0;
    if (me->failed != SVS_OK) me->by.count = 0; /* no element divides any more: it ends */
    return me->element.data;
}

/* Between two steps: the rank serves the others. */
static void serve(void *argument) {
    const worker *me = argument;
    if (me->mine->counts.steps % STEPS_POLL == 0) svs_poll(me->mine->ranks);
}

/* ---- rank 0: the index ---- */

static svs_status add_pairs(part *mine, uint32_t count) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < count && status == SVS_OK; i++) {
        const pair *next = &mine->room[i];
        svs_stealer_hint hint = {.priority = -(int64_t)next->sugar * 65536 - next->degree,
                                 .work = 1,
                                 .migration = next->sugar}; /* thieves take the best ones, too */
        status = svs_stealer_add(mine->pairs, SVS_STEALER_ANY, next, sizeof *next, &hint);
    }
    return status;
}

static svs_status add_element(part *mine, const element *next) {
    uint32_t made;
    svs_status status;
    mine->room =
        groebner_grow(mine->room, &mine->room_capacity, mine->index.count + 1, sizeof *mine->room);
    made = index_add(&mine->index, next, mine->room);
    status = publish(mine, index_name, mine->index.of, mine->index.count * sizeof(element));
    if (status == SVS_OK)
        status = program_begun(svs_object_layer_invalidate(mine->layer, index_name, &mine->notes));
    return status == SVS_OK ? add_pairs(mine, made) : status;
}

/* @return whether the element can be reduced further, by one that was added meanwhile. */
static svs_status judge(part *mine, const element *proposed, bool *again) {
    const element_index *index = &mine->index;
    *again = index_find_divisor(index->of, 0, index->count, &proposed->lead) != index->count;
    mine->counts.again += *again;
    return *again ? SVS_OK : add_element(mine, proposed);
}

/* ---- mail ---- */

static svs_status send(part *mine, uint32_t to, const letter *of) {
    return svs_stealer_add(mine->mail, to, of, sizeof *of, NULL);
}

static svs_status read_letter(part *mine, letter *of) {
    letter answer = *of;
    svs_status status;
    if (of->is_answer) {
        of->of->again = of->again;
        svs_counter_add(mine->ranks, &of->of->answered, 1);
        return SVS_OK;
    }
    status = judge(mine, &of->proposed, &answer.again);
    answer.is_answer = true;
    return status == SVS_OK ? send(mine, of->from, &answer) : status;
}

static svs_status wake(svs_ranks *ranks, void *state) {
    svs_counter_add(ranks, *(svs_counter **)state, 1);
    return SVS_OK;
}

/* Lets the other fibers of the rank run: a worker with tasks of its own never waits. */
static svs_status give_way(part *mine) {
    svs_counter turn, *state = &turn;
    svs_fiber fiber;
    svs_status status =
        svs_fiber_new(mine->ranks, wake, &state, sizeof(svs_counter *), NULL, &fiber);
    svs_counter_init(&turn, 0);
    if (status == SVS_OK) status = svs_fiber_enable(mine->ranks, fiber);
    return status == SVS_OK ? svs_await(mine->ranks, &turn, 1) : status;
}

/* Removes tasks until there are none. */
static svs_status run_tasks(part *mine, svs_stealer *of, void *task,
                            svs_status (*run)(part *mine, void *task, void *argument),
                            void *argument) {
    svs_counter available;
    svs_counter_init(&available, 0);
    for (int64_t count = 1;; count++) {
        size_t bytes;
        svs_status status = svs_stealer_remove(of, task, &bytes, &available);
        if (status == SVS_WAIT) status = svs_await(mine->ranks, &available, count);
        if (status == SVS_OK && bytes == SVS_STEALER_END) break;
        if (status == SVS_OK) status = run(mine, task, argument);
        if (status == SVS_OK) status = svs_stealer_complete(of);
        if (status == SVS_OK) status = give_way(mine);
        if (status != SVS_OK) return status;
    }
    svs_counter_add(mine->ranks, &mine->ended, 1);
    return SVS_OK;
}

static svs_status run_letter(part *mine, void *task, void *argument) {
    (void)argument;
    return read_letter(mine, task);
}

static svs_status clerk(svs_ranks *ranks, void *state) {
    part *mine = *(part **)state;
    letter task;
    (void)ranks;
    return run_tasks(mine, mine->mail, &task, run_letter, NULL);
}

/* ---- workers ---- */

/* Publishes what is left of a pair, and asks rank 0 to add it. `number` stays through all tries. */
static svs_status propose(worker *me, uint32_t sugar, uint32_t number) {
    part *mine = me->mine;
    svs_object_layer_name name = {mine->rank, number};
    element next = {.lead = me->p.terms[0].m, .rank = mine->rank, .number = number, .sugar = sugar};
    letter of = {.of = me, .from = mine->rank};
    svs_status status = publish(mine, name, me->p.terms, me->p.count * sizeof(term));
    next.mask = monomial_mask(&next.lead);
    of.proposed = next;
    if (status != SVS_OK) return status;
    if (mine->rank == 0) return judge(mine, &next, &me->again);
    status = send(mine, 0, &of);
    return status == SVS_OK ? svs_await(mine->ranks, &me->answered, ++me->proposals) : status;
}

static svs_status reduce(worker *me, const pair *of) {
    part *mine = me->mine;
    uint32_t number = 0;
    svs_status status = SVS_OK;
    reduction_start(&me->by, of, &me->p);
    do {
        if (me->again && number != 0) status = look_at_index(me, true);
        if (status == SVS_OK) reduction_run(&me->by, &me->p);
        if (status == SVS_OK) status = me->failed;
        if (status != SVS_OK) return status;
        me->again = false;
        if (me->p.count == 0) {
            mine->counts.zeros++;
            break;
        }
        if (number == 0) number = ++mine->published;
        status = propose(me, of->sugar, number);
    } while (status == SVS_OK && me->again);
    return status;
}

static svs_status run_pair(part *mine, void *task, void *argument) {
    worker *me = argument;
    const pair *of = task;
    svs_status status = look_at_index(me, false);
    if (status == SVS_OK && of->j >= me->by.count) status = look_at_index(me, true);
    if (status == SVS_OK && pair_is_covered(me->by.of, me->by.count, of)) mine->counts.covered++;
    else if (status == SVS_OK) status = reduce(me, of);
    if (status == SVS_OK) status = leave(mine, &me->element);
    return status == SVS_OK ? leave(mine, &me->index) : status;
}

static svs_status work(svs_ranks *ranks, void *state) {
    part *mine = *(part **)state;
    worker me = {.mine = mine};
    pair task;
    svs_status status;
    (void)ranks;
    svs_counter_init(&me.answered, 0);
    me.by = (reduction){.modulus = mine->given->modulus,
                        .terms = terms_of_layer,
                        .between = serve,
                        .argument = &me,
                        .steps = &mine->counts.steps};
    status = run_tasks(mine, mine->pairs, &task, run_pair, &me);
    polynomial_free(&me.p);
    polynomial_free(&me.by.room);
    return status;
}

/* ---- the run of a rank ---- */

/* The input is spread over ranks. */
static svs_status publish_input(part *mine) {
    svs_status status = SVS_OK;
    polynomial p = {NULL, 0, 0};
    for (uint32_t i = mine->rank; i < mine->given->count && status == SVS_OK;
         i += svs_ranks_count(mine->ranks)) {
        svs_object_layer_name name = {mine->rank, ++mine->published};
        polynomial_copy(&p, mine->given->of[i].terms, mine->given->of[i].count);
        polynomial_make_monic(&p, mine->given->modulus);
        status = publish(mine, name, p.terms, p.count * sizeof(term));
    }
    polynomial_free(&p);
    return status;
}

static svs_status add_input(part *mine) {
    uint32_t ranks = svs_ranks_count(mine->ranks);
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < mine->given->count && status == SVS_OK; i++) {
        const monomial *lead = &mine->given->of[i].terms[0].m;
        element next = {.lead = *lead,
                        .rank = i % ranks,
                        .number = 1 + i / ranks,
                        .sugar = lead->degree,
                        .mask = monomial_mask(lead)};
        status = add_element(mine, &next);
    }
    return status;
}

static svs_status compute(part *mine) {
    svs_counter terminated;
    svs_status status = SVS_OK;
    svs_counter_init(&terminated, 0);
    if (mine->rank == 0) status = add_input(mine);
    if (status == SVS_OK) status = program_begun(svs_stealer_wait(mine->pairs, &terminated));
    if (status == SVS_OK)
        status = svs_thread_spawn(mine->ranks, clerk, &mine, sizeof(part *), NULL);
    for (uint32_t i = 0; i < mine->by->workers && status == SVS_OK; i++)
        status = svs_thread_spawn(mine->ranks, work, &mine, sizeof(part *), NULL);
    if (status == SVS_OK) status = svs_await(mine->ranks, &terminated, 1);
    if (status == SVS_OK) status = svs_await(mine->ranks, &mine->ended, 1 + mine->by->workers);
    return status;
}

/* On rank 0. */
static svs_status gather(part *mine) {
    svs_object_layer_view view = {NULL, 0, 0, SVS_OK, NULL};
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < mine->index.count && status == SVS_OK; i++) {
        const element *of = &mine->index.of[i];
        if (of->redundant != 0) continue;
        status = look(mine, (svs_object_layer_name){of->rank, of->number}, false, &view);
        if (status == SVS_OK)
            polynomial_copy(system_add(mine->basis), view.data,
                            (uint32_t)(view.bytes / sizeof(term)));
    }
    if (status == SVS_OK) status = leave(mine, &view);
    if (status == SVS_OK) basis_reduce(mine->basis);
    return status;
}

static void sum(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

static svs_status count(part *mine, const svs_ranks_statistics *before, svs_counter *summed) {
    groebner_counts *to = &mine->counts;
    svs_ranks_statistics now;
    svs_stealer_statistics pairs;
    svs_object_layer_statistics layer;
    svs_status status = svs_ranks_statistics_get(mine->ranks, &now);
    if (status == SVS_OK) status = svs_stealer_statistics_get(mine->pairs, &pairs);
    if (status == SVS_OK) status = svs_object_layer_statistics_get(mine->layer, &layer);
    if (status != SVS_OK) return status;
    to->idle_ns = now.idle_ns - before->idle_ns;
    to->messages = now.msg_sent - before->msg_sent;
    to->bytes = now.byte_sent - before->byte_sent;
    to->tasks = pairs.completed;
    to->migrated = pairs.migrated;
    to->hits = layer.hits;
    to->hit_bytes = layer.hit_bytes;
    to->requests = layer.requests;
    to->fetches = layer.fetches;
    to->fetched_bytes = layer.fetched_bytes;
    to->replacements = layer.replacements;
    memcpy(mine->numbers, to, sizeof mine->numbers);
    return program_begun(svs_reduce(mine->object, sum, mine->numbers, mine->numbers,
                                    sizeof(uint64_t), sizeof mine->numbers / sizeof(uint64_t),
                                    summed));
}

static svs_status make_object(part *mine, svs_counter *steps) {
    mine->object = svs_distributed_find(mine->ranks, "groebner", 0);
    if (mine->object != NULL) svs_counter_add(mine->ranks, steps, 1); /* of an earlier run */
    else
        return program_begun(
            svs_distributed_new(mine->ranks, "groebner", 0, mine, &mine->object, steps));
    return SVS_OK;
}

static svs_status run(svs_ranks *ranks, void *state) {
    part *mine = *(part **)state;
    svs_ranks_statistics before;
    svs_counter steps;
    uint64_t begun, cpu;
    svs_status status;
    svs_counter_init(&steps, 0);
    status = make_object(mine, &steps);
    if (status == SVS_OK) status = svs_await(ranks, &steps, 1);
    if (status == SVS_OK) status = publish_input(mine);
    if (status == SVS_OK) status = program_begun(svs_barrier(mine->object, &steps));
    if (status == SVS_OK) status = svs_await(ranks, &steps, 2);
    if (status == SVS_OK) status = svs_ranks_statistics_get(ranks, &before);
    begun = bench_wall_ns();
    cpu = bench_thread_cpu_ns();
    if (status == SVS_OK) status = compute(mine);
    mine->counts.ns = bench_wall_ns() - begun;
    mine->counts.cpu_ns = bench_thread_cpu_ns() - cpu;
    if (status == SVS_OK) status = count(mine, &before, &steps);
    if (status == SVS_OK) status = svs_await(ranks, &steps, 3);
    return status == SVS_OK && mine->rank == 0 ? gather(mine) : status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    part *mine = state;
    return svs_thread_spawn(ranks, run, &mine, sizeof(part *), NULL);
}

/* ---- making ---- */

static svs_status make(part *mine) {
    svs_object_layer_options of_layer;
    svs_stealer_options of_pairs;
    svs_status status;
    svs_object_layer_options_init(&of_layer);
    of_layer.name = "basis";
    of_layer.cache_bytes = mine->by->cache_bytes;
    status = svs_object_layer_new(mine->ranks, &of_layer, &mine->layer);
    if (status != SVS_OK) return status;
    svs_stealer_options_init(&of_pairs);
    of_pairs.name = "pairs";
    of_pairs.task_bytes = sizeof(pair);
    of_pairs.seed = mine->by->seed;
    status = svs_stealer_new(mine->ranks, &of_pairs, &mine->pairs);
    if (status != SVS_OK) return status;
    of_pairs.name = "mail";
    of_pairs.task_bytes = sizeof(letter);
    of_pairs.network = SVS_STEALER_PUSH;
    of_pairs.snapshot_of = mine->pairs;
    return svs_stealer_new(mine->ranks, &of_pairs, &mine->mail);
}

static svs_status free_all(part *mine) {
    svs_status status = svs_stealer_free(mine->mail, NULL);
    if (status == SVS_OK) status = svs_stealer_free(mine->pairs, NULL);
    return status == SVS_OK ? svs_object_layer_free(mine->layer, NULL) : status;
}

svs_status groebner_run(svs_ranks *ranks, const system_of_polynomials *given,
                        const groebner_way *by, system_of_polynomials *basis,
                        groebner_counts *counts) {
    part mine = {
        .ranks = ranks, .given = given, .by = by, .basis = basis, .rank = svs_ranks_index(ranks)};
    svs_status status = make(&mine);
    *basis = (system_of_polynomials){.modulus = given->modulus, .variables = given->variables};
    memcpy(basis->names, given->names, sizeof basis->names);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, &mine);
    if (status == SVS_OK) status = free_all(&mine);
    memcpy(counts, mine.numbers, sizeof *counts);
    counts->ns = mine.counts.ns;
    free(mine.index.of);
    free(mine.room);
    return status;
}
