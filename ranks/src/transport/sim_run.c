#include "base/lock.h"
#include "base/platform.h"
#include "transport/sim_order.h"
#include <string.h>

#define STACK_BYTES ((size_t)1 << 18)
#define STEPS_MAX 10000000u
#define TICK_NS 1000u /* nanoseconds of virtual time that each step takes */
#define POISON 0xdb

/* ---- channels: made at the first buffer, so that there is one for each pair that talks ---- */

/* The position of the first channel whose sender is `from` or a higher rank. */
static uint32_t place_of(const svs__sim_rank *to, uint32_t from) {
    uint32_t low = 0, high = to->channel_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (to->channels[middle].from < from) low = middle + 1;
        else high = middle;
    }
    return low;
}

static bool is_at(const svs__sim_rank *to, uint32_t place, uint32_t from) {
    return place < to->channel_count && to->channels[place].from == from;
}

/* @return NULL: `from` has sent nothing yet. The pointer is valid until the next channel is
 * made. */
static svs__sim_channel *find_channel(svs__sim_rank *to, uint32_t from) {
    uint32_t place = place_of(to, from);
    return is_at(to, place, from) ? &to->channels[place] : NULL;
}

static void make_room(svs__sim_rank *to) {
    uint32_t room = to->channel_room == 0 ? 8 : 2 * to->channel_room;
    svs__sim_channel *channels =
        svs__allocate(&svs__allocator_libc, room * sizeof *channels, _Alignof(svs__sim_channel));
    SVS__CHECK(channels != NULL);
    if (to->channel_count != 0)
        memcpy(channels, to->channels, to->channel_count * sizeof *channels);
    svs__release(&svs__allocator_libc, to->channels, to->channel_room * sizeof *channels,
                 _Alignof(svs__sim_channel));
    to->channels = channels;
    to->channel_room = room;
}

static svs__sim_channel *channel_of(svs__sim_rank *to, uint32_t from) {
    uint32_t place = place_of(to, from);
    if (is_at(to, place, from)) return &to->channels[place];
    if (to->channel_count == to->channel_room) make_room(to);
    memmove(&to->channels[place + 1], &to->channels[place],
            (to->channel_count++ - place) * sizeof *to->channels);
    to->channels[place] = (svs__sim_channel){.from = from};
    return &to->channels[place];
}

/* ---- departures ---- */

static void drop(svs__buffers *list) {
    svs__buffer *buffer;
    while ((buffer = svs__buffers_take(list)) != NULL)
        svs__buffer_free(&svs__allocator_libc, buffer);
}

static void lose_last(svs__sim *sim, svs__sim_rank *to, uint32_t from) {
    svs__sim_channel *channel = find_channel(to, from);
    svs__buffers kept = {NULL, NULL};
    uint32_t lost;
    if (channel == NULL) return;
    lost = svs__sim_choose_one(sim, SVS__SIM_LOSE, NULL, channel->count + 1, 0);
    channel->count -= lost;
    to->in_flight -= lost;
    for (uint32_t i = 0; i < channel->count; i++)
        svs__buffers_put(&kept, svs__buffers_take(&channel->buffers));
    drop(&channel->buffers);
    channel->buffers = kept;
}

static void leave(svs__sim_rank *mine) {
    svs__sim *sim = mine->sim;
    if (mine->closed) return;
    mine->closed = true;
    for (uint32_t i = 0; i < mine->channel_count; i++) {
        drop(&mine->channels[i].buffers);
        mine->channels[i].count = 0;
    }
    for (uint32_t i = 0; i < sim->options.count; i++) {
        svs__sim_rank *other = &sim->ranks[i];
        if (other == mine) continue;
        if (mine->dead) lose_last(sim, other, mine->transport.rank);
        other->departures++;
        other->in_flight++;
    }
    mine->in_flight = 0;
}

static bool dies(const svs__sim *sim, const svs__sim_rank *rank) {
    const svs__sim_options *options = &sim->options;
    uint32_t index = rank->transport.rank;
    return (rank->steps == options->kill_step && index == options->kill) ||
           (rank->steps == options->kill_also_step && index == options->kill_also);
}

bool svs__sim_step(svs__sim_rank *rank) {
    svs__sim *sim = rank->sim;
    sim->now += TICK_NS;
    if (++rank->steps == sim->options.steps_max && !sim->stuck)
        svs__sim_get_stuck(sim, "a rank has taken too many steps");
    SVS__CHECK(rank->steps < 2 * sim->options.steps_max); /* transport.S2: a dead rank ends */
    if (dies(sim, rank)) rank->dead = true;
    if (rank->dead) leave(rank);
    return !rank->dead;
}

/* ---- the machine interface ---- */

