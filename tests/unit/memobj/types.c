/* A type that is described is known from its first object on, when there is memory for that. */
#include "unit/face/support.h"

/* The link step puts this in the place of calloc. */
void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);
static bool no_memory;

void *__wrap_calloc(size_t count, size_t bytes) {
    return no_memory ? NULL : __real_calloc(count, bytes);
}

/* The first objects of so many more types. @return the first status that is not SVS_OK. */
static svs_status make_types(svs_world *world, svs_type *types, uint32_t count) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        void *storage = NULL;
        types[i] = node_type;
        types[i].index = 0;
        status = svs_object_new(world, &types[i], &storage);
    }
    return status;
}

SUPPORT_CASE(the_first_types_of_a_program_are_not_allocated, 1) {
    static svs_type few[16];
    void *storage = NULL;
    support_ok(
        svs_object_new(s->world, &node_type, &storage)); /* what a world allocates at first */
    no_memory = true;
    support_ok(make_types(s->world, few, 16));
    no_memory = false;
}

SUPPORT_CASE(a_type_that_there_is_no_memory_for_is_not_known, 1) {
    static svs_type many[64], late;
    void *storage = NULL;
    support_ok(make_types(s->world, many, 64));
    late = node_type;
    late.index = 0;
    no_memory = true;
    assert_int_equal(svs_object_new(s->world, &late, &storage), SVS_E_NO_MEMORY);
    no_memory = false;
    assert_null(storage);
    assert_int_equal(late.index, 0);
    support_ok(svs_object_new(s->world, &late, &storage));
    assert_true(late.index != 0 && late.index != many[63].index);
}

typedef struct hub { /* as many links as a type may have */
    svs_object svs;
    struct hub *a, *b, *c, *d, *e, *f, *g, *h, *i, *j, *k, *l, *m, *n, *o, *none;
} hub;
SVS_TYPE(hub, svs, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)

typedef struct leaf {
    svs_object svs;
    struct leaf *none;
} leaf;
SVS_TYPE(leaf, svs)

SUPPORT_CASE(each_link_of_a_type_is_found_and_no_other_field, 1) {
    hub *from = NULL, *to = NULL;
    leaf *lone = NULL;
    support_ok(SVS_NEW(s->world, hub, &from));
    support_ok(SVS_NEW(s->world, hub, &to));
    support_ok(SVS_NEW(s->world, leaf, &lone));
    for (hub **link = &from->a; link <= &from->o; link++) {
        support_ok(svs_link_assign(&from->svs, link, to));
        assert_ptr_equal(*link, to);
    }
    assert_int_equal(svs_link_assign(&from->svs, &from->none, to), SVS_E_TYPE);
    assert_int_equal(svs_link_assign(&lone->svs, &lone->none, lone), SVS_E_TYPE);
    assert_true(!from->none && !lone->none);
}

int main(void) { return run_cases(NULL, NULL); }
