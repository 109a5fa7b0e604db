/* The stock of a warehouse, which both files of this lesson use. */
#ifndef SVS_EXAMPLES_LISTS_H
#define SVS_EXAMPLES_LISTS_H

#include <svs/svs.h>

enum { SLOTS = 64 };
extern long stock[SLOTS];
extern svs_space *slots; /* the elements of stock by number; set before the runs */

/* Fills `count` slots from `first` on. Its task is defined in 18_lists_stock.c. */
typedef struct delivery {
    int first, count, pieces;
} delivery;
SVS_TASK_DECLARE(delivery)

typedef struct inventory {
    int first, count;
    long *pieces;
} inventory;
SVS_TASK_DECLARE(inventory)

#endif
