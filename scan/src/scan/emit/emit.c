#include "scan/emit/emit.h"
#include "scan/emit/variables.h"
#include "scan/program/calls.h"
#include "scan/program/kinds.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

typedef struct emitter {
    FILE *to;
    const char *path;
    unsigned line; /* number of the next line in the header itself */
    scan_place at; /* the place in a source that the compiler assigns to the next line */
    int depth;
    bool compare; /* each access also reports its line */
} emitter;

static void put(emitter *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(emitter *e, const char *format, ...) {
    va_list values;
    fprintf(e->to, "%*s", 4 * e->depth, "");
    va_start(values, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() stands above */
    vfprintf(e->to, format, values);
    va_end(values);
    fputc('\n', e->to);
    e->line++;
    e->at.line++;
}

/* Assigns the next line to a place of the source. */
static void move_to(emitter *e, scan_place place) {
    if (!place.file || !place.line) return;
    if (e->at.file && scan_same(e->at.file, place.file) && e->at.line == place.line) return;
    fprintf(e->to, "#line %u \"%s\"\n", place.line, place.file);
    e->line++;
    e->at = place;
}

static void move_back(emitter *e) {
    fprintf(e->to, "#line %u \"%s\"\n", e->line + 1, e->path);
    e->line++;
    e->at.file = NULL;
}

/* ---- steps ---- */

static const char *path_text(const residue_links *links) {
    const char *text = "0";
    for (unsigned i = 0; i < links->count; i++)
        text = scan_text("svs_path(%s, %u, %u)", text, i, links->link[i]);
    return text;
}

/* Prints why an access is doubtful, above the line that the access seems to have. */
static void put_doubt(emitter *e, const residue_step *step) {
    if (step->kind == STEP_ACCESS && step->perhaps) put(e, "/* perhaps: %s */", step->perhaps);
}

static void put_access(emitter *e, const residue_step *step) {
    const char *mode = step->write ? "writes" : "reads";
    const char *what = step->expr ? step->expr->text : "";
    switch (step->access) {
    case ACCESS_EVERYTHING: put(e, "svs_writes_everything(f);"); return;
    case ACCESS_NAMED: put(e, "%s(f, %s);", step->text, what); return;
    case ACCESS_INDEX: /* not in slices */
    case ACCESS_REACH: return;
    case ACCESS_PLACE: put(e, "svs_%s(f, %s);", mode, what); return;
    case ACCESS_OBJECT:
        put(e, *what == '&' ? "svs_%s(f, %s);" : "svs_%s_object(f, %s);", mode, what);
        return;
    case ACCESS_PATH:
        put(e, "svs_%s_path(f, %s, %s, %u);", mode, what, path_text(&step->links),
            step->links.count);
        return;
    case ACCESS_ALONG: put(e, "svs_%s_along(f, %s, %uu);", mode, what, step->links.mask); return;
    }
}

static void put_line(emitter *e, const residue_step *step) {
    if (e->compare)
        put(e, "svs__compare_at_line(f, \"%s\", %uu);", step->place.file ? step->place.file : "",
            step->place.line);
}

static void put_block(emitter *e, const residue_block *block);

static void put_inner(emitter *e, const residue_block *block) {
    e->depth++;
    put_block(e, block);
    e->depth--;
}

static void put_if(emitter *e, const residue_step *step) {
    const char *condition = step->expr ? step->expr->text : "1";
    const bool atom = !step->expr || step->expr->atom;
    const residue_block *yes = &step->inner[0], *no = &step->inner[1];
    if (!yes->count) {
        put(e, atom ? "if (!%s) {" : "if (!(%s)) {", condition);
        put_inner(e, no);
    } else {
        put(e, "if (%s) {", condition);
        put_inner(e, yes);
        if (no->count) {
            put(e, "} else {");
            put_inner(e, no);
        }
    }
    put(e, "}");
}

static const char *step_text(const residue_block *steps) {
    const char *text = "";
    for (size_t i = 0; i < steps->count; i++) {
        const residue_step *step = steps->at[i];
        if (step->kind != STEP_SET) return NULL;
        text = scan_text("%s%s%s = %s", text, i ? ", " : "", step->slot->name, step->expr->text);
    }
    return text;
}

/* Prints a loop. A condition with accesses of its own is tested inside of the loop. If the step is
 * more than assignments, all of the loop is inside. */
static void put_loop(emitter *e, const residue_step *step) {
    const char *condition = step->expr ? step->expr->text : "", *next = step_text(&step->inner[1]);
    const char *outside = step->pre.count ? "" : condition;
    if (next && *next) put(e, "for (; %s; %s) {", outside, next);
    else if (*outside) put(e, "while (%s) {", outside);
    else put(e, "for (;;) {");
    e->depth++;
    put_block(e, &step->pre);
    if (step->pre.count && step->expr)
        put(e, step->expr->atom ? "if (!%s) break;" : "if (!(%s)) break;", condition);
    put_block(e, &step->inner[0]);
    if (!next) put_block(e, &step->inner[1]);
    e->depth--;
    put(e, "}");
}

static void put_step(emitter *e, const residue_step *step) {
    const char *text = step->expr ? step->expr->text : "";
    put_doubt(e, step);
    if (step->kind != STEP_LABEL) move_to(e, step->place);
    switch (step->kind) {
    case STEP_SET:
        put(e, "%s = %s;", step->declares ? emit_declaration(step->slot) : step->slot->name, text);
        return;
    case STEP_ACCESS:
        put_access(e, step);
        put_line(e, step);
        return;
    case STEP_IF: put_if(e, step); return;
    case STEP_LOOP: put_loop(e, step); return;
    case STEP_DO:
        put(e, "do {");
        put_inner(e, &step->inner[0]);
        put(e, "} while (%s);", text);
        return;
    case STEP_SWITCH:
        put(e, "switch (%s) {", text);
        put_inner(e, &step->inner[0]);
        put(e, "}");
        return;
    case STEP_CASE: put(e, step->expr ? "case %s:;" : "default:;", text); return;
    case STEP_BREAK: put(e, "break;"); return;
    case STEP_CONTINUE: put(e, "continue;"); return;
    case STEP_GOTO: put(e, "goto %s;", step->text); return;
    case STEP_LABEL: put(e, "%s:;", step->text); return;
    }
}

static void put_block(emitter *e, const residue_block *block) {
    for (size_t i = 0; i < block->count; i++) put_step(e, block->at[i]);
}

static void put_task(emitter *e, const scan_task *task, const slice_result *result) {
    residue_block body = result->body;
    emit_lines lines;
    put(e, "static void %s_scanned_touch(svs_footprint *f, const %s *item) {", task->name,
        task->item);
    e->depth = 1;
    put(e, "(void)f, (void)item;");
    lines = emit_variables(&body);
    for (size_t i = 0; i < lines.count; i++) put(e, "%s", lines.at[i]);
    put_block(e, &body);
    e->depth = 0;
    put(e, "}");
    move_back(e);
}

/* Prints the touch function of a hand-written task, for a build that compares it with the slice. */
static void put_compared(emitter *e, const scan_task *task) {
    put(e, "static void %s_compared_touch(svs_footprint *f, const %s *item) {", task->name,
        task->item);
    put(e, "    svs__compare both;");
    put(e, "    svs__compare_begin(&both);");
    put(e, "    %s_written_touch(&both.written, item);", task->name);
    put(e, "    %s_scanned_touch(&both.sliced, item);", task->name);
    put(e, "    svs__compare_end(&both, f, \"%s\");", task->name);
    put(e, "}");
}

static void put_tasks(emitter *e, const scan_program *program, const scan_unit *unit,
                      const slice_result *results, emit_what what) {
    for (size_t i = 0; i < program->tasks.count; i++) {
        const scan_task *task = program->tasks.at[i];
        if (task->unit != unit || !(task->scanned || (what != EMIT_SCANNED && task->by_hand)))
            continue;
        e->compare = what == EMIT_COMPARE && !task->scanned;
        put_task(e, task, &results[i]);
        if (e->compare) put_compared(e, task);
    }
}

/* ---- names ---- */

/* Whether a word of the touch functions is a name of the program: others may be macros. */
static bool is_name(const char *word) {
    static const char *const others[] = {"if",     "else",   "for",      "while", "do",
                                         "switch", "case",   "default",  "break", "continue",
                                         "goto",   "sizeof", "_Alignof", "NULL",  "INT64_MAX"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (scan_same(word, others[i])) return false;
    return !scan_starts(word, "svs_") && !scan_starts(word, "SVS_") && !scan_starts(word, "__") &&
           !call_known(word) && !kind_is_known(KIND_TYPE, word);
}

/* The end of what may look like a name: a comment, a text, a line of the preprocessor, a number. */
static const char *end_of_other(const char *text) {
    const char quote = *text, *end = scan_starts(text, "/*") ? strstr(text + 2, "*/") : NULL;
    if (end) return end + 2;
    if (*text == '#') return text + strcspn(text, "\n");
    if (isdigit((unsigned char)*text)) return text + strspn(text, SCAN_WORD ".");
    if (quote != '"' && quote != '\'') return text + 1;
    for (text++; *text && *text != quote; text++) text += *text == '\\' && text[1];
    return text + (*text == quote);
}

/* scan.I2: the names of touch functions mean what they do in the bodies. A macro that the source
 * defines after a body would change that. */
static void put_names(emitter *e, const char *text) {
    scan_table seen = {0};
    SCAN_LIST(const char) lines = {0};
    const char *line = "#if";
    while (*text) {
        const size_t length = isdigit((unsigned char)*text) ? 0 : strspn(text, SCAN_WORD);
        const char *word = scan_text("%.*s", (int)length, text);
        text = length ? text + length : end_of_other(text);
        if (!length || *text == '"' || *text == '\'' || !is_name(word)) continue;
        void **slot = scan_table_at(&seen, word);
        if (*slot) continue;
        *slot = e;
        line = scan_text("%s%s defined %s", line, seen.count > 1 ? " ||" : "", word);
        if (strlen(line) < 80) continue;
        SCAN_ADD(&lines, scan_text("%s \\", line));
        line = "   ";
    }
    for (size_t i = 0; i < lines.count; i++) put(e, "%s", lines.at[i]);
    if (!seen.count) return;
    put(e, "%s", line);
    put(e, "#error \"one of these names is a macro here, and was none in the bodies: undefine it "
           "in front of #include SVS_SCANNED\"");
    put(e, "#endif");
}

const char *emit_header(const scan_program *program, const scan_unit *unit,
                        const slice_result *results, const pairs *found, const char *path,
                        emit_what what) {
    static const char *const ignored[] = {"pragmas",
                                          "unknown-warning-option",
                                          "discarded-qualifiers",
                                          "incompatible-pointer-types-discards-qualifiers",
                                          "unused-label",
                                          "implicit-fallthrough",
                                          "parentheses-equality",
                                          "sign-compare",
                                          "address"};
    char *text = NULL;
    size_t length = 0;
    emitter e = {.to = open_memstream(&text, &length), .path = path, .line = 1};
    if (!e.to) scan_fail("out of memory");
    put(&e, "/* Touch functions that `svs scan` made of the bodies in %s. */", unit->file);
    if (what != EMIT_SCANNED) put(&e, "#pragma once");
    if (what == EMIT_COMPARE) put(&e, "#include <svs/detail/compare.h>");
    put(&e, "#if defined(__GNUC__)");
    put(&e, "#pragma GCC diagnostic push");
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        put(&e, "#pragma GCC diagnostic ignored \"-W%s\"", ignored[i]);
    put(&e, "#endif");
    fflush(e.to);
    const size_t begin = length;
    put_tasks(&e, program, unit, results, what);
    fflush(e.to);
    put_names(&e, scan_text("%s", text + begin));
    for (size_t i = 0; i < program->tasks.count; i++)
        if (program->tasks.at[i]->unit == unit) fputs(pairs_facts(found, i), e.to);
    put(&e, "#if defined(__GNUC__)");
    put(&e, "#pragma GCC diagnostic pop");
    put(&e, "#endif");
    fclose(e.to);
    const char *kept = scan_text("%s", text);
    free(text);
    return kept;
}
