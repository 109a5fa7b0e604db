#include "worksteal/job.h"

/* Number of steps in one job after which a worker tries to steal, and tests whether it is to
 * leave. */
#define STREAK 256

void svs__jobs_attach(svs__jobs *jobs, uint32_t slot, svs__job *job) {
    /* [worksteal.Q1] includes a release: a thread that enters sees the initialized job; pairs
     * with enter(). */
    svs__store_seq(&jobs->slots[slot].job, job);
    svs__store_relaxed(&jobs->newest, slot);          /* relaxed: may be stale (worksteal.Q4) */
    (void)svs__fetch_add_relaxed(&jobs->attaches, 1); /* relaxed: publishes nothing */
    (void)svs__fetch_or_release(&jobs->attached, (uint64_t)1 << slot);
}

/* @return the job, or NULL. With a job, its slot now counts the caller. */
static svs__job *enter(svs__job_slot *slot) {
    svs__job *job;
    /* [worksteal.Q1] forbids: the load reads the pointer, and svs__jobs_detach() misses the
     * increment. */
    (void)svs__fetch_add_seq(&slot->users, 1);
    job = svs__load_seq(&slot->job);
    /* relaxed: the caller has not accessed a job. */
    if (job == NULL) (void)svs__fetch_sub_relaxed(&slot->users, 1);
    return job;
}

bool svs__worker_is_within(const svs_runtime *runtime) {
    const svs__worker *self = svs__worker_self();
    const svs__job_slot *slot = self == NULL ? NULL : self->inside;
    if (self != NULL && self->runtime == runtime) return true;
    while (slot != NULL && slot->runtime != runtime) slot = slot->outer;
    return slot != NULL;
}

static void leave(svs__job_slot *slot) {
    /* [worksteal.Q1] release: the caller's accesses to the job come before its detach returns;
     * pairs with the load there. */
    uint32_t users = svs__fetch_sub_release(&slot->users, 1);
    SVS__ASSERT(users != 0); /* worksteal.Q1 */
    (void)users;
}

bool svs__jobs_mark(svs__jobs *jobs, const svs__job *job) {
    uint32_t slot = svs__jobs_find(jobs, job);
    bool found;
    if (slot == SVS__JOBS_MAX) return false;
    found = enter(&jobs->slots[slot]) == job; /* worksteal.C1 */
    /* [worksteal.C2] relaxed: the requests that follow publish it. */
    if (found) svs__store_relaxed(&jobs->slots[slot].cancelled, 1);
    SVS__ASSERT(!found || svs__load_relaxed(&jobs->slots[slot].users) != 0); /* worksteal.C1 */
    if (found) leave(&jobs->slots[slot]);
    return found;
}

svs_status svs__jobs_cancel(svs__jobs *jobs, uint64_t id, svs_status status) {
    svs__job_slot *slot = &jobs->slots[id % SVS__JOBS_MAX];
    svs__job *job = enter(slot);
    svs_status result = SVS_E_STATE;
    if (job == NULL) return SVS_E_STATE;
    if (slot->id == id && job->cancel != NULL) result = job->cancel(job, status);
    leave(slot);
    return result;
}

void svs__jobs_enter_all(svs__jobs *jobs, svs__job **inside) {
    /* [worksteal.Q2] relaxed: a job that is missed is found by the next call. */
    uint64_t mask = svs__load_relaxed(&jobs->attached);
    for (uint32_t i = 0; i < SVS__JOBS_MAX; i++)
        inside[i] = mask >> i & 1 ? enter(&jobs->slots[i]) : NULL;
}

void svs__jobs_leave_all(svs__jobs *jobs, svs__job *const *inside) {
    for (uint32_t i = 0; i < SVS__JOBS_MAX; i++)
        if (inside[i] != NULL) leave(&jobs->slots[i]);
}

uint32_t svs__jobs_find(svs__jobs *jobs, const svs__job *job) {
    uint32_t slot = 0;
    /* relaxed is enough: either the attach happened before this call, or "not attached" is a
     * correct answer. */
    while (slot < SVS__JOBS_MAX && svs__load_relaxed(&jobs->slots[slot].job) != job) slot++;
    return slot;
}

void svs__jobs_prioritize(svs__jobs *jobs, uint32_t slot, int32_t priority) {
    uint64_t bit = (uint64_t)1 << slot;
    /* relaxed is enough, here and below: priorities are hints (worksteal.Q6). */
    svs__store_relaxed(&jobs->slots[slot].priority, priority);
    if (priority != 0) (void)svs__fetch_or_relaxed(&jobs->unequal, bit);
    else (void)svs__fetch_and_relaxed(&jobs->unequal, ~bit);
}

uint32_t svs__jobs_detach(svs__jobs *jobs, svs__job *job) {
    uint32_t slot = svs__jobs_find(jobs, job);
    if (slot == SVS__JOBS_MAX) return slot;
    (void)svs__fetch_and_relaxed(&jobs->attached, ~((uint64_t)1 << slot));
    /* [worksteal.Q1] forbids: the load below misses a thread that has read the pointer in
     * enter(). */
    (void)svs__exchange_seq(&jobs->slots[slot].job, NULL);
    for (uint32_t tries = 0; svs__load_seq(&jobs->slots[slot].users) != 0; tries++) {
        if (tries < 100) svs__relax();
        else svs__yield();
    }
    return slot;
}

/* The first slot whose bit is set in `mask`, which is not 0. The search begins at `first` and wraps
 * around. */
