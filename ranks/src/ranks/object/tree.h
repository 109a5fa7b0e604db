/* Global operations on distributed objects: up the tree of ranks (topology.h), and down again.
 *
 *   ranks.D1  Names are global. A contribution to an object that this rank has not made yet is kept
 *             until the rank makes it.
 *   ranks.D2  Concurrent operations on different objects, started in any order, do not
 *             interfere; sums are bitwise reproducible: a rank combines when it and each of its
 *             children have contributed, in the order of the children.
 *
 * The n-th operation that a rank starts on an object is the n-th of all ranks. A rank keeps the
 * contributions of its children to an operation, also before it starts the operation itself. When
 * it has all, it combines its own contribution with those of its children, in their order, and
 * sends the result to its parent; the root sends the final result down. Records of the library do
 * this (SVS__SYSTEM_HANDLER), which are always accepted. */
#ifndef SVS__RANKS_OBJECT_TREE_H
#define SVS__RANKS_OBJECT_TREE_H

#include "ranks/channel/channel.h"
#include "ranks/object/named.h"

typedef void svs__combine(void *into, const void *from, size_t count);

typedef struct svs__operation {
    struct svs__operation *next; /* next operation of the object */
    uint32_t number, heard;      /* `heard`: how many children have contributed */
    bool started;
    uint32_t bytes;
    size_t count;
    svs__combine *combine; /* combines two contributions; NULL: a broadcast, or a barrier */
    void *result;
    svs_counter *done;
    unsigned char *data; /* contributions of this rank and of each child */
    /* for each contribution: 0: not there; 1: without bytes; 2: with bytes */
    uint8_t has[SVS__CHILDREN_MAX + 1];
} svs__operation;

struct svs_distributed {
    svs__named named; /* entry in the table of objects, by the object's id */
    svs_ranks *ranks;
    void *part;
    svs_segment *segment; /* segment to which the object belongs, or NULL */
    bool ready;           /* its first operation is complete: all ranks have made it */
    /* this rank has made it; false: it exists because a contribution of another rank has come */
    bool made;
    bool last; /* its last operation was started, after which the object is freed */
    uint32_t started;
    svs__operation *operations; /* list of the operations that are not complete */
    char name[48];
};

/* The arguments of an operation. */
typedef struct svs__start {
    svs__combine *combine;
    const void *mine; /* this rank's contribution; NULL: it has none */
    void *result;
    size_t bytes, count;
    svs_counter *done;
} svs__start;

/* Makes an object without a collective operation, since the caller knows that all ranks make it.
 * @return NULL: no memory. */
svs_distributed *svs__object_make(svs_ranks *ranks, const char *name, void *part);
/* @return NULL, or why an object of this name cannot be made. */
const char *svs__object_name_fault(svs_ranks *ranks, const char *name);
/* Frees an object. Precondition: no operation on it is in progress, and none follows. */
void svs__object_free(svs_distributed *object);

/* Starts the last operation of the object, a barrier. When it is complete, the object is freed
 * before anything else happens on this rank. So a record of this name that comes later is for the
 * next object of the name: a child contributes to that one after its own end of this object, which
 * comes after its parent's end. */
svs_status svs__object_end(svs_distributed *object, svs_counter *done);

/* Starts the next operation of this rank on the object. @return SVS_OK (complete), SVS_WAIT,
 * SVS_E_NO_MEMORY. */
svs_status svs__operation_start(svs_distributed *object, const svs__start *start);

/* The object with this id, which is made if there is none. @return NULL: no memory. */
svs_distributed *svs__object_of(svs_ranks *ranks, uint64_t id);
/* @return the object with this id; NULL: there is none. */
static inline svs_distributed *svs__object_find(const svs_ranks *ranks, uint64_t id) {
    return (svs_distributed *)(void *)svs__named_find(&ranks->objects, id);
}
void svs__objects_clean_up(svs_ranks *ranks);

/* The first entry of each table of handlers. */
extern const svs_handler svs__tree_handler;

#endif
