/* The owner of a byte: members, nested ranges, objects from before the check, freed objects; and
 * the words of reports about it. */
#include "graph_scene.h"
#include <svs/members.h>

static _Alignas(64) uint64_t words[512];

/* A thing in a thing in a thing. */
typedef struct leaf {
    uint64_t value;
    svs_object svs;
} leaf;
SVS_TYPE(leaf, svs)
typedef struct twig {
    uint64_t before;
    leaf inner;
    svs_object svs;
} twig;
SVS_MEMBERS(twig, {"inner", offsetof(twig, inner), &leaf_type})
SVS_TYPE_MEMBERS(twig, svs)
typedef struct branch {
    uint64_t before;
    twig inner;
    svs_object svs;
} branch;
SVS_MEMBERS(branch, {"inner", offsetof(branch, inner), &twig_type})
SVS_TYPE_MEMBERS(branch, svs)

typedef struct span {
    void *from;
    size_t bytes;
} span;

static void writes_span(svs_context *context, script *of) {
    const span *s = of->with;
    svs_check_write(s->from, s->bytes);
}

static void reads_span(svs_context *context, script *of) {
    const span *s = of->with;
    svs_check_read(s->from, s->bytes);
}

/* One instance that has declared `of` and writes the span. @return how many verdicts. */
static uint32_t write_alone(scene *s, script *of, void *from, size_t bytes) {
    span all = {from, bytes};
    svs_graph *before = s->graph;
    uint32_t count;
    assert_int_equal(svs_graph_new(s->world, NULL, &s->graph), SVS_OK);
    of->deed = writes_span;
    of->with = &all;
    s->count = 0;
    scene_run_one(s, of);
    count = s->count;
    assert_int_equal(svs_graph_free(s->graph), SVS_OK);
    s->graph = before;
    return count;
}

