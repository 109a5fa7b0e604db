/* memobj.R1 when several threads link at once: each owns parents of its own, the children are
 * shared. Thousands of tiny graphs, so that each pair of
 * assignments meets at each distance. `property_reach_parallel --seed N` repeats a run's choices
 * (not its interleaving). */
#include "reach_model.h"

#define THREADS 3u
#define STEPS_MAX 4u
#define PAUSE_YIELDS 200u

typedef struct step {
    uint32_t parent, link;
    int32_t child;
    uint32_t pause;
} step;

typedef struct script {
    uint32_t count;
    step steps[STEPS_MAX];
    svs_status status;
} script;

static uint64_t seed = 1;
static model m;
static script scripts[THREADS];
static atomic_uint turn, finished;
static atomic_bool over;

static void pause_for(uint32_t turns) {
    if (turns == PAUSE_YIELDS) sched_yield();
    for (volatile uint32_t i = 0; i < turns; i++) continue;
}

static void play(script *s) {
    for (uint32_t i = 0; i < s->count && !s->status; i++) {
        pause_for(s->steps[i].pause);
        s->status = model_assign(&m, s->steps[i].parent, s->steps[i].link, s->steps[i].child);
    }
}

static void *thread_main(void *argument) {
    script *mine = argument;
    unsigned seen = 0;
    for (;;) {
        while (atomic_load(&turn) == seen && !atomic_load(&over)) sched_yield();
        if (atomic_load(&over)) return NULL;
        seen = atomic_load(&turn);
        play(mine);
        atomic_fetch_add(&finished, 1);
    }
}

/* All scripts at once; the caller plays the first. Then the mirror applies them. */
static void play_all(void) {
    atomic_store(&finished, 0);
    for (uint32_t t = 0; t < THREADS; t++) scripts[t].status = SVS_OK;
    atomic_fetch_add(&turn, 1);
    play(&scripts[0]);
    while (atomic_load(&finished) != THREADS - 1) sched_yield();
    for (uint32_t t = 0; t < THREADS; t++) {
        support_ok(scripts[t].status);
        for (uint32_t i = 0; i < scripts[t].count; i++) {
            const step *done = &scripts[t].steps[i];
            m.at[done->parent].link[done->link] = done->child;
        }
    }
}

static void print_links(void) {
    print_error("neighbourhood %u; now", m.world->options.neighbourhood);
    for (uint32_t i = 0; i < m.count; i++)
        for (uint32_t k = 0; k < MODEL_LINKS; k++)
            if (m.at[i].link[k] >= 0) print_error(" %u.%u->%d", i, k, m.at[i].link[k]);
    for (uint32_t t = 0; t < THREADS; t++) {
        print_error("; thread %u did", t);
        for (uint32_t i = 0; i < scripts[t].count; i++)
            print_error(" %u.%u->%d", scripts[t].steps[i].parent, scripts[t].steps[i].link,
                        scripts[t].steps[i].child);
    }
    print_error("\n");
}

static void add(uint32_t thread, uint64_t *random, uint32_t parent, uint32_t link, int32_t child) {
    step *next = &scripts[thread].steps[scripts[thread].count++];
    uint32_t pause = model_below(random, 60);
    if (model_below(random, 3) == 0) pause = PAUSE_YIELDS * model_below(random, 2);
    *next = (step){parent, link, child, pause};
}

static void new_world(support *s, uint64_t *random, uint32_t objects) {
    static const uint32_t hoods[] = {0, 1, 2, 8};
    svs_world_options options;
    svs_world_options_init(&options);
    options.examine_budget = 0; /* upkeep from the start */
    options.signature_bits = 512u << model_below(random, 4);
    options.neighbourhood = hoods[model_below(random, 4)];
    options.refresh = SVS_REFRESH_MANUAL;
    support_ok(svs_world_new(s->runtime, &options, &s->world));
    model_init(&m, s->world);
    for (uint32_t i = 0; i < objects; i++) (void)model_node(&m);
    memset(scripts, 0, sizeof scripts);
}

typedef void scenario(uint64_t *random);

