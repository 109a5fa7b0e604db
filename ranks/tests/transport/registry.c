/* Transports by their names: one that the test adds, the exact names, and what is refused. */
#include "case.h"
#include "transport/transport.h"
#include <stdio.h>
#include <string.h>
#include <svs/ranks.h>
#include <unistd.h>

/* ---- a transport of one rank, which sends nothing ---- */

static uint32_t solo_idles;

static bool solo_open(void *endpoint) { return true; }

static svs__send_result solo_send(void *endpoint, uint32_t to, svs__buffer *buffer) {
    return SVS__SEND_LATER;
}

static svs__buffer *solo_completed(void *endpoint) { return NULL; }

static svs__receive_result solo_receive(void *endpoint, svs__buffer **buffer, uint32_t *from) {
    return SVS__NOTHING;
}

static void solo_release(void *endpoint, svs__buffer *buffer) {}

static uint64_t solo_now(void *endpoint) { return solo_idles; }

static uint64_t solo_idle(void *endpoint, uint64_t until, uint64_t spin_ns) { return ++solo_idles; }

static void solo_close(void *endpoint) {}

static const svs__transport_type solo_type = {.name = "solo",
                                              .open = solo_open,
                                              .send = solo_send,
                                              .completed = solo_completed,
                                              .receive = solo_receive,
                                              .release = solo_release,
                                              .idle = solo_idle,
                                              .now = solo_now,
                                              .close = solo_close};

static char option_of_solo[16];

static int solo_run(const svs_transport_entry *entry, const char *option, svs_rank_program *program,
                    void *argument) {
    const svs_transport transport = {&solo_type, NULL, 0, 1};
    assert_string_equal(entry->name, "solo");
    (void)snprintf(option_of_solo, sizeof option_of_solo, "%s", option == NULL ? "none" : option);
    return program(&transport, argument);
}

static int never_run(const svs_transport_entry *entry, const char *option,
                     svs_rank_program *program, void *argument) {
    return 99;
}

static int fail_to_run(const svs_transport_entry *entry, const char *option,
                       svs_rank_program *program, void *argument) {
    return SVS_E_THREAD;
}

static svs_transport_entry solo = {.name = "solo", .option = "WORD", .run = solo_run};
static svs_transport_entry soloist = {.name = "soloist", .run = never_run};
static svs_transport_entry broken = {.name = "broken", .run = fail_to_run};

/* ---- a program, which counts its fibers ---- */

static uint32_t fibers;

static svs_status count_fiber(svs_ranks *ranks, void *state) {
    fibers++;
    return SVS_OK;
}

