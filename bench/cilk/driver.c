/* The main program of the suite: runs a program and its serial elision in turn, compares what they
 * made, and ends with one line of key=value pairs.
 *
 *     fib --policy work-first --threads 2 --verify
 *     program=fib policy=work-first threads=2 seconds=... serial_seconds=... verified=yes ... */
#include "common.h"
#include "common/clock.h"
#include "engine.h"
#include "program.h"
#include "settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program or its elision, its problem, and how long each run took. */
typedef struct side {
    const cilk_program *program;
    void *problem;
    double *seconds;
} side;

static side side_make(const cilk_program *program, const settings *s) {
    side made = {program, program->make(&s->size), bench_allocate(s->repeat, sizeof *made.seconds)};
    return made;
}

static void side_release(side *s) {
    s->program->release(s->problem);
    free(s->seconds);
}

static void side_reset(const side *s) {
    if (s->program->reset) s->program->reset(s->problem);
}

static double run_serially(const side *s) {
    double begin = clock_wall_seconds();
    s->program->run(NULL, s->problem);
    return clock_wall_seconds() - begin;
}

/* Prints the results. @return whether the answer is right. */
static bool verify(const side *parallel, const side *serial) {
    cilk_span answer = parallel->program->result(parallel->problem);
    cilk_span right = serial->program->result(serial->problem);
    bool equal = answer.bytes == right.bytes && !memcmp(answer.data, right.data, answer.bytes);
    double error = parallel->program->error(parallel->problem);
    bool good = error <= CILK_TOLERANCE;
    printf("%s the serial elision's %zu bytes; error %.3g, %s\n", equal ? "equal to" : "NOT",
           right.bytes, error, good ? "within the tolerance" : "TOO LARGE");
    return equal && good;
}

static void print_line(const settings *s, const side *parallel, const side *serial,
                       const engine_report *last, const char *verified) {
    const cilk_program *program = parallel->program;
    printf("program=%s policy=%s threads=%" PRIu32 " seconds=%.6f serial_seconds=%.6f verified=%s "
           "steals=%" PRIu64 " trace_bytes=%" PRIu64 " size=",
           program->name, settings_policies[s->policy], s->threads,
           bench_median(parallel->seconds, s->repeat), bench_median(serial->seconds, s->repeat),
           verified, last->steals, last->trace_bytes);
    for (size_t i = 0; i < settings_size_count(program); i++)
        printf("%s%" PRIu64, i ? "," : "", s->size.values[i]);
    if (program->calls) printf(" call=%s", program->calls[s->size.call]);
    if (program->answer) printf(" answer=%" PRIu64, program->answer(parallel->problem));
    printf(" repeat=%" PRIu32 "\n", s->repeat);
}

int main(int argc, char **argv) {
    settings s = settings_parse(&cilk_parallel, argc, argv);
    engine *e = engine_new(&s);
    side parallel = side_make(&cilk_parallel, &s), serial = side_make(&cilk_serial, &s);
    engine_report report = {0, 0, 0};
    bool right = true;
    for (uint32_t i = 0; s.measure && i < s.repeat; i++) {
        side_reset(&parallel);
        engine_measure(e, cilk_parallel.run, parallel.problem);
    }
    for (uint32_t i = 0; i < s.repeat; i++) {
        side_reset(&serial);
        serial.seconds[i] = run_serially(&serial);
        side_reset(&parallel);
        report = engine_run(e, cilk_parallel.run, parallel.problem);
        parallel.seconds[i] = report.seconds;
        if (s.verify) right = verify(&parallel, &serial) && right;
    }
    engine_write_trace(e);
    engine_free(e);
    print_line(&s, &parallel, &serial, &report, !s.verify ? "skipped" : right ? "yes" : "no");
    side_release(&parallel);
    side_release(&serial);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
