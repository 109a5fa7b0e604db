#include "hold.h"
#include <ctype.h>

/* An access of a touch function, or of the slice of a body. */
typedef struct entry {
    const residue_step *step;
    const char *text; /* what it names, without variables of its own; NULL: not known */
    SCAN_LIST(const char) conditions;
    bool used; /* of the touch function: the slice has it, too */
} entry;

typedef struct entries {
    SCAN_LIST(entry) all;
    SCAN_LIST(const char) conditions; /* around the step that is looked at */
    SCAN_LIST(const residue_step) sets;
    bool written; /* by hand: what it names behind a condition that is dropped, it may not name */
    bool jumps;   /* the touch function may have ended before */
} entries;

/* ---- texts that two functions can be compared by ---- */

static const char *replaced(const char *text, const char *name, const char *by) {
    const char *out = "";
    size_t length = strlen(name);
    for (const char *at = text; *at;) {
        bool word = isalnum((unsigned char)*at) || *at == '_';
        size_t end = 0;
        while (word && (isalnum((unsigned char)at[end]) || at[end] == '_')) end++;
        if (word && end == length && strncmp(at, name, length) == 0)
            out = scan_text("%s%s", out, by);
        else out = scan_text("%s%.*s", out, (int)(word ? end : 1), at);
        at += word ? end : 1;
    }
    return out;
}

/* The only value of a variable, or NULL. */
static const residue_expr *only_value(const entries *e, const residue_slot *slot) {
    const residue_expr *found = NULL;
    for (size_t i = 0; i < e->sets.count; i++) {
        if (e->sets.at[i]->slot != slot) continue;
        if (found) return NULL;
        found = e->sets.at[i]->expr;
    }
    return found;
}

/* X of `T ? X : NULL`, with which a slice guards a pointer. */
static const char *unguarded(const char *text) {
    const char *end = strstr(text, " : NULL"), *begin = strstr(text, " ? ");
    if (!begin || !end || end < begin || end[7]) return text;
    return scan_text("%.*s", (int)(end - begin) - 3, begin + 3);
}

static const char *plain_text(const entries *e, const residue_expr *expr, int depth) {
    const char *text = expr->text;
    unsigned number = 0;
    for (size_t i = 0; i < expr->slots.count && depth < 6; i++) {
        const residue_slot *slot = expr->slots.at[i];
        const residue_expr *value = only_value(e, slot);
        const char *by = scan_text("$%u", number++);
        if (value) by = plain_text(e, value, depth + 1);
        if (value && !value->atom && !scan_same(text, slot->name)) by = scan_text("(%s)", by);
        text = replaced(text, slot->name, by);
    }
    return depth ? text : unguarded(text);
}

/* ---- the accesses of a function, with their conditions ---- */

static void find_sets(entries *e, const residue_block *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->at[i]->kind == STEP_SET) SCAN_ADD(&e->sets, block->at[i]);
        find_sets(e, &block->at[i]->inner[0]);
        find_sets(e, &block->at[i]->inner[1]);
        find_sets(e, &block->at[i]->pre);
    }
}

static void find(entries *e, const residue_block *block);

static void find_behind(entries *e, const residue_block *block, const char *condition) {
    SCAN_ADD(&e->conditions, condition);
    find(e, block);
    e->conditions.count--;
}

static void add_access(entries *e, const residue_step *step) {
    entry *one = SCAN_NEW(entry);
    one->step = step;
    if (step->expr && step->access != ACCESS_EVERYTHING) one->text = plain_text(e, step->expr, 0);
    for (size_t i = 0; i < e->conditions.count; i++)
        SCAN_ADD(&one->conditions, e->conditions.at[i]);
    if (e->jumps) SCAN_ADD(&one->conditions, "it has not ended before");
    if (e->written && step->perhaps) SCAN_ADD(&one->conditions, "a condition of its own holds");
    SCAN_ADD(&e->all, one);
}

static void find_step(entries *e, const residue_step *step) {
    const char *condition = step->expr ? plain_text(e, step->expr, 0) : "";
    switch (step->kind) {
    case STEP_ACCESS: add_access(e, step); return;
    case STEP_GOTO:
    case STEP_BREAK:
    case STEP_CONTINUE: e->jumps = true; return;
    case STEP_IF:
        find_behind(e, &step->inner[0], condition);
        find_behind(e, &step->inner[1], scan_text("!(%s)", condition));
        return;
    case STEP_LOOP:
        find(e, &step->pre);
        find_behind(e, &step->inner[0], scan_text("in the loop while %s", condition));
        find_behind(e, &step->inner[1], scan_text("in the loop while %s", condition));
        return;
    case STEP_SWITCH:
        find_behind(e, &step->inner[0], scan_text("in a case of %s", condition));
        return;
    case STEP_DO: find(e, &step->inner[0]); return;
    default: return;
    }
}

static void find(entries *e, const residue_block *block) {
    for (size_t i = 0; i < block->count; i++) find_step(e, block->at[i]);
}

static entries entries_of(const residue_block *block, bool written) {
    entries e = {.written = written};
    find_sets(&e, block);
    find(&e, block);
    return e;
}

/* ---- the comparison ---- */

