/* A netlist: elements, and the wires between them, as PARSEC's canneal reads them.
 *
 *     elements max_x max_y
 *     name type fan-in ... END        one line an element; type is 1 or 2 and not used
 *
 * Fields are separated by tabs or spaces; a fan-in names any element, defined before or after,
 * itself included, and may be repeated. A line has at most NETLIST_LINE_MAX bytes, so that a file
 * without ends of lines is refused before it fills the memory. A name that ends in .xz is read
 * through `xz -dc`.
 *
 * Elements are numbered from 0 in the order in which their names first occur. As in PARSEC the grid
 * is full: the locations that the netlist's elements leave free hold blanks, which have numbers too
 * (elements .. locations-1) and no wires. */
#ifndef CANNEAL_NETLIST_H
#define CANNEAL_NETLIST_H

#include <stdbool.h>
#include <stdint.h>

#define NETLIST_SIDE_MAX 65535u
#define NETLIST_LOCATIONS_MAX (UINT32_C(1) << 26)
#define NETLIST_FAN_INS_MAX (UINT32_C(1) << 30)
#define NETLIST_LINE_MAX (1u << 24) /* bytes, with the end of the line */
#define NETLIST_ERROR 512

typedef struct netlist {
    uint32_t elements;
    uint32_t max_x, max_y;
    uint32_t locations;   /* max_x * max_y, at least elements and 2 */
    uint32_t wires;       /* fan-ins of all elements */
    uint32_t *first;      /* locations + 1: where the neighbours of an element begin */
    uint32_t *neighbours; /* each wire from both of its ends: the element's fan-ins and fan-outs */
} netlist;

/* Reads a file. @return false with a line for people in `error` (NETLIST_ERROR bytes: "file:line:
 * expected ..."). */
bool netlist_read(netlist *nets, const char *path, char *error);

/* Gives the memory back; a netlist of zeros is allowed. */
void netlist_clean_up(netlist *nets);

#endif
