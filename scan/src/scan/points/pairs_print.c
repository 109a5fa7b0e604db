#include "scan/points/pairs.h"
#include <stdlib.h>

static const char *name_of(const pairs *p, size_t task) { return p->m->tasks.at[task]->task->name; }

static const char *verb(const memory_access *access) { return access->write ? "writes" : "reads"; }

/* The place in which both accesses meet. */
static const char *where(const pairs_meeting *meeting) {
    const char *field = meeting->field && *meeting->field->name != '#'
                            ? scan_text("the field %s of ", meeting->field->name)
                            : "";
    return scan_text("%s%s", field, memory_root_text(meeting->root));
}

/* The change that would make the two tasks independent. */
static const char *cure(const pairs_meeting *meeting) {
    const memory_root *root = meeting->root;
    bool array = meeting->a->site && root->kind != ROOT_MADE && strchr(meeting->a->text, '[');
    if (meeting->touch)
        return "order the two (svs_graph_add_order), or put what is read into the item";
    if (root->kind == ROOT_OUTSIDE)
        return "scan the file from which the pointer comes, too; or order the two "
               "(svs_graph_add_order)";
    if (array)
        return "elements of one array are one place here: use two arrays, or leave it to admission";
    if (root->kind == ROOT_MADE)
        return "make what each of the two uses in a line of its own, or leave it to admission";
    return "a field or variable of its own for each, or an order (svs_graph_add_order)";
}

static void print_meeting(const pairs *p, FILE *output, size_t i, size_t k,
                          const pairs_meeting *meeting) {
    const char *a = name_of(p, i), *b = name_of(p, k);
    const memory_access *x = meeting->a, *y = meeting->b;
    if (meeting->touch)
        fprintf(output,
                "%s:%u:%u: the touch function of %s reads %s, which the body of %s writes\n",
                x->place.file, x->place.line, x->place.column, a, x->text, b);
    else
        fprintf(output, "%s:%u:%u: %s and %s are not independent: %s %s %s here\n", x->place.file,
                x->place.line, x->place.column, a, b, a, verb(x), x->text);
    fprintf(output, "%s:%u:%u: %s %s %s here\n", y->place.file, y->place.line, y->place.column, b,
            verb(y), y->text);
    fprintf(output, "    both come to %s\n    to part them: %s\n", where(meeting), cure(meeting));
}

void pairs_print(const pairs *p, FILE *output) {
    size_t dependent = 0, all = p->count * (p->count ? p->count - 1 : 0) / 2;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = i + 1; k < p->count; k++) {
            const pairs_meeting *meeting = pairs_at(p, i, k);
            dependent += meeting != NULL;
            if (meeting) print_meeting(p, output, i, k, meeting);
            else fprintf(output, "%s and %s are independent\n", name_of(p, i), name_of(p, k));
        }
    for (size_t i = 0; i < p->count * p->count; i++)
        if (p->touches[i]) print_meeting(p, output, i / p->count, i % p->count, p->touches[i]);
    fprintf(output,
            "%zu tasks: %zu of %zu pairs are independent, %zu keep an implicit dependency\n",
            p->count, all - dependent, all, dependent);
}

/* ---- the picture ---- */

static const char *escaped(const char *text) {
    char made[256];
    size_t used = 0;
    for (; *text && used + 3 < sizeof made; text++) {
        if (*text == '"' || *text == '\\') made[used++] = '\\';
        made[used++] = *text;
    }
    made[used] = 0;
    return scan_text("%s", made);
}

static const char *line_of(const memory_access *access) {
    const char *file = access->place.file ? access->place.file : "?", *base = strrchr(file, '/');
    return scan_text("%s:%u", base ? base + 1 : file, access->place.line);
}

static void dot_edge(const pairs *p, FILE *output, size_t i, size_t k,
                     const pairs_meeting *meeting) {
    const memory_access *a = meeting->a, *b = meeting->b;
    fprintf(output, "    \"%s\" -- \"%s\" [%slabel=\"%s%s %s\\n%s | %s\"];\n", name_of(p, i),
            name_of(p, k), meeting->touch ? "style=dashed, dir=forward, " : "",
            meeting->touch ? "touch: " : "", escaped(meeting->root->name),
            meeting->field ? escaped(scan_text(".%s", meeting->field->name)) : "", line_of(a),
            line_of(b));
}

