/* The log, the statuses, the version and the checks: what people read. */
#include "base/check.h"
#include "base/log.h"
#include "helpers.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <svs/version.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct line {
    int count, level;
    char text[1024];
} line;

static void keep(int level, const char *text, void *argument) {
    line *kept = argument;
    kept->count++;
    kept->level = level;
    snprintf(kept->text, sizeof kept->text, "%s", text);
}

TEST_CASE(the_log_gets_level_and_text) {
    line kept = {0};
    svs__log log = {keep, &kept};
    svs__log_write(&log, SVS_LOG_WARNING, "%s has %d of %u", "task", -3, 7u);
    assert_int_equal(kept.count, 1);
    assert_int_equal(kept.level, SVS_LOG_WARNING);
    assert_string_equal(kept.text, "task has -3 of 7");
}

TEST_CASE(a_long_line_is_cut) {
    char text[2 * SVS__LOG_LINE];
    line kept = {0};
    svs__log log = {keep, &kept};
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    svs__log_write(&log, SVS_LOG_ERROR, "%s", text);
    assert_int_equal(strlen(kept.text), SVS__LOG_LINE - 1);
}

TEST_CASE(without_a_function_there_is_silence) {
    svs__log silent = {NULL, NULL};
    svs__log_write(&silent, SVS_LOG_ERROR, "no function gets this");
    svs__log_write(NULL, SVS_LOG_ERROR, "nor this");
}

/* Runs `speak` in a child and reads its stderr. */
static void hear(void (*speak)(void), char *text, size_t size, int *how_it_ended) {
    int ends[2];
    size_t length = 0;
    ssize_t part;
    pid_t child;
    fflush(NULL);
    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        speak();
        _exit(0);
    }
    close(ends[1]);
    while (length + 1 < size && (part = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)part;
    text[length] = 0;
    close(ends[0]);
    assert_int_equal(waitpid(child, how_it_ended, 0), child);
}

static void speak_at_all_levels(void) {
    svs__log log = {svs__log_stderr, NULL};
    svs__log_write(&log, SVS_LOG_INFO, "murmur");
    svs__log_write(&log, SVS_LOG_WARNING, "hm");
    svs__log_write(&log, SVS_LOG_ERROR, "ouch");
}

TEST_CASE(the_default_log_writes_warnings_and_errors) {
    char text[1024];
    int ended;
    hear(speak_at_all_levels, text, sizeof text, &ended);
    assert_string_equal(text, "svs: warning: hm\nsvs: error: ouch\n");
}

static void fail_a_check(void) { SVS__CHECK(1 + 1 == 3); }

TEST_CASE(a_failed_check_says_where_and_aborts) {
    char text[4096];
    int ended;
    SVS__CHECK(1 + 1 == 2);
    hear(fail_a_check, text, sizeof text, &ended);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGABRT);
    assert_non_null(strstr(text, "log_status.c"));
    assert_non_null(strstr(text, "check failed: 1 + 1 == 3"));
}

TEST_CASE(a_check_that_is_off_is_not_evaluated) {
    int calls = 0;
    SVS__CHECK_OFF(++calls != 0);
    assert_int_equal(calls, 0);
}

TEST_CASE(each_status_has_its_name_and_a_sentence) {
    static const struct {
        svs_status status;
        const char *name;
    } known[] = {
        {SVS_OK, "SVS_OK"},
        {SVS_E_INVALID, "SVS_E_INVALID"},
        {SVS_E_NO_MEMORY, "SVS_E_NO_MEMORY"},
        {SVS_E_NOT_STARTED, "SVS_E_NOT_STARTED"},
        {SVS_E_STOPPED, "SVS_E_STOPPED"},
        {SVS_E_BUSY, "SVS_E_BUSY"},
        {SVS_E_CYCLE, "SVS_E_CYCLE"},
        {SVS_E_UNDECLARED, "SVS_E_UNDECLARED"},
        {SVS_E_WORLD, "SVS_E_WORLD"},
        {SVS_E_NESTED, "SVS_E_NESTED"},
        {SVS_E_FREED, "SVS_E_FREED"},
        {SVS_E_THREAD, "SVS_E_THREAD"},
        {SVS_E_LIMIT, "SVS_E_LIMIT"},
        {SVS_E_TYPE, "SVS_E_TYPE"},
        {SVS_E_OUTSIDE, "SVS_E_OUTSIDE"},
        {SVS_E_CANCELLED, "SVS_E_CANCELLED"},
        {SVS_E_PARTED, "SVS_E_PARTED"},
        {SVS_E_FORKED, "SVS_E_FORKED"},
        {SVS_E_NULL, "SVS_E_NULL"},
        {SVS_E_VERSION, "SVS_E_VERSION"},
        {SVS_E_STATE, "SVS_E_STATE"},
        {SVS_E_FILE, "SVS_E_FILE"},
        {SVS_E_TRACE, "SVS_E_TRACE"},
        {SVS_E_DEADLOCK, "SVS_E_DEADLOCK"},
        {SVS_E_RANK, "SVS_E_RANK"},
        {SVS_E_DIFFERS, "SVS_E_DIFFERS"},
        {SVS_E_RECORD, "SVS_E_RECORD"},
        {SVS_E_FIBER, "SVS_E_FIBER"},
        {SVS_E_FULL, "SVS_E_FULL"},
        {SVS_WAIT, "SVS_WAIT"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *text = svs_status_text(known[i].status);
        /* The statuses are 0, -1, -2 ... without a gap: a new one must come into this table. */
        assert_int_equal(known[i].status, -(svs_status)i);
        assert_string_equal(svs_status_name(known[i].status), known[i].name);
        assert_true(strlen(text) > 10 && text[strlen(text) - 1] == '.');
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(text, svs_status_text(known[j].status));
    }
    assert_string_equal(svs_status_name(-(svs_status)(sizeof known / sizeof *known)), "unknown");
}

TEST_CASE(other_numbers_are_the_users_or_unknown) {
    assert_string_equal(svs_status_name(1), "user");
    assert_string_equal(svs_status_name(INT32_MAX), "user");
    assert_string_equal(svs_status_name(INT32_MIN), "unknown");
    assert_non_null(svs_status_text(1));
    assert_non_null(svs_status_text(INT32_MIN));
}

TEST_CASE(the_version_is_that_of_the_headers) {
    assert_string_equal(svs_version(), SVS_VERSION_STRING);
}

int main(void) { return run_cases(NULL, NULL); }
