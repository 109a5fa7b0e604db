/* A target for libFuzzer: whatever a name is made of, what is written of it is one string of JSON
 * in UTF-8 that may stand within a script element (RFC 8259, section 7). (The library and its tools
 * write JSON; none of them reads any.) */
#include "base/check.h"
#include "format.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* @return the bytes of the character that begins here, or 0 when it is no UTF-8. */
static size_t utf8(const uint8_t *at, size_t left) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t count = at[0] < 0x80             ? 1
                   : (at[0] & 0xe0) == 0xc0 ? 2
                   : (at[0] & 0xf0) == 0xe0 ? 3
                   : (at[0] & 0xf8) == 0xf0 ? 4
                                            : 0;
    uint32_t code = count == 1 ? at[0] : at[0] & (0xffu >> (count + 1));
    if (count == 0 || count > left) return 0;
    for (size_t i = 1; i < count; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    return code >= least[count] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? count : 0;
}

/* @return the bytes of the escape sequence that begins here, or 0. */
static size_t escape(const uint8_t *at, size_t left) {
    if (left < 2) return 0;
    if (at[1] != 'u') return strchr("\"\\/bfnrt", at[1]) != NULL && at[1] != '\0' ? 2 : 0;
    if (left < 6) return 0;
    for (int i = 2; i < 6; i++)
        if (strchr("0123456789abcdefABCDEF", at[i]) == NULL || at[i] == '\0') return 0;
    return 6;
}

static void check_string(const uint8_t *text, size_t size) {
    SVS_CHECK(size >= 2 && text[0] == '"' && text[size - 1] == '"');
    for (size_t i = 1; i + 1 < size;) {
        size_t left = size - 1 - i;
        size_t count = text[i] == '\\' ? escape(text + i, left) : utf8(text + i, left);
        SVS_CHECK(count != 0 && text[i] >= 0x20 && text[i] != '"' && text[i] != '<');
        i += count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *written = NULL;
    size_t written_size = 0;
    FILE *output = open_memstream(&written, &written_size);
    SVS_CHECK(text != NULL && output != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    tool_json_string(output, text);
    SVS_CHECK(fclose(output) == 0);
    check_string((const uint8_t *)written, written_size);
    free(written);
    free(text);
    return 0;
}
