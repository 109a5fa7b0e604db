#include "timeline.h"
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1200, LANE = 44, ROWS = 4 };

static const char head[] =
    "<!doctype html><html lang=en><meta charset=utf-8>\n"
    "<meta name=viewport content='width=device-width'><title>SvS: a run</title>\n<style>\n"
    ":root { --paper: #f7f7f4; --ink: #1c2430; --soft: #667080; --lane: #eceef0; --body: #2f6fbd;\n"
    "  --met: #c2410c; color-scheme: light dark }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #12151a; --ink: #e3e7ec;\n"
    "  --soft: #97a1ae; --lane: #242a33; --body: #6aa9f4; --met: #fb923c } }\n"
    "body { margin: 24px auto; max-width: 1240px; padding: 0 16px; background: var(--paper);\n"
    "  color: var(--ink); font: 15px/1.5 system-ui, sans-serif }\n"
    "h1 { font-size: 22px } p { color: var(--soft); max-width: 80ch }\n"
    "svg { width: 100%; height: auto; display: block; margin: 4px 0 14px }\n"
    ".lane { fill: var(--lane) } text { fill: var(--soft); font: 12px system-ui, sans-serif }\n"
    ".t { fill: var(--body); stroke: var(--paper); stroke-width: 1 } .t:hover { opacity: .6 }\n"
    ".met { fill: var(--met) }\n"
    "#said { position: sticky; top: 0; background: var(--paper); padding: 8px 0; min-height: 3em;\n"
    "  color: var(--ink) }\n</style>\n";

static const char script[] =
    "<script>\nconst said = document.getElementById('said'), first = said.textContent;\n"
    "let marked = [];\n"
    "const clear = () => { for (const e of marked) e.classList.remove('met'); marked = []; };\n"
    "document.addEventListener('mouseover', event => {\n"
    "  clear();\n"
    "  if (!event.target.matches('.t')) { said.textContent = first; return; }\n"
    "  const { number, worker, us, accounts, met } = event.target.dataset;\n"
    "  const others = met.split(' ').filter(n => n);\n"
    "  marked = others.flatMap(n => [...document.querySelectorAll(`[data-number=\"${n}\"]`)]);\n"
    "  for (const e of marked) e.classList.add('met');\n"
    "  said.textContent = `Transfer ${number}, on worker ${worker}, ${us} us: accounts "
    "${accounts}. `\n"
    "    + (others.length ? `It shares accounts with the transfers ${others.join(', ')}: never at "
    "once.`\n"
    "                     : 'It shares an account with no other transfer here.');\n"
    "});\n</script>\n";

static int by_begin(const void *a, const void *b) {
    const span *const *x = a, *const *y = b;
    return ((*x)->begin > (*y)->begin) - ((*x)->begin < (*y)->begin);
}

static bool share(const span *a, const span *b) {
    for (unsigned i = 0; i < a->member_count; i++)
        for (unsigned j = 0; j < b->member_count; j++)
            if (a->members[i] == b->members[j]) return true;
    return false;
}

static int number_of(const bank *b, const account *a) {
    int i = 0;
    while (i < ACCOUNTS && b->accounts[i] != a) i++;
    return i;
}

/* One transfer, with the others among `all` that share an account with it. */
static void draw(const bank *b, const span *s, const span **all, int count, double x, double width,
                 FILE *to) {
    fprintf(to, "<rect class=t x=%.1f y=%u width=%.1f height=%d data-number=%td data-worker=%u ", x,
            18 + s->worker * LANE, width > 1 ? width : 1, LANE - 8, s - b->spans, s->worker);
    fprintf(to, "data-us=%.1f data-accounts='", s->end - s->begin);
    for (unsigned i = 0; i < s->member_count; i++)
        fprintf(to, "%s%d", i ? ", " : "", number_of(b, s->members[i]));
    fputs("' data-met='", to);
    for (int i = 0; i < count; i++)
        if (all[i] != s && share(s, all[i])) fprintf(to, "%td ", all[i] - b->spans);
    fputs("'/>\n", to);
}

/* The time from `from` to `until`, as one row of lanes. */
static void draw_row(const bank *b, const span **all, int count, double from, double until,
                     double zero, FILE *to) {
    double scale = WIDTH / (until - from);
    fprintf(to, "<svg viewBox='0 0 %d %d'>\n<text x=0 y=12>%.0f us</text>\n", WIDTH,
            18 + b->threads * LANE, from - zero);
    for (int w = 0; w < b->threads; w++)
        fprintf(to, "<rect class=lane x=0 y=%d width=%d height=%d />\n", 18 + w * LANE, WIDTH,
                LANE - 8);
    for (int i = 0; i < count; i++) {
        double begin = all[i]->begin > from ? all[i]->begin : from;
        double end = all[i]->end < until ? all[i]->end : until;
        if (begin < end)
            draw(b, all[i], all, count, (begin - from) * scale, (end - begin) * scale, to);
    }
    fputs("</svg>\n", to);
}

static void draw_all(const bank *b, const span **all, int count, FILE *to) {
    double zero = all[0]->begin, step = (all[count - 1]->begin - zero) / ROWS + 1;
    fputs(head, to);
    fprintf(to, "<h1>%d transfers of ./dev demo, on %d workers</h1>\n", count, b->threads);
    fputs(
        "<p>A lane is a worker, a box is the body of one transfer. Transfers that share an account "
        "are never in two lanes at one time; no body has a lock. Gaps are the scheduling.</p>\n"
        "<div id=said>Point at a box: what it accessed, and what it must not overlap.</div>\n",
        to);
    for (int row = 0; row < ROWS; row++)
        draw_row(b, all, count, zero + row * step, zero + (row + 1) * step, zero, to);
    fputs(script, to);
}

bool timeline_write(const bank *b, int most, const char *path) {
    const span **all = malloc((size_t)b->count * sizeof *all);
    FILE *to = all != NULL ? fopen(path, "w") : NULL;
    bool failed;
    if (to == NULL) {
        free(all);
        return false;
    }
    for (int i = 0; i < b->count; i++) all[i] = &b->spans[i];
    qsort(all, (size_t)b->count, sizeof *all, by_begin);
    draw_all(b, all, most < b->count ? most : b->count, to);
    free(all);
    failed = ferror(to) != 0;
    return fclose(to) == 0 && !failed;
}
