/* Traces as bytes and as files: the writer follows the description of the format; the reader
 * refuses truncated or changed bytes, with a message that says where. */
#include "fake.h"
#include "script.h"
#include <stdio.h>
#include <unistd.h>

static svs_status unpack(const script *s, svs_trace **trace, char *message) {
    message[0] = '\0';
    return svs__trace_unpack(&svs__allocator_libc, s->bytes, s->size, trace, message,
                             SVS_TRACE_MESSAGE);
}

/* A wrong version in the header has another status than an error at any other byte. */
static bool is_of_version(size_t byte) {
    return byte >= SVS__FILE_AT_VERSION && byte < SVS__FILE_AT_VERSION + 4;
}

static void expect_answer(const script *s, svs_status status, const char *answer) {
    char message[SVS_TRACE_MESSAGE];
    svs_trace *trace;
    assert_int_equal(unpack(s, &trace, message), status);
    assert_null(trace);
    assert_string_equal(message, answer);
}

static void expect_refused(const script *s, const char *answer) {
    expect_answer(s, SVS_E_TRACE, answer);
}

/* Two workers: a root with asyncs 0 to 299, of which the other steals number 200. */
static void small(script *s) {
    script first = {{0}, 0}, second = {{0}, 0};
    script_event(&first, ROOT, -1, 0, 100, 0);
    script_event(&first, END, -1, 300, 5000, 0);
    script_event(&second, STOLEN, 0, 0, 400, 200);
    script_event(&second, END, -1, 7, 600, 0);
    script_head(s, SVS_POLICY_HELP_FIRST, 2, 6000);
    script_measure(s, 5600, 5000, 300, 30);
    script_worker(s, &first, 1, 0);
    script_worker(s, &second, 1, 0);
    script_seal(s);
}

TEST_CASE(what_is_written_by_hand_is_what_the_library_writes) {
    char message[SVS_TRACE_MESSAGE];
    svs_trace_statistics statistics;
    unsigned char *bytes;
    size_t size;
    svs_trace *trace;
    svs__steal_tree *tree;
    script s;
    small(&s);
    assert_int_equal(unpack(&s, &trace, message), SVS_OK);
    assert_int_equal(svs__trace_pack(trace, &bytes, &size), SVS_OK);
    assert_int_equal(size, s.size);
    assert_memory_equal(bytes, s.bytes, size);
    svs__release(&trace->allocator, bytes, size, 1);
    assert_int_equal(svs__tree_new(trace, &tree, message, sizeof message), SVS_OK);
    assert_int_equal(svs__tree_verify(tree, message, sizeof message), SVS_OK);
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    assert_int_equal(statistics.cpus, 4);
    assert_int_equal(statistics.measure.work_ns, 5600);
    assert_int_equal(statistics.measure.span_ns, 5000);
    assert_int_equal(statistics.measure.asyncs, 300);
    assert_int_equal(statistics.measure.clock_ns, 30);
    assert_int_equal(tree->duration_ns, 6000);
    assert_int_equal(tree->worker[0].phases[0].begin_ns, 100);
    assert_int_equal(tree->worker[0].phases[0].end_ns, 5100);
    assert_int_equal(tree->worker[0].phases[0].end, 300);
    assert_int_equal(tree->worker[0].asyncs, 300);
    assert_int_equal(tree->worker[1].phases[0].start.at, 200);
    assert_int_equal(tree->worker[1].phases[0].end, 7);
    svs__tree_free(tree);
    svs_trace_free(trace);
}

static const char *page; /* docs/trace-format.md */

/* Appends the bytes of a line like "40: 00 00 01   words": two spaces end them. */
static void read_dump_line(script *s, const char *line) {
    unsigned long at, byte;
    char *end;
    at = strtoul(line, &end, 10);
    if (end == line || *end != ':') return;
    assert_int_equal(at, s->size);
    for (line = end + 1; line[0] == ' ' && line[1] != ' '; line = end) {
        byte = strtoul(line, &end, 16);
        assert_true(end == line + 3 && byte < 256);
        script_byte(s, (unsigned)byte);
    }
}

TEST_CASE(the_pages_example_is_true) {
    script expected, dumped = {{0}, 0};
    char line[512];
    bool inside = false;
    FILE *file;
    assert_non_null(page);
    file = fopen(page, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "```", 3) == 0) inside = !inside;
        else if (inside) read_dump_line(&dumped, line);
    }
    (void)fclose(file);
    small(&expected);
    assert_int_equal(dumped.size, expected.size);
    assert_memory_equal(dumped.bytes, expected.bytes, expected.size);
}

