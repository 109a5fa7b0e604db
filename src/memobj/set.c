#include "memobj/set.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "memobj/adapt.h"
#include "memobj/addresses.h"

#define ELEMENTS_FIRST 64u
#define ACCESSES_FIRST 32u
/* kind of the access that svs_footprint_add_access() adds for NULL; the set refuses it, because
 * only the set has a log */
#define NO_ACCESS 255u

static const svs_allocator *allocator_of(const svs__set *set) { return set->world->allocator; }

/* Refuses a wrong access. `why` says what is wrong, then what to do. */
SVS__COLD static void refuse_set(svs__set *set, svs_status status, const char *why) {
    set->status = svs__refuse(set->world->log, status, "a footprint: %s", why);
}

SVS__COLD static void refuse_index(svs__set *set, const svs_space *space, uint64_t index) {
    set->status =
        svs__refuse(set->world->log, SVS_E_INVALID,
                    "a footprint: index %llu of space %s, which has %llu: make the space "
                    "with more, or use an index below its count",
                    (unsigned long long)index, space->name, (unsigned long long)space->count);
}

void svs_footprint_init(svs_footprint *footprint, svs_access *accesses, uint32_t capacity) {
    if (footprint)
        *footprint = (svs_footprint){.accesses = accesses, .capacity = accesses ? capacity : 0};
}

#undef svs_footprint_argument
void *svs_footprint_argument(const svs_footprint *footprint) {
    return footprint ? footprint->argument : NULL;
}

void svs_footprint_add_access(svs_footprint *footprint, const svs_access *access) {
    static const svs_access no_access = {.kind = NO_ACCESS};
    if (!footprint) {
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_footprint_add_access: no footprint: pass on the one that the touch "
                          "function was handed");
        return;
    }
    if (!access) {
        svs_footprint_add_access(footprint, &no_access);
        if (!footprint->status) footprint->status = SVS_E_NULL;
        return;
    }
    svs_footprint_add(footprint, access->what, access->index, access->limit,
                      (svs_access_kind)access->kind, (svs_access_mode)access->mode,
                      (svs_access_extent)access->extent);
}

/* Exchanges the elements with the kept ones, so that the next traversal reuses the memory of the
 * older ones. */
static void exchange_kept(svs__set *set) {
    svs__kept_elements kept = set->kept;
    set->kept =
        (svs__kept_elements){set->elements, set->identities, set->capacity, set->identity_capacity};
    set->elements = kept.elements;
    set->identities = kept.identities;
    set->capacity = kept.capacity;
    set->identity_capacity = kept.identity_capacity;
}

/* Allocates the first arrays of elements and identities. @return false: no memory. */
static bool make_arrays(svs__set *set) {
    const svs_allocator *allocator = allocator_of(set);
    void *elements = NULL, *identities = NULL;
    bool made =
        svs__grow(allocator, &elements, &set->capacity, ELEMENTS_FIRST, sizeof(svs__element)) &&
        svs__grow(allocator, &identities, &set->identity_capacity, ELEMENTS_FIRST,
                  sizeof(svs__identity));
    set->elements = elements;
    set->identities = identities;
    return made;
}

static bool make_both_arrays(svs__set *set) {
    if (!make_arrays(set)) return false;
    exchange_kept(set);
    return make_arrays(set);
}

svs_status svs__set_init(svs__set *set, svs_world *world) {
    const svs_allocator *allocator = world->allocator;
    void *accesses = NULL;
    memset(set, 0, sizeof *set);
    set->world = world;
    set->budget = world->options.examine_budget;
    set->signature[0] =
        svs__allocate_zeroed(allocator, (size_t)2 * world->words * sizeof(uint64_t), 64);
    if (set->signature[0]) set->signature[1] = set->signature[0] + world->words;
    if (!set->signature[0] ||
        !svs__grow(allocator, &accesses, &set->footprint.capacity, ACCESSES_FIRST,
                   sizeof(svs_access)) ||
        !make_both_arrays(set))
        set->status = SVS_E_NO_MEMORY;
    set->footprint.accesses = accesses;
    if (set->status) {
        svs__set_clean_up(set);
        return SVS_E_NO_MEMORY;
    }
    return SVS_OK;
}

