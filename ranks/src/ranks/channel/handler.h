/* The table of handlers, which is the same on all ranks. A record names its handler by the number
 * of an entry.
 *
 *   ranks.P2  Handler tables are identical on all ranks: name, size, dispatch, order. (not
 *             asserted: input of the program, compared by svs_handlers_add())
 * */
#ifndef SVS__RANKS_CHANNEL_HANDLER_H
#define SVS__RANKS_CHANNEL_HANDLER_H

#include "ranks/state.h"

#define SVS__HANDLER_BYTES_MAX (1u << 24)
#define SVS__HANDLERS_MAX UINT16_MAX

/* Position in the index at which the search for a handler begins. */
static inline uint32_t svs__handler_place(const svs__handlers *table, const svs_handler *handler) {
    uint64_t hash = (uint64_t)(uintptr_t)handler * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32) & (table->index_size - 1);
}

/* @return the entry's number, or `count` if it was not added. */
uint32_t svs__handler_search(const svs_ranks *ranks, const svs_handler *handler);
static inline uint32_t svs__handler_find(const svs_ranks *ranks, const svs_handler *handler) {
    const svs__handlers *table = &ranks->handlers;
    uint32_t found = table->count == 0 ? 0 : table->index[svs__handler_place(table, handler)];
    if (found != 0 && table->entries[found - 1].handler == handler) return found - 1;
    return svs__handler_search(ranks, handler);
}
/* @return the first of `count` free numbers in a row, which may be beyond the last number in use.
 * Outside of a run it is the same on all ranks. */
uint32_t svs__handlers_room(const svs_ranks *ranks, uint32_t count);
/* Takes `count` numbers, beginning with `first`. @param handlers their handlers; NULL: they are set
 * by a later call. @param structure the structure to which the numbers belong, or NULL. @return
 * SVS_OK, SVS_E_NO_MEMORY: nothing was taken. */
svs_status svs__handlers_put(svs_ranks *ranks, uint32_t first, const svs_handler *const *handlers,
                             uint32_t count, svs_structure *structure);
/* Removes the handlers with these numbers from the table. The numbers are not free yet. */
void svs__handlers_withdraw(svs_ranks *ranks, uint32_t first, uint32_t count);
/* Frees these numbers. */
void svs__handlers_release(svs_ranks *ranks, uint32_t first, uint32_t count);
/* Called outside of a run by a rank whose call of svs_handlers_add() is refused: the calls of the
 * other ranks return SVS_E_DIFFERS. */
void svs__handlers_refuse(svs_ranks *ranks);
/* Agrees with all ranks that each makes (or frees) a structure of this name with these handlers.
 * @return as svs_handlers_add(). */
svs_status svs__handlers_agree(svs_ranks *ranks, const char *structure, bool made,
                               const svs_handler *const *handlers, size_t count);
void svs__handlers_clean_up(svs_ranks *ranks);
/* @return what is wrong with a handler, or NULL. */
const char *svs__handler_fault(const svs_handler *handler);

#endif