static svs_status start(svs_ranks *ranks, void *state) {
    for (int i = 0; i < 5; i++) {
        svs_fiber fiber;
        svs_status status = svs_fiber_new(ranks, count_fiber, NULL, 0, NULL, &fiber);
        if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_status status;
    if (transport->type != &solo_type) return 40 + (int)transport->count;
    svs_ranks_options_init(&options);
    options.transport = transport;
    if (svs_ranks_new(&options, &ranks) != SVS_OK) return 50;
    status = svs_ranks_run(ranks, start, NULL);
    return svs_ranks_free(ranks) != SVS_OK || status != SVS_OK;
}

/* What is written to stderr in the course of the last call. */
static char said[1000];

static int run_main(const char *transport) {
    char words[2][40] = {"program"};
    char *argv[] = {words[0], words[1], NULL};
    FILE *heard = tmpfile();
    int before = dup(STDERR_FILENO), result;
    assert_non_null(heard);
    assert_true(before >= 0 && dup2(fileno(heard), STDERR_FILENO) >= 0);
    if (transport != NULL) (void)snprintf(words[1], sizeof words[1], "--transport=%s", transport);
    result = svs_ranks_main(NULL, program, transport == NULL ? 1 : 2, argv);
    (void)fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    rewind(heard);
    said[fread(said, 1, sizeof said - 1, heard)] = '\0';
    (void)fclose(heard);
    return result;
}

TEST_CASE(a_name_is_unknown_before_it_is_added) {
    assert_int_equal(run_main("solo"), 2);
    assert_string_equal(
        said, "svs: --transport solo: there is no transport of this name; choose local:N, "
              "sim:N:SEED or mpi\n");
}

TEST_CASE(an_added_transport_runs_ranks) {
    assert_int_equal(svs_transport_add(&solo), SVS_OK);
    assert_int_equal(run_main("solo"), 0);
    assert_string_equal(option_of_solo, "none");
    assert_int_equal(fibers, 5);
    assert_int_equal(run_main("solo:a:b"), 0);
    assert_string_equal(option_of_solo, "a:b");
    assert_int_equal(run_main("solo:"), 0);
    assert_string_equal(option_of_solo, "");
    assert_int_equal(fibers, 15);
}

TEST_CASE(the_environment_selects_an_added_transport) {
    fibers = 0;
    assert_int_equal(setenv("SVS_TRANSPORT", "solo:env", 1), 0);
    assert_int_equal(run_main(NULL), 0);
    assert_int_equal(run_main("local:2"), 42);
    assert_int_equal(unsetenv("SVS_TRANSPORT"), 0);
    assert_string_equal(option_of_solo, "env");
    assert_int_equal(fibers, 5);
}

TEST_CASE(a_run_that_fails_is_reported) {
    assert_int_equal(svs_transport_add(&broken), SVS_OK);
    assert_int_equal(run_main("broken"), 1);
    assert_non_null(strstr(said, "the ranks were not run to their end: "));
}

TEST_CASE(names_are_exact) {
    static const char *const wrong[] = {"sol",   "solo2",   "solois", "soloist2", "locally",
                                        "loca",  "local3",  "simple", "sim3:1",   "mpi2",
                                        "LOCAL", "soloi:x", "",       ":3"};
    assert_int_equal(svs_transport_add(&soloist), SVS_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(run_main(wrong[i]), 2);
        assert_non_null(strstr(
            said, ": there is no transport of this name; choose local:N, sim:N:SEED, mpi, "));
        assert_non_null(strstr(said, "soloist, broken or solo:WORD\n"));
    }
    assert_int_equal(run_main("soloist"), 99);
    assert_int_equal(run_main("local:3"), 43);
    assert_int_equal(run_main("sim:4:7"), 44);
}

TEST_CASE(an_option_is_refused_where_there_is_none) {
    static const char *const wrong[] = {"soloist:1", "soloist:", "mpi:2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(run_main(wrong[i]), 2);
        assert_non_null(strstr(said, "no option may follow this name"));
    }
    assert_int_equal(run_main("local:"), 2);
    assert_int_equal(run_main("sim"), 2);
    assert_int_equal(run_main("sim:3:"), 2);
}

TEST_CASE(wrong_entries_are_refused_and_change_nothing) {
    static svs_transport_entry wrong[] = {
        {.name = NULL, .run = never_run},    {.name = "", .run = never_run},
        {.name = "two:3", .run = never_run}, {.name = "solo", .run = never_run},
        {.name = "local", .run = never_run}, {.name = "sim", .run = never_run},
        {.name = "mpi", .run = never_run},   {.name = "idle", .run = NULL}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(svs_transport_add(&wrong[i]), SVS_E_INVALID);
    assert_int_equal(svs_transport_add(&solo), SVS_E_INVALID);
    assert_int_equal(svs_transport_add(NULL), SVS_E_NULL);
    fibers = 0;
    assert_int_equal(run_main("solo"), 0);
    assert_int_equal(fibers, 5);
    assert_int_equal(run_main("two:3"), 2);
    assert_int_equal(run_main("idle"), 2);
}

int main(void) { return run_cases(NULL, NULL); }
