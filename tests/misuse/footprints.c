/* Footprints that make no sense: the instance does not run, and the run says why. */
#include "misuse.h"

#define TOUCH(name, call)                                                                          \
    static void name##_touch(setting *s, svs_footprint *f) {                                       \
        (void)s;                                                                                   \
        call;                                                                                      \
    }                                                                                              \
    static svs_status name(setting *s) { return stage_touch(s, name##_touch); }

static node unmade;
static node gone; /* the caller's storage, so that it is there after its end */
static svs_space *foreign_space;

TOUCH(foreign_object, svs_writes_object(f, &s->foreign->svs))
TOUCH(unmade_object, svs_writes_object(f, &unmade.svs))
TOUCH(dead_object, svs_reads_reach(f, &gone.svs))
TOUCH(no_space, svs_writes_at(f, NULL, 3))
TOUCH(other_space, svs_reads_at(f, foreign_space, 3))
TOUCH(index_beyond, svs_reads_at(f, s->space, 10))
TOUCH(path_of_no_link, svs_reads_path(f, &s->mine->svs, svs_path(0, 0, 2), 1))
TOUCH(path_of_large_link, svs_writes_path(f, &s->mine->svs, svs_path(0, 0, 17), 1))
TOUCH(path_too_long, svs_reads_path(f, &s->mine->svs, 0, 17))
TOUCH(unknown_kind,
      svs_footprint_add(f, s->mine, 0, 0, (svs_access_kind)9, SVS_MODE_READ, SVS_EXTENT_OWN))
TOUCH(unknown_mode, svs_footprint_add(f, &s->mine->svs, 0, 0, SVS_KIND_OBJECT, (svs_access_mode)9,
                                      SVS_EXTENT_REACH))
TOUCH(unknown_extent, svs_footprint_add(f, &s->mine->svs, 0, 0, SVS_KIND_OBJECT, SVS_MODE_READ,
                                        (svs_access_extent)9))
TOUCH(no_access, svs_footprint_add_access(f, NULL))

static svs_status no_footprint(setting *s) {
    svs_access access = {s->mine, 0, 0, SVS_KIND_ADDRESS, SVS_MODE_READ, SVS_EXTENT_OWN, 0};
    svs_footprint_add_access(NULL, &access);
    return SVS_OK;
}
static svs_status dead(setting *s) {
    svs_status status;
    memset(&gone, 0, sizeof gone);
    status = svs_object_init(&gone.svs, s->world, &node_type);
    if (!status) status = svs_object_clean_up(&gone.svs);
    return status ? status : dead_object(s);
}
static svs_status foreign(setting *s) {
    svs_status status = svs_space_new(s->other_world, "other", 10, &foreign_space);
    if (!status) status = other_space(s);
    svs_ignore(svs_space_free(foreign_space));
    return status;
}

const misuse misuses_of_footprints[] = {
    {"a footprint with an object of another world", SVS_E_WORLD,
     "a footprint: an object of another world: use objects of the graph's own", foreign_object,
     false},
    {"a footprint with an object that was never made", SVS_E_WORLD,
     "a footprint: an object that was never initialised", unmade_object, false},
    {"a footprint with an object that was freed", SVS_E_FREED,
     "a footprint: an object that was freed: send no items that name it", dead, false},
    {"a footprint with an index of no space", SVS_E_NULL,
     "a footprint: an index of no space: make it with svs_space_new()", no_space, false},
    {"a footprint with a space of another world", SVS_E_WORLD,
     "a footprint: a space of another world: use one of the graph's own", foreign, false},
    {"a footprint with an index beyond its space", SVS_E_INVALID,
     "a footprint: index 10 of space ten, which has 10", index_beyond, false},
    {"a footprint with a path along a link that is not there", SVS_E_TYPE,
     "a path along a link that the type does not have: count the links", path_of_no_link, false},
    {"svs_path: a link above 14", SVS_E_TYPE, "count the links of SVS_TYPE from 0",
     path_of_large_link, false},
    {"a footprint with a path of more than 16 links", SVS_E_INVALID,
     "a path of more than 16 links: name a nearer object", path_too_long, false},
    {"a footprint with an unknown kind", SVS_E_INVALID,
     "an unknown kind: use one of svs_access_kind", unknown_kind, false},
    {"a footprint with an unknown mode", SVS_E_INVALID,
     "an unknown mode: use SVS_MODE_READ or SVS_MODE_WRITE", unknown_mode, false},
    {"a footprint with an unknown extent", SVS_E_INVALID,
     "an unknown extent: use one of svs_access_extent", unknown_extent, false},
    {"svs_footprint_add_access: no access", SVS_E_NULL,
     "a footprint: no access: pass the address of one to svs_footprint_add_access()", no_access,
     false},
    {"svs_footprint_add_access: no footprint", SVS_OK,
     "svs_footprint_add_access: no footprint: pass on the one", no_footprint, true},
    {NULL, 0, NULL, NULL, false}};
