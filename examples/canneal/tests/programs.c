/* canneal and netgen as a user meets them: exit statuses, messages, the line of results. */
#include "case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/tests/workplace.h"
#include "netlist.h"

static const char good[] = "3\t2\t2\na\t1\tb\tc\ta\tEND\nb\t2\ta\ta\tEND\nc\t1\tEND\n";

typedef struct bad_input {
    const char *text;
    const char *message; /* the message after the file's name */
} bad_input;

static const bad_input bad_headers[] = {
    {"", ":1: expected 'elements max_x max_y', found the end of the file"},
    {"\n\n", ":3: expected 'elements max_x max_y', found the end of the file"},
    {"10\n", ":1: expected 'elements max_x max_y', found the end of the line before max_x"},
    {"10 5\n", ":1: expected 'elements max_x max_y', found the end of the line before max_y"},
    {"x 5 5\n", ":1: expected the number of elements: 'x' is not a whole number"},
    {"0 5 5\n", ":1: expected the number of elements: '0' is not a whole number from 1"},
    {"-1 5 5\n", ":1: expected the number of elements: '-1' is not"},
    {"3.0 5 5\n", ":1: expected the number of elements: '3.0' is not"},
    {"99999999999999999999 5 5\n",
     ":1: expected the number of elements: '99999999999999999999' is not"},
    {"4294967297 5 5\n", ":1: expected the number of elements: '4294967297' is not"},
    {"3 y 5\n", ":1: expected max_x: 'y' is not a whole number from 1 to 65535"},
    {"3 5 65536\n", ":1: expected max_y: '65536' is not a whole number from 1 to 65535"},
    {"3 5 0\n", ":1: expected max_y: '0' is not"},
    {"10 3 3\n", ":1: expected a grid of 10 to 67108864 locations for 10 elements, found 3 x 3"},
    {"1 1 1\n", ":1: expected a grid of 2 to 67108864 locations for 1 elements, found 1 x 1"},
    {"10 65535 65535\n", ":1: expected a grid of 10 to 67108864 locations"},
    {"3 2 2 7\n", ":1: expected the end of the line after max_y, found '7'"},
    {"\x7f"
     "ELF\x01\x02\x80\xff\n",
     ":1: expected the number of elements: '"},
};

static const bad_input bad_elements[] = {
    {"2 2 2\na 1 b END\n", ":3: expected 2 elements, found the end of the file after 1"},
    {"2 2 2\n", ":2: expected 2 elements, found the end of the file after 0"},
    {"1 2 2\na 1 END\nb 1 END\n", ":3: expected the end of the file after 1 elements, found 'b'"},
    {"1 2 2\na 3 END\n", ":2: expected type 1 or 2, found '3'"},
    {"1 2 2\na b END\n", ":2: expected type 1 or 2, found 'b'"},
    {"1 2 2\na\n", ":2: expected type 1 or 2, found 'end of line'"},
    {"1 2 2\na 1\n", ":2: expected a fan-in or END, found the end of the line"},
    {"1 2 2\na 1 a a\n", ":2: expected a fan-in or END, found the end of the line"},
    {"1 2 2\na 1 a EN", ":2: expected a fan-in or END, found the end of the line"},
    {"1 2 2\na 1 a END b\n", ":2: expected the end of the line after END, found 'b'"},
    {"1 2 2\nEND\n", ":2: expected an element's name, found END"},
    {"2 2 2\na 1 b END\n\na 2 b END\n", ":4: expected a new name, found 'a' of line 2 again"},
    {"2 2 2\na 1 b END\nb 1 a zz END\n",
     ":3: expected the name of an element as fan-in, found 'zz'"},
    {"2 2 2\na 1 q END\nb 1 a q END\n", ":2: expected the name of an element as fan-in, found 'q'"},
};

static void refuse(const char *path, const char *message) {
    char kept[4096], expected[8192];
    snprintf(kept, sizeof kept, "%s", path);
    snprintf(expected, sizeof expected, "canneal: %s%s", kept, message);
    const outcome *o = workplace_run(CANNEAL_PROGRAM, "--engine", "serial", kept, NULL);
    assert_non_null(o);
    if (o->status != 2 || !strstr(o->err, expected) || o->out[0])
        fail_msg("expected status 2 and\n%s\nfound status %d and\n%s%s", expected, o->status,
                 o->err, o->out);
}

