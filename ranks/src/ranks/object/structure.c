#include "ranks/object/structure.h"
#include "base/sized.h"
#include "ranks/channel/handler.h"
#include "ranks/fiber/fiber.h"
#include "ranks/fiber/scheduler.h"
#include "ranks/object/snapshot.h"
#include "ranks/object/tree.h"
#include "ranks/observe.h"
#include <string.h>

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

#define HANDLERS_MAX 1024u

/* A call of new or free in a run: a thread without a stack that waits for the other ranks. */
typedef struct svs__change {
    svs_thread thread;
    svs_structure *structure;
    svs_counter steps; /* counts the collective operations that are complete */
    svs_counter *done;
} svs__change;

/* ---- options ---- */

static const svs_structure_options defaults = {.size = sizeof defaults};

void svs_structure_options_init_sized(svs_structure_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static const char *handlers_fault(const svs_structure_options *options) {
    if (options->handler_count > HANDLERS_MAX)
        return "handler_count is more than 1024: divide the structure";
    if (options->handlers == NULL && options->handler_count != 0)
        return "handlers is NULL: pass the array, or a handler_count of 0";
    for (size_t i = 0; i < options->handler_count; i++) {
        const char *fault = svs__handler_fault(&options->handlers[i]);
        if (fault != NULL) return fault;
    }
    return NULL;
}

/* Makes the name of a structure's snapshot, which fits because names of structures are shorter. */
static void name_snapshot(char *to, const char *name) {
    (void)snprintf(to, SVS_DISTRIBUTED_NAME, "%.39s.frozen", name);
}

static const char *fault_of(svs_ranks *ranks, const svs_structure_options *options) {
    const svs_structure *other = options->snapshot_of;
    char name[SVS_DISTRIBUTED_NAME];
    const char *fault;
    if (options->name == NULL || options->name[0] == '\0' ||
        strlen(options->name) >= SVS_STRUCTURE_NAME)
        return "its name is missing, or longer than 39 bytes: choose another one";
    if (options->part == NULL) return "its part is NULL: pass the memory of this rank";
    if (other != NULL && (other->ranks != ranks || other->state != SVS__STRUCTURE_MADE))
        return "snapshot_of is a structure of another rank, or not made yet: pass one that is made "
               "on this rank";
    fault = svs__object_name_fault(ranks, options->name);
    name_snapshot(name, options->name);
    if (fault == NULL && other == NULL) fault = svs__object_name_fault(ranks, name);
    return fault != NULL ? fault : handlers_fault(options);
}

static svs_status take_options(svs_ranks *ranks, const svs_structure_options *given,
                               svs_structure_options *options) {
    const char *fault;
    *options = defaults;
    if (given == NULL || svs__options_take(options, sizeof *options, given) != SVS_OK)
        return REFUSE(given == NULL ? SVS_E_NULL : SVS_E_VERSION,
                      "svs_structure_new: options are NULL or of another version: fill them by "
                      "svs_structure_options_init()");
    fault = fault_of(ranks, options);
    if (fault != NULL) return REFUSE(SVS_E_INVALID, "svs_structure_new: %s", fault);
    if (svs__handlers_room(ranks, (uint32_t)options->handler_count) + options->handler_count >
        SVS__HANDLERS_MAX)
        return REFUSE(SVS_E_LIMIT, "svs_structure_new: more than 65535 handlers, with those of "
                                   "structures that were freed in this run: make fewer in one run");
    return SVS_OK;
}

/* ---- memory ---- */

static size_t structure_bytes(uint32_t count) {
    return sizeof(svs_structure) + count * sizeof(svs_handler);
}

static void unlink_it(svs_structure *structure) {
    svs_structure **at = &structure->ranks->structures;
    while (*at != structure) at = &(*at)->next;
    *at = structure->next;
}

/* The words that ranks agree on: the first number, which rank 0 contributes; the position of the
 * first handler that differs, plus 1, or 0; and a hash of each handler. */
enum { FIRST, DIFFERENT, HANDLERS };

static size_t agreement_words(const svs_structure *structure) {
    return HANDLERS + (size_t)structure->count;
}

static void release_agreed(svs_structure *structure) {
    svs__release(&structure->ranks->options.allocator, structure->agreed,
                 agreement_words(structure) * sizeof(uint64_t), 16);
    structure->agreed = NULL;
}

static void release(svs_structure *structure) {
    release_agreed(structure);
    svs__release(&structure->ranks->options.allocator, structure, structure_bytes(structure->count),
                 _Alignof(svs_structure));
}

/* Allocates a structure, which has no numbers of handlers yet. @return NULL: no memory. */
static svs_structure *allocate(svs_ranks *ranks, const svs_structure_options *options) {
    uint32_t count = (uint32_t)options->handler_count;
    svs_structure *made = svs__allocate_zeroed(&ranks->options.allocator, structure_bytes(count),
                                               _Alignof(svs_structure));
    if (made == NULL) return NULL;
    made->ranks = ranks;
    made->part = options->part;
    made->describe_waits = options->describe_waits;
    made->shares = options->snapshot_of;
    made->count = count;
    memcpy(made->name, options->name, strlen(options->name) + 1);
    if (count != 0) memcpy(made->handlers, options->handlers, count * sizeof *made->handlers);
    made->next = ranks->structures;
    ranks->structures = made;
    return made;
}

/* Makes the snapshot without a collective operation of its own: it is used only after all ranks
 * have made the structure. */
static bool make_snapshot(svs_structure *made) {
    char name[SVS_DISTRIBUTED_NAME];
    if (made->shares != NULL) {
        made->snapshot = made->shares->snapshot;
        made->shares->sharers++;
        return true;
    }
    name_snapshot(name, made->name);
    made->snapshot = svs__snapshot_make(made->ranks, name);
    return made->snapshot != NULL;
}

static void list_handlers(const svs_structure *structure, const svs_handler *list[HANDLERS_MAX]) {
    for (uint32_t i = 0; i < structure->count; i++) list[i] = &structure->handlers[i];
}

static svs_status put_handlers(svs_structure *structure, uint32_t first) {
    const svs_handler *handlers[HANDLERS_MAX];
    list_handlers(structure, handlers);
    structure->first = first;
    return svs__handlers_put(structure->ranks, first, handlers, structure->count, structure);
}

/* Retires a structure: all ranks have called free, and no operation of it is in progress. */
static void retire(svs_structure *structure) {
    svs_ranks *ranks = structure->ranks;
    if (structure->shares != NULL) structure->shares->sharers--;
    else svs__snapshot_free(structure->snapshot);
    structure->object = NULL;
    structure->snapshot = NULL;
    structure->state = SVS__STRUCTURE_FREED;
    if (structure->release != NULL) structure->release(ranks, structure->part);
    structure->release = NULL;
}

/* Frees the memory and the numbers of a structure that was freed in the run. */
static void forget(svs_structure *structure) {
    svs__handlers_release(structure->ranks, structure->first, structure->count);
    unlink_it(structure);
    release(structure);
}

void svs__structures_end_run(svs_ranks *ranks) {
    svs_structure *next;
    for (svs_structure *each = ranks->structures; each != NULL; each = next) {
        next = each->next;
        if (each->state == SVS__STRUCTURE_FREED) forget(each);
    }
}

/* ---- outside of a run ---- */

static svs_status agree(svs_structure *structure, bool made) {
    const svs_handler *handlers[HANDLERS_MAX];
    list_handlers(structure, handlers);
    return svs__handlers_agree(structure->ranks, structure->name, made, handlers,
                               made ? structure->count : 0);
}

static svs_status make_outside(svs_ranks *ranks, const svs_structure_options *options,
                               svs_structure **structure) {
    svs_structure *made;
    svs_status status;
    svs__structures_end_run(ranks);
    made = allocate(ranks, options);
    if (made != NULL) made->object = svs__object_make(ranks, made->name, made->part);
    if (made == NULL || made->object == NULL || !make_snapshot(made) ||
        put_handlers(made, svs__handlers_room(ranks, made->count)) != SVS_OK) {
        svs__handlers_refuse(ranks);
        return SVS_E_NO_MEMORY;
    }
    status = agree(made, true);
    if (status != SVS_OK) return status;
    made->state = SVS__STRUCTURE_MADE;
    made->release = options->release;
    *structure = made;
    return SVS_OK;
}

static svs_status free_outside(svs_structure *structure) {
    svs_ranks *ranks = structure->ranks;
    svs_status status = agree(structure, false);
    if (status != SVS_OK) return status;
    svs__handlers_withdraw(ranks, structure->first, structure->count);
    svs__object_free(structure->object);
    retire(structure);
    return SVS_OK;
}

/* ---- in a run ---- */

/* One step of the hash FNV-1a. */
static uint64_t hash_on(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x100000001b3u; }

static uint64_t hash_handler(const svs_handler *handler) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = handler->name; *c != '\0'; c++) hash = hash_on(hash, (unsigned char)*c);
    return hash_on(hash_on(hash, handler->bytes), (uint64_t)handler->dispatch);
}

