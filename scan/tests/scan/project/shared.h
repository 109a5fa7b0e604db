#ifndef SHARED_H
#define SHARED_H
typedef struct account {
    long balance;
    int moves;
} account;
void account_add(account *to, long amount);
long run_more(void *world, account *accounts, int count);
#endif
