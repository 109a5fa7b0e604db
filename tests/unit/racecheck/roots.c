/* Runs that threads outside of the library wait for: those that follow each other are ordered,
 * those that overlap are not, whatever else is going on. */
#include "actors.h"

static const part nothing = {0, 8, 0, false}, write_it = {0, 8, 1, true};

TEST_CASE(runs_in_turn_are_ordered_while_another_one_lasts) {
    EACH_POLICY(policy) {
        enter_all(policy);
        begin(&actors[0], nothing);
        for (uint32_t i = 0; i < 100; i++) run(&actors[1 + i % 3], write_it);
        begin(&actors[4], nothing); /* and a second one that lasts */
        for (uint32_t i = 0; i < 100; i++) run(&actors[1 + i % 3], write_it);
        end(&actors[4]);
        run(&actors[1], write_it);
        end(&actors[0]);
        assert_int_equal(leave_all(), 0);
    }
}

TEST_CASE(runs_that_overlap_are_not) {
    EACH_POLICY(policy)
    for (uint32_t others = 0; others < 3; others++) {
        enter_all(policy);
        for (uint32_t i = 0; i < others; i++) begin(&actors[i], nothing);
        run(&actors[3], write_it);
        begin(&actors[3], write_it);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        begin(&actors[4], write_it);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0xff);
        end(&actors[3]);
        end(&actors[4]);
        for (uint32_t i = 0; i < others; i++) end(&actors[i]);
        assert_int_equal(leave_all(), 0xff);
    }
}

TEST_CASE(one_that_lasts_is_beside_what_comes_and_goes) {
    EACH_POLICY(policy) {
        enter_all(policy);
        begin(&actors[0], write_it);
        run(&actors[1], nothing);
        run(&actors[2], write_it);
        end(&actors[0]);
        assert_int_equal(leave_all(), 0xff);
    }
}

TEST_CASE(a_threads_runs_are_ordered_though_others_began_between) {
    EACH_POLICY(policy) {
        enter_all(policy);
        begin(&actors[0], write_it);
        begin(&actors[1], nothing);
        end(&actors[0]);
        begin(&actors[2], nothing);
        run(&actors[0], write_it);
        begin(&actors[0], write_it);
        end(&actors[1]);
        end(&actors[0]);
        run(&actors[0], write_it);
        end(&actors[2]);
        assert_int_equal(leave_all(), 0);
    }
}

/* The new thread's memory is where that of the old one was, as a rule. */
TEST_CASE(a_new_thread_is_none_of_those_that_are_gone) {
    EACH_POLICY(policy) {
        enter_all(policy);
        begin(&actors[0], nothing);
        begin(&actors[5], nothing);
        begin(&actors[1], nothing);
        end(&actors[5]);
        leave(&actors[5]);
        run(&actors[2], write_it);
        enter(&actors[5], actors[5].runtime);
        run(&actors[5], write_it); /* the old one's runs began before */
        end(&actors[1]);
        end(&actors[0]);
        assert_int_equal(leave_all(), 0);
    }
}

/* ---- memory of threads that run no task ---- */

TEST_CASE(what_is_allocated_outside_of_tasks_begins_anew) {
    EACH_POLICY(policy) {
        enter_all(policy);
        begin(&actors[0], write_it);
        svs_check_free(memory, 8);
        svs_check_alloc(memory, 8); /* by this thread */
        begin(&actors[1], write_it);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        begin(&actors[2], write_it); /* in the same life */
        for (uint32_t i = 0; i < 3; i++) end(&actors[i]);
        assert_int_equal(leave_all(), 0xff);
    }
}

int main(void) { return run_cases(NULL, NULL); }
