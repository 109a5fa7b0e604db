/* Shows:  footprints without a touch function: a list of the item's fields, or all that the fields
 *         reach; and task types that several files use (18_lists.h, 18_lists_stock.c).
 * Run:    build/release/bin/18_lists
 * Expect: pieces and money are those that serial code has (expected.txt). */
#include "18_lists.h"
#include "session.h"

enum { CUSTOMERS = 40, ORDERS = 1000 };
typedef struct customer {
    svs_object svs;
    struct customer *payer; /* who pays for this one; NULL: itself */
    long owes;
} customer;
SVS_TYPE(customer, svs, payer)
static long price = 3;

/* The list names fields, and says how the body uses them. */
typedef struct order {
    int slot;
    const long *price;
    customer *by;
} order;
static svs_status order_run(svs_context *x, order *o) {
    (void)x;
    if (!stock[o->slot]) return SVS_OK; /* sold out */
    stock[o->slot]--;
    o->by->owes += *o->price;
    return SVS_OK;
}
SVS_TASK_SHAPE(order, order, order_run, SVS_WRITES_AT(slots, slot), SVS_READS(price),
               SVS_WRITES_OBJECT(by, svs))

typedef struct letter {
    customer *to;
    int slot;
    long *text;
} letter;
static svs_status letter_run(svs_context *x, letter *l) {
    (void)x;
    *l->text = l->to->owes + stock[l->slot];
    return SVS_OK;
}
SVS_TASK_SHAPE(letter, letter, letter_run, SVS_READS_OBJECT(to, svs), SVS_READS_AT(slots, slot),
               SVS_WRITES(text))

/* Writes all that `of` reaches: the customer, who pays for it, who pays for that one, ... */
typedef struct bill {
    customer *of;
} bill;
static svs_status bill_run(svs_context *x, bill *b) {
    (void)x;
    for (customer *c = b->of; c->payer; c = c->payer) {
        c->payer->owes += c->owes;
        c->owes = 0;
    }
    return SVS_OK;
}
SVS_TASK_REACH(bill, bill, bill_run, svs, of)

static svs_status work(svs_world *world, customer **all) {
    static order orders[ORDERS];
    delivery deliveries[SLOTS - 3];
    bill bills[CUSTOMERS];
    letter letters[CUSTOMERS];
    long texts[CUSTOMERS] = {0}, pieces[2] = {0};
    inventory halves[] = {{0, SLOTS / 2, &pieces[0]}, {SLOTS / 2, SLOTS / 2, &pieces[1]}};
    svs_for_each_options options;
    svs_for_each_options_init(&options);
    options.name = "orders";
    options.algorithm = SVS_ALGORITHM_IN_ORDER; /* first come, first served */
    for (int i = 0; i < SLOTS - 3; i++) deliveries[i] = (delivery){i, 4, 10};
    for (int i = 0; i < ORDERS; i++) orders[i] = (order){i % SLOTS, &price, all[i % CUSTOMERS]};
    for (int i = 0; i < CUSTOMERS; i++) bills[i].of = all[i];
    for (int i = 0; i < CUSTOMERS; i++) letters[i] = (letter){all[i], i, &texts[i]};
    svs_status status = svs_for_each(world, &delivery_task, deliveries, SLOTS - 3);
    if (!status) status = svs_for_each_with(world, &order_task, orders, ORDERS, &options, NULL);
    if (!status) status = svs_for_each(world, &bill_task, bills, CUSTOMERS);
    if (!status) status = svs_for_each(world, &letter_task, letters, CUSTOMERS);
    if (!status) status = svs_for_each(world, &inventory_task, halves, 2);
    if (!status)
        printf("%ld and %ld pieces left, a letter of %ld\n", pieces[0], pieces[1], texts[0]);
    return status;
}

int main(void) {
    session s = {NULL, NULL, NULL};
    customer *all[CUSTOMERS] = {NULL};
    svs_status status = svs_start(0, &s.world);
    if (!status) status = svs_space_new(s.world, "slots", SLOTS, &slots);
    for (int i = 0; i < CUSTOMERS && !status; i++) {
        status = SVS_NEW(s.world, customer, &all[i]);
        if (!status && i % 4) status = svs_link(all[i], payer, all[i - 1]);
    }
    if (!status) status = work(s.world, all);
    if (!status) status = svs_space_free(slots);
    return session_close(&s, status);
}