static void merge(void *into, const void *from, size_t count) {
    uint64_t *words = into;
    const uint64_t *other = from;
    if (words[DIFFERENT] == 0) words[DIFFERENT] = other[DIFFERENT];
    for (size_t i = HANDLERS; i < count && words[DIFFERENT] == 0; i++)
        if (words[i] != other[i]) words[DIFFERENT] = i - HANDLERS + 1;
}

static svs_status begin_agreement(svs_structure *made, svs_counter *steps) {
    svs_ranks *ranks = made->ranks;
    size_t words = agreement_words(made);
    svs_status status;
    made->agreed = svs__allocate_zeroed(&ranks->options.allocator, words * sizeof(uint64_t), 16);
    if (made->agreed == NULL) return SVS_E_NO_MEMORY;
    made->agreed[FIRST] = made->first;
    for (uint32_t i = 0; i < made->count; i++)
        made->agreed[HANDLERS + i] = hash_handler(&made->handlers[i]);
    status = svs_distributed_new(ranks, made->name, 0, made->part, &made->object, steps);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    return svs_reduce(made->object, merge, made->agreed, made->agreed, sizeof(uint64_t), words,
                      steps);
}

static svs_status install(svs_structure *made) {
    svs_ranks *ranks = made->ranks;
    uint64_t first = made->agreed[FIRST], different = made->agreed[DIFFERENT];
    release_agreed(made);
    if (different != 0)
        return svs__fail(ranks, SVS_E_DIFFERS,
                         "handler %llu of structure %s, which is %s here, is not the same on all "
                         "ranks: make it with the same handlers",
                         (unsigned long long)(different - 1), made->name,
                         made->handlers[different - 1].name);
    if (put_handlers(made, (uint32_t)first) == SVS_OK) return SVS_OK;
    return svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for the handlers of structure %s",
                     made->name);
}

