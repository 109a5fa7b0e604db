/* Prints reports for people. */
#include "dpst/report/report.h"
#include <string.h>
#include <unistd.h>

const char *svs__verdict_name(int verdict) {
    return verdict == SVS_CHECK_VERDICT_UNDECLARED ? "undeclared access"
           : verdict == SVS_CHECK_VERDICT_ORDER    ? "order"
                                                   : "race";
}

/* Shortens the path of a file below the current directory by the name of that directory. */
static const char *short_path(const char *path) {
    static char here[4096];
    size_t length;
    if (here[0] == '\0' && getcwd(here, sizeof here) == NULL) return path;
    length = strlen(here);
    return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* The library runs a typed function through a function of its own, whose name begins with
 * name_run_. */
const char *svs__path_function(const svs__path_item *item, char *room, size_t bytes) {
    svs__place_name place;
    const char *end;
    if (item->site == NULL) return NULL;
    (void)svs__symbols_of_code((uintptr_t)item->site + 1, &place, 1);
    if (place.function == NULL) return NULL;
    end = strstr(place.function, "_run_");
    if (end == NULL || end[5] != '\0' || (size_t)(end - place.function) >= bytes)
        return place.function;
    memcpy(room, place.function, (size_t)(end - place.function));
    room[end - place.function] = '\0';
    return room;
}

#define PATH_SHOWN 12u

static void print_path(const svs__side *side, FILE *to) {
    size_t first = side->path_count > PATH_SHOWN ? side->path_count - PATH_SHOWN : 0;
    char room[256];
    if (first != 0) (void)fputs("  ..", to);
    for (size_t i = first; i < side->path_count; i++) {
        const svs__path_item *item = &side->path[i];
        const char *name = svs__path_function(item, room, sizeof room);
        (void)fputs(i == 0 ? "" : " > ", to);
        if (i == 0) (void)fputs("run", to);
        else if (item->kind == SVS__PATH_STEP) (void)fprintf(to, "step %u", item->number);
        else if (item->kind == SVS__PATH_FINISH) (void)fprintf(to, "finish %u", item->number);
        else if (item->kind == SVS__PATH_INSTANCE)
            (void)fprintf(to, "instance of %s", side->task != NULL ? side->task : "?");
        else (void)fprintf(to, "async %u (%s)", item->number, name != NULL ? name : "?");
    }
}

static void print_stack(const svs__stack_names *stack, FILE *to) {
    for (uint32_t i = 0; i < stack->count; i++) {
        const svs__place_name *p = &stack->places[i];
        (void)fprintf(to, "      #%u %s ", i, p->function != NULL ? p->function : "?");
        if (p->file != NULL) (void)fprintf(to, "%s:%d\n", short_path(p->file), p->line);
        else
            (void)fprintf(to, "%s+0x%zx\n", p->module != NULL ? short_path(p->module) : "",
                          (size_t)p->offset);
    }
}

static void print_side(const svs__report_entry *report, int i, FILE *to) {
    const svs__side *side = report->sides[i];
    if (side->task != NULL)
        (void)fprintf(to, "  Task %s, instance %016llx of run %u,", side->task,
                      (unsigned long long)side->instance, side->run);
    else (void)fprintf(to, "  %s", i == 0 ? "One" : "The other");
    (void)fprintf(to, " %s", side->write ? "writes" : "reads");
    if (side->path_count != 0) (void)fputs(", in ", to);
    print_path(side, to);
    (void)fputs(report->stacks[i].count ? ":\n" : "; where is not known any more\n", to);
    print_stack(&report->stacks[i], to);
}

#define RANGES_SHOWN 8u

static void print_ranges(const svs__report_entry *report, FILE *to) {
    size_t shown = report->range_count < RANGES_SHOWN ? report->range_count : RANGES_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const svs__range *r = &report->ranges[i];
        if (r->end - r->begin == 1) (void)fprintf(to, "%s %zu", i ? "," : "", (size_t)r->begin);
        else (void)fprintf(to, "%s %zu to %zu", i ? "," : "", (size_t)r->begin, (size_t)r->end - 1);
    }
    if (shown < report->range_count)
        (void)fprintf(to, ", and %zu more ranges", report->range_count - shown);
}

static const char *text_or(const char *text, const char *none) {
    return text != NULL ? text : none;
}

static void print_object(const svs__report_entry *report, FILE *to) {
    const svs__raced_object *object = &report->example->object;
    if (object->kind == SVS__ELSEWHERE) {
        (void)fprintf(to, "  On %zu bytes\n", report->racy_bytes);
        return;
    }
    (void)fprintf(to, "  On %s", report->racy_bytes == 1 ? "byte" : "bytes");
    print_ranges(report, to);
    if (object->kind == SVS__IN_VARIABLE)
        (void)fprintf(to, " of the variable %s (%zu bytes)", object->name, object->bytes);
    else if (object->kind == SVS__IN_OBJECT)
        (void)fprintf(to, " of %s%s%s (%zu bytes)", text_or(object->name, "an object"),
                      object->field != NULL ? "." : "", text_or(object->field, ""), object->bytes);
    else (void)fprintf(to, " of a block of %zu bytes", object->bytes);
    (void)fputs(report->allocation.count ? ", allocated at:\n" : "\n", to);
    print_stack(&report->allocation, to);
}

static void print_title(const svs__report_entry *report, FILE *to) {
    const svs__raced_object *object = &report->example->object;
    bool writes = report->sides[0]->write && report->sides[1]->write;
    if (report->example->side_count == 1)
        (void)fprintf(to, "a %s of ", report->sides[0]->write ? "write" : "read");
    else (void)fprintf(to, "%s of ", writes ? "two writes" : "a write and a read");
    if (object->kind == SVS__IN_VARIABLE || object->kind == SVS__IN_OBJECT)
        (void)fprintf(to, "%s", text_or(object->name, "an object"));
    else if (object->kind == SVS__IN_BLOCK)
        (void)fprintf(to, "a block of %zu bytes", object->bytes);
    else (void)fputs("a local variable, or of memory from the system", to);
    (void)fputs(report->example->side_count == 2 ? ", in no order\n" : "\n", to);
}

static void print_report(const svs__report_entry *report, FILE *to) {
    print_title(report, to);
    for (int j = 0; j < report->example->side_count; j++) print_side(report, j, to);
    print_object(report, to);
    if (report->example->declared != NULL)
        (void)fprintf(to, "  Declared: %s\n", report->example->declared);
    if (report->example->cure != NULL) (void)fprintf(to, "  Cure: %s\n", report->example->cure);
    if (report->follows != 0)
        (void)fprintf(to, "  Follow from it: %u races, which json=FILE lists\n", report->follows);
}

void svs__reports_print(const svs__report_list *reports, uint32_t most, FILE *to) {
    uint32_t count = reports->count - reports->folded, shown = 0;
    for (uint32_t i = 0; i < reports->count && shown < most; i++) {
        const svs__report_entry *report = &reports->items[i];
        if (report->folded) continue;
        (void)fprintf(to, "\nsvs check: %s %u of %u: ", svs__verdict_name(report->example->verdict),
                      ++shown, count);
        print_report(report, to);
    }
    if (count > most)
        (void)fprintf(to, "\nsvs check: %u more are not shown (reports=%u)\n", count - most, most);
    if (reports->count != 0) (void)fputc('\n', to);
}
