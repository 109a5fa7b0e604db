/* netgen: writes a netlist of the shape of PARSEC's inputs: names count in letters, types 1 and 2
 * are about half each, and five fan-ins are drawn uniformly from all elements. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/option_table.h"
#include "common/random.h"
#include "netlist.h"

#define FAN_INS 5
#define EXIT_BAD_INPUT 2

typedef struct arguments {
    uint64_t elements, grid, seed;
} arguments;

static const option_row rows[] = {
    {"elements", 'n', "N", "Elements (default 1000)", 0,
     OPTION_NUMBER(arguments, elements, 1, NETLIST_LOCATIONS_MAX)},
    {"grid", 'g', "SIDE",
     "The grid is SIDE x SIDE (default: the smallest that the elements fill at most to two "
     "thirds)",
     0, OPTION_NUMBER(arguments, grid, 2, NETLIST_SIDE_MAX)},
    {"seed", 0, "S", "Of the random numbers (default 1)", 0,
     OPTION_NUMBER(arguments, seed, 0, UINT64_MAX)},
    OPTION_END,
};

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
    static const option_program program = {
        .rows = rows, .text = "Writes a random netlist to stdout.", .exit_status = EXIT_BAD_INPUT};
    arguments all = {.elements = 1000, .seed = 1};
    options_read(&program, count, values, &all);
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
