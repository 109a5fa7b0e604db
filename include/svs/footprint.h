/* Footprints: the memory that a task instance may access, declared before the instance starts
 * (thesis, Algorithm 3).
 *
 * A touch function gets the instance's item. It adds one access for each object, address or index
 * that the body may access:
 *
 *     static void contact_touch(svs_footprint *f, const contact *c) {
 *         svs_writes(f, c->a);
 *         svs_writes(f, c->b);
 *     }
 *
 * An access has an identity, a mode and an extent. The identity is a memory object, an address or
 * an index of a space. The mode is read or write. The extent of an access to a memory object is one
 * of: the object with its members, the object at the end of a path of links, everything within a
 * number of links, everything reachable along selected links, or everything reachable. Each object
 * from which a link is followed is in the footprint as well, at least as a read.
 *
 * Threads: any worker calls a touch function, concurrently with bodies, several times for one
 * instance, and also for instances that start later or never. It may read its item and memory that
 * no body writes, nothing else. The only library calls that it may make are those that add
 * accesses.
 * Errors: a failed allocation is recorded in the footprint. The instance then does not run, and the
 * graph's run returns SVS_E_NO_MEMORY. */
#ifndef SVS_FOOTPRINT_H
#define SVS_FOOTPRINT_H

#include <svs/detail/loops.h>
#include <svs/object.h>

SVS_BEGIN_DECLARATIONS

typedef enum svs_access_kind {
    SVS_KIND_OBJECT,
    SVS_KIND_ADDRESS,
    SVS_KIND_INDEX,
    SVS_KIND_EVERYTHING
} svs_access_kind;
typedef enum svs_access_mode { SVS_MODE_READ, SVS_MODE_WRITE } svs_access_mode;
typedef enum svs_access_extent {
    SVS_EXTENT_OWN, /* the object and its members */
    /* the object at the end of a path of links; the objects on the path are read */
    SVS_EXTENT_PATH,
    SVS_EXTENT_HOPS, /* everything within `limit` links */
    /* everything reachable along the links selected by `limit` (bit i: the i-th link of a type),
     * through objects of any type */
    SVS_EXTENT_ALONG,
    SVS_EXTENT_REACH /* everything reachable */
} svs_access_extent;

/* One access. Its layout is frozen, because tools generate it. */
typedef struct svs_access {
    const void *what; /* svs_object *, address, or svs_space * */
    /* SVS_KIND_INDEX: the element. SVS_EXTENT_PATH: link numbers, 4 bits each from the low end, as
     * svs_path() packs them */
    uint64_t index;
    /* SVS_EXTENT_HOPS: links. SVS_EXTENT_ALONG: the mask. SVS_EXTENT_PATH: the path's length, at
     * most 16. SVS_KIND_ADDRESS: the number of bytes at the address; 0: unknown */
    uint32_t limit;
    uint8_t kind;     /* svs_access_kind */
    uint8_t mode;     /* svs_access_mode */
    uint8_t extent;   /* svs_access_extent, SVS_KIND_OBJECT only */
    uint8_t reserved; /* 0 */
} svs_access;

typedef struct svs_footprint svs_footprint;

/* The library creates the footprints that touch functions fill. A program may call a touch function
 * with a footprint of its own, over its own array (svs_footprint_init), to see what the function
 * declares. */
struct svs_footprint {
    svs_access *accesses;
    uint32_t count;
    uint32_t capacity;
    svs_status status; /* the first failure; SVS_E_LIMIT: there was no room for an access */
    uint32_t form;     /* 0; the library's own footprints may have others (svs/detail/loops.h) */
    void *argument;    /* svs_footprint_argument() */
};

/* Initialises an empty footprint over the caller's array of `capacity` accesses. */
SVS_API void svs_footprint_init(svs_footprint *footprint, svs_access *accesses, uint32_t capacity);

/* Internal: a footprint that collects elements (svs/detail/loops.h). */
typedef struct svs__keys {
    svs_footprint footprint;      /* only its form, status and argument are used */
    svs__key_element *next, *end; /* the place of the next element, and the end of the array */
    uint32_t reads;               /* number of elements that are read */
    uint32_t plain[2];            /* world and type of objects without members, as in headers */
    uint32_t checks;              /* 1: the library checks each address */
    uint32_t walks;               /* 1: some elements were found along links */
    const svs__key_links *links;  /* of the types in `plain`; NULL: links are not followed */
    const void *world;
    const void *space; /* the space of the last access by index, and the space's part of the keys */
    uint64_t space_key, space_count;
    svs__colouring colouring;
} svs__keys;

