/* The subcommand `svs scan`. */
#ifndef SCAN_SCAN_H
#define SCAN_SCAN_H

/* Runs `svs scan` with the arguments that follow `scan`. @return the exit status. */
int scan_main(int count, char **arguments);

#endif
