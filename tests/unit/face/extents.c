/* How far an access goes: each extent against writers of single objects, that overlap it exactly
 * when it does not cover them. */
#include "scene.h"
#include <svs/members.h>

typedef struct holder {
    node inner;
    uint32_t data;
    svs_object svs;
} holder;
SVS_MEMBERS(holder, {"inner", offsetof(holder, inner), &node_type})
SVS_TYPE_MEMBERS(holder, svs)

/* 0 -a-> 1 -a-> 2 -a-> 3; 0 -b-> 4 -c-> 5; 6 alone. */
#define NODES 7
static node *n[NODES];

static void build(support *s) {
    for (int i = 0; i < NODES; i++) n[i] = support_node(s->world);
    support_ok(svs_link(n[0], a, n[1]));
    support_ok(svs_link(n[1], a, n[2]));
    support_ok(svs_link(n[2], a, n[3]));
    support_ok(svs_link(n[0], b, n[4]));
    support_ok(svs_link(n[4], c, n[5]));
}

/* `covers` and `reads` are strings of 7: '.' not in the set, 'r' read, 'w' written. */
static void expect(support *s, svs_access_mode mode, svs_access_extent extent, uint64_t index,
                   uint32_t limit, const char *set) {
    for (int i = 0; i < NODES; i++)
        for (int write = 0; write < 2; write++) {
            actor a = {0}, b = {0};
            bool free = set[i] == '.' || (set[i] == 'r' && !write);
            scene_object(&a, n[0], mode, extent, index, limit);
            scene_object(&b, n[i], write ? SVS_MODE_WRITE : SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
            if (scene_overlap(s, &a, &b, free) != free)
                fail_msg("%s of node %d must %soverlap", write ? "a writer" : "a reader", i,
                         free ? "" : "not ");
        }
}

SUPPORT_CASE(own_is_the_object_itself, 2) {
    build(s);
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0, "w......");
    expect(s, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0, "r......");
}

SUPPORT_CASE(reach_is_all, 2) {
    build(s);
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_REACH, 0, 0, "wwwwww.");
    expect(s, SVS_MODE_READ, SVS_EXTENT_REACH, 0, 0, "rrrrrr.");
}

SUPPORT_CASE(hops_are_counted_in_links, 2) {
    build(s);
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_HOPS, 0, 0, "w......");
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_HOPS, 0, 1, "ww..w..");
    expect(s, SVS_MODE_READ, SVS_EXTENT_HOPS, 0, 2, "rrr.rr.");
}

SUPPORT_CASE(along_follows_the_links_in_the_mask, 2) {
    build(s);
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_ALONG, 0, 1, "wwww...");
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_ALONG, 0, 2, "w...w..");
    expect(s, SVS_MODE_READ, SVS_EXTENT_ALONG, 0, 6, "r...rr.");
}

SUPPORT_CASE(a_path_reads_the_way_and_takes_its_end, 2) {
    uint64_t path;
    build(s);
    path = svs_path(svs_path(0, 0, 0), 1, 0); /* a, a */
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_PATH, path, 2, "rrw....");
    expect(s, SVS_MODE_READ, SVS_EXTENT_PATH, path, 2, "rrr....");
    path = svs_path(svs_path(0, 0, 1), 1, 2); /* b, c */
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_PATH, path, 2, "r...rw.");
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_PATH, 0, 0, "w......");
    path = svs_path(svs_path(0, 0, 1), 1, 0); /* b, then a, which is NULL */
    expect(s, SVS_MODE_WRITE, SVS_EXTENT_PATH, path, 2, "r...r..");
}

SUPPORT_CASE(an_own_object_has_its_members_with_it, 2) {
    void *storage;
    holder *h;
    node *below;
    actor a = {0}, b = {0}, c = {0}, d = {0};
    support_ok(svs_object_new(s->world, &holder_type, &storage));
    h = storage;
    below = support_node(s->world);
    support_ok(svs_link(&h->inner, a, below));
    scene_access(&a, &h->svs, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_object(&b, &h->inner, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
    scene_object(&c, below, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_access(&d, &h->svs, SVS_KIND_OBJECT, SVS_MODE_READ, SVS_EXTENT_REACH, 0, 0);
    assert_apart(s, &a, &b);
    assert_overlap(s, &a, &c);
    assert_apart(s, &d, &c);
}

SUPPORT_CASE(null_objects_add_nothing, 2) {
    actor a = {0}, b = {0};
    scene_access(&a, NULL, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_REACH, 0, 0);
    scene_access(&b, NULL, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    assert_overlap(s, &a, &b);
}

/* The same on signatures alone: what the master's signature says may hold more back, never less. */
TEST_CASE(reach_by_signatures_alone_is_all) {
    for (uint32_t k = 0; k <= 8; k += 4) {
        support s;
        svs_world_options options;
        svs_world_options_init(&options);
        options.examine_budget = 0;
        options.cell_bits = 0;
        options.neighbourhood = k;
        support_open_with(&s, 2, &options);
        for (int i = 0; i < NODES; i++) n[i] = support_node(s.world);
        for (int i = 0; i < 5; i++) support_ok(svs_link(n[i], a, n[i + 1]));
        for (int i = 0; i < 6; i++) {
            actor a = {0}, b = {0};
            scene_object(&a, n[0], SVS_MODE_READ, SVS_EXTENT_REACH, 0, 0);
            scene_object(&b, n[i], SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
            assert_apart(&s, &a, &b);
        }
        support_close(&s);
    }
}

int main(void) { return run_cases(NULL, NULL); }
