#include "shared.h"
#include <svs/scan.h>
#include <svs/svs.h>

typedef struct visit {
    account *visited;
    long amount;
} visit;

void account_add(account *to, long amount) {
    to->balance += amount;
    to->moves++;
}

static svs_status visit_run(svs_context *x, visit *v) {
    (void)x;
    account_add(v->visited, v->amount);
    return SVS_OK;
}
SVS_TASK_SCANNED(visit, visit_run)

long run_more(void *world, account *accounts, int count) {
    visit items[16];
    for (int i = 0; i < count; i++) items[i] = (visit){&accounts[i], 1};
    if (svs_for_each((svs_world *)world, &visit_task, items, (size_t)count)) return -1;
    return accounts[0].moves;
}

#include SVS_SCANNED
