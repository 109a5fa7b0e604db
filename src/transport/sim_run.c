#include "base/lock.h"
#include "base/platform.h"
#include "transport/sim_order.h"
#include <string.h>

#define STACK_BYTES ((size_t)1 << 18)
#define STEPS_MAX 10000000u
#define TICK_NS 1000u /* of virtual time, for each step */
#define POISON 0xdb

/* ---- departures ---- */

static void drop(svs__buffers *list) {
    svs__buffer *buffer;
    while ((buffer = svs__buffers_take(list)) != NULL)
        svs__buffer_free(&svs__allocator_libc, buffer);
}

static void lose_last(svs__sim *sim, svs__sim_channel *channel, svs__sim_rank *to) {
    uint32_t lost = svs__sim_choose_one(sim, SVS__SIM_LOSE, NULL, channel->count + 1, 0);
    svs__buffers kept = {NULL, NULL};
    channel->count -= lost;
    to->under_way -= lost;
    for (uint32_t i = 0; i < channel->count; i++)
        svs__buffers_put(&kept, svs__buffers_take(&channel->buffers));
    drop(&channel->buffers);
    channel->buffers = kept;
}

static void leave(svs__sim_rank *mine) {
    svs__sim *sim = mine->sim;
    if (mine->closed) return;
    mine->closed = true;
    for (uint32_t i = 0; i < sim->options.count; i++) {
        svs__sim_rank *other = &sim->ranks[i];
        svs__sim_channel *in = svs__sim_channel_of(sim, i, mine->transport.rank);
        svs__sim_channel *out = svs__sim_channel_of(sim, mine->transport.rank, i);
        drop(&in->buffers);
        in->count = 0;
        if (other == mine) continue;
        if (mine->dead) lose_last(sim, out, other);
        out->ends = true;
        other->under_way++;
    }
    mine->under_way = 0;
}

/* Each call of the transport begins with it. @return whether this rank lives. */
static bool step(svs__sim_rank *rank) {
    svs__sim *sim = rank->sim;
    sim->now += TICK_NS;
    if (++rank->steps == sim->options.steps_max && !sim->stuck)
        svs__sim_get_stuck(sim, "a rank has taken too many steps");
    SVS__CHECK(rank->steps < 2 * sim->options.steps_max); /* transport.S2: a dead rank ends */
    if (rank->steps == sim->options.kill_step && rank->transport.rank == sim->options.kill)
        rank->dead = true;
    if (rank->dead) leave(rank);
    return !rank->dead;
}

/* ---- the machine interface ---- */

static svs__send_result sim_send(void *self, uint32_t to, svs__buffer *buffer) {
    svs__sim_rank *mine = self;
    svs__sim *sim = mine->sim;
    svs__sim_channel *channel = svs__sim_channel_of(sim, mine->transport.rank, to);
    bool lives = step(mine);
    svs__buffer *copy;
    if (lives && svs__sim_chance(sim, SVS__SIM_REFUSE)) return SVS__SEND_LATER;
    buffer->from = mine->transport.rank;
    if (lives && !sim->ranks[to].closed) {
        copy = svs__buffer_new(&svs__allocator_libc, buffer->bytes);
        SVS__CHECK(copy != NULL);
        copy->from = buffer->from;
        copy->number = channel->sent++;
        copy->bytes = buffer->bytes;
        memcpy(copy->data, buffer->data, buffer->bytes);
        svs__buffers_put(&channel->buffers, copy);
        channel->count++;
        sim->ranks[to].under_way++;
    }
    memset(buffer->data, POISON, buffer->bytes);
    svs__buffers_put(&mine->sent, buffer);
    return SVS__SENT;
}

static bool is_poisoned(const svs__buffer *buffer) {
    for (uint32_t i = 0; i < buffer->bytes; i++)
        if (buffer->data[i] != POISON) return false;
    return true;
}

