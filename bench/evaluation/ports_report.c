/* What is told of the three programs: tables and rows. */
#include "common.h"
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

const entrant *port_best_peer(const port_state *s, uint32_t threads) {
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
double port_prepared_seconds(const port_state *s, const entrant *e) {
    summary told = entrant_summary(e, PREPARED);
    const entrant *serial = contest_find(s->entrants, s->count, "serial", 1);
    double more;
    if (told.count || !serial) return told.median;
    more =
        summary_of(e->outside, e->count).median - summary_of(serial->outside, serial->count).median;
    return entrant_summary(e, SECONDS).median + fmax(0, more);
}

static double frames_of(const port_state *s) {
    for (size_t i = 0; i < s->count; i++) {
        double frames = row_number(entrant_last(&s->entrants[i]), "frames");
        if (isfinite(frames)) return frames;
    }
    return 1;
}

const char *port_unit(const port *p) { return p->per_frame ? "us a frame" : "ms"; }
double port_scale(const port_state *s) { return s->port->per_frame ? 1e6 / frames_of(s) : 1e3; }

static const char *samples_text(const entrant *e, char *text, size_t size) {
    size_t at = 0;
    for (size_t i = 0; i < e->count && at + 24 < size; i++)
        at += (size_t)snprintf(text + at, size - at, i ? ",%.6f" : "%.6f", e->samples[SECONDS][i]);
    return text;
}

static void print_row(const port_state *s, const port_case *c, const entrant *e) {
    const entrant *peer = port_best_peer(s, e->threads);
    const entrant *serial = contest_find(s->entrants, s->count, "serial", 1);
    summary seconds = entrant_summary(e, SECONDS);
    char samples[700] = "";
    report_row(s->report,
               "bench=evaluation figure=%s program=%s case=%s engine=%s threads=%u "
               "oversubscribed=%d lock=%s seconds=%.6f seconds_q1=%.6f seconds_q3=%.6f runs=%zu "
               "ratio_best_other=%.4f best_other=%s ratio_serial=%.4f prepared_seconds=%.6f "
               "cpu_seconds=%.6f peak_mb=%.1f frame_p99_ms=%.4f input=%s samples=%s",
               s->port->figure, s->port->name, c->name, e->engine, e->threads,
               e->threads > s->report->settings->cpus, *e->lock ? e->lock : "none", seconds.median,
               seconds.low, seconds.high, e->count,
               e == peer ? 1 : entrant_ratio(e, peer, SECONDS).median, peer ? peer->engine : "none",
               entrant_ratio(e, serial, SECONDS).median, port_prepared_seconds(s, e),
               entrant_summary(e, CPU).median, entrant_summary(e, PEAK_MB).median,
               entrant_summary(e, FRAME_P99_MS).median, s->port->input ? s->port->input : "seeded",
               samples_text(e, samples, sizeof samples));
}

static const char *thesis_of(const port *p, const entrant *e) {
    for (size_t i = 0; i < THESIS_MAX && p->thesis_times[i].engine; i++)
        if (!strcmp(p->thesis_times[i].engine, e->engine) &&
            p->thesis_times[i].threads == e->threads)
            return p->thesis_times[i].text;
    return "";
}

static void print_table_row(const port_state *s, const entrant *e) {
    const entrant *peer = port_best_peer(s, e->threads);
    summary seconds = entrant_summary(e, SECONDS), ratio = entrant_ratio(e, peer, SECONDS);
    double p99 = entrant_summary(e, FRAME_P99_MS).median, unit = port_scale(s);
    char against[64] = "-", frame[40] = "";
    const char *strong = strcmp(e->engine, "svs") ? "" : "*";
    if (peer && e->threads > 1 && e != peer)
        snprintf(against, sizeof against, "%.2f (%.2f to %.2f)", ratio.median, ratio.low,
                 ratio.high);
    if (e == peer) snprintf(against, sizeof against, "the best other");
    if (isfinite(p99)) snprintf(frame, sizeof frame, "|%.2f", p99);
    else if (s->port->frames) snprintf(frame, sizeof frame, "|-");
    html_table_row(
        s->after, "<%s|%u%s|%zu|%s%.1f|%.1f to %.1f|%s%s|%.2f|%.1f|%.1f|%.1f%s|<%s", e->engine,
        e->threads, e->threads > s->report->settings->cpus ? " \u2020" : "", e->count, strong,
        unit * seconds.median, unit * seconds.low, unit * seconds.high, strong, against,
        entrant_ratio(e, contest_find(s->entrants, s->count, "serial", 1), SECONDS).median,
        1e3 * port_prepared_seconds(s, e), 1e3 * entrant_summary(e, CPU).median,
        entrant_summary(e, PEAK_MB).median, frame, thesis_of(s->port, e));
}

/* One whose engine runs, but not at this number of threads, or not in time. */
static void print_left_out(const port_state *s, const entrant *e) {
    for (size_t engine = 0; s->port->engines[engine]; engine++)
        if (!strcmp(s->port->engines[engine], e->engine) && s->engines[engine].why[0]) return;
    if (*e->why) html_table_row(s->after, "<%s|%u|%s", e->engine, e->threads, e->why);
}

static void print_table(port_state *s, const port_case *c) {
    const port *p = s->port;
    char columns[320];
    snprintf(columns, sizeof columns,
             "<engine|threads|runs|%s|quartiles|/ best other (quartiles)|/ serial|"
             "run with preparation, ms|CPU, ms|peak MB%s|<thesis%s: %s, 8 cores",
             port_unit(p), p->frames ? "|p99 frame, ms" : "", p->per_frame ? ", us a frame" : "",
             p->thesis_input);
    fprintf(s->after,
            "<details%s><summary>Table: %s, %s: medians of interleaved runs on %u CPUs; %s"
            "</summary>\n",
            c == p->cases ? " open" : "", p->name, c->name, s->report->settings->cpus, s->ours);
    html_table_begin(s->after, columns);
    for (size_t i = 0; i < s->count; i++)
        if (s->entrants[i].count && !s->entrants[i].why[0]) print_table_row(s, &s->entrants[i]);
        else print_left_out(s, &s->entrants[i]);
    html_table_end(s->after);
    html_note(s->after, "\u2020 oversubscribed: more threads than CPUs. With preparation: the "
                        "whole run, and what the engine does before its first and after its last "
                        "frame or step; CPU is of the run, by all threads; peak MB of the "
                        "process, the input included.");
    fputs("</details>\n", s->after);
}

/* Times of all engines over that of svs. */
static void take_relatives(const port_state *s, headline *h, const entrant *svs) {
    for (size_t e = 0; s->port->engines[e]; e++) {
        bool serial = !strcmp(s->port->engines[e], "serial");
        h->relative[e] = entrant_ratio(contest_find(s->entrants, s->count, s->port->engines[e],
                                                    serial ? 1 : s->report->settings->contested),
                                       svs, SECONDS);
    }
}

static double ratio_to(const port_state *s, const entrant *svs, const char *engine,
                       uint32_t threads) {
    return entrant_ratio(svs, contest_find(s->entrants, s->count, engine, threads), SECONDS).median;
}

static void take_headline(const port_state *s, headline *h) {
    uint32_t threads = s->report->settings->contested;
    const entrant *svs = contest_find(s->entrants, s->count, "svs", threads);
    const entrant *peer = port_best_peer(s, threads);
    if (!svs || !peer) return;
    h->other = peer->engine;
    h->svs_seconds = entrant_summary(svs, SECONDS).median;
    h->scale = port_scale(s);
    h->ratio = entrant_ratio(svs, peer, SECONDS);
    h->ratio_p99 = entrant_ratio(svs, peer, FRAME_P99_MS);
    h->ratio_prepared = port_prepared_seconds(s, svs) / port_prepared_seconds(s, peer);
    h->ratio_cpu = entrant_summary(svs, CPU).median / entrant_summary(peer, CPU).median;
    h->ratio_serial = ratio_to(s, svs, "serial", 1);
    h->ratio_stm = ratio_to(s, svs, "stm", threads);
    h->ratio_mutex = ratio_to(s, svs, "mutex", threads);
    take_relatives(s, h, svs);
}

void port_report_case(port_state *s, const port_case *c, headline *h) {
    for (size_t i = 0; i < s->count; i++) {
        const entrant *e = &s->entrants[i];
        if (e->count && !e->why[0]) print_row(s, c, e);
    }
    port_draw(s, c);
    take_headline(s, h);
    port_report_spent(s, c, h);
    print_table(s, c);
}

void port_report_same_chunk(port_state *s, const entrant *entrants, size_t count) {
    char same[80], columns[80];
    double unit = port_scale(s);
    port_words_short(same, sizeof same, s->port->same);
    fprintf(s->after, "<h3>All engines at one chunk, %s, %u threads</h3>\n", same,
            s->report->settings->contested);
    snprintf(columns, sizeof columns, "<engine|%s|quartiles|/ best other", port_unit(s->port));
    html_table_begin(s->after, columns);
    for (size_t i = 0; i < count; i++) {
        const entrant *e = &entrants[i], *peer = port_best_peer(s, e->threads);
        summary seconds = entrant_summary(e, SECONDS);
        if (!e->count || e->why[0]) continue;
        html_table_row(s->after, "<%s|%.1f|%.1f to %.1f|%.2f", e->engine, unit * seconds.median,
                       unit * seconds.low, unit * seconds.high,
                       entrant_ratio(e, peer, SECONDS).median);
        report_row(s->report,
                   "bench=evaluation figure=%s program=%s case=%s part=same-chunk engine=%s "
                   "threads=%u chunk=%s seconds=%.6f ratio_best_other=%.4f",
                   s->port->figure, s->port->name, s->port->cases->name, e->engine, e->threads,
                   same, seconds.median, entrant_ratio(e, peer, SECONDS).median);
    }
    html_table_end(s->after);
}

void port_report_engines(port_state *s) {
    fprintf(s->after,
            "<h3>Engines: lock and chunk with which each is fastest, and its result</h3>\n");
    html_table_begin(s->after, "<engine|<best lock|<best chunk|<result");
    for (size_t e = 0; s->port->engines[e]; e++) {
        const tuned *t = &s->engines[e];
        char chunk[80];
        port_words_short(chunk, sizeof chunk, t->chunk);
        html_table_row(s->after, "<%s|<%s|<%s|<%s", s->port->engines[e], *t->lock ? t->lock : "-",
                       *chunk ? chunk : "its own choice", *t->why ? t->why : t->result);
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