static svs_status run_making(svs_ranks *ranks, void *state) {
    svs__change *me = state;
    svs_structure *made = me->structure;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    SVS_AWAIT(ranks, me, &me->steps, 2);
    status = install(made);
    if (status == SVS_OK) status = svs_barrier(made->object, &me->steps);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    SVS_AWAIT(ranks, me, &me->steps, 3);
    made->state = SVS__STRUCTURE_MADE;
    svs_counter_add(ranks, me->done, 1);
    SVS_THREAD_END;
}

static svs_status run_freeing(svs_ranks *ranks, void *state) {
    svs__change *me = state;
    SVS_THREAD_BEGIN(ranks, me);
    SVS_AWAIT(ranks, me, &me->steps, 1);
    retire(me->structure);
    svs_counter_add(ranks, me->done, 1);
    SVS_THREAD_END;
}

/* Makes the fiber of a change. It is enabled after its first operations have begun, whose counter
 * is in its state. @return NULL: no memory. */
static svs__fiber *make_change(svs_structure *structure, svs_fiber_function *run,
                               svs_counter *done) {
    svs_ranks *ranks = structure->ranks;
    svs__fiber *fiber = svs__fiber_new(ranks, run, sizeof(svs__change), &ranks->schedulers.fifo);
    svs__change *change = fiber == NULL ? NULL : fiber->state;
    if (fiber == NULL) return NULL;
    *change = (svs__change){.structure = structure, .done = done};
    if (svs__is_observed(ranks)) svs__observe_created(ranks, fiber);
    return fiber;
}

