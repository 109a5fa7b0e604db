/* A target for libFuzzer: any bytes at all are refused with a line, a column and a sentence, or are
 * a system of polynomials, which is the same after it was printed and read again. */
#include "base/check.h"
#include "multipol/groebner/groebner.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_polynomial(const system_of_polynomials *s, const polynomial *p) {
    SVS__CHECK(p->count != 0);
    for (uint32_t t = 0; t < p->count; t++) {
        uint32_t degree = 0;
        SVS__CHECK(p->terms[t].c != 0 && p->terms[t].c < s->modulus);
        SVS__CHECK(t == 0 || monomial_compare(&p->terms[t - 1].m, &p->terms[t].m) > 0);
        for (uint32_t i = 0; i < GROEBNER_VARIABLES; i++) {
            degree += p->terms[t].m.e[i];
            SVS__CHECK(i < s->variables || p->terms[t].m.e[i] == 0);
        }
        SVS__CHECK(degree == p->terms[t].m.degree && degree <= GROEBNER_DEGREE);
    }
}

static void check_system(const system_of_polynomials *s) {
    char fault[GROEBNER_FAULT];
    size_t bytes = system_print(s, NULL, 0);
    char *text = malloc(bytes + 1);
    system_of_polynomials again;
    SVS__CHECK(s->count != 0 && s->variables != 0 && field_is_prime(s->modulus));
    for (uint32_t i = 0; i < s->count; i++) check_polynomial(s, &s->of[i]);
    SVS__CHECK(text != NULL && system_print(s, text, bytes + 1) == bytes);
    SVS__CHECK(system_parse(&again, text, bytes, fault) && system_is_equal(s, &again));
    system_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char fault[GROEBNER_FAULT] = "";
    system_of_polynomials s;
    if (system_parse(&s, (const char *)data, size, fault)) {
        check_system(&s);
    } else {
        unsigned line, column;
        char what[2];
        SVS__CHECK(memchr(fault, '\0', sizeof fault) != NULL);
        SVS__CHECK(sscanf(fault, "%u:%u: %1s", &line, &column, what) == 3);
        SVS__CHECK(line != 0 && column != 0 && strstr(fault, "expected") != NULL);
    }
    system_free(&s);
    return 0;
}
