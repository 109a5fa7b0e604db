/* Where SvS loses: a map, the line where it breaks even, and what it says. */
#include "common.h"
#include "figures.h"
#include "plot.h"

#include <math.h>
#include <string.h>

enum { AXIS_MAX = 16 };

/* The values of a key, in the order in which they first come. */
typedef struct axis {
    double of[AXIS_MAX];
    size_t count;
} axis;

static axis axis_of(const rows *all, const char *key) {
    axis a = {.count = 0};
    for (size_t i = 0; i < all->count; i++) {
        double value = row_number(&all->of[i], key);
        size_t at = 0;
        while (at < a.count && a.of[at] != value) at++;
        if (at == a.count && a.count < AXIS_MAX) a.of[a.count++] = value;
    }
    return a;
}

static double ratio_at(const rows *all, const char *contention, double objects, double work,
                       const char *key) {
    char pairs[120];
    snprintf(pairs, sizeof pairs, "contention=%s objects=%.0f work_ns=%.0f", contention, objects,
             work);
    return row_number(rows_find(all, pairs), key);
}

/* From so many times the best lock's time on SvS loses: less is noise. */
#define EVEN 1.05

/* The body, ns, from which on SvS does not lose, between two that were measured by the logarithm of
 * both; INFINITY: none is long enough. */
static double break_even(const rows *all, const char *contention, double objects,
                         const axis *work) {
    double from = 0;
    for (size_t w = work->count; w-- > 0;) {
        double ratio = ratio_at(all, contention, objects, work->of[w], "ratio");
        if (ratio <= EVEN) {
            from = work->of[w];
            continue;
        }
        if (w + 1 == work->count) return INFINITY;
        double next = ratio_at(all, contention, objects, work->of[w + 1], "ratio");
        double share = log(ratio / EVEN) / log(ratio / next);
        double low = fmax(work->of[w], 10);
        return exp(log(low) + share * (log(work->of[w + 1]) - log(low)));
    }
    return from;
}

/* The left edge, by number, of the first tile from which on no body loses. */
static double edge_of(const rows *all, const char *contention, double objects, const axis *work) {
    size_t w = work->count;
    while (w > 0 && ratio_at(all, contention, objects, work->of[w - 1], "ratio") <= EVEN) w--;
    return (double)w - 0.5;
}

static void draw_map(report *r, FILE *to, const rows *all, const char *contention,
                     const char *meaning, const axis *work, const axis *objects) {
    char id[40], title[120];
    plot *p;
    snprintf(id, sizeof id, "loses_%s", contention);
    snprintf(title, sizeof title, "Contention: %s (%s)", contention, meaning);
    p = plot_new(r, id, title, "time of a body, ns", "objects that an instance writes");
    plot_set(p, "xrange [-0.5:%g]", (double)work->count - 0.5);
    plot_set(p, "yrange [-0.5:%g]", (double)objects->count - 0.5);
    plot_set(p, "palette defined (-2.3 '#1b6ca8', -0.4 '#b9d7ee', 0 '#ffffff', 0.4 '#f6cdb0', "
                "2.3 '#c2410c')");
    plot_set(p, "cbrange [-2.3:2.3]");
    plot_set(p, "cbtics ('1/10' -2.3026, '1/3' -1.0986, '1' 0, '3' 1.0986, '10' 2.3026)");
    plot_set(p, "cblabel 'svs / best lock'");
    plot_set(p, "key off");
    plot_set(p, "!unset grid");
    for (size_t w = 0; w < work->count; w++) {
        char label[24];
        snprintf(label, sizeof label, "%.0f", work->of[w]);
        plot_tick(p, (double)w, label);
    }
    for (size_t o = 0; o < objects->count; o++)
        plot_set(p, "%s ('%.0f' %zu)", o ? "ytics add" : "ytics", objects->of[o], o);
    plot_series(p, "", PLOT_TILES, 0);
    for (size_t o = 0; o < objects->count; o++)
        for (size_t w = 0; w < work->count; w++) {
            double ratio = ratio_at(all, contention, objects->of[o], work->of[w], "ratio");
            double shown = fmax(-2.3, fmin(2.3, log(ratio)));
            plot_point(p, (double)w, (double)o, shown, NAN);
            plot_set(p, "label \"%.*f\" at %zu, %zu center front font ',13'", ratio < 10 ? 2 : 0,
                     ratio, w, o);
        }
    plot_series(p, "break-even", PLOT_DASHED, 7);
    for (size_t o = 0; o < objects->count; o++) {
        double x = edge_of(all, contention, objects->of[o], work);
        plot_point(p, x, (double)o - 0.5, NAN, NAN);
        plot_point(p, x, (double)o + 0.5, NAN, NAN);
    }
    plot_end(p, to,
             "The number is SvS' time over the best lock's: blue, it takes less. Right of the "
             "dashed line it takes at most 5% more; where that is the right edge, with no body "
             "that was measured.");
}

