/* Structures: distributed data structures of the program, each with a part on every rank, handlers
 * that find the part, and a snapshot.
 *
 *     static void take_reads(svs_ranks *ranks, void *part, const void *reads, uint32_t count) {
 *         ... for each of them: svs_reply(ranks, svs_structure_handler(mine->made, 1), &answer, 16)
 *     }
 *     static const svs_handler handlers[] = {
 *         {"array.read", SVS_DISPATCH_IN_PLACE, sizeof(question), NULL, take_reads},
 *         {"array.answer", SVS_DISPATCH_IN_PLACE, sizeof(answer), NULL, take_answers}};
 *
 *     svs_structure_options_init(&options);
 *     options.name = "array";
 *     options.part = mine;
 *     options.handlers = handlers;
 *     options.handler_count = 2;
 *     svs_structure_new(ranks, &options, &mine->made, NULL);      // outside of a run
 *     svs_structure_new(ranks, &options, &mine->made, &me->done); // or in one
 *
 * New and free are collective. Outside of a run they return when all ranks have called them. In a
 * run they are split-phase (fiber.h), and `done` is reached when all ranks have; calls on different
 * structures may be made in any order. No record is posted to a structure before `done`.
 *
 * Before a structure is freed, its operations must be complete on all ranks: sync its snapshot. A
 * record that arrives for a structure that its rank has freed ends the run. `ranks/examples/
 * 04_structure.c` is a structure in 80 lines, and the library's hash table is another one.
 *
 * Threads: as <svs/ranks/rank.h> says. */
#ifndef SVS_RANKS_STRUCTURE_H
#define SVS_RANKS_STRUCTURE_H

#include <svs/ranks/post.h>
#include <svs/ranks/snapshot.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_structure svs_structure;

#define SVS_STRUCTURE_NAME 40u /* bytes of a name, with the terminating zero */

typedef struct svs_structure_options {
    size_t size;      /* size of this struct, filled by svs_structure_options_init() */
    const char *name; /* name, distinct from those of other structures and distributed objects */
    void *part;       /* the part of this rank, which is passed to the handlers; not NULL */
    /* Frees the part, when the structure or the rank is freed; NULL: the part is not freed. */
    void (*release)(svs_ranks *ranks, void *part);
    /* `handler_count` handlers, at most 1024, the same on all ranks. They are copied; their names
     * must live as long as the structure. */
    const svs_handler *handlers;
    size_t handler_count;
    svs_structure *snapshot_of; /* a structure that shares its snapshot with this one, or NULL */
    /* Called after a rank has died. It writes into `text`, of `bytes` with the terminating zero,
     * what the part waits for on this rank, and nothing if it does not wait; the text of the
     * failure ends with it. NULL: the failure says nothing of this structure. */
    void (*describe_waits)(const void *part, char *text, size_t bytes);
} svs_structure_options;

SVS_API void svs_structure_options_init_sized(svs_structure_options *options, size_t size);
static inline void svs_structure_options_init(svs_structure_options *svs_options_) {
    svs_structure_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a structure. If the call returns SVS_OK or SVS_WAIT, the part belongs to the structure.
 * @param done goes up by 1 when all ranks have made it; outside of a run it may be NULL.
 * @return outside of a run SVS_OK or SVS_E_DIFFERS, SVS_E_RANK on all ranks, or on one rank a
 * status of those below, upon which the others return SVS_E_DIFFERS; in a run SVS_WAIT; both:
 * SVS_E_NULL, SVS_E_VERSION, SVS_E_INVALID (name, handlers, or a snapshot of another rank),
 * SVS_E_STATE (in an in-place handler, or after a failure), SVS_E_LIMIT (65535 handlers, with those
 * that were freed in this run), SVS_E_NO_MEMORY. Different handlers on two ranks end the run with
 * SVS_E_DIFFERS. */
SVS_NODISCARD SVS_API svs_status svs_structure_new(svs_ranks *ranks,
                                                   const svs_structure_options *options,
                                                   svs_structure **structure, svs_counter *done);

/* Called outside of a run by a rank that cannot call svs_structure_new(), in place of it: the calls
 * of the other ranks return SVS_E_DIFFERS. */
SVS_API void svs_structure_decline(svs_ranks *ranks);

/* Frees a structure, and its part by `release`. Its handlers must not be used after this call.
 * @param done as above.
 * @return SVS_OK (outside of a run), SVS_WAIT (in a run), SVS_E_NULL, SVS_E_STATE (not yet made,
 * freed before, or in an in-place handler), SVS_E_BUSY (fibers of its handlers have not ended, it
 * is being frozen, or another structure shares its snapshot), SVS_E_NO_MEMORY; outside of a run
 * SVS_E_DIFFERS (another rank frees another one), SVS_E_RANK. A run in which some ranks alone have
 * freed it ends with SVS_E_DEADLOCK. */
SVS_NODISCARD SVS_API svs_status svs_structure_free(svs_structure *structure, svs_counter *done);

/* The handler at this position of the options, for posts and replies; NULL: there is none. */
SVS_API const svs_handler *svs_structure_handler(const svs_structure *structure, size_t which);
/* The distributed object of the structure, for barriers and reductions; and its snapshot. */
SVS_API svs_distributed *svs_structure_object(const svs_structure *structure);
SVS_API svs_snapshot *svs_structure_snapshot(const svs_structure *structure);

/* In a fiber of a structure's handler, also after it has continued: the part of that structure. In
 * other fibers, and outside of fibers: svs_ranks_data(). */
SVS_API void *svs_structure_part(const svs_ranks *ranks);

/* Ends the run on all ranks with `status`. The failure names the structure, and says `why`.
 * @return `status`. */
SVS_API svs_status svs_structure_fail(svs_structure *structure, svs_status status, const char *why);

/* Replies to the record that the caller handles: posts a record to the rank that has posted it. An
 * in-place handler may reply once to each of its records, and a fiber of a handler once before it
 * ends. A reply is always accepted, as a post of an in-place handler is (post.h).
 * @return SVS_OK, SVS_E_STATE (no record is handled, or it has had its reply), or as svs_post(). */
SVS_NODISCARD SVS_API svs_status svs_reply(svs_ranks *ranks, const svs_handler *handler,
                                           const void *record, size_t bytes);

/* Writes an error to the rank's log (NULL: to stderr), as refused calls of the library do: "CALL:
 * what is wrong: what to do". @return `status`. */
SVS_API svs_status svs_ranks_refuse(const svs_ranks *ranks, svs_status status, const char *why);

/* Whether the rank is in a run; and the allocator of its options. */
SVS_API bool svs_ranks_in_run(const svs_ranks *ranks);
SVS_API const svs_allocator *svs_ranks_allocator(const svs_ranks *ranks);

SVS_END_DECLARATIONS
#endif
