/* Shows:  how far a footprint reaches: one object, the end of a path of links, some hops, along one
 *         link, or all that is reachable. The links are named and not followed, because a touch
 *         function must not read what bodies write.
 * Run:    build/release/bin/15_how_far
 * Expect: each count of cars is that of plain loops over the same items (expected.txt). */
#include "session.h"

enum { SIDE = 16, JUNCTIONS = SIDE * SIDE, ERRANDS = 3000 };
typedef struct junction {
    svs_object svs;
    struct junction *north, *east; /* where its streets lead; NULL: nowhere */
    long cars;
} junction;
SVS_TYPE(junction, svs, north, east)
enum { NORTH, EAST }; /* numbers of the links, in the order of SVS_TYPE */

typedef enum place { HERE, AHEAD, AROUND, STREET, DISTRICT } place;
typedef struct errand {
    place where;
    junction *at;
    int cars;   /* that come to each junction of the place; 0: count those there */
    long *seen; /* by a count */
} errand;

static void errand_touch(svs_footprint *f, const errand *e) {
    const uint64_t ahead = svs_path(svs_path(0, 0, NORTH), 1, EAST); /* north, then east */
    const svs_object *at = &e->at->svs;
    svs_writes(f, e->seen);
    if (e->cars) {
        if (e->where == HERE) svs_writes(f, at);
        if (e->where == AHEAD) svs_writes_path(f, at, ahead, 2); /* its end; the rest is read */
        if (e->where == AROUND) svs_writes_hops(f, at, 1);       /* and what one link leads to */
        if (e->where == STREET) svs_writes_along(f, at, 1u << EAST); /* a mask of links */
        if (e->where == DISTRICT) svs_writes_reach(f, at);
    } else {
        if (e->where == HERE) svs_reads(f, at);
        if (e->where == AHEAD) svs_reads_path(f, at, ahead, 2);
        if (e->where == AROUND) svs_reads_hops(f, at, 1);
        if (e->where == STREET) svs_reads_along(f, at, 1u << EAST);
        if (e->where == DISTRICT) svs_reads_reach(f, at);
    }
}
static long visit(junction *j, int cars) {
    if (j && cars) j->cars += cars;
    return j ? j->cars : 0;
}
static long visit_street(junction *j, int cars) {
    return j ? visit(j, cars) + visit_street(j->east, cars) : 0;
}
static long visit_streets(junction *j, int cars) {
    return j ? visit_street(j, cars) + visit_streets(j->north, cars) : 0;
}
static svs_status errand_run(svs_context *x, errand *e) {
    junction *at = e->at;
    const int cars = e->cars;
    (void)x;
    if (e->where == HERE) *e->seen = visit(at, cars);
    if (e->where == AHEAD) *e->seen = visit(at->north ? at->north->east : NULL, cars);
    if (e->where == AROUND)
        *e->seen = visit(at, cars) + visit(at->north, cars) + visit(at->east, cars);
    if (e->where == STREET) *e->seen = visit_street(at, cars);
    if (e->where == DISTRICT) *e->seen = visit_streets(at, cars);
    return SVS_OK;
}
SVS_TASK(errand, errand_run, errand_touch)

/* Closes the street that begins north of `at`. Several instances may close it. */
typedef struct closing {
    junction *at;
} closing;
static void closing_touch(svs_footprint *f, const closing *c) {
    svs_writes_path(f, &c->at->svs, svs_path(0, 0, NORTH), 1);
}
static svs_status closing_run(svs_context *x, closing *c) {
    (void)x;
    return c->at->north ? svs_link(c->at->north, east, NULL) : SVS_OK;
}
SVS_TASK(closing, closing_run, closing_touch)

/* Cars come, some streets close, and all is counted: in parallel, or by plain loops. */
static svs_status day(svs_world *world, long *seen, int parallel) {
    static errand come[ERRANDS], count[ERRANDS];
    junction *all[JUNCTIONS + SIDE] = {NULL}; /* the last row is outside of the city */
    closing closings[SIDE];
    svs_status status = SVS_OK;
    for (int i = JUNCTIONS - 1; i >= 0 && !status; i--) {
        status = SVS_NEW(world, junction, &all[i]);
        if (!status) status = svs_link(all[i], north, all[i + SIDE]);
        if (!status && i % SIDE < SIDE - 1) status = svs_link(all[i], east, all[i + 1]);
    }
    for (int i = 0; i < SIDE; i++) closings[i].at = all[i * i];
    for (int i = 0; i < ERRANDS; i++) {
        const place where = i % 50 ? (place)(i % 4) : DISTRICT;
        come[i] = (errand){where, all[i * 7 % JUNCTIONS], 1, &seen[i]};
        count[i] = (errand){where, all[i * 5 % JUNCTIONS], 0, &seen[i]};
    }
    if (parallel) {
        if (!status) status = svs_for_each(world, &errand_task, come, ERRANDS);
        if (!status) status = svs_for_each(world, &closing_task, closings, SIDE);
        return status ? status : svs_for_each(world, &errand_task, count, ERRANDS);
    }
    for (int i = 0; i < ERRANDS && !status; i++) status = errand_run(NULL, &come[i]);
    for (int i = 0; i < SIDE && !status; i++) status = closing_run(NULL, &closings[i]);
    for (int i = 0; i < ERRANDS && !status; i++) status = errand_run(NULL, &count[i]);
    return status;
}

int main(void) {
    static long seen[ERRANDS], expected[ERRANDS];
    session s = {NULL, NULL, NULL};
    long sum = 0;
    int wrong = 0;
    svs_status status = svs_start(0, &s.world);
    if (!status) status = day(s.world, expected, 0);
    if (!status) status = day(s.world, seen, 1);
    for (int i = 0; i < ERRANDS; i++) wrong += seen[i] != expected[i], sum += seen[i];
    if (!status) printf("%d counts of %ld cars, %d wrong\n", ERRANDS, sum, wrong);
    return session_close(&s, status) || wrong;
}
