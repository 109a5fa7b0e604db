/* The code that asks for memory: the caller of operator new stands for the C++ library's own, which
 * calls malloc. */
#ifndef SVS_RACECHECK_REPORT_SITE_H
#define SVS_RACECHECK_REPORT_SITE_H

/* NULL: the caller of malloc. */
extern _Thread_local const void *svs__check_site;

#endif