/* Internal: the key of an address, in a library that checks each address. @return the key; with a
 * bit above 32 if the access is more than one element. */
SVS_API uint64_t svs__footprint_key(const void *world, const void *address);

/* Internal: the key of an address, in the upper half. Two multiplications: by one alone (Fibonacci
 * hashing), arrays with some sizes of elements would fall into few cells. */
static inline uint64_t svs__address_hash(const void *address) {
    uint64_t key = SVS__NUMBER_OF(address) * UINT64_C(0x9e3779b97f4a7c15);
    return (key ^ key >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
}
static inline uint32_t svs__address_key(const void *address) {
    return SVS__CAST(uint32_t, svs__address_hash(address) >> 32);
}

/* Internal: what the keys of a space's indices have in common. `count` is 0 for a space of another
 * world: then no index has a key. */
typedef struct svs__space_keys {
    uint64_t key, count;
} svs__space_keys;
SVS_API svs__space_keys svs__footprint_space(const void *world, const void *space);

/* Internal: the key of an index, in the upper half. Keys of one space differ as long as they can,
 * and neighbours are far from each other (Fibonacci hashing: Knuth, The Art of Computer
 * Programming, 6.4). */
#define SVS__INDEX_STEP UINT64_C(0x9e3779b97f4a7c15)
static inline uint64_t svs__index_hash(uint64_t space_key, uint64_t index) {
    return space_key + index * SVS__INDEX_STEP;
}
static inline uint32_t svs__index_key(uint64_t space_key, uint64_t index) {
    return SVS__CAST(uint32_t, svs__index_hash(space_key, index) >> 32);
}

/* Internal, also the next two: a word of a window's table. A word of an earlier window counts as
 * empty: its number, in the upper bits, is lower than this window's. */
static inline uint64_t svs__colours_now(uint64_t word, uint64_t number) {
    const uint64_t empty = number << 2 * SVS__COLOUR_BITS;
    return word > empty ? word : empty;
}
/* The colours that an element of this mode cannot have. Higher bits are undefined. */
static inline uint64_t svs__colours_of(uint64_t word, uint32_t mode) {
    return mode == SVS_MODE_WRITE ? word | word >> SVS__COLOUR_BITS : word;
}
/* The bit of a colour in a word, for an element of this mode. */
static inline uint64_t svs__colour_in(uint64_t bit, uint32_t mode) {
    return bit << (mode == SVS_MODE_WRITE ? 0 : SVS__COLOUR_BITS);
}

#if SVS__HAS_LOOPS
/* Sets the space of the next access by index. */
static inline void svs__footprint_enter(svs__keys *keys, const void *what) {
    svs__space_keys space;
    if (__builtin_expect(what == keys->space, 1)) return;
    space = svs__footprint_space(keys->world, what);
    keys->space = what;
    keys->space_key = space.key;
    keys->space_count = space.count;
}

/* Adds the colours in an element's word to `used`, and the place of the word to `places`. The room
 * for the place is not tested: svs__colour_next() refuses an instance that has had too many. So a
 * loop of a touch function has one exit, and the compiler knows its count. */
static inline void svs__footprint_meet(svs__keys *keys, uint64_t hash, svs_access_mode mode) {
    svs__colouring *c = &keys->colouring;
    uint64_t place = hash >> c->shift, word = svs__colours_now(c->table[place], c->number);
    c->table[place] = word;
    c->used[mode] |= word;
    c->places[mode][c->count[mode]++ % SVS__COLOURED] = place;
}

/* The type and the world of an object, as in `plain`. */
static inline uint32_t svs__header_type(const svs_object *object) {
    return object->type | SVS__CAST(uint32_t, object->world) << 16;
}

/* An access of an instance that gets its colour in a loop. An invalid index and a NULL object are
 * counted as well, so that the element count is a compile-time constant and the elements stay in
 * registers. A library that checks addresses has done so before. */
static inline void svs__footprint_colour(svs__keys *keys, const void *what, uint64_t index,
                                         svs_access_kind kind, svs_access_mode mode,
                                         svs_access_extent extent) {
    uint64_t hash;
    if (SVS__CAST(uint32_t, mode) > SVS_MODE_WRITE || extent != SVS_EXTENT_OWN ||
        (kind != SVS_KIND_INDEX && kind != SVS_KIND_ADDRESS && kind != SVS_KIND_OBJECT)) {
        keys->footprint.status = SVS__KEYS_ODD;
        return;
    }
    if (kind == SVS_KIND_OBJECT) {
        const svs_object *object = what ? SVS__CAST(const svs_object *, what) : &svs__no_object;
        const uint32_t type = svs__header_type(object);
        if (__builtin_expect(type != keys->plain[0], 0))
            keys->colouring.odd += type != keys->plain[1];
        keys->colouring.odd |= SVS__READ_NOW(&object->reach) & SVS__HEADER_FREED;
        hash = SVS__CAST(uint64_t, object->key) << 32;
    } else if (kind == SVS_KIND_INDEX) {
        svs__footprint_enter(keys, what);
        keys->colouring.odd += index >= keys->space_count;
        hash = svs__index_hash(keys->space_key, index);
    } else {
        SVS__FETCH(what);
        hash = svs__address_hash(what);
    }
    svs__footprint_meet(keys, hash, mode);
}

/* Adds an element. */
static inline void svs__footprint_put(svs__keys *keys, uint64_t key, svs_access_mode mode) {
    if (keys->next == keys->end) {
        if (!keys->footprint.status) keys->footprint.status = SVS__KEYS_FULL;
        return;
    }
    keys->next->key = SVS__CAST(uint32_t, key);
    keys->next->mode = SVS__CAST(uint32_t, mode);
    keys->next++;
    keys->reads += mode == SVS_MODE_READ;
}

/* Adds the targets of an object's links. The object's type is one of those in `plain`. */
static inline void svs__footprint_follow(svs__keys *keys, const svs_object *from, uint32_t type,
                                         svs_access_mode mode) {
    const svs__key_links *links = &keys->links[type != keys->plain[0]];
    const char *const base = SVS__CAST(const char *, SVS__CAST(const void *, from));
    keys->walks = 1;
    for (uint32_t svs_i_ = 0; svs_i_ < links->count; svs_i_++) {
        const char *to = SVS__READ_NOW(
            SVS__CAST(const char *const *, SVS__CAST(const void *, base + links->fields[svs_i_])));
        const svs_object *target;
        if (!to) continue;
        target =
            SVS__CAST(const svs_object *, SVS__CAST(const void *, to + links->headers[svs_i_]));
        type = svs__header_type(target);
        if (type != keys->plain[0] && type != keys->plain[1])
            keys->footprint.status = SVS__KEYS_ODD;
        else svs__footprint_put(keys, target->key, mode);
    }
}

static inline void svs__footprint_add_element(svs_footprint *f, const void *what, uint64_t index,
                                              uint32_t limit, svs_access_kind kind,
                                              svs_access_mode mode, svs_access_extent extent) {
    svs__keys *keys = SVS__CAST(svs__keys *, SVS__CAST(void *, f));
    const uint32_t form = f->form;
    const int step = extent == SVS_EXTENT_HOPS && limit == 1 && form == SVS__FOOTPRINT_KEYS;
    uint64_t key = UINT64_C(1) << 32;
    uint32_t type = 0;
    if (form == SVS__FOOTPRINT_FETCH) {
        if (kind != SVS_KIND_INDEX) SVS__FETCH(what);
        return;
    }
    if (kind == SVS_KIND_OBJECT) {
        const svs_object *object = SVS__CAST(const svs_object *, what);
        if (!object) return;
        type = svs__header_type(object);
        if ((extent == SVS_EXTENT_OWN || (step && keys->links)) &&
            (__builtin_expect(type == keys->plain[0], 1) || type == keys->plain[1]) &&
            !(SVS__READ_NOW(&object->reach) & SVS__HEADER_FREED))
            key = object->key;
    } else if (kind == SVS_KIND_INDEX) {
        svs__footprint_enter(keys, what);
        if (index < keys->space_count) key = svs__index_key(keys->space_key, index);
    } else if (kind == SVS_KIND_ADDRESS) {
        if (form != SVS__FOOTPRINT_LOOK) SVS__FETCH(what);
        key = __builtin_expect(keys->checks != 0, 0) ? svs__footprint_key(keys->world, what)
                                                     : svs__address_key(what);
    }
    if (key >> 32 || SVS__CAST(uint32_t, mode) > SVS_MODE_WRITE) f->status = SVS__KEYS_ODD;
    else if (form != SVS__FOOTPRINT_LOOK) svs__footprint_put(keys, key, mode);
    if (kind == SVS_KIND_OBJECT && step && !(key >> 32))
        svs__footprint_follow(keys, SVS__CAST(const svs_object *, what), type, mode);
    /* Writing an element does not change the footprint: the compiler may keep the form. */
    if (f->form != form) __builtin_unreachable();
}

/* The indices of a span. Its space and its bounds are compared once. */
static inline void svs__footprint_add_span(svs__keys *keys, const svs_space *space, uint64_t first,
                                           uint64_t count, svs_access_mode mode) {
    const uint32_t form = keys->footprint.form;
    uint64_t hash;
    if (form == SVS__FOOTPRINT_FETCH) return;
    svs__footprint_enter(keys, space);
    if (__builtin_expect(first >= keys->space_count || count > keys->space_count - first, 0)) {
        if (count) keys->footprint.status = SVS__KEYS_ODD;
        return;
    }
    if (form == SVS__FOOTPRINT_LOOK) return;
    hash = svs__index_hash(keys->space_key, first);
    for (; count; count--, hash += SVS__INDEX_STEP) {
        if (form == SVS__FOOTPRINT_COLOURS) svs__footprint_meet(keys, hash, mode);
        else svs__footprint_put(keys, hash >> 32, mode);
    }
    if (keys->footprint.form != form) __builtin_unreachable(); /* as above */
}
#endif

/* Adds one access. Inline, because it runs several times for each instance.
 *
 * The library enlarges a footprint of its own after the touch function has returned, and then calls
 * the touch function again. A call from here would have the footprint's address: in a loop of a
 * touch function that is part of a generated loop, the compiler would no longer know the form. */
static inline void svs_footprint_add(svs_footprint *f, const void *what, uint64_t index,
                                     uint32_t limit, svs_access_kind kind, svs_access_mode mode,
                                     svs_access_extent extent) {
    svs_access *access;
#if SVS__HAS_LOOPS
    if (f->form == SVS__FOOTPRINT_COLOURS) {
        svs__footprint_colour(SVS__CAST(svs__keys *, SVS__CAST(void *, f)), what, index, kind, mode,
                              extent);
        /* A word is not the footprint: as in svs__footprint_add_element(). */
        if (f->form != SVS__FOOTPRINT_COLOURS) __builtin_unreachable();
        return;
    }
    if (f->form) {
        svs__footprint_add_element(f, what, index, limit, kind, mode, extent);
        return;
    }
#endif
    if (f->count == f->capacity) {
        if (!f->status) f->status = SVS_E_LIMIT;
        return;
    }
    access = &f->accesses[f->count++];
    access->what = what;
    access->index = index;
    access->limit = limit;
    access->kind = SVS__CAST(uint8_t, kind);
    access->mode = SVS__CAST(uint8_t, mode);
    access->extent = SVS__CAST(uint8_t, extent);
    access->reserved = 0;
}

/* The function that the inline calls below use, exported for bindings. */
SVS_API void svs_footprint_add_access(svs_footprint *footprint, const svs_access *access);

/* The `argument` of the task that the footprint is made for: NULL in a footprint of the program's
 * own. So a touch function may find its arrays and spaces there, as the body does. */
SVS_API void *svs_footprint_argument(const svs_footprint *footprint);
static inline void *svs__footprint_argument(const svs_footprint *svs_footprint_) {
    if (!svs_footprint_) return svs_footprint_argument(svs_footprint_);
    return svs_footprint_->argument;
}
#define svs_footprint_argument(footprint) svs__footprint_argument(footprint)

/* Accesses by address: the address is the identity; nothing is embedded or registered. Use one
 * address for a whole struct, in all tasks. For a struct with a header, use the header in all
 * tasks: an access by address and one by header do not conflict. (A library built with assertions
 * refuses the address of a memory object: SVS_E_TYPE.) */
static inline void svs_reads_address(svs_footprint *f, const void *address) {
    svs_footprint_add(f, address, 0, 0, SVS_KIND_ADDRESS, SVS_MODE_READ, SVS_EXTENT_OWN);
}
static inline void svs_writes_address(svs_footprint *f, const void *address) {
    svs_footprint_add(f, address, 0, 0, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
}

/* svs_reads() with the number of bytes at the address, below 2^32. Admission compares addresses
 * only. The race check uses the size: it reports an instance that accesses one of these bytes
 * without declaring the address. */
static inline void svs_reads_bytes(svs_footprint *f, const void *address, size_t bytes) {
    svs_footprint_add(f, address, 0, SVS__CAST(uint32_t, bytes), SVS_KIND_ADDRESS, SVS_MODE_READ,
                      SVS_EXTENT_OWN);
}
static inline void svs_writes_bytes(svs_footprint *f, const void *address, size_t bytes) {
    svs_footprint_add(f, address, 0, SVS__CAST(uint32_t, bytes), SVS_KIND_ADDRESS, SVS_MODE_WRITE,
                      SVS_EXTENT_OWN);
}

/* Accesses by index in a space. */
static inline void svs_reads_at(svs_footprint *f, const svs_space *space, uint64_t index) {
    svs_footprint_add(f, space, index, 0, SVS_KIND_INDEX, SVS_MODE_READ, SVS_EXTENT_OWN);
}
static inline void svs_writes_at(svs_footprint *f, const svs_space *space, uint64_t index) {
    svs_footprint_add(f, space, index, 0, SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN);
}

/* Internal: the accesses of a span. */
static inline void svs__footprint_span(svs_footprint *f, const svs_space *space, uint64_t first,
                                       uint64_t count, svs_access_mode mode) {
#if SVS__HAS_LOOPS
    if (f->form) {
        svs__footprint_add_span(SVS__CAST(svs__keys *, SVS__CAST(void *, f)), space, first, count,
                                mode);
        return;
    }
#endif
    for (uint64_t svs_i_ = 0; svs_i_ < count && !f->status; svs_i_++)
        svs_footprint_add(f, space, first + svs_i_, 0, SVS_KIND_INDEX, mode, SVS_EXTENT_OWN);
}

/* A span of a space: the `count` indices that begin with `first`. The footprint has an access for
 * each of them. */
static inline void svs_reads_span(svs_footprint *f, const svs_space *space, uint64_t first,
                                  uint64_t count) {
    svs__footprint_span(f, space, first, count, SVS_MODE_READ);
}
static inline void svs_writes_span(svs_footprint *f, const svs_space *space, uint64_t first,
                                   uint64_t count) {
    svs__footprint_span(f, space, first, count, SVS_MODE_WRITE);
}

/* A memory object with its members. NULL adds nothing, here and below. */
static inline void svs_reads_object(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_KIND_OBJECT, SVS_MODE_READ, SVS_EXTENT_OWN);
}
static inline void svs_writes_object(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_OWN);
}

