/* Misuse that a program can commit, as a table: each case is committed on a setting of its own,
 * must be answered with its status, must write a line that says what to do, and must have broken
 * nothing.
 *
 * The same table, printed, is the one in docs/misuse.md: the test compares them. */
#ifndef SVS_TESTS_MISUSE_H
#define SVS_TESTS_MISUSE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <svs/svs.h>

typedef struct node {
    uint64_t data;
    struct node *a, *b;
    svs_object svs;
} node;
SVS_TYPE(node, svs, a, b)

typedef struct job {
    uint32_t number;
} job;

typedef struct setting setting;

/* The body of the one instance of `doer`, and its touch function. */
typedef svs_status misuse_act(setting *s, svs_context *context);
typedef void misuse_touch(setting *s, svs_footprint *footprint);

struct setting {
    svs_runtime *runtime; /* of 2 workers, help-first, started */
    svs_world *world, *other_world;
    svs_graph *graph, *other_graph; /* both in `world` */
    svs_task *doer;                 /* a transform */
    svs_task *sink;                 /* an itemizer that the doer may send to */
    svs_task *stranger;             /* one that it may not */
    svs_task *foreign_task;         /* an itemizer of the other graph */
    node *mine, *foreign;           /* of each world */
    svs_space *space;               /* of 10 */
    misuse_act *act;                /* NULL: nothing */
    misuse_touch *touch;            /* NULL: it writes `mine` */
    svs_status answer;              /* of `act` */
    char said[8192];                /* all lines of the log, one after the other */
};

typedef struct misuse {
    const char *what;
    svs_status status;
    const char *says; /* a part of the line that it writes */
    svs_status (*commit)(setting *s);
    bool headless; /* there is no handle to ask for a log: the line goes to stderr */
} misuse;

/* Each ends with a case of no name. */
extern const misuse misuses_of_runtimes[], misuses_of_asyncs[], misuses_of_worlds[],
    misuses_of_objects[], misuses_of_graphs[], misuses_of_bodies[], misuses_of_footprints[],
    misuses_of_ranks[], misuses_of_stealers[], misuses_of_bipartite[], misuses_of_events[],
    misuses_of_object_layers[];
/* Made by nulls.py: each passes one NULL, and is named "function: parameter". */
extern const misuse misuses_of_null[];

extern const svs_task_type job_task;

/* Opens a setting; the doer's touch function looks at the last that was opened. */
void stage_open(setting *s);
/* Fails when something is left that cannot be freed, or was lost. @return what is wrong, or
 * NULL. */
const char *stage_close(setting *s);

/* Runs a program on two ranks: a preparation, then a fiber (NULL: no run). @return what rank 0
 * answered. */
struct svs_ranks;
svs_status stage_ranks(setting *s, svs_status (*prepare)(struct svs_ranks *),
                       svs_status (*start)(struct svs_ranks *, void *));

/* Adds a line to the log: the message that a call has returned. */
void stage_hear(setting *s, const char *line);

/* A status that is the library's is returned only when all of the case holds. */
#define STAGE_WRONG 12345

/* Runs the doer once, without a failure of the run. @return what `act` answered. */
svs_status stage_act(setting *s, misuse_act *act);

/* The same when the run must fail with what `act` answered, and report the doer. */
svs_status stage_fail(setting *s, misuse_act *act);

/* Runs the doer with that footprint, which fails the run and is reported. @return what the run
 * answered. */
svs_status stage_touch(setting *s, misuse_touch *touch);

/* Calls `call(setting)` in a thread of its own while a body of the graph runs. */
svs_status stage_beside(setting *s, svs_status (*call)(setting *s));

/* The same, and in the body itself, which must answer alike. */
svs_status stage_running(setting *s, svs_status (*call)(setting *s));

/* The same from an async that runs on the runtime of the setting. */
svs_status stage_in_async(setting *s, svs_status (*call)(setting *s));
/* The same from an async of another runtime, for which an async of the setting's waits. */
svs_status stage_by_detour(setting *s, svs_status (*call)(setting *s));

#endif
