/* Verdicts on graphs' instances, as the program's callback gets them. */
#include "racecheck/graph/report.h"
#include "racecheck/graph/owner.h"
#include "racecheck/tree/step.h"
#include <string.h>

static const char *field_of(const svs__owner *owner, uintptr_t address) {
    const svs_type *type = owner->type;
    uintptr_t offset = address - owner->begin;
    if (type == NULL) return NULL;
    for (uint32_t i = 0; i < type->link_count; i++)
        if (offset - type->links[i].offset < sizeof(void *)) return type->links[i].name;
    for (uint32_t i = 0; i < type->member_count; i++)
        if (offset - type->members[i].offset < type->members[i].type->size)
            return type->members[i].name;
    return NULL;
}

static void name(svs_check_access *access, const svs__instance *t, int declared) {
    access->task = svs__instance_task(t);
    access->instance = t->order;
    access->declared = declared;
}

void svs__graph_name(const svs__instance *instance, svs_check_race *race) {
    name(&race->before, instance, 0);
    name(&race->now, instance, 0);
}

static void describe_object(const svs__graph_finding *f, svs_check_race *race) {
    const svs__owner *owner = &f->owner;
    uintptr_t at = owner->begin;
    if (!f->owned) return;
    if (owner->stride != 0) at += (f->address - at) / owner->stride * owner->stride;
    race->object = (const void *)at;
    race->object_bytes = owner->stride != 0 ? owner->stride : owner->end - owner->begin;
    race->type = owner->name;
    race->field = field_of(owner, f->address);
}

static void fill(svs__check_thread *self, const svs__graph_finding *f, svs_check_race *race,
                 char *cure, char *declared) {
    svs__instance *t = self->instance;
    const svs__instance *u = f->other.instance;
    race->address = (const void *)f->address;
    race->bytes = f->bytes;
    race->verdict = f->verdict;
    describe_object(f, race);
    name(&race->now, t, f->mode);
    svs__graph_tell_declared(t, u, declared);
    svs__graph_tell_cure(t, f, race->now.write, cure);
    if (u != NULL) {
        race->before = (svs_check_access){
            f->other.step, f->other.write, f->other.pc, f->other.frame, NULL, 0, 0};
        name(&race->before, u, f->other_mode);
    }
    race->cure = cure;
    race->declared = declared;
}

/* What keeps the two apart, if it is not what has the bytes. @return false: the program has said of
 * it that the order does not matter. */
static bool find_guard(const svs__instance *t, const svs__graph_finding *f,
                       const svs__declared **guard) {
    const svs__declared *d;
    uint32_t from = 0;
    *guard = NULL;
    if (f->verdict != SVS_CHECK_VERDICT_ORDER || f->shared) return true;
    while ((d = svs__graph_conflict(t, f->other.instance, &from)) != NULL) {
        if (!d->is_index && svs__owner_is_commutative(d->what)) return false;
        if (*guard == NULL) *guard = d;
    }
    return true;
}

SVS__COLD void svs__graph_report(svs__check_thread *self, const svs__graph_finding *f,
                                 const svs__touch *touch) {
    char cure[SVS__GRAPH_TEXT] = "", declared[SVS__GRAPH_TEXT] = "";
    uint32_t step = self->step;
    const svs__declared *guard;
    svs_check_race race;
    if (svs__check_is_of_async(self, f->address) || svs__check_is_own(f->address)) return;
    if (!find_guard(self->instance, f, &guard) || !svs__graph_count(f, self->instance, guard))
        return;
    memset(&race, 0, sizeof race);
    race.now = (svs_check_access){step, touch->write, touch->pc, self->frame, NULL, 0, 0};
    self->step = 0; /* what the report touches is not looked at */
    fill(self, f, &race, cure, declared);
    svs__the_checker.options.found(&race, svs__the_checker.options.found_argument);
    self->step = step;
}
