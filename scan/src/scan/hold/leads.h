/* An access of a body with an address that is not known before the instance runs, held against a
 * touch function by what the pointer leads to (memory.h; scan.H3). */
#ifndef SCAN_HOLD_LEADS_H
#define SCAN_HOLD_LEADS_H

#include "scan/hold/entries.h"
#include "scan/points/memory.h"

typedef enum lead_verdict {
    LEAD_NAMED,     /* a named place, or a pointer about which nothing is known */
    LEAD_PERHAPS,   /* the touch function names memory that may be the accessed memory */
    LEAD_NARROWER,  /* the touch function names it on a condition that the body does not test */
    LEAD_READ_ONLY, /* the touch function names it as read */
    LEAD_MISSING
} lead_verdict;

typedef struct hold_lead {
    lead_verdict verdict;
    const memory_access *access;
    const char *what;      /* what the access leads to, in words */
    const char *condition; /* for LEAD_NARROWER: the condition */
    /* the body surely makes the access, to a variable that the touch function can name */
    bool sure;
} hold_lead;

hold_lead hold_leads(const memory *m, const memory_task *of, const hold_entry *sliced,
                     const hold_entries *written);

#endif
