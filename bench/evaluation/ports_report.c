/* What is told of the three programs: pictures, tables and rows. */
#include "common.h"
#include "plot.h"
#include "ports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void port_words_short(char *text, size_t size, const char *words) {
    size_t at = 0;
    for (; *words && at + 1 < size; words++) {
        if (!strncmp(words, "--", 2)) {
            words++;
            continue;
        }
        if (*words == ' ') text[at++] = words[1] == '-' ? ',' : ':';
        else text[at++] = *words;
    }
    text[at] = 0;
}

static bool is_peer(const entrant *e) {
    return strcmp(e->engine, "svs") && strcmp(e->engine, "serial");
}

/* The fastest engine but SvS and the serial one. */
static const entrant *best_peer(const port_state *s, uint32_t threads) {
    const entrant *best = NULL;
    for (size_t i = 0; i < s->count; i++) {
        const entrant *e = &s->entrants[i];
        if (!is_peer(e) || e->threads != threads || !e->count || e->why[0]) continue;
        if (!best || entrant_summary(e, SECONDS).median < entrant_summary(best, SECONDS).median)
            best = e;
    }
    return best;
}

/* Where a program does not tell what it prepares: what its process takes beyond its frames, less
 * what the serial engine's takes beyond them, which is the reading of the input. */
static double prepared_seconds(const port_state *s, const entrant *e) {
    summary told = entrant_summary(e, PREPARED);
    const entrant *serial = contest_find(s->entrants, s->count, "serial", 1);
    double more;
    if (told.count || !serial) return told.median;
    more =
        summary_of(e->outside, e->count).median - summary_of(serial->outside, serial->count).median;
    return entrant_summary(e, SECONDS).median + fmax(0, more);
}

static const char *samples_text(const entrant *e, char *text, size_t size) {
    size_t at = 0;
    for (size_t i = 0; i < e->count && at + 24 < size; i++)
        at += (size_t)snprintf(text + at, size - at, i ? ",%.6f" : "%.6f", e->samples[SECONDS][i]);
    return text;
}

static void print_row(const port_state *s, const port_case *c, const entrant *e) {
    const entrant *peer = best_peer(s, e->threads);
    const entrant *serial = contest_find(s->entrants, s->count, "serial", 1);
    summary seconds = entrant_summary(e, SECONDS);
    char samples[700] = "";
    report_row(s->report,
               "bench=evaluation figure=%s program=%s case=%s engine=%s threads=%u "
               "oversubscribed=%d lock=%s seconds=%.6f seconds_q1=%.6f seconds_q3=%.6f runs=%zu "
               "ratio_best_other=%.4f best_other=%s ratio_serial=%.4f prepared_seconds=%.6f "
               "cpu_seconds=%.6f peak_mb=%.1f frame_p99_ms=%.4f samples=%s",
               s->port->figure, s->port->name, c->name, e->engine, e->threads,
               e->threads > s->report->settings->cpus, *e->lock ? e->lock : "none", seconds.median,
               seconds.low, seconds.high, e->count, e == peer ? 1 : entrant_ratio(e, peer).median,
               peer ? peer->engine : "none", entrant_ratio(e, serial).median,
               prepared_seconds(s, e), entrant_summary(e, CPU).median,
               entrant_summary(e, PEAK_MB).median, entrant_summary(e, FRAME_P99_MS).median,
               samples_text(e, samples, sizeof samples));
}

static void print_table_row(const port_state *s, const entrant *e) {
    const entrant *peer = best_peer(s, e->threads);
    summary seconds = entrant_summary(e, SECONDS), ratio = entrant_ratio(e, peer);
    double p99 = entrant_summary(e, FRAME_P99_MS).median;
    char against[64] = "-", frame[40] = "";
    const char *strong = strcmp(e->engine, "svs") ? "" : "*";
    if (peer && e->threads > 1 && e != peer)
        snprintf(against, sizeof against, "%.2f (%.2f to %.2f)", ratio.median, ratio.low,
                 ratio.high);
    if (isfinite(p99)) snprintf(frame, sizeof frame, "|%.2f", p99);
    else if (s->port->frames) snprintf(frame, sizeof frame, "|-");
    html_table_row(s->after, "<%s|%u%s|%zu|%s%.1f|%.1f to %.1f|%s%s|%.2f|%.1f|%.1f|%.1f%s",
                   e->engine, e->threads, e->threads > s->report->settings->cpus ? " \u2020" : "",
                   e->count, strong, 1e3 * seconds.median, 1e3 * seconds.low, 1e3 * seconds.high,
                   strong, against,
                   entrant_ratio(e, contest_find(s->entrants, s->count, "serial", 1)).median,
                   1e3 * prepared_seconds(s, e), 1e3 * entrant_summary(e, CPU).median,
                   entrant_summary(e, PEAK_MB).median, frame);
}

