#include "shared.h"
#include <stdio.h>
#include <svs/scan.h>
#include <svs/svs.h>

enum { ACCOUNTS = 8, TRANSFERS = 2000 };

typedef struct transfer {
    account *from, *to;
    long amount;
} transfer;
static svs_status transfer_run(svs_context *x, transfer *t) {
    (void)x;
    account_add(t->from, -t->amount);
    account_add(t->to, t->amount);
    return SVS_OK;
}
SVS_TASK_SCANNED(transfer, transfer_run)

int main(void) {
    static transfer items[TRANSFERS];
    static account accounts[ACCOUNTS];
    long sum = 0, moves = 0;
    svs_world *world;
    for (int i = 0; i < TRANSFERS; i++)
        items[i] = (transfer){&accounts[i % ACCOUNTS], &accounts[i * 3 % ACCOUNTS], i};
    svs_status status = svs_start(2, &world);
    if (!status) status = svs_for_each(world, &transfer_task, items, TRANSFERS);
    for (int i = 0; i < ACCOUNTS; i++) sum += accounts[i].balance, moves += accounts[i].moves;
    long more = run_more(world, accounts, ACCOUNTS);
    printf("sum %ld, %ld moves, %ld\n", sum, moves, more);
    return svs_stop(world) || status || sum;
}

#include SVS_SCANNED
