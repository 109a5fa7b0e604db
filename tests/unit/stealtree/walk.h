/* An oracle of the steps that each worker must have run, by a tree alone: it walks the program
 * without the runtime, each worker's phases one after the other, and differs from a serial walk
 * only at the asyncs that the tree lists as stolen (hooks.O1).
 *
 * It shares only the tree itself with the library. A worker's walk stops where its next phase
 * begins with an async that another worker's walk has not reached yet; walks take turns until all
 * have ended. */
#ifndef SVS_TESTS_STEALTREE_WALK_H
#define SVS_TESTS_STEALTREE_WALK_H

#include "program.h"
#include "stealtree/trace.h"
#include <stdbool.h>
#include <stdio.h>

#define WALK_WORKERS 8
#define WALK_FRAMES 4096
#define WALK_SLOTS 4096

/* Where the code of a block is. */
typedef struct frame {
    enum { FRAME_BLOCK, FRAME_DRAIN, FRAME_PHASE } kind;
    uint32_t block, at;  /* of a block */
    bool finish, stolen; /* work-first: it is a finish, from which a continuation was stolen */
    uint32_t base;       /* of a drain: how many slots there were */
    bool waits;          /* a drain, for thieves */
    uint32_t outer;      /* of a phase: the one that waits meanwhile */
} frame;

/* Work-first: a task, at some point of its code. */
typedef struct walk_task {
    struct walk_task *next; /* of all that were made */
    frame frames[64];
    uint32_t depth;
} walk_task;

/* Help-first: a child that was spawned. */
typedef struct walk_slot {
    bool stolen;
    uint32_t block;
} walk_slot;

/* The start of a thief, or of a worker that resumes. */
typedef struct walk_origin {
    bool there;
    uint32_t block;
    walk_task *task;
} walk_origin;

typedef struct walker {
    uint64_t ordinal;
    uint32_t next;  /* the phase that begins next */
    uint32_t phase; /* that runs, or SVS__TREE_NONE */
    frame frames[WALK_FRAMES];
    uint32_t depth;
    walk_slot slots[WALK_SLOTS];
    uint32_t slot_count;
    walk_task *running;
    walk_origin *stolen;    /* for each of the tree's steals */
    walk_origin *suspended; /* for each of the tree's phases */
    uint32_t *steps;        /* that it has run, in order */
    uint32_t step_count;
} walker;

typedef struct walk {
    const program *program;
    const svs__steal_tree *tree;
    const char *wrong; /* what cannot be, or NULL */
    uint32_t wrong_worker, wrong_phase;
    walk_task *tasks;
    walker worker[WALK_WORKERS];
} walk;

static inline bool walk_fail(walk *w, uint32_t worker, const char *text) {
    if (w->wrong == NULL) {
        w->wrong = text;
        w->wrong_worker = worker;
        w->wrong_phase = w->worker[worker].phase;
    }
    return false;
}

static inline void walk_init(walk *w, const program *p, const svs__steal_tree *tree) {
    memset(w, 0, sizeof *w);
    w->program = p;
    w->tree = tree;
    for (uint32_t i = 0; i < tree->workers; i++) {
        walker *of = &w->worker[i];
        of->phase = SVS__TREE_NONE;
        of->stolen = calloc(tree->worker[i].steal_count + 1, sizeof *of->stolen);
        of->suspended = calloc(tree->worker[i].phase_count + 1, sizeof *of->suspended);
        of->steps = calloc(p->steps + 1, sizeof *of->steps);
    }
}

static inline void walk_free(walk *w) {
    for (uint32_t i = 0; i < w->tree->workers; i++) {
        free(w->worker[i].stolen);
        free(w->worker[i].suspended);
        free(w->worker[i].steps);
    }
    while (w->tasks != NULL) {
        walk_task *next = w->tasks->next;
        free(w->tasks);
        w->tasks = next;
    }
}

static inline const svs__tree_phase *walk_phase(const walk *w, uint32_t worker, uint32_t phase) {
    return &w->tree->worker[worker].phases[phase];
}

/* Where the tree has the steal of `ordinal` from the running phase, or NULL. */
static inline walk_origin *walk_steal(walk *w, uint32_t worker, uint64_t ordinal) {
    const svs__tree_phase *phase = walk_phase(w, worker, w->worker[worker].phase);
    for (uint32_t s = phase->steal_first; s < phase->steal_first + phase->steal_count; s++)
        if (w->tree->worker[worker].steals[s].ordinal == ordinal)
            return &w->worker[worker].stolen[s];
    return NULL;
}

