#include "scan/program/fold.h"
#include "scan/slice/slicing.h"

typedef struct loop_parts {
    const ast_node *init, *condition, *step, *body;
} loop_parts;

static loop_parts parts_of(const ast_node *node) {
    static const ast_node none = {.kind = AST_NONE, .shape = "void", .type = "void"};
    loop_parts p = {&none, &none, &none, &none};
    if (node->kind == AST_FOR) {
        p = (loop_parts){node->kids.at[0], node->kids.at[1], node->kids.at[2], node->kids.at[3]};
    } else if (node->kind == AST_WHILE) {
        p.condition = node->kids.at[0];
        p.body = node->kids.at[node->kids.count - 1];
    } else {
        p.body = node->kids.at[0];
        p.condition = node->kids.at[1];
    }
    return p;
}

/* The number of times that a slot is set in a block. */
static size_t count_sets(const residue_block *block, const residue_slot *slot) {
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const residue_step *step = block->at[i];
        count += step->kind == STEP_SET && step->slot == slot;
        count += count_sets(&step->inner[0], slot) + count_sets(&step->inner[1], slot) +
                 count_sets(&step->pre, slot);
    }
    return count;
}

static bool compares(const ast_node *test) {
    return test->kind == AST_BINARY && strchr("<>", *test->text) && test->text[1] != *test->text;
}

/* Is the bound a constant below the largest number of every type? */
static bool is_small(const ast_node *bound) {
    long long value;
    return fold_value(bound, &value) && value >= 0 && value < 100;
}

static unsigned width_of(const char *shape) {
    static const char *const all[] = {"char", "short", "int", "long", "long long"};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (scan_same(shape, all[i])) return i + 1;
    return 0;
}

/* Does a counter reach each number that its bound may have? */
static bool reaches(const ast_node *counter, const ast_node *bound) {
    if (!width_of(counter->shape)) return false;
    if (is_small(bound)) return true;
    while (bound->kind == AST_CAST && !bound->written) bound = bound->kids.at[0];
    return width_of(counter->shape) >= width_of(bound->shape) && width_of(bound->shape);
}

static residue_step *step_in(residue_block *block, step_kind kind, scan_place place) {
    residue_step *step = SCAN_NEW(residue_step);
    step->kind = kind;
    step->place = place;
    SCAN_ADD(block, step);
    return step;
}

/* Adds `if (slot == bound) break;` before the loop's step. If the bound is the largest number of
 * the type, the body itself would continue, up to a jump that was dropped. */
static void end_at(residue_step *loop, residue_slot *slot, const residue_expr *bound, bool up) {
    residue_step *step = loop->inner[1].at[0];
    loop->inner[1].count = 0;
    residue_step *test = step_in(&loop->inner[1], STEP_IF, step->place);
    residue_step *last = step_in(&test->inner[0], STEP_IF, step->place);
    residue_step *all = step_in(&last->inner[0], STEP_ACCESS, step->place);
    test->expr = residue_make(false, "%e == %e", residue_of(slot), bound);
    last->expr = residue_make(false, up ? "(%s)(%e + 1ull) < %e" : "(%s)(%e - 1ull) > %e",
                              slot->type, residue_of(slot), residue_of(slot));
    all->access = ACCESS_EVERYTHING;
    all->write = true;
    all->perhaps = "a loop counts beyond the last number of its type";
    step_in(&test->inner[0], STEP_BREAK, step->place);
    SCAN_ADD(&loop->inner[1], step);
}

/* Does a loop count? It has `slot < bound`, a step of its own that adds 1, and a bound that stays;
 * or the same downward. Then it ends, whatever else was dropped from it. For `slot <= bound`, the
 * residue has a step that ends the loop at the bound, even if that is the largest number of its
 * type. */
