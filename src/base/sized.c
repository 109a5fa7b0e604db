#include "base/sized.h"

#include <stdbool.h>

void svs__options_init(void *options, size_t size, const void *defaults, size_t known) {
    if (size < sizeof size) return;
    svs__output_put(options, size, defaults, known);
    memcpy(options, &size, sizeof size);
}

static bool is_zero(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (bytes[i]) return false;
    return true;
}

svs_status svs__options_take(void *chosen, size_t known, const void *options) {
    size_t size, both;
    memcpy(&size, options, sizeof size);
    both = size < known ? size : known;
    if (size < sizeof size || size > SVS__OPTIONS_MAX ||
        !is_zero((const unsigned char *)options + both, size - both))
        return SVS_E_VERSION;
    memcpy(chosen, options, both);
    memcpy(chosen, &known, sizeof known);
    return SVS_OK;
}