static svs_status no_memory(svs_ranks *ranks, const char *name) {
    return svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for structure %s", name);
}

/* Makes a structure in a run. After a lack of memory the run ends, and the rank frees what was
 * made. */
static svs_status make_inside(svs_ranks *ranks, const svs_structure_options *options,
                              svs_structure **structure, svs_counter *done) {
    svs_structure *made = allocate(ranks, options);
    svs__fiber *fiber = made == NULL ? NULL : make_change(made, run_making, done);
    svs_status status;
    if (fiber == NULL || !make_snapshot(made)) return no_memory(ranks, options->name);
    if (ranks->index == 0) {
        made->first = svs__handlers_room(ranks, made->count);
        if (svs__handlers_put(ranks, made->first, NULL, made->count, made) != SVS_OK)
            return no_memory(ranks, options->name);
    }
    status = begin_agreement(made, &((svs__change *)fiber->state)->steps);
    if (status != SVS_OK && status != SVS_WAIT) return no_memory(ranks, options->name);
    made->release = options->release;
    *structure = made;
    svs_ignore(svs__enable(ranks, fiber)); /* the FIFO scheduler does not fail */
    return SVS_WAIT;
}

static svs_status free_inside(svs_structure *structure, svs_counter *done) {
    svs_ranks *ranks = structure->ranks;
    svs__fiber *fiber = make_change(structure, run_freeing, done);
    svs_status status;
    if (fiber == NULL) return no_memory(ranks, structure->name);
    structure->state = SVS__STRUCTURE_FREEING;
    svs__handlers_withdraw(ranks, structure->first, structure->count);
    status = svs__object_end(structure->object, &((svs__change *)fiber->state)->steps);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    svs_ignore(svs__enable(ranks, fiber)); /* the FIFO scheduler does not fail */
    return SVS_WAIT;
}

/* ---- svs/ranks/structure.h ---- */

static svs_status check_call(svs_ranks *ranks, const char *call, const svs_counter *done) {
    if (ranks->over || ranks->fibers.in_place)
        return REFUSE(SVS_E_STATE, "%s: %s", call,
                      ranks->over ? "an earlier call has failed: free the rank"
                                  : "called in an in-place handler: call it in a fiber");
    if (ranks->in_run && done == NULL)
        return REFUSE(SVS_E_NULL, "%s: done is NULL: pass a counter in a run", call);
    return SVS_OK;
}

svs_status svs_structure_new(svs_ranks *ranks, const svs_structure_options *given,
                             svs_structure **structure, svs_counter *done) {
    svs_structure_options options;
    svs_status status;
    if (ranks == NULL || structure == NULL)
        return REFUSE(SVS_E_NULL, "svs_structure_new: ranks or structure is NULL: pass both");
    *structure = NULL;
    status = check_call(ranks, "svs_structure_new", done);
    if (status != SVS_OK) return status;
    status = take_options(ranks, given, &options);
    if (status != SVS_OK) {
        svs__handlers_refuse(ranks);
        return status;
    }
    if (ranks->in_run) return make_inside(ranks, &options, structure, done);
    status = make_outside(ranks, &options, structure);
    if (status == SVS_OK && done != NULL) svs_counter_add(ranks, done, 1);
    return status;
}

void svs_structure_decline(svs_ranks *ranks) {
    if (ranks != NULL) svs__handlers_refuse(ranks);
}

/* Refuses to free a structure that cannot be freed now. */
static svs_status check_free(const svs_structure *structure) {
    const svs_ranks *ranks = structure->ranks;
    const char *name = structure->name;
    if (structure->state != SVS__STRUCTURE_MADE)
        return REFUSE(SVS_E_STATE, "svs_structure_free: structure %s %s", name,
                      structure->state == SVS__STRUCTURE_MAKING
                          ? "is not made yet: wait for its counter"
                          : "was freed before: free it once");
    if (structure->fibers != 0)
        return REFUSE(SVS_E_BUSY,
                      "svs_structure_free: %u fibers of handlers of structure %s have not ended: "
                      "wait for them",
                      structure->fibers, name);
    if (structure->sharers != 0)
        return REFUSE(SVS_E_BUSY,
                      "svs_structure_free: %u structures share the snapshot of structure %s: free "
                      "them first",
                      structure->sharers, name);
    if (structure->shares == NULL && svs__snapshot_is_used(structure->snapshot))
        return REFUSE(SVS_E_BUSY,
                      "svs_structure_free: structure %s is being frozen, or frozen: unfreeze it, "
                      "and wait for that",
                      name);
    return SVS_OK;
}