void svs__set_clean_up(svs__set *set) {
    const svs_allocator *allocator;
    if (!set->world) return;
    allocator = allocator_of(set);
    svs__release(allocator, set->footprint.accesses, set->footprint.capacity * sizeof(svs_access),
                 _Alignof(max_align_t));
    svs__release(allocator, set->elements, set->capacity * sizeof(svs__element),
                 _Alignof(max_align_t));
    svs__release(allocator, set->identities, set->identity_capacity * sizeof(svs__identity),
                 _Alignof(max_align_t));
    svs__release(allocator, set->kept.elements, set->kept.capacity * sizeof(svs__element),
                 _Alignof(max_align_t));
    svs__release(allocator, set->kept.identities,
                 set->kept.identity_capacity * sizeof(svs__identity), _Alignof(max_align_t));
    svs__release(allocator, set->roots, set->root_capacity * sizeof(svs__root),
                 _Alignof(max_align_t));
    svs__release(allocator, set->visited, set->visited_capacity * sizeof(uint32_t),
                 _Alignof(max_align_t));
    svs__release(allocator, set->signature[0], (size_t)2 * set->world->words * sizeof(uint64_t),
                 64);
    memset(set, 0, sizeof *set);
}

void svs__set_begin(svs__set *set) {
    set->footprint.count = 0;
    set->footprint.status = SVS_OK;
}

/* Is it an index out of range? */
static bool is_beyond(const svs_access *access) {
    const svs_space *space = access->what;
    return access->kind == SVS_KIND_INDEX && space && access->index >= space->count;
}

bool svs__set_make_room(svs__set *set, uint32_t count) {
    svs_footprint *f = &set->footprint;
    void *accesses = f->accesses;
    if (f->status != SVS_E_LIMIT || f->count < f->capacity) return false;
    if (f->count && is_beyond(&f->accesses[f->count - 1])) { /* a span of no end: it is refused */
        f->status = SVS_OK;
        return false;
    }
    if (!svs__grow(allocator_of(set), &accesses, &f->capacity, f->count + 1, sizeof(svs_access))) {
        f->status = SVS_E_NO_MEMORY;
        return false;
    }
    f->accesses = accesses;
    f->status = SVS_OK;
    f->count = count;
    return true;
}

void svs__set_touch_links(svs__set *set, const void *item, const svs_link_type *links,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        char *to;
        memcpy(&to, (const char *)item + links[i].offset, sizeof to);
        if (to)
            svs_writes_reach(&set->footprint,
                             (const svs_object *)(const void *)(to + svs__link_header(&links[i])));
    }
}

/* ---- elements ---- */

bool svs__set_add(svs__set *set, uint32_t key, uint32_t mode, const void *what, uint64_t index) {
    void *elements = set->elements, *identities = set->identities;
    if (set->count == set->capacity &&
        (!svs__grow(set->world->allocator, &identities, &set->identity_capacity, set->count + 1,
                    sizeof(svs__identity)) ||
         (set->identities = identities, !svs__grow(set->world->allocator, &elements, &set->capacity,
                                                   set->count + 1, sizeof(svs__element))))) {
        set->status = SVS_E_NO_MEMORY;
        return false;
    }
    set->elements = elements;
    set->elements[set->count] = (svs__element){key, mode};
    set->identities[set->count++] = (svs__identity){what, index};
    return true;
}

void svs__set_add_own(svs__set *set, const svs_object *object, uint32_t mode) {
    const svs__type *type = svs__object_type(object);
    svs__set_add(set, object->key, mode, object, 0);
    if (!type->type->member_count) return;
    for (uint32_t i = 0; i < type->type->member_count && !set->status; i++) {
        const svs_member_type *member = &type->type->members[i];
        svs__set_add_own(set,
                         (const svs_object *)(const void *)(svs__object_base(object, type) +
                                                            member->offset + member->type->header),
                         mode);
    }
}

/* ---- accesses ---- */

