#include "memobj/core/type.h"

#include <stdlib.h>

#include "base/atomic.h"
#include "base/lock.h"
#include "base/process.h"
#include "base/program.h"

#define TYPES_MAX 65535u

_Atomic(svs__type *) svs__types[UINT16_MAX + 1];

/* Records live as long as the process, as types do. The records of the first FIRST_RECORDS types
 * are static. Most programs have no more types, so they leave no unfreed allocation when they end
 * or unload the library. */
#define FIRST_RECORDS 64u
static svs__type first_records[FIRST_RECORDS];

static svs__lock types_lock;
static uint32_t types_count = 1; /* index 0 is reserved: no type has it */

uint32_t svs__link_header(const svs_link_type *link) {
    static _Alignas(4096) char somewhere[8]; /* an address for arithmetic, never read */
    return (uint32_t)link->header(somewhere);
}

static const char *type_mistake(const svs_type *type) {
    if (!type->name) return "no name";
    if (type->link_count && !type->links) return "a number of links, but no array of them";
    if (type->member_count && !type->members) return "a number of members, but no array of them";
    if (type->header % _Alignof(svs_object)) return "a header that is not aligned to 8 bytes";
    if (type->link_count > SVS_LINKS_MAX) return "more than 15 links";
    if (type->member_count > SVS_MEMBERS_MAX) return "more than 15 members";
    if (type->header + sizeof(svs_object) > type->size) return "a header outside of the struct";
    for (uint32_t i = 0; i < type->link_count; i++)
        if (type->links[i].offset + sizeof(void *) > type->size)
            return "a link outside of the struct";
    for (uint32_t i = 0; i < type->member_count; i++) {
        const svs_member_type *member = &type->members[i];
        if (!member->type || member->type == type) return "a member without a type of its own";
        if (member->offset + member->type->size > type->size)
            return "a member outside of the struct";
    }
    return NULL;
}

#if !defined(SVS__PROGRAM_IS_UNSEEN)
extern void svs__asan_poison(const volatile void *begin,
                             size_t bytes) __asm__("__asan_poison_memory_region")
    __attribute__((weak));
static bool follows_addresses(void) { return svs__asan_poison != NULL; }
#else
static bool follows_addresses(void) { return false; }
#endif

/* Small structs have slots, unless a sanitizer in the process follows each allocation. */
static uint32_t slot_bytes(const svs_type *type) {
    size_t unit = type->alignment > SVS__SLOT_UNIT ? SVS__SLOT_ALIGNMENT : SVS__SLOT_UNIT;
    size_t bytes = (SVS__SLOT_UNIT + type->size + unit - 1) & ~(unit - 1);
    if (type->size > SVS__SLOT_MAX || type->alignment > SVS__SLOT_ALIGNMENT ||
        follows_addresses() || SVS__PROGRAM_IS_SANITIZED())
        return 0;
    return (uint32_t)bytes;
}

static svs__type *record_new(void) {
    if (types_count < FIRST_RECORDS) return &first_records[types_count];
    return calloc(1, sizeof(svs__type));
}

static svs_status type_add(svs_type *type) {
    svs__type *record;
    if (types_count == TYPES_MAX) return SVS_E_LIMIT; /* LCOV_EXCL_BR_LINE: 65,535 types */
    record = record_new();
    if (!record) return SVS_E_NO_MEMORY;
    record->type = type;
    record->link_count = type->link_count;
    record->member_count = type->member_count;
    record->slot_bytes = slot_bytes(type);
    for (uint32_t i = 0; i < SVS_LINKS_MAX; i++) record->link_field[i] = SVS__NO_FIELD;
    for (uint32_t i = 0; i < type->link_count; i++) {
        record->link_header[i] = svs__link_header(&type->links[i]);
        record->link_field[i] = (ptrdiff_t)type->links[i].offset - (ptrdiff_t)type->header;
    }
    /* release: publishes the record; pairs with the acquire in svs__type_get(). */
    svs__store_release(&svs__types[types_count], record);
    svs__store_release((_Atomic(uint32_t) *)&type->index, types_count);
    types_count++;
    return SVS_OK;
}

svs_status svs__type_register(svs_type *type, const svs__log *log) {
    svs_status status = SVS_OK;
    const char *mistake;
    if (svs__type_is_registered(type)) return SVS_OK;
    mistake = type_mistake(type);
    if (mistake) {
        return svs__refuse(log, SVS_E_TYPE,
                           "type %s is described with %s: describe it with SVS_TYPE",
                           type->name ? type->name : "NULL", mistake);
    }
    for (uint32_t i = 0; i < type->member_count && !status; i++)
        status = svs__type_register(type->members[i].type, log);
    if (status) return status;
    svs__process_guard(&types_lock);
    svs__lock_acquire(&types_lock);
    if (!type->index) status = type_add(type);
    svs__lock_release(&types_lock);
    if (status == SVS_E_LIMIT) /* LCOV_EXCL_BR_LINE: 65,535 types */
        (void)svs__refuse(
            log, status,
            "type %s: the process has 65,534 types, which is the limit: register each "
            "type once",
            type->name);
    return status;
}
