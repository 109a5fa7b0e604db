/* Shows:  a task that sends items to another, and says by address what an item's instance touches.
 * Run:    build/release/bin/01_hello
 * Expect: the bank's money is all there, though nobody took a lock (expected/01.txt). */
#include <stdio.h>
#include <stdlib.h>
#include <svs/svs.h>

enum { ACCOUNTS = 16, TRANSFERS = 10000 };

typedef struct account {
    long balance;
    long transfers;
} account;

/* An item: plain bytes. Each item that is sent becomes an instance of the task. */
typedef struct transfer {
    account *from, *to;
    long amount;
} transfer;

/* What an instance may touch: two that share an account never run together; all others may. */
static void transfer_touch(svs_footprint *f, const transfer *t) {
    svs_writes(f, t->from);
    svs_writes(f, t->to);
}

static svs_status transfer_run(svs_context *x, transfer *t) {
    (void)x;
    t->from->balance -= t->amount;
    t->to->balance += t->amount;
    t->from->transfers++;
    return SVS_OK;
}
SVS_TASK(transfer, transfer_run, transfer_touch)

/* The sender: it looks at no account, it only names them, so its footprint is empty. */
typedef struct day {
    account *accounts;
    svs_task *transfers;
} day;

static void day_touch(svs_footprint *f, const day *d) { (void)f, (void)d; }

static svs_status day_run(svs_context *x, day *d) {
    svs_status status = SVS_OK;
    for (int i = 0; i < TRANSFERS && !status; i++) {
        int from = i % ACCOUNTS, to = (from + 1 + i / ACCOUNTS % (ACCOUNTS - 1)) % ACCOUNTS;
        transfer t = {&d->accounts[from], &d->accounts[to], 1 + i % 7};
        status = transfer_send(x, d->transfers, &t, 1);
    }
    return status;
}
SVS_TASK(day, day_run, day_touch)

int main(void) {
    static account accounts[ACCOUNTS];
    day today = {accounts, NULL};
    svs_runtime *runtime = NULL;
    svs_world *world = NULL;
    svs_graph *graph = NULL;
    svs_task *sender = NULL;
    long money = 0, transfers = 0;
    svs_status status = svs_runtime_new(NULL, &runtime);
    if (!status) status = svs_runtime_start(runtime);
    if (!status) status = svs_world_new(runtime, NULL, &world);
    if (!status) status = svs_graph_new(world, NULL, &graph);
    if (!status) status = svs_graph_add_itemizer(graph, &transfer_task, NULL, &today.transfers);
    if (!status) status = svs_graph_add_transform(graph, &day_task, &today, NULL, &sender);
    if (!status) status = svs_graph_sends(graph, sender, today.transfers);
    if (!status) status = svs_graph_run(graph, 1, NULL);

    for (int i = 0; i < ACCOUNTS; i++)
        money += accounts[i].balance, transfers += accounts[i].transfers;
    if (status) fprintf(stderr, "%s: %s\n", svs_status_name(status), svs_status_text(status));
    else printf("Hello: %ld transfers between %d accounts, %ld lost\n", transfers, ACCOUNTS, money);
    if (svs_graph_free(graph) || svs_world_free(world) || svs_runtime_free(runtime))
        return EXIT_FAILURE;
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