static void add_signature(svs__set *set, const svs_object *root, uint32_t mode,
                          svs__version version) {
    uint64_t words[SVS__SIGNATURE_WORDS_MAX];
    void *roots = set->roots;
    if (!svs__grow(allocator_of(set), &roots, &set->root_capacity, set->root_count + 1,
                   sizeof(svs__root))) {
        set->status = SVS_E_NO_MEMORY;
        return;
    }
    set->roots = roots;
    set->roots[set->root_count++] = (svs__root){root, version, mode};
    if (!version.reach) { /* a lone object reaches itself only */
        svs__set_add(set, root->key, mode, root, 0);
        return;
    }
    if (!set->dense) memset(set->signature[0], 0, (size_t)2 * set->world->words * sizeof(uint64_t));
    set->dense = true;
    svs__adapt_hand(set->world, root);
    svs__reach_signature(root, words);
    svs__signature_or(set->signature[mode], words, set->world->words);
}

/* Adds all objects that the root reaches, if there are at most `budget`. */
static bool walk(svs__set *set, const svs_object *root, uint32_t mode, uint32_t budget) {
    return svs__set_traverse(set, root, mode, UINT32_MAX, UINT32_MAX, budget);
}

#if defined(SVS_EXPLORE)
/* in the explorer, the first reach beyond the budget needs a signature */
#define WALKED_PER_LINK 0u
#else
/* the cost of upkeep for one assignment, in visited objects (approximate) */
#define WALKED_PER_LINK 4u
#endif
#define WIDER 16u

/* [memobj.R5] Walks the reach beyond the budget, as long as such walks cost less than upkeep
 * would. */
static bool walk_on(svs__set *set, const svs_object *root, uint32_t mode) {
    svs_world *world = set->world;
    uint32_t from = set->count;
    uint32_t most = set->budget < UINT32_MAX / WIDER ? WIDER * set->budget : UINT32_MAX;
    bool within;
    /* relaxed is enough for both: only the counts matter. */
    if (svs__load_relaxed(&world->walked_on) >= WALKED_PER_LINK * svs__world_assigned(world))
        return false;
    within = walk(set, root, mode, most);
    (void)svs__fetch_add_relaxed(&world->walked_on, within ? set->count - from : most);
    return within;
}

static void add_reach(svs__set *set, const svs_object *root, uint32_t mode) {
    svs__version version;
    if (set->budget && walk(set, root, mode, set->budget)) return;
    if (!svs__reach_is_kept(set->world)) {
        if (set->budget && walk_on(set, root, mode)) return;
        /* relaxed is enough: read at quiescence only. */
        svs__store_relaxed(&set->world->upkeep_wanted, 1);
        set->unkept = set->everything = true;
        return;
    }
    version = svs__reach_version(root);
    add_signature(set, root, mode, version);
}

#define PATH_MAX_LINKS 16u

static void add_path(svs__set *set, const svs_object *object, const svs_access *access) {
    uint64_t path = access->index;
    set->walked = true;
    if (access->limit > PATH_MAX_LINKS) {
        refuse_set(set, SVS_E_INVALID, "a path of more than 16 links: name a nearer object");
        return;
    }
    for (uint32_t i = 0; i < access->limit && object && !set->status; i++, path >>= 4) {
        const svs__type *type = svs__object_type(object);
        uint32_t link = path & 15;
        svs__set_add(set, object->key, SVS_MODE_READ, object, 0);
        if (!type || link >= type->type->link_count) {
            refuse_set(
                set, SVS_E_TYPE,
                "a path along a link that the type does not have: count the links of SVS_TYPE "
                "from 0");
            return;
        }
        object = svs__link_target(svs__object_base(object, type) + type->type->links[link].offset,
                                  type->link_header[link]);
    }
    if (object && !set->status) svs__set_add_own(set, object, access->mode);
}

/* Traversals that the access itself bounds have no budget. */
#define NO_BUDGET UINT32_MAX

/* Notes how many links were assigned before the set's first traversal. */
static inline void note_assigned(svs__set *set) {
    if (!set->walked && !set->root_count) set->assigned = svs__world_assigned(set->world);
}

