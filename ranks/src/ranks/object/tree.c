#include "ranks/object/tree.h"
#include "ranks/channel/route.h"
#include "ranks/observe.h"
#include <string.h>

/* A record: a contribution on its way up, or a result on its way down. */
typedef struct svs__tree_record {
    uint64_t object;
    uint32_t number, from;
    uint32_t bytes; /* bytes of the operation's data */
    uint16_t down, has;
} svs__tree_record;

static uint32_t child_count(const svs_ranks *ranks) { return ranks->topology.child_count; }

static svs_status no_memory(svs_ranks *ranks) {
    return svs__fail(ranks, SVS_E_NO_MEMORY, "there is no memory for a global operation");
}

/* ---- objects and operations ---- */

static void release(svs_distributed *object) {
    svs__release(&object->ranks->options.allocator, object, sizeof *object,
                 _Alignof(svs_distributed));
}

svs_distributed *svs__object_of(svs_ranks *ranks, uint64_t id) {
    svs_distributed *object = svs__object_find(ranks, id);
    if (object != NULL) return object;
    object =
        svs__allocate_zeroed(&ranks->options.allocator, sizeof *object, _Alignof(svs_distributed));
    if (object == NULL) return NULL;
    object->ranks = ranks;
    object->named.number = id;
    if (svs__named_put(ranks, &ranks->objects, &object->named)) return object;
    release(object);
    return NULL;
}

void svs__object_free(svs_distributed *object) {
    SVS__ASSERT(object->operations == NULL); /* ranks.D1 */
    svs__named_remove(&object->ranks->objects, &object->named);
    release(object);
}

static size_t data_bytes(uint32_t bytes) { return (SVS__CHILDREN_MAX + 1) * (size_t)bytes + 1; }

static unsigned char *contribution(const svs__operation *operation, uint32_t which) {
    return operation->data + (size_t)which * operation->bytes;
}

static void free_operation(svs_ranks *ranks, svs__operation *operation) {
    svs__release(&ranks->options.allocator, operation->data, data_bytes(operation->bytes), 16);
    svs__release(&ranks->options.allocator, operation, sizeof *operation, _Alignof(svs__operation));
}

/* The operation with this number, which is made if there is none. @return NULL: no memory. */
static svs__operation *operation_of(svs_distributed *object, uint32_t number, uint32_t bytes) {
    const svs_allocator *allocator = &object->ranks->options.allocator;
    svs__operation *operation = object->operations;
    while (operation != NULL && operation->number != number) operation = operation->next;
    if (operation != NULL) return operation;
    operation = svs__allocate_zeroed(allocator, sizeof *operation, _Alignof(svs__operation));
    if (operation == NULL) return NULL;
    operation->data = svs__allocate(allocator, data_bytes(bytes), 16);
    operation->number = number;
    operation->bytes = bytes;
    operation->next = object->operations;
    object->operations = operation;
    return operation->data == NULL ? NULL : operation;
}

static void end_operation(svs_distributed *object, svs__operation *operation) {
    svs_ranks *ranks = object->ranks;
    svs__operation **at = &object->operations;
    svs_counter *done = operation->done;
    object->ready = true;
    while (*at != operation) at = &(*at)->next;
    *at = operation->next;
    free_operation(ranks, operation);
    if (svs__is_observed(ranks))
        svs__observe_collective(ranks, SVS_COLLECTIVE_OPERATION, object->name, false);
    if (object->last && object->operations == NULL) svs__object_free(object);
    svs_counter_add(ranks, done, 1); /* ranks.C2 */
}

void svs__objects_clean_up(svs_ranks *ranks) {
    svs__named *one;
    while ((one = svs__named_any(ranks, &ranks->objects)) != NULL) {
        svs_distributed *object = (svs_distributed *)(void *)one;
        while (object->operations != NULL) {
            svs__operation *operation = object->operations;
            object->operations = operation->next;
            free_operation(ranks, operation);
        }
        svs__object_free(object);
    }
}

/* ---- up and down ---- */

static svs_status send(svs_distributed *object, uint32_t to, const svs__operation *operation,
                       bool down) {
    svs_ranks *ranks = object->ranks;
    uint32_t bytes = operation->has[0] == 2 ? operation->bytes : 0;
    svs__tree_record head = {
        object->named.number, operation->number, ranks->index, operation->bytes, down,
        operation->has[0]};
    svs__posted posted = {.record = &head,
                          .bytes = (uint32_t)sizeof head + bytes,
                          .to = to,
                          .from = ranks->index,
                          .handler = SVS__SYSTEM_HANDLER,
                          .category = ranks->category,
                          .variable = true,
                          .queues = true,
                          .rest = contribution(operation, 0),
                          .rest_bytes = bytes};
    uint32_t hop = svs__hop(ranks, to);
    if (svs__channel_put(ranks, hop, &posted) == SVS__PUT) ranks->statistics.remote_op++;
    svs__flush(ranks, hop, &ranks->statistics.flushes_asked); /* other ranks wait for the record */
    return ranks->failed.status;
}

/* The result is known: sends it to the children, and ends the operation here. */
static svs_status complete(svs_distributed *object, svs__operation *operation) {
    svs_ranks *ranks = object->ranks;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < child_count(ranks) && status == SVS_OK; i++)
        status = send(object, ranks->topology.children[i], operation, true);
    if (status != SVS_OK) return status;
    if (operation->has[0] == 2 && operation->bytes != 0)
        memcpy(operation->result, contribution(operation, 0), operation->bytes);
    end_operation(object, operation);
    return SVS_OK;
}

