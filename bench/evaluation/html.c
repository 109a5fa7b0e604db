/* The small pieces of HTML that sections are made of. */
#include "common.h"
#include "report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void html_text(FILE *to, const char *text) {
    for (; *text; text++) switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        default: fputc(*text, to);
        }
}

void html_note(FILE *to, const char *format, ...) {
    va_list list;
    fputs("<p class=\"note\">", to);
    va_start(list, format);
    vfprintf(to, format, list);
    va_end(list);
    fputs("</p>\n", to);
}

void html_table_begin(FILE *to, const char *columns) {
    char *copy = strdup(columns), *rest = copy, *cell;
    if (!copy) bench_fail("no memory");
    fputs("<table>\n<tr>", to);
    while ((cell = strsep(&rest, "|"))) {
        fputs(*cell == '<' ? "<th class=\"t\">" : "<th>", to);
        html_text(to, cell + (*cell == '<'));
        fputs("</th>", to);
    }
    fputs("</tr>\n", to);
    free(copy);
}

void html_table_row(FILE *to, const char *format, ...) {
    va_list list;
    char *text, *rest, *cell;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) bench_fail("no memory");
    va_end(list);
    fputs("<tr>", to);
    for (rest = text; (cell = strsep(&rest, "|"));) {
        bool left = *cell == '<', strong = *cell == '*';
        fputs(left ? "<td class=\"t\">" : strong ? "<td class=\"s\">" : "<td>", to);
        html_text(to, cell + (left || strong));
        fputs("</td>", to);
    }
    fputs("</tr>\n", to);
    free(text);
}

void html_table_end(FILE *to) { fputs("</table>\n", to); }
