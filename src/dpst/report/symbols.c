#include "dpst/report/symbols.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#if defined(SVS_HAS_BACKTRACE)
#include <backtrace.h>
#endif

/* The demangler of the C++ library, if the program has that library. */
char *svs__demangle(const char *name, char *buffer, size_t *room,
                    int *status) __asm__("__cxa_demangle") __attribute__((weak));

static bool wanted = true;

static const char *readable(const char *name) {
    int status = 0;
    char *plain;
    if (name == NULL || name[0] != '_' || name[1] != 'Z' || svs__demangle == NULL) return name;
    plain = svs__demangle(name, NULL, NULL, &status);
    return plain != NULL ? plain : name;
}

bool svs__symbol_is_maker(const char *function) {
    static const char ending[] = "_svs_new_";
    size_t length = function != NULL ? strlen(function) : 0;
    return length >= sizeof ending && strcmp(function + length - (sizeof ending - 1), ending) == 0;
}

/* Names a place without debug information. */
static void name_by_module(uintptr_t pc, svs__place_name *place) {
    Dl_info info;
    *place = (svs__place_name){.offset = pc};
    if (dladdr((void *)pc, &info) == 0) return;
    place->module = info.dli_fname;
    place->offset = pc - (uintptr_t)info.dli_fbase;
    if (wanted) place->function = readable(info.dli_sname);
}

#if defined(SVS_HAS_BACKTRACE)

static struct backtrace_state *state;

typedef struct places {
    svs__place_name *to;
    uint32_t count, most;
} places;

static void ignore_error(void *data, const char *text, int number) {
    (void)data, (void)text, (void)number;
}

static int add_place(void *data, uintptr_t pc, const char *file, int line, const char *function) {
    places *p = data;
    (void)pc;
    if (file == NULL || p->count == p->most) return 1;
    p->to[p->count++] =
        (svs__place_name){.function = readable(function), .file = file, .line = line};
    return 0;
}

static void name_place(void *data, uintptr_t pc, const char *name, uintptr_t begin,
                       uintptr_t size) {
    (void)pc, (void)begin, (void)size;
    if (name != NULL) ((svs__place_name *)data)->function = readable(name);
}

typedef struct variable {
    const char *name;
    uintptr_t begin, bytes;
} variable;

static void name_variable(void *data, uintptr_t address, const char *name, uintptr_t begin,
                          uintptr_t bytes) {
    (void)address;
    *(variable *)data = (variable){name, begin, bytes};
}

void svs__symbols_init(bool use) {
    wanted = use;
    if (use) state = backtrace_create_state(NULL, 1, ignore_error, NULL);
}

uint32_t svs__symbols_of_code(uintptr_t pc, svs__place_name *to, uint32_t most) {
    places p = {to, 0, most};
    if (state != NULL) (void)backtrace_pcinfo(state, pc - 1, add_place, ignore_error, &p);
    if (p.count != 0) return p.count;
    name_by_module(pc - 1, to);
    if (state != NULL) (void)backtrace_syminfo(state, pc - 1, name_place, ignore_error, to);
    return 1;
}

bool svs__symbols_of_data(uintptr_t address, const char **name, uintptr_t *begin, size_t *bytes) {
    variable v = {NULL, 0, 0};
    if (state != NULL) (void)backtrace_syminfo(state, address, name_variable, ignore_error, &v);
    if (v.name == NULL || address - v.begin >= v.bytes) return false;
    *name = readable(v.name);
    *begin = v.begin;
    *bytes = v.bytes;
    return true;
}

#else

void svs__symbols_init(bool use) { wanted = use; }

uint32_t svs__symbols_of_code(uintptr_t pc, svs__place_name *to, uint32_t most) {
    (void)most;
    name_by_module(pc - 1, to);
    return 1;
}

/* No variable is known without debug information: the dynamic linker knows where exported variables
 * begin, but not how long they are. */
bool svs__symbols_of_data(uintptr_t address, const char **name, uintptr_t *begin, size_t *bytes) {
    (void)address, (void)name, (void)begin, (void)bytes;
    return false;
}

#endif