/* The start of phase `phase` of `worker`; not there while no walk has reached it. */
static inline walk_origin walk_origin_of(walk *w, uint32_t worker, uint32_t phase) {
    const svs__phase_start *start = &walk_phase(w, worker, phase)->start;
    const svs__tree_worker *victim = &w->tree->worker[start->victim];
    if (start->kind == SVS__PHASE_ROOT) return (walk_origin){true, 0, NULL};
    if (start->kind == SVS__PHASE_RESUMED) return w->worker[start->victim].suspended[start->at];
    for (uint32_t s = 0; s < victim->steal_count; s++)
        if (victim->steals[s].ordinal == start->at && victim->steals[s].thief == worker &&
            victim->steals[s].phase == phase)
            return w->worker[start->victim].stolen[s];
    return (walk_origin){false, 0, NULL};
}

static inline void walk_step(walker *of, uint32_t step) { of->steps[of->step_count++] = step; }

/* ---- help-first ---- */

static inline void walk_push(walker *of, frame f) { of->frames[of->depth++] = f; }

/* Begins a block. A finish has a drain below it, where it looks for its base. */
static inline void walk_push_block(walk *w, walker *of, uint32_t at, bool finish) {
    if (finish || w->program->blocks[at].typed)
        walk_push(of, (frame){.kind = FRAME_DRAIN, .base = of->slot_count});
    walk_push(of, (frame){.kind = FRAME_BLOCK, .block = at});
}

/* Begins the worker's next phase. @return false: it has to wait, or cannot be. */
static inline bool walk_help_begin(walk *w, uint32_t worker) {
    walker *of = &w->worker[worker];
    walk_origin origin = walk_origin_of(w, worker, of->next);
    const svs__tree_phase *phase = walk_phase(w, worker, of->next);
    if (!origin.there) return false;
    if (phase->enclosing != of->phase) return walk_fail(w, worker, "an inner phase out of place");
    if (phase->start.ordinal != of->ordinal)
        return walk_fail(w, worker, "begins at another ordinal");
    walk_push(of, (frame){.kind = FRAME_PHASE, .outer = of->phase});
    walk_push_block(w, of, origin.block, true);
    of->phase = of->next++;
    return true;
}

static inline bool walk_help_item(walk *w, uint32_t worker, item what) {
    walker *of = &w->worker[worker];
    if (what.kind == ITEM_STEP) {
        walk_step(of, what.what);
    } else if (what.kind == ITEM_ASYNC) {
        walk_origin *taken = walk_steal(w, worker, of->ordinal);
        of->slots[of->slot_count++] = (walk_slot){taken != NULL, what.what};
        if (taken != NULL) *taken = (walk_origin){true, what.what, NULL};
        of->ordinal++;
    } else if (what.kind == ITEM_FINISH) {
        walk_push_block(w, of, what.what, true);
    } else {
        uint32_t base = of->frames[of->depth - 2].base;
        walk_step(of, what.what);
        walk_push(of, (frame){.kind = FRAME_DRAIN, .base = base});
    }
    return true;
}

/* Newest first; once the newest is stolen, all are, and what the worker does while it waits are
 * inner phases. */
static inline bool walk_help_drain(walk *w, uint32_t worker, frame *f) {
    walker *of = &w->worker[worker];
    if (f->waits) {
        const svs__tree_worker *mine = &w->tree->worker[worker];
        bool inner = of->next < mine->phase_count &&
                     mine->phases[of->next].enclosing == of->phase &&
                     mine->phases[of->next].start.ordinal == of->ordinal;
        if (inner) return walk_help_begin(w, worker);
        of->slot_count = f->base;
        of->depth--;
    } else if (of->slot_count == f->base) {
        of->depth--;
    } else if (!of->slots[of->slot_count - 1].stolen) {
        uint32_t next = of->slots[--of->slot_count].block;
        walk_push_block(w, of, next, false);
    } else {
        for (uint32_t s = f->base; s < of->slot_count; s++)
            if (!of->slots[s].stolen)
                return walk_fail(w, worker, "an older sibling was not stolen");
        f->waits = true;
        of->ordinal++;
    }
    return true;
}

/* One move of a worker. @return false: it can make none now. */
static inline bool walk_help(walk *w, uint32_t worker) {
    walker *of = &w->worker[worker];
    frame *f;
    if (of->depth == 0)
        return of->next < w->tree->worker[worker].phase_count && walk_help_begin(w, worker);
    f = &of->frames[of->depth - 1];
    if (f->kind == FRAME_DRAIN) return walk_help_drain(w, worker, f);
    if (f->kind == FRAME_PHASE) {
        if (walk_phase(w, worker, of->phase)->end != of->ordinal)
            return walk_fail(w, worker, "ends at another ordinal");
        of->phase = f->outer;
        of->depth--;
    } else if (f->at == w->program->blocks[f->block].count) {
        of->depth--;
    } else {
        return walk_help_item(w, worker, w->program->blocks[f->block].items[f->at++]);
    }
    return true;
}

