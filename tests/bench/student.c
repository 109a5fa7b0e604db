/* Quantiles of Student's t, as in printed tables. */
#include "stealtree.h"

#include <math.h>

#include "case.h"

static void expect(double p, double freedom, double right, double error) {
    double t = student_quantile(p, freedom);
    if (!(fabs(t - right) <= error))
        fail_msg("t of %g with %g degrees is %.6f, not %.6f", p, freedom, t, right);
}

TEST_CASE(quantiles_are_those_of_the_tables) {
    expect(0.995, 1, 63.657, 5e-4);
    expect(0.995, 2, 9.925, 5e-4);
    expect(0.995, 4, 4.604, 5e-4);
    expect(0.995, 14, 2.977, 5e-4);
    expect(0.995, 28, 2.763, 5e-4);
    expect(0.995, 120, 2.617, 5e-4);
    expect(0.975, 10, 2.228, 5e-4);
    expect(0.9, 5, 1.476, 5e-4);
}

TEST_CASE(half_of_all_is_below_0) { expect(0.5, 7, 0, 1e-9); }

/* With two degrees there is a closed form; one is Cauchy's distribution. */
TEST_CASE(closed_forms_agree) {
    for (double p = 0.55; p < 0.999; p += 0.05) {
        expect(p, 2, (2 * p - 1) / sqrt(2 * p * (1 - p)), 1e-8);
        expect(p, 1, tan(acos(-1) * (p - 0.5)), 1e-8);
    }
}

TEST_CASE(many_degrees_are_nearly_normal) { expect(0.995, 1e6, 2.575829, 1e-5); }

int main(void) { return run_cases(NULL, NULL); }