static void add_object_access(svs__set *set, const svs_access *access) {
    const svs_object *object = access->what;
    if (!object) return;
    if (object->world != set->world->index) {
        refuse_set(set, SVS_E_WORLD,
                   object->world
                       ? "an object of another world: use objects of the graph's own"
                       : "an object that was never initialised: use svs_object_init() first");
        return;
    }
    if (svs__object_is_dead(object)) {
        refuse_set(set, SVS_E_FREED, "an object that was freed: send no items that name it");
        return;
    }
    if (access->extent != SVS_EXTENT_OWN) note_assigned(set);
    switch (access->extent) {
    case SVS_EXTENT_OWN: svs__set_add_own(set, object, access->mode); break;
    case SVS_EXTENT_PATH: add_path(set, object, access); break;
    case SVS_EXTENT_HOPS:
        svs__set_traverse(set, object, access->mode, UINT32_MAX, access->limit, NO_BUDGET);
        break;
    case SVS_EXTENT_ALONG:
        svs__set_traverse(set, object, access->mode, access->limit, UINT32_MAX, NO_BUDGET);
        break;
    case SVS_EXTENT_REACH: add_reach(set, object, access->mode); break;
    default:
        refuse_set(set, SVS_E_INVALID, "an unknown extent: use one of svs_access_extent");
        break;
    }
}

static void add_address(svs__set *set, const svs_access *access) {
    if (svs__addresses_have(set->world, access->what))
        refuse_set(
            set, SVS_E_TYPE,
            "the address of a memory object: name the object by its header, because accesses by "
            "address and by header do not conflict");
    else svs__set_add(set, svs__address_key(access->what), access->mode, access->what, 0);
}

static void add_access(svs__set *set, const svs_access *access) {
    const svs_space *space = access->what;
    if (access->mode > SVS_MODE_WRITE) {
        refuse_set(set, SVS_E_INVALID, "an unknown mode: use SVS_MODE_READ or SVS_MODE_WRITE");
        return;
    }
    switch (access->kind) {
    case SVS_KIND_OBJECT: add_object_access(set, access); break;
    case SVS_KIND_ADDRESS: add_address(set, access); break;
    case SVS_KIND_INDEX:
        if (!space) {
            refuse_set(set, SVS_E_NULL, "an index of no space: make it with svs_space_new()");
        } else if (space->world != set->world) {
            refuse_set(set, SVS_E_WORLD, "a space of another world: use one of the graph's own");
        } else if (access->index >= space->count) {
            refuse_index(set, space, access->index);
        } else {
            svs__set_add(set, svs__index_key(space->key, access->index), access->mode, space,
                         access->index);
        }
        break;
    case SVS_KIND_EVERYTHING: set->everything = true; break;
    default: refuse_set(set, SVS_E_INVALID, "an unknown kind: use one of svs_access_kind"); break;
    }
}

static bool single_object(svs__set *set, const svs_access *access, svs__element *element) {
    const svs_object *object = access->what;
    if (access->extent != SVS_EXTENT_OWN || !object || object->world != set->world->index ||
        svs__object_is_dead(object) || svs__object_type(object)->type->member_count)
        return false;
    svs__set_learn(set, object->type);
    *element = (svs__element){object->key, access->mode};
    return true;
}

bool svs__set_single_of_any(svs__set *set, const svs_access *access, svs__element *element) {
    const svs_space *space = access->what;
    if (access->mode > SVS_MODE_WRITE) return false;
    switch (access->kind) {
    case SVS_KIND_OBJECT: return single_object(set, access, element);
    case SVS_KIND_ADDRESS:
        if (svs__addresses_have(set->world, access->what)) return false;
        *element = (svs__element){svs__address_key(access->what), access->mode};
        return true;
    case SVS_KIND_INDEX:
        if (!space || space->world != set->world || access->index >= space->count) return false;
        *element = (svs__element){svs__index_key(space->key, access->index), access->mode};
        return true;
    default: return false;
    }
}

uint64_t svs__footprint_key(const void *world, const void *address) {
    return svs__addresses_have((svs_world *)(uintptr_t)world, address) ? UINT64_MAX
                                                                       : svs__address_key(address);
}

svs__space_keys svs__footprint_space(const void *world, const void *of) {
    const svs_space *space = of;
    svs__space_keys none = {0, 0};
    return space && space->world == world ? (svs__space_keys){space->key, space->count} : none;
}

