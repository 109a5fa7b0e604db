/* Shows:  memory objects: svs_link writes a link; an instance writes all that a list reaches.
 * Run:    build/release/bin/02_links
 * Expect: parallel instances move people between queues and lose none (expected.txt). */
#include "session.h"

enum { QUEUES = 8, PEOPLE = 20, MOVES = QUEUES * 15 };

/* A memory object contains a header, svs_object, at any offset. Links are plain pointers. */
typedef struct person {
    int moves;
    struct person *next;
    svs_object svs;
} person;
SVS_TYPE(person, svs, next) /* the struct, its header, its links */

typedef struct queue {
    svs_object svs;
    person *first;
} queue;
SVS_TYPE(queue, svs, first)

typedef struct move {
    queue *from, *to;
} move;

/* Declares writes of both queues and of everything that they reach when the instance starts. */
static void move_touch(svs_footprint *f, const move *m) {
    svs_writes_reach(f, &m->from->svs);
    svs_writes_reach(f, &m->to->svs);
}

/* Moves the first person. A body reads links as plain pointers, but writes them with svs_link, so
 * that the library knows what each object reaches. */
static svs_status move_run(svs_context *x, move *m) {
    person *moved = m->from->first;
    svs_status status;
    (void)x;
    if (!moved) return SVS_OK; /* the queue is empty */
    status = svs_link(m->from, first, moved->next);
    if (!status) status = svs_link(moved, next, m->to->first);
    if (!status) status = svs_link(m->to, first, moved);
    moved->moves++;
    return status;
}
SVS_TASK(move, move_run, move_touch)

/* Outside of runs, one thread may create and link objects without a footprint. */
static svs_status queue_make(svs_world *world, queue **made) {
    svs_status status = SVS_NEW(world, queue, made);
    for (int i = 0; i < PEOPLE && !status; i++) {
        person *added = NULL;
        status = SVS_NEW(world, person, &added);
        if (!status) status = svs_link(added, next, (*made)->first);
        if (!status) status = svs_link(*made, first, added);
    }
    return status;
}

int main(void) {
    session s = {NULL, NULL, NULL};
    queue *queues[QUEUES] = {NULL};
    static move items[MOVES];
    int sum = 0;

    svs_status status = svs_start(0, &s.world);
    for (int i = 0; i < QUEUES && !status; i++) status = queue_make(s.world, &queues[i]);
    for (int i = 0; i < MOVES; i++) items[i] = (move){queues[i % QUEUES], queues[(i + 1) % QUEUES]};
    if (!status) status = svs_for_each(s.world, &move_task, items, MOVES);

    for (int i = 0; i < QUEUES && !status; i++) {
        int length = 0;
        for (person *p = queues[i]->first; p; p = p->next) length++, sum += p->moves;
        printf("queue %d: %d people\n", i, length);
    }
    if (!status) printf("%d moves\n", sum);
    return session_close(&s, status); /* frees also the objects from SVS_NEW */
}
