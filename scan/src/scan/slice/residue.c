#include "scan/slice/residue.h"
#include <stdarg.h>

static void add_slots(residue_expr *expr, const residue_expr *from) {
    for (size_t i = 0; i < from->slots.count; i++)
        if (!residue_mentions(expr, from->slots.at[i])) SCAN_ADD(&expr->slots, from->slots.at[i]);
}

residue_expr *residue_make(bool atom, const char *format, ...) {
    residue_expr *expr = SCAN_NEW(residue_expr);
    const char *text = "";
    va_list values;
    va_start(values, format);
    for (; *format; format++) {
        if (*format != '%') {
            text = scan_text("%s%c", text, *format);
        } else if (*++format == 's') {
            /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start() is above */
            text = scan_text("%s%s", text, va_arg(values, const char *));
        } else {
            const residue_expr *inner = va_arg(values, const residue_expr *);
            bool bare = *format == 'E' || inner->atom;
            text = scan_text(bare ? "%s%s" : "%s(%s)", text, inner->text);
            add_slots(expr, inner);
        }
    }
    va_end(values);
    expr->text = text;
    expr->atom = atom;
    return expr;
}

residue_expr *residue_of(residue_slot *slot) {
    residue_expr *expr = residue_make(true, "%s", slot->name);
    SCAN_ADD(&expr->slots, slot);
    return expr;
}

bool residue_mentions(const residue_expr *expr, const residue_slot *slot) {
    for (size_t i = 0; expr && i < expr->slots.count; i++)
        if (expr->slots.at[i] == slot) return true;
    return false;
}

bool residue_sets(const residue_block *block, const residue_slot *slot) {
    for (size_t i = 0; i < block->count; i++) {
        const residue_step *step = block->at[i];
        if (step->kind == STEP_SET && step->slot == slot) return true;
        if (residue_sets(&step->inner[0], slot) || residue_sets(&step->inner[1], slot) ||
            residue_sets(&step->pre, slot))
            return true;
    }
    return false;
}

/* ---- what is needed ---- */

static bool mark(residue_expr *expr) {
    bool changed = false;
    for (size_t i = 0; expr && i < expr->slots.count; i++) {
        changed |= !expr->slots.at[i]->needed;
        expr->slots.at[i]->needed = true;
    }
    return changed;
}

/* Has a block an access, does it set a variable that is needed, or does a jump leave it? `loops`,
 * `breaks`: the block is inside of a loop, or of a loop or switch, that is judged as a whole. */
static bool has_effect(const residue_block *block, bool loops, bool breaks) {
    for (size_t i = 0; i < block->count; i++) {
        const residue_step *step = block->at[i];
        bool loop = loops || step->kind == STEP_LOOP || step->kind == STEP_DO;
        bool inner = breaks || loop || step->kind == STEP_SWITCH;
        if (step->kind == STEP_ACCESS || step->kind == STEP_GOTO) return true;
        if (step->kind == STEP_SET && step->slot->needed) return true;
        if (!breaks && step->kind == STEP_BREAK) return true;
        if (!loops && step->kind == STEP_CONTINUE) return true;
        if (has_effect(&step->inner[0], loop, inner) || has_effect(&step->inner[1], loop, inner) ||
            has_effect(&step->pre, loop, inner))
            return true;
    }
    return false;
}

static bool step_matters(residue_step *step) {
    residue_block one = {.at = &step, .count = 1, .room = 1};
    return has_effect(&one, false, false);
}

static bool mark_needs(const residue_block *block) {
    bool changed = false;
    for (size_t i = 0; i < block->count; i++) {
        residue_step *step = block->at[i];
        if (!step_matters(step)) continue; /* its jumps lead nowhere else */
        changed |= mark(step->expr);
        changed |= mark_needs(&step->inner[0]) | mark_needs(&step->inner[1]);
        changed |= mark_needs(&step->pre);
    }
    return changed;
}

