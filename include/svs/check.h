/* Race checks: one run decides whether the program can race under any schedule, for its input
 * (Steal Tree section 8.1).
 *
 *     svs_check_summary summary;
 *     svs_check_start(runtime, NULL);
 *     svs_async_run(runtime, visit, &root);
 *     svs_check_stop(runtime, &summary);
 *     if (summary.races != 0) return 66;
 *
 * During a check, the library builds the dynamic program structure tree (DPST) of all asyncs and
 * finishes. It assigns each access to a step, a leaf of the tree, and compares the access with
 * earlier accesses to the same bytes. Two accesses race if they overlap in a byte, at least one
 * writes, and no async or finish orders their steps. The result depends on the program and its
 * input, not on the schedule: one run covers all schedules, up to the first race of each location.
 * Ordering by locks or atomics, and branches that depend on the schedule, are not modelled.
 *
 * Accesses come from the compiler's instrumentation (the target svs::check) or from the calls
 * below, for memory that the compiler cannot instrument. Without a check, the calls have no effect.
 *
 * Threads: one thread at a time may call start and stop, while nothing runs on the runtime. Any
 * thread may call the other functions; outside of a run of a checked runtime they have no effect.
 * Several runtimes may be checked at once; they share their memory and the options of the first. */
#ifndef SVS_CHECK_H
#define SVS_CHECK_H

#include <svs/async.h>
#include <svs/object.h>

SVS_BEGIN_DECLARATIONS

/* How the check decides whether two steps are ordered. All three give the same results. The last
 * two are for the experiments of Steal Tree, figure 9. */
enum {
    SVS_CHECK_LCA_LABELS,     /* compares eight levels of the tree at a time (default) */
    SVS_CHECK_LCA_STEAL_TREE, /* walks the tree, skipping the subtrees between two steals */
    SVS_CHECK_LCA_WALK        /* walks the tree */
};

/* One of the two accesses of a race. Its layout is frozen, because svs_check_race contains it. */
typedef struct svs_check_access {
    uint32_t step;  /* number of the step within the check */
    bool write;     /* true: a write; false: a read */
    const void *pc; /* address of the instruction; NULL: no longer known */
    uint32_t frame; /* id of the calling context; 0: unknown */
    /* The task and the instance, in a graph's run; NULL and 0 otherwise. */
    const char *task;
    uint64_t instance; /* svs_instance_id() */
    /* the declaration in the instance's footprint for the memory: 0 none, 1 a read, 2 a write */
    int declared;
    uint32_t run; /* number of the instance's run, from 1; 0: no instance */
} svs_check_access;

/* Verdicts. */
enum {
    SVS_CHECK_VERDICT_RACE,       /* (b) two unordered accesses */
    SVS_CHECK_VERDICT_UNDECLARED, /* (a) an instance made an access outside of its footprint */
    SVS_CHECK_VERDICT_ORDER /* (c) declared accesses with an order that depends on the schedule */
};

typedef struct svs_check_race {
    const void *address;
    size_t bytes;
    int verdict;
    /* the two accesses in the order of this run; SVS_CHECK_VERDICT_UNDECLARED has `now` only */
    svs_check_access before, now;
    /* In a graph's run: the accessed object and the error. Valid during the call. */
    const void *object; /* first byte of the object; NULL: no memory object or known range */
    size_t object_bytes;
    const char *type;     /* type of the object, or the range's name */
    const char *field;    /* NULL: not a link or a member */
    const char *cure;     /* a sentence; NULL: unknown */
    const char *declared; /* the relevant declarations; NULL outside of graphs */
} svs_check_race;

/* Called for each race, in the thread that detects it; several threads may call it concurrently. A
 * location may be reported more than once. The function must not access checked memory. */
typedef void svs_check_function(const svs_check_race *race, void *argument);

typedef struct svs_check_options {
    size_t size;  /* size of this struct, filled by svs_check_options_init() */
    uint32_t lca; /* SVS_CHECK_LCA_LABELS, ... */
    /* true: answers each query by all three methods and compares the results */
    bool compare;
    uint32_t yield_one_in; /* n: a worker yields its CPU at one of n spawns, at random; 0: never */
    uint64_t seed;         /* seed of the random yields */
    bool order_is_error;   /* true: calls `found` for SVS_CHECK_VERDICT_ORDER as well */
    size_t max_bytes;      /* address space for the tree, and as much for the shadow
                                (default 4 GiB; untouched pages use no memory) */
    svs_check_function *found; /* NULL: logs a line for each of the first 16 */
    void *found_argument;
    uint32_t sweep_nodes; /* least number of new nodes between two garbage collections of the tree
                             (default 32768) */
} svs_check_options;

