/* The version of the headers, from which CMake reads the project's version. svs_version() returns
 * the version of the linked library. */
#ifndef SVS_VERSION_H
#define SVS_VERSION_H

#include <svs/status.h>

#define SVS_VERSION_MAJOR 0
#define SVS_VERSION_MINOR 1
#define SVS_VERSION_PATCH 0
#define SVS_VERSION_STRING "0.1.0"

SVS_BEGIN_DECLARATIONS

/* The version of the linked library: "major.minor.patch". */
SVS_API const char *svs_version(void);

SVS_END_DECLARATIONS
#endif
