/* Memory objects and links (thesis 5.1): linked structures with a header at any offset.
 *
 *     typedef struct cell cell;
 *     typedef struct citizen {
 *         int health;
 *         struct citizen *next;
 *         cell *at;
 *         svs_object svs;
 *     } citizen;
 *     struct cell { svs_object svs; citizen *first; };
 *     SVS_TYPE(citizen, svs, next, at)        // after both structs are complete
 *     SVS_TYPE(cell, svs, first)
 *
 *     citizen *c;
 *     SVS_NEW(world, citizen, &c);                         // zeroed storage that the world owns
 *     svs_link(c, next, other);   // the only way to write a link; reads are plain
 *
 * SVS_TYPE(type, header, links...) describes a struct once, at file scope: the field of its header
 * and each field that points to another memory object. All structs that its links point to use the
 * same name for their header field. The macro defines `static svs_type TYPE_type`.
 *
 * Threads: any thread may create an object at any time, inside or outside of a body, concurrently
 * with runs and with other threads. (Creating an object with members may wait for the end of a
 * refresh.) While a graph runs in the world, only a body with the object in its write set, and the
 * asyncs of such a body on any worker, may link, free or clean it up; other callers are refused.
 * While no graph runs, any thread may free and clean up objects, each object in one thread. One
 * thread at a time sets links, and only while no other thread frees, cleans up, refreshes or starts
 * a run in the world. A body that reads a link must have the parent in its read or write set.
 * Ownership: svs_object_init/clean_up work on the caller's storage; svs_object_new/free allocate
 * storage that belongs to the world. */
#ifndef SVS_OBJECT_H
#define SVS_OBJECT_H

#include <svs/detail/each.h>
#include <svs/world.h>

SVS_BEGIN_DECLARATIONS

/* The header. Only the library uses its fields. */
typedef struct svs_object {
    uint32_t key;    /* hash of the object's id: its cell and, by the top bits, its signature bit */
    uint16_t type;   /* index of its svs_type */
    uint16_t world;  /* index of its svs_world */
    uintptr_t reach; /* the object's primary master, or its own master; tagged */
} svs_object;

/* A link: a pointer field that refers to another memory object. */
typedef struct svs_link_type {
    const char *name;
    size_t offset;              /* offset of the field in the struct */
    size_t (*header)(void *to); /* offset of the header in the struct that the link points to */
} svs_link_type;

/* A member: a memory object embedded in another one. It never changes. */
typedef struct svs_member_type {
    const char *name;
    size_t offset;         /* offset of the embedded struct */
    struct svs_type *type; /* description of the embedded struct */
} svs_member_type;

#define SVS_LINKS_MAX 15u
#define SVS_MEMBERS_MAX 15u

typedef struct svs_type {
    const char *name;
    size_t size;      /* size of the struct, bytes */
    size_t alignment; /* bytes */
    size_t header;    /* offset of its svs_object */
    const svs_link_type *links;
    const svs_member_type *members;
    uint32_t link_count;
    uint32_t member_count;
    uint32_t index; /* internal: 0 until the first use */
} svs_type;

static inline size_t svs__distance(const void *from, const void *to) {
    return SVS__CAST(size_t, SVS__CAST(const char *, to) - SVS__CAST(const char *, from));
}

#define SVS__LINK_PROBE(name_, pair_, link)                                                        \
    static size_t name_##_##link##_header_(void *to) {                                             \
        SVS__FIRST(pair_) from;                                                                    \
        from.link = NULL;                                                                          \
        svs__assign(&from.link, to);                                                               \
        return svs__distance(to, &from.link->SVS__SECOND(pair_));                                  \
    }
