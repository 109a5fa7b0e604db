/* The text of the programs' nodes, which is compiled twice: for a runtime, and with
 * SVS_SERIAL_ELISION. */
#include "programs.h"
#include <string.h>

typedef struct call {
    program *p;
    uint32_t node;
} call;

typedef struct scope {
    program *p;
    const block *steps;
    uint64_t *value;
} scope;

static void run_generic(svs_async_context *async, void *argument);
static void run_finish(svs_async_context *async, program *p, const step *s, uint64_t *value);

static void begin_node(program *p, uint32_t at) { p->nodes[at].ran++; }

static void end_node(program *p, uint32_t at, uint64_t value) { p->nodes[at].value = value; }

static void run_async(svs_async_context *async, program *p, const step *s) {
    struct {
        call c;
        unsigned char more[500];
    } argument;
    argument.c.p = p;
    argument.c.node = s->first;
    memset(argument.more, (int)(s->first & 255), s->amount);
    svs_async(async, run_generic, &argument, sizeof argument.c + s->amount);
}

/* Typed asyncs give their results when they are awaited; a typed call gives its at once, and all
 * that is below it has ended. */
SVS_ASYNC_DECLARE(uint64_t, run_typed, (program *, p), (uint32_t, at))
SVS_ASYNC_DECLARE_VOID(run_typed_void, (program *, p), (uint32_t, at), (uint64_t *, result))

SVS_ASYNC_DEFINE(uint64_t, run_typed, (program *, p), (uint32_t, at)) {
    const block *b = &p->blocks[p->nodes[at].block];
    uint64_t results[RESULTS], value = program_mix(p->seed, at);
    uint32_t waiting = 0, synced = at + 1;
    begin_node(p, at);
    for (uint32_t i = 0; i < b->count; i++) {
        const step *s = &p->steps[b->first + i];
        switch (s->kind) {
        case STEP_WORK: value = program_work(value, s->amount); break;
        case STEP_ASYNC: run_async(SVS_ASYNC_CONTEXT(), p, s); break;
        case STEP_FINISH: run_finish(SVS_ASYNC_CONTEXT(), p, s, &value); break;
        case STEP_CALL:
            value += SVS_CALL(run_typed, p, s->first);
            value += program_sum(p, s->first, s->last);
            break;
        case STEP_SPAWN: SVS_ASYNC_TO(results[waiting++], run_typed, p, s->first); break;
        case STEP_SPAWN_VOID: SVS_ASYNC(run_typed_void, p, s->first, NULL); break;
        case STEP_SYNC:
            SVS_SYNC(run_typed);
            while (waiting != 0) value = program_mix(value, results[--waiting]);
            value += program_sum(p, synced, s->last);
            synced = s->last;
            break;
        }
    }
    end_node(p, at, value);
    return value;
}

SVS_ASYNC_DEFINE(void, run_typed_void, (program *, p), (uint32_t, at), (uint64_t *, result)) {
    uint64_t value = SVS_CALL(run_typed, p, at);
    if (result != NULL) *result = value;
}

static void run_steps(svs_async_context *async, void *argument) {
    scope *of = argument;
    program *p = of->p;
    for (uint32_t i = 0; i < of->steps->count; i++) {
        const step *s = &p->steps[of->steps->first + i];
        uint64_t result = 0;
        if (s->kind == STEP_WORK) *of->value = program_work(*of->value, s->amount);
        else if (s->kind == STEP_ASYNC) run_async(async, p, s);
        else if (s->kind == STEP_FINISH) run_finish(async, p, s, of->value);
        else {
            if (s->first % 2) SVS_CALL_ON(async, run_typed_void, p, s->first, &result);
            else result = SVS_CALL_ON(async, run_typed, p, s->first);
            *of->value += result + program_sum(p, s->first, s->last);
        }
    }
}

static void run_finish(svs_async_context *async, program *p, const step *s, uint64_t *value) {
    scope inside = {p, &p->blocks[s->block], value};
    svs_finish(async, run_steps, &inside);
    *value += program_sum(p, s->first, s->last);
}

/* Leaves to the finish around it what it spawns. */
static void run_generic(svs_async_context *async, void *argument) {
    const call *c = argument;
    program *p = c->p;
    uint32_t at = c->node;
    uint64_t value = program_mix(p->seed, at);
    scope steps = {p, &p->blocks[p->nodes[at].block], &value};
    begin_node(p, at);
    run_steps(async, &steps);
    end_node(p, at, value);
}
