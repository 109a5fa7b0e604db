#include "dpst/report/report.h"
#include "dpst/report/frames.h"
#include "dpst/report/options.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Allocates from the C library itself. The memory is not released, because the process ends. */
static void *need(size_t count, size_t bytes) {
    void *memory = svs__real_calloc(count ? count : 1, bytes);
    if (memory != NULL) return memory;
    (void)fputs("svs check: no memory for the reports\n", stderr);
    _Exit(70);
}

/* ---- call stacks ---- */

#define STACK_MAX 1000u
#define INLINED_MAX 16u

/* Does the code at `pc` belong to the library, which called the task's body? Such frames are not
 * shown. */
static bool is_library(uintptr_t pc) {
    static const void *base;
    Dl_info info;
    svs_status (*inside)(svs_runtime *, svs_async_function *, void *) = svs_async_run;
    if (base == NULL) {
        void *address;
        memcpy(&address, &inside, sizeof address);
        if (dladdr(address, &info) != 0) base = info.dli_fbase;
    }
    return dladdr((void *)(pc - 1), &info) != 0 && info.dli_fbase == base;
}

/* Is it an inline function of one of the library's headers? Such frames are not shown either. */
static bool is_header(const svs__place_name *place) {
    return place->file != NULL && strstr(place->file, "include/svs/") != NULL;
}

static svs__stack_names name_stack(uintptr_t pc, uint32_t frame, uint32_t most) {
    uintptr_t pcs[STACK_MAX];
    svs__place_name inlined[INLINED_MAX];
    svs__stack_names stack = {need(most, sizeof *stack.places), 0};
    uint32_t count = 0;
    if (pc == 0) return stack;
    pcs[count++] = pc;
    count += svs__frame_list(frame, pcs + 1, most - 1);
    for (uint32_t i = 0; i < count && (i == 0 || !is_library(pcs[i])); i++) {
        uint32_t here = svs__symbols_of_code(pcs[i], inlined, INLINED_MAX);
        for (uint32_t j = 0; j < here && stack.count < most; j++)
            if (!is_header(&inlined[j])) stack.places[stack.count++] = inlined[j];
    }
    if (stack.count == 0 && count != 0) /* no frame of the program's own code is known */
        stack.count = svs__symbols_of_code(pc, stack.places, 1);
    return stack;
}

static svs__stack_names name_allocation(const svs__heap_block *block, uint32_t most) {
    svs__stack_names stack = name_stack(block->pc, block->frame, most + 1);
    if (stack.count > 1 && svs__symbol_is_maker(stack.places[0].function)) {
        stack.places++;
        stack.count--;
    }
    if (stack.count > most) stack.count = most;
    return stack;
}

/* ---- order ---- */

static int compare_texts(const char *a, const char *b) {
    return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_places(const svs__place_name *a, const svs__place_name *b) {
    int order = compare_texts(a->file, b->file);
    if (order == 0) order = compare_numbers((uint64_t)a->line, (uint64_t)b->line);
    if (order == 0) order = compare_texts(a->function, b->function);
    if (order == 0) order = compare_texts(a->module, b->module);
    return order != 0 ? order : compare_numbers(a->offset, b->offset);
}

/* Compares the places of the two accesses. The callers use it where a pair of sources cannot be
 * told apart otherwise. */
static int compare_tops(const svs__stack_names *a, const svs__stack_names *b) {
    if (a->count == 0 || b->count == 0) return compare_numbers(a->count, b->count);
    return compare_places(&a->places[0], &b->places[0]);
}

static int compare_stacks(const svs__stack_names *a, const svs__stack_names *b) {
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        int order = compare_places(&a->places[i], &b->places[i]);
        if (order != 0) return order;
    }
    return compare_numbers(a->count, b->count);
}

static int compare_objects(const svs__report_entry *a, const svs__report_entry *b) {
    const svs__raced_object *x = &a->example->object, *y = &b->example->object;
    int order = (int)x->kind - (int)y->kind;
    if (order == 0) order = compare_texts(x->name, y->name);
    if (order == 0) order = compare_texts(x->field, y->field);
    return order != 0 ? order : compare_stacks(&a->allocation, &b->allocation);
}

