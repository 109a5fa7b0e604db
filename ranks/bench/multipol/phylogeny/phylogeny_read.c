/* Species: files of PHYLIP, and random ones. */
#include "common/input.h"
#include "phylogeny.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 20, NAME_COLUMNS = NAME_BYTES - 1 };

static const char letters[] = "ACGT-0123";

/* ---- messages, with line and column ---- */

typedef struct reader {
    taxa *all;
    const char *path, *at, *end, *begin; /* of the line */
    uint32_t line;
    uint32_t read[SPECIES_MAX]; /* states of each species */
    char (*letter)[STATES_MAX]; /* that the states of each character have */
} reader;

static char fault[300];

static const char *wrong(const reader *r, const char *format, ...) {
    va_list list;
    int used = snprintf(fault, sizeof fault, "%.150s:%u: column %zu: ", r->path, r->line,
                        (size_t)(r->at - r->begin) + 1);
    va_start(list, format);
    if (used > 0 && (size_t)used < sizeof fault)
        (void)vsnprintf(fault + used, sizeof fault - (size_t)used, format, list);
    va_end(list);
    return fault;
}

static bool at_line_end(const reader *r) { return r->at == r->end || *r->at == '\n'; }

static void skip_spaces(reader *r) {
    while (!at_line_end(r) && isspace((unsigned char)*r->at)) r->at++;
}

static void next_line(reader *r) {
    if (r->at < r->end) r->at++;
    r->line++;
    r->begin = r->at;
}

static const char *end_line(reader *r) {
    skip_spaces(r);
    if (!at_line_end(r)) return wrong(r, "the end of the line was expected");
    next_line(r);
    return NULL;
}

static void skip_empty_lines(reader *r) {
    for (;;) {
        skip_spaces(r);
        if (r->at == r->end || *r->at != '\n') break;
        next_line(r);
    }
}

/* ---- parts of a file ---- */

static const char *read_number(reader *r, const char *what, uint32_t least, uint32_t most,
                               uint32_t *number) {
    const char *begin;
    uint64_t value = 0;
    skip_spaces(r);
    begin = r->at;
    while (!at_line_end(r) && isdigit((unsigned char)*r->at) && value <= most)
        value = 10 * value + (uint64_t)(*r->at++ - '0');
    if (r->at != begin && value >= least && value <= most) {
        *number = (uint32_t)value;
        return NULL;
    }
    r->at = begin;
    return wrong(r, "the number of %s, %u to %u, was expected", what, least, most);
}

static const char *read_name(reader *r, uint32_t which) {
    char *name = r->all->names[which];
    size_t length = 0;
    const char *begin = r->at;
    for (; length < NAME_COLUMNS && !at_line_end(r); length++, r->at++) {
        if (!isprint((unsigned char)*r->at)) return wrong(r, "a printing character was expected");
        name[length] = *r->at;
    }
    if (length < NAME_COLUMNS)
        return wrong(r, "a name of %d columns, and states, were expected", NAME_COLUMNS);
    while (length != 0 && name[length - 1] == ' ') length--;
    name[length] = '\0';
    r->at = length == 0 ? begin : r->at;
    if (length == 0) return wrong(r, "the name of species %u was expected", which + 1);
    for (uint32_t i = 0; i < which; i++)
        if (strcmp(r->all->names[i], name) == 0) {
            r->at = begin;
            return wrong(r, "a name other than that of species %u was expected", i + 1);
        }
    return NULL;
}

static const char *take_state(reader *r, uint32_t which) {
    char letter = (char)toupper((unsigned char)*r->at);
    uint32_t c = r->read[which], s = 0;
    if (letter == 'U') letter = 'T';
    if (letter == '\0' || strchr(letters, letter) == NULL)
        return wrong(r, "a state was expected: A, C, G, T, U, -, 0, 1, 2 or 3");
    if (c == r->all->characters) return wrong(r, "the end of the line was expected");
    while (s < STATES_MAX && r->letter[c][s] != '\0' && r->letter[c][s] != letter) s++;
    if (s == STATES_MAX)
        return wrong(r, "one of the 4 states of character %u, %.4s, was expected", c + 1,
                     r->letter[c]);
    r->letter[c][s] = letter;
    r->all->states[c].of[s] |= UINT64_C(1) << which;
    r->read[which]++;
    r->at++;
    return NULL;
}

