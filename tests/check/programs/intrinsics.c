/* Which accesses of unusual sizes does a check see, of vectors above all? Each line of the table
 * has one, which a task makes; a second task writes an element of what is accessed. Prints a line
 * for each: its name and whether the race was found.
 *
 *     SVS_CHECK_OPTIONS=start=0 intrinsics
 *
 * Ends with status 77 on machines that lack the instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <svs/check.h>
#include <svs/svs.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define VECTORS __attribute__((target("avx2")))

static _Alignas(64) float f[64], g[64];
static _Alignas(64) int n[64];
static _Alignas(64) double d[64];
/* Not static: writes of what is never read are taken out. */
union {
    struct __attribute__((packed)) {
        unsigned few : 3;
        unsigned long many : 37;
        unsigned rest : 8;
    } fields;
    unsigned char bytes[6];
} packed;
union {
    long double number;
    unsigned char bytes[16];
} wide;

/* A value that has to be read. */
#define USE(value)                                                                                 \
    do {                                                                                           \
        __typeof__(value) used = (value);                                                          \
        __asm__ volatile("" : : "x"(used));                                                        \
    } while (0)

#define ALL_OF _mm256_set1_epi32(-1)
#define STEPS _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)
#define NONE _mm256_setzero_ps()

/* name, element that the second task writes, what the first one does */
#define ACCESSES(X)                                                                                \
    X(load_ps, f[3], USE(_mm_load_ps(f)))                                                          \
    X(storeu_ps, f[3], _mm_storeu_ps(f, _mm_setzero_ps()))                                         \
    X(storel_pi, f[1], _mm_storel_pi((__m64 *)(void *)f, _mm_setzero_ps()))                        \
    X(loadh_pd, d[0], USE(_mm_loadh_pd(_mm_setzero_pd(), d)))                                      \
    X(broadcast_ss, f[0], USE(_mm256_broadcast_ss(f)))                                             \
    X(lddqu_si128, n[3], USE(_mm_lddqu_si128((const __m128i *)(const void *)n)))                   \
    X(stream_si32, n[0], _mm_stream_si32(n, 1))                                                    \
    X(stream_load_si128, n[3], USE(_mm_stream_load_si128((__m128i *)(void *)n)))                   \
    X(256_load_ps, f[3], USE(_mm256_load_ps(f)))                                                   \
    X(256_storeu_ps, f[3], _mm256_storeu_ps(f, NONE))                                              \
    X(256_maskload_ps, f[3], USE(_mm256_maskload_ps(f, ALL_OF)))                                   \
    X(256_maskstore_ps, f[3], _mm256_maskstore_ps(f, ALL_OF, NONE))                                \
    X(256_stream_ps, f[3], _mm256_stream_ps(f, NONE))                                              \
    X(256_i32gather_ps, f[3], USE(_mm256_i32gather_ps(f, STEPS, 4)))                               \
    X(loop, f[3], loop(f, g))                                                                      \
    X(loop_with_branch, f[3], loop_with_branch(f, g))                                              \
    X(loop_omp_simd, f[3], loop_omp_simd(f, g))                                                    \
    X(neighbours, d[3], neighbours(d))                                                             \
    X(packed_bits, packed.bytes[2], packed.fields.many = 5)                                        \
    X(long_double, wide.bytes[2], wide.number = 5)                                                 \
    OPTIMISED(X)

/* Without optimisation this is a loop as any. */
#if defined(__OPTIMIZE__)
#define OPTIMISED(X) X(loop_omp_simdlen, f[3], loop_omp_simdlen(f, g))
#else
#define OPTIMISED(X)
#endif

/* A loop that compilers vectorise, where the options allow it. */
__attribute__((noinline)) VECTORS static void loop(float *restrict a, const float *restrict b) {
    for (int i = 0; i < 64; i++) a[i] += 2 * b[i];
}
__attribute__((noinline)) VECTORS static void loop_with_branch(float *restrict a,
                                                               const float *restrict b) {
    for (int i = 0; i < 64; i++)
        if (b[i] >= 0) a[i] = b[i];
}
__attribute__((noinline)) VECTORS static void loop_omp_simd(float *restrict a,
                                                            const float *restrict b) {
#pragma omp simd
    for (int i = 0; i < 64; i++) a[i] += 2 * b[i];
}
#if defined(__OPTIMIZE__)
__attribute__((noinline)) VECTORS static void loop_omp_simdlen(float *restrict a,
                                                               const float *restrict b) {
#pragma omp simd simdlen(8)
    for (int i = 0; i < 64; i++) a[i] += 2 * b[i];
}
#endif
__attribute__((noinline)) VECTORS static void neighbours(double *a) {
    a[0] += 1;
    a[1] += 1;
    a[2] += 1;
    a[3] += 1;
}

typedef struct access {
    const char *name;
    svs_async_function *make, *meet;
} access;

#define FUNCTIONS(name, element, make)                                                             \
    VECTORS static void make_##name(svs_async_context *s, void *a) {                               \
        (void)s, (void)a;                                                                          \
        make;                                                                                      \
    }                                                                                              \
    static void meet_##name(svs_async_context *s, void *a) {                                       \
        (void)s, (void)a;                                                                          \
        *(volatile __typeof__(element) *)&(element) = 1;                                           \
    }
#define ENTRY(name, element, make) {#name, make_##name, meet_##name},
ACCESSES(FUNCTIONS)
static const access accesses[] = {ACCESSES(ENTRY)};

static unsigned long races;
static void found(const svs_check_race *race, void *unused) { races++; }

static void both(svs_async_context *s, void *argument) {
    const access *each = argument;
    svs_async(s, each->make, NULL, 0);
    svs_async(s, each->meet, NULL, 0);
}

static int try_all(svs_runtime *runtime, const svs_check_options *options) {
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        races = 0;
        if (svs_check_start(runtime, options)) return 4;
        if (svs_async_run(runtime, both, (void *)&accesses[i])) return 5;
        if (svs_check_stop(runtime, NULL)) return 6;
        printf("%s: %s\n", accesses[i].name, races != 0 ? "seen" : "not seen");
    }
    return 0;
}

int main(void) {
    svs_runtime_options options;
    svs_check_options checks;
    svs_runtime *runtime;
    int status;
    if (!__builtin_cpu_supports("avx2")) return 77;
    svs_runtime_options_init(&options);
    options.threads = 1;
    svs_check_options_init(&checks);
    checks.found = found;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) return 3;
    status = try_all(runtime, &checks);
    return svs_runtime_free(runtime) ? 7 : status;
}
#else
int main(void) { return 77; }
#endif
