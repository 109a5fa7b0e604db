#include "netlist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/input.h"
#include "common/numbers.h"
#include "names.h"

#define BLANKS " \t\r\n\v\f"
#define SHOWN "%.40s" /* enough of a bad field to find it by */

typedef struct wire {
    uint32_t element, fan_in;
} wire;

typedef struct reader {
    const char *path;
    input in;
    char *text;      /* the line */
    size_t capacity; /* capacity of text */
    char *rest;      /* the rest of the line, for strtok_r */
    uint64_t line;
    bool ended; /* the end of the file was reached */
    name_table names;
    wire *wires;
    uint32_t wire_capacity;
    uint32_t defined; /* elements so far */
    netlist *nets;
    char *error;
} reader;

__attribute__((format(printf, 2, 3))) static bool fail(reader *r, const char *format, ...) {
    int length = snprintf(r->error, NETLIST_ERROR, "%.200s:%" PRIu64 ": ", r->path, r->line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error + length, NETLIST_ERROR - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

static bool fail_memory(reader *r) { return fail(r, "out of memory"); }

static const char *next_field(reader *r) { return strtok_r(NULL, BLANKS, &r->rest); }

/* Makes room for one more byte of a line, and for the zero after it. */
static bool make_room(reader *r, size_t length) {
    if (length + 1 < r->capacity) return true;
    size_t capacity = r->capacity ? r->capacity * 2 : 256;
    char *text = realloc(r->text, capacity);
    if (!text) return fail_memory(r);
    r->text = text;
    r->capacity = capacity;
    return true;
}

/* Reads the next line into `text`. @return false after the last one (`*ok`), or after an error. */
static bool read_line(reader *r, bool *ok) {
    FILE *file = r->in.file;
    size_t length = 0;
    int c;
    r->line++;
    while ((*ok = make_room(r, length)) && (c = getc_unlocked(file)) != EOF) {
        if (c == '\0') *ok = fail(r, "expected text, found a zero byte");
        else if (length == NETLIST_LINE_MAX)
            *ok = fail(r, "expected a line of at most %u bytes, found a longer one",
                       NETLIST_LINE_MAX);
        if (!*ok) break;
        r->text[length++] = (char)c;
        if (c == '\n') break;
    }
    if (!*ok) return false;
    if (ferror(file)) {
        *ok = fail(r, "cannot read: %s", strerror(errno));
        return false;
    }
    r->ended = length == 0;
    r->text[length] = '\0';
    return !r->ended;
}

/* Reads the next line that is not blank. @return its first field; NULL at the end of the file, or
 * after an error (`*ok` is false). */
static const char *next_line(reader *r, bool *ok) {
    const char *field = NULL;
    while (!field) {
        if (!read_line(r, ok)) return NULL;
        field = strtok_r(r->text, BLANKS, &r->rest);
    }
    return field;
}

static bool header_number(reader *r, const char *what, const char *field, uint32_t max,
                          uint32_t *number) {
    uint64_t value;
    char why[NUMBER_ERROR];
    if (!field)
        return fail(r, "expected 'elements max_x max_y', found the end of the line before %s",
                    what);
    if (!number_unsigned(field, 1, max, &value, why)) return fail(r, "expected %s: %s", what, why);
    *number = (uint32_t)value;
    return true;
}

static bool read_header(reader *r) {
    netlist *nets = r->nets;
    bool ok;
    const char *field = next_line(r, &ok);
    if (!ok) return false;
    if (!field) return fail(r, "expected 'elements max_x max_y', found the end of the file");
    if (!header_number(r, "the number of elements", field, NETLIST_LOCATIONS_MAX,
                       &nets->elements) ||
        !header_number(r, "max_x", next_field(r), NETLIST_SIDE_MAX, &nets->max_x) ||
        !header_number(r, "max_y", next_field(r), NETLIST_SIDE_MAX, &nets->max_y))
        return false;
    if ((field = next_field(r)))
        return fail(r, "expected the end of the line after max_y, found '" SHOWN "'", field);
    uint64_t locations = (uint64_t)nets->max_x * nets->max_y;
    uint32_t least = nets->elements < 2 ? 2 : nets->elements;
    if (locations < least || locations > NETLIST_LOCATIONS_MAX)
        return fail(r,
                    "expected a grid of %" PRIu32 " to %" PRIu32 " locations for %" PRIu32
                    " elements, found %" PRIu32 " x %" PRIu32,
                    least, NETLIST_LOCATIONS_MAX, nets->elements, nets->max_x, nets->max_y);
    nets->locations = (uint32_t)locations;
    return true;
}

static bool add_wire(reader *r, uint32_t element, uint32_t fan_in) {
    netlist *nets = r->nets;
    if (nets->wires == NETLIST_FAN_INS_MAX)
        return fail(r, "expected at most %" PRIu32 " fan-ins", NETLIST_FAN_INS_MAX);
    if (nets->wires == r->wire_capacity) {
        uint32_t capacity = r->wire_capacity ? r->wire_capacity * 2 : 1024;
        wire *wires = realloc(r->wires, capacity * sizeof *wires);
        if (!wires) return fail_memory(r);
        r->wires = wires;
        r->wire_capacity = capacity;
    }
    r->wires[nets->wires++] = (wire){element, fan_in};
    return true;
}

static bool read_fan_ins(reader *r, uint32_t element) {
    for (;;) {
        const char *field = next_field(r);
        if (!field) return fail(r, "expected a fan-in or END, found the end of the line");
        if (!strcmp(field, "END")) break;
        uint32_t fan_in = names_number(&r->names, field, r->line);
        if (fan_in == NAMES_NONE) return fail_memory(r);
        if (!add_wire(r, element, fan_in)) return false;
    }
    const char *field = next_field(r);
    if (field) return fail(r, "expected the end of the line after END, found '" SHOWN "'", field);
    return true;
}

static bool read_element(reader *r, const char *name) {
    if (r->defined == r->nets->elements)
        return fail(r, "expected the end of the file after %" PRIu32 " elements, found '" SHOWN "'",
                    r->defined, name);
    if (!strcmp(name, "END")) return fail(r, "expected an element's name, found END");
    uint32_t element = names_number(&r->names, name, r->line);
    if (element == NAMES_NONE) return fail_memory(r);
    uint64_t *defined = &r->names.entries[element].defined;
    if (*defined)
        return fail(r, "expected a new name, found '" SHOWN "' of line %" PRIu64 " again", name,
                    *defined);
    *defined = r->line;
    const char *type = next_field(r);
    if (!type || (strcmp(type, "1") && strcmp(type, "2")))
        return fail(r, "expected type 1 or 2, found '" SHOWN "'", type ? type : "end of line");
    r->defined++;
    return read_fan_ins(r, element);
}

static bool read_elements(reader *r) {
    bool ok;
    const char *name;
    while ((name = next_line(r, &ok)))
        if (!read_element(r, name)) return false;
    if (!ok) return false;
    if (r->defined < r->nets->elements)
        return fail(r, "expected %" PRIu32 " elements, found the end of the file after %" PRIu32,
                    r->nets->elements, r->defined);
    for (uint32_t i = 0; i < r->names.count; i++) {
        const name_entry *entry = &r->names.entries[i];
        if (entry->defined) continue;
        r->line = entry->mentioned;
        return fail(r, "expected the name of an element as fan-in, found '" SHOWN "'", entry->text);
    }
    return true;
}

/* Counting sort of each wire under both of its ends. */
static bool link_neighbours(reader *r) {
    netlist *nets = r->nets;
    nets->first = calloc((size_t)nets->locations + 2, sizeof *nets->first);
    nets->neighbours = malloc(2 * (size_t)nets->wires * sizeof *nets->neighbours + 1);
    if (!nets->first || !nets->neighbours) return fail_memory(r);
    /* One place late while they are filled: first[e + 1] walks from the begin of e to its end. */
    uint32_t *at = nets->first + 1;
    for (uint32_t i = 0; i < nets->wires; i++) {
        at[r->wires[i].element + 1]++;
        at[r->wires[i].fan_in + 1]++;
    }
    for (uint32_t e = 0; e < nets->locations; e++) at[e + 1] += at[e];
    for (uint32_t i = 0; i < nets->wires; i++)
        nets->neighbours[at[r->wires[i].element]++] = r->wires[i].fan_in;
    for (uint32_t i = 0; i < nets->wires; i++)
        nets->neighbours[at[r->wires[i].fan_in]++] = r->wires[i].element;
    return true;
}

bool netlist_read(netlist *nets, const char *path, char *error) {
    reader r = {.path = path, .nets = nets, .error = error};
    *nets = (netlist){0};
    int failure = input_open(&r.in, path);
    if (failure) {
        snprintf(error, NETLIST_ERROR, "%.200s: cannot open: %s", path, strerror(failure));
        return false;
    }
    bool ok = read_header(&r) && read_elements(&r);
    /* A damaged file looks truncated here: say so before anything about its text. */
    if (!input_close(&r.in) && r.ended) ok = fail(&r, "cannot read: xz failed");
    ok = ok && link_neighbours(&r);
    names_clean_up(&r.names);
    free(r.wires);
    free(r.text);
    if (!ok) netlist_clean_up(nets);
    return ok;
}

void netlist_clean_up(netlist *nets) {
    free(nets->first);
    free(nets->neighbours);
    *nets = (netlist){0};
}
