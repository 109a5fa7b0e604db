/* Shows:  instances that complete later: a body starts a transfer and returns, so no worker waits.
 *         The instance keeps its footprint until the device says that the transfer is complete.
 * Run:    build/release/bin/13_complete_later
 * Expect: the sum of four pages; each page is used after it was read (expected.txt). */
#include "session.h"
#include <pthread.h>
#include <time.h>

enum { PAGES = 4, WORDS = 1000 };
static int pages[PAGES][WORDS];
static long sum;

/* The device: each transfer has a thread here, which calls back when it is complete. */
typedef struct transfer {
    int page;
    svs_later *later;
} transfer;
static void *device(void *argument) {
    transfer *t = argument;
    const struct timespec latency = {0, 2000000};
    nanosleep(&latency, NULL);
    for (int i = 0; i < WORDS; i++) pages[t->page][i] = t->page + 1;
    svs_completed(t->later, SVS_OK); /* from any thread, once */
    free(t);
    return NULL;
}

typedef struct page {
    int number;
} page;
static void load_touch(svs_footprint *f, const page *p) { svs_writes(f, pages[p->number]); }
static svs_status load_run(svs_context *x, page *p) {
    transfer *t = malloc(sizeof *t);
    pthread_t thread;
    svs_status status;
    if (t == NULL) return SVS_E_NO_MEMORY;
    t->page = p->number; /* `p` is invalid once the body has returned */
    status = svs_complete_later(x, p, &t->later);
    if (status) {
        free(t);
        return status;
    }
    if (pthread_create(&thread, NULL, device, t)) {
        svs_completed(t->later, SVS_E_THREAD); /* the run fails */
        free(t);
        return SVS_OK;
    }
    pthread_detach(thread);
    return SVS_OK;
}
SVS_TASK(load, page, load_run, load_touch)

static void add_touch(svs_footprint *f, const page *p) {
    svs_reads(f, pages[p->number]);
    svs_writes(f, &sum);
}
static svs_status add_run(svs_context *x, page *p) {
    (void)x;
    for (int i = 0; i < WORDS; i++) sum += pages[p->number][i];
    return SVS_OK;
}
SVS_TASK(add, page, add_run, add_touch)

int main(void) {
    session s = {NULL, NULL, NULL};
    svs_task *load = NULL, *add = NULL;
    page items[PAGES];
    svs_status status = session_open(&s);
    for (int i = 0; i < PAGES; i++) items[i].number = i;
    if (!status) status = svs_graph_add_itemizer(s.graph, &load_task, NULL, &load);
    if (!status) status = svs_graph_add_itemizer(s.graph, &add_task, NULL, &add);
    if (!status) status = svs_graph_add_order(s.graph, load, add);
    if (!status) status = svs_graph_send(s.graph, load, items, PAGES, sizeof *items);
    if (!status) status = svs_graph_send(s.graph, add, items, PAGES, sizeof *items);
    if (!status) status = svs_graph_run(s.graph, 1, NULL);
    if (!status) printf("%d pages, sum %ld\n", PAGES, sum);
    return session_close(&s, status);
}