static void prune(residue_block *block) {
    size_t kept = 0;
    for (size_t i = 0; i < block->count; i++) {
        residue_step *step = block->at[i];
        bool structure = step->kind == STEP_IF || step->kind == STEP_LOOP ||
                         step->kind == STEP_DO || step->kind == STEP_SWITCH;
        prune(&step->inner[0]);
        prune(&step->inner[1]);
        prune(&step->pre);
        if (step->kind == STEP_SET && !step->slot->needed) continue;
        if (structure && !step_matters(step)) continue;
        block->at[kept++] = step;
    }
    block->count = kept;
}

/* ---- accesses that others cover ---- */

bool residue_same_links(const residue_links *a, const residue_links *b) {
    return a->count == b->count && a->many == b->many && a->mask == b->mask &&
           memcmp(a->link, b->link, a->count) == 0;
}

typedef struct covered {
    SCAN_LIST(residue_step) steps;
} covered;

/* Whether an access names the place of another one. */
static bool names(const residue_step *a, const residue_step *b) {
    if (a->access != b->access) return false;
    if (a->access == ACCESS_EVERYTHING) return true;
    if (a->access == ACCESS_NAMED && !scan_same(a->text, b->text)) return false;
    if (!scan_same(a->expr->text, b->expr->text)) return false;
    if (a->access == ACCESS_ALONG) return (b->links.mask & ~a->links.mask) == 0;
    return residue_same_links(&a->links, &b->links);
}

static bool is_covered(const covered *by, const residue_step *step) {
    for (size_t i = 0; i < by->steps.count; i++)
        if (names(by->steps.at[i], step) && (by->steps.at[i]->write || !step->write)) return true;
    return false;
}

static void forget(covered *by, const residue_slot *slot) {
    size_t kept = 0;
    for (size_t i = 0; i < by->steps.count; i++)
        if (!residue_mentions(by->steps.at[i]->expr, slot)) by->steps.at[kept++] = by->steps.at[i];
    by->steps.count = kept;
}

static void forget_all_set(covered *by, const residue_block *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->at[i]->kind == STEP_SET) forget(by, block->at[i]->slot);
        forget_all_set(by, &block->at[i]->inner[0]);
        forget_all_set(by, &block->at[i]->inner[1]);
        forget_all_set(by, &block->at[i]->pre);
    }
}

static covered copy_of(const covered *from) {
    covered copy = {0};
    for (size_t i = 0; i < from->steps.count; i++) SCAN_ADD(&copy.steps, from->steps.at[i]);
    return copy;
}

static void drop_covered(residue_block *block, covered *by);

/* Drops covered accesses inside of a step: those that are covered before the step, by a place that
 * does not change in it. After the step, `by` has the places that the step has not changed. */
static void drop_inside(residue_step *step, covered *by) {
    bool loops = step->kind == STEP_LOOP || step->kind == STEP_DO || step->kind == STEP_SWITCH;
    if (loops) {
        residue_block one = {.at = &step, .count = 1, .room = 1};
        forget_all_set(by, &one);
    }
    for (int i = 0; i < 2; i++) {
        covered inside = copy_of(by);
        if (i == 0 && step->pre.count) drop_covered(&step->pre, &inside);
        drop_covered(&step->inner[i], &inside);
    }
    forget_all_set(by, &step->inner[0]);
    forget_all_set(by, &step->inner[1]);
    forget_all_set(by, &step->pre);
}

/* Whether a write of the same place, or of more, follows at once, with only accesses and other
 * variables' values in between. */
static bool is_written_next(const residue_block *block, size_t at) {
    const residue_step *read = block->at[at];
    if (read->write || !read->expr) return false;
    for (size_t i = at + 1; i < block->count; i++) {
        const residue_step *step = block->at[i];
        if (step->kind == STEP_ACCESS && step->write && names(step, read)) return true;
        if (step->kind == STEP_SET ? residue_mentions(read->expr, step->slot)
                                   : step->kind != STEP_ACCESS)
            return false;
    }
    return false;
}

/* Drops the accesses of a block that earlier ones cover. At a label or a case, nothing is covered:
 * a jump or the switch may lead there directly. */
