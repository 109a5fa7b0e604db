/* Checks and fork() (forked.c). */
#ifndef SVS_RACECHECK_FORKED_H
#define SVS_RACECHECK_FORKED_H

/* From here on a child of a fork finds nothing checked, and may start checks. May be repeated; not
 * under a lock that is taken while checks run. */
void svs__check_survive_forks(void);

#endif
