/* A footprint: the memory that a task instance may touch, said before it runs (design: the face;
 * thesis, Algorithm 3).
 *
 * A touch function is called with the instance's item and adds an access for each thing that the
 * body may touch:
 *
 *     static void contact_touch(svs_footprint *f, const contact *c) {
 *         svs_writes(f, c->a);
 *         svs_writes(f, c->b);
 *     }
 *
 * An access is {what, mode, extent}: what is a memory object, an address or an index of a space;
 * the mode is read or write; the extent says how far it goes from a memory object: itself with its
 * members, along a path of links, so many links far, along some links only, or all that it reaches.
 * Each link that is followed is read by its parent, which is in the set.
 *
 * Threads: a touch function is called by any worker, several times for one instance and for
 * instances that run later or never; while it is called, other bodies run. It may read the item,
 * and memory that no body writes, and nothing else. It must not call the library but to add
 * accesses.
 * Errors: out of memory is noted in the footprint; the instance then does not run and the graph's
 * run answers SVS_E_NO_MEMORY. */
#ifndef SVS_FOOTPRINT_H
#define SVS_FOOTPRINT_H

#include <svs/object.h>

SVS_BEGIN_DECLARATIONS

typedef enum svs_access_kind { SVS_OBJECT, SVS_ADDRESS, SVS_INDEX, SVS_EVERYTHING } svs_access_kind;
typedef enum svs_access_mode { SVS_READ, SVS_WRITE } svs_access_mode;
typedef enum svs_access_extent {
    SVS_OWN,  /* the object and its members */
    SVS_PATH, /* the object that a path of links leads to, and, read only, those on the way */
    SVS_HOPS, /* everything at most `limit` links away */
    /* everything reached by the links whose bits are set in `limit` (bit i: the type's i-th
     * link), of any type */
    SVS_ALONG,
    SVS_REACH /* everything that it reaches */
} svs_access_extent;

/* The descriptor. Its layout is frozen: tools generate it. */
typedef struct svs_access {
    const void *what; /* svs_object *, address, or svs_space * */
    /* SVS_INDEX: the element. SVS_PATH: link numbers, 4 bits each from the low end, as
     * svs_path() packs them */
    uint64_t index;
    /* SVS_HOPS: links. SVS_ALONG: the mask. SVS_PATH: the path's length, at most 16 */
    uint32_t limit;
    uint8_t kind;     /* svs_access_kind */
    uint8_t mode;     /* svs_access_mode */
    uint8_t extent;   /* svs_access_extent, SVS_OBJECT only */
    uint8_t reserved; /* 0 */
} svs_access;

typedef struct svs_footprint svs_footprint;

/* The library makes the footprints that touch functions are handed. A program may make one of its
 * own, to see what a touch function names: over an array of its own (svs_footprint_init). */
struct svs_footprint {
    svs_access *accesses;
    uint32_t count;
    uint32_t capacity;
    svs_status status; /* the first failure */
    /* Makes room for one more access; returns 0, with the status set, when it cannot. NULL: the
     * capacity does not grow, and an access beyond it sets SVS_E_LIMIT. */
    int (*grow)(svs_footprint *footprint);
};

/* Makes an empty footprint over `capacity` accesses of the caller's. */
SVS_API void svs_footprint_init(svs_footprint *footprint, svs_access *accesses, uint32_t capacity);

/* Makes room for one more access. @return 0 when there is none (the status is set). The library's.
 */
SVS_API int svs_footprint_grow(svs_footprint *footprint);

/* Adds one access; inline because it stands on the path of every instance. */
static inline void svs_footprint_add(svs_footprint *f, const void *what, uint64_t index,
                                     uint32_t limit, svs_access_kind kind, svs_access_mode mode,
                                     svs_access_extent extent) {
    svs_access *access;
    if (f->count == f->capacity && !svs_footprint_grow(f)) return;
    access = &f->accesses[f->count++];
    access->what = what;
    access->index = index;
    access->limit = limit;
    access->kind = (uint8_t)kind;
    access->mode = (uint8_t)mode;
    access->extent = (uint8_t)extent;
    access->reserved = 0;
}

/* An exported twin of the above, for bindings. */
SVS_API void svs_footprint_add_access(svs_footprint *footprint, const svs_access *access);

/* By address: the address is the identity; nothing is embedded or registered. A structure is one
 * address, its first. A struct with a header is named by its header instead, in each task: the
 * library does not compare the two identities. (A build of the library with assertions refuses the
 * address of a memory object: SVS_E_TYPE.) */