/* svs_reads(f, what), svs_writes(f, what): a pointer to a header, `svs_object *`, names the memory
 * object; any other pointer names an address. */
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

/* Everything reachable from a memory object, the object included. */
static inline void svs_reads_reach(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_KIND_OBJECT, SVS_MODE_READ, SVS_EXTENT_REACH);
}
static inline void svs_writes_reach(svs_footprint *f, const svs_object *object) {
    svs_footprint_add(f, object, 0, 0, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_REACH);
}

/* Everything within `hops` links of a memory object. */
static inline void svs_reads_hops(svs_footprint *f, const svs_object *object, uint32_t hops) {
    svs_footprint_add(f, object, 0, hops, SVS_KIND_OBJECT, SVS_MODE_READ, SVS_EXTENT_HOPS);
}
static inline void svs_writes_hops(svs_footprint *f, const svs_object *object, uint32_t hops) {
    svs_footprint_add(f, object, 0, hops, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_HOPS);
}

/* Everything reachable from a memory object along the links selected by the bits of `links`. */
static inline void svs_reads_along(svs_footprint *f, const svs_object *object, uint32_t links) {
    svs_footprint_add(f, object, 0, links, SVS_KIND_OBJECT, SVS_MODE_READ, SVS_EXTENT_ALONG);
}
static inline void svs_writes_along(svs_footprint *f, const svs_object *object, uint32_t links) {
    svs_footprint_add(f, object, 0, links, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_ALONG);
}

