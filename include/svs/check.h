/* Race checks: could this run, on this input, have raced under any schedule? (design: race check;
 * Steal Tree section 8.1)
 *
 *     svs_check_summary summary;
 *     svs_check_start(runtime, NULL);
 *     svs_async_run(runtime, visit, &root);
 *     svs_check_stop(runtime, &summary);
 *     if (summary.races != 0) return 66;
 *
 * While a check is on, the asyncs and finishes that run are drawn as a tree, the step that a piece
 * of code belongs to is known, and each access to memory is compared with those before it: two
 * accesses race when one writes, both touch a byte, and asyncs and finishes order neither before
 * the other. The answer depends on the program and its input, not on who ran what when: one run
 * stands for all schedules, up to the first race of each location. What locks, atomics and
 * branches on the order of things do besides is not seen.
 *
 * Accesses come from the compiler's instrumentation (the target svs::check), or from the calls
 * below, for memory that it cannot see. Without a check all of them do nothing.
 *
 * Threads: start and stop are for one thread at a time, while nothing runs on the runtime. The
 * rest may be called from anywhere; outside of what a checked runtime runs, it does nothing.
 * Several runtimes may be checked at once; the options of the first one hold for all, and their
 * memory is one. */
#ifndef SVS_CHECK_H
#define SVS_CHECK_H

#include <svs/async.h>
#include <svs/object.h>

SVS_BEGIN_DECLARATIONS

/* How it is found out whether two steps are ordered: all three give the same answers. */
enum {
    SVS_CHECK_LABELS,     /* compares eight levels of the tree at a time (default) */
    SVS_CHECK_STEAL_TREE, /* walks the tree, and past what was run between two steals */
    SVS_CHECK_WALK        /* walks the tree */
};

/* One of the two accesses of a race. Frozen: svs_check_race contains it. */
typedef struct svs_check_access {
    uint32_t step;  /* a number within the check */
    int write;      /* or a read */
    const void *pc; /* NULL: not known any more */
    uint32_t
        frame; /* the calls that led there, as the instrumentation numbers them; 0: not known */
    /* Of an instance of a graph's task; NULL and 0 elsewhere. */
    const char *task;
    uint64_t instance; /* svs_context_order() */
    int declared;      /* of what is accessed: 0 nothing, 1 to read it, 2 to write it */
} svs_check_access;

/* Verdicts. */
enum {
    SVS_CHECK_RACE,       /* (b) two accesses that nothing orders */
    SVS_CHECK_UNDECLARED, /* (a) an instance touched what it had not declared */
    SVS_CHECK_ORDER       /* (c) declared accesses whose order is left to the schedule */
};

typedef struct svs_check_race {
    const void *address;
    size_t bytes;
    int verdict;
    svs_check_access before, now; /* in the order of this run; an undeclared one has no other */
    /* In a graph's run, what is accessed and is wrong; valid as long as the call. */
    const void *object; /* its first byte; NULL: no memory object, nor a range that is known */
    size_t object_bytes;
    const char *type;     /* of the object, or the range's name */
    const char *field;    /* NULL: neither a link nor a member */
    const char *cure;     /* a sentence; NULL: none is known */
    const char *declared; /* what the instances had declared; NULL outside of graphs */
} svs_check_race;

/* Called for each race that is found, in the thread that has found it, several at once; a location
 * that has raced may be reported again. It may not use what is checked. */
typedef void svs_check_function(const svs_check_race *race, void *argument);

typedef struct svs_check_options {
    size_t size;               /* of this struct, filled by svs_check_options_init() */
    uint32_t lca;              /* SVS_CHECK_LABELS, ... */
    int compare;               /* each answer is found in all three ways, and compared */
    uint32_t yield_one_in;     /* a worker gives its CPU away at one in so many spawns; 0: never */
    uint64_t seed;             /* of that choice */
    int order_is_error;        /* `found` is called for SVS_CHECK_ORDER, too */
    size_t max_bytes;          /* of memory for the tree, and as much for the shadow
                                (default 4 GiB; used as far as it is touched) */
    svs_check_function *found; /* NULL: a line in the log of a checked runtime, for the first 16 */
    void *found_argument;
    uint32_t sweep_nodes; /* so many nodes of the tree are made, at least, before those that nothing
                             needs any more are looked for, to be used again (default 32768) */
} svs_check_options;

typedef struct svs_check_summary {
    uint64_t accesses;
    uint64_t steps;
    uint64_t nodes;   /* of the tree, steps included */
    uint64_t phases;  /* that the steal tree divides the tree into */
    uint64_t queries; /* for the lowest common ancestor of two steps */
    /* Edges of the tree that were walked for them, by SVS_CHECK_LABELS and so on: only the chosen
     * way, unless `compare`. */
    uint64_t edges[3];
    uint64_t races;      /* that were reported to `found` */
    uint64_t undeclared; /* accesses of instances, that were reported to `found` */
    /* Objects, with two tasks, whose order the schedule chooses; and one of them. */
    uint64_t orders;
    const char *order_type, *order_tasks[2];
    uint64_t bytes;      /* of memory that the tree and the shadow have touched at the end */
    uint64_t most_nodes; /* that the tree has had room for at once */
    uint64_t collapses;  /* how often all that had ended was forgotten */
    uint64_t sweeps;     /* how often nodes that nothing needed were looked for, to be used again */
    /* Not 0: the check is not whole. Accesses for which there was no memory, */
    uint64_t lost;
    /* and asyncs that were called in place, unseen, for want of slots (work-first, in very deep
     * recursions). */
    uint64_t merged;
} svs_check_summary;

