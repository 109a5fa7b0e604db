#include "report.h"

#include "common.h"
#include "machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <svs/version.h>

void report_init(report *r, const settings *s) {
    *r = (report){.settings = s, .begin_ns = bench_wall_ns()};
    if (getloadavg(&r->load, 1) < 1) r->load = 0;
}

void report_clean_up(report *r) {
    for (int i = 0; i < RANKS; i++) {
        if (r->sections[i].to) fclose(r->sections[i].to);
        free(r->sections[i].text);
    }
    rows_clean_up(&r->rows);
}

FILE *report_section(report *r, rank place, const char *id, const char *title) {
    section *s = &r->sections[place];
    s->id = id;
    s->title = title;
    s->to = open_memstream(&s->text, &s->size);
    if (!s->to) bench_fail("no memory for a section");
    return s->to;
}

static char *format_text(const char *format, va_list list) {
    char *text;
    if (vasprintf(&text, format, list) < 0) bench_fail("no memory");
    return text;
}

void report_row(report *r, const char *format, ...) {
    va_list list;
    char *text;
    va_start(list, format);
    text = format_text(format, list);
    va_end(list);
    bench_row("%s", text);
    rows_parse(&r->rows, text);
    free(text);
}

void report_rows(report *r, const char *text) { rows_parse(&r->rows, text); }

void report_progress(const report *r, const char *format, ...) {
    unsigned seconds = (unsigned)((bench_wall_ns() - r->begin_ns) / 1000000000u);
    va_list list;
    char *text;
    va_start(list, format);
    text = format_text(format, list);
    va_end(list);
    bench_table_line("[%2u:%02u] %s", seconds / 60, seconds % 60, text);
    free(text);
}

void report_problem(report *r, FILE *to, const char *format, ...) {
    va_list list;
    char *text;
    va_start(list, format);
    text = format_text(format, list);
    va_end(list);
    r->problems++;
    fprintf(stderr, "problem: %s\n", text);
    fputs("<p class=\"problem\">", to);
    html_text(to, text);
    fputs("</p>\n", to);
    free(text);
}

/* ---- files ---- */

static const char style[] =
    ":root{color-scheme:light}"
    "body{font:15px/1.5 system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1c2430;"
    "background:#f4f6f8;margin:0}"
    "header,main,footer{max-width:1180px;margin:0 auto;padding:0 24px}"
    "header{padding-top:32px}h1{font-size:30px;line-height:1.2;margin:0 0 6px}"
    "h2{font-size:21px;margin:0 0 8px}h3{font-size:16px;margin:20px 0 6px}"
    ".sub{color:#55606e;margin:0 0 16px}"
    "section{background:#fff;border:1px solid #dfe4ea;border-radius:10px;padding:20px 24px;"
    "margin:18px 0;overflow-x:auto}"
    "nav{columns:2;margin:0 0 8px;padding:14px 24px;background:#fff;border:1px solid #dfe4ea;"
    "border-radius:10px}nav a{display:block;color:#1b6ca8;text-decoration:none}"
    "nav a:hover{text-decoration:underline}"
    "p{margin:8px 0;max-width:95ch}summary{cursor:pointer;margin:8px 0;color:#3d4855}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(440px,1fr));gap:14px}"
    "figure{margin:10px 0;max-width:760px;border:1px solid #edf0f3;border-radius:8px;padding:6px}"
    "figure svg{width:100%;height:auto;display:block}"
    "figcaption{font-size:13px;color:#55606e;padding:2px 8px 4px}"
    "table{border-collapse:collapse;margin:12px 0;font-size:13.5px;"
    "font-variant-numeric:tabular-nums}"
    "th,td{padding:4px 10px;text-align:right;border-bottom:1px solid #edf0f3;"
    "white-space:nowrap}"
    "th{white-space:normal;vertical-align:bottom;background:#f4f6f8;font-weight:600;color:#3d4855;"
    "border-bottom:2px solid #dfe4ea}"
    "th.t,td.t{text-align:left}tr:hover td{background:#f8fafc}"
    "td.s{font-weight:700;color:#14507d}"
    ".busy{color:#8a5a00;font-weight:600}"
    ".note{font-size:13.5px;color:#55606e}.problem{color:#a3161a;font-weight:600}"
    ".wait{border:1px dashed #c6ced8;border-radius:8px;padding:14px;color:#55606e}"
    "footer{color:#55606e;font-size:13px;padding-bottom:40px}"
    "@media(max-width:560px){.plots{grid-template-columns:1fr}nav{columns:1}"
    "header,main,footer{padding:0 10px}section{padding:14px 12px}}"
    "@media print{body{background:#fff;font-size:11px}section{border:0;padding:6px 0;"
    "overflow:visible}header,main,footer{max-width:none;padding:0}nav{display:none}"
    ".plots{grid-template-columns:1fr 1fr}figure,tr,li{break-inside:avoid}"
    "h2,h3,summary{break-after:avoid}table{font-size:9px}th,td{padding:2px 5px;"
    "white-space:normal}td{print-color-adjust:exact}}";

