#include "scan/slice/slicing.h"
#include <stdarg.h>

void slice_note_at(slicer *s, scan_place place, const char *format, ...) {
    char text[512];
    va_list values;
    slice_note *note;
    va_start(values, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is above */
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    for (size_t i = 0; i < s->result->notes.count; i++) {
        const slice_note *old = s->result->notes.at[i];
        if (old->place.line == place.line && scan_same(old->text, text)) return;
    }
    note = SCAN_NEW(slice_note);
    note->place = place;
    note->text = scan_text("%s", text);
    SCAN_ADD(&s->result->notes, note);
}

/* R4, R6: whether the body may not reach the code that the residue reaches. */
bool slice_is_risky(const slicer *s) {
    if (s->dropped_ifs) return true;
    for (const slice_construct *c = s->construct; c; c = c->outer)
        if (c->left || c->continued) return true;
    return false;
}

int slice_uncertain_level(const slicer *s) {
    int level = s->uncertain;
    for (const slice_construct *c = s->construct; c; c = c->outer) {
        if (c->left && c->level > level) level = c->level;
        if (c->continued && c->body_level > level) level = c->body_level;
    }
    return level;
}

bool slice_keeps_jump(const slicer *s, const slice_construct *to, bool next) {
    if (s->dropped_ifs != to->dropped_ifs) return false;
    for (const slice_construct *c = s->construct; c != to; c = c->outer)
        if (c->left || c->continued) return false;
    return next || !to->continued;
}

residue_step *slice_step(slicer *s, step_kind kind, scan_place place) {
    residue_step *step = SCAN_NEW(residue_step);
    step->kind = kind;
    step->place = place;
    step->doubtful = kind == STEP_ACCESS && slice_is_risky(s);
    if (step->doubtful)
        step->perhaps = s->doubt ? s->doubt : "a jump that is not known before is dropped";
    SCAN_ADD(s->out, step);
    return step;
}

void slice_remember(slicer *s, unsigned *known, unsigned mask) {
    if (mask & ~*known) s->changed = true;
    *known |= mask;
}

void slice_sets_links(slicer *s, unsigned mask) {
    s->links_set |= mask;
    slice_remember(s, &s->links_ever, mask);
}

slice_doubt slice_drop_if(slicer *s, const char *why) {
    slice_doubt before = {s->uncertain, s->doubt};
    s->dropped_ifs++;
    s->level++;
    s->uncertain = s->level;
    s->doubt = why;
    return before;
}

void slice_keep_if(slicer *s, slice_doubt before) {
    s->uncertain = before.uncertain;
    s->doubt = before.why;
    s->dropped_ifs--;
    s->level--;
}

static void one_pass(slicer *s, scan_decl *function) {
    slice_value values[2] = {
        {.shape = scan_name("struct svs_context*"), .local = true, .sure = true},
        {.known = residue_make(true, "item"),
         .shape = scan_name("void*"),
         .sure = true,
         .item = true}};
    s->result->body = (residue_block){0};
    s->result->notes.count = 0;
    s->result->everything = 0;
    s->out = &s->result->body;
    s->level = s->uncertain = s->dropped_ifs = 0;
    s->construct = NULL;
    s->doubt = NULL;
    s->labels = 0;
    s->links_set = s->asyncs ? s->links_ever : 0;
    s->changed = false;
    s->pass++;
    slice_enter(s, function, s->task, values, 2, s->task->place);
}

void slice_walk(scan_program *program, const scan_task *task, scan_decl *function, bool *again,
                bool touching, slice_result *result) {
    slice_frame outside = {0};
    slicer s = {.program = program, .task = task, .result = result, .frame = &outside};
    s.again = again;
    s.touching = touching;
    s.lost = 1;
    *scan_table_at(&s.names, "item") = &s;
    *scan_table_at(&s.names, "f") = &s;
    do one_pass(&s, function);
    while (s.changed);
}

slice_result slice_whole(scan_program *program, const scan_task *task, bool *again) {
    slice_result result = {0};
    slice_walk(program, task, task->run, again, false, &result);
    return result;
}

slice_result slice_task(scan_program *program, const scan_task *task, bool *again) {
    slice_result result = slice_whole(program, task, again);
    residue_tidy(&result.body);
    return result;
}
