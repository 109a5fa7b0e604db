/* The short way of a walk of one hop (svs__set_steps) against the traversal (svs__set_traverse), in
 * random graphs of objects with and without members: the same elements, in the same order. */
#include "unit/face/support.h"

#include "base/random.h"
#include "memobj/set.h"
#include <svs/members.h>

typedef struct pair { /* its member is the target of links, and has none itself */
    node inner;
    svs_object svs;
} pair;
SVS_MEMBERS(pair, {"inner", offsetof(pair, inner), &node_type})
SVS_TYPE_MEMBERS(pair, svs)

typedef struct owner owner; /* has links to nodes and to pairs */
struct owner {
    svs_object svs;
    node *node;
    pair *pair;
};
SVS_TYPE(owner, svs, node, pair)

enum { EACH = 8, TRIES = 4000 };

typedef struct scene {
    node *nodes[EACH];
    pair *pairs[EACH];
    owner *owners[EACH];
    svs__set whole, step;
    svs__random random;
    uint32_t found, of_members, links[4]; /* `links`: cases by the number of targets */
} scene;

static void make_objects(scene *c, svs_world *world) {
    for (uint32_t i = 0; i < EACH; i++) {
        support_ok(SVS_NEW(world, node, &c->nodes[i]));
        support_ok(SVS_NEW(world, pair, &c->pairs[i]));
        support_ok(SVS_NEW(world, owner, &c->owners[i]));
    }
    support_ok(svs__set_init(&c->whole, world));
    support_ok(svs__set_init(&c->step, world));
}

static uint32_t draw(scene *c, uint32_t below) { return svs__random_below(&c->random, below); }

/* A node, the member of a pair, or NULL. */
static node *draw_node(scene *c) {
    uint32_t kind = draw(c, 4), i = draw(c, EACH);
    return kind == 0 ? NULL : kind == 1 ? &c->pairs[i]->inner : c->nodes[i];
}

static void relink(scene *c) {
    node *from = c->nodes[draw(c, EACH)];
    owner *of = c->owners[draw(c, EACH)];
    support_ok(svs_link(from, a, draw_node(c)));
    support_ok(svs_link(from, b, draw_node(c)));
    support_ok(svs_link(from, c, draw_node(c)));
    support_ok(svs_link(of, node, draw_node(c)));
    support_ok(svs_link(of, pair, draw(c, 2) ? c->pairs[draw(c, EACH)] : NULL));
}

static const svs_object *draw_root(scene *c) {
    uint32_t i = draw(c, EACH);
    switch (draw(c, 4)) {
    case 0: return &c->pairs[i]->svs;
    case 1: return &c->owners[i]->svs;
    default: return &c->nodes[i]->svs;
    }
}

/* Empties the set, or fills it until `room` elements fit. */
static void empty(svs__set *set, const svs_object *with, uint32_t room) {
    svs__set_clear(set);
    while (set->capacity - set->count > room)
        assert_true(svs__set_add(set, with->key, SVS_MODE_READ, with, 0));
}

static void compare(scene *c, const svs_object *root, svs_access_mode mode, uint32_t room) {
    const svs_access access = {
        .what = root, .kind = SVS_KIND_OBJECT, .mode = mode, .extent = SVS_EXTENT_HOPS, .limit = 1};
    svs__set *step = &c->step, *whole = &c->whole;
    uint32_t from;
    empty(step, root, room);
    from = step->count;
    svs__set_clear(whole);
    assert_true(svs__set_traverse(whole, root, mode, UINT32_MAX, 1, UINT32_MAX));
    if (!svs__set_steps(step, &access, 1)) {
        assert_int_equal(step->count, from);
        return;
    }
    assert_true(step->walked);
    assert_int_equal(step->count - from, whole->count);
    assert_memory_equal(step->elements + from, whole->elements,
                        whole->count * sizeof(svs__element));
    assert_memory_equal(step->identities + from, whole->identities,
                        whole->count * sizeof(svs__identity));
    c->found++;
    c->links[whole->count - 1]++;
}

static bool is_pair(const scene *c, const svs_object *object) {
    for (uint32_t i = 0; i < EACH; i++)
        if (&c->pairs[i]->svs == object) return true;
    return false;
}

static uint32_t links_of(const scene *c, const svs_object *object) {
    for (uint32_t i = 0; i < EACH; i++)
        if (&c->owners[i]->svs == object) return 2;
    return is_pair(c, object) ? 0 : 3;
}

/* Whether the traversal from the root meets an object with members. */
static bool meets_members(scene *c, const svs_object *root) {
    svs__set_clear(&c->whole);
    assert_true(svs__set_traverse(&c->whole, root, SVS_MODE_READ, UINT32_MAX, 1, UINT32_MAX));
    for (uint32_t i = 0; i < c->whole.count; i++)
        if (is_pair(c, c->whole.identities[i].what)) return true;
    return false;
}

static void try_once(scene *c) {
    svs_access_mode mode = draw(c, 2) ? SVS_MODE_WRITE : SVS_MODE_READ;
    const svs_object *root;
    uint32_t before = c->found;
    bool members;
    relink(c);
    root = draw_root(c);
    members = meets_members(c, root);
    compare(c, root, mode, 64);
    assert_int_equal(c->found - before, !members); /* it is refused for members only */
    c->of_members += members;
    before = c->found;
    compare(c, root, mode, links_of(c, root));
    assert_int_equal(c->found, before); /* each link might have a target of its own */
}

SUPPORT_CASE(a_step_finds_what_a_traversal_of_one_hop_finds, 1) {
    static scene c;
    memset(&c, 0, sizeof c);
    make_objects(&c, s->world);
    for (uint32_t i = 0; i < TRIES; i++) try_once(&c);
    assert_true(c.of_members);
    for (uint32_t i = 0; i < 4; i++) assert_true(c.links[i]);
    svs__set_clean_up(&c.whole);
    svs__set_clean_up(&c.step);
}

int main(void) { return run_cases(NULL, NULL); }