/* A small random run as bytes. */
static unsigned char *random_bytes(uint64_t seed, uint32_t steps, size_t *size) {
    svs__recorder *recorder;
    unsigned char *bytes;
    svs_trace *trace;
    fake f;
    fake_init(&f, seed, (uint32_t)seed % 2, 3);
    recorder = fake_record(&f, &svs__allocator_libc, (size_t)1 << 20);
    fake_run(&f, steps);
    trace = svs__recorder_finish(recorder);
    assert_int_equal(svs__trace_pack(trace, &bytes, size), SVS_OK);
    svs_trace_free(trace);
    fake_free(&f);
    return bytes;
}

TEST_CASE(any_byte_changed_is_an_error) {
    size_t size;
    unsigned char *bytes = random_bytes(4, 200, &size);
    char message[SVS_TRACE_MESSAGE];
    svs_trace *trace;
    assert_true(size > 200);
    for (size_t i = 0; i < size; i++) {
        for (unsigned change = 1; change < 256; change++) {
            bytes[i] ^= (unsigned char)change;
            message[0] = '\0';
            assert_int_equal(svs__trace_unpack(&svs__allocator_libc, bytes, size, &trace, message,
                                               sizeof message),
                             is_of_version(i) && (i != SVS__FILE_AT_VERSION ||
                                                  bytes[i] != SVS__FILE_VERSION_GRAPHS)
                                 ? SVS_E_VERSION
                                 : SVS_E_TRACE);
            assert_null(trace);
            assert_true(strlen(message) > 10);
            bytes[i] ^= (unsigned char)change;
        }
    }
    free(bytes);
}

TEST_CASE(any_cut_and_any_addition_is_an_error) {
    size_t size;
    unsigned char *bytes = random_bytes(4, 60, &size);
    char message[SVS_TRACE_MESSAGE];
    svs_trace *trace;
    for (size_t length = 0; length <= size + 64; length++) {
        /* Of its own size, so that a sanitizer sees what lies beyond. */
        unsigned char *part = calloc(1, length + (length == 0));
        memcpy(part, bytes, length < size ? length : size);
        message[0] = '\0';
        assert_int_equal(
            svs__trace_unpack(&svs__allocator_libc, part, length, &trace, message, sizeof message),
            length == size ? SVS_OK : SVS_E_TRACE);
        if (length != size) {
            assert_null(trace);
            assert_true(strlen(message) > 10);
        }
        svs_trace_free(trace);
        free(part);
    }
    free(bytes);
}

/* With a checksum that is right again: what is left is read, or refused; never more than it is. */
TEST_CASE(a_changed_byte_with_a_right_checksum_is_read_or_refused) {
    size_t size;
    unsigned char *bytes = random_bytes(6, 120, &size);
    uint32_t read = 0, refused = 0;
    for (size_t i = 8; i < size - 8; i++) {
        for (unsigned change = 1; change < 256; change += change < 8 ? 1 : 31) {
            svs_trace *trace;
            unsigned char *again;
            size_t again_size;
            uint64_t sum;
            bytes[i] ^= (unsigned char)change;
            sum = svs__file_sum(bytes, size - 8);
            for (unsigned b = 0; b < 8; b++) bytes[size - 8 + b] = (unsigned char)(sum >> 8 * b);
            if (svs__trace_unpack(&svs__allocator_libc, bytes, size, &trace, NULL, 0) == SVS_OK) {
                svs_status status = svs_trace_verify(trace, NULL, 0);
                assert_true(status == SVS_OK || status == SVS_E_TRACE);
                assert_int_equal(svs__trace_pack(trace, &again, &again_size), SVS_OK);
                assert_int_equal(again_size, size);
                assert_memory_equal(again, bytes, size);
                free(again);
                svs_trace_free(trace);
                read++;
            } else refused++;
            bytes[i] ^= (unsigned char)change;
        }
    }
    assert_true(read > 100 && refused > 100);
    free(bytes);
}

