/* A loop in the preprocessor over the arguments of a macro that describes a type, in plain C11 and
 * C++17. */
#ifndef SVS_DETAIL_EACH_H
#define SVS_DETAIL_EACH_H

#define SVS__CONCATENATE(a, b) SVS__CONCATENATE_(a, b)
#define SVS__CONCATENATE_(a, b) a##b

/* The halves of a pair (a, b). */
#define SVS__FIRST(pair) SVS__FIRST_ pair
#define SVS__FIRST_(a, b) a
#define SVS__SECOND(pair) SVS__SECOND_ pair
#define SVS__SECOND_(a, b) b

/* SVS__CAST: never from const, nor between pointers to different structs. */
#if defined(__cplusplus)
#define SVS__ALIGNAS(n) alignas(n)
#define SVS__ALIGNOF(T) alignof(T)
#define SVS__CAST(T, value) (static_cast<T>(value))
#define SVS__NUMBER_OF(pointer) (reinterpret_cast<uintptr_t>(pointer))
#define SVS__NOEXCEPT noexcept
#define SVS__NULL nullptr
#else
#define SVS__CAST(T, value) ((T)(value)) /* NOLINT(bugprone-macro-parentheses) */
#define SVS__NUMBER_OF(pointer) ((uintptr_t)(pointer))
#define SVS__NOEXCEPT
#define SVS__NULL NULL
#define SVS__ALIGNAS(n) _Alignas(n)
#define SVS__ALIGNOF(T) _Alignof(T)
#endif

/* 1 when there are three arguments or more, 0 when there are two. */
#define SVS__HAS_THIRD(...)                                                                        \
    SVS__EIGHTEENTH(__VA_ARGS__, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0)
#define SVS__EIGHTEENTH(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16,     \
                        _17, _18, ...)                                                             \
    _18

/* Selects by the number of arguments, 1 to 8, if a list of nine values follows them: the first
 * value for eight arguments, the eighth for one. */
#define SVS__NINTH(_1, _2, _3, _4, _5, _6, _7, _8, _9, ...) _9

/* The number of arguments, 1 to 15. */
#define SVS__COUNT(...)                                                                            \
    SVS__SIXTEENTH(__VA_ARGS__, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define SVS__SIXTEENTH(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, ...) \
    _16

/* F(a, b, x) for each of 1 to 15 arguments x. */
#define SVS__EACH(F, a, b, ...)                                                                    \
    SVS__CONCATENATE(SVS__EACH_, SVS__COUNT(__VA_ARGS__))(F, a, b, __VA_ARGS__)
#define SVS__EACH_1(F, a, b, x) F(a, b, x)
#define SVS__EACH_2(F, a, b, x, ...) F(a, b, x) SVS__EACH_1(F, a, b, __VA_ARGS__)
#define SVS__EACH_3(F, a, b, x, ...) F(a, b, x) SVS__EACH_2(F, a, b, __VA_ARGS__)
#define SVS__EACH_4(F, a, b, x, ...) F(a, b, x) SVS__EACH_3(F, a, b, __VA_ARGS__)
#define SVS__EACH_5(F, a, b, x, ...) F(a, b, x) SVS__EACH_4(F, a, b, __VA_ARGS__)
#define SVS__EACH_6(F, a, b, x, ...) F(a, b, x) SVS__EACH_5(F, a, b, __VA_ARGS__)
#define SVS__EACH_7(F, a, b, x, ...) F(a, b, x) SVS__EACH_6(F, a, b, __VA_ARGS__)
#define SVS__EACH_8(F, a, b, x, ...) F(a, b, x) SVS__EACH_7(F, a, b, __VA_ARGS__)
#define SVS__EACH_9(F, a, b, x, ...) F(a, b, x) SVS__EACH_8(F, a, b, __VA_ARGS__)
#define SVS__EACH_10(F, a, b, x, ...) F(a, b, x) SVS__EACH_9(F, a, b, __VA_ARGS__)
#define SVS__EACH_11(F, a, b, x, ...) F(a, b, x) SVS__EACH_10(F, a, b, __VA_ARGS__)
#define SVS__EACH_12(F, a, b, x, ...) F(a, b, x) SVS__EACH_11(F, a, b, __VA_ARGS__)
#define SVS__EACH_13(F, a, b, x, ...) F(a, b, x) SVS__EACH_12(F, a, b, __VA_ARGS__)
#define SVS__EACH_14(F, a, b, x, ...) F(a, b, x) SVS__EACH_13(F, a, b, __VA_ARGS__)
#define SVS__EACH_15(F, a, b, x, ...) F(a, b, x) SVS__EACH_14(F, a, b, __VA_ARGS__)

#endif