static inline void svs_reads_address(svs_footprint *f, const void *address) {
    svs_footprint_add(f, address, 0, 0, SVS_ADDRESS, SVS_READ, SVS_OWN);
}
static inline void svs_writes_address(svs_footprint *f, const void *address) {
    svs_footprint_add(f, address, 0, 0, SVS_ADDRESS, SVS_WRITE, SVS_OWN);
}

/* By index in a space. */
static inline void svs_reads_at(svs_footprint *f, const svs_space *space, uint64_t index) {
    svs_footprint_add(f, space, index, 0, SVS_INDEX, SVS_READ, SVS_OWN);
}
static inline void svs_writes_at(svs_footprint *f, const svs_space *space, uint64_t index) {
    svs_footprint_add(f, space, index, 0, SVS_INDEX, SVS_WRITE, SVS_OWN);
}

/* A memory object itself, with its members. NULL objects add nothing, here and below. */
static inline void svs_reads_object(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_OBJECT, SVS_READ, SVS_OWN);
}
static inline void svs_writes_object(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_OBJECT, SVS_WRITE, SVS_OWN);
}

/* svs_reads(f, what), svs_writes(f, what): a header, `svs_object *`, is the memory object; any
 * other pointer is an address. */
#if defined(__cplusplus)
SVS_END_DECLARATIONS
static inline void svs_reads(svs_footprint *f, const void *what) { svs_reads_address(f, what); }
static inline void svs_reads(svs_footprint *f, const svs_object *what) {
    svs_reads_object(f, what);
}
static inline void svs_writes(svs_footprint *f, const void *what) { svs_writes_address(f, what); }
static inline void svs_writes(svs_footprint *f, const svs_object *what) {
    svs_writes_object(f, what);
}
SVS_BEGIN_DECLARATIONS
#else
#define svs_reads(f, what) SVS__BY_IDENTITY(svs_reads, f, what)
#define svs_writes(f, what) SVS__BY_IDENTITY(svs_writes, f, what)
#define SVS__BY_IDENTITY(call, f, what)                                                            \
    _Generic((what), svs_object *: call##_object, const svs_object *: call##_object,               \
             default: call##_address)((f), (what))
#endif

/* Everything that a memory object reaches, itself included. */
static inline void svs_reads_reach(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_OBJECT, SVS_READ, SVS_REACH);
}
static inline void svs_writes_reach(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_OBJECT, SVS_WRITE, SVS_REACH);
}

/* Everything at most `hops` links away from a memory object. */
static inline void svs_reads_hops(svs_footprint *f, const svs_object *object, uint32_t hops) {
    svs_footprint_add(f, object, 0, hops, SVS_OBJECT, SVS_READ, SVS_HOPS);
}
static inline void svs_writes_hops(svs_footprint *f, const svs_object *object, uint32_t hops) {
    svs_footprint_add(f, object, 0, hops, SVS_OBJECT, SVS_WRITE, SVS_HOPS);
}

/* Everything that a memory object reaches along the links whose bits are set in `links`. */
static inline void svs_reads_along(svs_footprint *f, const svs_object *object, uint32_t links) {
    svs_footprint_add(f, object, 0, links, SVS_OBJECT, SVS_READ, SVS_ALONG);
}
static inline void svs_writes_along(svs_footprint *f, const svs_object *object, uint32_t links) {
    svs_footprint_add(f, object, 0, links, SVS_OBJECT, SVS_WRITE, SVS_ALONG);
}

/* The object at the end of a path of `length` links (at most 16), from svs_path(); those on the way
 * are read. */
static inline void svs_reads_path(svs_footprint *f, const svs_object *object, uint64_t path,
                                  uint32_t length) {
    svs_footprint_add(f, object, path, length, SVS_OBJECT, SVS_READ, SVS_PATH);
}
static inline void svs_writes_path(svs_footprint *f, const svs_object *object, uint64_t path,
                                   uint32_t length) {
    svs_footprint_add(f, object, path, length, SVS_OBJECT, SVS_WRITE, SVS_PATH);
}

/* Puts link number `link` at the end of a path of `length` links: svs_path(svs_path(0, 0, 2), 1, 0)
 * is third link, then first. */
static inline uint64_t svs_path(uint64_t path, uint32_t length, uint32_t link) {
    /* No type has link 15, nor an access a path of 17: what is out of range is refused as that. */
    return length > 15 ? path : path | (uint64_t)(link < 15u ? link : 15u) << 4 * length;
}

/* All memory of the world, written: nothing that touches anything runs beside the instance. */
static inline void svs_writes_everything(svs_footprint *f) {
    svs_footprint_add(f, NULL, 0, 0, SVS_EVERYTHING, SVS_WRITE, SVS_OWN);
}

SVS_END_DECLARATIONS
#endif
