/* Runs that threads outside of the library wait for: those that follow each other are ordered,
 * those that overlap are not, whatever else is going on. */
#include "actors.h"

static const part nothing = {0, 8, 0, false}, write_it = {0, 8, 1, true};
static const part read_it = {0, 8, 1, false};

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

/* The order of runs in time is no tree then: A lasts, B ends while it does, C begins behind B. */
TEST_CASE(runs_in_turn_are_ordered_though_one_overlaps_both) {
    static const part firsts[] = {{0, 8, 1, true}, {0, 8, 1, true}, {0, 8, 1, false}};
    static const part seconds[] = {{0, 8, 1, true}, {0, 8, 1, false}, {0, 8, 1, true}};
    EACH_POLICY(policy)
    for (uint32_t way = 0; way < 3; way++) {
        enter_all(policy);
        begin(&actors[0], firsts[way]);
        begin(&actors[1], nothing); /* beside the level of the first thread */
        end(&actors[0]);
        run(&actors[2], seconds[way]);
        end(&actors[1]);
        assert_int_equal(leave_all(), 0);
    }
}

/* The same, when the later one is in the first level, and what it follows below. */
TEST_CASE(a_run_above_follows_those_below_that_have_ended) {
    EACH_POLICY(policy)
    for (uint32_t among = 0; among < 2; among++) {
        enter_all(policy);
        begin(&actors[0], nothing);
        begin(&actors[1 + among], nothing);
        begin(&actors[2 - among], nothing);
        end(&actors[0]);
        end(&actors[2]);
        run(&actors[2], write_it); /* in a level that goes on, or in one that ends */
        begin(&actors[0], write_it);
        begin(&actors[2], nothing);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        end(&actors[0]);
        end(&actors[2]);
        end(&actors[1]);
        assert_int_equal(leave_all(), 0);
    }
}

TEST_CASE(a_run_above_is_beside_those_below_that_go_on_or_begin_later) {
    EACH_POLICY(policy)
    for (uint32_t later = 0; later < 2; later++) {
        enter_all(policy);
        begin(&actors[0], nothing);
        begin(&actors[1], nothing);
        begin(&actors[2], later ? nothing : write_it);
        end(&actors[0]);
        begin(&actors[0], later ? write_it : nothing); /* goes on */
        end(&actors[2]);
        if (later) run(&actors[2], write_it);
        else { /* in a third level, which has ended when that run of the first one began */
            end(&actors[0]);
            begin(&actors[0], write_it);
        }
        end(&actors[0]);
        end(&actors[1]);
        assert_int_equal(leave_all(), later ? 0xff : 0);
    }
}

/* ---- readers ---- */

/* Three overlap and read: two names are kept. Any of the three is beside a later writer. */
TEST_CASE(a_reader_of_three_that_overlap_is_never_forgotten) {
    EACH_POLICY(policy)
    for (uint32_t lasts = 0; lasts < 3; lasts++)
        for (uint32_t writer = 0; writer < 4; writer++) {
            if (writer == lasts) continue;
            enter_all(policy);
            for (uint32_t i = 0; i < 3; i++) begin(&actors[i], read_it);
            for (uint32_t i = 0; i < 3; i++)
                if (i != lasts) end(&actors[i]);
            assert_int_equal(svs__load_relaxed(&found_bytes), 0);
            run(&actors[writer], write_it);
            end(&actors[lasts]);
            assert_int_equal(leave_all(), 0xff);
        }
}

/* Two names are enough for two runs, however often each reads. */
TEST_CASE(readers_of_two_runs_do_not_count_as_three) {
    EACH_POLICY(policy) {
        enter_all(policy);
        begin(&actors[0], (part){0, 8, 3, false});
        begin(&actors[1], (part){0, 8, 3, false});
        begin(&actors[2], nothing);
        end(&actors[0]);
        end(&actors[1]);
        run(&actors[3], write_it);
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