static bool counts(slicer *s, const ast_node *test, residue_step *loop) {
    while (test->kind == AST_CAST && !test->written) test = test->kids.at[0];
    if (test->kind == AST_BINARY && scan_same(test->text, "&&"))
        return counts(s, test->kids.at[0], loop) || counts(s, test->kids.at[1], loop);
    if (!compares(test)) return false;
    const ast_node *name = test->kids.at[0];
    while (name->kind == AST_CAST || name->kind == AST_LOAD) name = name->kids.at[0];
    if (name->kind != AST_NAME || !name->decl || name->decl->kind != DECL_LOCAL) return false;
    residue_slot *slot = slice_variable_of(s, name->decl)->slot;
    const residue_block *steps = &loop->inner[1];
    if (!reaches(name, test->kids.at[1])) return false;
    if (slot->unknown || steps->count != 1 || steps->at[0]->kind != STEP_SET ||
        steps->at[0]->slot != slot || count_sets(&loop->inner[0], slot) ||
        count_sets(&loop->pre, slot))
        return false;
    const bool up = *test->text == '<';
    if (!scan_same(steps->at[0]->expr->text, scan_text("%s %c 1", slot->name, up ? '+' : '-')))
        return false;
    residue_block unused = {0}, *outside = s->out;
    s->out = &unused;
    slice_value bound = slice_eval(s, test->kids.at[1]);
    s->out = outside;
    for (size_t i = 0; bound.known && i < bound.known->slots.count; i++)
        if (bound.known->slots.at[i] == slot ||
            residue_sets(&loop->inner[0], bound.known->slots.at[i]) ||
            residue_sets(&loop->pre, bound.known->slots.at[i]))
            return false;
    if (bound.known && test->text[1] == '=' && !(up && is_small(test->kids.at[1])))
        end_at(loop, slot, bound.known, up);
    return bound.known != NULL;
}

static slice_loop *loop_of(slicer *s, const ast_node *node) {
    void **slot = scan_table_at(&s->frame->loops, scan_text("%p", (const void *)node));
    if (!*slot) *slot = SCAN_NEW(slice_loop);
    return *slot;
}

/* R5: follows the body once, with everything that it sets unknown. */
static void follow_once(slicer *s, const ast_node *node, const loop_parts *p) {
    slice_construct loop = {
        .outer = s->construct, .kind = CONSTRUCT_LOOP, .dropped_ifs = s->dropped_ifs};
    loop.level = ++s->level;
    slice_statement(s, p->init);
    if (node->kind != AST_DO && p->condition->kind != AST_NONE) slice_eval(s, p->condition);
    s->construct = &loop;
    slice_doubt before = slice_drop_if(s, "a loop is followed once");
    loop.body_level = s->level;
    loop.left = true;
    slice_statement(s, p->body);
    loop.continued = false;
    slice_statement(s, p->step);
    if (p->condition->kind != AST_NONE) slice_eval(s, p->condition);
    slice_keep_if(s, before);
    s->construct = loop.outer;
    s->level--;
}

/* Adds the condition's accesses, and the known part of the condition. @return whether all of it is
 * known. */
static bool loop_condition(slicer *s, const ast_node *node, residue_step *step) {
    slice_condition yes, no;
    residue_block *outside = s->out;
    if (node->kind == AST_NONE) return true;
    s->out = &step->pre;
    slice_condition_of(s, node, &yes, &no);
    s->out = outside;
    step->expr = yes.known;
    return yes.exact;
}

static void loop_block(slicer *s, const ast_node *node, residue_block *into) {
    residue_block *outside = s->out;
    s->out = into;
    slice_statement(s, node);
    s->out = outside;
}

/* Whether a C `continue` does not lead to the loop's step: the loop has its condition at its end,
 * or a step that is more than assignments. */
static bool has_steps(const residue_step *loop) {
    if (loop->kind == STEP_DO) return true;
    for (size_t i = 0; i < loop->inner[1].count; i++)
        if (loop->inner[1].at[i]->kind != STEP_SET) return true;
    return false;
}

/* R5: limit of the rounds of a loop that keeps all its ends and that the body may not reach. */
enum { ROUNDS_MAX = 4096 };