static svs__buffer *sim_completed(void *self) {
    svs__sim_rank *mine = self;
    svs__buffer *buffer = mine->sent.first;
    if (step(mine) && buffer != NULL && svs__sim_chance(mine->sim, SVS__SIM_KEEP)) return NULL;
    if (buffer == NULL) return NULL;
    (void)svs__buffers_take(&mine->sent);
    SVS__CHECK(is_poisoned(buffer)); /* transport.T2, transport.S3 */
    return buffer;
}

static bool delivers(const svs__sim_channel *channel) {
    return channel->count != 0 || (channel->ends && !channel->told);
}

static void flip(svs__sim *sim, svs__buffer *buffer) {
    uint32_t bit = sim->options.flip_bit;
    if (++sim->arrived != sim->options.flip || buffer->bytes == 0) return;
    bit %= buffer->bytes * 8;
    buffer->data[bit / 8] ^= (unsigned char)(1u << bit % 8);
}

static svs__receive_result sim_receive(void *self, svs__buffer **buffer, uint32_t *from) {
    svs__sim_rank *mine = self;
    svs__sim *sim = mine->sim;
    svs__sim_channel *channel;
    uint32_t count = 0;
    if (!step(mine)) return SVS__DEAD;
    svs__sim_turn(mine);
    if (mine->dead) return SVS__DEAD;
    if (mine->under_way == 0 || svs__sim_chance(sim, SVS__SIM_DELAY)) return SVS__NOTHING;
    for (uint32_t i = 0; i < sim->options.count; i++)
        if (delivers(svs__sim_channel_of(sim, i, mine->transport.rank))) sim->list[count++] = i;
    *from = sim->list[svs__sim_choose_one(sim, SVS__SIM_CHANNEL, sim->list, count, 0)];
    channel = svs__sim_channel_of(sim, *from, mine->transport.rank);
    mine->under_way--;
    if (channel->count == 0) {
        SVS__ASSERT(sim->ranks[*from].closed); /* transport.T3 */
        channel->told = true;
        return SVS__LEFT;
    }
    *buffer = svs__buffers_take(&channel->buffers);
    channel->count--;
    SVS__ASSERT((*buffer)->number == channel->seen && !channel->told); /* transport.T1 */
    channel->seen++;
    flip(sim, *buffer);
    return SVS__ARRIVED;
}

static void sim_release(void *self, svs__buffer *buffer) {
    (void)self;
    svs__buffer_free(&svs__allocator_libc, buffer);
}

static uint64_t sim_now(void *self) { return ((svs__sim_rank *)self)->sim->now; }

static uint64_t sim_idle(void *self, uint64_t until, uint32_t spin_us) {
    svs__sim_rank *mine = self;
    (void)spin_us;
    if (!step(mine)) return sim_now(self);
    mine->until = until;
    mine->state = SVS__SIM_IDLE;
    svs__sim_turn(mine);
    return sim_now(self);
}

static void sim_close(void *self) { leave(self); }

static const svs__transport_type sim_type = {
    "sim", sim_send, sim_completed, sim_receive, sim_release, sim_idle, sim_now, NULL, sim_close};

/* ---- stacks: kept for later runs, since making one takes longer than a small run ---- */

static svs__lock stacks_lock;
static svs__sim_stack *free_stacks; /* under the lock */

static void *top_of(svs__sim_stack *stack) { return (void *)((uintptr_t)stack & ~(uintptr_t)15); }

static svs__sim_stack *make_sim_stack(void) {
    char *low = svs__stack_map(STACK_BYTES);
    svs__sim_stack *stack;
    if (low == NULL) return NULL;
    stack = (svs__sim_stack *)(low + STACK_BYTES) - 1;
    *stack = (svs__sim_stack){.low = low};
    svs__place_init(&stack->place, low, STACK_BYTES);
    return stack;
}