/* The object at the end of a path of `length` links (at most 16), made with svs_path(). The objects
 * on the path are read. */
static inline void svs_reads_path(svs_footprint *f, const svs_object *object, uint64_t path,
                                  uint32_t length) {
    svs_footprint_add(f, object, path, length, SVS_KIND_OBJECT, SVS_MODE_READ, SVS_EXTENT_PATH);
}
static inline void svs_writes_path(svs_footprint *f, const svs_object *object, uint64_t path,
                                   uint32_t length) {
    svs_footprint_add(f, object, path, length, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_PATH);
}

/* Appends link number `link` to a path of `length` links: svs_path(svs_path(0, 0, 2), 1, 0) follows
 * the third link, then the first. */
static inline uint64_t svs_path(uint64_t path, uint32_t length, uint32_t link) {
    /* Values out of range become link 15 or length 17, which are always refused. */
    return length > 15 ? path : path | SVS__CAST(uint64_t, link < 15u ? link : 15u) << 4 * length;
}

/* All memory of the world, written: no instance with a non-empty footprint runs in parallel with
 * this one. */
static inline void svs_writes_everything(svs_footprint *f) {
    svs_footprint_add(f, SVS__NULL, 0, 0, SVS_KIND_EVERYTHING, SVS_MODE_WRITE, SVS_EXTENT_OWN);
}

SVS_END_DECLARATIONS
#endif
