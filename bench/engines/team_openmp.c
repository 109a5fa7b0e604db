/* OpenMP: a parallel region a loop, in which one thread makes a task of each chunk and all run
 * them; and OpenMP's lock.
 *
 * Threads that have nothing to do sleep, unless the environment says otherwise: by default libgomp
 * has them spin for milliseconds, as long as a whole frame, and if other programs use the CPUs as
 * well, frames took ten times as long. It reads the environment before main() begins, so the
 * program starts itself once more. */
#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

#include "teams.h"

/* glibc hands a constructor what it hands to main(). When there is no second start, waiting is not
 * passive, and all else is as well. */
__attribute__((constructor)) static void wait_passively(int count, char **arguments) {
    (void)count;
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
    if (!setenv("OMP_WAIT_POLICY", "passive", 1)) execv("/proc/self/exe", arguments);
}

typedef struct team {
    unsigned threads;
} team;

static void *open_team(unsigned threads) {
    team *it = malloc(sizeof *it);
    if (it) it->threads = threads;
    omp_set_dynamic(0);
    return it;
}

static void loop(void *opaque, size_t count, size_t chunk, parallel_function *fn, void *argument) {
    const team *it = opaque;
    if (!chunk) chunk = count / (8 * (size_t)it->threads);
    if (!chunk) chunk = 1;
#pragma omp parallel num_threads(it->threads)
#pragma omp single
    for (size_t begin = 0; begin < count; begin += chunk) {
#pragma omp task firstprivate(begin)
        fn(begin, count - begin < chunk ? count : begin + chunk, (unsigned)omp_get_thread_num(),
           argument);
    }
}

static void close_team(void *opaque) { free(opaque); }

static_assert(sizeof(omp_lock_t) <= NATIVE_LOCK_ROOM, "an omp_lock_t fits");

static void lock_init(void *room) { omp_init_lock(room); }
static void lock_clean_up(void *room) { omp_destroy_lock(room); }
static void lock_acquire(void *room) { omp_set_lock(room); }
static void lock_release(void *room) { omp_unset_lock(room); }

static const native_lock omp_lock = {"omp_lock", lock_init, lock_clean_up, lock_acquire,
                                     lock_release};

const team_kind team_openmp = {NULL, open_team, loop, close_team, &omp_lock};
