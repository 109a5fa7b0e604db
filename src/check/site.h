/* Who asks for memory: the code that calls operator new stands for the C++ library's own, which
 * calls malloc. */
#ifndef SVS_CHECK_SITE_H
#define SVS_CHECK_SITE_H

/* NULL: whoever calls malloc. */
extern _Thread_local const void *svs__check_site;

#endif
