/* Selecting an engine on a command line: present engines, absent engines, and their locks. */
#include "case.h"

#include <argp.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/engine_choice.h"
#include "common/numbers.h"

static const native_lock native = {"their_lock", NULL, NULL, NULL, NULL};
static const team_kind team_with_lock = {NULL, NULL, NULL, NULL, &native};
static const team_kind team_absent = {"theirs was not found", NULL, NULL, NULL, NULL};

const engine_choice engine_choices[] = {{"plain", &native, NULL, LOCKS_BEST, NULL},
                                        {"locked", &native, &team_pthreads, LOCKS_STRIPED, NULL},
                                        {"theirs", &native, &team_with_lock, LOCKS_NATIVE, NULL},
                                        {"teamless", &native, &team_absent, LOCKS_SPIN, NULL},
                                        {"missing", NULL, NULL, LOCKS_BEST, "no such compiler"},
                                        {NULL, NULL, NULL, LOCKS_BEST, NULL}};

/* ---- in a process of its own: a program that takes --engine and --lock ---- */

typedef struct chosen {
    const engine_choice *engine;
    lock_form lock;
} chosen;

static error_t parse(int key, char *text, struct argp_state *state) {
    chosen *it = state->input;
    switch (key) {
    case 'e': it->engine = option_engine(state, text); return 0;
    case 'l': it->lock = (lock_form)option_choice(state, "lock", text, lock_form_names); return 0;
    case ARGP_KEY_END: it->lock = option_engine_lock(state, it->engine, it->lock); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static void choose_and_print(const char *engine, const char *lock) {
    static const struct argp_option options[] = {
        {"engine", 'e', "NAME", 0, NULL, 0}, {"lock", 'l', "NAME", 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
    char program[] = "program", e[64], l[64];
    char *values[] = {program, e, lock ? l : NULL, NULL};
    chosen it = {engine_named("plain"), LOCKS_BEST};
    snprintf(e, sizeof e, "--engine=%s", engine);
    snprintf(l, sizeof l, "--lock=%s", lock ? lock : "");
    argp_err_exit_status = 2;
    argp_parse(&argp, lock ? 3 : 2, values, 0, NULL, &it);
    printf("%s %s", it.engine->name,
           it.lock == LOCKS_BEST ? "none" : engine_lock_name(it.engine, it.lock));
    exit(fflush(stdout) ? 1 : 0);
}

/* Its exit status; what it wrote to either stream is in `text`. */
static int run(const char *engine, const char *lock, char text[1024]) {
    int ends[2], status;
    size_t length = 0;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        choose_and_print(engine, lock);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], text + length, 1023 - length)) > 0;)
        length += (size_t)got;
    text[length] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* ---- */

TEST_CASE(an_engine_has_the_lock_that_was_asked_for) {
    static const char *const cases[][3] = {
        {"plain", NULL, "plain none"},
        {"plain", "spin", "plain none"},
        {"locked", NULL, "locked striped"},
        {"locked", "pthread", "locked pthread"},
        {"locked", "rw", "locked rw"},
        {"theirs", NULL, "theirs their_lock"},
        {"theirs", "native", "theirs their_lock"},
        {"theirs", "spin", "theirs spin"},
    };
    char text[1024];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(run(cases[i][0], cases[i][1], text), 0);
        assert_string_equal(text, cases[i][2]);
    }
}

TEST_CASE(an_absent_engine_is_skipped_with_its_reason) {
    char text[1024];
    assert_int_equal(run("teamless", NULL, text), EXIT_ENGINE_ABSENT);
    assert_non_null(strstr(text, "engine teamless is skipped: theirs was not found\n"));
    assert_int_equal(run("missing", NULL, text), EXIT_ENGINE_ABSENT);
    assert_non_null(strstr(text, "engine missing is skipped: no such compiler\n"));
}

TEST_CASE(what_is_not_there_is_refused) {
    char text[1024];
    assert_int_equal(run("other", NULL, text), 2);
    assert_non_null(strstr(text, "'other' is not one of plain, locked, theirs, teamless, missing"));
    assert_int_equal(run("locked", "native", text), 2);
    assert_non_null(strstr(text, "--lock: the engine locked brings no lock of its own"));
    assert_int_equal(run("locked", "fair", text), 2);
    assert_non_null(strstr(text, "'fair' is not one of pthread, spin, striped, rw, native"));
    assert_null(engine_named("other"));
}

int main(void) { return run_cases(NULL, NULL); }