static void print_table(report *r, FILE *to, const rows *all, const axis *work,
                        const axis *objects) {
    static const char *const names[] = {"none", "low", "middle", "high"};
    char columns[160];
    snprintf(columns, sizeof columns,
             "<contention|objects|breaks even at a body of|ratio, body of %.0f ns|body of %.0f ns|"
             "times put back, body of %.0f ns",
             work->of[0], work->of[work->count - 1], work->of[0]);
    html_table_begin(to, columns);
    for (size_t c = 0; c < 4; c++)
        for (size_t o = 0; o < objects->count; o++) {
            double ns = break_even(all, names[c], objects->of[o], work);
            char at[40];
            if (isfinite(ns)) snprintf(at, sizeof at, ns > 0 ? "%.0f ns" : "any body", ns);
            else snprintf(at, sizeof at, "beyond %.0f ns", work->of[work->count - 1]);
            html_table_row(
                to, "<%s|%.0f|*%s|%.2f|%.2f|%.2f", names[c], objects->of[o], at,
                ratio_at(all, names[c], objects->of[o], work->of[0], "ratio"),
                ratio_at(all, names[c], objects->of[o], work->of[work->count - 1], "ratio"),
                ratio_at(all, names[c], objects->of[o], work->of[0], "deferrals_instance"));
            report_row(r,
                       "bench=evaluation figure=loses contention=%s objects=%.0f "
                       "break_even_ns=%.0f",
                       names[c], objects->of[o], isfinite(ns) ? ns : -1.0);
        }
    html_table_end(to);
}

/* The three worst of the map, by what an instance costs. */
static void print_worst(report *r, FILE *to, const rows *all) {
    double below = INFINITY;
    fputs("<h3>Where it loses most</h3>\n<ol>\n", to);
    for (int place = 1; place <= 3; place++) {
        const row *worst = NULL;
        for (size_t i = 0; i < all->count; i++) {
            double ratio = row_number(&all->of[i], "ratio");
            if (ratio < below && (!worst || ratio > row_number(worst, "ratio")))
                worst = &all->of[i];
        }
        if (!worst) break;
        below = row_number(worst, "ratio");
        fprintf(to,
                "<li>%.0f times the best lock (%s): %s objects an instance, contention %s, body "
                "%s ns. An instance takes %s ns, is put back %.1f times and has %.1f others in its "
                "stage.</li>\n",
                below, row_text(worst, "best_lock"), row_text(worst, "objects"),
                row_text(worst, "contention"), row_text(worst, "work_ns"),
                row_text(worst, "svs_ns"), row_number(worst, "deferrals_instance"),
                fmax(0, row_number(worst, "width") - 1));
        report_row(r,
                   "bench=evaluation figure=loses worst=%d contention=%s objects=%s work_ns=%s "
                   "ratio=%.3f",
                   place, row_text(worst, "contention"), row_text(worst, "objects"),
                   row_text(worst, "work_ns"), below);
    }
    fputs("</ol>\n", to);
}

void figure_loses(report *r) {
    static const char *const contentions[][2] = {{"none", "no two instances meet"},
                                                 {"low", "any of 4096 objects"},
                                                 {"middle", "any of 256 objects"},
                                                 {"high", "any of 32 objects"}};
    FILE *to = report_section(r, RANK_LOSES, "loses", "Where SvS loses");
    rows all = {0};
    char words[120];
    snprintf(words, sizeof words, "--threads %u%s", r->settings->cpus,
             r->settings->scale == SCALE_TINY ? " --repeat 2 --run 200 --work 0,1000 --objects 1,2"
             : r->settings->scale == SCALE_QUICK ? " --quick"
                                                 : "");
    if (figure_bench(r, to, "breakeven", words, &all)) {
        axis work = axis_of(&all, "work_ns"), objects = axis_of(&all, "objects");
        fprintf(
            to,
            "<p>SvS' time over that of the best of three locks (a pthread mutex, a pthread spin "
            "lock, a padded spin lock that yields), %u threads, by what a body takes, how many "
            "objects it writes, and how many there are to be written. Sends, footprints and "
            "scheduling are inside of SvS' times, and locks wait inside of theirs. Short bodies "
            "lose, as scheduling an instance costs more than taking a lock; most where many of few "
            "objects are written, as instances are refused, wait, and are looked at "
            "again.</p>\n<div class=\"plots\">\n",
            r->settings->cpus);
        for (size_t c = 0; c < 4; c++)
            draw_map(r, to, &all, contentions[c][0], contentions[c][1], &work, &objects);
        fputs("</div>\n", to);
        print_table(r, to, &all, &work, &objects);
        print_worst(r, to, &all);
    }
    rows_clean_up(&all);
}
