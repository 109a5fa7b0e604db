/* The command line. */
#ifndef CANNEAL_OPTIONS_H
#define CANNEAL_OPTIONS_H

#include "annealing.h"

#define EXIT_BAD_INPUT 2

typedef struct arguments {
    annealing_options options;
    const char *path; /* path of the netlist */
    bool check;
} arguments;

/* Ends the process with EXIT_BAD_INPUT and a message when something is wrong with the arguments. */
void options_parse(arguments *into, int count, char **values);

#endif