static void start_threads(pthread_t *threads) {
    atomic_store(&over, false);
    atomic_store(&turn, 0);
    for (uint32_t t = 1; t < THREADS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, thread_main, &scripts[t]), 0);
}

/* One world: what the threads did is covered and known, and after a refresh it is exact. @return
 * what is wrong, or NULL. */
static const char *play_once(support *s, uint64_t *random, uint32_t objects, scenario *prepare) {
    const char *wrong = NULL;
    new_world(s, random, objects);
    prepare(random);
    play_all();
    if (!model_check(&m, false)) wrong = "a bit is missing";
    else if (!svs__reach_is_valid(s->world))
        wrong = "a link is not known to what it leads to (memobj.R2)";
    if (!wrong && model_below(random, 4) == 0) {
        support_ok(svs_world_refresh(s->world));
        if (!model_check(&m, true)) wrong = "not exact after a refresh";
    }
    if (wrong) print_links();
    support_ok(svs_world_free(s->world));
    s->world = NULL;
    return wrong;
}

static void repeat(uint32_t objects, uint64_t times, scenario *prepare) {
    support s;
    svs_runtime_options options;
    pthread_t threads[THREADS];
    uint64_t random = seed, round;
    const char *wrong = NULL;
    support_options(&s, 1, &options);
    support_ok(svs_runtime_new(&options, &s.runtime));
    support_ok(svs_runtime_start(s.runtime));
    start_threads(threads);
    for (round = 0; round < times && !wrong; round++)
        wrong = play_once(&s, &random, objects, prepare);
    atomic_store(&over, true);
    for (uint32_t t = 1; t < THREADS; t++) pthread_join(threads[t], NULL);
    if (wrong)
        print_error("round %llu: %s; repeat with --seed %llu\n", (unsigned long long)round, wrong,
                    (unsigned long long)seed);
    assert_null(wrong);
    support_close(&s);
}

/* ---- random scripts ---- */

static void random_scripts(uint64_t *random) {
    for (uint32_t i = 0; i < m.count; i++) /* what is there before */
        if (!model_below(random, 3))
            model_link(&m, i, model_below(random, 3), (int32_t)model_below(random, m.count));
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t steps = 1 + model_below(random, STEPS_MAX);
        for (uint32_t i = 0; i < steps; i++) {
            uint32_t parent = t + THREADS * model_below(random, (m.count - 1 - t) / THREADS + 1);
            int32_t child = model_below(random, 6) ? (int32_t)model_below(random, m.count) : -1;
            add(t, random, parent, model_below(random, 3), child);
        }
    }
}

TEST_CASE(links_of_all_threads_are_known_to_all_that_reach_them) {
    repeat(4, support_scaled(5000), random_scripts);
    repeat(8, support_scaled(5000), random_scripts);
}

/* ---- by name ---- */

/* 0 and 1 link 2 at once, while 2 grows a child. */
static void shared_child(uint64_t *random) {
    add(0, random, 0, 0, 2);
    add(1, random, 1, 0, 2);
    add(2, random, 2, 0, 3);
}

TEST_CASE(a_child_linked_by_two_parents_at_once) { repeat(4, support_scaled(5000), shared_child); }

/* A chain over the three threads, each in its own order. */
static void chain(uint64_t *random, bool up) {
    for (uint32_t k = 0; k + 1 < m.count; k++) {
        uint32_t i = up ? m.count - 2 - k : k;
        add(i % THREADS, random, i, 0, (int32_t)i + 1);
    }
}
static void chain_up(uint64_t *random) { chain(random, true); }
static void chain_down(uint64_t *random) { chain(random, false); }

TEST_CASE(a_chain_built_bottom_up_by_three_threads) { repeat(9, support_scaled(5000), chain_up); }

TEST_CASE(a_chain_built_top_down_by_three_threads) { repeat(9, support_scaled(5000), chain_down); }

/* 0 -> 1 -> 2 and 3 -> 4 -> 5 are there; 2 -> 3 and 5 -> 0 close the ring, and 4 -> 6 hangs
 * something below it. */