/* The order of verdicts: undeclared accesses first, because races follow from them. */
static int rank_of(const svs__report_entry *report) {
    static const int ranks[] = {[SVS_CHECK_VERDICT_UNDECLARED] = 0,
                                [SVS_CHECK_VERDICT_RACE] = 1,
                                [SVS_CHECK_VERDICT_ORDER] = 2};
    return ranks[report->example->verdict];
}

/* Compares two reports. @return 0 when they are one report, whether they read or write. */
static int compare_reports(const svs__report_entry *a, const svs__report_entry *b) {
    int order = rank_of(a) - rank_of(b);
    if (order == 0) order = compare_tops(&a->stacks[0], &b->stacks[0]);
    if (order == 0) order = compare_tops(&a->stacks[1], &b->stacks[1]);
    return order != 0 ? order : compare_objects(a, b);
}

static int writes(const svs__report_entry *report) {
    return (int)report->sides[0]->write + (int)report->sides[1]->write;
}

static uintptr_t offset_of(const svs__report_entry *report) {
    return report->example->address - report->example->object.begin;
}

/* The example of a report is the race with the most writes and, among these, with the lowest
 * offset. */
static int compare(const void *a, const void *b) {
    int order = compare_reports(a, b);
    if (order == 0) order = writes(b) - writes(a);
    return order != 0 ? order : compare_numbers(offset_of(a), offset_of(b));
}

/* ---- racy bytes ---- */

static int compare_lines(const void *a, const void *b) {
    const svs__racy_line *x = a, *y = b;
    int order = compare_numbers(x->finding, y->finding);
    return order != 0 ? order : compare_numbers(x->line, y->line);
}

static void add_range(svs__report_entry *report, uintptr_t begin, uintptr_t end) {
    svs__range *last = report->range_count ? &report->ranges[report->range_count - 1] : NULL;
    report->racy_bytes += end - begin;
    if (last != NULL && last->end == begin) last->end = end;
    else report->ranges[report->range_count++] = (svs__range){begin, end};
}

static void add_line(svs__report_entry *report, const svs__racy_line *line, uint64_t bytes) {
    for (unsigned at = 0; at < 64;) {
        unsigned end = at;
        while (end < 64 && bytes >> end & 1) end++;
        if (end > at) add_range(report, line->line * 64 + at, line->line * 64 + end);
        at = end + 1;
    }
}

/* Makes the ranges of racy bytes. `lines` are the lines of all reports, sorted; `finding` in them
 * is the number of the report. */
static void make_ranges(svs__report_list *reports, const svs__racy_line *lines, size_t count) {
    for (size_t i = 0; i < count;) {
        svs__report_entry *report = &reports->items[lines[i].finding];
        size_t end = i;
        while (end < count && lines[end].finding == lines[i].finding) end++;
        report->ranges = need((end - i) * 32, sizeof *report->ranges);
        while (i < end) { /* one line may have come from several findings */
            uint64_t bytes = lines[i].bytes;
            for (; i + 1 < end && lines[i + 1].line == lines[i].line; i++)
                bytes |= lines[i + 1].bytes;
            add_line(report, &lines[i++], bytes);
        }
    }
}

/* ---- making ---- */

static bool is_known(const svs__stack_names *stack) {
    for (uint32_t i = 0; i < stack->count; i++) {
        const svs__place_name *place = &stack->places[i];
        if (svs__suppress_function(place->function) ||
            svs__suppress_file(place->file != NULL ? place->file : place->module))
            return true;
    }
    return false;
}

static bool is_suppressed(const svs__report_entry *report) {
    return svs__suppress_object(report->example->object.name) || is_known(&report->stacks[0]) ||
           is_known(&report->stacks[1]);
}

