/* Memory to memory between simulated ranks. A move has two halves, which come in any order. When
 * both have come, the chooser decides at which call of svs__sim_moved() the bytes are copied; by
 * that call the taker gets its ticket. The giver gets its own ticket later. */
#include "transport/sim_order.h"
#include <string.h>

/* @return the first move of this pair and kind that lacks the half, or a new one. */
static svs__sim_move *move_of(svs__sim *sim, uint32_t from, uint32_t to, svs__move_kind kind,
                              bool gives) {
    svs__sim_move **at = &sim->moves, *one;
    for (; (one = *at) != NULL; at = &one->next)
        if (one->from == from && one->to == to && one->kind == kind &&
            (gives ? (const void *)one->given : one->taken) == NULL)
            return one;
    one = *at = svs__allocate_zeroed(&svs__allocator_libc, sizeof *one, _Alignof(svs__sim_move));
    SVS__CHECK(one != NULL);
    one->from = from;
    one->to = to;
    one->kind = kind;
    return one;
}

static void set_bytes(svs__sim_move *one, size_t bytes) {
    SVS__CHECK((one->given == NULL && one->taken == NULL) || one->bytes == bytes);
    one->bytes = bytes; /* transport.T4 */
}

void svs__sim_give(void *self, uint32_t to, const void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket) {
    svs__sim_rank *mine = self;
    svs__sim_move *one;
    if (!svs__sim_step(mine)) return;
    one = move_of(mine->sim, mine->transport.rank, to, kind, true);
    set_bytes(one, bytes);
    one->given = memory;
    one->tickets[0] = ticket;
}

void svs__sim_take(void *self, uint32_t from, void *memory, size_t bytes, svs__move_kind kind,
                   void *ticket) {
    svs__sim_rank *mine = self;
    svs__sim_move *one;
    if (!svs__sim_step(mine)) return;
    one = move_of(mine->sim, from, mine->transport.rank, kind, false);
    set_bytes(one, bytes);
    one->taken = memory;
    one->tickets[1] = ticket;
}

/* Whether the rank can get a ticket of the move. The memory of a giver that has left may no longer
 * exist, so it is not read. */
static bool is_ready(const svs__sim_rank *mine, const svs__sim_move *one) {
    uint32_t index = mine->transport.rank;
    if (one->copied) return one->from == index;
    return one->to == index && one->given != NULL && one->taken != NULL &&
           !mine->sim->ranks[one->from].closed;
}

bool svs__sim_may_move(const svs__sim_rank *rank) {
    const svs__sim_move *one = rank->sim->moves;
    while (one != NULL && !is_ready(rank, one)) one = one->next;
    return one != NULL;
}

void *svs__sim_moved(void *self) {
    svs__sim_rank *mine = self;
    svs__sim_move **at = &mine->sim->moves, *one;
    void *ticket;
    if (!svs__sim_step(mine)) return NULL;
    while ((one = *at) != NULL && !is_ready(mine, one)) at = &one->next;
    if (one == NULL || svs__sim_chance(mine->sim, SVS__SIM_KEEP)) return NULL;
    if (!one->copied) {
        memcpy(one->taken, one->given, one->bytes);
        one->copied = true;
        return one->tickets[1];
    }
    ticket = one->tickets[0];
    *at = one->next;
    svs__release(&svs__allocator_libc, one, sizeof *one, _Alignof(svs__sim_move));
    return ticket;
}

void svs__sim_moves_drop(svs__sim *sim) {
    svs__sim_move *one;
    while ((one = sim->moves) != NULL) {
        sim->moves = one->next;
        svs__release(&svs__allocator_libc, one, sizeof *one, _Alignof(svs__sim_move));
    }
}