SCENE_CASE(a_member_is_its_own, 1) {
    script whole = {0}, inner = {0}, innermost = {0};
    branch *b;
    void *made;
    assert_int_equal(svs_object_new(s->world, &branch_type, &made), SVS_OK);
    b = made;
    script_declare(&innermost, &b->inner.inner.svs, SVS_KIND_OBJECT, SVS_MODE_WRITE,
                   SVS_EXTENT_OWN);
    assert_int_equal(write_alone(s, &innermost, &b->inner.inner.value, 8), 0);
    assert_int_equal(write_alone(s, &innermost, &b->inner.before, 8), 1);
    assert_string_equal(s->found[0].type, "twig");
    assert_ptr_equal(s->found[0].object, &b->inner);
    assert_int_equal(write_alone(s, &innermost, &b->before, 8), 1);
    assert_string_equal(s->found[0].type, "branch");
    script_declare(&inner, &b->inner.svs, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    assert_int_equal(write_alone(s, &inner, &b->inner.before, 8), 0);
    script_declare(&whole, &b->svs, SVS_KIND_OBJECT, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    assert_int_equal(write_alone(s, &whole, &b->before, 8), 0);
    assert_int_equal(write_alone(s, &whole, &b->inner.inner.value, 8), 0); /* own: with members */
    assert_int_equal(svs_object_free(&b->svs), SVS_OK);
}

SCENE_CASE(a_freed_object_owns_nothing_nor_do_its_members, 1) {
    static branch b; /* the memory stays */
    script none = {0};
    assert_int_equal(svs_object_init(&b.svs, s->world, &branch_type), SVS_OK);
    assert_int_equal(write_alone(s, &none, &b.inner.inner.value, 8), 1);
    assert_int_equal(svs_object_clean_up(&b.svs), SVS_OK);
    assert_int_equal(write_alone(s, &none, &b, sizeof b), 0);
}

SCENE_CASE(what_was_there_before_the_check_is_known, 1) {
    thing *kept = thing_new(s), *freed = thing_new(s);
    script none = {0};
    assert_int_equal(svs_object_free(&freed->svs), SVS_OK);
    assert_int_equal(svs_check_stop(s->runtime, NULL), SVS_OK);
    thing_new(s);
    assert_int_equal(svs_check_start(s->runtime, &s->options), SVS_OK);
    assert_int_equal(write_alone(s, &none, &kept->value, 8), 1);
    assert_ptr_equal(s->found[0].object, kept);
}

SCENE_CASE(objects_of_others_are_not_known, 1) {
    svs_runtime *unchecked = started(1, 20);
    svs_world *world;
    script none = {0};
    void *made;
    assert_int_equal(svs_world_new(unchecked, NULL, &world), SVS_OK);
    assert_int_equal(svs_object_new(world, &thing_type, &made), SVS_OK);
    assert_int_equal(write_alone(s, &none, &((thing *)made)->value, 8), 0);
    assert_int_equal(svs_object_free(&((thing *)made)->svs), SVS_OK);
    assert_int_equal(svs_world_free(world), SVS_OK);
    assert_int_equal(svs_runtime_free(unchecked), SVS_OK);
}

/* ---- ranges ---- */

TEST_CASE(ranges_that_make_no_sense_are_refused) {
    scene *s = scene_new(1);
    svs_space *space;
    assert_int_equal(svs_space_new(s->world, "space", 8, &space), SVS_OK);
    assert_int_equal(svs_check_object_range(NULL, 8, "x"), SVS_E_NULL);
    assert_int_equal(svs_check_object_range(words, 0, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_object_range(words, SIZE_MAX, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_immutable_range(words, 0, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_index_range(NULL, 0, words, 8, 8, "x"), SVS_E_NULL);
    assert_int_equal(svs_check_index_range(space, 0, NULL, 8, 8, "x"), SVS_E_NULL);
    assert_int_equal(svs_check_index_range(space, 0, words, 0, 8, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_index_range(space, 0, words, 8, 0, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_index_range(space, 0, words, 8, UINT64_MAX, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_worker_range(NULL, 8, 1, "x"), SVS_E_NULL);
    assert_int_equal(svs_check_worker_range(words, 0, 1, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_worker_range(words, 8, UINT64_MAX, "x"), SVS_E_INVALID);
    assert_int_equal(svs_check_commutative(words), SVS_E_INVALID);
    assert_int_equal(svs_check_object_range(words + 8, 8, NULL), SVS_OK);
    assert_int_equal(svs_check_commutative(words), SVS_E_INVALID);     /* the same page */
    assert_int_equal(svs_check_commutative(words + 9), SVS_E_INVALID); /* behind it */
    assert_int_equal(svs_check_commutative(words + 8), SVS_OK);
    svs_check_forget_range(words);                       /* there is none */
    svs_check_forget_range((void *)(uintptr_t)0x123456); /* nor here */
    svs_check_forget_range(words + 8);
    assert_int_equal(svs_check_commutative(words + 8), SVS_E_INVALID);
    assert_int_equal(svs_space_free(space), SVS_OK);
    scene_free(s);
    assert_int_equal(svs_check_object_range(words, 8, "x"), SVS_OK); /* no check: no effect */
    assert_int_equal(svs_check_commutative(words), SVS_OK);
    svs_check_forget_range(words);
}

SCENE_CASE(ranges_may_overlap_and_one_that_is_declared_is_enough, 1) {
    script inner = {0}, outer = {0}, none = {0};
    assert_int_equal(svs_check_object_range(words, 256, "outer"), SVS_OK);
    assert_int_equal(svs_check_object_range(words + 4, 12, "inner"), SVS_OK); /* ends in a block */
    script_declare(&inner, words + 4, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    script_declare(&outer, words, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    assert_int_equal(write_alone(s, &outer, words, 256), 0);
    assert_int_equal(write_alone(s, &inner, words + 4, 12), 0);
    assert_int_equal(write_alone(s, &inner, words + 4, 16), 1); /* four bytes too many */
    assert_ptr_equal(s->found[0].address, (char *)words + 44);
    assert_int_equal(s->found[0].bytes, 4);
    assert_string_equal(s->found[0].type, "outer");
    assert_non_null(strstr(s->cures[0], "svs_writes() for outer"));
    assert_int_equal(write_alone(s, &none, words + 64, 8), 0); /* in no range */
    svs_check_forget_range(words);
    assert_int_equal(write_alone(s, &none, words, 8), 0);
    assert_int_equal(write_alone(s, &none, words + 4, 8), 1);
}

/* A byte in more ranges than the search looks at: it skips those that begin furthest away. */
SCENE_CASE(many_ranges_around_a_byte, 1) {
    script first = {0};
    for (int i = 0; i < 8; i++)
        assert_int_equal(svs_check_object_range(words + i, 128, "range"), SVS_OK);
    script_declare(&first, words, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    assert_int_equal(write_alone(s, &first, words + 8, 8), 0);
}

TEST_CASE(a_range_over_pages_is_one) {
    static _Alignas(4096) unsigned char pages[4 * 4096];
    scene *s = scene_new(1);
    script declared = {0}, none = {0};
    assert_int_equal(svs_check_object_range(pages + 100, 3 * 4096, NULL), SVS_OK);
    script_declare(&declared, pages + 100, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    assert_int_equal(write_alone(s, &declared, pages, sizeof pages), 0);
    assert_int_equal(write_alone(s, &none, pages + 4092, 8), 2); /* a block of each page */
    assert_ptr_equal(s->found[0].object, pages + 100);
    assert_non_null(strstr(s->cures[0], "svs_writes() for 0x")); /* it has no name */
    svs_check_forget_range(pages + 100);
    assert_int_equal(write_alone(s, &none, pages + 4092, 8), 0);
    scene_free(s);
}

/* ---- declarations ---- */

SCENE_CASE(indices_of_several_spaces_and_modes, 1) {
    script a = {0};
    svs_space *spaces[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(svs_space_new(s->world, i ? "odd" : "even", 512, &spaces[i]), SVS_OK);
        assert_int_equal(svs_check_index_range(spaces[i], 256u * (uint32_t)i, words + 256 * i, 8,
                                               256, i ? "odd" : "even"),
                         SVS_OK);
    }
    script_declare(&a, spaces[1], SVS_KIND_INDEX, SVS_MODE_READ, SVS_EXTENT_OWN);
    script_declare(&a, spaces[0], SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    script_declare(&a, spaces[1], SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    script_declare(&a, spaces[1], SVS_KIND_INDEX, SVS_MODE_READ, SVS_EXTENT_OWN);
    a.declared[0].index = 300;
    a.declared[1].index = 3;
    a.declared[2].index = 299;
    a.declared[3].index = 298;
    assert_int_equal(write_alone(s, &a, &words[3], 8), 0);
    assert_int_equal(write_alone(s, &a, &words[299], 8), 0);
    assert_int_equal(write_alone(s, &a, &words[298], 8), 1);
    assert_int_equal(s->found[0].now.declared, 1);
    assert_non_null(strstr(s->cures[0], "say svs_writes_at()"));
    assert_non_null(strstr(s->declared[0], "reads of odd[298]"));
    assert_int_equal(write_alone(s, &a, &words[301], 8), 1);
    assert_int_equal(s->found[0].now.declared, 0);
    for (int i = 0; i < 2; i++) assert_int_equal(svs_space_free(spaces[i]), SVS_OK);
}

/* A touch function with more accesses than the words of a report, or the first block of memory for
 * them, have room for. */
typedef struct wide {
    uint64_t count;
    span does;
} wide;
static svs_space *wide_space;

static void wide_touch(svs_footprint *f, const wide *w) {
    for (uint64_t i = 0; i < w->count; i++) svs_writes_at(f, wide_space, i);
}
static svs_status wide_run(svs_context *context, wide *w) {
    svs_check_write(w->does.from, w->does.bytes);
    return SVS_OK;
}
SVS_TASK(wide, wide_run, wide_touch)

TEST_CASE(much_is_declared_as_little_is) {
    for (uint64_t count = 9; count <= 9000; count *= 10) {
        scene *s = scene_new(1);
        wide item = {count, {&words[8], 8}};
        svs_task *task;
        char more[32];
        assert_int_equal(svs_space_new(s->world, "wide", 10000, &wide_space), SVS_OK);
        assert_int_equal(svs_check_index_range(wide_space, 0, words, 8, 512, "wide"), SVS_OK);
        assert_int_equal(svs_graph_add_itemizer(s->graph, &wide_task, NULL, &task), SVS_OK);
        assert_int_equal(svs_graph_send(s->graph, task, &item, 1, sizeof item), SVS_OK);
        scene_run(s);
        assert_int_equal(s->count, 0);
        assert_int_equal(svs_check_immutable_range(&words[511], 8, "constant"), SVS_OK);
        svs_check_forget_range(words);
        item.does.from = &words[511];
        assert_int_equal(svs_graph_send(s->graph, task, &item, 1, sizeof item), SVS_OK);
        scene_run(s);
        assert_int_equal(s->count, 1);
        (void)snprintf(more, sizeof more, ", and %u more", (unsigned)(count - 8));
        assert_non_null(strstr(s->declared[0], more));
        assert_non_null(strstr(s->declared[0], "writes of wide[0]"));
        assert_int_equal(svs_space_free(wide_space), SVS_OK);
        scene_free(s);
    }
}

SCENE_CASE(a_footprint_of_everything_declares_each_access, 1) {
    thing *t = thing_new(s);
    span all = {&t->value, 8};
    script a = {.deed = writes_span, .with = &all}, b = {.deed = reads_span, .with = &all};
    script_declare(&a, NULL, SVS_KIND_EVERYTHING, SVS_MODE_WRITE, SVS_EXTENT_OWN);
    reads_thing(&b, t);
    scene_run_two(s, &a, &b);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_UNDECLARED), 0);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_RACE), 0);
    assert_int_equal(scene_count(s, SVS_CHECK_VERDICT_ORDER), 1);
    assert_non_null(strstr(s->declared[0], "everything"));
}

SCENE_CASE(the_schedule_may_choose_without_it_being_an_error, 1) {
    thing *t = thing_new(s), *u = thing_new(s);
    span one = {&t->value, 8}, other = {&u->value, 8};
    script a = {.deed = writes_span, .with = &one}, b = a;
    script c = {.deed = writes_span, .with = &other}, d = c;
    assert_int_equal(svs_check_stop(s->runtime, NULL), SVS_OK);
    s->options.order_is_error = false;
    assert_int_equal(svs_check_start(s->runtime, &s->options), SVS_OK);
    writes_thing(&a, t);
    writes_thing(&b, t);
    writes_thing(&c, u);
    writes_thing(&d, u);
    add_part(s, &ann_task, &a);
    add_part(s, &bob_task, &b);
    add_part(s, &ann_task, &c);
    add_part(s, &bob_task, &d);
    add_part(s, &cid_task, &d);
    for (int i = 0; i < 3; i++) scene_run(s);
    assert_int_equal(s->count, 0);
    assert_int_equal(s->summary.orders, 4); /* of t: ann and bob; of u: each pair of the three */
    assert_string_equal(s->summary.order_type, "thing");
}

int main(void) { return run_cases(NULL, NULL); }