svs_status svs_structure_free(svs_structure *structure, svs_counter *done) {
    svs_ranks *ranks = structure == NULL ? NULL : structure->ranks;
    svs_status status;
    if (structure == NULL)
        return REFUSE(SVS_E_NULL, "svs_structure_free: structure is NULL: pass one");
    status = check_call(ranks, "svs_structure_free", done);
    if (status == SVS_OK) status = check_free(structure);
    if (status != SVS_OK) return status;
    if (ranks->in_run) return free_inside(structure, done);
    status = free_outside(structure);
    if (status == SVS_OK && done != NULL) svs_counter_add(ranks, done, 1);
    return status;
}

const svs_handler *svs_structure_handler(const svs_structure *structure, size_t which) {
    return structure == NULL || which >= structure->count ? NULL : &structure->handlers[which];
}

svs_distributed *svs_structure_object(const svs_structure *structure) {
    return structure == NULL ? NULL : structure->object;
}

svs_snapshot *svs_structure_snapshot(const svs_structure *structure) {
    return structure == NULL ? NULL : structure->snapshot;
}

void *svs_structure_part(const svs_ranks *ranks) {
    const svs__fiber *running = ranks == NULL ? NULL : ranks->fibers.running;
    if (running != NULL && running->structure != NULL) return running->structure->part;
    return ranks == NULL ? NULL : ranks->data;
}

svs_status svs_structure_fail(svs_structure *structure, svs_status status, const char *why) {
    if (structure == NULL || why == NULL)
        return svs__refuse(structure == NULL ? NULL : &structure->ranks->log, SVS_E_NULL,
                           "svs_structure_fail: structure or why is NULL: pass both");
    if (!structure->ranks->in_run || status == SVS_OK) {
        (void)svs__refuse(&structure->ranks->log, status,
                          "svs_structure_fail: there is no run, or the status is SVS_OK: call it "
                          "in a run, with a failure");
        return status;
    }
    return svs__fail(structure->ranks, status, "structure %s: %s", structure->name, why);
}

svs_status svs_ranks_refuse(const svs_ranks *ranks, svs_status status, const char *why) {
    return REFUSE(status, "%s", why == NULL ? "" : why);
}

bool svs_ranks_in_run(const svs_ranks *ranks) { return ranks != NULL && ranks->in_run; }

const svs_allocator *svs_ranks_allocator(const svs_ranks *ranks) {
    return ranks == NULL ? NULL : &ranks->options.allocator;
}

/* ---- the rank ---- */

void svs__structures_tell(const svs_ranks *ranks) {
    for (const svs_structure *each = ranks->structures; each != NULL; each = each->next)
        if (each->state == SVS__STRUCTURE_MAKING || each->state == SVS__STRUCTURE_FREEING)
            svs__log_write(&ranks->log, SVS_LOG_ERROR,
                           "rank %u: structure %s is %s on some ranks only: do so on all",
                           ranks->index, each->name,
                           each->state == SVS__STRUCTURE_MAKING ? "made" : "freed");
}

void svs__structures_add_waits(svs_ranks *ranks) {
    for (const svs_structure *each = ranks->structures; each != NULL; each = each->next) {
        size_t length = strlen(ranks->text);
        char waits[SVS__TEXT] = "";
        if (each->describe_waits == NULL || each->state != SVS__STRUCTURE_MADE) continue;
        each->describe_waits(each->part, waits, sizeof waits);
        if (waits[0] != '\0')
            (void)snprintf(ranks->text + length, sizeof ranks->text - length,
                           "; rank %u waits in structure %s: %s", ranks->index, each->name, waits);
    }
}

void svs__structures_clean_up(svs_ranks *ranks) {
    while (ranks->structures != NULL) {
        svs_structure *first = ranks->structures;
        ranks->structures = first->next;
        if (first->release != NULL) first->release(ranks, first->part);
        release(first);
    }
}
