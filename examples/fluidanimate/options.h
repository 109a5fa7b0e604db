/* The command line. */
#ifndef FLUIDANIMATE_OPTIONS_H
#define FLUIDANIMATE_OPTIONS_H

#include "simulation.h"

#define EXIT_BAD_INPUT 2

typedef struct arguments {
    simulation_options options;
    const char *paths[2];
    int path_count;
    const char *out, *svg; /* NULL: not wanted */
    bool compare;
    double tolerance;
} arguments;

/* Ends the process with EXIT_BAD_INPUT and a message when something is wrong with the arguments. */
void options_parse(arguments *into, int count, char **values);

#endif