TEST_CASE(heads_that_are_wrong_are_refused) {
    static const struct {
        size_t at;
        unsigned bytes;
        uint64_t number;
        const char *answer;
    } rows[] = {
        {0, 1, 'x', "byte 0: this is no trace: it does not begin with 89 53 56 53 54 0d 0a 1a"},
        {8, 4, 1, "byte 8: this is a trace of version 1; version 2 or 4 was expected"},
        {8, 4, 3, "byte 8: this is a trace of version 3; version 2 or 4 was expected"},
        {12, 4, 2, "byte 12: policy 2; 0 (help-first) or 1 (work-first) was expected"},
        {16, 4, 0, "byte 16: 0 workers; 1 to 1024 were expected"},
        {16, 4, 1025, "byte 16: 1025 workers; 1 to 1024 were expected"},
        {20, 4, 0, "byte 20: clock 0; 1 was expected"},
        {24, 8, 83, "byte 24: a length of 83 bytes; at least 84 were expected"},
        {24, 8, (uint64_t)1 << 60,
         "byte 112: the file ends: it was cut; by its head it has 1152921504606846976 bytes"},
        {24, 8, 96, "byte 112: the file goes on; by its head it has 96 bytes"},
        {40, 8, 4999, "byte 48: a span of 5000 ns; 1 to the work's 4999 were expected"},
        {40, 8, 0, "byte 48: nothing was measured, but there are figures of it"},
        {48, 8, 5601, "byte 48: a span of 5601 ns; 1 to the work's 5600 were expected"},
        {48, 8, 0, "byte 48: a span of 0 ns; 1 to the work's 5600 were expected"},
        {32, 8, 5099,
         "byte 89: worker 0's last event is at 5100 ns; at most the trace's 5099 were "
         "expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        script s;
        small(&s);
        assert_int_equal(s.size, 112);
        script_fixed_at(&s, rows[i].at, rows[i].number, rows[i].bytes);
        script_fixed_at(&s, s.size - 8, svs__file_sum(s.bytes, s.size - 8), 8);
        expect_answer(&s, is_of_version(rows[i].at) ? SVS_E_VERSION : SVS_E_TRACE, rows[i].answer);
    }
}

/* One worker with these events, said to be one phase. */
static void of_events(script *s, const script *events, uint64_t phases) {
    script_head(s, SVS_POLICY_HELP_FIRST, 1, UINT64_MAX);
    script_worker(s, events, phases, 0);
    script_seal(s);
}
/* These are refused; then there are none. */
static void expect_events_refused(script *events, uint64_t phases, const char *answer) {
    script s;
    of_events(&s, events, phases);
    expect_refused(&s, answer);
    events->size = 0;
}

TEST_CASE(events_that_are_wrong_are_refused) {
    script events = {{0}, 0};
    script_event(&events, 6, -1, 0, 0, 0);
    expect_events_refused(&events, 1, "byte 81: worker 0's event is of an unknown kind");
    script_event(&events, END, -1, 0, 0, 0);
    expect_events_refused(&events, 0,
                          "byte 81: worker 0's event is of a phase, but none has begun");
    script_event(&events, ROOT, -1, 0, 0, 0);
    script_event(&events, END, -1, 0, 0, 0);
    script_event(&events, SUSPENDED, -1, 0, 0, 0);
    expect_events_refused(&events, 1,
                          "byte 87: worker 0's event is of a phase, but none has begun");
    script_event(&events, STOLEN, 1, 0, 0, 0);
    expect_events_refused(&events, 1,
                          "byte 81: worker 0's event names a worker that does not exist");
    script_number(&events, ROOT + 8);
    script_number(&events, 0);
    script_number(&events, 0);
    expect_events_refused(&events, 1, "byte 81: worker 0's event names a worker, but needs none");
    script_event(&events, ROOT, -1, UINT64_MAX, 0, 0);
    script_event(&events, END, -1, 1, 0, 0);
    expect_events_refused(&events, 1, "byte 93: worker 0's event counts too many asyncs");
    script_event(&events, ROOT, -1, 0, UINT64_MAX, 0);
    script_event(&events, END, -1, 0, 1, 0);
    expect_events_refused(&events, 1, "byte 93: worker 0's event is later than a clock can tell");
    script_event(&events, WAITED, 0, 0, 5, 5);
    expect_events_refused(&events, 0,
                          "byte 81: worker 0's event is of a phase, but none has begun");
    script_event(&events, ROOT, -1, 0, 0, 0);
    script_event(&events, WAITED, 0, 0, 4, 5);
    expect_events_refused(&events, 1, "byte 84: worker 0's event waited for longer than it took");
    script_event(&events, ROOT, -1, 0, 0, 0);
    script_event(&events, WAITED, 1, 0, 4, 4);
    expect_events_refused(&events, 1, "byte 84: worker 0's event names a worker, but needs none");
    script_event(&events, ROOT, -1, 0, 0, 0);
    expect_events_refused(&events, 2, "byte 84: 1 phases of worker 0; 2 were expected");
    script_event(&events, ROOT, -1, 0, 0, 0);
    expect_events_refused(&events, (uint64_t)1 << 60,
                          "byte 92: 1 phases of worker 0; 1152921504606846976 were expected");
}

TEST_CASE(numbers_that_are_wrong_are_refused) {
    static const unsigned char wrong[][11] = {
        {2, 0x80},                                                       /* cut off */
        {2, 0x80, 0x00},                                                 /* too long */
        {2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}, /* 65 bits */
        {2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
    };
    static const size_t sizes[] = {2, 3, 11, 11};
    script events = {{0}, 0}, s;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memcpy(events.bytes, wrong[i], sizes[i]);
        events.size = sizes[i];
        of_events(&s, &events, 1);
        expect_refused(&s, "byte 81: worker 0's event is no number, or is cut off");
    }
    /* The numbers before the events: none at all; and more bytes than there are. */
    script_head(&s, SVS_POLICY_HELP_FIRST, 1, 0);
    script_seal(&s);
    expect_refused(&s, "byte 76: no number; worker 0's first ordinal was expected");
    script_head(&s, SVS_POLICY_HELP_FIRST, 1, 0);
    for (int i = 0; i < 4; i++) script_number(&s, 0);
    script_number(&s, (uint64_t)1 << 60);
    script_seal(&s);
    expect_refused(&s, "byte 89: worker 0 has 1152921504606846976 bytes of events, but 0 are left");
    script_head(&s, SVS_POLICY_HELP_FIRST, 1, 0);
    for (int i = 0; i < 7; i++) script_number(&s, 0);
    script_seal(&s);
    expect_refused(&s, "byte 81: 2 bytes more than the workers have");
}

TEST_CASE(what_came_from_before_the_trace_is_refused) {
    script second = {{0}, 0}, s;
    script_event(&second, STOLEN, 0, 0, 0, 99);
    script_head(&s, SVS_POLICY_HELP_FIRST, 2, 0);
    script_number(&s, 100); /* worker 0 had 100 asyncs before */
    for (int i = 0; i < 4; i++) script_number(&s, 0);
    script_worker(&s, &second, 1, 0);
    script_seal(&s);
    expect_refused(&s, "byte 86: worker 1's event came from before the beginning of the trace");
}

/* A measurement is set, changed and removed again; an impossible one is refused. */
TEST_CASE(a_measure_goes_with_a_trace) {
    static const svs_measure good = {1000, 250, 7, 20},
                             wrong[] = {{1000, 1001, 7, 20}, {1000, 0, 7, 20}},
                             without = {0, 0, 7, 20};
    svs_trace_statistics statistics;
    size_t size;
    unsigned char *bytes = random_bytes(5, 100, &size);
    unsigned char *again;
    size_t again_size;
    svs_trace *trace, *read;
    assert_int_equal(svs__trace_unpack(&svs__allocator_libc, bytes, size, &trace, NULL, 0), SVS_OK);
    assert_int_equal(svs_trace_measure_set(NULL, &good), SVS_E_NULL);
    assert_int_equal(svs_trace_measure_set(trace, &good), SVS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(svs_trace_measure_set(trace, &wrong[i]), SVS_E_INVALID);
    assert_int_equal(svs__trace_pack(trace, &again, &again_size), SVS_OK);
    assert_int_equal(svs__trace_unpack(&svs__allocator_libc, again, again_size, &read, NULL, 0),
                     SVS_OK);
    free(again);
    assert_int_equal(svs_trace_statistics_get(read, &statistics), SVS_OK);
    assert_memory_equal(&statistics.measure, &good, sizeof good);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(svs_trace_measure_set(read, i == 0 ? NULL : &without), SVS_OK);
        assert_int_equal(svs__trace_pack(read, &again, &again_size), SVS_OK);
        assert_int_equal(again_size, size);
        assert_memory_equal(again, bytes, size);
        free(again);
        assert_int_equal(svs_trace_measure_set(read, &good), SVS_OK);
    }
    svs_trace_free(read);
    svs_trace_free(trace);
    free(bytes);
}

/* ---- files ---- */

static const char *temporary(const char *name) {
    static char path[256];
    const char *directory = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/svs_trace_%ld_%s", directory == NULL ? "/tmp" : directory,
                   (long)getpid(), name);
    return path;
}