typedef struct svs_check_summary {
    uint64_t accesses;
    uint64_t steps;
    uint64_t nodes;   /* nodes of the tree, steps included */
    uint64_t phases;  /* working phases into which the steal tree divides the tree */
    uint64_t queries; /* queries for the lowest common ancestor of two steps */
    /* Edges of the tree visited by these queries, indexed by SVS_CHECK_LCA_LABELS and so on: only
     * for the selected method, unless `compare` is set. */
    uint64_t edges[3];
    uint64_t races;      /* races reported to `found` */
    uint64_t undeclared; /* undeclared accesses reported to `found` */
    /* Number of (object, task, task) triples with an order that depends on the schedule; the fields
     * below describe one. */
    uint64_t orders;
    const char *order_type, *order_tasks[2];
    uint64_t bytes;      /* memory in use by the tree and the shadow at the end */
    uint64_t most_nodes; /* the most nodes allocated at once */
    uint64_t collapses;  /* how often completed subtrees were collapsed */
    uint64_t sweeps;     /* garbage collections of the tree */
    /* If not 0, the check is incomplete: accesses not recorded for lack of memory, */
    uint64_t lost;
    /* and asyncs called in place without a node, for lack of slots (work-first, in very deep
     * recursions). */
    uint64_t merged;
} svs_check_summary;

/* Fills in the defaults. */
SVS_API void svs_check_options_init_sized(svs_check_options *options, size_t size);
static inline void svs_check_options_init(svs_check_options *svs_options_) {
    svs_check_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Starts a check of all later runs on `runtime`; NULL options mean the defaults. @return SVS_OK,
 * SVS_E_NULL, SVS_E_VERSION (the options), SVS_E_INVALID (an unknown `lca`), SVS_E_BUSY (the
 * runtime has an active run or is already checked), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_check_start(svs_runtime *runtime,
                                                 const svs_check_options *options);

/* Ends the check. @param summary may be NULL. @return SVS_OK, SVS_E_NULL, SVS_E_STATE (the runtime
 * is not checked), SVS_E_BUSY (a run is active; the check continues). */
SVS_NODISCARD SVS_API svs_status svs_check_stop_sized(svs_runtime *runtime,
                                                      svs_check_summary *summary, size_t size);
SVS_NODISCARD static inline svs_status svs_check_stop(svs_runtime *svs_runtime_,
                                                      svs_check_summary *svs_summary_) {
    return svs_check_stop_sized(svs_runtime_, svs_summary_, sizeof *svs_summary_);
}

/* The counts so far. Any thread may call it; the numbers of running workers may lag. @return
 * SVS_OK, SVS_E_NULL, SVS_E_STATE (the runtime is not checked; all numbers are 0). */
SVS_NODISCARD SVS_API svs_status svs_check_summary_get_sized(svs_runtime *runtime,
                                                             svs_check_summary *summary,
                                                             size_t size);
SVS_NODISCARD static inline svs_status svs_check_summary_get(svs_runtime *svs_runtime_,
                                                             svs_check_summary *svs_summary_) {
    return svs_check_summary_get_sized(svs_runtime_, svs_summary_, sizeof *svs_summary_);
}

/* Reports a read, or a write, of `bytes` bytes at `memory` by the current step. */
SVS_API void svs_check_read(const void *memory, size_t bytes);
SVS_API void svs_check_write(const void *memory, size_t bytes);

/* For custom allocators: reports that a block is allocated, or freed. Both count as a
 * write of the whole block by the calling step. */
SVS_API void svs_check_alloc(const void *block, size_t bytes);
SVS_API void svs_check_free(const void *block, size_t bytes);

/* The check ignores accesses of the calling async or instance between the two calls. They nest.
 * Call both in the same async or instance. */
SVS_API void svs_check_ignore_begin(void);
SVS_API void svs_check_ignore_end(void);

/* In graph runs, the check compares the accesses of instances with their footprints. It knows the
 * bytes of each memory object that was created during the check or by svs_object_new(). For
 * addresses and indices, the calls below register their bytes. A range stays registered until
 * svs_check_forget_range() or the end of the last check. An unregistered address covers at most
 * 4096 bytes, beginning at the address. An unregistered index covers all bytes that belong to no
 * other object. For these, the check reports no race between two instances that declare them, and
 * it cannot detect undeclared accesses.
 * @param name for reports, or NULL; must stay valid. @return SVS_OK (also without a check, with no
 * effect), SVS_E_NULL, SVS_E_INVALID (no bytes), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_check_object_range(const void *address, size_t bytes,
                                                        const char *name);

/* Registers the `count` elements of `space` that begin with index `first`. They have `bytes` bytes
 * each, and are stored in the array at `memory`. @param name for reports, or NULL. */
SVS_NODISCARD SVS_API svs_status svs_check_index_range(const svs_space *space, uint64_t first,
                                                       const void *memory, size_t bytes,
                                                       uint64_t count, const char *name);

/* Registers memory that no instance writes until it is forgotten. Instances may read it undeclared.
 * @param name for reports, or NULL. */
SVS_NODISCARD SVS_API svs_status svs_check_immutable_range(const void *memory, size_t bytes,
                                                           const char *name);

/* Registers `count` elements of `bytes` bytes each, one per worker (svs_worker_index()). An
 * instance may access the element of its worker undeclared. @param name for reports, or NULL. */
SVS_NODISCARD SVS_API svs_status svs_check_worker_range(const void *memory, size_t bytes,
                                                        uint64_t count, const char *name);

/* Removes the ranges that begin at `memory`. */
SVS_API void svs_check_forget_range(const void *memory);

/* Declares that instances may access the object or range that contains `memory` in any order, so
 * that it yields no SVS_CHECK_VERDICT_ORDER. @return as above; SVS_E_INVALID: no object or range is
 * known there. */
SVS_NODISCARD SVS_API svs_status svs_check_commutative(const void *memory);

SVS_END_DECLARATIONS
#endif
