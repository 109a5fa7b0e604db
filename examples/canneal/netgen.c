/* netgen: writes a netlist of the shape of PARSEC's inputs: names count in letters, types 1 and 2
 * are about half each, and five fan-ins are drawn uniformly from all elements. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/numbers.h"
#include "common/random.h"
#include "netlist.h"

#define FAN_INS 5
#define EXIT_BAD_INPUT 2

enum { KEY_SEED = 256 };

typedef struct arguments {
    uint64_t elements, grid, seed;
} arguments;

static const struct argp_option option_list[] = {
    {"elements", 'n', "N", 0, "Elements (default 1000)", 0},
    {"grid", 'g', "SIDE", 0,
     "The grid is SIDE x SIDE (default: the smallest that the elements fill at most to two "
     "thirds)",
     0},
    {"seed", KEY_SEED, "S", 0, "Of the random numbers (default 1)", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *all = state->input;
    switch (key) {
    case 'n':
        all->elements = option_unsigned(state, "elements", text, 1, NETLIST_LOCATIONS_MAX);
        break;
    case 'g': all->grid = option_unsigned(state, "grid", text, 2, NETLIST_SIDE_MAX); break;
    case KEY_SEED: all->seed = option_unsigned(state, "seed", text, 0, UINT64_MAX); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* a .. z, aa, ab ...: bijective base 26. */
static const char *name_of(uint64_t number, char text[16]) {
    char *p = text + 15;
    *p = 0;
    for (number++; number; number /= 26) *--p = (char)('a' + --number % 26);
    return p;
}

static void write_element(uint64_t number, uint64_t elements, random_source *random) {
    char name[16];
    printf("%s\t%u", name_of(number, name), (unsigned)random_below(random, 2) + 1);
    for (int i = 0; i < FAN_INS; i++) printf("\t%s", name_of(random_below(random, elements), name));
    puts("\tEND");
}

int main(int count, char **values) {
    static const struct argp argp = {option_list, parse, NULL, "Writes a random netlist to stdout.",
                                     NULL,        NULL,  NULL};
    arguments all = {.elements = 1000, .seed = 1};
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, count, values, 0, NULL, &all);
    if (!all.grid)
        for (all.grid = 2; all.grid * all.grid * 2 < all.elements * 3;) all.grid++;
    if (all.grid * all.grid < all.elements || all.grid * all.grid > NETLIST_LOCATIONS_MAX) {
        fprintf(stderr,
                "netgen: expected a grid of %" PRIu64 " to %" PRIu32 " locations, found %" PRIu64
                " x %" PRIu64 "\n",
                all.elements, NETLIST_LOCATIONS_MAX, all.grid, all.grid);
        return EXIT_BAD_INPUT;
    }
    random_source random = {all.seed};
    printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", all.elements, all.grid, all.grid);
    for (uint64_t i = 0; i < all.elements; i++) write_element(i, all.elements, &random);
    if (fflush(stdout) || ferror(stdout)) {
        perror("netgen");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