static void ring(uint64_t *random) {
    model_link(&m, 0, 0, 1);
    model_link(&m, 1, 0, 2);
    model_link(&m, 3, 0, 4);
    model_link(&m, 4, 0, 5);
    add(0, random, 2, 0, 3);
    add(1, random, 5, 0, 0);
    add(2, random, 4, 1, 6);
}

TEST_CASE(a_cycle_closed_by_two_threads_at_once) { repeat(7, support_scaled(5000), ring); }

/* 0 -> 1 -> 2 -> 3 is there; one thread links 4 below 3 while others link 5 -> 0 above, and 4 -> 6
 * below. */
static void above_and_below(uint64_t *random) {
    for (uint32_t i = 0; i < 3; i++) model_link(&m, i, 0, (int32_t)i + 1);
    add(0, random, 3, 0, 4);
    add(1, random, 5, 0, 0);
    add(2, random, 4, 0, 6);
}

TEST_CASE(links_above_and_below_a_chain_at_once) {
    repeat(7, support_scaled(5000), above_and_below);
}

/* Thread 0 brings the bit of 6 up a chain; thread 1 brings the same bit from another child, and
 * finds it set half way up. */
static void two_writers_of_one_bit(uint64_t *random) {
    for (uint32_t i = 0; i < 4; i++) model_link(&m, i, 0, (int32_t)i + 1);
    model_link(&m, 5, 0, 6);
    add(0, random, 4, 0, 6); /* thread 0 */
    add(1, random, 2, 1, 6); /* thread 1 */
    add(2, random, 3, 1, 5);
}

TEST_CASE(two_writers_bring_one_bit_and_neither_is_lost) {
    repeat(7, support_scaled(5000), two_writers_of_one_bit);
}

/* 0 has parents already; more come in all threads, about as many as there is room for without a
 * further allocation, while 0 grows. */
static void crowd(uint64_t *random) {
    uint32_t before = model_below(random, 7);
    for (uint32_t i = 0; i < before; i++) model_link(&m, 11 + i, 0, 0);
    for (uint32_t i = 1; i <= 8; i++) add(i % THREADS, random, i, 0, 0);
    add(2, random, 0, 0, 9);
    add(0, random, 9, 0, 10);
}

TEST_CASE(many_parents_come_to_a_child_that_grows) { repeat(18, support_scaled(5000), crowd); }

/* The slots of 0 are used up by 13 to 19; the rest come at once, to a table in which one may take
 * the place that another has just found free. */
static void one_table(uint64_t *random) {
    for (uint32_t i = 13; i < 20; i++) model_link(&m, i, 0, 0);
    for (uint32_t i = 1; i <= 12; i++) {
        add(i % THREADS, random, i, 0, 0);
        scripts[i % THREADS].steps[scripts[i % THREADS].count - 1].pause = model_below(random, 4);
    }
}

TEST_CASE(many_parents_come_to_one_table_at_once) { repeat(20, support_scaled(5000), one_table); }

/* Each thread makes its parents lone objects' masters while another takes the same objects as
 * children. */
static void lone_objects(uint64_t *random) {
    add(0, random, 0, 0, 1);
    add(1, random, 1, 0, 2);
    add(2, random, 2, 0, 0);
    add(0, random, 3, 0, 2);
}

TEST_CASE(lone_objects_become_parents_and_children_at_once) {
    repeat(4, support_scaled(5000), lone_objects);
}

/* 1 and 2 are in the neighbourhood of 0, and both take the lone 3 into it at once: after a refresh
 * it must still be there. */
static void one_neighbourhood(uint64_t *random) {
    model_link(&m, 0, 0, 1);
    model_link(&m, 0, 1, 2);
    add(0, random, 1, 0, 3);
    add(1, random, 2, 0, 3);
    add(2, random, 0, 1, -1);
    add(2, random, 0, 1, 2);
}

TEST_CASE(a_lone_child_joins_one_neighbourhood_twice_at_once) {
    repeat(4, support_scaled(5000), one_neighbourhood);
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "--seed")) seed = strtoull(argv[2], NULL, 10);
    return run_cases(NULL, NULL);
}
