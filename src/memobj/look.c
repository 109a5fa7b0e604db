/* Checks, without a traversal, whether the lookup of an access would be refused. An access along
 * links adds whatever it finds and is never refused. A path is refused at an object that lacks the
 * next link of the path. */
#include "memobj/set.h"

static const uint8_t sights[] = {
    [SVS_EXTENT_OWN] = SVS__SIGHT_PLAIN,     [SVS_EXTENT_REACH] = SVS__SIGHT_OF_ROOTS,
    [SVS_EXTENT_HOPS] = SVS__SIGHT_OF_ROOTS, [SVS_EXTENT_ALONG] = SVS__SIGHT_OF_ROOTS,
    [SVS_EXTENT_PATH] = SVS__SIGHT_OF_LINKS,
};

static inline svs__sight see_object(const svs__set *set, const svs_access *access) {
    const svs_object *object = access->what;
    if (!object) return SVS__SIGHT_PLAIN; /* NULL adds no access */
    return object->world == set->world->index && !svs__object_is_dead(object) &&
                   access->extent < sizeof sights
               ? (svs__sight)sights[access->extent]
               : SVS__SIGHT_ODD;
}

static svs__sight see_other(svs__set *set, const svs_access *access) {
    svs__element unused;
    return svs__set_single_of_any(set, access, &unused) ? SVS__SIGHT_PLAIN : SVS__SIGHT_ODD;
}

svs__sight svs__set_look(svs__set *set) {
    const svs_footprint *f = &set->footprint;
    svs__sight all = f->status ? SVS__SIGHT_ODD : SVS__SIGHT_PLAIN, one;
    for (uint32_t i = 0; i < f->count && all != SVS__SIGHT_ODD; i++) {
        const svs_access *access = &f->accesses[i];
        one = access->mode > SVS_MODE_WRITE     ? SVS__SIGHT_ODD
              : access->kind == SVS_KIND_OBJECT ? see_object(set, access)
                                                : see_other(set, access);
        if (one > all) all = one;
    }
    if (all != SVS__SIGHT_OF_LINKS) return all;
    svs__set_clear(set);
    return svs__set_expand_more(set, 0, f->count) ? all : SVS__SIGHT_ODD;
}
