/* The bank of `./dev demo`: transfers over linked accounts, run in five ways (bank.c). */
#ifndef DEMO_BANK_H
#define DEMO_BANK_H

#include <pthread.h>
#include <stdbool.h>
#include <svs/svs.h>

enum { ACCOUNTS = 4000, CHAIN = 4, MEMBERS = 2 * CHAIN };

/* The account `cover` pays what this one lacks. Covers change, and may form a circle. */
typedef struct account {
    long cents;
    struct account *cover;
    pthread_mutex_t lock; /* locks */
    svs_object svs;       /* SvS */
} account;
SVS_TYPE_DECLARE(account) /* SvS */

/* A payment to `to` by `from` and by the accounts that cover `from`, at most CHAIN in all. It first
 * fills up the accounts that cover `to`. */
typedef struct transfer {
    account *from, *to, *new_cover; /* NULL: `from` keeps its cover */
    long cents;
    int number;
} transfer;

/* One transfer of a run, for the timeline. */
typedef struct span {
    double begin, end; /* microseconds */
    unsigned worker, member_count;
    account *members[MEMBERS];
} span;

typedef struct bank {
    svs_world *world;
    account *accounts[ACCOUNTS];
    transfer *transfers;
    int count, threads;
    int rounds;   /* rounds of the check of a transfer: they determine its length */
    span *spans;  /* NULL, or one for each transfer */
    bool forgets; /* SvS does not declare the accounts that are paid to */
} bank;

typedef enum engine { SERIAL, UNPROTECTED, ONE_LOCK, LOCKS, SVS, ENGINES } engine;

/* Runs all transfers. @return the status of SvS, else SVS_OK. */
svs_status bank_run(bank *b, engine e);

double microseconds(void);

#endif
