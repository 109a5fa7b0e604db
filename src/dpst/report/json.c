/* Reports for programs: one JSON object.
 *
 *     {"version": 1,
 *      "races": [{"verdict": "race",
 *                 "object": {"kind": "block" | "variable" | "object" | "elsewhere", "name": ..,
 *                            "field": .., "bytes": .., "allocated": [frame, ..]},
 *                 "ranges": [{"offset": .., "bytes": ..}, ..],
 *                 "example": {"address": "0x..", "bytes": ..},
 *                 "accesses": [{"write": true, "task": .., "instance": .., "path": [node, ..],
 *                               "stack": [frame, ..]}, ..],
 *                 "declared": .., "cure": ..}, ..],
 *      "suppressed": .., "dropped": .., "summary": {"accesses": .., ..}}
 *
 * where a node is {"kind": "run" | "finish" | "async" | "instance" | "step", "number", "function"},
 * counted among the children of the one before it, and a frame is {"function", "file", "line"}, or
 * with "module" and "offset" in the place of the file when nothing tells its line; what is not
 * known is null. */
#include "base/json_string.h"
#include "dpst/report/report.h"
#include <inttypes.h>

static void print_member(const char *key, const char *text, FILE *to) {
    (void)fprintf(to, "\"%s\": ", key);
    svs__json_string(to, text);
}

static void print_stack(const char *key, const svs__stack_names *stack, FILE *to) {
    (void)fprintf(to, "\"%s\": [", key);
    for (uint32_t i = 0; i < stack->count; i++) {
        const svs__place_name *p = &stack->places[i];
        (void)fputs(i ? ", {" : "{", to);
        print_member("function", p->function, to);
        (void)fputs(", ", to);
        if (p->file != NULL) {
            print_member("file", p->file, to);
            (void)fprintf(to, ", \"line\": %d}", p->line);
        } else {
            print_member("module", p->module, to);
            (void)fprintf(to, ", \"offset\": %zu}", (size_t)p->offset);
        }
    }
    (void)fputc(']', to);
}

static void print_object(const svs__report_entry *report, FILE *to) {
    static const char *const kinds[] = {[SVS__IN_BLOCK] = "block",
                                        [SVS__IN_VARIABLE] = "variable",
                                        [SVS__IN_OBJECT] = "object",
                                        [SVS__ELSEWHERE] = "elsewhere"};
    const svs__raced_object *object = &report->example->object;
    (void)fprintf(to, "\"object\": {\"kind\": \"%s\", ", kinds[object->kind]);
    print_member("name", object->name, to);
    (void)fputs(", ", to);
    print_member("field", object->field, to);
    (void)fprintf(to, ", \"bytes\": %zu, ", object->bytes);
    print_stack("allocated", &report->allocation, to);
    (void)fputs("},\n  \"ranges\": [", to);
    for (size_t i = 0; i < report->range_count; i++)
        (void)fprintf(to, "%s{\"offset\": %zu, \"bytes\": %zu}", i ? ", " : "",
                      (size_t)report->ranges[i].begin,
                      (size_t)(report->ranges[i].end - report->ranges[i].begin));
    (void)fprintf(to, "],\n  \"example\": {\"address\": \"0x%zx\", \"bytes\": %zu}",
                  (size_t)report->example->address, report->example->bytes);
}

static void print_path(const svs__side *side, FILE *to) {
    static const char *const kinds[] = {[SVS__PATH_FINISH] = "finish",
                                        [SVS__PATH_ASYNC] = "async",
                                        [SVS__PATH_STEP] = "step",
                                        [SVS__PATH_INSTANCE] = "instance"};
    char room[256];
    (void)fputs("\"path\": [", to);
    for (size_t i = 0; i < side->path_count; i++) {
        const svs__path_item *item = &side->path[i];
        (void)fprintf(to, "%s{\"kind\": \"%s\", \"number\": %" PRIu32 ", ", i ? ", " : "",
                      i == 0 ? "run" : kinds[item->kind], item->number);
        print_member("function", svs__path_function(item, room, sizeof room), to);
        (void)fputc('}', to);
    }
    (void)fputs("], ", to);
}

static void print_report(const svs__report_entry *report, FILE *to) {
    (void)fputs("{", to);
    print_member("verdict", svs__verdict_name(report->example->verdict), to);
    (void)fputs(", ", to);
    print_object(report, to);
    (void)fputs(",\n  \"accesses\": [", to);
    for (int i = 0; i < report->example->side_count; i++) {
        (void)fprintf(to, "%s{\"write\": %s, ", i ? ",\n    " : "",
                      report->sides[i]->write ? "true" : "false");
        print_member("task", report->sides[i]->task, to);
        (void)fprintf(to, ", \"instance\": %" PRIu64 ", ", report->sides[i]->instance);
        print_path(report->sides[i], to);
        print_stack("stack", &report->stacks[i], to);
        (void)fputc('}', to);
    }
    (void)fputs("],\n  ", to);
    print_member("declared", report->example->declared, to);
    (void)fputs(", ", to);
    print_member("cure", report->example->cure, to);
    (void)fputc('}', to);
}

static void print_summary(const svs_check_summary *s, FILE *to) {
    (void)fprintf(to,
                  "\"summary\": {\"accesses\": %" PRIu64 ", \"steps\": %" PRIu64
                  ", \"nodes\": %" PRIu64 ", \"phases\": %" PRIu64 ", \"queries\": %" PRIu64
                  ", \"edges\": {\"labels\": %" PRIu64 ", \"steal_tree\": %" PRIu64
                  ", \"walk\": %" PRIu64 "}, \"bytes\": %" PRIu64 ", \"lost\": %" PRIu64
                  ", \"merged\": %" PRIu64 "}",
                  s->accesses, s->steps, s->nodes, s->phases, s->queries,
                  s->edges[SVS_CHECK_LCA_LABELS], s->edges[SVS_CHECK_LCA_STEAL_TREE],
                  s->edges[SVS_CHECK_LCA_WALK], s->bytes, s->lost, s->merged);
}

bool svs__reports_print_json(const svs__report_list *reports, const svs_check_summary *summary,
                             FILE *to) {
    (void)fputs("{\"version\": 1,\n\"races\": [", to);
    for (uint32_t i = 0; i < reports->count; i++) {
        if (i) (void)fputs(",\n", to);
        print_report(&reports->items[i], to);
    }
    (void)fprintf(to, "],\n\"suppressed\": %" PRIu32 ", \"dropped\": %" PRIu64 ",\n",
                  reports->suppressed, reports->dropped);
    print_summary(summary, to);
    (void)fputs("}\n", to);
    return ferror(to) == 0;
}