static void combine_all(const svs_ranks *ranks, svs__operation *operation) {
    for (uint32_t i = 1; i <= child_count(ranks); i++) {
        SVS__ASSERT(operation->has[i] != 0); /* ranks.D2 */
        if (operation->has[i] != 2) continue;
        if (operation->combine != NULL && operation->has[0] == 2)
            operation->combine(contribution(operation, 0), contribution(operation, i),
                               operation->count);
        else memcpy(contribution(operation, 0), contribution(operation, i), operation->bytes);
        operation->has[0] = 2;
    }
}

/* If this rank and its children have contributed, combines and sends the result. @return SVS_OK:
 * the operation is complete; SVS_WAIT. */
static svs_status advance(svs_distributed *object, svs__operation *operation) {
    svs_ranks *ranks = object->ranks;
    svs_status status;
    if (!operation->started || operation->heard < child_count(ranks)) return SVS_WAIT;
    SVS__ASSERT(object->made); /* ranks.D1 */
    combine_all(ranks, operation);
    if (ranks->index == 0) return complete(object, operation);
    status = send(object, ranks->topology.parent, operation, false);
    return status == SVS_OK ? SVS_WAIT : status;
}

static svs_status differ(svs_distributed *object, uint32_t number) {
    return svs__fail(
        object->ranks, SVS_E_DIFFERS,
        "operation %u on object %s is not the same on all ranks: make the same calls in "
        "the same order",
        number, object->name);
}

svs_status svs__operation_start(svs_distributed *object, const svs__start *start) {
    svs__operation *operation = operation_of(object, object->started, (uint32_t)start->bytes);
    if (operation == NULL) return no_memory(object->ranks);
    if (operation->bytes != start->bytes) return differ(object, object->started);
    object->started++;
    operation->started = true;
    if (svs__is_observed(object->ranks))
        svs__observe_collective(object->ranks, SVS_COLLECTIVE_OPERATION, object->name, true);
    operation->combine = start->combine;
    operation->count = start->count;
    operation->result = start->result;
    operation->done = start->done;
    operation->has[0] = start->mine != NULL ? 2 : 1;
    if (start->mine != NULL && start->bytes != 0)
        memcpy(contribution(operation, 0), start->mine, start->bytes);
    return advance(object, operation);
}

svs_status svs__object_end(svs_distributed *object, svs_counter *done) {
    svs__start start = {.done = done};
    object->last = true;
    return svs__operation_start(object, &start);
}

/* ---- records ---- */

static const char *fault_of(const svs_ranks *ranks, const svs__tree_record *head, size_t length) {
    /* of an edge of the tree, the parent's rank and the child's */
    uint32_t above = head->down != 0 ? head->from : ranks->index;
    uint32_t below = head->down != 0 ? ranks->index : head->from;
    if (head->bytes > SVS_REDUCE_MAX || head->has > 2 ||
        length != sizeof *head + (head->has == 2 ? head->bytes : 0))
        return "its lengths are wrong";
    if (below == 0 || below >= ranks->count || svs__topology_parent(ranks->columns, below) != above)
        return "its sender is wrong";
    return NULL;
}

/* Whether a record is expected: each child contributes once, and the result comes after this rank
 * has contributed to its parent. */
static bool is_expected(const svs_ranks *ranks, const svs__operation *operation,
                        const svs__tree_record *head, uint32_t which) {
    if (head->down != 0) return operation->started && operation->heard == child_count(ranks);
    return operation->has[which] == 0 && head->has != 0;
}

static svs_status malformed(svs_ranks *ranks, const char *why) {
    return svs__fail(ranks, SVS_E_RECORD, "a record of a global operation is malformed: %s", why);
}

static void take_record(svs_ranks *ranks, void *part, const void *records, uint32_t length) {
    svs__tree_record head;
    const unsigned char *data = (const unsigned char *)records + sizeof head;
    const char *fault = "it is cut";
    svs_distributed *object;
    svs__operation *operation;
    uint32_t which;
    (void)part;
    if (length >= sizeof head) {
        memcpy(&head, records, sizeof head);
        fault = fault_of(ranks, &head, length);
    }
    if (fault != NULL) {
        (void)malformed(ranks, fault);
        return;
    }
    object = svs__object_of(ranks, head.object);
    operation = object == NULL ? NULL : operation_of(object, head.number, head.bytes);
    which = head.down != 0 ? 0 : svs__topology_child(&ranks->topology, head.from) + 1;
    if (operation == NULL) (void)no_memory(ranks);
    else if (operation->bytes != head.bytes) (void)differ(object, head.number);
    else if (!is_expected(ranks, operation, &head, which))
        (void)malformed(ranks, "it came twice, or too early");
    else {
        if (head.has == 2) memcpy(contribution(operation, which), data, head.bytes);
        operation->has[which] = (uint8_t)head.has;
        operation->heard += head.down == 0;
        (void)(head.down != 0 ? complete(object, operation) : advance(object, operation));
    }
}

const svs_handler svs__tree_handler = {"svs: global operations", SVS_DISPATCH_IN_PLACE, 0, NULL,
                                       take_record};
