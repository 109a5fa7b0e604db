#include "settings.h"
#include "common.h"
#include "common/option_table.h"

#include <argp.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { EXIT_USAGE = 2, TEXT = 512 };

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
static void add_sizes(const struct argp_state *state, parsing *p, const char *value) {
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

static void take_size(const struct argp_state *state, const option_row *row, const char *value,
                      void *into) {
    parsing *p = into;
    (void)row;
    p->given_count = 0;
    add_sizes(state, p, value);
}

static void take_preset(const struct argp_state *state, const option_row *row, const char *value,
                        void *into) {
    (void)state, (void)value;
    ((parsing *)into)->preset = row->name[0] == 's' ? SMALL : PAPER;
}

static void take_argument(const struct argp_state *state, char *value, void *into) {
    parsing *p = into;
    if (!p->given_count) argp_error(state, "unexpected argument '%s'", value);
    add_sizes(state, p, value);
}

static void choose_size(const struct argp_state *state, parsing *p) {
    const cilk_program *program = p->program;
    const char *refusal;
    for (size_t i = 0; i < settings_size_count(program); i++)
        p->result.size.values[i] =
            i < p->given_count ? p->given[i] : preset_value(&program->parameters[i], p->preset);
    refusal = program->refuse ? program->refuse(&p->result.size) : NULL;
    if (refusal) argp_error(state, "--size: %s", refusal);
}

static void end(const struct argp_state *state, void *into) {
    const settings *s = &((parsing *)into)->result;
    if (s->timed && !s->replay) argp_error(state, "--timed: there is no --replay");
    if (s->measure && !s->trace) argp_error(state, "--measure: there is no --trace");
    choose_size(state, into);
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
    option_row rows[] = {
        {"policy", 0, "NAME", "help-first or work-first (help-first)", 1,
         OPTION_CHOICE(parsing, result.policy, settings_policies)},
        {"threads", 0, "N", "Workers, 1 to 1024 (one for each CPU)", 1,
         OPTION_NUMBER(parsing, result.threads, 1, SVS_THREADS_MAX)},
        {"size", 0, "NUMBERS", size[USUAL].of, 2, OPTION_OWN(take_size)},
        {"small", 0, NULL, size[SMALL].of, 2, OPTION_OWN(take_preset)},
        {"paper", 0, NULL, size[PAPER].of, 2, OPTION_OWN(take_preset)},
        {"repeat", 0, "N", "Runs; times are medians (1)", 3,
         OPTION_NUMBER(parsing, result.repeat, 1, 1000)},
        {"verify", 0, NULL,
         "Compare with the serial elision byte for byte, and check the answer alone; status 1 when "
         "it is wrong",
         3, OPTION_FLAG(parsing, result.verify)},
        {"trace", 0, "FILE", "Trace each run, and write the trace of the last", 4,
         OPTION_TEXT(parsing, result.trace)},
        {"replay", 0, "FILE",
         "Steal as in this trace, of which policy and threads are taken where they are not given; "
         "status 1 when the program does not spawn the same tasks",
         4, OPTION_TEXT(parsing, result.replay)},
        {"timed", 0, NULL, "With --replay: nothing begins earlier than in the trace", 4,
         OPTION_FLAG(parsing, result.timed)},
        {"measure", 0, NULL,
         "With --trace: measure work and span before, as often as --repeat says, and write the "
         "least with the trace",
         4, OPTION_FLAG(parsing, result.measure)},
        {program->calls ? "call" : NULL, 0, "NAME",
         "How tasks are spawned: typed or generic (typed)", 2,
         OPTION_CHOICE(parsing, result.size.call, program->calls)},
        OPTION_END};
    const option_program options = {.rows = rows,
                                    .text = program->summary,
                                    .argument = take_argument,
                                    .end = end,
                                    .exit_status = EXIT_USAGE};
    parsing p = {
        .program = program, .result = {.policy = SETTINGS_OPEN, .repeat = 1}, .preset = USUAL};
    describe_sizes(program, size);
    options_read(&options, argc, argv, &p);
    return p.result;
}
