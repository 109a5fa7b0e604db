/* Numbers for people, and strings for JSON. */
#include "format.h"
#include "base/json_string.h"
#include <string.h>

#include "case.h"

TEST_CASE(counts_have_commas_between_thousands) {
    char text[TOOL_TEXT];
    assert_string_equal(tool_count(text, 0), "0");
    assert_string_equal(tool_count(text, 999), "999");
    assert_string_equal(tool_count(text, 1000), "1,000");
    assert_string_equal(tool_count(text, 1234567), "1,234,567");
    assert_string_equal(tool_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST_CASE(times_and_sizes_have_three_digits_and_a_unit) {
    char text[TOOL_TEXT];
    assert_string_equal(tool_time(text, 0), "0 ns");
    assert_string_equal(tool_time(text, 999), "999 ns");
    assert_string_equal(tool_time(text, 1500), "1.5 us");
    assert_string_equal(tool_time(text, 12345678), "12.3 ms");
    assert_string_equal(tool_time(text, 999999), "1 ms");
    assert_string_equal(tool_time(text, 7200000000000), "7200 s");
    assert_string_equal(tool_bytes(text, 1023), "1023 bytes");
    assert_string_equal(tool_bytes(text, 1536), "1.5 KB");
    assert_string_equal(tool_bytes(text, (uint64_t)123 << 20), "123 MB");
    assert_true(tool_percent(1, 8) == 12.5 && tool_percent(3, 0) == 0);
}

static void assert_json(const char *text, const char *expected) {
    char *written = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&written, &size);
    assert_non_null(output);
    svs__json_string(output, text);
    assert_int_equal(fclose(output), 0);
    assert_string_equal(written, expected);
    free(written);
}

TEST_CASE(strings_are_escaped) {
    assert_json(NULL, "null");
    assert_json("", "\"\"");
    assert_json("plain.svstrace", "\"plain.svstrace\"");
    assert_json("a\"b\\c", "\"a\\\"b\\\\c\"");
    assert_json("\n\t\x7f", "\"\\u000a\\u0009\\u007f\"");
    assert_json("</script><!--", "\"\\u003c/script>\\u003c!--\"");
}

TEST_CASE(what_is_no_utf8_is_replaced) {
    assert_json("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    assert_json("\xff", "\"\\ufffd\"");
    assert_json("a\xc3", "\"a\\ufffd\"");
    assert_json("\xe2\x82", "\"\\ufffd\\ufffd\"");
    assert_json("\xc0\xaf", "\"\\ufffd\\ufffd\"");
    assert_json("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");
    assert_json("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

TEST_CASE(microseconds_keep_their_digits) {
    char *written = NULL;
    size_t size = 0;
    FILE *output = open_memstream(&written, &size);
    assert_non_null(output);
    tool_json_us(output, 1234005);
    assert_int_equal(fclose(output), 0);
    assert_string_equal(written, "1234.005");
    free(written);
}

int main(void) { return run_cases(NULL, NULL); }