/* Fills in the defaults. */
SVS_API void svs_check_options_init_sized(svs_check_options *options, size_t size);
static inline void svs_check_options_init(svs_check_options *svs_options_) {
    svs_check_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* From here on what `runtime` runs is checked; NULL options mean the defaults. @return SVS_OK,
 * SVS_E_NULL, SVS_E_VERSION (the options), SVS_E_INVALID (an unknown `lca`), SVS_E_BUSY (something
 * runs, or it is checked already), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_check_start(svs_runtime *runtime,
                                                 const svs_check_options *options);

/* Ends the check. @param summary NULL: the caller does not need it. @return SVS_OK, SVS_E_NULL,
 * SVS_E_STATE (the runtime is not checked), SVS_E_BUSY (something runs: the check goes on). */
SVS_NODISCARD SVS_API svs_status svs_check_stop_sized(svs_runtime *runtime,
                                                      svs_check_summary *summary, size_t size);
SVS_NODISCARD static inline svs_status svs_check_stop(svs_runtime *svs_runtime_,
                                                      svs_check_summary *svs_summary_) {
    return svs_check_stop_sized(svs_runtime_, svs_summary_, sizeof *svs_summary_);
}

/* What the check has counted so far. From any thread; numbers of workers that run something may be
 * a little old. @return SVS_OK, SVS_E_NULL, SVS_E_STATE (the runtime is not checked: all numbers
 * are 0). */
SVS_NODISCARD SVS_API svs_status svs_check_summary_get_sized(svs_runtime *runtime,
                                                             svs_check_summary *summary,
                                                             size_t size);
SVS_NODISCARD static inline svs_status svs_check_summary_get(svs_runtime *svs_runtime_,
                                                             svs_check_summary *svs_summary_) {
    return svs_check_summary_get_sized(svs_runtime_, svs_summary_, sizeof *svs_summary_);
}

/* The calling step reads, or writes, `bytes` from `memory` on. */
SVS_API void svs_check_read(const void *memory, size_t bytes);
SVS_API void svs_check_write(const void *memory, size_t bytes);

/* For allocators of one's own: a block begins a new life, and ends it. Both count as a write of all
 * of it by the calling step. */
SVS_API void svs_check_alloc(const void *block, size_t bytes);
SVS_API void svs_check_free(const void *block, size_t bytes);

/* What the calling task accesses in between is not looked at; they nest. End it in the task that
 * began it. */
SVS_API void svs_check_ignore_begin(void);
SVS_API void svs_check_ignore_end(void);

/* In graphs' runs, what instances touch is compared with what they have declared. Of memory objects
 * the bytes are known: of those that are made while a check is on, and of those that
 * svs_object_new() has made before. Of addresses and indices they are what is said here; a range
 * stays until it is forgotten, or the last check ends. An address of which nothing is said stands
 * for what is behind it, up to 4096 bytes, and an index for any bytes that are nothing else's:
 * there is no race between instances that have both declared it, but nobody can say that an access
 * is undeclared.
 * @param name for reports; it must stay, or NULL. @return SVS_OK (also when nothing is checked: then
 * the call has no effect), SVS_E_NULL, SVS_E_INVALID (no bytes), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_check_object_range(const void *address, size_t bytes,
                                                        const char *name);

/* `count` elements of `space`, from index `first` on, of `bytes` each, lie behind `memory`. */
SVS_NODISCARD SVS_API svs_status svs_check_index_range(const svs_space *space, uint64_t first,
                                                       const void *memory, size_t bytes,
                                                       uint64_t count, const char *name);

/* Nobody writes this as long as it is not forgotten: instances read it undeclared. */
SVS_NODISCARD SVS_API svs_status svs_check_immutable_range(const void *memory, size_t bytes,
                                                           const char *name);

/* `count` elements of `bytes` each, one for each worker (svs_context_worker()): instances touch the
 * one of the worker that they run on, undeclared. */
SVS_NODISCARD SVS_API svs_status svs_check_worker_range(const void *memory, size_t bytes,
                                                        uint64_t count, const char *name);

/* The ranges that begin at `memory` are forgotten. */
SVS_API void svs_check_forget_range(const void *memory);

/* What instances do to the object, or range, around `memory` may be done in any order: then it is
 * no SVS_CHECK_ORDER. @return as above; SVS_E_INVALID: nothing is known there. */
SVS_NODISCARD SVS_API svs_status svs_check_commutative(const void *memory);

SVS_END_DECLARATIONS
#endif
