#include "scan/hold/entries.h"
#include <ctype.h>

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

/* The value of a variable that is set once, or NULL. */
static const residue_expr *only_value(const hold_entries *e, const residue_slot *slot) {
    const residue_expr *found = NULL;
    for (size_t i = 0; i < e->sets.count; i++) {
        if (e->sets.at[i]->slot != slot) continue;
        if (found) return NULL;
        found = e->sets.at[i]->expr;
    }
    return found;
}

/* X of `T ? X : NULL`, the form in which a slice guards a pointer. */
static const char *unguarded(const char *text) {
    const char *end = strstr(text, " : NULL"), *begin = strstr(text, " ? ");
    if (!begin || !end || end < begin || end[7]) return text;
    return scan_text("%.*s", (int)(end - begin) - 3, begin + 3);
}

static const char *plain_text(const hold_entries *e, const residue_expr *expr, int depth) {
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

static void find_sets(hold_entries *e, const residue_block *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->at[i]->kind == STEP_SET) SCAN_ADD(&e->sets, block->at[i]);
        find_sets(e, &block->at[i]->inner[0]);
        find_sets(e, &block->at[i]->inner[1]);
        find_sets(e, &block->at[i]->pre);
    }
}

static void find(hold_entries *e, const residue_block *block);

static void find_behind(hold_entries *e, const residue_block *block, const char *condition) {
    SCAN_ADD(&e->conditions, condition);
    find(e, block);
    e->conditions.count--;
}

static void add_access(hold_entries *e, const residue_step *step) {
    hold_entry *one = SCAN_NEW(hold_entry);
    one->step = step;
    if (step->expr && step->access != ACCESS_EVERYTHING) one->text = plain_text(e, step->expr, 0);
    for (size_t i = 0; i < e->conditions.count; i++)
        SCAN_ADD(&one->conditions, e->conditions.at[i]);
    if (e->jumps) SCAN_ADD(&one->conditions, "it has not ended before");
    if (e->written && step->perhaps) SCAN_ADD(&one->conditions, "a condition of its own holds");
    SCAN_ADD(&e->all, one);
}

static void find_step(hold_entries *e, const residue_step *step) {
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

static void find(hold_entries *e, const residue_block *block) {
    for (size_t i = 0; i < block->count; i++) find_step(e, block->at[i]);
}

hold_entries hold_entries_of(const residue_block *block, bool written) {
    hold_entries e = {.written = written};
    find_sets(&e, block);
    find(&e, block);
    return e;
}

/* ---- conditions ---- */

static bool has_condition(const hold_entry *e, const char *condition) {
    for (size_t i = 0; i < e->conditions.count; i++)
        if (scan_same(e->conditions.at[i], condition)) return true;
    return false;
}

bool hold_is_in_loop(const char *condition) { return scan_starts(condition, "in the loop"); }

const char *hold_extra_condition(const hold_entry *written, const hold_entry *sliced, bool loops) {
    for (size_t i = 0; i < written->conditions.count; i++) {
        const char *condition = written->conditions.at[i];
        if (!loops && hold_is_in_loop(condition)) continue;
        if (!has_condition(sliced, condition)) return condition;
    }
    return NULL;
}
