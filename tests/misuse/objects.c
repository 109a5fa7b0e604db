#include "misuse.h"

/* A refusal gives no storage. */
static svs_status try_new(svs_world *world, svs_type *type) {
    void *storage = world;
    svs_status status = svs_object_new(world, type, &storage);
    return storage ? STAGE_WRONG : status;
}

/* ---- descriptions ---- */

static svs_status describe(setting *s, svs_type *type) { return try_new(s->world, type); }
static svs_status type_of_no_name(setting *s) {
    static svs_type type = {NULL, sizeof(node), 8, offsetof(node, svs), NULL, NULL, 0, 0, 0};
    return describe(s, &type);
}
static svs_status header_outside(setting *s) {
    static svs_type type = {"outside", 16, 8, 8, NULL, NULL, 0, 0, 0};
    return describe(s, &type);
}
static svs_status header_askew(setting *s) {
    static svs_type type = {"askew", 64, 8, 4, NULL, NULL, 0, 0, 0};
    return describe(s, &type);
}
static size_t header_at_0(void *to) { return 0; }
static svs_status link_outside(setting *s) {
    static const svs_link_type links[] = {{"far", 64, header_at_0}};
    static svs_type type = {"reaching", 64, 8, 0, links, NULL, 1, 0, 0};
    return describe(s, &type);
}
static svs_status links_without_number(setting *s) {
    static svs_type type = {"unlinked", 64, 8, 0, NULL, NULL, 2, 0, 0};
    return describe(s, &type);
}
static svs_status too_many_links(setting *s) {
    static svs_link_type links[16];
    static svs_type type = {"many", 64, 8, 0, links, NULL, 16, 0, 0};
    return describe(s, &type);
}
static svs_type russian;
static const svs_member_type doll[] = {{"inner", 16, &russian}};
static svs_type russian = {"russian", 64, 8, 0, NULL, doll, 0, 1, 0};
static svs_status member_of_itself(setting *s) { return describe(s, &russian); }

/* ---- lives ---- */

static svs_status clean_unmade(setting *s) {
    node n = {0};
    return svs_object_clean_up(&n.svs);
}
static svs_status clean_twice(setting *s) {
    static node n;
    svs_status status;
    memset(&n, 0, sizeof n);
    status = svs_object_init(&n.svs, s->world, &node_type);
    if (!status) status = svs_object_clean_up(&n.svs);
    return status ? status : svs_object_clean_up(&n.svs);
}
static svs_status clean_mine(setting *s) { return svs_object_clean_up(&s->mine->svs); }
static svs_status clean_beside(setting *s) { return stage_running(s, clean_mine); }
static svs_status free_inside(setting *s, svs_context *context) {
    svs_status status = svs_object_free(&s->mine->svs);
    return status ? status : svs_object_free(&s->mine->svs);
}
static svs_status free_twice(setting *s) {
    svs_status status = stage_fail(s, free_inside);
    svs_status again = svs_object_new(s->world, &node_type, (void **)&s->mine);
    return again ? again : status;
}
static svs_status free_foreign(setting *s, svs_context *context) {
    return svs_object_free(&s->foreign->svs);
}
static svs_status free_of_another_world(setting *s) { return stage_fail(s, free_foreign); }
static svs_status free_mine(setting *s) { return svs_object_free(&s->mine->svs); }
static svs_status free_beside(setting *s) { return stage_beside(s, free_mine); }

/* ---- links ---- */

