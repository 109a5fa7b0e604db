/* Engine lent: engine svs, on threads of the program instead of the runtime's own. */
#define engine_svs engine_lent
#define scheduled_open lent_open
#define scheduled_close lent_close
#include "quakesquad/engine_svs.c"
#undef scheduled_open
#undef scheduled_close

#include "lent.h"

svs_status scheduled_open(scheduled *all, const scheduled_options *options);
void scheduled_close(scheduled *all);

static lent_threads *lent; /* the program has one engine */

svs_status lent_open(scheduled *all, const scheduled_options *options) {
    scheduled_options with = *options;
    lent = lent_new(&with.runtime);
    svs_status status = scheduled_open(all, &with);
    if (!status) lent_begin(lent, all->runtime);
    return status;
}

void lent_close(scheduled *all) {
    lent_end(lent);
    scheduled_close(all);
}
