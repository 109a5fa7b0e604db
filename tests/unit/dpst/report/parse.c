/* The inputs of the checker's library: SVS_CHECK_OPTIONS, and files of known findings. */
#include "../../base/helpers.h"
#include "dpst/report/options.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char error[512];

static bool reads(svs__check_settings *s, const char *text) {
    error[0] = '\0';
    return svs__check_settings_read(s, text, error, sizeof error);
}

TEST_CASE(nothing_said_means_the_defaults) {
    static const char *const nothings[] = {NULL, "", ":", " : \t\n"};
    svs__check_settings s;
    for (size_t i = 0; i < sizeof nothings / sizeof *nothings; i++) {
        assert_true(reads(&s, nothings[i]));
        assert_true(s.start && s.report && s.symbols && !s.immediate);
        assert_int_equal(s.exit, 66);
        assert_int_equal(s.frames, 32);
        assert_string_equal(s.json, "");
        assert_int_equal(s.core.lca, SVS_CHECK_LCA_LABELS);
    }
}

TEST_CASE(each_option_is_read) {
    svs__check_settings s;
    assert_true(reads(&s, "start=0:report=0 immediate=1\tsymbols=0\nexit=255::reports=7:frames=3"));
    assert_true(!s.start && !s.report && s.immediate && !s.symbols);
    assert_int_equal(s.exit, 255);
    assert_int_equal(s.reports, 7);
    assert_int_equal(s.frames, 3);
    assert_true(reads(&s, "json=a.json:suppressions=b.txt:seed=18446744073709551615:memory_mb=2"));
    assert_string_equal(s.json, "a.json");
    assert_string_equal(s.suppressions, "b.txt");
    assert_true(s.core.seed == UINT64_MAX);
    assert_int_equal(s.core.max_bytes, 2 << 20);
    assert_true(reads(&s, "lca=steal-tree:compare=1:yield_one_in=9:order_is_error=1"));
    assert_int_equal(s.core.lca, SVS_CHECK_LCA_STEAL_TREE);
    assert_int_equal(s.core.compare, 1);
    assert_int_equal(s.core.yield_one_in, 9);
    assert_int_equal(s.core.order_is_error, 1);
    assert_true(reads(&s, "lca=walk"));
    assert_int_equal(s.core.lca, SVS_CHECK_LCA_WALK);
}

TEST_CASE(what_is_not_understood_is_named) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"exit=256", "'256' cannot be exit"},
        {"exit=", "'' cannot be exit"},
        {"exit=-1", "'-1' cannot be exit"},
        {"exit=1x", "'1x' cannot be exit"},
        {"exit=:report=1", "'' cannot be exit"},
        {"start=2", "'2' cannot be start"},
        {"lca=fast", "'fast' cannot be lca"},
        {"json=", "'' cannot be json"},
        {"frames=1001", "'1001' cannot be frames"},
        {"report", "'report' is not one of start= report="},
        {"reports=1:jsn=x", "'jsn' is not one of"},
        {"=1", "'' is not one of"},
    };
    svs__check_settings s;
    char small[24], text[2 * SVS__CHECK_PATH] = "json=";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(reads(&s, cases[i].text));
        assert_non_null(strstr(error, cases[i].says));
    }
    assert_false(svs__check_settings_read(&s, "x", small, sizeof small)); /* as far as it goes */
    assert_non_null(strstr(small, "'x' is not one of"));
    memset(text + 5, 'j', SVS__CHECK_PATH); /* one too many */
    assert_false(reads(&s, text));
    assert_string_equal(s.json, "");
    memset(text + 5, 'j', sizeof text - 6);
    assert_false(reads(&s, text));
    assert_non_null(strstr(error, "'json=jjj"));
    assert_non_null(strstr(error, "...' is too long"));
}

/* ---- known findings ---- */

/* @return whether a file with this text is understood. */
static bool suppresses(const char *text) {
    char path[] = "/tmp/svs_suppress_XXXXXX";
    int file = mkstemp(path);
    bool good;
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(file), 0);
    good = svs__suppress_read(path, error, sizeof error);
    (void)unlink(path);
    return good;
}

TEST_CASE(patterns_match_whole_names) {
    assert_false(svs__suppress_function("update")); /* nothing has been read */
    assert_true(suppresses("# known\n\n  function:update_*\t\r\nfunction:exact\n"
                           "file:vendor_*.c\nfile:a/*/b.c\nobject:*global*x*\n"));
    assert_true(svs__suppress_function("update_"));
    assert_true(svs__suppress_function("update_counter"));
    assert_false(svs__suppress_function("an_update_counter"));
    assert_true(svs__suppress_function("exact"));
    assert_false(svs__suppress_function("exactly"));
    assert_false(svs__suppress_function("exac"));
    assert_false(svs__suppress_function(NULL));
    assert_true(svs__suppress_file("vendor_list.c"));
    assert_true(svs__suppress_file("/home/vendor/vendor_list.c"));
    assert_false(svs__suppress_file("/home/my_vendor_list.c"));
    assert_true(svs__suppress_file("/src/a/deep/down/b.c"));
    assert_false(svs__suppress_file("/src/a/b.c"));
    assert_false(svs__suppress_file(NULL));
    assert_false(svs__suppress_file(""));
    assert_true(svs__suppress_object("globalx"));
    assert_true(svs__suppress_object("a_global_of_xxy"));
    assert_false(svs__suppress_object("a_global"));
    assert_false(svs__suppress_object("exact")); /* a function's */
}

TEST_CASE(wrong_lines_are_named) {
    assert_false(suppresses("function:good\nrace:bad\n"));
    assert_non_null(strstr(error, ":2: 'race:bad' is not"));
    assert_false(suppresses("object:\n"));
    assert_non_null(strstr(error, ":1: 'object:' is not"));
    assert_false(svs__suppress_read("/no/such/file", error, sizeof error));
    assert_string_equal(error, "/no/such/file cannot be read");
}

TEST_CASE(there_is_room_for_a_thousand_lines) {
    static char text[1200 * 16];
    size_t used = 0;
    for (int i = 0; i < 1200; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "object:o%d\n", i);
    assert_false(suppresses(text));
    assert_true(svs__suppress_object("o500"));
    assert_false(svs__suppress_object("o1100"));
}

int main(void) { return run_cases(NULL, NULL); }
