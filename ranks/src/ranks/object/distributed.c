/* The public calls of distributed objects: names, and the kinds of global operations. */
#include "ranks/object/tree.h"
#include <string.h>

#define REFUSE(status, ...) svs__refuse(ranks == NULL ? NULL : &ranks->log, (status), __VA_ARGS__)

/* ranks.D1: the id of an object is the FNV-1a hash of its name, with bit 63 set: above all reserved
 * numbers. */
static uint64_t id_of(const char *name, uint64_t reserved) {
    uint64_t hash = 0xcbf29ce484222325u;
    if (name == NULL) return reserved;
    for (; *name != '\0'; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash | (uint64_t)1 << 63;
}

static const char *name_fault(svs_ranks *ranks, const char *name, uint64_t reserved) {
    const svs_distributed *other;
    if (name == NULL && (reserved == 0 || reserved >> 63 != 0))
        return "there is neither a name nor a reserved number from 1 to 2^63 - 1: pass one";
    if (name != NULL && strlen(name) >= SVS_DISTRIBUTED_NAME)
        return "the name is longer than 47 bytes: choose a shorter one";
    other = svs_distributed_find(ranks, name, reserved);
    return other != NULL ? "the name is taken: choose another one" : NULL;
}

svs_status svs_distributed_new(svs_ranks *ranks, const char *name, uint64_t reserved, void *part,
                               svs_distributed **object, svs_counter *done) {
    const char *fault;
    svs_distributed *made;
    svs__start start = {.done = done};
    if (ranks == NULL || object == NULL || done == NULL)
        return REFUSE(SVS_E_NULL,
                      "svs_distributed_new: ranks, object or done is NULL: pass all of them");
    if (!ranks->in_run)
        return REFUSE(SVS_E_OUTSIDE,
                      "svs_distributed_new: there is no run: make objects in a fiber");
    fault = name_fault(ranks, name, reserved);
    if (fault != NULL) return REFUSE(SVS_E_INVALID, "svs_distributed_new: %s", fault);
    made = svs__object_of(ranks, id_of(name, reserved));
    if (made == NULL) return SVS_E_NO_MEMORY;
    SVS__ASSERT(!made->made && made->started == 0); /* ranks.D1 */
    if (name != NULL) memcpy(made->name, name, strlen(name) + 1);
    made->part = part;
    made->made = true;
    *object = made;
    return svs__operation_start(made, &start);
}

const char *svs__object_name_fault(svs_ranks *ranks, const char *name) {
    return name_fault(ranks, name, 0);
}

svs_distributed *svs__object_make(svs_ranks *ranks, const char *name, void *part) {
    svs_distributed *made = svs__object_of(ranks, id_of(name, 0));
    if (made == NULL) return NULL;
    SVS__ASSERT(!made->made && made->started == 0); /* ranks.D1 */
    memcpy(made->name, name, strlen(name) + 1);
    made->part = part;
    made->made = made->ready = true;
    return made;
}

void *svs_distributed_part(const svs_distributed *object) {
    return object == NULL ? NULL : object->part;
}

svs_distributed *svs_distributed_find(svs_ranks *ranks, const char *name, uint64_t reserved) {
    uint64_t id = id_of(name, reserved);
    svs_distributed *object = ranks == NULL ? NULL : svs__object_find(ranks, id);
    return object != NULL && object->made ? object : NULL;
}

static svs_status check(const svs_distributed *object, const svs_counter *done, const char *call) {
    const svs_ranks *ranks = object == NULL ? NULL : object->ranks;
    if (object == NULL || done == NULL)
        return REFUSE(SVS_E_NULL, "%s: object or done is NULL: pass both", call);
    return ranks->in_run ? SVS_OK
                         : REFUSE(SVS_E_OUTSIDE, "%s: there is no run: call it in a fiber", call);
}

svs_status svs_barrier(svs_distributed *object, svs_counter *done) {
    svs__start start = {.done = done};
    svs_status status = check(object, done, "svs_barrier");
    return status != SVS_OK ? status : svs__operation_start(object, &start);
}

svs_status svs_reduce(svs_distributed *object,
                      void (*combine)(void *into, const void *from, size_t count), const void *mine,
                      void *result, size_t element, size_t count, svs_counter *done) {
    svs__start start = {combine, mine, result, element * count, count, done};
    svs_status status = check(object, done, "svs_reduce");
    const svs_ranks *ranks;
    if (status != SVS_OK) return status;
    ranks = object->ranks;
    if (combine == NULL || mine == NULL || result == NULL)
        return REFUSE(SVS_E_NULL, "svs_reduce: combine, mine or result is NULL: pass all of them");
    if (element > SVS_REDUCE_MAX || count > SVS_REDUCE_MAX || element * count > SVS_REDUCE_MAX)
        return REFUSE(SVS_E_INVALID, "svs_reduce: more than 2^20 bytes: reduce in parts");
    return svs__operation_start(object, &start);
}

svs_status svs_broadcast(svs_distributed *object, uint32_t root, void *data, size_t bytes,
                         svs_counter *done) {
    svs__start start = {.result = data, .bytes = bytes, .done = done};
    svs_status status = check(object, done, "svs_broadcast");
    const svs_ranks *ranks;
    if (status != SVS_OK) return status;
    ranks = object->ranks;
    if (data == NULL) return REFUSE(SVS_E_NULL, "svs_broadcast: data is NULL: pass the bytes");
    if (root >= ranks->count || bytes > SVS_REDUCE_MAX)
        return REFUSE(SVS_E_INVALID,
                      "svs_broadcast: there is no rank %u, or there are more than 2^20 bytes: pass "
                      "a rank that exists, and broadcast in parts",
                      root);
    if (root == ranks->index) start.mine = data;
    return svs__operation_start(object, &start);
}
