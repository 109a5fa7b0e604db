#include "contest.h"

#include "common.h"

#include <math.h>
#include <string.h>

enum { SLOW_EVERY = 3, SLOW_FACTOR = 4, TELL_EVERY = 3 };

summary summary_of(const double *values, size_t count) {
    double sorted[SAMPLES_MAX];
    summary s = {NAN, NAN, NAN, 0};
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) sorted[s.count++] = values[i];
    if (!s.count) return s;
    s.median = bench_median(sorted, s.count);
    s.low = bench_percentile(sorted, s.count, 25);
    s.high = bench_percentile(sorted, s.count, 75);
    return s;
}

summary entrant_summary(const entrant *e, measure m) {
    return summary_of(e->samples[m], e->why[0] ? 0 : e->count);
}

static double frame_p99_ms(const row *line) {
    double ms = row_number(line, "frame_p99_ms");
    double us = row_number(line, "frame_p99_us");
    if (isfinite(ms)) return ms;
    if (isfinite(us)) return us / 1e3;
    /* Of a hundred frames and fewer, it is the longest. */
    return row_number(line, "frames") <= 100 ? row_number(line, "frame_ms_max") : NAN;
}

const row *entrant_last(const entrant *e) {
    return e->last.count ? &e->last.of[e->last.count - 1] : NULL;
}

/* What a program says at its end is its last row. */
static void take(entrant *e, const child *c) {
    const row *line;
    double seconds, prepare;
    rows_clean_up(&e->last);
    rows_parse(&e->last, c->output);
    line = entrant_last(e);
    seconds = row_number(line, "seconds");
    prepare = row_number(line, "prepare_seconds");
    if (!isfinite(seconds)) {
        snprintf(e->why, sizeof e->why, "it printed no seconds");
        return;
    }
    e->samples[SECONDS][e->count] = seconds;
    e->samples[PREPARED][e->count] = seconds + prepare;
    e->samples[CPU][e->count] = row_number(line, "cpu_seconds");
    e->samples[PEAK_MB][e->count] = c->peak_mb;
    e->samples[FRAME_P99_MS][e->count] = frame_p99_ms(line);
    e->outside[e->count] = c->wall_seconds - seconds;
    if (!isfinite(e->samples[CPU][e->count])) e->samples[CPU][e->count] = c->cpu_seconds;
    if (row_text(line, "lock")) snprintf(e->lock, sizeof e->lock, "%s", row_text(line, "lock"));
    e->count++;
}

static void run_once(entrant *e, double limit_seconds) {
    child c;
    child_run(&c, &e->command, limit_seconds);
    e->wall_seconds = c.wall_seconds;
    if (c.timed_out) snprintf(e->why, sizeof e->why, "ended after %.0f s", limit_seconds);
    else if (c.failed) child_complaint(&c, e->why, sizeof e->why);
    else take(e, &c);
    child_clean_up(&c);
}

/* Seconds of the fastest so far; INFINITY: none ran. */
static double fastest(const entrant *entrants, size_t count) {
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (entrants[i].count && !entrants[i].why[0])
            least = fmin(least, entrant_summary(&entrants[i], SECONDS).median);
    return least;
}

static bool is_slow(const entrant *e, double least) {
    return entrant_summary(e, SECONDS).median > SLOW_FACTOR * least;
}

/* What a round of all that are not slow, or of those that are, would take. */
static double round_seconds(const entrant *entrants, size_t count, bool slow) {
    double least = fastest(entrants, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        if (!entrants[i].why[0] && is_slow(&entrants[i], least) == slow)
            sum += entrants[i].wall_seconds;
    return sum;
}

static void run_round(entrant *entrants, size_t count, uint64_t round, bool with_slow,
                      double run_seconds) {
    double least = fastest(entrants, count);
    /* Each round begins elsewhere, so that nobody always runs behind the same. */
    for (size_t i = 0; i < count; i++) {
        entrant *e = &entrants[(i + (size_t)round * 7) % count];
        size_t before = e->count;
        if (e->why[0] || (!with_slow && is_slow(e, least))) continue;
        run_once(e, run_seconds);
        if (e->count > before) e->rounds[before] = round;
    }
}

void contest_run(report *r, const char *what, entrant *entrants, size_t count,
                 contest_limits limits) {
    uint64_t rounds = limits.rounds < SAMPLES_MAX ? limits.rounds : SAMPLES_MAX;
    double left = limits.budget_seconds;
    for (uint64_t round = 0; round < rounds; round++) {
        double quick = round_seconds(entrants, count, false);
        double slow = round_seconds(entrants, count, true);
        bool with_slow = round == 0 || (round % SLOW_EVERY == 0 && quick + slow < left);
        uint64_t begin = bench_wall_ns();
        if (round && round >= limits.rounds_min && quick > left) break;
        if (round == 0)
            report_progress(r, "%s: up to %llu rounds of %zu runs", what,
                            (unsigned long long)rounds, count);
        else if (round % TELL_EVERY == 0)
            report_progress(r, "%s: round %llu, %.1f s each", what, (unsigned long long)round + 1,
                            quick);
        run_round(entrants, count, round, with_slow, limits.run_seconds);
        if (round) left -= 1e-9 * (double)(bench_wall_ns() - begin);
        else left -= round_seconds(entrants, count, false);
    }
}

summary entrant_ratio(const entrant *a, const entrant *b, measure m) {
    double quotients[SAMPLES_MAX];
    size_t count = 0;
    for (size_t i = 0, j = 0; a && b && i < a->count && j < b->count;) {
        if (a->rounds[i] < b->rounds[j]) i++;
        else if (a->rounds[i] > b->rounds[j]) j++;
        else quotients[count++] = a->samples[m][i++] / b->samples[m][j++];
    }
    return summary_of(quotients, count);
}

const entrant *contest_find(const entrant *entrants, size_t count, const char *engine,
                            uint32_t threads) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(entrants[i].engine, engine) && entrants[i].threads == threads &&
            entrants[i].count && !entrants[i].why[0])
            return &entrants[i];
    return NULL;
}

void entrant_clean_up(entrant *e) {
    arguments_clean_up(&e->command);
    rows_clean_up(&e->last);
}