static svs__sim_stack *take_sim_stack(void) {
    svs__sim_stack *stack;
    svs__lock_acquire(&stacks_lock);
    stack = free_stacks;
    if (stack != NULL) free_stacks = stack->next;
    svs__lock_release(&stacks_lock);
    if (stack == NULL) return make_sim_stack();
    svs__place_abandon(&stack->place, stack->low, STACK_BYTES);
    return stack;
}

static void put_sim_stack(svs__sim_stack *stack) {
    svs__lock_acquire(&stacks_lock);
    stack->next = free_stacks;
    free_stacks = stack;
    svs__lock_release(&stacks_lock);
}

/* ---- a run ---- */

static void begin(void *argument) {
    svs__sim_rank *rank = argument;
    svs__sim *sim = rank->sim;
    svs__place_arrive();
    rank->state = SVS__SIM_READY;
    rank->result = sim->program(&rank->transport, sim->argument);
    leave(rank);
    rank->state = SVS__SIM_ENDED;
    svs__sim_choose_next(sim);
    svs__place_switch(&rank->stack->place, &sim->place, true);
}

static void run_ranks(svs__sim *sim) {
    svs__place_of_thread(&sim->place);
    svs__sim_choose_next(sim);
    while (sim->next != NULL) {
        svs__sim_rank *rank = sim->current = sim->next;
        if (rank->state == SVS__SIM_FRESH)
            (void)svs__place_call(&sim->place, &rank->stack->place, top_of(rank->stack), begin,
                                  rank);
        else svs__place_switch(&sim->place, &rank->stack->place, false);
    }
    svs__place_detach(&sim->place);
}

static bool make(svs__sim *sim) {
    uint32_t count = sim->options.count;
    const svs_allocator *libc = &svs__allocator_libc;
    sim->ranks = svs__allocate_zeroed(libc, count * sizeof *sim->ranks, 16);
    sim->channels = svs__allocate_zeroed(libc, (size_t)count * count * sizeof *sim->channels, 16);
    sim->list = svs__allocate(libc, count * sizeof *sim->list, 16);
    if (sim->ranks == NULL || sim->channels == NULL || sim->list == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        svs__sim_rank *rank = &sim->ranks[i];
        rank->sim = sim;
        rank->transport = (svs_transport){&sim_type, rank, i, count};
        rank->stack = take_sim_stack();
        if (rank->stack == NULL) return false;
    }
    return true;
}

static void clean_up(svs__sim *sim) {
    size_t count = sim->options.count;
    for (uint32_t i = 0; sim->ranks != NULL && i < count; i++) {
        if (sim->ranks[i].stack != NULL) put_sim_stack(sim->ranks[i].stack);
    }
    for (size_t i = 0; sim->channels != NULL && i < count * count; i++)
        drop(&sim->channels[i].buffers);
    svs__release(&svs__allocator_libc, sim->ranks, count * sizeof *sim->ranks, 16);
    svs__release(&svs__allocator_libc, sim->channels, count * count * sizeof *sim->channels, 16);
    svs__release(&svs__allocator_libc, sim->list, count * sizeof *sim->list, 16);
}

int svs__sim_run(const svs__sim_options *options, svs__rank_program *program, void *argument) {
    svs__sim sim = {.options = *options, .program = program, .argument = argument};
    int result = SVS_E_NO_MEMORY;
    svs__random_seed(&sim.random, options->seed);
    sim.rate = 1u << (1 + svs__random_below(&sim.random, 5));
    if (sim.options.choose == NULL) {
        sim.options.choose = svs__sim_choose_random;
        sim.options.argument = &sim;
    }
    if (sim.options.steps_max == 0) sim.options.steps_max = STEPS_MAX;
    if (make(&sim)) {
        run_ranks(&sim);
        result = sim.stuck ? SVS_E_DEADLOCK : 0;
        for (uint32_t i = 0; i < options->count && result == 0; i++) result = sim.ranks[i].result;
        for (uint32_t i = 0; i < options->count && options->steps != NULL; i++)
            options->steps[i] = sim.ranks[i].steps;
    }
    clean_up(&sim);
    return result;
}