/* One whose engine runs, but not at this number of threads, or not in time. */
static void print_left_out(const port_state *s, const entrant *e) {
    for (size_t engine = 0; s->port->engines[engine]; engine++)
        if (!strcmp(s->port->engines[engine], e->engine) && s->engines[engine].why[0]) return;
    if (*e->why) html_table_row(s->after, "<%s|%u|%s", e->engine, e->threads, e->why);
}

static void print_table(port_state *s, const port_case *c) {
    fprintf(s->after,
            "<details%s><summary>Table: %s, %s; medians of interleaved runs on %u CPUs</summary>\n",
            c == s->port->cases ? " open" : "", s->port->name, c->name, s->report->settings->cpus);
    html_table_begin(s->after, s->port->frames
                                   ? "<engine|threads|runs|ms|quartiles|/ best other (quartiles)|"
                                     "/ serial|prepared, ms|CPU ms|peak MB|p99 frame, ms"
                                   : "<engine|threads|runs|ms|quartiles|/ best other (quartiles)|"
                                     "/ serial|prepared, ms|CPU ms|peak MB");
    for (size_t i = 0; i < s->count; i++)
        if (s->entrants[i].count && !s->entrants[i].why[0]) print_table_row(s, &s->entrants[i]);
        else print_left_out(s, &s->entrants[i]);
    html_table_end(s->after);
    html_note(s->after, "\u2020 oversubscribed: more threads than CPUs. Prepared: with what the "
                        "engine does before its first and after its last frame or step.");
    fputs("</details>\n", s->after);
}

static void draw_engine(const port_state *s, plot *p, const char *engine, double unit) {
    const entrant *serial = contest_find(s->entrants, s->count, "serial", 1);
    const settings *set = s->report->settings;
    bool alone = !strcmp(engine, "serial");
    plot_series(p, engine, alone ? PLOT_DASHED : PLOT_LINE, plot_colour_of_engine(engine));
    for (size_t t = 0; t < set->thread_count; t++) {
        const entrant *e =
            alone ? serial : contest_find(s->entrants, s->count, engine, set->threads[t]);
        summary seconds = e ? entrant_summary(e, SECONDS) : summary_of(NULL, 0);
        plot_point(p, set->threads[t], unit * seconds.median, unit * seconds.low,
                   unit * seconds.high);
    }
}

static double frames_of(const port_state *s) {
    for (size_t i = 0; i < s->count; i++) {
        const row *line = s->entrants[i].last.count
                              ? &s->entrants[i].last.of[s->entrants[i].last.count - 1]
                              : NULL;
        if (isfinite(row_number(line, "frames"))) return row_number(line, "frames");
    }
    return 1;
}

static void draw(port_state *s, const port_case *c) {
    const settings *set = s->report->settings;
    bool quests = s->port == &port_quakesquad;
    char id[64], title[120], caption[400];
    plot *p;
    snprintf(id, sizeof id, "%s_%s", s->port->name, s->port->input ? "time" : c->name);
    snprintf(title, sizeof title, "%s, %s", s->port->name, c->name);
    p = plot_new(s->report, id, title, "threads", quests ? "us a frame" : "ms");
    plot_set(p, "logscale x 2");
    plot_set(p, "logscale y");
    plot_set(p, "xrange [0.9:%g]", set->threads[set->thread_count - 1] * 1.15);
    plot_set(p, "key outside right top");
    if (set->cpus < set->threads[set->thread_count - 1]) plot_shade_beyond(p, set->cpus);
    for (size_t e = 0; s->port->engines[e]; e++)
        if (!s->engines[e].why[0])
            draw_engine(s, p, s->port->engines[e], quests ? 1e6 / frames_of(s) : 1e3);
    snprintf(caption, sizeof caption,
             "Medians and quartiles of interleaved runs; this machine has %u CPUs, and beyond "
             "those threads share them. Dashed: the serial engine, one thread.",
             set->cpus);
    plot_end(p, s->to, caption);
}