static svs__report_entry name_finding(const svs__finding *finding, uint32_t frames) {
    const svs__raced_object *object = &finding->object;
    svs__report_entry report = {.example = finding};
    svs__stack_names stacks[2];
    int order, swap;
    for (int i = 0; i < 2; i++)
        stacks[i] = name_stack((uintptr_t)finding->sides[i].pc, finding->sides[i].frame, frames);
    /* for two accesses in one line, writes come first */
    order = compare_tops(&stacks[0], &stacks[1]);
    swap = finding->side_count == 2 && (order > 0 || (order == 0 && !finding->sides[0].write));
    for (int i = 0; i < 2; i++) {
        report.sides[i] = &finding->sides[i ^ swap];
        report.stacks[i] = stacks[i ^ swap];
    }
    if (object->kind == SVS__IN_BLOCK || object->block.bytes != 0)
        report.allocation = name_allocation(&object->block, frames);
    return report;
}

/* Does the race follow from the undeclared access? One of its instances is of that task, accesses
 * that object or one of that type, and has not declared it either. */
static bool follows_from(const svs__report_entry *race, const svs__report_entry *undeclared) {
    const svs__raced_object *x = &race->example->object, *y = &undeclared->example->object;
    if (x->kind != SVS__IN_OBJECT || y->kind != x->kind || compare_texts(x->name, y->name) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        if (!race->sides[i]->declared &&
            compare_texts(race->sides[i]->task, undeclared->sides[0]->task) == 0)
            return true;
    return false;
}

/* Counts races with the undeclared accesses that they follow from. The reports are sorted:
 * undeclared accesses come first. */
static void fold(svs__report_list *reports) {
    for (uint32_t i = 0; i < reports->count; i++) {
        svs__report_entry *race = &reports->items[i];
        if (race->example->verdict != SVS_CHECK_VERDICT_RACE) continue;
        for (uint32_t j = 0; j < i && !race->folded; j++) {
            svs__report_entry *from = &reports->items[j];
            if (from->example->verdict != SVS_CHECK_VERDICT_UNDECLARED) break;
            race->folded = follows_from(race, from);
            from->follows += race->folded;
            reports->folded += race->folded;
        }
    }
}

#define NO_REPORT UINT32_MAX

/* Merges findings that are one report, and leaves out suppressed ones. `became[i]` is the report of
 * finding number i. */
static void merge(svs__report_list *reports, svs__report_entry *all, uint32_t count,
                  const svs__finding *findings, uint32_t *became) {
    bool known = false;
    for (uint32_t i = 0; i < count; i++) {
        bool first = i == 0 || compare_reports(&all[i - 1], &all[i]) != 0;
        if (first) {
            known = is_suppressed(&all[i]);
            if (known) reports->suppressed++;
            else reports->items[reports->count++] = all[i];
        }
        became[all[i].example - findings] = known ? NO_REPORT : reports->count - 1;
    }
}

static void take_lines(svs__report_list *reports, const svs__racy_line *lines, size_t capacity,
                       const uint32_t *became) {
    svs__racy_line *sorted = need(capacity, sizeof *sorted);
    size_t count = 0;
    for (size_t i = 0; i < capacity; i++) {
        if (lines[i].bytes == 0 || became[lines[i].finding] == NO_REPORT) continue;
        sorted[count] = lines[i];
        sorted[count++].finding = became[lines[i].finding];
    }
    qsort(sorted, count, sizeof *sorted, compare_lines);
    make_ranges(reports, sorted, count);
}

void svs__reports_make(svs__report_list *reports, uint32_t frames) {
    const svs__finding *findings;
    const svs__racy_line *lines;
    svs__report_entry *all;
    uint32_t count, *became;
    size_t capacity;
    if (frames == 0) frames = 1;
    svs__found_begin(&findings, &count, &lines, &capacity);
    all = need(count, sizeof *all);
    became = need(count, sizeof *became);
    *reports = (svs__report_list){.items = need(count, sizeof *reports->items),
                                  .dropped = svs__found_dropped()};
    for (uint32_t i = 0; i < count; i++) all[i] = name_finding(&findings[i], frames);
    qsort(all, count, sizeof *all, compare);
    merge(reports, all, count, findings, became);
    fold(reports);
    take_lines(reports, lines, capacity, became);
    svs__found_end();
}
