/* Shows: tasks write shared data in parallel, without a lock. Run: build/release/bin/01_hello */
#include <stdio.h>
#include <svs/svs.h>
typedef struct {
    long *from, *to, amount;
} transfer; /* an item: plain bytes */

static void transfer_touch(svs_footprint *f, const transfer *t) { /* what an instance may touch */
    svs_writes(f, t->from);
    svs_writes(f, t->to);
}
static svs_status transfer_run(svs_context *x, transfer *t) { /* what it does */
    (void)x;
    *t->from -= t->amount;
    *t->to += t->amount;
    return SVS_OK;
}
SVS_TASK(transfer, transfer_run, transfer_touch)

int main(void) {
    static transfer items[10000];
    long accounts[16] = {0}, sum = 0;
    svs_world *world;
    for (int i = 0; i < 10000; i++) items[i] = (transfer){&accounts[i % 16], &accounts[i % 15], i};
    svs_status status = svs_start(0, &world);
    if (!status) status = svs_for_each(world, &transfer_task, items, 10000);
    for (int i = 0; i < 16; i++) sum += accounts[i];
    if (!status) printf("Hello: 10000 transfers between 16 accounts, %ld lost\n", -sum);
    return svs_stop(world) || status || sum;
}
