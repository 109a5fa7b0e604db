/* The simulator of windows, compared with times that were computed by hand. */
#include "schedule.h"

#include <math.h>

#include "case.h"

static const tool_design one_maker = {"", true, false, 1}, alone = {"", false, false, 1},
                         two_makers = {"", true, false, 2}, dealt = {"", true, true, 1};

static uint32_t widths[8], stages[4];

static tool_schedule schedule_of(tool_costs costs, size_t windows, size_t count) {
    return (tool_schedule){costs, widths, stages, count, windows};
}

static void check_time(const tool_schedule *s, const tool_design *design, uint32_t workers,
                       double expected) {
    assert_float_equal(tool_schedule_time(s, design, workers), expected, 0.001);
}

TEST_CASE(one_worker_makes_and_runs_all) {
    tool_schedule s = schedule_of((tool_costs){10, 0, 5, 95, 40}, 2, 3);
    widths[0] = 6, widths[1] = 4, widths[2] = 10;
    stages[0] = 2, stages[1] = 1;
    check_time(&s, &one_maker, 1, 20 * (10 + 5 + 95));
    s.costs.walk = 7;
    check_time(&s, &one_maker, 1, 20 * (10 + 7 + 5 + 95));
    check_time(&s, &two_makers, 1, 20 * (10 + 7 + 5 + 95));
}

TEST_CASE(a_window_is_made_while_the_one_before_runs) {
    tool_schedule s = schedule_of((tool_costs){20, 0, 0, 100, 0}, 2, 2);
    widths[0] = widths[1] = 12;
    stages[0] = stages[1] = 1;
    /* 240 to make the first; 240 in which two run 480 of 1200; 720 left by three; 1200 by three */
    check_time(&s, &one_maker, 3, 240 + 240 + 240 + 400);
    /* Two make both windows at once: 120, then 120 in which one runs, 1080 left by three. */
    check_time(&s, &two_makers, 3, 120 + 120 + 360 + 400);
}

TEST_CASE(making_that_takes_longer_than_the_bodies_is_waited_for) {
    tool_schedule s = schedule_of((tool_costs){100, 0, 0, 100, 0}, 2, 2);
    widths[0] = widths[1] = 10;
    stages[0] = stages[1] = 1;
    /* nine run 1000 in 111.1; at least one body: 111.1; then 888.9 of making; ten run the last */
    check_time(&s, &one_maker, 10, 1000 + 1000 + 100);
}

TEST_CASE(a_stage_takes_one_body_at_least_and_no_more_workers_than_instances) {
    tool_schedule s = schedule_of((tool_costs){0, 0, 0, 100, 0}, 1, 2);
    widths[0] = 3, widths[1] = 1;
    stages[0] = 2;
    check_time(&s, &one_maker, 2, 150 + 100);
    check_time(&s, &one_maker, 64, 100 + 100);
}

TEST_CASE(walks_are_shared_but_for_the_colours) {
    tool_schedule s = schedule_of((tool_costs){0, 50, 0, 0, 0}, 1, 1);
    widths[0] = 100;
    stages[0] = 1;
    check_time(&s, &alone, 4, 5000);
    check_time(&s, &one_maker, 4, 1250);
    check_time(&s, &one_maker, 64, 500); /* a tenth is the maker's */
}

TEST_CASE(windows_that_are_walked_are_made_while_no_body_runs) {
    tool_schedule s = schedule_of((tool_costs){10, 20, 0, 100, 0}, 2, 2);
    widths[0] = widths[1] = 10;
    stages[0] = stages[1] = 1;
    /* each: 100 to make, 100 to walk by two; both have run in 500 */
    check_time(&s, &one_maker, 2, 2 * (100 + 100 + 500));
}

TEST_CASE(the_end_of_a_stage_costs_lines) {
    tool_schedule s = schedule_of((tool_costs){0, 0, 0, 100, 40}, 1, 1);
    widths[0] = 64;
    stages[0] = 1;
    assert_float_equal(tool_schedule_end(&one_maker, 40, 1), 0, 0.001);
    check_time(&s, &one_maker, 64, 100 + 2 * 64 * 40);
    check_time(&s, &dealt, 64, 100 + (8 + 8) * 40);
    check_time(&s, &dealt, 2, 3200 + (2 + 1) * 40);
}

int main(void) { return run_cases(NULL, NULL); }
