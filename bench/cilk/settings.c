#include "settings.h"
#include "common.h"
#include "common/numbers.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { EXIT_USAGE = 2, TEXT = 512 };

enum {
    KEY_POLICY = 256,
    KEY_THREADS,
    KEY_SIZE,
    KEY_SMALL,
    KEY_PAPER,
    KEY_REPEAT,
    KEY_VERIFY,
    KEY_TRACE,
    KEY_REPLAY,
    KEY_TIMED,
    KEY_MEASURE,
    KEY_CALL,
    OPTIONS = 13 /* with the end */
};

const char *const settings_policies[] = {"help-first", "work-first", NULL};

typedef enum preset { SMALL, USUAL, PAPER } preset;

/* While the options are read. */
typedef struct parsing {
    const cilk_program *program;
    settings result;
    preset preset;
    uint64_t given[CILK_PARAMETERS];
    size_t given_count;
} parsing;

typedef struct text {
    char of[TEXT];
    size_t length;
} text;

static void text_add(text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(t->of + t->length, sizeof t->of - t->length, format, arguments);
    va_end(arguments);
    t->length += strlen(t->of + t->length);
}

size_t settings_size_count(const cilk_program *program) {
    size_t count = 0;
    while (count < CILK_PARAMETERS && program->parameters[count].name) count++;
    return count;
}

static uint64_t preset_value(const cilk_parameter *parameter, preset which) {
    switch (which) {
    case SMALL: return parameter->small;
    case PAPER: return parameter->paper;
    default: return parameter->usual;
    }
}

static void text_add_size(text *t, const cilk_program *program, preset which) {
    for (size_t i = 0; i < settings_size_count(program); i++)
        text_add(t, "%s%" PRIu64, i ? "," : "", preset_value(&program->parameters[i], which));
}

/* Numbers parted by commas, or by spaces: the next arguments then. */
static void add_sizes(parsing *p, const struct argp_state *state, const char *value) {
    size_t known = settings_size_count(p->program);
    bench_list list = bench_option_list(state, "size", value, 0, UINT64_MAX);
    for (size_t i = 0; i < list.count; i++) {
        const cilk_parameter *parameter = &p->program->parameters[p->given_count];
        if (p->given_count == known)
            argp_error(state, "--size: no more than %zu numbers, please", known);
        if (list.values[i] < parameter->least || list.values[i] > parameter->most)
            argp_error(state, "--size: %s is a whole number from %" PRIu64 " to %" PRIu64,
                       parameter->name, parameter->least, parameter->most);
        p->given[p->given_count++] = list.values[i];
    }
}

static void choose_size(parsing *p, const struct argp_state *state) {
    const cilk_program *program = p->program;
    const char *refusal;
    for (size_t i = 0; i < settings_size_count(program); i++)
        p->result.size.values[i] =
            i < p->given_count ? p->given[i] : preset_value(&program->parameters[i], p->preset);
    refusal = program->refuse ? program->refuse(&p->result.size) : NULL;
    if (refusal) argp_error(state, "--size: %s", refusal);
}

static error_t parse(int key, char *value, struct argp_state *state) {
    parsing *p = state->input;
    settings *s = &p->result;
    switch (key) {
    case KEY_POLICY:
        s->policy = (uint32_t)option_choice(state, "policy", value, settings_policies);
        return 0;
    case KEY_THREADS:
        s->threads = (uint32_t)option_unsigned(state, "threads", value, 1, SVS_THREADS_MAX);
        return 0;
    case KEY_SIZE:
        p->given_count = 0;
        add_sizes(p, state, value);
        return 0;
    case KEY_SMALL: p->preset = SMALL; return 0;
    case KEY_PAPER: p->preset = PAPER; return 0;
    case KEY_REPEAT:
        s->repeat = (uint32_t)option_unsigned(state, "repeat", value, 1, 1000);
        return 0;
    case KEY_VERIFY: s->verify = true; return 0;
    case KEY_TRACE: s->trace = value; return 0;
    case KEY_REPLAY: s->replay = value; return 0;
    case KEY_TIMED: s->timed = true; return 0;
    case KEY_MEASURE: s->measure = true; return 0;
    case KEY_CALL: s->size.call = option_choice(state, "call", value, p->program->calls); return 0;
    case ARGP_KEY_ARG:
        if (!p->given_count) argp_error(state, "unexpected argument '%s'", value);
        add_sizes(p, state, value);
        return 0;
    case ARGP_KEY_END:
        if (s->timed && !s->replay) argp_error(state, "--timed: there is no --replay");
        if (s->measure && !s->trace) argp_error(state, "--measure: there is no --trace");
        choose_size(p, state);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* The help of --size, --small and --paper tells this program's numbers. */
static void describe_sizes(const cilk_program *program, text size[3]) {
    for (size_t i = 0; i < settings_size_count(program); i++)
        text_add(&size[USUAL], "%s%s", i ? "," : "", program->parameters[i].name);
    text_add(&size[USUAL], ", spaces will do, too; what is left out is as usual (");
    text_add_size(&size[USUAL], program, USUAL);
    text_add(&size[USUAL], ")");
    text_add(&size[SMALL], "A small size, for tests (");
    text_add_size(&size[SMALL], program, SMALL);
    text_add(&size[SMALL], ")");
    text_add(&size[PAPER], "The size of table 1 (");
    text_add_size(&size[PAPER], program, PAPER);
    text_add(&size[PAPER], ")");
}

settings settings_parse(const cilk_program *program, int argc, char **argv) {
    text size[3] = {{"", 0}, {"", 0}, {"", 0}};
    struct argp_option options[OPTIONS] = {
        {"policy", KEY_POLICY, "NAME", 0, "help-first or work-first (help-first)", 1},
        {"threads", KEY_THREADS, "N", 0, "Workers, 1 to 1024 (one for each CPU)", 1},
        {"size", KEY_SIZE, "NUMBERS", 0, size[USUAL].of, 2},
        {"small", KEY_SMALL, NULL, 0, size[SMALL].of, 2},
        {"paper", KEY_PAPER, NULL, 0, size[PAPER].of, 2},
        {"repeat", KEY_REPEAT, "N", 0, "Runs; times are medians (1)", 3},
        {"verify", KEY_VERIFY, NULL, 0,
         "Compare with the serial elision byte for byte, and check the answer alone; status 1 when "
         "it is wrong",
         3},
        {"trace", KEY_TRACE, "FILE", 0, "Trace each run, and write the trace of the last", 4},
        {"replay", KEY_REPLAY, "FILE", 0,
         "Steal as in this trace, of which policy and threads are taken where they are not given; "
         "status 1 when the program does not spawn the same tasks",
         4},
        {"timed", KEY_TIMED, NULL, 0, "With --replay: nothing begins earlier than in the trace", 4},
        {"measure", KEY_MEASURE, NULL, 0,
         "With --trace: measure work and span before, as often as --repeat says, and write the "
         "least "
         "with the trace",
         4},
        {"call", KEY_CALL, "NAME", 0, "How tasks are spawned: typed or generic (typed)", 2},
        {0}};
    const struct argp argp = {options, parse, NULL, program->summary, NULL, NULL, NULL};
    parsing p = {
        .program = program, .result = {.policy = SETTINGS_OPEN, .repeat = 1}, .preset = USUAL};
    describe_sizes(program, size);
    if (!program->calls) options[OPTIONS - 2] = options[OPTIONS - 1];
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &p);
    return p.result;
}