static void write_page(const report *r, FILE *to) {
    static const char *const scales[] = {"a tiny evaluation, which measures nothing",
                                         "a quick evaluation", "a whole evaluation"};
    unsigned seconds = (unsigned)((bench_wall_ns() - r->begin_ns) / 1000000000u);
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n"
          "<title>SvS: the evaluation</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>",
          to);
    fputs(style, to);
    fputs("</style>\n</head>\n<body>\n<header>\n<h1>SvS: the evaluation</h1>\n<p class=\"sub\">",
          to);
    machine_sentence(to);
    fprintf(to, "; %s, made in %u:%02u", scales[r->settings->scale], seconds / 60, seconds % 60);
    fputs("</p>\n<nav aria-label=\"Contents\">\n", to);
    for (int i = 0; i < RANKS; i++)
        if (r->sections[i].to)
            fprintf(to, "<a href=\"#%s\">%s</a>\n", r->sections[i].id, r->sections[i].title);
    fputs("</nav>\n</header>\n<main>\n", to);
    for (int i = 0; i < RANKS; i++)
        if (r->sections[i].to)
            fprintf(to, "<section id=\"%s\">\n<h2>%s</h2>\n%s</section>\n", r->sections[i].id,
                    r->sections[i].title, r->sections[i].text);
    fprintf(to,
            "</main>\n<footer>svs %s; %u plots; made in %u seconds. All numbers of this page, "
            "and each sample, stand in the JSON beside it.</footer>\n</body>\n</html>\n",
            svs_version(), r->plots_drawn, seconds);
}

static void write_json(const report *r, FILE *to) {
    static const char *const scales[] = {"tiny", "quick", "whole"};
    fprintf(to, "{\"evaluation\":1,\"svs\":\"%s\",\"scale\":\"%s\",\"machine\":", svs_version(),
            scales[r->settings->scale]);
    machine_json(to);
    fputs(",\n\"rows\":", to);
    rows_print_json(&r->rows, to);
    fputs("}\n", to);
}

static bool write_file(const report *r, const char *path, void (*print)(const report *, FILE *)) {
    FILE *to = fopen(path, "w");
    bool written = to;
    if (to) {
        print(r, to);
        written = !ferror(to);
        if (fclose(to)) written = false;
    }
    if (!written) fprintf(stderr, "error: %s: %s\n", path, strerror(errno));
    else bench_table_line("%s", path);
    return written;
}

bool report_write(report *r) {
    const settings *s = r->settings;
    char *page, *json;
    bool written;
    for (int i = 0; i < RANKS; i++)
        if (r->sections[i].to) fflush(r->sections[i].to);
    if (asprintf(&page, "%s/evaluation.html", s->out) < 0 ||
        asprintf(&json, "%s/evaluation.json", s->out) < 0)
        bench_fail("no memory");
    written = write_file(r, page, write_page);
    written = write_file(r, s->json ? s->json : json, write_json) && written;
    free(page);
    free(json);
    return written;
}