/* ---- work-first ---- */

static inline walk_task *walk_task_new(walk *w, uint32_t first) {
    walk_task *task = calloc(1, sizeof *task);
    task->next = w->tasks;
    w->tasks = task;
    task->frames[task->depth++] = (frame){.kind = FRAME_BLOCK, .block = first, .finish = true};
    return task;
}

static inline bool walk_work_begin(walk *w, uint32_t worker) {
    walker *of = &w->worker[worker];
    walk_origin origin = walk_origin_of(w, worker, of->next);
    const svs__tree_phase *phase = walk_phase(w, worker, of->next);
    if (!origin.there) return false;
    if (phase->enclosing != SVS__TREE_NONE) return walk_fail(w, worker, "an inner phase");
    if (phase->start.ordinal != of->ordinal)
        return walk_fail(w, worker, "begins at another ordinal");
    of->running = phase->start.kind == SVS__PHASE_ROOT ? walk_task_new(w, 0) : origin.task;
    if (phase->start.kind == SVS__PHASE_STOLEN) {
        /* The innermost finish has lost a child to another worker. */
        uint32_t f = of->running->depth;
        while (!of->running->frames[--f].finish) {}
        of->running->frames[f].stolen = true;
    }
    of->phase = of->next++;
    return true;
}

static inline bool walk_work_end(walk *w, uint32_t worker, bool suspended) {
    walker *of = &w->worker[worker];
    const svs__tree_phase *phase = walk_phase(w, worker, of->phase);
    if (phase->end != of->ordinal) return walk_fail(w, worker, "ends at another ordinal");
    if (phase->suspended != suspended) return walk_fail(w, worker, "ends in another way");
    if (suspended) of->suspended[of->phase] = (walk_origin){true, 0, of->running};
    of->phase = SVS__TREE_NONE;
    of->running = NULL;
    return true;
}

/* Waits for the children of a finish. @return whether the phase goes on: all of them had ended, as
 * the phase's end tells. */
static inline bool walk_work_wait(walk *w, uint32_t worker, frame *f) {
    walker *of = &w->worker[worker];
    const svs__tree_phase *phase = walk_phase(w, worker, of->phase);
    if (!f->stolen) return true;
    f->stolen = false;
    of->ordinal++;
    return !phase->suspended || phase->end != of->ordinal;
}

/* At the end of a block. */
static inline bool walk_work_pop(walk *w, uint32_t worker, frame *f) {
    walker *of = &w->worker[worker];
    walk_task *task = of->running;
    if (!walk_work_wait(w, worker, f)) return walk_work_end(w, worker, true);
    return --task->depth != 0 || walk_work_end(w, worker, false);
}

static inline bool walk_work(walk *w, uint32_t worker) {
    walker *of = &w->worker[worker];
    walk_task *task = of->running;
    frame *f;
    item what;
    if (task == NULL)
        return of->next < w->tree->worker[worker].phase_count && walk_work_begin(w, worker);
    f = &task->frames[task->depth - 1];
    if (f->at == w->program->blocks[f->block].count) return walk_work_pop(w, worker, f);
    what = w->program->blocks[f->block].items[f->at++];
    if (what.kind == ITEM_STEP) {
        walk_step(of, what.what);
    } else if (what.kind == ITEM_SYNC) {
        walk_step(of, what.what);
        return walk_work_wait(w, worker, f) || walk_work_end(w, worker, true);
    } else if (what.kind == ITEM_FINISH) {
        task->frames[task->depth++] =
            (frame){.kind = FRAME_BLOCK, .block = what.what, .finish = true};
    } else {
        walk_origin *taken = walk_steal(w, worker, of->ordinal++);
        if (taken != NULL) {
            *taken = (walk_origin){true, 0, task};
            of->running = walk_task_new(w, what.what);
        } else { /* a child behind which nothing was stolen is a call, wherever it ran */
            task->frames[task->depth++] =
                (frame){.kind = FRAME_BLOCK, .block = what.what, .finish = true};
        }
    }
    return true;
}

/* ---- all ---- */

/* @return whether all workers came to the ends of their phases; `wrong` says what cannot be. */
static inline bool walk_run(walk *w) {
    bool moved = true;
    while (moved && w->wrong == NULL) {
        moved = false;
        for (uint32_t i = 0; i < w->tree->workers; i++)
            while (w->tree->policy == 0 ? walk_help(w, i) : walk_work(w, i)) moved = true;
    }
    if (w->wrong != NULL) return false;
    for (uint32_t i = 0; i < w->tree->workers; i++)
        if (w->worker[i].next != w->tree->worker[i].phase_count ||
            w->worker[i].phase != SVS__TREE_NONE)
            return walk_fail(w, i, "begins with an async that no walk has reached");
    return true;
}

#endif
