/* Tripuzzle: counts the solutions of a triangle of pegs, over ranks and serially.
 *
 *     tripuzzle --transport local:2 --rows 6 --hole 1
 *     tripuzzle --serial --rows 7 --hole 13 --symmetry
 *     ./dev ranks 2 build/release/bin/tripuzzle_openmpi --rows 7 --hole 13 --bytes 4096
 *     tripuzzle --transport sim:4:1 --known 6        // all known results of 5 and 6 rows
 *
 * --scheduler fifo|in_place chooses how inserts run, --bytes the size of a buffer of records,
 * --levels prints the boards of each level, and --characteristics FILE counts fibers and
 * communication and writes histograms (../characteristics.h). Rank 0 prints one row a search, with
 * `verified=yes` if the result is a known one. */
#include "../characteristics.h"
#include "known.h"
#include "search.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct settings {
    uint32_t rows, hole, known;
    size_t bytes;
    bool symmetry, serial, levels, fifo;
    const char *characteristics; /* a file, or NULL */
} settings;

/* ---- arguments ---- */

static int refuse(const char *argument) {
    fprintf(stderr,
            "tripuzzle: %s: expected [--serial] [--rows 3..8] [--hole N] [--symmetry] [--levels] "
            "[--scheduler fifo|in_place] [--bytes N] [--known 5|6] [--transport T] "
            "[--characteristics FILE]\n",
            argument);
    return 2;
}

static int read_number(settings *s, const char *name, const char *text) {
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0') return refuse(text);
    if (strcmp(name, "--rows") == 0 && number >= 3 && number <= TRI_ROWS_MAX)
        s->rows = (uint32_t)number;
    else if (strcmp(name, "--hole") == 0 && number >= 1 && number <= 36) s->hole = (uint32_t)number;
    else if (strcmp(name, "--bytes") == 0 && number <= 1u << 24) s->bytes = number;
    else if (strcmp(name, "--known") == 0 && number >= 5 && number <= 6)
        s->known = (uint32_t)number;
    else return refuse(name);
    return 0;
}

static int read_argument(settings *s, const char *name, const char *value, bool *has_value) {
    *has_value = false;
    if (strcmp(name, "--serial") == 0) s->serial = true;
    else if (strcmp(name, "--symmetry") == 0) s->symmetry = true;
    else if (strcmp(name, "--levels") == 0) s->levels = true;
    else *has_value = true;
    if (!*has_value) return 0;
    if (strcmp(name, "--characteristics") == 0) {
        s->characteristics = value;
        return *value != '\0' ? 0 : refuse(name);
    }
    if (strcmp(name, "--scheduler") != 0) return read_number(s, name, value);
    s->fifo = strcmp(value, "fifo") == 0;
    return s->fifo || strcmp(value, "in_place") == 0 ? 0 : refuse(value);
}

static int read_arguments(settings *s, int argc, char **argv) {
    *s = (settings){.rows = 5, .hole = 1, .bytes = 16384};
    for (int i = 1; i < argc; i++) {
        bool has_value;
        if (read_argument(s, argv[i], i + 1 < argc ? argv[i + 1] : "", &has_value) != 0) return 2;
        i += has_value;
    }
    return s->hole > s->rows * (s->rows + 1) / 2 ? refuse("--hole") : 0;
}

/* ---- rows ---- */

static double seconds(clockid_t clock) {
    struct timespec now = {0, 0};
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint64_t total(const tri_result *result) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < TRI_LEVELS_MAX; i++) sum += result->boards[i];
    return sum;
}

static void print_levels(const tri_result *result) {
    for (uint32_t pegs = TRI_LEVELS_MAX - 1; pegs != 0; pegs--)
        if (result->boards[pegs] != 0)
            printf("pegs=%u boards=%llu\n", pegs, (unsigned long long)result->boards[pegs]);
}

/* @param cpu, all_cpu seconds of the processor: of this rank, and of all ranks
 * @return 0, or 1: the result is wrong. */
static int print(const settings *s, const tri_result *result, const char *how, double wall,
                 double cpu, double all_cpu) {
    const char *verified = tri_verify(s->rows, s->hole, s->symmetry, result);
    if (s->levels) print_levels(result);
    printf("bench=tripuzzle rows=%u hole=%u symmetry=%s %s s=%.4f cpu_s=%.4f all_cpu_s=%.4f "
           "boards=%llu inserts=%llu solutions=%llu verified=%s\n",
           s->rows, s->hole, s->symmetry ? "yes" : "no", how, wall, cpu, all_cpu,
           (unsigned long long)total(result), (unsigned long long)result->inserts,
           (unsigned long long)result->solutions, verified);
    return strcmp(verified, "no") == 0;
}

/* ---- serially ---- */

