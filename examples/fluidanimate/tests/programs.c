/* fluidanimate as a user meets it: exit statuses, messages, files and the line of results. */
#include "case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/tests/workplace.h"
#include "drop.h"
#include "file.h"

#define PARTICLES 2
#define GOOD_BYTES (8 + PARTICLES * 36)

static unsigned char good[GOOD_BYTES];

static void put(size_t at, float value) { memcpy(good + at, &value, 4); }
static void put_count(int32_t count) { memcpy(good + 4, &count, 4); }

static void make_good(void) {
    memset(good, 0, sizeof good);
    put(0, 204);
    put_count(PARTICLES);
    put(8 + 36, 0.01f);
}

static char kept[4096];
static const char *keep(const char *name) {
    snprintf(kept, sizeof kept, "%s", name);
    return kept;
}

static void refuse(const char *path, const char *message) {
    char wanted[8192];
    snprintf(wanted, sizeof wanted, "fluidanimate: %s: %s", keep(path), message);
    const outcome *o = workplace_run(FLUIDANIMATE_PROGRAM, "--engine", "serial", kept, NULL);
    assert_non_null(o);
    if (o->status != 2 || !strstr(o->err, wanted) || o->out[0])
        fail_msg("expected status 2 and\n%s\nfound status %d and\n%s%s", wanted, o->status, o->err,
                 o->out);
}

static void refuse_bytes(size_t count, const char *message) {
    refuse(workplace_write("bad.fluid", good, count), message);
    make_good();
}

TEST_CASE(malformed_files_are_refused) {
    make_good();
    put(0, 0);
    refuse_bytes(GOOD_BYTES,
                 "at byte 0: expected the particles in a metre, from 14 to 4000, found 0");
    put(0, NAN);
    refuse_bytes(GOOD_BYTES, "at byte 0: expected the particles in a metre");
    put_count(0);
    refuse_bytes(GOOD_BYTES,
                 "at byte 4: expected the number of particles, from 1 to 100000000, found 0");
    put_count(-5);
    refuse_bytes(GOOD_BYTES, "at byte 4: expected the number of particles, from 1 to 100000000, "
                             "found -5");
    put(8 + 36 + 4 * 4, INFINITY);
    refuse_bytes(GOOD_BYTES, "at byte 60: expected hvy of particle 1, found inf");
    put_count(1);
    refuse_bytes(GOOD_BYTES, "at byte 44: expected the end of the file after 1 particles");
    put_count(100000000);
    refuse_bytes(GOOD_BYTES,
                 "at byte 80: expected px of particle 2 of 100000000, found the end of the file");
}

/* Each truncated file is detected, with the byte where it ends. */
TEST_CASE(truncated_files_are_refused) {
    char at[40], error[FLUID_FILE_ERROR];
    make_good();
    for (size_t cut = 0; cut <= GOOD_BYTES; cut++) {
        fluid f;
        bool whole = fluid_read(&f, workplace_write("cut.fluid", good, cut), error);
        snprintf(at, sizeof at, ": at byte %zu: expected ", cut);
        if (whole != (cut == GOOD_BYTES) || (!whole && !strstr(error, at)))
            fail_msg("%zu of %d bytes: %s", cut, GOOD_BYTES, whole ? "accepted" : error);
        fluid_clean_up(&f);
    }
    refuse_bytes(0, "at byte 0: expected the particles in a metre (a float), found the end of");
    refuse_bytes(6, "at byte 6: expected the number of particles (an int), found the end of");
    refuse_bytes(30, "at byte 30: expected hvz of particle 0 of 2, found the end of the file");
}

TEST_CASE(unreadable_files_are_refused) {
    refuse(workplace_path("none.fluid"), "cannot open: No such file or directory");
    refuse(workplace_path("none.fluid.xz"), "cannot open: No such file or directory");
    refuse(workplace_path(""), "at byte 0: cannot read: Is a directory");
}

TEST_CASE(options_are_checked) {
    static const char *const bad[][2] = {
        {"--bogus", "--bogus"},
        {"--threads=0", "--threads: '0' is not a whole number from 1 to 1024"},
        {"--frames=-1", "--frames: '-1' is not"},
        {"--engine=fast", "--engine: 'fast' is not one of serial, mutex, svs"},
        {"--algorithm=x", "--algorithm: 'x' is not one of default, staged, progressive"},
        {"--lock=x", "--lock: 'x' is not one of pthread, spin, striped, rw, native"},
        {"--blocks-z=0", "--blocks-z: '0' is not"},
        {"--tolerance=-1", "--tolerance: '-1' is not"},
        {"--compare", "--compare takes two files"},
    };
    make_good();
    keep(workplace_write("good.fluid", good, sizeof good));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const outcome *o = workplace_run(FLUIDANIMATE_PROGRAM, bad[i][0], kept, NULL);
        assert_non_null(o);
        if (o->status != 2 || !strstr(o->err, bad[i][1]))
            fail_msg("%s: status %d\n%s", bad[i][0], o->status, o->err);
    }
    assert_int_equal(workplace_run(FLUIDANIMATE_PROGRAM, NULL)->status, 2);
    assert_int_equal(workplace_run(FLUIDANIMATE_PROGRAM, kept, kept, NULL)->status, 2);
}

