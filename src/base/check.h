/* Invariants in three tiers: SVS__CHECK always, SVS__ASSERT unless NDEBUG, SVS__ASSERT_SLOW (walks
 * whole structures) with SVS_SLOW_CHECKS. A check that fails prints its place and aborts. A
 * disabled check still has to compile. */
#ifndef SVS_BASE_CHECK_H
#define SVS_BASE_CHECK_H

#include <svs/status.h>

#if defined(__GNUC__)
#define SVS__LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SVS__UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define SVS__COLD __attribute__((cold, noinline))
#else
#define SVS__LIKELY(condition) (condition)
#define SVS__UNLIKELY(condition) (condition)
#define SVS__COLD
#endif

SVS_API SVS__COLD _Noreturn void svs__check_failed(const char *condition, const char *file,
                                                   int line);

#define SVS__CHECK(condition)                                                                      \
    (SVS__UNLIKELY(!(condition)) ? svs__check_failed(#condition, __FILE__, __LINE__) : (void)0)
#define SVS__CHECK_OFF(condition) ((void)(0 && (condition)))

#if defined(NDEBUG)
#define SVS__ASSERT(condition) SVS__CHECK_OFF(condition)
#else
#define SVS__ASSERT(condition) SVS__CHECK(condition)
#endif

#if defined(SVS_SLOW_CHECKS)
#define SVS__ASSERT_SLOW(condition) SVS__CHECK(condition)
#else
#define SVS__ASSERT_SLOW(condition) SVS__CHECK_OFF(condition)
#endif

#endif
