/* For generated programs: bodies run as instances of a graph, each access of a body is logged, and
 * the log is compared with what the generated touch function names. R(x) reads the lvalue x, W(x)
 * is x to be written. The scan sees the plain lvalues. A function that logs has the log as its
 * first parameter (P), and passes it on (A); BEGIN(t) takes it from an item. */
#ifndef LOGGED_H
#define LOGGED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/scan.h>
#include <svs/svs.h>

typedef struct logged_log logged_log;

#if defined(SVS_SCAN)
#define R(x) (x)
#define W(x) (x)
#define P
#define A
#define ASYNC_P
#define BEGIN(t)
#define LOG_FIELD
#define LINK(p, f, c) ((void)svs_link(p, f, c))
#define BITS_W(p, f, v) ((p)->f = (unsigned)(v))
#define BITS_R(p, f) ((p)->f)
#define RELAXED_W(p, v) svs_relaxed_store_u32(&(p)->shared, (unsigned)(v))
#define ATOMIC_ADD(p, v) ((void)__atomic_fetch_add(&(p)->shared, (unsigned)(v), __ATOMIC_RELAXED))
#else
#define R(x) (*(__typeof__(x) *)logged(L, &(x), sizeof(x), 0))
#define W(x) (*(__typeof__(x) *)logged(L, &(x), sizeof(x), 1))
#define P logged_log *L,
#define A L,
#define ASYNC_P (logged_log *, L),
#define BEGIN(t)                                                                                   \
    logged_log *const L = (t)->log;                                                                \
    (void)L;
#define LOG_FIELD logged_log *log;
#define LINK(p, f, c) ((void)W((p)->f), (void)svs_link(p, f, c))
/* Bit-fields stand in the word behind `un`. */
#define BITS_AT(p) ((const char *)&(p)->un + sizeof(p)->un)
#define BITS_W(p, f, v) (logged(L, BITS_AT(p), 4, 1), (p)->f = (unsigned)(v))
#define BITS_R(p, f) (logged(L, BITS_AT(p), 4, 0), (p)->f)
#define RELAXED_W(p, v) svs_relaxed_store_u32(&W((p)->shared), (unsigned)(v))
#define ATOMIC_ADD(p, v)                                                                           \
    ((void)__atomic_fetch_add(&W((p)->shared), (unsigned)(v), __ATOMIC_RELAXED))
#endif
/* No access of a footprint. */
#define RELAXED_R(p) ((int)svs_relaxed_load_u32(&(p)->shared))
void *logged(logged_log *log, const volatile void *at, size_t size, int write);

/* Why an access is wider than the body's: after the accesses in generated headers
 * (random_programs.py). */
void logged_because(svs_footprint *footprint, unsigned reason);
#define LOGGED_REASONS 32

/* What names the words of an element: the words from `from` to `to` are in the groups `groups`; the
 * address `from` names the words of all of them. With `object` 1, the header there does; with 2,
 * nothing does. With `whole`, the address of the first element names all elements. */
typedef struct logged_name {
    unsigned from, to, groups;
    int object, whole;
} logged_name;

/* An array of elements that have one type. */
typedef struct logged_region {
    const char *name;
    void *memory;
    size_t element, count;
    const logged_name *names;
    unsigned name_count;
} logged_region;

/* A program: its tasks, memory, and how to fill that from a seed. */
typedef struct logged_program {
    const char *name;
    const svs_task_type *const *tasks; /* ends with NULL */
    const logged_region *regions;
    unsigned region_count;
    svs_status (*fill)(svs_world *world, unsigned seed);
    svs_status (*end)(void);
    void (*item)(int task, unsigned seed, void *item); /* the item's first field is its log */
    const svs_object *(*follow)(const svs_object *object, unsigned link); /* NULL: no object */
    int fixed; /* no address depends on memory that tasks write */
} logged_program;

unsigned logged_random(unsigned n);
void logged_seed(unsigned seed);
/* Runs `inputs` instances of each task. @return whether an access was not covered. */
int logged_check(const logged_program *program, unsigned inputs);
/* Prints the sums. */
void logged_end(void);

#endif
