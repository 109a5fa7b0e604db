/* Quantiles of Student's t by its distribution function, an incomplete beta function: P(|T| > t) =
 * I(x; v/2, 1/2) with x = v / (v + t^2). */
#include "stealtree.h"

#include <float.h>
#include <math.h>

/* The continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double x, double a, double b) {
    enum { TERMS = 500 };
    double c = 1, d = 1 - (a + b) * x / (a + 1), value;
    d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
    value = d;
    for (int m = 1; m <= TERMS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double terms[2] = {even, odd}, step = 1;
        for (int i = 0; i < 2; i++) {
            d = 1 + terms[i] * d;
            c = 1 + terms[i] / c;
            d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
            if (fabs(c) < DBL_MIN) c = DBL_MIN;
            step = c * d;
            value *= step;
        }
        if (fabs(step - 1) < 4 * DBL_EPSILON) break;
    }
    return value;
}

/* I(x; a, b); the fraction converges quickly on one side of the mean only. */
static double beta_share(double x, double a, double b) {
    double front;
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

static double above(double t, double freedom) {
    return beta_share(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

double student_quantile(double p, double freedom) {
    double low = 0, high = 1;
    while (above(high, freedom) > 1 - p) high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
        double middle = (low + high) / 2;
        if (above(middle, freedom) > 1 - p) low = middle;
        else high = middle;
    }
    return (low + high) / 2;
}
