/* What a fallible call answers.
 *
 * A status is 0 (SVS_OK) on success. The library's own failures are negative and named below; a
 * task body may return any positive number of the program's own, and the run that it fails returns
 * that number unchanged.
 *
 *     svs_status status = svs_graph_run(graph, 1, NULL);
 *     if (status) fprintf(stderr, "%s: %s\n", svs_status_name(status), svs_status_text(status));
 *
 * Threads: every function here may be called from any thread at any time. */
#ifndef SVS_STATUS_H
#define SVS_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
#define SVS_BEGIN_DECLARATIONS extern "C" {
#define SVS_END_DECLARATIONS }
#else
#define SVS_BEGIN_DECLARATIONS
#define SVS_END_DECLARATIONS
#endif

/* Exported from the shared library; everything else is hidden. */
#if defined(__GNUC__)
#define SVS_API __attribute__((visibility("default")))
#else
#define SVS_API
#endif

/* The caller must look at the result. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define SVS_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define SVS_NODISCARD __attribute__((warn_unused_result))
#else
#define SVS_NODISCARD
#endif

/* Structs grow at their end from version to version. A program that was compiled with another version
 * than the library's passes the size that it knows: options begin with it, and a function that
 * fills a struct has a twin that ends in `_sized` and takes it. The function itself is inline and
 * passes the size; bindings call the twin. */

/* A definition that a macro makes for its user, who may leave it unused. */
#if defined(__cplusplus) && __cplusplus >= 201703L
#define SVS_MAYBE_UNUSED [[maybe_unused]]
#elif defined(__GNUC__)
#define SVS_MAYBE_UNUSED __attribute__((unused))
#else
#define SVS_MAYBE_UNUSED
#endif

SVS_BEGIN_DECLARATIONS

typedef int32_t svs_status;

enum {
    SVS_OK = 0,
    SVS_E_INVALID = -1,     /* an argument is out of its range, or does not fit the others */
    SVS_E_NO_MEMORY = -2,   /* an allocation failed; nothing was changed */
    SVS_E_NOT_STARTED = -3, /* the runtime has not been started: call svs_runtime_start() first */
    SVS_E_STOPPED = -4,     /* the runtime was stopped */
    SVS_E_BUSY = -5,        /* something is running that must have ended first */
    SVS_E_CYCLE = -6, /* the dependencies of a graph form a cycle; the report names its tasks */
    SVS_E_UNDECLARED = -7, /* a send to a task that the sender was not declared to send to */
    SVS_E_WORLD = -8,      /* objects, spaces or graphs of two worlds meet in one call */
    SVS_E_NESTED = -9,     /* a graph is run from a task body */
    SVS_E_FREED = -10,     /* a memory object that has been freed or cleaned up */
    SVS_E_THREAD = -11,    /* a thread could not be created */
    SVS_E_LIMIT = -12,     /* a fixed limit is reached; the text says which */
    SVS_E_TYPE = -13,      /* a type (a task's, too) or a link that is not described, or wrongly */
    SVS_E_OUTSIDE = -14, /* a call that only a task body may make (or only for its own instance) */
    SVS_E_CANCELLED = -15, /* reserved: no call returns it yet. Not started, because of a failure */
    SVS_E_PARTED = -16,    /* a replayed program has not spawned the tree of the trace */
    SVS_E_FORKED = -17,    /* the runtime is of the process that this one was forked from */
    SVS_E_NULL = -18,      /* a pointer that the call needs is NULL; the text says which */
    SVS_E_VERSION = -19,   /* options or a file of another version of the library */
    SVS_E_STATE = -20, /* what the call ends or asks for was never begun (no trace, no replay) */
    SVS_E_FILE = -21,  /* a file that cannot be opened, read or written */
    SVS_E_TRACE = -22  /* no trace, or one that is not whole or describes no possible run */
};

/* The constant's name, "SVS_E_CYCLE"; "user" for a positive status, "unknown" for any other. Never
 * NULL. */
SVS_API const char *svs_status_name(svs_status status);

/* One sentence: what happened and what to do about it. Never NULL. */
SVS_API const char *svs_status_text(svs_status status);

/* For a status that the caller need not look at: a call in a body, or in an async of one, whose
 * failure fails the body. (gcc takes no cast to void for that.) */
static inline void svs_ignore(svs_status svs_status_) { (void)svs_status_; }

SVS_END_DECLARATIONS
#endif
