/* Formats numbers as readable text, and as JSON. */
#ifndef TOOL_FORMAT_H
#define TOOL_FORMAT_H

#include <stdint.h>
#include <stdio.h>

/* Large enough for each number below. */
#define TOOL_TEXT 40

/* Each writes to `text` and returns it. */
char *tool_count(char text[TOOL_TEXT], uint64_t value); /* 1,234,567 */
char *tool_bytes(char text[TOOL_TEXT], uint64_t value); /* 12.3 KB */
char *tool_time(char text[TOOL_TEXT], uint64_t ns);     /* 1.23 ms */

/* 100 part / whole; 0 if whole is 0. */
double tool_percent(uint64_t part, uint64_t whole);

/* Prints nanoseconds as microseconds with all digits, "1234.567". */
void tool_json_us(FILE *output, uint64_t ns);

#endif