/* Refuses a footprint in which the touch function has left a status. */
SVS__COLD static void refuse_touch(svs__set *set) {
    const svs_footprint *f = &set->footprint;
    set->status = f->status;
    if (f->count != 0 && f->accesses[f->count - 1].kind == NO_ACCESS)
        refuse_set(set, SVS_E_NULL,
                   "no access: pass the address of one to svs_footprint_add_access()");
}

void svs__set_clear(svs__set *set) {
    set->count = 0;
    set->root_count = 0;
    set->dense = false;
    set->everything = set->unkept = false;
    set->walked = false;
    set->status = SVS_OK;
    if (SVS__UNLIKELY(set->footprint.status)) refuse_touch(set);
}

/* Adds an object or address by the fast path, unless the array of elements is full. */
static inline bool add_single(svs__set *set, const svs_access *access) {
    if (set->count == set->capacity || !svs__set_single(set, access, &set->elements[set->count]))
        return false;
    set->identities[set->count++] = (svs__identity){access->what, 0};
    return true;
}

/* Adds consecutive accesses to indices of one space, until the array of elements is full. Loops
 * over arrays have such footprints. @return the number of accesses added. */
static uint32_t add_indices(svs__set *set, const svs_access *accesses, uint32_t count) {
    const svs_space *space = accesses->what;
    uint32_t room = set->capacity - set->count, i = 0;
    if (!space || space->world != set->world) return 0;
    svs__element *elements = set->elements + set->count;
    svs__identity *identities = set->identities + set->count;
    for (; i < count && i < room; i++) {
        const svs_access *access = &accesses[i];
        if (access->kind != SVS_KIND_INDEX || access->what != space ||
            access->mode > SVS_MODE_WRITE || access->index >= space->count)
            break;
        elements[i] = (svs__element){svs__index_key(space->key, access->index), access->mode};
        identities[i] = (svs__identity){space, access->index};
    }
    set->count += i;
    return i;
}

/* Adds the first few accesses by a fast path for their kind. @return how many, or 0. */
static inline uint32_t add_some(svs__set *set, const svs_access *accesses, uint32_t count) {
    if (accesses->kind == SVS_KIND_INDEX) return add_indices(set, accesses, count);
    if (accesses->kind == SVS_KIND_OBJECT && accesses->extent != SVS_EXTENT_OWN) {
        note_assigned(set);
        return svs__set_steps(set, accesses, count);
    }
    return add_single(set, accesses);
}

static void add_accesses(svs__set *set, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end && !set->status;) {
        const svs_access *access = &set->footprint.accesses[i];
        uint32_t added = add_some(set, access, end - i);
        if (!added) add_access(set, access);
        i += added ? added : 1;
    }
}

bool svs__set_expand_more(svs__set *set, uint32_t first, uint32_t end) {
    uint32_t count = set->count;
    add_accesses(set, first, end);
    if (!set->status && !set->root_count && !set->everything) return true;
    set->count = count;
    set->root_count = 0;
    set->dense = set->everything = set->unkept = false;
    set->status = set->footprint.status;
    return false;
}

svs_status svs__set_expand(svs__set *set) {
    svs__set_clear(set);
    add_accesses(set, 0, set->footprint.count);
    return set->status;
}

static bool roots_unchanged(const svs__set *set) {
    if (set->root_count && !svs__reach_is_kept(set->world)) return false; /* memobj.R6 */
    for (uint32_t i = 0; i < set->root_count; i++) {
        svs__version now = svs__reach_version(set->roots[i].object);
        if (now.reach != set->roots[i].version.reach ||
            now.version != set->roots[i].version.version)
            return false;
    }
    return true;
}

static bool is_as_kept(const svs__set *set) {
    return !memcmp(set->elements, set->kept.elements, set->count * sizeof(svs__element)) &&
           !memcmp(set->identities, set->kept.identities, set->count * sizeof(svs__identity));
}

bool svs__set_confirm(svs__set *set) {
    uint32_t count = set->count, root_count = set->root_count;
    if (!roots_unchanged(set)) return false;
    if (!set->walked) return true;
    exchange_kept(set);
    return !svs__set_expand(set) && set->count == count && set->root_count == root_count &&
           is_as_kept(set);
}
