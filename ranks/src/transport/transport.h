/* The machine interface: whole buffers between ranks, which a transport does not interpret.
 *
 *     buffer = svs__buffer_new(allocator, capacity);            fill buffer->data, set bytes
 *     if (type->send(endpoint, to, buffer) == SVS__SENT) ...    it belongs to the transport
 *     while ((buffer = type->completed(endpoint)) != NULL) ...  it belongs to this rank again
 *
 *     switch (type->receive(endpoint, &buffer, &from)) {        borrowed from the transport
 *     case SVS__ARRIVED: ... type->release(endpoint, buffer);
 *
 * A transport is a table of functions, and an endpoint for each rank:
 *
 *   local  ranks are threads of one process; buffers are passed on without a copy
 *   sim    ranks take turns in one thread; a chooser decides each order that the interface leaves
 *          open
 *   mpi    ranks are the processes of MPI's world; buffers are messages
 *
 *   transport.T1  Buffers from one rank to another arrive complete, once, in the order of sending.
 *   transport.T2  Send and receive never block. A buffer belongs to the transport from an accepted
 *                 send until its completion, and nothing else accesses it meanwhile.
 *   transport.T3  Each survivor is told once of each rank that died or closed its endpoint, after
 *                 all buffers that arrive from it.
 *   transport.T4  Memory to memory, without buffers: the n-th give() of a rank to another fills the
 *                 memory of the n-th take() there. Moves that the giver begins and moves that the
 *                 taker begins are counted apart. Both memories belong to the transport until
 *                 moved() returns their tickets. (not asserted: a statement about two ranks; `sim`
 *                 checks that both halves have one size)
 *
 * operation caller progress open owner wait-free send owner wait-free in sim; the receiver's lock
 * in local completed owner wait-free, or the own lock receive owner wait-free, or the own lock
 * release owner the sender's lock in local give owner wait-free take owner wait-free moved owner
 * wait-free idle owner blocks until a buffer may have arrived or been completed, or until a given
 * time close owner the locks of all ranks in local
 *
 * Threads: an endpoint is used by one thread at a time, for which may_drive() returns true; any
 * thread may wake it. */
#ifndef SVS_TRANSPORT_TRANSPORT_H
#define SVS_TRANSPORT_TRANSPORT_H

#include "base/check.h"
#include "base/memory.h"
#include <svs/ranks/rank.h>

typedef struct svs__buffer {
    struct svs__buffer *next; /* next buffer in the list of the current holder */
    /* list in which its maker keeps it while it is free; NULL: a released buffer is freed */
    struct svs__buffers *home;
    /* set by the transport: the sender, and the number of this buffer in the channel */
    uint32_t from, number;
    uint32_t bytes, capacity; /* bytes in use, and size, of `data` */
    _Alignas(16) unsigned char data[];
} svs__buffer;

typedef enum svs__send_result {
    SVS__SENT,
    SVS__SEND_LATER /* refused: the buffer still belongs to the caller */
} svs__send_result;

typedef enum svs__receive_result {
    SVS__NOTHING,
    SVS__ARRIVED, /* `*buffer` from rank `*from` */
    SVS__LEFT,    /* rank `*from` died, or closed its endpoint */
    SVS__DEAD     /* this rank is dead: the others are told that it has left */
} svs__receive_result;

#define SVS__NEVER UINT64_MAX

/* Which rank has begun a move from memory to memory (transport.T4). */
typedef enum svs__move_kind { SVS__MOVE_OF_GIVER, SVS__MOVE_OF_TAKER } svs__move_kind;

typedef struct svs__transport_type {
    const char *name;
    /* Opens the endpoint for a rank. @return false: a rank uses the endpoint, or has used it. */
    bool (*open)(void *endpoint);
    svs__send_result (*send)(void *endpoint, uint32_t to, svs__buffer *buffer);
    svs__buffer *(*completed)(void *endpoint);
    svs__receive_result (*receive)(void *endpoint, svs__buffer **buffer, uint32_t *from);
    void (*release)(void *endpoint, svs__buffer *buffer);
    /* Blocks until a buffer may have arrived or been completed. @param until the time, by now(), at
     * which it returns at the latest; SVS__NEVER: no limit. @return the time of its end. It may be
     * an earlier reading of the clock, so that the caller looks at arrivals without a further
     * one. */
    uint64_t (*idle)(void *endpoint, uint64_t until, uint64_t spin_ns);
    uint64_t (*now)(void *endpoint); /* current time in nanoseconds */
    /* Called by any thread: ends the current idle() of this rank, or its next one. NULL: a rank
     * must not wait in idle() for another thread. */
    void (*wake)(void *endpoint);
    /* Closes the endpoint. Precondition: the rank receives nothing any more, and has released all
     * that it received. Its sends complete later. */
    void (*close)(void *endpoint);
    /* Whether the calling thread may use the endpoint while no other thread uses it. NULL: any
     * thread may. */
    bool (*may_drive)(void *endpoint);
    /* Size in bytes from which a move from memory to memory is faster than buffers. 0: the
     * transport lacks give, take and moved. */
    size_t direct_bytes;
    void (*give)(void *endpoint, uint32_t to, const void *memory, size_t bytes, svs__move_kind kind,
                 void *ticket);
    void (*take)(void *endpoint, uint32_t from, void *memory, size_t bytes, svs__move_kind kind,
                 void *ticket);
    void *(*moved)(void *endpoint); /* the ticket of a move that is complete, or NULL */
} svs__transport_type;

struct svs_transport {
    const svs__transport_type *type;
    void *endpoint;
    uint32_t rank, count;
};

static inline svs__buffer *svs__buffer_new(const svs_allocator *allocator, uint32_t capacity) {
    svs__buffer *buffer =
        svs__allocate(allocator, sizeof *buffer + capacity, _Alignof(svs__buffer));
    if (buffer == NULL) return NULL;
    buffer->next = NULL;
    buffer->home = NULL;
    buffer->from = buffer->number = buffer->bytes = 0;
    buffer->capacity = capacity;
    return buffer;
}

static inline void svs__buffer_free(const svs_allocator *allocator, svs__buffer *buffer) {
    svs__release(allocator, buffer, sizeof *buffer + buffer->capacity, _Alignof(svs__buffer));
}

/* A list of buffers in order. Zeroed: empty. */
typedef struct svs__buffers {
    svs__buffer *first, *last;
} svs__buffers;

static inline void svs__buffers_put(svs__buffers *list, svs__buffer *buffer) {
    buffer->next = NULL;
    if (list->first == NULL) list->first = buffer;
    else list->last->next = buffer;
    list->last = buffer;
}

/* Puts a buffer in front of the others, to be used again soon, while it is in a cache. */
static inline void svs__buffers_put_back(svs__buffers *list, svs__buffer *buffer) {
    buffer->next = list->first;
    if (list->first == NULL) list->last = buffer;
    list->first = buffer;
}

/* Puts new buffers into a list, which is their home. @return false: no memory. */
static inline bool svs__buffers_fill(const svs_allocator *allocator, svs__buffers *list,
                                     uint32_t count, uint32_t bytes) {
    for (uint32_t i = 0; i < count; i++) {
        svs__buffer *buffer = svs__buffer_new(allocator, bytes);
        if (buffer == NULL) return false;
        buffer->home = list;
        svs__buffers_put(list, buffer);
    }
    return true;
}

static inline svs__buffer *svs__buffers_take(svs__buffers *list) {
    svs__buffer *buffer = list->first;
    if (buffer != NULL) list->first = buffer->next;
    return buffer;
}

#endif
