#include <stdio.h>
#include <svs/must.h>

void svs__must_say(svs_status status, const char *call, const char *file, int line) {
    fprintf(stderr, "%s:%d: %s: %s: %s\n", file, line, call, svs_status_name(status),
            svs_status_text(status));
}
