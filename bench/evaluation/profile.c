/* Where the instructions of a run go: callgrind counts them, which no load of the machine
 * changes. */
#include "common.h"
#include "predict.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line of the table: "  65,171,095 (12.63%)  file:function [object]". */
typedef struct line {
    double count;
    char function[96], object[256];
} line;

static bool read_line(const char *text, line *l) {
    const char *end = text + strcspn(text, "\n"), *bracket, *colon, *at;
    double count = 0;
    text += strspn(text, " ");
    if (!isdigit((unsigned char)*text)) return false;
    for (; isdigit((unsigned char)*text) || *text == ','; text++)
        if (*text != ',') count = 10 * count + (*text - '0');
    bracket = memchr(text, '[', (size_t)(end - text));
    if (!bracket || end[-1] != ']') return false;
    for (colon = bracket; colon > text && *colon != ':';) colon--;
    if (colon == text) return false;
    at = colon + 1;
    snprintf(l->function, sizeof l->function, "%.*s", (int)strcspn(at, " '["), at);
    snprintf(l->object, sizeof l->object, "%.*s", (int)(end - bracket - 2), bracket + 1);
    l->count = count;
    return true;
}

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && !strcmp(text + length - tail, end);
}

/* Whether a function is one of the words. */
static bool is_among(const char *function, const char *words) {
    size_t length = strlen(function);
    for (const char *at = words; at && (at = strstr(at, function)); at += length)
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
    return false;
}

profile profile_read(const char *text, const port_profile *of) {
    /* Under a progressive domain's lock; staged ones do this inside of making a stage. */
    static const char *const locked[] = {"svs__domain_take", "svs__domain_defer",
                                         "svs__domain_settle"};
    double graph = 0, maker = 0, sends = 0, bodies = 0, serial = 0, alone = 0, sender = 0;
    double gate[3] = {0, 0, 0};
    profile p = {0};
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        line l;
        if (!read_line(text, &l)) continue;
        for (int i = 0; i < 3; i++)
            if (!strcmp(l.function, locked[i])) gate[i] = fmax(gate[i], l.count);
        if (!strcmp(l.function, "svs_graph_run")) graph = fmax(graph, l.count);
        else if (!strcmp(l.function, "svs__stage_make")) maker = fmax(maker, l.count);
        else if (!strcmp(l.function, "svs_send")) sends = fmax(sends, l.count);
        else if (is_among(l.function, of->serial)) serial = fmax(serial, l.count);
        else if (is_among(l.function, of->asyncs)) alone -= l.count;
        /* What SVS_TASK names; libraries have none. */
        else if (ends_with(l.function, "_run_") && !strstr(l.object, ".so")) {
            bodies += l.count;
            if (is_among(l.function, of->alone)) alone += l.count;
            if (is_among(l.function, of->senders)) sender += l.count;
        }
    }
    if (!(graph > 0)) {
        snprintf(p.why, sizeof p.why, "the profile has no svs_graph_run");
        return p;
    }
    p.staged = maker > 0;
    if (!p.staged) maker = gate[0] + gate[1] + gate[2];
    p.known = true;
    p.serial = serial / graph;
    p.maker = maker / graph;
    p.bodies = bodies / graph;
    p.sends = sends / graph;
    p.alone = fmax(0, alone) / graph;
    p.sender = sender / graph;
    return p;
}

static const char *const valgrinds[] = {"/usr/bin/", "/usr/local/bin/"};

static const char *folder_of_valgrind(void) {
    char path[64];
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%svalgrind", valgrinds[i]);
        if (!access(path, X_OK)) return valgrinds[i];
    }
    return NULL;
}

static bool count(port_state *s, const char *folder, const char *counts, char why[WHY_MAX]) {
    arguments a = {0};
    child c;
    bool good;
    /* Said beforehand: else the program begins anew to say it, which valgrind does not follow. */
    arguments_add_words(&a, "/usr/bin/env OMP_WAIT_POLICY=passive");
    arguments_add(&a, "%svalgrind", folder);
    arguments_add(&a, "--tool=callgrind");
    arguments_add(&a, "--callgrind-out-file=%s", counts);
    arguments_add(&a, "%s", s->program);
    arguments_add_words(&a, "--engine svs --threads 1");
    arguments_add_words(&a, s->report->settings->scale == SCALE_TINY ? s->port->words[SCALE_TINY]
                                                                     : s->port->profile.words);
    if (s->input) arguments_add(&a, "%s", s->input);
    child_run(&c, &a, 120);
    good = !c.failed;
    if (!good) child_complaint(&c, why, WHY_MAX);
    child_clean_up(&c);
    arguments_clean_up(&a);
    return good;
}

profile profile_of(port_state *s) {
    const char *folder = folder_of_valgrind();
    profile p = {.why = "valgrind is not installed"};
    char counts[512];
    arguments a = {0};
    child c;
    if (!folder) return p;
    report_progress(s->report, "%s: counting instructions", s->port->name);
    snprintf(counts, sizeof counts, "%s/%s.callgrind", s->report->settings->out, s->port->name);
    if (!count(s, folder, counts, p.why)) return p;
    arguments_add(&a, "%scallgrind_annotate", folder);
    arguments_add_words(&a, "--inclusive=yes --threshold=100 --auto=no");
    arguments_add(&a, "%s", counts);
    child_run(&c, &a, 60);
    p = profile_read(c.output, &s->port->profile);
    child_clean_up(&c);
    arguments_clean_up(&a);
    return p;
}
