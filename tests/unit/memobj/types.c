/* A type that is described is known from its first object on, when there is memory for that. */
#include "unit/face/support.h"

/* The link step puts this in the place of calloc. */
void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t, size_t);
static bool no_memory;

void *__wrap_calloc(size_t count, size_t bytes) {
    return no_memory ? NULL : __real_calloc(count, bytes);
}

SUPPORT_CASE(a_type_that_there_is_no_memory_for_is_not_known, 1) {
    static svs_type late;
    void *storage = NULL;
    late = node_type;
    late.index = 0;
    no_memory = true;
    assert_int_equal(svs_object_new(s->world, &late, &storage), SVS_E_NO_MEMORY);
    no_memory = false;
    assert_null(storage);
    assert_int_equal(late.index, 0);
    support_ok(svs_object_new(s->world, &late, &storage));
    assert_true(late.index != 0 && late.index != node_type.index);
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
