#include "stealtree/mailbox.h"

void svs__mailbox_clean_up(svs__mailbox *mailbox, const svs_allocator *allocator) {
    svs__array_release(allocator, mailbox->letters, mailbox->capacity, sizeof *mailbox->letters);
}

/* Publishes the number of letters. The caller holds the lock. */
static void count(svs__mailbox *mailbox) {
    /* stealtree.M1 */
    SVS__ASSERT(mailbox->first <= mailbox->last && mailbox->last <= mailbox->capacity);
    /* relaxed is enough: a hint */
    svs__store_relaxed(&mailbox->waiting, mailbox->last - mailbox->first);
}

bool svs__mailbox_put(svs__mailbox *mailbox, const svs_allocator *allocator,
                      const svs__letter *letter) {
    void *letters;
    bool put;
    svs__lock_acquire(&mailbox->lock);
    letters = mailbox->letters;
    put = svs__grow(allocator, &letters, &mailbox->capacity, mailbox->last + 1,
                    sizeof *mailbox->letters);
    mailbox->letters = letters;
    if (put) mailbox->letters[mailbox->last++] = *letter;
    count(mailbox);
    svs__lock_release(&mailbox->lock);
    return put;
}

bool svs__mailbox_get(svs__mailbox *mailbox, svs__letter *letter) {
    bool got;
    if (svs__load_relaxed(&mailbox->waiting) == 0) return false; /* relaxed is enough: a hint */
    svs__lock_acquire(&mailbox->lock);
    got = mailbox->first != mailbox->last;
    if (got) *letter = mailbox->letters[mailbox->first++];
    if (mailbox->first == mailbox->last) mailbox->first = mailbox->last = 0;
    count(mailbox);
    svs__lock_release(&mailbox->lock);
    return got;
}

bool svs__mailbox_withdraw(svs__mailbox *mailbox, const svs__slot *slot) {
    bool found = false;
    svs__lock_acquire(&mailbox->lock);
    for (uint32_t i = mailbox->first; i < mailbox->last; i++) {
        if (found) mailbox->letters[i - 1] = mailbox->letters[i];
        else found = mailbox->letters[i].slot == slot;
    }
    mailbox->last -= found;
    /* stealtree.M1, with the number before the withdrawal. relaxed is enough: the caller holds the
     * lock. */
    SVS__ASSERT(svs__load_relaxed(&mailbox->waiting) - found == mailbox->last - mailbox->first);
    count(mailbox);
    svs__lock_release(&mailbox->lock);
    return found;
}