static void drop_covered(residue_block *block, covered *by) {
    size_t kept = 0;
    for (size_t i = 0; i < block->count; i++) {
        residue_step *step = block->at[i];
        if (step->kind == STEP_ACCESS && (is_covered(by, step) || is_written_next(block, i)))
            continue;
        block->at[kept++] = step;
        if (step->kind == STEP_ACCESS) SCAN_ADD(&by->steps, step);
        if (step->kind == STEP_SET) forget(by, step->slot);
        if (step->kind == STEP_LABEL || step->kind == STEP_CASE) by->steps.count = 0;
        drop_inside(step, by);
    }
    block->count = kept;
}

/* ---- loops over one place ---- */

static bool names_one(const residue_step *loop, const residue_step *step) {
    residue_block whole = {.at = (residue_step *[]){(residue_step *)loop}, .count = 1, .room = 1};
    for (size_t i = 0; step->expr && i < step->expr->slots.count; i++)
        if (residue_sets(&whole, step->expr->slots.at[i])) return false;
    return step->kind == STEP_ACCESS;
}

/* Replaces a loop by its first round if the loop only names places, and names the same ones in each
 * round. */
static void name_once(residue_block *block) {
    for (size_t i = 0; i < block->count; i++) {
        residue_step *step = block->at[i];
        bool one = step->kind == STEP_LOOP && step->expr && !step->pre.count;
        for (int k = 0; k < 2; k++) name_once(&step->inner[k]);
        for (size_t k = 0; one && k < step->inner[0].count; k++)
            one = names_one(step, step->inner[0].at[k]);
        if (!one || !step->inner[0].count) continue;
        step->kind = STEP_IF;
        step->inner[1].count = 0;
    }
}

/* ---- jumps ---- */

static bool jumps_to(const residue_block *block, const char *label) {
    for (size_t i = 0; i < block->count; i++) {
        const residue_step *step = block->at[i];
        if (step->kind == STEP_GOTO && scan_same(step->text, label)) return true;
        if (jumps_to(&step->inner[0], label) || jumps_to(&step->inner[1], label) ||
            jumps_to(&step->pre, label))
            return true;
    }
    return false;
}

/* Drops jumps at the end of a block to the label that follows the block. @return whether any was
 * dropped. */
static bool drop_last_jump(residue_block *block, const char *label) {
    residue_step *last = block->count ? block->at[block->count - 1] : NULL;
    bool dropped = false;
    if (last && last->kind == STEP_GOTO && scan_same(last->text, label)) {
        block->count--;
        return true;
    }
    if (last && last->kind == STEP_IF) {
        dropped |= drop_last_jump(&last->inner[0], label);
        dropped |= drop_last_jump(&last->inner[1], label);
        if (!last->inner[0].count && !last->inner[1].count) block->count--;
    }
    return dropped;
}

static bool tidy_jumps(residue_block *block, const residue_block *all) {
    bool changed = false;
    size_t kept = 0;
    for (size_t i = 0; i < block->count; i++) {
        residue_step *step = block->at[i];
        residue_block before = *block;
        changed |= tidy_jumps(&step->inner[0], all) | tidy_jumps(&step->inner[1], all);
        if (step->kind == STEP_LABEL) {
            before.count = kept;
            while (drop_last_jump(&before, step->text)) changed = true;
            kept = before.count;
            if (!jumps_to(all, step->text)) {
                changed = true;
                continue;
            }
        }
        block->at[kept++] = step;
    }
    block->count = kept;
    return changed;
}

static void forget_needs(const residue_block *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->at[i]->kind == STEP_SET) block->at[i]->slot->needed = false;
        forget_needs(&block->at[i]->inner[0]);
        forget_needs(&block->at[i]->inner[1]);
        forget_needs(&block->at[i]->pre);
    }
}

void residue_tidy(residue_block *block) {
    covered none = {0};
    drop_covered(block, &none);
    do {
        forget_needs(block);
        while (mark_needs(block)) continue;
        prune(block);
        name_once(block);
    } while (tidy_jumps(block, block));
}
