/* Points-to analysis by inclusion, with fields (thesis 4.2; Andersen): the sites that each variable
 * may point to. Statements become relations, and the rules of figure 4.2 apply until no relation is
 * new:
 *
 *   scan.P1  pts(v, h)       :- malloc(v, h)
 *   scan.P2  pts(v1, h)      :- assign(v1, v2), pts(v2, h)
 *   scan.P3  hpts(h1, f, h2) :- store(v1, f, v2), pts(v2, h2), pts(v1, h1)
 *   scan.P4  pts(v1, h1)     :- load(v1, f, v2), pts(v2, h2), hpts(h2, f, h1)
 *
 * C takes addresses of fields, for which there is one rule more:
 *
 *   scan.P5  pts(v1, h.f)    :- field(v1, f, v2), pts(v2, h)
 *
 * The site h.f is the field f of the site h: hpts(h.f, g, x) is hpts(h, f, x) for each g, and the
 * field g of h.f is h.f. The field 0 of h is h as a whole.
 *
 * scan/tests/scan/points.py compares the solver with these rules in Prolog. */
#ifndef SCAN_POINTS_POINTS_H
#define SCAN_POINTS_POINTS_H

#include "scan/base.h"

typedef struct points points;
typedef uint32_t points_id; /* number of a variable, a site or a field; 0: none */

points *points_new(void);
points_id points_variable(points *p);
points_id points_site(points *p);

/* These add the relations v = new h, v1 = v2, v1.f = v2, v1 = v2.f, v1 = &v2.f. */
void points_malloc(points *p, points_id v, points_id h);
void points_assign(points *p, points_id v1, points_id v2);
void points_store(points *p, points_id v1, points_id f, points_id v2);
void points_load(points *p, points_id v1, points_id f, points_id v2);
void points_field(points *p, points_id v1, points_id f, points_id v2);

/* The variable with pts(v, x) for all hpts(h, f, x). */
points_id points_content(points *p, points_id h, points_id f);

/* Applies the rules. After it, relations may be added, and it may be called again. */
void points_solve(points *p);

/* The next site after `site` (0: the first) that v points to, or 0. */
points_id points_next(const points *p, points_id v, points_id site);
/* The parts of a site: h and f for h.f; h and 0 for another site h. */
points_id points_root(const points *p, points_id site);
points_id points_part(const points *p, points_id site);

#endif
