#include "transport/local.h"
#include "base/lock.h"
#include "base/platform.h"
#include "worksteal/parking.h"
#include <stdlib.h>
#include <string.h>

typedef struct svs__local_inbox {
    svs__parking parking; /* where the rank of this inbox sleeps while it is idle */
    svs__lock lock;
    _Atomic(uint32_t) due; /* 1: the fields below have changed since the rank last read them */
    bool closed;
    svs__buffers arrived;
    svs__buffers returned; /* buffers of this rank that their receivers have released */
    uint32_t *left;        /* ranks that have left, in the order of their leaving */
    uint32_t left_count;
} svs__local_inbox;

typedef struct endpoint {
    svs__local_inbox inbox;
    svs_transport transport;
    struct svs__local *local;
    bool opened;
    /* Used only by the rank itself: what it has taken from the inbox. */
    svs__buffers arrived, returned;
    uint32_t left_taken, left_told;
    uint32_t *numbers; /* for each rank, the number of buffers sent to it */
    uint32_t *seen;    /* for each rank, the number of buffers that have arrived from it */
    svs__thread thread;
    int result;
} endpoint;

typedef struct svs__local {
    uint32_t count;
    svs_rank_program *program;
    void *argument;
    endpoint *endpoints;
    /* 0: threads are being made; 1: run the program; 2: a thread could not be made, do not run
     * it */
    _Atomic(uint32_t) started;
} svs__local;

/* Tells the rank of an inbox that it has changed. Called after the change, which was made under the
 * lock (transport.L2). */
static void notify(svs__local_inbox *inbox) {
    /* release: pairs with the acquire in collect(); the lock orders the contents. */
    svs__store_release(&inbox->due, 1);
    svs__parking_wake(&inbox->parking, 1);
}

static svs__send_result local_send(void *self, uint32_t to, svs__buffer *buffer) {
    endpoint *mine = self;
    svs__local_inbox *inbox = &mine->local->endpoints[to].inbox;
    bool closed;
    buffer->from = mine->transport.rank;
    buffer->number = mine->numbers[to]++;
    svs__lock_acquire(&inbox->lock);
    closed = inbox->closed;
    if (!closed) svs__buffers_put(&inbox->arrived, buffer);
    svs__lock_release(&inbox->lock);
    if (closed) svs__buffers_put(&mine->returned, buffer);
    else notify(inbox);
    return SVS__SENT;
}

static void append(svs__buffers *list, svs__buffers *more) {
    if (more->first == NULL) return;
    if (list->first == NULL) *list = *more;
    else {
        list->last->next = more->first;
        list->last = more->last;
    }
    more->first = NULL;
}

/* Takes what is new in the inbox. The lock that protects the count of ranks that left also protects
 * the buffers that they sent before. */
static void collect(endpoint *mine) {
    svs__local_inbox *inbox = &mine->inbox;
    /* relaxed is enough for a hint: `due` stays 1 until this rank clears it */
    if (svs__load_relaxed(&inbox->due) == 0) return;
    /* acquire: pairs with the release in notify(), so that the inbox has each change that was
     * notified before. */
    (void)svs__exchange_acquire(&inbox->due, 0);
    svs__lock_acquire(&inbox->lock);
    append(&mine->arrived, &inbox->arrived);
    append(&mine->returned, &inbox->returned);
    mine->left_taken = inbox->left_count;
    SVS__ASSERT(!inbox->closed || mine->arrived.first == NULL); /* transport.L1 */
    svs__lock_release(&inbox->lock);
}

static svs__buffer *local_completed(void *self) {
    endpoint *mine = self;
    if (mine->returned.first == NULL) collect(mine);
    return svs__buffers_take(&mine->returned);
}

static svs__receive_result local_receive(void *self, svs__buffer **buffer, uint32_t *from) {
    endpoint *mine = self;
    if (mine->arrived.first == NULL && mine->left_told == mine->left_taken) collect(mine);
    *buffer = svs__buffers_take(&mine->arrived);
    if (*buffer != NULL) {
        *from = (*buffer)->from;
        SVS__ASSERT((*buffer)->number == mine->seen[*from]); /* transport.T1, transport.T2 */
        mine->seen[*from]++;
        return SVS__ARRIVED;
    }
    if (mine->left_told == mine->left_taken) return SVS__NOTHING;
    *from = mine->inbox.left[mine->left_told++];
    SVS__ASSERT(mine->left_told < mine->transport.count); /* transport.T3: once for each */
    return SVS__LEFT;
}

static void local_release(void *self, svs__buffer *buffer) {
    endpoint *mine = self;
    svs__local_inbox *inbox = &mine->local->endpoints[buffer->from].inbox;
    svs__lock_acquire(&inbox->lock);
    svs__buffers_put(&inbox->returned, buffer);
    svs__lock_release(&inbox->lock);
    notify(inbox);
}

static bool is_due(const endpoint *mine) {
    /* acquire: pairs with the release in notify(). */
    return mine->arrived.first != NULL || mine->returned.first != NULL ||
           mine->left_told != mine->left_taken || svs__load_acquire(&mine->inbox.due) != 0;
}