TEST_CASE(the_line_of_results_is_whole) {
    static const char *const engines[] = {"serial", "mutex", "svs"};
    static const char *const keys[] = {
        " frames=3 ", " particles=2 ",  " seconds=",    " prepare_seconds=",
        " frame_ms=", " frame_p99_ms=", " cpu_seconds="};
    char first[32];
    make_good();
    keep(workplace_write("good.fluid", good, sizeof good));
    for (int e = 0; e < 3; e++) {
        const outcome *o = workplace_run(FLUIDANIMATE_PROGRAM, "--engine", engines[e], "--threads",
                                         "2", "--frames", "3", kept, NULL);
        assert_non_null(o);
        assert_int_equal(o->status, 0);
        snprintf(first, sizeof first, "engine=%s threads=%d ", engines[e], e ? 2 : 1);
        assert_memory_equal(o->out, first, strlen(first));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!strstr(o->out, keys[k])) fail_msg("no '%s' in %s", keys[k], o->out);
        if (e == 2 && !strstr(o->out, " deferrals_true="))
            fail_msg("no causes of deferrals in %s", o->out);
        assert_ptr_equal(strchr(o->out, '\n'), o->out + strlen(o->out) - 1);
    }
}

static const outcome *compare(const char *a, const char *b) {
    const outcome *o =
        workplace_run(FLUIDANIMATE_PROGRAM, "--compare", a, b, "--tolerance", "1e-5", NULL);
    assert_non_null(o);
    return o;
}

TEST_CASE(written_files_are_compared) {
    static const char *const engines[] = {"serial", "mutex", "svs"};
    char error[FLUID_FILE_ERROR], in[4096], out[3][4128];
    fluid f;
    assert_null(drop_make(&f, 150, 12, 3));
    snprintf(in, sizeof in, "%s", workplace_path("in.fluid"));
    if (!fluid_write(&f, in, error)) fail_msg("%s", error);
    fluid_clean_up(&f);
    for (int e = 0; e < 3; e++) {
        snprintf(out[e], sizeof out[e], "%s.%s", in, engines[e]);
        const outcome *o =
            workplace_run(FLUIDANIMATE_PROGRAM, "--engine", engines[e], in, "--out", out[e], NULL);
        assert_int_equal(o->status, 0);
    }
    for (int e = 1; e < 3; e++) {
        const outcome *o = compare(out[0], out[e]);
        assert_int_equal(o->status, 0);
        assert_non_null(strstr(o->out, "equal=yes "));
    }
    assert_non_null(strstr(compare(in, in)->out, "equal=yes identical=yes"));
    assert_int_equal(compare(in, out[0])->status, 1);
    assert_non_null(strstr(compare(in, out[0])->out, "equal=no "));
    make_good();
    keep(workplace_write("good.fluid", good, sizeof good));
    assert_int_equal(compare(in, kept)->status, 1);
    assert_int_equal(compare(in, workplace_write("cut.fluid", good, 9))->status, 2);
}

TEST_CASE(what_cannot_be_written_is_told) {
    make_good();
    keep(workplace_write("good.fluid", good, sizeof good));
    const outcome *o =
        workplace_run(FLUIDANIMATE_PROGRAM, kept, "--out", "/nowhere/at/all.fluid", NULL);
    assert_int_equal(o->status, 1);
    assert_non_null(strstr(o->err, "/nowhere/at/all.fluid: cannot write: No such file"));
    o = workplace_run(FLUIDANIMATE_PROGRAM, kept, "--out", "/dev/full", NULL);
    assert_int_equal(o->status, 1);
    assert_non_null(strstr(o->err, "/dev/full: cannot write: No space left"));
}

/* The picture has a dot for each particle. */
TEST_CASE(a_frame_is_drawn) {
    char picture[4096], text[20000];
    make_good();
    snprintf(picture, sizeof picture, "%s", workplace_path("frame.svg"));
    keep(workplace_write("good.fluid", good, sizeof good));
    assert_int_equal(workplace_run(FLUIDANIMATE_PROGRAM, kept, "--svg", picture, NULL)->status, 0);
    FILE *file = fopen(picture, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    unsigned dots = 0;
    for (const char *at = text; (at = strstr(at, "h0")); at += 2) dots++;
    assert_int_equal(dots, PARTICLES);
    assert_non_null(strstr(text, "</svg>\n"));
}

int main(void) { return run_cases(workplace_open, workplace_close); }