TEST_CASE(a_file_gives_back_what_was_written) {
    char message[SVS_TRACE_MESSAGE] = "";
    const char *path = temporary("whole");
    for (uint64_t seed = 1; seed < 4; seed++) {
        size_t size, again_size;
        unsigned char *bytes = random_bytes(seed, 200000, &size), *again;
        svs_trace *trace, *read;
        assert_true(size > 70000); /* more than is read at once */
        assert_int_equal(svs__trace_unpack(&svs__allocator_libc, bytes, size, &trace, NULL, 0),
                         SVS_OK);
        if (svs_trace_write(trace, path, message, sizeof message)) fail_msg("%s", message);
        if (svs_trace_read(path, &read, message, sizeof message)) fail_msg("%s", message);
        assert_int_equal(svs__trace_pack(read, &again, &again_size), SVS_OK);
        assert_int_equal(again_size, size);
        assert_memory_equal(again, bytes, size);
        free(bytes);
        free(again);
        svs_trace_free(read);
        svs_trace_free(trace);
    }
    assert_int_equal(unlink(path), 0);
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void expect_unreadable(const char *path, svs_status status, const char *part) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace = (svs_trace *)(uintptr_t)1;
    assert_int_equal(svs_trace_read(path, &trace, message, sizeof message), status);
    assert_null(trace);
    if (strstr(message, part) == NULL) fail_msg("'%s' is not in '%s'", part, message);
}

