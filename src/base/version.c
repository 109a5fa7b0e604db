#include <svs/version.h>

const char *svs_version(void) { return SVS_VERSION_STRING; }