TEST_CASE(malformed_headers_are_refused) {
    for (size_t i = 0; i < sizeof bad_headers / sizeof *bad_headers; i++)
        refuse(workplace_write("bad.nets", bad_headers[i].text, strlen(bad_headers[i].text)),
               bad_headers[i].message);
}

TEST_CASE(malformed_elements_are_refused) {
    for (size_t i = 0; i < sizeof bad_elements / sizeof *bad_elements; i++)
        refuse(workplace_write("bad.nets", bad_elements[i].text, strlen(bad_elements[i].text)),
               bad_elements[i].message);
}

TEST_CASE(zero_bytes_are_refused) {
    static const char text[] = "1 2 2\na 1 a\0 END\n";
    refuse(workplace_write("bad.nets", text, sizeof text - 1),
           ":2: expected text, found a zero byte");
}

/* An element of `bytes` bytes, with the end of its line. */
static const char *write_long_line(size_t bytes) {
    static const char head[] = "1 2 2\na 1", tail[] = " END\n";
    size_t all = sizeof "1 2 2\n" - 1 + bytes;
    char *text = malloc(all);
    const char *path;
    assert_non_null(text);
    memset(text, ' ', all);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + all - (sizeof tail - 1), tail, sizeof tail - 1);
    path = workplace_write("long.nets", text, all);
    free(text);
    return path;
}

TEST_CASE(lines_have_a_bound) {
    netlist nets;
    char error[NETLIST_ERROR];
    assert_true(netlist_read(&nets, write_long_line(NETLIST_LINE_MAX), error));
    netlist_clean_up(&nets);
    refuse(write_long_line(NETLIST_LINE_MAX + 1),
           ":2: expected a line of at most 16777216 bytes, found a longer one");
}

TEST_CASE(unreadable_files_are_refused) {
    refuse(workplace_path("none.nets"), ": cannot open: No such file or directory");
    refuse(workplace_path("none.nets.xz"), ": cannot open: No such file or directory");
    refuse(workplace_path(""), ":1: cannot read: Is a directory");
}

/* Each truncated file is detected; only the last newline may be missing. */
TEST_CASE(truncated_files_are_refused) {
    const size_t length = sizeof good - 1;
    netlist nets;
    char error[NETLIST_ERROR];
    for (size_t cut = 0; cut <= length; cut++) {
        bool whole = netlist_read(&nets, workplace_write("cut.nets", good, cut), error);
        if (whole != (cut >= length - 1))
            fail_msg("%zu of %zu bytes: %s", cut, length, whole ? "accepted" : error);
        netlist_clean_up(&nets);
    }
}

TEST_CASE(compressed_files_are_read) {
    const outcome *o =
        workplace_run("xz", "-k", workplace_write("packed.nets", good, sizeof good - 1), NULL);
    if (!o || o->status) fail_msg("xz failed: install it (Debian: xz-utils)");
    netlist nets;
    char error[NETLIST_ERROR];
    assert_true(netlist_read(&nets, workplace_path("packed.nets.xz"), error));
    assert_int_equal(nets.elements, 3);
    netlist_clean_up(&nets);
    refuse(workplace_write("text.nets.xz", good, sizeof good - 1), ":1: cannot read: xz failed");
}

TEST_CASE(options_are_checked) {
    static const char *const bad[][2] = {
        {"--bogus", "--bogus"},
        {"--threads=0", "--threads: '0' is not a whole number from 1 to 1024"},
        {"--threads=two", "--threads: 'two' is not"},
        {"--swaps=-3", "--swaps: '-3' is not"},
        {"--temperature=nan", "--temperature: 'nan' is not a number"},
        {"--temperature=0", "--temperature: '0' is not a number"},
        {"--steps=-2", "--steps: '-2' is not"},
        {"--engine=fast", "--engine: 'fast' is not one of serial, mutex, atomic, svs"},
        {"--algorithm=x", "--algorithm: 'x' is not one of default, staged, progressive"},
        {"--lock=x", "--lock: 'x' is not one of pthread, spin, striped, rw, native"},
        {"--chunk=1025", "--chunk: '1025' is not"},
        {"--seed=", "--seed: '' is not"},
    };
    char path[4096];
    snprintf(path, sizeof path, "%s", workplace_write("good.nets", good, sizeof good - 1));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const outcome *o = workplace_run(CANNEAL_PROGRAM, bad[i][0], path, NULL);
        assert_non_null(o);
        if (o->status != 2 || !strstr(o->err, bad[i][1]))
            fail_msg("%s: status %d\n%s", bad[i][0], o->status, o->err);
    }
    assert_int_equal(workplace_run(CANNEAL_PROGRAM, NULL)->status, 2);
    assert_int_equal(workplace_run(CANNEAL_PROGRAM, path, path, NULL)->status, 2);
}

