/* Programs with failing allocations and threads, one failure in each run of a program (a life). The
 * driver (lives.c) and the failing functions (wrap.c) share this. */
#ifndef SVS_TESTS_FAULTS_H
#define SVS_TESTS_FAULTS_H

typedef enum fault_kind { FAULT_ALLOCATION, FAULT_THREAD, FAULT_KINDS } fault_kind;

/* Once, before anything is counted. */
void fault_open(void);

/* From here on the `call`-th call of that kind fails, counted from 1; 0: none does. */
void fault_begin(fault_kind kind, unsigned long call);

/* From here on none fails. */
void fault_end(void);

/* Since it began, also in a child: */
unsigned long fault_calls(fault_kind kind);
unsigned long fault_failed(void);

#endif