static svs__send_result sim_send(void *self, uint32_t to, svs__buffer *buffer) {
    svs__sim_rank *mine = self;
    svs__sim *sim = mine->sim;
    svs__sim_channel *channel;
    bool lives = svs__sim_step(mine);
    svs__buffer *copy;
    if (lives && svs__sim_chance(sim, SVS__SIM_REFUSE)) return SVS__SEND_LATER;
    buffer->from = mine->transport.rank;
    if (lives && !sim->ranks[to].closed) {
        copy = svs__buffer_new(&svs__allocator_libc, buffer->bytes);
        SVS__CHECK(copy != NULL);
        channel = channel_of(&sim->ranks[to], mine->transport.rank);
        copy->from = buffer->from;
        copy->number = channel->sent++;
        copy->bytes = buffer->bytes;
        memcpy(copy->data, buffer->data, buffer->bytes);
        svs__buffers_put(&channel->buffers, copy);
        channel->count++;
        sim->ranks[to].in_flight++;
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
    if (svs__sim_step(mine) && buffer != NULL && svs__sim_chance(mine->sim, SVS__SIM_KEEP))
        return NULL;
    if (buffer == NULL) return NULL;
    (void)svs__buffers_take(&mine->sent);
    SVS__CHECK(is_poisoned(buffer)); /* transport.T2, transport.S3 */
    return buffer;
}

/* Lists the ranks from which this one can receive a buffer, or that they have left. */
static uint32_t list_senders(svs__sim *sim, const svs__sim_rank *mine) {
    uint32_t count = 0, at = 0;
    for (uint32_t i = 0; mine->departures == 0 && i < mine->channel_count; i++)
        if (mine->channels[i].count != 0) sim->list[count++] = mine->channels[i].from;
    for (uint32_t i = 0; mine->departures != 0 && i < sim->options.count; i++) {
        bool sends = is_at(mine, at, i) && mine->channels[at].count != 0;
        at += is_at(mine, at, i);
        if (sends || (sim->ranks[i].closed && !mine->told[i])) sim->list[count++] = i;
    }
    return count;
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
    uint32_t count;
    if (!svs__sim_step(mine)) return SVS__DEAD;
    svs__sim_turn(mine);
    if (mine->dead) return SVS__DEAD;
    if (mine->in_flight == 0 || svs__sim_chance(sim, SVS__SIM_DELAY)) return SVS__NOTHING;
    count = list_senders(sim, mine);
    *from = sim->list[svs__sim_choose_one(sim, SVS__SIM_CHANNEL, sim->list, count, 0)];
    channel = find_channel(mine, *from);
    mine->in_flight--;
    if (channel == NULL || channel->count == 0) {
        SVS__ASSERT(sim->ranks[*from].closed && !mine->told[*from]); /* transport.T3 */
        mine->told[*from] = 1;
        mine->departures--;
        return SVS__LEFT;
    }
    *buffer = svs__buffers_take(&channel->buffers);
    channel->count--;
    SVS__ASSERT((*buffer)->number == channel->seen && mine->told[*from] == 0); /* transport.T1 */
    channel->seen++;
    flip(sim, *buffer);
    return SVS__ARRIVED;
}

static void sim_release(void *self, svs__buffer *buffer) {
    (void)self;
    svs__buffer_free(&svs__allocator_libc, buffer);
}

static uint64_t sim_now(void *self) { return ((svs__sim_rank *)self)->sim->now; }

static uint64_t sim_idle(void *self, uint64_t until, uint64_t spin_ns) {
    svs__sim_rank *mine = self;
    (void)spin_ns;
    if (!svs__sim_step(mine)) return sim_now(self);
    mine->until = until;
    mine->state = SVS__SIM_IDLE;
    svs__sim_turn(mine);
    return sim_now(self);
}

static bool sim_open(void *self) {
    svs__sim_rank *mine = self;
    bool before = mine->opened;
    mine->opened = true;
    return !before;
}

static void sim_close(void *self) { leave(self); }

/* Its address identifies the thread. */
static _Thread_local char thread_mark;

/* Ranks are contexts of one thread, and no other thread can enter them. */
static bool sim_may_drive(void *self) {
    return ((svs__sim_rank *)self)->sim->thread == &thread_mark;
}

/* Low, so that tests have parts of transfers that are moved and parts that are sent in records. */
#define DIRECT_BYTES 1500u

static const svs__transport_type sim_type = {.name = "sim",
                                             .open = sim_open,
                                             .send = sim_send,
                                             .completed = sim_completed,
                                             .receive = sim_receive,
                                             .release = sim_release,
                                             .idle = sim_idle,
                                             .now = sim_now,
                                             .close = sim_close,
                                             .may_drive = sim_may_drive,
                                             .direct_bytes = DIRECT_BYTES,
                                             .give = svs__sim_give,
                                             .take = svs__sim_take,
                                             .moved = svs__sim_moved};

/* ---- stacks: they are kept for later runs, because to make one takes longer than a small run
 * ---- */

static svs__lock stacks_lock;
static svs__sim_stack *free_stacks; /* protected by `stacks_lock` */

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
    sim->thread = &thread_mark;
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
    sim->list = svs__allocate(libc, count * sizeof *sim->list, 16);
    if (sim->ranks == NULL || sim->list == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        svs__sim_rank *rank = &sim->ranks[i];
        rank->sim = sim;
        rank->transport = (svs_transport){&sim_type, rank, i, count};
        rank->told = svs__allocate_zeroed(libc, count, 1);
        rank->stack = take_sim_stack();
        if (rank->told == NULL || rank->stack == NULL) return false;
    }
    return true;
}

static void clean_up_rank(svs__sim_rank *rank, size_t count) {
    if (rank->stack != NULL) put_sim_stack(rank->stack);
    for (uint32_t i = 0; i < rank->channel_count; i++) drop(&rank->channels[i].buffers);
    svs__release(&svs__allocator_libc, rank->channels, rank->channel_room * sizeof *rank->channels,
                 _Alignof(svs__sim_channel));
    svs__release(&svs__allocator_libc, rank->told, count, 1);
}

static void clean_up(svs__sim *sim) {
    size_t count = sim->options.count;
    for (uint32_t i = 0; sim->ranks != NULL && i < count; i++) {
        clean_up_rank(&sim->ranks[i], count);
    }
    svs__release(&svs__allocator_libc, sim->ranks, count * sizeof *sim->ranks, 16);
    svs__release(&svs__allocator_libc, sim->list, count * sizeof *sim->list, 16);
    svs__sim_moves_drop(sim);
}

int svs__sim_run(const svs__sim_options *options, svs_rank_program *program, void *argument) {
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
