/* What the simulations gather on rank 0. */
#include "circuit.h"

#define AWAIT_CALL(call)                                                                           \
    do {                                                                                           \
        int64_t before_ = done->value;                                                             \
        svs_status status_ = (call);                                                               \
        if (status_ == SVS_WAIT) status_ = svs_await(ranks, done, before_ + 1);                    \
        if (status_ != SVS_OK) return status_;                                                     \
    } while (0)

static void most_bytes(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (((const unsigned char *)from)[i] > ((unsigned char *)into)[i])
            ((unsigned char *)into)[i] = ((const unsigned char *)from)[i];
}

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

svs_status gather_bytes(svs_ranks *ranks, svs_distributed *object, unsigned char *bytes,
                        size_t count, svs_counter *done) {
    for (size_t at = 0; at < count; at += SVS_REDUCE_MAX)
        AWAIT_CALL(svs_reduce(object, most_bytes, bytes + at, bytes + at, 1,
                              count - at < SVS_REDUCE_MAX ? count - at : SVS_REDUCE_MAX, done));
    return SVS_OK;
}

svs_status gather_sums(svs_ranks *ranks, svs_distributed *object, const void *own, void *sums,
                       size_t count, svs_counter *done) {
    AWAIT_CALL(svs_reduce(object, add, own, sums, 8, count, done));
    return SVS_OK;
}

static void take_changes(svs_ranks *ranks, void *data, const change *all, uint32_t count) {
    (void)ranks;
    for (uint32_t i = 0; i < count; i++) waves_add(data, all[i].time, all[i].signal, all[i].value);
}
SVS_HANDLER_IN_PLACE(keep_change, change, take_changes)
static const svs_handler *const handlers[] = {&keep_change};

svs_status gather_prepare(svs_ranks *ranks) { return svs_handlers_add(ranks, handlers, 1); }

void gather_begin(svs_ranks *ranks, waves *all) { svs_ranks_set_data(ranks, all); }

static svs_status go_on(svs_ranks *ranks, void *state) {
    svs_counter_add(ranks, *(svs_counter **)state, 1);
    return SVS_OK;
}

svs_status gather_waves(svs_ranks *ranks, const waves *all, svs_counter *done) {
    for (size_t i = 0; i < all->count && svs_ranks_index(ranks) != 0;) {
        svs_status status = keep_change_post(ranks, 0, &all->of[i]);
        int64_t before = done->value;
        svs_fiber fiber;
        i += status == SVS_OK;
        if (status == SVS_OK) continue;
        if (status == SVS_WAIT)
            status = svs_fiber_new(ranks, go_on, &done, sizeof(svs_counter *), NULL, &fiber);
        if (status == SVS_OK) status = svs_post_ready(ranks, 0, fiber);
        if (status == SVS_OK) status = svs_await(ranks, done, before + 1);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}