static void take_headline(const port_state *s, headline *h) {
    uint32_t threads = s->report->settings->contested;
    const entrant *svs = contest_find(s->entrants, s->count, "svs", threads);
    const entrant *peer = best_peer(s, threads);
    summary ratio = entrant_ratio(svs, peer);
    if (!svs || !peer) return;
    h->other = peer->engine;
    h->svs_seconds = entrant_summary(svs, SECONDS).median;
    h->ratio = ratio.median;
    h->ratio_low = ratio.low;
    h->ratio_high = ratio.high;
    h->ratio_cpu = entrant_summary(svs, CPU).median / entrant_summary(peer, CPU).median;
    h->ratio_serial = entrant_ratio(svs, contest_find(s->entrants, s->count, "serial", 1)).median;
    h->ratio_stm = entrant_ratio(svs, contest_find(s->entrants, s->count, "stm", threads)).median;
    h->ratio_mutex =
        entrant_ratio(svs, contest_find(s->entrants, s->count, "mutex", threads)).median;
}

void port_report_case(port_state *s, const port_case *c, headline *h) {
    for (size_t i = 0; i < s->count; i++) {
        const entrant *e = &s->entrants[i];
        if (e->count && !e->why[0]) print_row(s, c, e);
    }
    draw(s, c);
    take_headline(s, h);
    print_table(s, c);
}

void port_report_same_chunk(port_state *s, const entrant *entrants, size_t count) {
    char same[80];
    port_words_short(same, sizeof same, s->port->same);
    fprintf(s->after, "<h3>All engines at one chunk, %s, %u threads</h3>\n", same,
            s->report->settings->contested);
    html_table_begin(s->after, "<engine|ms|quartiles|/ best other");
    for (size_t i = 0; i < count; i++) {
        const entrant *e = &entrants[i], *peer = best_peer(s, e->threads);
        summary seconds = entrant_summary(e, SECONDS);
        if (!e->count || e->why[0]) continue;
        html_table_row(s->after, "<%s|%.1f|%.1f to %.1f|%.2f", e->engine, 1e3 * seconds.median,
                       1e3 * seconds.low, 1e3 * seconds.high, entrant_ratio(e, peer).median);
        report_row(s->report,
                   "bench=evaluation figure=%s program=%s case=%s part=same-chunk engine=%s "
                   "threads=%u chunk=%s seconds=%.6f ratio_best_other=%.4f",
                   s->port->figure, s->port->name, s->port->cases->name, e->engine, e->threads,
                   same, seconds.median, entrant_ratio(e, peer).median);
    }
    html_table_end(s->after);
}

void port_report_engines(port_state *s) {
    fprintf(s->after,
            "<h3>Engines: lock and chunk with which each is fastest, and its result</h3>\n");
    html_table_begin(s->after, "<engine|<best lock|<best chunk|<result|<thesis at 8 threads");
    for (size_t e = 0; s->port->engines[e]; e++) {
        const tuned *t = &s->engines[e];
        char chunk[80];
        const char *thesis = s->port->thesis_8[e];
        port_words_short(chunk, sizeof chunk, t->chunk);
        html_table_row(s->after, "<%s|<%s|<%s|<%s|<%s", s->port->engines[e],
                       *t->lock ? t->lock : "-", *chunk ? chunk : "its own choice",
                       *t->why ? t->why : t->result, thesis && *thesis ? thesis : "-");
        if (*t->why)
            report_progress(s->report, "%s: engine %s left out: %s", s->port->name,
                            s->port->engines[e], t->why);
    }
    html_table_end(s->after);
    html_note(s->after,
              "Of pthread mutexes, padded spin locks, striped and reader-writer locks and "
              "the library's own, each engine has the one with which it was fastest at %u "
              "threads, and then its best chunk; every trial is in the JSON.",
              s->report->settings->contested);
}