#define SVS__LINK_ENTRY(name_, pair_, link)                                                        \
    {#link, offsetof(SVS__FIRST(pair_), link), name_##_##link##_header_},

/* SVS_TYPE(type, header, links...): describes a struct with a header and its links, at file scope
 * and for this file only. It defines type_type, and the function that SVS_NEW calls. The type is
 * one identifier: a typedef for a struct tag, or for a type of another namespace.
 *
 * For a struct that several files share, write SVS_TYPE_DECLARE(type) in its header file and
 * SVS_TYPE_DEFINE(type, header, links...) in one source file. <svs/members.h> describes structs
 * that embed other memory objects. */
#define SVS_TYPE(...)                                                                              \
    SVS__TYPE_COUNTED(SVS__HAS_THIRD(__VA_ARGS__), SVS__OWN_TYPE, __VA_ARGS__)                     \
    SVS__TYPE_MAKER(SVS__FIRST_OF(__VA_ARGS__, ))
#define SVS_TYPE_DECLARE(T)                                                                        \
    SVS__SHARED_TYPE(T)                                                                            \
    SVS__TYPE_MAKER(T)
#define SVS_TYPE_DEFINE(...)                                                                       \
    SVS__TYPE_COUNTED(SVS__HAS_THIRD(__VA_ARGS__), SVS__SHARED_TYPE_DEFINED, __VA_ARGS__)

/* SVS_NEW(world, type, &pointer): calls svs_object_new() for a described type; `pointer` is a `type
 * *`. */
#define SVS_NEW(world, T, made) T##_svs_new_((world), (made))

#define SVS__TYPE_COUNTED(many, ...) SVS__CONCATENATE(SVS__TYPE_, many)(__VA_ARGS__)
#define SVS__TYPE_0(storage_, T, header_) SVS__TYPE_VALUE(storage_, T, header_, NULL, 0, NULL, 0)
#define SVS__TYPE_1(storage_, T, header_, ...)                                                     \
    SVS__TYPE_LINKS(T, header_, __VA_ARGS__)                                                       \
    SVS__TYPE_VALUE(storage_, T, header_, T##_links_, sizeof T##_links_ / sizeof T##_links_[0],    \
                    NULL, 0)
#define SVS__TYPE_LINKS(T, header_, ...)                                                           \
    SVS__EACH(SVS__LINK_PROBE, T, (T, header_), __VA_ARGS__)                                       \
    static const svs_link_type T##_links_[] = {                                                    \
        SVS__EACH(SVS__LINK_ENTRY, T, (T, header_), __VA_ARGS__)};
#define SVS__TYPE_VALUE(storage_, T, header_, links_, link_count_, members_, member_count_)        \
    SVS__UNQUALIFIED(T, "with a typedef of the type")                                              \
    storage_(T) svs_type T##_type = {#T,     sizeof(T), SVS__ALIGNOF(T), offsetof(T, header_),     \
                                     links_, members_,  link_count_,     member_count_,            \
                                     0};

#define SVS__OWN_TYPE(T) SVS_MAYBE_UNUSED static
#define SVS__SHARED_TYPE_DEFINED(T) /* SVS_TYPE_DECLARE declared it extern */
#if defined(__cplusplus)
#define SVS__SHARED_TYPE(T) extern "C" svs_type T##_type;
#else
#define SVS__SHARED_TYPE(T) extern svs_type T##_type;
#endif

