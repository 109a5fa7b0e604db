/* Shows:  an object layer: each rank publishes versions of its object, and reads copies of all.
 * Run:    build/release/bin/ranks_09_objects --transport local:4
 * Expect: what rank 0 has read, and how often it had to ask (ranks_09_objects in expected.txt). */
#include <stdio.h>
#include <svs/ranks.h>

enum { READS = 50 };

typedef struct reader { /* of a rank */
    svs_ranks *ranks;
    svs_object_layer *layer;
    svs_counter done;
    int64_t calls; /* that are complete */
} reader;

/* A call was made: waits until it is complete. The caller is a thread with a stack. */
static svs_status finish(reader *me, svs_status status) {
    if (status == SVS_OK || status == SVS_WAIT) me->calls++;
    return status == SVS_WAIT ? svs_await(me->ranks, &me->done, me->calls) : status;
}

static svs_status publish(reader *me, uint64_t value) {
    svs_object_layer_name mine = {svs_ranks_index(me->ranks), 0};
    return finish(me, svs_object_layer_publish(me->layer, mine, &value, sizeof value, &me->done));
}

/* Adds the values of all ranks up. */
static svs_status read_all(reader *me, uint64_t *sum) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < svs_ranks_count(me->ranks) && status == SVS_OK; i++) {
        svs_object_layer_name name = {i, 0};
        svs_object_layer_view view;
        status = finish(me, svs_object_layer_read(me->layer, name, &view, &me->done));
        if (status != SVS_OK || view.status != SVS_OK) return SVS_E_STATE;
        *sum += *(const uint64_t *)view.data;
        status = svs_object_layer_release(me->layer, &view);
    }
    return status;
}

static svs_status work(svs_ranks *ranks, void *state) {
    reader *me = *(reader **)state;
    svs_object_layer_statistics counts;
    uint64_t before = 0, after = 0;
    svs_status status = publish(me, 1 + svs_ranks_index(ranks)); /* version 1 of each object */
    if (status == SVS_OK) status = finish(me, svs_object_layer_sync(me->layer, &me->done));
    for (int i = 0; i < READS && status == SVS_OK; i++) status = read_all(me, &before);
    if (status == SVS_OK) status = svs_object_layer_statistics_get(me->layer, &counts);
    if (status == SVS_OK) status = finish(me, svs_object_layer_sync(me->layer, &me->done));
    if (status == SVS_OK) status = publish(me, 10); /* version 2; the copies are old now */
    if (status == SVS_OK) status = finish(me, svs_object_layer_sync(me->layer, &me->done));
    if (status == SVS_OK) status = read_all(me, &after); /* after a sync: version 2 of all */
    if (status == SVS_OK && svs_ranks_index(ranks) == 0)
        printf("sum %d by %d requests, then %d\n", (int)before, (int)counts.requests, (int)after);
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, work, &state, sizeof state, NULL);
}

static int program(const svs_transport *transport, int argc, char **argv) {
    reader mine = {0};
    svs_ranks_options options;
    svs_object_layer_options of_layer;
    svs_status status;
    (void)argc, (void)argv;
    svs_ranks_options_init(&options);
    options.transport = transport;
    svs_object_layer_options_init(&of_layer);
    of_layer.name = "values";
    if (svs_ranks_new(&options, &mine.ranks) != SVS_OK) return 1;
    status = svs_object_layer_new(mine.ranks, &of_layer, &mine.layer);
    if (status == SVS_OK) status = svs_ranks_run(mine.ranks, start, &mine);
    return svs_ranks_free(mine.ranks) != SVS_OK || status != SVS_OK;
}

int main(int argc, char **argv) { return svs_ranks_main(NULL, program, argc, argv); }