static void limit_rounds(slicer *s, slice_loop *known, residue_step *loop) {
    residue_block *outside = s->out, body = loop->inner[0];
    if (!known->rounds) known->rounds = slice_slot(s, "rounds", "unsigned");
    residue_slot *rounds = known->rounds;
    slice_doubt before = slice_drop_if(s, "a loop that the body may not come to is long");
    rounds->level = s->level;
    slice_set_slot(s, rounds, residue_make(true, "0"), true, loop->place);
    loop->inner[0] = (residue_block){0};
    s->out = &loop->inner[0];
    slice_set_slot(s, rounds, residue_make(false, "%e + 1", residue_of(rounds)), false,
                   loop->place);
    residue_step *test = slice_step(s, STEP_IF, loop->place);
    test->expr = residue_make(false, "%e > %s", residue_of(rounds), scan_text("%d", ROUNDS_MAX));
    s->out = &test->inner[0];
    slice_step(s, STEP_ACCESS, loop->place)->access = ACCESS_EVERYTHING;
    slice_step(s, STEP_BREAK, loop->place);
    s->out = outside;
    slice_keep_if(s, before);
    for (size_t i = 0; i < body.count; i++) SCAN_ADD(&loop->inner[0], body.at[i]);
}

/* R5 */
static bool ends(slicer *s, const ast_node *node, residue_step *step, bool exact, bool reached) {
    const loop_parts p = parts_of(node);
    if (exact && reached) return true;
    if (step->kind == STEP_LOOP && step->expr && counts(s, p.condition, step)) return true;
    if (!exact || step->kind != STEP_LOOP || !step->expr) return false;
    if (!s->touching) limit_rounds(s, loop_of(s, node), step);
    return true;
}

void slice_follow_loop(slicer *s, const ast_node *node) {
    slice_loop *known = loop_of(s, node);
    loop_parts p = parts_of(node);
    s->links_set |= known->links_set;
    slice_construct loop = {.outer = s->construct,
                            .kind = CONSTRUCT_LOOP,
                            .plain_break = true,
                            .dropped_ifs = s->dropped_ifs,
                            .remember = &known->left,
                            .left = known->left};
    residue_step *step = SCAN_NEW(residue_step);
    bool exact, reached = !slice_is_risky(s);
    if (known->steps) loop.next = scan_text("next_%u", ++s->labels);
    if (known->unknown) {
        follow_once(s, node, &p);
        slice_remember(s, &known->links_set, s->links_set);
        return;
    }
    step->kind = node->kind == AST_DO ? STEP_DO : STEP_LOOP;
    step->place = node->place;
    loop.level = ++s->level;
    slice_statement(s, p.init);
    s->construct = &loop;
    exact = step->kind == STEP_DO || loop_condition(s, p.condition, step);
    if (!exact) loop.left = true; /* R4: the dropped part of the condition leads out of the loop */
    loop.body_level = ++s->level;
    loop_block(s, p.body, &step->inner[0]);
    loop.continued = false;
    s->level--;
    if (loop.next) {
        residue_step *label = SCAN_NEW(residue_step);
        label->kind = STEP_LABEL;
        label->text = loop.next;
        SCAN_ADD(&step->inner[0], label);
    }
    if (step->kind == STEP_DO) {
        exact = loop_condition(s, p.condition, step);
        for (size_t i = 0; i < step->pre.count; i++) SCAN_ADD(&step->inner[0], step->pre.at[i]);
        step->pre.count = 0;
    }
    loop_block(s, p.step, &step->inner[1]);
    s->construct = loop.outer;
    s->level--;
    if (!ends(s, node, step, exact && !loop.left, reached)) {
        known->unknown = s->changed = true;
        s->lost++;
    }
    if (!known->steps && has_steps(step)) known->steps = s->changed = true;
    slice_remember(s, &known->links_set, s->links_set);
    SCAN_ADD(s->out, step);
}

/* do { } while (0): a block that `break` and `continue` leave. */
void slice_follow_block(slicer *s, const ast_node *node) {
    slice_loop *known = loop_of(s, node);
    slice_construct block = {.outer = s->construct,
                             .kind = CONSTRUCT_LOOP,
                             .dropped_ifs = s->dropped_ifs,
                             .remember = &known->left};
    block.level = block.body_level = ++s->level;
    block.out = block.next = scan_text("behind_%u", ++s->labels);
    s->construct = &block;
    slice_statement(s, node->kids.at[0]);
    s->construct = block.outer;
    s->level--;
    slice_step(s, STEP_LABEL, node->place)->text = block.out;
}
