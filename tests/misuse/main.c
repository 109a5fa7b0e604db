/* Commits each misuse of the table, and compares the table with the one of docs/misuse.md.
 *
 *     test_misuse docs/misuse.md     all cases, and the page
 *     test_misuse --table            the tables, to put them into the page */
#include "misuse.h"

#include <unistd.h>

#include "case.h"

static const misuse *const rooms[] = {
    misuses_of_runtimes, misuses_of_asyncs,    misuses_of_worlds,     misuses_of_objects,
    misuses_of_graphs,   misuses_of_bodies,    misuses_of_footprints, misuses_of_ranks,
    misuses_of_stealers, misuses_of_bipartite, misuses_of_events,     misuses_of_object_layers};
#define ROOMS (sizeof rooms / sizeof rooms[0])
#define CASES_MAX 400

static const misuse *cases[CASES_MAX];
static size_t count;
static const char *page_path;

static void collect(void) {
    for (size_t room = 0; room < ROOMS; room++)
        for (const misuse *m = rooms[room]; m->what && count < CASES_MAX; m++) cases[count++] = m;
}

/* ---- committing ---- */

/* stderr goes to a temporary file meanwhile; the text in it is the log. */
static svs_status commit_headless(const misuse *m, setting *s) {
    FILE *heard = tmpfile();
    int before = dup(STDERR_FILENO);
    svs_status status;
    size_t used;
    assert_non_null(heard);
    assert_true(before >= 0 && dup2(fileno(heard), STDERR_FILENO) >= 0);
    status = m->commit(s);
    (void)fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    rewind(heard);
    used = strlen(s->said);
    used += fread(s->said + used, 1, sizeof s->said - 1 - used, heard);
    s->said[used] = 0;
    (void)fclose(heard);
    return status;
}

static int commit(const misuse *m) {
    setting s;
    svs_status status;
    const char *wrong;
    stage_open(&s);
    status = m->headless ? commit_headless(m, &s) : m->commit(&s);
    wrong = stage_close(&s);
    if (status != m->status)
        print_error("%s: answers %s (%d), not %s\n", m->what, svs_status_name(status), status,
                    svs_status_name(m->status));
    if (!strstr(s.said, m->says))
        print_error("%s: says\n%s  but not: %s\n", m->what, s.said, m->says);
    if (wrong) print_error("%s: then %s\n", m->what, wrong);
    return status != m->status || !strstr(s.said, m->says) || wrong;
}

TEST_CASE(each_function_refuses_null_for_each_pointer) {
    int failed = 0, number = 0;
    for (const misuse *m = misuses_of_null; m->what; m++, number++) failed += commit(m);
    print_message("%d pointers, %d of them failed\n", number, failed);
    assert_int_equal(failed, 0);
}

TEST_CASE(each_has_its_status_and_its_message_and_breaks_nothing) {
    int failed = 0;
    for (size_t i = 0; i < count; i++) failed += commit(cases[i]);
    print_message("%zu cases of misuse, %d of them failed\n", count, failed);
    assert_int_equal(failed, 0);
}

TEST_CASE(no_two_have_the_same_message) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strstr(cases[i]->says, cases[k]->says) || strstr(cases[k]->says, cases[i]->says) ||
                strcmp(cases[i]->what, cases[k]->what) == 0)
                fail_msg("%s and %s have the same message", cases[i]->what, cases[k]->what);
}

TEST_CASE(there_are_many) { assert_true(count >= 40 && count < CASES_MAX); }

/* ---- the page ---- */

static bool is_known(svs_status status) { return strcmp(svs_status_name(status), "unknown") != 0; }

/* Functions without a result have none. */
static const char *status_of(const misuse *m) {
    if (m->status == SVS_OK) return "(no status)";
    return is_known(m->status) ? svs_status_name(m->status) : "the number";
}

static void write_table(FILE *to) {
    (void)fprintf(to, "| misuse | status | the log says |\n|---|---|---|\n");
    for (size_t i = 0; i < count; i++)
        (void)fprintf(to, "| %s | `%s` | %s |\n", cases[i]->what, status_of(cases[i]),
                      cases[i]->says);
}

static size_t function_of(const misuse *m) { return strcspn(m->what, ":"); }

static bool is_of_same(const misuse *a, const misuse *b) {
    size_t length = function_of(a);
    return b->what && function_of(b) == length && strncmp(a->what, b->what, length) == 0;
}

/* One row a function. */
static void write_nulls(FILE *to) {
    (void)fprintf(to, "| function | must not be NULL |\n|---|---|\n");
    for (const misuse *m = misuses_of_null, *last = m; m->what; m = last) {
        (void)fprintf(to, "| %.*s |", (int)function_of(m), m->what);
        for (; is_of_same(m, last); last++)
            (void)fprintf(to, "%s `%s`", last == m ? "" : ",", last->what + function_of(m) + 2);
        (void)fprintf(to, " |\n");
    }
}

static char *text_of(FILE *file) {
    static const size_t room = 1u << 20;
    char *text = calloc(1, room);
    assert_non_null(text);
    rewind(file);
    assert_true(fread(text, 1, room - 1, file) < room - 1);
    return text;
}

static void expect_on_page(void (*write)(FILE *to)) {
    FILE *page = fopen(page_path, "r"), *table = tmpfile();
    char *is, *ought;
    if (!page) fail_msg("%s cannot be opened", page_path);
    assert_non_null(table);
    write(table);
    is = text_of(page);
    ought = text_of(table);
    if (!strstr(is, ought))
        fail_msg("%s has another table: put those of `test_misuse --table` there", page_path);
    free(is);
    free(ought);
    (void)fclose(page);
    (void)fclose(table);
}

TEST_CASE(the_page_has_the_table) { expect_on_page(write_table); }
TEST_CASE(the_page_has_the_pointers) { expect_on_page(write_nulls); }

int main(int argc, char **argv) {
    collect();
    page_path = argc > 1 ? argv[1] : "docs/misuse.md";
    if (strcmp(page_path, "--table") == 0) {
        write_table(stdout);
        (void)putchar('\n');
        write_nulls(stdout);
        return 0;
    }
    return run_cases(NULL, NULL);
}
