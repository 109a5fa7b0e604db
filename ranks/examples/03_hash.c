/* Shows:  a hash table over all ranks: inserts, a duplicate handler, sync, iteration, lookup.
 * Run:    build/release/bin/ranks_03_hash --transport local:4
 * Expect: how many squares of numbers below 1000 end in 6 (ranks_03_hash in expected.txt). */
#include <stdio.h>
#include <svs/ranks.h>

/* An item begins with its key. */
typedef struct digit {
    uint64_t value, count;
} digit;

/* The key is there already: the entry takes up the item. */
static void merge(void *entry, const void *item, void *argument) {
    (void)argument;
    ((digit *)entry)->count += ((const digit *)item)->count;
}

/* The state of a thread without a stack: what lives across SVS_AWAIT. */
typedef struct counting {
    svs_thread thread;
    svs_hash *digits;
    uint64_t number; /* the next one of this rank */
    digit found;     /* rank 0: of the digit 6 */
    bool is_there;
    svs_counter done; /* counts completed split-phase calls */
} counting;

/* Inserts the digits of this rank's numbers; `done` is 1 when all are accepted. A table that
 * accepts no more for now says so, and enables the rest when it does. */
static svs_status insert(svs_ranks *ranks, void *state) {
    counting *me = *(counting **)state;
    for (; me->number < 1000; me->number += svs_ranks_count(ranks)) {
        digit item = {me->number * me->number % 10, 1};
        svs_status status = svs_hash_insert(me->digits, &item, NULL);
        svs_fiber rest;
        if (status == SVS_OK) continue;
        if (status != SVS_WAIT) return status;
        status = svs_fiber_continue(ranks, insert, &rest);
        return status != SVS_OK ? status : svs_hash_ready(me->digits, &item, rest);
    }
    svs_counter_add(ranks, &me->done, 1);
    return SVS_OK;
}

static svs_status start_inserts(svs_ranks *ranks, counting *me) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, insert, &me, sizeof(counting *), NULL, &fiber);
    return status != SVS_OK ? status : svs_fiber_enable(ranks, fiber);
}

static svs_status count_digits(svs_ranks *ranks, void *state) {
    counting *me = (counting *)state;
    const digit six = {6, 0};
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    status = start_inserts(ranks, me);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, me, &me->done, 1);
    status = svs_hash_sync(me->digits, &me->done); /* the inserts of all ranks take effect */
    if (status != SVS_OK && status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &me->done, 2);
    if (svs_ranks_index(ranks) != 0) return SVS_OK;
    status = svs_hash_lookup(me->digits, &six, &me->found, &me->is_there, &me->done);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &me->done, 3);
    if (me->is_there)
        printf("%llu squares end in %llu\n", (unsigned long long)me->found.count,
               (unsigned long long)me->found.value);
    SVS_THREAD_END;
}

/* Tables are made by all ranks, before the run. */
static svs_status run(svs_ranks *ranks) {
    counting me = {.number = svs_ranks_index(ranks)};
    svs_hash_options options;
    svs_status status;
    svs_hash_options_init(&options);
    options.name = "digits";
    options.item_bytes = sizeof(digit);
    options.key_bytes = sizeof(uint64_t);
    options.duplicate = merge;
    status = svs_hash_new(ranks, &options, &me.digits);
    return status != SVS_OK ? status : svs_ranks_run(ranks, count_digits, &me);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 1;
    status = run(ranks);
    if (status != SVS_OK) fprintf(stderr, "%s\n", svs_ranks_failure(ranks));
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