static svs_status link_unmade(setting *s) {
    node n = {0};
    return svs_link(&n, a, s->mine);
}
/* Links from outside and in a body; the body's run must fail with the same status. */
static svs_status (*linking)(setting *s);
static svs_status link_inside(setting *s, svs_context *context) { return linking(s); }
static svs_status link_in_both(setting *s, svs_status (*call)(setting *s)) {
    svs_status status = call(s);
    linking = call;
    return stage_fail(s, link_inside) == status ? status : STAGE_WRONG;
}
static svs_status assign_data(setting *s) {
    return svs_link_assign(&s->mine->svs, &s->mine->data, s->mine);
}
static svs_status link_no_link(setting *s) { return link_in_both(s, assign_data); }
static svs_status link_foreigner(setting *s) { return svs_link(s->mine, a, s->foreign); }
static svs_status link_to_another_world(setting *s) { return link_in_both(s, link_foreigner); }
static svs_status link_to_unmade(setting *s) {
    static node n;
    return svs_link(s->mine, a, &n);
}
/* In the caller's storage, so that the memory is there after the object's end. */
static node gone;
static svs_status bury(setting *s) {
    svs_status status;
    memset(&gone, 0, sizeof gone);
    status = svs_object_init(&gone.svs, s->world, &node_type);
    return status ? status : svs_object_clean_up(&gone.svs);
}
static svs_status link_gone(setting *s) { return svs_link(s->mine, a, &gone); }
static svs_status link_to_dead(setting *s) {
    svs_status status = bury(s);
    return status ? status : link_in_both(s, link_gone);
}
static svs_status link_dead(setting *s) {
    svs_status status = bury(s);
    return status ? status : svs_link(&gone, a, s->mine);
}
static svs_status link_mine(setting *s) { return svs_link(s->mine, b, s->mine); }
static svs_status link_beside(setting *s) { return stage_beside(s, link_mine); }
static svs_status link_foreign(setting *s, svs_context *context) {
    return svs_link(s->foreign, a, s->foreign);
}
static svs_status link_inside_of_another_world(setting *s) { return stage_fail(s, link_foreign); }

const misuse misuses_of_objects[] = {
    {"a type without a name", SVS_E_TYPE, "type NULL is described with no name", type_of_no_name,
     false},
    {"a type with its header outside of the struct", SVS_E_TYPE,
     "type outside is described with a header outside of the struct: describe it with SVS_TYPE",
     header_outside, false},
    {"a type with a header that is not aligned", SVS_E_TYPE,
     "type askew is described with a header that is not aligned to 8 bytes", header_askew, false},
    {"a type with a link outside of the struct", SVS_E_TYPE,
     "type reaching is described with a link outside of the struct", link_outside, false},
    {"a type with links that are not there", SVS_E_TYPE,
     "type unlinked is described with a number of links, but no array of them",
     links_without_number, false},
    {"a type with more than SVS_LINKS_MAX links", SVS_E_TYPE,
     "type many is described with more than 15 links", too_many_links, false},
    {"a type that is a member of itself", SVS_E_TYPE,
     "type russian is described with a member without a type of its own", member_of_itself, false},
    {"svs_object_clean_up: of what was never made", SVS_E_INVALID,
     "svs_object_clean_up: the header was never initialised, or its world was freed", clean_unmade,
     true},
    {"svs_object_clean_up: twice", SVS_E_FREED, "svs_object_clean_up: an object of type node",
     clean_twice, false},
    {"svs_object_clean_up: while a graph runs", SVS_E_BUSY,
     "a graph runs in the world: clean up after the run", clean_beside, false},
    {"svs_object_free: twice", SVS_E_FREED,
     "svs_object_free: an object of type node: The memory object was freed or cleaned up before",
     free_twice, false},
    {"svs_object_free: of another world than the body's", SVS_E_WORLD,
     "svs_object_free: an object of another world than the body's", free_of_another_world, false},
    {"svs_object_free: from outside while a graph runs", SVS_E_BUSY,
     "free it in a body that writes it, or after the run", free_beside, false},
    {"svs_link: a parent that was never made", SVS_E_INVALID,
     "svs_link: the parent was never initialised, or its world is gone", link_unmade, true},
    {"svs_link: a field that is no link", SVS_E_TYPE,
     "svs_link: a field that is no link of its type: name it in SVS_TYPE", link_no_link, false},
    {"svs_link: a child of another world", SVS_E_WORLD,
     "svs_link of node.a: the child is of another world: link objects of one world",
     link_to_another_world, false},
    {"svs_link: a child that was never made", SVS_E_WORLD,
     "svs_link of node.a: the child was never initialised: use svs_object_init() first",
     link_to_unmade, false},
    {"svs_link: a child that was freed", SVS_E_FREED,
     "svs_link of node.a: the child was freed: link to a live object", link_to_dead, false},
    {"svs_link: a parent that was freed", SVS_E_FREED,
     "svs_link of node.a: the parent was freed: set its links before", link_dead, false},
    {"svs_link: from outside while a graph runs", SVS_E_BUSY,
     "link in a body that writes the parent, or before or after the run", link_beside, false},
    {"svs_link: a parent of another world than the body's", SVS_E_WORLD,
     "the parent is of another world than the body's: link in a graph of its own world",
     link_inside_of_another_world, false},
    {NULL, 0, NULL, NULL, false}};