TEST_CASE(files_that_are_no_traces_are_refused) {
    const char *path = temporary("other");
    size_t size;
    unsigned char *bytes = random_bytes(2, 200000, &size);
    char *text = malloc(300000);
    expect_unreadable(path, SVS_E_FILE, "cannot be opened: No such file or directory");
    write_bytes(path, "", 0);
    expect_unreadable(path, SVS_E_TRACE, "byte 0: the file ends; a head of 76 bytes was expected");
    memset(text, 'a', 300000);
    write_bytes(path, text, 300000);
    expect_unreadable(path, SVS_E_TRACE, "byte 0: this is no trace");
    write_bytes(path, bytes, 70000);
    expect_unreadable(path, SVS_E_TRACE, "byte 70000: the file ends: it was cut");
    bytes[SVS__FILE_AT_VERSION] ^= 4;
    write_bytes(path, bytes, size);
    expect_unreadable(path, SVS_E_VERSION, "byte 8: this is a trace of version 6");
    bytes[SVS__FILE_AT_VERSION] ^= 4;
    bytes[size / 2] ^= 1;
    write_bytes(path, bytes, size);
    expect_unreadable(path, SVS_E_TRACE, "the file was changed");
    expect_unreadable("/dev/zero", SVS_E_TRACE, "byte 0: this is no trace");
    expect_unreadable("/", SVS_E_FILE, "directory");
    assert_int_equal(unlink(path), 0);
    free(text);
    free(bytes);
}

TEST_CASE(files_that_cannot_be_written_are_reported) {
    char message[SVS_TRACE_MESSAGE] = "";
    script s;
    svs_trace *trace;
    small(&s);
    assert_int_equal(unpack(&s, &trace, message), SVS_OK);
    assert_int_equal(svs_trace_write(trace, "/nowhere/at/all", message, sizeof message),
                     SVS_E_FILE);
    assert_string_equal(message,
                        "/nowhere/at/all cannot be opened for writing: No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(svs_trace_write(trace, "/dev/full", message, sizeof message), SVS_E_FILE);
        assert_string_equal(message,
                            "/dev/full could not be written to its end: No space left on device");
    }
    svs_trace_free(trace);
}

TEST_CASE(misuse_is_answered) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace;
    script s;
    small(&s);
    assert_int_equal(svs_trace_bytes(NULL), 0);
    svs_trace_free(NULL);
    /* A message is cut to the room that it has. */
    s.bytes[8] = 7;
    assert_int_equal(svs__trace_unpack(&svs__allocator_libc, s.bytes, s.size, &trace, message, 12),
                     SVS_E_VERSION);
    assert_string_equal(message, "byte 8: thi");
}

int main(int argc, char **argv) {
    if (argc == 2) page = argv[1];
    return run_cases(NULL, NULL);
}
