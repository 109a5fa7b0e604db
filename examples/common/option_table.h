/* The command line of a program as a table: a row names an option, what it takes, and where the
 * value goes. A wrong one ends the program with its usage and a message.
 *
 *     static const option_row rows[] = {
 *         {"threads", 't', "N", "Workers (2)", 1, OPTION_NUMBER(settings, threads, 1, 1024)},
 *         {"lock", 0, "NAME", "Form of the locks", 1, OPTION_CHOICE(settings, lock, lock_forms)},
 *         {"check", 0, NULL, "Check each frame", 2, OPTION_FLAG(settings, check)},
 *         OPTION_END};
 *     static const option_program program = {.rows = rows, .text = "What the program does."};
 *     settings s = {.threads = 2};
 *     options_read(&program, argc, argv, &s); */
#ifndef EXAMPLES_COMMON_OPTION_TABLE_H
#define EXAMPLES_COMMON_OPTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "common/numbers.h"

typedef struct option_row option_row;

/* Takes the option's text (NULL: it takes none) into the row's member. */
typedef void option_take(const struct argp_state *state, const option_row *row, const char *text,
                         void *member);

struct option_row {
    const char *name;     /* NULL ends the table */
    int letter;           /* the t of -t; 0: none */
    const char *argument; /* name of the value in the help; NULL: the option takes none */
    const char *help;     /* NULL: the option is hidden */
    int group;            /* group in the help */
    option_take *take;
    size_t at, size;   /* the member */
    uint64_t min, max; /* limits of a whole number */
    double low, high;  /* limits of a double */
    const char *const *names;
};

option_take option_take_number, option_take_double, option_take_choice, option_take_flag,
    option_take_text;

#define OPTION_MEMBER(type, member) offsetof(type, member), sizeof(((type *)0)->member)

/* Each is for a member of one kind: a whole number of 4 or 8 bytes; a double; the index of a name,
 * of 1 or 4 bytes; a bool that is set; a const char *. */
#define OPTION_NUMBER(type, member, min, max)                                                      \
    option_take_number, OPTION_MEMBER(type, member), min, max, 0, 0, NULL
#define OPTION_DOUBLE(type, member, low, high)                                                     \
    option_take_double, OPTION_MEMBER(type, member), 0, 0, low, high, NULL
#define OPTION_CHOICE(type, member, names)                                                         \
    option_take_choice, OPTION_MEMBER(type, member), 0, 0, 0, 0, names
#define OPTION_FLAG(type, member) option_take_flag, OPTION_MEMBER(type, member), 0, 0, 0, 0, NULL
#define OPTION_TEXT(type, member) option_take_text, OPTION_MEMBER(type, member), 0, 0, 0, 0, NULL
/* An option that a function of the program's takes; the function gets the whole struct as the
 * member. */
#define OPTION_OWN(take) take, 0, 0, 0, 0, 0, 0, NULL
#define OPTION_END                                                                                 \
    { NULL, 0, NULL, NULL, 0, OPTION_OWN(NULL) }

typedef struct option_program {
    const option_row *rows;
    const char *arguments; /* in the help; NULL: it takes none */
    const char *text;      /* what it does */
    /* For each argument; NULL: none is expected. */
    void (*argument)(const struct argp_state *state, char *text, void *into);
    /* Called after all options; may be NULL. */
    void (*end)(const struct argp_state *state, void *into);
    int exit_status; /* exit status for a wrong command line; 0: EX_USAGE */
} option_program;

void options_read(const option_program *program, int count, char **values, void *into);

#endif