static const char *extra_condition(const entry *written, const entry *sliced) {
    for (size_t i = 0; i < written->conditions.count; i++) {
        bool found = false;
        for (size_t k = 0; k < sliced->conditions.count; k++)
            found |= scan_same(written->conditions.at[i], sliced->conditions.at[k]);
        if (!found) return written->conditions.at[i];
    }
    return NULL;
}

static bool same_place(const entry *written, const entry *sliced) {
    const residue_step *w = written->step, *s = sliced->step;
    if (w->access == ACCESS_EVERYTHING) return true;
    if (!written->text || !sliced->text || !scan_same(written->text, sliced->text)) return false;
    if (w->access == ACCESS_REACH) return s->access != ACCESS_PLACE;
    return w->access == s->access && residue_same_links(&w->links, &s->links);
}

/* Whether what is written may be the place by another name: the body has no other use for it. */
static bool may_be(const entry *written, const entry *sliced) {
    const residue_step *w = written->step, *s = sliced->step;
    if (!written->text || w->access == ACCESS_INDEX) return true;
    if (w->access == ACCESS_REACH || w->access == ACCESS_ALONG || w->access == ACCESS_PATH)
        return s->access != ACCESS_PLACE;
    return !written->used && (!w->shape || !s->shape || scan_same(w->shape, s->shape));
}

typedef struct holder {
    const scan_task *task;
    entries written, sliced;
    bool notes;
    size_t proved;
} holder;

static void note(const holder *h, scan_place at, const char *text) {
    if (h->notes)
        printf("%s:%u:%u: note: %s: %s\n", at.file ? at.file : "?", at.line, at.column,
               h->task->name, text);
}

static const char *name_of(const entry *e) {
    return e->text ? e->text : e->step->access == ACCESS_EVERYTHING ? "everything" : "memory";
}

/* An access that the touch function names in no way: missing, or only not proved. */
static void judge(const holder *h, const entry *sliced, bool read_only, const char *condition) {
    const char *how = sliced->step->write ? "written" : "read";
    bool other = false;
    for (size_t i = 0; i < h->written.all.count; i++) other |= may_be(h->written.all.at[i], sliced);
    if (condition)
        note(h, sliced->step->place,
             scan_text("not proved: the body has %s %s, and the touch function names it only if %s",
                       name_of(sliced), how, condition));
    else if (!sliced->text || sliced->step->perhaps || other)
        note(h, sliced->step->place,
             scan_text("not proved: that the touch function names %s, which is %s here",
                       name_of(sliced), how));
    else
        scan_error(sliced->step->place,
                   read_only ? "%s: %s is %s here, and its touch function names it as read: name "
                               "it with svs_writes()"
                             : "%s: %s is %s here, and its touch function does not name it: name "
                               "it, or let SVS_TASK_SCANNED make the touch function",
                   h->task->name, name_of(sliced), how);
}

static void hold_one(holder *h, const entry *sliced) {
    bool read_only = false;
    const char *condition = NULL;
    for (size_t i = 0; i < h->written.all.count; i++) {
        const entry *written = h->written.all.at[i];
        if (!same_place(written, sliced)) continue;
        const char *extra = extra_condition(written, sliced);
        if (written->step->write < sliced->step->write) {
            read_only = true;
        } else if (extra) {
            condition = extra;
        } else {
            h->proved++;
            return;
        }
    }
    judge(h, sliced, read_only, condition);
}

/* What the touch function names, and the slice does not. */
static void note_needless(const holder *h, const entry *written) {
    const char *cost = "one element an instance";
    if (written->step->access == ACCESS_EVERYTHING) cost = "the instance runs alone";
    else if (written->step->access == ACCESS_REACH || written->step->access == ACCESS_ALONG)
        cost = "an element for each object that is reached";
    else if (written->conditions.count &&
             scan_starts(written->conditions.at[written->conditions.count - 1], "in the loop"))
        cost = "an element a round";
    if (!written->used)
        note(h, written->step->place,
             scan_text("more than the body needs, or by another name: %s, which costs %s",
                       name_of(written), cost));
}

void hold_touch(scan_program *program, const scan_task *task, bool notes) {
    bool again = false;
    holder h = {.task = task, .notes = notes};
    scan_errors_hold(true);
    slice_result body = slice_task(program, task, &again);
    slice_result touch = slice_touch(program, task);
    const char *failed = scan_errors_hold(false);
    if (failed) {
        note(&h, task->place, scan_text("not proved: %s", failed));
        return;
    }
    h.written = entries_of(&touch.body, true);
    h.sliced = entries_of(&body.body, false);
    for (size_t i = 0; i < h.written.all.count; i++)
        for (size_t k = 0; k < h.sliced.all.count; k++)
            h.written.all.at[i]->used |= same_place(h.written.all.at[i], h.sliced.all.at[k]);
    for (size_t i = 0; i < h.sliced.all.count; i++) hold_one(&h, h.sliced.all.at[i]);
    for (size_t i = 0; i < h.written.all.count; i++) note_needless(&h, h.written.all.at[i]);
    if (h.proved == h.sliced.all.count)
        note(&h, task->place,
             scan_text("proved: its touch function names each of %zu accesses", h.proved));
}