void pairs_dot(const pairs *p, FILE *output) {
    fputs("// An edge: the two tasks may come to the same memory, at these lines.\n"
          "graph pairs {\n"
          "    layout=neato; overlap=false; splines=true; sep=\"+20\";\n"
          "    node [shape=box, style=rounded, fontname=\"Helvetica\"];\n"
          "    edge [fontname=\"Helvetica\", fontsize=9, len=2.5];\n",
          output);
    for (size_t i = 0; i < p->count; i++) fprintf(output, "    \"%s\";\n", name_of(p, i));
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = i + 1; k < p->count; k++)
            if (pairs_at(p, i, k)) dot_edge(p, output, i, k, pairs_at(p, i, k));
    for (size_t i = 0; i < p->count * p->count; i++)
        if (p->touches[i]) dot_edge(p, output, i / p->count, i % p->count, p->touches[i]);
    fputs("}\n", output);
}

/* ---- SVS_EXPECT_INDEPENDENT ---- */

/* Adds the tasks that a constant names by their variables, in their order. */
static void add_named(const pairs *p, const ast_node *tree, size_t *named, size_t *count) {
    for (size_t i = 0; tree->kind == AST_NAME && tree->decl && i < p->count && *count < 2; i++)
        if (scan_same(scan_text("%s_task", name_of(p, i)), tree->decl->name)) {
            named[(*count)++] = i;
            break;
        }
    for (size_t i = 0; i < tree->kids.count; i++) add_named(p, tree->kids.at[i], named, count);
}

static void expect(const pairs *p, const scan_decl *expected) {
    size_t named[2], count = 0;
    const pairs_meeting *meeting;
    add_named(p, expected->body, named, &count);
    if (count < 2 || named[0] == named[1]) {
        scan_error(expected->place, "SVS_EXPECT_INDEPENDENT names what is no two tasks of this "
                                    "scan: scan the files of both in one call");
        return;
    }
    meeting = pairs_at(p, named[0], named[1]);
    if (!meeting) return;
    const char *first = name_of(p, named[0] < named[1] ? named[0] : named[1]);
    const char *second = name_of(p, named[0] < named[1] ? named[1] : named[0]);
    scan_error(expected->place,
               "%s and %s are not independent: %s %s %s at %s, %s %s %s at %s; both come to %s; to "
               "part them: %s",
               name_of(p, named[0]), name_of(p, named[1]), first, verb(meeting->a),
               meeting->a->text, scan_at(meeting->a->place), second, verb(meeting->b),
               meeting->b->text, scan_at(meeting->b->place), where(meeting), cure(meeting));
}

void pairs_expect(const pairs *p) {
    for (size_t i = 0; i < p->m->program->annotations.count; i++)
        if (scan_starts(p->m->program->annotations.at[i]->name, "svs_scan_independent_"))
            expect(p, p->m->program->annotations.at[i]);
}

/* ---- facts for the library ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the tasks for which `is` holds, each once, as a sorted list in C. */
static const char *names(const pairs *p, size_t task,
                         bool (*is)(const pairs *p, size_t task, size_t other)) {
    size_t length = 1;
    SCAN_LIST(const char) found = {0};
    for (size_t k = 0; k < p->count; k++)
        if (is(p, task, k)) {
            SCAN_ADD(&found, name_of(p, k));
            length += strlen(name_of(p, k)) + strlen("\"\", ");
        }
    if (!found.count) return NULL;
    qsort(found.at, found.count, sizeof *found.at, by_name);
    char *text = scan_take(scan_memory(), length), *end = text;
    for (size_t i = 0; i < found.count; i++)
        if (!i || !scan_same(found.at[i - 1], found.at[i]))
            end += sprintf(end, "\"%s\", ", found.at[i]);
    return text;
}

/* Are all tasks with these two names independent? The library distinguishes tasks only by name. */
static bool is_independent(const pairs *p, size_t task, size_t other) {
    if (scan_same(name_of(p, task), name_of(p, other))) return false;
    for (size_t i = p->first[task]; i < p->count; i = p->next[i])
        for (size_t k = p->first[other]; k < p->count; k = p->next[k])
            if (pairs_at(p, i, k) || p->touches[i * p->count + k] || p->touches[k * p->count + i])
                return false;
    return true;
}

static bool touch_reads(const pairs *p, size_t task, size_t other) {
    return p->touches[task * p->count + other] != NULL;
}

const char *pairs_facts(const pairs *p, size_t task) {
    const char *independent = names(p, task, is_independent), *reads = names(p, task, touch_reads);
    const char *text = "", *name = name_of(p, task);
    if (!independent && !reads) return text;
    if (independent)
        text = scan_text("static const char *const %s_independent_[] = {%sNULL};\n", name,
                         independent);
    if (reads)
        text = scan_text("%sstatic const char *const %s_touch_reads_[] = {%sNULL};\n", text, name,
                         reads);
    return scan_text("%sstatic const svs__task_facts %s_facts_ = {%s%s, %s%s};\n", text, name,
                     independent ? name : "NULL", independent ? "_independent_" : "",
                     reads ? name : "NULL", reads ? "_touch_reads_" : "");
}