/* A refusal by the library fails the run with the library's message. */
TEST_CASE(the_library_is_heard) {
    const char *path = workplace_write("good.nets", good, sizeof good - 1);
    const outcome *o = workplace_run(CANNEAL_PROGRAM, "--signature=65", path, NULL);
    assert_non_null(o);
    assert_int_equal(o->status, 1);
    assert_non_null(strstr(o->err, "SVS_E_INVALID"));
}

TEST_CASE(the_line_of_results_is_whole) {
    static const char *const engines[] = {"serial", "mutex", "atomic", "svs", "scanned"};
    static const char *const keys[] = {
        " threads=",    " seconds=", " cost=",     " accepted_good=", " accepted_bad=",
        " elements=3 ", " steps=4 ", " swaps=50 ", " seed=9 ",        " check=ok\n"};
    char path[4096], first[32];
    snprintf(path, sizeof path, "%s", workplace_write("good.nets", good, sizeof good - 1));
    for (int e = 0; e < 5; e++) {
        const outcome *o = workplace_run(CANNEAL_PROGRAM, "--engine", engines[e], "--threads", "2",
                                         "--swaps", "50", "--temperature", "10.5", "--steps", "4",
                                         "--seed", "9", "--check", path, NULL);
        assert_non_null(o);
        assert_int_equal(o->status, 0);
        snprintf(first, sizeof first, "engine=%s threads=%d ", engines[e], e ? 2 : 1);
        assert_memory_equal(o->out, first, strlen(first));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strstr(o->out, keys[k])) fail_msg("no '%s' in %s", keys[k], o->out);
        assert_ptr_equal(strchr(o->out, '\n'), o->out + strlen(o->out) - 1);
    }
}

static const char *line_of(const char *text, unsigned number) {
    for (; number > 1 && text; number--) text = strchr(text, '\n') + 1;
    return text;
}

TEST_CASE(netgen_has_the_shape) {
    netlist nets;
    char error[NETLIST_ERROR];
    const outcome *o =
        workplace_run(NETGEN_PROGRAM, "--elements", "800", "--grid", "40", "--seed", "3", NULL);
    assert_non_null(o);
    assert_int_equal(o->status, 0);
    assert_memory_equal(line_of(o->out, 1), "800\t40\t40\na\t", 12);
    assert_memory_equal(line_of(o->out, 1 + 26), "z\t", 2);
    assert_memory_equal(line_of(o->out, 1 + 27), "aa\t", 3);
    assert_memory_equal(line_of(o->out, 1 + 702), "zz\t", 3);
    assert_memory_equal(line_of(o->out, 1 + 703), "aaa\t", 4);
    unsigned types[3] = {0};
    for (unsigned i = 2; i <= 801; i++) {
        char type;
        assert_int_equal(sscanf(line_of(o->out, i),
                                "%*[a-z]\t%c\t%*[a-z]\t%*[a-z]\t%*[a-z]\t%*[a-z]\t%*[a-z]\tEND",
                                &type),
                         1);
        assert_in_range(type, '1', '2');
        types[type - '0']++;
    }
    assert_in_range(types[1], 330, 470); /* 400 with a deviation of 14 */
    assert_true(netlist_read(&nets, workplace_write("made.nets", o->out, strlen(o->out)), error));
    assert_int_equal(nets.elements, 800);
    assert_int_equal(nets.locations, 1600);
    assert_int_equal(nets.wires, 4000);
    netlist_clean_up(&nets);
}

TEST_CASE(netgen_repeats_itself) {
    static char first[OUTPUT_MAX];
    memcpy(first, workplace_run(NETGEN_PROGRAM, "--elements", "50", NULL)->out, OUTPUT_MAX);
    assert_string_equal(workplace_run(NETGEN_PROGRAM, "--elements", "50", "--seed", "1", NULL)->out,
                        first);
    assert_string_not_equal(
        workplace_run(NETGEN_PROGRAM, "--elements", "50", "--seed", "2", NULL)->out, first);
    const outcome *o = workplace_run(NETGEN_PROGRAM, "--elements", "50", "--grid", "7", NULL);
    assert_int_equal(o->status, 2);
    assert_non_null(strstr(o->err, "expected a grid of 50 to 67108864 locations, found 7 x 7"));
}

int main(void) { return run_cases(workplace_open, workplace_close); }
