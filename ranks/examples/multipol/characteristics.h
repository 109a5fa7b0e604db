/* The characteristics of a program, as chapter 2 of Wen's thesis has them (figures 2.2 to 2.15):
 * threads, fibers, synchronization and communication events, bytes, and how fiber times and sizes
 * of records are distributed. An observer (svs/ranks/observe.h) counts; the program does nothing.
 *
 *     characteristics of;
 *     status = characteristics_begin(&of, ranks, "em3d.csv");   // NULL: nothing is observed
 *     ... runs ...
 *     status = characteristics_end(&of, "em3d");    // rank 0 prints a row and writes the file
 *
 * The row has the sums over all ranks; the thesis' figures are averages. The file has a line for
 * each bucket of a histogram: its limits, how many fibers or records are in it, and the sum of
 * their nanoseconds or bytes:
 *
 *     histogram,from,below,count,sum
 *     fiber_ns,1024,1152,210,227640
 *     record_bytes,16,18,8000,128000 */
#ifndef EXAMPLES_MULTIPOL_CHARACTERISTICS_H
#define EXAMPLES_MULTIPOL_CHARACTERISTICS_H

#include <svs/ranks.h>

/* Values up to 7 have buckets of their own; from there on, 8 buckets divide each power of two. */
#define CHARACTERISTICS_BUCKETS 496

typedef struct characteristics_bucket {
    uint64_t count, sum;
} characteristics_bucket;

/* Numbers of 64 bits alone: ranks add them up. */
typedef struct characteristics_counts {
    uint64_t threads;     /* fibers that were created, those of handlers included */
    uint64_t fibers;      /* their executions: one more after each wait */
    uint64_t in_place;    /* calls of in-place handlers, which are no fibers */
    uint64_t sync_events; /* waits for a counter, for credit or for an unfreeze */
    /* Records that came from other ranks, and their bytes without headers. The library's own are
     * among them: of collective calls, bulk transfers and structures. */
    uint64_t communication_events, communication_bytes;
    uint64_t own_records;           /* that the rank posted to itself */
    uint64_t packets, packet_bytes; /* that were sent, with all headers; credits and waves, too */
    characteristics_bucket fiber_ns[CHARACTERISTICS_BUCKETS];
    characteristics_bucket record_bytes[CHARACTERISTICS_BUCKETS]; /* of communication events */
} characteristics_counts;

enum { CHARACTERISTICS_NESTED = 32 };

typedef struct characteristics {
    svs_ranks *ranks; /* NULL: nothing is observed */
    const char *path;
    svs_ranks_observer observer;
    characteristics_counts counts; /* of this rank */
    /* When the running fibers have begun: in-place ones nest. */
    uint64_t begun[CHARACTERISTICS_NESTED];
    uint32_t depth;
} characteristics;

/* Attaches the observer, outside of a run, until the end. @param of stays where it is. @param path
 * of the histograms; NULL: does nothing.
 * @return as svs_ranks_observer_attach(). */
svs_status characteristics_begin(characteristics *of, svs_ranks *ranks, const char *path);

/* Detaches it. Collective, outside of a run, after runs that succeeded.
 * @return as svs_ranks_run(); SVS_E_INVALID on rank 0: the file cannot be written. */
svs_status characteristics_end(characteristics *of, const char *program);

/* The smallest value of a bucket, which is the end of the one before it. */
uint64_t characteristics_from(uint32_t bucket);

#endif
