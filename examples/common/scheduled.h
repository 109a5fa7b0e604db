/* What the engines svs of the ports share: a runtime, a world and a graph, and the graph's counts
 * as text.
 *
 *     scheduled_options options;
 *     scheduled_options_init(&options, "canneal", threads, algorithm);
 *     status = scheduled_open(&all, &options);
 *     ... svs_graph_add_itemizer(all.graph, ...);
 *     wrong = scheduled_run(&all);
 *     scheduled_close(&all); */
#ifndef EXAMPLES_COMMON_SCHEDULED_H
#define EXAMPLES_COMMON_SCHEDULED_H

#include <stdint.h>
#include <svs/svs.h>

typedef struct scheduled_options {
    svs_runtime_options runtime;
    svs_world_options world;
    svs_graph_options graph;
    const char *space; /* name of the space, or NULL: none is needed */
    uint64_t indices;  /* number of indices of the space */
} scheduled_options;

/* The defaults, with the name of the graph, the workers, and an svs_algorithm. */
void scheduled_options_init(scheduled_options *options, const char *name, uint32_t threads,
                            unsigned algorithm);

typedef struct scheduled {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *space;
    svs_graph *graph;
    char error[SVS_REPORT_TEXT + 64];
} scheduled;

/* `all` must be zeroed. Call scheduled_close() also after a failure. */
svs_status scheduled_open(scheduled *all, const scheduled_options *options);
void scheduled_close(scheduled *all);

/* Runs one iteration. @return NULL, or an error text; `all` has its storage. */
const char *scheduled_run(scheduled *all);
/* Sends the items of the iteration before. */
const char *scheduled_run_with(scheduled *all, svs_task *to, const void *items, size_t count,
                               size_t item_size);

/* The error text of a status; NULL for SVS_OK. */
const char *scheduled_error(scheduled *all, svs_status status);

/* What the graph has counted, " key=value" each. */
void scheduled_describe(const scheduled *all, char *text, size_t size);

#endif
