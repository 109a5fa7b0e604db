#include "common/option_table.h"

#include <argp.h>
#include <string.h>

#define ROWS_MAX 40
#define KEY_OF_ROW 256 /* of the first row without a letter */

typedef struct reading {
    const option_program *program;
    void *into;
} reading;

static void store(const option_row *row, void *member, uint64_t value) {
    uint32_t middle = (uint32_t)value;
    uint8_t small = (uint8_t)value;
    const void *from = row->size == 8   ? (const void *)&value
                       : row->size == 4 ? (const void *)&middle
                                        : (const void *)&small;
    memcpy(member, from, row->size);
}

void option_take_number(const struct argp_state *state, const option_row *row, const char *text,
                        void *member) {
    store(row, member, option_unsigned(state, row->name, text, row->min, row->max));
}

void option_take_double(const struct argp_state *state, const option_row *row, const char *text,
                        void *member) {
    *(double *)member = option_double(state, row->name, text, row->low, row->high);
}

void option_take_choice(const struct argp_state *state, const option_row *row, const char *text,
                        void *member) {
    store(row, member, (uint64_t)option_choice(state, row->name, text, row->names));
}

void option_take_flag(const struct argp_state *state, const option_row *row, const char *text,
                      void *member) {
    (void)state, (void)row, (void)text;
    *(bool *)member = true;
}

void option_take_text(const struct argp_state *state, const option_row *row, const char *text,
                      void *member) {
    (void)state, (void)row;
    *(const char **)member = text;
}

static int key_of(const option_row *rows, int row) {
    return rows[row].letter ? rows[row].letter : KEY_OF_ROW + row;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    const reading *r = state->input;
    const option_program *program = r->program;
    if (key == ARGP_KEY_ARG) {
        if (program->argument) program->argument(state, text, r->into);
        else argp_error(state, "unexpected argument '%s'", text);
        return 0;
    }
    if (key == ARGP_KEY_END && program->end) program->end(state, r->into);
    for (int i = 0; program->rows[i].name; i++) {
        const option_row *row = &program->rows[i];
        if (key != key_of(program->rows, i)) continue;
        row->take(state, row, text, (char *)r->into + row->at);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

void options_read(const option_program *program, int count, char **values, void *into) {
    struct argp_option options[ROWS_MAX + 1] = {{0}};
    struct argp argp = {options, parse, program->arguments, program->text, NULL, NULL, NULL};
    reading r = {program, into};
    for (int i = 0; i < ROWS_MAX && program->rows[i].name; i++) {
        const option_row *row = &program->rows[i];
        options[i] = (struct argp_option){row->name,     key_of(program->rows, i),
                                          row->argument, row->help ? 0 : OPTION_HIDDEN,
                                          row->help,     row->group};
    }
    if (program->exit_status) argp_err_exit_status = program->exit_status;
    argp_parse(&argp, count, values, 0, NULL, &r);
}
