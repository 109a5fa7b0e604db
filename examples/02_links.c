/* Shows:  linked lists of memory objects: svs_set writes a link; an instance gets all of a list.
 * Run:    build/release/bin/02_links
 * Expect: people moved from queue to queue by parallel instances, none lost (expected/02.txt). */
#include "session.h"

enum { QUEUES = 8, PEOPLE = 20, MOVES = 15 };

/* The header may stand anywhere in the struct; the links stay plain pointers. */
typedef struct person {
    int moves;
    struct person *next;
    svs_object svs;
} person;
SVS_TYPE(person, svs, next)
typedef struct queue {
    svs_object svs;
    person *first;
} queue;
SVS_TYPE(queue, svs, first)

typedef struct move {
    queue *from, *to;
} move;
/* A queue and everything that it reaches at the time when the instance starts. */
static void move_touch(svs_footprint *f, const move *m) {
    svs_writes_reach(f, &m->from->svs);
    svs_writes_reach(f, &m->to->svs);
}
/* Links are read like any pointer and written by svs_set only. */
static svs_status move_run(svs_context *x, move *m) {
    person *who = m->from->first;
    svs_status status = svs_set(m->from, first, who->next);
    (void)x;
    if (!status) status = svs_set(who, next, m->to->first);
    if (!status) status = svs_set(m->to, first, who);
    who->moves++;
    return status;
}
SVS_TASK(move, move_run, move_touch)

/* Outside of a run the program may make and link what it likes. */
static svs_status queue_make(svs_world *world, queue **made) {
    svs_status status = SVS_NEW(world, queue, made);
    for (int i = 0; i < PEOPLE && !status; i++) {
        person *who = NULL;
        status = SVS_NEW(world, person, &who);
        if (!status) status = svs_set(who, next, (*made)->first);
        if (!status) status = svs_set(*made, first, who);
    }
    return status;
}

int main(void) {
    session s = {NULL, NULL, NULL};
    queue *queues[QUEUES] = {NULL};
    svs_task *moves = NULL;
    int sum = 0;

    svs_status status = session_open(&s);
    for (int i = 0; i < QUEUES && !status; i++) status = queue_make(s.world, &queues[i]);
    if (!status) status = svs_graph_add_itemizer(s.graph, &move_task, NULL, &moves);
    for (int i = 0; i < QUEUES * MOVES && !status; i++) {
        move m = {queues[i % QUEUES], queues[(i + 1) % QUEUES]};
        status = svs_graph_send(s.graph, moves, &m, 1, sizeof m);
    }
    if (!status) status = svs_graph_run(s.graph, 1, NULL);

    for (int i = 0; i < QUEUES && !status; i++) {
        int length = 0;
        for (person *who = queues[i]->first; who; who = who->next) length++, sum += who->moves;
        printf("queue %d: %d people\n", i, length);
    }
    if (!status) printf("%d moves\n", sum);
    return session_close(&s, status); /* what svs_object_new() made goes with its world */
}