static void local_wake(void *self) { notify(&((endpoint *)self)->inbox); }

static uint64_t local_now(void *self) {
    (void)self;
    return svs__time_ns();
}

static void sleep_until(endpoint *mine, uint64_t until) {
    svs__parking *parking = &mine->inbox.parking;
    uint32_t epoch = svs__parking_prepare(parking);
    uint64_t now = until == SVS__NEVER ? 0 : svs__time_ns();
    if (is_due(mine) || now >= until) {
        svs__parking_cancel(parking);
    } else if (until == SVS__NEVER) {
        svs__parking_commit(parking, epoch);
    } else { /* worksteal.P4: it may return early */
        svs__futex_wait_for(&parking->epoch, epoch, until - now);
        svs__parking_cancel(parking);
    }
}

static uint64_t local_idle(void *self, uint64_t until, uint64_t spin_ns) {
    endpoint *mine = self;
    uint64_t begin = svs__time_ns(), now = begin;
    for (; now - begin < spin_ns; now = svs__time_ns()) {
        if (is_due(mine)) return now;
        svs__relax();
    }
    sleep_until(mine, until);
    return svs__time_ns();
}

static bool local_open(void *self) {
    endpoint *mine = self;
    bool before = mine->opened;
    mine->opened = true;
    return !before;
}

static void local_close(void *self) {
    endpoint *mine = self;
    svs__local *local = mine->local;
    svs__buffer *buffer;
    svs__lock_acquire(&mine->inbox.lock);
    if (mine->inbox.closed) {
        svs__lock_release(&mine->inbox.lock);
        return;
    }
    mine->inbox.closed = true;
    append(&mine->arrived, &mine->inbox.arrived);
    svs__lock_release(&mine->inbox.lock);
    while ((buffer = svs__buffers_take(&mine->arrived)) != NULL) local_release(mine, buffer);
    for (uint32_t i = 0; i < local->count; i++) {
        svs__local_inbox *inbox = &local->endpoints[i].inbox;
        if (i == mine->transport.rank) continue;
        svs__lock_acquire(&inbox->lock);
        inbox->left[inbox->left_count++] = mine->transport.rank;
        svs__lock_release(&inbox->lock);
        notify(inbox);
    }
}

static const svs__transport_type local_type = {.name = "local",
                                               .open = local_open,
                                               .send = local_send,
                                               .completed = local_completed,
                                               .receive = local_receive,
                                               .release = local_release,
                                               .idle = local_idle,
                                               .now = local_now,
                                               .wake = local_wake,
                                               .close = local_close};

static void *run_rank(void *argument) {
    endpoint *mine = argument;
    svs__local *local = mine->local;
    uint32_t started;
    /* acquire: pairs with the release in start_threads(), so that this thread sees all
     * endpoints. */
    while ((started = svs__load_acquire(&local->started)) == 0) svs__futex_wait(&local->started, 0);
    if (started == 1) mine->result = local->program(&mine->transport, local->argument);
    local_close(mine);
    return NULL;
}

/* @return whether all threads could be started. If not, those that were started end without running
 * the program. */
static bool start_threads(svs__local *local) {
    uint32_t started = 1, made = 0;
    while (made < local->count && svs__thread_create(&local->endpoints[made].thread, run_rank,
                                                     &local->endpoints[made], 0) == SVS_OK)
        made++;
    if (made < local->count) started = 2;
    /* release: pairs with the acquire in run_rank(). */
    svs__store_release(&local->started, started);
    svs__futex_wake(&local->started, UINT32_MAX);
    for (uint32_t i = 0; i < made; i++) svs__thread_join(&local->endpoints[i].thread);
    return made == local->count;
}

static bool make_endpoints(svs__local *local) {
    uint32_t count = local->count;
    local->endpoints = svs__allocate_zeroed(&svs__allocator_libc, count * sizeof *local->endpoints,
                                            _Alignof(endpoint));
    if (local->endpoints == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        endpoint *one = &local->endpoints[i];
        one->local = local;
        one->transport = (svs_transport){&local_type, one, i, count};
        one->inbox.left = calloc(count, 3 * sizeof(uint32_t));
        if (one->inbox.left == NULL) return false;
        one->numbers = one->inbox.left + count;
        one->seen = one->numbers + count;
    }
    return true;
}

static void free_endpoints(svs__local *local) {
    if (local->endpoints == NULL) return;
    for (uint32_t i = 0; i < local->count; i++) free(local->endpoints[i].inbox.left);
    svs__release(&svs__allocator_libc, local->endpoints, local->count * sizeof *local->endpoints,
                 _Alignof(endpoint));
}

int svs__local_run(uint32_t count, svs_rank_program *program, void *argument) {
    svs__local local = {.count = count, .program = program, .argument = argument};
    int result = SVS_E_NO_MEMORY;
    if (make_endpoints(&local)) result = start_threads(&local) ? SVS_OK : SVS_E_THREAD;
    for (uint32_t i = 0; i < count && result == 0; i++) result = local.endpoints[i].result;
    free_endpoints(&local);
    return result;
}
