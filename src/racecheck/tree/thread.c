#include "racecheck/tree/thread.h"

static const svs__check_thread absent = {.frames_lost = SVS__FRAMES_ABSENT};
_Thread_local svs__check_thread *svs__check_self = (svs__check_thread *)&absent;

_Thread_local svs__check_marks_of svs__check_marks;

void svs__check_thread_reset(void) { svs__check_self = (svs__check_thread *)&absent; }
