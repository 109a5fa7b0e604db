/* Quantiles of Student's t, as in printed tables. */
#include "stealtree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void expect(double p, double freedom, double right, double error) {
    double t = student_quantile(p, freedom);
    if (!(fabs(t - right) <= error))
        fail_msg("t of %g with %g degrees is %.6f, not %.6f", p, freedom, t, right);
}

static void quantiles_are_those_of_the_tables(void **state) {
    (void)state;
    expect(0.995, 1, 63.657, 5e-4);
    expect(0.995, 2, 9.925, 5e-4);
    expect(0.995, 4, 4.604, 5e-4);
    expect(0.995, 14, 2.977, 5e-4);
    expect(0.995, 28, 2.763, 5e-4);
    expect(0.995, 120, 2.617, 5e-4);
    expect(0.975, 10, 2.228, 5e-4);
    expect(0.9, 5, 1.476, 5e-4);
}

static void half_of_all_is_below_0(void **state) {
    (void)state;
    expect(0.5, 7, 0, 1e-9);
}

/* With two degrees there is a closed form; one is Cauchy's distribution. */
static void closed_forms_agree(void **state) {
    (void)state;
    for (double p = 0.55; p < 0.999; p += 0.05) {
        expect(p, 2, (2 * p - 1) / sqrt(2 * p * (1 - p)), 1e-8);
        expect(p, 1, tan(acos(-1) * (p - 0.5)), 1e-8);
    }
}

static void many_degrees_are_nearly_normal(void **state) {
    (void)state;
    expect(0.995, 1e6, 2.575829, 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(half_of_all_is_below_0),
        cmocka_unit_test(closed_forms_agree),
        cmocka_unit_test(many_degrees_are_nearly_normal),
    };
    return cmocka_run_group_tests_name("student", tests, NULL, NULL);
}
