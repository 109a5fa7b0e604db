#include "scan/front/json.h"

static bool is_plain(char c) { return (unsigned char)c >= 32 && c != '"' && c != '\\'; }

static void write_text(FILE *output, const char *text) {
    fputc('"', output);
    while (*text) {
        size_t plain = 0;
        while (is_plain(text[plain])) plain++;
        fwrite(text, 1, plain, output);
        text += plain;
        if (*text == '"' || *text == '\\') fprintf(output, "\\%c", *text++);
        else if (*text) fprintf(output, "\\u%04x", (unsigned)*text++);
    }
    fputc('"', output);
}

void json_write(FILE *output, const json *value) {
    if (value->key) {
        write_text(output, value->key);
        fputc(':', output);
    }
    if (value->kind == JSON_TEXT) {
        write_text(output, value->text);
    } else if (value->kind == JSON_PLAIN || value->kind == JSON_NULL) {
        fputs(value->kind == JSON_NULL ? "null" : value->text, output);
    } else {
        fputc(value->kind == JSON_OBJECT ? '{' : '[', output);
        for (const json *inner = value->first; inner; inner = inner->next) {
            json_write(output, inner);
            if (inner->next) fputs(inner->next->first ? ",\n" : ",", output);
        }
        fputc(value->kind == JSON_OBJECT ? '}' : ']', output);
    }
}