static int run_serially(const settings *s, const tri_game *game) {
    tri_result result;
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (tri_search_serially(game, tri_start(game, s->hole), &result) != 0) {
        fprintf(stderr, "tripuzzle: there is no memory\n");
        return 1;
    }
    cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    return print(s, &result, "ranks=0 transport=none scheduler=none bytes=0",
                 seconds(CLOCK_MONOTONIC) - wall, cpu, cpu);
}

/* ---- over ranks ---- */

/* One rank. */
typedef struct player {
    svs_ranks *ranks;
    const char *transport;
    tri_game *game;
    tri_search *searches[2]; /* in place, FIFO; NULL: not needed */
    int wrong;               /* searches with a wrong result */
} player;

/* One search: all ranks return the same. */
static svs_status search(player *me, const settings *s, tri_result *result) {
    char how[100];
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
    svs_status status =
        tri_search_run(me->searches[s->fifo], me->game, tri_start(me->game, s->hole), result);
    wall = seconds(CLOCK_MONOTONIC) - wall;
    cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
    if (status != SVS_OK || svs_ranks_index(me->ranks) != 0) return status;
    (void)snprintf(how, sizeof how, "ranks=%u transport=%s scheduler=%s bytes=%zu",
                   svs_ranks_count(me->ranks), me->transport, s->fifo ? "fifo" : "in_place",
                   s->bytes);
    me->wrong +=
        print(s, result, how, wall, cpu, (double)tri_search_cpu_ns(me->searches[s->fifo]) * 1e-9);
    return SVS_OK;
}

/* A search in all ways: rank 0 compares with the serial program. */
static svs_status search_in_all_ways(player *me, settings *s) {
    tri_result serial, result;
    svs_status status = SVS_OK;
    for (int way = 0; way < 4 && status == SVS_OK; way++) {
        s->symmetry = way % 2 != 0;
        s->fifo = way / 2 != 0;
        if (s->fifo && s->rows > 5) break;
        tri_game_init(me->game, s->rows, s->symmetry);
        status = search(me, s, &result);
        if (status != SVS_OK || svs_ranks_index(me->ranks) != 0) continue;
        if (tri_search_serially(me->game, tri_start(me->game, s->hole), &serial) != 0)
            return SVS_E_NO_MEMORY;
        me->wrong += memcmp(&serial, &result, sizeof serial) != 0;
    }
    return status;
}

static svs_status search_known(player *me, settings *s) {
    uint32_t count = 0;
    svs_status status = SVS_OK;
    for (s->rows = 5; s->rows <= s->known; s->rows++)
        for (uint32_t i = 0; status == SVS_OK && tri_known_hole(s->rows, i) != 0; i++, count++) {
            s->hole = tri_known_hole(s->rows, i);
            status = search_in_all_ways(me, s);
        }
    if (status == SVS_OK && svs_ranks_index(me->ranks) == 0)
        printf("tripuzzle: %u known results, %d wrong\n", count, me->wrong);
    return status;
}

static svs_status play(player *me, settings *s) {
    tri_result result;
    svs_status status = SVS_OK;
    for (int fifo = 0; fifo < 2 && status == SVS_OK; fifo++)
        if (s->known != 0 || fifo == (int)s->fifo)
            status = tri_search_new(me->ranks, fifo ? SVS_DISPATCH_FIFO : SVS_DISPATCH_IN_PLACE,
                                    &me->searches[fifo]);
    if (status == SVS_OK) status = s->known != 0 ? search_known(me, s) : search(me, s, &result);
    if (status != SVS_OK) fprintf(stderr, "tripuzzle: %s\n", svs_ranks_failure(me->ranks));
    for (int fifo = 0; fifo < 2; fifo++) tri_search_free(me->searches[fifo]);
    return status;
}

static int run(const svs_transport *transport, settings *s, tri_game *game) {
    player me = {.transport = TRIPUZZLE_NAME, .game = game};
    svs_ranks_options options;
    characteristics observed;
    svs_status status;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.aggregate_bytes = s->bytes;
    if (svs_ranks_new(&options, &me.ranks) != SVS_OK) return 1;
    status = characteristics_begin(&observed, me.ranks, s->characteristics);
    if (status == SVS_OK) status = play(&me, s);
    if (status == SVS_OK) status = characteristics_end(&observed, "tripuzzle");
    return svs_ranks_free(me.ranks) != SVS_OK || status != SVS_OK || me.wrong != 0;
}

static int program(const svs_transport *transport, int argc, char **argv) {
    settings s;
    tri_game *game;
    int exit_status;
    if (read_arguments(&s, argc, argv) != 0) return 2;
    game = (tri_game *)malloc(sizeof *game);
    if (game == NULL) return 1;
    tri_game_init(game, s.rows, s.symmetry);
    exit_status = s.serial ? run_serially(&s, game) : run(transport, &s, game);
    free(game);
    return exit_status;
}

/* The serial program is no rank. */
int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--serial") == 0) return program(NULL, argc, argv);
    return svs_ranks_main(TRIPUZZLE_TRANSPORT, program, argc, argv);
}
