/* Light instances: when the other way is tried, and which way is preferred (sched.W18). */
#include "sched/domain/window/light.h"

#include <string.h>

#include "case.h"

enum { RAN = 2048, SERIAL_NS = 200 };

/* Adds windows or serial runs, as the way says, until `ns` have passed or the way changes. */
static void run_for(svs__light *l, uint64_t ns, uint32_t shared_ns) {
    uint32_t way = l->way;
    for (uint64_t passed = 0; passed < ns && l->way == way;) {
        uint32_t one = way == SVS__ALONE ? SERIAL_NS : shared_ns;
        svs__light_add(l, way, (uint64_t)one * RAN, RAN, SERIAL_NS - 4);
        passed += (uint64_t)one * RAN;
    }
}

static svs__light alone(bool has_idle) {
    svs__light l;
    memset(&l, 0, sizeof l);
    svs__light_begin(&l, SVS__ALONE);
    l.has_idle = has_idle;
    return l;
}

TEST_CASE(sharing_is_tried_and_kept_if_it_is_faster) {
    for (uint32_t shared_ns = 100; shared_ns <= 300; shared_ns += 200) {
        svs__light l = alone(true);
        run_for(&l, 10000000, shared_ns);
        assert_true(svs__light_tries_to_share(&l));
        run_for(&l, 10000000, shared_ns);
        if (shared_ns < SERIAL_NS) run_for(&l, 10000000, shared_ns);
        assert_int_equal(svs__light_is_alone(&l), shared_ns > SERIAL_NS);
        assert_false(svs__light_tries_to_share(&l));
    }
}

TEST_CASE(sharing_is_not_tried_while_all_workers_are_busy) {
    svs__light l = alone(false);
    run_for(&l, 100000000, 100);
    assert_true(svs__light_is_alone(&l));
    assert_false(svs__light_is_known(&l));
    l.has_idle = true;
    run_for(&l, 10000000, 100);
    assert_true(svs__light_tries_to_share(&l));
}

int main(void) { return run_cases(NULL, NULL); }