#define SVS__FIRST_OF(first, ...) first
#define SVS__TYPE_MAKER(T) SVS__TYPE_MAKER_(T)
/* NOLINTBEGIN(bugprone-macro-parentheses): the type in a declaration has no parentheses. */
#define SVS__TYPE_MAKER_(T)                                                                        \
    SVS__OBJECT_KIND(T)                                                                            \
    SVS_NODISCARD SVS_MAYBE_UNUSED static inline svs_status T##_svs_new_(svs_world *svs_world_,    \
                                                                         T **svs_made_) {          \
        void *svs_storage_ = NULL;                                                                 \
        svs_status svs_status_ =                                                                   \
            svs_object_new(svs_world_, &T##_type, svs_made_ ? &svs_storage_ : NULL);               \
        if (!svs_made_) return svs_status_ ? svs_status_ : SVS_E_NULL;                             \
        *svs_made_ = SVS__CAST(T *, svs_storage_);                                                 \
        return svs_status_;                                                                        \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* Refuses at compile time a memory object that is used as an item (SVS__ITEM_KIND), and in C++ a
 * qualified name, which cannot become the name of a variable. */
#if defined(__cplusplus)
SVS_END_DECLARATIONS
char svs__kind_of(const volatile void *);
constexpr bool svs__has_colon(const char *text) {
    return *text != 0 && (*text == ':' || svs__has_colon(text + 1));
}
SVS_BEGIN_DECLARATIONS
#define SVS__OBJECT_KIND(T)                                                                        \
    using ::svs__kind_of; /* in a namespace, the next line would hide it */                        \
    int svs__kind_of(const T *);
#define SVS__UNQUALIFIED(name_, or_)                                                               \
    static_assert(!svs__has_colon(#name_),                                                         \
                  "a qualified name: write the macro inside of the namespace, or " or_);
#else
#define SVS__OBJECT_KIND(T) typedef struct T##_is_a_memory_object *T##_svs_kind_;
#define SVS__UNQUALIFIED(name_, or_)
#endif

/* Initialises the caller's storage as a memory object of `world`, together with its members. Its
 * links must be NULL. An object created inside a body, or in an async of one, is unpublished: it
 * belongs to the body's write set until the body ends or publishes it (svs_publish), and its
 * storage must stay until then.
 * @return SVS_OK, SVS_E_NULL, SVS_E_TYPE (a malformed description), SVS_E_LIMIT (65,534 types),
 * SVS_E_NO_MEMORY (the headers are zero, and the storage may be freed at once). */
SVS_NODISCARD SVS_API svs_status svs_object_init(svs_object *object, svs_world *world,
                                                 svs_type *type);

/* Removes an object and its members from its world. The caller may reuse the storage at once. No
 * link may refer to the object any more.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (the object was never initialised), SVS_E_FREED,
 * SVS_E_BUSY (a graph runs in its world: clean up after the run). */
SVS_NODISCARD SVS_API svs_status svs_object_clean_up(svs_object *object);

/* Allocates zeroed storage of the type's size and initialises it as above. `*storage` receives the
 * struct's address. */
SVS_NODISCARD SVS_API svs_status svs_object_new(svs_world *world, svs_type *type, void **storage);

/* Frees an object that svs_object_new() created. The object is invalid at once; its storage is
 * released at the world's next quiescent state. In a body, the object must be in the write set. No
 * link may refer to the object any more.
 * @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (the object was never initialised), SVS_E_FREED,
 * SVS_E_WORLD, SVS_E_BUSY (from outside of any body while a graph runs in the world). */
SVS_NODISCARD SVS_API svs_status svs_object_free(svs_object *object);

/* svs_link(parent, link, child): assigns parent->link = child and adds everything that `child`
 * reaches to what `parent` reaches (thesis, Algorithm 1). It expects a header field named `svs`;
 * for another name use svs_link_in(parent, header, link, child). Both arguments may be evaluated
 * twice and must have no side effects.
 * @return SVS_OK, SVS_E_NO_MEMORY (nothing changed; inside a body it also fails the body),
 * SVS_E_WORLD, SVS_E_FREED, SVS_E_TYPE, SVS_E_BUSY (from outside of any body while a graph runs in
 * the world). */
#define svs_link(parent, link, child) svs_link_in(parent, svs, link, child)
#define svs_link_in(parent, header_, link, child)                                                  \
    svs_link_assign(&(parent)->header_, SVS__CAST(void *, &(parent)->link),                        \
                    SVS__CAST(const void *, 1 ? (child) : (parent)->link))

/* The function that svs_link calls, for bindings. `field` is the address of the link field in the
 * parent. `child` is the struct that the link shall point to, or NULL. */
SVS_NODISCARD SVS_API svs_status svs_link_assign(svs_object *parent, void *field,
                                                 const void *child);

/* An index space: identifies elements of arrays or grids by number. It stores nothing in the
 * elements. */
typedef struct svs_space svs_space;

/* Makes a space of `count` indices. `name` is for reports, or NULL; its first 31 bytes are copied.
 * @return SVS_OK, SVS_E_NULL, SVS_E_NO_MEMORY, SVS_E_FORKED. */
SVS_NODISCARD SVS_API svs_status svs_space_new(svs_world *world, const char *name, uint64_t count,
                                               svs_space **space);
/* NULL is allowed. @return SVS_OK, SVS_E_FORKED, SVS_E_BUSY (a graph runs in its world). */
SVS_NODISCARD SVS_API svs_status svs_space_free(svs_space *space);

/* Relaxed fields: a field that is accessed only through these functions needs no declaration in
 * footprints (thesis 7.3.2: Canneal's locations). Accesses are single-copy atomic and unordered.
 * `field` must be naturally aligned. */
#if defined(__GNUC__) && !defined(SVS_CHECKED)
/* Inline, as cheap as a plain load or store; the library also exports each function for bindings.
 */
SVS_API inline uint32_t svs_relaxed_load_u32(const uint32_t *field) {
    return __atomic_load_n(field, __ATOMIC_RELAXED);
}
SVS_API inline void svs_relaxed_store_u32(uint32_t *field, uint32_t value) {
    __atomic_store_n(field, value, __ATOMIC_RELAXED);
}
SVS_API inline uint64_t svs_relaxed_load_u64(const uint64_t *field) {
    return __atomic_load_n(field, __ATOMIC_RELAXED);
}
SVS_API inline void svs_relaxed_store_u64(uint64_t *field, uint64_t value) {
    __atomic_store_n(field, value, __ATOMIC_RELAXED);
}
#else /* function calls, without instrumentation by the race check */
SVS_API uint32_t svs_relaxed_load_u32(const uint32_t *field);
SVS_API void svs_relaxed_store_u32(uint32_t *field, uint32_t value);
SVS_API uint64_t svs_relaxed_load_u64(const uint64_t *field);
SVS_API void svs_relaxed_store_u64(uint64_t *field, uint64_t value);
#endif

/* *(void **)field = to: sets a pointer of any type. Internal: the macros above use it. */
SVS_API void svs__assign(void *field, void *to);

SVS_END_DECLARATIONS
#endif