static uint32_t next_slot(uint64_t mask, uint32_t first) {
    uint64_t after = mask & ~(uint64_t)0 << first;
    return (uint32_t)__builtin_ctzll(after != 0 ? after : mask);
}

bool svs__worker_turn_is_long(const svs__worker *worker) {
    return svs__time_ns() - worker->turn >= SVS__TURN_NS;
}

static bool step_one(svs__jobs *jobs, uint32_t slot_number, svs__worker *worker,
                     const svs__until *until) {
    svs__job_slot *slot = &jobs->slots[slot_number];
    svs__job *job = enter(slot);
    uint32_t steps = 0;
    if (job == NULL) return false;
    worker->inside = slot; /* worksteal.Q5 */
    worker->turn = svs__jobs_crowded(jobs) ? svs__time_ns() : 0;
    while (steps < STREAK && job->step(job, worker)) {
        steps++;
        if (until->done != NULL && until->done(until->argument)) break;
        if (svs__jobs_turn_is_over(jobs, worker)) break;
    }
    leave(slot);
    return steps != 0;
}

/* The slot of a job that the worker has not served yet, to be served out of turn. SVS__JOBS_MAX:
 * there is none, or the worker's last turn was such a jump. */
static uint32_t jump(svs__jobs *jobs, svs__worker *worker) {
    /* relaxed: a worker that reads the slot of another attach begins with that job. */
    uint32_t attaches = svs__load_relaxed(&jobs->attaches);
    bool jumped = worker->jumped;
    worker->jumped = false;
    if (jumped || attaches == worker->attaches) return SVS__JOBS_MAX;
    worker->attaches = attaches;
    return svs__load_relaxed(&jobs->newest);
}

/* Steps the jobs of `mask` in a round that begins at slot `*next`. */
static bool step_round(svs__jobs *jobs, svs__worker *worker, const svs__until *until, uint64_t mask,
                       uint32_t *next) {
    while (mask != 0) {
        uint32_t slot = next_slot(mask, *next);
        mask &= ~((uint64_t)1 << slot);
        if (!step_one(jobs, slot, worker, until)) continue;
        *next = (slot + 1) % SVS__JOBS_MAX;
        return true;
    }
    return false;
}

/* The slots of `mask` with the highest priority. */
static uint64_t most_urgent(svs__jobs *jobs, uint64_t mask) {
    int64_t highest = INT64_MIN;
    uint64_t level = 0;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(mask);
        /* relaxed: may be stale */
        int64_t priority = svs__load_relaxed(&jobs->slots[slot].priority);
        if (priority < highest) continue;
        if (priority > highest) level = 0;
        highest = priority;
        level |= (uint64_t)1 << slot;
    }
    return level;
}

/* Steps the jobs in the order of their priorities (worksteal.Q6). */
SVS__COLD static bool step_by_priority(svs__jobs *jobs, svs__worker *worker,
                                       const svs__until *until, uint64_t mask) {
    if (worker->turns++ % SVS__FAIR_TURN == SVS__FAIR_TURN - 1)
        return step_round(jobs, worker, until, mask, &worker->next_fair);
    while (mask != 0) {
        uint64_t level = most_urgent(jobs, mask);
        if (step_round(jobs, worker, until, level, &worker->next_job)) return true;
        mask &= ~level;
    }
    return false;
}

bool svs__jobs_step(svs__jobs *jobs, svs__worker *worker, const svs__until *until) {
    /* [worksteal.Q2] relaxed is enough: the mask may be stale, and enter() reads the slot
     * itself. */
    uint64_t mask = svs__load_relaxed(&jobs->attached);
    uint32_t first;
    /* relaxed is enough: a priority that was just set may hold only at the next turn. */
    if (SVS__UNLIKELY(svs__load_relaxed(&jobs->unequal) != 0))
        return step_by_priority(jobs, worker, until, mask);
    first = mask != 0 ? jump(jobs, worker) : SVS__JOBS_MAX;
    if (first != SVS__JOBS_MAX && step_one(jobs, first, worker, until)) {
        worker->jumped = (mask & (mask - 1)) != 0;
        if (worker->next_job == first) worker->next_job = (first + 1) % SVS__JOBS_MAX;
        return true;
    }
    return step_round(jobs, worker, until, mask, &worker->next_job);
}

bool svs__jobs_ready(svs__jobs *jobs, uint32_t first) {
    /* [worksteal.Q2] relaxed is enough: the caller has executed a fence, or takes the answer as a
     * hint. */
    uint64_t mask = svs__load_relaxed(&jobs->attached);
    bool ready = false;
    while (mask != 0 && !ready) {
        uint32_t slot = next_slot(mask, first);
        svs__job *job = enter(&jobs->slots[slot]);
        mask &= ~((uint64_t)1 << slot);
        if (job == NULL) continue;
        ready = job->ready(job);
        leave(&jobs->slots[slot]);
    }
    return ready;
}

void svs__jobs_left(svs__jobs *jobs, svs__worker *seat) {
    /* [worksteal.Q2] relaxed: a job that this thread has stepped was attached before. */
    uint64_t mask = svs__load_relaxed(&jobs->attached);
    for (; mask != 0; mask &= mask - 1) {
        svs__job_slot *slot = &jobs->slots[__builtin_ctzll(mask)];
        svs__job *job = enter(slot);
        if (job == NULL) continue;
        if (job->left != NULL) job->left(job, seat);
        leave(slot);
    }
}
