/* The command `svs scan` alone, for its mutants: `scan scan ARGUMENTS`. */
#include "scan/scan.h"

int main(int count, char **arguments) { return scan_main(count - 2, arguments + 2); }