static const char *read_states(reader *r, uint32_t which) {
    const char *failed = NULL;
    for (skip_spaces(r); failed == NULL && !at_line_end(r); skip_spaces(r))
        failed = take_state(r, which);
    if (failed != NULL) return failed;
    if (which == 0 && r->read[0] == r->all->characters) return end_line(r);
    if (r->read[which] != r->read[0])
        return wrong(r, "%u states of species %u were expected in the lines to here, and not %u",
                     r->read[0], which + 1, r->read[which]);
    return end_line(r);
}

static const char *read_block(reader *r, bool first) {
    const char *failed = NULL;
    uint32_t before = r->read[0];
    for (uint32_t i = 0; i < r->all->count && failed == NULL; i++) {
        if (r->at == r->end)
            return wrong(r, "the file ends, but a line of species %u was expected", i + 1);
        if (first) failed = read_name(r, i);
        if (failed == NULL) failed = read_states(r, i);
        if (failed == NULL && r->read[0] == before) {
            r->line--;
            r->at = r->begin;
            return wrong(r, "states of species 1 were expected");
        }
    }
    return failed;
}

static const char *read_text(reader *r) {
    taxa *all = r->all;
    const char *failed = read_number(r, "species", 2, SPECIES_MAX, &all->count);
    if (failed == NULL) failed = read_number(r, "characters", 1, CHARACTERS_MAX, &all->characters);
    if (failed == NULL) failed = end_line(r);
    if (failed != NULL) return failed;
    all->states = bench_allocate(all->characters, sizeof *all->states);
    r->letter = bench_allocate(all->characters, sizeof *r->letter);
    for (bool first = true; failed == NULL && r->read[0] < all->characters; first = false) {
        if (!first) skip_empty_lines(r);
        failed = read_block(r, first);
    }
    if (failed != NULL) return failed;
    skip_empty_lines(r);
    return r->at == r->end ? NULL : wrong(r, "the end of the file was expected");
}

/* ---- files ---- */

static const char *read_file(reader *r, char *text) {
    input in;
    int error = input_open(&in, r->path);
    size_t bytes;
    if (error != 0) return wrong(r, "a file that can be opened was expected: %s", strerror(error));
    bytes = fread(text, 1, BYTES_MAX, in.file);
    r->end = text + bytes;
    if (bytes == BYTES_MAX) {
        (void)input_close(&in);
        return wrong(r, "a file of less than %d bytes was expected", BYTES_MAX);
    }
    return input_close(&in) ? NULL : wrong(r, "a file that xz can unpack was expected");
}

const char *taxa_read(taxa *all, const char *path) {
    char *text = bench_allocate(BYTES_MAX, 1);
    reader r = {.all = all, .path = path, .at = text, .end = text, .begin = text, .line = 1};
    const char *failed;
    *all = (taxa){0};
    failed = read_file(&r, text);
    if (failed == NULL) failed = read_text(&r);
    if (failed != NULL) taxa_free(all);
    free(r.letter);
    free(text);
    return failed;
}

void taxa_free(taxa *all) {
    free(all->states);
    *all = (taxa){0};
}

/* ---- random species ---- */

static uint32_t random_below(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % below);
}

/* States that arise once each on a tree: a new one begins at a species, with those that follow it.
 * Species have the order of the leaves, so that ranges that nest are parts of one tree. */
static void follow_tree(uint32_t count, uint32_t states, uint8_t *of, uint64_t *seed) {
    uint32_t low = 0, high = count;
    for (uint32_t s = 1; s < states; s++) {
        uint32_t middle = low + (high - low) / 2;
        if (high - low < 2) break;
        if (random_below(seed, 2) == 0) low = middle;
        else high = middle;
        for (uint32_t i = low; i < high; i++) of[i] = (uint8_t)s;
    }
}

void taxa_generate(taxa *all, uint32_t count, uint32_t characters, uint32_t states,
                   uint32_t percent, uint64_t seed) {
    *all = (taxa){.count = count, .characters = characters};
    all->states = bench_allocate(characters, sizeof *all->states);
    for (uint32_t i = 0; i < count; i++)
        (void)snprintf(all->names[i], NAME_BYTES, "s%u", i % SPECIES_MAX);
    for (uint32_t c = 0; c < characters; c++) {
        uint8_t of[SPECIES_MAX] = {0}, number[STATES_MAX], used = 0;
        memset(number, STATES_MAX, sizeof number);
        follow_tree(count, states, of, &seed);
        for (uint32_t i = 0; i < count; i++)
            if (random_below(&seed, 100) >= percent) of[i] = (uint8_t)random_below(&seed, states);
        for (uint32_t i = 0; i < count; i++) {
            if (number[of[i]] == STATES_MAX) number[of[i]] = used++;
            all->states[c].of[number[of[i]]] |= UINT64_C(1) << i;
        }
    }
}
